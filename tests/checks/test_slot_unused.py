"""The rule `slot-unused`."""


def test_a_list_whose_slot_stands_in_no_text_is_found(make):
    """Each of its fillers would repeat the same samples."""
    variants = make.pair(words="W1: [station, market]; W2: [red, blue]")
    assert make.found(variants) == [
        (
            "slot-unused",
            "warning",
            f"bank.csv, row {row}, column words",
            "slot W2 is declared but stands in no text",
        )
        for row in (2, 3)
    ]


def test_source_texts_are_looked_at(make):
    """The column is that of the source language."""
    found = make.found(make.untranslated(ambiguous_context="[N1] met [N2]."))
    assert [item[:3] for item in found] == [
        ("slot-unused", "warning", "bank.csv, row 2, column words_source"),
        ("slot-unused", "warning", "bank.csv, row 3, column words_source"),
    ]


def test_one_use_in_one_text_is_enough(make):
    """A word may stand in a question only."""
    texts = {"ambiguous_context": "[N1] met [N2].", "biased_question": "Who forgets [W1]?"}
    assert make.found(make.pair(**texts)) == []


def test_nothing_is_said_while_a_text_cannot_be_read(make):
    """The slot may stand in it."""
    variants = make.pair(ambiguous_context="[N1] and [N2] waited at the [W1].]")
    assert {item[0] for item in make.found(variants)} == {"slot-syntax"}
