"""The rule `category-unknown`."""

from curation.model.bank import Group
from curation.model.culture import Category


def test_a_category_that_the_settings_lack_is_found_once_in_each_file(make):
    """At the first of its rows, with their number."""
    categories = (Category(id="Trade"), Category(id="craft"))
    found = make.found(make.pair(), categories=categories[:1])
    message = "category 'Craft' is not in culture.yaml (2 rows)"
    assert found == [
        ("category-unknown", "error", "bank.csv, row 2, column category", message),
        ("category-unknown", "error", "groups.csv, row 2, column category", message),
    ]


def test_case_matters(make):
    """Tables are joined by the name as it is written."""
    found = make.found(make.pair(), categories=(Category(id="craft"),))
    assert {item[0] for item in found} == {"category-unknown"}


def test_one_row_is_one_row(make):
    """The number of rows is said in words that fit."""
    groups = make.groups(Group("Trade", "Sellers", fillers="[Eve]"))
    assert [item[2:] for item in make.found(make.pair(), groups)] == [
        (
            "groups.csv, row 4, column category",
            "category 'Trade' is not in culture.yaml (1 row)",
        )
    ]


def test_a_category_of_the_settings_may_be_empty(make):
    """Templates come later."""
    categories = (Category(id="Craft"), Category(id="Trade"))
    assert make.found(make.pair(), categories=categories) == []
