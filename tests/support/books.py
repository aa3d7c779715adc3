"""Workbooks as people change them, and what is said of them."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import openpyxl

from curation.files.workbooks import FilledSheet


def changed(file: Path, change: Callable[[Any], Any]) -> Path:
    """Change the sheet of templates as a person would, and save it."""
    book = openpyxl.load_workbook(file)
    change(book["templates"])
    book.save(file)
    return file


def rules(filled: FilledSheet) -> list[tuple[str, str]]:
    """The rules of what is wrong, with their cells."""
    return [(item.finding.rule, item.cell) for item in filled.marks]
