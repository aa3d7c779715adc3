"""`curate classify suggest`: suggested labels, by rules and by a model on this machine."""

import csv
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from curation.annotation.suggestions.records import read_suggestions
from curation.annotation.suggestions.run import Wanted, suggest_labels
from curation.files.workspace import Workspace
from tests.annotation.engines import loopback_openai

Curate = Callable[..., Any]
Server = Callable[..., Any]
ONE, TWO = "craft-001", "craft-002"


@pytest.fixture
def bank(workspace: Path) -> Path:
    """A workspace with two templates of a source, and groups that people have worked on."""
    path = workspace / "templates_src" / "bank.csv"
    rows = list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))
    for row in rows:
        target = "Bakers" if row["template_id"] == ONE else '["Bakers", "Weavers"]'
        row.update(label="", source="demo", source_id=row["template_id"], target_groups=target)
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    return workspace


@pytest.fixture
def model_server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """Start a server; the environment names its key alone."""
    with ExitStack() as stack:

        def start(**settings: Any) -> Any:
            server = stack.enter_context(loopback_openai.serve(**settings))
            monkeypatch.setenv("OPENAI_API_KEY", loopback_openai.KEY)
            monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
            monkeypatch.setenv("NO_PROXY", "127.0.0.1")
            return server

        yield start


def rows(folder: Path) -> list[tuple[str, str, str]]:
    """What is suggested, and by what."""
    found = read_suggestions(Workspace(folder)).values()
    return [(item.template_id, item.label.value, item.engine) for item in found]


def test_labels_are_suggested_by_the_groups(curate: Curate, bank: Path) -> None:
    """With a reason; again nothing changes, and the bank's labels stay as they are."""
    before = (bank / "templates_src" / "bank.csv").read_bytes()
    ran = curate("classify", "suggest", "-w", bank)
    assert ran.code == 0
    assert "2 of 2 templates with a suggestion by rules: ST 1, TM 1, SR 0; 2 new" in ran.out
    assert rows(bank) == [(ONE, "ST", "rules"), (TWO, "TM", "rules")]
    file = bank / "annotations" / "suggestions.csv"
    written = file.read_bytes()
    ran = curate("classify", "suggest", "-w", bank, "--json")
    assert (ran.json["changed"], ran.json["labels"]) == (0, {"ST": 1, "TM": 1, "SR": 0})
    assert ran.json["suggestions"][1]["reason"] == (
        "Some of the groups are groups of this culture: Bakers. Others are not: Weavers"
    )
    assert file.read_bytes() == written
    assert (bank / "templates_src" / "bank.csv").read_bytes() == before


def test_status_counts_suggestions_and_names_stale_ones(curate: Curate, bank: Path) -> None:
    """One line where there are some; what has a consensus is not stale."""
    assert "suggested" not in curate("status", "-w", bank).out
    assert curate("classify", "suggest", "-w", bank).code == 0
    assert (
        "\n2 templates with a suggested label, none outdated.\n" in curate("status", "-w", bank).out
    )
    path = bank / "templates_src" / "bank.csv"
    table = list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))
    for row in table:
        row["stereotype"] += " and so on"
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, list(table[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(table)
    given = ("--template", TWO, "--label", "ST", "--why", "known", "--by", "Mina")
    assert curate("classify", "resolve", "-w", bank, *given).code == 0
    said = f"\n0 templates with a suggested label, 1 outdated ({ONE}): curate classify suggest\n"
    assert said in curate("status", "-w", bank).out
    found = curate("status", "-w", bank, "--json").json["suggestions"]
    assert found == {"templates": 0, "stale": [ONE]}


def test_what_has_a_consensus_needs_no_suggestion(curate: Curate, bank: Path) -> None:
    """One that it had stays; where it is named it gets one."""
    given = ("--template", ONE, "--label", "SR", "--why", "unknown", "--by", "Mina")
    assert curate("classify", "resolve", "-w", bank, *given).code == 0
    ran = curate("classify", "suggest", "-w", bank, "--json")
    assert (ran.json["templates"], rows(bank)) == (1, [(TWO, "TM", "rules")])
    assert curate("classify", "suggest", "-w", bank, "--template", ONE).code == 0
    assert rows(bank) == [(ONE, "ST", "rules"), (TWO, "TM", "rules")]


def test_groups_that_nobody_has_looked_through_suggest_nothing(curate: Curate, bank: Path) -> None:
    """It is said, with the way out; a suggestion that there was goes."""
    assert curate("classify", "suggest", "-w", bank).code == 0
    groups = bank / "templates_src" / "groups.csv"
    groups.write_text(groups.read_text(encoding="utf-8") + "Craft,Weavers,true,[]\n")
    ran = curate("classify", "suggest", "-w", bank)
    assert "2 without a suggestion: nobody has changed the groups of its category" in ran.out
    assert "--groups-reviewed" in ran.out
    assert rows(bank) == []
    assert curate("classify", "suggest", "-w", bank, "--groups-reviewed").code == 0
    assert rows(bank) == [(ONE, "ST", "rules"), (TWO, "ST", "rules")]


@pytest.mark.parametrize(
    ("args", "code", "told"),
    [
        (("--model", "small"), 2, "--model belongs to --engine openai"),
        (
            ("--engine", "openai", "--model", "x", "--price", "1"),
            2,
            "--price belongs to --estimate",
        ),
        (
            ("--engine", "openai", "--model", "x", "--estimate", "--price", "-1"),
            2,
            "is not a price",
        ),
        (("--engine", "openai"), 1, "no model is named"),
        (("--engine", "openai", "--model", "x"), 1, "OPENAI_API_KEY is not set"),
        (("--template", "craft-009"), 1, "no template to be classified with the id craft-009"),
    ],
)
def test_what_cannot_be_done_is_said(
    curate: Curate,
    bank: Path,
    monkeypatch: pytest.MonkeyPatch,
    args: tuple[str, ...],
    code: int,
    told: str,
) -> None:
    """In one line; nothing is written."""
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    ran = curate("classify", "suggest", "-w", bank, *args)
    assert (ran.code, told in ran.err) == (code, True), ran.err
    assert not (bank / "annotations" / "suggestions.csv").exists()


def test_a_file_that_was_edited_wrongly_is_refused(curate: Curate, bank: Path) -> None:
    """With row and column."""
    assert curate("classify", "suggest", "-w", bank).code == 0
    file = bank / "annotations" / "suggestions.csv"
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace(f"{TWO},TM", f"{TWO},NC"), encoding="utf-8")
    ran = curate("classify", "suggest", "-w", bank)
    assert ran.code == 1
    assert "'NC' is not a label that can be suggested" in ran.err
    assert "row 3, column label" in ran.err
    file.write_text(text + text.splitlines()[1] + "\n", encoding="utf-8")
    assert f"{ONE} occurs twice" in curate("classify", "suggest", "-w", bank).err


def asked_of(server: Any) -> list[str]:
    """Which template each question was about."""
    texts = [body["messages"][0]["content"] for body in server.bodies]
    return [ONE if "They hum" in text else TWO for text in texts]


def answer(question: str) -> str:
    """What the model makes of a template."""
    return "TM\nOf weavers." if "They hum" in question else "Who can tell?"


@pytest.mark.slow
def test_a_model_is_asked_once(curate: Curate, bank: Path, model_server: Server) -> None:
    """A reply that names no label gives no suggestion, is counted, and is not paid for again."""
    server = model_server(answer=answer)
    model = ("-w", bank, "--engine", "openai", "--model", "small", "--base-url", server.url)
    ran = curate("classify", "suggest", *model, "--estimate", "--price", "2", "--json")
    characters = ran.json["characters"]
    assert (ran.json["to_send"], ran.json["known"], server.bodies) == (2, 0, [])
    assert ran.json["price"] == pytest.approx(characters * 2 / 1_000_000)
    ran = curate("classify", "suggest", *model, "--json")
    assert ran.code == 0
    assert sorted(asked_of(server)) == [ONE, TWO]
    assert {body["model"] for body in server.bodies} == {"small"}
    found = {name: ran.json[name] for name in ("known", "requests", "unreadable", "characters")}
    assert found == {"known": 0, "requests": 2, "unreadable": 1, "characters": characters}
    assert ran.json["without"] == [{"template_id": TWO, "why": "the model's reply names no label"}]
    assert rows(bank) == [(ONE, "TM", "openai:small")]
    ran = curate("classify", "suggest", *model, "--json")
    assert (ran.json["known"], ran.json["requests"], ran.json["unreadable"]) == (2, 0, 1)
    assert len(server.bodies) == 2
    other = curate("classify", "suggest", *model[:-3], "large", *model[-2:], "--json")
    assert (other.json["known"], len(server.bodies)) == (0, 4)


@pytest.mark.slow
def test_a_run_that_broke_off_goes_on(curate: Curate, bank: Path, model_server: Server) -> None:
    """What was answered is kept and written; templates without a reply keep what they had."""
    (bank / "culture.yaml").write_text(
        (bank / "culture.yaml").read_text(encoding="utf-8") + "translation: {workers: 1}\n"
    )
    assert curate("classify", "suggest", "-w", bank).code == 0
    server = model_server(answer=answer, faults={2: 401})
    model = ("-w", bank, "--engine", "openai", "--model", "small", "--base-url", server.url)
    ran = curate("classify", "suggest", *model)
    assert ran.code == 1
    assert "the server refuses the key (401)" in ran.err
    assert rows(bank) == [(ONE, "TM", "openai:small"), (TWO, "TM", "rules")]
    server.faults.clear()
    ran = curate("classify", "suggest", *model)
    assert (ran.code, asked_of(server)) == (0, [ONE, TWO, TWO])
    assert "Replies: 1 from the store, 1 new" in ran.out
    assert rows(bank) == [(ONE, "TM", "openai:small")]


@pytest.mark.slow
def test_a_language_of_one_s_own_needs_a_prompt(
    curate: Curate, bank: Path, model_server: Server
) -> None:
    """It is said what is to be written where; the rules speak English until then."""
    server = model_server(answer=answer)
    settings = (bank / "culture.yaml").read_text(encoding="utf-8")
    (bank / "culture.yaml").write_text(settings.replace("language: en", "language: fo"))
    model = ("-w", bank, "--engine", "openai", "--model", "small", "--base-url", server.url)
    ran = curate("classify", "suggest", *model)
    assert (ran.code, server.bodies) == (1, [])
    assert "there is no prompt for suggested labels in 'fo'" in ran.err
    assert "write the section suggest of" in ran.err
    assert curate("classify", "suggest", "-w", bank).code == 0
    assert rows(bank) == [(ONE, "ST", "rules"), (TWO, "TM", "rules")]
    (bank / "languages").mkdir()
    own = bank / "languages" / "fo.yaml"
    own.write_text("suggest:\n  title: Zz\n  prompt: '{culture} {template} {groups} ST TM SR'\n")
    ran = curate("classify", "suggest", *model)
    assert "suggest.judge" in ran.err
    own.write_text("suggest:\n  title: Zz\n  prompt: '{culture} {groups} ST TM SR'\n")
    assert "the layout lacks {template}" in curate("language", "check", "-w", bank).out


def test_kobbq_s_labels_are_those_of_its_groups_alone(
    curate: Curate, reference: Path, tmp_path: Path
) -> None:
    """As imported nothing is suggested; taken as they are, all groups stand: 98 of 108 are ST."""
    assert curate("init", tmp_path / "ko", "--language", "ko").code == 0
    assert curate("import", "kobbq", reference / "kobbq", "-w", tmp_path / "ko").code == 0
    workspace = Workspace(tmp_path / "ko")
    found = suggest_labels(workspace, dry_run=True)
    assert (found.templates, found.suggestions) == (108, ())
    found = suggest_labels(workspace, Wanted(groups_reviewed=True), dry_run=True)
    published = {str(item.id): item.label for item in workspace.bank.templates()}
    agree = [item for item in found.suggestions if published[item.template_id] is item.label]
    assert (found.labels, len(agree)) == ({"ST": 108, "TM": 0, "SR": 0}, 98)


def book(path: Path) -> dict[str, dict[str, str]]:
    """The rows of a workbook of classification, by template."""
    import openpyxl

    sheet = openpyxl.load_workbook(path)["templates"]
    header = [str(cell.value) for cell in sheet[1]]
    found = [
        dict(zip(header, row, strict=True)) for row in sheet.iter_rows(min_row=2, values_only=True)
    ]
    return {str(row["template_id"]): row for row in found}


def fill(path: Path, labels: dict[str, str]) -> Path:
    """Label templates in a workbook."""
    import openpyxl

    opened = openpyxl.load_workbook(path)
    sheet = opened["templates"]
    columns = {cell.value: cell.column for cell in sheet[1]}
    for row in range(2, sheet.max_row + 1):
        name = sheet.cell(row, columns["template_id"]).value
        if name in labels:
            sheet.cell(row, columns["label"]).value = labels[name]
    opened.save(path)
    return path


def test_a_workbook_shows_suggestions_to_who_is_not_blind(curate: Curate, bank: Path) -> None:
    """Who gave which label in their sight is counted apart; no suggestion is ever a label."""
    people = ("--annotator", "Mina", "--annotator", "Jun")
    ran = curate("classify", "sheet", "-w", bank, *people, "--suggestions")
    assert (ran.code, "there are no suggestions to show" in ran.err) == (1, True)
    assert curate("classify", "suggest", "-w", bank).code == 0
    ran = curate(
        "classify", "sheet", "-w", bank, *people, "--suggestions", "--blind", "Jun", "--json"
    )
    assert [item["suggestions"] for item in ran.json["sheets"]] == [2, 0]
    mina, jun = (Path(item["file"]) for item in ran.json["sheets"])
    assert book(mina)[TWO]["suggestion"] == (
        "TM (rules): Some of the groups are groups of this culture: Bakers. "
        "Others are not: Weavers\nJudge for yourself, and change it where you do not agree."
    )
    assert not book(mina)[TWO]["label"]
    assert "suggestion" not in book(jun)[TWO]
    fill(mina, {ONE: "ST"})
    fill(jun, {ONE: "ST", TWO: "SR"})
    ran = curate("classify", "collect", "-w", bank, mina)
    assert ran.code == 0
    lines = [line.split() for line in ran.out.splitlines()]
    assert ["shown", "all", "1", "1", "1.000"] in lines
    assert ["blind", "all", "0", "0", "undefined"] in lines
    found = curate("classify", "collect", "-w", bank, "--json").json
    assert [item["missing"] for item in found["annotators"]] == [[TWO]]
    assert found["findings"] == []
    assert found["agreement"]["counts"]["Mina"] == {"ST": 1, "TM": 0, "SR": 0}
    assert curate("classify", "resolve", "-w", bank, "--unanimous", "--by", "Mina").code == 1


def test_a_suggestion_of_a_template_that_changed_is_not_shown(curate: Curate, bank: Path) -> None:
    """It is said, with the command that makes another; labels stay attached to the others."""
    assert curate("classify", "suggest", "-w", bank).code == 0
    path = bank / "templates_src" / "bank.csv"
    path.write_text(path.read_text(encoding="utf-8").replace("They sing", "They sing loudly"))
    args = ("classify", "sheet", "-w", bank, "--annotator", "Mina", "--suggestions")
    ran = curate(*args, "--blind", "none", "--json")
    assert (ran.json["changed"], ran.json["sheets"][0]["suggestions"]) == ([TWO], 1)
    shown = book(Path(ran.json["sheets"][0]["file"]))
    assert shown[ONE]["suggestion"].startswith("ST (rules)")
    assert shown[TWO]["suggestion"] is None
    ran = curate(*args, "--blind", "none")
    assert f"{TWO}. For new ones: curate classify suggest" in ran.out


def test_who_is_blind_to_nothing_is_refused(curate: Curate, bank: Path) -> None:
    """And names that are nobody's."""
    args = ("classify", "sheet", "-w", bank, "--annotator", "Mina")
    ran = curate(*args, "--blind", "all")
    assert (ran.code, "--blind belongs to --suggestions" in ran.err) == (2, True)
    assert curate("classify", "suggest", "-w", bank).code == 0
    ran = curate(*args, "--suggestions", "--blind", "Jun")
    assert (ran.code, "'Jun' is not one of the annotators: Mina" in ran.err) == (1, True)
    assert not list((bank / "annotations").rglob("*.xlsx"))


def test_columns_of_suggestions_leave_the_hash_of_a_row(curate: Curate, bank: Path) -> None:
    """A label from a workbook with suggestions is one of the template as it is."""
    assert curate("classify", "suggest", "-w", bank).code == 0
    args = ("classify", "sheet", "-w", bank, "--annotator", "Mina")
    plain = curate(*args, "--json").json["sheets"][0]["file"]
    out = ("--suggestions", "--blind", "none", "--out", bank / "shown", "--json")
    shown = curate(*args, *out).json["sheets"][0]["file"]
    hashes = [
        {name: row["_hash"] for name, row in book(Path(path)).items()} for path in (plain, shown)
    ]
    assert hashes[0] == hashes[1]
