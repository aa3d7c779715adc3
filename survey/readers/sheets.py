"""What a sheet of a workbook is like, found out before its cells are read.

A workbook of a few kilobytes may hold a cell in the last row and column, or millions of cells: a
reader would make room for all of them. The sheet's part is looked at as a stream, in little memory.
Found are its size, merged and hidden rows, and cells that no person entered.
"""

import re
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from xml.parsers import expat

from curation.records.culture import FileLimits
from curation.records.errors import CurateError
from survey.readers.source import Place

_SHEET = re.compile(rb"<(?:\w+:)?sheet\s[^>]*?\s\w+:id=[\"']([^\"']+)[\"']")
_RELATION = re.compile(rb"<(?:\w+:)?Relationship\s[^>]*>")
_ID = re.compile(rb"\sId=[\"']([^\"']+)[\"']")
_TARGET = re.compile(rb"\sTarget=[\"']([^\"']+)[\"']")
_SUSPECT = re.compile(rb"<(?:\w+:)?f[\s/>]|\st=[\"']e[\"']")
_CELL = re.compile(rb"<(?:\w+:)?c\s([^>]*?)(?:/>|>(.*?)</(?:\w+:)?c>)", re.DOTALL)
_REFERENCE = re.compile(rb"\br=[\"']([A-Z]+)([0-9]+)[\"']")
_FILLED = re.compile(
    rb"<(?:\w+:)?c\s[^>]*?\br=[\"']([A-Z]{1,3})([0-9]{1,7})[\"'](?:[^>]*[^/>])?>(?!</(?:\w+:)?c>)"
)
_ROW = re.compile(rb"<(?:\w+:)?row\s([^>]*)>")
_NUMBER = re.compile(rb"\br=[\"']([0-9]{1,7})[\"']")
_HIDDEN = re.compile(rb"\bhidden=[\"'](?:1|true)[\"']")
_COLUMN = re.compile(rb"<(?:\w+:)?col\s([^>]*)>")
_BETWEEN = re.compile(rb"\b(min|max)=[\"']([0-9]{1,5})[\"']")
_MERGED = re.compile(
    rb"<(?:\w+:)?mergeCell\s[^>]*?\bref=[\"']([A-Z]+)([0-9]+):([A-Z]+)([0-9]+)[\"']"
)
_ROW_END = re.compile(rb"</(?:\w+:)?row>")
_FORMULA = "a formula"
_ERROR = "an error of the spreadsheet"
_LATER = ("xl/worksheets/", "xl/media/", "Pictures/")
"""Parts that are not read when a workbook is opened."""
_CHUNK = 1 << 22
_SMALL = 20 << 20
"""What unpacks to less is read, however well it was packed."""

_limits: ContextVar[FileLimits | None] = ContextVar("limits of files", default=None)


@contextmanager
def limited(limits: FileLimits) -> Iterator[None]:
    """A block in which workbooks are read within other limits than the default ones."""
    token = _limits.set(limits)
    try:
        yield
    finally:
        _limits.reset(token)


def limits_now() -> FileLimits:
    """The limits that hold."""
    return _limits.get() or FileLimits()


@dataclass(slots=True)
class Sheet:
    """What a sheet is like.

    Attributes:
        rows: The last row that holds anything.
        columns: The last column, from 1.
        last: The cell that is in the last row.
        widest: A cell in the last column.
        merged: First and last row of each merged range, and its name.
        hidden: Rows that are hidden, by hand or by a filter.
        hidden_columns: Columns that are hidden, from 0.
        suspects: Cells that no person entered, and what they hold.
    """

    rows: int = 0
    columns: int = 0
    last: str = ""
    widest: str = ""
    merged: list[tuple[int, int, str]] = field(default_factory=list)
    hidden: list[int] = field(default_factory=list)
    hidden_columns: list[int] = field(default_factory=list)
    suspects: dict[Place, str] = field(default_factory=dict)

    def reach(self, row: int, column: int) -> None:
        """Note that a cell holds something; row and column count from 1."""
        if row > self.rows:
            self.rows, self.last = row, f"{column_letters(column - 1)}{row}"
        if column > self.columns:
            self.columns, self.widest = column, f"{column_letters(column - 1)}{row}"


_FAULTS = (
    *(zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, OSError, ValueError),
    *(expat.ExpatError, RuntimeError, KeyError),
)


def refuse_oversized(path: Path, file: str) -> None:
    """Refuse a workbook of which more would be read on opening it than there is room for.

    Args:
        path: The workbook, XLSX or ODS.
        file: The file, as messages show it.

    Raises:
        CurateError: If it is damaged, or exceeds the limits.
    """
    try:
        with zipfile.ZipFile(path) as book:
            names = book.namelist()
            _refuse_large(book, [name for name in names if not name.startswith(_LATER)], file)
            sheets = _ods(book) if "content.xml" in names else []
    except _FAULTS as error:
        raise _damaged(path, file, error) from error
    for sheet in sheets:
        _refuse_far(sheet, file)


def look_at_sheet(path: Path, at: int, file: str) -> Sheet:
    """Find out what a sheet of a workbook is like.

    Args:
        path: The workbook, XLSX or ODS.
        at: Position of the sheet.
        file: The file, as messages show it.

    Raises:
        CurateError: If it is damaged, is a workbook of another kind, or exceeds the limits.
    """
    try:
        with zipfile.ZipFile(path) as book:
            names = set(book.namelist())
            if "content.xml" in names:
                found = _ods(book)[at]
            else:
                part = _part(book, names, at)
                if part not in names:
                    raise ValueError("it is a workbook of another kind")
                _refuse_large(book, [part], file)
                found = _xlsx(book, part)
    except (*_FAULTS, IndexError) as error:
        raise _damaged(path, file, error) from error
    _refuse_far(found, file)
    return found


def _damaged(path: Path, file: str, error: Exception) -> CurateError:
    return CurateError(
        f"{path.name} is not an XLSX or ODS workbook that can be read: {error}",
        file,
        "open it in a spreadsheet and save it as XLSX, without a password",
    )


def _refuse_large(book: zipfile.ZipFile, parts: list[str], file: str) -> None:
    """Refuse what unpacks to more than there is room for, by what the archive says of itself."""
    limits = limits_now()
    infos = [book.getinfo(part) for part in parts]
    size = sum(info.file_size for info in infos)
    packed = max(1, sum(info.compress_size for info in infos))
    if size > limits.megabytes << 20:
        raise CurateError(
            f"the sheet unpacks to {size >> 20:,} MB, more than the {limits.megabytes:,} that are "
            "read",
            file,
            "save it as 'CSV UTF-8', or raise survey.files.megabytes in culture.yaml",
        )
    if size > _SMALL and size > packed * limits.ratio:
        raise CurateError(
            f"the sheet unpacks to {size // packed:,} times its size, more than the "
            f"{limits.ratio:,} that are read: it holds millions of cells that are alike",
            file,
            "save it as 'CSV UTF-8', or raise survey.files.ratio in culture.yaml",
        )


def _refuse_far(found: Sheet, file: str) -> None:
    """Refuse a sheet that is mostly room between its cells."""
    limits = limits_now()
    cells = found.rows * found.columns
    if cells <= limits.cells:
        return
    places = found.last if found.last == found.widest else f"{found.last} and {found.widest}"
    raise CurateError(
        f"the sheet reaches to {places}: {found.rows:,} rows of {found.columns:,} columns are "
        f"{cells:,} cells, more than the {limits.cells:,} that are read",
        f"{file}, cell {found.widest if found.columns > 1000 else found.last}",
        "delete what is there, and the rows and columns before it, if it is a stray cell; or save "
        "the sheet as 'CSV UTF-8'; or raise survey.files.cells in culture.yaml",
    )


def _part(book: zipfile.ZipFile, names: set[str], sheet: int) -> str:
    """The name of the part that holds a sheet."""
    relations = "xl/_rels/workbook.xml.rels"
    if not {"xl/workbook.xml", relations} <= names:
        return ""
    ids = _SHEET.findall(_small(book, "xl/workbook.xml"))
    targets = {}
    for tag in _RELATION.findall(_small(book, relations)):
        name, target = _ID.search(tag), _TARGET.search(tag)
        if name and target:
            targets[name[1]] = target[1].decode()
    target_of = targets.get(ids[sheet], "") if sheet < len(ids) else ""
    return target_of.lstrip("/") if target_of.startswith("/") else f"xl/{target_of}"


def _small(book: zipfile.ZipFile, name: str) -> bytes:
    with book.open(name) as stream:
        data = stream.read(_SMALL + 1)
    if len(data) > _SMALL:
        raise ValueError(f"{name} is too large")
    return data


def _xlsx(book: zipfile.ZipFile, part: str) -> Sheet:
    found = Sheet()
    rest = b""
    columns: set[bytes] = set()
    with book.open(part) as stream:
        while True:
            data = stream.read(_CHUNK)
            rest += data
            end = max((match.end() for match in _ROW_END.finditer(rest)), default=0)
            if data and not end:
                continue
            chunk, rest = (rest[:end], rest[end:]) if data else (rest, b"")
            if not columns:
                _look_at_columns(chunk, found)
            _look_at_rows(chunk, found, columns)
            if not data:
                return found


def _look_at_columns(chunk: bytes, found: Sheet) -> None:
    """Note which columns are hidden, which stands before the first row."""
    for tag in _COLUMN.findall(chunk):
        ends = {name: int(number) for name, number in _BETWEEN.findall(tag)}
        if _HIDDEN.search(tag) and len(ends) == 2:
            found.hidden_columns += range(ends[b"min"] - 1, ends[b"max"])


def _look_at_rows(chunk: bytes, found: Sheet, columns: set[bytes]) -> None:
    filled = _FILLED.findall(chunk)
    if filled:
        letters, row = max(filled, key=lambda cell: int(cell[1]))
        found.reach(int(row), column_number(letters.decode()) + 1)
    for letters, row in filled:
        if letters not in columns:
            columns.add(letters)
            found.reach(int(row), column_number(letters.decode()) + 1)
    for tag in _ROW.findall(chunk):
        if _HIDDEN.search(tag):
            number = _NUMBER.search(tag)
            found.hidden += [int(number[1])] if number else []
    for first, start, last, end in _MERGED.findall(chunk):
        name = f"{first.decode()}{start.decode()}:{last.decode()}{end.decode()}"
        found.merged.append((int(start), int(end), name))
    if not _SUSPECT.search(chunk):
        return
    for match in _CELL.finditer(chunk):
        suspect = _SUSPECT.search(match[0])
        place = _REFERENCE.search(match[1])
        if suspect and place:
            what = _ERROR if b"t=" in suspect[0] else _FORMULA
            found.suspects[int(place[2]), column_number(place[1].decode())] = what


class _Ods:
    """Reads the content of an ODS workbook, whose rows and cells may stand for many."""

    def __init__(self) -> None:
        self.sheets: list[Sheet] = []
        self._row = 0
        self._times = 1
        self._column = 0
        self._columns = 0

    def start(self, tag: str, given: dict[str, str]) -> None:
        """Begin an element."""
        if tag == "table:table":
            self.sheets.append(Sheet())
            self._row = self._columns = 0
        elif tag == "table:table-column" and self.sheets:
            times = min(int(given.get("table:number-columns-repeated", "1")), _MANY_ROWS)
            if given.get("table:visibility") in ("collapse", "filter"):
                self.sheets[-1].hidden_columns += range(self._columns, self._columns + times)
            self._columns += times
        elif tag == "table:table-row" and self.sheets:
            self._column = 0
            self._times = int(given.get("table:number-rows-repeated", "1"))
            if given.get("table:visibility") in ("collapse", "filter") and self._times < _MANY_ROWS:
                self.sheets[-1].hidden += range(self._row + 1, self._row + self._times + 1)
        elif tag in ("table:table-cell", "table:covered-table-cell") and self.sheets:
            self._cell(self.sheets[-1], given, covered=tag == "table:covered-table-cell")

    def end(self, tag: str) -> None:
        """End an element."""
        if tag == "table:table-row":
            self._row += self._times

    def _cell(self, found: Sheet, given: dict[str, str], *, covered: bool) -> None:
        times = int(given.get("table:number-columns-repeated", "1"))
        row, column = self._row + 1, self._column + 1
        self._column += times
        wide = int(given.get("table:number-columns-spanned", "1"))
        high = int(given.get("table:number-rows-spanned", "1"))
        if wide > 1 or high > 1:
            last = f"{column_letters(column + wide - 2)}{row + high - 1}"
            name = f"{column_letters(column - 1)}{row}:{last}"
            found.merged.append((row, row + high - 1, name))
        if "office:value-type" in given and not covered:
            found.reach(row + self._times - 1, column + times - 1)
            wrong = given.get("calcext:value-type") == "error"
            if wrong or "table:formula" in given:
                found.suspects[row, column - 1] = _ERROR if wrong else _FORMULA


_MANY_ROWS = 1 << 16
"""A row that stands for so many is the empty rest of a sheet."""


def _ods(book: zipfile.ZipFile) -> list[Sheet]:
    reader = _Ods()
    parser = expat.ParserCreate()
    parser.StartElementHandler = reader.start
    parser.EndElementHandler = reader.end
    with book.open("content.xml") as stream:
        parser.ParseFile(stream)
    return reader.sheets


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
