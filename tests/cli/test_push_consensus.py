"""Templates on which annotators disagree, decided on a page; against a server in memory."""

import pytest
from csv_rows import read_rows

from curation.bank.merge import move_templates
from curation.files.workspace import Workspace
from tests.annotation.labelstudio.fake import choices, text

from .test_push_pull import ST, TM, pull, push

pytestmark = pytest.mark.usefixtures("server")
SR = [choices("decision", "SR"), text("removal_reason", "nobody <says> so")]
UNSURE = [choices("decision", "unsure"), text("unsure_reason", "which town?")]
PEOPLE = "user,email,annotator\n1,,Kim\n2,,Lee\n3,,Mina\n"


@pytest.fixture
def disputed(curate, demo, server):
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


def consensus(demo):
    """By template the reason of the last consensus, and who stands for it."""
    path = demo / "decisions.csv"
    if not path.exists():
        return {}
    found = [row for row in read_rows(path) if row["rule"] == "consensus"]
    return {row["subject"]: (row["reason"], row["by"]) for row in found}


def decided(label, *why):
    return [choices("decision", label), *([text("why", *why)] if why else [])]


def messages(curate, demo):
    found = curate("pull", "consensus", "-w", demo, "--json").json["findings"]
    return [item["message"] for item in found if item["rule"] == "labelstudio-consensus"]


def test_what_later_labels_settle_is_told_and_not_overwritten(curate, disputed, server):
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
    [again] = push(curate, disputed, "consensus", "--update", "age-002")["projects"]
    assert again["again"] == ["age-002"]
    server.annotate(number, "age-002", 3, decided("SR"))
    messages(curate, disputed)
    assert consensus(disputed) == {"age-002": ("SR", "Mina")}
    # What the labels of all settled is open again where one of them is another later.
    curate("collect", "-w", disputed, disputed / "annotations" / "classify.csv", "--by", "Kim")
    assert consensus(disputed)["age-004"] == ("ST: unanimous", "Kim")
    server.annotate(1, "age-004", 2, SR)
    pull(curate, disputed, "classify")
    push(curate, disputed, "consensus")
    server.annotate(number, "age-004", 3, decided("TM"))
    assert "age-004: 'ST: unanimous' is now 'TM', by Mina" in messages(curate, disputed)
    assert consensus(disputed)["age-004"] == ("TM", "Mina")


def test_a_template_that_moved_is_decided_by_the_task_of_before(curate, disputed, server):
    """It is not asked about twice, and the decision is on the id that it has now."""
    [sent] = push(curate, disputed, "consensus")["projects"]
    number, asked = sent["project"], server.tasks[sent["project"]].values()
    assert [it["data"]["uid"] for it in asked] == ["age-001", "age-002", "age-003"]
    move_templates(Workspace(disputed), {"age-001": "Physical appearance"})
    assert push(curate, disputed, "consensus")["projects"][0]["sent"] == 0
    server.annotate(number, "age-001", 3, decided("SR"))
    assert messages(curate, disputed) == []
    found = read_rows(disputed / "annotations" / "renamed.csv")
    assert consensus(disputed) == {found[0]["new_id"]: ("SR", "Mina")}
