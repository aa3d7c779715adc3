"""The rule `list-empty`."""


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
