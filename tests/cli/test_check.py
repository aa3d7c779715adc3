"""`curate check`."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from curation.checks.catalogue import ENTRIES, READING
from curation.cli.main import cli
from curation.files.bank import write_bank, write_groups
from curation.records.bank import Bank, Group, Label, Texts, Variant
from curation.records.ids import VariantId

SETTINGS = """\
culture: Nowhere
language: en
unknown: Cannot be known
categories:
  - id: Craft
"""
TEXTS = Texts(
    stereotype="Forgetting keys",
    target_groups=("Potters",),
    ambiguous_context="[N1] and [N2] came home late.",
    disambiguating_context="[N1] had no key, [N2] had one.",
    biased_question="Who forgets things?",
    counter_biased_question="Who remembers things?",
    biased_answer="[N1]",
    counter_biased_answer="[N2]",
    names="N1: [Ann]; N2: [Bob]",
    n1_groups=("Bakers",),
    n2_groups=("Potters",),
)
EXCHANGED = replace(
    TEXTS, names="N1: [Bob]; N2: [Ann]", n1_groups=("Potters",), n2_groups=("Bakers",)
)
GROUPS = [Group("Craft", "Bakers", fillers="[Ann]"), Group("Craft", "Potters", fillers="[Bob]")]


def write(folder: Path, **changes: str) -> Path:
    """Write a workspace with one pair of variants, the second with changes."""
    first = Variant(
        VariantId.parse("craft-001a"),
        "Craft",
        Label.SIMPLY_TRANSFERRED,
        TEXTS,
        source_id="C-1",
    )
    second = replace(first, id=VariantId.parse("craft-001b"), texts=replace(EXCHANGED, **changes))
    (folder / "templates_src").mkdir(parents=True)
    (folder / "culture.yaml").write_text(SETTINGS, encoding="utf-8")
    write_bank(folder / "templates_src" / "bank.csv", Bank((first, second)))
    write_groups(folder / "templates_src" / "groups.csv", GROUPS)
    return folder


def check(folder: Path, *args: str):
    """Run the command."""
    return CliRunner().invoke(cli, ["check", "-w", str(folder), *args])


def replace_text(file: Path, old: str, new: str) -> None:
    """Change a file of the workspace by hand, as people do."""
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")


def test_a_clean_workspace_has_no_findings(tmp_path):
    """One line, status 0."""
    result = check(write(tmp_path))
    assert result.exit_code == 0
    assert result.output == "0 errors, 0 warnings, 0 info in 2 variants and 2 groups.\n"


def test_an_error_is_shown_with_its_place_and_hint_and_gives_status_1(tmp_path):
    """What, where, what to do."""
    result = check(write(tmp_path, biased_question="Who forgets [W1]?"))
    assert result.exit_code == 1
    lines = result.output.splitlines()
    assert lines[0] == (
        "error [slot-undeclared] templates_src/bank.csv, row 3, column biased_question: "
        "slot W1 has no list of fillers"
    )
    assert lines[1] == "    -> write its list into words: W1: [a, b]"
    assert lines[-1] == "1 error, 1 warning, 0 info in 2 variants and 2 groups."


def test_warnings_alone_give_status_0(tmp_path):
    """They want a look and stop nothing."""
    result = check(write(tmp_path, stereotype="", biased_question="Who forgets things"))
    assert result.exit_code == 0
    assert "0 errors, 2 warnings, 0 info" in result.output


def test_json_is_one_object_and_nothing_else(tmp_path):
    """Findings by file and row, and how many there are of each weight."""
    result = check(write(tmp_path, biased_answer="[N1]\b"), "--json")
    assert result.exit_code == 1
    assert json.loads(result.stdout) == {
        "findings": [
            {
                "rule": "control-character",
                "severity": "error",
                "file": "templates_src/bank.csv",
                "row": 3,
                "column": "biased_answer",
                "message": "control character U+0008 at position 5",
                "hint": "remove it: it is invisible, so retype the text around it",
            }
        ],
        "counts": {"error": 1, "warning": 0, "info": 0},
    }


def test_rows_that_cannot_be_read_are_findings(tmp_path):
    """The others are read and checked all the same."""
    folder = write(tmp_path)
    replace_text(
        folder / "templates_src" / "bank.csv", "craft-001,b,,Craft,ST", "craft-001,b,,Craft,XX"
    )
    replace_text(folder / "templates_src" / "groups.csv", "Potters,,,true", "Potters,,,maybe")
    with (folder / "templates_src" / "bank.csv").open("a", encoding="utf-8") as stream:
        stream.write("craft-002,a\n")
    found = json.loads(check(folder, "--json").stdout)["findings"]
    reading = [
        (item["rule"], item["row"])
        for item in found
        if "read" in item["rule"] or "ragged" in item["rule"]
    ]
    assert reading == [
        ("bank-unreadable-row", 3),
        ("table-ragged-row", 4),
        ("groups-unreadable-row", 3),
    ]


def test_what_is_said_while_reading_is_in_the_catalogue(tmp_path):
    """Its ids and weights are those of the readers."""
    folder = write(tmp_path)
    bank, groups = (folder / "templates_src" / name for name in ("bank.csv", "groups.csv"))
    replace_text(bank, "craft-001,b,,Craft,ST", "craft-001,b,,Craft,XX")
    replace_text(bank, "stereotype,target_groups,", "stereotype_mine,target_groups,")
    replace_text(groups, "Potters,,,true", "Potters,,,maybe")
    with bank.open("a", encoding="utf-8") as stream:
        stream.write("craft-002,a\n")
    found = json.loads(check(folder, "--json").stdout)["findings"]
    said = {(item["rule"], item["severity"]) for item in found}
    groups.unlink()
    found = json.loads(check(folder, "--json").stdout)["findings"]
    said |= {(item["rule"], item["severity"]) for item in found}
    assert {(entry.id, entry.severity.value) for entry in READING} <= said


def test_rules_can_be_chosen(tmp_path):
    """Several of them; columns of one's own are then not spoken of."""
    folder = write(tmp_path, stereotype="", biased_question="Who forgets  things?")
    replace_text(folder / "templates_src" / "bank.csv", ",note,", ",remark,")
    everything = json.loads(check(folder, "--json").stdout)["findings"]
    assert {item["rule"] for item in everything} == {
        "bank-unknown-column",
        "stereotype-missing",
        "white-space",
    }
    chosen = check(folder, "--json", "--rule", "white-space", "--rule", "bank-unknown-column")
    found = json.loads(chosen.stdout)["findings"]
    assert [item["rule"] for item in found] == ["bank-unknown-column", "white-space"]
    only = json.loads(check(folder, "--json", "--rule", "white-space").stdout)
    assert only["counts"] == {"error": 0, "warning": 1, "info": 0}


def test_rows_that_cannot_be_read_are_said_whatever_rule_is_chosen(tmp_path):
    """The rule could not look at them."""
    folder = write(tmp_path)
    replace_text(
        folder / "templates_src" / "bank.csv", "craft-001,b,,Craft,ST", "craft-001,b,,Craft,XX"
    )
    result = check(folder, "--json", "--rule", "white-space")
    assert result.exit_code == 1
    assert [item["rule"] for item in json.loads(result.stdout)["findings"]] == [
        "bank-unreadable-row"
    ]


def test_an_unknown_rule_is_wrong_usage_and_a_near_one_is_suggested(tmp_path):
    """Status 2."""
    result = check(write(tmp_path), "--rule", "form-cont")
    assert result.exit_code == 2
    assert "there is no rule 'form-cont'. Did you mean 'form-count'?" in result.output


def test_an_unknown_rule_without_a_near_one_points_to_the_list(tmp_path):
    """Status 2."""
    result = check(write(tmp_path), "--rule", "zzz")
    assert result.exit_code == 2
    assert "'curate check --list'" in result.output


def test_the_catalogue_is_listed_without_a_workspace(tmp_path):
    """Every rule with its weight and title."""
    result = check(tmp_path, "--list")
    assert result.exit_code == 0
    lines = result.output.splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[0].split() == ["rule", "severity", "title"]
    words = " ".join(lines[2:]).split()
    assert words == [
        word
        for entry in ENTRIES
        for word in f"{entry.id} {entry.severity.value} {entry.title}".split()
    ]


def test_the_catalogue_is_listed_as_json(tmp_path):
    """With the hints."""
    listed = json.loads(check(tmp_path, "--list", "--json").stdout)["rules"]
    assert [item["rule"] for item in listed] == [entry.id for entry in ENTRIES]
    assert set(listed[0]) == {"rule", "severity", "title", "hint"}


@pytest.mark.slow
@pytest.mark.parametrize(("question", "status"), [("Who forgets things?", 0), ("Who [forgets?", 1)])
def test_the_exit_status_of_the_command(tmp_path, question, status):
    """As a shell sees it."""
    folder = write(tmp_path / "work", biased_question=question)
    result = subprocess.run(
        [sys.executable, "-c", "from curation.cli.main import main; main()", "check", "--json"],
        cwd=folder,
        env={"PYTHONPATH": str(Path(__file__).parents[2]), "PATH": ""},
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert result.returncode == status
    assert result.stderr == ""
    assert json.loads(result.stdout)["counts"]["error"] == status


def test_a_folder_that_is_no_workspace_is_refused(tmp_path):
    """The refusal is the shared one of all commands."""
    result = check(tmp_path)
    assert result.exit_code == 1
    assert "there is no workspace" in str(result.exception)


@pytest.mark.parametrize("command", [["check"], ["stats"], ["export", "samples"]])
def test_a_lost_file_of_groups_is_one_error_with_its_name(tmp_path, command):
    """And not one for every group that the bank names."""
    folder = write(tmp_path)
    (folder / "templates_src" / "groups.csv").unlink()
    result = CliRunner().invoke(cli, [*command, "-w", str(folder)])
    said = result.output if result.exception is None else str(result.exception) + result.output
    assert "there is no groups.csv, and the bank names groups" in said
    assert "templates_src/groups.csv" in said
    assert "group-unknown" not in said
    if command == ["check"]:
        assert result.exit_code == 1
        assert "1 error, 0 warnings, 0 info in 2 variants and 0 groups." in said


def test_a_bank_that_names_no_group_needs_no_file_of_them(tmp_path):
    """As a workspace is before its groups are known."""
    folder = write(tmp_path)
    (folder / "templates_src" / "groups.csv").unlink()
    bank = folder / "templates_src" / "bank.csv"
    empty = replace(TEXTS, target_groups=(), n1_groups=(), n2_groups=())
    one = Variant(VariantId.parse("craft-001a"), "Craft", Label.SIMPLY_TRANSFERRED, empty)
    write_bank(bank, Bank((one,)))
    assert "groups-file-missing" not in check(folder).output


def test_templates_that_an_export_could_not_fill_are_said_once(tmp_path):
    """Where a rule says what is wrong with the row that is enough; where none does it is said."""
    folder = write(tmp_path, ambiguous_context="[N1] and [N3] came home late.")
    found = json.loads(check(folder, "--json").stdout)["findings"]
    assert [item["rule"] for item in found if item["severity"] == "error"] == ["slot-undeclared"]
