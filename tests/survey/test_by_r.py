"""Raked weights, weighted shares with their errors, and exact tests give what R gives.

`tools/survey_by_r.R` made the values, with R's package `survey`.
"""

from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from curation.records.culture import SurveySettings
from curation.records.survey import Rule
from survey.certainty import benjamini_hochberg, lower_tail, shrunk_shares, upper_tail
from survey.quality import kish, rake, weighted
from survey.rules import wilson

FOLDER = Path(__file__).parent / "r"
PEOPLE = pd.read_csv(FOLDER / "people.csv", dtype={"named": str, "understood": str}).fillna("")
MARGINS = pd.read_csv(FOLDER / "margins.csv")
WEIGHTING = list(pd.read_csv(FOLDER / "weighting.csv").itertuples())
SHARES = list(pd.read_csv(FOLDER / "shares.csv").itertuples())
SETTINGS = SurveySettings(target_share=Fraction(1, 2))


def margins_of(number):
    found = {}
    row: Any
    for row in MARGINS.query("set == @number").itertuples():
        found.setdefault(row.attribute, {})[row.value] = row.share
    return found


def attributes_of(number):
    people = PEOPLE.query("set == @number")
    return {name: people[name].tolist() for name in margins_of(number)}


def answers_of(number, make, answering):
    """What the respondents of a set answered to a question of each kind."""
    asked = [make.choice(), make.select_all("A", "B", "C", "D"), make.comprehension()]
    chosen = {}
    person: Any
    for person in PEOPLE.query("set == @number").itertuples():
        mine = {
            "q-2": tuple(str(person.picked).split("|")),
            "c-craft-001": person.understood,
        }
        chosen[person.id] = mine | ({"q-1": person.named} if person.named else {})
    return answering(asked, chosen)


@pytest.mark.parametrize("row", WEIGHTING, ids=lambda row: f"set {row.set}")
def test_weights_are_those_of_rake(row):
    """Each respondent's, and what they cost, for one, two and three attributes."""
    weights = rake(attributes_of(row.set), margins_of(row.set))
    assert weights == pytest.approx(PEOPLE.query("set == @row.set")["weight"].to_numpy(), rel=1e-7)
    assert len(weights) == row.respondents
    assert kish(weights) == pytest.approx(row.effective)
    assert (weights.min(), weights.max()) == pytest.approx((row.lightest, row.heaviest))


def found_for(row, decisions):
    """The decision that a line of R is of; None where another group decides."""
    rule = row.rule if row.rule in list(Rule) else Rule.TARGET_SELECTION
    (found,) = (
        item for item in decisions if (item["subject"], item["rule"]) == (row.subject, rule)
    )
    other = {"most": 2, "fewest": 0.5}.get(row.rule, found["weighted_threshold"])
    return found if found["weighted_threshold"] == other else None


@pytest.mark.parametrize("number", [1, 2, 3, 4])
@pytest.mark.parametrize("raked", [True, False], ids=["raked", "given"])
def test_weighted_shares_and_errors_are_those_of_svymean(number, raked, make, answering):
    """Of every rule, among those it counts, with weights as raked and as given."""
    answers = answers_of(number, make, answering)
    attributes = attributes_of(number)
    weights = rake(attributes, margins_of(number))
    rows = np.ones(len(answers), dtype=bool)
    decisions = weighted(answers, rows, weights, SETTINGS, attributes if raked else None)
    compared = set()
    for row in (row for row in SHARES if row.set == number):
        found = found_for(row, decisions)
        if found is None:
            continue
        compared.add((found["subject"], found["rule"]))
        assert found["weighted_value"] == pytest.approx(row.value, abs=2e-6)
        se, effect = (row.se, row.design_effect) if raked else (row.se_given, row.effect_given)
        assert found["weighted_se"] == pytest.approx(se, abs=2e-6)
        assert found["design_effect"] == pytest.approx(effect, abs=2e-5)
        if row.rule in (Rule.NO_STEREOTYPE, Rule.COMPREHENSION):
            assert found["effective_n"] == pytest.approx(row.kish)
    assert len(compared) == len(decisions) == 6


def test_a_share_of_votes_has_the_error_of_a_ratio(make, answering):
    """Two of four votes, one of three people with two: residuals of 0 and of half a vote."""
    chosen = {"r0": {"q-2": ("1", "2")}, "r1": {"q-2": ("1",)}, "r2": {"q-2": ("2",)}}
    answers = answering([make.select_all("A", "B")], chosen)
    rows = np.ones(len(answers), dtype=bool)
    by_votes = SurveySettings(equal_share="votes")
    (found,) = (
        item
        for item in weighted(answers, rows, np.ones(3), by_votes)
        if item["rule"] is Rule.TARGET_SELECTION
    )
    assert found["weighted_value"] == 1
    error = 2 * np.sqrt(3 / 2 * (0.5**2 + 0.5**2)) / 4
    assert found["weighted_se"] == pytest.approx(error, abs=1e-6)


def test_the_interval_is_that_of_as_many_as_give_the_error(make, answering):
    """Twelve women of weight 7/12 and two men of 3.5; one man names the other group."""
    votes = ["1"] * 10 + ["2"] * 2 + ["2", "none"]
    answers = answering([make.choice()], {f"r{at}": {"q-1": vote} for at, vote in enumerate(votes)})
    weights = np.array([7 / 12] * 12 + [3.5] * 2)
    rows = np.ones(len(answers), dtype=bool)
    first, none = weighted(answers, rows, weights, SurveySettings())
    share = first["weighted_value"]
    assert share == pytest.approx(5.833333 / 10.5, abs=1e-6)
    assert first["weighted_se"] is not None and share is not None
    people = share * (1 - share) / first["weighted_se"] ** 2
    assert people < first["effective_n"]
    ends = wilson(share * people, people)
    assert (first["weighted_ci_low"], first["weighted_ci_high"]) == pytest.approx(ends, abs=1e-5)
    assert first["weighted_near"] is True
    assert none["weighted_value"] == 0.25


def test_a_share_that_all_agree_on_has_the_interval_of_kishs_number(make, answering):
    """It has no spread of its own, yet no interval is of width zero."""
    answers = answering([make.choice()], {f"r{at}": {"q-1": "1"} for at in range(9)})
    weights = np.array([0.5] * 6 + [2.0] * 3)
    found, _ = weighted(answers, np.ones(len(answers), dtype=bool), weights, SurveySettings())
    assert (found["weighted_value"], found["weighted_se"], found["design_effect"]) == (1, 0, None)
    assert found["weighted_ci_high"] == 1
    assert found["weighted_ci_low"] == pytest.approx(wilson(6, 6)[0], abs=1e-6)  # 81 / 13.5


def test_margins_that_explain_every_answer_leave_an_interval(make, answering):
    """All women name the target and no man does: the interval is that of ten people."""
    gender = ["f"] * 6 + ["m"] * 4
    chosen = {f"r{at}": {"q-1": "1" if of == "f" else "2"} for at, of in enumerate(gender)}
    answers = answering([make.choice()], chosen)
    weights = rake({"gender": gender}, {"gender": {"f": 0.5, "m": 0.5}})
    rows = np.ones(len(answers), dtype=bool)
    found, _ = weighted(answers, rows, weights, SurveySettings(), {"gender": gender})
    assert (found["weighted_value"], found["weighted_se"], found["design_effect"]) == (0.5, 0, 0)
    ends = wilson(5, 10)
    assert (found["weighted_ci_low"], found["weighted_ci_high"]) == pytest.approx(ends, abs=1e-6)


def test_one_respondent_is_one_and_two_are_two(make, answering):
    """By hand: of two who disagree, half with an error of half; who weighs nothing is nobody."""
    alone = answering([make.choice()], {"r1": {"q-1": "1"}})
    found, _ = weighted(alone, np.ones(len(alone), bool), np.ones(1), SurveySettings())
    assert (found["weighted_value"], found["weighted_se"]) == (1, 0)
    assert found["weighted_ci_low"] == pytest.approx(wilson(1, 1)[0], abs=1e-6)
    votes = {f"r{at}": {"q-1": vote} for at, vote in enumerate("122")}
    both, weights = answering([make.choice()], votes), np.array([1.0, 1.0, 0.0])
    found, _ = weighted(both, np.ones(len(both), bool), weights, SurveySettings())
    assert (found["weighted_value"], found["weighted_se"], found["design_effect"]) == (0.5, 0.5, 1)
    ends = wilson(0.5, 1)
    assert (found["weighted_ci_low"], found["weighted_ci_high"]) == pytest.approx(ends, abs=1e-6)


def test_a_share_of_nobody_has_no_error(make, answering):
    """All said that no stereotype exists: nobody named a group."""
    answers = answering([make.choice()], {f"r{at}": {"q-1": "none"} for at in range(3)})
    found, none = weighted(answers, np.ones(len(answers), bool), np.ones(3), SurveySettings())
    assert {found[f"weighted_{name}"] for name in ("value", "se", "near")} == {None}
    assert none["weighted_value"] == 1


def test_exact_tests_and_intervals_are_those_of_r():
    """Of shares from none to all, for 1 to 240 respondents."""
    tests = pd.read_csv(FOLDER / "tests.csv")
    assert benjamini_hochberg(tests["more"].tolist()) == pytest.approx(tests["adjusted"].tolist())
    row: Any
    for row in tests.itertuples():
        threshold = Fraction(row.threshold).limit_denominator(3)
        assert upper_tail(row.k, row.n, threshold) == pytest.approx(row.more, rel=1e-9)
        assert lower_tail(row.k, row.n, threshold) == pytest.approx(row.fewer, rel=1e-9)
        assert wilson(row.k, row.n) == pytest.approx((row.low, row.high), abs=1e-12)


@pytest.mark.parametrize("name", ["few", "many"])
def test_shrunk_shares_are_those_of_a_finer_sum(name, make):
    """Of few answers, and of many that leave the mean of a category nearly no room."""
    told = pd.read_csv(FOLDER / "shrunk.csv").query("category == @name")
    rows: Any = list(told.itertuples())
    asked = [make.tally(make.choice(id=f"q-{it.Index}"), it.k, it.n - it.k, 0) for it in rows]
    found = pd.DataFrame(shrunk_shares(asked, Fraction(2, 3)).values())
    assert np.abs(found.to_numpy() - told[["shrunk", "above"]].to_numpy()).max() < 2e-4
