"""`curate export samples --text control`: the demo's templates with names in place of groups."""

import csv
from collections.abc import Callable
from pathlib import Path
from typing import Any

from curation.files.manifest import read_manifest

Curate = Callable[..., Any]


def test_a_control_set_is_written_with_what_a_person_reads(curate: Curate, filtered: Path) -> None:
    """Samples, one filling of each template, and the templates that are left out."""
    wanted = ("export", "samples", "-w", filtered, "--text", "control", "--set", "all,test")
    ran = curate(*wanted, "--leave-out", "age-002")
    folder = filtered / "exports" / "control"
    assert ran.code == 0
    assert ran.out.startswith("Wrote 2,592 control_samples, 176 control_test_samples to ")
    assert "a control set for comparison, not the benchmark" in ran.err
    assert {item.name for item in folder.iterdir()} == {
        *("control_samples.csv", "control_test_samples.csv", "control_templates.csv"),
        *("README.md", "manifest.json"),
    }
    with (folder / "control_templates.csv").open(encoding="utf-8", newline="") as stream:
        rows = {row["template_id"]: row for row in csv.DictReader(stream)}
    assert len(rows) == 31
    out = {name for name, row in rows.items() if row["in"] == "no"}
    assert out == {
        *("age-001", "age-002", "age-004", "occupation-005", "hobby-001", "hobby-003"),
        *("birth_season-001", "birth_season-003", "birth_season-005"),
    }
    assert rows["age-002"]["reason"] == "left out by hand"
    assert rows["occupation-005"]["reason"] == "[X1] says more of a person"
    assert rows["home_region-004"]["answer"] == "소영"
    assert "소영과 지은이 저마다" in rows["home_region-004"]["context"]
    settings = read_manifest(folder).settings
    assert (settings["text"], settings["names"], settings["left_out"]) == (
        "control",
        3,
        ["age-002"],
    )
    card = (folder / "README.md").read_text("utf-8")
    assert "**This is not the benchmark.**" in card
    assert "- `age-002`: left out by hand" in card
    again = curate("export", "samples", "-w", filtered, "--out", folder)
    assert again.code == 1
    assert "control holds a control set" in again.err
