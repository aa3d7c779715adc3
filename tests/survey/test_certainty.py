"""Exact tests, many tests at once, and what other thresholds would leave."""

from dataclasses import replace
from fractions import Fraction
from math import comb

import numpy as np
import pytest
from scipy.stats import binomtest

from curation.records.culture import SurveySettings
from curation.records.survey import Decision, Outcome, Rule, Stage
from survey.certainty import (
    NO_STEREOTYPE_LIMITS,
    STEREOTYPE_SHARES,
    TARGET_MULTIPLES,
    selection_tests,
    sensitivity,
    shrunk_shares,
    validation_tests,
)

THIRDS = Fraction(2, 3)


def test_validation_questions_are_tested_and_adjusted_together(make):
    """64 of 96 is the threshold itself; questions of other kinds do not enter the adjustment."""
    tallies = [
        make.tally(make.choice(id="q-a"), 64, 32, 24),
        make.tally(make.select_all("A", "B", "C"), 9, 9, 1, 1, respondents=20),
        make.tally(make.choice(id="q-b"), 90, 10, 0),
        make.tally(make.comprehension(), 10, 40, 0),
        make.tally(make.choice(id="q-c"), 0, 0, 8),
    ]
    found = validation_tests(tallies, THIRDS)
    assert list(found) == ["q-a", "q-b"]  # nobody named a group in the third
    for item, (k, n) in zip(found.values(), ((64, 96), (90, 100)), strict=True):
        expected = binomtest(k, n, 2 / 3, alternative="greater").pvalue
        assert item["p"] == pytest.approx(expected)
    assert found["q-b"]["q"] == pytest.approx(2 * found["q-b"]["p"])


def test_groups_of_target_selection_are_tested_by_the_binomial(make):
    """Of 10 who named a group 2 options have 5 each as their share: 10 votes and 0 are far off."""
    several = make.select_all("A", "B", "C", "D", "E", id="q-all")
    tally = make.tally(several, 8, 1, 4, 0, 2, 0, respondents=10)
    nobody = make.tally(replace(several, id="q-none"), 0, 0, 0, 0, 0, 10, respondents=10)
    others = [make.tally(make.choice(), 9, 1, 0), nobody]
    found = selection_tests([tally, *others], SurveySettings())
    assert list(found) == ["q-all"]
    # The uniform share is 2 of 10, so that a target needs .4 and a non-target .1.
    one, _, _, none, _ = found["q-all"]["groups"]
    chance = sum(comb(10, j) * 0.4**j * 0.6 ** (10 - j) for j in (8, 9, 10))
    assert one["p_target"] == pytest.approx(chance)
    assert none["p_non_target"] == pytest.approx(0.9**10)
    assert one["p_non_target"] == pytest.approx(1, abs=1e-6)
    assert one["q_target"] == pytest.approx(5 * one["p_target"])
    # Either can be any of the five groups; nothing else is tested together with the question.
    assert found["q-all"]["p"] == found["q-all"]["q"] == 1.0  # 5 * .35
    many = replace(tally, respondents=100, votes=(80, 10, 40, 0, 20, 0))
    assert selection_tests([many], SurveySettings())["q-all"]["p"] == pytest.approx(5 * 0.9**100)


def test_shares_of_a_category_are_estimated_together(make):
    """By double integrals over mean and pull (scipy's dblquad), to four digits."""
    expected = {
        (20, 25): (0.7826199, 0.9315124),
        (18, 27): (0.6794296, 0.5824794),  # the threshold itself
        (9, 20): (0.5233673, 0.0897516),
        (25, 25): (0.9364153, 0.9993907),  # not 1
        (17, 25): (0.6903426, 0.6316509),
    }
    tallies = [
        *(make.tally(make.choice(id=f"q-{k}"), k, n - k, 9) for k, n in expected),
        make.tally(make.choice(id="q-other", category="Other"), 0, 0, 8),
        make.tally(make.select_all("A", "B", "C"), 9, 9, 1, 1, respondents=20),
    ]
    found = shrunk_shares(tallies, THIRDS)
    assert list(found) == [f"q-{k}" for k, _ in expected]
    for values, (shrunk, above) in zip(found.values(), expected.values(), strict=True):
        assert values == pytest.approx({"shrunk": shrunk, "above": above}, abs=1e-4)


@pytest.mark.nightly
def test_a_chance_is_right_as_often_as_it_says(make):
    """Of 480 shares drawn from beta distributions, sorted by the chance that was said."""
    rng = np.random.default_rng(5)
    said, true, errors = [], [], []
    for _ in range(40):
        mean, size = rng.uniform(0.4, 0.9), rng.choice([3, 10, 40])
        shares = rng.beta(mean * size, (1 - mean) * size, 12)
        votes = rng.binomial(25, shares)
        tallies = [
            make.tally(make.choice(id=f"q-{at}"), k, 25 - k, 0) for at, k in enumerate(votes)
        ]
        found = shrunk_shares(tallies, THIRDS).values()
        said += [values["above"] for values in found]
        true += list(shares > float(THIRDS))
        errors += [
            (abs(values["shrunk"] - share), abs(k / 25 - share))
            for values, share, k in zip(found, shares, votes, strict=True)
        ]
    for part in np.array_split(np.argsort(said), 4):
        assert np.mean(np.array(true)[part]) == pytest.approx(
            np.mean(np.array(said)[part]), abs=0.06
        )
    together, alone = np.mean(errors, axis=0)
    assert together < 0.9 * alone


# What other thresholds would leave.


def survey(make):
    """Counts and templates: 60 and 70 of 100, and a selection with 2.4 and 0.3 shares."""
    words = ("They hum", "They sing", "They nap")
    tallies = [
        make.tally(make.choice(id="q-60", stereotype=words[0]), 60, 40, 0),
        make.tally(make.choice(id="q-70", stereotype=words[1]), 70, 30, 45, respondents=145),
        make.tally(
            make.select_all("A", "B", "C", id="q-all", stereotype=words[2]),
            *(72, 9, 30, 10),
            respondents=100,
        ),
    ]
    templates = [
        make.template("craft-001", stereotype=words[0]),
        make.template("craft-002", stereotype=words[1]),
        make.template("craft-003", ("A",), ("B",), stereotype=words[2]),
        make.template("craft-004", stereotype="Nobody was asked"),
    ]
    return tallies, templates


def moved(rows, setting):
    return {str(row["value"]): row for row in rows if row["setting"] == setting}


def test_each_threshold_is_moved_over_its_range_and_marked_where_it_is_set(make):
    """The value that is set is among those tried, and one row of each threshold is marked."""
    tallies, templates = survey(make)
    settings = SurveySettings(stereotype_share=Fraction(68, 100))
    close = sensitivity(
        tallies, templates, SurveySettings(target_multiple=3, non_target_multiple=2)
    )
    assert [*moved(close, "target_multiple")] == ["5/2", "11/4", "3"]  # below, no group is neither
    rows = sensitivity(tallies, templates, settings)
    shares = moved(rows, "stereotype_share")
    assert [*map(Fraction, shares)] == sorted({*STEREOTYPE_SHARES, Fraction(17, 25)})
    assert [row["value"] for row in rows if row["as_set"]] == [
        *(Fraction(17, 25), 2, "respondents", 0, Fraction(1, 2))
    ]
    assert len(moved(rows, "target_multiple")) == len(TARGET_MULTIPLES)
    assert len(moved(rows, "no_stereotype_limit")) == len(NO_STEREOTYPE_LIMITS)


def test_what_is_gained_and_lost_is_named(make):
    """Counts are of what stays; undecided templates are not among them."""
    rows = sensitivity(*survey(make), SurveySettings())
    shares = moved(rows, "stereotype_share")
    as_set = shares["2/3"]
    assert [*as_set.values()][2:8] == [True, 2, 2, 2, (), ()]
    lax, strict = shares["11/20"], shares["3/4"]
    assert (lax["templates"], lax["gained"], lax["lost"]) == (3, ("craft-001",), ())
    assert (strict["templates"], strict["gained"], strict["lost"]) == (1, (), ("craft-002",))
    limits = moved(rows, "no_stereotype_limit")
    assert limits["3/10"]["lost"] == ("craft-002",)
    assert limits["7/20"]["lost"] == ()


def test_the_other_equal_share_is_tried_and_the_questions_that_turn_are_named(make):
    """28 of 40 people are over twice their share of 10, and not of the 80 votes, which is 20."""
    question = make.select_all("A", "B", "C", "D", id="q-all", stereotype="They nap")
    tally = make.tally(question, 28, 26, 24, 2, 0, respondents=40)
    templates = [make.template("craft-003", ("A",), ("D",), stereotype="They nap")]
    rows = sensitivity([tally], templates, SurveySettings())
    shares = moved(rows, "equal_share")
    assert [(name, row["as_set"], row["questions"]) for name, row in shares.items()] == [
        ("respondents", True, 1),
        ("votes", False, 0),
    ]
    assert (shares["votes"]["turned"], shares["votes"]["lost"]) == (("q-all",), ("craft-003",))
    assert shares["respondents"]["turned"] == ()
    named = moved(rows, "target_share")
    assert [name for name, row in named.items() if row["as_set"]] == ["0"]
    assert all(row["turned"] == () for row in named.values())  # 28 of 40 named A


def test_the_decision_of_a_person_holds_whatever_the_threshold_is(make):
    """Otherwise the row as set would not agree with what the workspace keeps."""
    by_hand = Decision("craft-001", Stage.MANUAL, Rule.OVERRIDE, Outcome.KEEP, by="Mina")
    shared = Decision("craft-002", Stage.CLASSIFY, Rule.CONSENSUS, Outcome.DROP)
    rows = sensitivity(*survey(make), SurveySettings(), [by_hand, shared])
    assert {row["templates"] for row in rows if row["as_set"]} == {3}
    assert not any("craft-001" in row["lost"] for row in rows)
    dropped = replace(by_hand, outcome=Outcome.DROP)
    rows = sensitivity(*survey(make), SurveySettings(), [by_hand, dropped])
    assert not any("craft-001" in row["gained"] for row in rows)
