"""The studentized range against scipy's slow one."""

import numpy as np
import pytest
from scipy import stats

from evaluation.compare.testing import critical, tail


@pytest.mark.parametrize(("groups", "df"), [(2, 2), (3, 3), (4, 60), (12, 64), (20, 19)])
def test_it_is_scipys(groups, df):
    """Probabilities and critical values, to far more digits than are shown."""
    ranges = np.array([0.0, 0.5, 2.0, 4.0, 9.0])
    expected = stats.studentized_range.sf(ranges, groups, df)
    assert tail(ranges, groups, df) == pytest.approx(expected, abs=1e-9)
    assert critical(0.99, groups, df) == pytest.approx(
        stats.studentized_range.ppf(0.99, groups, df), rel=1e-8
    )
