"""Order bias: how answers move with the place at which a choice stands."""

from collections.abc import Iterator

import numpy as np

from evaluation.counting import Answers, choices_of, positions_of
from evaluation.grid import Grid
from evaluation.metrics.cells import Answer, Context
from evaluation.score import Row

POSITION_COLUMNS = (
    *("model", "context_type", "n", "first", "second", "third", "asked_thrice", "consistent"),
)
"""The columns of `positions.csv`.

`first`, `second` and `third` are the shares of the n readable replies that name the choice at
that place: a third each, where every request was asked in all three orders and answers hang on
what is asked alone. `consistent` is the share of the samples and prompts with readable replies
in all three orders (`asked_thrice`) that were answered with the same choice in all of them.
"""


def position_rows(model: str, grid: Grid, answers: Answers) -> Iterator[Row]:
    """Yield a model's rows, for all contexts and for each type of them."""
    ambiguous = grid.samples.context == Context.AMBIGUOUS
    for name, chosen in (
        ("all", np.ones(len(ambiguous), np.bool_)),
        ("amb", ambiguous),
        ("dis", ~ambiguous),
    ):
        yield _row(model, name, grid, answers, chosen)


def _row(
    model: str,
    name: str,
    grid: Grid,
    answers: Answers,
    chosen: np.ndarray[tuple[int], np.dtype[np.bool_]],
) -> Row:
    places = positions_of(grid, answers)[chosen]
    read = places[places >= 0]
    shares = np.bincount(read, minlength=3) / len(read) if len(read) else None
    readable = (answers[chosen] < Answer.OUT_OF_CHOICE).all(axis=2)
    choice = choices_of(grid, answers)[chosen]
    same = ((choice == choice[:, :, :1]).all(axis=2) & readable).sum()
    thrice = int(readable.sum())
    row: Row = {"model": model, "context_type": name, "n": len(read)}
    for at, title in enumerate(("first", "second", "third")):
        row[title] = None if shares is None else round(float(shares[at]), 12)
    row["asked_thrice"] = thrice
    row["consistent"] = int(same) / thrice if thrice else None
    return row
