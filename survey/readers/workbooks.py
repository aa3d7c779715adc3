"""Workbooks as numbered rows of texts: what a cell shows, not what a program makes of it.

Cells that hold a formula or an error, which a fast reader does not tell, are found apart, before
the sheet is read (`survey.readers.sheets`).
"""

import datetime
from collections.abc import Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any

from curation.records.errors import CurateError
from survey.mapping import ReadPart
from survey.readers.sheets import Sheet, look_at_sheet, refuse_oversized
from survey.readers.source import Chunks, Place, Source, chunks

_EXACT = 1e15
"""Numbers from here on have more digits than a spreadsheet keeps."""


def read_sheet(path: Path, read: ReadPart, file: str) -> tuple[Source, Chunks]:
    """Open a sheet of a workbook.

    Raises:
        CurateError: If it is no XLSX or ODS workbook, or has no such sheet.
    """
    book = _open(path, file)
    sheets = tuple(book.sheet_names)
    name = read.sheet if read.sheet is not None else sheets[0]
    if name not in sheets:
        raise CurateError(
            f"the workbook has no sheet '{name}'",
            file,
            f"its sheets are {', '.join(sheets)}; name one in the mapping (read: sheet)",
        )
    sheet = look_at_sheet(path, sheets.index(name), file)
    _refuse_merged(sheet, read.header_rows, file)
    columns, suspects = _columns(book, name, file)
    suspects.update(sheet.suspects)
    hidden = tuple(row for row in sheet.hidden if read.header_rows < row <= sheet.rows)
    source = Source(
        kind="workbook",
        sheet=name,
        sheets=sheets,
        suspects=suspects,
        hidden=hidden,
        hidden_columns=tuple(at for at in sheet.hidden_columns if at < sheet.columns),
    )
    return source, chunks(zip(*columns, strict=True), file, head=read.header_rows)


def _refuse_merged(sheet: Sheet, heads: int, file: str) -> None:
    """Refuse merged cells among the answers: all but one of them would be read as empty."""
    merged = [name for _, last, name in sheet.merged if last > heads]
    if merged:
        more = f", and {len(merged) - 1} more ranges" if len(merged) > 1 else ""
        raise CurateError(
            f"cells {merged[0]} are merged into one{more}: it is not clear whose answer it is",
            f"{file}, cells {merged[0]}",
            "unmerge them, and write the answer into each cell that it belongs to",
        )


def sheet_names(path: Path, file: str) -> tuple[str, ...]:
    """Name the sheets of a workbook.

    Raises:
        CurateError: If it is no XLSX or ODS workbook.
    """
    return tuple(_open(path, file).sheet_names)


def sheet_rows(path: Path, name: str, file: str) -> list[Sequence[str]]:
    """Read all rows of a sheet that are not blank.

    Raises:
        CurateError: If it cannot be read.
    """
    book = _open(path, file)
    look_at_sheet(path, book.sheet_names.index(name), file)
    columns, _ = _columns(book, name, file)
    return [cells for cells in zip(*columns, strict=True) if any(cells)]


def _open(path: Path, file: str) -> Any:
    from python_calamine import CalamineError, CalamineWorkbook

    refuse_oversized(path, file)
    try:
        book = CalamineWorkbook.from_path(path)
    except (CalamineError, OSError, ValueError) as error:
        raise CurateError(
            f"{path.name} is not an XLSX or ODS workbook that can be read",
            file,
            "open it in a spreadsheet and save it as XLSX, without a password",
        ) from error
    if not book.sheet_names:
        raise CurateError("the workbook has no sheets", file, "export it again")
    return book


def _columns(book: Any, name: str, file: str) -> tuple[list[list[str]], dict[Place, str]]:
    from python_calamine import CalamineError

    try:
        rows = book.get_sheet_by_name(name).to_python(skip_empty_area=False)
    except (CalamineError, ValueError) as error:
        raise CurateError(
            f"sheet '{name}' cannot be read: {error}", file, "save the workbook again as XLSX"
        ) from error
    suspects: dict[Place, str] = {}
    columns = []
    for at, cells in enumerate(zip_longest(*rows, fillvalue="")):
        texts = _Texts()
        # True equals 1 and would be taken for it, so truth values are looked up by name.
        known = [_truth(cell) for cell in cells] if bool in set(map(type, cells)) else cells
        columns.append(list(map(texts.__getitem__, known)))
        if texts.rounded:
            for row, cell in enumerate(columns[-1], start=1):
                if cell in texts.rounded:
                    suspects[row, at] = "a number of more digits than a spreadsheet keeps"
    while columns and not any(columns[-1]):
        columns.pop()
    return columns, suspects


def _truth(cell: object) -> object:
    return str(cell).upper() if isinstance(cell, bool) else cell


class _Texts(dict[object, str]):
    """The text of each distinct cell, made when it is first asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.rounded: set[str] = set()

    def __missing__(self, cell: object) -> str:
        text = self[cell] = number_text(cell) if isinstance(cell, float) else _text(cell)
        if isinstance(cell, float) and abs(cell) >= _EXACT:
            self.rounded.add(text)
        return text


def number_text(number: float) -> str:
    """Write a number as a person would have: 1, not 1.0."""
    return str(int(number)) if number.is_integer() else repr(number)


def _text(cell: object) -> str:
    if isinstance(cell, datetime.datetime | datetime.date | datetime.time):
        return cell.isoformat()
    if isinstance(cell, datetime.timedelta):
        minutes, seconds = divmod(int(cell.total_seconds()), 60)
        return f"{minutes // 60}:{minutes % 60:02}:{seconds:02}"
    return str(cell)
