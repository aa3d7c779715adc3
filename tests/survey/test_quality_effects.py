"""Decisions with and without each quality check, and with weights."""

import numpy as np
import pytest

from curation.records.culture import SurveySettings
from curation.records.survey import Outcome, Rule
from survey.quality import effects, flag, weighted
from tests.survey.conftest import turn, voted

SETTINGS = SurveySettings()


def test_each_rule_tells_what_it_turns(make, answering):
    """An excluding rule is taken off, a flagging one put on, everything else as set."""
    failed = ("failed",) * 3 + ("",) * 6
    partial = ("",) * 3 + ("partial",) + ("",) * 5
    answers = voted(make, answering, ("", "222111122"), attention=failed, status=partial)
    # With all 4 of 9; without the three 4 of 6, which is two thirds; without the partial 3 of 5.
    found = {
        item["rule"]: item for item in effects(answers, flag(answers, SETTINGS)[0], (), SETTINGS)
    }
    assert found["attention"]["turns"] == ()
    assert (found["attention"]["respondents"], found["attention"]["applied"]) == (3, False)
    answers = voted(make, answering, ("", "222111112"), attention=failed, status=partial)
    # Without the three 5 of 6.
    rules, _ = flag(answers, SETTINGS)
    turned = turn("q-1", Rule.TWO_THIRDS, Outcome.DROP, Outcome.KEEP)
    found = {item["rule"]: item for item in effects(answers, rules, (), SETTINGS)}
    assert found["attention"]["turns"] == (turned,)
    # Without all four, 4 of 5.
    assert (found["any_check"]["respondents"], found["any_check"]["applied"]) == (4, False)
    assert found["any_check"]["turns"] == (turned,)
    found = {item["rule"]: item for item in effects(answers, rules, ("attention",), SETTINGS)}
    assert found["attention"]["turns"] == (
        turn("q-1", Rule.TWO_THIRDS, Outcome.KEEP, Outcome.DROP),
    )
    assert found["attention"]["applied"]
    assert found["partial"]["turns"] == ()
    both = effects(answers, rules, ("attention", "partial"), SETTINGS)
    assert [item["rule"] for item in both] == ["attention", "partial"]


def test_a_rule_that_leaves_nobody_is_said(make, answering):
    """Those who failed the check are all who were asked the second question."""
    chosen = {"r1": {"q-1": "1"}, "r2": {"q-1": "1", "q-3": "1"}}
    asked = [make.choice(), make.choice(id="q-3")]
    answers = answering(asked, chosen, attention=("passed", "failed"))
    flags, _ = flag(answers, SETTINGS)
    (if_out,) = effects(answers, flags, (), SETTINGS)
    assert if_out["turns"] == (turn("q-3", Rule.TWO_THIRDS, Outcome.KEEP, None),)
    (without,) = effects(answers, flags, ("attention",), SETTINGS)
    assert without["turns"] == (turn("q-3", Rule.TWO_THIRDS, None, Outcome.KEEP),)


def test_a_tie_of_unequal_weights_is_a_tie(make, answering):
    """Twelve women with weight 7/12 and two men with 3.5: half of it says no stereotype."""
    answers = voted(make, answering, ("", "1" * 12 + "00"))
    weights = np.array([7 / 12] * 12 + [3.5] * 2)
    rows = np.ones(len(answers), dtype=bool)
    _, none = weighted(answers, rows, weights, SETTINGS)
    assert (none["weighted_value"], none["weighted_outcome"]) == (0.5, Outcome.KEEP)


def test_the_effective_number_is_of_those_who_answered(make, answering):
    """Nobody is among them who was not asked, or whose answers contradict each other."""
    asked = [make.choice(id="q-1"), make.choice(id="q-2")]
    answers = answering(
        asked,
        {
            "r1": {"q-1": "1", "q-2": "1"},
            "r2": {"q-1": "2"},
            "r3": {"q-1": ("1", "2"), "q-2": None},
        },
    )
    rows, weights = np.ones(len(answers), dtype=bool), np.array([1.0, 2.0, 9.0])
    found = {
        item["subject"]: item["effective_n"] for item in weighted(answers, rows, weights, SETTINGS)
    }
    assert found == {"q-1": pytest.approx(9 / 5), "q-2": 1.0}
