"""The rule `group-fillers-syntax`."""


def test_fillers_that_cannot_be_read_are_found_with_line_and_column(make):
    """Other rules keep silent on the group's fillers."""
    groups = make.groups(make.group("Weavers", "[Eve, Eva"))
    assert make.found(make.pair(), groups) == [
        (
            "group-fillers-syntax",
            "error",
            "groups.csv, row 4, column fillers",
            "a list is not closed (line 1, column 1)",
        )
    ]


def test_readings_and_escaped_signs_are_right(make):
    """The grammar is that of the bank."""
    groups = make.groups(make.group("Weavers", r"[Eve|Eva, Smith\, Eve]"))
    assert make.found(make.pair(), groups) == []
