"""Write a workbook; the same content gives the same bytes."""

import re
from collections.abc import Iterable, Sequence
from copy import copy
from functools import cache
from io import BytesIO
from pathlib import Path
from string import ascii_uppercase as _CAPITALS
from typing import TYPE_CHECKING, Any
from unicodedata import bidirectional, east_asian_width
from zipfile import ZipFile

from curation.files.atomic import write_file
from curation.files.workbooks import spec
from curation.files.writers.xlsx import MAX_CHARACTERS, dated
from curation.records.letters import column_letters
from curation.records.messages import refusal

if TYPE_CHECKING:
    from openpyxl.cell.cell import Cell
    from openpyxl.styles import Color, Font, PatternFill
    from openpyxl.workbook import Workbook
    from openpyxl.worksheet.worksheet import Worksheet

AUTHOR = "curate"
"""Of workbooks and comments."""
_INSTRUCTIONS_WIDTH = 110
LINE = 15
"""The height of a line of text, in points."""
_BETWEEN = 6
"""The space between two paragraphs, in points."""
_TALL = re.compile("[\u0600-\u0dff\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff]")
_TALLER = 1.25
"""How much higher a line is with letters of Arabic, Indic and South-East Asian scripts."""
_HIGHEST = 409  # of a row, as spreadsheets allow
_FIXED_HEIGHT = b' customHeight="1"'
_DATES = re.compile(rb"(<dcterms:(?:created|modified)[^>]*>)[^<]*")
_PAGE = 190
"""The width of a printed page, in letters that can still be read."""
_SCALE = 55
"""The percentage at which so many letters stand on a page, also in a font of wide digits."""
_MARGIN = 0.4
"""At the edges of a page, in inches."""
_A4 = 9  # as OOXML numbers paper
_LIST, _SLOT = re.compile(r"\[\w+\] = "), re.compile(r"\[[^\]]*\]")
_LEFT, _RIGHT = 1, 2  # as OOXML numbers the ways that a text runs
_WORDS = re.compile(r"\S+\s*|\s+")
_ROOM = 0.97
"""How much of a column's width its texts have."""
_BOLD = 0.92
"""What bold letters leave of that."""
_FONT = "Calibri"  # as openpyxl's other cells have
_PAPER, _HEAD, _TOLD, _ASKED = "FFF8E1", "DDE6F0", "F4F4F4", "F8CBAD"
_APART = "FF9999"
"""Of answers that stand in another row than the key beside them names."""
_MESSAGE = 225
"""Characters of a message that a spreadsheet shows where it refuses a value."""
_GREY = "8C8C8C"
"""Of the letters of keys."""


def write_workbook(path: Path, book: spec.Book) -> None:
    """Write a workbook in place of `path`.

    Raises:
        CurateError: If a text is longer than a cell holds, or it cannot be written.
    """
    write_file(path, workbook_bytes(book, str(path)))


def workbook_bytes(book: spec.Book, shown_as: str = "") -> bytes:
    """The bytes of a workbook.

    Raises:
        CurateError: If a text is longer than a cell holds.
    """
    from openpyxl import Workbook

    file = Workbook()
    file.properties.creator = AUTHOR
    first = file.active
    assert first is not None  # noqa: S101  # a new workbook has a sheet
    file.remove(first)
    _write_instructions(file.create_sheet(spec.INSTRUCTIONS), book)
    sheets = [file.create_sheet(sheet.name) for sheet in book.sheets]
    lists = ValueLists(file.create_sheet(spec.LISTS))
    for target, sheet in zip(sheets, book.sheets, strict=True):
        tints = spec.tints_of(len(sheet.hashes), book.hashes)
        _Writer(target, sheet, tints, lists, shown_as).write()
    lists.close()
    _write_meta(file.create_sheet(spec.META), book)
    file.properties.identifier = spec.cells_id(file)
    file.active = 1 if book.sheets else 0
    for at, target in enumerate(file.worksheets):
        target.sheet_view.tabSelected = at == (1 if book.sheets else 0)
        if book.right_to_left:
            turn(target)
        fit_page(target)
    return frozen(file)


def frozen(file: "Workbook") -> bytes:
    """Save a workbook with one date for all of its parts."""
    raw, result = BytesIO(), BytesIO()
    file.save(raw)
    with ZipFile(raw) as source, ZipFile(result, "w") as target:
        for name in sorted(source.namelist()):
            data = source.read(name)
            if name.startswith("xl/worksheets/"):
                data = data.replace(_FIXED_HEIGHT, b"")  # a row still grows with what is written
            if name == "docProps/core.xml":
                data = _DATES.sub(rb"\g<1>1980-01-01T00:00:00Z", data)
            target.writestr(dated(name), data)
    return result.getvalue()


def fit_page(sheet: "Worksheet") -> None:
    """Print a sheet across, on as many pages side by side as its letters need to be read.

    The pages of the same rows follow one another. What stays in view on screen stands on each.
    """
    from openpyxl.worksheet.properties import PageSetupProperties

    sheet.page_setup.orientation = "landscape"
    sheet.page_setup.paperSize = _A4
    letters = [column_letters(at) for at in range(sheet.max_column)]
    shown = [one for one in letters if not sheet.column_dimensions[one].hidden]
    wide = sum(sheet.column_dimensions[one].width for one in shown)
    sheet.page_setup.fitToWidth = max(1, round(wide / _PAGE))
    sheet.page_setup.fitToHeight = 0
    sheet.page_setup.pageOrder = "overThenDown"
    margins = sheet.page_margins
    margins.left = margins.right = _MARGIN
    if sheet.page_setup.fitToWidth > 1 and shown:
        read = (one for one in shown if sheet.column_dimensions[one].width > spec.KEY_WIDTH)
        sheet.print_title_cols = f"{shown[0]}:{next(read, shown[0])}"
    sheet.sheet_properties.pageSetUpPr = PageSetupProperties(fitToPage=True)
    if sheet.freeze_panes:
        sheet.print_title_rows = f"1:{int(sheet.freeze_panes.lstrip(_CAPITALS)) - 1}"


def keep_together(sheet: "Worksheet", parts: Iterable[tuple[int, int]]) -> None:
    """Print a wide sheet so that no page ends within a part, once its page is fitted.

    Spreadsheets pass over the ends of pages that are set where they fit a sheet to pages, so it is
    printed at a scale at which as many letters stand on a page.

    Args:
        sheet: The sheet.
        parts: The first and the last column of each part, from 1, in order.
    """
    from openpyxl.worksheet.pagebreak import Break

    properties = sheet.sheet_properties.pageSetUpPr
    if sheet.page_setup.fitToWidth == 1 or properties is None:
        return
    properties.fitToPage = False
    sheet.page_setup.fitToWidth = sheet.page_setup.fitToHeight = None
    sheet.page_setup.scale = _SCALE
    sheet.page_margins.top = sheet.page_margins.bottom = _MARGIN
    letters = map(column_letters, range(sheet.max_column))
    widths = [sheet.column_dimensions[letter].width for letter in letters]
    left = room = _PAGE - widths[0]  # the first column stands on each page
    for first, last in parts:
        wide = sum(widths[max(first - 1, 1) : last])
        if wide > left < room:
            sheet.col_breaks.append(Break(id=first - 1))
            left = room
        left -= wide


def turn(sheet: "Worksheet") -> None:
    """Put the first column on the right, and let each text run the way that its script does.

    A column of other scripts alone, with its heading, runs from left to right. Elsewhere so does a
    text without letters of its own script, and a list of names behind its slot. Where nothing is
    written yet, and where a slot stands alone, a cell runs from right to left.
    """
    from openpyxl.cell.cell import Cell

    sheet.sheet_view.rightToLeft = True
    for column in sheet.iter_cols():
        cells = [item for item in column if isinstance(item, Cell)]
        texts = [str(item.value or "") for item in cells]
        ways = [_runs_left_to_right(text) for text in texts]
        # A heading goes with what stands below it, though names of columns are English.
        alone = any(texts[1:]) and not any(map(is_right_to_left, texts))
        ways = [True] * len(ways) if alone else [False, *ways[1:]]
        if cells and is_right_to_left(cells[0].number_format):
            ways[0] = False  # it is shown in the language
        for cell, is_left in zip(cells, ways, strict=True):
            turned: Any = copy(cell.alignment)
            turned.readingOrder = _LEFT if is_left else _RIGHT
            cell.alignment = turned


def _runs_left_to_right(text: str) -> bool:
    if _LIST.match(text):
        return True
    words = _SLOT.sub("", text)
    return "L" in {*map(bidirectional, words)} and not is_right_to_left(text)


def is_right_to_left(text: str) -> bool:
    """Whether a text has letters of a script that runs from right to left."""
    return not {*map(bidirectional, text)}.isdisjoint({"R", "AL"})


def fit_height(sheet: "Worksheet", row: int, cells: Iterable[tuple[str, float]]) -> None:
    """Make a row as high as its longest text; not every program does so when it opens a file.

    Args:
        sheet: The sheet.
        row: The row, from 1.
        cells: The texts of the row, each with the width of its column.
    """
    lines = max(
        (lines_of(text, width) * (_TALLER if _TALL.search(text) else 1) for text, width in cells),
        default=1,
    )
    if lines > 1:
        sheet.row_dimensions[row].height = min(lines * LINE, _HIGHEST)


def _heading(column: spec.Column) -> tuple[str, str]:
    """What is shown as the header of a column, and the format of the cell that shows it.

    The cell holds the name, by which the column is found; rules and findings say it too.
    """
    shown = column.heading.replace('"', "'")
    if not shown:
        return column.name, "@"
    if column.key_of is not None or shown.casefold() == column.name.replace("_", " ").casefold():
        return shown, f';;;"{shown}"'
    return f"{shown} ({column.name})", f'"{shown} ("@")"'


def lines_of(text: str, width: float) -> int:
    """About how many lines a text takes, broken between words as a spreadsheet does."""
    return sum(_lines_of(line, max(1.0, width * _ROOM)) for line in text.split("\n"))


def _lines_of(line: str, room: float) -> int:
    """Break a line; words longer than a cell are broken anywhere, and so is what is two wide."""
    lines, used = 1, 0.0
    for word in _WORDS.findall(line):
        bare = word.rstrip()
        size = _width(bare)
        if size <= room < used + size and size == len(bare):
            lines, used = lines + 1, 0.0
        used += size
        while used > room:
            lines, used = lines + 1, used - room
        used += len(word) - len(bare)
    return lines


def _width(line: str) -> int:
    return len(line) + (
        0 if line.isascii() else sum(east_asian_width(letter) in "WF" for letter in line)
    )


class ValueLists:
    """The hidden sheet that holds the values of drop-downs, each list in a column, once."""

    def __init__(self, sheet: "Worksheet") -> None:
        self._sheet = sheet
        self._known: dict[tuple[str, ...], str] = {}

    def range_of(self, values: tuple[str, ...]) -> str:
        """The cells that hold some values."""
        if values not in self._known:
            at = len(self._known) + 1
            for row, value in enumerate(values, start=1):
                _put(self._sheet, row, at, value)
            letter = column_letters(at - 1)
            self._known[values] = f"'{spec.LISTS}'!${letter}$1:${letter}${len(values)}"
        return self._known[values]

    def close(self) -> None:
        """Hide and protect the sheet."""
        self._sheet.sheet_state = "hidden"
        self._sheet.protection.enable()


def _put(sheet: "Worksheet", row: int, at: int, text: str, like: "Cell | None" = None) -> "Cell":
    """Write a text, as text: no spreadsheet makes a date, a number or a formula of it.

    Args:
        sheet: The sheet.
        row: The row.
        at: The column.
        text: The text.
        like: A cell of the same looks: working them out anew takes half of a large workbook's time.
    """
    from openpyxl.cell.cell import Cell

    cell = sheet.cell(row, at)
    assert isinstance(cell, Cell)  # noqa: S101  # nothing is merged here
    cell.value = spec.to_cell(text) or None
    if like is None:
        cell.number_format = "@"
    else:
        cell._style = copy(like._style)  # type: ignore[attr-defined]  # the stubs leave it out
    if text:
        cell.data_type = "s"
    return cell


def tint(cell: "Cell", tints: spec.Tint) -> None:
    """Give a cell the looks of its row."""
    cell.fill, cell.font = _dyes(*tints)


@cache
def _dyes(paper: str, ink: str, size: float) -> "tuple[PatternFill, Font]":
    from openpyxl.styles import Font, PatternFill

    return PatternFill("solid", fgColor=paper), Font(_FONT, size, color=ink)


def tint_of(cell: "Cell") -> spec.Tint:
    """The looks of a cell: colours of six digits, empty where it has none of its own."""
    paper, ink = cell.fill, cell.font.color
    return (
        _colour(cell, paper.fgColor) if paper.fill_type == "solid" else "",
        _colour(cell, ink) if ink is not None else "",
        float(cell.font.sz or spec.SIZES[0]),
    )


def _colour(cell: "Cell", colour: "Color") -> str:
    """A colour as it is shown: Numbers writes its number in a list that stands in the workbook."""
    book: Any = cell.parent.parent
    known = book._colors  # openpyxl has no other way to it
    if colour.type == "indexed" and colour.indexed < len(known):
        return str(known[colour.indexed])[-6:].upper()
    return str(colour.rgb)[-6:].upper() if colour.type == "rgb" else ""


def _write_instructions(sheet: "Worksheet", book: spec.Book) -> None:
    from openpyxl.styles import Alignment, Font

    for row, line in enumerate(book.instructions, start=1):
        heading = line.startswith("# ")
        cell = _put(sheet, row, 1, line.removeprefix("# "))
        cell.alignment = Alignment(wrap_text=True, vertical="top")
        cell.font = Font(_FONT, 14 if heading else 11, bold=heading)
        fit_height(sheet, row, [(line, _INSTRUCTIONS_WIDTH)])
        size = sheet.row_dimensions[row]
        size.height = (size.height or LINE) + (LINE if heading else _BETWEEN)
    sheet.column_dimensions["A"].width = _INSTRUCTIONS_WIDTH
    sheet.protection.enable()


def _write_meta(sheet: "Worksheet", book: spec.Book) -> None:
    known = {"kind": book.kind, "version": spec.VERSION}
    about = {f"about.{name}": value for name, value in book.about.items()}
    hashes = {
        f"{spec.ROW}{sheet.name}/{key}": " ".join([seen, *map(":".join, told.items())])
        for sheet in book.sheets
        if sheet.is_answered
        for (key, seen), told in zip(sheet.hashes.items(), sheet.shown.values(), strict=True)
    }
    for row, (name, value) in enumerate({**known, **about, **hashes}.items(), start=1):
        _put(sheet, row, 1, name)
        _put(sheet, row, 2, value)
    sheet.sheet_state = "hidden"
    sheet.protection.enable()


class _Writer:
    """Writes one sheet."""

    def __init__(
        self,
        target: "Worksheet",
        sheet: spec.Sheet,
        tints: Sequence[spec.Tint],
        lists: ValueLists,
        file: str,
    ) -> None:

        self._target, self._sheet, self._lists, self._file = target, sheet, lists, file
        self._tints = tints
        self._last = 1 + len(sheet.rows) + sheet.blank
        self._laid = sheet.laid_out()
        self._letter = {column.name: column_letters(at) for at, column in enumerate(self._laid)}

    def write(self) -> None:
        """Write header, rows, rules and looks."""
        target, columns = self._target, self._sheet.columns
        for number, row in enumerate(self._sheet.rows, start=2):
            cells = [(row.cells.get(item.name, ""), item.width) for item in columns]
            fit_height(target, number, cells)
        fit_height(target, 1, [(_heading(c)[0], c.width * _BOLD) for c in columns])
        for at, column in enumerate(self._laid, start=1):
            self._write_column(at, column)
        frozen = [*self._letter].index(self._sheet.frozen or columns[0].name) + 1
        target.freeze_panes = f"{column_letters(frozen)}2"
        target.auto_filter.ref = f"A1:{column_letters(len(self._laid) - 1)}{self._last}"
        if not self._sheet.is_answered and not self._sheet.blank:
            target.protection.enable()

    def _write_column(self, at: int, column: spec.Column) -> None:
        from openpyxl.comments import Comment
        from openpyxl.styles import Alignment, Border, Font, PatternFill, Side

        target, wrap = self._target, Alignment(wrap_text=True, vertical="top")
        is_key = column.key_of is not None
        head = _put(target, 1, at, column.name)
        head.alignment, head.font = wrap, Font(_FONT, 11, bold=True)
        head.number_format = _heading(column)[1]
        head.fill = PatternFill("solid", fgColor=_HEAD)
        if column.note:
            head.comment = Comment(column.note, AUTHOR, height=120, width=320)
        fill = PatternFill("solid", fgColor=_PAPER if column.editable else _TOLD)
        first = None
        for number in range(2, self._last + 1):
            text = self._text(number - 2, column)
            self._refuse_long(text, number, column)
            cell = _put(target, number, at, text, first)
            if first is None:
                cell.alignment, cell.fill = wrap, fill
                cell.border = Border(bottom=Side("thin", "BFBFBF"), right=Side("thin", "BFBFBF"))
                if is_key:
                    cell.alignment = Alignment(vertical="top", shrink_to_fit=True)
                    cell.font = Font(_FONT, 8, color=_GREY)
                first = cell
            if column.editable and number - 2 < len(self._tints):
                tint(cell, self._tints[number - 2])
        if is_key:
            head.font, head.alignment = Font(_FONT, 8, color=_GREY), Alignment(vertical="top")
        dimension = target.column_dimensions[self._letter[column.name]]
        dimension.width = column.width
        is_empty = not any(self._text(at, column) for at in range(len(self._sheet.rows)))
        dimension.hidden = column.hidden or (is_empty and not (column.editable or is_key))
        self._write_rules(column)

    def _text(self, row: int, column: spec.Column) -> str:
        if row >= len(self._sheet.rows):
            return ""
        there = self._sheet.rows[row]
        return there.key if column.key_of is not None else there.cells.get(column.name, "")

    def _write_rules(self, column: spec.Column) -> None:
        """Add the drop-down, and a colour where a cell is still asked for."""
        from openpyxl.formatting.rule import FormulaRule
        from openpyxl.styles import PatternFill
        from openpyxl.worksheet.datavalidation import DataValidation

        letter, last = self._letter[column.name], max(self._last, 2)
        area = f"{letter}2:{letter}{last}"
        is_key = column.key_of is not None
        choices = tuple(row.key for row in self._sheet.rows) if is_key else column.choices
        if choices:
            rule = DataValidation("list", formula1=self._lists.range_of(choices))
            rule.showErrorMessage = True
            if is_key:  # nobody types there by mistake
                rule.showDropDown = True  # True hides it
                rule.error = column.note[:_MESSAGE] or None
            rule.add(area)
            self._target.add_data_validation(rule)
        if column.key_of:
            key, areas = self._letter[self._sheet.row_key], (column.name, *column.key_of)
            colour = PatternFill(bgColor=_APART)
            shown = FormulaRule([f"${letter}2<>${key}2"], fill=colour)  # type: ignore[no-untyped-call]
            where = " ".join(f"{self._letter[one]}2:{self._letter[one]}{last}" for one in areas)
            self._target.conditional_formatting.add(where, shown)
        if column.required_if:
            other, values = column.required_if
            asked = ",".join(
                f'TRIM(${self._letter[other]}2)="{value.replace(chr(34), chr(34) * 2)}"'
                for value in values
            )
            formula = f"AND(OR({asked}),LEN(TRIM(${letter}2))=0)"
            colour = PatternFill(bgColor=_ASKED)
            shown = FormulaRule(formula=[formula], fill=colour)  # type: ignore[no-untyped-call]
            self._target.conditional_formatting.add(area, shown)

    def _refuse_long(self, text: str, number: int, column: spec.Column) -> None:
        size = len(spec.to_cell(text).encode("utf-16-le", "surrogatepass")) // 2
        if size > MAX_CHARACTERS:
            where = f"{self._file}, sheet {self._sheet.name}, row {number}, column {column.name}"
            raise refusal("curation", "cell-too-long", where, size=size, most=MAX_CHARACTERS)
