"""Replies counted into the cells of the scores, by template, prompt and order."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evaluation.grid import Grid
from evaluation.metrics.cells import ANSWERS, CELLS, Answer, Context
from evaluation.orders import ORDERS

Answers = npt.NDArray[np.int8]
"""For each request of a grid the `Answer`, of its shape."""
Tallies = npt.NDArray[np.int64]
"""Counts of the shape templates x prompts x 3 orders x `CELLS`."""


def answers_of(
    grid: Grid, places: npt.NDArray[np.int64], positions: npt.NDArray[np.int8]
) -> Answers:
    """Give for each request of a grid which answer its reply gives.

    Args:
        grid: What was asked.
        places: Of the replies; each at most once.
        positions: Which of the choices as shown each reply names; -1 when it is out-of-choice.
    """
    found = np.full(grid.size, Answer.MISSING, np.int8)
    sample, _, order = np.unravel_index(places, grid.asked.shape)
    choice = np.array(ORDERS[grid.orders], np.int8)[order, np.maximum(positions, 0)]
    answer = np.where(choice == grid.samples.biased[sample], Answer.BIASED, Answer.COUNTER_BIASED)
    answer = np.where(choice == 2, Answer.UNKNOWN, answer)
    found[places] = np.where(positions < 0, Answer.OUT_OF_CHOICE, answer)
    return found.reshape(grid.asked.shape)


def choices_of(grid: Grid, answers: Answers) -> npt.NDArray[np.int8]:
    """Give which choice of its sample each request's answer is; -1 where it is none."""
    biased = grid.samples.biased[:, None, None]
    choice = np.where(answers == Answer.BIASED, biased, 1 - biased)
    choice = np.where(answers == Answer.UNKNOWN, 2, choice)
    return np.where(answers >= Answer.OUT_OF_CHOICE, -1, choice).astype(np.int8)


def positions_of(grid: Grid, answers: Answers) -> npt.NDArray[np.int8]:
    """Give at which place the answer of each request stood; -1 where it is none of the choices."""
    places = np.argsort(np.array(ORDERS[grid.orders], np.int8), axis=1)  # by order and choice
    choice = choices_of(grid, answers)
    found = places[np.arange(3)[None, None, :], np.maximum(choice, 0)]
    return np.where(choice < 0, -1, found).astype(np.int8)


def count(grid: Grid, answers: Answers) -> Tallies:
    """Count answers; requests that were not made or have no reply are in no cell."""
    samples = grid.samples
    _, prompts, orders = grid.asked.shape
    there = grid.asked & (answers != Answer.MISSING)
    cells = samples.context.astype(np.int64)[:, None, None] * ANSWERS + answers
    strata = samples.unit.astype(np.int64)[:, None, None] * (prompts * orders)
    strata = strata + np.arange(prompts * orders).reshape(1, prompts, orders)
    flat = (strata * len(CELLS) + cells)[there]
    shape = (len(samples.units), prompts, orders, len(CELLS))
    return np.bincount(flat, minlength=int(np.prod(shape))).reshape(shape)


@dataclass(frozen=True, slots=True)
class Attendance:
    """Which requests a model replied to.

    Attributes:
        asked: How many requests there are.
        missing: Places of those without a reply.
    """

    asked: int
    missing: npt.NDArray[np.int64]


def attendance(grid: Grid, answers: Answers) -> Attendance:
    """Find the requests without a reply."""
    missing = np.flatnonzero((grid.asked & (answers == Answer.MISSING)).ravel())
    return Attendance(int(grid.asked.sum()), missing)


assert len(CELLS) == len(Context) * ANSWERS  # noqa: S101  # the cells are contexts x answers
