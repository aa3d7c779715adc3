"""Counts compared with thresholds, and the Wilson interval."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from survey.rules import Comparison, above, below, compare, wilson

COUNTS = [
    *((k, n) for n in range(1, 31) for k in range(n + 1)),
    *((k, n) for n in (97, 100, 120, 1600, 100_000) for k in (0, 1, n // 3, n // 2, n - 1, n)),
]
THIRDS = Fraction(2, 3)


def test_the_interval_is_the_score_interval_of_scipy() -> None:
    """Both ends agree with scipy's Wilson interval to nine digits for every count tried."""
    for k, n in COUNTS:
        expected = binomtest(k, n).proportion_ci(0.95, method="wilson")
        assert wilson(k, n) == pytest.approx((expected.low, expected.high), abs=1e-9), (k, n)


@given(st.integers(1, 10_000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_the_interval_holds_the_share_and_mirrors(counts: tuple[int, int]) -> None:
    """The share lies inside, the ends within 0 and 1, and the other side has the mirror image."""
    k, n = counts
    low, high = wilson(k, n)
    assert 0 <= low <= k / n <= high <= 1
    assert wilson(n - k, n) == pytest.approx((1 - high, 1 - low), abs=1e-12)


@pytest.mark.parametrize(("k", "n"), [(0, 0), (1, 0), (-1, 5), (6, 5)])
def test_what_is_no_share_has_no_interval(k: int, n: int) -> None:
    """No data, and more successes than trials, are refused."""
    with pytest.raises(ValueError, match=f"no interval for {k} of {n}"):
        wilson(k, n)


@given(
    st.integers(0, 10**20),
    st.integers(0, 10**20),
    st.fractions(0, 1, max_denominator=1000),
)
def test_comparisons_are_those_of_exact_arithmetic(k: int, n: int, limit: Fraction) -> None:
    """A count is above, below or at a limit as the fractions are, whatever their size."""
    assert above(k, n, limit) == (k > n * limit)
    assert below(k, n, limit) == (k < n * limit)


@pytest.mark.parametrize(
    ("k", "n", "limit"),
    [(64, 96, THIRDS), (2 * 10**17, 3 * 10**17, THIRDS), (1, 3, Fraction(1, 3)), (50, 100, 0.5)],
)
def test_a_count_at_the_limit_is_neither_above_nor_below(k: int, n: int, limit: Fraction) -> None:
    """Equality is exact, though no float can hold two thirds."""
    exact = Fraction(limit)
    assert not above(k, n, exact)
    assert not below(k, n, exact)
    assert above(k + 1, n, exact)
    assert below(k - 1, n, exact)


def test_nothing_out_of_nothing_is_neither_above_nor_below() -> None:
    """Without data no strict comparison holds."""
    assert not above(0, 0, THIRDS)
    assert not below(0, 0, THIRDS)


def test_a_comparison_shows_value_margin_and_interval() -> None:
    """Every figure of the ledger is there, rounded to six digits."""
    assert compare(65, 97, THIRDS) == Comparison(
        k=65,
        n=97,
        value=0.670103,
        threshold=0.666667,
        margin=0.003436,
        ci_low=0.571627,
        ci_high=0.755619,
        near=True,
    )


def test_one_respondent_has_an_interval() -> None:
    """It is wide, and near nearly everything."""
    found = compare(1, 1, THIRDS)
    assert (found.value, found.ci_low, found.ci_high) == (1.0, 0.206549, 1.0)


def test_a_unit_scales_value_margin_and_interval_but_not_the_threshold() -> None:
    """With a uniform share of 14 of 120, 28 votes are two shares, the interval in shares too."""
    plain, scaled = compare(28, 120, THIRDS), compare(28, 120, Fraction(2), Fraction(14, 120))
    assert (scaled.value, scaled.threshold, scaled.margin) == (2.0, 2.0, 0.0)
    assert plain.ci_low is not None
    assert plain.ci_high is not None
    assert scaled.ci_low == pytest.approx(plain.ci_low * 120 / 14, abs=1e-5)
    assert scaled.ci_high == pytest.approx(plain.ci_high * 120 / 14, abs=1e-5)
    assert scaled.near is True


@pytest.mark.parametrize("unit", [None, Fraction(0)])
def test_without_a_unit_there_is_no_value(unit: Fraction | None) -> None:
    """Where nobody named a group, a multiple of the uniform share is undefined, not 0."""
    assert compare(0, 9, Fraction(2), unit) == Comparison(0, 9, None, 2.0, *[None] * 4)


def test_without_data_there_is_no_value() -> None:
    """No respondents give no value, no margin and no interval."""
    assert compare(0, 0, THIRDS) == Comparison(0, 0, None, 0.666667, *[None] * 4)


@pytest.mark.parametrize("threshold", [Fraction(1, 2), THIRDS, Fraction(0), Fraction(1)])
def test_near_says_that_the_threshold_lies_inside_the_interval(threshold: Fraction) -> None:
    """Of 100 respondents exactly the counts whose interval holds the threshold are near it."""
    near = [k for k in range(101) if compare(k, 100, threshold).near]
    inside = [
        k
        for k in range(101)
        if (ci := binomtest(k, 100).proportion_ci(0.95, method="wilson")).low
        <= threshold
        <= ci.high
    ]
    assert near == inside
    assert near
