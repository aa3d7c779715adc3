"""The rule `settings-changed`."""

from dataclasses import replace
from fractions import Fraction

from curation.checks.catalogue import run


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
