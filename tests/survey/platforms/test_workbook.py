"""The workbook, opened again."""

from pathlib import Path
from typing import Any

import openpyxl
import pytest

from survey.platforms import workbook


@pytest.fixture
def book(kit: Any, tmp_path: Path) -> Any:
    """The workbook as a spreadsheet sees it."""
    (path,) = workbook.write(tmp_path, kit)
    return openpyxl.load_workbook(path)


def header(sheet: Any) -> list[str]:
    """The names of the columns."""
    return [cell.value for cell in sheet[1]]


def drop_down(book: Any, sheet: Any, name: str) -> list[str]:
    """The values that the cells of a column take, in the first and the last row alike."""
    column = header(sheet).index(name) + 1
    found = []
    for row in (4, 7):
        (rule,) = [
            rule
            for rule in sheet.data_validations.dataValidation
            if sheet.cell(row, column).coordinate in rule.sqref
        ]
        assert rule.type == "list" and rule.showErrorMessage
        found.append(rule.formula1)
    assert found[0] == found[1]
    name, _, cells = found[0].replace("'", "").partition("!")
    return [cell.value for (cell,) in book[name][cells.replace("$", "")]] if cells else []


def test_sheets(book: Any) -> None:
    """There is a sheet of instructions, one for each form, and a hidden one with the lists."""
    assert book.sheetnames == ["instructions", "f01", "f02", "_lists"]
    assert book["_lists"].sheet_state == "hidden"
    texts = [cell.value for cell in book["instructions"]["A"]]
    assert texts[:5] == [
        "Crafts",
        None,
        "f01: About crafts: 5 questions.",
        "f02: About crafts: 3 questions.",
        "Go on if you agree.",
    ]
    for sheet, heading in (("instructions", None), ("f01", "$1:$3")):
        assert book[sheet].page_setup.fitToWidth == 1
        assert book[sheet].print_title_rows == heading


def test_columns(book: Any) -> None:
    """A form has the respondent, what is asked about him, and its questions in drawn order."""
    assert header(book["f01"]) == [
        "respondent_id",
        "region",
        "Q001",
        *("Q002_3", "Q002_1", "Q002_2", "Q002_none"),
        "attention",
        "Q003",
    ]
    assert header(book["f02"]) == ["respondent_id", "region", "Q001", "attention"]
    assert [book["f01"].cell(3, at).value for at in range(4, 8)] == [
        "Glaziers",
        "Bakers",
        'The "Potters"',
        "Nobody",
    ]


def test_drop_downs(book: Any) -> None:
    """Every cell that is answered takes the options in the drawn order, and nothing else."""
    sheet = book["f01"]
    assert drop_down(book, sheet, "Q001") == ["'=Potters", "Bakers, Weavers", "Nobody"]
    assert drop_down(book, sheet, "Q002_none") == ["x"]
    assert drop_down(book, sheet, "attention") == ["Red", "Blue"]
    assert drop_down(book, sheet, "region") == ["East & all", "west"]
    assert drop_down(book, book["f02"], "Q001") == ["Bakers, Weavers", "'=Potters", "Nobody"]
