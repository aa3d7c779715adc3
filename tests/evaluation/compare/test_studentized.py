"""The studentized range against scipy's slow one."""

import numpy as np
import pytest
from scipy import stats

from evaluation.compare.permutation import critical, tail


@pytest.mark.parametrize(("groups", "df"), [(2, 2), (3, 3), (4, 60), (12, 64), (20, 19)])
def test_it_is_scipys(groups, df):
    """Probabilities and critical values, to far more digits than are shown."""
    ranges = np.array([0.0, 0.5, 2.0, 4.0, 9.0])
    expected = stats.studentized_range.sf(ranges, groups, df)
    assert tail(ranges, groups, df) == pytest.approx(expected, abs=1e-9)
    assert critical(0.99, groups, df) == pytest.approx(
        stats.studentized_range.ppf(0.99, groups, df), rel=1e-8
    )


def test_probabilities_fall_from_one_to_nothing():
    """And never leave the range of probabilities, however far out."""
    found = tail(np.array([0.0, 1e-9, 1.0, 3.0, 10.0, 50.0, 1000.0]), 5, 20)
    assert found[0] == pytest.approx(1.0, abs=1e-12)
    assert (np.diff(found) <= 0).all()
    assert found.min() >= 0.0
    assert found[-1] == pytest.approx(0.0, abs=1e-12)


def test_two_groups_are_a_t_test():
    """The range of two is the square root of two times Student's t, without its sign."""
    t = np.array([0.3, 1.0, 2.5])
    assert tail(t * np.sqrt(2), 2, 9) == pytest.approx(2 * stats.t.sf(t, 9), abs=1e-12)
    assert critical(0.95, 2, 9) == pytest.approx(np.sqrt(2) * stats.t.ppf(0.975, 9))
