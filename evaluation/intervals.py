"""How sure a score is: an interval from how scores differ between templates.

Templates are the units, for replies to one template are much alike. The interval is computed, not
drawn, so that the same counts have the same interval everywhere.
"""

from collections.abc import Callable
from typing import Final

import numpy as np
import numpy.typing as npt

from curation.intervals import Values, interval

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


def bounded(
    counts: Counts,
    score: Callable[[Counts], Values],
    bound: Callable[[Counts], Values],
    sizes: Values,
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

    Returns:
        Lower and upper ends, which hold the score; NaN where the bound has no interval.
    """

    def ratio(found: Counts) -> Values:
        # Beyond 1 where the bound does not hold: with unequal numbers of both kinds of context.
        return np.clip(_over(score(found), bound(found)), -1.0, 1.0)

    wrong = np.nan_to_num(bound(counts)) * sizes
    size, size_moves, number = pooled(counts, bound, sizes)
    sizes_from_to = interval(size, size_moves, number, (0.0, 1.0))
    side, side_moves, number = pooled(counts, ratio, wrong)
    low, high = interval(side, side_moves, number, (-1.0, 1.0))
    # What goes wrong in one template, or in none, does not say how others lean.
    unknown = np.isnan(low)
    sides_from_to = np.where(unknown, -1.0, low), np.where(unknown, 1.0, high)
    both = np.sqrt((size_moves**2).sum(axis=-1) * (side_moves**2).sum(axis=-1))
    together = np.nan_to_num(_over((size_moves * side_moves).sum(axis=-1), both))
    several = (wrong > 0).sum(axis=-1)  # two templates always lie on a line
    together = np.clip(together, -1.0, 1.0) * np.maximum(1.0 - 2.0 / np.maximum(several, 2), 0.0)
    together = np.where(unknown, 0.0, together)[..., None]
    along = np.sin(_ANGLES)
    across = together * along + np.sqrt(1.0 - together**2) * np.cos(_ANGLES)
    products = _away(size, sizes_from_to, along) * _away(np.nan_to_num(side), sides_from_to, across)
    value = score(counts.sum(axis=-2))
    return np.minimum(products.min(axis=-1), value), np.maximum(products.max(axis=-1), value)


def _away(value: Values, ends: tuple[Values, Values], shares: Values) -> Values:
    """Go from values towards an end of their intervals, by shares of the way from -1 to 1."""
    down, up = (np.abs(end - value)[..., None] for end in ends)
    return np.asarray(value[..., None] + np.where(shares > 0, up, down) * shares)


def averaged(scores: Values, bounds: Values, weights: Values) -> tuple[Values, Values]:
    """The ends of the interval of an average of templates' scores, each with its own bound.

    Args:
        scores: One a template, along the last axis; NaN where it is undefined.
        bounds: Their largest sizes, from 0 to 1.
        weights: How much each template counts.

    Returns:
        As `bounded`.
    """
    there = ~np.isnan(scores) & ~np.isnan(bounds)
    counted = np.where(there, weights, 0.0)
    parts = (np.where(there, part, 0.0) * counted for part in (scores, bounds))
    return bounded(np.stack([*parts, counted], axis=-1), _mean_score, _mean_bound, counted)


def difference(one: Moved, two: Moved, widest: float) -> tuple[Values, Values]:
    """The ends of the interval of the difference of a score between two sides of one templates.

    Each template adds its part to the difference: what it moves the first score less what it moves
    the second, and its share of the difference itself. The difference is the mean size of these
    parts times how far they lean to one side; see `bounded`.

    Args:
        one: The score on the first side, what each template moves it, and how much each counts.
        two: The same of the second side, template by template.
        widest: The largest difference that there can be.

    Returns:
        Lower and upper ends; NaN where a score is, or with fewer than two templates.
    """
    apart = (one[0] - two[0])[..., None]
    weights = (_shares(one[2]) + _shares(two[2])) / 2
    parts = (np.nan_to_num(_over(one[1] - two[1], weights)) + apart) / widest
    low, high = averaged(parts, np.minimum(np.abs(parts), 1.0), weights)
    return widest * low, widest * high


def _shares(sizes: Values) -> Values:
    return np.nan_to_num(_over(sizes, sizes.sum(axis=-1, keepdims=True)))


def _mean_score(counts: Counts) -> Values:
    return _over(counts[..., 0], counts[..., 2])


def _mean_bound(counts: Counts) -> Values:
    return _over(counts[..., 1], counts[..., 2])


def _over(part: Counts, whole: Counts) -> Values:
    undefined = np.full(np.broadcast_shapes(np.shape(part), np.shape(whole)), np.nan)
    return np.asarray(np.divide(part, whole, out=undefined, where=np.asarray(whole) > _NEAR))
