"""How sure a score is: an interval from how scores differ between templates.

Templates are the units, for replies to one template are much alike. The interval is computed, not
drawn, so that the same counts have the same interval everywhere.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations
from typing import Final, cast

import numpy as np
import numpy.typing as npt

from curation.intervals import LEVEL, Values, interval
from evaluation.folders import Row

Counts = npt.NDArray[np.int64] | npt.NDArray[np.float64]
Moved = tuple[Values, Values, Values]
"""A score; and with a last axis of templates what each moves it, and how much each counts."""

FEWEST: Final = 20
"""An interval from fewer templates is flagged."""
FEW: Final = "few templates"
"""What `interval_note` holds of such an interval."""
_NEAR = 1e-12
_ANGLES: Final = np.linspace(0.0, 2.0 * np.pi, 361)


def effective(sizes: Values) -> Values:
    """The number of templates that would tell as much if all had one size (Kish 1965).

    Args:
        sizes: How many replies each has, along the last axis. A single one gives NaN.
    """
    squares = (sizes**2).sum(axis=-1)
    several = (sizes > 0).sum(axis=-1) > 1
    alone = np.full(several.shape, np.nan)
    return np.asarray(np.divide(sizes.sum(axis=-1) ** 2, squares, out=alone, where=several))


def spread(values: Values) -> tuple[Values, Values]:
    """Mean and standard deviation (n - 1) along the last axis, of the values that are defined.

    Without a value the mean is NaN, of fewer than two the deviation.
    """
    count = np.asarray((~np.isnan(values)).sum(axis=-1), np.float64)
    mean = _over(np.nansum(values, axis=-1), count)
    squares = np.nansum((values - mean[..., None]) ** 2, axis=-1)
    return mean, np.sqrt(_over(squares, count - 1))


def pooled(
    counts: Counts, score: Callable[[Counts], Values], sizes: Values
) -> tuple[Values, Values, Values]:
    """A score of templates' counts together, and by how much each template moves it.

    By leaving out one template after the other (the jackknife: Tukey 1958).

    Args:
        counts: Of the shape ... x templates x kinds.
        score: Scores counts whose last axis has the kinds; NaN where it is undefined.
        sizes: How many replies of each template it is defined on.

    Returns:
        The score, what moves it (with a last axis of templates; 0 where a template has no such
        replies, NaN where without it there is no score) and the effective number of templates, as
        `interval` takes them: what one template alone tells has none.
    """
    total = counts.sum(axis=-2, keepdims=True)
    value = score(total)[..., 0]
    number = (sizes > 0).sum(axis=-1, keepdims=True)
    moves = (value[..., None] - score(total - counts)) * (number - 1.0) / np.maximum(number, 1.0)
    return value, moves, effective(sizes)


def bounded(
    counts: Counts,
    score: Callable[[Counts], Values],
    bound: Callable[[Counts], Values],
    sizes: Values,
    level: float = LEVEL,
) -> tuple[Values, Values]:
    """The ends of the interval of a score that another one bounds, as accuracy bounds diff-bias.

    Such a score is its bound times a ratio from -1 to 1: how much goes wrong, times how far it
    leans to one side. Each of the two has its own interval, the ratio over the templates in which
    anything goes wrong. The pairs of values that agree with both are an ellipse, whose half axes
    are the distances to the ends of the two intervals and which is as oblique as the two are
    correlated over templates (less with few of them, whose correlation is mostly chance): the
    recovery of variances from limits (Zou and Donner 2008). The
    ends are the least and the largest product of a pair on it.

    So the interval never passes the upper end of the bound's own, and is on one side of 0 exactly
    where that of the ratio is.

    Args:
        counts: Of the shape ... x templates x kinds.
        score: Scores counts whose last axis has the kinds.
        bound: The largest size that the score can have, from 0 to 1, of the same counts.
        sizes: How many replies of each template both are defined on.
        level: Of the interval.

    Returns:
        Lower and upper ends, which hold the score; NaN where the bound has no interval.
    """

    def ratio(found: Counts) -> Values:
        # Beyond 1 where the bound does not hold: with unequal numbers of both kinds of context.
        return np.clip(_over(score(found), bound(found)), -1.0, 1.0)

    wrong = np.nan_to_num(bound(counts)) * sizes
    size, size_moves, number = pooled(counts, bound, sizes)
    sizes_from_to = interval(size, size_moves, number, (0.0, 1.0), level)
    side, side_moves, number = pooled(counts, ratio, wrong)
    low, high = interval(side, side_moves, number, (-1.0, 1.0), level)
    # What goes wrong in one template, or in none, does not say how others lean.
    unknown = np.isnan(low)
    sides_from_to = np.where(unknown, -1.0, low), np.where(unknown, 1.0, high)
    both = np.sqrt((size_moves**2).sum(axis=-1) * (side_moves**2).sum(axis=-1))
    together = np.nan_to_num(_over((size_moves * side_moves).sum(axis=-1), both))
    several = (wrong > 0).sum(axis=-1)  # two templates always lie on a line
    together = np.clip(together, -1.0, 1.0) * (1.0 - 2.0 / np.maximum(several, 2))
    together = np.where(unknown, 0.0, together)
    products = ellipse(size, sizes_from_to, np.nan_to_num(side), sides_from_to, together)
    value = score(counts.sum(axis=-2))
    return np.minimum(products[0], value), np.maximum(products[1], value)


def ellipse(
    size: Values,
    sizes_from_to: tuple[Values, Values],
    side: Values,
    sides_from_to: tuple[Values, Values],
    together: Values | float = 0.0,
) -> tuple[Values, Values]:
    """The least and the largest product of a pair on the ellipse; see `bounded`.

    Args:
        size: How much goes wrong.
        sizes_from_to: The ends of its interval.
        side: How far it leans to one side.
        sides_from_to: Likewise.
        together: How they are correlated over templates.
    """
    share = np.asarray(together)[..., None]
    along = np.sin(_ANGLES)
    across = share * along + np.sqrt(1.0 - share**2) * np.cos(_ANGLES)
    products = _away(size, sizes_from_to, along) * _away(side, sides_from_to, across)
    return products.min(axis=-1), products.max(axis=-1)


def _away(value: Values, ends: tuple[Values, Values], shares: Values) -> Values:
    """Go from values towards an end of their intervals, by shares of the way from -1 to 1."""
    down, up = (np.abs(end - value)[..., None] for end in ends)
    return np.asarray(value[..., None] + np.where(shares > 0, up, down) * shares)


def averaged(
    scores: Values, bounds: Values, weights: Values, level: float = LEVEL
) -> tuple[Values, Values]:
    """The ends of the interval of an average of templates' scores, each with its own bound.

    Args:
        scores: One a template, along the last axis; NaN where it is undefined.
        bounds: Their largest sizes, from 0 to 1.
        weights: How much each template counts.
        level: Of the interval.

    Returns:
        As `bounded`.
    """
    there = ~np.isnan(scores) & ~np.isnan(bounds)
    counted = np.where(there, weights, 0.0)
    parts = (np.where(there, part, 0.0) * counted for part in (scores, bounds))
    both = quotient(0, 2), quotient(1, 2)
    return bounded(np.stack([*parts, counted], axis=-1), *both, counted, level)


def difference(
    one: Moved, two: Moved, widest: float, level: float = LEVEL
) -> tuple[Values, Values]:
    """The ends of the interval of the difference of a score between two sides of one templates.

    Each template adds its part to the difference: what it moves the first score less what it moves
    the second, and its share of the difference itself. The difference is the mean size of these
    parts times how far they lean to one side; see `bounded`.

    Args:
        one: The score on the first side, what each template moves it, and how much each counts.
        two: The same of the second side, template by template.
        widest: The largest difference that there can be.
        level: Of the interval.

    Returns:
        Lower and upper ends; NaN where a score is, or what a template moves it, or with fewer than
        two templates.
    """
    apart, moved = (one[0] - two[0])[..., None], one[1] - two[1]
    weights = (_shares(one[2]) + _shares(two[2])) / 2
    parts = (np.nan_to_num(_over(moved, weights)) + apart) / widest
    low, high = averaged(parts, np.minimum(np.abs(parts), 1.0), weights, level)
    wide = np.where(np.isnan(moved).any(axis=-1), np.nan, widest)
    return wide * low, wide * high


def _shares(sizes: Values) -> Values:
    return np.nan_to_num(_over(sizes, sizes.sum(axis=-1, keepdims=True)))


def quotient(part: int, whole: int) -> Callable[[Counts], Values]:
    """A score of sums along the last axis: one of them over another."""
    return lambda sums: _over(sums[..., part], sums[..., whole])


def _over(part: Counts, whole: Counts) -> Values:
    undefined = np.full(np.broadcast_shapes(np.shape(part), np.shape(whole)), np.nan)
    return np.asarray(np.divide(part, whole, out=undefined, where=np.asarray(whole) > _NEAR))


SURE = 0.05
"""Below this a p, or a q, tells of a difference; the level of 95 % intervals."""


def level_of(models: int) -> float:
    """The level of one interval if those of all pairs of models hold together (Bonferroni)."""
    return 1 - SURE / max(models * (models - 1) // 2, 1)


EXACT_BELOW = 50
"""From this many values of a group on Wilcoxon's tests take the normal approximation, as in R."""
EQUAL = 1e-9
"""Scores that are closer than this differ by the noise of floats."""
_EXACT_RANKS = 9  # 9! permutations are listed
_HALF = 0.5  # ranks are whole: the correction for continuity
_SMALLEST = 1e-12


def settled(value: float) -> float:
    """A difference, or 0 where it is within 1e-9 of it: what is left of equal scores is noise."""
    return 0.0 if abs(value) <= EQUAL else float(value)


def chance(p: float) -> float:
    """A p-value as tables hold it: at least 1e-12, below which no test here is exact."""
    return max(float(f"{p:.12g}"), _SMALLEST)


def holm(ps: Sequence[float | None]) -> list[float | None]:
    """Adjust p-values so that the chance of any false finding among them stays (Holm 1979).

    Args:
        ps: The p-values of one family; None for a test that could not be made, which counts
            for nothing.
    """
    tested = np.array([p for p in ps if p is not None], np.float64)
    order = np.argsort(tested, kind="stable")
    adjusted = np.empty(len(tested))
    adjusted[order] = np.maximum.accumulate(tested[order] * np.arange(len(tested), 0, -1))
    left = iter(np.minimum(adjusted, 1.0).tolist())
    return [None if p is None else chance(next(left)) for p in ps]


def corrected(rows: Sequence[Row]) -> list[Row]:
    """Put Holm's correction into the rows of one family of tests, as `p_holm`."""
    adjusted = holm([cast("float | None", row["p"]) for row in rows])
    return [{**row, "p_holm": p} for row, p in zip(rows, adjusted, strict=True)]


def is_sure(p: object) -> bool:
    """Whether a p tells of a difference; one that could not be had does not."""
    return isinstance(p, int | float) and p < SURE


def ranked(values: Values) -> Values:
    """Ranks from 1, the mean rank for values that are equal to within 1e-9.

    Scores are quotients of counts: equal ones may differ in their last bits, and so do their
    differences (.9 - .8 and .3 - .2).
    """
    order = np.argsort(values, kind="stable")
    starts = np.flatnonzero(np.diff(values[order], prepend=-np.inf) > EQUAL)
    sizes = np.diff(starts, append=len(values))
    ranks = np.empty(len(values))
    ranks[order] = np.repeat(starts + (sizes + 1) / 2, sizes)
    return ranks


def signed_ranks(differences: Values) -> Values:
    """Ranks of the sizes of differences, with their signs; those of 0 leave."""
    differences = differences[np.abs(differences) > EQUAL]
    return np.asarray(np.sign(differences) * ranked(np.abs(differences)))


def matched_biserial(differences: Values) -> float | None:
    """The matched-pairs rank-biserial correlation `(W+ - W-) / (W+ + W-)` (Kerby 2014).

    1 where every difference is positive, -1 where every one is negative. Differences of 0 leave,
    as in the signed-rank test; where all are 0 it is 0, and without differences undefined.
    """
    ranks = signed_ranks(differences)
    if not len(ranks):
        return 0.0 if len(differences) else None
    return round(float(ranks.sum() / np.abs(ranks).sum()), 12)


def signed_rank(differences: Values) -> tuple[float, float] | None:
    """W and the two-sided p of Wilcoxon's signed-rank test (1945).

    Differences of 0 leave, as Wilcoxon has it; where all are 0, p is 1. W is the smaller of the
    two sums of ranks. Of fewer than 50 differences p is exact, given their ties: the share of
    the ways to put signs to the ranks by which the sum is as far from its mean. Of more it is
    that of the normal distribution, with the variance of the ranks that there are and a
    continuity correction of one half.

    Args:
        differences: One a pair, (n,).

    Returns:
        None without differences.
    """
    if not len(differences):
        return None
    signed = signed_ranks(differences)
    if not len(signed):
        return 0.0, 1.0
    ranks, above = np.abs(signed), float(signed[signed > 0].sum())
    w = min(above, float(ranks.sum()) - above)
    if len(ranks) >= EXACT_BELOW:
        return w, normal(w - ranks.sum() / 2, (ranks**2).sum() / 4, _HALF)
    doubled = (2 * ranks).round().astype(int)
    ways = np.zeros(doubled.sum() + 1)
    ways[0] = 1.0
    for rank in doubled:
        ways[rank:] += ways[:-rank].copy()
    return w, _as_far(ways, round(2 * w), doubled.sum() / 2)


def rank_sum(first: Values, second: Values) -> tuple[float, float] | None:
    """U of the first values and the two-sided p of Wilcoxon's rank-sum test (1945).

    In the form of Mann and Whitney (1947). Of fewer than 50 values in each group p is exact,
    given their ties: the share of the ways to choose the first group's ranks by which their sum
    is as far from its mean. Of more it is that of the normal distribution, corrected for ties
    and with a continuity correction of one half.

    Returns:
        None without values in one of the groups.
    """
    n, m = len(first), len(second)
    if not n or not m:
        return None
    ranks = ranked(np.concatenate([first, second]))
    least = n * (n + 1) / 2
    u = float(ranks[:n].sum() - least)
    if max(n, m) >= EXACT_BELOW:
        variance = n * m / ((n + m) * (n + m - 1)) * ((ranks - (n + m + 1) / 2) ** 2).sum()
        return u, normal(u - n * m / 2, float(variance), _HALF)
    doubled = (2 * ranks).round().astype(int)
    # ways[k, s]: of choosing k ranks whose doubles add up to s
    ways = np.zeros((n + 1, int(np.sort(doubled)[-n:].sum()) + 1))
    ways[0, 0] = 1.0
    for rank in doubled:
        ways[1:, rank:] += ways[:-1, :-rank].copy()
    return u, _as_far(ways[n], round(2 * (u + least)), n * (n + m + 1))


def spearman(first: Values, second: Values) -> tuple[float, float]:
    """Spearman's rank correlation and its two-sided p.

    Of up to 9 pairs p is exact, given their ties: the share of the orders of one side by which
    the correlation is as far from 0. Of more it is that of t with n - 2 degrees of freedom, and
    at least 2 / n!, the smallest that n pairs can give.

    Args:
        first: One side, (n,), of which not all are equal; n is at least 3.
        second: The other, (n,), likewise.
    """
    from scipy.special import gammaln
    from scipy.stats import pearsonr

    n = len(first)
    one, two = (ranked(side) - (n + 1) / 2 for side in (first, second))
    found = pearsonr(one, two)
    rho = round(float(found.statistic), 12)
    if n > _EXACT_RANKS:
        return rho, max(float(found.pvalue), 2 * float(np.exp(-gammaln(n + 1))))
    drawn = two[_orders(n)] @ one
    return rho, float((np.abs(drawn) >= abs(one @ two) - EQUAL).mean())


@lru_cache(maxsize=4)
def _orders(n: int) -> npt.NDArray[np.int8]:
    return np.array(list(permutations(range(n))), np.int8)


def _as_far(ways: Values, at: int, mean: float) -> float:
    """The share of the ways that are at least as far from the mean as one is."""
    distance = np.abs(np.arange(len(ways)) - mean)
    return float(ways[distance >= abs(at - mean) - EQUAL].sum() / ways.sum())


def normal(distance: float, variance: float, correction: float = 0.0) -> float:
    """The two-sided p of a distance by the normal distribution; 1 where nothing can vary."""
    from scipy.special import ndtr

    if variance <= 0:
        return 1.0
    return float(2 * ndtr(-max(abs(distance) - correction, 0.0) / np.sqrt(variance)))


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
    design = np.column_stack([np.ones(len(x)), x - x.mean()])
    _, of_group = np.unique(np.asarray(groups), return_inverse=True)
    # The covariance is that of independent numbers along the eigenvectors of who is of one group.
    sizes, axes = np.linalg.eigh((of_group[:, None] == of_group).astype(np.float64))
    design, turned, sizes = axes.T @ design, axes.T @ y, sizes.round()
    within = sizes == 0  # what a line is left with that has an intercept for each group
    slope = np.linalg.lstsq(design[within, 1:], turned[within])[0]
    unexplained = float(((turned[within] - design[within, 1:] @ slope) ** 2).sum())
    if unexplained <= _EXACT * float(((y - y.mean()) ** 2).sum()):
        return None
    best = _best(lambda ratio: _Point(design, turned, sizes, ratio))
    df = float(best.df)  # of least squares
    if best.ratio > 0:
        s2, per_ratio = best.s2, best.inverse_1[1, 1]
        gradient = np.array([best.inverse[1, 1], s2 * per_ratio])
        information = np.array(
            [
                [best.df / s2**2, -best.rss_1 / s2**2],
                [-best.rss_1 / s2**2, best.curvature + best.rss_2 / s2],
            ]
        )
        variance = 2 * float(gradient @ np.linalg.solve(information, gradient))
        df = 2 * (s2 * best.inverse[1, 1]) ** 2 / variance
    return Line(
        intercept=float(best.beta[0] - best.beta[1] * x.mean()),
        slope=float(best.beta[1]),
        slope_se=float(np.sqrt(best.s2 * best.inverse[1, 1])),
        df=df,
        group_variance=float(best.s2 * best.ratio),
        residual_variance=float(best.s2),
    )


def _best(at: "Callable[[float], _Point]") -> "_Point":
    """The point of the highest likelihood."""
    from scipy.optimize import brentq

    points = [at(0.0)]
    slopes = np.array([at(ratio).slope for ratio in _RATIOS])
    for place in np.flatnonzero((slopes[:-1] < 0) & (slopes[1:] >= 0)):
        low, high = _RATIOS[place : place + 2]
        points.append(at(float(brentq(lambda ratio: at(ratio).slope, low, high, rtol=1e-14))))
    return min(points, key=lambda point: point.deviance)


class _Point:
    """Least squares and the likelihood's derivatives at one ratio of variances.

    Along the eigenvectors a number has the variance 1 + ratio times the size of its group, or 1.
    """

    def __init__(self, design: Values, y: Values, sizes: Values, ratio: float) -> None:
        w = 1 / (1 + ratio * sizes)
        w_1, w_2 = -sizes * w**2, 2 * sizes**2 * w**3
        self.ratio, self.df = ratio, len(y) - 2
        self.inverse = np.linalg.inv((design.T * w) @ design)
        self.beta = self.inverse @ (design.T @ (w * y))
        left = y - design @ self.beta
        rss, self.rss_1 = float(w @ left**2), float(w_1 @ left**2)
        pull = design.T @ (w_1 * left)
        self.rss_2 = float(w_2 @ left**2 - 2 * pull @ self.inverse @ pull)
        share_1, share_2 = (self.inverse @ (design.T * it) @ design for it in (w_1, w_2))
        self.inverse_1 = -share_1 @ self.inverse
        self.s2 = rss / self.df
        self.slope = float(self.rss_1 / self.s2 + (sizes * w).sum() + np.trace(share_1))
        self.curvature = float(
            -((sizes * w) ** 2).sum() + np.trace(share_2) - np.trace(share_1 @ share_1)
        )
        self.deviance = float(
            self.df * np.log(rss) - np.log(w).sum() - np.linalg.slogdet(self.inverse)[1]
        )
