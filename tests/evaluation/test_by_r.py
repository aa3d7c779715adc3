"""Tests of ranks, and mixed models, give what R gives.

`tools/statistics_by_r.R` made the values.
"""

from pathlib import Path

import pandas as pd
import pytest

from evaluation.statistics import fit, rank_sum, signed_rank, spearman

FOLDER = Path(__file__).parent / "r"
LINE = list(pd.read_csv(FOLDER / "lines.csv").itertuples())
TEST = list(pd.read_csv(FOLDER / "tests.csv").itertuples())


@pytest.mark.parametrize("row", LINE, ids=lambda row: f"{row.set}: {row.groups}")
def test_a_line_with_an_intercept_for_each_group_is_that_of_lmer(row):
    """Singular fits are least squares; degrees of freedom are those of lmerTest."""
    points = pd.read_csv(FOLDER / "points.csv").query("set == @row.set")
    found = fit(points["x"].to_numpy(), points["y"].to_numpy(), points["group"].tolist())
    for name in ("intercept", "slope", "slope_se", "residual_variance"):
        assert getattr(found, name) == pytest.approx(getattr(row, name), rel=1e-5, abs=1e-7)
    assert found.group_variance == pytest.approx(row.group_variance, rel=1e-3, abs=1e-8)
    assert found.df == pytest.approx(row.df, rel=1e-3)
    assert found.p() == pytest.approx(row.p, rel=1e-3)


@pytest.mark.parametrize("row", TEST, ids=lambda row: f"{row.test} {row.n}")
def test_rank_tests_are_those_of_r(row):
    """Exact for few values without ties, and the approximation for many with them."""
    values = pd.read_csv(FOLDER / "values.csv").query("set == @row.set")
    first, second = (values[name].dropna().to_numpy() for name in ("first", "second"))
    if row.test == "signed":
        found = signed_rank(first - second)
    else:
        found = (rank_sum if row.test == "sum" else spearman)(first, second)
    assert found == pytest.approx((row.statistic, row.p), rel=1e-9)
