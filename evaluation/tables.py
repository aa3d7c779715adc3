"""Rows of scores as the cells of a CSV."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from curation.io.writers.cells import escape_formula


def cells(
    rows: Iterable[Mapping[str, str | int | float | None]], columns: Sequence[str]
) -> Iterator[list[object]]:
    """Yield rows as a table holds them.

    What is undefined is empty, and a name that a spreadsheet would take for a formula begins with
    an apostrophe; numbers stay numbers.
    """
    for row in rows:
        yield [_cell(row[name]) for name in columns]


def _cell(value: str | int | float | None) -> object:
    if value is None:
        return ""
    return escape_formula(value) if isinstance(value, str) else value
