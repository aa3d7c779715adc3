"""`curate browse collect`: comments of the page come back."""

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from curation.files.workspace import Workspace
from exports.browse.identity import fingerprint

Curate = Callable[..., Any]
DROPPED, KEPT = "age-006", "age-001"


@pytest.fixture
def saved(filtered: Path) -> Path:
    """What Jun saved in the page."""
    workspace = Workspace(filtered)
    seen = {"stereotype": "", "ledger": len(workspace.decisions)}
    comments = [
        {
            "id": f"c{at}",
            "subject": subject,
            "kind": "template",
            "field": "",
            "text": "two people misread it",
            "proposal": proposal,
            "at": "2026-02-03T04:05:06Z",
            "seen": {**seen, "status": status},
        }
        for at, (subject, status, proposal) in enumerate(
            [(DROPPED, "excluded", "keep"), (KEPT, "kept", "")]
        )
    ]
    whole = {"format": 1, "fingerprint": fingerprint(workspace), "by": "Jun", "comments": comments}
    path = filtered.parent / "comments-jun.json"
    path.write_text(json.dumps(whole), encoding="utf-8")
    return path


def test_the_agenda_is_told(curate: Curate, filtered: Path, saved: Path) -> None:
    """What is open and where it is to be read; no line is wider than a terminal."""
    ran = curate("browse", "collect", saved, "-w", filtered)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == (
        "2 comments of 1 person: 2 new, 0 edited, 0 deleted, 0 older than those collected before.\n"
        "open          age-006: Jun proposes to keep; can be put into the ledger\n"
        "1 open, 1 remark\n"
        "2 subjects are on the agenda: annotations/comments_agenda.md\n"
    )
    with (filtered / "annotations" / "comments.csv").open(encoding="utf-8", newline="") as stream:
        assert [row["subject"] for row in csv.DictReader(stream)] == [KEPT, DROPPED]


def test_a_proposal_is_put_into_the_ledger_by_a_name(
    curate: Curate, filtered: Path, saved: Path
) -> None:
    """`curate explain` tells it then; a second time nothing is added."""
    dry = curate("browse", "collect", saved, "-w", filtered, "--by", "Mina", "--dry-run")
    assert "1 decision would be added to the ledger, 0 unchanged." in dry.out
    assert "check that no reason names a person" in dry.out
    ran = curate("browse", "collect", saved, "-w", filtered, "--by", "Mina")
    assert f"decided       {DROPPED}: keep, two people misread it\n" in ran.out
    assert "1 decision added to the ledger, 0 unchanged." in ran.out
    explained = curate("explain", DROPPED, "-w", filtered).out
    assert "override keep (two people misread it)  [Mina, " in explained
    again = curate("browse", "collect", saved, "-w", filtered, "--by", "Mina", "--json").json
    assert (again["ledger"], again["added"]) == ({"added": 0, "unchanged": 0}, 0)
    assert [(row["subject"], row["standing"]) for row in again["rows"]] == [
        (KEPT, "remark"),
        (DROPPED, "stands"),
    ]


def test_a_refused_file_ends_with_status_1(curate: Curate, filtered: Path, saved: Path) -> None:
    """All that is wrong is shown, and nothing is written."""
    whole = json.loads(saved.read_text("utf-8"))
    whole["comments"][0]["proposal"] = "maybe"
    whole["comments"][1]["at"] = ""
    saved.write_text(json.dumps(whole), encoding="utf-8")
    ran = curate("browse", "collect", saved, "-w", filtered)
    assert ran.code == 1
    assert 'comment 1, proposal: "maybe" is not one of keep, exclude, modify\n' in ran.out
    assert "comment 2: at is missing\n" in ran.out
    assert ran.out.endswith("Nothing was collected: 2 errors.\n")
    assert not (filtered / "annotations" / "comments.csv").exists()


def test_options_stand_after_the_command(curate: Curate, filtered: Path, saved: Path) -> None:
    """One before it would name a workspace that is then not taken."""
    ran = curate("browse", "-w", filtered, "collect", saved)
    assert (ran.code, "write --workspace after 'collect'" in ran.err) == (2, True)
    assert curate("browse", "collect", saved, "-w", filtered, "--by", " ").code == 2
