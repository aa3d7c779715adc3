"""The rule `group-comma`."""


def test_a_comma_in_a_name_is_found(make):
    """Lists of groups are written with commas."""
    groups = make.groups(make.group("Weavers, dyers", "[Eve]"))
    assert make.found(make.pair(), groups) == [
        (
            "group-comma",
            "error",
            "groups.csv, row 4, column group",
            "the name 'Weavers, dyers' has a comma",
        )
    ]


def test_a_comma_within_brackets_parts_nothing(make):
    """A name may say whom it leaves out."""
    groups = make.groups(make.group("non-(Weavers, dyers)", "[Eve]"))
    assert make.found(make.pair(), groups) == []


def test_a_name_that_looks_like_a_list_is_found(make):
    """It would be read as one."""
    groups = make.groups(make.group("[weavers, (dyers, spinners)", "[Eve]"))
    assert [item[0] for item in make.found(make.pair(), groups)] == ["group-comma"]


def test_a_name_in_brackets_without_comma_is_right(make):
    """Only commas part."""
    assert make.found(make.pair(), make.groups(make.group("[weavers]", "[Eve]"))) == []


def test_other_signs_are_free(make):
    """Names of groups are words of a language."""
    assert make.found(make.pair(), make.groups(make.group("Weavers/dyers · 직조공", "[Eve]"))) == []
