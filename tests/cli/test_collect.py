"""Files that people returned, of several kinds in one call: what is taken, and what is not."""

import json
from pathlib import Path

import openpyxl
import pytest

TWICE = ["annotation-person-twice"] * 2
PAIR = {"Ada": "ST", "Bob": "TM"}


@pytest.fixture
def returned(curate, workspace):
    def fill(who, name, labels):
        path = workspace / "annotations" / "sheets" / f"classify-{who}.xlsx"
        if not path.exists():
            curate("classify", "sheet", "-w", workspace, "--annotator", who)
        book = openpyxl.load_workbook(path)
        sheet = book["templates"]
        rows = [[cell.value for cell in row] for row in sheet.iter_rows()]
        head = next(at for at, row in enumerate(rows) if "label" in row)
        key, label = rows[head].index("template_id"), rows[head].index("label")
        for at, row in enumerate(rows[head + 1 :], start=head + 2):
            if row[key] in labels:
                sheet.cell(at, label + 1).value = labels[row[key]]
        book.save(workspace.parent / name)
        return workspace.parent / name

    return fill


def test_a_bad_file_stops_no_other(curate, workspace, returned):
    """Good ones are collected, of each kind; what all agree on waits for the one left out."""
    both = {"craft-001": "ST", "craft-002": "TM"}
    ada, bob = returned("Ada", "ada.xlsx", both), returned("Bob", "bob, 2.xlsx", both)
    bad = returned("Cy", "cy, sheet.xlsx", {"craft-001": "XX"})
    nothing = workspace.parent / "note.csv"
    nothing.write_text("a,b\n1,2\n", encoding="utf-8")
    curate("new", "sheet", "-w", workspace)
    empty = workspace / "annotations" / "sheets" / "new-templates.xlsx"
    files = (bad, ada, nothing, empty, bob, workspace.parent / "nowhere.xlsx")
    ran = curate("collect", "-w", workspace, *files, "--by", "Ada", "--json")
    assert ran.code == 1
    [labels] = ran.json["collected"]
    assert (labels["kind"], labels["files"]) == ("classify", [str(ada), str(bob)])
    assert [item["annotator"] for item in labels["annotators"]] == ["Ada", "Bob"]
    assert {name: len(left) for name, left in labels["waiting"].items()} == {"Cy": 2}
    assert (labels["recorded"], labels["to_record"]) == (None, ["craft-001", "craft-002"])
    refused = [Path(item["files"][0]).name for item in ran.json["refused"]]
    assert {*refused} == {nothing.name, "nowhere.xlsx", bad.name, empty.name}
    assert not (workspace / "decisions.csv").exists()
    ran = curate("collect", "-w", workspace, bob, "--by", "Ada", "--json")
    settled = ran.json["collected"][0]["recorded"]["settled"]
    assert [row["label"] for row in settled] == ["ST", "TM"]
    # Asked to record is what both think now: not of what a meeting decided, nor what they contest.
    curate("override", "craft-002", "--as", "SR", "--by", "Ada", "--reason", "so", "-w", workspace)
    both = {"craft-001": "TM", "craft-002": "ST"}
    files = [returned(who, f"{who}.xlsx", both) for who in ("Ada", "Bob")]
    curate("collect", "-w", workspace, *files)
    owed = curate("status", "-w", workspace, "--json").json["owed"]
    assert [item["items"] for item in owed if item["what"] == "record"] == [["craft-001"]]


def test_a_table_of_another_place_is_none_of_the_workspace(curate, workspace, returned):
    """Only the workspace's own labels are shown again; each file is named where there are two."""
    file = returned("Ada", "ada.xlsx", {"craft-001": "ST"})
    assert "Not taken" not in curate("collect", "-w", workspace, file).out
    own, other = workspace / "annotations" / "classify.csv", workspace.parent / "classify.csv"
    other.write_text("a,b\n1,2\n", encoding="utf-8")
    ran = curate("collect", "-w", workspace, own, other)
    assert (ran.code, ran.out.startswith(f"classify: {own}\n")) == (1, True)
    assert f"\nNot taken: {other}\n" in ran.out
    assert curate("collect", "-w", workspace).code == 2


def test_what_was_collected_stays_where_a_workbook_has_it_no_more(curate, workspace, returned):
    """Of two states of one workbook the older may come last; what is gone from it is named."""
    new = returned("Ada", "new.xlsx", {"craft-001": "ST", "craft-002": "TM"})
    old = returned("Ada", "old.xlsx", {"craft-001": "TM"})
    assert curate("collect", "-w", workspace, new, "--json").code == 0
    [found] = curate("collect", "-w", workspace, old, "--json").json["collected"]
    [kept] = [one for one in found["findings"] if one["rule"] == "annotation-kept"]
    assert "Ada has no answer any more in 1 row " in kept["message"]
    assert kept["message"].endswith("stay: craft-002")
    assert found["annotators"][0]["labels"] == {"ST": 0, "TM": 2, "SR": 0}
    again = curate("collect", "-w", workspace, new, "--json").json["collected"]
    assert again[0]["annotators"][0]["labels"] == {"ST": 1, "TM": 1, "SR": 0}
    # A later workbook of other templates says nothing of those before.
    (workspace / "annotations" / "sheets" / "classify-Ada.xlsx").unlink()
    curate("classify", "sheet", "-w", workspace, "--annotator", "Ada", "--template", "craft-002")
    other = returned("Ada", "other.xlsx", {"craft-002": "ST"})
    [found] = curate("collect", "-w", workspace, other, "--json").json["collected"]
    assert found["annotators"][0]["labels"] == {"ST": 2, "TM": 0, "SR": 0}
    assert "annotation-kept" not in {one["rule"] for one in found["findings"]}


def test_a_dry_run_of_an_agenda_writes_no_marked_copy(curate, workspace, returned):
    """An error in it is told, and nothing is written."""
    both = [returned(who, f"{who}.xlsx", {"craft-001": label}) for who, label in PAIR.items()]
    curate("collect", "-w", workspace, *both)
    agenda = workspace / "annotations" / "agenda.xlsx"
    book = openpyxl.load_workbook(agenda)
    cells = [cell for row in book["agenda"].iter_rows(max_row=3) for cell in row]
    label = next(cell.column for cell in cells if cell.value == "label")
    key = next(cell for cell in cells if cell.value == "craft-001")
    book["agenda"].cell(key.row, label).value = "XX"
    book.save(agenda)
    ran = curate("collect", "-w", workspace, agenda, "--by", "Ada", "--dry-run")
    assert (ran.code, "'XX'" in ran.out + ran.err) == (1, True)
    assert not (workspace / "annotations" / "marked").exists()


def test_comments_and_labels_in_one_call(curate, workspace, returned):
    """A file that begins as JSON is one of comments; its own reader says what is wrong with it."""
    file = returned("Ada", "ada.xlsx", {"craft-001": "ST"})
    odd = workspace.parent / "comments.json"
    odd.write_text(json.dumps({"comments": []}), encoding="utf-8")
    ran = curate("collect", "-w", workspace, odd, file, "--json")
    assert [item["kind"] for item in ran.json["collected"]] == ["classify"]
    assert [item["files"] for item in ran.json["refused"]] == [[str(odd)]]
