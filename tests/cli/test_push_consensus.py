"""Templates on which annotators disagree, decided on a page; against a server in memory."""

import csv
from pathlib import Path
from typing import Any

import pytest

from tests.annotation.labelstudio.fake import FakeServer, choices, text

from .conftest import Curate
from .test_push_pull import ST, TM, pull, push

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
