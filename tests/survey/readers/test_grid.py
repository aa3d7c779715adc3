"""Files of any encoding, delimiter or kind become columns of text."""

import contextlib
import datetime
import gc
import random

import pytest

from curation.records.errors import CurateError
from survey.mapping import ReadPart
from survey.readers.grid import read_grid, read_head, read_plainly
from survey.readers.text_files import find_encoding, language_encoding
from tests.survey.readers.companies import write_book

TABLE = "id,노인,b\n1,가,01\n2,나,N/A\n3,,None\n"
ROWS = [["1", "가", "01"], ["2", "나", "N/A"], ["3", "", "None"]]


def put(tmp_path, data, name="file.csv"):
    """Write bytes, or text as UTF-8."""
    path = tmp_path / name
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return path


def rows(path, language="ko", **read):
    """Read the records of a file."""
    return list(read_grid(path, ReadPart(**read), language).records())


def refused(path, language="ko", **read):
    """Read a file that cannot be read; give the error."""
    with pytest.raises(CurateError) as caught:
        read_grid(path, ReadPart(**read), language)
    assert caught.value.what
    assert caught.value.hint
    return caught.value


@pytest.mark.parametrize(
    ("encoding", "language"),
    [
        ("utf-8", "en"),
        ("utf-8-sig", "en"),
        ("utf-16", "en"),
        ("utf-32", "en"),
        ("cp949", "ko"),
        ("cp949", "ko-KR"),
    ],
)
def test_the_encoding_is_found(tmp_path, encoding, language):
    """By mark, by being UTF-8, or as the language's own."""
    assert rows(put(tmp_path, TABLE.encode(encoding)), language) == ROWS


@pytest.mark.parametrize(
    ("language", "encoding"),
    [
        ("ko", "cp949"),
        ("ja", "cp932"),
        ("zh", "gb18030"),
        ("zh-TW", "cp950"),
        ("pl", "cp1250"),
        ("ru", "cp1251"),
        ("en", "cp1252"),
        ("el", "cp1253"),
        ("tr", "cp1254"),
        ("th", "cp874"),
    ],
)
def test_each_language_has_one_candidate(language, encoding):
    """The encoding in which its spreadsheets write."""
    assert language_encoding(language) == encoding


def test_letters_that_euc_kr_lacks_are_read(tmp_path):
    """The superset is taken, also where the mapping says EUC-KR."""
    text = "id,말\n1,똠방각하\n"
    path = put(tmp_path, text.encode("cp949"))
    assert rows(path) == rows(path, encoding="euc-kr") == [["1", "똠방각하"]]


def test_a_guess_is_said(tmp_path):
    """The reason names the line that is not UTF-8."""
    encoding = find_encoding(put(tmp_path, TABLE.encode("cp949")), "ko")
    assert encoding.guessed
    assert encoding.reason == "it is not UTF-8 (line 1), and the workspace's language is ko"


def test_cp949_declared_as_utf_8_is_refused(tmp_path):
    """A named encoding is honoured strictly; the line is named."""
    data = b"id,a\n1,x\n" + "2,가\n".encode("cp949")
    error = refused(put(tmp_path, data), encoding="utf-8")
    assert error.what == "file.csv is not utf-8, as the mapping says (line 3)"


def test_a_mark_that_contradicts_the_mapping_is_refused(tmp_path):
    """Else UTF-8 would be read as CP949, into other letters."""
    error = refused(put(tmp_path, TABLE.encode("utf-8-sig")), encoding="cp949")
    assert "byte-order mark of UTF-8" in error.what
    assert rows(put(tmp_path, TABLE.encode("utf-8-sig")), encoding="utf-8") == ROWS


def test_what_no_encoding_explains_is_refused(tmp_path):
    """Both tries and the lines that they fail in are named."""
    error = refused(put(tmp_path, b"id,a\n1,\xff\xff\xfe\n"))
    assert error.what == "file.csv is neither UTF-8 (line 2) nor CP949 (line 2)"


@pytest.mark.parametrize("name", ["rot13", "klingon", "base64"])
def test_an_encoding_that_is_none_is_refused(tmp_path, name):
    """Also one that Python knows and that encodes no text."""
    assert refused(put(tmp_path, TABLE), encoding=name).what == f"there is no encoding '{name}'"


@pytest.mark.parametrize("sign", [",", ";", "\t", "|"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_delimiter_and_line_end_are_found(tmp_path, sign, end):
    """Each of the usual ones."""
    text = TABLE.replace(",", sign).replace("\n", end)
    assert rows(put(tmp_path, text)) == ROWS


def test_a_sign_within_cells_is_no_delimiter(tmp_path):
    """Every record has the same number of cells by the right one alone."""
    text = 'id;"which, of these, do you mean";c\n1;a, b;x\n2;c;y\n'
    assert rows(put(tmp_path, text)) == [["1", "a, b", "x"], ["2", "c", "y"]]


def test_two_signs_that_would_do_are_refused(tmp_path):
    """A person decides; both are named with the cells that they make."""
    error = refused(put(tmp_path, "a,b;c,d\n1,2;3,4\n"), delimiter="auto")
    assert "comma (3)" in error.what or "semicolon (2)" in error.what
    assert rows(put(tmp_path, "a,b;c,d\n1,2;3,4\n"), delimiter=";") == [["1,2", "3,4"]]


def test_what_excel_states_in_the_first_line_is_heeded(tmp_path):
    """`sep=;` is no record, and rows are numbered as Excel numbers them."""
    grid = read_grid(put(tmp_path, "sep=;\nid;a\n1;x\n"), ReadPart(), "en")
    assert list(grid.records()) == [["1", "x"]]
    assert grid.rows.tolist() == [3]


def test_one_column_is_refused(tmp_path):
    """Several are expected, so the delimiter is not known."""
    assert "one column" in refused(put(tmp_path, "id\n1\n2\n")).what
    assert "one column" in refused(put(tmp_path, TABLE), delimiter=";").what


def test_rows_of_another_width_are_refused_with_their_numbers(tmp_path):
    """All of them are counted, the first are named."""
    text = "id,a,b\n1,x,y\n2,x\n\n3,x,y\n4,x,y,z\n"
    error = refused(put(tmp_path, text))
    assert error.what == "row 3 has 2 cells where the header has 3; 1 more such rows: 6"
    assert error.where.endswith("file.csv, row 3")


def test_a_delimiter_after_every_row_is_no_column(tmp_path):
    """In the header and the records, in either alone, but not in some records."""
    assert rows(put(tmp_path, "id,a,\n1,x,\n2,y,\n")) == [["1", "x"], ["2", "y"]]
    assert rows(put(tmp_path, "id,a\n1,x,\n2,y,\n")) == [["1", "x"], ["2", "y"]]
    assert rows(put(tmp_path, "id,a,\n1,x\n2,y\n")) == [["1", "x"], ["2", "y"]]
    assert "row 3 has 3 cells" in refused(put(tmp_path, "id,a\n1,x\n2,y,\n")).what


def test_a_column_without_a_heading_is_refused(tmp_path):
    """As below a title, which is as wide as its table where a spreadsheet wrote it."""
    error = refused(put(tmp_path, "id,a,\n1,x,\n2,y,z\n"))
    assert error.what == "row 3 holds something in column 3, which has no heading"
    error = refused(put(tmp_path, "Survey of May,day,\nid,a,b\n1,x,y\n"))
    assert error.what == (
        "row 2 holds something in column 3, which has no heading; 1 more such rows: 3"
    )
    assert error.hint.endswith("delete the rows above them")


def test_header_rows_of_unlike_width_are_refused(tmp_path):
    """A cell was lost in one of them, and all after it would be misnamed."""
    error = refused(put(tmp_path, "id,a,b\nx,y\n1,2,3\n"), header_rows=2)
    assert error.what == "header row 1 has 3 cells where another has 2"


@pytest.mark.parametrize("text", ['id,a\n1,"x\n2,y\n', 'id,a\n1,"x"y\n'])
def test_quotation_marks_that_do_not_fit_are_refused(tmp_path, text):
    """As in a file that was cut off within a cell."""
    error = refused(put(tmp_path, text))
    assert error.what.startswith("row 2 cannot be read")


def test_a_nul_character_is_refused_with_its_line(tmp_path):
    """UTF-16 without a mark looks so too."""
    assert (
        refused(put(tmp_path, b"id,a\n1,\x00\n")).what == "file.csv holds a NUL character in line 2"
    )
    assert "NUL" in refused(put(tmp_path, TABLE.encode("utf-16-le"))).what


def test_letters_that_were_lost_are_refused_with_their_place(tmp_path):
    """U+FFFD stands where an earlier conversion did not know a letter."""
    error = refused(put(tmp_path, "id,b\n1,x\n2,a\ufffdb\n"))
    assert error.where.endswith("row 3, column b")
    assert refused(put(tmp_path, "id,b\ufffd\n1,x\n")).where.endswith("row 1, column b\ufffd")


@pytest.mark.parametrize("data", [b"", b"  \n \n", b"\xef\xbb\xbf"])
def test_an_empty_file_is_refused(tmp_path, data):
    """Whatever it is made of."""
    assert refused(put(tmp_path, data)).what == "file.csv is empty"


def test_a_file_of_headers_alone_is_refused(tmp_path):
    """It holds no answers; nor has it more headers than rows."""
    assert refused(put(tmp_path, "id,a\n")).what == "the file holds no answers"
    assert "2 rows where 3 header rows" in refused(put(tmp_path, "id,a\nb,c\n"), header_rows=3).what


def test_another_number_of_records_than_stated_is_refused(tmp_path):
    """It is how a file cut off at the end of a row is found out."""
    path = put(tmp_path, "id,a\n1,x\n2,y\n")
    assert rows(path, rows=2)
    assert refused(path, rows=3).what == "the file holds 2 records where 3 are expected"


def test_rows_are_numbered_as_a_spreadsheet_numbers_them(tmp_path):
    """Blank ones count, and a line break within a cell is none."""
    text = 'id,a\n\n1,"x\ny"\n,\n2,z\n'
    assert read_grid(put(tmp_path, text), ReadPart(), "en").rows.tolist() == [3, 5]


@pytest.mark.parametrize(
    ("data", "what"),
    [(b"%PDF-1.7 x", "PDF"), (b"PAR1....", "Parquet"), (b"\xd0\xcf\x11\xe0xxxx", "XLS")],
)
def test_other_kinds_of_files_are_refused_by_name(tmp_path, data, what):
    """Whatever their names end in."""
    assert what in refused(put(tmp_path, data)).what


def test_a_file_that_is_not_there_is_said(tmp_path):
    """And a folder."""
    assert "there is no file" in refused(tmp_path / "none.csv").what
    assert "is a folder" in refused(tmp_path).what


def test_an_empty_cell_that_was_quoted_is_told_from_one_that_was_not(tmp_path):
    """Where it is asked for and the file quotes its cells."""
    path = put(tmp_path, '"id","a","b"\n"1",,""\n"2","","x ""y"""\n')
    grid = read_grid(path, ReadPart(), "en", quoted=True)
    assert list(grid.records()) == [["1", "", ""], ["2", "", 'x "y"']]
    first, second = grid.columns[1], grid.columns[2]
    assert [first.codes[at] == first.void for at in (0, 1)] == [True, False]
    assert not (second.codes == second.void).any()
    assert read_grid(path, ReadPart(), "en").columns[1].void == -1


def test_a_file_that_does_not_quote_tells_nothing(tmp_path):
    """Then an empty cell is an empty cell."""
    grid = read_grid(put(tmp_path, "id,a\n1,\n"), ReadPart(), "en", quoted=True)
    assert not grid.source.tells_void


def test_cells_of_a_workbook_are_read_as_they_are_shown(tmp_path):
    """Whole numbers without a point, dates as ISO, texts as they stand, blank rows left out."""
    path = tmp_path / "book.xlsx"
    write_book(path, {"Data": [["id", "a", "b", "c", "d"]]})
    from openpyxl import load_workbook

    book = load_workbook(path)
    sheet = book["Data"]
    sheet.append([1, 1.5, "01", True, datetime.date(2026, 1, 2)])
    sheet.append([])
    sheet.append([2, -99, "N/A", None, datetime.datetime(2026, 1, 2, 3, 4)])  # noqa: DTZ001
    sheet.append([10**14, 0.25, " x", False, datetime.time(3, 4)])
    book.save(path)
    grid = read_grid(path, ReadPart(), "en")
    assert list(grid.records()) == [
        ["1", "1.5", "01", "TRUE", "2026-01-02"],
        ["2", "-99", "N/A", "", "2026-01-02T03:04:00"],
        ["100000000000000", "0.25", " x", "FALSE", "03:04:00"],
    ]
    assert grid.rows.tolist() == [2, 4, 5]
    assert not grid.source.suspects


def test_formulas_errors_and_rounded_numbers_are_noted(tmp_path):
    """By row and column; a fast reader gives nothing for them."""
    path = tmp_path / "book.xlsx"
    rows_ = [["id", "a"], ["x", "=1+1"], ["y", "#N/A"]]
    write_book(path, {"First": [["n", "m"], ["1", "2"]], "Data": rows_})
    from openpyxl import load_workbook

    book = load_workbook(path)
    book["Data"]["B3"].data_type = "e"
    book["Data"]["A4"], book["Data"]["B4"] = 12345678901234567, 1
    book.save(path)
    suspects = read_grid(path, ReadPart(sheet="Data"), "en").source.suspects
    assert suspects == {
        (2, 1): "a formula",
        (3, 1): "an error of the spreadsheet",
        (4, 0): "a number of more digits than a spreadsheet keeps",
    }
    assert not read_grid(path, ReadPart(sheet="First"), "en").source.suspects


def test_a_workbook_that_cannot_be_read_is_said(tmp_path):
    """It was cut off, or has no such sheet."""
    path = tmp_path / "book.xlsx"
    write_book(path, {"Data": [["id", "a"], ["1", "2"]]})
    assert "has no sheet 'Datum'" in refused(path, sheet="Datum").what
    path.write_bytes(path.read_bytes()[:-200])
    assert "not an XLSX or ODS workbook that can be read" in refused(path).what


def test_spss_without_its_library_names_the_extra(tmp_path, monkeypatch):
    """One line says what to install."""
    monkeypatch.setattr("survey.readers.sav.find_spec", lambda name: None)
    error = refused(put(tmp_path, b"$FL2@(#) SPSS", "a.sav"))
    assert error.hint == "pip install 'curate-bbq[spss]', or ask for CSV or XLSX"


@pytest.mark.slow
@pytest.mark.parametrize("old", [False, True])
def test_spss_files_of_korean_companies_are_read(tmp_path, old):
    """In CP949, whether the file says so or says nothing, as old ones do."""
    import pandas
    import pyreadstat

    path = tmp_path / "a.sav"
    frame = pandas.DataFrame({"id": ["가각", "나"], "q": [1.0, None], "w": [-99.0, 2.5]})
    pyreadstat.write_sav(frame, str(path), column_labels=["번호", "문항", "값"])
    data = path.read_bytes()
    for text in ("가각", "나", "번호", "문항", "값"):
        utf, old_bytes = text.encode(), text.encode("cp949")
        data = data.replace(utf, old_bytes + b" " * (len(utf) - len(old_bytes)))
    path.write_bytes(data.replace(b"UTF-8", b"XXXXX" if old else b"CP949"))
    grid = read_grid(path, ReadPart(), "ko")
    assert list(grid.records()) == [["가각", "1", "-99"], ["나", "", "2.5"]]
    assert grid.source.labels["q"].strip() == "문항"
    assert rows(path, "en", encoding="cp949")[0][0] == "가각"


@pytest.mark.slow
def test_a_damaged_spss_file_is_said(tmp_path):
    """It was cut off."""
    assert "cannot be read" in refused(put(tmp_path, b"$FL2@(#) SPSS" * 9, "a.sav")).what


HEADS = [["id", "Q1"], ["your number", "asked"], ["", ""], ["a", "x"], ["", ""], ["b", "y"]]


@pytest.mark.parametrize("name", ["file.xlsx", "file.csv"])
def test_a_header_row_that_holds_nothing_is_one(tmp_path, name):
    """A form without multiple answers has no options above its columns: nobody is lost for it."""
    path = tmp_path / name
    if name.endswith(".xlsx"):
        write_book(path, {"f01": [["", ""], *HEADS]})
    else:
        put(tmp_path, "\n" + "\n".join(map(",".join, HEADS)) + "\n", name)
    grid = read_grid(path, ReadPart(header_rows=3), "ko")
    assert grid.heads == (("id", "Q1"), ("your number", "asked"), ("", ""))
    assert list(grid.records()) == [["a", "x"], ["b", "y"]]
    assert grid.rows.tolist() == [5, 7]


def test_lines_without_cells_are_no_header_rows(tmp_path):
    """Some programs write a blank line after each."""
    text = "id,Q1\r\r\nyour number,asked\r\r\n,\r\r\na,x\r\r\n"
    grid = read_grid(put(tmp_path, text), ReadPart(header_rows=3), "ko")
    assert list(grid.records()) == [["a", "x"]]


@pytest.mark.parametrize("text", [TABLE, "id,a\n1,2\n1,2,3\n"])
def test_memory_is_watched_again_after_reading(tmp_path, text):
    """Whether the file could be read or not, and only where it was watched before."""
    path = put(tmp_path, text)
    for watched in (True, False):
        (gc.enable if watched else gc.disable)()
        try:
            with contextlib.suppress(CurateError):
                read_grid(path, ReadPart(), "ko")
            assert gc.isenabled() is watched
        finally:
            gc.enable()


PIECES = ["a", "b", "", " ", "x y", ",", ";", "\n", "\r\n", "\r", '"', "\t", "é", "'", "0", "sep=;"]


def test_the_fast_reader_gives_what_the_other_gives(tmp_path, monkeypatch):
    """For any text it reads the same columns, or leaves it to the other."""
    path = tmp_path / "a.csv"
    fast = 0
    for seed in range(400):
        draw = random.Random(seed)  # noqa: S311
        head = draw.choice(["id,q,r\n", "id,q\n", "id,q\r\n", "\nid,q\n", "sep=,\nid,q\n"])
        width = head.count(",") + 1 if "sep" not in head else 2
        rows = []
        for _ in range(draw.randint(1, 5)):
            cells = [draw.choice(PIECES[:5]) for _ in range(width)]
            rows.append(",".join(cells) + ("\r\n" if "\r" in head else "\n"))
        body = "".join(rows)
        if draw.random() < 0.5:
            at = draw.randrange(len(body) + 1)
            body = body[:at] + draw.choice(PIECES) + body[at:]
        path.write_bytes((draw.choice(["", "\ufeff"]) + head + body).encode())
        found = []
        for least in (0, 1 << 40):
            monkeypatch.setattr("survey.readers.grid.PLAIN_FROM", least)
            try:
                grid = read_grid(path, ReadPart(), "en")
                found.append((list(grid.records()), grid.rows.tolist(), grid.heads))
            except CurateError as error:
                found.append(error.what)
        assert found[0] == found[1], path.read_bytes()
        monkeypatch.setattr("survey.readers.grid.PLAIN_FROM", 0)
        if not isinstance(found[0], str):
            source, heads = read_head(path, ReadPart(), "en", 1)
            fast += read_plainly(path, source, heads[0]) is not None
    assert fast > 100
