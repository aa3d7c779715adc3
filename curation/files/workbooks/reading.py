"""Read a sheet back, whatever people and their programs did to it."""

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from curation.files.workbooks.marks import Mark, make_mark
from curation.files.workbooks.opening import OpenBook, text_of
from curation.files.workbooks.spec import (
    HASH,
    INSTRUCTIONS,
    KEY,
    LISTS,
    META,
    Column,
    Sheet,
    row_hash,
)
from curation.records.findings import Severity
from curation.records.wording import shortened

if TYPE_CHECKING:
    from openpyxl.worksheet.worksheet import Worksheet

_HEADER_WITHIN = 20
"""A header is looked for in so many rows: people put titles above it."""

_SHOWN_NAME = re.compile(r".*\((\w+)\)")
"""A heading as it is shown: in words, with the name of the column."""

_TEMPLATE = "template_id"
"""The column of the templates that a row is about, in sheets that show them."""


@dataclass(frozen=True, slots=True)
class FilledRow:
    """A row as it came back.

    Attributes:
        key: Its key; `row 5` for one that was added in a blank row.
        row: Its number in the sheet.
        cells: The text of every column of the sheet, empty where nothing stands.
        hash: Of the locked cells when the sheet was made; empty for an added row.
        changed: Whether the locked cells would be others if the sheet were made today.
        filled: Whether anything stands in the cells that people fill in.
    """

    key: str
    row: int
    cells: Mapping[str, str]
    hash: str
    changed: bool
    filled: bool


@dataclass(frozen=True)
class FilledSheet:
    """A sheet as it came back.

    Attributes:
        file: The file as findings show it.
        sheet: The sheet that was wanted.
        rows: Its rows, in the order of the sheet that was wanted; added ones at the end.
        missing: Keys of rows that are not there.
        marks: What is wrong; `mark` adds to them.
        letters: The letter of each column, by its header.
        strange: Rows that the wanted sheet has not; each is marked.
        title: Its name in the file; that of the wanted sheet by default.
    """

    file: str
    sheet: Sheet
    rows: tuple[FilledRow, ...]
    missing: tuple[str, ...]
    marks: list[Mark]
    letters: Mapping[str, str]
    strange: tuple[FilledRow, ...] = ()
    title: str = ""

    @property
    def has_errors(self) -> bool:
        """Whether anything wrong is an error."""
        return any(item.finding.severity is Severity.ERROR for item in self.marks)

    def mark(
        self,
        row: FilledRow | None,
        column: str,
        rule: str,
        message: str,
        hint: str = "",
        severity: Severity = Severity.ERROR,
    ) -> None:
        """Add what a command found itself."""
        letter = self.letters.get(column, "")
        cell = f"{letter}{row.row}" if row is not None and letter else ""
        place = (self.file, self.title or self.sheet.name, cell)
        self.marks.append(make_mark(rule, severity, place, message, hint, column))


def _folded(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).split()).casefold()


def sheet_title(book: OpenBook, sheet: Sheet) -> str:
    """The name that a sheet has in a workbook; nothing where it is not there.

    A sheet that was given another name is found by its columns, where only one has them and the
    workbook says that it was made with them.
    """
    titles = {_folded(title): title for title in book.file.sheetnames}
    if _folded(sheet.name) in titles:
        return str(titles[_folded(sheet.name)])
    wanted = book.columns.get(sheet.name)
    if wanted is None:  # it never had that sheet, or does not say what it had
        return ""
    ours = {_folded(name) for name in (*book.columns, INSTRUCTIONS, LISTS, META)}
    known = frozenset({KEY}).union(*book.columns.values())
    alike = [
        title
        for folded, title in titles.items()
        if folded not in ours
        if {*_find_header(book.file[title], known).letters} - {KEY} == wanted
    ]
    return str(alike[0]) if len(alike) == 1 else ""


def read_sheet(book: OpenBook, sheet: Sheet) -> FilledSheet:
    """Read one sheet against what it would be if it were made today.

    Columns are found by their headers and rows by their keys, in any order.
    """
    title = sheet_title(book, sheet)
    if not title:
        place = (book.path.name, "", "")
        mark = make_mark(
            "workbook-sheet-missing",
            Severity.ERROR,
            place,
            f"there is no sheet '{sheet.name}'",
            "undo the change, or copy what was filled in into a fresh workbook",
        )
        missing = tuple(row.key for row in sheet.rows)
        return FilledSheet(book.path.name, sheet, (), missing, [mark], {})
    return _Reader(book, book.file[title], sheet).read()


@dataclass(frozen=True, slots=True)
class _Header:
    """The row of the headers.

    Attributes:
        row: Its number.
        letters: The letter of each column that was found.
        doubled: Names that occur once more, each with its cell.
    """

    row: int
    letters: Mapping[str, str]
    doubled: tuple[tuple[str, str], ...]


def _find_header(source: "Worksheet", names: Collection[str]) -> _Header:
    """Find the row that holds most of the headers, and the letter of each column."""
    from openpyxl.utils import get_column_letter

    by_text = {_folded(name): name for name in names}
    best = _Header(1, {}, ())
    for number in range(1, min(_HEADER_WITHIN, source.max_row) + 1):
        letters: dict[str, str] = {}
        twice: list[tuple[str, str]] = []
        shown: list[tuple[str, str]] = []
        for at in range(1, source.max_column + 1):
            text = _folded(text_of(source.cell(number, at).value))
            name, letter = by_text.get(text), get_column_letter(at)
            if name is None and text:
                shown.append((text, letter))
            elif name in letters:
                twice.append((name, f"{letter}{number}"))
            elif name is not None:
                letters[name] = letter
        for text, letter in shown:  # a program may have kept what was shown in place of the name
            name = by_text.get(_SHOWN_NAME.sub(r"\1", text)) or by_text.get(text.replace(" ", "_"))
            if name is not None:
                letters.setdefault(name, letter)
        if len(letters) > len(best.letters):
            best = _Header(number, letters, tuple(twice))
    return best


@dataclass(slots=True)
class _Found:
    """A row with anything in it: cells, hidden key and hash, and the hash of its locked cells."""

    number: int
    cells: dict[str, str]
    key: str
    seen: str
    content: str = ""

    @property
    def is_blank(self) -> bool:
        """Whether no cell holds anything."""
        return not any(text.strip() for text in self.cells.values())


class _Reader:
    """Reads one sheet."""

    def __init__(self, book: OpenBook, source: "Worksheet", sheet: Sheet) -> None:
        self._file, self._source, self._sheet = book.path.name, source, sheet
        self._title = source.title
        self._marks: list[Mark] = []
        self._strange: list[FilledRow] = []
        self._expected = {row.key: row for row in sheet.rows}
        self._made_with = book.columns.get(sheet.name, frozenset[str]())
        self._there = sheet

    def read(self) -> FilledSheet:
        """Read header and rows."""
        header, letters = self._header()
        if _folded(self._title) != _folded(self._sheet.name):
            self._say(
                *("workbook-sheet-renamed", Severity.WARNING, "", ""),
                f"the sheet '{self._title}' is read as '{self._sheet.name}', whose columns it has",
                "leave the names of sheets as they are",
            )
        lost = self._lost(header, letters)
        found: dict[str, FilledRow] = {}
        added: list[FilledRow] = []
        if not lost:
            self._look_for_merged(header, letters)
            for row in self._rows(header, letters):
                self._read_row(row, letters, found, added)
        missing = tuple(key for key in self._expected if key not in found)
        if missing and not lost:
            self._say_missing(missing)
        rows = (*(found[key] for key in self._expected if key in found), *added)
        return FilledSheet(
            *(self._file, self._sheet, rows, missing, self._marks, letters, tuple(self._strange)),
            title=self._title,
        )

    def _lost(self, header: int, letters: Mapping[str, str]) -> bool:
        """Whether columns were taken out; those that came later were never in the workbook."""
        if not any(column.name in letters for column in self._sheet.columns):
            empty = not any(any(cells) for cells in self._source.iter_rows(values_only=True))
            self._error(
                *("workbook-sheet-empty", "", ""),
                f"sheet '{self._title}' is empty"
                if empty
                else "the names of all columns are missing",
                "undo the change, or copy what was filled in into a fresh workbook",
            )
            return True
        lost = False
        for item in self._sheet.columns:
            if item.name in letters or (self._made_with and item.name not in self._made_with):
                continue
            # Workbooks that do not say which columns they had may be older than this one.
            older = not self._made_with and not item.required
            lost = lost or not older
            self._say(
                *("workbook-column-missing", Severity.WARNING if older else Severity.ERROR),
                *(f"{self._first(letters)}{header}", ""),
                f"there is no column '{item.name}'" + ("; it is taken as empty" if older else ""),
                "columns may be moved but not renamed or deleted: undo the change",
            )
        there = tuple(item for item in self._sheet.columns if item.name in letters)
        self._there = replace(self._sheet, columns=there)
        return lost

    def _first(self, letters: Mapping[str, str]) -> str:
        return next((letters[c.name] for c in self._sheet.columns if c.name in letters), "A")

    def _header(self) -> tuple[int, Mapping[str, str]]:
        found = _find_header(self._source, frozenset(self._names()))
        for name, cell in found.doubled:
            self._error(
                *("workbook-column-twice", cell, name),
                f"column '{name}' occurs twice, also in {found.letters[name]}",
                "delete one of the two",
            )
        return found.row, found.letters

    def _names(self) -> Iterator[str]:
        yield from (KEY, HASH)
        yield from (column.name for column in self._sheet.columns)

    def _key_columns(self, letters: Mapping[str, str]) -> tuple[str, str]:
        """The letters of the columns of keys and hashes; a visible one where one was lost."""
        key = letters.get(KEY, "")
        if not key and self._expected:
            key = letters.get(self._sheet.key, "")
            how = f"rows are found by '{self._sheet.key}'" if key else "no row can be found"
            self._say(
                *("workbook-key-missing", Severity.WARNING if key else Severity.ERROR),
                *("", "", f"the hidden column '{KEY}' was deleted; {how}"),
                "leave hidden columns where they are",
            )
        return key, letters.get(HASH, "")

    def _look_for_merged(self, header: int, letters: Mapping[str, str]) -> None:
        wanted = {self._source[f"{letter}1"].column: name for name, letter in letters.items()}
        for area in sorted(self._source.merged_cells.ranges, key=lambda item: item.bounds):
            columns = [wanted[at] for at in range(area.min_col, area.max_col + 1) if at in wanted]
            if columns and area.max_row >= header:
                self._error(
                    *("workbook-merged", area.coord.split(":")[0], columns[0]),
                    f"cells {area.coord} are merged, so only one of them has a value",
                    "undo the merge and fill in each cell",
                )

    def _rows(self, header: int, letters: Mapping[str, str]) -> list[_Found]:
        """The rows that hold anything, each with the key that it belongs to."""
        keys = self._key_columns(letters)
        rows = []
        for number in range(header + 1, self._source.max_row + 1):
            cells = dict.fromkeys((c.name for c in self._sheet.columns), "")
            cells |= {c.name: self._cell(number, letters[c.name], c) for c in self._there.columns}
            key, seen = (
                text_of(self._source[f"{at}{number}"].value).strip() if at else "" for at in keys
            )
            row = _Found(number, cells, key, seen)
            if row.key or not row.is_blank:
                rows.append(row)
        return self._together(rows, letters) if all(keys) and self._expected else rows

    def _together(self, rows: list[_Found], letters: Mapping[str, str]) -> list[_Found]:
        """Give each row the key of what stands in it.

        Sorting the visible columns leaves the hidden ones where they are. By the hashes
        there it is known which content each key belongs to.
        """
        owners: dict[str, set[str]] = {}
        for row in rows:
            row.content = row_hash(self._there, row.cells)
            if row.key and row.seen:
                owners.setdefault(row.seen, set()).add(row.key)
        owner = {seen: next(iter(keys)) for seen, keys in owners.items() if len(keys) == 1}
        known = {*self._expected, *owner.values()}
        moved = [r for r in rows if owner.get(r.content, r.key) != r.key]
        claimed = {owner[row.content] for row in rows if row.content in owner}
        kept = []
        for row in rows:
            shown = row.cells.get(self._sheet.key, "").strip()
            if row.content in owner:
                row.key, row.seen = owner[row.content], row.content
            elif moved and row.is_blank:
                continue  # what stood here was moved
            elif (moved and row.key in claimed) or (shown != row.key and {shown, row.key} <= known):
                self._error(
                    *("workbook-row-apart", f"{self._first(letters)}{row.number}", ""),
                    f"the text in row {row.number} was changed and does not belong to the row's "
                    "hidden key",
                    "sort whole rows, hidden columns too; undo the sorting, or fill in a fresh "
                    "workbook",
                )
                continue
            kept.append(row)
        if moved:
            self._say(
                *("workbook-rows-apart", Severity.WARNING, "", ""),
                f"{len(moved)} of {len(rows)} rows were moved without their hidden cells; each row "
                "is matched by its text",
                "sort whole rows, hidden columns too",
            )
        return kept

    def _read_row(
        self,
        read: _Found,
        letters: Mapping[str, str],
        found: dict[str, FilledRow],
        added: list[FilledRow],
    ) -> None:
        filled = any(read.cells[c.name].strip() for c in self._sheet.columns if c.editable)
        row = self._row(read.key, read.number, read.cells, read.seen, filled)
        if row.key in found:
            self._doubled(row, found, letters)
        elif row.key in self._expected:
            found[row.key] = row
            self._compare(row, letters)
        elif self._sheet.blank and not row.key:
            if not filled:
                return
            row = FilledRow(f"row {row.row}", row.row, row.cells, "", False, filled)
            added.append(row)
        else:
            self._unknown(row, letters)
            return
        self._validate(row, letters)

    def _row(
        self, key: str, number: int, cells: Mapping[str, str], seen: str, filled: bool
    ) -> FilledRow:
        expected = self._expected.get(key)
        seen = (seen or row_hash(self._there, cells)) if expected else ""
        changed = expected is not None and seen != row_hash(self._there, expected.cells)
        return FilledRow(key, number, cells, seen, changed, filled)

    def _cell(self, number: int, letter: str, column: Column) -> str:
        cell = self._source[f"{letter}{number}"]
        if cell.data_type == "f":
            self._error(
                *("workbook-formula", cell.coordinate, column.name),
                "the cell holds a formula",
                "write the value itself; text that begins with = needs an apostrophe before it",
            )
            return ""
        if cell.data_type == "e":
            self._error(
                *("workbook-error-value", cell.coordinate, column.name),
                f"the cell holds the error {cell.value}",
                "write the value itself",
            )
            return ""
        return text_of(cell.value)

    def _named(self, row: FilledRow) -> str:
        """What a reader knows a row by: its template where the key is made of its texts."""
        shown = row.cells.get(self._sheet.key or _TEMPLATE, "").strip()
        return row.key if not shown or shown in row.key else shortened(shown.split(", "))

    def _compare(self, row: FilledRow, letters: Mapping[str, str]) -> None:
        cell = f"{self._first(letters)}{row.row}"
        if row.changed:
            self._say(
                *("workbook-row-changed", Severity.WARNING, cell, ""),
                f"{self._named(row)} has changed since the sheet was made",
                "look at it again in a fresh sheet",
            )
        if row.hash != row_hash(self._there, row.cells):
            self._say(
                *("workbook-locked-changed", Severity.WARNING, cell, ""),
                f"{self._named(row)}: read-only cells were changed here; the change is ignored",
                "write proposals in the columns that are meant for them",
            )

    def _doubled(
        self, row: FilledRow, found: Mapping[str, FilledRow], letters: Mapping[str, str]
    ) -> None:
        first = found[row.key]
        same = first.cells == row.cells
        self._say(
            "workbook-row-twice",
            Severity.WARNING if same else Severity.ERROR,
            *(f"{self._first(letters)}{row.row}", ""),
            f"{self._named(row)} is in rows {first.row} and {row.row}"
            + ("" if same else " with different contents"),
            "delete one of the two",
        )

    def _unknown(self, row: FilledRow, letters: Mapping[str, str]) -> None:
        self._strange.append(row)
        what = (
            f"'{self._named(row)}' is not a row of this sheet" if row.key else "the row was added"
        )
        self._say(
            "workbook-row-unknown",
            Severity.ERROR if row.filled else Severity.WARNING,
            *(f"{self._first(letters)}{row.row}", ""),
            f"{what}{'' if row.filled else '; it is ignored'}",
            "delete it; write what has no row in the sheet in a remark",
        )

    def _validate(self, row: FilledRow, letters: Mapping[str, str]) -> None:
        for column in self._there.columns:
            text, cell = row.cells[column.name].strip(), f"{letters[column.name]}{row.row}"
            if text and column.editable and column.choices:
                self._choose(row, column, text, cell)
            elif not text and row.filled and _is_asked(column, row.cells):
                why = _why(column, row.cells)
                self._error(
                    *("workbook-value-required", cell, column.name),
                    f"{self._named(row)}: {column.name} is empty{why}",
                    column.note or _fill_in(column),
                )

    def _choose(self, row: FilledRow, column: Column, text: str, cell: str) -> None:
        """Take a value as the list writes it, or say that the list has none such."""
        chosen = next((item for item in column.choices if _folded(item) == _folded(text)), None)
        if chosen is not None:
            assert isinstance(row.cells, dict)  # noqa: S101  # made by _read_row
            row.cells[column.name] = chosen
            return
        known = ", ".join(column.choices[:12]) + (", ..." if len(column.choices) > 12 else "")
        self._error(
            *("workbook-value-unknown", cell, column.name),
            f"{self._named(row)}: '{text}' is not one of the values of {column.name}",
            f"choose one of {known}" if len(column.choices) > 1 else f"write {known} or nothing",
        )

    def _say_missing(self, missing: Iterable[str]) -> None:
        keys = list(missing)
        shown = ", ".join(keys[:8]) + (", ..." if len(keys) > 8 else "")
        self._say(
            *("workbook-row-missing", Severity.WARNING, "", ""),
            f"{len(keys)} of {len(self._expected)} rows are missing: {shown}",
            "deleted rows count as not filled in",
        )

    def _error(self, rule: str, cell: str, column: str, message: str, hint: str) -> None:
        self._say(rule, Severity.ERROR, cell, column, message, hint)

    def _say(
        self, rule: str, severity: Severity, cell: str, column: str, message: str, hint: str
    ) -> None:
        place = (self._file, self._title, cell)
        self._marks.append(make_mark(rule, severity, place, message, hint, column))


def _fill_in(column: Column) -> str:
    """What to write in a cell that is asked for; of a column with a list, its values."""
    return f"choose one of {', '.join(column.choices)}" if column.choices else "fill it in"


def _is_asked(column: Column, cells: Mapping[str, str]) -> bool:
    """Whether a cell must be filled in."""
    if column.required_if:
        other, values = column.required_if
        if _folded(cells.get(other, "")) in map(_folded, values):
            return True
    return column.required


def _why(column: Column, cells: Mapping[str, str]) -> str:
    if column.required or not column.required_if:
        return ""
    other = column.required_if[0]
    return f" though {other} is {cells[other].strip()}"
