"""The one reader and the one writer of tables."""

import gzip

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.files.tables import (
    literal,
    read_flag,
    read_table,
    read_text,
    sha256,
    write_csv,
)
from curation.records.messages import CurateError


@pytest.fixture
def table(tmp_path):
    def read(content, **options):
        path = tmp_path / "t.csv"
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return read_table(path, **options)

    return read


def cells(read):
    return [tuple(row.cells.values()) for row in read.rows]


@pytest.mark.parametrize(
    "content",
    [
        "\ufeffa,b\n1,나\n",
        "a,b\r\n1,나\r\n",
        "a,b\r1,나\r",
        "a,b\n1,나",
        ' a ,b\n"1","나"\n\n,\n',
        "a,b,,\n1,나,,\n",
    ],
    ids=[
        *("byte-order mark", "CRLF", "CR only", "no last line end"),
        *("spaces, quotes, blank rows", "blank columns"),
    ],
)
def test_a_table_is_read_however_a_spreadsheet_saved_it(table, content):
    """Byte-order mark, line ends and blank rows at the end make no difference."""
    read = table(content)
    assert read.columns == ("a", "b")
    assert cells(read) == [("1", "나")]
    assert (read.problems, read.rows_in) == ((), 1)


@pytest.mark.parametrize("header", ["a;b", '"a";"b"'])
def test_a_table_of_a_european_spreadsheet_is_read(table, header):
    """The header has semicolons and no comma; a comma in it leaves the table as it is written."""
    content = f'{header}\n1,5;"2;3\n4"\n5;6\n'
    assert cells(table(content, required=("a", "b"))) == [("1,5", "2;3\n4"), ("5", "6")]
    with pytest.raises(CurateError, match="the header lacks a, c") as error:
        table("a;b,c;d\n", required=("a", "c"))
    assert error.value.hint == "it has a;b, c;d"
    with pytest.raises(CurateError, match="the header lacks c") as error:
        table("a;b\n", required=("a", "c"))
    assert error.value.hint == "it has a, b; the required columns are a, c"


def test_a_row_with_a_cell_too_many_or_too_few_is_a_problem_of_its_own(table):
    """The other rows are read; the ragged ones are counted and named with both widths."""
    read = table("a,b\n1,2\n1,2,3\n4\n5,6\n")
    assert cells(read) == [("1", "2"), ("5", "6")]
    assert read.rows_in == 4
    assert [(item.rule, item.row, item.message) for item in read.problems] == [
        ("table-ragged-row", 3, "the row has 3 cells where the header has 2"),
        ("table-ragged-row", 4, "the row has 1 cells where the header has 2"),
    ]


@pytest.mark.parametrize(
    ("content", "what", "place"),
    [
        ("a,b,a\n1,2,3\n", "column 'a' occurs twice in the header", "t.csv, row 1"),
        ("a,b,,\n1,2,3,\n", "column '' occurs twice in the header", "t.csv, row 1"),
        ("a\n1\n", "the header lacks b", "t.csv, row 1"),
        ('a,b\n1,2\n"3,4\n5,6\n', "row 3 cannot be read: unexpected end of data", "t.csv, row 3"),
        ('a,b\n"1"x,2\n', "row 2 cannot be read", "t.csv, row 2"),
        (
            "a,b\n" + "1,2\n" * 3000 + "\x00,4\n",
            "t.csv holds a NUL character in line 3002",
            "t.csv",
        ),
    ],
    ids=[
        *("doubled header", "doubled blank header", "missing column", "unclosed quote"),
        *("text after quote", "NUL"),
    ],
)
def test_a_table_that_cannot_be_read_names_the_place(table, tmp_path, content, what, place):
    """What is wrong with the whole file is one error with its place and what to do."""
    with pytest.raises(CurateError) as refused:
        table(content, required=("a", "b"))
    assert refused.value.what.startswith(what)
    assert refused.value.where == str(tmp_path / place)
    assert refused.value.hint


@pytest.mark.parametrize(
    ("content", "what"),
    [
        ("a,b\n가,나\n".encode("cp949"), "t.csv is not UTF-8 (byte 4, line 2)"),
        ("a,b\n1,2\n".encode("utf-16"), "t.csv is UTF-16"),
        (b"", "t.csv is empty"),
        (b" \n\n", "t.csv is empty"),
        (b"PK\x03\x04...", "t.csv is an XLSX workbook or ZIP file, not a text table"),
        (b"\xd0\xcf\x11\xe0...", "t.csv is an old XLS workbook, not a text table"),
        (b"%PDF-1.7", "t.csv is a PDF, not a text table"),
        (b"PAR1...", "t.csv is a Parquet file, not a text table"),
        (gzip.compress(b"a,b\n", mtime=0), "t.csv is a gzip file, not a text table"),
        (b"$FL2@(#) SPSS", "t.csv is an SPSS file, not a text table"),
        (b"a\x00b", "t.csv is a binary file"),
    ],
)
def test_a_file_that_is_no_text_is_named_for_what_it_is(table, content, what):
    """Another encoding, nothing, or another kind of file is said in plain words."""
    with pytest.raises(CurateError) as refused:
        table(content)
    assert refused.value.what == what
    assert refused.value.hint


def test_a_file_that_is_not_there_is_said(tmp_path):
    """A wrong path, and a folder where a file should be, are told apart."""
    with pytest.raises(CurateError, match=r"there is no file gone\.csv"):
        read_text(tmp_path / "gone.csv")
    with pytest.raises(CurateError, match="is a folder"):
        read_text(tmp_path)
    with pytest.raises(CurateError, match=r"cannot read gone\.csv"):
        sha256(tmp_path / "gone.csv")


_CELL = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"))


@given(st.lists(st.tuples(_CELL, _CELL, st.just("end")), max_size=8), st.sampled_from(",\t"))
def test_what_is_written_is_read_back(tmp_path_factory, rows, delimiter):
    """Reading a written table gives every cell back as it was."""
    path = tmp_path_factory.mktemp("tables") / "t.csv"
    assert write_csv(path, ("a", "b", "c"), rows, delimiter=delimiter) == len(rows)
    assert cells(read_table(path, delimiter=delimiter)) == rows


def test_a_flag_is_read_however_it_is_written():
    """True and false have several spellings, full-width too; nothing stands for the default."""
    cells = {"true": True, " Yes ": True, "T": True, "1": True, "\uff11\u3000": True}
    cells |= {"FALSE": False, "0": False, "\uff46\uff41\uff4c\uff53\uff45": False}
    for cell, meant in {**cells, "\uff2e\uff4f": False}.items():
        assert read_flag(cell, default=not meant) is meant
        assert read_flag(" ", default=meant) is meant


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("['a' 'b c'\n 'd']", ["a", "b c", "d"]),
        ("""["it's" 'a \\'b\\'' 'c']""", ["it's", "a 'b'", "c"]),
        ("{'a': array(['x', 'y'], dtype=object), 'b': nan}", {"a": ["x", "y"], "b": None}),
        ("['nan' 'array([1], dtype=object)']", ["nan", "array([1], dtype=object)"]),
        ('["a", "b"]', ["a", "b"]),
        ("['a' b]", None),
    ],
)
def test_what_numpy_and_pandas_print_is_a_literal(text, wanted):
    assert literal(text) == wanted
