"""`curate collect annotations/translate.csv`: what was pulled from a server, into the bank."""

import pytest
from csv_rows import bank_rows, read_rows

from curation.annotation.labelstudio.tasks import NOTHING
from tests.annotation.labelstudio.fake import text

KIM, LEE = 1, 2
HUMS = "Who hums?"
SAT = "[N1] and [N2] sat in the [W1]."
CAME = "At the shop [N1|a/an] and [N2|a/an] came in."


@pytest.fixture
def pushed(curate, source_bank, server):
    """The small workspace with its texts on the server, and two translators who have names."""
    people = source_bank / "annotations" / "people.csv"
    people.parent.mkdir()
    people.write_text("user,email,annotator\n1,,Kim\n2,,Lee\n", encoding="utf-8")
    assert curate("push", "translate", "-w", source_bank).code == 0
    others = [one for task in server.tasks[1].values() for one in task["data"]["others"]]
    assert [one["standing"] for one in others] == [NOTHING]
    return source_bank


def question(server, source):
    """Find the page of a source text, and its box there."""
    [found] = [
        (task["data"]["uid"], f"target_{at}")
        for task in server.tasks[1].values()
        for at, item in enumerate(task["data"]["texts"])
        if (item["source"], task["data"]["uid"]) == (source, TEMPLATE[source])
    ]
    return found


TEMPLATE = {
    **dict.fromkeys((HUMS, CAME, "potter", "baker", "miller"), "craft-001"),
    **dict.fromkeys(("Who slept?", "They nap", "attic", "cellar", SAT), "craft-002"),
}


def translate(server, user, texts):
    """Annotate in somebody's name; what he wrote on a page before stays there."""
    for source, target in texts.items():
        page, box = question(server, source)
        [task] = [t for t in server.tasks[1].values() if t["data"]["uid"] == page]
        before = [a["result"] for a in task["annotations"] if a["completed_by"] == user]
        result = [item for item in (before or [[]])[-1] if item["from_name"] != box]
        task["annotations"] = [a for a in task["annotations"] if a["completed_by"] != user]
        server.annotate(1, page, user, [*result, text(box, target)])


def collect(curate, workspace, *options, status=0):
    assert curate("pull", "translate", "-w", workspace).code == 0
    return again(curate, workspace, *options, status=status)


def again(curate, workspace, *options, status=0):
    table = workspace / "annotations" / "translate.csv"
    ran = curate("collect", "-w", workspace, table, "--json", *options)
    assert ran.code == status, ran.out + ran.err
    [found] = ran.json["collected"]
    return found


def taken(workspace):
    """Read which texts were put into the bank, by their source."""
    rows = read_rows(workspace / "templates_src" / "translations.csv")
    return {row["source"]: row for row in rows}


def rules(found):
    return [item["rule"] for item in found["findings"]]


def test_translators_who_differ_are_said_and_a_person_chooses(curate, pushed, server):
    """None of the two texts is taken until --by names one; the choice holds from then on."""
    translate(server, KIM, {HUMS: "누가 흥얼거렸나?", "Who slept?": "누가 잤나?"})
    translate(server, LEE, {HUMS: "누가 노래했나?", "Who slept?": "누가 잤나?"})
    found = collect(curate, pushed, status=1)
    assert rules(found) == ["translation-disagreement"]
    assert (found["texts"], found["accepted"]) == (4, 2)
    [differ] = found["disagreements"]
    assert differ["texts"] == {"Kim": "누가 흥얼거렸나?", "Lee": "누가 노래했나?"}
    assert (differ["template_id"], differ["where"]) == ("craft-001", ["biased_question (a, b)"])
    assert bank_rows(pushed)["craft-001a"]["biased_question"] == ""
    assert bank_rows(pushed)["craft-002a"]["biased_question"] == "누가 잤나?"
    again(curate, pushed, "--by", "lee")
    assert bank_rows(pushed)["craft-001b"]["biased_question"] == "누가 노래했나?"
    assert (taken(pushed)[HUMS]["by"], taken(pushed)[HUMS]["over"]) == (
        "Lee",
        '["누가 흥얼거렸나?"]',
    )
    assert again(curate, pushed)["unchanged"] == 5
    again(curate, pushed, "--by", "Kim")
    assert bank_rows(pushed)["craft-001a"]["biased_question"] == "누가 흥얼거렸나?"
    translate(server, LEE, {HUMS: "누가 콧노래를?"})
    assert curate("pull", "translate", "-w", pushed).code == 0
    assert rules(again(curate, pushed, status=1)) == ["translation-disagreement"]
    assert bank_rows(pushed)["craft-001a"]["biased_question"] == "누가 흥얼거렸나?"
