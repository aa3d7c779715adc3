"""Which respondents are flagged, and which are not."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from scipy.stats import nbinom

from curation.records.culture import SurveySettings
from survey.answers import Answers, count_answers
from survey.cli.filter import _rules
from survey.quality import Respondents, _negative_binomial, durations, effects, flag, kept_rows

SETTINGS = SurveySettings()
Answering = Callable[..., Answers]


def questions(make, count):
    """Validation questions; option 1 is the target, 2 the other group."""
    return [make.choice(id=f"q{at}") for at in range(count)]


def flagged(answers, settings=SETTINGS):
    """By rule who is flagged, with what was seen."""
    found: dict[str, dict[str, str]] = {}
    for item in Respondents(answers, *flag(answers, settings), (), ()).flagged:
        found.setdefault(item.rule, {})[item.respondent] = item.detail
    return found


def test_status_and_attention_are_taken_as_the_file_says(make, answering):
    """Only the values with a meaning flag."""
    answers = answering(
        questions(make, 1),
        {name: {"q0": "1"} for name in ("r1", "r2", "r3")},
        status=("complete", "screened_out", ""),
        attention=("failed", "passed", ""),
    )
    assert flagged(answers) == {
        "screened_out": {"r2": "status is screened_out"},
        "attention": {"r1": "attention is failed"},
    }
    assert flag(answers, SETTINGS)[0]["attention"].tolist() == [True, False, False]


# Comprehension.


def test_who_answers_too_few_questions_of_comprehension_correctly_is_flagged(make, answering):
    """Half of them are enough; one who was asked none, or ticked two answers, failed nothing."""
    asked = [make.choice(id="q"), *(make.comprehension(f"craft-00{at}") for at in (1, 2, 3))]
    names = [question.id for question in asked]
    answers = answering(
        asked,
        {
            "half": dict(zip(names, ("1", "2", "1", None), strict=True)),
            "third": dict(zip(names, ("1", "2", "1", "3"), strict=True)),
            "none": {"q": "1"},
            "both": dict(zip(names[:2], ("1", ("1", "2")), strict=True)),
        },
    )
    assert flagged(answers)["failed_comprehension"] == {
        "third": "1 of 3 questions of comprehension answered correctly"
    }
    strict = SurveySettings(respondent_comprehension=Fraction(2, 3))
    assert set(flagged(answers, strict)["failed_comprehension"]) == {"half", "third"}


def test_who_failed_comprehension_is_left_out_of_stereotypes_alone(make, answering):
    """Without the wrong answers every template would look understood."""
    asked = [make.choice(id="q"), make.comprehension()]
    answers = answering(
        asked, {"right": {"q": "1", asked[1].id: "2"}, "wrong": {"q": "2", asked[1].id: "1"}}
    )
    people, _ = flag(answers, SETTINGS)
    counted, _ = count_answers(answers, kept_rows(answers, people, ["failed_comprehension"]))
    assert [(tally.respondents, tally.votes) for tally in counted] == [
        (1, (1, 0, 0)),
        (2, (1, 1, 0)),
    ]
    effect = effects(answers, people, (), SurveySettings(min_respondents=1))
    assert [(item["rule"], item["applied"]) for item in effect] == [("failed_comprehension", False)]
    (turn,) = effect[0]["turns"]
    assert (turn["subject"], turn["rule"], turn["otherwise"]) == ("q", "two_thirds", "keep")


# Speed.


def test_durations_are_stated_or_summed(make, answering):
    """Respondent by respondent: the whole survey's where it is stated, else the questions'."""
    answers = answering(
        questions(make, 2),
        {name: {"q0": "1", "q1": "1"} for name in ("r1", "r2", "r3", "r4", "r5")},
        seconds={"r1": {"q0": 5, "q1": 7}, "r2": {"q0": 5}, "r3": {"q0": 9, "q1": 9}},
        duration_s=("", "", "0.5", "soon", "-3"),
    )
    same = np.flatnonzero((answers.respondent == 0) & (answers.question == 0))
    answers.duration[same[1:]] = 99
    expected = np.array([12, 5, 0.5, np.nan, np.nan])
    np.testing.assert_array_equal(durations(answers), expected)


def timed(make, answering, seconds, **attributes):
    """Respondents r0, r1, ... who answered two questions in so many seconds."""
    names = [f"r{at}" for at in range(len(seconds))]
    chosen = {name: {"q0": "1", "q1": "2"} for name in names}
    return answering(questions(make, 2), chosen, duration_s=seconds, **attributes)


def test_a_speeder_took_less_than_half_the_median(make, answering):
    """Exactly half is not less, and an unknown time flags nobody."""
    answers = timed(make, answering, ("100", "100", "50", "49", ""))
    # The median of 49, 50, 100 and 100 is 75.
    assert flagged(answers) == {}
    answers = timed(make, answering, ("100", "100", "100", "50", "49", ""))
    assert flagged(answers) == {"speeder": {"r4": "49 s for 2 questions, the median is 100 s"}}
    lax = SurveySettings(speeder_share=Fraction(2, 5))
    assert flagged(answers, lax) == {}
    one = answering(
        questions(make, 1),
        {name: {"q0": "1"} for name in ("r0", "r1", "r2")},
        duration_s=("9", "9", "4"),
    )
    assert flagged(one) == {"speeder": {"r2": "4 s for 1 question, the median is 9 s"}}
    given = {"r0": {"q0": "1", "q1": "2"}, "r1": {}}
    nobody = answering(questions(make, 2), given, duration_s=("100", "5"))
    assert "speeder" not in flagged(nobody)  # who answered nothing has no pace


def test_speed_is_compared_within_a_form(make, answering):
    """Who answered a short form is not a speeder beside those of a long one."""
    seconds = ("600", "620", "640", "200", "210", "90")
    answers = timed(make, answering, seconds, form=("f01",) * 3 + ("f02",) * 3)
    assert flagged(answers) == {"speeder": {"r5": "90 s for 2 questions, the median is 200 s"}}


def test_who_broke_off_does_not_enter_the_median(make, answering):
    """Many who are screened out in seconds would make the honest median small."""
    seconds = ("100", "100", "40", "5", "5", "5", "5")
    status = ("complete",) * 3 + ("screened_out", "partial", "screened_out", "screened_out")
    answers = timed(make, answering, seconds, status=status)
    assert "r2" in flagged(answers)["speeder"]
    assert "r2" not in flagged(timed(make, answering, seconds)).get("speeder", {})


def test_questions_without_a_time_do_not_make_one_fast(make, answering):
    """A sum of known times is compared with the pace of those questions alone."""
    answers = answering(
        questions(make, 4),
        {name: {f"q{at}": "1" for at in range(4)} for name in ("r1", "r2", "r3")},
        seconds={
            "r1": {f"q{at}": 10.0 for at in range(4)},
            "r2": {f"q{at}": 10.0 for at in range(4)},
            "r3": {"q0": 10.0},
        },
    )
    assert flagged(answers) == {}


# Straight lines.


def lined(make, answering, picks, firsts):
    """A respondent who chose so in questions whose first option was so."""
    ids = [f"q{at}" for at in range(len(picks))]
    chosen: Mapping[str, Any] = {"r1": dict(zip(ids, picks, strict=True))}
    first = {"r1": dict(zip(ids, firsts, strict=True))}
    return answering(questions(make, len(picks)), chosen, first=first)


def test_the_same_position_whatever_stands_there_is_a_straight_line(make, answering):
    """The order was random, so that always the first is now the target, now the other group."""
    answers = lined(make, answering, "12121212", "12121212")
    assert flagged(answers) == {"straight_liner": {"r1": "position 1 in 8 of 8 choices"}}
    # Two options where one was asked are no choice.
    both = lined(make, answering, [*"12121212", ("1", "2")], "121212121")
    assert flagged(both) == {"straight_liner": {"r1": "position 1 in 8 of 8 choices"}}
    # Nobody knows what was first, or it is always the target.
    for picks, firsts in (("12121212", [""] * 8), ("11111111", "11111111")):
        assert flagged(lined(make, answering, picks, firsts)) == {}
    mostly = lined(make, answering, "12121212", "12121221")
    for share, said in (
        (Fraction(3, 4), {"straight_liner": {"r1": "position 1 in 6 of 8 choices"}}),
        (Fraction(7, 8), {}),
    ):
        assert flagged(mostly, SurveySettings(straight_share=share)) == said


# Groups named.


def test_who_names_far_more_groups_is_acquiescent(make, answering):
    """By hand: of 40 people one names all four groups in five questions, the others one.

    A question's mean is 43 / 40, its variance 39 / 40 * 9 / 40. The one is 14.625 above five means,
    13.96 standard deviations of chance; the others are .36 below. People differ by 2.24 of them.
    """
    ids = [f"q{at}" for at in range(5)]
    asked = [make.select_all("A", "B", "C", "D", id=name) for name in ids]
    chosen = {f"r{who}": dict.fromkeys(ids, "1") for who in range(1, 40)}
    chosen["r0"] = dict.fromkeys(ids, ("1", "2", "3", "4"))
    said = "20 groups named; of others one expects 5.4 in the same questions"
    assert flagged(answering(asked, chosen)) == {"acquiescent": {"r0": said}}
    # Of eight, nobody is three standard deviations from all of them.
    few = {name: chosen[name] for name in ("r0", *(f"r{who}" for who in range(1, 8)))}
    assert flagged(answering(asked, few)) == {}
    # Of twenty in one question the one is the square root of 19 above the others, who are alike.
    once = {f"r{who}": {"q0": chosen[f"r{who}"]["q0"]} for who in range(20)}
    assert [*flagged(answering(asked, once))["acquiescent"]] == ["r0"]


def test_how_many_are_named_has_the_probability_that_scipy_gives():
    """Its variance is more than its mean, by the square of it over the size; 0 of 0 is certain."""
    named, mean, size = np.arange(6.0), np.array([0.0, 0.5, 1.5, 2.5, 4.0, 9.0]), 3.0
    expected = nbinom.logpmf(named, size, size / (size + mean))
    assert _negative_binomial(named, mean, size) == pytest.approx(expected)


def test_the_option_names_rules_or_none():
    """Without it those of the settings hold."""
    assert (_rules(None), _rules(" none "), _rules("speeder, partial,")) == (
        *(None, ()),
        ("speeder", "partial"),
    )
