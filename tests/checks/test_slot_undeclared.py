"""The rule `slot-undeclared`."""


def test_a_slot_without_list_is_found_once_in_each_cell(make):
    """A slot that stands twice in a cell is said once."""
    variants = make.pair(biased_question="Who forgets [W2] and [W2]?")
    assert make.found(variants) == [
        (
            "slot-undeclared",
            "error",
            f"bank.csv, row {row}, column biased_question",
            "slot W2 has no list of fillers",
        )
        for row in (2, 3)
    ]


def test_source_texts_are_looked_at(make):
    """The column is that of the source language."""
    found = make.found(make.untranslated(words="", ambiguous_context="[N1] met [N2] at [W1]."))
    assert [item[:3] for item in found] == [
        ("slot-undeclared", "error", "bank.csv, row 2, column ambiguous_context_source"),
        ("slot-undeclared", "error", "bank.csv, row 3, column ambiguous_context_source"),
    ]


def test_an_open_list_is_a_list(make):
    """The survey will fill it."""
    assert make.found(make.pair(names="N1: [*]; N2: [*]")) == []


def test_a_slot_with_forms_needs_a_list_too(make):
    """Nobody knows what the forms belong to."""
    variants = make.pair(biased_question="Who forgets [W2: the key, keys]?")
    assert {item[0] for item in make.found(variants)} == {"slot-undeclared"}
