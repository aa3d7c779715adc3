"""Raking to margins, and what weights cost."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.records.messages import CurateError
from survey.quality import rake

PEOPLE = {"gender": ["f", "f", "f", "m"], "band": ["old", "young", "old", "young"]}


def shares(attributes, name, weights):
    found = {}
    for value, weight in zip(attributes[name], weights, strict=True):
        found[value] = found.get(value, 0) + weight / weights.sum()
    return found


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
