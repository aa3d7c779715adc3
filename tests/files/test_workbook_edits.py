"""No answer is read at another row, whatever people do to a workbook."""

import json
import os
import random
import re
import shutil
import subprocess
from pathlib import Path
from zipfile import ZipFile

import pytest
from edits import (
    ADDED,
    EDITS,
    SHEETS,
    Edited,
    added_outcome,
    edited,
    handed_out,
    move_one_answer,
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
from openpyxl import load_workbook
from openpyxl.utils import get_column_letter

from curation.files.workbooks import open_workbook

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


def in_office(folder, jobs):
    """Do jobs in one LibreOffice."""
    pipe = f"curate-{os.getpid()}"
    profile = f"-env:UserInstallation=file://{folder}/profile"
    listens = f"--accept=pipe,name={pipe};urp;"
    office = subprocess.Popen(
        [shutil.which("soffice"), profile, "--headless", "--norestore", listens]
    )
    program = ["/usr/bin/python3", str(Path(__file__).parents[1] / "support" / "office.py"), pipe]
    with subprocess.Popen(program, stdin=-1, stdout=-1, text=True) as hands:
        for job in jobs:
            print(json.dumps(job), file=hands.stdin, flush=True)
            assert hands.stdout.readline() == "done\n", job
        hands.stdin.close()
    office.wait(60)


@pytest.mark.nightly
@pytest.mark.slow
@pytest.mark.skipif(
    not (shutil.which("soffice") and Path("/usr/lib/python3/dist-packages/uno.py").exists()),
    reason="LibreOffice or its Python is not installed",
)
def test_no_edit_in_libreoffice_moves_an_answer(tmp_path):
    """Cells of its files keep their colours, whatever is sorted, moved, copied or filled down."""
    sheet = SHEETS["classify"]
    truth = {
        row.key: {"label": ("ST", "TM", "SR")[at % 3], "reason": f"why {at}"}
        for at, row in enumerate(sheet.rows)
    }
    handed_out(tmp_path / "sheet.xlsx", sheet)
    book = load_workbook(tmp_path / "sheet.xlsx")
    page, names = book[sheet.name], [column.name for column in sheet.laid_out()]
    for number, answers in enumerate(truth.values(), start=2):
        for name, text in answers.items():
            page.cell(number, names.index(name) + 1).value = text
    book.save(tmp_path / "sheet.xlsx")
    label, last = (get_column_letter(at) for at in (names.index("label") + 1, len(names)))
    filled = {key: said | {"label": "ST"} for key, said in [*truth.items()][:8]}
    edits = [
        (["sort", f"A2:{last}41", names.index("label")], "right", truth),
        (["fill_down", f"{label}2:{label}9"], "right", truth | filled),
        (["sort", f"{label}2:{label}41", 0], "refused", truth),
        (["move", f"{label}3", f"{label}20"], "refused", truth),
        (["copy", f"{label}3:{label}6", f"{label}20"], "refused", truth),
    ]
    jobs = [
        {"file": f"{tmp_path}/sheet.xlsx", "to": f"{tmp_path}/{at}.{kind}"}
        | {"sheet": sheet.name, "edit": edit}
        for at, (edit, *_) in enumerate(edits)
        for kind in ("xlsx", "ods")
    ]
    in_office(tmp_path, jobs)
    for at, (edit, result, written) in enumerate(edits):
        for kind in ("xlsx", "ods"):
            returned = open_workbook(tmp_path / f"{at}.{kind}", "classify")
            found = outcome(returned, Edited(sheet, [], None, written, set()))
            assert found == (result, []), (edit, kind)
