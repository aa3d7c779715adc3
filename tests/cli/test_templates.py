"""`curate templates`: templates are deleted or set aside with a reason, and brought back."""

import csv
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import curation
import survey
from curation.files.bank import write_bank
from curation.files.ledger import read_decisions
from curation.files.workspace import Workspace
from curation.records.bank import Label
from curation.records.published import TEMPLATE_COLUMNS
from survey.outcomes import Status

Curate = Callable[..., Any]
Listing = Callable[[Path], dict[str, str]]
KOREAN = {
    "Category": "Craft",
    "Label_annotation": "ST",
    "Ambiguous_context": "[N1]과 [N2]가 왔다.",
    "Disambiguating_context": "[N1]은 흥얼거렸고 [N2]는 조용했다.",
    "Names": "N1: [옹기장]; N2: [제빵사]",
    "Biased_question": "누가 흥얼거렸는가?",
    "Counter-biased_question": "누가 조용했는가?",
    "Biased_question_answer": "[N1]",
    "Counter-biased_question_answer": "[N2]",
    "N1_info": "옹기장이",
    "N2_info": "제빵사",
    "Target_group": "제빵사",
}
WHY = ("--by", "Mina", "--reason", "it is about no group of ours")


def bank(folder: Path) -> list[dict[str, str]]:
    """The rows of the bank."""
    with (folder / "templates_src" / "bank.csv").open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def broken(folder: Path, template: str) -> None:
    """Name a slot in a template that nothing declares, which no sample could fill."""
    path = folder / "templates_src" / "bank.csv"
    rows = bank(folder)
    for row in rows:
        if row["template_id"] == template:
            row["ambiguous_context"] = row["ambiguous_context"] + " [N7]"
            row["ambiguous_context_source"] = row["ambiguous_context_source"] + " [N7]"
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def errors(curate: Curate, folder: Path, *more: str) -> list[dict[str, Any]]:
    """The errors that are found in a workspace."""
    found = curate("check", "-w", folder, "--json", *more).json["findings"]
    return [item for item in found if item["severity"] == "error"]


def status(folder: Path, template: str) -> tuple[Status, str]:
    """Where a template stands."""
    final = survey.final_bank(Workspace(folder))
    (found,) = [item for item in final.outcomes if str(item.template.id) == template]
    return found.status, found.reason


def test_a_deleted_template_is_gone_and_comes_back_as_it_was(
    curate: Curate, filtered: Path, listing: Listing
) -> None:
    """Rows go to a file of their own, the ledger keeps why; restoring gives the same bytes."""
    path = filtered / "templates_src" / "bank.csv"
    write_bank(path, Workspace(filtered).bank)  # with all columns, as every command writes it
    before, ledger = listing(filtered), (filtered / "decisions.csv").read_text("utf-8")
    rows = bank(filtered)
    dry = curate("templates", "delete", "-w", filtered, "age-002", *WHY, "--dry-run")
    assert (dry.code, listing(filtered)) == (0, before)
    ran = curate("templates", "delete", "-w", filtered, "age-002", *WHY)
    assert (ran.code, ran.out) == (
        *(
            0,
            "age-002 is deleted.\n1 template, 2 rows of the bank; 1 decision for the ledger.\n",
        ),
    )
    assert bank(filtered) == [row for row in rows if row["template_id"] != "age-002"]
    last = read_decisions(filtered / "decisions.csv")[-1]
    assert (last.subject, last.stage, last.rule, last.outcome) == (
        *("age-002", "manual", "removal", "drop"),
    )
    assert (last.reason, last.by) == ("it is about no group of ours", "Mina")
    twice = curate("templates", "delete", "-w", filtered, "age-001", "age-002", *WHY)
    assert (twice.code, "Error: age-002 is already deleted" in twice.err) == (1, True)
    assert "curate templates restore" in twice.err
    assert bank(filtered) == [row for row in rows if row["template_id"] != "age-002"]
    told = curate("explain", "age-002", "-w", filtered)
    assert told.code == 0
    assert "it is about no group of ours" in told.out
    assert curate("export", "samples", "-w", filtered).code == 0
    assert curate("status", "-w", filtered).code == 0

    again = curate("templates", "restore", "-w", filtered, "age-002", *WHY)
    assert (again.code, again.out.splitlines()[0]) == (0, "age-002 is back.")
    after = listing(filtered)
    changed = {name for name in before if after[name] != before[name]}
    assert changed == {"decisions.csv"}
    assert (filtered / "decisions.csv").read_text("utf-8").startswith(ledger)
    assert curate("templates", "restore", "-w", filtered, "age-003", *WHY).code == 1


def test_a_template_that_is_set_aside_stays_in_the_bank_alone(
    curate: Curate, filtered: Path
) -> None:
    """It goes before what others decided; brought back, their decisions hold again."""
    rows = bank(filtered)
    was = status(filtered, "age-001")
    curate("override", "age-001", "--keep", *WHY, "-w", filtered)
    ran = curate("templates", "set-aside", "-w", filtered, "age-001", *WHY, "--json")
    assert (ran.code, ran.json) == (
        *(0, {"templates": ["age-001"], "variants": 0, "unchanged": [], "decisions": 1}),
    )
    assert bank(filtered) == rows
    assert status(filtered, "age-001") == (
        *(Status.DROPPED, "set aside: it is about no group of ours"),
    )
    before = {item.sample_id[:7] for item in curation.samples(Workspace(filtered))}
    assert "age-001" not in before
    refused = curate("override", "age-001", "--keep", *WHY, "-w", filtered)
    assert (refused.code, "age-001 is set aside" in refused.err) == (1, True)
    same = curate("templates", "set-aside", "-w", filtered, "age-001", *WHY)
    assert same.out.splitlines()[0] == "age-001 is set aside already, for the same reason."
    assert curate("templates", "restore", "-w", filtered, "age-001", *WHY).code == 0
    assert status(filtered, "age-001") == (Status.KEPT, "it is about no group of ours")
    assert was[0] is Status.KEPT


@pytest.mark.parametrize("way", ["SR", "set aside", "deleted"])
def test_what_is_wrong_with_templates_out_of_use_stops_nothing(
    curate: Curate, filtered: Path, way: str
) -> None:
    """An error of a template in use is a warning there, and nothing at all where it is deleted."""
    workspace = Workspace(filtered)
    removed = [i for i in workspace.bank.templates() if i.label is Label.SAMPLE_REMOVED]
    template = str(removed[0].id) if way == "SR" else "age-001"
    before, release = errors(curate, filtered), errors(curate, filtered, "--release")
    broken(filtered, template)
    if way != "SR":
        assert len(errors(curate, filtered)) > len(before)
        command = "delete" if way == "deleted" else "set-aside"
        assert curate("templates", command, "-w", filtered, template, *WHY).code == 0
    assert errors(curate, filtered) == before
    # The survey's decisions were made on the texts as they were: 'curate filter' again.
    stale = [item["rule"] for item in errors(curate, filtered, "--release")[: -len(release)]]
    assert stale == ["release-stale"]
    found = curate("check", "-w", filtered, "--json").json["findings"]
    about = [item for item in found if "N7" in item["message"]]
    assert bool(about) is (way != "deleted")
    assert {item["severity"] for item in about} <= {"warning"}


def test_many_at_once_by_label_and_by_table(
    curate: Curate, filtered: Path, tmp_path: Path, listing: Listing
) -> None:
    """All that are named are found first; every template that is not there is named."""
    table = tmp_path / "aside.csv"
    table.write_text("template_id,reason\nage-001,first\nage-002,second\n", encoding="utf-8")
    ran = curate("templates", "set-aside", "-w", filtered, "--table", table, "--by", "Mina")
    assert ran.code == 0
    reasons = {
        item.subject: item.reason for item in read_decisions(filtered / "decisions.csv")[-2:]
    }
    assert reasons == {"age-001": "first", "age-002": "second"}
    ran = curate("templates", "delete", "-w", filtered, "--label", "SR", *WHY, "--json")
    assert (ran.code, len(ran.json["templates"]), ran.json["variants"]) == (0, 4, 8)
    assert {row["label"] for row in bank(filtered)} == {"ST", "TM", "NC"}
    back = curation.restore_templates(
        Workspace(filtered), ran.json["templates"], reason="too soon", by="Jun"
    )
    assert back.variants == 8
    curation.delete_templates(Workspace(filtered), label=Label.SAMPLE_REMOVED, reason="x", by="Jun")
    none = curate("templates", "set-aside", "-w", filtered, "--label", "SR", *WHY)
    assert (none.code, "no template is labelled SR" in none.err) == (1, True)
    before = listing(filtered)
    for rows, said in (
        ("age-001,x\nage-901,y\nage-902,z\n", "the bank has no templates age-901, age-902"),
        ("age-001,x\nage-001,y\n", "age-001 has another reason above"),
        ("age-001,\n", "reason is empty"),
        ("", "names no template"),
    ):
        table.write_text(f"template_id,reason\n{rows}", encoding="utf-8")
        ran = curate("templates", "delete", "-w", filtered, "--table", table, "--by", "Mina")
        assert (ran.code, said in ran.err) == (1, True), ran.err
    assert curate("templates", "delete", "-w", filtered, "age-001", "--by", "Mina").code == 1
    assert curate("templates", "delete", "-w", filtered, *WHY).code == 2
    assert curate("templates", "delete", "-w", filtered, "age-001", "--reason", "x").code == 2
    assert listing(filtered) == before


def published(path: Path) -> Path:
    """Write two templates in the columns of a published table."""
    rows = [
        {**KOREAN, "ID": number, "version": letter, "Stereotype": f"흥얼거린다 {number}"}
        for number in "12"
        for letter in "ab"
    ]
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, TEMPLATE_COLUMNS, delimiter="\t", restval="")
        writer.writeheader()
        writer.writerows(rows)
    return path


def test_what_was_deleted_is_not_imported_again(curate: Curate, tmp_path: Path) -> None:
    """It is said; restored, it is known, and stands at its place."""
    folder, source = tmp_path / "w", published(tmp_path / "templates.tsv")
    assert curate("init", folder, "--language", "ko").code == 0
    assert curate("import", "kobbq", source, "-w", folder, "--json").json["variants_added"] == 4
    before = (folder / "templates_src" / "bank.csv").read_bytes()
    assert curate("templates", "delete", "-w", folder, "craft-001", *WHY).code == 0
    again = curate("import", "kobbq", source, "-w", folder, "--json")
    assert (again.code, again.json["variants_added"]) == (0, 0)
    assert (again.json["variants_known"], again.json["variants_deleted"]) == (2, 2)
    told = curate("import", "kobbq", source, "-w", folder).out
    assert "0 variants added to the bank, 2 already there, 2 deleted here.\n" in told
    assert [row["template_id"] for row in bank(folder)] == ["craft-002"] * 2
    (said,) = [item for item in again.json["findings"] if item["rule"] == "import-deleted"]
    assert said["message"] == "1 template not imported again after being deleted here: craft-001"
    assert curate("templates", "restore", "-w", folder, "craft-001", *WHY).code == 0
    assert (folder / "templates_src" / "bank.csv").read_bytes() == before
    known = curate("import", "kobbq", source, "-w", folder, "--json")
    assert (known.json["variants_added"], known.json["variants_known"]) == (0, 4)
    assert [i for i in known.json["findings"] if i["rule"] == "import-deleted"] == []
