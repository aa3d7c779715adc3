"""The rules on settings."""

from dataclasses import replace
from fractions import Fraction

from curation.checks.catalogue import run
from curation.records.bank import Group
from curation.records.culture import Category

# settings-changed


def test_a_setting_that_decided_otherwise_is_found(make):
    """With the value that decided and the one that is written now."""
    subject = make.subject(make.pair(), survey={"stereotype_share": "7/10", "exclude": []})
    decided = {
        "stereotype_share": Fraction(2, 3),
        "exclude": ("attention",),
        "comprehension_share": Fraction(1, 2),
    }
    found = run(replace(subject, decided_with=decided))
    assert [(item.rule, item.severity.value, item.where, item.message) for item in found] == [
        (
            "settings-changed",
            "warning",
            "culture.yaml",
            "survey.stereotype_share: the decisions were made with another value, 2/3 → 7/10",
        ),
        (
            "settings-changed",
            "warning",
            "culture.yaml",
            "survey.exclude: the decisions were made with another value, attention → none",
        ),
    ]
    assert all("run 'curate filter' again" in item.hint for item in found)


def test_before_any_decision_settings_are_free(make):
    """Nothing was decided with any."""
    assert make.found(make.pair(), survey={"stereotype_share": "7/10"}) == []


# category-unknown


def test_a_category_that_the_settings_lack_is_found_once_in_each_file(make):
    """At the first of its rows, with their number."""
    categories = (Category(id="Trade"), Category(id="craft"))
    found = make.found(make.pair(), categories=categories[:1])
    message = "category 'Craft' is not in culture.yaml (2 rows)"
    assert found == [
        ("category-unknown", "error", "bank.csv, row 2, column category", message),
        ("category-unknown", "error", "groups.csv, row 2, column category", message),
    ]


def test_a_category_that_the_settings_merge_is_named_with_the_command(make):
    """It is no spelling that is to be corrected."""
    merged = (Category(id="Work", sources=("Craft",)),)
    found = run(make.subject(make.pair(), categories=merged))
    assert {item.hint for item in found} == {
        "culture.yaml merges it into Work: curate categories apply"
    }


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


# group-renamed


def test_names_that_do_not_go_with_the_groups_are_found(make):
    """A former name is no group any more, and the name of now is one."""
    renamed = {"Potters": ["Bakers"], "Weavers": ["Clothiers"]}
    categories = [{"id": "Craft", "renamed_groups": renamed}]
    where = "categories.Craft.renamed_groups"
    assert make.found(make.pair(), categories=categories) == [
        (
            *("group-renamed", "error", "culture.yaml"),
            f"{where}: 'Bakers' is a former name of 'Potters', but groups.csv has it",
        ),
        (
            *("group-renamed", "error", "culture.yaml"),
            f"{where}: groups.csv has no group 'Weavers'",
        ),
    ]


def test_a_group_with_a_former_name_is_no_finding(make):
    """Nor is one of another category that has the former name."""
    categories = [
        {"id": "Craft", "renamed_groups": {"Potters": ["Pot makers"]}},
        {"id": "Pot makers", "renamed_groups": {}},
    ]
    assert make.found(make.pair(), categories=categories) == []
