"""`curate templates`: templates are deleted or set aside with a reason, and brought back."""

import csv
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from curation.files.workspace import Workspace
from curation.records.bank import Label

Curate = Callable[..., Any]
WHY = ("--by", "Mina", "--reason", "it is about no group of ours")


def bank(folder: Path) -> list[dict[str, str]]:
    """The rows of the bank."""
    with (folder / "templates_src" / "bank.csv").open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def broken(folder: Path, template: str) -> None:
    """Name a slot in a template that nothing declares, which no sample could fill."""
    path = folder / "templates_src" / "bank.csv"
    rows = bank(folder)
    for row in rows:
        if row["template_id"] == template:
            row["ambiguous_context"] = row["ambiguous_context"] + " [N7]"
            row["ambiguous_context_source"] = row["ambiguous_context_source"] + " [N7]"
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def errors(curate: Curate, folder: Path, *more: str) -> list[dict[str, Any]]:
    """The errors that are found in a workspace."""
    found = curate("check", "-w", folder, "--json", *more).json["findings"]
    return [item for item in found if item["severity"] == "error"]


@pytest.mark.parametrize("way", ["SR", "set aside", "deleted"])
def test_what_is_wrong_with_templates_out_of_use_stops_nothing(
    curate: Curate, filtered: Path, way: str
) -> None:
    """An error of a template in use is a warning there, and nothing at all where it is deleted."""
    workspace = Workspace(filtered)
    removed = [i for i in workspace.bank.templates() if i.label is Label.SAMPLE_REMOVED]
    template = str(removed[0].id) if way == "SR" else "age-001"
    before, release = errors(curate, filtered), errors(curate, filtered, "--release")
    broken(filtered, template)
    if way != "SR":
        assert len(errors(curate, filtered)) > len(before)
        command = "delete" if way == "deleted" else "set-aside"
        assert curate("templates", command, "-w", filtered, template, *WHY).code == 0
    assert errors(curate, filtered) == before
    # The survey's decisions were made on the texts as they were: 'curate filter' again.
    stale = [item["rule"] for item in errors(curate, filtered, "--release")[: -len(release)]]
    assert stale == ["release-stale"]
    found = curate("check", "-w", filtered, "--json").json["findings"]
    about = [item for item in found if "N7" in item["message"]]
    assert bool(about) is (way != "deleted")
    assert {item["severity"] for item in about} <= {"warning"}
