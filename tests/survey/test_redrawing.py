"""Surveys drawn anew from the counts, and what chance alone keeps."""

from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import binom

from curation.records.culture import SurveySettings
from survey.certainty import DRAWS, chance_kept, redrawn, selects

SETTINGS = SurveySettings()


def one_by_one(options, named, votes, draws):
    rng = np.random.default_rng(2)
    fewest, more = divmod(votes, named)
    sizes = np.array([fewest + 1] * more + [fewest] * (named - more))
    ranks = rng.random((draws, named, options)).argsort(axis=2)
    return np.asarray((ranks < sizes[None, :, None]).sum(axis=1))


@pytest.mark.parametrize(
    ("options", "per_person", "chance"),
    [(7, 1, 0.0), (10, 1, 0.04), (18, 1, 0.50), (24, 1, 0.75), (20, 1.3, 0.92), (20, 2, 0.19)],
)
def test_chance_keeps_questions_by_options_and_groups_named(options, per_person, chance):
    """With 80 who name a group, as surveys in which every person is drawn."""
    votes = round(80 * per_person)
    found = chance_kept(options, options, 80, votes, SETTINGS)
    assert found == pytest.approx(chance, abs=0.05)
    drawn = one_by_one(options, 80, votes, 600)
    people = np.full(600, 80)
    assert found == pytest.approx(
        selects(drawn, people, people, options, SETTINGS).mean(), abs=0.08
    )


def test_a_validation_question_is_drawn_with_its_own_shares(make):
    """At exactly two thirds of 90 the drawn surveys keep it as often as the binomial says."""
    at = make.tally(make.choice(id="q-at"), 60, 30, 0)
    far = make.tally(make.choice(id="q-far"), 95, 5, 0)
    found = redrawn([at, far], SETTINGS)
    assert found["q-far"]["same"] == 1
    exact = binom.cdf(60, 90, 2 / 3)
    assert found["q-at"]["same"] == pytest.approx(exact, abs=4 * np.sqrt(0.25 / DRAWS))
    assert list(found["q-at"]) == ["same"]


def test_groups_have_their_roles_again_as_often_as_the_binomial_says(make):
    """Of 100 among 4 options 50 make a target and 12 at most a non-target."""
    question = make.select_all("A", "B", "C", "D")
    tally = make.tally(question, 55, 30, 12, 3, 0, respondents=100)
    drawn = redrawn([tally], SETTINGS)["q-2"]
    exact = (
        binom.sf(49, 100, 0.55),
        binom.cdf(49, 100, 0.3) - binom.cdf(12, 100, 0.3),
        binom.cdf(12, 100, 0.12),
        1,
    )
    assert drawn["roles"] == pytest.approx(exact, abs=0.06)
    assert drawn["same"] == pytest.approx(binom.sf(49, 100, 0.55), abs=0.06)
    assert drawn["chance"] is not None and drawn["chance"] < 0.01


def test_a_share_of_its_own_drops_what_chance_keeps():
    """With 24 options a target by chance has few of those who named any."""
    strict = SurveySettings(target_share=Fraction(1, 4))
    assert chance_kept(24, 24, 80, 80, SETTINGS) > 0.6
    assert chance_kept(24, 24, 80, 80, strict) == 0


def test_votes_or_people_are_shared_out_as_they_were(make):
    """60 and 90 of 100 are targets of their share of 25, and none of 200 votes, which is 50."""
    tally = make.tally(make.select_all("A", "B", "C", "D"), 90, 60, 40, 10, 0, respondents=100)
    for mode in ("respondents", "votes"):
        roles = redrawn([tally], SurveySettings(equal_share=mode))["q-2"]["roles"]
        assert roles[0] > 0.9


def test_chance_is_told_from_one_who_names_a_group(make):
    """One person can be told of, nobody cannot."""
    question = make.select_all("A", "B", id="q-all")
    for votes, known in (((1, 0, 4), True), ((0, 0, 5), False)):
        found = redrawn([make.tally(question, *votes, respondents=5)], SETTINGS)["q-all"]
        assert (found["chance"] is not None) is known
