"""Raking to margins, and what weights cost."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.records.messages import CurateError
from survey.quality import kish, rake

PEOPLE = {"gender": ["f", "f", "f", "m"], "band": ["old", "young", "old", "young"]}


def shares(attributes, name, weights):
    found = {}
    for value, weight in zip(attributes[name], weights, strict=True):
        found[value] = found.get(value, 0) + weight / weights.sum()
    return found


def test_one_margin_is_met_by_the_ratio_of_shares():
    """Three women and a man, half and half: a woman counts 2/3, the man 2."""
    weights = rake(PEOPLE, {"gender": {"f": 0.5, "m": 0.5}})
    assert weights == pytest.approx([2 / 3, 2 / 3, 2 / 3, 2])


def test_two_margins_are_met_together():
    """By hand: the weights of women are a product of a factor of gender and one of age."""
    people = {"gender": list("ffmm"), "band": ["old", "young"] * 2}
    weights = rake(people, {"gender": {"f": 0.6, "m": 0.4}, "band": {"old": 0.3, "young": 0.7}})
    assert weights == pytest.approx([4 * g * b for g in (0.6, 0.4) for b in (0.3, 0.7)])


@given(
    st.lists(st.tuples(st.sampled_from("fm"), st.sampled_from("abc")), max_size=60),
    st.lists(st.floats(0.1, 1), min_size=5, max_size=5),
)
def test_raking_meets_every_margin(people, wanted):
    """With somebody in every cell any margins can be met; weights are positive with mean 1."""
    everybody = [*people, *((g, b) for g in "fm" for b in "abc")]
    attributes = {
        "gender": [gender for gender, _ in everybody],
        "band": [band for _, band in everybody],
    }
    margins = {
        "gender": dict(zip("fm", wanted[:2], strict=True)),
        "band": dict(zip("abc", wanted[2:], strict=True)),
    }
    weights = rake(attributes, margins)
    assert (weights > 0).all()
    assert weights.mean() == pytest.approx(1)
    for name, asked in margins.items():
        total = sum(asked.values())
        assert shares(attributes, name, weights) == pytest.approx(
            {value: share / total for value, share in asked.items()}, abs=1e-8
        )


def test_margins_that_do_not_fit_the_respondents_are_refused():
    """Nobody is left out of the weights, and no group is made up."""
    for margins, said in [
        ({}, "there are no margins"),
        ({"region": {"x": 1}}, "respondents have no attribute 'region'"),
        ({"gender": {"f": 1.0, "m": 0.0}}, "a share of 'gender' is not above 0"),
        ({"gender": {"f": 1.0}}, "values of 'gender' that the margins lack: 'm'"),
        ({"gender": {"f": 0.4, "m": 0.3, "x": 0.3}}, "no respondent has 'gender' = x"),
    ]:
        with pytest.raises(CurateError, match=said):
            rake(PEOPLE, margins)


def test_the_effective_number_is_kish():
    """By hand: (1 + 1 + 2)^2 / (1 + 1 + 4)."""
    assert kish(np.array([1.0, 1.0, 2.0])) == pytest.approx(16 / 6)
    assert kish(np.ones(7)) == pytest.approx(7)


@given(st.lists(st.floats(0.01, 100), min_size=1, max_size=50), st.floats(0.1, 10))
def test_weights_never_make_more_of_the_respondents(values, scale):
    """Kish's number lies between 1 and n, and does not depend on the weights' scale."""
    weights = np.array(values)
    assert 1 - 1e-9 <= kish(weights) <= len(values) + 1e-9
    assert kish(weights * scale) == pytest.approx(kish(weights))
