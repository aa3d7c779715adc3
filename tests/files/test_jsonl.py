"""JSON lines."""

import csv

import openpyxl
import pytest

from curation.files.jsonl import Line, parse_line, stream, write_objects
from curation.records.messages import Finding


def read(data):
    """What each line holds, or what is wrong with it."""
    lines = data.split(b"\n")
    numbered = enumerate(lines, start=1)
    return [parse_line("a", at, line, last=at == len(lines)) for at, line in numbered if line]


def test_what_is_written_is_read(tmp_path):
    """Objects come back with their lines, line separators inside a text included."""
    path = tmp_path / "a.jsonl"
    objects = [{"text": "둘\n\u2028셋"}, {"list": [1, None]}]
    assert write_objects(path, objects) == 2
    assert read(path.read_bytes()) == [Line(1, objects[0]), Line(2, objects[1])]
    assert "\u2028" not in path.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "tail", [b'{"text": "ab', '{"text": "가'.encode()[:-1], b"{", b'{"a": 1}x']
)
def test_a_torn_last_line_is_a_warning(tail):
    """A file cut off in a line, in the middle of a character even, loses that line alone."""
    whole, torn = read(b'{"a": 1}\n' + tail)
    assert whole == Line(1, {"a": 1})
    assert isinstance(torn, Finding)
    assert (torn.rule, torn.severity.value, torn.row) == ("jsonl-torn-line", "warning", 2)


@pytest.mark.parametrize(
    "line", [b"x", b"[1]", b"1", b'"text"', b'{"a": "\xff"}', b"[" * 100_000, b"\x00"]
)
def test_another_bad_line_is_an_error(line):
    """A line that is no object in UTF-8 is an error with its line."""
    bad, good = read(line + b'\n{"a": 1}\n')
    assert isinstance(good, Line)
    assert isinstance(bad, Finding)
    assert (bad.rule, bad.severity.value, bad.row) == ("jsonl-line", "error", 1)


@pytest.mark.parametrize(
    ("rows", "names"),
    [
        (",Text,id\n0,,1\n", ("", "Text", "id")),
        ("Our questions\n\nText,id\na,1\n", ("Text", "id")),
    ],
)
def test_a_table_and_a_workbook_give_the_same_columns(tmp_path, rows, names):
    """Below a title, and with an index that has no name."""
    path = tmp_path / "a.csv"
    path.write_text(rows, encoding="utf-8")
    assert stream(path, "").names == names
    book = openpyxl.Workbook()
    for cells in csv.reader(rows.splitlines()):
        book.active.append([cell or None for cell in cells])
    book.save(tmp_path / "a.xlsx")
    assert [*stream(tmp_path / "a.xlsx", "").rows] == [*stream(path, "").rows]
