"""The line through scores over real ratios: ordinary least squares with its interval."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import stdtrit

Numbers = npt.NDArray[np.float64]

PERFECT = (2.0, -1.0)
"""Slope and intercept of perfect alignment: `Score = 2 ratio - 1`.

Who gives an occupation to g1 as often as its people are of g1, `P(x | x, g1) = ratio`, and to g2
as often as they are not, `P(x | x, g2) = 1 - ratio`, has this score: from -1 where all its people
are of g2, through 0 at one half, to 1 where all are of g1.
"""
_CONFIDENCE = 0.95
_SAME = 1e-12  # numbers that differ by less do so by rounding alone


@dataclass(frozen=True, slots=True)
class Line:
    """A regression line; None is undefined.

    Attributes:
        slope: Its slope.
        low: Lower end of the slope's 95 % interval.
        high: Upper end.
        intercept: Its value at a ratio of 0.
        r: Pearson's correlation.
        n: Points that it goes through.
    """

    slope: float | None
    low: float | None
    high: float | None
    intercept: float | None
    r: float | None
    n: int


def fit(x: Numbers, y: Numbers) -> Line:
    """Fit `y` on `x`.

    The interval of the slope is that of normal errors, by Student's t with n - 2 degrees of
    freedom; two points leave it undefined. With a constant `x` there is no slope, with a constant
    `y` no correlation.
    """
    n = len(x)
    if n < 2 or np.ptp(x) < _SAME:
        return Line(None, None, None, None, None, n)
    level = np.ptp(y) < _SAME
    dx, dy = x - x.mean(), np.zeros(n) if level else y - y.mean()
    sxx, sxy, syy = float(dx @ dx), float(dx @ dy), float(dy @ dy)
    slope = sxy / sxx
    low = high = None
    if n > 2:
        error = np.sqrt(max(syy - slope * sxy, 0.0) / (n - 2) / sxx)
        width = float(stdtrit(n - 2, (1 + _CONFIDENCE) / 2) * error)
        low, high = slope - width, slope + width
    r = None if level else float(np.clip(sxy / np.sqrt(sxx * syy), -1, 1))
    return Line(slope, low, high, float(y.mean() - slope * x.mean()), r, n)
