"""Pairs of groups whose spreads and sizes differ: permutations of the largest Welch t."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from evaluation.compare.values import Values
from evaluation.qa.metrics import METRICS
from evaluation.qa.score import Row
from evaluation.ranks import EQUAL, settled

OVERALL = "overall"
"""What a row calls all groups together."""


@dataclass(frozen=True, slots=True)
class Contrasts:
    """Differences of means, as weights of the groups' means.

    Attributes:
        names: The two sides of each; the second may be `OVERALL`.
        weights: Of the shape contrasts x groups; each row adds up to 0.
        means: By group its mean, and that of all values as `OVERALL`.
    """

    names: tuple[tuple[str, str], ...]
    weights: Values
    means: Mapping[str, float]

    @classmethod
    def of(cls, samples: Mapping[str, Values], *, overall: bool) -> "Contrasts":
        """All pairs of groups and, where wanted, each group with all values.

        Args:
            samples: By group its values.
            overall: Whether groups are compared with all values too. A group is a part of these,
                which the weights take into account.
        """
        groups = list(samples)
        names = list(combinations(groups, 2))
        units = np.eye(len(groups))
        whole = np.array([len(found) for found in samples.values()], np.float64)
        sides = {name: units[at] for at, name in enumerate(groups)}
        if overall:
            names += [(name, OVERALL) for name in groups]
            sides[OVERALL] = whole / whole.sum()
        means = {name: settled(float(found.mean())) for name, found in samples.items()}
        means[OVERALL] = settled(float(np.concatenate(list(samples.values())).mean()))
        weights = np.array([sides[one] - sides[two] for one, two in names])
        return cls(tuple(names), weights, means)

    def row(self, at: int) -> Row:
        """The columns that say what is compared, and the difference of the means."""
        one, two = self.names[at]
        return {
            "group_1": one,
            "group_2": two,
            "mean_1": self.means[one],
            "mean_2": self.means[two],
            "difference": settled(self.means[one] - self.means[two]),
        }


PERMUTATIONS: Final = 1999
"""How many; the smallest p is 1 over one more."""
_SEED = 2024
_TINY = 1e-14  # a variance; keeps a t of no spread finite


class Ends(NamedTuple):
    """The ends of a score's range, and how much of a value is put at each.

    Attributes:
        low: The smallest value that is possible.
        high: The largest.
        share: How much of a value: one half at the ends of an accuracy, a sixth at those of a
            score that may have either sign, for it usually lies far from both. With less, groups
            that are alike are said to differ in more than 2 % of simulated families.
    """

    low: float
    high: float
    share: float

    @classmethod
    def of(cls, metric: str) -> "Ends":
        """Those of a score."""
        low, high = METRICS[metric].span
        return cls(low, high, 1 / 6 if low < 0.0 else 1 / 2)


def largest_t(samples: Mapping[str, Values], ends: Ends, *, overall: bool = False) -> Iterator[Row]:
    """Compare groups by the permutation distribution of the largest Welch t of all comparisons.

    A mean and its variance are those of the group's values with `ends.share` of a value added at
    each end of the range: five values without an error do not show that there are none with
    errors. t is the difference of two such means over the root of the sum of their variances
    (Welch 1938). For its distribution without differences, the values less their group's mean,
    over its standard deviation, are permuted over all groups (Janssen 1997), and each group gives
    those that it receives its own standard deviation, the ends included. p is the share of
    permutations whose largest t reaches a comparison's (Westfall and Young 1993), the groups as
    they are counted as one: it holds for all comparisons together and is never 0.

    Args:
        samples: By group its values, two or more each.
        ends: The range of the values.
        overall: Whether groups are also compared with all values together.

    Yields:
        Rows with the columns of `anova.PERMUTATION_COLUMNS`. Two groups without any spread have
        no p and no interval.
    """
    contrasts = Contrasts.of(samples, overall=overall)
    sizes = np.array([len(found) for found in samples.values()])
    group = np.repeat(np.arange(len(sizes)), sizes)
    values = np.concatenate(list(samples.values()))
    ends = ends._replace(
        low=min(ends.low, float(values.min())), high=max(ends.high, float(values.max()))
    )
    plain = np.array([found.mean() for found in samples.values()])
    spread = np.array(
        [found.std(ddof=1) if float(np.ptp(found)) > EQUAL else 0.0 for found in samples.values()]
    )
    means, variances = _regularised(values[:, None], sizes, ends)
    differences = (contrasts.weights @ means)[:, 0]
    errors = np.sqrt((contrasts.weights**2 @ variances)[:, 0])
    t = differences / errors
    residuals = (values - plain[group]) / np.where(spread > 0, spread, 1.0)[group]
    scales = np.sqrt(variances[:, 0] * sizes)[group, None]
    drawn = residuals[_permuted(len(values))] * scales
    centre = float(values.mean())
    moved = ends._replace(low=ends.low - centre, high=ends.high - centre)
    largest = _largest(drawn, sizes, moved, contrasts.weights)
    reach = errors * largest[-round((1.0 - LEVEL) * (PERMUTATIONS + 1))]
    beyond = PERMUTATIONS - np.searchsorted(largest, np.abs(t) * (1.0 - EQUAL))
    spreads = dict(zip(samples, spread.tolist(), strict=True)) | {OVERALL: float(spread.max())}
    for at, names in enumerate(contrasts.names):
        row = contrasts.row(at) | dict.fromkeys(("low", "high", "p"), None)
        row |= {"differs": "", "t": None, "permutations": PERMUTATIONS}
        varies = any(spreads[name] for name in names)
        if varies:
            wide = ends.high - ends.low
            low = max(float(differences[at] - reach[at]), -wide)
            high = min(float(differences[at] + reach[at]), wide)
            row["differs"] = "yes" if low > 0 or high < 0 else "no"
            plain_one = float(row["difference"] or 0.0)
            row |= {"low": min(low, plain_one), "high": max(high, plain_one), "t": float(t[at])}
            row["p"] = float(beyond[at] + 1) / (PERMUTATIONS + 1)
        yield row


def _regularised(values: Values, sizes: npt.NDArray[np.int64], ends: Ends) -> tuple[Values, Values]:
    """Means of groups and their variances, with shares of a value at the ends of the range.

    Args:
        values: Of the shape values x draws, group after group.
        sizes: How many values each group has.
        ends: The range.

    Returns:
        Both of the shape groups x draws.
    """
    starts = np.cumsum(sizes) - sizes
    number = (sizes + 2 * ends.share)[:, None]
    means = (np.add.reduceat(values, starts) + ends.share * (ends.low + ends.high)) / number
    squares = np.add.reduceat(values**2, starts) + ends.share * (ends.low**2 + ends.high**2)
    variances = (squares - number * means**2) / (number * (number - 1.0))
    return means, np.maximum(variances, _TINY)


def _largest(drawn: Values, sizes: npt.NDArray[np.int64], ends: Ends, weights: Values) -> Values:
    """The largest t of each draw, in ascending order."""
    means, variances = _regularised(drawn, sizes, ends)
    return np.sort((np.abs(weights @ means) / np.sqrt(weights**2 @ variances)).max(axis=0))


@lru_cache(maxsize=4)
def _permuted(number: int) -> npt.NDArray[np.int32]:
    """Permutations of so many places, of the shape places x permutations, always the same."""
    random = np.random.default_rng([_SEED, number])
    places = np.arange(number, dtype=np.int32)
    return np.array([random.permutation(places) for _ in range(PERMUTATIONS)]).T.copy()


LEVEL = 0.99
"""Level of the intervals of pairs (KoBBQ, section 4.3)."""
_NORMAL = 9.0  # beyond it lies less than double precision shows
_NODES = 128  # of each of the two integrals
_TINY = 1e-17


def tail(ranges: Values, groups: int, df: float) -> Values:
    """The chance that a studentized range exceeds each of some values.

    `P(Q > q) = 1 - int f(s) k int phi(z) [Phi(z) - Phi(z - q s)]^(k - 1) dz ds`, where `s` is
    distributed as the square root of chi-square over its degrees of freedom (Tukey 1949), by
    Gauss-Legendre quadrature of both integrals.

    Args:
        ranges: The values, not negative.
        groups: How many groups.
        df: Degrees of freedom of the variance within groups, at least 1.
    """
    from scipy.special import ndtr

    scales, weights = _scales(df)
    z, z_weights = _points(-_NORMAL, _NORMAL)
    density = groups * z_weights * np.exp(-(z**2) / 2) / np.sqrt(2 * np.pi)
    below = ndtr(z)
    found = np.empty(len(ranges))
    for at, value in enumerate(ranges):
        inside = below[None, :] - ndtr(z[None, :] - value * scales[:, None])
        found[at] = 1.0 - weights @ (inside ** (groups - 1) @ density)
    return np.clip(found, 0.0, 1.0)


@lru_cache(maxsize=256)
def critical(level: float, groups: int, df: float) -> float:
    """The value that a studentized range exceeds with a chance of `1 - level`."""
    from scipy.optimize import brentq

    def beyond(value: float) -> float:
        return float(tail(np.array([value]), groups, df)[0]) - (1.0 - level)

    high = 8.0
    while beyond(high) > 0:
        high *= 2
    return float(brentq(beyond, 0.0, high, xtol=1e-10))


@lru_cache(maxsize=256)
def _scales(df: float) -> tuple[Values, Values]:
    """Points of `s`, and the weight of each: density times the quadrature's own."""
    from scipy.stats import chi2

    ends = np.sqrt(chi2.ppf(_TINY, df) / df), np.sqrt(chi2.isf(_TINY, df) / df)
    points, weights = _points(float(ends[0]), float(ends[1]))
    # chi2's density at df s^2, times the derivative of df s^2
    return points, weights * chi2.pdf(df * points**2, df) * 2 * df * points


def _points(low: float, high: float) -> tuple[Values, Values]:
    points, weights = _rule()
    half = (high - low) / 2
    return low + half * (points + 1), weights * half


@lru_cache(maxsize=1)
def _rule() -> tuple[Values, Values]:
    return np.polynomial.legendre.leggauss(_NODES)
