"""Open a workbook that the toolkit made, and refuse every other file."""

import warnings
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, time
from io import BytesIO
from pathlib import Path
from string import ascii_uppercase
from typing import TYPE_CHECKING, Any
from xml.etree.ElementTree import Element, ParseError, fromstring
from zipfile import ZipFile

from curation.files.tables import ZIP_FAULTS, read_bytes
from curation.files.workbooks.spec import (
    INSTRUCTIONS,
    LISTS,
    META,
    ROW,
    SIZES,
    VERSION,
    Tint,
    cells_id,
    from_cell,
)
from curation.files.workbooks.writing import tint
from curation.records.messages import CurateError, Finding, composed, has_errors, refusal

if TYPE_CHECKING:
    from openpyxl.cell.cell import Cell
    from openpyxl.workbook import Workbook
    from openpyxl.worksheet.worksheet import Worksheet

_MIME = b"application/vnd.oasis.opendocument.spreadsheet"
_URN = "{urn:oasis:names:tc:opendocument:xmlns:%s:1.0}"
_OFFICE, _TABLE, _TEXT, _STYLE = (_URN % part for part in ("office", "table", "text", "style"))
_FORMAT = _URN % "xsl-fo-compatible"
_CALC = "{urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0}"
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
    styles = {style.get(f"{_STYLE}name", ""): _tint(style) for style in root.iter(f"{_STYLE}style")}
    tints = {name: one for name, one in styles.items() if len(one[0]) == len(one[1]) == 6}
    book = Workbook()
    book.remove(book.worksheets[0])
    for table in root.iter(f"{_TABLE}table"):
        target = book.create_sheet()
        # As it is: openpyxl would number names that it thinks are alike.
        target.title = table.get(f"{_TABLE}name", "")
        if table.get(f"{_TABLE}style-name") in unseen:
            target.sheet_state = "hidden"
        _fill(target, table, tints)
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
    except (*ZIP_FAULTS, KeyError, ParseError) as error:
        raise ValueError(f"it is damaged: {error}") from error


def _tint(style: Element) -> Tint:
    """The looks of the cells of a style."""
    text = "text-properties"
    asked = (("table-cell-properties", "background-color"), (text, "color"), (text, "font-size"))
    paper, ink, size = (
        next((shown.get(f"{_FORMAT}{name}", "") for shown in style.iter(f"{_STYLE}{part}")), "")
        for part, name in asked
    )
    points = float(size.removesuffix("pt")) if size.endswith("pt") else SIZES[0]
    return paper.removeprefix("#").upper(), ink.removeprefix("#").upper(), points


def _fill(target: "Worksheet", table: Element, tints: Mapping[str, Tint]) -> None:
    from openpyxl.cell.cell import Cell

    row, left = 1, _MOST_CELLS
    merged = []
    for element in _ods_rows(table):
        repeated = int(element.get(f"{_TABLE}number-rows-repeated", "1"))
        # Rows that are handed out are never alike: those that repeat end a sheet.
        there = list(_cells(element, tints if repeated == 1 else ()))
        left -= len(there) * repeated
        if left < 0:
            raise ValueError("it repeats its cells too often")
        for number in range(row, row + repeated if there else row):
            for column, item in there:
                cell = target.cell(number, column)
                assert isinstance(cell, Cell)  # noqa: S101  # nothing is merged yet
                _put(cell, item)
                if looks := tints.get(item.get(f"{_TABLE}style-name", "")):
                    tint(cell, looks)
                down, across = (_spanned(item, what) for what in ("rows", "columns"))
                if down > 1 or across > 1:
                    merged.append((number, column, number + down - 1, column + across - 1))
        row += repeated
    for top, first, bottom, last in merged:
        target.merge_cells(start_row=top, start_column=first, end_row=bottom, end_column=last)


def _ods_rows(element: Element) -> Iterator[Element]:
    """Yield the rows, those in groups and in headings that are printed on each page too."""
    for child in element:
        if child.tag == f"{_TABLE}table-row":
            yield child
        elif child.tag in {f"{_TABLE}table-{a}" for a in ("header-rows", "rows", "row-group")}:
            yield from _ods_rows(child)


def _cells(row: Element, dyed: Container[str]) -> Iterator[tuple[int, Element]]:
    """Yield the cells that hold something, are dyed or are merged, each with its column."""
    column = 1
    for item in row:
        if item.tag not in (f"{_TABLE}table-cell", f"{_TABLE}covered-table-cell"):
            continue
        repeated = int(item.get(f"{_TABLE}number-columns-repeated", "1"))
        holds = item.get(f"{_OFFICE}value-type") or item.get(f"{_TABLE}formula")
        is_dyed = item.get(f"{_TABLE}style-name") in dyed
        if holds or is_dyed or _spanned(item, "rows") > 1 or _spanned(item, "columns") > 1:
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


_ABOUT = "about."


@dataclass(frozen=True, slots=True)
class Mark:
    """A finding on a cell of a workbook.

    Attributes:
        finding: What is wrong.
        sheet: Title of the sheet; empty for the workbook as a whole.
        cell: Address, such as `D5`; empty for the sheet as a whole.
    """

    finding: Finding
    sheet: str = ""
    cell: str = ""


@dataclass(frozen=True)
class OpenBook:
    """A workbook as it came back.

    Attributes:
        path: The file.
        data: Its bytes.
        about: What was given with it.
        file: Its cells.
        hashes: By sheet and key the hash of what people were handed, in the order of the rows.
        shown: By sheet, key and column the hashes of its texts.
        marks: What is wrong in it, of all sheets that were read.
    """

    path: Path
    data: bytes = field(repr=False)
    about: Mapping[str, str]
    file: Any = field(repr=False)
    hashes: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    shown: Mapping[str, Mapping[str, Mapping[str, str]]] = field(default_factory=dict)
    marks: list[Mark] = field(default_factory=list, repr=False)

    @property
    def findings(self) -> list[Finding]:
        """What is wrong in it, without the cells."""
        return [mark.finding for mark in self.marks]

    @property
    def has_errors(self) -> bool:
        """Whether anything wrong is an error."""
        return has_errors(self.findings)

    def mark(self, said: Finding, sheet: str = "", cell: str = "", column: str = "") -> None:
        """Add what is wrong.

        Args:
            said: What it is; where it stands follows from the other arguments.
            sheet: The sheet.
            cell: The address of the cell.
            column: The header of its column.
        """
        row = int(cell.lstrip(ascii_uppercase)) if cell else None
        shown = f"{column} ({cell})" if column and cell else column or cell
        where = f"{self.path.name}, sheet {sheet}" if sheet else self.path.name
        self.marks.append(Mark(replace(said, file=where, row=row, column=shown), sheet, cell))


def open_workbook(path: Path, kind: str, data: bytes = b"") -> OpenBook:
    """Open a workbook that the toolkit made.

    Args:
        path: The file.
        kind: What it must be for.
        data: Its bytes, where they are known.

    Raises:
        CurateError: If it is no workbook, or not one of this kind.
    """
    data = data or read_bytes(path)
    file = load(data, path)
    if META not in file.sheetnames:
        raise _not_ours(path)
    rows = ([text_of(cell.value) for cell in row] for row in file[META].iter_rows(max_col=2))
    meta = _meta(rows)
    if meta.get("kind") != kind:
        raise refusal("curation", "workbook-other", path, found=meta.get("kind", ""), wanted=kind)
    if meta.get("version") != VERSION:
        raise refusal(
            "curation", "workbook-layout", path, layout=meta.get("version"), wanted=VERSION
        )
    hashes, shown = _hashes(meta)
    return OpenBook(path, data, _about(meta), file, hashes, shown)


def is_untouched(path: Path, kind: str) -> bool:
    """Whether a file is a workbook of a kind whose cells are as they were handed out."""
    try:
        file = open_workbook(path, kind).file
    except CurateError:
        return False
    return bool(file.properties.identifier == cells_id(file))


def kind_of(path: Path) -> str:
    """What a workbook that the toolkit made is for, as its hidden sheet says.

    Raises:
        CurateError: If it is no such workbook.
    """
    sheets = cells_of(path, META.__eq__)
    if not sheets:
        raise _not_ours(path)
    return _meta(sheets[META]).get("kind", "")


@dataclass(frozen=True, slots=True)
class Glance:
    """The purpose of a workbook, and its current content.

    Attributes:
        path: The file.
        kind: What it is for.
        about: What was given with it.
        keys: Of the rows that were handed out.
        rows: The rows of its sheets, cells by header.
    """

    path: Path
    kind: str
    about: Mapping[str, str]
    keys: frozenset[str]
    rows: tuple[Mapping[str, str], ...]

    def filled(self, columns: Sequence[str]) -> list[Mapping[str, str]]:
        """The rows with a value in one of some columns."""
        return [row for row in self.rows if any(row.get(name, "").strip() for name in columns)]


def glance_at(folder: Path) -> Iterator[Glance | CurateError]:
    """Look at the workbooks in a folder, in the order of their names.

    What cannot be opened is given as the error that says so; workbooks of others are passed over.
    """
    for path in sorted((*folder.glob("*.xlsx"), *folder.glob("*.ods"))):
        if path.name.startswith(("~$", ".")):
            continue  # a spreadsheet that has the workbook open left it
        try:
            sheets = cells_of(path)
        except CurateError as error:
            yield error
            continue
        if META in sheets:
            meta = _meta(sheets[META])
            people = [sheets[name] for name in sheets if name not in (INSTRUCTIONS, LISTS, META)]
            rows = tuple(row for cells in people for row in _rows(cells))
            keys = frozenset(key for sheet in _hashes(meta)[0].values() for key in sheet)
            yield Glance(path, meta.get("kind", ""), _about(meta), keys, rows)


def _rows(cells: Sequence[Sequence[str]]) -> Iterator[Mapping[str, str]]:
    """Yield the rows below the headers, which are the first row of several cells."""
    header = next((at for at, row in enumerate(cells) if sum(map(bool, row)) > 1), None)
    if header is not None:
        below = (row for row in cells[header + 1 :] if any(row))
        yield from (dict(zip(cells[header], row, strict=False)) for row in below)


def _meta(rows: Iterable[Sequence[str]]) -> dict[str, str]:
    """What the hidden sheet says."""
    return {row[0]: row[1] for row in rows if len(row) > 1}


def _about(meta: Mapping[str, str]) -> dict[str, str]:
    return {name.removeprefix(_ABOUT): meta[name] for name in meta if name.startswith(_ABOUT)}


def _hashes(
    meta: Mapping[str, str],
) -> tuple[dict[str, dict[str, str]], dict[str, dict[str, dict[str, str]]]]:
    """By sheet and key the hashes of what was handed out, of whole rows and of each column."""
    rows: dict[str, dict[str, str]] = {}
    shown: dict[str, dict[str, dict[str, str]]] = {}
    for name, value in meta.items():
        if name.startswith(ROW):
            sheet, _, key = name.removeprefix(ROW).partition("/")
            seen, *texts = value.split()
            rows.setdefault(sheet, {})[key] = seen
            shown.setdefault(sheet, {})[key] = dict(one.split(":") for one in texts)
    return rows, shown


def _not_ours(path: Path) -> CurateError:
    return refusal("curation", "workbook-foreign", path, sheet=META)


def cells_of(
    path: Path, wanted: Callable[[str], bool] = lambda _name: True
) -> dict[str, list[list[str]]]:
    """The cells of a workbook's sheets as text, formulas by what they gave; quick.

    Args:
        path: The workbook, whoever made it.
        wanted: Tells of the name of a sheet whether it is read; all are by default.

    Raises:
        CurateError: If it is no workbook, or a damaged one.
    """
    from python_calamine import CalamineError, CalamineWorkbook

    data = _zipped(read_bytes(path), path)
    try:
        book = CalamineWorkbook.from_filelike(BytesIO(data))
        own = _own_titles(book.sheet_names)
        return {
            own[name]: [
                [text_of(cell) for cell in row]
                for row in book.get_sheet_by_name(name).to_python(skip_empty_area=False)
            ]
            for name in book.sheet_names
            if wanted(own[name])
        }
    except (CalamineError, OSError, ValueError) as error:
        raise refusal("curation", "workbook-damaged", path) from error


def load(data: bytes, path: Path) -> "Workbook":
    """Load a workbook that a spreadsheet saved as .xlsx or .ods.

    Args:
        data: Its bytes.
        path: The file, to be named where it is none.

    Raises:
        CurateError: If it is no workbook, or a damaged one.
    """
    from openpyxl import load_workbook
    from openpyxl.utils.exceptions import InvalidFileException

    _zipped(data, path)
    try:
        if is_ods(data):
            return load_ods(data)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # parts of other programs that openpyxl leaves out
            book = load_workbook(BytesIO(data))
        own = _own_titles(book.sheetnames)
        for sheet in book.worksheets:
            sheet.title = own[sheet.title]
        return book
    except (
        *(*ZIP_FAULTS, InvalidFileException, ParseError),
        *(KeyError, ValueError, TypeError, AttributeError, IndexError),
    ) as error:
        raise refusal("curation", "workbook-damaged", path) from error


def _own_titles(titles: Sequence[str]) -> dict[str, str]:
    """The sheets of a workbook as it was handed out; Numbers adds the name of a table to each."""
    added = next((one.removeprefix(META) for one in titles if one.startswith(f"{META} - ")), "")
    return {one: one.removesuffix(added) for one in titles}


def _zipped(data: bytes, path: Path) -> bytes:
    """The bytes of a file that may be a workbook; any other is refused."""
    if not data.startswith(b"PK\x03\x04"):
        raise refusal("curation", "workbook-damaged", path)
    return data


def text_of(value: object) -> str:
    """A cell as text, whatever type a program made of it."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, datetime) and value.time() == time():
        return value.date().isoformat()
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    return from_cell(composed(str(value)))
