"""Read a sheet back, whatever people and their programs did to it.

One rule says which row an answer belongs to: the key beside it is the key of the texts that it
stands with. Where the two differ nobody can tell whether it was given before they were parted or
after, so nothing of the sheet is taken.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import lgamma, log
from typing import TYPE_CHECKING

from curation.files.workbooks.marks import Mark, make_mark
from curation.files.workbooks.opening import OpenBook, text_of
from curation.files.workbooks.spec import Column, Sheet, plain_lines, row_hash
from curation.records.findings import Severity
from curation.records.wording import shortened

if TYPE_CHECKING:
    from openpyxl.worksheet.worksheet import Worksheet

_Beside = dict[tuple[str, str], list[int]]
"""By a column of keys and a key the rows in which it stands."""

_HEADER_WITHIN = 20
"""A header is looked for in so many rows: people put titles above it."""

_SHOWN_NAME = re.compile(r".*\((\w+)\)")
"""A heading as it is shown: in words, with the name of the column."""

_TEMPLATE = "template_id"
"""The column of the templates that a row is about, in sheets that show them."""

_BY_CHANCE = log(1e-4)
"""How unlikely it is that answers stand in order where nobody has sorted them."""


@dataclass(frozen=True, slots=True)
class FilledRow:
    """A row as it came back.

    Attributes:
        key: Its key; `row 5` for one that was added in a blank row.
        row: Its number in the sheet.
        cells: The text of every column of the sheet, empty where nothing stands.
        hash: Of the texts to be read when the sheet was made; empty for an added row.
        changed: Whether these would be others if the sheet were made today.
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
        rows: Its rows, in the order of the sheet that was wanted; added ones at the end. None where
            answers of any are parted from it: after a second sort others stand right by chance.
        missing: Keys of rows that are not there.
        marks: What is wrong; `mark` adds to them.
        letters: The letter of each column, by its header.
        strange: Rows that the wanted sheet has not; each is marked.
    """

    file: str
    sheet: Sheet
    rows: tuple[FilledRow, ...]
    missing: tuple[str, ...]
    marks: list[Mark]
    letters: Mapping[str, str]
    strange: tuple[FilledRow, ...] = ()

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
        place = (self.file, self.sheet.name, cell)
        self.marks.append(make_mark(rule, severity, place, message, hint, column))


def _folded(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).split()).casefold()


def read_sheet(book: OpenBook, sheet: Sheet) -> FilledSheet:
    """Read one sheet against what it would be if it were made today.

    Columns are found by their headers and rows by their keys, in any order.
    """
    if sheet.name not in book.file.sheetnames:
        place = (book.path.name, "", "")
        mark = make_mark(
            "workbook-sheet-missing",
            Severity.ERROR,
            place,
            f"there is no sheet '{sheet.name}'",
            "give the sheet this name again, or copy what was filled in into a fresh workbook",
        )
        missing = tuple(row.key for row in sheet.rows)
        return FilledSheet(book.path.name, sheet, (), missing, [mark], {})
    return _Reader(book, sheet).read()


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
    best, width = _Header(1, {}, ()), source.max_column
    for number in range(1, min(_HEADER_WITHIN, source.max_row) + 1):
        letters: dict[str, str] = {}
        twice: list[tuple[str, str]] = []
        shown: list[tuple[str, str]] = []
        for at in range(1, width + 1):
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


class _Reader:
    """Reads one sheet."""

    def __init__(self, book: OpenBook, sheet: Sheet) -> None:
        self._file, self._source, self._sheet = book.path.name, book.file[sheet.name], sheet
        self._marks: list[Mark] = []
        self._strange: list[FilledRow] = []
        self._laid = sheet.laid_out()
        self._twins = [column for column in self._laid if column.key_of]
        self._hashes = book.hashes.get(sheet.name, {})
        self._expected = {row.key: row for row in sheet.rows if row.key in self._hashes}
        self._letters: Mapping[str, str] = {}
        self._is_torn = False

    def read(self) -> FilledSheet:
        """Read header and rows."""
        header = self._header()
        found: dict[str, FilledRow] = {}
        added: list[FilledRow] = []
        there = dict.fromkeys(self._expected, False)
        if not self._lost(header):
            self._look_for_merged(header)
            cells = list(self._rows(header))
            beside = self._beside(cells)
            for number, row in cells:
                there[row.get(self._sheet.row_key, "").strip()] = True
                self._read_row(number, row, beside, found, added)
            if self._is_sorted_alone(list(found.values())) or self._is_torn:
                found = {}
            missing = [key for key in self._expected if not there[key]]
            if missing:
                self._say_missing(missing)
        rows = (*(found[key] for key in self._expected if key in found), *added)
        return FilledSheet(
            file=self._file,
            sheet=self._sheet,
            rows=rows,
            missing=tuple(row.key for row in self._sheet.rows if not there.get(row.key)),
            marks=self._marks,
            letters=self._letters,
            strange=tuple(self._strange),
        )

    def _lost(self, header: int) -> bool:
        """Whether columns were taken out."""
        if not self._letters:
            empty = not any(any(cells) for cells in self._source.iter_rows(values_only=True))
            self._error(
                "workbook-sheet-empty",
                "",
                "",
                f"sheet '{self._sheet.name}' is empty"
                if empty
                else "the names of all columns are missing",
                "undo the change, or copy what was filled in into a fresh workbook",
            )
            return True
        lost = [column.name for column in self._laid if column.name not in self._letters]
        for name in lost:
            self._error(
                "workbook-column-missing",
                f"{self._first}{header}",
                "",
                f"there is no column '{name}'",
                "columns may be moved but not renamed or deleted: undo the change",
            )
        return bool(lost)

    @property
    def _first(self) -> str:
        return next(self._letters[c.name] for c in self._laid if c.name in self._letters)

    def _header(self) -> int:
        found = _find_header(self._source, [column.name for column in self._laid])
        for name, cell in found.doubled:
            self._error(
                "workbook-column-twice",
                cell,
                name,
                f"column '{name}' occurs twice, also in {found.letters[name]}",
                "delete one of the two",
            )
        self._letters = found.letters
        return found.row

    def _look_for_merged(self, header: int) -> None:
        places = self._letters.items()
        wanted = {self._source[f"{letter}1"].column: name for name, letter in places}
        for area in sorted(self._source.merged_cells.ranges, key=lambda item: item.bounds):
            columns = [wanted[at] for at in range(area.min_col, area.max_col + 1) if at in wanted]
            if columns and area.max_row >= header:
                self._error(
                    "workbook-merged",
                    area.coord.split(":")[0],
                    columns[0],
                    f"cells {area.coord} are merged, so only one of them has a value",
                    "undo the merge and fill in each cell",
                )

    def _rows(self, header: int) -> Iterator[tuple[int, dict[str, str]]]:
        """The rows in which anything stands, each with its number."""
        for number in range(header + 1, self._source.max_row + 1):
            cells = {c.name: self._cell(number, self._letters[c.name], c) for c in self._laid}
            if any(text.strip() for text in cells.values()):
                yield number, cells

    def _beside(self, rows: Iterable[tuple[int, Mapping[str, str]]]) -> _Beside:
        """The rows in which each key stands, by columns of keys."""
        found: _Beside = {}
        for number, cells in rows:
            for twin in self._twins:
                found.setdefault((twin.name, cells[twin.name].strip()), []).append(number)
        return found

    def _read_row(
        self,
        number: int,
        cells: dict[str, str],
        beside: _Beside,
        found: dict[str, FilledRow],
        added: list[FilledRow],
    ) -> None:
        filled = _holds(cells, [c.name for c in self._sheet.columns if c.editable])
        if self._sheet.blank:
            if filled:
                row = FilledRow(f"row {number}", number, cells, "", False, filled)
                added.append(row)
                self._validate(row)
            return
        key = cells[self._sheet.row_key].strip()
        expected = self._expected.get(key)
        if expected is None:
            self._unknown(FilledRow(key, number, cells, "", False, filled))
            return
        seen = self._hashes[key]
        changed = seen != row_hash(self._sheet, expected.cells)
        row = FilledRow(key, number, cells, seen, changed, filled)
        if key in found:
            self._doubled(row, found[key])
        elif not self._is_apart(row, beside):
            found[key] = row
            self._compare(row)
            self._validate(row)

    def _is_apart(self, row: FilledRow, beside: _Beside) -> bool:
        """Whether answers stand with the texts of another row than the key beside them names."""
        wrong: dict[str, list[Column]] = {}
        for twin in self._twins:
            key = row.cells[twin.name].strip()
            if key != row.key and _holds(row.cells, (twin.name, *(twin.key_of or ()))):
                wrong.setdefault(key, []).append(twin)
        for key, twins in wrong.items():
            cells = [f"{self._letters[twin.name]}{row.row}" for twin in twins]
            others = [number for number in beside[twins[0].name, key] if number != row.row]
            answers = shortened(
                [*dict.fromkeys(name for one in twins for name in one.key_of or ())]
            )
            if not key:
                what = f"the key beside {answers} is gone"
            elif key not in self._hashes:
                what = f"'{shortened([key])}', beside {answers}, is no key of this sheet"
            elif others:
                rows = shortened([str(number) for number in others])
                what = f"the key beside {answers}, '{key}', also stands in row {rows}"
            else:
                what = f"{answers} stand in the row of '{row.key}', but beside the key '{key}'"
            self._error(
                "workbook-row-apart",
                cells[0],
                twins[0].name,
                what,
                "undo the sort or paste that parted them; only if the answers are about "
                f"'{row.key}', write {row.key} into {', '.join(cells)}",
            )
        self._is_torn = self._is_torn or bool(wrong)
        return bool(wrong) or self._has_text_of_another(row)

    def _has_text_of_another(self, row: FilledRow) -> bool:
        """Whether an answered row shows a text that another row was handed out with.

        What a row was handed out with that has changed since is not known: any other text is
        refused there.
        """
        if not row.filled or row.hash == row_hash(self._sheet, row.cells):
            return False
        if row.changed:
            self._error(
                "workbook-row-apart",
                f"{self._first}{row.row}",
                "",
                f"the texts of '{row.key}' were changed here, and have changed since the sheet "
                "was made",
                "undo the change, or answer it again in a fresh sheet",
            )
            return True
        mine = self._expected[row.key].cells
        for column in self._sheet.columns:
            text, own = (_plain(cells.get(column.name, "")) for cells in (row.cells, mine))
            if column.editable or column.aside or not text or text == own:
                continue
            for other in self._expected.values():
                if _plain(other.cells.get(column.name, "")) == text:
                    self._error(
                        "workbook-row-apart",
                        f"{self._letters[column.name]}{row.row}",
                        column.name,
                        f"the row of '{row.key}' shows a text of '{other.key}'",
                        "undo the sort or paste that moved it, or fill in a fresh workbook",
                    )
                    self._is_torn = True
                    return True
        return False

    def _is_sorted_alone(self, rows: Sequence[FilledRow]) -> bool:
        """Whether answers were sorted without their rows: they are in order, and the rows are not.

        How likely so many answers stand in order by chance is one over the number of their orders,
        n! / (n1! n2! ...) where equal ones are n1, n2, ...
        """
        order = {key: at for at, key in enumerate(self._hashes)}
        if not _is_ascending([order[row.key] for row in rows]):
            return False
        is_sorted = False
        for column in self._sheet.columns:
            given = [row for row in rows if row.cells[column.name].strip()]
            texts = [_folded(row.cells[column.name]) for row in given]
            known = (self._expected[row.key].cells.get(column.name, "") for row in given)
            if not column.editable or texts == [*map(_folded, known)]:
                continue
            orders = lgamma(len(texts) + 1) - sum(lgamma(n + 1) for n in Counter(texts).values())
            if -orders < _BY_CHANCE and (_is_ascending(texts) or _is_ascending(texts[::-1])):
                self._error(
                    "workbook-column-sorted",
                    f"{self._letters[column.name]}{given[0].row}",
                    column.name,
                    f"{column.name} stands in alphabetical order, from row {given[0].row} to "
                    f"{given[-1].row}, and the rows do not: it seems to have been sorted alone",
                    "undo the sort; if nobody has sorted it, sort the whole table by another "
                    "column, and collect it again",
                )
                is_sorted = True
        return is_sorted

    def _cell(self, number: int, letter: str, column: Column) -> str:
        cell = self._source[f"{letter}{number}"]
        if cell.data_type == "f":
            self._error(
                "workbook-formula",
                cell.coordinate,
                column.name,
                "the cell holds a formula",
                "write the value itself; text that begins with = needs an apostrophe before it",
            )
            return ""
        if cell.data_type == "e":
            self._error(
                "workbook-error-value",
                cell.coordinate,
                column.name,
                f"the cell holds the error {cell.value}",
                "write the value itself",
            )
            return ""
        return text_of(cell.value)

    def _named(self, row: FilledRow) -> str:
        """What a reader knows a row by: its template where the key is made of its texts."""
        shown = row.cells.get(self._sheet.key or _TEMPLATE, "").strip()
        return row.key if not shown or shown in row.key else shortened(shown.split(", "))

    def _compare(self, row: FilledRow) -> None:
        cell = f"{self._first}{row.row}"
        if row.changed:
            self._say(
                "workbook-row-changed",
                Severity.WARNING,
                cell,
                "",
                f"{self._named(row)} has changed since the sheet was made",
                "look at it again in a fresh sheet",
            )
        if row.hash != row_hash(self._sheet, row.cells):
            self._say(
                "workbook-text-changed",
                Severity.WARNING,
                cell,
                "",
                f"{self._named(row)}: a text that is only to be read was changed here; the "
                "change is ignored",
                "write proposals in the columns that are meant for them",
            )

    def _doubled(self, row: FilledRow, first: FilledRow) -> None:
        same = first.cells == row.cells
        self._say(
            "workbook-row-twice",
            Severity.WARNING if same else Severity.ERROR,
            f"{self._first}{row.row}",
            "",
            f"{self._named(row)} is in rows {first.row} and {row.row}"
            + ("" if same else " with different contents"),
            "delete one of the two",
        )

    def _unknown(self, row: FilledRow) -> None:
        self._strange.append(row)
        what = (
            f"'{self._named(row)}' is not a row of this sheet"
            if row.key
            else "the row has no key: it was added, or its key was taken out"
        )
        self._say(
            "workbook-row-unknown",
            Severity.ERROR if row.filled else Severity.WARNING,
            f"{self._first}{row.row}",
            "",
            f"{what}{'' if row.filled else '; it is ignored'}",
            "delete it; write what has no row in the sheet in a remark",
        )

    def _validate(self, row: FilledRow) -> None:
        for column in self._sheet.columns:
            text, cell = row.cells[column.name].strip(), f"{self._letters[column.name]}{row.row}"
            if text and column.editable and column.choices:
                self._choose(row, column, text, cell)
            elif not text and row.filled and _is_asked(column, row.cells):
                why = _why(column, row.cells)
                self._error(
                    "workbook-value-required",
                    cell,
                    column.name,
                    f"{self._named(row)}: {column.name} is empty{why}",
                    column.note or _fill_in(column),
                )

    def _choose(self, row: FilledRow, column: Column, text: str, cell: str) -> None:
        """Take a value as the list writes it, or say that the list has none such."""
        chosen = next((item for item in column.choices if _folded(item) == _folded(text)), None)
        if chosen is not None:
            assert isinstance(row.cells, dict)  # noqa: S101  # made by _rows
            row.cells[column.name] = chosen
            return
        known = ", ".join(column.choices[:12]) + (", ..." if len(column.choices) > 12 else "")
        self._error(
            "workbook-value-unknown",
            cell,
            column.name,
            f"{self._named(row)}: '{text}' is not one of the values of {column.name}",
            f"choose one of {known}" if len(column.choices) > 1 else f"write {known} or nothing",
        )

    def _say_missing(self, keys: Sequence[str]) -> None:
        shown = ", ".join(keys[:8]) + (", ..." if len(keys) > 8 else "")
        self._say(
            "workbook-row-missing",
            Severity.WARNING,
            "",
            "",
            f"{len(keys)} of {len(self._expected)} rows are missing: {shown}",
            "deleted rows count as not filled in",
        )

    def _error(self, rule: str, cell: str, column: str, message: str, hint: str) -> None:
        self._say(rule, Severity.ERROR, cell, column, message, hint)

    def _say(
        self, rule: str, severity: Severity, cell: str, column: str, message: str, hint: str
    ) -> None:
        place = (self._file, self._sheet.name, cell)
        self._marks.append(make_mark(rule, severity, place, message, hint, column))


def _holds(cells: Mapping[str, str], names: Iterable[str]) -> bool:
    """Whether anything stands in some columns of a row."""
    return any(cells[name].strip() for name in names)


def _plain(text: str) -> str:
    return plain_lines(text).strip()


def _is_ascending(items: Sequence[int] | Sequence[str]) -> bool:
    return all(one <= other for one, other in pairwise(items))  # type: ignore[operator]


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
