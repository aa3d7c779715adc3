"""The rule `release-settings`."""

from dataclasses import replace
from fractions import Fraction

from curation.checks.catalogue import RELEASE, run

DECIDED = {"stereotype_share": Fraction(3, 4), "comprehension_share": Fraction(1, 2)}


def test_thresholds_that_did_not_decide_are_not_published(subject):
    """The settings are named."""
    (item,) = run(replace(subject(), decided_with=DECIDED), RELEASE)
    assert (item.rule, item.severity.value, item.where) == (
        *("release-settings", "error"),
        "culture.yaml, column survey",
    )
    assert item.message == "the decisions were made with other values of stereotype_share"


def test_without_a_survey_no_threshold_decided(subject):
    """Nothing is compared."""
    assert run(replace(subject(has_survey=False), decided_with=DECIDED), RELEASE) == []
