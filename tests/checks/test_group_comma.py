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


def test_other_signs_are_free(make):
    """Names of groups are words of a language."""
    assert make.found(make.pair(), make.groups(make.group("Weavers/dyers · 직조공", "[Eve]"))) == []
