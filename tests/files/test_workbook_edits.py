"""No answer is read at another row, whatever people do to a workbook."""

import json
import random
import shutil
import subprocess
from pathlib import Path

import openpyxl
import pytest
from edits import (
    ADDED,
    EDITS,
    SHEETS,
    Edited,
    added,
    added_outcome,
    edited,
    filled,
    handed_out,
    move_one_answer,
    office_edit,
    outcome,
    paste_one_column_elsewhere,
    shift_one_column_down,
    sort_block,
    sort_one_column,
    sort_one_column_of_some_rows,
    sort_part_of_rows,
    sort_table,
)

from curation.files.workbooks import open_workbook

SUPPORT = Path(__file__).parents[1] / "support"
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
def test_no_edit_parts_the_cells_of_a_row_that_was_added(tmp_path, name, edit, wanted):
    """No key tells what belongs together there: the colours do."""
    sheet = ADDED[name]
    for seed in range(6):
        book = handed_out(tmp_path / "sheet.xlsx", sheet)
        edited(book, sheet, seed, (edit,))
        result, wrong = added_outcome(book, sheet)
        assert result in wanted and not wrong, seed


def test_what_was_pasted_elsewhere_is_refused_when_rows_were_sorted_after_it(tmp_path):
    """The answers no longer stand one below the other as they were pasted."""
    sheet = SHEETS["moved"]
    book = handed_out(tmp_path / "sheet.xlsx", sheet)
    for seed in range(20):
        _, wrong = outcome(
            book, edited(book, sheet, seed, (paste_one_column_elsewhere, sort_table))
        )
        assert not wrong, seed


def _filled_in(path, sheet, truth):
    """A workbook that was handed out, with what was written by row."""
    handed_out(path, sheet)
    book = openpyxl.load_workbook(path)
    laid = [column.name for column in sheet.laid_out()]
    for number, cells in enumerate(truth.values(), start=2):
        for column, text in cells.items():
            book[sheet.name].cell(number, laid.index(column) + 1).value = text
    book.save(path)
    return path


def _edit_in_office(folder, jobs):
    """Edit workbooks: of each the file, its copy, the sheet and the edits."""
    names = ("file", "to", "sheet", "edits")
    listed = [dict(zip(names, map(str, job[:3]), strict=False)) | {"edits": job[3]} for job in jobs]
    (folder / "edits.json").write_text(json.dumps(listed))
    office = subprocess.Popen(
        [
            *("soffice", f"-env:UserInstallation=file://{folder}/profile", "--headless"),
            *("--norestore", f"--accept=pipe,name={folder.name};urp;"),
        ]
    )
    try:
        subprocess.run(
            ["/usr/bin/python3", SUPPORT / "office.py", folder.name, folder / "edits.json"],
            check=True,
            timeout=3600,
        )
    finally:
        office.wait(60)


@pytest.mark.nightly
@pytest.mark.slow
@pytest.mark.skipif(
    not (shutil.which("soffice") and Path("/usr/lib/python3/dist-packages/uno.py").exists()),
    reason="LibreOffice or its Python is not installed",
)
def test_no_edit_in_libreoffice_moves_an_answer(tmp_path, seeds=range(8)):
    """One to three drawn ones, one after another, of every workbook, also of rows that are added.

    Where whole rows alone were sorted, inserted or deleted nothing is refused.
    """
    jobs, truths = [], {}
    for seed in seeds:
        chance = random.Random(seed)  # noqa: S311  # a seeded draw
        for name, sheet in {**SHEETS, **ADDED}.items():
            truth = added(sheet) if name in ADDED else filled(sheet, chance)
            path = _filled_in(tmp_path / f"{name}-{seed}.xlsx", sheet, truth)
            drawn = [office_edit(sheet, chance) for _ in range(chance.randint(1, 3))]
            edits = [edit for edit, _ in drawn]
            is_right = all(is_whole for _, is_whole in drawn)
            target = tmp_path / f"{name}-{seed}-edited.{chance.choice(['xlsx', 'ods'])}"
            jobs.append((path, target, sheet.name, edits))
            truths[target] = name, sheet, truth, is_right
    _edit_in_office(tmp_path, jobs)
    moved = []
    for (_, target, _, edits), about in zip(jobs, truths.values(), strict=True):
        name, sheet, truth, is_right = about
        book = open_workbook(target, "classify")
        one = Edited(sheet, [], 0, truth, set())
        result, wrong = added_outcome(book, sheet) if name in ADDED else outcome(book, one)
        if wrong or (is_right and result != "right"):
            moved.append((target.name, edits, result, wrong))
    assert not moved
