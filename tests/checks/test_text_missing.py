"""The rule `text-missing`."""


def test_an_empty_cell_beside_written_ones_is_found(make):
    """A cell of white space is empty."""
    found = make.found([make.variant(biased_question=" "), make.variant("craft-001b")])
    assert [item for item in found if item[0] == "text-missing"] == [
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


def test_answers_that_are_not_written_are_not_said_to_be_equal(make):
    """One fault is said once."""
    found = make.found(make.pair(biased_answer="", counter_biased_answer=""))
    assert [item[::2] for item in found] == [
        ("text-missing", f"bank.csv, row {row}, column {column}")
        for row in (2, 3)
        for column in ("biased_answer", "counter_biased_answer")
    ]
