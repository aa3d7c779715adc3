"""Workbooks that LibreOffice and Google Sheets save as OpenDocument (.ods): what is in the cells.

The parts are read as OpenDocument 1.2 defines them. Of looks only what is hidden is kept.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime
from io import BytesIO
from typing import TYPE_CHECKING, TypeAlias
from xml.etree.ElementTree import Element, ParseError, fromstring
from zipfile import BadZipFile, ZipFile

if TYPE_CHECKING:
    from openpyxl.workbook import Workbook
    from openpyxl.worksheet.worksheet import Worksheet

_MIME = b"application/vnd.oasis.opendocument.spreadsheet"
_URN = "{urn:oasis:names:tc:opendocument:xmlns:%s:1.0}"
_OFFICE, _TABLE, _TEXT, _STYLE = (_URN % part for part in ("office", "table", "text", "style"))
_CALC = "{urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0}"
_MOST_CELLS = 2_000_000
"""A file that asks for more repeated cells than this is none that people filled in."""

Value: TypeAlias = str | float | bool | date


@dataclass(frozen=True, slots=True)
class OdsCell:
    """A cell with a value.

    Attributes:
        row: From 1.
        column: From 1.
        value: What it holds, as the type that the program made of it.
        formula: The formula that gives it, in words of the format; empty where none does.
        error: Whether it is an error of the spreadsheet.
    """

    row: int
    column: int
    value: Value
    formula: str = ""
    error: bool = False


@dataclass(frozen=True, slots=True)
class OdsSheet:
    """A sheet.

    Attributes:
        name: Its title.
        cells: In order.
        merged: Areas of merged cells: first row, first column, last row, last column.
        hidden: Whether it is not shown.
    """

    name: str
    cells: tuple[OdsCell, ...]
    merged: tuple[tuple[int, int, int, int], ...]
    hidden: bool


def is_ods(data: bytes) -> bool:
    """Whether a file is an OpenDocument spreadsheet, by its first bytes."""
    return data.startswith(b"PK\x03\x04") and _MIME in data[:200]


def ods_sheets(data: bytes) -> list[OdsSheet]:
    """Read the sheets of an OpenDocument spreadsheet.

    Raises:
        ValueError: If it is damaged or has a password.
    """
    try:
        with ZipFile(BytesIO(data)) as parts:
            if b"encryption-data" in parts.read("META-INF/manifest.xml"):
                raise ValueError("it has a password")
            content = parts.read("content.xml")
        if b"<!ENTITY" in content:
            raise ValueError("it defines entities, which no spreadsheet does")
        root = fromstring(content)  # noqa: S314  # entities are refused
    except (BadZipFile, KeyError, ParseError, OSError, EOFError, NotImplementedError) as error:
        raise ValueError(f"it is damaged: {error}") from error
    unseen = {
        style.get(f"{_STYLE}name")
        for style in root.iter(f"{_STYLE}style")
        for shown in style.iter(f"{_STYLE}table-properties")
        if shown.get(f"{_TABLE}display") == "false"
    }
    return [_sheet(table, unseen) for table in root.iter(f"{_TABLE}table")]


def _sheet(table: Element, unseen: set[str | None]) -> OdsSheet:
    cells: list[OdsCell] = []
    merged = []
    row = 0
    for element in _rows(table):
        repeated = int(element.get(f"{_TABLE}number-rows-repeated", "1"))
        there = list(_cells(element))
        for _ in range(repeated if there else 0):
            row += 1
            for column, cell, down, across in there:
                if down > 1 or across > 1:
                    merged.append((row, column, row + down - 1, column + across - 1))
                if cell is not None:
                    cells.append(OdsCell(row, column, *cell))
            if len(cells) > _MOST_CELLS:
                raise ValueError("it repeats its cells too often")
        row += 0 if there else repeated
    name = table.get(f"{_TABLE}name", "")
    return OdsSheet(
        name, tuple(cells), tuple(merged), hidden=table.get(f"{_TABLE}style-name") in unseen
    )


def _rows(element: Element) -> Iterator[Element]:
    """Yield the rows, those in groups and in headings that are printed on each page too."""
    for child in element:
        if child.tag == f"{_TABLE}table-row":
            yield child
        elif child.tag in (
            f"{_TABLE}table-header-rows",
            f"{_TABLE}table-rows",
            f"{_TABLE}table-row-group",
        ):
            yield from _rows(child)


_Cell: TypeAlias = tuple[Value, str, bool]


def _cells(row: Element) -> Iterator[tuple[int, _Cell | None, int, int]]:
    """Yield the cells that hold something or are merged: column, content, rows, columns."""
    column = 1
    for element in row:
        if element.tag not in (f"{_TABLE}table-cell", f"{_TABLE}covered-table-cell"):
            continue
        repeated = int(element.get(f"{_TABLE}number-columns-repeated", "1"))
        spans = [
            int(element.get(f"{_TABLE}number-{what}-spanned", "1")) for what in ("rows", "columns")
        ]
        content = _content(element)
        if content is not None or spans != [1, 1]:
            if repeated > _MOST_CELLS:
                raise ValueError("it repeats its cells too often")
            for at in range(column, column + repeated):
                yield at, content, spans[0], spans[1]
        column += repeated


def _content(cell: Element) -> _Cell | None:
    """What a cell holds, by which formula, and whether it is an error."""
    formula = cell.get(f"{_TABLE}formula", "")
    kind = cell.get(f"{_OFFICE}value-type")
    if cell.get(f"{_CALC}value-type") == "error":
        return _text(cell), formula, True
    if kind is None:
        return ("", formula, False) if formula else None
    return _value(cell, kind), formula, False


def _value(cell: Element, kind: str) -> Value:
    if kind in ("float", "percentage", "currency"):
        return float(cell.get(f"{_OFFICE}value", "nan"))
    if kind == "boolean":
        return cell.get(f"{_OFFICE}boolean-value") == "true"
    if kind == "date":
        written = cell.get(f"{_OFFICE}date-value", "")
        moment = datetime.fromisoformat(written)
        return moment if "T" in written else moment.date()
    stated = cell.get(f"{_OFFICE}string-value")
    return stated if stated is not None else _text(cell)


def _text(cell: Element) -> str:
    """The paragraphs of a cell, each in its line; comments are none of its text."""
    return "\n".join("".join(_pieces(p)) for p in cell if p.tag == f"{_TEXT}p")


def _pieces(element: Element) -> Iterator[str]:
    yield element.text or ""
    for child in element:
        if child.tag == f"{_TEXT}s":
            yield " " * int(child.get(f"{_TEXT}c", "1"))
        elif child.tag == f"{_TEXT}tab":
            yield "\t"
        elif child.tag == f"{_TEXT}line-break":
            yield "\n"
        elif child.tag.startswith(_TEXT):
            yield from _pieces(child)
        yield child.tail or ""


def load_ods(data: bytes, *, data_only: bool = False) -> "Workbook":
    """Put an OpenDocument spreadsheet into a workbook, its cells without looks.

    Args:
        data: The file.
        data_only: Whether formulas are replaced by what they gave, as openpyxl names it.

    Raises:
        ValueError: If it is damaged or has a password.
    """
    from openpyxl import Workbook

    book = Workbook()
    first = book.active
    assert first is not None  # noqa: S101  # a new workbook has a sheet
    book.remove(first)
    for sheet in ods_sheets(data):
        target = book.create_sheet()
        target.title = sheet.name  # as it is: openpyxl would number names that it thinks are alike
        if sheet.hidden:
            target.sheet_state = "hidden"
        _fill(target, sheet, data_only)
    if not book.worksheets:
        raise ValueError("it has no sheet")
    return book


def _fill(target: "Worksheet", sheet: OdsSheet, data_only: bool) -> None:
    from openpyxl.cell.cell import Cell

    for one in sheet.cells:
        cell = target.cell(one.row, one.column)
        assert isinstance(cell, Cell)  # noqa: S101  # nothing is merged yet
        cell.value = one.value
        if one.error:
            cell.data_type = "e"
        elif one.formula and not data_only:
            cell.value, cell.data_type = f"={one.formula.partition('=')[2]}", "f"
        elif isinstance(one.value, str):
            cell.data_type = "s"
    for top, left, bottom, right in sheet.merged:
        target.merge_cells(start_row=top, start_column=left, end_row=bottom, end_column=right)
