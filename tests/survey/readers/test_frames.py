"""Files of any encoding, delimiter or kind become columns of text."""

import csv
import datetime
import io
import random

import pytest
from ods import save_ods
from openpyxl import Workbook

from curation.records.messages import CurateError
from survey.mapping import ReadPart
from survey.readers.frames import plain
from survey.readers.opening import language_encoding, open_file

TABLE = "id,노인,b\n1,가,01\n2,나,N/A\n3,,None\n"
ROWS = [["1", "가", "01"], ["2", "나", "N/A"], ["3", "", "None"]]


def put(folder, data, name="file.csv"):
    """Write bytes, or text as UTF-8."""
    path = folder / name
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return path


def rows(path, language="ko", **read):
    return records(open_file(path, ReadPart(**read), language).frame())


def records(frame):
    return [[column.cell(at) for column in frame.columns] for at in range(len(frame))]


def test_encodings_delimiters_and_line_ends_are_found(tmp_path):
    """By mark, by being UTF-8, or as the language's own."""
    for encoding in ("utf-8", "utf-8-sig", "utf-16", "utf-32", "cp949"):
        for sign in ",;\t|":
            for end in ("\n", "\r\n", "\r"):
                text = TABLE.replace(",", sign).replace("\n", end)
                assert rows(put(tmp_path, text.encode(encoding)), "ko-KR") == ROWS, (encoding, sign)
    path = put(tmp_path, "id,말\n1,똠방각하\n".encode("cp949"))  # letters that EUC-KR lacks
    assert rows(path) == rows(path, encoding="euc-kr") == [["1", "똠방각하"]]
    assert open_file(path, language="ko").source.guessed
    languages = ("ko", "ja", "zh", "zh-TW", "pl", "ru", "en", "el", "tr", "th")
    assert [language_encoding(language) for language in languages] == [
        *("cp949", "cp932", "gb18030", "cp950", "cp1250"),
        *("cp1251", "cp1252", "cp1253", "cp1254", "cp874"),
    ]


def test_records_are_told(tmp_path):
    """By the number of cells that all of them have; a sign after each is no column."""
    for text, read, expected in [
        (
            'id;"which, of these, do you mean";c\n1;a, b;x\n2;c;y\n',
            {},
            [["1", "a, b", "x"], ["2", "c", "y"]],
        ),
        ("a,b;c,d\n1,2;3,4\n", {"delimiter": ";"}, [["1,2", "3,4"]]),
        ("id,a,\n1,x,\n2,y,\n", {}, [["1", "x"], ["2", "y"]]),
        ("id,a\n1,x,\n2,y,\n", {}, [["1", "x"], ["2", "y"]]),
        ("id,a,\n1,x\n2,y\n", {}, [["1", "x"], ["2", "y"]]),
        ("id,a,\nx,y\n1,2\n", {"header_rows": 2}, [["1", "2"]]),
        ("id,a\n1,x\n2,y\n", {"rows": 2}, [["1", "x"], ["2", "y"]]),
        ("id,Q1\r\r\nyour number,asked\r\r\n,\r\r\na,x\r\r\n", {"header_rows": 3}, [["a", "x"]]),
    ]:
        assert rows(put(tmp_path, text), **read) == expected


REFUSED = [
    (b"id,a\n1,x\n" + "2,가\n".encode("cp949"), {"encoding": "utf-8"}, "not utf-8"),
    (TABLE.encode("utf-8-sig"), {"encoding": "cp949"}, "byte-order mark"),
    (b"id,a\n1,\xff\xff\xfe\n", {}, "neither UTF-8"),
    (TABLE, {"encoding": "utf-16"}, "not utf-16"),
    (TABLE, {"encoding": "rot13"}, "no encoding"),
    (TABLE, {"encoding": "klingon"}, "no encoding"),
    ("a,b;c,d\n1,2;3,4\n", {"delimiter": "auto"}, "comma"),
    ("id\n1\n2\n", {}, "one column"),
    (TABLE, {"delimiter": ";"}, "one column"),
    ("id,a,b\n1,x,y\n2,x\n\n3,x,y\n4,x,y,z\n", {}, "row 3 has 2 cells"),
    ("id,a\n1,x,\n2,y,\n3,z\n", {}, "row 2 has 3 cells"),
    ("id,a,\n1,x,\n2,y,z\n", {}, "row 3 holds something in column 3"),
    ("Survey of May,day,\nid,a,b\n1,x,y\n", {}, "row 2 holds something in column 3"),
    ("id,a,b\nx,y\n1,2,3\n", {"header_rows": 2}, "header row 1 has 3 cells"),
    ('id,a\n1,"x\n2,y\n', {}, "row 2 cannot be read"),
    ('id,a\n1,"x"y\n', {}, "row 2 cannot be read"),
    (b"id,a\n1,\x00\n", {}, "NUL character in line 2"),
    (TABLE.encode("utf-16-le"), {}, "NUL"),
    ("id,b\n1,x\n2,a\ufffdb\n", {}, ""),
    ("id,b\ufffd\n1,x\n", {}, ""),
    (b"", {}, "is empty"),
    (b"  \n \n", {}, "is empty"),
    ("id,a\n", {}, "no answers"),
    ("id,a\nb,c\n", {"header_rows": 3}, "2 rows where 3"),
    ("id,a\n1,x\n2,y\n", {"rows": 3}, "2 records where 3"),
    (b"%PDF-1.7 x", {}, "PDF"),
    (b"PAR1....", {}, "Parquet"),
    (b"\xd0\xcf\x11\xe0xxxx", {}, "XLS"),
    (b"\xef\xbb\xbf<html><table><tr><td>id", {}, "web page"),
]


def test_what_cannot_be_read_is_refused(tmp_path):
    for data, read, word in REFUSED:
        with pytest.raises(CurateError) as caught:
            rows(put(tmp_path, data), **read)
        assert word in caught.value.what, data
        assert caught.value.hint
    for path in (tmp_path / "none.csv", tmp_path):
        with pytest.raises(CurateError, match=r"there is no file|is a folder"):
            rows(path)


def test_rows_are_numbered_as_a_spreadsheet_numbers_them(tmp_path):
    """Blank ones count, a line break within a cell is none, and Excel's first line is a row."""
    frame = open_file(put(tmp_path, 'id,a\n\n1,"x\ny"\n,\n2,z\n')).frame()
    assert frame.rows.tolist() == [3, 5]
    frame = open_file(put(tmp_path, "sep=;\nid;a\n1;x\n")).frame()
    assert (records(frame), frame.rows.tolist()) == ([["1", "x"]], [3])
    with pytest.raises(CurateError) as caught:
        rows(put(tmp_path, "id,b\n1,x\n2,a\ufffdb\n"))
    assert caught.value.where.endswith("row 3, column b")


def test_cells_of_a_workbook_are_read_as_they_are_shown(tmp_path):
    """Whole numbers without a point, dates as ISO, blank rows left out; suspects are noted."""
    book = Workbook()
    sheet = book.worksheets[0]
    for row in (
        ["id", "a", "b", "c", "d"],
        [1, 1.5, "01", True, datetime.date(2026, 1, 2)],
        [],
        [2, -99, "N/A", None, datetime.datetime(2026, 1, 2, 3, 4)],  # noqa: DTZ001
        [10**14, 0.25, " x", False, datetime.time(3, 4)],
    ):
        sheet.append(row)
    path = tmp_path / "book.xlsx"
    book.save(path)
    frame = open_file(path).frame()
    assert records(frame) == [
        ["1", "1.5", "01", "TRUE", "2026-01-02"],
        ["2", "-99", "N/A", "", "2026-01-02T03:04:00"],
        ["100000000000000", "0.25", " x", "FALSE", "03:04:00"],
    ]
    assert frame.rows.tolist() == [2, 4, 5]
    assert not frame.source.suspects
    sheet["B2"], sheet["B4"] = "=1+1", "#N/A"
    sheet["B4"].data_type = "e"
    sheet["A5"] = 12345678901234567
    book.create_sheet("Other").append(["n", "m"])
    book.save(path)
    suspects = open_file(path, ReadPart(sheet="Sheet")).frame().source.suspects
    assert sorted(suspects) == [(2, 1), (4, 1), (5, 0)]
    for sheet_name, cut in (("Datum", 0), (None, 200)):
        path.write_bytes(path.read_bytes()[: -cut or None])
        with pytest.raises(CurateError, match=r"no sheet|not an XLSX"):
            open_file(path, ReadPart(sheet=sheet_name))


def test_a_table_of_libreoffice_is_read(tmp_path):
    """Its cells too are read as they are shown, and merged answers are refused."""
    book = Workbook()
    sheet = book.worksheets[0]
    for row in (["id", "a"], ["x", 1], ["y", 2], ["z", 3]):
        sheet.append(row)
    path = save_ods(book, tmp_path / "a.ods")
    assert rows(path) == [["x", "1"], ["y", "2"], ["z", "3"]]
    sheet.merge_cells("B3:B4")
    with pytest.raises(CurateError, match="B3:B4"):
        rows(save_ods(book, tmp_path / "a.ods"))
    sheet.unmerge_cells("B3:B4")
    sheet.insert_rows(1)
    sheet.merge_cells("A1:B1")
    sheet["A1"] = "Which?"
    assert rows(save_ods(book, tmp_path / "a.ods"), header_rows=2, header=2)[0] == ["x", "1"]


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
    frame = open_file(path, language="ko").frame()
    assert records(frame) == [["가각", "1", "-99"], ["나", "", "2.5"]]
    assert frame.source.labels["q"].strip() == "문항"
    if old:  # each is read by a process of its own
        assert rows(path, "en", encoding="cp949")[0][0] == "가각"
    else:
        with pytest.raises(CurateError, match="cannot be read"):
            rows(put(tmp_path, b"$FL2@(#) SPSS" * 9, "b.sav"))


PIECES = ["", "x y", "\r\n", '""', *"ab ,;\n\r\"\té'0노"]


def by_csv(text):
    """The records of a text and their rows, as Python's own reader has them; None if refused."""
    try:
        rows = list(enumerate(csv.reader(io.StringIO(text, newline=""), strict=True), start=1))
    except csv.Error:
        return None
    (_, head), *others = [(number, cells) for number, cells in rows if any(cells)]
    kept = [(number, cells) for number, cells in others if any(cells)]
    if not kept or any(len(cells) != len(head) for _, cells in kept):
        return None
    return [cells for _, cells in kept], [number for number, _ in kept]


@pytest.mark.parametrize("count", [150, pytest.param(5_000, marks=pytest.mark.nightly)])
def test_a_text_is_read_as_pythons_csv_module_reads_it(count, tmp_path, monkeypatch):
    """Whatever is in its cells, and wherever a block of it ends; or both refuse it."""
    path = tmp_path / "a.csv"
    read = 0
    for seed in range(count):
        draw = random.Random(seed)  # noqa: S311
        monkeypatch.setattr("survey.readers.opening._BLOCK", draw.choice([400, 1 << 20]))
        width = draw.choice([2, 3])
        quoting = draw.choice([csv.QUOTE_ALL, csv.QUOTE_MINIMAL])
        out = io.StringIO(newline="")
        writer = csv.writer(out, quoting=quoting, lineterminator=draw.choice(["\n", "\r\n", "\r"]))
        writer.writerow(["id", "q", "r"][:width])
        for _ in range(draw.randint(1, 40)):
            cells = ["".join(draw.choices(PIECES, k=draw.randint(0, 2))) for _ in range(width)]
            writer.writerow(cells)
        text = out.getvalue()
        if draw.random() < 0.4:
            at = draw.randrange(len("id,q,r"), len(text) + 1)
            text = text[:at] + draw.choice(PIECES) + text[at:]
        path.write_bytes(text.encode(draw.choice(["utf-8", "utf-8-sig", "utf-16"])))
        wanted = by_csv(text)
        try:
            frame = open_file(path, ReadPart(delimiter=",")).frame()
        except CurateError as error:
            trailing = "no heading" in error.what or "cells where" in error.what
            assert wanted is None or trailing, (seed, error.what, text)
            continue
        found = records(frame), frame.rows.tolist()
        assert found == wanted or (wanted is None and text.count(",")), (seed, text)
        read += wanted is not None
    assert read > count / 2


def test_an_empty_cell_that_is_quoted_is_told_from_one_that_is_not(tmp_path):
    """LimeSurvey writes what was not shown without quotation marks."""
    path = put(tmp_path, '"id","q"\n"1",""\n"2",\n"3","x"\n')
    column = open_file(path).frame(tells_void=True).columns[1]
    assert [column.cell(at) for at in range(3)] == ["", "", "x"]
    assert [code == column.void for code in column.codes.tolist()] == [False, True, False]
    assert open_file(path).frame().columns[1].void == -1


def test_what_is_plain_stays_as_it_is():
    """A text that is compared again is no other, whatever it speaks of."""
    texts = ("R&amp;D", "&amp;lt;", "&#38;amp;", " a  b ")
    assert [plain(text) for text in texts] == ["R&D", "&amp;lt;", "&#38;amp;", "a b"]
    assert all(plain(plain(text)) == plain(text) for text in texts)
