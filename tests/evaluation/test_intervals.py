"""Intervals of scores: by hand, their properties, and a look at how often they cover."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy.stats import beta

from benchmarks.coverage import Cell, found
from curation.intervals import interval
from evaluation.statistics import averaged, bounded, difference, effective, pooled, spread

UNIT = (0.0, 1.0)
values = st.lists(st.floats(-1, 1, allow_subnormal=False), min_size=2, max_size=30)


def of_values(found, span=UNIT, level=0.95):
    found = np.asarray(found, np.float64)
    moves = (found - found.mean()) / len(found)
    low, high = interval(found.mean(), moves, len(found), span, level)
    return float(low), float(high)


def test_an_oracle_is_not_certain():
    """All of T right: c = (3 T + 1) / (3 T + 2), and n = T - 4/3 exactly."""
    for number in (2, 5, 11, 268):
        centre, size = (3 * number + 1) / (3 * number + 2), number - 4 / 3
        low = beta.ppf(0.025, size * centre, size * (1 - centre))
        assert of_values(np.ones(number)) == pytest.approx((low, 1.0))
    assert of_values(np.ones(11))[0] == pytest.approx(0.818, abs=5e-4)
    low, high = of_values(np.zeros(11), (-1.0, 1.0))
    assert low == pytest.approx(-high) == pytest.approx(-0.143, abs=5e-4)


def test_templates_that_are_right_or_wrong_are_as_trials():
    """Ten of 20: c = 1/2 and n = 20 + 2/3 - 2, so that each side has 28/3."""
    ends = beta.ppf([0.025, 0.975], 28 / 3, 28 / 3)
    assert of_values([0, 1] * 10) == pytest.approx(tuple(ends))


@given(values, st.floats(0.5, 0.999))
def test_an_interval_holds_its_score_in_its_range_and_grows_with_the_level(found, level):
    """It is never without width, and mirrors with the values."""
    span = (-1.0, 1.0)
    low, high = of_values(found, span, level)
    assert -1 <= low <= np.mean(found) + 1e-12
    assert np.mean(found) - 1e-12 <= high <= 1
    assert high - low > 1e-4
    wider = of_values(found, span, (1 + level) / 2)
    assert wider[0] <= low + 1e-12
    assert high - 1e-12 <= wider[1]
    mirrored = of_values([-value for value in found], span, level)
    assert mirrored == pytest.approx((-high, -low), abs=1e-9)


def test_what_each_template_moves_is_found_by_leaving_it_out():
    """For a share of templates of one size: the distance from the share over their number."""
    right, size = np.array([6.0, 3.0, 0.0, 5.0]), 6.0
    counts = np.stack([right, size - right], axis=-1)
    score, moves, number = pooled(counts, lambda it: it[..., 0] / it.sum(axis=-1), counts.sum(-1))
    assert (score, number) == (pytest.approx(14 / 24), pytest.approx(4))
    assert moves == pytest.approx((right / size - 14 / 24) / 4)


def test_templates_of_other_sizes_count_less():
    """Kish: (1 + 1 + 4)^2 / (1 + 1 + 16); of a single template nothing is known."""
    assert effective(np.array([1.0, 1.0, 4.0, 0.0])) == pytest.approx(2)
    assert np.isnan(effective(np.array([0.0, 7.0])))
    low, high = interval(1.0, np.zeros(2), np.nan, UNIT)
    assert np.isnan(low) and np.isnan(high)


def net(counts):
    return (counts[..., 0] - counts[..., 1]) / np.maximum(counts.sum(axis=-1), 1)


def wrong(counts):
    return (counts[..., 0] + counts[..., 1]) / np.maximum(counts.sum(axis=-1), 1)


replies = st.lists(
    st.tuples(*[st.integers(0, 12)] * 2, st.integers(1, 12)), min_size=2, max_size=30
)


@given(replies)
@example([(3, 0, 9), (0, 0, 12), (0, 0, 12), (0, 0, 12)])  # one leans, others err not
def test_diff_bias_is_within_its_bound_and_mirrors(found):
    """The bound's own interval holds it, and it holds the score."""
    counts = np.array(found)
    sizes = counts.sum(axis=-1)
    low, high = bounded(counts, net, wrong, sizes)
    most = interval(*pooled(counts, wrong, sizes), UNIT)[1]
    assert -most - 1e-9 <= low <= net(counts.sum(axis=0)) <= high <= most + 1e-9
    mirrored = bounded(counts[:, [1, 0, 2]], net, wrong, sizes)
    assert mirrored == pytest.approx((-high, -low), abs=1e-4)


def test_a_score_beyond_its_bound_has_the_interval_of_one_at_it():
    """With few biased contexts diff-bias passes the bound of its accuracy, on either side alike."""
    right = np.arange(8) % 3  # of two biased contexts; of 18 counter-biased ones all
    few = (lambda it: it[..., 0] / it[..., 1] - 1), (lambda it: it[..., 2] / it[..., 1] / 10)
    counts = np.stack([right, np.full(8, 2), 2 - right], axis=-1).astype(float)
    sizes = np.full(8, 20.0)
    low, high = bounded(counts, *few, sizes)
    assert low == pytest.approx(7 / 16 - 1)
    assert low < high < 0
    mirrored = bounded(counts, lambda it: -few[0](it), few[1], sizes)
    assert mirrored == pytest.approx((-high, -low))


def test_a_difference_is_of_what_each_template_adds():
    """Of equal sides it is 0: the ends are u sin t cos t, for nothing was seen of either factor."""
    values = np.tile([0.5, 0.25, 1.0, 0.75], 2)
    side = values.mean(), (values - values.mean()) / 8, np.ones(8)
    low, high = difference(side, side, 1.0)
    most = float(interval(0.0, np.zeros(8), 8.0, UNIT)[1])
    assert (-low, high) == pytest.approx((most / 2, most / 2))
    other = values - 0.25
    apart = other.mean(), (other - other.mean()) / 8, np.ones(8)
    low, high = difference(side, apart, 1.0)
    assert 0 < low < 0.25 < high
    alone = tuple(part[..., :1] if np.ndim(part) else part for part in side)
    assert np.isnan(difference(alone, alone, 1.0)).all()
    unknown = apart[0], np.append(np.nan, apart[1][1:]), apart[2]  # without the first no score
    assert np.isnan(difference(side, unknown, 1.0)).all()


def test_a_part_beyond_the_range_counts_as_all_of_it():
    """A template with more replies on one side may add more than the whole difference can be."""

    def side(right, size):
        right, size = np.array(right, float), np.array(size, float)
        score = right.sum() / size.sum()
        return score, (right - size * score) / size.sum(), size

    one, two = side([9, 0, 0], [9, 1, 1]), side([0, 0, 1], [1, 9, 9])
    weights = (one[2] / 11 + two[2] / 19) / 2
    parts = (one[1] - two[1]) / weights + one[0] - two[0]
    assert parts[0] == pytest.approx(1.11357, abs=1e-5)
    sizes = np.array([1.0, parts[1], parts[2]])
    expected = averaged(parts, sizes, weights)
    assert difference(one, two, 1.0) == pytest.approx(expected)


@pytest.mark.slow
@pytest.mark.parametrize(
    "cell",
    [
        Cell("accuracy_amb", 11, 0.95, 0.0, 1.0),
        Cell("accuracy_dis", 5, 0.6, 0.0, 1.0),
        Cell("diff_bias_amb", 11, 0.95, 0.05, 1.0),
        Cell("diff_bias_dis", 43, 0.8, 0.2, 3.0),
        Cell("difference", 20, 0.99, 0.05, 1.0),
    ],
)
def test_intervals_cover(cell):
    """Cells in which a percentile bootstrap held the true score in 60 to 90 %."""
    result = found(cell, sets=600)
    assert result.covered >= 0.92
    assert result.width < 1


def test_a_spread_is_of_what_is_defined():
    """By n - 1 of the values that there are; one value alone has none."""
    mean, deviation = spread(np.array([[1.0, 2.0, 6.0, np.nan], [4.0, np.nan, np.nan, np.nan]]))
    assert mean.tolist() == [3.0, 4.0]
    assert deviation[0] == pytest.approx(7**0.5)
    assert np.isnan(deviation[1])
