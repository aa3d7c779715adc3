"""Workbooks as people and their programs return them."""

import re
import shutil
import subprocess
from copy import copy
from dataclasses import replace
from zipfile import ZipFile

import openpyxl
import pytest
from books import changed, rules
from ods import save_ods, spoil
from openpyxl.styles import Color, PatternFill

from curation.files.workbooks import (
    Book,
    Column,
    Sheet,
    SheetRow,
    open_workbook,
    read_sheet,
    write_marked,
    write_workbook,
)
from curation.files.workbooks.opening import kind_of
from curation.files.workbooks.spec import tints_of
from curation.files.workbooks.writing import tint, tint_of
from curation.records.messages import CurateError

COLUMNS = (
    Column("template_id", 14),
    Column("label", 10, editable=True, choices=("ST", "TM", "SR")),
    Column("text", 40),
    Column("reason", 40, editable=True, required_if=("label", ("SR",))),
)
TEXTS = ("They hum.", "=1+1", "바람\n소리", " two  spaces ", "and & <so>")
KEYS = tuple(f"craft-00{at}" for at in range(1, 6))
ROWS = tuple(
    SheetRow(key, {"template_id": key, "text": text}) for key, text in zip(KEYS, TEXTS, strict=True)
)
SHEET = Sheet("templates", COLUMNS, ROWS, key="template_id")
BOOK = Book("classify", (SHEET,), ("# Title",), {"annotator": "미나"})
LABELS = dict(zip(KEYS, ("ST", "TM", "SR", "ST", "TM"), strict=True))
# A template_id, B label, C text, D reason, E its key: beside the label stand texts.


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "sheet.xlsx"
    write_workbook(path, BOOK)
    return changed(path, fill)


def fill(sheet):
    for row, label in enumerate(LABELS.values(), start=2):
        sheet[f"B{row}"], sheet[f"D{row}"] = label, f"why {row - 1}"


def read(file, sheet=SHEET):
    return read_sheet(open_workbook(file, "classify"), sheet)


def as_filled_in(filled):
    assert {row.key: row.cells["label"] for row in filled.rows} == LABELS
    assert [row.cells["reason"] for row in filled.rows] == [f"why {at}" for at in range(1, 6)]
    assert [row.changed for row in filled.rows] == [False] * 5


def test_what_is_wrong_in_an_open_document_has_its_cell(file, tmp_path):
    """A formula, a merged cell and a strange value; the marked copy can be sent in again."""
    book = openpyxl.load_workbook(file)
    sheet = book["templates"]
    sheet["D2"], sheet["B3"] = "=C2", "XX"
    path = save_ods(book, tmp_path / "sheet.ods")
    wrong = [("workbook-formula", "D2"), ("workbook-value-unknown", "B3")]
    assert sorted(rules(read(path))) == wrong
    sheet.merge_cells("B4:B5")
    path = save_ods(book, tmp_path / "sheet.ods")
    filled = read(path)
    assert rules(filled) == [("workbook-merged", "B4")]
    target = tmp_path / "marked.xlsx"
    write_marked(open_workbook(path, "classify").data, target, filled.marks)
    copy = openpyxl.load_workbook(target)
    marked = copy["templates"]
    assert "merged" in marked["B4"].comment.text
    assert copy["_curate"].sheet_state == "hidden"
    marked.unmerge_cells("B4:B5")
    fill(marked)
    copy.save(target)
    as_filled_in(read(target))


def test_a_damaged_workbook_is_refused(file, tmp_path):
    """One that was cut off, has a password, would fill the memory, or has a wrong byte."""
    whole = save_ods(openpyxl.load_workbook(file), tmp_path / "sheet.ods")
    data = whole.read_bytes()
    whole.write_bytes(data[: len(data) // 2])
    with pytest.raises(CurateError, match=r"sheet\.ods is no workbook"):
        open_workbook(whole, "classify")
    for old, new in (
        (b"<manifest/>", b"<manifest><encryption-data/></manifest>"),
        (b"<office:document-content", b"<!DOCTYPE x [<!ENTITY a 'b'>]><office:document-content"),
        (
            b'<table:table-cell table:number-columns-repeated="16000"/>',
            b"<table:table-cell "
            b'table:number-columns-repeated="9999999" office:value-type="string"/>',
        ),
    ):
        save_ods(openpyxl.load_workbook(file), whole)
        with ZipFile(whole) as parts:
            there = {name: parts.read(name).replace(old, new) for name in parts.namelist()}
        with ZipFile(whole, "w") as parts:
            for name, part in there.items():
                parts.writestr(name, part)
        with pytest.raises(CurateError, match="can be opened"):
            open_workbook(whole, "classify")
    spoil(file)
    with pytest.raises(CurateError, match=r"\.xlsx is no workbook"):
        open_workbook(file, "classify")


def _copy(sheet, start, to):
    """Copy a cell as spreadsheets do: its text and its colours."""
    sheet[to] = sheet[start].value
    sheet[to].fill, sheet[to].font = copy(sheet[start].fill), copy(sheet[start].font)


def _cut(sheet, start, to):
    """Move a cell: the one that is left has neither text nor colour."""
    _copy(sheet, start, to)
    sheet[start], sheet[start].fill = None, PatternFill()


@pytest.mark.parametrize(
    ("change", "moved"),
    [
        (lambda s: [_copy(s, "B2", to) for to in ("B3", "B4", "B6")], []),  # filled down
        (lambda s: [_copy(s, "B2", "B3"), setattr(s["B3"], "value", "SR")], []),  # and corrected
        (lambda s: [_copy(s, "B2", "H1"), _copy(s, "B3", "B2"), _copy(s, "H1", "B3")], [2, 3]),
        (lambda s: [_cut(s, "B2", "B5")], [5]),
        (lambda s: [_copy(s, "B5", "B2"), setattr(s["B5"], "fill", PatternFill())], []),  # same
        (lambda s: [_copy(s, "B2", "B5"), _copy(s, "B3", "B6")], [5, 6]),  # two at once
        (lambda s: [_copy(s, "B2", "B5"), _copy(s, "B3", "B4")], []),  # one after the other
        (lambda s: [_copy(s, "B2", "B3"), _copy(s, "B4", "B5")], []),  # with one between them
        (lambda s: [_copy(s, "B3", "B4"), _copy(s, "B2", "B3")], [4]),  # pushed down
        (lambda s: [setattr(s[f"B{n}"], "fill", PatternFill("solid", fgColor="FFFF00"))
                    for n in range(2, 7)], []),
    ],
)  # fmt: skip
@pytest.mark.parametrize("kind", ["xlsx", "ods"])
def test_an_answer_tells_its_row_by_its_colour(file, tmp_path, change, moved, kind):
    """Where it came from another row nothing is taken; one answer copied to others is meant."""
    changed(file, lambda sheet: [setattr(sheet["B5"], "value", "TM"), change(sheet)])
    if kind == "ods":
        file = save_ods(openpyxl.load_workbook(file), tmp_path / "sheet.ods")
    found = read(file)
    assert rules(found) == [("workbook-answer-moved", f"B{row}") for row in moved]
    assert bool(found.rows) == (not moved)


def test_a_marked_copy_still_tells_what_was_moved(file, tmp_path):
    """It is refused again until somebody clears the colour of the cell."""
    changed(file, lambda sheet: _cut(sheet, "B2", "B5"))
    again = tmp_path / "again.xlsx"
    write_marked(file.read_bytes(), again, read(file).marks)
    assert rules(read(again)) == [("workbook-answer-moved", "B5")]
    changed(again, lambda sheet: setattr(sheet["B5"], "fill", PatternFill()))
    assert rules(read(again)) == [] and len(read(again).rows) == len(KEYS)


@pytest.mark.parametrize("count", [0, 416, 417, 900, 3744])
def test_no_two_rows_look_alike(count):
    """None is far from the others, 416 are of one size, and those of other books differ."""
    tints = tints_of(count, {"sheet": {"k": "1"}})
    assert len({*tints}) == count
    assert len({size for *_, size in tints}) == -(-count // 416)
    assert not {*tints} & {*tints_of(900, {"sheet": {"k": "3"}})}
    for paper, ink, _ in tints:
        assert all(int(paper[at : at + 2], 16) >= 0xC0 and int(ink, 16) <= 0x20 for at in (0, 2, 4))


def test_a_colour_of_the_list_is_looked_up_and_that_of_the_system_is_none():
    """Excel gives the number after the last one of the list to what is not dyed."""
    cell = openpyxl.Workbook().worksheets[0]["A1"]
    for number, paper in ((63, "333333"), (64, "")):
        cell.fill = PatternFill("solid", fgColor=Color(indexed=number))
        assert tint_of(cell)[0] == paper


@pytest.mark.parametrize(
    ("kind", "size", "moved"), [("xlsx", 0, 1), ("ods", 0, 1), ("xlsx", 11, 0), ("xlsx", 14, 0)]
)
def test_an_answer_tells_its_row_among_more_rows_than_colours(tmp_path, kind, size, moved):
    """By the size of its letters, unless all are of one size now: then colours alone tell it."""
    keys = [f"craft-{at:03}" for at in range(420)]
    rows = tuple(SheetRow(key, {"template_id": key, "text": f"They {key}."}) for key in keys)
    sheet, path = replace(SHEET, rows=rows), tmp_path / "sheet.xlsx"
    write_workbook(path, replace(BOOK, sheets=(sheet,)))

    def change(page):
        for row in range(2, 422):
            page[f"B{row}"] = ("ST", "TM")[row % 3 == 0]
            if size:
                tint(page[f"B{row}"], (*tint_of(page[f"B{row}"])[:2], size))
        _cut(page, "B5", "B215")

    changed(path, change)
    if kind == "ods":
        path = save_ods(openpyxl.load_workbook(path), tmp_path / "sheet.ods")
    assert rules(read(path, sheet)) == [("workbook-answer-moved", "B215")] * moved


def _google(book):
    """Google Sheets: neither protection nor comments, and often a thousand rows."""
    for sheet in book.worksheets:
        sheet.protection.disable()
        sheet.sheet_state = "visible"
        for cell in (cell for row in sheet.iter_rows() for cell in row):
            cell.comment = None
        sheet.cell(1_000, 26).fill = PatternFill()


def _numbers(book):
    """Numbers, a worksheet a table: its own sheet before all, and neither lists nor formats.

    The name of a table stands above it, in merged cells.
    """
    _google(book)
    for sheet in book.worksheets:
        sheet.insert_rows(1)
        sheet["A1"] = "Tabela 1"
        sheet.merge_cells(start_row=1, start_column=1, end_row=1, end_column=sheet.max_column)
        sheet.title = f"{sheet.title} - Tabela 1"
        sheet.data_validations.dataValidation = []
        for cell in (cell for row in sheet.iter_rows() for cell in row):
            cell.number_format = "General"
    book.create_sheet("Export Summary", 0)["B2"] = "This document was exported from Numbers."


def _in_a_list(file):
    """Write colours as Numbers does: by their numbers in a list of the workbook's own."""
    with ZipFile(file) as parts:
        there = {name: parts.read(name) for name in parts.namelist()}
    styles = re.sub(r"<colors>.*</colors>", "", there["xl/styles.xml"].decode())
    known = [*dict.fromkeys(re.findall(r' rgb="\w\w(\w{6})"', styles))]
    shown = re.sub(r' rgb="\w\w(\w{6})"', lambda one: f' indexed="{known.index(one[1])}"', styles)
    colours = "".join(f'<rgbColor rgb="ff{one.lower()}"/>' for one in known)
    colours = f"<colors><indexedColors>{colours}</indexedColors></colors></styleSheet>"
    there["xl/styles.xml"] = shown.replace("</styleSheet>", colours).encode()
    with ZipFile(file, "w") as parts:
        for name, data in there.items():
            parts.writestr(name, data)


@pytest.mark.parametrize("program", [_google, _numbers])
def test_what_other_programs_leave_out_is_not_needed(file, program):
    """Protection, hidden sheets, lists and formats; names of sheets are taken as they were.

    Colours tell there too to which row an answer belongs.
    """
    book = openpyxl.load_workbook(file)
    program(book)
    book.save(file)
    if program is _numbers:
        _in_a_list(file)
    assert kind_of(file) == "classify"
    filled = read(file)
    as_filled_in(filled)
    assert rules(filled) == []
    book = openpyxl.load_workbook(file)
    first = 3 if program is _numbers else 2
    _cut(next(page for page in book if "templates" in page.title), f"B{first}", f"B{first + 3}")
    book.save(file)
    marks = [("workbook-answer-moved", f"B{first + 3}")]
    assert rules(read(file)) == marks
    write_marked(file.read_bytes(), file, read(file).marks)
    assert rules(read(file)) == marks


def test_texts_are_read_as_excel_writes_them(file):
    """Partly bold, with readings of Japanese words and line ends of Windows."""
    said = re.compile(r"<(is|si)><t[^>]*>(.*?)</t></(?:is|si)>", re.DOTALL)

    def written(match):
        text = match[2].replace("\n", "_x000D_\n")
        runs = f'<r><rPr><b/></rPr><t xml:space="preserve">{text[:2]}</t></r>'
        runs += f'<r><t xml:space="preserve">{text[2:]}</t></r>'
        bold = runs if "&" not in text else f'<t xml:space="preserve">{text}</t>'
        return f'<{match[1]}>{bold}<rPh sb="0" eb="1"><t>カンジ</t></rPh></{match[1]}>'

    with ZipFile(file) as parts:
        there = {name: parts.read(name).decode() for name in parts.namelist()}
    changed = {name: said.sub(written, text) for name, text in there.items()}
    assert "".join(changed.values()).count("カンジ") > len(KEYS)
    with ZipFile(file, "w") as parts:
        for name, text in changed.items():
            parts.writestr(name, text)
    assert kind_of(file) == "classify"
    filled = read(file)
    as_filled_in(filled)
    assert rules(filled) == []


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("soffice") is None, reason="LibreOffice is not installed")
def test_what_libreoffice_saves_is_read(file, tmp_path):
    """Texts, keys, hidden sheets and drop-downs survive in each of its formats."""
    for kind in ("ods", "xlsx"):
        profile = f"-env:UserInstallation=file://{tmp_path}/profile"
        out = tmp_path / kind
        command = ["soffice", profile, "--headless", "--convert-to", kind, "--outdir", str(out)]
        for is_last in (False, True):  # the first start with a new profile may end at once
            done = subprocess.run(
                [*command, str(file)], capture_output=True, timeout=120, check=is_last
            )
            if done.returncode == 0:
                break
        file = out / f"sheet.{kind}"
        book = open_workbook(file, "classify")
        assert book.about == {"annotator": "미나"} and book.file["_curate"].sheet_state == "hidden"
        filled = read(file)
        as_filled_in(filled)
        assert rules(filled) == []
    sheet = book.file["templates"]
    areas = {str(rule.sqref): rule.formula1 for rule in sheet.data_validations.dataValidation}
    assert "_lists" in areas["B2:B6"] and "_lists" in areas["E2:E6"]
    assert not sheet.protection.sheet
    older = replace(SHEET, rows=ROWS[:4])
    assert rules(read(file, older)) == [("workbook-row-unknown", "A6")]
