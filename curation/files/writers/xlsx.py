"""Tables as XLSX: one sheet of inline strings, written as a stream.

All texts have the format "text", so that neither opening nor editing makes a formula, a
date or a number of them. The parts of the file carry one fixed date.
"""

import re
from collections.abc import Iterable, Iterator, Sequence, Sized
from importlib.resources import files
from itertools import chain
from pathlib import Path
from typing import IO
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from curation.files.atomic import atomic_path
from curation.files.tables import Cell, checked, escape_formula, json_list
from curation.records.letters import column_letters
from curation.records.messages import CurateError, own_yaml, refusal

MAX_ROWS = 1_048_576
"""The rows of a sheet, header included."""
MAX_COLUMNS = 16_384
"""The columns of a sheet."""
MAX_CHARACTERS = 32_767
"""The characters of a cell, as a spreadsheet counts them: in UTF-16."""

_MAX_BYTES = 2_000_000_000  # less than 2 GiB by more than any one row
_EXACT_DIGITS = 10**15  # spreadsheets hold numbers as floats: longer ones lose their end
_BUFFER = 1 << 20
_EARLIEST = (1980, 1, 1, 0, 0, 0)
_INSTEAD = "write parquet or jsonl, which have no such limit"

_NO_XML = "\x00-\x08\x0b-\x1f\ud800-\udfff\ufffe\uffff"
# What XML cannot hold, and an underscore that would read as the beginning of such an escape.
_ESCAPED = re.compile(f"[{_NO_XML}]|_(?=x[0-9A-Fa-f]{{4}}[_{_NO_XML}])")
_MARKUP = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})

_XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_SHEET = "xl/worksheets/sheet1.xml"
_SHEET_HEAD = (
    f'{_XML}<worksheet xmlns="{_MAIN}"><sheetViews><sheetView workbookViewId="0">'
    '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>'
    "</sheetView></sheetViews><sheetData>"
)
_SHEET_TAIL = "</sheetData></worksheet>"


def write_xlsx(path: Path, columns: Sequence[str], rows: Iterable[Sequence[Cell]]) -> int:
    """Write a workbook of one sheet, `data`.

    Characters that XML cannot hold are written `_x0008_`, as OOXML defines; a text that looks
    like such an escape has its underscore escaped.

    Raises:
        CurateError: If the table is larger than a sheet, a cell longer than a sheet holds, or
            the file cannot be written.
    """
    if len(columns) > MAX_COLUMNS:
        raise refusal("curation", "columns-too-many", path, count=len(columns), most=MAX_COLUMNS)
    if isinstance(rows, Sized):
        _refuse_rows(path, len(rows))
    with atomic_path(path) as beside, ZipFile(beside, "w") as archive:
        parts = own_yaml((files(__package__) / "xlsx.yaml").read_text(encoding="utf-8"))
        for name, text in parts.items():
            archive.writestr(dated(name), f"{_XML}{''.join(text.splitlines())}")
        with archive.open(dated(_SHEET), "w") as stream:
            return _write_sheet(stream, path, columns, rows)


def _refuse_rows(path: Path, count: int) -> None:
    if count >= MAX_ROWS:
        raise refusal("curation", "rows-too-many", path, records=MAX_ROWS - 1, most=MAX_ROWS)


def dated(name: str) -> ZipInfo:
    """Name a part of a workbook, with the same date and rights on every machine."""
    info = ZipInfo(name, _EARLIEST)
    info.compress_type = ZIP_DEFLATED
    info.create_system = 3
    info.external_attr = 0o644 << 16
    return info


def _write_sheet(
    stream: IO[bytes], path: Path, columns: Sequence[str], rows: Iterable[Sequence[Cell]]
) -> int:
    count = written = 0
    buffer, size = [_SHEET_HEAD], 0
    for text in _sheet_rows(path, columns, rows):
        count += 1
        _refuse_rows(path, count - 1)
        buffer.append(text)
        size += len(text)
        if size > _BUFFER:
            written += stream.write("".join(buffer).encode())
            buffer, size = [], 0
            if written > _MAX_BYTES:
                raise CurateError("a sheet of more than 2 GB cannot be opened", str(path), _INSTEAD)
    buffer.append(_SHEET_TAIL)
    stream.write("".join(buffer).encode())
    return count - 1


def _sheet_rows(
    path: Path, columns: Sequence[str], rows: Iterable[Sequence[Cell]]
) -> Iterator[str]:

    letters = [column_letters(at) for at in range(len(columns))]
    cells = checked(columns, rows)
    for number, row in enumerate(chain([list(columns)], cells), start=1):
        parts = [f'<row r="{number}">']
        for letter, column, cell in zip(letters, columns, row, strict=True):
            if cell is None or cell == "":
                continue
            if isinstance(cell, int) and abs(cell) < _EXACT_DIGITS:
                kind = ' t="b"' if isinstance(cell, bool) else ""
                parts.append(f'<c r="{letter}{number}"{kind}><v>{int(cell)}</v></c>')
                continue
            text = _text(cell)
            if len(text) > MAX_CHARACTERS // 2:
                _refuse_long(path, text, number, column)
            parts.append(
                f'<c r="{letter}{number}" s="1" t="inlineStr"><is>'
                f'<t xml:space="preserve">{_xml(text)}</t></is></c>'
            )
        parts.append("</row>")
        yield "".join(parts)


def _text(cell: Cell) -> str:
    if isinstance(cell, str):
        return escape_formula(cell)
    return json_list(cell) if isinstance(cell, tuple | list) else str(cell)


def _refuse_long(path: Path, text: str, number: int, column: str) -> None:
    size = len(text.encode("utf-16-le", "surrogatepass")) // 2
    if size > MAX_CHARACTERS:
        where = f"{path.name}, row {number}, column {column}"
        raise refusal("curation", "text-too-long", where, size=size, most=MAX_CHARACTERS)


def escaped(text: str) -> str:
    """A text that XML can hold: other characters become `_x0008_`, as OOXML defines."""
    return _ESCAPED.sub(lambda match: f"_x{ord(match[0]):04X}_", text)


def _xml(text: str) -> str:
    text = escaped(text)
    return text.translate(_MARKUP) if "&" in text or "<" in text or ">" in text else text
