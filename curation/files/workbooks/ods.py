"""Workbooks that LibreOffice and Google Sheets save as OpenDocument (.ods): what is in the cells.

The parts are read as OpenDocument 1.2 defines them. Of looks only what is hidden is kept, and the
colours of cells, which tell of which row an answer is.
"""

from collections.abc import Iterator, Mapping
from datetime import date, datetime
from functools import cache
from io import BytesIO
from typing import TYPE_CHECKING
from xml.etree.ElementTree import Element, ParseError, fromstring
from zipfile import BadZipFile, ZipFile

if TYPE_CHECKING:
    from openpyxl.cell.cell import Cell
    from openpyxl.styles import PatternFill
    from openpyxl.workbook import Workbook
    from openpyxl.worksheet.worksheet import Worksheet

_MIME = b"application/vnd.oasis.opendocument.spreadsheet"
_URN = "{urn:oasis:names:tc:opendocument:xmlns:%s:1.0}"
_OFFICE, _TABLE, _TEXT, _STYLE = (_URN % part for part in ("office", "table", "text", "style"))
_FORMAT = _URN % "xsl-fo-compatible"
_CALC = "{urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0}"
_UNSEEN = ("collapse", "filter")
_MOST_COLUMNS = 1_000
_MOST_CELLS = 2_000_000
"""A file that asks for more repeated cells than this is none that people filled in."""


def is_ods(data: bytes) -> bool:
    """Whether a file is an OpenDocument spreadsheet, by its first bytes."""
    return data.startswith(b"PK\x03\x04") and _MIME in data[:200]


def load_ods(data: bytes) -> "Workbook":
    """Put an OpenDocument spreadsheet into a workbook, its cells without looks but their colours.

    Raises:
        ValueError: If it is damaged or has a password.
    """
    from openpyxl import Workbook

    root = _content(data)
    unseen = {
        style.get(f"{_STYLE}name")
        for style in root.iter(f"{_STYLE}style")
        for shown in style.iter(f"{_STYLE}table-properties")
        if shown.get(f"{_TABLE}display") == "false"
    }
    colours = {
        style.get(f"{_STYLE}name", ""): shown.get(f"{_FORMAT}background-color", "")
        for style in root.iter(f"{_STYLE}style")
        for shown in style.iter(f"{_STYLE}table-cell-properties")
    }
    book = Workbook()
    book.remove(book.worksheets[0])
    for table in root.iter(f"{_TABLE}table"):
        target = book.create_sheet()
        # As it is: openpyxl would number names that it thinks are alike.
        target.title = table.get(f"{_TABLE}name", "")
        if table.get(f"{_TABLE}style-name") in unseen:
            target.sheet_state = "hidden"
        _fill(target, table, colours)
    if not book.worksheets:
        raise ValueError("it has no sheet")
    return book


def _content(data: bytes) -> Element:
    try:
        with ZipFile(BytesIO(data)) as parts:
            if b"encryption-data" in parts.read("META-INF/manifest.xml"):
                raise ValueError("it has a password")
            content = parts.read("content.xml")
        if b"<!ENTITY" in content:
            raise ValueError("it defines entities, which no spreadsheet does")
        return fromstring(content)  # noqa: S314  # entities are refused
    except (BadZipFile, KeyError, ParseError, OSError, EOFError, NotImplementedError) as error:
        raise ValueError(f"it is damaged: {error}") from error


def _fill(target: "Worksheet", table: Element, colours: Mapping[str, str]) -> None:
    from openpyxl.cell.cell import Cell
    from openpyxl.utils import get_column_letter

    row, left = 1, _MOST_CELLS
    merged = []
    for at, hidden in enumerate(_columns(table), start=1):
        if hidden:
            target.column_dimensions[get_column_letter(at)].hidden = True
    for element in _rows(table):
        repeated = int(element.get(f"{_TABLE}number-rows-repeated", "1"))
        there = list(_cells(element))
        left -= len(there) * repeated
        if left < 0:
            raise ValueError("it repeats its cells too often")
        for number in range(row, row + repeated if there else row):
            if element.get(f"{_TABLE}visibility") in _UNSEEN:
                target.row_dimensions[number].hidden = True
            for column, item in there:
                cell = target.cell(number, column)
                assert isinstance(cell, Cell)  # noqa: S101  # nothing is merged yet
                _put(cell, item)
                colour = colours.get(item.get(f"{_TABLE}style-name", ""), "")
                if colour.startswith("#"):
                    cell.fill = _solid(colour.removeprefix("#").upper())
                down, across = (_spanned(item, what) for what in ("rows", "columns"))
                if down > 1 or across > 1:
                    merged.append((number, column, number + down - 1, column + across - 1))
        row += repeated
    for top, first, bottom, last in merged:
        target.merge_cells(start_row=top, start_column=first, end_row=bottom, end_column=last)


@cache
def _solid(colour: str) -> "PatternFill":
    from openpyxl.styles import PatternFill

    return PatternFill("solid", fgColor=colour)


def _rows(element: Element) -> Iterator[Element]:
    """Yield the rows, those in groups and in headings that are printed on each page too."""
    for child in element:
        if child.tag == f"{_TABLE}table-row":
            yield child
        elif child.tag in {f"{_TABLE}table-{a}" for a in ("header-rows", "rows", "row-group")}:
            yield from _rows(child)


def _columns(table: Element) -> Iterator[bool]:
    """Whether each column is hidden; the rest of a sheet beyond its cells is one that repeats."""
    for column in table.iter(f"{_TABLE}table-column"):
        repeated = int(column.get(f"{_TABLE}number-columns-repeated", "1"))
        yield from [column.get(f"{_TABLE}visibility") in _UNSEEN] * min(repeated, _MOST_COLUMNS)


def _cells(row: Element) -> Iterator[tuple[int, Element]]:
    """Yield the cells that hold something or are merged, each with its column."""
    column = 1
    for item in row:
        if item.tag not in (f"{_TABLE}table-cell", f"{_TABLE}covered-table-cell"):
            continue
        repeated = int(item.get(f"{_TABLE}number-columns-repeated", "1"))
        holds = item.get(f"{_OFFICE}value-type") or item.get(f"{_TABLE}formula")
        if holds or _spanned(item, "rows") > 1 or _spanned(item, "columns") > 1:
            if repeated > _MOST_CELLS:
                raise ValueError("it repeats its cells too often")
            yield from ((at, item) for at in range(column, column + repeated))
        column += repeated


def _spanned(cell: Element, what: str) -> int:
    return int(cell.get(f"{_TABLE}number-{what}-spanned", "1"))


def _put(cell: "Cell", item: Element) -> None:
    """Put what a cell holds into one of a workbook: its error, its formula or its value."""
    formula, kind = item.get(f"{_TABLE}formula", ""), item.get(f"{_OFFICE}value-type")
    if item.get(f"{_CALC}value-type") == "error":
        cell.value, cell.data_type = _text(item), "e"
    elif formula:
        cell.value, cell.data_type = f"={formula.partition('=')[2]}", "f"
    elif kind is not None:
        cell.value = _value(item, kind)
        if isinstance(cell.value, str):
            cell.data_type = "s"


def _value(cell: Element, kind: str) -> str | float | bool | date:
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
