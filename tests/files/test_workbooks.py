"""Workbooks that people fill in."""

from copy import copy
from dataclasses import replace
from functools import partial

import openpyxl
import pytest
from books import changed, rules
from hypothesis import example, given
from hypothesis import strategies as st

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
from curation.files.workbooks.spec import from_cell, plain_lines, to_cell
from curation.files.workbooks.writing import fit_height
from curation.records.messages import CurateError

COLUMNS = (
    Column("template_id", 14),
    Column("text", 40),
    Column("label", 10, editable=True, choices=("ST", "TM", "SR"), note="Choose one."),
    Column("reason", 40, editable=True, required_if=("label", ("SR",))),
)
ROWS = tuple(
    SheetRow(f"craft-00{at}", {"template_id": f"craft-00{at}", "text": text})
    for at, text in enumerate(("They hum.", "=1+1", "바람\n소리"), start=1)
)
SHEET = Sheet("templates", COLUMNS, ROWS, key="template_id")
BOOK = Book("classify", (SHEET,), ("# Title", "What to do."), {"annotator": "미나"})
# A template_id, B text, C label, D its key, E reason, F its key.
LABEL, REASON = "C", "E"


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "sheet.xlsx"
    write_workbook(path, BOOK)
    return path


def read(file, sheet=SHEET):
    return read_sheet(open_workbook(file, "classify"), sheet)


def fill(sheet):
    for row, label in enumerate(("ST", "TM", "SR"), start=2):
        sheet[f"{LABEL}{row}"] = label
        sheet[f"{REASON}{row}"] = f"why {row}"


@given(st.text(max_size=40))
@example("_x0041\x08")
def test_every_text_comes_back(text):
    """What XML cannot hold and what a spreadsheet would run are escaped, and undone."""
    assert from_cell(to_cell(text)) == plain_lines(text)


def test_moved_columns_and_sorted_rows_change_nothing(file):
    """Columns are found by header and rows by key, below a title and in any order."""

    def move(sheet):
        fill(sheet)
        rows = [[(cell.value, copy(cell._style)) for cell in row] for row in sheet.iter_rows()]
        sheet.delete_rows(1, sheet.max_row)
        sheet["A1"] = "My title"
        for number, row in enumerate([rows[0], *reversed(rows[1:])], start=2):
            for at, (value, looks) in enumerate(reversed(row), start=1):
                sheet.cell(number, at).value = value
                sheet.cell(number, at)._style = looks

    filled = read(changed(file, move))
    assert [row.key for row in filled.rows] == ["craft-001", "craft-002", "craft-003"]
    assert [row.cells["label"] for row in filled.rows] == ["ST", "TM", "SR"]
    assert not filled.marks


def test_without_any_colour_no_answer_is_taken(file):
    """Nothing would tell that one of them was moved alone; a single cell that has its own does."""

    def plain(sheet, but=""):
        fill(sheet)
        for cell in (cell for row in sheet.iter_rows(min_row=2) for cell in row):
            if cell.coordinate != but:
                cell.style = "Normal"

    filled = read(changed(file, partial(plain, but=f"{LABEL}3")))
    assert [row.cells["label"] for row in filled.rows] == ["ST", "TM", "SR"]
    filled = read(changed(file, plain))
    assert (rules(filled), filled.rows) == ([("workbook-colours-gone", "")], ())


def test_blank_rows_may_be_filled_in(tmp_path):
    """In a sheet with blank rows those that are filled in are read, required cells included."""
    columns = (Column("a", editable=True, required=True), Column("b", editable=True))
    sheet = Sheet("new", columns, blank=5)
    path = tmp_path / "new.xlsx"
    write_workbook(path, Book("classify", (sheet,)))
    book = openpyxl.load_workbook(path)
    book["new"]["A3"], book["new"]["B3"], book["new"]["B4"] = "x", "y", "z"
    book.save(path)
    filled = read(path, sheet)
    assert [row.key for row in filled.rows] == ["row 3", "row 4"]
    assert rules(filled) == [("workbook-value-required", "A4")]


@pytest.mark.parametrize("content", [b"", b"a,b\n", b"PK\x03\x04xx", b"\x05Anna"])
def test_what_is_no_workbook_is_refused(tmp_path, content):
    """An empty file, a table, a damaged file, and what a spreadsheet leaves beside an open one."""
    path = tmp_path / "~$t.xlsx"
    path.write_bytes(content)
    with pytest.raises(CurateError, match="no workbook that can be opened"):
        open_workbook(path, "classify")


def test_another_workbook_is_refused(file, tmp_path):
    """A workbook of another kind, or of nobody's making, is not read."""
    with pytest.raises(CurateError, match="a sheet for 'classify', not for 'agenda'"):
        open_workbook(file, "agenda")
    openpyxl.Workbook().save(tmp_path / "mine.xlsx")
    with pytest.raises(CurateError, match="not a workbook made by curate"):
        open_workbook(tmp_path / "mine.xlsx", "classify")


def test_a_marked_copy_shows_what_is_wrong_and_can_be_sent_in_again(file, tmp_path):
    """The cells carry a comment and a colour; corrected, the copy is read like the first."""

    def enter(sheet):
        fill(sheet)
        sheet[f"{LABEL}2"] = "XX"
        sheet.delete_rows(4)

    filled = read(changed(file, enter))
    filled.mark(None, "label", filled.marks[0].finding)
    assert [it.finding.column for it in filled.marks] == [f"label ({LABEL}2)", "", "label"]
    target = tmp_path / "marked" / "sheet.xlsx"
    write_marked(open_workbook(file, "classify").data, target, filled.marks)
    sheet = openpyxl.load_workbook(target)["templates"]
    assert "it takes ST, TM, SR" in sheet[f"{LABEL}2"].comment.text
    assert sheet[f"{LABEL}2"].fill.fgColor.rgb == "00FF9999"
    assert "craft-003" in sheet["A1"].comment.text
    correct = lambda sheet: sheet.__setitem__(f"{LABEL}2", "ST")  # noqa: E731
    assert [row.cells["label"] for row in read(changed(target, correct)).rows] == ["ST", "TM"]


def test_a_text_too_long_for_a_cell_is_refused(tmp_path):
    """A sheet holds 32,767 characters in a cell; nothing is cut off."""
    row = SheetRow("k", {"template_id": "k", "text": "가" * 32_768})
    with pytest.raises(CurateError, match="32768 characters"):
        write_workbook(
            tmp_path / "s.xlsx", Book("classify", (Sheet("templates", COLUMNS, (row,)),))
        )
    assert list(tmp_path.iterdir()) == []


def test_a_workbook_of_a_language_written_from_right_to_left_is_turned(tmp_path):
    """Its first column is on the right; texts of other letters run the other way, slots do not."""
    path = tmp_path / "sheet.xlsx"
    lines = ("# العنوان", "[N1] هو الشخص الأول.", "What to do.", "# Translation", "[N1]")
    lines += ("[N1] = a: جد {gender: ?}",)
    turned = replace(BOOK, instructions=lines, right_to_left=True)
    write_workbook(path, turned)
    book = openpyxl.load_workbook(path)
    assert all(sheet.sheet_view.rightToLeft for sheet in book.worksheets)
    orders = [cell.alignment.readingOrder for cell in book["instructions"]["A"]]
    assert orders == [2, 2, 1, 1, 2, 1]
    sheet = book["templates"]
    for row in (1, 2):
        orders = [sheet.cell(row, at).alignment.readingOrder for at in (1, 2, 3, 5)]
        assert orders == [1, 1, 2, 2]
    assert sheet["B2"].alignment.wrap_text and sheet["D2"].alignment.shrink_to_fit
    assert [row.key for row in read(path).rows] == [row.key for row in ROWS]
    write_workbook(path, BOOK)
    plain = openpyxl.load_workbook(path)
    assert not any(sheet.sheet_view.rightToLeft for sheet in plain.worksheets)


def test_a_heading_is_shown_in_words_and_holds_its_name(tmp_path):
    """In another language the name stands behind it; in English it is the words."""
    headings = {"template_id": "템플릿", "text": 'The "text"', "label": "Label"}
    columns = tuple(replace(one, heading=headings.get(one.name, "")) for one in COLUMNS)
    keys = replace(SHEET.keys, heading="키")
    path = tmp_path / "sheet.xlsx"
    write_workbook(path, replace(BOOK, sheets=(replace(SHEET, columns=columns, keys=keys),)))
    head = openpyxl.load_workbook(path)["templates"][1]
    assert [cell.value for cell in head] == [
        *("template_id", "text", "label", "key_1", "reason", "key_2")
    ]
    assert [cell.number_format for cell in head] == [
        '"템플릿 ("@")"',
        '"The \'text\' ("@")"',
        ';;;"Label"',
        ';;;"키"',
        "@",
        ';;;"키"',
    ]


def merge(sheet):
    sheet.merge_cells(f"{LABEL}2:{LABEL}3")


def copied(sheet):
    for column in "ABCDEF":
        sheet[f"{column}5"] = sheet[f"{column}2"].value
    sheet[f"{LABEL}5"] = "TM"


SPOILT = [
    ("nothing", {}, [], "ST TM SR"),
    ("a deleted row", lambda sheet: sheet.delete_rows(3), [("row-missing", "")], "ST SR"),
    ("a row without key", {f"{LABEL}9": "ST"}, [("row-unknown", "A9")], "ST TM SR"),
    ("a copied row that differs", copied, [("row-twice", "A5")], "ST TM SR"),
    ("a key that is gone", {"D2": None}, [("row-apart", "D2")], ""),
    ("a key of no row", {"F3": "clay-009"}, [("row-apart", "F3")], ""),
    ("a key filled down", {"D3": "craft-001"}, [("row-apart", "D3")], ""),
    (
        "answers of two rows exchanged with their keys",
        {"D2": "craft-002", "D3": "craft-001", "F2": "craft-002", "F3": "craft-001"},
        [("row-apart", "D2"), ("row-apart", "D3")],
        "",
    ),
    ("answers emptied with their key", dict.fromkeys(("C2", "D2", "E2", "F2")), [], " TM SR"),
    ("the text of another row", {"B2": "바람\n소리"}, [("row-apart", "B2")], ""),
    ("merged cells", merge, [("merged", f"{LABEL}2")], ""),
    (
        "a formula and an error are no values",
        {f"{REASON}2": "=B2", f"{REASON}3": "#REF!"},
        [("formula", f"{REASON}2"), ("error-value", f"{REASON}3")],
        "ST TM SR",
    ),
    ("a small letter is meant", {f"{LABEL}2": " tm "}, [], "TM TM SR"),
    ("an unknown value", {f"{LABEL}3": "XX"}, [("value-unknown", f"{LABEL}3")], "ST XX SR"),
    ("a reason that lacks", {f"{REASON}4": ""}, [("value-required", f"{REASON}4")], "ST TM SR"),
    (
        "columns of keys taken out",
        lambda sheet: sheet.delete_cols(4, 2),
        [("column-missing", ""), ("column-missing", "")],
        "",
    ),
    ("an edited text", {"B2": "They whistle."}, [("text-changed", "B2")], "ST TM SR"),
    (
        "a column renamed to another",
        {f"{LABEL}1": "reason"},
        [("column-twice", ""), ("column-missing", "")],
        "",
    ),
    ("a title of two rows", lambda sheet: sheet.insert_rows(1, 2), [("sheet-empty", "")], ""),
    ("an emptied sheet", lambda sheet: sheet.delete_rows(1, 9), [("sheet-empty", "")], ""),
    ("no headings", lambda sheet: sheet.delete_rows(1), [("sheet-empty", "")], ""),
    (
        "a sheet of another name",
        lambda sheet: setattr(sheet, "title", "mine"),
        [("sheet-missing", "")],
        "",
    ),
]


def test_what_is_wrong_is_found_at_its_cell(tmp_path):
    """And what is right is read all the same."""
    for number, (why, change, wrong, labels) in enumerate(SPOILT):
        path = tmp_path / f"{number}.xlsx"
        write_workbook(path, BOOK)

        def spoil(sheet, change=change):
            fill(sheet)
            if callable(change):
                change(sheet)
                return
            for cell, value in change.items():
                sheet[cell] = value

        filled = read(changed(path, spoil))
        found = [(rule.removeprefix("workbook-"), cell) for rule, cell in rules(filled)]
        assert [rule for rule, _ in found] == [rule for rule, _ in wrong], why
        assert all(cell in ("", at) for (_, at), (_, cell) in zip(found, wrong, strict=True)), why
        read_as = [row.cells.get("label", "") for row in filled.rows]
        if any(rule == "row-apart" for rule, _ in wrong):
            assert not read_as, why
        elif labels:
            assert read_as == labels.split(" "), why


def test_a_row_whose_texts_are_others_now_is_read_and_said(file):
    """The translator saw the text that was handed out."""
    rows = (SheetRow("craft-001", {"template_id": "craft-001", "text": "They sing."}), *ROWS[1:])
    filled = read(changed(file, fill), Sheet("templates", COLUMNS, rows, key="template_id"))
    assert [row.changed for row in filled.rows] == [True, False, False]
    assert rules(filled) == [("workbook-row-changed", "A2")]


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        ({"B2": "They whistle."}, [("row-changed", "A2"), ("text-changed", "B2")]),
        ({"B2": "바람\n소리"}, [("row-apart", "B2")]),
        ({"B3": "They hum."}, [("row-apart", "B3")]),
        ({"G2": "two", "G3": "one"}, [("row-apart", "G2"), ("row-apart", "G3")]),
        ({"G2": "One!", "G3": None, "G4": "one "}, [("row-apart", "G4")]),
        ({"G2": None, "G3": "mine", "G4": "two"}, [("row-apart", "G4")]),
        ({"G2": None, "G3": "mine"}, []),
        ({"G2": "two", "G3": "one", "C2": None, "E2": None, "C3": None, "E3": None}, []),
    ],
)
def test_a_text_of_another_row_is_told_by_what_was_handed_out(tmp_path, cells, said):
    """Whatever the rows say today, also beside them; what nobody has answered may be anywhere."""
    beside = Column("example", 30, aside=True)
    rows = [
        SheetRow(row.key, {**row.cells, "example": text})
        for row, text in zip(ROWS, ("one", "two", "three"), strict=True)
    ]
    handed = Sheet("templates", (*COLUMNS, beside), tuple(rows), key="template_id")
    write_workbook(tmp_path / "sheet.xlsx", replace(BOOK, sheets=(handed,)))

    def spoil(sheet):
        fill(sheet)
        for cell, text in cells.items():
            sheet[cell] = text

    now = {"text": "They sing." if "B2" in cells else ROWS[0].cells["text"], "example": "another"}
    today = (SheetRow(ROWS[0].key, {"template_id": ROWS[0].key, **now}), *rows[1:])
    filled = read(changed(tmp_path / "sheet.xlsx", spoil), replace(handed, rows=today))
    found = [(rule.removeprefix("workbook-"), cell) for rule, cell in rules(filled)]
    assert found == said
    assert bool(filled.rows) == all(rule != "row-apart" for rule, _ in said)


def test_answers_that_were_sorted_alone_are_refused(tmp_path):
    """Not where few could stand so by chance, nor where whole rows were sorted."""
    keys = [f"craft-{at:03}" for at in range(24)]
    rows = tuple(SheetRow(key, {"template_id": key, "text": key}) for key in keys)
    sheet = replace(SHEET, rows=rows)
    for few, reverse, said in ((24, False, ["C2"]), (24, True, []), (9, False, [])):
        path = tmp_path / f"{few}{reverse}.xlsx"
        write_workbook(path, replace(BOOK, sheets=(sheet,)))
        book = openpyxl.load_workbook(path)
        page = book["templates"]
        for at, number in enumerate(range(2, few + 2)):
            page[f"C{number}"] = ("ST", "TM")[at * 2 // few]
        if reverse:
            values = [[cell.value for cell in row] for row in page.iter_rows(min_row=2)]
            for cells, row in zip(reversed(values), page.iter_rows(min_row=2), strict=True):
                for value, cell in zip(cells, row, strict=True):
                    cell.value = value
        book.save(path)
        found = rules(read(path, sheet))
        assert [cell for rule, cell in found if rule == "workbook-column-sorted"] == said


def test_a_workbook_can_be_sorted_and_printed(file, tmp_path):
    """No row is locked; headings stay in view, and stand on every page."""
    write_workbook(tmp_path / "again.xlsx", BOOK)
    assert (tmp_path / "again.xlsx").read_bytes() == file.read_bytes()
    sheet = openpyxl.load_workbook(file)["templates"]
    assert not sheet.protection.sheet and sheet.auto_filter.ref == "A1:F4"
    assert sheet.freeze_panes == "B2"
    assert [str(rule.sqref) for rule in sheet.data_validations.dataValidation] == [
        *("C2:C4", "D2:D4", "F2:F4")
    ]
    coloured = [rule.formula for area in sheet.conditional_formatting for rule in area.rules]
    assert ["$D2<>$A2"] in coloured and ["$F2<>$A2"] in coloured
    setup = sheet.page_setup
    assert (setup.orientation, setup.paperSize) == ("landscape", 9)
    assert (setup.fitToWidth, setup.fitToHeight, sheet.print_title_rows) == (1, 0, "$1:$1")
    wide = (*COLUMNS, *(Column(f"more {at}", 60, True) for at in range(8)))
    write_workbook(file, replace(BOOK, sheets=(replace(SHEET, columns=wide, frozen="label"),)))
    sheet = openpyxl.load_workbook(file)["templates"]
    assert (sheet.page_setup.fitToWidth, sheet.print_title_cols) == (3, "$A:$A")
    assert (sheet.page_setup.pageOrder, sheet.freeze_panes) == ("overThenDown", "D2")


def test_what_nobody_needs_to_see_is_hidden(tmp_path):
    """Keys that a column that is shown stands behind, and texts that no row has."""
    columns = (COLUMNS[0], Column("note"), *COLUMNS[1:])
    sheet = replace(SHEET, columns=columns, key="")
    write_workbook(tmp_path / "sheet.xlsx", Book("classify", (sheet,)))
    page = openpyxl.load_workbook(tmp_path / "sheet.xlsx")["templates"]
    shown = {cell.value: not page.column_dimensions[cell.column_letter].hidden for cell in page[1]}
    assert {name for name in shown if not shown[name]} == {"key", "note", "key_1"}
    assert [*shown][1] == "key" and page["B2"].value == "craft-001"
    # A marked copy shows the key that is to be corrected.
    wrong = changed(tmp_path / "sheet.xlsx", lambda page: page.__setitem__("F2", "craft-002"))
    found = read_sheet(open_workbook(wrong, "classify"), sheet)
    write_marked(wrong.read_bytes(), tmp_path / "marked.xlsx", found.marks)
    page = openpyxl.load_workbook(tmp_path / "marked.xlsx")["templates"]
    assert page["F1"].value == "key_1" and not page.column_dimensions["F"].hidden


@pytest.mark.parametrize(
    ("text", "height"),
    [("a\nb", 30), ("\u0627\n\u0628", 37.5), ("\u0915\nb\n\nd", 75), ("a", None)],
)
def test_a_row_is_as_high_as_its_script(text, height):
    """Lines of 15 points, and a quarter more where a letter is Arabic or Indic."""
    sheet = openpyxl.Workbook().active
    fit_height(sheet, 1, [(text, 40), ("a", 40)])
    assert sheet.row_dimensions[1].height == height
