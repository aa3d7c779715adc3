"""The rule `filler-empty`."""

from dataclasses import replace

from curation.model.bank import Texts


def test_an_empty_filler_in_the_bank_is_found(make):
    """Its place in the list is said."""
    assert make.found(make.pair(words="W1: [station, , market]")) == [
        (
            "filler-empty",
            "warning",
            f"bank.csv, row {row}, column words",
            "filler 2 of slot W1 is empty",
        )
        for row in (2, 3)
    ]


def test_an_empty_filler_of_a_group_is_found(make):
    """The list of a group is looked at like one of the bank."""
    groups = make.groups(make.group("Weavers", "[Eve, ]"))
    assert make.found(make.pair(), groups) == [
        (
            "filler-empty",
            "warning",
            "groups.csv, row 4, column fillers",
            "filler 2 of 'Weavers' is empty",
        )
    ]


def test_an_empty_list_has_no_empty_filler(make):
    """That is another rule's matter."""
    assert {item[0] for item in make.found(make.pair(words="W1: []"))} == {"list-empty"}


def test_lists_are_looked_at_in_source_texts_and_before_texts_are_written(make):
    """A list may be there first."""
    first, second = make.untranslated(words="W1: [station, ]")
    early = replace(second, texts=Texts(words="W1: [station, ]"), source_texts=Texts())
    assert [item[:3] for item in make.found([first, early])] == [
        ("filler-empty", "warning", "bank.csv, row 2, column words_source"),
        ("filler-empty", "warning", "bank.csv, row 3, column words"),
    ]
