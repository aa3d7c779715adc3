"""How sure a score is: an interval from how scores differ between templates.

Templates are the units, for replies to one template are much alike. The interval is computed, not
drawn, so that the same counts have the same interval everywhere.
"""

from collections.abc import Callable
from typing import Final

import numpy as np
import numpy.typing as npt

from curation.intervals import LEVEL, beta_ends

Values = npt.NDArray[np.float64]
Counts = npt.NDArray[np.int64] | npt.NDArray[np.float64]

ENDS: Final = 1 / 3
"""How much of a template is put at each end of a score's range; less covers too little."""
FEWEST: Final = 20
"""An interval from fewer templates is flagged."""
FEW: Final = "few templates"
"""What `interval_note` holds of such an interval."""
_NEAR = 1e-12


def interval(
    values: Values | float,
    moves: Values,
    templates: Values | float,
    span: tuple[float, float],
    level: float = LEVEL,
) -> tuple[Values, Values]:
    """The ends of the interval of a score.

    To the templates comes a third of one at each end of the range, for those that were not seen
    (a pseudo-count, as of Kerman's neutral prior, 2011). With it, the score's mean c and its
    variance v, on a range from 0 to 1, give the effective number of templates
    `n = c (1 - c) / v - 1` (Korn and Graubard 1998), and the ends are quantiles of
    Beta(n c, n (1 - c)). The interval always holds the score, and reaches an end of the range
    only where the score lies there.

    Args:
        values: The scores.
        moves: By how much each template moves its score, along the last axis: for a mean over
            templates the distance from the mean over their number.
        templates: How many templates; where they have different sizes, the effective number.
        span: The ends of the score's range.
        level: Of the interval.

    Returns:
        Lower and upper ends, of the scores' shape; NaN where a score or the number of templates
        is. Of fewer than two templates nothing is known about how they differ.
    """
    low, wide = span[0], span[1] - span[0]
    number = np.asarray(templates, np.float64)
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


def effective(sizes: Values) -> Values:
    """The number of templates that would tell as much if all had one size (Kish 1965).

    Args:
        sizes: How many replies each has, along the last axis. A single one gives NaN.
    """
    squares = (sizes**2).sum(axis=-1)
    several = (sizes > 0).sum(axis=-1) > 1
    alone = np.full(several.shape, np.nan)
    return np.asarray(np.divide(sizes.sum(axis=-1) ** 2, squares, out=alone, where=several))


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
        replies) and the effective number of templates, as `interval` takes them.
    """
    total = counts.sum(axis=-2, keepdims=True)
    value = score(total)[..., 0]
    number = (sizes > 0).sum(axis=-1, keepdims=True)
    moves = (value[..., None] - score(total - counts)) * (number - 1.0) / np.maximum(number, 1.0)
    return value, np.nan_to_num(moves), effective(sizes)
