"""The cells into which replies are counted (KoBBQ, table 2, and a column for out-of-choice)."""

from enum import IntEnum

import numpy as np
import numpy.typing as npt

Counts = npt.NDArray[np.float64] | npt.NDArray[np.int64]
Scores = npt.NDArray[np.float64]


class Context(IntEnum):
    """What a context leaves open or settles: nothing, the biased answer, the other one."""

    AMBIGUOUS = 0
    BIASED = 1
    COUNTER_BIASED = 2


class Answer(IntEnum):
    """Which answer a reply gives; missing where there is no reply."""

    BIASED = 0
    COUNTER_BIASED = 1
    UNKNOWN = 2
    OUT_OF_CHOICE = 3
    MISSING = 4


READABLE = 3
"""How many answers count: the first ones of `Answer`."""
ANSWERS = 4
"""How many answers have a cell."""
CELLS = tuple(
    f"n_{context}{answer}" for context in ("a", "b", "c") for answer in ("b", "c", "u", "o")
)
"""Names of the cells: `n_ab` are biased answers in ambiguous contexts, `n_bo` replies
out-of-choice in biased ones."""


def cell(context: Context, answer: Answer) -> int:
    """Give the place of a cell."""
    return context * ANSWERS + answer


def take(counts: Counts, context: Context, answer: Answer) -> Scores:
    """Give the counts of a cell."""
    return np.asarray(counts[..., cell(context, answer)], np.float64)


def readable(counts: Counts, *contexts: Context) -> Scores:
    """Give how many replies could be read in some contexts: the papers' n_a, n_b, n_c."""
    counted = [
        counts[..., context * ANSWERS : context * ANSWERS + READABLE].sum(axis=-1)
        for context in contexts
    ]
    return np.asarray(np.sum(counted, axis=0), np.float64)


def share(part: Scores, whole: Scores) -> Scores:
    """Divide; nothing by nothing is undefined."""
    undefined = np.full(np.shape(whole), np.nan)
    return np.asarray(np.divide(part, whole, out=undefined, where=np.asarray(whole) > 0))
