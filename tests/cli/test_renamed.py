"""Groups, categories and templates that have another name since the survey."""

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Curate = Callable[..., Any]
CRAFT = "  - {id: Craft, question: choice}\n"


def edit(path: Path, *changes: tuple[str, str]) -> None:
    """Change a file by hand, as people do."""
    text = path.read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    path.write_text(text, encoding="utf-8")


def filter_again(curate: Curate, workspace: Path, *more: object) -> Any:
    """Filter a workspace by its own answers."""
    survey = workspace / "responses" / "responses.csv"
    return curate("filter", "-w", workspace, "--survey", survey, *more)


def template(curate: Curate, workspace: Path, subject: str) -> Any:
    """Explain one template."""
    (found,) = curate("explain", "-w", workspace, subject, "--json").json["templates"]
    return found


@pytest.fixture
def renamed(curate: Curate, workspace: Path) -> Path:
    """A filtered workspace whose potters are called ceramists since."""
    assert filter_again(curate, workspace).code == 0
    for name in ("bank.csv", "groups.csv"):
        edit(workspace / "templates_src" / name, ("Potters", "Ceramists"))
    return workspace


def tell_the_former_name(workspace: Path) -> None:
    """Write it into the settings."""
    new = "  - {id: Craft, question: choice, renamed_groups: {Ceramists: [Potters]}}\n"
    edit(workspace / "culture.yaml", (CRAFT, new))


def test_a_renamed_group_cuts_its_templates_loose_and_it_is_said_what_to_do(
    curate: Curate, renamed: Path
) -> None:
    """By explain and by the filter, which knows the former name as no group."""
    text = curate("explain", "-w", renamed, "craft-001").out
    assert "undecided, its stereotype was asked about other groups" in text
    assert "name its former name under renamed_groups of the category in culture.yaml" in text
    found = filter_again(curate, renamed, "--dry-run", "--json").json["findings"]
    hints = {item["rule"]: item["hint"] for item in found}
    assert "renamed_groups" in hints["survey-undecided"]
    assert "renamed_groups" in hints["survey-unknown-group"]


def test_a_group_whose_former_name_is_told_keeps_its_decisions(
    curate: Curate, renamed: Path
) -> None:
    """At once and after filtering again, which rules nothing new."""
    tell_the_former_name(renamed)
    before = template(curate, renamed, "craft-001")
    assert (before["status"], before["question"]["question_id"]) == ("kept", "q-hum")
    assert [item["group"] for item in before["question"]["votes"]] == ["Bakers", "Ceramists", None]
    found = filter_again(curate, renamed, "--json")
    assert (found.code, found.json["ledger"]["added"]) == (0, 0)
    assert not {"survey-unknown-group", "survey-undecided"} & {
        item["rule"] for item in found.json["findings"]
    }
    assert template(curate, renamed, "craft-001") == before
    findings = curate("check", "-w", renamed, "--json").json["findings"]
    assert not {"group-renamed", "group-unknown"} & {item["rule"] for item in findings}


def test_reports_and_other_thresholds_know_the_name_of_now(curate: Curate, renamed: Path) -> None:
    """What is left with the thresholds as set is what is left."""
    tell_the_former_name(renamed)
    survey = renamed / "responses" / "responses.csv"
    for args in ((), ("--survey", survey)):
        found = curate("survey", "report", "-w", renamed, "--json", *args).json
        assert {row["templates"] for row in found["sensitivity"] if row["as_set"]} == {2}
        questions = {row["question_id"]: row for row in found["questions"]}
        assert questions["q-hum"]["templates"] == ["craft-001"]


def test_surveyed_groups_have_the_name_of_now(curate: Curate, filtered: Path) -> None:
    """Templates that get their groups from the survey are the same except for the name."""

    def bank() -> dict[str, str]:
        assert curate("export", "bank", "-w", filtered).code == 0
        path = filtered / "exports" / "bank" / "bank.csv"
        with path.open(encoding="utf-8", newline="") as stream:
            rows = [json.dumps(row, ensure_ascii=False) for row in csv.DictReader(stream)]
        return {row[:40]: row.replace("솔바람숲", "새솔바람") for row in rows}

    before = bank()
    for name in ("bank.csv", "groups.csv"):
        path = filtered / "templates_src" / name
        path.write_text(path.read_text("utf-8").replace("솔바람숲", "새솔바람"), "utf-8")
    refused = curate("export", "bank", "-w", filtered).err
    assert "surveyed group '솔바람숲' is not in groups.csv" in refused
    assert "renamed_groups of the category in culture.yaml" in refused
    edit(
        filtered / "culture.yaml",
        (
            "    sources: [Region]\n",
            "    sources: [Region]\n    renamed_groups: {새솔바람: [솔바람숲]}\n",
        ),
    )
    assert bank() == before


@pytest.fixture
def merged(curate: Curate, workspace: Path, write_answers: Callable[..., str]) -> Path:
    """A workspace whose category became part of another one after the survey."""
    questions = workspace / "responses" / "questionnaire.csv"
    with questions.open("a", encoding="utf-8") as stream:
        for option, role in (("1", "correct"), ("2", "wrong"), ("none", "wrong")):
            stream.write(f"c-1,comprehension,Craft,,craft-001,{option},,,{role},{option}\n")
    text = write_answers(q_hum=(30, 5, 5), q_sing=(65, 32, 3), c_1=(10, 30, 0))
    text = text.replace("c-1,choice", "c-1,comprehension")
    (workspace / "responses" / "responses.csv").write_text(text, encoding="utf-8")
    assert filter_again(curate, workspace).code == 0
    settle = ("--template", "craft-002", "--label", "ST", "--why", "known", "--by", "Mina")
    assert "1 decision added" in curate("classify", "resolve", "-w", workspace, *settle).out
    edit(workspace / "culture.yaml", (CRAFT, "  - {id: Work, sources: [Craft]}\n"))
    ran = curate("categories", "apply", "-w", workspace)
    assert "they apply to the templates under their new ids: craft-001, craft-002" in ran.out
    return workspace


def test_decisions_on_former_ids_hold(curate: Curate, merged: Path) -> None:
    """On templates and on the questions of the former category; the ledger is as it was."""
    first = template(curate, merged, "craft-001")
    assert (first["template_id"], first["former_ids"]) == ("work-001", ["craft-001"])
    assert first["reason"].startswith("comprehension drop (below): 10 of 40")
    second = template(curate, merged, "work-002")
    assert (second["status"], second["question"]["question_id"]) == ("kept", "q-sing")
    assert second["decisions"][0]["rule"] == "consensus"
    assert "formerly      craft-001" in curate("explain", "-w", merged, "work-001").out


def test_filtering_again_rules_nothing_new_on_former_ids(curate: Curate, merged: Path) -> None:
    """The survey still names them, and it is not said that the bank lacks them."""
    before = (merged / "decisions.csv").read_bytes()
    ran = filter_again(curate, merged, "--json")
    assert (ran.json["ledger"]["added"], ran.json["templates"]["dropped"]) == (0, 1)
    assert (merged / "decisions.csv").read_bytes() == before
    rules = {item["rule"] for item in ran.json["findings"]}
    assert not {"survey-not-in-bank", "survey-unknown-group", "survey-undecided"} & rules


def test_the_report_follows_former_ids(curate: Curate, merged: Path) -> None:
    """Comprehension rules on the template that it asked about."""
    found = curate("survey", "report", "-w", merged, "--json").json
    questions = {row["question_id"]: row for row in found["questions"]}
    assert (questions["c-1"]["decision"], questions["c-1"]["templates"]) == (
        "dropped",
        ["work-001"],
    )
    assert {row["templates"] for row in found["sensitivity"] if row["as_set"]} == {1}


def test_what_was_settled_under_a_former_id_is_not_handed_out_again(
    curate: Curate, merged: Path
) -> None:
    """Nor is the same consensus decided again."""
    sheet = ("classify", "sheet", "-w", merged, "--annotator", "Mina", "--json")
    assert curate(*sheet).json["templates"] == 2
    (merged / "annotations" / "sheets" / "classify-Mina.xlsx").unlink(missing_ok=True)
    assert curate(*sheet, "--open").json["templates"] == 1
    settle = ("--template", "work-002", "--label", "ST", "--why", "known", "--by", "Jun")
    before = (merged / "decisions.csv").read_bytes()
    assert "0 decisions added" in curate("classify", "resolve", "-w", merged, *settle).out
    assert (merged / "decisions.csv").read_bytes() == before


def test_a_person_who_dropped_a_template_is_heeded_by_the_next_survey(
    curate: Curate, merged: Path
) -> None:
    """Under whatever id that was."""
    with (merged / "decisions.csv").open("a", encoding="utf-8") as stream:
        stream.write("craft-002,manual,override,drop,wrong,,,,,,,,,Mina,2026-01-01T00:00:00Z\n")
    assert template(curate, merged, "work-002")["status"] == "dropped"
    assert curate("survey", "build", "-w", merged, "--replace", "--json").json["templates"] == 1
