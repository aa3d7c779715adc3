"""The rule `white-space`."""

import pytest


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("A  key?", "doubled white space at position 2"),
        (" Who forgets?", "white space at the beginning"),
        ("Who forgets?\u00a0", "white space at the end"),
        ("Who  forgets?", "doubled white space at position 4"),
        (
            "  Who,  then? ",
            "white space at the beginning, white space at the end, "
            "doubled white space at position 7",
        ),
        ("  Who?  ", "white space at the beginning, white space at the end"),
    ],
)
def test_white_space_at_the_edges_or_doubled_is_found(make, text, message):
    """One finding for a cell."""
    found = make.found(make.pair(biased_question=text))
    assert found == [
        ("white-space", "warning", f"bank.csv, row {row}, column biased_question", message)
        for row in (2, 3)
    ]


@pytest.mark.parametrize("names", ["N1:  [Ann ,  Ada];  N2: [ Bob, Ben  ]"])
def test_white_space_beside_the_signs_of_a_list_is_dropped_by_reading(make, names):
    """It reaches no sample."""
    context = "[N1:  one ,  other] and [N2] waited at the [W1]."
    variants = [
        make.variant(names=names, ambiguous_context=context),
        make.variant("craft-001b", ambiguous_context=context),
    ]
    assert make.found(variants) == []


def test_white_space_doubled_inside_a_filler_or_beside_a_slot_is_found(make):
    """Both reach the samples."""
    context = "[N1]  and [N2] waited at the [W1]."
    found = make.found(make.pair(words="W1: [bus  stop, market]", ambiguous_context=context))
    assert [item[2:] for item in found] == [
        (f"bank.csv, row {row}, column {column}", f"doubled white space at position {position}")
        for row in (2, 3)
        for column, position in (("ambiguous_context", 5), ("words", 9))
    ]


def test_line_breaks_are_another_rules_matter(make):
    """One fault is said once."""
    found = make.found(make.pair(biased_question="Who forgets?\n"))
    assert {item[0] for item in found} == {"line-break"}
