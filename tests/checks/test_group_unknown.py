"""The rule `group-unknown`."""

from curation.model.bank import Group


def test_a_group_that_is_not_listed_is_found_once(make):
    """At the first cell that names it, with their number."""
    assert make.found(make.pair(), make.groups()[:1]) == [
        (
            "group-unknown",
            "error",
            "bank.csv, row 2, column target_groups",
            "group 'Potters' is not listed in Craft (in 4 cells)",
        )
    ]


def test_a_group_of_another_category_is_not_listed(make):
    """Groups belong to a category."""
    groups = [make.groups()[0], Group("Trade", "Potters", fillers="[Bob]")]
    found = make.found(make.pair(), groups, categories=({"id": "Craft"}, {"id": "Trade"}))
    assert [item[0] for item in found] == ["group-unknown"]


def test_groups_of_source_texts_need_not_be_listed(make):
    """They are named in another language."""
    assert make.found(make.untranslated(target_groups=("Töpfer",))) == []


def test_one_cell_is_one_cell(make):
    """The number of cells is said in words that fit."""
    found = make.found([make.variant(n1_groups=("Bakers", "Dyers")), make.variant("craft-001b")])
    messages = [item[3] for item in found if item[0] == "group-unknown"]
    assert messages == ["group 'Dyers' is not listed in Craft (in 1 cell)"]
