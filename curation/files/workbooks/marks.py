"""What is wrong in a workbook, and a copy that shows it."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from curation.files.atomic import atomic_path
from curation.files.workbooks.ods import is_ods
from curation.files.workbooks.opening import load, text_of
from curation.files.workbooks.spec import to_cell
from curation.files.workbooks.writing import AUTHOR, frozen
from curation.records.findings import Finding, Severity

if TYPE_CHECKING:
    from openpyxl.worksheet.worksheet import Worksheet

_COLOURS = {Severity.ERROR: "FF9999", Severity.WARNING: "FFD966", Severity.INFO: "BDD7EE"}

_MOVED = "workbook-answer-moved"
"""Of an answer whose colour is that of another row; its cell keeps it in a marked copy."""
_WIDEST = 60
"""The width of a column in a copy of a workbook that has no widths of its own."""


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


def make_mark(
    rule: str,
    severity: Severity,
    place: tuple[str, str, str],
    message: str,
    hint: str,
    column: str = "",
) -> Mark:
    """Make a mark.

    Args:
        rule: Id of the rule.
        severity: Its weight.
        place: File as shown, sheet, and address of the cell or nothing.
        message: What is wrong.
        hint: What to do.
        column: Header of the column.
    """
    file, sheet, cell = place
    row = int("".join(character for character in cell if character.isdigit())) if cell else None
    shown = f"{column} ({cell})" if column and cell else column or cell
    where = f"{file}, sheet {sheet}" if sheet else file
    return Mark(Finding(rule, severity, where, row, shown, message, hint), sheet, cell)


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
    with atomic_path(target) as beside:
        beside.write_bytes(frozen(file))


def _dress(sheet: "Worksheet") -> None:
    """Make columns wide enough to be read."""
    from openpyxl.styles import Alignment
    from openpyxl.utils import get_column_letter

    for at, cells in enumerate(sheet.iter_cols(), start=1):
        texts = [text_of(cell.value) for cell in cells]
        width = min(max(map(len, texts), default=0) + 2, _WIDEST)
        sheet.column_dimensions[get_column_letter(at)].width = width
        for cell in cells:
            cell.alignment = Alignment(wrap_text=True, vertical="top")


def _mark(sheet: "Worksheet", address: str, findings: list[Finding]) -> None:
    from openpyxl.cell.cell import MergedCell
    from openpyxl.comments import Comment
    from openpyxl.styles import PatternFill

    cell = sheet[address or "A1"]
    if isinstance(cell, MergedCell):
        area = next(item for item in sheet.merged_cells.ranges if cell.coordinate in item)
        cell = sheet.cell(area.min_row, area.min_col)
    lines = [
        f"{item.severity.value}: {item.message}" + (f"\n-> {item.hint}" if item.hint else "")
        for item in findings
    ]
    text = to_cell("\n\n".join(dict.fromkeys(lines)))
    cell.comment = Comment(text, AUTHOR, height=80 + 60 * len(lines), width=360)
    worst = min((item.severity for item in findings), key=list(Severity).index)
    if all(item.rule != _MOVED for item in findings):
        cell.fill = PatternFill("solid", fgColor=_COLOURS[worst])
