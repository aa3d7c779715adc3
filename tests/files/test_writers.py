"""Every format of an exported table."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import parquet as pq

from curation.files.tables import escape_formula, read_table
from curation.files.writers import FORMATS, write_table
from curation.records.messages import CurateError

COLUMNS = ("id", "text", "count", "kept", "choices", "note")
ROWS = [
    ("t-1", 'she said "no", twice\tand left\nat last', 3, True, ("one", "둘, 셋"), None),
    ("t-2", "버스에서 <내린> 사람 & 친구", -40, False, (), "a\u2028b"),
]
SPREADSHEETS = ("csv", "tsv", "xlsx")


def read_back(path, fmt):
    """Read a table, header included, as far as the format keeps types."""
    if fmt == "parquet":
        table = pq.read_table(path)
        return [table.column_names, *([*row.values()] for row in table.to_pylist())]
    if fmt == "jsonl":
        rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
        return [list(rows[0]), *([*row.values()] for row in rows)]
    if fmt == "xlsx":
        from openpyxl import load_workbook

        book = load_workbook(path)
        rows = [list(row) for row in book["data"].iter_rows(values_only=True)]
        book.close()
        return rows
    table_read = read_table(path, delimiter="\t" if fmt == "tsv" else ",")
    return [list(table_read.columns), *([*row.cells.values()] for row in table_read.rows)]


def write(folder, fmt, rows):
    """Write rows of one text column each, or of `COLUMNS`."""
    path = folder / f"table.{fmt}"
    columns = COLUMNS if rows and len(rows[0]) == len(COLUMNS) else ("text",)
    assert write_table(path, fmt, columns, iter(rows)) == len(rows)
    return path


AS_TEXT = [
    ["t-1", ROWS[0][1], "3", "true", '["one", "둘, 셋"]', ""],
    ["t-2", ROWS[1][1], "-40", "false", "[]", "a\u2028b"],
]
READ_BACK = {
    "jsonl": [[list(cell) if isinstance(cell, tuple) else cell for cell in row] for row in ROWS],
    "csv": AS_TEXT,
    "xlsx": [
        [*AS_TEXT[0][:2], 3, True, AS_TEXT[0][4], None],
        [*AS_TEXT[1][:2], -40, False, "[]", "a\u2028b"],
    ],
}
READ_BACK |= {"parquet": READ_BACK["jsonl"], "tsv": AS_TEXT}


@pytest.mark.parametrize("fmt", FORMATS)
def test_what_was_written_is_read_back_as_far_as_the_format_has_types(tmp_path, fmt):
    """Lists as lists or JSON, and nothing for None; tabs, quotes and line ends stay in cells."""
    assert read_back(write(tmp_path, fmt, ROWS), fmt) == [list(COLUMNS), *READ_BACK[fmt]]


@pytest.mark.parametrize("fmt", FORMATS)
def test_a_failure_on_the_way_leaves_the_old_file(tmp_path, fmt):
    """When the rows fail half-way, the file is as it was and nothing lies beside it."""

    def rows():
        for number in range(25_000):
            if number == 20_500:
                raise CurateError("the template cannot be filled")
            yield [f"text {number}"]

    path = tmp_path / f"table.{fmt}"
    path.write_text("old")
    with pytest.raises(CurateError, match="cannot be filled"):
        write_table(path, fmt, ("text",), rows())
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("fmt", FORMATS)
def test_a_table_may_have_no_records(tmp_path, fmt):
    """A table without records has its header, except for JSON lines, which have none."""
    path = tmp_path / f"table.{fmt}"
    assert write_table(path, fmt, ("a", "b"), []) == 0
    if fmt == "jsonl":
        assert path.read_bytes() == b""
    else:
        assert read_back(path, fmt) == [["a", "b"]]


FORMULAS = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1", "－1", "'=1"]


@pytest.mark.parametrize("fmt", FORMATS)
def test_a_spreadsheet_never_runs_a_cell(tmp_path, fmt):
    """A text that would be a formula there begins with an apostrophe; programs find it exact."""
    found = read_back(write(tmp_path, fmt, [[text] for text in FORMULAS]), fmt)[1:]
    if fmt in SPREADSHEETS:
        assert found == [
            [f"'{text}".replace("\r", "_x000D_" if fmt == "xlsx" else "\r")] for text in FORMULAS
        ]
    else:
        assert found == [[text] for text in FORMULAS]


@given(st.text(alphabet="'=+-@\t\r\n＝a "), st.text(alphabet="'=+-@\t\r\n＝a "))
def test_no_two_texts_are_escaped_alike(one, other):
    """Escaping loses nothing: different texts stay different."""
    assert (escape_formula(one) == escape_formula(other)) == (one == other)


@pytest.mark.parametrize("fmt", ["csv", "tsv", "jsonl", "parquet"])
def test_half_a_surrogate_pair_is_refused(tmp_path, fmt):
    """What no encoding can hold is refused in words, with the text before it."""
    with pytest.raises(CurateError, match="half of a surrogate pair") as refused:
        write_table(tmp_path / "t", fmt, ("a",), [["kite \ud800 string"]])
    assert "kite " in refused.value.hint or fmt == "parquet"
    assert not any(tmp_path.iterdir())
