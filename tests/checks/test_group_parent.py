"""The rule `group-parent`."""

from curation.model.bank import Group


def test_a_parent_that_is_not_listed_is_found(make):
    """Each group with it is named."""
    groups = make.groups(make.group("Weavers", "[Eve]", parent="Cloth"))
    assert make.found(make.pair(), groups) == [
        (
            "group-parent",
            "error",
            "groups.csv, row 4, column parent",
            "parent 'Cloth' is not listed in Craft",
        )
    ]


def test_a_parent_of_another_category_is_not_listed(make):
    """Groups belong to a category."""
    groups = make.groups(
        make.group("Weavers", "[Eve]", parent="Cloth"), Group("Trade", "Cloth", fillers="[Eva]")
    )
    found = make.found(make.pair(), groups, categories=({"id": "Craft"}, {"id": "Trade"}))
    assert [item[0] for item in found] == ["group-parent"]


def test_a_parent_may_stand_after_its_group(make):
    """The order of rows is free."""
    groups = make.groups(
        make.group("Weavers", "[Eve]", parent="Cloth"), make.group("Cloth", "[Eva]")
    )
    assert make.found(make.pair(), groups) == []
