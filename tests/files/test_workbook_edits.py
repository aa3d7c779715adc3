"""No answer is read at another row, whatever people do to a workbook."""

import json
import random
import shutil
import subprocess
from pathlib import Path

import openpyxl
import pytest
from edits import (
    EDITS,
    SHEETS,
    Edited,
    edited,
    filled,
    handed_out,
    outcome,
    paste_one_column_elsewhere,
    sort_table,
)
from openpyxl.utils import get_column_letter

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
        assert laid[0].name == sheet.row_key
        for at, column in enumerate(laid):
            if column.editable:
                assert _tells(laid[at - 1], column), column.name
                assert at + 1 < len(laid) and _tells(laid[at + 1], column), column.name


def _tells(beside, column):
    if beside.key_of is not None:
        return column.name in beside.key_of
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


def test_what_was_pasted_elsewhere_is_refused_when_rows_were_sorted_after_it(tmp_path):
    """The answers no longer stand one below the other as they were pasted."""
    sheet = SHEETS["moved"]
    book = handed_out(tmp_path / "sheet.xlsx", sheet)
    for seed in range(20):
        _, wrong = outcome(
            book, edited(book, sheet, seed, (paste_one_column_elsewhere, sort_table))
        )
        assert not wrong, seed


def _office_edits(sheet):
    """Edits in LibreOffice: what they are, what becomes of them, and the cells."""
    laid = sheet.laid_out()
    last, end = 1 + len(sheet.rows), get_column_letter(len(laid))
    asked = [at for at, column in enumerate(laid, start=1) if column.editable]
    first, key = (get_column_letter(at) for at in (asked[0], asked[0] + 1))
    final = get_column_letter(asked[-1])
    yield "whole rows sorted", "right", [("sort", [f"A2:{end}{last}", asked[0] - 1])]
    yield "some whole rows sorted", "right", [("sort", [f"A5:{end}20", asked[0] - 1])]
    yield "answers sorted", "refused", [("sort", [f"{first}2:{key}{last}", 0])]
    yield "an answer sorted alone", "refused", [("sort", [f"{first}2:{first}{last}", 0])]
    yield "another sorted alone", "refused", [("sort", [f"{final}2:{final}{last}", 0])]
    yield "a part of it sorted alone", "refused", [("sort", [f"{first}9:{first}30", 0])]
    yield "an answer moved alone", "refused", [("move", [f"{final}4:{final}4", f"{final}9"])]
    yield "all but the keys sorted", "refused", [("sort", [f"B2:{end}{last}", asked[0] - 2])]
    yield "answers moved", "refused", [("move", [f"{first}4:{key}4", f"{first}9"])]
    yield "answers copied", "refused", [("copy", [f"{first}4:{key}4", f"{first}9"])]
    yield (
        "rows and a column inserted",
        "right",
        [("insert_rows", [7, 2]), ("insert_columns", [1, 1])],
    )
    yield "rows deleted", "right", [("delete_rows", [7, 2])]


@pytest.mark.nightly
@pytest.mark.slow
@pytest.mark.skipif(
    not (shutil.which("soffice") and Path("/usr/lib/python3/dist-packages/uno.py").exists()),
    reason="LibreOffice or its Python is not installed",
)
@pytest.mark.parametrize("kind", ["xlsx", "ods"])
def test_no_edit_in_libreoffice_moves_an_answer(tmp_path, kind):
    """By its own sorting, moving, copying, inserting and deleting."""
    wanted, jobs = [], []
    for name, sheet in SHEETS.items():
        path = tmp_path / f"{name}.xlsx"
        handed_out(path, sheet)
        book = openpyxl.load_workbook(path)
        truth = filled(sheet, random.Random(7))  # noqa: S311  # a seeded draw
        laid = [column.name for column in sheet.laid_out()]
        for number, row in enumerate(sheet.rows, start=2):
            for column, text in truth[row.key].items():
                book[sheet.name].cell(number, laid.index(column) + 1).value = text
        book.save(path)
        for number, (what, result, edits) in enumerate(_office_edits(sheet)):
            target = tmp_path / f"{name}-{number}.{kind}"
            gone = {row.key for row in sheet.rows[6:8]} if what == "rows deleted" else set()
            one = Edited(sheet, [list(laid)], random.Random(), truth, gone)  # noqa: S311
            wanted.append((f"{name}: {what}", target, result, one))
            jobs.append({"file": str(path), "to": str(target), "sheet": sheet.name, "edits": edits})
    (tmp_path / "edits.json").write_text(json.dumps(jobs))
    office = subprocess.Popen(
        [
            *("soffice", f"-env:UserInstallation=file://{tmp_path}/profile", "--headless"),
            *("--norestore", f"--accept=pipe,name={tmp_path.name};urp;"),
        ]
    )
    try:
        subprocess.run(
            ["/usr/bin/python3", SUPPORT / "office.py", tmp_path.name, tmp_path / "edits.json"],
            check=True,
            timeout=900,
        )
    finally:
        office.wait(60)
    for what, target, result, one in wanted:
        assert (what, *outcome(open_workbook(target, "classify"), one)) == (what, result, [])
