"""Tables of scores, as `score` of any family writes them, read back."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isfinite
from pathlib import Path

from curation.io.tables import Row, read_table, refuse_problems
from curation.io.writers.cells import unescape_formula
from curation.model.errors import CurateError

_KEYS = ("model", "group_by", "group")


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """One row.

    Attributes:
        model: The model.
        group_by: What the row is about: `overall`, `category`, ...
        group: Which of them; empty overall.
        values: By column the score; None where it is undefined.
    """

    model: str
    group_by: str
    group: str
    values: dict[str, float | None]


def read_scores(
    path: Path, columns: Sequence[str], wanted: Sequence[str], optional: Sequence[str] = ()
) -> list[ScoreRow]:
    """Read rows of some groupings.

    Args:
        path: The table (CSV).
        columns: Scores that must be there.
        wanted: The groupings to read; rows of others are passed over.
        optional: Scores that are read where they are there.

    Raises:
        CurateError: If the table cannot be read, lacks a column, holds what is no number, has
            two rows of one model and group, or none of the groupings.
    """
    table = read_table(path, required=(*_KEYS, *columns))
    refuse_problems(table)
    read = [*columns, *(name for name in optional if name in table.columns)]
    found: dict[tuple[str, str, str], ScoreRow] = {}
    for row in table.rows:
        model, group_by, group = (unescape_formula(row[name]).strip() for name in _KEYS)
        if group_by not in wanted:
            continue
        where = f"{table.file}, row {row.number}"
        if not model:
            raise CurateError("the cell is empty", f"{where}, column model", "name the model")
        if (model, group_by, group) in found:
            what = f"{model} has two rows of {group_by} {group}".strip()
            raise CurateError(what, where, "keep one of the two")
        values = dict(numbers_of(row, read, where))
        found[model, group_by, group] = ScoreRow(model, group_by, group, values)
    if not found:
        raise CurateError(
            f"{path.name} has no row of {' or '.join(wanted)}",
            str(path),
            "name the scores.csv that a 'score' command wrote with --out",
        )
    return list(found.values())


def numbers_of(row: Row, columns: Sequence[str], where: str) -> Iterator[tuple[str, float | None]]:
    """Yield columns of a row with their numbers; None where a cell is empty.

    Raises:
        CurateError: If a cell holds what is no number.
    """
    for name in columns:
        cell = row[name].strip()
        try:
            value = float(cell) if cell else None
        except ValueError:
            value = float("nan")
        if value is not None and not isfinite(value):
            what = f"'{cell}' is no number"
            raise CurateError(what, f"{where}, column {name}", "leave undefined scores empty")
        yield name, value
