"""The workbook of groups, made again when the groups have changed."""

import shutil
from pathlib import Path

import openpyxl
import pytest

from curation.annotation.groups import make_groups_sheet
from curation.files.workbooks import open_workbook, write_marked
from curation.files.workbooks.opening import Mark
from curation.files.workspace import Workspace
from curation.records.messages import CurateError, Finding, Severity

DEMO = Path(__file__).parents[2] / "templates_src" / "demo"


@pytest.fixture
def demo(tmp_path):
    return shutil.copytree(DEMO, tmp_path / "demo")


def renamed(folder, name):
    """The workspace after its first group was called otherwise."""
    path = folder / "templates_src" / "groups.csv"
    header, first, *others = path.read_text("utf-8").splitlines()
    cells = first.split(",")
    cells[header.split(",").index("group")] = name
    path.write_text("\n".join((header, ",".join(cells), *others)) + "\n", "utf-8")
    return Workspace(folder)


def saved(path, change):
    book = openpyxl.load_workbook(path)
    change(book["groups"])
    book.save(path)


def marked(path):
    said = Finding("group-name", Severity.ERROR, path.name, None, "", "look", "")
    book = open_workbook(path, "groups")
    write_marked(book.data, path, [Mark(said, "groups", "B2")])


def test_a_sheet_that_nobody_edited_is_made_again(demo):
    """Also one that was saved as it was."""
    path = make_groups_sheet(Workspace(demo))["file"]
    for name in ("First", "Second"):
        before = path.read_bytes()
        make_groups_sheet(renamed(demo, name))
        assert path.read_bytes() != before
        rows = openpyxl.load_workbook(path)["groups"].iter_rows(values_only=True)
        assert any(name in row for row in rows)
        saved(path, lambda sheet: None)


@pytest.mark.parametrize(
    "edit",
    [
        lambda path: saved(path, lambda sheet: sheet.cell(2, 6, "x")),
        lambda path: saved(path, lambda sheet: sheet.delete_rows(3)),
        lambda path: path.write_bytes(b"other"),
        marked,
    ],
)
def test_a_sheet_that_somebody_edited_stays(demo, edit):
    """Whether a cell, a row, a comment or the whole file is another."""
    path = make_groups_sheet(Workspace(demo))["file"]
    edit(path)
    before = path.read_bytes()
    with pytest.raises(CurateError, match="may have been filled in"):
        make_groups_sheet(renamed(demo, "First"))
    assert path.read_bytes() == before
