"""The rule `text-missing`."""


def test_an_empty_cell_beside_written_ones_is_found(make):
    """A cell of white space is empty."""
    found = make.found([make.variant(biased_question=""), make.variant("craft-001b")])
    assert [item for item in found if item[0] != "pair-wording"] == [
        (
            "text-missing",
            "error",
            "bank.csv, row 2, column biased_question",
            "the cell is empty, others of the variant are not",
        )
    ]


def test_source_texts_are_looked_at(make):
    """The column is that of the source language."""
    found = make.found(make.untranslated(counter_biased_question=""))
    assert [item[:3] for item in found] == [
        ("text-missing", "error", "bank.csv, row 2, column counter_biased_question_source"),
        ("text-missing", "error", "bank.csv, row 3, column counter_biased_question_source"),
    ]


def test_a_variant_that_waits_for_its_translation_is_no_defect(make):
    """Nothing at all is written."""
    assert make.found(make.untranslated()) == []
