"""Machine text that nobody has changed, on its way into a release."""

import csv
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from curation.files.tables import read_table

Curate = Callable[..., Any]
QUESTION = "biased_question"


@pytest.fixture
def unread(ready: Path) -> tuple[Path, str]:
    """A workspace that is ready except for one question, which is as a machine wrote it."""
    path = ready / "templates_src" / "bank.csv"
    rows = [dict(row.cells) for row in read_table(path).rows]
    template = next(row["template_id"] for row in rows if row["label"] == "ST")
    for row in rows:
        theirs = row["template_id"] == template
        row[f"{QUESTION}_machine"] = row[QUESTION] if theirs else ""
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    return ready, template


def rules(curate: Curate, folder: Path) -> dict[str, str]:
    """What the check of a release finds of machine text: messages by rule."""
    ran = curate("check", "--release", "-w", folder, "--json")
    wanted = ("release-unconfirmed", "release-not-asked")
    return {f["rule"]: f["message"] for f in ran.json["findings"] if f["rule"] in wanted}


def step_of(curate: Curate, folder: Path, template: str) -> tuple[str, list[str]]:
    """Where a template stands, and what is to be confirmed."""
    found = curate("status", "-w", folder, "--json").json
    steps = {row["template_id"]: row["step"] for row in found["templates"]}
    owed = [item["do"] for item in found["owed"] if item["what"] == "confirm"]
    return steps[template], owed


def card(curate: Curate, folder: Path, out: Path) -> str:
    """The card of a package, which may be a draft."""
    assert curate("export", "package", "--draft", "-w", folder, "--out", out).code == 0
    return " ".join((out / "README.md").read_text(encoding="utf-8").split())


def test_unconfirmed_text_stops_a_release_until_somebody_confirms_it(
    curate: Curate, unread: tuple[Path, str], tmp_path: Path
) -> None:
    """Status, check and card say it; afterwards the card says how many were confirmed."""
    folder, template = unread
    found = rules(curate, folder)
    texts = found["release-unconfirmed"].split(" has ")[1].split(" text")[0]
    assert [*found] == ["release-unconfirmed"]
    assert found["release-unconfirmed"].startswith(template)
    step, owed = step_of(curate, folder, template)
    assert (step, owed) == (
        *("surveyed", ["curate translate collect --accept-unchanged --by NAME"]),
    )
    refused = curate("export", "hub", "-w", folder, "--out", tmp_path / "hub")
    assert (refused.code, (tmp_path / "hub").exists()) == (1, False)
    assert found["release-unconfirmed"] in refused.err
    assert f"nobody has confirmed {texts}" in card(curate, folder, tmp_path / "before")
    ran = curate("translate", "collect", "-w", folder, "--accept-unchanged", "--by", "Reader One")
    assert ran.code == 0
    assert rules(curate, folder) == {}
    assert step_of(curate, folder, template) == ("kept", [])
    said = card(curate, folder, tmp_path / "after")
    assert f"the machine wrote {'it' if texts == '1' else 'them'}: {texts} w" in said
    assert "confirmed by a person" in said
    assert "nobody has confirmed" not in said
    assert "Reader One" not in said
    ledger = read_table(folder / "decisions.csv").rows[-1]
    assert (ledger["subject"], ledger["stage"], ledger["rule"], ledger["by"]) == (
        *(template, "translate", "unchanged", "Reader One"),
    )
    explained = curate("explain", template, "-w", folder)
    assert (explained.code, "Reader One" in explained.out) == (0, True)


def test_a_text_that_was_collected_earlier_is_a_warning(
    curate: Curate, unread: tuple[Path, str]
) -> None:
    """Nobody is locked out: the table from before says nothing of a confirmation."""
    folder, template = unread
    assert curate("translate", "collect", "-w", folder, "--accept-unchanged", "--by", "X").code == 0
    path = folder / "annotations" / "translated.csv"
    rows = read_table(path).rows
    kept = [name for name in rows[0].cells if not name.startswith("confirmed")]
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(kept)
        writer.writerows([[row[name] for name in kept] for row in rows])
    found = rules(curate, folder)
    assert [*found] == ["release-not-asked"]
    assert found["release-not-asked"].startswith(template)
    assert step_of(curate, folder, template) == ("kept", [])
