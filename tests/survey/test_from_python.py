"""What the commands on the survey do, from Python: results have their numbers and tables."""

import json
from dataclasses import replace
from unicodedata import normalize

import pytest

from curation.checks.workspace import check
from curation.files.annotations import write_renamed
from curation.files.workspace import Workspace
from curation.initial import copy_demo
from curation.records.messages import CurateError
from survey.bank import decided_with, undecided_hints
from survey.explaining import explain
from survey.filtering import filter


@pytest.fixture
def demo(tmp_path):
    copy_demo(tmp_path / "demo")
    return Workspace(tmp_path / "demo")


def test_what_published_counts_double_and_name_is_said(demo, tmp_path):
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
    by_id = {str(item.template.id): item for item in run.final.outcomes}
    assert by_id["age-001"].status == "undecided"

    path.write_text(json.dumps([entry, {**entry, "template_id": "age-001"}]), encoding="utf-8")
    run = filter(demo, [path], dry_run=True)
    by_id = {str(item.template.id): item for item in run.final.outcomes}
    assert by_id["age-001"].status == "kept"
    assert [item for item in run.findings if item.rule == "survey-doubled-entry"] == []
    (linked,) = [item for item in run.findings if item.rule == "survey-linked-by-id"]
    assert linked.message == (
        "age-001 is decided by the counts that name it, but these are about groups that it does "
        "not name: "
        "Knitters / Quilters"
    )
    assert run.final.modified == ()


def test_published_counts_are_named_where_no_survey_holds_them(demo):
    """Of a template that they name, and that is undecided all the same."""
    final = filter(demo, [demo.responses_folder / "responses.csv"], dry_run=True).final
    path = demo.published_counts_file
    path.write_text('[{"template_id": "occupation-009"}]', "utf-8")
    read = tuple(replace(tally, source=f"a.csv, {path.name}") for tally in final.tallies)
    for found, is_named in ((final, True), (replace(final, tallies=read), False)):
        assert (path.name in undecided_hints(demo, found)["occupation-009"]) is is_named


def test_words_that_came_after_the_decisions_are_told(demo):
    """Who failed a check by them was counted; the filter had no words of its own to leave."""
    filter(demo, [demo.responses_folder / "responses.csv"])
    words = "survey:\n  quality: {values: {attention: {failed: [nein]}}}\n"
    culture = demo.culture_file.read_text("utf-8").replace("survey:\n", words, 1)
    demo.culture_file.write_text(culture, "utf-8")
    now = Workspace(demo.root)
    (found,) = check(now, ["settings-changed"], decided_with=decided_with(now)).findings
    assert found.message.endswith("values: none \u2192 values: attention: failed: nein")


def test_what_a_rule_drops_is_counted_by_the_ids_of_now(demo):
    """A template that has another id since the survey is still linked to its comprehension."""
    answers = [demo.responses_folder / "responses.csv"]
    before = filter(demo, answers, dry_run=True).rule_drops
    bank = demo.bank_file
    bank.write_text(bank.read_text("utf-8").replace("age-001", "age-091"), "utf-8")
    write_renamed(demo.annotations.renamed, {"age-001": "age-091"}, "2026-01-01T00:00:00Z")
    assert filter(Workspace(demo.root), answers, dry_run=True).rule_drops == before


def test_who_a_list_leaves_out_is_named_with_the_file(demo, tmp_path):
    """Of two files each row left out names its own, and how many people are out is said once."""
    for folder in ("one", "two"):
        made = tmp_path / folder
        made.mkdir()
        rows = ("respondent_id,q-age-6df96e0c", f"{folder}1,1", f"{folder}2,2")
        (made / f"{folder}.csv").write_text("\n".join(rows), "utf-8")
        people = "Submission id,Participant id,Status\n"
        people += f"s1,{folder}1,APPROVED\ns2,{folder}2,REJECTED\n"
        (made / "respondents.csv").write_text(people, "utf-8")
    run = filter(demo, [tmp_path / name / f"{name}.csv" for name in ("one", "two")], dry_run=True)
    assert [(out.rule, out.respondent, out.detail) for out in run.respondents.excluded] == [
        ("respondents", f"{name}2", f"{name}.csv, row 3 of respondents.csv: Status is 'REJECTED'")
        for name in ("one", "two")
    ]
    said = [item.message for item in run.findings if item.rule == "survey-respondents-left-out"]
    assert len(said) == 2
    assert all("Status is 'REJECTED' (1)" in message for message in said)


def test_people_are_called_as_in_all_files(demo, tmp_path):
    """Who answered two parts is one person; where files share no column, that is asked."""
    one, two = tmp_path / "one.csv", tmp_path / "two.csv"
    one.write_text("respondent_id,user_id,q-age-6df96e0c\np1,u1,1\np2,u2,2\n", "utf-8")
    two.write_text("user_id,q-age-cfb6de20\nu1,1\nu2,2\n", "utf-8")
    run = filter(demo, [one, two], dry_run=True)
    assert list(run.respondents.answers.respondents) == ["u1", "u2"]
    one.write_text(one.read_text("utf-8").replace("respondent_id", "worker_id"), "utf-8")
    two.write_text(two.read_text("utf-8").replace("user_id", "person_id"), "utf-8")
    with pytest.raises(CurateError, match="'worker_id' or in column 'user_id'"):
        filter(demo, [one, two], dry_run=True)


def test_a_list_that_cannot_be_read_is_said_of_its_template_alone(demo):
    """It keeps the template from being published, whatever the survey says of it."""
    bank = demo.bank_file
    bank.write_text(bank.read_text("utf-8").replace("W1: [생", "W1: 생", 1), "utf-8")
    with pytest.raises(CurateError, match=r"^age-001a: '\[' was expected") as refused:
        filter(demo, [demo.responses_folder / "responses.csv"], dry_run=True)
    assert refused.value.where == "bank, row 2"


def test_a_stereotype_is_found_whose_letters_stand_in_parts(demo):
    """As it is where it was copied from a file name of macOS."""
    (first, *_) = demo.bank.templates()
    assert explain(demo, normalize("NFD", first.stereotype)).templates[0]["template_id"] == str(
        first.id
    )
