"""Raking to margins, and what weights cost."""

import pytest

from curation.records.messages import CurateError
from survey.quality import rake

PEOPLE = {"gender": ["f", "f", "f", "m"], "band": ["old", "young", "old", "young"]}


def test_margins_are_scaled_to_one():
    """A man of four people weighs as much as the three women; the mean is 1."""
    for share in (0.5, 2.0):
        weights = rake(PEOPLE, {"gender": {"f": share, "m": share}})
        assert weights == pytest.approx([2 / 3] * 3 + [2])


def test_margins_that_do_not_fit_the_respondents_are_refused():
    """Nobody is left out of the weights, and no group is made up."""
    for margins, said in [
        ({}, "there are no margins"),
        ({"region": {"x": 1}}, "respondents have no attribute 'region'"),
        ({"gender": {"f": 1.0, "m": 1e-10}}, "the margins cannot be met together"),
        ({"gender": {"f": 1.0}}, "values of 'gender' that the margins lack: 'm'"),
        ({"gender": {"f": 0.4, "m": 0.3, "x": 0.3}}, "no respondent has 'gender' = x"),
    ]:
        with pytest.raises(CurateError, match=said):
            rake(PEOPLE, margins)
