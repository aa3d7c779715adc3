"""A straight line with an intercept for each group: the mixed model `y ~ x + (1 | group)`."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Values = npt.NDArray[np.float64]

LEAST_GROUPS = 4
"""Groups that a p-value needs: of fewer the variance between them is hardly known."""
_RATIOS = np.concatenate([[0.0], np.logspace(-6, 6, 61)])
_EXACT = 1e-10  # the share of y's variance that must be left for there to be an error at all


@dataclass(frozen=True, slots=True)
class Line:
    """A line that was fitted by restricted maximum likelihood (REML).

    Attributes:
        intercept: Of the average group.
        slope: Of x.
        slope_se: Its standard error.
        df: Degrees of freedom of the slope, by Satterthwaite (1946).
        group_variance: Variance of the groups' intercepts.
        residual_variance: Variance that is left.
    """

    intercept: float
    slope: float
    slope_se: float
    df: float
    group_variance: float
    residual_variance: float

    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the slope, by t."""
        from scipy import stats

        reach = float(stats.t.isf(0.025, self.df)) * self.slope_se
        return self.slope - reach, self.slope + reach

    def p(self) -> float:
        """The two-sided p-value of the slope, by t."""
        from scipy import stats

        return 2 * float(stats.t.sf(abs(self.slope) / self.slope_se, self.df))


def fit(x: Values, y: Values, groups: Sequence[str]) -> Line | None:
    """Fit a line with a random intercept for each group.

    The likelihood has one free number, the ratio of the variance between groups to that within;
    for each ratio, generalized least squares are exact (Harville 1977). All ratios are searched,
    so that no starting value decides. A ratio of 0 is least squares. Degrees of freedom are
    Satterthwaite's, `2 v^2 / var(v)` for the variance `v` of the slope, with the inverse of the
    likelihood's second derivatives for the variances of both components (Giesbrecht and Burns
    1985), as R's lmerTest takes them.

    Args:
        x: (n,), not all equal.
        y: (n,), not all equal.
        groups: The group of each.

    Returns:
        None where nothing is left that the line and the groups do not explain.
    """
    profile = _Profile(x, y, groups)
    if profile.at(np.inf).rss <= _EXACT * float(((y - y.mean()) ** 2).sum()):
        return None
    best = profile.best()
    if best.ratio == 0:
        df = float(profile.df)  # of least squares
    else:
        slope = best.inverse[1, 1]
        per_ratio = best.inverse_1[1, 1]
        s2 = best.s2
        gradient = np.array([slope, s2 * per_ratio])
        information = np.array(
            [
                [profile.df / s2**2, -best.rss_1 / s2**2],
                [-best.rss_1 / s2**2, best.curvature + best.rss_2 / s2],
            ]
        )
        variance = 2 * float(gradient @ np.linalg.solve(information, gradient))
        df = 2 * (s2 * slope) ** 2 / variance
    return Line(
        intercept=float(best.beta[0]),
        slope=float(best.beta[1]),
        slope_se=float(np.sqrt(best.s2 * best.inverse[1, 1])),
        df=df,
        group_variance=float(best.s2 * best.ratio),
        residual_variance=float(best.s2),
    )


class _Profile:
    """The likelihood by the ratio of variances.

    The inverse of a group's covariance is the identity less `w = ratio / (1 + ratio n)`, so that
    all there is to know of a group is its size and its sums.
    """

    def __init__(self, x: Values, y: Values, groups: Sequence[str]) -> None:
        # Centred on x, which changes the intercept alone, and keeps the numbers apart from each
        # other where x hardly varies.
        self.middle = float(x.mean())
        design = np.column_stack([np.ones(len(x)), x - self.middle])
        _, of_group = np.unique(np.asarray(groups), return_inverse=True)
        self.sizes = np.bincount(of_group).astype(float)
        self.df = len(x) - 2
        self.sums = np.stack([np.bincount(of_group, column) for column in design.T], axis=1)
        self.y_sums = np.bincount(of_group, y)
        self.cross, self.with_y, self.y_cross = design.T @ design, design.T @ y, float(y @ y)
        self.design, self.y, self.of_group = design, y, of_group

    def at(self, ratio: float) -> "_Point":
        return _Point(self, ratio)

    def best(self) -> "_Point":
        """The point of the highest likelihood."""
        from scipy.optimize import brentq

        slopes = np.array([self.at(ratio).slope for ratio in _RATIOS])
        candidates = [self.at(0.0)]
        for at in np.flatnonzero((slopes[:-1] < 0) & (slopes[1:] >= 0)):
            low, high = _RATIOS[at : at + 2]
            candidates.append(
                self.at(float(brentq(lambda ratio: self.at(ratio).slope, low, high, rtol=1e-14)))
            )
        return min(candidates, key=lambda point: point.deviance)


class _Point:
    """Least squares and the likelihood's derivatives at one ratio of variances."""

    def __init__(self, profile: _Profile, ratio: float) -> None:
        sizes, sums = profile.sizes, profile.sums
        if np.isinf(ratio):
            w = 1 / sizes
            w_1 = w_2 = np.zeros(len(sizes))
            grown = np.ones(len(sizes))
        else:
            grown = 1 + ratio * sizes
            w, w_1, w_2 = ratio / grown, 1 / grown**2, -2 * sizes / grown**3
        self.ratio = ratio

        def weighted(weights: Values) -> Values:
            return np.asarray((sums * weights[:, None]).T @ sums)

        matrix = profile.cross - weighted(w)
        if np.isinf(ratio):
            # The intercepts take the place of the common one: the slope alone is left.
            inverse = np.zeros((2, 2))
            inverse[1, 1] = 0.0 if matrix[1, 1] <= 0 else 1 / matrix[1, 1]
        else:
            inverse = np.asarray(np.linalg.inv(matrix), np.float64)
        right = profile.with_y - (sums * (w * profile.y_sums)[:, None]).sum(axis=0)
        beta = inverse @ right
        left = profile.y - profile.design @ beta
        left_sums = np.bincount(profile.of_group, left)
        self.rss = float(left @ left - (w * left_sums**2).sum())
        self.s2 = self.rss / profile.df
        self.inverse = inverse
        self.beta = np.array([beta[0] - beta[1] * profile.middle, beta[1]])
        if np.isinf(ratio):
            return
        matrix_1, matrix_2 = -weighted(w_1), -weighted(w_2)
        right_1 = -(sums * (w_1 * profile.y_sums)[:, None]).sum(axis=0)
        beta_1 = inverse @ (right_1 - matrix_1 @ beta)
        self.inverse_1 = -inverse @ matrix_1 @ inverse
        self.rss_1 = -float((w_1 * left_sums**2).sum())
        self.rss_2 = -float(
            (w_2 * left_sums**2).sum() - 2 * (w_1 * left_sums * (sums @ beta_1)).sum()
        )
        share_1, share_2 = inverse @ matrix_1, inverse @ matrix_2
        self.slope = float(
            profile.df * self.rss_1 / self.rss + (sizes / grown).sum() + np.trace(share_1)
        )
        self.curvature = float(
            -((sizes / grown) ** 2).sum() + np.trace(share_2) - np.trace(share_1 @ share_1)
        )
        self.deviance = float(
            profile.df * np.log(self.rss) + np.log(grown).sum() + np.linalg.slogdet(matrix)[1]
        )
