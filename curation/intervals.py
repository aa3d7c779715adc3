"""Intervals of scores that have a lowest and a highest value."""

from typing import Final

import numpy as np
import numpy.typing as npt

Values = npt.NDArray[np.float64]

LEVEL: Final = 0.95
"""The level of every interval of a score."""
ENDS: Final = 1 / 3
"""How much of a unit is put at each end of a score's range; less covers too little."""
_NEAR = 1e-12
_SMALLEST = 0.5  # of the effective number of trials, which a distribution needs to have


def beta_ends(
    centre: Values | float, variance: Values | float, level: float = LEVEL
) -> tuple[Values, Values]:
    """The ends of the interval of a score from 0 to 1.

    Its mean c and its variance v give the effective number of independent trials
    `n = c (1 - c) / v - 1` (Korn and Graubard 1998); the ends are quantiles of
    Beta(n c, n (1 - c)).

    Args:
        centre: The scores, with what was added for units that were not seen.
        variance: Their variances.
        level: Of the interval.

    Returns:
        Lower and upper ends, of the scores' shape; NaN where a score is.
    """
    from scipy.special import betaincinv

    size = np.maximum(centre * (1.0 - centre) / np.asarray(variance) - 1.0, _SMALLEST)
    tail = (1.0 - level) / 2
    low, high = (betaincinv(size * centre, size * (1.0 - centre), q) for q in (tail, 1.0 - tail))
    return np.asarray(low, np.float64), np.asarray(high, np.float64)


def interval(
    values: Values | float,
    moves: Values,
    units: Values | float,
    span: tuple[float, float],
    level: float = LEVEL,
) -> tuple[Values, Values]:
    """The ends of the interval of a score of units, such as templates or people.

    To the units comes a third of one at each end of the range, for those that were not seen
    (a pseudo-count, as of Kerman's neutral prior, 2011). With it, the score's mean c and its
    variance v, on a range from 0 to 1, give the effective number of units
    `n = c (1 - c) / v - 1` (Korn and Graubard 1998), and the ends are quantiles of
    Beta(n c, n (1 - c)). The interval always holds the score, and reaches an end of the range
    only where the score lies there.

    Args:
        values: The scores.
        moves: By how much each unit moves its score, along the last axis: for a mean over units
            the distance from the mean over their number.
        units: How many there are; where they have different sizes, the effective number.
        span: The ends of the score's range.
        level: Of the interval.

    Returns:
        Lower and upper ends, of the scores' shape; NaN where a score or the number of units is.
        Of fewer than two units nothing is known about how they differ.
    """
    low, wide = span[0], span[1] - span[0]
    number = np.asarray(units, np.float64)
    score = (np.asarray(values, np.float64) - low) / wide
    total = number + 2 * ENDS
    centre = (number * score + ENDS) / total
    squares = number**2 * ((moves / wide) ** 2).sum(axis=-1) + number * (score - centre) ** 2
    squares += ENDS * (centre**2 + (1.0 - centre) ** 2)
    first, last = beta_ends(centre, squares / (total * (total - 1.0)), level)
    there = ~np.isnan(first)
    first = np.where(there & (score <= _NEAR), 0.0, np.minimum(first, score))
    last = np.where(there & (score >= 1.0 - _NEAR), 1.0, np.maximum(last, score))
    return low + wide * first, low + wide * last
