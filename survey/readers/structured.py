"""Files that say themselves what their columns are: workbooks, SPSS and Stata files, and JSON.

Of a workbook a cell is what it shows, not what a program makes of it. One of a few kilobytes may
hold a cell in the last row and column, or millions of cells, for which a reader would make room: a
sheet is looked at before its cells are read. So formulas, errors, merged and hidden cells are found
too, of which the fast reader says nothing.
"""

import datetime
import json
import os
import re
import subprocess
import sys
import zipfile
from collections.abc import Sequence
from functools import lru_cache
from importlib.util import find_spec
from itertools import zip_longest
from pathlib import Path
from typing import Any
from xml.parsers import expat

from curation.files.tables import ZIP_FAULTS, read_text
from curation.records.culture import FileLimits
from curation.records.letters import column_letters
from curation.records.messages import CurateError
from survey.mapping import ReadPart
from survey.readers import frames
from survey.readers.frames import FileSource, refusal, written

_SHEET = re.compile(rb"<(?:\w+:)?sheet\s[^>]*?\s\w+:id=[\"']([^\"']+)[\"']")
_RELATION = re.compile(rb"<(?:\w+:)?Relationship\s[^>]*>")
_ID = re.compile(rb"\sId=[\"']([^\"']+)[\"']")
_TARGET = re.compile(rb"\sTarget=[\"']([^\"']+)[\"']")
_SUSPECT = re.compile(
    rb"<(?:\w+:)?c\s(?=[^>]*\br=[\"']([A-Z]+)([0-9]+)[\"'])"
    rb"(?:[^>]*?\bt=[\"'](e)[\"'][^>]*>|[^>]*[^>/]><(?:\w+:)?f[\s/>])"
)
_FILLED = re.compile(
    rb"<(?:\w+:)?c\s[^>]*?\br=[\"']([A-Z]{1,3})([0-9]{1,7})[\"'](?:[^>]*[^/>])?>(?!</(?:\w+:)?c>)"
)
_HIDDEN_ROW = re.compile(
    rb"<(?:\w+:)?row\s(?=[^>]*\bhidden=[\"'](?:1|true)[\"'])[^>]*\br=[\"']([0-9]{1,7})[\"']"
)
_HIDDEN_COLUMN = re.compile(rb"<(?:\w+:)?col\s(?=[^>]*\bhidden=[\"'](?:1|true)[\"'])([^>]*)>")
_BETWEEN = re.compile(rb"\b(min|max)=[\"']([0-9]{1,5})[\"']")
_MERGED = re.compile(rb"<(?:\w+:)?mergeCell\s[^>]*?\bref=[\"']([A-Z]+[0-9]+:[A-Z]+([0-9]+))[\"']")
_FORMULA = "a formula"
_ERROR = "an error of the spreadsheet"
_DIGITS = "a number of more digits than a spreadsheet keeps"
_EXACT = 1e15
"""Numbers from here on have more digits than a spreadsheet keeps."""
_LATER = ("xl/worksheets/", "xl/media/", "Pictures/")
"""Parts that are not read when a workbook is opened."""
_SMALL = 20 << 20
"""What unpacks to less is read, however well it was packed."""
_MANY_ROWS = 1 << 16
"""A row that stands for so many is the empty rest of a sheet."""


class SheetShape:
    """What a sheet is like.

    Attributes:
        rows: The last row that holds anything.
        columns: The last column, from 1.
        last: The cell that is in the last row.
        widest: A cell in the last column.
        merged: Last row of each merged range, and its name.
        hidden: Rows that are hidden, by hand or by a filter.
        hidden_columns: Columns that are hidden, from 0.
        suspects: Cells that no person entered, and what they hold.
    """

    def __init__(self) -> None:
        self.rows = self.columns = 0
        self.last = self.widest = ""
        self.merged: list[tuple[int, str]] = []
        self.hidden: list[int] = []
        self.hidden_columns: list[int] = []
        self.suspects: dict[frames.Place, str] = {}

    def reach(self, row: int, column: int) -> None:
        """Note that a cell holds something; row and column count from 1."""
        if row > self.rows:
            self.rows, self.last = row, f"{column_letters(column - 1)}{row}"
        if column > self.columns:
            self.columns, self.widest = column, f"{column_letters(column - 1)}{row}"


def read_sheet(
    path: Path, name: str | None, limits: FileLimits
) -> tuple[FileSource, list[list[str]]]:
    """Read a sheet of a workbook.

    Args:
        path: The workbook, XLSX or ODS.
        name: The sheet; the first by default.
        limits: How much of a workbook is read.

    Raises:
        CurateError: If it is no such workbook, is damaged or exceeds the limits, or has no such
            sheet.
    """
    from python_calamine import CalamineError, CalamineWorkbook

    try:
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
            small = [part for part in names if not part.startswith(_LATER)]
            _refuse_large(archive, small, limits)
            in_ods = _ods(archive) if "content.xml" in names else None
            for sheet in in_ods or ():
                _refuse_far(sheet, limits, path)
            book = CalamineWorkbook.from_path(path)
            sheets = tuple(book.sheet_names)
            name = sheets[0] if name is None else name
            if name not in sheets:
                raise refusal("sheet-missing", str(path), name=name, sheets=sheets)
            at = sheets.index(name)
            if in_ods is None:
                sheet = _xlsx(archive, _part(archive, at), limits)
                _refuse_far(sheet, limits, path)
            else:
                sheet = in_ods[at]
        rows = book.get_sheet_by_name(name).to_python(skip_empty_area=False)
    except (*ZIP_FAULTS, ValueError, LookupError, expat.ExpatError, CalamineError) as error:
        raise refusal("workbook-broken", str(path), name=path.name, error=error) from error
    columns = _columns(rows, sheet.suspects)
    source = FileSource(
        kind="workbook",
        sheet=name,
        sheets=sheets,
        suspects=sheet.suspects,
        hidden=tuple(row for row in sheet.hidden if row <= sheet.rows),
        hidden_columns=tuple(at for at in sheet.hidden_columns if at < sheet.columns),
        merged=tuple(sheet.merged),
    )
    return source, columns


def _refuse_large(book: zipfile.ZipFile, parts: Sequence[str], limits: FileLimits) -> None:
    """Refuse what unpacks to more than there is room for, by what the archive says of itself."""
    infos = [book.getinfo(part) for part in parts]
    size = sum(info.file_size for info in infos)
    packed = max(1, sum(info.compress_size for info in infos))
    if size > limits.megabytes << 20:
        told = {"size": size >> 20, "megabytes": limits.megabytes}
        raise refusal("sheet-large", str(book.filename), **told)
    if size > _SMALL and size > packed * limits.ratio:
        raise refusal("sheet-packed", str(book.filename), times=size // packed, ratio=limits.ratio)


def _refuse_far(found: SheetShape, limits: FileLimits, path: Path) -> None:
    """Refuse a sheet that is mostly room between its cells."""
    cells = found.rows * found.columns
    if cells <= limits.cells:
        return
    places = found.last if found.last == found.widest else f"{found.last} and {found.widest}"
    where = f"{path}, cell {found.widest if found.columns > 1000 else found.last}"
    told = {"places": places, "rows": found.rows, "columns": found.columns, "cells": cells}
    raise refusal("sheet-far", where, most=limits.cells, **told)


def _part(book: zipfile.ZipFile, sheet: int) -> str:
    """The name of the part that holds a sheet."""
    ids = _SHEET.findall(book.read("xl/workbook.xml"))
    targets = {}
    for tag in _RELATION.findall(book.read("xl/_rels/workbook.xml.rels")):
        name, target = _ID.search(tag), _TARGET.search(tag)
        if name and target:
            targets[name[1]] = target[1].decode()
    found = targets[ids[sheet]]
    return found.lstrip("/") if found.startswith("/") else f"xl/{found}"


def _xlsx(book: zipfile.ZipFile, part: str, limits: FileLimits) -> SheetShape:
    _refuse_large(book, [part], limits)
    data = book.read(part)
    found = SheetShape()
    seen: set[bytes] = set()
    for letters, row in (match.groups() for match in _FILLED.finditer(data)):
        if letters not in seen or int(row) > found.rows:
            seen.add(letters)
            found.reach(int(row), _column_number(letters))
    for given in _HIDDEN_COLUMN.findall(data):
        ends = {name: int(number) for name, number in _BETWEEN.findall(given)}
        found.hidden_columns += range(ends.get(b"min", 1) - 1, ends.get(b"max", 0))
    found.hidden += map(int, _HIDDEN_ROW.findall(data))
    found.merged += ((int(end), name.decode()) for name, end in _MERGED.findall(data))
    for letters, row, error in _SUSPECT.findall(data):
        place = int(row), _column_number(letters) - 1
        found.suspects[place] = _ERROR if error else _FORMULA
    return found


def _column_number(letters: bytes) -> int:
    """The number, from 1, of the column that a spreadsheet calls by letters."""
    number = 0
    for letter in letters:
        number = number * 26 + letter - ord("A") + 1
    return number


class _Ods:
    """Reads the content of an ODS workbook, whose rows and cells may stand for many."""

    def __init__(self) -> None:
        self.sheets: list[SheetShape] = []
        self._row = 0
        self._times = 1
        self._column = 0
        self._columns = 0

    def start(self, tag: str, given: dict[str, str]) -> None:
        """Begin an element."""
        hidden = given.get("table:visibility") in ("collapse", "filter")
        if tag == "table:table":
            self.sheets.append(SheetShape())
            self._row = self._columns = 0
        elif tag == "table:table-column" and self.sheets:
            times = min(int(given.get("table:number-columns-repeated", "1")), _MANY_ROWS)
            if hidden:
                self.sheets[-1].hidden_columns += range(self._columns, self._columns + times)
            self._columns += times
        elif tag == "table:table-row" and self.sheets:
            self._column = 0
            self._times = int(given.get("table:number-rows-repeated", "1"))
            if hidden and self._times < _MANY_ROWS:
                self.sheets[-1].hidden += range(self._row + 1, self._row + self._times + 1)
        elif tag in ("table:table-cell", "table:covered-table-cell") and self.sheets:
            self._cell(self.sheets[-1], given, covered=tag == "table:covered-table-cell")

    def end(self, tag: str) -> None:
        """End an element."""
        if tag == "table:table-row":
            self._row += self._times

    def _cell(self, found: SheetShape, given: dict[str, str], *, covered: bool) -> None:
        times = int(given.get("table:number-columns-repeated", "1"))
        row, column = self._row + 1, self._column + 1
        self._column += times
        wide = int(given.get("table:number-columns-spanned", "1"))
        high = int(given.get("table:number-rows-spanned", "1"))
        if wide > 1 or high > 1:
            last = f"{column_letters(column + wide - 2)}{row + high - 1}"
            found.merged.append((row + high - 1, f"{column_letters(column - 1)}{row}:{last}"))
        if "office:value-type" in given and not covered:
            found.reach(row + self._times - 1, column + times - 1)
            wrong = given.get("calcext:value-type") == "error"
            if wrong or "table:formula" in given:
                found.suspects[row, column - 1] = _ERROR if wrong else _FORMULA


def _ods(book: zipfile.ZipFile) -> list[SheetShape]:
    reader = _Ods()
    parser = expat.ParserCreate()
    parser.StartElementHandler = reader.start
    parser.EndElementHandler = reader.end
    with book.open("content.xml") as stream:
        parser.ParseFile(stream)
    return reader.sheets


def _columns(rows: Sequence[Sequence[Any]], suspects: dict[frames.Place, str]) -> list[list[str]]:
    """The columns as texts, without the empty ones at the end; numbers cut short are suspects."""
    columns: list[list[str]] = []
    for at, cells in enumerate(zip_longest(*rows, fillvalue="")):
        # True equals 1 and would be taken for it, so truth values are looked up by name.
        known = [str(cell).upper() if cell is True or cell is False else cell for cell in cells]
        columns.append(_texts_of(known))
        if any(isinstance(cell, float) and abs(cell) >= _EXACT for cell in {*known}):
            for row, cell in enumerate(known, start=1):
                if isinstance(cell, float) and abs(cell) >= _EXACT:
                    suspects[row, at] = _DIGITS
    while columns and not any(columns[-1]):
        columns.pop()
    return columns


def _texts_of(cells: Sequence[Any]) -> list[str]:
    """Write cells as texts, each distinct one once."""
    known = {cell: _text(cell) for cell in {*cells}}
    return [known[cell] for cell in cells]


def _text(cell: object) -> str:
    """Write a cell as a person would have; hours of a duration may be more than a day's."""
    if isinstance(cell, datetime.timedelta):
        minutes, seconds = divmod(int(cell.total_seconds()), 60)
        return f"{minutes // 60}:{minutes % 60:02}:{seconds:02}"
    return written(cell)


_EAST_ASIAN = ("cp949", "cp932", "gb18030", "cp950")
_SILENT = ("", "windows-1252", "us-ascii")
"""What the library takes a file for that does not say in what it is written."""


def read_sav(
    path: Path, read: ReadPart, language: str, own: str
) -> tuple[FileSource, list[list[str]]]:
    """Read an SPSS or Stata file; the names of its variables are row 1.

    Values that the file calls missing are given as they stand; those that the system calls so
    are empty.

    Args:
        path: The file.
        read: How the mapping says that it is to be read.
        language: Language of the workspace.
        own: The encoding that its spreadsheets write.

    Raises:
        CurateError: If the library for it is not installed, or the file cannot be read.
    """
    if find_spec("pyreadstat") is None:
        raise refusal("sav-library", str(path), name=path.name)
    found, reason = _read_sav(path, read.encoding, language, own)
    labelled, missing = found["values"].items(), found["missing"].items()
    source = FileSource(
        kind="sav",
        encoding=found["encoding"],
        encoding_reason=reason,
        labels=found["labels"],
        value_labels={name: {written(v): label for v, label in known} for name, known in labelled},
        missing={name: tuple(sorted(map(written, cells))) for name, cells in missing},
    )
    named = zip(found["names"], found["columns"], strict=True)
    return source, [[name, *_texts_of(cells)] for name, cells in named]


def _read_sav(path: Path, named: str, language: str, own: str) -> tuple[dict[str, Any], str]:
    """Read the file in its own encoding, or where it is not that in the language's."""
    if named != "auto":
        found, reason = _ask(path, named), "the mapping says so"
    else:
        found, reason = _ask(path, ""), "the file says so"
        silent = str(found["encoding"]).casefold() in _SILENT
        if own in _EAST_ASIAN and ("problem" in found or silent):
            # Old files do not say, or not truly, in what they are written.
            other = _ask(path, own.upper())
            if "problem" not in other:
                return other, f"the file does not say, and the workspace's language is {language}"
    if "problem" in found:
        raise refusal("sav-unread", str(path), name=path.name, why=found["problem"])
    return found, reason


def _ask(path: Path, encoding: str) -> dict[str, Any]:
    try:
        stat = path.stat()
        found: dict[str, Any] = json.loads(_output(path, encoding, stat.st_mtime_ns, stat.st_size))
    except ValueError as error:
        raise refusal("sav-damaged", str(path), name=path.name) from error
    return found


@lru_cache(maxsize=2)
def _output(path: Path, encoding: str, changed: int, size: int) -> bytes:
    """Let a process of its own read the file; one that has not changed is read once."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    # -P: modules beside the program are not to be taken for the library's.
    program = [sys.executable, "-P", str(Path(__file__).with_name("sav_child.py"))]
    child = subprocess.run(  # noqa: S603  # our own module, with the file's name as argument
        [*program, str(path), encoding], capture_output=True, env=environment, check=False
    )
    return child.stdout


_COUNTS = frozenset({"survey_stats", "stereotype"})
"""Keys of a file of counts."""


def holds_answers(path: Path) -> bool:
    """Whether a JSON file holds objects that are not those of counts; a broken one does not."""
    if path.suffix.lower() not in frames.ENDINGS:
        return False
    try:
        rows = _objects(path)
    except CurateError:
        return False
    return not any(_COUNTS & row.keys() for row in rows)


def read_json(path: Path) -> tuple[FileSource, list[list[str]]]:
    """Read the objects of a file, an object a row; the names of their values are row 1.

    Raises:
        CurateError: If it is no JSON, or not one of objects.
    """
    objects = _objects(path)
    if any(_SAID in row for row in objects):
        raise refusal("json-other", str(path), name=path.name)
    # What a trial of jsPsych holds is read by its platform.
    rows = [frames.flat_json(row, deep="trial_type" not in row) for row in objects]
    names = list(dict.fromkeys(name for row in rows for name in row))
    source = FileSource(kind="json", encoding="utf-8", encoding_reason="JSON is UTF-8")
    return source, [[name, *(row.get(name, "") for row in rows)] for name in names]


def _objects(path: Path) -> list[dict[str, Any]]:
    text = read_text(path)
    lines = path.suffix.lower() != ".json"
    try:
        data = [json.loads(line) for line in text.splitlines() if line.strip()] if lines else None
        data = json.loads(text) if data is None else data
    except (ValueError, RecursionError) as error:
        where = f", line {error.lineno}" if isinstance(error, json.JSONDecodeError) else ""
        raise refusal("json-broken", f"{path}{where}", name=path.name) from error
    if isinstance(data, dict):
        lists = [value for value in data.values() if isinstance(value, list)]
        data = lists[0] if len(lists) == 1 else [data]
    rows = data if isinstance(data, list) else []
    if not rows or not all(isinstance(row, dict) for row in rows):
        raise refusal("json-other", str(path), name=path.name)
    if all([*map(type, row.values())] == [dict] for row in rows):
        rows = [one for row in rows for one in row.values()]  # each is called by its number
    return rows


_SAID = "answers"
"""The key of all that somebody answered, which services send as an object for each answer."""
