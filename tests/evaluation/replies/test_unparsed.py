"""The workbook of unreadable replies: made, filled in by a person, read back."""

from pathlib import Path

import openpyxl
import pytest

from curation.files.workbooks import Book, write_workbook
from curation.records.errors import CurateError
from evaluation.replies.unparsed import KIND, Unparsed, first_rows, read_filled, unparsed_book

CHOICES = ("the potter", "the baker", "unknown")
GROUPS = [
    Unparsed("A or B", CHOICES, ("A", "B", "C"), "hedge", (("m", "q1"), ("m", "q2"), ("k", "q1"))),
    Unparsed("=1+1", CHOICES[:2], ("1", "2"), "unreadable", (("m", "q3"),)),
    Unparsed("hm\nB?", CHOICES, ("a", "b", "c"), "hedge", (("k", "q4"),)),
]
COLUMNS = {"reply": "C", "choices": "D", "count": "E", "choice": "G", "who": "H", "note": "I"}


@pytest.fixture(name="path")
def fixture_path(tmp_path: Path) -> Path:
    """Write the workbook."""
    path = tmp_path / "unread.xlsx"
    write_workbook(path, unparsed_book(GROUPS))
    return path


def fill(path: Path, **cells: str) -> None:
    """Fill in cells of the sheet, by column and row: `choice_2`."""
    book = openpyxl.load_workbook(path)
    for name, text in cells.items():
        column, row = name.split("_")
        book["replies"][f"{COLUMNS[column]}{row}"] = text
    book.save(path)


def test_a_person_sees_the_reply_and_its_choices(path: Path) -> None:
    """By place and label, how often, and why it was not read; no formula is run."""
    sheet = openpyxl.load_workbook(path)["replies"]
    rows = [[cell.value for cell in row[2:]] for row in sheet.iter_rows()]
    assert rows[0] == ["reply", "choices", "count", "rule", "choice", "who", "note"]
    assert rows[1][:4] == ["A or B", "A: the potter\nB: the baker\nC: unknown", "3", "hedge"]
    assert rows[2][:2] == ["'=1+1", "A (1): the potter\nB (2): the baker"]
    assert rows[3][1] == "A: the potter\nB: the baker\nC: unknown"
    (rule,) = (item for item in sheet.data_validations.dataValidation if "G2" in item.sqref)
    lists = openpyxl.load_workbook(path)["_lists"]
    values = [cell.value for cell in lists["A"] if cell.value]
    assert rule.formula1 == "'_lists'!$A$1:$A$4"
    assert values == ["A", "B", "C", "out-of-choice"]


def test_nothing_filled_in_is_nothing_read(path: Path) -> None:
    """Rows that are left empty stay unread."""
    assert read_filled(path) == {}


def test_what_a_person_read_is_found_by_model_and_request(path: Path) -> None:
    """A row speaks for all requests with this reply; 'out-of-choice' is a reading too."""
    fill(path, choice_2="B", who_2="Mina", choice_3="a", who_3="Mina", note_3="sum")
    fill(path, choice_4="Out-of-choice", who_4="Jun")
    assert read_filled(path) == {
        ("m", "q1"): 1,
        ("m", "q2"): 1,
        ("k", "q1"): 1,
        ("m", "q3"): 0,
        ("k", "q4"): None,
    }


def test_rows_may_be_sorted_and_taken_out(path: Path) -> None:
    """They are found by their keys, not by their numbers."""
    fill(path, choice_4="C", who_4="Jun")
    book = openpyxl.load_workbook(path)
    book["replies"].delete_rows(2, 2)
    book.save(path)
    assert read_filled(path) == {("k", "q4"): 2}


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        ({"choice_3": "C", "who_3": "M"}, "there is no choice C: the reply was shown A, B"),
        ({"choice_2": "D", "who_2": "M"}, "'D' is not one of the values of choice"),
        ({"choice_2": "A"}, "who is empty"),
        ({"choice_2": "=1", "who_2": "M"}, "the cell holds a formula"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_place(
    path: Path, cells: dict[str, str], message: str
) -> None:
    """With sheet, row and column; nothing is read of the others."""
    fill(path, **cells)
    with pytest.raises(CurateError, match=message) as caught:
        read_filled(path)
    row = next(iter(cells)).split("_")[1]
    assert f"row {row}" in caught.value.where
    assert "sheet replies" in caught.value.where


def test_hidden_parts_that_were_changed_are_refused(path: Path) -> None:
    """Which requests a row is about must be what it was."""
    book = openpyxl.load_workbook(path)
    book["requests"]["E2"] = '["q9"]'
    book.save(path)
    with pytest.raises(CurateError, match="read-only cells were changed"):
        read_filled(path)
    book["requests"].delete_rows(2)
    book.save(path)
    with pytest.raises(CurateError, match=r"hidden parts of unread\.xlsx were changed"):
        read_filled(path)
    del book["requests"]
    book.save(path)
    with pytest.raises(CurateError, match="there is no sheet 'requests'"):
        read_filled(path)


def test_other_workbooks_are_refused(tmp_path: Path) -> None:
    """A workbook for something else, and one that does not say how many choices there are."""
    path = tmp_path / "other.xlsx"
    write_workbook(path, Book("classify", ()))
    with pytest.raises(CurateError, match="not for 'unreadable'"):
        read_filled(path)
    write_workbook(path, Book(KIND, unparsed_book(GROUPS).sheets))
    with pytest.raises(CurateError, match="hidden parts"):
        read_filled(path)


def test_many_requests_fit_into_few_cells(tmp_path: Path) -> None:
    """Whatever their ids hold."""
    ids = [f'q "{at}", é\n' for at in range(5000)]
    group = Unparsed("hm", CHOICES, ("A", "B", "C"), "hedge", tuple(("m", name) for name in ids))
    path = tmp_path / "many.xlsx"
    write_workbook(path, unparsed_book([group]))
    assert openpyxl.load_workbook(path)["requests"].max_row < 12
    fill(path, choice_2="A", who_2="M")
    assert read_filled(path) == {("m", name): 0 for name in ids}


def test_long_replies_are_shown_in_part(tmp_path: Path) -> None:
    """A cell does not hold more; the key is of the whole reply."""
    long = Unparsed("x" * 40_000, CHOICES, ("A", "B", "C"), "unreadable", (("m", "q"),))
    longer = Unparsed("x" * 40_001, CHOICES, ("A", "B", "C"), "unreadable", (("m", "p"),))
    path = tmp_path / "long.xlsx"
    write_workbook(path, unparsed_book([long, longer]))
    shown = openpyxl.load_workbook(path)["replies"]["C2"].value
    assert isinstance(shown, str)
    assert "[... 32,000 characters ...]" in shown
    fill(path, choice_3="B", who_3="M")
    assert read_filled(path) == {("m", "p"): 1}


def test_the_most_frequent_replies_come_first() -> None:
    """What does not fit is counted."""
    taken, left_out = first_rows(GROUPS, 1)
    assert ([item.reply for item in taken], left_out) == (["A or B"], 2)
    assert [item.reply for item in first_rows(GROUPS)[0]] == ["A or B", "=1+1", "hm\nB?"]
