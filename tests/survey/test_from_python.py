"""What the commands on the survey do, from Python: results have their numbers and tables."""

import json
from pathlib import Path

import pytest

from curation.files.demo import copy_demo
from curation.files.workspace import Workspace
from survey.filtering import filter


@pytest.fixture
def demo(tmp_path: Path) -> Workspace:
    """The demo before its survey was filtered."""
    copy_demo(tmp_path / "demo")
    return Workspace(tmp_path / "demo")


@pytest.fixture
def filtered(demo: Workspace) -> Workspace:
    """The demo after it."""
    filter(demo, [demo.responses_folder / "responses.csv"])
    return demo


def test_a_filter_that_writes_nothing(demo: Workspace) -> None:
    """Another threshold drops other templates, and the workspace stays as it was."""
    survey = [demo.responses_folder / "responses.csv"]
    run = filter(demo, survey, dry_run=True)
    table = run.to_frame()
    counts = table["status"].value_counts().to_dict()
    assert counts == {"kept": 30, "dropped": 5, "removed": 4, "undecided": 1}
    assert table["modified"].dtype == "bool"
    assert sorted(table.loc[table["modified"], "template_id"]) == [
        f"home_region-00{number}" for number in (2, 3, 4, 5)
    ]
    assert sum(row.before for row in run.funnel) == 36
    assert len(run.decisions) + 4 == len(run.added.decisions) == 130
    assert not demo.ledger_file.exists()
    strict = filter(demo, survey, dry_run=True, stereotype_share="0.9")
    assert (strict.to_frame()["status"] == "kept").sum() < 30


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
