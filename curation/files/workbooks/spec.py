"""What a workbook is made of, and the hashes that tell whether it is still the same."""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise
from math import ceil
from typing import TYPE_CHECKING

from curation.files.tables import escape_formula
from curation.files.writers.xlsx import escaped

if TYPE_CHECKING:
    from openpyxl.workbook import Workbook

KEY = "key"
"""The name of a column of keys; those beside answers have a number behind it."""
META = "_curate"
"""The hidden sheet that tells what a workbook is."""
ROW = "row."
"""What stands there before a sheet and a key, with the hash of what people look at in the row.

Behind it follows the hash of each text of the row, after the name of its column.
"""
LISTS = "_lists"
"""The hidden sheet of the values of drop-downs."""
INSTRUCTIONS = "instructions"
"""The first sheet."""
VERSION = "3"
"""Of the layout."""
TEMPLATES = "templates"
"""What a row has of the templates that it is about, a line each, for messages; nobody sees it."""
KEY_WIDTH = 5
"""The width of a column of keys: they need not be read, only to stand there."""

_ESCAPE = re.compile(r"_x([0-9A-Fa-f]{4})_")
_FORMULA_MARK = re.compile("'('*[=+\\-@\t\r\n＝＋－＠])")


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a sheet.

    Attributes:
        name: Its header, by which it is found again.
        width: In characters.
        editable: Whether people fill it in.
        choices: The values that it takes; anything when there are none.
        required: Whether a row in which anything is filled in must have it.
        required_if: Another column and its values with which this one must be filled in.
        note: What to write here; a comment at the header.
        heading: What is shown as its header, in words; the cell holds its name all the same.
        aside: Whether it is no part of what the row asks about: it may change while the row stays
            the same. When it comes back it is only looked at for a text of another row.
        hidden: Whether people need not see it; a column to be read that is empty is hidden anyway.
        key_of: Of a column of keys the answers that its keys stand beside, none where they stand
            beside the row's texts; None for every other column.
    """

    name: str
    width: float = 24
    editable: bool = False
    choices: tuple[str, ...] = ()
    required: bool = False
    required_if: tuple[str, tuple[str, ...]] | None = None
    note: str = ""
    aside: bool = False
    hidden: bool = False
    heading: str = ""
    key_of: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class SheetRow:
    """One row: its key, which no other row of the sheet has, and its cells by column."""

    key: str
    cells: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Sheet:
    """One sheet to be filled in.

    Attributes:
        name: Its title, of at most 31 characters.
        columns: Its columns.
        rows: Its rows.
        key: The column that holds the keys; where none does, a hidden one stands behind the first
            column, so that it is among cells that are marked and sorted.
        blank: Empty rows at the end that may be filled in.
        frozen: The last column that stays in view when the sheet is scrolled; the first one by
            default.
        keys: What columns of keys are like: what they are called, and what is said of them.
    """

    name: str
    columns: tuple[Column, ...]
    rows: tuple[SheetRow, ...] = ()
    key: str = ""
    blank: int = 0
    frozen: str = ""
    keys: Column = Column(KEY, KEY_WIDTH)

    @property
    def is_answered(self) -> bool:
        """Whether people answer its rows: neither a sheet to be read, nor one of empty rows."""
        return not self.blank and any(column.editable for column in self.columns)

    @property
    def row_key(self) -> str:
        """The column of the keys of what people look at."""
        return self.key or KEY

    @property
    def hashes(self) -> dict[str, str]:
        """By key the hashes of the rows that people answer, or of the empty ones that they fill."""
        empty = [SheetRow(f"row {at}", {}) for at in range(2, self.blank + 2)]
        rows = self.rows if self.is_answered else empty
        return {row.key: row_hash(self, row.cells) for row in rows}

    @property
    def shown(self) -> dict[str, dict[str, str]]:
        """By key and column the hashes of the texts of the rows that people answer."""
        told = [column.name for column in self.columns if not column.editable]
        return {
            row.key: {name: text_hash(row.cells.get(name, "")) for name in told}
            for row in self.rows
            if self.is_answered
        }

    def laid_out(self) -> tuple[Column, ...]:
        """The columns as they stand in the workbook, those of keys among the others.

        A key stands on each side of an answer where no text does that is looked at when it comes
        back. So whoever sorts or moves several columns side by side, and parts an answer from its
        row, parts a key or a text from it too. The last column is shown: whoever selects all
        columns that they see would leave it out.
        """
        if not self.is_answered:
            return self.columns
        laid: list[Column] = []
        number = 0
        for one, other in pairwise((*self.columns, None)):
            assert one is not None  # noqa: S101  # the last one alone has none behind it
            laid.append(one)
            if len(laid) == 1 and not self.key:
                laid.append(replace(self.keys, key_of=(), hidden=True))
            beside = [item for item in (one, other) if item is not None]
            answers = tuple(item.name for item in beside if item.editable)
            is_told = any(not (item.editable or item.aside) for item in beside)
            if answers and not is_told:
                number += 1
                beyond = replace(self.keys, name=f"{KEY}_{number}", key_of=answers)
                laid.append(replace(beyond, hidden=other is not None))
        return tuple(laid)


@dataclass(frozen=True, slots=True)
class Book:
    """One workbook.

    Attributes:
        kind: What it is for, one word; a workbook of another kind is refused on reading.
        sheets: Its sheets.
        instructions: Lines of the first sheet; one that begins with `# ` is a heading.
        about: What else has to come back, such as who fills it in.
        right_to_left: Whether those who fill it in write from right to left: the first column is
            on the right then.
    """

    kind: str
    sheets: tuple[Sheet, ...]
    instructions: tuple[str, ...] = ()
    about: Mapping[str, str] = field(default_factory=dict)
    right_to_left: bool = False

    @property
    def hashes(self) -> dict[str, dict[str, str]]:
        """The hashes of the sheets of which people answer the rows, by their name."""
        return {sheet.name: sheet.hashes for sheet in self.sheets if sheet.is_answered}


_PAPER = (0xFF, 0xF8, 0xF4)
"""Red, green and blue of the light yellow of a cell to be filled in, before a row changes them."""
_PAPERS, _INKS = 26, 16
"""Of one book: LibreOffice writes 56 colours at most into an .xlsx file, and mixes those beyond."""
SIZES = (11, 12, 10, 13, 9, 11.5, 10.5, 12.5, 9.5)
"""Of the letters of a book of more rows than colours, in points; not every program knows halves."""

Tint = tuple[str, str, float]
"""The colours of a cell and of what is written in it, and the size of its letters."""


def tints_of(count: int, hashes: Mapping[str, Mapping[str, str]]) -> list[Tint]:
    """The colours of the answers of each row that was handed out.

    Cells that are sorted, moved or copied take their colours along, whatever stands beside them.
    416 rows that follow one another have other ones; to the eye all are black on one light yellow.
    A book of more rows has parts of one length, each with letters of another size. Of more than
    3744 rows the tenth part looks as the first: what is moved by just so far is not told by looks.
    Books of other rows have others, so that what is copied from one says nothing in another.

    Args:
        count: How many rows.
        hashes: What the rows of the book hold, by sheet and key.
    """
    book = int(_digest([list(rows.values()) for rows in hashes.values()])[:8], 16)
    papers = []
    for at in range(_PAPERS):
        less = (book % 8 + 8 * (at % 2), book // 8 % 16, 2 * (book // 128 % 2) + 4 * (at // 2))
        papers.append("".join(f"{one - by:02X}" for one, by in zip(_PAPER, less, strict=True)))
    inks = [f"0000{2 * at:02X}" for at in range(1, _INKS + 1)]
    length = ceil(count / max(1, ceil(count / (_PAPERS * _INKS))))
    places = [divmod(at, length) for at in range(count)]
    return [
        (papers[at % _PAPERS], inks[at // _PAPERS], SIZES[part % len(SIZES)]) for part, at in places
    ]


def row_hash(sheet: Sheet, cells: Mapping[str, str]) -> str:
    """Hash what people look at in a row."""
    content = [
        [column.name, plain_lines(cells.get(column.name, "")).strip()]
        for column in sheet.columns
        if not (column.editable or column.aside)
    ]
    return _digest(content)


def text_hash(text: str) -> str:
    """Hash what a cell says, whatever its line ends are."""
    return _digest(plain_lines(text).strip())[:8]


def cells_id(file: "Workbook") -> str:
    """Hash what stands in the cells of a workbook, and where it has comments, to tell an edit."""
    held = [
        [sheet.title, cell.coordinate, str(cell.value), bool(cell.comment)]
        for sheet in file.worksheets
        for row in sheet.iter_rows()
        for cell in row
        if cell.value is not None or cell.comment
    ]
    return _digest(held)


def _digest(content: object) -> str:
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def plain_lines(text: str) -> str:
    """Write line ends as spreadsheets leave them."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def to_cell(text: str) -> str:
    """Write a text so that a sheet can hold it and no spreadsheet runs it."""
    return escaped(escape_formula(plain_lines(text)))


def from_cell(text: str) -> str:
    """Undo `to_cell`."""
    shown = _ESCAPE.sub(lambda match: chr(int(match[1], 16)), text)
    return plain_lines(_FORMULA_MARK.sub(r"\1", shown, count=1) if shown[:1] == "'" else shown)
