"""Surveys drawn anew from the counts, and what chance alone keeps."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as limits
from hypothesis import strategies as st
from scipy.stats import binom

from curation.records.culture import SurveySettings
from survey.redrawing import DRAWS, chance_kept, equal_votes, redrawn, selects

SETTINGS = SurveySettings()


@limits(max_examples=40)
@given(options=st.integers(1, 12), named=st.integers(1, 30), data=st.data())
def test_votes_of_equal_groups_are_those_of_the_design(options: int, named: int, data: Any) -> None:
    """They add up, nobody names a group twice, and on average all groups have as many."""
    votes = data.draw(st.integers(named, named * options))
    found = equal_votes(options, named, votes, 400, np.random.default_rng(1))
    assert found.shape == (400, options)
    assert (found.sum(axis=1) == votes).all()
    assert found.min() >= 0 and found.max() <= named
    error = np.sqrt(named / 4 / 400)
    assert np.abs(found.mean(axis=0) - votes / options).max() <= 6 * error + 1e-9


def one_by_one(options: int, named: int, votes: int, draws: int) -> np.ndarray[Any, Any]:
    """The same, with every person drawn."""
    rng = np.random.default_rng(2)
    fewest, more = divmod(votes, named)
    sizes = np.array([fewest + 1] * more + [fewest] * (named - more))
    ranks = rng.random((draws, named, options)).argsort(axis=2)
    return np.asarray((ranks < sizes[None, :, None]).sum(axis=1))


@pytest.mark.parametrize(
    ("options", "per_person", "chance"),
    [(7, 1, 0.0), (10, 1, 0.04), (18, 1, 0.50), (24, 1, 0.75), (20, 1.3, 0.92), (20, 2, 0.19)],
)
def test_chance_keeps_questions_by_options_and_groups_named(
    options: int, per_person: float, chance: float
) -> None:
    """With 80 who name a group, as surveys in which every person is drawn."""
    votes = round(80 * per_person)
    found = chance_kept(options, options, 80, votes, SETTINGS)
    assert found == pytest.approx(chance, abs=0.05)
    drawn = one_by_one(options, 80, votes, 600)
    people = np.full(600, 80)
    assert found == pytest.approx(
        selects(drawn, people, people, options, SETTINGS).mean(), abs=0.08
    )


def test_chance_of_small_designs_is_the_exact_one() -> None:
    """Two people of two options keep it if they agree; three of three unless all differ."""
    assert chance_kept(2, 2, 2, 2, SETTINGS, 20_000) == pytest.approx(1 / 2, abs=0.02)
    assert chance_kept(3, 3, 3, 3, SETTINGS, 20_000) == pytest.approx(1 - 6 / 27, abs=0.02)
    # Whoever names all options finds no non-target; votes shared, no target either.
    assert chance_kept(5, 5, 30, 150, SETTINGS) == 0


def test_the_whole_uniform_share_is_no_sign_of_a_target() -> None:
    """Who names 2.81 of 19 groups makes all of them targets by respondents, and none by votes."""
    people = np.full(200, 84)
    votes = equal_votes(19, 84, round(84 * 2.81), 200, np.random.default_rng(3))
    targets = votes * 19 >= 2 * people[:, None]
    assert targets.mean() > 0.8
    shared = np.full(200, round(84 * 2.81))
    assert (votes * 19 >= 2 * shared[:, None]).mean() < 0.02


def test_a_validation_question_is_drawn_with_its_own_shares(make: Any) -> None:
    """At exactly two thirds of 90 the drawn surveys keep it as often as the binomial says."""
    at = make.tally(make.choice(id="q-at"), 60, 30, 0)
    far = make.tally(make.choice(id="q-far"), 95, 5, 0)
    found = redrawn([at, far], SETTINGS)
    assert found["q-far"].same == 1
    exact = binom.cdf(60, 90, 2 / 3)
    assert found["q-at"].same == pytest.approx(exact, abs=4 * np.sqrt(0.25 / DRAWS))
    assert (found["q-at"].roles, found["q-at"].chance) == ((), None)


def test_no_stereotype_is_drawn_too(make: Any) -> None:
    """Half of 100 say so, which just keeps it; all others name the target."""
    tally = make.tally(make.choice(), 50, 0, 50)
    exact = binom.cdf(50, 100, 0.5)
    assert redrawn([tally], SETTINGS)["q-1"].same == pytest.approx(exact, abs=0.06)


def test_groups_have_their_roles_again_as_often_as_the_binomial_says(make: Any) -> None:
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
    assert drawn.roles == pytest.approx(exact, abs=0.06)
    assert drawn.same == pytest.approx(binom.sf(49, 100, 0.55), abs=0.06)
    assert drawn.chance is not None and drawn.chance < 0.01


def test_what_is_asked_beside_a_question_does_not_change_its_numbers(make: Any) -> None:
    """Each has a seed of its own; nobody, comprehension and nobody who names a group are fine."""
    question = make.select_all("A", "B", "C", "D")
    tally = make.tally(question, 55, 30, 12, 3, 20, respondents=100)
    others = [
        make.tally(make.choice(), 60, 30, 0),
        make.tally(make.comprehension(), 1, 9, 0),
        make.tally(replace(question, id="q-3"), 0, 0, 0, 0, 40, respondents=40),
        make.tally(replace(question, id="q-4"), 0, 0, 0, 0, 0, respondents=0),
    ]
    alone = redrawn([tally], SETTINGS)["q-2"]
    found = redrawn([*others, tally], SETTINGS)
    assert found["q-2"] == alone
    assert set(found) == {"q-1", "q-2", "q-3"}
    assert (found["q-3"].same, found["q-3"].chance) == (1, None)


def test_few_respondents_are_few_again(make: Any) -> None:
    """A question that min_respondents drops is dropped in every drawn survey."""
    tally = make.tally(make.choice(), 20, 1, 0)
    assert redrawn([tally], SETTINGS)["q-1"].same == 1
    assert redrawn([tally], SurveySettings(min_respondents=1))["q-1"].same > 0.99


def test_a_share_of_its_own_drops_what_chance_keeps() -> None:
    """With 24 options a target by chance has few of those who named any."""
    strict = SurveySettings(target_share=Fraction(1, 4))
    assert chance_kept(24, 24, 80, 80, SETTINGS) > 0.6
    assert chance_kept(24, 24, 80, 80, strict) == 0
