"""Looking at workbooks that were handed out."""

import openpyxl

from curation.files.workbooks import Book, Column, Sheet, SheetRow, write_workbook
from curation.files.workbooks.opening import Glance, glance_at
from curation.records.messages import CurateError

SHEET = Sheet(
    "templates",
    (Column("template_id"), Column("label", editable=True, choices=("ST", "SR"))),
    (SheetRow("a-1", {"template_id": "a-1"}), SheetRow("a-2", {"template_id": "=1+1"})),
)


def write(path):
    write_workbook(path, Book("classify", (SHEET,), ("# Read",), {"annotator": "Mina"}))


def test_a_glance_tells_kind_rows_and_what_is_filled_in(tmp_path):
    """Below a title, and with the escapes of cells undone."""
    path = tmp_path / "sheet.xlsx"
    write(path)
    [found] = glance_at(tmp_path)
    assert isinstance(found, Glance)
    assert (found.path, found.kind, found.about) == (path, "classify", {"annotator": "Mina"})
    assert found.keys == {"a-1", "a-2"}
    assert found.rows[1]["template_id"] == "=1+1"
    assert found.filled(("label",)) == []
    book = openpyxl.load_workbook(path)
    book["templates"].insert_rows(1)
    book["templates"]["B1"] = "A title"
    book["templates"]["C4"] = "SR"
    book.save(path)
    [found] = glance_at(tmp_path)
    assert isinstance(found, Glance)
    assert [row["template_id"] for row in found.filled(("label",))] == ["=1+1"]


def test_what_is_none_of_ours_is_passed_over(tmp_path):
    """Another workbook, and what a spreadsheet leaves while one is open."""
    openpyxl.Workbook().save(tmp_path / "other.xlsx")
    (tmp_path / "~$sheet.xlsx").write_bytes(b"x")
    (tmp_path / "notes.txt").write_text("x")
    assert list(glance_at(tmp_path)) == []
    assert list(glance_at(tmp_path / "nowhere")) == []


def test_what_cannot_be_opened_is_said(tmp_path):
    """The others are looked at all the same."""
    write(tmp_path / "b.xlsx")
    data = (tmp_path / "b.xlsx").read_bytes()
    (tmp_path / "a.xlsx").write_bytes(data[: len(data) // 2])
    (tmp_path / "c.xlsx").write_bytes(b"")
    first, second, third = glance_at(tmp_path)
    assert isinstance(second, Glance)
    for found, name in ((first, "a.xlsx"), (third, "c.xlsx")):
        assert isinstance(found, CurateError)
        assert found.what.startswith(name)
