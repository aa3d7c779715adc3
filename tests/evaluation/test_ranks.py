"""Ranks and rank tests."""

from itertools import combinations, permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from evaluation.statistics import chance, rank_sum, ranked, signed_rank, spearman

TENTHS = st.integers(-6, 6).map(lambda number: number / 10)


def test_what_differs_by_the_noise_of_floats_shares_a_rank():
    """.9 - .8 is a little less than .4 - .3, also where nine decimals would differ."""
    assert 0.9 - 0.8 < 0.4 - 0.3
    assert ranked(np.array([0.9 - 0.8, 0.4 - 0.3, 0.0, 0.5])).tolist() == [2.5, 2.5, 1.0, 4.0]
    near = 0.0009765625  # ten decimals end in a five: rounding to nine could go either way
    assert ranked(np.array([near + 1e-17, near - 1e-17])).tolist() == [1.5, 1.5]


def test_differences_of_noise_are_no_differences():
    """They leave; of equal models p is 1."""
    assert signed_rank(np.array([0.1 + 0.2 - 0.3, 0.0])) == (0.0, 1.0)
    first, second = np.array([0.9, 0.3, 0.5, 0.7]), np.array([0.8, 0.2, 0.4, 0.8])
    # Four differences of one size, one of them negative: W is 2.5, and 10 of 16 are as far.
    assert signed_rank(first - second) == (2.5, pytest.approx(10 / 16))


def test_nothing_gives_no_test():
    """And values that are all equal a p of 1."""
    assert signed_rank(np.array([])) is None
    assert rank_sum(np.array([1.0]), np.array([])) is None
    assert rank_sum(np.array([1.0, 1.0]), np.array([1.0])) == (1.0, 1.0)
    assert rank_sum(np.ones(60), np.ones(70)) == (2100.0, 1.0)


@given(st.lists(TENTHS, min_size=1, max_size=8))
def test_signed_ranks_with_ties_are_those_of_all_signs(differences):
    found = signed_rank(np.array(differences))
    kept = [value for value in differences if value]
    if not kept:
        assert found == (0.0, 1.0)
        return
    ranks = ranked(np.abs(kept))
    above = sum(rank for rank, value in zip(ranks, kept, strict=True) if value > 0)
    middle = sum(ranks) / 2
    sums = [np.dot(signs, ranks) for signs in product((0, 1), repeat=len(kept))]
    far = sum(abs(one - middle) >= abs(above - middle) - 1e-9 for one in sums)
    assert found == (min(above, 2 * middle - above), pytest.approx(far / len(sums)))


@given(st.lists(TENTHS, min_size=1, max_size=5), st.lists(TENTHS, min_size=1, max_size=5))
def test_rank_sums_with_ties_are_those_of_all_choices(first, second):
    ranks = ranked(np.array([*first, *second]))
    n, m = len(first), len(second)
    middle = n * (n + m + 1) / 2
    sums = [sum(chosen) for chosen in combinations(ranks, n)]
    far = sum(abs(one - middle) >= abs(sum(ranks[:n]) - middle) - 1e-9 for one in sums)
    assert rank_sum(np.array(first), np.array(second)) == (
        sum(ranks[:n]) - n * (n + 1) / 2,
        pytest.approx(far / len(sums)),
    )


def test_a_rank_correlation_with_ties_is_that_of_all_orders():
    one, two = np.array([0.1, 0.1, 0.3, 0.4, 0.2]), np.array([0.5, 0.6, 0.6, 0.6, 0.5])
    rho, p = spearman(one, two)
    drawn = [np.corrcoef(ranked(one), order)[0, 1] for order in permutations(ranked(two))]
    assert rho == pytest.approx(np.corrcoef(ranked(one), ranked(two))[0, 1])
    assert p == pytest.approx(np.mean([abs(other) >= abs(rho) - 1e-9 for other in drawn]))


def test_a_whole_rank_correlation_of_many_has_the_smallest_chance_there_is():
    """Of 2 in n!, never 0."""
    values = np.arange(10.0)
    assert spearman(values, -values) == (-1.0, pytest.approx(2 / 3628800))
    rho, p = spearman(values, np.array([1.0, 0, 2, 3, 4, 5, 6, 7, 8, 9]))
    assert rho == pytest.approx(1 - 6 * 2 / (10 * 99))
    assert p == pytest.approx(2 / 3628800)  # t gives less
    others = np.array([3.0, 1, 4, 1, 5, 9, 2, 6, 5, 3])
    assert spearman(values, others) == pytest.approx(tuple(stats.spearmanr(values, others)))


def test_a_chance_is_never_0():
    """Below 1e-12 it is said to be that."""
    assert [chance(p) for p in (0.0, 1e-300, 0.05, 1.0)] == [1e-12, 1e-12, 0.05, 1.0]


@pytest.mark.parametrize(("size", "way"), [(49, "exact"), (50, "asymptotic")])
def test_p_is_exact_below_fifty_values_and_normal_from_there(size, way):
    """As scipy has it of values without ties; of differences their signs are summed."""
    values = np.arange(size) + 0.25 * (np.arange(size) % 7)
    others = np.arange(5) * 9 + 0.1
    wanted = stats.mannwhitneyu(values, others, method=way)
    assert rank_sum(values, others) == pytest.approx((wanted.statistic, wanted.pvalue))
    signed = values * np.where(np.arange(size) % 3, 1, -1) + 0.5
    wanted = stats.wilcoxon(signed, method="exact")
    statistic, p = signed_rank(signed)
    assert statistic == wanted.statistic
    assert bool(p == pytest.approx(wanted.pvalue, rel=1e-9)) is (way == "exact")
