"""Counts compared with thresholds, and the Wilson interval."""

from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy.stats import binomtest

from survey.rules import above, below, compare, wilson

THIRDS = Fraction(2, 3)


@pytest.mark.parametrize(("k", "n"), [(0, 0), (1, 0), (-1, 5), (6, 5)])
def test_what_is_no_share_has_no_interval(k, n):
    """No data, and more successes than trials, are refused."""
    with pytest.raises(ValueError, match=f"no interval for {k} of {n}"):
        wilson(k, n)


@example(64, 96, THIRDS)
@example(2 * 10**17, 3 * 10**17, THIRDS)
@given(st.integers(0, 10**20), st.integers(0, 10**20), st.fractions(0, 1, max_denominator=1000))
def test_comparisons_are_those_of_exact_arithmetic(k, n, limit):
    """A count is above, below or at a limit as the fractions are, whatever their size."""
    assert above(k, n, limit) == (k > n * limit)
    assert below(k, n, limit) == (k < n * limit)


def test_a_unit_scales_value_margin_and_interval_but_not_the_threshold():
    """With a uniform share of 14 of 120, 28 votes are two shares, the interval in shares too."""
    plain, scaled = compare(28, 120, THIRDS), compare(28, 120, Fraction(2), Fraction(14, 120))
    assert (scaled["value"], scaled["threshold"], scaled["margin"]) == (2.0, 2.0, 0.0)
    for end in ("ci_low", "ci_high"):
        assert scaled[end] == pytest.approx(plain[end] * 120 / 14, abs=1e-5)
    assert scaled["near"] is True


@pytest.mark.parametrize("threshold", [Fraction(1, 2), THIRDS, Fraction(0), Fraction(1)])
def test_near_says_that_the_threshold_lies_inside_the_interval(threshold):
    """Of 100 respondents exactly the counts whose interval holds the threshold are near it."""
    near = [k for k in range(101) if compare(k, 100, threshold)["near"]]
    inside = [
        k
        for k in range(101)
        if (ci := binomtest(k, 100).proportion_ci(0.95, method="wilson")).low
        <= threshold
        <= ci.high
    ]
    assert near == inside
    assert near
