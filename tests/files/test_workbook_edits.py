"""No answer is read at another row, whatever people do to a workbook."""

import random
import re
import shutil
from pathlib import Path
from zipfile import ZipFile

import pytest
from edits import (
    ADDED,
    EDITS,
    SHEETS,
    added_outcome,
    edited,
    handed_out,
    move_one_answer,
    office_rounds,
    outcome,
    paste_one_column_elsewhere,
    shift_one_column_down,
    sort_block,
    sort_one_column,
    sort_one_column_of_some_rows,
    sort_part_of_rows,
    sort_table,
    with_rows,
)

from curation.files.workbooks import read_sheet

RIGHT = {
    *("sort_table", "sort_part_of_rows", "filter_and_sort", "delete_rows", "copy_row"),
    *("insert_column", "move_columns"),
}
"""Edits of which nothing is refused."""


def test_every_answer_stands_between_what_tells_its_row():
    """A key or a text that is looked at is on both sides of it, and whole rows begin with one."""
    for sheet in SHEETS.values():
        laid = sheet.laid_out()
        assert sheet.row_key in (laid[0].name, laid[1].name) and not laid[0].editable
        for at, column in enumerate(laid):
            if column.editable:
                assert _tells(laid[at - 1], column), column.name
                assert at + 1 < len(laid) and _tells(laid[at + 1], column), column.name


@pytest.mark.parametrize("name", SHEETS)
def test_texts_that_stand_beside_another_row_are_named(tmp_path, name):
    """Who sorts what they read, alone and before they answer, answers beside the wrong text."""
    sheet = SHEETS[name]
    book = handed_out(tmp_path / "sheet.xlsx", sheet)
    page = book.file[sheet.name]
    names = [cell.value for cell in page[1]]
    for column in sheet.columns:
        at = names.index(column.name) + 1
        if column.editable:
            page.cell(2, at).value = page.cell(3, at).value = (*column.choices, "craft")[0]
        elif column.name != sheet.key:
            cells = page.cell(2, at), page.cell(3, at)
            cells[0].value, cells[1].value = cells[1].value, cells[0].value
    wrong = [mark.cell[1:] for mark in read_sheet(book, sheet).marks]
    assert wrong == ["2", "3"]


def test_rows_of_one_colour_are_far_apart(tmp_path):
    """There are 416 colours, and LibreOffice keeps 56 of paper, ink and lines in a file."""
    sheet = with_rows(SHEETS["moved"], 500)
    for edit in (sort_one_column, move_one_answer):
        book = handed_out(tmp_path / "sheet.xlsx", sheet)
        with ZipFile(tmp_path / "sheet.xlsx") as parts:
            colours = set(re.findall(rb'<(?:fgC|c)olor rgb="00(\w+)"', parts.read("xl/styles.xml")))
        assert 40 < len(colours) <= 52  # a marked copy has three more
        assert outcome(book, edited(book, sheet, 0, (edit,))) == ("refused", [])


def _tells(beside, column):
    if beside.key_of is not None:
        return not beside.key_of or column.name in beside.key_of
    return not (beside.editable or beside.aside)


@pytest.mark.parametrize("name", SHEETS)
@pytest.mark.parametrize(
    "seeds", [range(1), pytest.param(range(1, 200), marks=pytest.mark.nightly)]
)
def test_no_edit_moves_an_answer(tmp_path, name, seeds):
    """It is read at its row, or refused with its row."""
    sheet = SHEETS[name]
    book = handed_out(tmp_path / "sheet.xlsx", sheet)
    for edit in EDITS:
        for seed in seeds:
            result, wrong = outcome(book, edited(book, sheet, seed, (edit,)))
            assert not wrong, (edit.__name__, seed)
            assert result == "right" or edit.__name__ not in RIGHT, (edit.__name__, seed)


@pytest.mark.parametrize(
    "seeds", [range(2), pytest.param(range(2, 200), marks=pytest.mark.nightly)]
)
def test_no_edits_after_one_another_move_an_answer(tmp_path, seeds):
    few = [one for one in EDITS if one.__name__ != "delete_column"]
    for name, sheet in SHEETS.items():
        book = handed_out(tmp_path / f"{name}.xlsx", sheet)
        for seed in seeds:
            chance = random.Random(seed)  # noqa: S311  # a seeded draw
            edits = chance.sample(few, chance.randint(2, 3))
            _, wrong = outcome(book, edited(book, sheet, seed, edits))
            assert not wrong, (name, seed, [one.__name__ for one in edits])


@pytest.mark.parametrize("name", ADDED)
@pytest.mark.parametrize("seeds", [range(2), pytest.param(range(2, 20), marks=pytest.mark.nightly)])
@pytest.mark.parametrize(
    ("edit", "wanted"),
    [
        (sort_table, {"right"}),
        (sort_part_of_rows, {"right"}),
        (sort_one_column, {"refused"}),
        (sort_one_column_of_some_rows, {"refused", "right"}),
        (move_one_answer, {"refused"}),
        (shift_one_column_down, {"refused"}),
        (sort_block, {"refused", "right"}),
    ],
)
def test_no_edit_parts_the_cells_of_a_row_that_was_added(tmp_path, name, seeds, edit, wanted):
    """No key tells what belongs together there: the colours do."""
    sheet = ADDED[name]
    for seed in seeds:
        book = handed_out(tmp_path / "sheet.xlsx", sheet)
        edited(book, sheet, seed, (edit,))
        result, wrong = added_outcome(book, sheet)
        assert result in wanted and not wrong, seed


def test_what_was_pasted_elsewhere_is_refused_when_rows_were_sorted_after_it(tmp_path):
    """The answers no longer stand one below the other as they were pasted."""
    sheet = SHEETS["moved"]
    book = handed_out(tmp_path / "sheet.xlsx", sheet)
    for seed in range(5):
        _, wrong = outcome(
            book, edited(book, sheet, seed, (paste_one_column_elsewhere, sort_table))
        )
        assert not wrong, seed


@pytest.mark.nightly
@pytest.mark.slow
@pytest.mark.skipif(
    not (shutil.which("soffice") and Path("/usr/lib/python3/dist-packages/uno.py").exists()),
    reason="LibreOffice or its Python is not installed",
)
def test_no_edit_in_libreoffice_moves_an_answer(tmp_path):
    """One to three drawn ones, one after another, of every sheet, also of rows that are added.

    Where whole rows alone were sorted, inserted or deleted nothing is refused.
    """
    assert not [one for one in office_rounds(tmp_path, range(20)) if one[1]]
