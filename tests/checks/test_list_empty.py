"""The rule `list-empty`."""

from dataclasses import replace

from curation.model.bank import Texts


def test_a_list_without_fillers_is_found(make):
    """It would make no samples."""
    assert make.found(make.pair(words="W1: []")) == [
        (
            "list-empty",
            "error",
            f"bank.csv, row {row}, column words",
            "the list of slot W1 is empty",
        )
        for row in (2, 3)
    ]


def test_a_list_that_the_survey_fills_is_not_empty(make):
    """`[*]` says that fillers will come."""
    assert make.found(make.pair(names="N1: [*]; N2: [*]")) == []


def test_lists_are_looked_at_in_source_texts_and_before_texts_are_written(make):
    """A list may be there first."""
    first, second = make.untranslated(words="W1: []")
    early = replace(second, texts=Texts(words="W1: []"), source_texts=Texts())
    assert [item[:3] for item in make.found([first, early])] == [
        ("list-empty", "error", "bank.csv, row 2, column words_source"),
        ("list-empty", "error", "bank.csv, row 3, column words"),
    ]
