"""`curate survey build`."""

import csv
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from curation.cli.main import cli
from curation.files.bank import read_bank, write_bank, write_groups
from curation.files.ledger import append_decisions
from curation.records.bank import Bank, Group, Label, Texts, Variant
from curation.records.errors import CurateError
from curation.records.ids import VariantId
from curation.records.survey import Decision, Outcome, Rule, Stage
from survey.platforms import platform

SETTINGS = """\
culture: Nowhere
language: en
unknown: Cannot be known
categories:
  - {id: Craft, name: Crafts}
questionnaire:
  respondents_per_question: 10
  currency: EUR
"""
GROUPS = [
    Group("Craft", "Bakers", fillers="[Ann, Ada]"),
    Group("Craft", "Potters", fillers="[Bob]"),
    Group("Craft", "Weavers", fillers="[Cleo, Carl]"),
    Group("Craft", "Glaziers", parent="Potters", counts=False, fillers="[Gil]"),
]
TEXTS = Texts(
    stereotype="forget their keys",
    target_groups=("Potters",),
    ambiguous_context="[N1] and [N2] came home late.",
    disambiguating_context="[N1] had no key, [N2] had one.",
    biased_question="Who forgot a key?",
    counter_biased_question="Who had a key?",
    biased_answer="[N1]",
    counter_biased_answer="[N2]",
    names="N1: [Ann, Ada]; N2: [Bob]",
    n1_groups=("Bakers",),
    n2_groups=("Potters",),
)
OPEN: dict[str, Any] = {
    "target_groups": (),
    "n1_groups": (),
    "n2_groups": (),
    "names": "N1: [*]; N2: [*]",
}


def pair(number: int, label: Label = Label.SIMPLY_TRANSFERRED, **changes: Any) -> list[Variant]:
    """Make variants a and b of a template."""
    first = replace(TEXTS, **changes)
    names = first.names if "*" in first.names else "N1: [Bob]; N2: [Ann, Ada]"
    second = replace(first, n1_groups=first.n2_groups, n2_groups=first.n1_groups, names=names)
    return [
        Variant(VariantId.parse(f"craft-{number:03d}{letter}"), "Craft", label, texts)
        for letter, texts in (("a", first), ("b", second))
    ]


BANK = Bank(
    (
        *pair(1),
        *pair(2),
        *pair(3, Label.TARGET_MODIFIED, stereotype="rise early", **OPEN),
        *pair(4, Label.SAMPLE_REMOVED),
    )
)


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """Two templates that share a stereotype, an open one, and one that is removed."""
    (tmp_path / "templates_src").mkdir()
    (tmp_path / "culture.yaml").write_text(SETTINGS, encoding="utf-8")
    write_bank(tmp_path / "templates_src" / "bank.csv", BANK)
    write_groups(tmp_path / "templates_src" / "groups.csv", GROUPS)
    return tmp_path


def run(workspace: Path, *options: str) -> Result:
    """Run the command."""
    return CliRunner().invoke(cli, ["survey", "build", "-w", str(workspace), *options])


def rows(path: Path) -> list[dict[str, str]]:
    """Read a table."""
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def test_summary(workspace: Path) -> None:
    """The summary counts questions, people, quotas, cost and chances."""
    result = run(workspace, "--price", "0.1")
    assert result.exit_code == 0, result.output
    text = result.output
    whole = " ".join(text.split())
    assert "Questions: 1 select_all, 1 choice, 3 comprehension, for 3 templates." in text
    assert "Shared stereotypes save 1 question." in text
    assert "Cost: 5.00 EUR" in text
    assert "Pay per hour: 6.00 to 12.00 EUR, if respondents get the whole price." in whole
    assert "2 forms would be enough for the questions. There are more, so that" in text
    assert "Each question is shown in 2 orders of its options, each to equally many" in text
    assert "f01 and f02 have the same questions." in text
    assert "To show every group in every place equally often: --orders 4." in whole
    assert "female" in text
    assert "60+" in text
    assert "10 name a group  8 name a group" in text
    count = len(platform("workbook").LIMITS)
    assert f"responses/forms/workbook: 8 files, {count} known limits.\n" in text
    assert max(map(len, text[text.index("responses/forms") :].splitlines())) <= 80


def test_json(workspace: Path) -> None:
    """`--json` gives one object with all of the plan."""
    result = run(workspace, "--json", "--price", "0.1")
    data = json.loads(result.stdout)
    assert data["questions"] == {"select_all": 1, "choice": 1, "comprehension": 3}
    assert (data["templates"], data["saved"]) == (3, 1)
    assert (data["respondents"], data["answers"], data["cost"]) == (30, 50, 5.0)
    assert sum(cell["respondents"] for cell in data["quotas"]) == 30
    assert [item["form"] for item in data["forms"]] == [f"f{at:02d}" for at in range(1, 7)]
    assert {item["respondents"] for item in data["forms"]} == {5}
    assert data["orders"] == 2
    assert data["power"][0]["named"] == 10 and data["power"][0]["needed"] == 7
    (selection,) = data["selection_power"]
    assert (selection["options"], selection["named"]) == (3, 8)
    assert (selection["target_from"], selection["non_target_to"]) == (6, 1)
    assert selection["offered"] == 4
    exact = 4 * (28 * 9 + 8 * 3 + 1) / 4**8  # 6 or more of 8 for one of four
    assert selection["kept_by_chance"]["1.00"] == pytest.approx(exact, abs=0.015)
    assert selection["least_p"] == pytest.approx((1 - 4 / 30) ** 10, abs=1e-6)
    assert {item["pay_per_hour"] for item in data["forms"]} == {6.0, 12.0}
    assert selection["target"]["2.00"] == pytest.approx(0.468221, abs=1e-6)  # 8 of 2/3, 6 or more
    assert set(data["written"]) == {"workbook", "csv"}
    assert data["written"]["csv"]["files"][0] == "responses/forms/csv/f01.csv"
    assert "quotas" in data["written"]["csv"]["cannot_express"]
    assert data["findings"] == []


def test_questionnaire(workspace: Path) -> None:
    """The questionnaire holds each stereotype once, and each template's comprehension."""
    run(workspace)
    found = rows(workspace / "responses" / "questionnaire.csv")
    assert [(row["kind"], row["option"], row["group"], row["role"]) for row in found[:3]] == [
        ("choice", "1", "Potters", "target"),
        ("choice", "2", "Bakers", "non_target"),
        ("choice", "none", "", "none"),
    ]
    assert [(row["group"], row["counts"]) for row in found[3:8]] == [
        ("Bakers", "true"),
        ("Potters", "true"),
        ("Glaziers", "false"),
        ("Weavers", "true"),
        ("", "false"),
    ]
    understood = [row for row in found if row["question_id"] == "c-craft-001"]
    assert [row["role"] for row in understood] == ["wrong", "correct", "wrong"]
    assert understood[0]["text"] in ("Ann", "Ada")
    assert [row["text"] for row in understood[1:]] == ["Bob", "Cannot be known"]


def test_texts(workspace: Path) -> None:
    """Every question is written as it is read, comprehension with its sample and context."""
    run(workspace)
    found = {row["question_id"]: row for row in rows(workspace / "responses/forms/texts.csv")}
    assert any("forget their keys" in row["text"] for row in found.values())
    row = found["c-craft-001"]
    assert row["sample_id"] in ("craft-001a-001-dis-cnt", "craft-001a-002-dis-cnt")
    assert row["text"].endswith("Bob had one.\n\nWho had a key?")


def test_open_template_gets_two_groups(workspace: Path) -> None:
    """A template that leaves its groups open is understood, or not, with any two of them."""
    run(workspace)
    texts = [
        row["text"]
        for row in rows(workspace / "responses" / "questionnaire.csv")
        if row["question_id"] == "c-craft-003"
    ]
    group_of = {"Ann": "Bakers", "Ada": "Bakers", "Bob": "Potters", "Cleo": "W", "Carl": "W"}
    assert len({group_of[text] for text in texts[:2]}) == 2


def test_plan(workspace: Path) -> None:
    """The plan has a row for each form and cell, which add up to the respondents."""
    run(workspace, "--price", "0.1")
    found = rows(workspace / "responses" / "plan.csv")
    assert len(found) == 6 * 10
    people = [sum(int(row["respondents"]) for row in found[at::10]) for at in range(10)]
    assert people == [3] * 10
    assert sum(float(row["cost"]) for row in found) == pytest.approx(5)
    assert {row["pay_per_hour"] for row in found} == {"6.00", "12.00"}


def test_options_go_over_settings(workspace: Path) -> None:
    """An option holds for one run; forms of fewer people make more of them."""
    options = ("--respondents-per-question", "6", "--respondents-per-form", "3", "--per-form", "2")
    data = json.loads(run(workspace, "--json", *options).stdout)
    assert data["respondents"] == 3 * len(data["forms"])
    forms = rows(workspace / "responses" / "forms" / "forms.csv")
    asked = [row["question_id"] for row in forms]
    assert all(asked.count(name) == 2 for name in asked)
    assert tuple(forms[0]) == ("form", "position", "question_id")


def test_same_bytes(workspace: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    """The same bank gives the same bytes, in whatever order its rows stand."""
    formats = "qualtrics,limesurvey,workbook,csv,label_studio"
    run(workspace, "--format", formats)
    folder = workspace / "responses"
    first = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    mixed = Bank(tuple(reversed(BANK.variants)))
    write_bank(workspace / "templates_src" / "bank.csv", mixed)
    result = run(workspace, "--format", formats)
    assert result.exit_code == 0, result.output
    assert {path: path.read_bytes() for path in first} == first
    assert {path for path in folder.rglob("*") if path.is_file()} == set(first)


@pytest.mark.parametrize(
    ("changes", "rule"),
    [
        ({"target_groups": ()}, "questionnaire-groups"),
        ({"n1_groups": ("Smiths",)}, "questionnaire-group-unknown"),
        ({"stereotype": ""}, "questionnaire-stereotype"),
        ({"names": "N1: [Ann]"}, "questionnaire-comprehension"),
        ({"counter_biased_question": ""}, "questionnaire-comprehension"),
        ({"counter_biased_answer": "[N1]"}, "questionnaire-answers"),
    ],
)
def test_refused(workspace: Path, changes: dict[str, Any], rule: str) -> None:
    """What cannot be asked is a finding; nothing is written, and the status is 1."""
    write_bank(workspace / "templates_src" / "bank.csv", Bank(tuple(pair(1, **changes))))
    result = run(workspace, "--json")
    assert result.exit_code == 1
    found = json.loads(result.stdout)["findings"]
    assert rule in {item["rule"] for item in found}
    assert found[0]["row"] == 2
    assert not (workspace / "responses").exists()
    plain = run(workspace)
    assert plain.exit_code == 1 and "nothing was written" in plain.output


def test_too_few_groups(workspace: Path) -> None:
    """An open template needs groups to choose from, and two with fillers to stand in."""
    write_groups(workspace / "templates_src" / "groups.csv", GROUPS[:1])
    write_bank(
        workspace / "templates_src" / "bank.csv",
        Bank(tuple(pair(3, Label.TARGET_MODIFIED, **OPEN))),
    )
    result = run(workspace, "--json")
    rules = [item["rule"] for item in json.loads(result.stdout)["findings"]]
    assert rules == ["questionnaire-options", "questionnaire-comprehension"]


def test_nothing_to_ask(workspace: Path) -> None:
    """A bank without templates is refused."""
    write_bank(workspace / "templates_src" / "bank.csv", Bank())
    result = run(workspace)
    assert result.exit_code == 1
    assert "the bank has no template to ask about" in result.output


def test_dropped_by_hand(workspace: Path) -> None:
    """A template that a person dropped is not asked about."""
    decision = Decision("craft-003", Stage.MANUAL, Rule.OVERRIDE, Outcome.DROP, by="me", at="now")
    append_decisions(workspace / "decisions.csv", [decision])
    data = json.loads(run(workspace, "--json").stdout)
    assert data["questions"] == {"select_all": 0, "choice": 1, "comprehension": 2}


def test_answers_are_not_lost(workspace: Path) -> None:
    """A questionnaire with answers beside it changes only with --replace."""
    run(workspace)
    path = workspace / "responses" / "questionnaire.csv"
    before = path.read_bytes()
    (workspace / "responses" / "responses.csv").write_text("respondent_id\n", encoding="utf-8")
    assert run(workspace).exit_code == 0
    write_bank(workspace / "templates_src" / "bank.csv", Bank(tuple(pair(1))))
    result = CliRunner().invoke(cli, ["survey", "build", "-w", str(workspace)])
    assert result.exit_code == 1
    assert "would change, and responses.csv holds answers" in str(result.exception)
    assert path.read_bytes() == before
    assert run(workspace, "--replace").exit_code == 0
    assert path.read_bytes() != before


def test_a_survey_of_one_order_is_built_again(workspace: Path) -> None:
    """One that people answered before there were several is refused with the way to keep it."""
    assert "Each question is shown in one order" in run(workspace, "--orders", "1").output
    path = workspace / "responses" / "forms" / "forms.csv"
    before = path.read_bytes()
    (workspace / "responses" / "responses.csv").write_text("respondent_id\n", encoding="utf-8")
    refused = run(workspace).exception
    assert isinstance(refused, CurateError)
    assert refused.what == "forms.csv would change, and responses.csv holds answers to it"
    assert str(refused.hint).endswith("are built by --orders 1")
    assert run(workspace, "--orders", "1").exit_code == 0
    assert path.read_bytes() == before
    assert run(workspace, "--orders", "3").exit_code == 2


def test_stale_files_are_named(workspace: Path) -> None:
    """Files of an earlier build that this one did not write are said, and left."""
    run(workspace, "--per-form", "1", "--format", "csv,qualtrics")
    data = json.loads(run(workspace, "--json", "--format", "csv").stdout)
    assert "responses/forms/csv/f07.csv" in data["stale"]
    assert "responses/forms/qualtrics" in data["stale"]
    assert (workspace / "responses/forms/csv/f07.csv").exists()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--format", "paper"), "name one or more of qualtrics"),
        (("--price", "cheap"), "--price: 'cheap' is not a number"),
        (("--price", "-1"), "--price"),
        (("--per-form", "0"), "--per-form"),
    ],
)
def test_wrong_usage(workspace: Path, options: tuple[str, ...], message: str) -> None:
    """A wrong option is wrong usage."""
    result = run(workspace, *options)
    assert result.exit_code == 2
    assert message in result.output


def test_bank_is_untouched(workspace: Path) -> None:
    """Building reads the bank and changes nothing of it."""
    path = workspace / "templates_src" / "bank.csv"
    before = path.read_bytes()
    run(workspace)
    assert path.read_bytes() == before
    assert len(read_bank(path)[0].variants) == len(BANK.variants)
