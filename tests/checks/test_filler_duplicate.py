"""The rule `filler-duplicate`."""

from dataclasses import replace

from curation.model.bank import Texts


def test_a_filler_that_stands_twice_in_a_list_is_found_once(make):
    """However often it stands there."""
    assert make.found(make.pair(words="W1: [station, market, station, station]")) == [
        (
            "filler-duplicate",
            "warning",
            f"bank.csv, row {row}, column words",
            "'station' stands twice in the list of slot W1",
        )
        for row in (2, 3)
    ]


def test_a_filler_that_stands_twice_in_a_group_is_found(make):
    """The list of a group is looked at like one of the bank."""
    groups = make.groups(make.group("Weavers", "[Eve, Eva, Eve]"))
    assert make.found(make.pair(), groups) == [
        (
            "filler-duplicate",
            "warning",
            "groups.csv, row 4, column fillers",
            "'Eve' stands twice among the fillers of 'Weavers'",
        )
    ]


def test_two_lists_may_share_a_filler(make):
    """Only one list is looked at."""
    variants = make.pair(
        words="W1: [station, market]; W2: [station, park]", biased_question="Who forgets [W2]?"
    )
    assert make.found(variants) == []


def test_lists_are_looked_at_in_source_texts_and_before_texts_are_written(make):
    """A list may be there first."""
    first, second = make.untranslated(words="W1: [market, market]")
    early = replace(second, texts=Texts(words="W1: [market, market]"), source_texts=Texts())
    assert [item[:3] for item in make.found([first, early])] == [
        ("filler-duplicate", "warning", "bank.csv, row 2, column words_source"),
        ("filler-duplicate", "warning", "bank.csv, row 3, column words"),
    ]
