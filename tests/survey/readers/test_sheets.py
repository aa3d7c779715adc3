"""Workbooks that would take all memory or lose answers are refused before they are read."""

import re
import zipfile

import pytest
from ods import save_ods
from openpyxl import Workbook
from openpyxl.worksheet.worksheet import Worksheet

from curation.records.culture import FileLimits
from curation.records.messages import CurateError
from survey.readers.normalise import file_findings
from survey.readers.opening import open_file


def sheet(*rows):
    found = Workbook().active
    assert isinstance(found, Worksheet)
    head = ["id", "q-1", "q-2"]
    for row in (head, *rows):
        found.append(row)
    return found


def read(folder, made):
    made.parent.save(folder / "a.xlsx")
    return open_file(folder / "a.xlsx").frame()


def test_a_stray_cell_is_named_before_room_is_made(tmp_path):
    """The last cell of a sheet asked for 550 GB."""
    made = sheet(["a", 1, 2])
    made["XFD1048576"] = "x"
    with pytest.raises(CurateError) as refused:
        read(tmp_path, made)
    assert refused.value.what == (
        "the sheet reaches to XFD1048576: 1,048,576 rows of 16,384 columns are 17,179,869,184 "
        "cells, more than the 5,000,000 that are read"
    )
    assert refused.value.where.endswith("a.xlsx, cell XFD1048576")


def test_cells_that_hold_nothing_do_not_count(tmp_path):
    """Cells that are merely coloured are no data."""
    made = sheet(["a", 1, 2])
    made["XFD1048576"].number_format = "0.00"
    assert len(read(tmp_path, made)) == 1
    path = tmp_path / "b.xlsx"
    with zipfile.ZipFile(tmp_path / "a.xlsx") as old, zipfile.ZipFile(path, "w", 8) as new:
        for name in old.namelist():  # the two ways in which programs write such a cell
            data = re.sub(rb'(<c r="XFD1048576"[^>]*?) ?/>', rb"\1></c>", old.read(name))
            new.writestr(name, data)
    path.replace(tmp_path / "a.xlsx")
    assert len(open_file(tmp_path / "a.xlsx").frame()) == 1


def test_what_unpacks_to_many_times_its_size_is_refused(tmp_path):
    """By what the archive says of itself: nothing is unpacked."""
    read(tmp_path, sheet(["a", 1, 2]))
    path = tmp_path / "b.xlsx"
    row = '<row r="2">' + '<c r="A2"><v>1</v></c>' * 3 + "</row>"
    with zipfile.ZipFile(tmp_path / "a.xlsx") as old, zipfile.ZipFile(path, "w", 8) as new:
        for name in old.namelist():
            data = old.read(name)
            if name.endswith("sheet1.xml"):
                data = data.replace(b"</sheetData>", row.encode() * 330_000 + b"</sheetData>")
            new.writestr(name, data)
    with pytest.raises(CurateError, match=r"unpacks to [0-9]+ times its size, more than the 100"):
        open_file(path)
    with pytest.raises(CurateError, match=r"unpacks to 2[0-9] MB, more than the 1"):
        open_file(path, limits=FileLimits(megabytes=1))


def test_merged_answers_are_refused_with_their_range(tmp_path):
    """All but the first were read as empty: ten people, six answers."""
    made = sheet(*([name, 1, 2] for name in "abcdefghij"))
    made.merge_cells("B2:B6")
    with pytest.raises(CurateError, match="cells B2:B6 are merged into one"):
        read(tmp_path, made)


def test_hidden_columns_are_named(tmp_path):
    """In XLSX and ODS, with what stands above them."""
    made = sheet(["a", 1, 2], ["b", 1, 2])
    made.column_dimensions["B"].hidden = True
    (finding,) = file_findings(read(tmp_path, made))
    assert finding.rule == "survey-hidden-columns"
    assert "1 column of those that are read is hidden in the sheet: B (" in finding.message
    made.row_dimensions[2].hidden = True
    source = open_file(save_ods(made.parent, tmp_path / "a.ods")).frame().source
    assert (source.hidden, source.hidden_columns) == ((2,), (1,))
