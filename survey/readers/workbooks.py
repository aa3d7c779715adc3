"""Workbooks as numbered rows of texts: what a cell shows, not what a program makes of it.

Cells that hold a formula or an error, which a fast reader does not tell, are found apart.
"""

import datetime
import re
import zipfile
import zlib
from collections.abc import Sequence
from io import BytesIO
from itertools import zip_longest
from pathlib import Path
from typing import Any

from curation.files.workbooks.ods import is_ods, ods_sheets
from curation.records.errors import CurateError
from survey.mapping import ReadPart
from survey.readers.source import Chunks, Place, Source, chunks

_SHEET = re.compile(rb"<(?:\w+:)?sheet\s[^>]*?\s\w+:id=[\"']([^\"']+)[\"']")
_RELATION = re.compile(rb"<(?:\w+:)?Relationship\s[^>]*>")
_ID = re.compile(rb"\sId=[\"']([^\"']+)[\"']")
_TARGET = re.compile(rb"\sTarget=[\"']([^\"']+)[\"']")
_SUSPECT = re.compile(rb"<(?:\w+:)?f[\s/>]|\st=[\"']e[\"']")
_CELL = re.compile(rb"<(?:\w+:)?c\s([^>]*?)(?:/>|>(.*?)</(?:\w+:)?c>)", re.DOTALL)
_FORMULA, _ERROR = "a formula", "an error of the spreadsheet"
_REFERENCE = re.compile(rb"\br=[\"']([A-Z]+)([0-9]+)[\"']")


def scan_cells(path: Path, sheet: int) -> dict[Place, str]:
    """Find formulas and errors.

    Args:
        path: The workbook.
        sheet: Position of the sheet in the workbook.

    Returns:
        What is wrong with each such cell.

    Raises:
        ValueError: If the workbook is damaged, or is neither XLSX nor ODS.
    """
    data = path.read_bytes()
    if is_ods(data):
        return {
            (cell.row, cell.column - 1): _ERROR if cell.error else _FORMULA
            for cell in ods_sheets(data)[sheet].cells
            if cell.error or cell.formula
        }
    try:
        with zipfile.ZipFile(BytesIO(data)) as book:
            names = set(book.namelist())
            part = _part(book, names, sheet)
            if part not in names:
                raise ValueError("it is a workbook of another kind")
            data = book.read(part)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, OSError) as error:
        raise ValueError(f"it is damaged: {error}") from error
    if not _SUSPECT.search(data):
        return {}
    found: dict[Place, str] = {}
    for match in _CELL.finditer(data):
        suspect = _SUSPECT.search(match[0])
        place = _REFERENCE.search(match[1])
        if suspect and place:
            what = _ERROR if b"t=" in suspect[0] else _FORMULA
            found[int(place[2]), column_number(place[1].decode())] = what
    return found


def _part(book: zipfile.ZipFile, names: set[str], sheet: int) -> str:
    """The name of the part that holds a sheet."""
    relations = "xl/_rels/workbook.xml.rels"
    if not {"xl/workbook.xml", relations} <= names:
        return ""
    ids = _SHEET.findall(book.read("xl/workbook.xml"))
    targets = {}
    for tag in _RELATION.findall(book.read(relations)):
        name, target = _ID.search(tag), _TARGET.search(tag)
        if name and target:
            targets[name[1]] = target[1].decode()
    target_of = targets.get(ids[sheet], "") if sheet < len(ids) else ""
    return target_of.lstrip("/") if target_of.startswith("/") else f"xl/{target_of}"


def column_number(letters: str) -> int:
    """The position, from 0, of the column that a spreadsheet calls by letters."""
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number - 1


def column_letters(at: int) -> str:
    """The letters by which a spreadsheet calls a column, from 0."""
    letters = ""
    at += 1
    while at:
        at, rest = divmod(at - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


_EXACT = 1e15
"""Numbers from here on have more digits than a spreadsheet keeps."""


def read_sheet(path: Path, read: ReadPart, file: str) -> tuple[Source, Chunks]:
    """Open a sheet of a workbook.

    Raises:
        CurateError: If it is no XLSX workbook, or has no such sheet.
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
    columns, suspects = _columns(book, name, file)
    try:
        suspects.update(scan_cells(path, sheets.index(name)))
    except ValueError as error:
        raise CurateError(
            f"{path.name} is no XLSX workbook: {error}", file, "open it and save it as XLSX"
        ) from error
    source = Source(kind="workbook", sheet=name, sheets=sheets, suspects=suspects)
    return source, chunks(zip(*columns, strict=True), file, head=read.header_rows)


def sheet_names(path: Path, file: str) -> tuple[str, ...]:
    """Name the sheets of a workbook.

    Raises:
        CurateError: If it is no XLSX workbook.
    """
    return tuple(_open(path, file).sheet_names)


def sheet_rows(path: Path, name: str, file: str) -> list[Sequence[str]]:
    """Read all rows of a sheet that are not blank.

    Raises:
        CurateError: If it cannot be read.
    """
    columns, _ = _columns(_open(path, file), name, file)
    return [cells for cells in zip(*columns, strict=True) if any(cells)]


def _open(path: Path, file: str) -> Any:
    from python_calamine import CalamineError, CalamineWorkbook

    try:
        book = CalamineWorkbook.from_path(path)
    except (CalamineError, OSError, ValueError) as error:
        raise CurateError(
            f"{path.name} is no XLSX workbook that can be read",
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
