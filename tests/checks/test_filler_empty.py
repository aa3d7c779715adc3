"""The rule `filler-empty`."""


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
