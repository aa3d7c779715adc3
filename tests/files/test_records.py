"""Records of bulk files, one at a time, each with its place."""

import pytest

from curation.files.jsonl import stream
from curation.records.messages import CurateError

HINT = "export it again"


def test_a_table_gives_its_columns_and_rows_as_a_spreadsheet_counts_them(tmp_path):
    """A byte-order mark and blank rows hold nothing; a cell may hold a line break."""
    path = tmp_path / "t.csv"
    path.write_text('\ufeffa, b\n1,"x\ny"\n,\n\n2,z\n', encoding="utf-8")
    found = stream(path, HINT)
    assert (found.kind, found.names, found.delimited) == ("row", ("a", "b"), True)
    assert list(found.rows) == [(2, {"a": "1", "b": "x\ny"}), (5, {"a": "2", "b": "z"})]


@pytest.mark.parametrize("name", ["t.jsonl", "t.json"])
@pytest.mark.parametrize("before", ["", "\n\n"])
def test_json_lines_give_the_keys_of_the_first_and_every_object(name, before, tmp_path):
    """With the line that an editor shows."""
    path = tmp_path / name
    path.write_text(f'\ufeff{before}{{"a": 1}}\n\n{{"b": [2]}}\n', encoding="utf-8")
    found = stream(path, HINT)
    first = 1 + len(before)
    assert (found.kind, found.names, found.delimited) == ("line", ("a",), False)
    assert list(found.rows) == [(first, {"a": 1}), (first + 2, {"b": [2]})]


def test_a_parquet_file_gives_its_records(tmp_path):
    """Typed, counted from 1."""
    import pyarrow as pa
    from pyarrow import parquet

    path = tmp_path / "t.parquet"
    parquet.write_table(pa.table({"a": [1, 2]}), path)
    found = stream(path, HINT)
    assert (found.kind, found.names) == ("record", ("a",))
    assert list(found.rows) == [(1, {"a": 1}), (2, {"a": 2})]


@pytest.mark.parametrize(
    "content",
    [
        '{"version": "1", "others": [], "found": [{"a": 1}, {"a": 2}]}',
        '{"others": [{"b": 3}], "samples": [{"a": 1}, {"a": 2}]}',
        '{"features": [{"b": 3}], "rows": [{"row": {"a": 1}}, {"row": {"a": 2}}]}',
        '{"a": {"5": 1, "7": 2}, "b": {"5": 3, "7": 4}}',
        '{"5": {"a": 1}, "7": {"a": 2}}',
    ],
)
def test_an_object_gives_the_records_in_it(content, tmp_path):
    """Its only list, that of a log among others, rows of a viewer, columns and rows of pandas."""
    (path := tmp_path / "t.json").write_text(content, encoding="utf-8")
    assert [record["a"] for _, record in stream(path, HINT).rows] == [1, 2]


def test_semicolons_are_told_by_the_header(tmp_path):
    """As spreadsheets of some countries write them."""
    (path := tmp_path / "t.csv").write_text("\ufeffa;b\n1,5;x\n", encoding="utf-8")
    assert list(stream(path, HINT).rows) == [(2, {"a": "1,5", "b": "x"})]


@pytest.mark.parametrize(
    ("name", "content", "what", "where"),
    [
        ("t.csv", b"a,b\n1\n", "the row has 1 cells where the header has 2", "row 2"),
        ("t.csv", b'a,b\n1,"2\n', "row 2 cannot be read", "row 2"),
        ("t.csv", b"PK\x03\x04", "an XLSX workbook", ""),
        ("t.json", b'{"n": [{"a": 1}], "m": [{"a": 1}]}', "lists of objects: n, m", ".json"),
        ("t.json", b'{"a": {"b": 1}, "c": {"b": 2}}', "with no list of objects", ".json"),
        ("t.csv", b"a,b,a\n1,2,3\n", "column 'a' occurs twice", "t.csv, column A"),
        ("t.csv", b"id,answers,,x\n,one,two,\n", "a column has no name", "t.csv, column C"),
        ("t.csv", b"id,answers,,\n,one,two,\n", "4 cells where the header has 2", "row 2"),
        ("t.json", b'[{"a": 1, "a": 2}]', "'a' occurs twice in one entry", "t.json"),
        ("t.json", b'[{"a": 1},\n{]', "t.json is not JSON", "line 2, column 2"),
        ("t.jsonl", b"{}\n[1]\n", "the line is not a JSON object", "line 2"),
        ("t.jsonl", b"{}\n{\n", "the line is not JSON in UTF-8", "line 2"),
        ("t.csv", b"a,b\n1,2\n3,\xf3\n", "t.csv is not UTF-8 (byte 10, line 3)", "t.csv"),
        ("t.jsonl", b'{}\n{"a": "\xf3"}\n', "t.jsonl is not UTF-8 (byte 10, line 2)", "t.jsonl"),
        ("t.csv", b"\n", "t.csv holds no sample: the file is empty, or has one column", "t.csv"),
        ("t.csv", b"a,b\n,\n", "t.csv holds no sample: it has a header and no rows", "t.csv"),
        ("t.jsonl", b"", "t.jsonl holds no sample: the file is empty", "t.jsonl"),
        ("t.txt", b"a", "samples are not read from '.txt' files", ""),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_place(name, content, what, where, tmp_path):
    """Before or among the records, as it is come to."""
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(CurateError) as refused:
        list(stream(path, HINT).rows)
    assert what in refused.value.what
    assert refused.value.where.endswith(where)


@pytest.mark.parametrize("name", ["t.csv", "t.jsonl"])
def test_another_encoding_is_refused_with_how_to_convert_it(name, tmp_path):
    """However far into the file it is seen."""
    line = '{"a": "b"}\n' if name == "t.jsonl" else "a,b\n"
    path = tmp_path / name
    path.write_bytes(line.encode() * 9000 + line.replace("b", "\xe9").encode("cp1252"))
    with pytest.raises(CurateError, match=r"is not UTF-8 .*, line 9001\)") as refused:
        list(stream(path, HINT).rows)
    assert "iconv -f ENCODING -t UTF-8 FILE" in refused.value.hint
    assert "CP1252 for Western Europe, CP1250 for Central Europe" in refused.value.hint
