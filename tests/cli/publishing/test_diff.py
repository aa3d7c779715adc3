"""`curate diff`."""

import csv
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from curation import DATA_FORMAT

Curate = Callable[..., Any]
Edit = Callable[..., None]


@pytest.fixture
def changed(ready: Path, tmp_path: Path, edit: Edit) -> Path:
    """The demo in which a text, a list, a group, a threshold and a decision are other ones."""
    folder = tmp_path / "changed"
    shutil.copytree(ready, folder)
    bank = folder / "templates_src" / "bank.csv"
    edit(bank, "꿀떡", "찹쌀떡")
    edit(folder / "templates_src" / "groups.csv", "초등학생, 동네 꼬마", "초등학생")
    edit(folder / "culture.yaml", 'version: "1.0"', 'version: "1.1"')
    with (folder / "decisions.csv").open("a", encoding="utf-8") as stream:
        stream.write("hobby-001,manual,override,drop,too like another,,,,,,,,,me,2026-01-02\n")
    return folder


def test_nothing_changed_is_said(curate: Curate, ready: Path) -> None:
    """And is no error."""
    ran = curate("diff", ready, ready)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == "From MareviBBQ 1.0 to MareviBBQ 1.0\nNothing changed.\n"
    found = curate("diff", ready, "-w", ready, "--json").json
    assert (found["same"], found["not_compared"]) == (True, [])


def test_what_changed_is_told_by_template_sample_column_and_setting(
    curate: Curate, ready: Path, changed: Path
) -> None:
    """Old and new, and by category."""
    found = curate("diff", ready, changed, "--json").json
    templates = found["templates"]
    assert templates["added"] == []
    assert [item["id"] for item in templates["removed"]] == ["hobby-001a", "hobby-001b"]
    assert templates["removed"][0]["reason"] == "dropped: too like another"
    assert [item["id"] for item in templates["changed"]] == [f"age-001{v}" for v in "abcd"]
    before, after = templates["changed"][0]["columns"]["ambiguous_context"]
    assert before.replace("꿀떡", "찹쌀떡") == after != before
    rows = {row["category"]: row for row in found["categories"]}
    assert rows["Age"] == {
        **{"category": "Age", "templates_added": 0, "templates_removed": 0},
        **{"templates_changed": 1, "samples_added": 0, "samples_removed": 0},
        "samples_changed": 192,
    }
    assert rows["Hobby"]["templates_removed"] == 1
    assert rows["Hobby"]["samples_removed"] == len(found["samples"]["removed"]) > 0
    assert all(name.startswith("hobby-001") for name in found["samples"]["removed"])
    assert found["samples"]["columns"] == {"context": 192}
    first = found["samples"]["changed"][0]
    assert first["id"] == "age-001a-001-amb-bsd"
    assert (
        first["columns"]["context"][0].replace("꿀떡", "찹쌀떡") == first["columns"]["context"][1]
    )
    assert found["test_set"]["before"] == 256
    assert found["test_set"]["removed"]
    assert all(name.startswith("hobby-001") for name in found["test_set"]["removed"])
    (group,) = found["groups"]["changed"]
    assert group["columns"] == {"fillers": ["[초등학생, 동네 꼬마]", "[초등학생]"]}
    assert found["settings"] == [{"key": "version", "before": "1.0", "after": "1.1"}]


def test_the_other_way_round_what_was_removed_is_added(
    curate: Curate, ready: Path, changed: Path
) -> None:
    """Nothing else differs."""
    one = curate("diff", ready, changed, "--json").json
    two = curate("diff", changed, ready, "--json").json
    assert [item["id"] for item in two["templates"]["added"]] == ["hobby-001a", "hobby-001b"]
    assert two["templates"]["removed"] == []
    assert two["samples"]["added"] == one["samples"]["removed"]
    assert len(two["samples"]["changed"]) == len(one["samples"]["changed"]) == 192


def test_the_changelog_is_written_as_markdown(
    curate: Curate, ready: Path, changed: Path, tmp_path: Path
) -> None:
    """With what a reader of a release looks for."""
    path = tmp_path / "CHANGES.md"
    ran = curate("diff", ready, changed, "--markdown", path)
    assert (ran.code, ran.out.splitlines()[-1]) == (0, f"Wrote {path}.")
    text = path.read_text("utf-8")
    for part in (
        "# Changes from MareviBBQ 1.0 to MareviBBQ 1.1\n",
        "| Age | 0 | 0 | 1 | 0 | 0 | 192 |\n",
        "## Templates removed\n\n- hobby-001: ",
        " (dropped: too like another)\n",
        "### age-001\n",
        "Columns that differ: `context` in 192.",
        "- `version`: `1.0` → `1.1`\n",
        "- Age: 어린이: fillers: `[초등학생, 동네 꼬마]` → `[초등학생]`\n",
    ):
        assert part in text, part


@pytest.mark.parametrize("form", ["csv", "tsv", "jsonl", "parquet"])
def test_samples_of_any_format_are_compared(
    curate: Curate, ready: Path, changed: Path, tmp_path: Path, form: str, edit: Edit
) -> None:
    """With those of a workspace, and only them: the same samples are the same in every format."""
    out = tmp_path / "samples"
    curate("export", "samples", "-w", ready, "--out", out, "--set", "all,test", "--format", form)
    found = curate("diff", out, ready, "--json").json
    assert (found["same"], found["not_compared"]) == (True, ["templates", "groups", "settings"])
    other = curate("diff", out, changed, "--json").json
    assert other["samples"]["columns"] == {"context": 192}
    assert len(other["samples"]["removed"]) > 0


@pytest.mark.parametrize("form", ["csv", "jsonl", "parquet"])
def test_banks_are_compared(
    curate: Curate, ready: Path, changed: Path, tmp_path: Path, form: str
) -> None:
    """Cell by cell, with the reasons of what fell."""
    outs = tmp_path / "one", tmp_path / "two"
    for folder, out in zip((ready, changed), outs, strict=True):
        curate("export", "bank", "-w", folder, "--out", out, "--format", form)
    found = curate("diff", *outs, "--json").json
    assert [item["id"] for item in found["templates"]["changed"]] == [f"age-001{v}" for v in "abcd"]
    assert found["templates"]["removed"][0]["reason"] == "dropped: too like another"
    assert found["not_compared"] == ["samples", "test", "groups", "settings"]
    assert curate("diff", outs[0], outs[0], "--json").json["same"] is True


def test_packages_and_hub_folders_are_compared(
    curate: Curate, released: Path, tmp_path: Path, edit: Edit
) -> None:
    """By the samples that they hold, not by what the tool would make of them now."""
    package = released / "exports" / "package"
    assert curate("diff", package, released, "--json").json["same"] is True
    curate("export", "package", "-w", released, "--zip", "--out", tmp_path / "1.zip")
    assert curate("diff", tmp_path / "1.zip", package, "--json").json["same"] is True
    curate("export", "hub", "-w", released, "--out", tmp_path / "hub")
    found = curate("diff", tmp_path / "hub", released, "--json").json
    assert (found["samples"]["changed"], found["samples"]["added"]) == ([], [])
    assert found["test_set"]["added"] == []
    edit(package / "workspace" / "templates_src" / "bank.csv", "꿀떡", "찹쌀떡")
    found = curate("diff", package, released, "--json").json
    assert found["samples"]["changed"] == []
    assert len(found["templates"]["changed"]) == 4


def test_formulas_of_spreadsheets_are_not_differences(
    curate: Curate, ready: Path, tmp_path: Path, edit: Edit
) -> None:
    """The mark that keeps a cell from being run is no part of the text."""
    edit(ready / "culture.yaml", 'unknown: "알 수 없음"', 'unknown: "=알 수 없음"')
    out = tmp_path / "samples"
    curate("export", "samples", "-w", ready, "--out", out)
    with (out / "samples.csv").open(encoding="utf-8", newline="") as stream:
        assert next(csv.DictReader(stream))["answer"] == "'=알 수 없음"
    assert curate("diff", out, ready, "--json").json["samples"]["changed"] == []


def test_what_cannot_be_compared_is_refused(curate: Curate, ready: Path, tmp_path: Path) -> None:
    """A folder of something else, a damaged table, a sample that occurs twice."""
    ran = curate("diff", ready / "responses", ready)
    assert (ran.code, "responses holds nothing that can be compared" in ran.err) == (1, True)
    assert curate("diff", tmp_path / "no", ready).code == 2
    out = tmp_path / "out"
    curate("export", "samples", "-w", ready, "--out", out, "--format", "jsonl")
    path = out / "samples.jsonl"
    lines = path.read_text("utf-8").splitlines(keepends=True)
    path.write_text("".join([*lines, lines[0]]), encoding="utf-8")
    ran = curate("diff", out, ready)
    assert (ran.code, "samples.jsonl holds a sample twice" in ran.err) == (1, True)
    path.write_text('{"sample_id": ', encoding="utf-8")
    ran = curate("diff", out, ready)
    assert (ran.code, "samples.jsonl cannot be read" in ran.err) == (1, True)
    path.write_text(json.dumps({"sample_id": "a"}) + "\n", encoding="utf-8")
    ran = curate("diff", out, ready)
    assert (ran.code, "samples.jsonl has samples without template_id" in ran.err) == (1, True)


def test_a_package_of_a_later_version_is_refused(
    curate: Curate, released: Path, edit: Edit
) -> None:
    """What it holds may mean something else."""
    package = released / "exports" / "package"
    edit(package / "manifest.json", f'"data_format": {DATA_FORMAT}', '"data_format": 99')
    ran = curate("diff", package, released)
    assert ran.code == 1
    assert "the folder has data format 99" in ran.err


def test_samples_that_a_package_has_lost_are_not_made_again(curate: Curate, released: Path) -> None:
    """It may have held others; that they are not there is said."""
    package = released / "exports" / "package"
    shutil.rmtree(package / "samples")
    ran = curate("diff", package, released)
    assert ran.code == 0
    assert "not compared, because one side lacks it: samples" in ran.err
