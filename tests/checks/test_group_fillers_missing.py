"""The rule `group-fillers-missing`."""

import pytest


@pytest.mark.parametrize("fillers", ["", "[]", "[*]"])
def test_a_group_without_fillers_is_found(make, fillers):
    """However the empty list is written."""
    assert make.found(make.pair(), make.groups(make.group("Weavers", fillers))) == [
        (
            "group-fillers-missing",
            "warning",
            "groups.csv, row 4, column fillers",
            "'Weavers' has no fillers",
        )
    ]


def test_a_group_that_others_are_a_part_of_needs_none(make):
    """They have the fillers."""
    groups = make.groups(make.group("Cloth"), make.group("Weavers", "[Eve]", parent="Cloth"))
    assert make.found(make.pair(), groups) == []
