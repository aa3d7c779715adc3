"""What the commands on the survey do, from Python: results have their numbers and tables."""

import json
from pathlib import Path

import pytest

from curation.files.demo import copy_demo
from curation.files.workspace import Workspace
from curation.records.errors import CurateError
from curation.records.settings_errors import SettingError
from survey.bank import final_bank
from survey.building.build import build
from survey.explaining import explain
from survey.filtering import filter
from survey.inspecting import inspect
from survey.overriding import override
from survey.progress import status
from survey.reporting.report import report


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


def test_a_threshold_that_cannot_be_is_named(demo: Workspace) -> None:
    """By its key, so that a command can name its option."""
    with pytest.raises(SettingError) as refused:
        filter(demo, [], stereotype_share="much")
    assert refused.value.setting == "stereotype_share"
    with pytest.raises(SettingError, match="there is no such setting"):
        filter(demo, [], share=1)


def test_what_the_filter_wrote_is_found(filtered: Workspace) -> None:
    """The final bank, what is behind a template, the report, and what comes next."""
    assert (final_bank(filtered).to_frame()["status"] == "kept").sum() == 30
    found = explain(filtered, "age-006")
    decisions = found.to_frame()
    assert decisions.loc[decisions["outcome"] == "drop", "rule"].tolist() == ["two_thirds"]
    assert (decisions["k"].dtype, decisions["near"].dtype) == ("Int64", "boolean")
    said = report(filtered, dry_run=True)
    assert (len(said.to_frame()), said.files) == (66, ())
    assert said.to_frame("templates")["status"].tolist().count("undecided") == 1
    progress = status(filtered)
    assert len(progress.to_frame()) == 40
    assert [item.what for item in progress.owed] == ["undecided"]


def test_a_person_decides(filtered: Workspace) -> None:
    """The ledger gains it once; without a reason it is refused."""
    done = override(filtered, ["occupation-009"], keep=False, reason="not asked", by="Mina")
    assert done.to_frame().to_dict("records") == [
        {
            "template_id": "occupation-009",
            "before": "undecided",
            "before_reason": "its stereotype was not asked about",
            "after": "dropped",
        }
    ]
    again = override(filtered, ["occupation-009"], keep=False, reason="not asked", by="Mina")
    assert (again.added.decisions, again.added.unchanged) == ((), 1)
    with pytest.raises(CurateError, match="the reason is empty"):
        override(filtered, ["occupation-009"], keep=True, reason=" ", by="Mina")


def test_a_survey_is_built_and_a_file_inspected(demo: Workspace, tmp_path: Path) -> None:
    """Nothing is written by a dry run; a file that is in normal form needs no mapping."""
    made = build(demo, dry_run=True, per_form=20)
    table = made.to_frame()
    assert (len(table), table["options"].dtype) == (sum(made.kinds.values()), "int64")
    assert (made.written, (demo.responses_folder / "forms").exists()) == ((), False)
    with pytest.raises(CurateError, match="'paper' is not a platform"):
        build(demo, formats=["paper"])
    with pytest.raises(CurateError, match="is in normal form already"):
        inspect(demo, demo.responses_folder / "responses.csv")
    file = tmp_path / "answers.csv"
    file.write_text("respondent_id,note\nr1,yes\nr2,no\n", encoding="utf-8")
    seen = inspect(demo, file, dry_run=True)
    assert seen.to_frame()["column"].tolist() == ["respondent_id", "note"]
    assert (seen.written, seen.target.exists()) == (False, False)


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
