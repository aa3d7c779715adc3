"""The report's tables as a workbook: a sheet a table, numbers as numbers."""

import re
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from curation.io.atomic import atomic_path
from curation.io.workbooks import frozen
from curation.io.writers.cells import escape_formula, json_list
from curation.model.rounding import significant
from survey.report.tables import Table, Value

if TYPE_CHECKING:
    from openpyxl.worksheet.worksheet import Worksheet

_FIXED = datetime(1980, 1, 1)  # noqa: DTZ001  # a workbook's dates have no zone
_NO_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_LONGEST = 32_767
_CUT = " … (the CSV file has all of it)"
_WIDTHS = {"stereotype": 44, "what": 60, "reason": 60, "templates": 28, "reasons": 28, "turned": 40}


def write_workbook(path: Path, found: Iterable[Table]) -> None:
    """Write tables as the sheets of one workbook; the same tables give the same bytes.

    Raises:
        CurateError: If it cannot be written.
    """
    from openpyxl import Workbook

    book = Workbook()
    book.properties.creator = "curate"
    book.properties.created = _FIXED
    first = book.active
    assert first is not None  # noqa: S101  # a new workbook has a sheet
    book.remove(first)
    for table in found:
        _write_sheet(book.create_sheet(table.name), table)
    with atomic_path(path) as beside:
        beside.write_bytes(frozen(book))


def _write_sheet(sheet: "Worksheet", table: Table) -> None:
    from openpyxl.styles import Alignment, Font
    from openpyxl.utils import get_column_letter

    bold, wrap = Font(bold=True), Alignment(wrap_text=True, vertical="top")
    for row, values in enumerate((table.columns, *table.rows), start=1):
        for at, value in enumerate(values, start=1):
            cell = sheet.cell(row, at)
            content = _content(value)
            cell.value = content
            if isinstance(content, str):
                cell.data_type = "s"  # a text, whatever its first sign
                cell.alignment = wrap
            if row == 1:
                cell.font = bold
    for at, column in enumerate(table.columns, start=1):
        sheet.column_dimensions[get_column_letter(at)].width = _WIDTHS.get(column, 14)
    sheet.freeze_panes = "B2"
    sheet.auto_filter.ref = sheet.dimensions


def _content(value: Value) -> str | int | float | bool | None:
    """Give what stands in a cell, as a spreadsheet holds it."""
    if isinstance(value, float):
        return significant(value)
    if isinstance(value, tuple):
        value = json_list(value)
    if isinstance(value, str):
        content = _NO_XML.sub("\ufffd", escape_formula(value))
        if len(content) > _LONGEST:
            content = content[: _LONGEST - len(_CUT)] + _CUT
        return content or None
    return value
