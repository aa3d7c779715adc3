"""Workbooks of somebody else's, read as tables."""

import openpyxl
import pytest

from curation.files.tables import INCOMPLETE_HEADER, Row
from curation.files.workbooks.opening import read_workbook_table
from curation.records.messages import CurateError


def write(path, sheets):
    book = openpyxl.Workbook()
    book.remove(book.worksheets[0])
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(list(row))
    book.save(path)
    return path


def read(path):
    return read_workbook_table(path, lambda columns: "id" in columns)


def test_cells_are_texts_and_rows_keep_their_numbers(tmp_path):
    """Whole numbers have no decimals; blank rows and blank columns without a name hold nothing."""
    rows = [
        *((None,), (" id ", "on", "", "x", "", " ")),
        *((1, True, "", None, "?", ""), (), (2.5, "", None, " a\nb ", "", " ")),
    ]
    table = read(write(tmp_path / "t.xlsx", {"Sheet1": rows}))
    assert (table.file, table.columns, table.rows_in) == ("t.xlsx", ("id", "on", "x", "(E)"), 2)
    assert table.rows == (
        Row(3, {"id": "1", "on": "true", "x": "", "(E)": "?"}),
        Row(5, {"id": "2.5", "on": "", "x": " a\nb ", "(E)": ""}),
    )


def test_the_first_sheet_with_a_wanted_header_is_read(tmp_path):
    """Whatever sheets come before it; its name is shown where there are several."""
    sheets = {"Notes": [("hello",)], "Empty": [], "Data": [("id",), ("a",)], "More": [("id",)]}
    table = read(write(tmp_path / "t.xlsx", sheets))
    assert (table.file, [row["id"] for row in table.rows]) == ("t.xlsx, sheet Data", ["a"])


def test_a_workbook_without_such_a_header_is_told_by_its_code(tmp_path):
    """A reader may pass such a file over."""
    path = write(tmp_path / "t.xlsx", {"One": [("name",)], "Two": []})
    with pytest.raises(CurateError, match=r"no sheet of t\.xlsx has the columns") as caught:
        read(path)
    assert caught.value.code == INCOMPLETE_HEADER
    assert caught.value.hint.startswith("its sheets are One, Two;")


def test_a_column_that_is_there_twice_is_refused(tmp_path):
    """The row of the header is named."""
    path = write(tmp_path / "t.xlsx", {"One": [(), ("id", "x", "x")]})
    with pytest.raises(CurateError, match="column 'x' occurs twice in the header") as caught:
        read(path)
    assert caught.value.where == "t.xlsx, row 2"
