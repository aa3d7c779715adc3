"""`curate filter`."""

import csv
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from curation.files.ledger import read_decisions
from curation.files.manifest import read_manifest, verify_manifest
from curation.records.survey import Rule

ROOT = Path(__file__).parents[2]
EPOCH = "1767225600"
HEADER = "respondent_id,question_id,kind,option,state,position,duration_s\n"
GOOD = "r1,q-hum,choice,1,selected,,\n"

Curate = Callable[..., Any]
Listing = Callable[[Path], dict[str, str]]


def filter_by(curate: Curate, workspace: Path, *more: object, survey: object = "") -> Any:
    """Filter a workspace by its own answers, or by another file."""
    path = survey or workspace / "responses" / "responses.csv"
    return curate("filter", "-w", workspace, "--survey", path, *more)


def ledger(workspace: Path) -> bytes:
    """Give the ledger's bytes."""
    return (workspace / "decisions.csv").read_bytes()


def answer(workspace: Path, text: str) -> None:
    """Replace the answers."""
    (workspace / "responses" / "responses.csv").write_text(text, encoding="utf-8")


def told(ran: Any) -> list[dict[str, Any]]:
    """The findings, but that these answers do not say where options were shown."""
    *found, last = ran.json["findings"]
    assert last["rule"] == "survey-order-unknown"
    return found


# The demo culture.

OUTCOMES = {
    "age-006": ("dropped", "two_thirds", "below", 64, 96),
    "birth_season-006": ("dropped", "two_thirds", "majority_non_target", 20, 96),
    "hobby-005": ("dropped", "no_stereotype", "above", 61, 120),
    "home_region-006": ("dropped", "target_selection", "no_target", 23, 120),
    "hobby-008": ("dropped", "comprehension", "below", 59, 120),
}
KEPT_AT_THE_THRESHOLD = {
    "q-age-6df96e0c": ("two_thirds", 65, 97),
    "q-occupation-0fb64981": ("no_stereotype", 60, 120),
    "age-007": ("comprehension", 60, 120),
    "q-home_region-c4888bc5": ("target_selection", 28, 120),
    "q-home_region-399b86b7": ("target_selection", 5, 117),
}


def test_the_demo_is_decided_as_its_readme_says(curate: Curate, demo: Path) -> None:
    """Thresholds met and missed on purpose have the outcome that is written there."""
    found = filter_by(curate, demo, "--json").json
    assert found["templates"] == {"kept": 30, "dropped": 5, "undecided": 1, "removed": 4}
    assert {item["template_id"] for item in found["dropped"]} == set(OUTCOMES)
    assert [item["template_id"] for item in found["undecided"]] == ["occupation-009"]
    assert found["modified"] == [f"home_region-00{at}" for at in (2, 3, 4, 5)]
    funnel = {row["category"]: row for row in found["funnel"]["templates"]}
    assert {name: (row["before"], row["after"]) for name, row in funnel.items()} == {
        "Age": (7, 6),
        "Home_region": (8, 7),
        "Occupation": (8, 8),
        "Hobby": (7, 5),
        "Birth_season": (6, 5),
    }
    questions = {row["template_id"]: row["question_id"] for row in found["dropped"]}
    decisions = {
        (item.subject, item.rule.value): item for item in read_decisions(demo / "decisions.csv")
    }
    for template, (_, rule, reason, k, n) in OUTCOMES.items():
        subject = template if rule == "comprehension" else questions[template]
        decision = decisions[subject, rule]
        assert (decision.outcome, decision.reason, decision.k, decision.n) == ("drop", reason, k, n)
    for subject, (rule, k, n) in KEPT_AT_THE_THRESHOLD.items():
        decision = decisions[subject, rule]
        assert (decision.outcome, decision.k, decision.n) == ("keep", k, n)
        assert decision.near


STANDINGS = {
    "걸음이 빠르다": ({"구름언덕"}, {"너른들"}),
    "안개 속에서도 길을 잘 찾는다": ({"등대제도", "안개섬"}, {"솔바람숲", "너른들"}),
    "일하면서 노래를 흥얼거린다": ({"갈대늪", "솔바람숲"}, {"소금해안", "구름언덕"}),
    "손님에게 차를 여러 번 권한다": (set(), {"갈대늪", "안개섬"}),
    "감자를 자주 먹는다": ({"너른들"}, {"소금해안", "등대제도"}),
}


def test_groups_of_the_demo_stand_as_its_readme_says(filtered: Path) -> None:
    """Exactly twice the share is a target, exactly half a non-target, counting or not."""
    with (filtered / "responses" / "targets.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    for stereotype, (targets, non_targets) in STANDINGS.items():
        mine = [row for row in rows if row["stereotype"] == stereotype]
        assert {row["group"] for row in mine if row["role"] == "target"} == targets
        assert {row["group"] for row in mine if row["role"] == "non_target"} >= non_targets
    fast = {row["group"]: row for row in rows if row["stereotype"] == "걸음이 빠르다"}
    assert {row["equal_share"] for row in fast.values()} == {"14"}
    assert fast["솔바람숲"]["role"] == fast["거울호수"]["role"] == "neither"


def test_the_final_bank_has_the_surveyed_groups(filtered: Path) -> None:
    """Dropped and removed templates are out, open lists filled, and every one is accounted for."""
    folder = filtered / "exports" / "filter"
    with (folder / "bank.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert len({row["template_id"] for row in rows}) == 31
    assert not any("[*]" in row["names"] for row in rows)
    changed = next(row for row in rows if row["template_id"] == "home_region-005")
    assert json.loads(changed["target_groups"]) == ["솔바람숲", "갈대늪"]
    with (folder / "templates.csv").open(encoding="utf-8", newline="") as stream:
        statuses = [row["status"] for row in csv.DictReader(stream)]
    assert len(statuses) == 40
    assert verify_manifest(folder) == []


def test_the_manifest_names_what_the_decisions_come_from(filtered: Path) -> None:
    """Settings, bank, groups, questionnaire and answers are there by their place."""
    manifest = read_manifest(filtered / "exports" / "filter")
    assert set(manifest.inputs) == {
        "culture.yaml",
        "templates_src/bank.csv",
        "templates_src/groups.csv",
        "responses/questionnaire.csv",
        "responses/responses.csv",
        "responses/respondents.csv",
    }
    assert manifest.counts == {"kept": 30, "dropped": 5, "undecided": 1, "removed": 4}


def test_margins_are_written_by_attribute_and_value(curate: Curate, demo: Path) -> None:
    """For people and programs alike, in the manifest and with --json."""
    culture = demo / "culture.yaml"
    text = culture.read_text(encoding="utf-8")
    margins = "survey:\n  margins: {gender: {female: 0.7, male: 0.3}}\n"
    culture.write_text(text.replace("survey:\n", margins, 1), encoding="utf-8")
    stated = {"gender": {"female": "0.7", "male": "0.3"}}
    assert filter_by(curate, demo, "--json").json["settings"]["margins"] == stated
    settings = read_manifest(demo / "exports" / "filter").settings["survey"]
    assert isinstance(settings, dict)
    assert (settings["margins"], settings["stereotype_share"]) == (stated, "2/3")


def test_survey_files_of_one_name_are_told_apart(
    curate: Curate, workspace: Path, tmp_path: Path, write_answers: Callable[..., str]
) -> None:
    """Two waves outside the workspace are two inputs, without their places."""
    waves = []
    for name, question in (("one", "q_hum"), ("two", "q_sing")):
        path = tmp_path / name / "answers.csv"
        path.parent.mkdir()
        path.write_text(write_answers(**{question: (30, 2, 2)}))
        waves += ["--survey", path]
    assert curate("filter", "-w", workspace, *waves).code == 0
    inputs = set(read_manifest(workspace / "exports" / "filter").inputs)
    assert {"answers.csv", "answers.csv (2)"} < inputs


# The ledger.


def test_a_second_run_adds_nothing(curate: Curate, filtered: Path) -> None:
    """The ledger is the same to the byte, whatever the clock says."""
    before = ledger(filtered)
    found = filter_by(curate, filtered, "--json").json["ledger"]
    assert found == {"added": 0, "unchanged": 130, "changes": []}
    assert ledger(filtered) == before


def test_another_threshold_supersedes_and_going_back_does_again(
    curate: Curate, filtered: Path
) -> None:
    """Old bytes stay, what changed is said, and taking it back is a decision of its own."""
    first = ledger(filtered)
    stricter = filter_by(curate, filtered, "--stereotype-share", "0.75", "--json").json
    second = ledger(filtered)
    assert second.startswith(first)
    turned = {
        (item["before"]["subject"], item["before"]["outcome"], item["after"]["outcome"])
        for item in stricter["ledger"]["changes"]
    }
    assert ("q-age-6df96e0c", "keep", "drop") in turned
    assert {outcomes[1:] for outcomes in turned} == {("keep", "drop")}
    added = stricter["ledger"]["added"]
    assert added == second.count(b"\n") - first.count(b"\n") > len(turned)
    back = filter_by(curate, filtered)
    third = ledger(filtered)
    assert third.startswith(second)
    assert third.count(b"\n") - second.count(b"\n") == added
    assert "changed    q-age-6df96e0c: drop by two_thirds is now two_thirds keep" in back.out
    assert filter_by(curate, filtered, "--json").json["ledger"]["added"] == 0
    assert filter_by(curate, filtered, "--json").json["templates"]["kept"] == 30


def test_groups_that_are_no_longer_modified_are_taken_back(curate: Curate, filtered: Path) -> None:
    """The ledger says that the stated groups stand again, once."""

    def latest() -> tuple[str, str]:
        found = [
            item
            for item in read_decisions(filtered / "decisions.csv")
            if (item.subject, item.rule) == ("home_region-005", "target_selection")
        ]
        return found[-1].outcome.value, found[-1].reason

    assert latest() == ("modify", "surveyed_groups")
    filter_by(curate, filtered, "--target-multiple", "9/2")  # no group has so many shares
    assert latest() == ("keep", "stated_groups")
    size = len(ledger(filtered))
    filter_by(curate, filtered, "--target-multiple", "9/2")
    assert len(ledger(filtered)) == size
    filter_by(curate, filtered)
    assert latest() == ("modify", "surveyed_groups")


def test_a_given_time_makes_the_same_ledger(
    curate: Curate, demo: Path, filtered: Path, monkeypatch: pytest.MonkeyPatch, listing: Listing
) -> None:
    """With SOURCE_DATE_EPOCH two runs give the same bytes in every file."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", EPOCH)
    assert filter_by(curate, demo).code == 0
    assert listing(demo) == listing(filtered)
    assert b",2026-01-01T00:00:00Z\n" in ledger(demo)


@pytest.mark.parametrize("epoch", ["soon", "1e9", "9" * 30])
def test_a_wrong_time_is_refused(
    curate: Curate, workspace: Path, monkeypatch: pytest.MonkeyPatch, epoch: str
) -> None:
    """The variable is named."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", epoch)
    ran = filter_by(curate, workspace)
    assert (ran.code, "SOURCE_DATE_EPOCH" in ran.err) == (1, True)


def test_a_dry_run_writes_nothing(curate: Curate, workspace: Path, listing: Listing) -> None:
    """It shows what would be decided."""
    before = listing(workspace)
    ran = filter_by(curate, workspace, "--dry-run")
    assert "6 decisions would be added to the ledger, 0 unchanged" in ran.out
    assert listing(workspace) == before
    assert filter_by(curate, workspace, "--dry-run", "--json").json["ledger"]["added"] == 6


def test_a_threshold_is_that_of_the_workspace_or_of_the_option(
    curate: Curate, workspace: Path
) -> None:
    """65 of 97 is more than two thirds, and less than seven tenths."""
    assert filter_by(curate, workspace, "--json").json["templates"]["kept"] == 2
    strict = filter_by(curate, workspace, "--stereotype-share", "7/10", "--json").json
    assert (strict["settings"]["stereotype_share"], strict["templates"]["dropped"]) == ("7/10", 1)
    settings = workspace / "culture.yaml"
    settings.write_text(settings.read_text() + "survey: {stereotype_share: 7/10}\n")
    assert filter_by(curate, workspace, "--json").json["templates"]["dropped"] == 1
    mild = filter_by(curate, workspace, "--stereotype-share", "2/3", "--json").json
    assert mild["templates"]["dropped"] == 0


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("--stereotype-share", "two thirds"),
        ("--stereotype-share", "1.5"),
        ("--no-stereotype-limit", "-1"),
        ("--target-multiple", "0"),
        ("--target-multiple", "0.5"),
        ("--comprehension-share", "1/0"),
        ("--min-respondents", "0"),
        ("--equal-share", "people"),
    ],
)
def test_a_threshold_that_cannot_be_is_wrong_usage(
    curate: Curate, workspace: Path, option: str, value: str, listing: Listing
) -> None:
    """The status is 2 and nothing is written."""
    before = listing(workspace)
    ran = filter_by(curate, workspace, option, value)
    assert (ran.code, ran.out) == (2, "")
    assert listing(workspace) == before


@pytest.mark.parametrize(
    ("option", "value", "said"),
    [
        ("--stereotype-share", "1.5", "'1.5' is too large; write at most 1"),
        ("--target-multiple", "0", "'0' is too small; write more than 0"),
        ("--exclude", "speedster", "it is one of screened_out, attention, failed_comp"),
    ],
)
def test_a_threshold_that_cannot_be_is_said_in_words(
    curate: Curate, workspace: Path, option: str, value: str, said: str
) -> None:
    """With what can be."""
    assert said in filter_by(curate, workspace, option, value).err


# Refused data.


def counts(*entries: object) -> str:
    """Write a file of counts."""
    return json.dumps(list(entries))


def entry(**votes: object) -> dict[str, object]:
    """Give counts of one stereotype."""
    return {"category": "Craft", "stereotype": "They hum", "survey_stats": votes}


REFUSED: dict[str, tuple[str, bytes | str | None, str]] = {
    "no file": ("gone.csv", None, "there is no file gone.csv"),
    "no counts": ("gone.json", None, "there is no file gone.json"),
    "empty": ("a.csv", "", "a.csv is empty"),
    "empty counts": ("a.json", "", "a.json is empty"),
    "header only": ("a.csv", HEADER, "a.csv holds no answers"),
    "wrong encoding": (
        "a.csv",
        f"{HEADER}응답,q-hum,choice,1,selected,,\n".encode("cp949"),
        "a.csv is not UTF-8 (byte 64, line 2)",
    ),
    "wrong encoding of counts": ("a.json", '["응답"]'.encode("cp949"), "a.json is not UTF-8"),
    "UTF-16": ("a.csv", HEADER.encode("utf-16"), "the file holds no answers"),
    "workbook": ("a.csv", b"PK\x03\x04", "a.csv is not an XLSX or ODS workbook that can"),
    "binary": ("a.csv", b"\x00\x01\x02", "a.csv holds a NUL character in line 1"),
    "ragged": ("a.csv", f"{HEADER}{GOOD}r2,q-hum\n", "the row has 2 cells where the header has 7"),
    "doubled header": ("a.csv", HEADER.replace("kind", "state"), "'state' occurs twice in the h"),
    "lacking column": ("a.csv", HEADER.replace("state", "s") + GOOD, "column 's' may say which"),
    "unknown question": ("a.csv", f"{HEADER}{GOOD.replace('hum', 'x')}", "'q-x' is not in the q"),
    "unknown option": ("a.csv", f"{HEADER}{GOOD.replace(',1,', ',9,')}", "'9' is not an option of"),
    "unknown state": ("a.csv", f"{HEADER}{GOOD.replace('sel', 'unsel')}", "'unselected' is not a"),
    "wrong kind": ("a.csv", f"{HEADER}{GOOD.replace('choice', 'x')}", "kind 'x' where question"),
    "respondent twice": (
        "a.csv",
        HEADER + GOOD + GOOD,
        "respondent r1 answers option '1' of question q-hum twice, in rows 2 and 3",
    ),
    "no JSON": ("a.json", "{", "a.json is not JSON"),
    "no list": ("a.json", "{}", "a.json is not a list of counts"),
    "negative": ("a.json", counts(entry(A=-1, B=2, no_stereo=3)), "'A' has -1 votes"),
    "no whole number": ("a.json", counts(entry(A=1.5, B=2, no_stereo=3)), "'A' has 1.5 votes"),
    "true as a number": ("a.json", counts(entry(A=True, B=2, no_stereo=3)), "'A' has True votes"),
    "no no_stereo": ("a.json", counts(entry(A=1, B=2)), "the votes lack 'no_stereo'"),
    "too many votes": (
        "a.json",
        counts(entry(A=101, B=2, C=3, no_stereo=3)),
        "'A' has 101 votes of 100 respondents",
    ),
    "two counts of one question": (
        "a.json",
        counts(entry(A=10, B=2, no_stereo=3), entry(A=11, B=2, no_stereo=3)),
        "has different counts in a.json, entry 2 and in a.json, entry 1",
    ),
}


@pytest.mark.parametrize(("name", "content", "what"), REFUSED.values(), ids=REFUSED)
def test_a_survey_file_that_cannot_be_read_changes_nothing(
    curate: Curate,
    workspace: Path,
    listing: Listing,
    tmp_path: Path,
    name: str,
    content: bytes | str | None,
    what: str,
) -> None:
    """One line what, one where, one what to do; status 1, and not a byte is written."""
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    assert filter_by(curate, workspace).code == 0  # a good run before, so that there is a ledger
    before = listing(workspace)
    for options in ((), ("--json",)):
        ran = filter_by(curate, workspace, *options, survey=path)
        assert (ran.code, ran.out) == (1, "")
        lines = ran.err.splitlines()
        assert lines[0].startswith("Error: ")
        assert what in lines[0]
        assert [line.split()[0] for line in lines[1:]] in (["where:", "do:"], ["where:"])
        assert str(path) in lines[1] or name in lines[1]
    assert listing(workspace) == before


@pytest.mark.parametrize(
    ("file", "content", "what"),
    [
        ("responses/questionnaire.csv", None, "there is no questionnaire to read the answers by"),
        ("responses/questionnaire.csv", "a,b\n", "the header lacks question_id"),
        ("templates_src/bank.csv", None, "the workspace has no bank yet"),
        ("templates_src/bank.csv", "template_id,variant,category\ncraft-1,a,Craft\n", "'craft-1'"),
        ("templates_src/groups.csv", "category,group\nCraft\n", "the row has 1 cells"),
        ("culture.yaml", None, "there is no workspace in"),
        ("culture.yaml", "culture: [", "culture.yaml is not valid YAML"),
        ("culture.yaml", "culture: x\nversion: 2026-02-30\n", "language: it is missing"),
        ("decisions.csv", "a,b\n", "the header lacks subject"),
        ("decisions.csv", "", "decisions.csv is empty"),
    ],
)
def test_a_workspace_that_cannot_be_read_is_not_written_to(
    curate: Curate, workspace: Path, listing: Listing, file: str, content: str | None, what: str
) -> None:
    """Whatever is damaged, nothing is derived from what is left of it."""
    if content is None:
        (workspace / file).unlink()
    else:
        (workspace / file).write_text(content)
    before = listing(workspace)
    ran = filter_by(curate, workspace)
    assert (ran.code, ran.out) == (1, "")
    assert what in ran.err.splitlines()[0]
    assert listing(workspace) == before


def test_a_ledger_with_a_column_more_is_refused_before_anything_is_written(
    curate: Curate, workspace: Path, listing: Listing
) -> None:
    """Not after the counts, for then the two would disagree."""
    filter_by(curate, workspace)
    path = workspace / "decisions.csv"
    lines = path.read_text().splitlines()
    path.write_text("\n".join([f"{lines[0]},remark", *(f"{line}," for line in lines[1:]), ""]))
    before = listing(workspace)
    ran = filter_by(curate, workspace, "--stereotype-share", "0.9")
    assert (ran.code, "the ledger's header was changed" in ran.err) == (1, True)
    assert listing(workspace) == before


def test_a_template_that_cannot_be_read_names_its_row(
    curate: Curate, workspace: Path, listing: Listing
) -> None:
    """A broken list is a fault of the bank, not of the survey."""
    bank = workspace / "templates_src" / "bank.csv"
    bank.write_text(bank.read_text().replace("N1: [Bob]; N2: [Ann]", "N1: [Bob; N2: [Ann]"))
    before = listing(workspace)
    ran = filter_by(curate, workspace)
    assert ran.code == 1
    assert "craft-001b: '[' in a list (line 1, column 15)" in ran.err
    assert "where: bank, row 3" in ran.err
    assert listing(workspace) == before


@pytest.mark.parametrize("name", ["no-such-option", "--survey"])
def test_wrong_usage_has_a_status_of_its_own(curate: Curate, workspace: Path, name: str) -> None:
    """A lacking or unknown option is 2, not 1."""
    assert curate("filter", "-w", workspace, name).code == 2
    assert curate("filter", "-w", workspace).code == 2


# What is said, and decided all the same.


def said(ran: Any) -> list[tuple[str, str]]:
    """Give rule and weight of each finding, but that comprehension was not asked."""
    found = [(item["rule"], item["severity"]) for item in told(ran)]
    return [pair for pair in found if pair[0] != "survey-no-comprehension"]


def test_contradictory_answers_are_left_out_and_said(
    curate: Curate, workspace: Path, write_answers: Callable[..., str]
) -> None:
    """The respondent is not counted in that question; the run goes on."""
    text = write_answers(q_hum=(30, 5, 5), q_sing=(65, 32, 3))
    answer(workspace, f"{text}x,q-hum,choice,1,selected,,\nx,q-hum,choice,2,selected,,\n")
    ran = filter_by(curate, workspace, "--json")
    assert (ran.code, said(ran)) == (0, [("survey-contradiction", "warning")])
    place = ran.json["findings"][0]
    assert (place["row"], place["column"]) == (len(text.splitlines()) + 1, "")
    decision = next(item for item in read_decisions(workspace / "decisions.csv") if item.k == 30)
    assert (decision.subject, decision.rule, decision.n) == ("q-hum", "two_thirds", 35)


def test_a_group_that_is_not_listed_is_said(curate: Curate, workspace: Path) -> None:
    """The question is decided, and the warning names the group."""
    groups = workspace / "templates_src" / "groups.csv"
    groups.write_text("category,group\nCraft,Bakers\n")
    ran = filter_by(curate, workspace, "--json")
    assert (ran.code, said(ran)) == (0, [("survey-unknown-group", "warning")])
    assert "'Potters' of Craft" in ran.json["findings"][0]["message"]


def test_a_workspace_that_has_lost_its_list_of_groups_is_not_filtered(
    curate: Curate, workspace: Path, listing: Listing
) -> None:
    """Which groups count is written there: one error names the file."""
    (workspace / "templates_src" / "groups.csv").unlink()
    before = listing(workspace)
    ran = filter_by(curate, workspace)
    assert ran.code == 1
    assert "there is no groups.csv, and the bank names groups" in ran.err
    assert "where: templates_src/groups.csv" in ran.err
    assert listing(workspace) == before


def test_a_stereotype_without_a_template_is_said_and_one_without_a_question_too(
    curate: Curate, workspace: Path
) -> None:
    """The one is for information, the other leaves its template undecided."""
    bank = workspace / "templates_src" / "bank.csv"
    bank.write_text(bank.read_text().replace("They sing", "They whistle"))
    ran = filter_by(curate, workspace, "--json")
    assert (ran.code, ran.json["templates"]["undecided"]) == (0, 1)
    assert said(ran) == [("survey-not-in-bank", "info"), ("survey-undecided", "warning")]
    assert ran.json["undecided"][0]["reason"] == "its stereotype was not asked about"
    assert (ran.json["findings"][1]["file"], ran.json["findings"][1]["row"]) == (
        *("templates_src/bank.csv", 4),
    )


def test_comprehension_that_was_not_asked_is_said(
    curate: Curate, workspace: Path, write_answers: Callable[..., str]
) -> None:
    """There is no decision to be seen, so a warning says what nobody looked at."""
    answer(workspace, write_answers(q_hum=(65, 32, 3), q_sing=(65, 32, 3)))
    ran = filter_by(curate, workspace, "--json")
    assert [(item["rule"], item["message"]) for item in told(ran)] == [
        (
            "survey-no-comprehension",
            "comprehension was not asked: no rule looked at whether the 2 templates kept are "
            "understood",
        )
    ]
    status = curate("status", "-w", workspace, "--json")
    assert status.json["findings"] == told(ran)


def test_a_question_with_fewer_than_thirty_respondents_is_dropped_unless_told_otherwise(
    curate: Curate, workspace: Path, write_answers: Callable[..., str]
) -> None:
    """29 are too few as set, and enough when one is."""
    answer(workspace, write_answers(q_hum=(29, 0, 0), q_sing=(30, 0, 0)))
    ran = filter_by(curate, workspace, "--json")
    assert ran.json["questions"]["choice"]["dropped"] == {"min_respondents": 1}
    message = ran.json["findings"][0]["message"]
    assert message == "question q-hum: 29 respondents, and min_respondents asks for 30: dropped"
    fewer = filter_by(curate, workspace, "--min-respondents", "1", "--json")
    assert fewer.json["questions"]["choice"]["dropped"] == {}
    message = fewer.json["findings"][0]["message"]
    assert message == "question q-hum: 29 respondents decide it: the interval is wide"


def test_too_few_respondents_drop_and_are_said(
    curate: Curate, workspace: Path, write_answers: Callable[..., str]
) -> None:
    """The rule has a decision of its own beside the others."""
    answer(workspace, write_answers(q_hum=(9, 0, 0), q_sing=(10, 0, 0)))
    ran = filter_by(curate, workspace, "--min-respondents", "10", "--json")
    assert (ran.code, ran.json["templates"]["dropped"]) == (0, 1)
    assert ran.json["questions"]["choice"]["dropped"] == {"min_respondents": 1}
    assert said(ran) == [("survey-few-respondents", "warning")] * 2
    outcomes = {
        item.rule.value: item.outcome.value
        for item in read_decisions(workspace / "decisions.csv")
        if item.subject == "q-hum"
    }
    assert outcomes == {"min_respondents": "drop", "two_thirds": "keep", "no_stereotype": "keep"}


def test_an_optional_rule_that_is_applied_no_more_is_taken_back(curate: Curate, demo: Path) -> None:
    """The ledger keeps both decisions, and the questions are as if it had never been asked for."""
    as_set = filter_by(curate, demo, "--json").json
    strict = filter_by(curate, demo, "--target-share", "0.9", "--json").json
    assert strict["questions"]["select_all"]["dropped"]["target_share"] > 0
    assert strict["templates"]["dropped"] > as_set["templates"]["dropped"]
    again = filter_by(curate, demo, "--json").json
    assert (again["templates"], again["questions"]) == (as_set["templates"], as_set["questions"])
    last = {
        item.subject: (item.outcome.value, item.reason)
        for item in read_decisions(demo / "decisions.csv")
        if item.rule is Rule.TARGET_SHARE
    }
    assert set(last.values()) == {("keep", "not_applied")}
    assert filter_by(curate, demo, "--json").json["ledger"]["added"] == 0


def test_a_question_that_nobody_answered_any_more_is_undecided(
    curate: Curate, workspace: Path, write_answers: Callable[..., str]
) -> None:
    """Earlier decisions on it stay in the ledger and decide nothing."""
    filter_by(curate, workspace)
    text = write_answers(q_sing=(65, 32, 3))
    answer(workspace, f"{text}r1,q-hum,choice,1,missing,,\n")
    ran = filter_by(curate, workspace, "--json")
    assert ran.json["templates"] == {"kept": 1, "dropped": 0, "undecided": 1, "removed": 0}
    assert ran.json["undecided"][0]["reason"] == "no answer to its question is counted"


def test_a_question_of_which_nobody_is_counted_was_asked_all_the_same(
    curate: Curate, workspace: Path, write_answers: Callable[..., str]
) -> None:
    """Its templates are undecided as their answers are left out, not for want of a question."""
    text = write_answers(q_sing=(65, 32, 3))
    answer(workspace, f"{text}careless,q-hum,choice,1,selected,,\n")
    (workspace / "responses" / "respondents.csv").write_text(
        "respondent_id,attention\ncareless,failed\n", encoding="utf-8"
    )
    ran = filter_by(curate, workspace, "--exclude", "attention", "--json")
    assert [item["reason"] for item in ran.json["undecided"]] == [
        "no answer to its question is counted"
    ]
    assert "question q-hum: no answer to it is counted, so nothing is decided" in [
        item["message"] for item in ran.json["findings"]
    ]
    shown = curate("explain", "-w", workspace, "q-hum").out
    assert "0 respondents" in shown
    assert "not asked" not in shown
    curate("survey", "report", "-w", workspace)
    notes = (workspace / "exports" / "survey" / "report.md").read_text("utf-8")
    assert "no answer to its question is counted" in notes


def test_groups_that_cannot_be_put_in_are_an_error_that_exports_refuse(
    curate: Curate, demo: Path
) -> None:
    """The decisions are kept, the template is named, and the status is 1."""
    groups = demo / "templates_src" / "groups.csv"
    text = groups.read_text("utf-8")
    line = next(line for line in text.splitlines() if line.startswith("Home_region,갈대늪,"))
    groups.write_text(text.replace(line, "Home_region,갈대늪,,region,true,"), "utf-8")
    ran = filter_by(curate, demo, "--json")
    assert ran.code == 1
    errors = [item for item in ran.json["findings"] if item["severity"] == "error"]
    assert {item["rule"] for item in errors} == {"survey-groups-not-put-in"}
    assert any("'갈대늪' has no fillers" in item["message"] for item in errors)
    assert read_decisions(demo / "decisions.csv")
    export = curate("export", "samples", "-w", demo)
    assert (export.code, "has no fillers" in export.err) == (1, True)
    assert not (demo / "exports" / "samples").exists()


# Several files.


def test_files_are_joined_and_a_question_may_stand_in_two_alike(
    curate: Curate, workspace: Path, tmp_path: Path
) -> None:
    """Counts beside answers decide what the answers do not hold, and may repeat them."""
    path = tmp_path / "counts.json"
    names = {"Bakers": 40, "Potters": 5, "no_stereo": 5}
    path.write_text(counts({**entry(**names), "stereotype": "They whistle"}))
    ran = filter_by(curate, workspace, "--survey", path, "--json")
    assert ran.json["questions"]["choice"]["asked"] == 3
    folder = workspace / "exports" / "filter"
    assert {"counts.json", "responses/questionnaire.csv"} < set(read_manifest(folder).inputs)
    assert (folder / "exclusions.csv").exists()
    again = curate("filter", "-w", workspace, "--survey", path, "--survey", path, "--json")
    assert again.json["questions"]["choice"]["asked"] == 1
    assert "responses/questionnaire.csv" not in read_manifest(folder).inputs


def test_comprehension_may_come_in_a_file_of_its_own(curate: Curate, demo: Path) -> None:
    """The decisions are those of one file with everything in it."""
    path = demo / "responses" / "responses.csv"
    lines = path.read_text("utf-8").splitlines(keepends=True)
    understood = [line for line in lines[1:] if ",comprehension," in line]
    survey = [line for line in lines[1:] if ",comprehension," not in line]
    whole = filter_by(curate, demo, "--dry-run", "--json").json
    path.write_text("".join([lines[0], *survey]), "utf-8")
    other = demo / "understood.csv"
    other.write_text("".join([lines[0], *understood]), "utf-8")
    alone = filter_by(curate, demo, "--dry-run", "--json").json
    both = filter_by(curate, demo, "--comprehension", other, "--dry-run", "--json").json
    assert alone["templates"]["dropped"] == 4
    assert (both["templates"], both["dropped"]) == (whole["templates"], whole["dropped"])


@pytest.mark.parametrize("answered", [False, True])
def test_comprehension_of_an_earlier_file_decides_nothing(
    curate: Curate, demo: Path, answered: bool
) -> None:
    """Without answers to it, or none that count, no template is dropped by what others said."""
    path = demo / "responses" / "responses.csv"
    assert filter_by(curate, demo, "--json").json["templates"]["dropped"] == 5
    lines = path.read_text("utf-8").splitlines(keepends=True)
    rest = [line.replace(",selected,", ",missing,") if answered else "" for line in lines]
    path.write_text(
        "".join(b if ",comprehension," in a else a for a, b in zip(lines, rest, strict=True)),
        "utf-8",
    )
    again = filter_by(curate, demo, "--json").json
    assert again["templates"]["dropped"] == 4
    assert "hobby-008" not in {item["template_id"] for item in again["dropped"]}
    assert sum(row["dropped"]["comprehension"] for row in again["funnel"]["templates"]) == 0
    last = {
        item.subject: (item.outcome.value, item.reason)
        for item in read_decisions(demo / "decisions.csv")
        if item.rule is Rule.COMPREHENSION
    }
    assert last["hobby-008"] == ("keep", "not_asked")
    assert filter_by(curate, demo, "--json").json["ledger"]["added"] == 0


def test_templates_set_aside_before_the_survey_are_no_manual_drops(
    curate: Curate, demo: Path
) -> None:
    """They are out like those labelled SR: said once, and in no funnel of the survey."""
    why = ("--by", "Mina", "--reason", "for phase two")
    assert curate("templates", "set-aside", "-w", demo, "age-001", "hobby-008", *why).code == 0
    ran = filter_by(curate, demo, "--json").json
    assert ran["templates"]["set_aside"] == 2
    funnel = {row["category"]: row for row in ran["funnel"]["templates"]}
    assert (funnel["Age"]["before"], funnel["Hobby"]["before"]) == (6, 6)
    assert sum(row["manual"] for row in funnel.values()) == 0
    assert (
        "set aside  2 templates before the survey, not counted above" in filter_by(curate, demo).out
    )
    total = curate("stats", "-w", demo, "--json").json["rows"][-1]
    assert total["templates_before_survey"] == 34
    report = curate("survey", "report", "-w", demo, "--json")
    assert report.code == 0
    text = (demo / "exports" / "survey" / "report.md").read_text("utf-8")
    assert "2 templates are set aside by a person before the survey. They were not asked" in text


# The command as a user runs it.


@pytest.mark.slow
def test_no_traceback_reaches_a_user(workspace: Path, tmp_path: Path) -> None:
    """Run as a program, a damaged file is three lines on standard error and status 1."""
    (tmp_path / "a.csv").write_bytes(b"\x00")
    program = "from curation.cli.main import main; main()"
    ran = subprocess.run(
        [
            *(sys.executable, "-c", program, "filter", "-w", str(workspace)),
            *("--survey", str(tmp_path / "a.csv")),
        ],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        check=False,
        text=True,
    )
    assert (ran.returncode, ran.stdout) == (1, "")
    assert ran.stderr.splitlines() == [
        "Error: a.csv holds a NUL character in line 1",
        f"  where: {tmp_path / 'a.csv'}, line 1",
        "  do:    the file is damaged, or UTF-16 without its mark: save it as 'CSV UTF-8'",
    ]


@pytest.mark.parametrize("failing", ["fsync", "replace"])
def test_a_full_disk_leaves_the_old_files(
    curate: Curate,
    filtered: Path,
    listing: Listing,
    monkeypatch: pytest.MonkeyPatch,
    failing: str,
) -> None:
    """Where the first file cannot be written, all stay as they were and nothing lies beside."""
    before = listing(filtered)

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    if failing == "fsync":
        monkeypatch.setattr(os, "fsync", full)
    else:
        monkeypatch.setattr(Path, "replace", full)
    ran = filter_by(curate, filtered, "--stereotype-share", "0.9")
    assert ran.code == 1
    assert "No space left on device" in ran.err
    assert listing(filtered) == before


def test_a_run_that_was_broken_off_is_made_good_by_the_next(
    curate: Curate, workspace: Path, listing: Listing, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whichever file the disk fills up at, no half file is left and a rerun gives all of it."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", EPOCH)
    replace = Path.replace
    for allowed in range(1, 8):
        written: list[Path] = []

        def limited(
            path: Path, target: Path, *, written: list[Path] = written, allowed: int = allowed
        ) -> Path:
            if len(written) >= allowed:
                raise OSError(28, "No space left on device")
            written.append(target)
            return replace(path, target)

        with monkeypatch.context() as patch:
            patch.setattr(Path, "replace", limited)
            broken = filter_by(curate, workspace)
        left = listing(workspace)
        assert not [name for name in left if name.rsplit("/", 1)[-1].startswith(".")]
        if broken.code == 0:
            break
    else:
        pytest.fail("the run never came to its end")
    assert filter_by(curate, workspace, "--json").json["ledger"]["added"] == 0
    assert listing(workspace) == left


def test_counts_of_several_files_name_them_all(curate: Curate, demo: Path) -> None:
    """A reader can go back to every answer that was counted."""
    header, *rows = (demo / "responses" / "responses.csv").read_text("utf-8").splitlines()
    first = {f"r{number:03d}" for number in range(1, 61)}
    assert {row.partition(",")[0] for row in rows} > first
    for name, mine in (("one", True), ("two", False)):
        part = [row for row in rows if (row.partition(",")[0] in first) is mine]
        text = "\n".join([header, *part, ""])
        (demo / "responses" / f"{name}.csv").write_text(text, "utf-8")
    files = [demo / "responses" / f"{name}.csv" for name in ("one", "two")]
    ran = curate("filter", "-w", demo, "--survey", files[0], "--survey", files[1])
    assert ran.code == 0
    with (demo / "responses" / "tallies.csv").open(encoding="utf-8", newline="") as stream:
        tallies = list(csv.DictReader(stream))
    assert {row["source"] for row in tallies} == {"one.csv, two.csv"}
    assert max(int(row["respondents"]) for row in tallies) == 120


@pytest.mark.parametrize("rules", ["", " ", ",", " , "])
def test_exclude_names_a_check_or_none(curate: Curate, demo: Path, rules: str) -> None:
    """An empty list is a slip, and counted everybody."""
    found = filter_by(curate, demo, "--exclude", rules)
    assert found.code == 2
    assert "names no quality check; write 'none'" in found.err
    filter_by(curate, demo, "--exclude", "none", "--dry-run")


@pytest.mark.parametrize("word", ["failed", "Failed", "FAIL", "no", "0", "false", "Screened out"])
def test_fifty_who_failed_are_left_out_in_any_words(curate: Curate, demo: Path, word: str) -> None:
    """The same people, the same templates, however a company writes it."""
    path = demo / "responses" / "respondents.csv"
    head, *rows = path.read_text(encoding="utf-8").splitlines()
    marked = [f"{row},{word if at < 50 else ''}" for at, row in enumerate(rows)]
    path.write_text("\n".join([f"{head},attention", *marked, ""]), encoding="utf-8")
    found = filter_by(curate, demo, "--dry-run", "--json").json
    assert found["templates"]["kept"] == 31
    assert found["quality"]["rules"][0]["respondents"] == 50


def test_ids_of_nobody_are_said_and_refused(curate: Curate, demo: Path) -> None:
    """All of them are refused, some are a finding with their number."""
    path = demo / "responses" / "respondents.csv"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("\nr0", "\nR0"), encoding="utf-8")
    found = filter_by(curate, demo, "--dry-run", "--json").json
    rules = {item["rule"]: item["message"] for item in found["findings"]}
    assert rules["survey-respondents-unmatched"].startswith("99 ids of respondents.csv are no")
    path.write_text(text.replace("\nr", "\nx"), encoding="utf-8")
    refused = filter_by(curate, demo, "--dry-run")
    assert refused.code == 1
    assert "is in the answers" in refused.err


def test_people_without_answers_beside_them_are_said_to_be_left_alone(
    curate: Curate, demo: Path
) -> None:
    """Who was rejected would count, and nobody would know."""
    elsewhere = demo / "responses.csv"
    elsewhere.write_bytes((demo / "responses" / "responses.csv").read_bytes())
    rule = "survey-respondents-elsewhere"
    for survey, said in (("", 0), (elsewhere, 1)):
        found = filter_by(curate, demo, "--dry-run", "--json", survey=survey).json["findings"]
        assert [item["rule"] for item in found].count(rule) == said


# The order of options.


def read_rows(path: Path) -> list[dict[str, str]]:
    """Read a table."""
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def write_rows(path: Path, rows: list[dict[str, str]]) -> None:
    """Write it again."""
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, rows[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def test_an_order_that_stands_out_is_said(curate: Curate, demo: Path) -> None:
    """In a line of its own and in the object; the demo's own answers show nothing of it."""
    path = demo / "responses" / "responses.csv"
    plain = filter_by(curate, demo, "--dry-run").out
    assert not [line for line in plain.splitlines() if line.startswith("order ")]
    rows = read_rows(path)
    for at, row in enumerate(rows):
        # Whoever chose the target of a question of validation saw it first.
        if row["kind"] == "choice" and row["option"] == "1" and row["state"] == "selected":
            row["position"], rows[at + 1]["position"] = "1", "2"
    write_rows(path, rows)
    ran = filter_by(curate, demo, "--dry-run")
    (line,) = [line for line in ran.out.splitlines() if line.startswith("order ")]
    assert line.startswith("order      validation: the target is named ")
    assert " points more often where it is shown first (95 % interval " in line
    assert " of 22 decisions (" in line
    (kind, _) = filter_by(curate, demo, "--dry-run", "--json").json["order"]
    assert (kind["kind"], kind["questions"], kind["told"]) == ("choice", 23, 22)
    assert kind["ci_low"] > 0.2


def test_one_order_for_everybody_is_said(curate: Curate, demo: Path) -> None:
    """As in a survey of forms that show one order each."""
    path = demo / "responses" / "responses.csv"
    rows = read_rows(path)
    for row in rows:
        if row["question_id"] == "q-age-cfb6de20":
            row["position"] = {"1": "1", "2": "2", "none": "3"}[row["option"]]
    write_rows(path, rows)
    assert (
        "\norder      validation: 1 question was shown in one order to everybody, so its effect "
        "cannot be separated from that of the stereotype\n"
    ) in filter_by(curate, demo, "--dry-run").out
