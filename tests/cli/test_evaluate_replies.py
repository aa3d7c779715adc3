"""`curate evaluate replies`: how replies are read, shown, filled in by a person."""

import csv
import json
from pathlib import Path
from typing import Any

import openpyxl
import pytest

CHOICES = ["the potter", "the baker", "unknown"]
REPLIES = {
    "q1": "A",
    "q2": "(B) The baker.",
    "q3": "unknown",
    "q4": "Both",
    "q5": "Both",
    "q6": "maybe A",
    "q7": "The answer is C.",
}
ROWS = [
    {
        "request_id": "q1",
        "model": "m",
        "choice": "A",
        "choice_text": "the potter",
        "rule": "letter",
    },
    {"request_id": "q2", "model": "m", "choice": "B", "choice_text": "the baker", "rule": "letter"},
    {"request_id": "q3", "model": "m", "choice": "C", "choice_text": "unknown", "rule": "text"},
    {"request_id": "q4", "model": "m", "choice": None, "choice_text": None, "rule": "unreadable"},
    {"request_id": "q5", "model": "m", "choice": None, "choice_text": None, "rule": "unreadable"},
    {"request_id": "q6", "model": "m", "choice": None, "choice_text": None, "rule": "hedge"},
    {"request_id": "q7", "model": "m", "choice": "C", "choice_text": "unknown", "rule": "stated"},
]


def write(path: Path, *lines: object) -> Path:
    """Write JSON lines; a text is a line as it is."""
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    path.write_text("\n".join([*texts, ""]), encoding="utf-8")
    return path


@pytest.fixture
def requests(tmp_path: Path) -> Path:
    """Requests that show three choices."""
    lines = [{"request_id": name, "choices": CHOICES} for name in REPLIES]
    return write(tmp_path / "requests.jsonl", *lines)


@pytest.fixture
def replies(tmp_path: Path) -> Path:
    """Replies to all of them."""
    lines = [
        {"request_id": name, "model": "m", "reply": text, "usage": {"tokens": 1}}
        for name, text in REPLIES.items()
    ]
    return write(tmp_path / "replies.jsonl", *lines)


@pytest.fixture
def show(curate: Any, requests: Path, replies: Path) -> Any:
    """Run the command on these."""

    def run(*options: object) -> Any:
        return curate("evaluate", "replies", "--requests", requests, "--replies", replies, *options)

    return run


def test_every_reply_is_shown_with_its_choice_and_rule(show: Any) -> None:
    """The rows are a contract: letter by place or null, text of the choice or null, rule."""
    ran = show("--json")
    assert ran.code == 0
    assert ran.json["rows"] == ROWS
    assert ran.json["rules"] == {
        "hedge": 1,
        "letter": 2,
        "stated": 1,
        "text": 1,
        "unreadable": 2,
    }
    assert (ran.json["mode"], ran.json["out_of_choice"], ran.json["failed"]) == ("strict", 3, {})
    assert ran.json["findings"] == []
    assert "difference" not in ran.json


def test_the_summary_counts_by_rule(show: Any) -> None:
    """Each rule with its sentence, its replies and their share, in the order of the rules."""
    ran = show()
    assert ran.code == 0
    lines = [line.split() for line in ran.out.splitlines() if line.endswith("%")]
    assert [(line[0], *line[-2:]) for line in lines[:5]] == [
        ("letter", "2", "28.6%"),
        ("text", "1", "14.3%"),
        ("stated", "1", "14.3%"),
        ("hedge", "1", "14.3%"),
        ("unreadable", "2", "28.6%"),
    ]
    assert ran.out.endswith("7 replies, 3 out-of-choice (42.9%).\n")


def test_explain_shows_what_each_rule_read_and_what_the_script_reads_otherwise(show: Any) -> None:
    """Examples of each rule, and the table of both modes."""
    ran = show("--explain")
    assert ran.code == 0
    assert "unreadable:\n          2 x  -  'Both'\n" in ran.out
    assert "stated:\n          1 x  C  'The answer is C.'\n" in ran.out
    assert "3 of 7 replies are parsed differently by KoBBQ's script; m: 3.\n" in ran.out
    assert "2 x  out_of_choice (unreadable), kobbq B (letter):  'Both'\n" in ran.out
    found = show("--explain", "--json").json
    assert found["examples"]["hedge"] == [
        {"reply": "maybe A", "choices": CHOICES, "choice": None, "count": 1}
    ]
    assert found["difference"]["otherwise"] == 3
    assert found["difference"]["table"]["out_of_choice"] == {
        "A": 0,
        "B": 2,
        "C": 0,
        "out_of_choice": 1,
    }
    assert found["difference"]["table"]["C"]["out_of_choice"] == 1


def test_the_mode_of_kobbq_reads_as_its_script(show: Any) -> None:
    """'Both' is B, and a stated answer in English is none."""
    found = show("--mode", "kobbq", "--json").json
    assert [(row["choice"], row["rule"]) for row in found["rows"]] == [
        ("A", "letter"),
        ("B", "letter_text"),
        ("C", "text"),
        ("B", "letter"),
        ("B", "letter"),
        (None, "unread"),
        (None, "unread"),
    ]
    shown = " ".join(show("--mode", "kobbq").out.split())
    assert "begins with A, B or C" in shown


def test_rows_are_written_as_csv_and_as_json_lines(show: Any, tmp_path: Path) -> None:
    """The same rows; null is an empty cell."""
    table, lines = tmp_path / "rows.csv", tmp_path / "rows.jsonl"
    assert show("--out", table).code == 0
    assert show("--out", lines).out.endswith(f"Wrote {lines}.\n")
    with table.open(encoding="utf-8", newline="") as stream:
        read = list(csv.DictReader(stream))
    assert read == [{name: cell or "" for name, cell in row.items()} for row in ROWS]
    assert [json.loads(line) for line in lines.read_text("utf-8").splitlines()] == ROWS


def test_a_person_reads_what_no_rule_could(show: Any, tmp_path: Path) -> None:
    """From the workbook that is written to the rows that honour it."""
    path = tmp_path / "unread.xlsx"
    ran = show("--unreadable", path)
    assert ran.code == 0
    assert f"Wrote {path}: 2 rows for a person to fill in." in ran.out
    book = openpyxl.load_workbook(path)
    sheet = book["replies"]
    assert [sheet[f"C{row}"].value for row in (2, 3)] == ["Both", "maybe A"]
    assert [sheet[f"E{row}"].value for row in (2, 3)] == ["2", "1"]
    sheet["G2"], sheet["H2"] = "out-of-choice", "Mina"
    sheet["G3"], sheet["H3"] = "A", "Mina"
    book.save(path)
    found = show("--filled", path, "--json").json
    assert found["rows"][3:6] == [
        {**ROWS[3], "rule": "person"},
        {**ROWS[4], "rule": "person"},
        {**ROWS[5], "choice": "A", "choice_text": "the potter", "rule": "person"},
    ]
    assert found["rules"]["person"] == 3
    again = show("--filled", path, "--unreadable", tmp_path / "again.xlsx")
    assert again.code == 1
    assert "every reply was read" in again.err


def test_a_workbook_that_may_be_filled_in_is_not_written_over(show: Any, tmp_path: Path) -> None:
    """The same one again changes nothing; another one is refused."""
    path = tmp_path / "unread.xlsx"
    assert show("--unreadable", path, "--json").json["unreadable"] == {
        "file": str(path),
        "rows": 2,
        "left_out": 0,
    }
    before = path.read_bytes()
    assert show("--unreadable", path).code == 0
    assert path.read_bytes() == before
    book = openpyxl.load_workbook(path)
    book["replies"]["G2"] = "A"
    book.save(path)
    ran = show("--unreadable", path)
    assert ran.code == 1
    assert "which may have been filled in" in ran.err


def test_what_is_missing_is_said_and_does_not_fail(curate: Any, tmp_path: Path) -> None:
    """Missing requests and failed calls are named; a reply to nothing is left out."""
    requests = write(
        tmp_path / "requests.jsonl",
        *({"request_id": name, "choices": CHOICES} for name in ("q1", "q2", "q3")),
    )
    replies = write(
        tmp_path / "replies.jsonl",
        {"request_id": "q1", "model": "m", "reply": "A"},
        {"request_id": "q2", "model": "m", "reply": None, "error": {"type": "timeout"}},
        {"request_id": "q9", "model": "m", "reply": "A"},
    )
    ran = curate("evaluate", "replies", "--requests", requests, "--replies", replies)
    assert ran.code == 0
    assert "1 reply, 0 out-of-choice (0.0%).\n1 call failed: timeout\n" in ran.out
    assert "m: 2 of 3 requests have no reply: q2, q3" in ran.err
    assert "1 of its replies answer none of the requests and are left out: q9" in ran.err


def test_a_damaged_line_is_named_and_the_others_are_shown(
    show: Any, replies: Path, requests: Path
) -> None:
    """It may hold a reply: the command says so by its exit status."""
    replies.write_text(replies.read_text("utf-8") + "nonsense\n", "utf-8")
    ran = show("--json")
    assert ran.code == 1
    assert ran.json["rows"] == ROWS
    (finding,) = ran.json["findings"]
    assert (finding["rule"], finding["row"], finding["severity"]) == ("jsonl-line", 8, "error")
    requests.write_text("nonsense", "utf-8")
    ran = show()
    assert (ran.code, ran.out) == (1, "")
    assert "requests.jsonl, line 1" in ran.err


def test_wrong_usage_is_refused(show: Any, curate: Any, tmp_path: Path) -> None:
    """Before anything is read."""
    assert show("--out", tmp_path / "rows.txt").code == 2
    assert show("--unreadable", tmp_path / "unread.csv").code == 2
    assert show("--mode", "lax").code == 2
    assert curate("evaluate", "replies").code == 2
    assert list(tmp_path.glob("*.txt")) == []


def test_labels_other_than_letters_are_read(curate: Any, tmp_path: Path) -> None:
    """The letter of a row is that of the place, whatever the label was."""
    requests = write(
        tmp_path / "requests.jsonl",
        {"request_id": "q1", "choices": CHOICES, "labels": ["1", "2", "3"]},
        {"request_id": "q2", "choices": CHOICES, "labels": ["1", "2", "3"]},
    )
    replies = write(
        tmp_path / "replies.jsonl",
        {"request_id": "q1", "model": "m", "reply": "2번입니다."},
        {"request_id": "q2", "model": "m", "reply": "B"},
    )
    ran = curate("evaluate", "replies", "--requests", requests, "--replies", replies, "--json")
    assert [row["choice"] for row in ran.json["rows"]] == ["B", None]
