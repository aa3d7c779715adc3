"""The regression line, against scipy's own."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy import stats

from evaluation.occupations.scores import PERFECT, fit

POINTS = st.lists(
    st.tuples(st.integers(0, 100), st.integers(-100, 100)), min_size=3, max_size=40
).filter(lambda points: len({x for x, _ in points}) > 1)


@given(POINTS)
@example([(50, 86), (50, 86), (53, -86)])
def test_the_line_is_that_of_least_squares(points):
    """Slope, intercept and correlation."""
    x, y = np.array(points, float).T / 100
    line = fit(x, y)
    known = stats.linregress(x, y)
    assert line["n_occupations"] == len(points)
    assert (line["M_S"], line["intercept"]) == pytest.approx(
        (known.slope, known.intercept), abs=1e-9
    )
    if np.ptp(y):
        assert line["r"] == pytest.approx(known.rvalue, abs=1e-9)
    else:
        assert line["r"] is None


def test_points_on_the_line_of_perfect_alignment_are_fitted_exactly():
    """Score is -1 where nobody is of the group, 0 at one half and 1 where all are."""
    x = np.array([0.0, 0.5, 1.0])
    line = fit(x, np.array([-1.0, 0.0, 1.0]))
    assert (line["M_S"], line["intercept"]) == PERFECT == (2.0, -1.0)
    assert line["r"] == 1.0


@pytest.mark.parametrize(
    ("x", "defined"),
    [
        ([], False),
        ([0.4], False),
        ([0.4, 0.4, 0.4], False),
        ([0.1 + 0.2, 0.3], False),  # equal except for rounding
        ([0.4, 0.6], True),
    ],
)
def test_what_cannot_be_known_is_none(x, defined):
    """A constant ratio has no line."""
    line = fit(np.array(x), np.array([0.1, -0.2, 0.7][: len(x)]))
    assert (line["M_S"] is not None, line["r"] is not None) == (defined, defined)


def test_a_level_line_has_no_correlation():
    """The slope is 0; there is nothing to correlate."""
    line = fit(np.array([0.1, 0.5, 0.9]), np.array([0.3, 0.3, 0.3]))
    assert (line["M_S"], line["r"]) == (pytest.approx(0), None)
