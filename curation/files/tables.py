"""The one reader and the one writer of tables: strict, every problem with its row."""

import ast
import csv
import hashlib
import io
import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from json.encoder import encode_basestring
from pathlib import Path
from typing import IO, TypeAlias
from zipfile import BadZipFile
from zlib import error as ZlibError

from curation.files.atomic import atomic_text
from curation.records.messages import CurateError, Finding, composed, finding, refusal, shortened

Cell: TypeAlias = str | int | bool | tuple[str, ...] | list[str] | None
"""What a writer takes: text, number, truth value, nothing, or a list of texts."""

ZIP_FAULTS = BadZipFile, ZlibError, EOFError, OSError, RuntimeError
"""What is raised of a ZIP file that is damaged, cut off, or has a password."""

# Characters that open a formula, the wide ones in East Asian locales; apostrophes before them
# are the mark itself.
_FORMULA = re.compile("'*[=+\\-@\t\r\n＝＋－＠]")


SUSPECT = frozenset("=+-@\t\r\n＝＋－＠'")
"""The first characters of texts that may be formulas: most cells are told by a look at one."""


def escape_formula(text: str) -> str:
    """Put an apostrophe before a text that a spreadsheet would take for a formula.

    A text that looks escaped already gets one more, so taking one apostrophe off where a
    character of a formula follows the apostrophes gives every text back as it was.
    """
    return f"'{text}" if _FORMULA.match(text) else text


_NUMBER = re.compile(r"[+-]?[0-9]+([.,][0-9]+)?([eE][+-]?[0-9]+)?")
_PRINTED = re.compile(
    r"""(?P<text>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")(?P<next>\s+(?=['"]))?"""
    r"|array\((?=\[)|(?<=\]),\s*dtype=\w+\)|\bnan\b"
)
"""What is to be told apart where numpy or pandas printed a list or an object."""


def escape_cell(text: str) -> str:
    """The same of a table that holds numbers as text: a number stays what it is."""
    return text if _NUMBER.fullmatch(text) else escape_formula(text)


def unescape_formula(text: str) -> str:
    """A text as it was before `escape_formula`."""
    return text[1:] if text[:1] == "'" and _FORMULA.match(text[1:]) else text


def json_list(cell: Sequence[str]) -> str:
    """Write a list of texts as a cell holds it: JSON."""
    return f"[{', '.join(map(encode_basestring, cell))}]"


def plain_row(row: Sequence[Cell]) -> list[str]:
    """Write a record's cells as text that a spreadsheet shows and does not run."""
    return [
        cell if type(cell) is str and cell[:1] not in SUSPECT else plain_text(cell) for cell in row
    ]


def plain_text(cell: Cell) -> str:
    """Write any cell as text that a spreadsheet shows and does not run."""
    if isinstance(cell, str):
        return escape_formula(cell)
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "true" if cell else "false"
    return str(cell) if isinstance(cell, int) else json_list(cell)


def checked(columns: Sequence[str], rows: Iterable[Sequence[Cell]]) -> Iterator[Sequence[Cell]]:
    """Yield the rows, none of which may have more or fewer cells than there are columns.

    Raises:
        ValueError: If one has, or two columns have one name: a fault of the caller.
    """
    if len(set(columns)) != len(columns):
        raise ValueError(f"two columns have one name: {', '.join(columns)}")
    for number, row in enumerate(rows, start=2):
        if len(row) != len(columns):
            raise ValueError(f"row {number} has {len(row)} cells for {len(columns)} columns")
        yield row


INCOMPLETE_HEADER = "incomplete-header"
"""The code of the failure that a header lacks columns."""

_CELL_LIMIT = 64 * 1024 * 1024
_HEAD = 65536
_WANTED = 6
_SIGNATURES = {
    b"PK\x03\x04": "an XLSX workbook or ZIP file",
    b"\xd0\xcf\x11\xe0": "an old XLS workbook",
    b"%PDF": "a PDF",
    b"PAR1": "a Parquet file",
    b"\x1f\x8b": "a gzip file",
    b"$FL2": "an SPSS file",
}


@dataclass(frozen=True, slots=True)
class Row:
    """One record: its row as a spreadsheet numbers it, and its cells by column."""

    number: int
    cells: Mapping[str, str]

    def __getitem__(self, column: str) -> str:
        return self.cells[column]

    def get(self, column: str) -> str:
        """The cell, or an empty text where the file lacks the column."""
        return self.cells.get(column, "")


@dataclass(frozen=True, slots=True)
class Table:
    """A table as read.

    Attributes:
        file: Path as shown to the user.
        columns: The header.
        rows: The records that have as many cells as the header.
        problems: One finding for each record that has not.
        rows_in: Records in the file, read or not.
    """

    file: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    problems: tuple[Finding, ...]
    rows_in: int

    def fault(self, row: "Row", column: str, what: str, hint: str) -> CurateError:
        """An error at a cell."""
        return CurateError(what, f"{self.file}, row {row.number}, column {column}", hint)

    def pairs(self, key: str, value: str) -> dict[str, str]:
        """What one column says of another.

        Raises:
            CurateError: If a cell is empty, or there are two values of one key.
        """
        refuse_problems(self)
        found: dict[str, str] = {}
        for row in self.rows:
            name, said = row[key].strip(), row[value].strip()
            for column in (key, value):
                if not row[column].strip():
                    raise self.fault(row, column, f"{column} is empty", "fill it in")
            if found.setdefault(name, said) != said:
                what = f"{key} '{name}' has another {value} above"
                raise self.fault(row, value, what, "keep one of the two")
        return found


_TRUE = frozenset({"true", "yes", "1", "y", "t"})
_FALSE = frozenset({"false", "no", "0", "n", "f"})


def read_flag(cell: str, default: bool) -> bool:
    """Read a cell that says yes or no; an empty one says what is the default.

    Raises:
        ValueError: If it says neither.
    """
    text = unicodedata.normalize("NFKC", cell).strip().casefold()  # full-width ones are meant so
    if text and text not in _TRUE | _FALSE:
        raise ValueError(f"'{cell}' is neither true nor false")
    return text in _TRUE if text else default


def read_text(path: Path) -> str:
    """Read a UTF-8 text file, with or without byte-order mark.

    Raises:
        CurateError: If there is no file, it is empty, binary, or in another encoding.
    """
    data = read_bytes(path)
    refuse_binary(data[:4096], path)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise refusal("curation", "text-no-utf8", path, byte=error.start, line=line) from error
    if not text.strip():
        raise CurateError(f"{path.name} is empty", str(path), "check that the export finished")
    if "\x00" in text:
        line = text.count("\n", 0, text.index("\x00")) + 1
        raise refusal("curation", "text-nul", path, line=line)
    return text


def read_bytes(path: Path) -> bytes:
    """Read a file.

    Raises:
        CurateError: If there is none, or it cannot be read.
    """
    refuse_absent(path)
    try:
        return path.read_bytes()
    except OSError as error:
        raise CurateError(f"cannot read {path.name}: {error.strerror}", str(path)) from error


def refuse_absent(path: Path, hint: str = "check the path and the spelling") -> None:
    """Refuse a path that names no file.

    Args:
        path: The path.
        hint: What to do where there is none.

    Raises:
        CurateError: If there is none, or it is a folder.
    """
    if path.is_dir():
        raise CurateError(f"{path.name} is a folder", str(path), "name a file in it")
    if not path.exists():
        raise CurateError(f"there is no file {path.name}", str(path), hint)


def refuse_binary(head: bytes, path: Path) -> None:
    """Refuse a file whose first bytes are no text.

    Raises:
        CurateError: If they are not.
    """
    for signature, what in _SIGNATURES.items():
        if head.startswith(signature):
            raise refusal("curation", "text-binary", path, kind=what)
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise CurateError(f"{path.name} is UTF-16", str(path), "save it as UTF-8 (CSV UTF-8)")
    if b"\x00" in head:
        raise CurateError(f"{path.name} is a binary file", str(path), "export it as 'CSV UTF-8'")


def sha256(path: Path) -> str:
    """Hash a file.

    Raises:
        CurateError: If it cannot be read.
    """
    try:
        with path.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError as error:
        raise CurateError(f"cannot read {path.name}: {error.strerror}", str(path)) from error


def separator(text: str, delimiter: str = ",") -> str:
    """What separates the columns of a table.

    Spreadsheets write `;` for the comma where that is the decimal point of the country, and some
    tools tabs into a file called `.csv`. It is certain where the header has no comma.

    Args:
        text: The table, or its beginning.
        delimiter: What it should be.
    """
    header = "".join(text[:_HEAD].splitlines()[:1])
    kinds = (delimiter,) if delimiter != "," else (",", ";", "\t")
    return next((kind for kind in kinds if kind in header), delimiter)


def read_table(
    path: Path,
    *,
    shown_as: str = "",
    required: Sequence[str] = (),
    delimiter: str = ",",
    escaped: bool = False,
) -> Table:
    """Read a CSV or TSV table of text.

    A record with too many or too few cells is a problem of the result, not read and not lost;
    blank rows hold no record, and blank columns at the end of a table hold nothing. `separator`
    tells what a header without a comma is read by.

    Args:
        path: The file.
        shown_as: The path to show; that of the file by default.
        required: Columns that must be there.
        delimiter: `,` or a tab.
        escaped: Whether it may have been written with `escaped`: texts are as they were then.

    Raises:
        CurateError: If there is no such file, it is no text, the header is doubled or lacks a
            required column, or a quotation is not closed.
    """
    file = shown_as or str(path)
    text = read_text(path)
    lines = io.StringIO(text, newline="")
    header, *records = [*table_rows(lines, separator(text, delimiter), file)] or [[]]
    if not unicodedata.is_normalized("NFC", text):
        header, *records = [[composed(cell) for cell in cells] for cells in (header, *records)]
    columns = tuple((unescape_formula(cell) if escaped else cell).strip() for cell in header)
    named = max((at for at, name in enumerate(columns, start=1) if name), default=0)
    if named < len(columns) and not any(any(cells[named:]) for cells in records):
        columns, records = columns[:named], [cells[:named] for cells in records]
    _check_header(columns, file, required)
    rows: list[Row] = []
    problems: list[Finding] = []
    for number, cells in enumerate(records, start=2):
        if not any(cells):
            continue  # spreadsheets leave blank rows and columns behind; they hold nothing
        if escaped:
            cells = [unescape_formula(cell) for cell in cells]
        if len(cells) == len(columns):
            rows.append(Row(number, dict(zip(columns, cells, strict=True))))
        else:
            problems.append(_ragged(file, number, columns, cells))
    return Table(file, columns, tuple(rows), tuple(problems), len(rows) + len(problems))


def table_rows(stream: Iterable[str], delimiter: str, file: str) -> Iterator[list[str]]:
    """Yield the cells of each row of a table, one after another as they are read.

    Args:
        stream: The text.
        delimiter: What stands between cells.
        file: How the file is called.

    Raises:
        CurateError: If a row cannot be read.
    """
    csv.field_size_limit(_CELL_LIMIT)
    number = 1
    try:
        for cells in csv.reader(stream, delimiter=delimiter, strict=True):
            yield cells
            number += 1
    except csv.Error as error:
        told = {"number": number, "error": error}
        raise refusal("curation", "row-unreadable", f"{file}, row {number}", **told) from error


def _check_header(columns: Sequence[str], file: str, required: Sequence[str]) -> None:
    seen: set[str] = set()
    for column in columns:
        if column in seen:
            raise refusal("curation", "column-twice", f"{file}, row 1", name=column)
        seen.add(column)
    missing = [column for column in required if column not in seen]
    if missing:
        hint = f"it has {shortened(columns, 12) or 'nothing'}"
        if len(missing) < len(required) <= _WANTED:
            hint += f"; the required columns are {', '.join(required)}"
        what = f"the header lacks {', '.join(missing)}"
        raise CurateError(what, f"{file}, row 1", hint, code=INCOMPLETE_HEADER)


def _ragged(file: str, number: int, columns: Sequence[str], cells: Sequence[str]) -> Finding:
    told = {"cells": str(len(cells)), "columns": str(len(columns))}
    return replace(finding("curation", "table-ragged-row", file, **told), row=number)


def refuse_problems(table: Table) -> None:
    """Refuse a table that holds records that cannot be read.

    Raises:
        CurateError: Naming the first of them and how many there are.
    """
    if table.problems:
        first, count = table.problems[0], len(table.problems)
        more = f", and {count - 1} more like it" if count > 1 else ""
        raise CurateError(first.message + more, first.where, first.hint)


def write_csv(
    path: Path,
    columns: Sequence[str],
    rows: Iterable[Sequence[object]],
    *,
    delimiter: str = ",",
    escaped: bool = False,
) -> int:
    """Write a table in place of `path`: UTF-8, header, line feeds. Returns the number of records.

    Args:
        path: The file.
        columns: Its columns.
        rows: Its records.
        delimiter: What separates cells.
        escaped: Whether texts that a spreadsheet would take for formulas get an apostrophe before
            them, as in all that is exported; `read_table` takes it off.

    Raises:
        CurateError: If it cannot be written.
    """
    with atomic_text(path) as stream:
        return write_rows(stream, columns, rows, delimiter=delimiter, escaped=escaped)


def write_rows(
    stream: IO[str],
    columns: Sequence[str],
    rows: Iterable[Sequence[object]],
    *,
    delimiter: str = ",",
    escaped: bool = False,
) -> int:
    """Write header, unless there are no columns, and records; returns the number of records."""
    # A line end that holds both characters makes the writer quote cells that hold either.
    writer = csv.writer(_Lines(stream), delimiter=delimiter, lineterminator="\r\n")

    def written(row: Sequence[object]) -> Sequence[object]:
        return [escape_cell(c) if isinstance(c, str) else c for c in row] if escaped else row

    if columns:
        writer.writerow(written(columns))
    count = 0

    def counted() -> Iterator[Sequence[object]]:
        nonlocal count
        for row in rows:
            count += 1
            yield written(row)

    writer.writerows(counted())
    return count


class _Lines:
    """Ends each record with a line feed alone."""

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream

    def write(self, record: str) -> int:
        return self._stream.write(f"{record[:-2]}\n")


def list_literal(text: str) -> list[str] | None:
    """The list that a JSON or Python literal stands for; None if it is no list of texts."""
    found = literal(text)
    if isinstance(found, list) and all(isinstance(item, str) for item in found):
        return found
    return None


def literal(text: str) -> object:
    """What a JSON or Python literal stands for; nothing in it is ever run. None if it is none.

    Arrays as numpy and pandas print them are lists: `['a' 'b']`, `array(['a'], dtype=object)`.
    """
    for parse in (json.JSONDecoder(strict=False).decode, _python_literal):
        try:
            return parse(text)
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            continue
    return None


def _python_literal(text: str) -> object:
    # without a comma Python would make one text of two
    return ast.literal_eval(_PRINTED.sub(_as_python, text))


def _as_python(found: re.Match[str]) -> str:
    if found["text"]:
        return f"{found['text']}," if found["next"] else found["text"]
    return {"array(": "(", "nan": "None"}.get(found[0], ")")
