"""The workbook of unreadable replies: made, filled in by a person, read back."""

import numpy as np
import openpyxl
import pytest
from layouts import write_jsonl

from curation.files.workbooks import write_workbook
from curation.records.messages import CurateError
from evaluation.replies.rows import Alike, parse_replies, read_filled, unparsed_book

CHOICES = ("the potter", "the baker", "unknown")
GROUPS = [
    Alike("A or B", CHOICES, ("A", "B", "C"), "hedge", np.arange(3)),
    Alike("=1+1", CHOICES[:2], ("1", "2"), "unreadable", np.array([3])),
    Alike("hm\nB?", CHOICES, ("a", "b", "c"), "hedge", np.array([4])),
]
COLUMNS = {"reply": "B", "choices": "C", "count": "D", "choice": "F", "who": "H", "note": "J"}


@pytest.fixture(name="path")
def fixture_path(tmp_path):
    path = tmp_path / "unread.xlsx"
    write_workbook(path, unparsed_book(GROUPS))
    return path


def fill(path, **cells):
    """Fill in cells of the sheet, by column and row: `choice_2`."""
    book = openpyxl.load_workbook(path)
    for name, text in cells.items():
        column, row = name.split("_")
        book["replies"][f"{COLUMNS[column]}{row}"] = text
    book.save(path)


def test_a_person_sees_the_reply_and_its_choices(path):
    """By place and label, how often, and why it was not read; no formula is run."""
    sheet = openpyxl.load_workbook(path)["replies"]
    rows = [[row[0].value, *(cell.value for cell in row[2:])] for row in sheet.iter_rows()]
    assert rows[0][::2] == ["reply", "count", "choice", "who", "note"]
    assert rows[1][:4] == ["A or B", "A: the potter\nB: the baker\nC: unknown", "3", "hedge"]
    assert rows[2][:2] == ["'=1+1", "A (1): the potter\nB (2): the baker"]
    assert rows[3][1] == "A: the potter\nB: the baker\nC: unknown"
    (rule,) = (item for item in sheet.data_validations.dataValidation if "F2" in item.sqref)
    lists = openpyxl.load_workbook(path)["_lists"]
    values = [cell.value for cell in lists["B"] if cell.value]
    assert rule.formula1 == "'_lists'!$B$1:$B$4"
    assert values == ["A", "B", "C", "out-of-choice"]


def test_what_a_person_read_is_found_by_what_was_said(path):
    """A row speaks for all requests with this reply; 'out-of-choice' is a reading too."""
    fill(path, choice_2="B", who_2="Mina", choice_3="a", who_3="Mina", note_3="sum")
    fill(path, choice_4="Out-of-choice", who_4="Jun")
    assert read_filled(path) == dict(
        zip([item.digest for item in GROUPS], [1, 0, None], strict=True)
    )


def test_a_reply_that_was_changed_is_refused(path):
    """Which reply was judged is else not known."""
    book = openpyxl.load_workbook(path)
    book["replies"]["A2"] = "A and B"
    book.save(path)
    with pytest.raises(CurateError, match="only to be read was changed"):
        read_filled(path)


def test_what_was_read_of_other_replies_is_said(path, tmp_path):
    """Work of a person that counts for nothing is not passed over."""
    asked = {"request_id": "r", "messages": [{"role": "user", "content": "?"}], "choices": CHOICES}
    requests = write_jsonl(tmp_path / "requests.jsonl", [asked])
    fill(path, choice_2="B", who_2="Mina")
    for text, rules in (("hm", ["filled-unused"]), ("A or B", [])):
        said = {"request_id": "r", "model": "m", "reply": text}
        replies = write_jsonl(tmp_path / "replies.jsonl", [said])
        read = parse_replies(requests, [replies], filled=[path])
        assert [item.rule for item in read.findings] == rules
