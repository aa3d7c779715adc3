"""What chance gives the measures: the replies on two groups exchanged, again and again.

A mean of sizes such as `M_B` is above 0 also where nothing but chance tells the groups apart, and
the scores of two occupations of one pair are tied, so that a line through them has no usual
standard error. Both are answered by the data. Who treats the groups alike gives as likely the
replies on a persona of one group to its counterpart of the other (a randomisation test: Fisher
1935; Pitman 1937). The replies of such a unit are exchanged together, under all instructions and in
all epochs, for they share the order of options, and replies to one item are much alike.
"""

from collections import Counter
from collections.abc import Hashable, Sequence
from zlib import crc32

import numpy as np
import numpy.typing as npt
from scipy.optimize import linear_sum_assignment

Numbers = npt.NDArray[np.float64]
Codes = npt.NDArray[np.int64]

DRAWS = 2000
"""Exchanges; a p-value is known to about 0.005 at 0.05."""
FEWEST = 6
"""Units without which nothing is said: of five not even all in one direction have p below .05."""
ALONE = -1
"""The unit of what has no counterpart, and is never exchanged."""
_LEVEL = 0.95
_SAME = 1e-12  # numbers that differ by less do so by rounding alone


def counterparts(
    sets: Sequence[Hashable], groups: Sequence[str], sentences: Sequence[str]
) -> Codes:
    """Number the units of which the groups' replies are exchanged.

    Within the items on the same occupations a sentence on one group goes with the sentence on the
    other that shares most words with it: `a woman who works in` with `a man who works in`, and in
    coreference the same sentence with the other pronoun.

    Args:
        sets: For each item what its occupations are known by.
        groups: Its group; of at most two.
        sentences: Its sentence.

    Returns:
        For each item its unit, `ALONE` where no sentence of the other group is left for it.
    """
    names = list(dict.fromkeys(groups))
    found: dict[Hashable, tuple[dict[str, None], ...]] = {}
    for key, group, sentence in zip(sets, groups, sentences, strict=True):
        found.setdefault(key, tuple({} for _ in names))[names.index(group)].setdefault(sentence)
    matched: dict[tuple[tuple[str, ...], ...], list[tuple[int, int]]] = {}
    unit: dict[tuple[Hashable, str, str], int] = {}
    count = 0
    for key, texts in found.items():
        if len(texts) < 2:
            continue
        sides = tuple(tuple(part) for part in texts)
        if sides not in matched:  # the personas of most tasks are the same for all occupations
            matched[sides] = _alike(sides[0], sides[1])
        for first, second in matched[sides]:
            unit[key, names[0], sides[0][first]] = count
            unit[key, names[1], sides[1][second]] = count
            count += 1
    each = zip(sets, groups, sentences, strict=True)
    return np.array([unit.get(key, ALONE) for key in each], np.int64)


def _alike(first: Sequence[str], second: Sequence[str]) -> list[tuple[int, int]]:
    words = [[Counter(text.casefold().split()) for text in side] for side in (first, second)]
    shared = [[(one & other).total() for other in words[1]] for one in words[0]]
    rows, columns = linear_sum_assignment(np.array(shared, np.float64), maximize=True)
    return list(zip(rows.tolist(), columns.tolist(), strict=True))


def exchanges(units: int, replies: bytes) -> npt.NDArray[np.float32]:
    """Draw which units are exchanged: draws by units, 1 where a unit is.

    Args:
        units: How many units there are.
        replies: The replies as bytes, the seed: the same replies have the same exchanges, and
            what chance leaves of one draw is not the same for all models.
    """
    drawn = np.random.default_rng(crc32(replies)).integers(0, 2, (DRAWS, units), np.int8)
    return drawn.astype(np.float32)  # sums of counts are exact up to 16 million


def exchanged(
    counts: Codes,
    unit: Codes,
    place: tuple[Codes, Codes],
    cells: int,
    drawn: npt.NDArray[np.float32],
) -> Numbers:
    """Count again, in each draw with the groups of some units exchanged.

    Args:
        counts: What each row counts for.
        unit: Its unit.
        place: Its group, 0 or 1, and its cell, where it is counted.
        cells: How many cells there are.
        drawn: As `exchanges` gives it.

    Returns:
        Draws by groups by cells.
    """
    group, cell = place
    own = np.bincount(group * cells + cell, counts, 2 * cells).reshape(2, cells)
    there = unit != ALONE
    towards = np.where(group[there] == 0, -1.0, 1.0)  # to the first group, if it is exchanged
    size = drawn.shape[1]
    flat = np.bincount(unit[there] * cells + cell[there], towards * counts[there], size * cells)
    more = flat.reshape(size, cells).astype(np.float32)
    differs = more.any(axis=0)  # where groups are equal, exchanging them changes nothing
    moved = np.zeros((len(drawn), cells))
    moved[:, differs] = drawn @ more[:, differs]
    return np.stack([own[0] + moved, own[1] - moved], axis=1)


def beside(scores: Numbers, drawn: Numbers, ratio: Numbers, units: int) -> dict[str, float]:
    """Compare measures with those of the exchanges.

    The interval of `M_B` ends below at `M_B` less the 97.5 % quantile of the exchanges' `M_B`: the
    sizes of the true scores are, in the mean, no smaller than those of the scores less those of
    their errors. It ends above at `M_B` plus the 97.5 % quantile of the exchanges' scores in the
    direction of the scores: the mean of sizes is never too small in expectation (Jensen's
    inequality). The interval of `M_S` is `M_S` plus and minus the 95 % quantile of the exchanges'
    sizes. All are a little wide where groups are treated very differently, for what is exchanged
    then differs by more than chance.

    Args:
        scores: The score of each occupation, NaN where it is undefined.
        drawn: The same in each exchange: draws by occupations.
        ratio: The share of g1 in each occupation.
        units: How many units were exchanged.

    Returns:
        `M_B_null`, the mean of `M_B` over the exchanges; `M_B_p` and `M_S_p`, the shares of
        exchanges with an `M_B` as large and an `M_S` as far from 0; and the ends of both
        intervals. What is undefined is left out.
    """
    there = ~np.isnan(scores)
    if units < FEWEST or not there.any():
        return {}
    known, x, score = ~np.isnan(drawn[:, there]), ratio[there], scores[there]
    values = np.where(known, drawn[:, there], 0.0)
    number = np.maximum(known.sum(axis=1), 1)
    sizes = np.abs(values).sum(axis=1) / number
    along = (values * np.sign(score)).sum(axis=1) / number
    balance = float(np.abs(score).mean())
    tail = (1.0 + _LEVEL) / 2
    found = {
        "M_B_null": float(sizes.mean()),
        "M_B_p": _share(sizes, balance),
        "M_B_low": max(0.0, balance - float(np.quantile(sizes, tail))),
        "M_B_high": min(1.0, balance + float(np.quantile(along, tail))),
    }
    if len(x) > 1 and np.ptp(x) > _SAME:
        slopes = np.abs(_slopes(x, values, known))
        slope = float(_slopes(x, score[None], np.ones((1, len(x)), np.bool_))[0])
        half = float(np.quantile(slopes, _LEVEL))
        found |= {"M_S_p": _share(slopes, abs(slope))}
        found |= {"M_S_low": slope - half, "M_S_high": slope + half}
    return found


def _share(drawn: Numbers, value: float) -> float:
    """The p-value: the data are one of the exchanges (Phipson and Smyth 2010)."""
    return float(1 + (drawn >= value - _SAME).sum()) / (1 + len(drawn))


def _slopes(x: Numbers, y: Numbers, known: npt.NDArray[np.bool_]) -> Numbers:
    """The least-squares slopes of rows of `y` on `x`, over what is known of each."""
    number = np.maximum(known.sum(axis=1), 1)
    dx = np.where(known, x - ((known * x).sum(axis=1) / number)[:, None], 0.0)
    squares = (dx**2).sum(axis=1)
    return np.asarray((dx * y).sum(axis=1) / np.where(squares > _SAME, squares, np.inf))
