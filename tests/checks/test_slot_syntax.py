"""The rule `slot-syntax`."""

from curation.checks.catalogue import run
from curation.checks.slot_syntax import SlotSyntax


def test_a_bracket_that_is_not_closed_is_found_with_line_and_column(make):
    """The finding names the place within the cell."""
    text = "Who forgets\n[N1 things?"
    variants = [make.variant(), make.variant("craft-001b", counter_biased_question=text)]
    assert ("slot-syntax", "error") in {item[:2] for item in make.found(variants)}
    assert [item[2:] for item in make.found(variants) if item[0] == "slot-syntax"] == [
        (
            "bank.csv, row 3, column counter_biased_question",
            "slot N1 is followed by 't' (line 2, column 5)",
        )
    ]


def test_a_list_that_cannot_be_read_is_found_and_nothing_else_is_said_of_its_slots(make):
    """Other rules keep silent on what cannot be read."""
    variants = [make.variant(words="W1: station"), make.variant("craft-001b")]
    assert make.found(variants) == [
        (
            "slot-syntax",
            "error",
            "bank.csv, row 2, column words",
            "'[' was expected (line 1, column 5)",
        )
    ]


def test_source_texts_are_looked_at(make):
    """The column is that of the source language."""
    found = make.found(make.untranslated(biased_question="Who ] forgets?"))
    assert [item[:3] for item in found] == [
        ("slot-syntax", "error", "bank.csv, row 2, column biased_question_source"),
        ("slot-syntax", "error", "bank.csv, row 3, column biased_question_source"),
    ]


def test_a_list_is_looked_at_before_the_texts_are_written(make):
    """A target may be set before the translation begins."""
    first, second = make.untranslated()
    spoilt = make.variant("craft-001b", texts=type(second.texts)(names="N1: [Bob"))
    assert [item[:3] for item in make.found([first, spoilt])] == [
        ("slot-syntax", "error", "bank.csv, row 3, column names")
    ]


def test_escaped_brackets_are_text(make):
    """A backslash takes a bracket as it is."""
    assert make.found(make.pair(biased_question=r"Who \[of the two\] forgets?")) == []


def test_the_hint_is_that_of_the_place_and_else_the_rules_own(make):
    """What to do depends on what was written."""
    variants = [
        make.variant(biased_question="Who ] forgets?"),
        make.variant("craft-001b", words="W1: [station] W2: [red]"),
    ]
    by_row = {item.row: item.hint for item in run(make.subject(variants))}
    assert by_row[2] == "write \\] for a literal bracket"
    assert by_row[3] == SlotSyntax.hint
