"""Read a workbook of somebody else's as a table: what is in the cells, as text."""

from collections.abc import Callable, Sequence
from pathlib import Path

from curation.files.tables import INCOMPLETE_HEADER, Row, Table
from curation.files.workbooks.opening import cells_of
from curation.records.errors import CurateError


def read_workbook_table(
    path: Path, wanted: Callable[[frozenset[str]], bool], shown_as: str = ""
) -> Table:
    """Read the first sheet of a workbook whose header is a wanted one.

    The header is the first row that holds anything. Rows keep the numbers that a spreadsheet shows;
    blank rows hold no record. A whole number is written without decimals. A column without a name
    that holds anything is called by its letters, `(D)`.

    Args:
        path: The workbook.
        wanted: Tells of the names of a header's columns whether it is one.
        shown_as: The path to show; the file's name by default.

    Raises:
        CurateError: If it is no workbook, no sheet has such a header, or a column of it
            occurs twice.
    """
    shown = shown_as or path.name
    sheets = cells_of(path)
    for name, cells in sheets.items():
        at, header = _header(cells)
        if wanted(frozenset(header) - {""}):
            return _table(shown if len(sheets) == 1 else f"{shown}, sheet {name}", at, cells)
    raise CurateError(
        f"no sheet of {path.name} has the columns that are read",
        str(path),
        f"its sheets are {', '.join(sheets) or 'none'}; the first row names the columns",
        code=INCOMPLETE_HEADER,
    )


def _header(cells: Sequence[Sequence[str]]) -> tuple[int, list[str]]:
    at = next((at for at, row in enumerate(cells) if any(row)), 0)
    return at, [cell.strip() for cell in cells[at]] if cells else []


def _table(shown: str, at: int, cells: Sequence[Sequence[str]]) -> Table:
    columns = [
        name or _letters(place, cells[at + 1 :]) for place, name in enumerate(_header(cells)[1])
    ]
    named = [name for name in columns if name]
    twice = next((name for name in named if named.count(name) > 1), None)
    if twice is not None:
        what = f"column '{twice}' occurs twice in the header"
        raise CurateError(what, f"{shown}, row {at + 1}", "rename one")
    rows = tuple(
        Row(number, {name: cell for name, cell in zip(columns, row, strict=False) if name})
        for number, row in enumerate(cells[at + 1 :], start=at + 2)
        if any(cell.strip() for cell in row)
    )
    return Table(shown, tuple(named), rows, (), len(rows))


def _letters(place: int, rows: Sequence[Sequence[str]]) -> str:
    """What a column without a name is called; nothing where it holds nothing."""
    if not any(row[place].strip() for row in rows):
        return ""
    from openpyxl.utils import get_column_letter

    return f"({get_column_letter(place + 1)})"
