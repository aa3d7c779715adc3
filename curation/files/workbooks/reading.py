"""Read a sheet back, whatever people and their programs did to it.

Two things say which row an answer belongs to: the key beside it, and the colour of its own cell.
Where either is that of another row nobody can tell whether the answer was given before they were
parted or after, so nothing of the sheet is taken.
"""

import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import lgamma, log
from pathlib import Path
from typing import TYPE_CHECKING, Any

from curation.files.atomic import write_file
from curation.files.workbooks import spec
from curation.files.workbooks.opening import Mark, OpenBook, is_ods, load, text_of
from curation.files.workbooks.writing import AUTHOR, frozen, tint_of
from curation.records.letters import column_letters
from curation.records.messages import Finding, Severity, finding, shortened

if TYPE_CHECKING:
    from openpyxl.cell.cell import Cell, MergedCell
    from openpyxl.worksheet.worksheet import Worksheet

_COLOURS = {Severity.ERROR: "FF9999", Severity.WARNING: "FFD966", Severity.INFO: "BDD7EE"}

_MOVED = "workbook-answer-moved"
"""Of an answer whose colour is that of another row; its cell keeps it in a marked copy."""
_WIDE = 30
"""The width of columns in a copy of a workbook that has no widths of its own."""


def write_marked(data: bytes, target: Path, marks: Iterable[Mark]) -> None:
    """Write a copy of a workbook with a comment and a colour at each mark.

    Args:
        data: The workbook (`OpenBook.data`); the copy of one in OpenDocument is plain, without
            drop-downs.
        target: Where the copy goes, an .xlsx file.
        marks: What is wrong; marks without a cell are put at the sheet's first one.

    Raises:
        CurateError: If it cannot be written.
    """
    file = load(data, target)
    if is_ods(data):
        for sheet_of_file in file.worksheets:
            _dress(sheet_of_file)
    by_cell: dict[tuple[str, str], list[Finding]] = {}
    for mark in marks:
        sheet = mark.sheet if mark.sheet in file.sheetnames else file.sheetnames[0]
        cell = mark.cell if mark.sheet in file.sheetnames else ""
        by_cell.setdefault((sheet, cell), []).append(mark.finding)
    for (sheet, cell), findings in by_cell.items():
        _mark(file[sheet], cell, findings)
    write_file(target, frozen(file))


def _dress(sheet: "Worksheet") -> None:
    """Make columns wide enough to be read."""
    from openpyxl.styles import Alignment

    for at, cells in enumerate(sheet.iter_cols()):
        sheet.column_dimensions[column_letters(at)].width = _WIDE
        for cell in cells:
            cell.alignment = Alignment(wrap_text=True, vertical="top")


def _mark(sheet: "Worksheet", address: str, findings: list[Finding]) -> None:
    from openpyxl.comments import Comment
    from openpyxl.styles import PatternFill

    cell = sheet[address or "A1"]
    sheet.column_dimensions[cell.column_letter].hidden = False
    lines = [
        f"{item.severity.value}: {item.message}" + (f"\n-> {item.hint}" if item.hint else "")
        for item in findings
    ]
    text = spec.to_cell("\n\n".join(dict.fromkeys(lines)))
    cell.comment = Comment(text, AUTHOR, height=80 + 60 * len(lines), width=360)
    worst = min((item.severity for item in findings), key=list(Severity).index)
    if all(item.rule != _MOVED for item in findings):
        cell.fill = PatternFill("solid", fgColor=_COLOURS[worst])


_HEADER_WITHIN = 2
"""A header is looked for in so many rows: Numbers writes the name of a table above it."""

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
        book: The workbook, which holds what is wrong in the sheet.
        sheet: The sheet that was wanted.
        rows: Its rows, in the order of the sheet that was wanted; added ones at the end. None where
            cells of any are parted from it: after a second sort others stand right by chance.
        letters: The letter of each column, by its header.
        strange: Rows that the wanted sheet has not; each is marked.
    """

    book: OpenBook
    sheet: spec.Sheet
    rows: tuple[FilledRow, ...]
    letters: Mapping[str, str]
    strange: tuple[FilledRow, ...] = ()

    @property
    def marks(self) -> list[Mark]:
        """What is wrong in it."""
        return [mark for mark in self.book.marks if mark.sheet in (self.sheet.name, "")]

    def cell(self, row: FilledRow, column: str) -> str:
        """The address of a cell; empty where the column is not there."""
        return f"{letter}{row.row}" if (letter := self.letters.get(column)) else ""

    def mark(self, row: FilledRow | None, column: str, said: Finding) -> None:
        """Add what a command found itself."""
        cell = self.cell(row, column) if row is not None else ""
        self.book.mark(said, self.sheet.name, cell, column)

    def unmark(self, is_wrong: Callable[[Finding], bool]) -> None:
        """Take back what was said of the sheet and does not hold."""
        self.book.marks[:] = [
            mark
            for mark in self.book.marks
            if mark.sheet != self.sheet.name or not is_wrong(mark.finding)
        ]


def _folded(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).split()).casefold()


def read_sheet(book: OpenBook, sheet: spec.Sheet) -> FilledSheet:
    """Read one sheet against what it would be if it were made today.

    Columns are found by their headers and rows by their keys, in any order.
    """
    return _Reader(book, sheet).read()


class _Reader:
    """Reads one sheet."""

    def __init__(self, book: OpenBook, sheet: spec.Sheet) -> None:
        self._opened, self._book, self._sheet = book, book.file, sheet
        self._found: dict[str, FilledRow] = {}
        self._added: list[FilledRow] = []
        self._strange: list[FilledRow] = []
        self._laid = sheet.laid_out()
        self._twins = [column for column in self._laid if column.key_of]
        self._hashes = sheet.hashes if sheet.blank else book.hashes.get(sheet.name, {})
        self._shown = book.shown.get(sheet.name, {})
        self._told: dict[str, dict[str, str]] = {}
        for key, texts in self._shown.items():
            for name, text in texts.items():
                self._told.setdefault(name, {}).setdefault(text, key)
        self._expected = {row.key: row for row in sheet.rows if row.key in self._hashes}
        self._tints = spec.tints_of(len(self._hashes), book.hashes)
        self._give(has_sizes=len({size for *_, size in self._tints}) > 1)
        self._order = {key: at for at, key in enumerate(self._hashes)}
        self._letters: dict[str, str] = {}
        self._is_torn = False
        self._header_row = 0

    def _give(self, *, has_sizes: bool) -> None:
        """Say with which looks the answers of each row were handed out."""
        self._has_sizes = has_sizes
        self._own = dict(zip(self._hashes, map(self._seen, self._tints), strict=True))
        self._given: dict[spec.Tint, list[str]] = {}
        for key, own in self._own.items():
            self._given.setdefault(own, []).append(key)

    def _seen(self, tint: spec.Tint) -> spec.Tint:
        return tint if self._has_sizes else (*tint[:2], 0)

    def read(self) -> FilledSheet:
        """Read header and rows."""
        found, added = self._found, self._added
        if header := self._header():
            self._header_row = header
            cells = list(self._rows(header))
            self._drop_sizes([number for number, _ in cells])
            for number, row in cells:
                self._read_row(number, row)
            self._refuse_moved(found)
            self._refuse_mixed(added)
            if self._is_sorted_alone(list(found.values())) or self._is_torn:
                found, added = {}, []
            there = {row.get(self._sheet.row_key, "").strip() for _, row in cells}
            if lost := [key for key in self._expected if key not in there]:
                count, every = len(lost), len(self._expected)
                self._say("workbook-row-missing", rows=shortened(lost), count=count, all=every)
        return FilledSheet(
            book=self._opened,
            sheet=self._sheet,
            rows=(*(found[key] for key in self._expected if key in found), *added),
            letters=self._letters,
            strange=tuple(self._strange),
        )

    def _header(self) -> int:
        """The row of the headers; 0 where the sheet cannot be read."""
        name = self._sheet.name
        if name not in self._book.sheetnames:
            self._say("workbook-sheet-missing", sheet=name)
            return 0
        self._source: Worksheet = self._book[name]
        known = {_folded(one): one for one in (*(c.name for c in self._laid), *self._told)}
        heads = (
            (number, [(known[text], cell) for cell in row if (text := _head(cell)) in known])
            for number, row in enumerate(self._source.iter_rows(max_row=_HEADER_WITHIN), start=1)
        )
        header, found = next((one for one in heads if len(one[1]) > 1), (0, []))
        if not header:
            self._say("workbook-sheet-empty", sheet=name)
            return 0
        is_whole = True
        for column, cell in found:
            if column in self._letters:
                at = self._letters[column]
                self._say("workbook-column-twice", cell.coordinate, column, name=column, at=at)
                is_whole = False
            self._letters.setdefault(column, column_letters(cell.column - 1))
        for lost in (one.name for one in self._laid if one.name not in self._letters):
            self._say("workbook-column-missing", f"{self._first}{header}", name=lost)
            is_whole = False
        for area in sorted(self._source.merged_cells.ranges, key=lambda one: one.bounds):
            if is_whole and area.max_row >= header:
                self._say("workbook-merged", area.coord.split(":")[0], area=area.coord)
                is_whole = False
        return header if is_whole else 0

    @property
    def _first(self) -> str:
        shown = (c.name for c in self._laid if not c.hidden)
        return next((self._letters[name] for name in shown if name in self._letters), "A")

    def _rows(self, header: int) -> Iterator[tuple[int, dict[str, str]]]:
        """The rows in which anything stands, each with its number."""
        for number in range(header + 1, self._source.max_row + 1):
            cells = {c.name: self._cell(f"{self._letters[c.name]}{number}", c) for c in self._laid}
            if any(text.strip() for text in cells.values()):
                yield number, cells

    def _cell(self, at: str, column: spec.Column) -> str:
        cell = self._source[at]
        if cell.data_type == "f":
            self._say("workbook-formula", at, column.name)
        elif cell.data_type == "e":
            self._say("workbook-error-value", at, column.name, value=cell.value)
        else:
            return text_of(cell.value)
        return ""

    def _read_row(self, number: int, cells: dict[str, str]) -> None:
        filled = _holds(cells, [c.name for c in self._sheet.columns if c.editable])
        if self._sheet.blank:
            if filled:
                self._added.append(FilledRow(f"row {number}", number, cells, "", False, filled))
                self._validate(self._added[-1])
            return
        key = cells[self._sheet.row_key].strip()
        expected = self._expected.get(key)
        seen = self._hashes.get(key, "") if expected else ""
        changed = expected is not None and seen != spec.row_hash(self._sheet, expected.cells)
        row = FilledRow(key, number, cells, seen, changed, filled)
        at = f"{self._first}{number}"
        told: dict[str, Any] = {"row": self._named(row)}
        if expected is None:
            self._strange.append(row)
            told |= {"end": "" if filled else "; it is ignored"}
            weight = Severity.ERROR if filled else Severity.WARNING
            way = "strange" if key else "keyless"
            self._say("workbook-row-unknown", at, way=way, severity=weight, **told)
        elif first := self._found.get(key):
            weight = Severity.WARNING if first.cells == cells else Severity.ERROR
            told |= {"first": first.row, "second": number}
            self._say("workbook-row-twice", at, severity=weight, **told)
        elif not self._is_apart(row):
            self._found[key] = row
            self._compare(row)
            self._validate(row)

    def _is_apart(self, row: FilledRow) -> bool:
        """Whether answers stand with the texts of another row than the key beside them names."""
        wrong: dict[str, list[spec.Column]] = {}
        for twin in self._twins:
            key = row.cells[twin.name].strip()
            if key != row.key and _holds(row.cells, (twin.name, *(twin.key_of or ()))):
                wrong.setdefault(key, []).append(twin)
        for key, twins in wrong.items():
            cells = [f"{self._letters[twin.name]}{row.row}" for twin in twins]
            names = dict.fromkeys(name for one in twins for name in one.key_of or ())
            told: dict[str, Any] = {"answers": shortened([*names]), "row": row.key, "key": key}
            self._say("workbook-row-apart", cells[0], twins[0].name, **told, cells=", ".join(cells))
        self._is_torn = self._is_torn or bool(wrong)
        return bool(wrong) or self._has_text_of_another(row)

    def _has_text_of_another(self, row: FilledRow) -> bool:
        """Whether an answered row shows a text that another row was handed out with."""
        for name, at in self._edited(row) if row.filled else ():
            text = text_of(self._source[at].value)
            other = self._told[name].get(spec.text_hash(text)) if text.strip() else None
            if other is not None:
                self._say("workbook-row-text", at, name, row=row.key, other=other)
                self._is_torn = True
                return True
        return False

    def _refuse_moved(self, rows: Mapping[str, FilledRow]) -> None:
        """Refuse answers that were sorted, moved or pasted alone: their cell has another's colours.

        Colours that more cells have than they were given to were copied or filled down, and are
        meant. Where each is still in its place while rows were sorted, a program has not kept them,
        and they say nothing. So do those of another workbook, which no row here has. Where none
        is there at all nothing would tell of a move, so no answer is taken.
        """
        handed = [*self._own.values()]
        own = {key: self._own[key] for key in rows}
        given = Counter(own.values())
        tints = {
            column: {key: self._tint(column, row) for key, row in rows.items()}
            for column in self._sheet.columns
            if rows and column.editable
        }
        if sum(row.filled for row in rows.values()) > 1 and not any(
            any(came.values()) for came in tints.values()
        ):
            self._say("workbook-colours-gone", sheet=self._sheet.name)
            self._is_torn = True
        for column, came in tints.items():
            places = (row.row - self._header_row - 1 for row in rows.values())
            stay = zip(came.values(), places, strict=True)
            has_stayed = all(
                tint is None or (at < len(handed) and tint == handed[at]) for tint, at in stay
            )
            if has_stayed:
                continue
            texts = {key: row.cells[column.name].strip() for key, row in rows.items()}
            pasted = self._pasted(came, texts)
            count = Counter(tint or own[key] for key, tint in came.items() if tint or texts[key])
            for key, tint in came.items():
                if tint is None or tint == own[key] or tint not in given:
                    continue
                if key in pasted or (texts[key] and count[tint] <= given[tint]):
                    left = (rows[one] for one in self._near(key, tint) if one in rows)
                    other = next((one.row for one in left if came[one.key] != tint), None)
                    self._say_moved(column, rows[key], f"row {other}" if other else "another row")

    def _drop_sizes(self, rows: Sequence[int]) -> None:
        """Go by colours alone where letters of a column have not the sizes they were given."""
        colours, sizes = {one[:2] for one in self._tints}, {size for *_, size in self._tints}
        for column in self._sheet.columns if self._has_sizes else ():
            letter = self._letters[column.name]
            looks = (tint_of(self._source[f"{letter}{row}"]) for row in rows)
            if column.editable and {one[2] for one in looks if one[:2] in colours} != sizes:
                self._give(has_sizes=False)

    def _say_moved(self, column: spec.Column, row: FilledRow, other: str) -> None:
        cell, name = f"{self._letters[column.name]}{row.row}", column.name
        self._say(_MOVED, cell, name, name=name, row=self._named(row), other=other)
        self._is_torn = True

    def _tint(self, column: spec.Column, row: FilledRow) -> spec.Tint | None:
        """The looks of a cell, if a row was given them."""
        found = self._seen(tint_of(self._source[f"{self._letters[column.name]}{row.row}"]))
        return found if found in self._given else None

    def _near(self, key: str, tint: spec.Tint) -> list[str]:
        """The rows that were given some colours, those nearest to another row first."""
        return sorted(self._given[tint], key=lambda one: abs(self._order[one] - self._order[key]))

    def _refuse_mixed(self, added: Sequence[FilledRow]) -> None:
        """Refuse added rows of which cells were sorted or moved alone, as their colours say."""
        came = {
            (row.key, column.name): tint
            for column in self._sheet.columns
            for row in added
            if column.editable and row.cells[column.name].strip()
            if (tint := self._tint(column, row))
        }
        count = Counter((tint, name) for (_, name), tint in came.items())
        for row in added:
            cells = {name: tint for (own, name), tint in came.items() if own == row.key}
            mine = {name: tint for name, tint in cells.items() if count[tint, name] == 1}
            usual = max(mine.values(), key=[*mine.values()].count, default=None)
            for column in self._sheet.columns:
                tint = mine.get(column.name)
                if tint is not None and tint != usual:
                    self._say_moved(column, row, self._given[tint][0])

    def _pasted(self, came: Mapping[str, spec.Tint | None], texts: Mapping[str, str]) -> set[str]:
        """The rows into which several different answers were copied together.

        Nobody knows what is meant by them. They stand one below the other now, or did so when the
        sheet was handed out: rows may have been sorted after it.
        """
        runs: list[list[str]] = []
        for keys in ([*came], [key for key in self._hashes if key in came]):
            order = {key: at for at, key in enumerate(keys)}
            last = 0
            for key in keys:
                tint = came[key]
                shift = 0
                if tint is not None and tint != self._own[key]:
                    stay = (one for one in self._near(key, tint) if came.get(one) == tint)
                    shifts = [order[one] - order[key] for one in stay]
                    shift = last if last in shifts else next(iter(shifts), 0)
                if shift and shift == last:
                    runs[-1].append(key)
                elif shift:
                    runs.append([key])
                last = shift
        return {own for run in runs if len({texts[one] for one in run}) > 1 for own in run}

    def _is_sorted_alone(self, rows: Sequence[FilledRow]) -> bool:
        """Whether answers were sorted without their rows: they are in order, and the rows are not.

        That is for programs that leave colours where they are, as LibreOffice does where formats
        are not to be sorted too: colours in their places prove nothing.
        How likely so many answers stand in order by chance is one over the number of their orders,
        n! / (n1! n2! ...) where equal ones are n1, n2, ...
        """
        if not _is_ascending([self._order[row.key] for row in rows]):
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
                first, last = given[0].row, given[-1].row
                at = f"{self._letters[column.name]}{first}"
                name = column.name
                self._say("workbook-column-sorted", at, name, name=name, first=first, last=last)
                is_sorted = True
        return is_sorted

    def _named(self, row: FilledRow) -> str:
        """What a reader knows a row by: its templates where the key is made of its texts."""
        known = self._expected.get(row.key)
        shown = known.cells.get(spec.TEMPLATES, "") if known else row.cells.get("template_id", "")
        return row.key if not shown or shown in row.key else shortened(shown.splitlines())

    def _compare(self, row: FilledRow) -> None:
        if row.changed:
            self._say("workbook-row-changed", f"{self._first}{row.row}", row=self._named(row))
        asked = {column.name for column in self._sheet.columns if not column.aside}
        edited = next((at for name, at in self._edited(row) if name in asked), None)
        if edited:
            self._say("workbook-text-changed", edited, row=self._named(row))

    def _edited(self, row: FilledRow) -> Iterator[tuple[str, str]]:
        """The columns and cells of a row that are only to be read and say something else now."""
        for name, own in self._shown[row.key].items():
            at = f"{self._letters[name]}{row.row}" if name in self._letters else ""
            if at and spec.text_hash(text_of(self._source[at].value)) != own:
                yield name, at

    def _validate(self, row: FilledRow) -> None:
        """Take values as their lists write them; say which are none, and which are not there."""
        for column in self._sheet.columns:
            text, at = row.cells[column.name].strip(), f"{self._letters[column.name]}{row.row}"
            words: dict[str, Any] = {"row": self._named(row), "text": text, "name": column.name}
            if text and column.editable and column.choices:
                by_text = {_folded(item): item for item in reversed(column.choices)}
                if _folded(text) in by_text:
                    assert isinstance(row.cells, dict)  # noqa: S101  # made by _rows
                    row.cells[column.name] = by_text[_folded(text)]
                    continue
                todo = f"it takes {shortened(column.choices, 12)}"
                self._say("workbook-value-unknown", at, column.name, todo=todo, **words)
            elif not text and row.filled and (why := _is_asked(column, row.cells)) is not None:
                known = ", ".join(column.choices)
                todo = column.note or (f"choose one of {known}" if known else "fill it in")
                self._say("workbook-value-required", at, column.name, todo=todo, why=why, **words)

    def _say(
        self,
        rule: str,
        cell: str = "",
        column: str = "",
        *,
        way: str = "",
        severity: Severity | None = None,
        **words: object,
    ) -> None:
        """Mark a cell, or the sheet, with what `findings.yaml` says of a rule."""
        sheet = "" if rule == "workbook-sheet-missing" else self._sheet.name
        said = finding(__package__, rule, "", way=way, severity=severity, **words)
        self._opened.mark(said, sheet, cell, column)


def _head(cell: "Cell | MergedCell") -> str:
    return _folded(text_of(cell.value))


def _holds(cells: Mapping[str, str], names: Iterable[str]) -> bool:
    """Whether anything stands in some columns of a row."""
    return any(cells[name].strip() for name in names)


def _is_ascending(items: Sequence[int] | Sequence[str]) -> bool:
    return all(one <= other for one, other in pairwise(items))  # type: ignore[operator]


def _is_asked(column: spec.Column, cells: Mapping[str, str]) -> str | None:
    """Because of what an empty cell must be filled in; None where it need not be."""
    if column.required:
        return ""
    if column.required_if:
        other, values = column.required_if
        if _folded(cells.get(other, "")) in map(_folded, values):
            return f" though {other} is {cells[other].strip()}"
    return None
