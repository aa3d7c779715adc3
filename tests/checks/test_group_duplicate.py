"""The rule `group-duplicate`."""

from curation.model.bank import Group


def test_a_group_that_is_listed_twice_is_found(make):
    """The first row is named, the second is where the finding stands."""
    groups = make.groups(make.group("Bakers", "[Eve]"))
    assert make.found(make.pair(), groups) == [
        (
            "group-duplicate",
            "error",
            "groups.csv, row 4, column group",
            "'Bakers' stands in row 2 already",
        )
    ]


def test_two_categories_may_have_a_group_of_one_name(make):
    """Groups belong to a category."""
    groups = make.groups(Group("Trade", "Bakers", fillers="[Eve]"))
    categories = ({"id": "Craft"}, {"id": "Trade"})
    assert make.found(make.pair(), groups, categories=categories) == []
