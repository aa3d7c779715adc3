"""The workbook, opened again."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from curation.files.workbooks.writing import lines_of
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


def test_forms_of_one_length_share_their_intro(kit: Any, tmp_path: Path) -> None:
    """Where all say the same, it is said once and of no form."""
    first = kit.sheets[0]
    for sheets, said in (
        ((first, replace(first, id="f02")), first.intro),
        ((*kit.sheets, replace(first, id="f03")), f"f01, f03: {first.intro}"),
    ):
        (path,) = workbook.write(tmp_path, replace(kit, sheets=sheets))
        sheet = openpyxl.load_workbook(path)["instructions"]
        assert sheet["A3"].value == said


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


def test_protection(book: Any) -> None:
    """Sheets are protected, except for the cells that are answered: a row for each respondent."""
    assert all(sheet.protection.sheet for sheet in book)
    for name in ("f01", "f02"):
        sheet = book[name]
        locked = [[cell.protection.locked for cell in row] for row in sheet.iter_rows()]
        assert locked == [[True] * sheet.max_column] * 3 + [[False] * sheet.max_column] * 4


def test_no_formulas(book: Any) -> None:
    """No text is a formula, whatever it begins with."""
    kinds = {cell.data_type for sheet in book for row in sheet.iter_rows() for cell in row}
    assert "f" not in kinds


def test_mapping(kit: Any) -> None:
    """The sheet of a form is read by the texts that its lists hold."""
    mapping = workbook.mapping(kit, kit.sheets[0])
    assert (mapping.read.sheet, mapping.read.header_rows) == ("f01", 3)
    choice, several, _ = mapping.questions
    assert choice.options == {"Bakers, Weavers": "1", "'=Potters": "2", "Nobody": "none"}
    assert (several.columns, several.selected) == ("Q002_{code}", ("x",))
    assert set(several.options) == {"1", "2", "3", "none"}
    assert mapping.attention[0].expect == ("Blue",)


def test_as_many_rows_as_respondents(make_survey: Callable[..., Any], tmp_path: Path) -> None:
    """Who wants 9 answers gets 9 rows."""
    (path,) = workbook.write(tmp_path, make_survey(respondents_per_question=9))
    assert openpyxl.load_workbook(path)["f01"].max_row == 3 + 9


def test_forms_of_a_language_from_right_to_left_run_so(kit: Any, tmp_path: Path) -> None:
    """All sheets; others do not."""
    for turned in (True, False):
        (path,) = workbook.write(tmp_path, replace(kit, right_to_left=turned))
        sheets = openpyxl.load_workbook(path).worksheets
        assert {bool(sheet.sheet_view.rightToLeft) for sheet in sheets} == {turned}


def test_a_question_stands_whole_over_all_of_its_options(
    make_survey: Callable[..., Any], tmp_path: Path
) -> None:
    """Over six options at a time, so that it is seen wherever the form is scrolled to."""
    kit = make_survey()
    (path,) = workbook.write(tmp_path, kit)
    sheet = openpyxl.load_workbook(path)["f01"]
    assert sorted(str(area) for area in sheet.merged_cells.ranges) == ["D2:G2"]
    item = next(item for item in kit.sheets[0].items if item.is_multiple)
    assert str(sheet["D2"].value).endswith(item.text)
    option = item.question.options[0]
    many = tuple(replace(option, code=str(at), text=f"Group {at}") for at in range(14))
    question = replace(item.question, options=many)
    long = replace(item, question=question, order=tuple(range(14)), text="Which? " * 60)
    form = replace(kit.sheets[0], items=(long,))
    (path,) = workbook.write(tmp_path, replace(kit, sheets=(form,)))
    sheet = openpyxl.load_workbook(path)["f01"]
    assert sorted(str(area) for area in sheet.merged_cells.ranges) == ["C2:H2", "I2:N2", "O2:P2"]
    for at in ("C2", "I2", "O2"):
        assert "Which? Which?" in sheet[at].value
    wide = 2 * sheet.column_dimensions["O"].width * 0.92
    assert sheet.row_dimensions[2].height == 15 * lines_of(sheet["O2"].value, wide)


def test_no_page_ends_between_the_options_that_a_question_stands_over(
    make_survey: Callable[..., Any], tmp_path: Path
) -> None:
    """A page ends before them; a sheet of one page has no ends."""
    kit = make_survey()
    (path,) = workbook.write(tmp_path, kit)
    short = openpyxl.load_workbook(path)["f01"]
    assert short.sheet_properties.pageSetUpPr.fitToPage
    assert not short.col_breaks.brk
    item = next(item for item in kit.sheets[0].items if item.is_multiple)
    option = item.question.options[0]
    many = tuple(replace(option, code=str(at), text=f"Group {at}") for at in range(26))
    long = replace(
        item, question=replace(item.question, options=many), order=tuple(range(26)), text="Which?"
    )
    form = replace(kit.sheets[0], items=(long,))
    (path,) = workbook.write(tmp_path, replace(kit, sheets=(form,)))
    sheet = openpyxl.load_workbook(path)["f01"]
    firsts = {area.min_col for area in sheet.merged_cells.ranges}
    assert firsts == {3, 9, 15, 21, 27}  # six columns of 16, beside the first one of 34
    assert [one.id + 1 for one in sheet.col_breaks.brk] == [9, 15, 21, 29]
    assert not sheet.sheet_properties.pageSetUpPr.fitToPage
    assert sheet.print_title_cols == "$A:$A"


@pytest.mark.parametrize(("words", "width"), [(3, 34), (40, 56), (400, 90)])
def test_a_long_question_has_a_wide_column(
    kit: Any, tmp_path: Path, words: int, width: int
) -> None:
    """So that the answers below it stay on the screen; the row is as high as it needs."""
    item = next(item for item in kit.sheets[0].items if not item.is_multiple)
    long = replace(item, text="weaver " * words)
    form = replace(kit.sheets[0], items=(long,))
    (path,) = workbook.write(tmp_path, replace(kit, sheets=(form,)))
    sheet = openpyxl.load_workbook(path)["f01"]
    column = {cell.value: cell.column_letter for cell in sheet[1]}[item.code]
    assert sheet.column_dimensions[column].width == width
    lines = lines_of(sheet[f"{column}2"].value, width * 0.92)
    assert sheet.row_dimensions[2].height == min(409, 15 * lines)
