"""`curate classify`: sheets, what comes back, and the consensus."""

import csv
import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from ods import save_ods

from curation.files.annotations import AnnotationsFolder, read_annotations
from curation.files.bank import write_bank
from curation.files.ledger import read_decisions
from curation.files.workspace import Workspace
from curation.records.bank import Bank, Label
from curation.records.survey import Outcome, Rule, Stage

Curate = Callable[..., Any]
Listing = Callable[[Path], dict[str, str]]
Labels = Mapping[str, str]

ONE, TWO = "craft-001", "craft-002"


@pytest.fixture
def bank(workspace: Path) -> Path:
    """A workspace with two templates of a source, whose second one is only variant a."""
    path = workspace / "templates_src" / "bank.csv"
    rows = list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))
    for row in rows:
        row.update({"label": "", "source": "demo", "source_id": row["template_id"]})
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    return workspace


@pytest.fixture
def returned(curate: Curate, bank: Path) -> Callable[..., Path]:
    """Hand a sheet out and fill it in; gives the file."""

    def fill(name: str, labels: Labels, **more: Mapping[str, str]) -> Path:
        ran = curate("classify", "sheet", "-w", bank, "--annotator", name, "--json")
        assert ran.code == 0
        path = Path(ran.json["sheets"][0]["file"])
        return filled(path, "templates", {"label": labels, **more})

    return fill


def filled(path: Path, sheet: str, answers: Mapping[str, Labels]) -> Path:
    """Fill in columns of a workbook by key."""
    book = openpyxl.load_workbook(path)
    rows = {row[0].value: row[0].row for row in book[sheet].iter_rows(min_row=2)}
    columns = {cell.value: cell.column for cell in book[sheet][1]}
    for column, values in answers.items():
        for key, value in values.items():
            book[sheet].cell(rows[key], columns[column]).value = value
    book.save(path)
    return path


def labels_of(workspace: Path) -> dict[str, str]:
    """Give the labels in the bank."""
    text = (workspace / "templates_src" / "bank.csv").read_text(encoding="utf-8")
    return {row["template_id"]: row["label"] for row in csv.DictReader(text.splitlines())}


def test_a_sheet_is_made_for_each_annotator(curate: Curate, bank: Path) -> None:
    """Every annotator has a file, with a row for each template."""
    ran = curate("classify", "sheet", "-w", bank, "--annotator", "Mina", "--annotator", "준 호")
    assert ran.code == 0
    names = sorted(path.name for path in AnnotationsFolder(bank).sheets.iterdir())
    assert names == ["classify-Mina.xlsx", "classify-준_호.xlsx"]
    book = openpyxl.load_workbook(AnnotationsFolder(bank).sheets / names[0])
    assert [row[0].value for row in book["templates"].iter_rows(min_row=2)] == [ONE, TWO]


def test_what_to_do_where_nothing_is_to_be_classified(curate: Curate, bank: Path) -> None:
    """Import templates, where all are newly created or none is there; --open if it was given."""
    args = ("classify", "sheet", "-w", bank, "--annotator", "Mina")
    for name in (ONE, TWO):
        given = ("--template", name, "--label", "ST", "--why", "known", "--by", "Mina")
        assert curate("classify", "resolve", "-w", bank, *given).code == 0
    ran = curate(*args, "--open")
    told = "all of them have a consensus: leave out --open to label them again"
    assert (ran.code, told in ran.err) == (1, True)
    rows = Workspace(bank).bank.variants
    new = tuple(replace(row, label=Label.NEWLY_CREATED) for row in rows)
    for left, hint in (
        (new, "import published templates; those of the bank are newly created (NC)"),
        ((), "import published templates"),
    ):
        write_bank(bank / "templates_src" / "bank.csv", Bank(left))
        ran = curate(*args)
        assert (ran.code, ran.err.splitlines()[-1].strip()) == (1, f"do:    {hint}")


def test_a_filled_in_sheet_is_never_written_over(
    curate: Curate, bank: Path, returned: Callable[..., Path]
) -> None:
    """Making the sheets again leaves equal ones and refuses to replace others."""
    path = returned("Mina", {})
    filled(path, "templates", {"label": {ONE: "ST"}})
    before = path.read_bytes()
    ran = curate("classify", "sheet", "-w", bank, "--annotator", "Mina")
    assert ran.code == 1
    assert "may have been filled in" in ran.err
    assert path.read_bytes() == before


def test_two_annotators_of_one_name_are_refused(curate: Curate, bank: Path) -> None:
    """Names that differ in case alone are one name."""
    ran = curate("classify", "sheet", "-w", bank, "--annotator", "Mina", "--annotator", "mina ")
    assert ran.code == 2


def test_agreement_and_agenda_come_of_what_is_returned(
    curate: Curate, bank: Path, returned: Callable[..., Path]
) -> None:
    """Labels are counted, the disagreement is on the agenda with everyone's reasons."""
    mina = returned("Mina", {ONE: "ST", TWO: "SR"}, reason={TWO: "nobody sings here"})
    jun = returned("Jun", {ONE: "ST", TWO: "TM"}, proposed_targets={TWO: "Potters, Weavers"})
    ran = curate("classify", "collect", "-w", bank, mina, jun, "--json")
    assert ran.code == 0
    assert ran.json["disagreements"] == [TWO]
    assert ran.json["incomplete"] == []
    assert ran.json["agreement"]["percent"]["value"] == 0.5
    assert ran.json["annotators"][1]["labels"] == {"ST": 1, "TM": 0, "SR": 1}
    folder = AnnotationsFolder(bank)
    with folder.agenda("csv").open(encoding="utf-8", newline="") as stream:
        (item,) = csv.DictReader(stream)
    opinions = {entry["annotator"]: entry for entry in json.loads(item["opinions"])}
    assert opinions["Mina"]["reason"] == "nobody sings here"
    assert opinions["Jun"]["proposed_targets"] == ["Potters", "Weavers"]
    assert "- Mina: SR; nobody sings here" in folder.agenda("md").read_text(encoding="utf-8")


def test_collecting_again_changes_nothing(
    curate: Curate, bank: Path, returned: Callable[..., Path], listing: Listing
) -> None:
    """The same files give the same bytes, times of collection included."""
    path = returned("Mina", {ONE: "ST", TWO: "ST"})
    curate("classify", "collect", "-w", bank, path)
    before = listing(bank)
    ran = curate("classify", "collect", "-w", bank, path, "--json")
    assert listing(bank) == before
    assert ran.json["annotators"][0]["replaced"] == 0


def test_a_later_file_replaces_what_its_annotator_said(
    curate: Curate, bank: Path, returned: Callable[..., Path], tmp_path: Path
) -> None:
    """Others' labels stay; how many were replaced is said."""
    mina, jun = returned("Mina", {ONE: "ST"}), returned("Jun", {ONE: "ST"})
    curate("classify", "collect", "-w", bank, mina, jun)
    filled(mina, "templates", {"label": {ONE: "TM"}})
    ran = curate("classify", "collect", "-w", bank, mina, "--json")
    found = {item["annotator"]: item["replaced"] for item in ran.json["annotators"]}
    assert found == {"Jun": 0, "Mina": 1}
    rows = read_annotations(AnnotationsFolder(bank).classify)
    assert [(row.annotator, str(row.label)) for row in rows] == [("Jun", "ST"), ("Mina", "TM")]


def test_an_incomplete_annotator_is_named(
    curate: Curate, bank: Path, returned: Callable[..., Path]
) -> None:
    """Who left a template open is named with it, and the template is on the agenda."""
    mina, jun = returned("Mina", {ONE: "ST", TWO: "ST"}), returned("Jun", {ONE: "ST"})
    ran = curate("classify", "collect", "-w", bank, mina, jun)
    assert "incomplete Jun: 1 not labelled: craft-002" in ran.out
    assert "0 templates with disagreement and 1 incomplete" in ran.out


@pytest.mark.parametrize(
    ("labels", "more", "rule"),
    [
        ({ONE: "XX"}, {}, "workbook-value-unknown"),
        ({ONE: "SR"}, {}, "workbook-value-required"),
        ({ONE: "=A1"}, {}, "workbook-formula"),
        ({}, {}, "annotation-empty"),
        ({ONE: "TM"}, {"proposed_targets": {ONE: "[Potters"}}, "annotation-groups"),
    ],
)
def test_a_sheet_with_an_error_is_given_back_marked_and_nothing_is_written(
    curate: Curate,
    bank: Path,
    returned: Callable[..., Path],
    labels: Labels,
    more: Mapping[str, Labels],
    rule: str,
) -> None:
    """Neither it nor the good one beside it is collected."""
    good = returned("Jun", {ONE: "ST", TWO: "ST"})
    bad = returned("Mina", labels, **more)
    ran = curate("classify", "collect", "-w", bank, good, bad, "--json")
    assert ran.code == 1
    assert [item["rule"] for item in ran.json["findings"]] == [rule]
    assert [Path(path).name for path in ran.json["marked"]] == ["classify-Mina.xlsx"]
    folder = AnnotationsFolder(bank)
    assert sorted(path.name for path in folder.folder.iterdir()) == ["marked", "sheets"]


def test_the_same_file_twice_is_read_once(
    curate: Curate, bank: Path, returned: Callable[..., Path], tmp_path: Path
) -> None:
    """A copy is said; another file by the same annotator is refused."""
    path = returned("Mina", {ONE: "ST"})
    copy = tmp_path / "copy.xlsx"
    copy.write_bytes(path.read_bytes())
    ran = curate("classify", "collect", "-w", bank, path, copy, "--json")
    assert ran.code == 0
    assert [item["rule"] for item in ran.json["findings"]] == ["annotation-file-twice"]
    filled(copy, "templates", {"label": {ONE: "TM"}})
    ran = curate("classify", "collect", "-w", bank, path, copy)
    assert ran.code == 1
    assert "are both by 'Mina'" in ran.err


def test_a_label_of_a_template_that_changed_is_not_counted(
    curate: Curate, bank: Path, returned: Callable[..., Path]
) -> None:
    """It is said and left open, unless it is accepted."""
    path = returned("Mina", {ONE: "ST", TWO: "ST"})
    file = bank / "templates_src" / "bank.csv"
    file.write_text(file.read_text(encoding="utf-8").replace("They hum", "They whistle"))
    ran = curate("classify", "collect", "-w", bank, path, "--json")
    assert ran.code == 0
    assert ran.json["annotators"][0]["changed"] == [ONE]
    assert ran.json["incomplete"] == [ONE]
    ran = curate("classify", "collect", "-w", bank, path, "--accept-changed", "--json")
    assert ran.json["annotators"][0]["changed"] == []


def test_labels_that_were_collected_go_stale_with_their_template(
    curate: Curate, bank: Path, returned: Callable[..., Path]
) -> None:
    """A template edited after the collection is no longer unanimous."""
    files = [returned(name, {ONE: "ST", TWO: "ST"}) for name in ("Mina", "Jun")]
    curate("classify", "collect", "-w", bank, *files)
    file = bank / "templates_src" / "bank.csv"
    file.write_text(file.read_text(encoding="utf-8").replace("They hum", "They whistle"))
    ran = curate("classify", "resolve", "-w", bank, "--unanimous", "--by", "Mina", "--json")
    assert [item["template_id"] for item in ran.json["settled"]] == [TWO]


def test_unanimous_templates_are_settled_once(
    curate: Curate, bank: Path, returned: Callable[..., Path]
) -> None:
    """Decision and label are written; the same again adds nothing to the ledger."""
    files = [
        returned(name, {ONE: "TM", TWO: other}) for name, other in (("Mina", "ST"), ("Jun", "TM"))
    ]
    curate("classify", "collect", "-w", bank, *files)
    ran = curate("classify", "resolve", "-w", bank, "--unanimous", "--by", "Mina")
    assert ran.code == 0
    assert labels_of(bank) == {ONE: "TM", TWO: ""}
    (decision,) = read_decisions(bank / "decisions.csv")
    assert (decision.subject, decision.stage, decision.rule) == (
        ONE,
        Stage.CLASSIFY,
        Rule.CONSENSUS,
    )
    assert (decision.outcome, decision.reason, decision.by) == (
        Outcome.MODIFY,
        "TM: unanimous",
        "Mina",
    )
    before = (bank / "decisions.csv").read_bytes()
    ran = curate("classify", "resolve", "-w", bank, "--unanimous", "--by", "Jun", "--json")
    assert ran.json["ledger"] == {"added": 0, "unchanged": 1, "changes": []}
    assert (bank / "decisions.csv").read_bytes() == before


@pytest.mark.parametrize(("by", "meant"), [("Mna", "Mina"), (" mina ", ""), ("Lucy", "")])
def test_a_name_that_is_nearly_an_annotators_is_told(
    curate: Curate, bank: Path, returned: Callable[..., Path], by: str, meant: str
) -> None:
    """Somebody else may answer for a consensus, so it is taken; a slip is worth a word."""
    files = [returned(name, {ONE: "ST"}) for name in ("Mina", "Jun")]
    curate("classify", "collect", "-w", bank, *files)
    resolve = ("classify", "resolve", "-w", bank, "--unanimous", "--by", by, "--json")
    told = [
        (item["severity"], item["message"])
        for item in curate(*resolve).json["findings"]
        if item["rule"] == "consensus-name"
    ]
    message = f"no annotator is named '{by}'; did you mean '{meant}'?"
    assert told == ([("warning", message)] if meant else [])
    assert labels_of(bank)[ONE] == "ST"
    again = curate(*resolve).json["findings"]
    assert "consensus-name" not in {item["rule"] for item in again}


def test_one_annotator_is_no_consensus(
    curate: Curate, bank: Path, returned: Callable[..., Path]
) -> None:
    """Unless that is asked for."""
    curate("classify", "collect", "-w", bank, returned("Mina", {ONE: "ST"}))
    resolve = ("classify", "resolve", "-w", bank, "--unanimous", "--by", "Mina")
    assert curate(*resolve).code == 1
    assert labels_of(bank)[ONE] == ""
    assert curate(*resolve, "--at-least", 1).code == 0
    assert labels_of(bank)[ONE] == "ST"


def test_a_filled_in_agenda_is_settled(
    curate: Curate, bank: Path, returned: Callable[..., Path]
) -> None:
    """Rows with a label are decided on; an agenda collected over is moved aside, not lost."""
    files = [
        returned(name, {ONE: label, TWO: label}) for name, label in (("Mina", "ST"), ("Jun", "TM"))
    ]
    curate("classify", "collect", "-w", bank, *files)
    agenda = AnnotationsFolder(bank).agenda("xlsx")
    filled(agenda, "agenda", {"label": {ONE: "ST"}, "why": {ONE: "of the same people"}})
    ran = curate("classify", "resolve", "-w", bank, agenda, "--by", "All", "--json")
    assert ran.code == 0
    assert [item["reason"] for item in ran.json["settled"]] == ["ST: of the same people"]
    assert labels_of(bank) == {ONE: "ST", TWO: ""}
    ran = curate("classify", "collect", "-w", bank, "--json")
    assert ran.json["disagreements"] == [TWO]
    assert Path(ran.json["moved"]).exists()
    ran = curate("classify", "resolve", "-w", bank, ran.json["moved"], "--by", "All", "--json")
    assert ran.json["ledger"]["added"] == 0


def test_an_agenda_without_why_is_given_back(
    curate: Curate, bank: Path, returned: Callable[..., Path]
) -> None:
    """A label without a word is refused; neither ledger nor bank is touched."""
    files = [returned(name, {ONE: label}) for name, label in (("Mina", "ST"), ("Jun", "TM"))]
    curate("classify", "collect", "-w", bank, *files)
    agenda = filled(AnnotationsFolder(bank).agenda("xlsx"), "agenda", {"label": {ONE: "ST"}})
    ran = curate("classify", "resolve", "-w", bank, agenda, "--by", "All")
    assert ran.code == 1
    assert "why is empty though label is ST" in ran.out
    assert not (bank / "decisions.csv").exists()
    assert labels_of(bank)[ONE] == ""


def test_another_consensus_supersedes_and_says_so(curate: Curate, bank: Path) -> None:
    """Both decisions are in the ledger, the later one holds, texts of SR are asked to go."""
    one = ("classify", "resolve", "-w", bank, "--template", ONE, "--by", "Mina")
    assert curate(*one, "--label", "ST", "--why", "known").code == 0
    ran = curate(*one, "--label", "SR", "--why", "no such idea here")
    assert ran.code == 0
    assert "'ST: known' (Mina, " in ran.out
    assert "take the texts out" in ran.out
    decisions = read_decisions(bank / "decisions.csv")
    assert [(item.outcome.value, item.reason) for item in decisions] == [
        ("keep", "ST: known"),
        ("drop", "SR: no such idea here"),
    ]
    assert labels_of(bank)[ONE] == "SR"
    assert curate("explain", "-w", bank, ONE).out.startswith(f"Template {ONE}: removed")


def test_a_dry_run_writes_nothing(curate: Curate, bank: Path, listing: Listing) -> None:
    """It shows what would be settled."""
    before = listing(bank)
    args = ("--template", ONE, "--label", "ST", "--why", "known", "--by", "Mina", "--dry-run")
    assert "would be added" in curate("classify", "resolve", "-w", bank, *args).out
    assert listing(bank) == before


def test_a_consensus_is_no_decision_of_the_survey(curate: Curate, bank: Path) -> None:
    """Templates labelled ST and TM by consensus are filtered by their answers alone."""
    survey = bank / "responses" / "responses.csv"
    for name, label in ((ONE, "ST"), (TWO, "TM")):
        args = ("--template", name, "--label", label, "--why", "known", "--by", "Mina")
        curate("classify", "resolve", "-w", bank, *args)
    ran = curate("filter", "-w", bank, "--survey", survey, "--json")
    assert ran.json["templates"] == {"kept": 2, "dropped": 0, "undecided": 0, "removed": 0}


@pytest.mark.parametrize(
    "args",
    [
        (),
        ("--unanimous", "--template", ONE),
        ("--template", ONE),
        ("--template", ONE, "--label", "ST"),
        ("--unanimous", "--why", "x"),
    ],
)
def test_wrong_usage_is_said(curate: Curate, bank: Path, args: tuple[str, ...]) -> None:
    """One way to settle at a time, with all that it needs."""
    assert curate("classify", "resolve", "-w", bank, "--by", "Mina", *args).code == 2


def test_an_unknown_template_is_refused(curate: Curate, bank: Path) -> None:
    """One clear error."""
    args = ("--template", "craft-099", "--label", "ST", "--why", "known", "--by", "Mina")
    ran = curate("classify", "resolve", "-w", bank, *args)
    assert ran.code == 1
    assert "the bank has no template craft-099" in ran.err


@pytest.fixture
def long_lists(bank: Path) -> Path:
    """A workspace in which a template has a list that is too long to be shown beside it."""
    path = bank / "templates_src" / "bank.csv"
    names = ", ".join(f"Ann{at}" for at in range(50))
    rows = list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))
    for row in rows:
        if row["template_id"] == ONE:
            row["names_source"] = row["names"] = f"N1: [{names}]; N2: [{names}]"
            row["ambiguous_context_source"] = "[N1] and [N2]."
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    return bank


def test_what_is_changed_in_the_sheet_of_long_lists_is_said(
    curate: Curate, long_lists: Path, returned: Callable[..., Path]
) -> None:
    """It is only to be read: labels are taken, and an edit, a formula or a lost row is told."""
    path = returned("Mina", {ONE: "ST", TWO: "ST"})
    book = openpyxl.load_workbook(path)
    sheet = book["names"]
    column = next(cell.column for cell in sheet[1] if cell.value == "names")
    assert sheet.cell(2, column).value.startswith("Ann0, Ann1, ")
    sheet.cell(2, column).value = "Ann0"
    book.save(path)
    ran = curate("classify", "collect", "-w", long_lists, path, "--json")
    assert ran.code == 0
    (finding,) = ran.json["findings"]
    assert (finding["rule"], finding["severity"]) == ("workbook-locked-changed", "warning")
    sheet.cell(2, column).value = "=1+1"
    sheet.cell(2, column).data_type = "f"
    book.save(path)
    ran = curate("classify", "collect", "-w", long_lists, path, "--json")
    assert (ran.code, {item["severity"] for item in ran.json["findings"]}) == (0, {"warning"})
    del book["names"]
    book.save(path)
    ran = curate("classify", "collect", "-w", long_lists, path, "--json")
    assert [item["rule"] for item in ran.json["findings"]] == ["workbook-sheet-missing"]
    assert len(read_annotations(AnnotationsFolder(long_lists).classify)) == 2


def test_a_renamed_column_is_the_only_thing_said(
    curate: Curate, long_lists: Path, returned: Callable[..., Path]
) -> None:
    """The rows of long lists are the toolkit's own; nor are those of a template taken out told."""
    path = returned("Mina", {ONE: "ST", TWO: "ST"})
    book = openpyxl.load_workbook(path)
    (header,) = (cell for cell in book["templates"][1] if cell.value == "label")
    header.value = "my label"
    book.save(path)
    ran = curate("classify", "collect", "-w", long_lists, path)
    assert ran.code == 1
    assert "there is no column 'label'" in ran.out + ran.err
    assert "workbook-row-unknown" not in ran.out + ran.err
    header.value = "label"
    for row in book["templates"].iter_rows(min_row=2):
        if any(cell.value == ONE for cell in row):
            book["templates"].delete_rows(row[0].row)
            break
    book.save(path)
    found = curate("classify", "collect", "-w", long_lists, path, "--json").json["findings"]
    assert [item["rule"] for item in found] == ["workbook-row-missing"]


def test_nobody_owes_labels_of_lists(
    curate: Curate, long_lists: Path, returned: Callable[..., Path]
) -> None:
    """The rows of that sheet are no templates."""
    returned("Mina", {})
    owed = curate("status", "-w", long_lists, "--json").json["owed"]
    (labels,) = (item for item in owed if item["who"] == "Mina")
    assert labels["count"] == 2


def test_sheets_and_agenda_come_back_as_open_documents(
    curate: Curate, bank: Path, returned: Callable[..., Path], tmp_path: Path
) -> None:
    """They are read like workbooks, kept as they came, and marked copies are workbooks."""

    def as_ods(path: Path) -> Path:
        return save_ods(openpyxl.load_workbook(path), tmp_path / f"{path.stem}.ods")

    mina = as_ods(returned("Mina", {ONE: "ST", TWO: "ST"}))
    jun = as_ods(returned("Jun", {ONE: "SR", TWO: "ST"}))
    ran = curate("classify", "collect", "-w", bank, mina, jun, "--json")
    assert ran.code == 1
    assert [Path(name).name for name in ran.json["marked"]] == ["classify-Jun.xlsx"]
    copy = filled(Path(ran.json["marked"][0]), "templates", {"reason": {ONE: "not known"}})
    ran = curate("classify", "collect", "-w", bank, mina, copy, "--json")
    assert (ran.code, ran.json["disagreements"]) == (0, [ONE])
    raw = {path.suffix for path in (bank / "annotations" / "raw").iterdir()}
    assert raw == {".ods", ".xlsx"}
    answers = {"label": {ONE: "TM"}, "why": {ONE: "the meeting"}}
    agenda = as_ods(filled(bank / "annotations" / "agenda.xlsx", "agenda", answers))
    assert curate("classify", "resolve", "-w", bank, agenda, "--by", "All").code == 0
    assert labels_of(bank)[ONE] == "TM"


def test_rows_sorted_without_their_hidden_cells_keep_their_labels(
    curate: Curate, bank: Path, returned: Callable[..., Path]
) -> None:
    """What was labelled is what stands beside the label."""
    path = returned("Mina", {ONE: "ST", TWO: "TM"})
    book = openpyxl.load_workbook(path)
    sheet = book["templates"]
    for column in range(3, sheet.max_column + 1):
        first, second = sheet.cell(2, column), sheet.cell(3, column)
        first.value, second.value = second.value, first.value
    book.save(path)
    ran = curate("classify", "collect", "-w", bank, path, "--json")
    assert [item["rule"] for item in ran.json["findings"]] == ["workbook-rows-apart"]
    labels = read_annotations(AnnotationsFolder(bank).classify)
    assert {item.template_id: item.label for item in labels} == {
        ONE: Label.SIMPLY_TRANSFERRED,
        TWO: Label.TARGET_MODIFIED,
    }


def test_a_table_in_place_of_a_workbook_is_refused(curate: Curate, bank: Path) -> None:
    """With a way on; nothing is written."""
    path = bank / "Mina.csv"
    path.write_text("template_id,label\ncraft-001,ST\n")
    ran = curate("classify", "collect", "-w", bank, path)
    assert ran.code == 1
    assert (
        "Mina.csv holds only one sheet, as text" in ran.err and "saved as .xlsx or .ods" in ran.err
    )
    assert not (bank / "annotations" / "classify.csv").exists()
