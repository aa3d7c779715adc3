"""What is peculiar to workbooks."""

import re
from xml.etree import ElementTree
from zipfile import ZipFile

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openpyxl import load_workbook

from curation.files.tables import escape_formula
from curation.files.writers import xlsx
from curation.files.writers.xlsx import write_xlsx
from curation.records.messages import CurateError

_MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"


def sheet_texts(path):
    """Read the texts below the header from the sheet's XML, escapes as they are written."""
    with ZipFile(path) as archive:
        root = ElementTree.fromstring(archive.read("xl/worksheets/sheet1.xml"))  # noqa: S314  # our own file
    return [item.text or "" for item in root.iter(f"{_MAIN}t")][1:]


def unescape(text):
    return re.sub("_x([0-9A-Fa-f]{4})_", lambda match: chr(int(match[1], 16)), text)


_AWKWARD = (
    st.text(st.sampled_from("_x0049aF\x00\x08\x1f\r\n\t\ufffe\uffff &<>\"'가🙂=")) | st.text()
)


@given(st.lists(_AWKWARD.filter(bool), min_size=1, max_size=5))
def test_every_text_comes_back(tmp_path_factory, texts):
    """Reading a workbook as OOXML says gives every text back, whatever characters it holds."""
    path = tmp_path_factory.mktemp("xlsx") / "t.xlsx"
    write_xlsx(path, ["text"], [[text] for text in texts])
    assert [unescape(text) for text in sheet_texts(path)] == list(map(escape_formula, texts))


def test_columns_beyond_z_keep_their_place(tmp_path):
    """Columns are named A to Z, AA and on; an empty cell moves nothing."""
    path = tmp_path / "t.xlsx"
    columns = [f"c{number}" for number in range(1, 704)]
    row = [None] * 703
    row[26], row[701], row[702] = "AA", "ZZ", "AAA"
    write_xlsx(path, columns, [row])
    sheet = load_workbook(path)["data"]
    assert [sheet[f"{name}2"].value for name in ("A", "AA", "ZZ", "AAA")] == [
        *(None, "AA", "ZZ", "AAA")
    ]
    assert sheet["AAA1"].value == "c703"


def test_numbers_that_a_spreadsheet_would_round_are_text(tmp_path):
    """Sixteen digits are kept to the last as text, fifteen are a number."""
    path = tmp_path / "t.xlsx"
    write_xlsx(path, ["n"], [[999_999_999_999_999], [-1_234_567_890_123_457]])
    values = [cell.value for cell in load_workbook(path)["data"]["A"]]
    assert values == ["n", 999_999_999_999_999, "-1234567890123457"]


@pytest.mark.parametrize("text", ["가" * 32_768, "🙂" * 16_384, "=" * 32_767])
def test_a_longer_cell_is_an_error_with_its_place(tmp_path, text):
    """One character more, as spreadsheets count them; nothing is left."""
    with pytest.raises(CurateError, match="32768 characters; a sheet holds 32767") as refused:
        write_xlsx(tmp_path / "t.xlsx", ["id", "context"], [("1", "short"), ("2", text)])
    assert refused.value.where == "t.xlsx, row 3, column context"
    assert not any(tmp_path.iterdir())


def test_too_many_rows_of_a_stream_leave_no_file(tmp_path, monkeypatch):
    """A stream that grows too long leaves nothing behind; one that just fits is written."""
    monkeypatch.setattr(xlsx, "MAX_ROWS", 4)
    write_xlsx(tmp_path / "fits.xlsx", ["a"], iter([["x"]] * 3))
    with pytest.raises(CurateError, match="more than 3 records"):
        write_xlsx(tmp_path / "t.xlsx", ["a"], iter([["x"]] * 4))
    assert [path.name for path in tmp_path.iterdir()] == ["fits.xlsx"]
