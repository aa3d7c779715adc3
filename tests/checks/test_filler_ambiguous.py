"""The rule `filler-ambiguous`."""

from curation.model.bank import Group


def test_fillers_of_two_groups_are_found_once(make):
    """At the later group, with the fillers that both have."""
    groups = make.groups(make.group("Weavers", "[Ann, Eve, Ada, Bob]"))
    assert make.found(make.pair(), groups) == [
        (
            "filler-ambiguous",
            "warning",
            "groups.csv, row 4, column fillers",
            f"'Weavers' shares fillers with {other}",
        )
        for other in ("'Bakers': 'Ann', 'Ada'", "'Potters': 'Bob'")
    ]


def test_groups_of_two_categories_may_share_fillers(make):
    """A template stays within its category."""
    groups = make.groups(Group("Trade", "Sellers", fillers="[Ann]"))
    categories = ({"id": "Craft"}, {"id": "Trade"})
    assert make.found(make.pair(), groups, categories=categories) == []
