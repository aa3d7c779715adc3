"""What the commands on the survey do, from Python: results have their numbers and tables."""

import json
from pathlib import Path

import pytest

from curation.files.workspace import Workspace
from curation.initial import copy_demo
from survey.filtering import filter


@pytest.fixture
def demo(tmp_path: Path) -> Workspace:
    """The demo before its survey was filtered."""
    copy_demo(tmp_path / "demo")
    return Workspace(tmp_path / "demo")


def test_what_published_counts_double_and_name_is_said(demo: Workspace, tmp_path: Path) -> None:
    """An entry that repeats another one; a template that stands on counts of other groups."""
    template = next(
        item for item in demo.bank.templates() if str(item.id) == "age-001" and item.stereotype
    )
    entry = {
        "category": template.category,
        "stereotype": template.stereotype,
        "survey_stats": {"Knitters": 80, "Quilters": 4, "no_stereo": 16},
    }
    path = tmp_path / "counts.json"
    path.write_text(json.dumps([entry, entry]), encoding="utf-8")
    run = filter(demo, [path], dry_run=True)
    (doubled,) = [item for item in run.findings if item.rule == "survey-doubled-entry"]
    assert doubled.file == str(path)
    assert doubled.message.startswith("entry 2 repeats entry 1: ")
    assert len(run.tallies) == 1
    by_id = {str(item.template.id): item for item in run.outcomes}
    assert by_id["age-001"].status == "undecided"

    path.write_text(json.dumps([entry, {**entry, "template_id": "age-001"}]), encoding="utf-8")
    run = filter(demo, [path], dry_run=True)
    by_id = {str(item.template.id): item for item in run.outcomes}
    assert by_id["age-001"].status == "kept"
    assert [item for item in run.findings if item.rule == "survey-doubled-entry"] == []
    (linked,) = [item for item in run.findings if item.rule == "survey-linked-by-id"]
    assert linked.message == (
        "age-001 is decided by the counts that name it, but these are about groups that it does "
        "not name: "
        "Knitters / Quilters"
    )
    assert run.final.modified == ()
