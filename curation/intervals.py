"""Intervals of scores that have a lowest and a highest value."""

from typing import Final

import numpy as np
import numpy.typing as npt

Values = npt.NDArray[np.float64]

LEVEL: Final = 0.95
"""The level of every interval of a score."""
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
