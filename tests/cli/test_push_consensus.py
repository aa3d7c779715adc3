"""Templates on which annotators disagree, decided on a page; against a server in memory."""

import csv
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from tests.annotation.labelstudio.fake import FakeServer, choices, text

from .conftest import EPOCH, Curate
from .test_push_pull import ST, TM, edit_bank, pull, push, rows

pytestmark = pytest.mark.usefixtures("server")
SR = [choices("decision", "SR"), text("removal_reason", "nobody <says> so")]
UNSURE = [choices("decision", "unsure"), text("unsure_reason", "which town?")]
PEOPLE = "user,email,annotator\n1,,Kim\n2,,Lee\n3,,Mina\n"


@pytest.fixture
def disputed(curate: Curate, demo: Path, server: FakeServer) -> Path:
    """A demo in which two disagree on two templates, and one is not sure of a third."""
    (demo / "annotations").mkdir(exist_ok=True)
    (demo / "annotations" / "people.csv").write_text(PEOPLE, encoding="utf-8")
    push(curate, demo, "classify")
    for uid, kim, lee in (
        ("age-001", ST, SR),
        ("age-002", TM, ST),
        ("age-003", ST, UNSURE),
        ("age-004", ST, ST),
    ):
        server.annotate(1, uid, 1, kim)
        server.annotate(1, uid, 2, lee)
    pull(curate, demo, "classify")
    return demo


def consensus(demo: Path) -> dict[str, tuple[str, str]]:
    """By template the reason of the last consensus, and who stands for it."""
    path = demo / "decisions.csv"
    if not path.exists():
        return {}
    with path.open(encoding="utf-8", newline="") as stream:
        found = [row for row in csv.DictReader(stream) if row["rule"] == "consensus"]
    return {row["subject"]: (row["reason"], row["by"]) for row in found}


def labels(demo: Path) -> dict[str, str]:
    """By template its label in the bank."""
    with (demo / "templates_src" / "bank.csv").open(encoding="utf-8", newline="") as stream:
        return {row["template_id"]: row["label"] for row in csv.DictReader(stream)}


def decided(label: str, *why: str) -> list[dict[str, Any]]:
    """What the page stores."""
    return [choices("decision", label), *([text("why", *why)] if why else [])]


def messages(curate: Curate, demo: Path) -> list[str]:
    """What a pull says."""
    found = curate("pull", "consensus", "-w", demo, "--json").json["findings"]
    return [item["message"] for item in found if item["rule"] == "labelstudio-consensus"]


def test_what_is_submitted_is_a_decision_under_the_name_of_who_submitted_it(
    curate: Curate, disputed: Path, server: FakeServer
) -> None:
    """The page shows who said what; pushed again nothing is sent; pulled again nothing is added."""
    [made] = push(curate, disputed, "consensus")["projects"]
    assert (made["sent"], made["title"]) == (3, "Marevia consensus")
    assert ("create", 1) in server.calls
    said = {t["data"]["uid"]: t["data"]["said"] for t in server.tasks[made["project"]].values()}
    assert set(said) == {"age-001", "age-002", "age-003"}
    assert said["age-001"] == (
        '<table class="curate-said"><tr><th>ST</th><th>SR</th></tr><tr><td>'
        '<div class="curate-one"><b>Kim</b></div></td><td><div class="curate-one"><b>Lee</b>'
        "<div><bdi>nobody &lt;says&gt; so</bdi></div></div></td></tr></table>"
    )
    assert "<div>의견: <bdi>which town?</bdi></div>" in said["age-003"]
    assert push(curate, disputed, "consensus")["projects"][0]["sent"] == 0
    server.annotate(made["project"], "age-001", 3, decided("TM", "not", "here"))
    server.annotate(made["project"], "age-002", 1, decided("TM"))
    pulled = pull(curate, disputed, "consensus")
    assert (pulled["annotators"], pulled["findings"]) == ({"Kim": 1, "Mina": 1}, [])
    wanted = {"age-001": ("TM: not here", "Mina"), "age-002": ("TM", "Kim")}
    assert consensus(disputed) == wanted
    assert (labels(disputed)["age-001"], labels(disputed)["age-002"]) == ("TM", "TM")
    ledger = (disputed / "decisions.csv").read_bytes()
    assert pull(curate, disputed, "consensus")["findings"] == []
    assert (disputed / "decisions.csv").read_bytes() == ledger
    [left] = [
        item
        for item in curate("status", "-w", disputed, "--json").json["owed"]
        if item["what"] == "consensus"
    ]
    assert (left["items"], left["do"]) == (["age-003"], "curate pull consensus")


def test_a_decision_that_is_corrected_on_the_page_takes_the_place_of_the_first(
    curate: Curate, disputed: Path, server: FakeServer
) -> None:
    """And that is said."""
    number = push(curate, disputed, "consensus")["projects"][0]["project"]
    stored = server.annotate(number, "age-001", 3, decided("SR"))
    assert messages(curate, disputed) == []
    stored["result"] = decided("ST", "after all")
    assert messages(curate, disputed) == ["age-001: 'SR' is now 'ST: after all', by Mina"]
    assert consensus(disputed)["age-001"] == ("ST: after all", "Mina")
    assert [row["recorded"] for row in rows(disputed, "consensus")] == ["true"]


def test_what_was_settled_by_workbook_meanwhile_is_told_and_stays(
    curate: Curate, disputed: Path, server: FakeServer
) -> None:
    """The route of the workbook is open all the time."""
    number = push(curate, disputed, "consensus")["projects"][0]["project"]
    assert curate("classify", "collect", "-w", disputed).code == 0
    path = disputed / "annotations" / "agenda.xlsx"
    book = openpyxl.load_workbook(path)
    sheet = book["agenda"]
    columns = {cell.value: cell.column for cell in sheet[1]}
    for row in sheet.iter_rows(min_row=2):
        if row[columns["template_id"] - 1].value == "age-001":
            row[columns["label"] - 1].value = "ST"
            row[columns["why"] - 1].value = "at the meeting"
    book.save(path)
    assert curate("classify", "resolve", path, "--by", "Jun", "-w", disputed).code == 0
    server.annotate(number, "age-001", 3, decided("SR"))
    [said] = messages(curate, disputed)
    at = "2026-01-01T00:00:00Z"
    assert said == (
        f"age-001: it is already decided: 'ST: at the meeting' (Jun, {at}); 'SR' of Mina is not "
        "recorded"
    )
    assert consensus(disputed)["age-001"] == ("ST: at the meeting", "Jun")
    assert [row["recorded"] for row in rows(disputed, "consensus")] == ["false"]
    pushed = push(curate, disputed, "consensus")["projects"][0]
    assert (pushed["sent"], pushed["strange"]) == (0, ["age-001"])


def test_what_later_labels_settle_is_told_and_not_overwritten(
    curate: Curate, disputed: Path, server: FakeServer
) -> None:
    """Nor is what changed in the meantime; it is asked about again on demand."""
    number = push(curate, disputed, "consensus")["projects"][0]["project"]
    server.annotate(1, "age-001", 2, ST)  # Lee has come round
    server.annotate(1, "age-002", 1, SR)  # still a disagreement, and another one
    pull(curate, disputed, "classify")
    server.annotate(number, "age-001", 3, decided("SR"))
    server.annotate(number, "age-002", 3, decided("TM"))
    assert messages(curate, disputed) == [
        "age-001: later labels agree on ST; 'SR' of Mina is not recorded",
        "age-002: the template or its labels changed since; 'TM' of Mina is not recorded",
    ]
    assert consensus(disputed) == {}
    [again] = push(curate, disputed, "consensus", "--again", "age-002")["projects"]
    assert again["again"] == ["age-002"]
    server.annotate(number, "age-002", 3, decided("SR"))
    messages(curate, disputed)
    assert consensus(disputed) == {"age-002": ("SR", "Mina")}


def test_a_template_that_changed_after_the_decision_is_told(
    curate: Curate, disputed: Path, server: FakeServer
) -> None:
    """What was decided was another template."""
    number = push(curate, disputed, "consensus")["projects"][0]["project"]
    server.annotate(number, "age-001", 3, decided("SR"))
    with (disputed / "templates_src" / "bank.csv").open(encoding="utf-8", newline="") as stream:
        [first, *_] = [r for r in csv.DictReader(stream) if r["template_id"] == "age-001"]
    edit_bank(disputed, first["stereotype_source"], "something else altogether")
    [said] = messages(curate, disputed)
    assert said.endswith("'SR' of Mina is not recorded")
    assert consensus(disputed) == {}


def test_two_who_decide_differently_are_both_told(
    curate: Curate, disputed: Path, server: FakeServer
) -> None:
    """Neither is recorded, and the status is 1; the same label twice is one decision."""
    number = push(curate, disputed, "consensus")["projects"][0]["project"]
    server.annotate(number, "age-001", 1, decided("SR"))
    server.annotate(number, "age-001", 3, decided("ST"))
    server.annotate(number, "age-002", 1, decided("ST", "first"))
    server.annotate(number, "age-002", 3, decided("ST", "second"))
    ran = curate("pull", "consensus", "-w", disputed)
    assert ran.code == 1
    assert "age-001: Kim decided SR, Mina decided ST; no new decision is recorded" in ran.out
    assert consensus(disputed) == {"age-002": ("ST: first", "Kim")}


def test_a_decision_needs_a_name(curate: Curate, disputed: Path, server: FakeServer) -> None:
    """That of people.csv, or of the account; a number is none."""
    (disputed / "annotations" / "people.csv").write_text("user,email,annotator\n", encoding="utf-8")
    number = push(curate, disputed, "consensus")["projects"][0]["project"]
    server.annotate(number, "age-001", 3, decided("SR"))
    server.annotate(number, "age-002", 1, decided("ST"))  # whose account says Kim
    ran = curate("pull", "consensus", "-w", disputed)
    assert (ran.code, "user 3, who has no name" in ran.out) == (1, True)
    assert consensus(disputed) == {"age-002": ("ST", "Kim")}
    (disputed / "annotations" / "people.csv").write_text(PEOPLE, encoding="utf-8")
    pull(curate, disputed, "consensus")
    assert consensus(disputed)["age-001"] == ("SR", "Mina")


@pytest.mark.parametrize("options", [("--annotator", "Kim"), ("--annotations", "2")])
def test_there_is_one_project_for_all_who_decide(
    curate: Curate, disputed: Path, options: tuple[str, ...]
) -> None:
    """Else a template would be decided twice."""
    ran = curate("push", "consensus", "-w", disputed, *options)
    assert (ran.code, "a template is decided once" in ran.err) == (1, True)


def test_nothing_to_decide_is_said(curate: Curate, demo: Path) -> None:
    """Before annotators disagree."""
    ran = curate("push", "consensus", "-w", demo)
    assert (ran.code, "nothing to push for consensus" in ran.err) == (1, True)
    assert EPOCH


def test_in_one_project_of_all_nobody_is_compared_with_everyone(
    curate: Curate, demo: Path, server: FakeServer
) -> None:
    """A template is complete with as many labels as are wanted; the number can be lowered."""
    (demo / "annotations").mkdir(exist_ok=True)
    (demo / "annotations" / "people.csv").write_text(PEOPLE, encoding="utf-8")
    push(curate, demo, "classify", "--annotations", "2")
    for uid, users in {"age-001": (1, 2), "age-002": (2, 3), "age-003": (1,)}.items():
        for user in users:
            server.annotate(1, uid, user, ST)
    pull(curate, demo, "classify")
    found = curate("classify", "collect", "-w", demo, "--json").json
    assert [(a["annotator"], a["missing"]) for a in found["annotators"]] == [
        *(("Kim", []), ("Lee", []), ("Mina", [])),
    ]
    assert set(found["incomplete"]).isdisjoint({"age-001", "age-002"})
    owed = curate("status", "-w", demo, "--json").json["owed"]
    labelled = [(o["count"], o["text"]) for o in owed if o["what"] == "label"]
    assert labelled == [
        (26, "26 templates without any label"),
        (1, "1 template with too few labels"),
    ]
    settled = curate("classify", "resolve", "--unanimous", "--by", "Mina", "-w", demo, "--json")
    assert [row["template_id"] for row in settled.json["settled"]] == ["age-001", "age-002"]
    push(curate, demo, "classify", "--annotations", "1")
    owed = curate("status", "-w", demo, "--json").json["owed"]
    assert [o["count"] for o in owed if o["what"] == "label"] == [26]
    ran = curate("classify", "resolve", "--unanimous", "--at-least", 1, "--by", "Mina", "-w", demo)
    assert "3 templates decided" in ran.out


def test_who_is_not_sure_is_named_by_status_when_all_have_answered(
    curate: Curate, disputed: Path
) -> None:
    """No label that is to come settles it; by then a page or the meeting does."""
    owed = curate("status", "-w", disputed, "--json").json["owed"]
    assert [(o["items"], o["do"]) for o in owed if o["what"] == "consensus"] == [
        (["age-001", "age-002"], "curate push consensus"),
        (["age-003"], "curate push consensus"),
    ]
