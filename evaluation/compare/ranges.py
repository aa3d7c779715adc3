"""The studentized range, whose quantiles belong to tests of all pairs of groups."""

from functools import lru_cache

import numpy as np

from evaluation.compare.values import Values

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
