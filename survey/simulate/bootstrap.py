"""How sure a mean is: a bootstrap over questions."""

import numpy as np
import numpy.typing as npt

from survey.thresholds import rounded

DRAWS = 1000
"""Draws of the bootstrap."""

Numbers = npt.NDArray[np.float64]


def interval(
    sums: Numbers, counts: Numbers, seed: int
) -> tuple[float | None, float | None, float | None]:
    """Give a mean over replies with its 95 % percentile interval (Efron 1979).

    Questions are drawn with their replies, for the replies to one question in several wordings
    are not independent. The same seed and number of questions draw the same questions, so that
    models are compared on the same draws.

    Args:
        sums: For each question the sum over its replies.
        counts: For each question how many replies it has.
        seed: Of the draws.

    Returns:
        The mean, None without a reply; and the interval's ends, None with replies to fewer than
        two questions.
    """
    answered = counts > 0
    sums, counts = sums[answered], counts[answered]
    if not len(counts):
        return None, None, None
    mean = rounded(sums.sum() / counts.sum())
    if len(counts) < 2:
        return mean, None, None
    drawn = np.random.default_rng(seed).integers(len(counts), size=(DRAWS, len(counts)))
    means = sums[drawn].sum(axis=1) / counts[drawn].sum(axis=1)
    low, high = np.percentile(means, (2.5, 97.5))
    return mean, rounded(low), rounded(high)
