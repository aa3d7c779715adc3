"""Pages for translators in Label Studio: a page a template, what is shared is asked once."""

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from curation.annotation.labelstudio.client import Setup
from curation.annotation.labelstudio.tasks import Task, digest
from curation.annotation.translation.rows import unit_uid
from curation.annotation.translation.units import choice_of, units_of
from curation.files.tables import read_table
from curation.files.workspace import open_workspace
from tests.annotation.labelstudio.fake import FakeServer, text

Curate = Callable[..., Any]
KIM, LEE = 1, 2
SHARED = "Who does not?"


@pytest.fixture
def named(source_bank: Path) -> Path:
    """The small workspace with two translators who have names."""
    people = source_bank / "annotations" / "people.csv"
    people.parent.mkdir()
    people.write_text("user,email,annotator\n1,,Kim\n2,,Lee\n", encoding="utf-8")
    return source_bank


def push(curate: Curate, workspace: Path, *options: object) -> Any:
    """Push, and give what was done to the project."""
    ran = curate("push", "translate", "-w", workspace, "--json", *options)
    assert ran.code == 0, ran.out + ran.err
    return ran.json["projects"][0]


def pages(server: FakeServer, project: int = 1) -> dict[str, Any]:
    """The data of the tasks by uid; the newest of a uid."""
    return {task["data"]["uid"]: task["data"] for task in server.tasks[project].values()}


def box(data: Any, source: str) -> str:
    """The box of a source text on a page."""
    for name, stem in (("texts", "target"), ("others", "other")):
        for at, item in enumerate(data[name]):
            if item["source"] == source:
                return f"{stem}_{at}"
    raise AssertionError(source)


def write(server: FakeServer, page: str, user: int, project: int = 1, **texts: str) -> None:
    """Submit a page as it stands, except for some boxes."""
    data = pages(server, project)[page]
    stands = {f"target_{at}": item["target"] for at, item in enumerate(data["texts"])}
    result = [text(name, target) for name, target in {**stands, **texts}.items() if target]
    server.annotate(project, page, user, result)


def collect(curate: Curate, workspace: Path, *options: object) -> Any:
    """Pull and collect."""
    assert curate("pull", "translate", "-w", workspace).code == 0
    return curate("translate", "collect", "-w", workspace, "--labelstudio", "--json", *options).json


def bank(workspace: Path) -> dict[str, Any]:
    """Read the bank, by template and variant."""
    rows = read_table(workspace / "templates_src" / "bank.csv").rows
    return {row["template_id"] + row["variant"]: row for row in rows}


def edit(workspace: Path, old: str, new: str) -> None:
    """Change the bank."""
    path = workspace / "templates_src" / "bank.csv"
    content = path.read_text(encoding="utf-8")
    assert old in content
    path.write_text(content.replace(old, new), encoding="utf-8")


def test_a_template_is_a_page_and_equal_texts_are_asked_once(
    curate: Curate, named: Path, server: FakeServer
) -> None:
    """The other page shows them below, with an empty box; a bare slot is nowhere."""
    assert push(curate, named)["tasks"] == 2
    data = pages(server)
    assert list(data) == ["craft-001", "craft-002"]
    asked = [item["source"] for page in data.values() for item in page["texts"]]
    assert len(asked) == len(set(asked)) == 19
    assert "[N1]" not in asked
    assert asked.count("potter") == 1
    [below] = data["craft-002"]["others"]
    assert (below["source"], below["page"], below["target"]) == (SHARED, "craft-001", "")
    assert data["craft-001"]["others"] == []
    assert data["craft-001"]["others_title"] == ""
    assert data["craft-002"]["others_title"] != ""
    context = next(item for item in data["craft-001"]["texts"] if "came in" in item["source"])
    assert "[N1] = a: potter; b: baker, miller" in context["told"]
    assert "[N1|은/는]" in context["told"]
    assert push(curate, named)["sent"] == 0


def test_the_machine_s_text_stands_in_the_box_if_it_could_be_taken(
    curate: Curate, named: Path, server: FakeServer
) -> None:
    """One that lost a slot does not, and says so."""
    assert curate("translate", "run", "-w", named, "--engine", "pseudo").code == 0
    machine = bank(named)["craft-002a"]["ambiguous_context_machine"]
    edit(named, machine, machine.replace("[N2]", ""))
    push(curate, named)
    texts = pages(server)["craft-002"]["texts"]
    lost = next(item for item in texts if item["source"].startswith("[N1] and [N2] sat"))
    assert lost["target"] == ""
    assert "other slots" in lost["look_at"]
    assert all(item["target"] for item in texts if item is not lost)


def test_a_shared_text_goes_to_all_and_another_one_to_its_template(
    curate: Curate, named: Path, server: FakeServer
) -> None:
    """By whomever: what is written for one template goes before what is for several."""
    push(curate, named)
    data = pages(server)
    write(server, "craft-001", KIM, **{box(data["craft-001"], SHARED): "누가 아닌가?"})
    found = collect(curate, named)
    assert (found["texts"], found["findings"]) == (1, [])
    assert {bank(named)[v]["counter_biased_question"] for v in ("craft-001a", "craft-002a")} == {
        "누가 아닌가?"
    }
    write(server, "craft-002", LEE, **{box(data["craft-002"], SHARED): "누가 안 잤나?"})
    found = collect(curate, named)
    assert (found["findings"], found["disagreements"]) == ([], [])
    rows = bank(named)
    assert rows["craft-001b"]["counter_biased_question"] == "누가 아닌가?"
    assert rows["craft-002a"]["counter_biased_question"] == "누가 안 잤나?"
    write(server, "craft-001", KIM, **{box(data["craft-001"], SHARED): "누가 그러지 않나?"})
    assert collect(curate, named)["findings"] == []
    rows = bank(named)
    assert rows["craft-001a"]["counter_biased_question"] == "누가 그러지 않나?"
    assert rows["craft-002a"]["counter_biased_question"] == "누가 안 잤나?"
    assert push(curate, named, "--update")["updated"] == []


def test_who_differ_on_a_shared_text_are_named_once(
    curate: Curate, named: Path, server: FakeServer
) -> None:
    """And a choice holds for all of its templates."""
    push(curate, named)
    name = box(pages(server)["craft-001"], SHARED)
    write(server, "craft-001", KIM, **{name: "가"})
    write(server, "craft-001", LEE, **{name: "나"})
    found = collect(curate, named)
    [said] = found["findings"]
    assert said["rule"] == "translation-disagreement"
    assert ", and 1 more: translators differ" in said["message"]
    assert "counter_biased_question" not in bank(named)["craft-002a"].cells
    ran = curate("translate", "collect", "-w", named, "--labelstudio", "--by", "Lee")
    assert ran.code == 0
    rows = bank(named)
    assert rows["craft-001a"]["counter_biased_question"] == "나"
    assert rows["craft-002a"]["counter_biased_question"] == "나"


def test_a_text_stays_on_the_page_that_asked_for_it(
    curate: Curate, named: Path, server: FakeServer
) -> None:
    """A template that comes later shows it below, though it stands first in the bank."""
    edit(named, "craft-001,a,Craft,ST", "craft-001,a,Craft,")
    edit(named, "craft-001,b,Craft,ST", "craft-001,b,Craft,")
    assert push(curate, named)["tasks"] == 1
    data = pages(server)
    write(server, "craft-002", KIM, **{box(data["craft-002"], SHARED): "누가 아닌가?"})
    edit(named, "craft-001,a,Craft,", "craft-001,a,Craft,ST")
    edit(named, "craft-001,b,Craft,", "craft-001,b,Craft,ST")
    done = push(curate, named)
    assert (done["sent"], done["changed"], done["annotated"]) == (1, [], [])
    assert box(pages(server)["craft-001"], SHARED) == "other_0"
    collect(curate, named)
    assert bank(named)["craft-001a"]["counter_biased_question"] == "누가 아닌가?"


def test_a_page_that_was_translated_is_not_said_to_have_changed(
    curate: Curate, named: Path, server: FakeServer
) -> None:
    """Its texts are in the bank now; a page that nobody touched shows them when it is renewed."""
    push(curate, named)
    data = pages(server)
    write(server, "craft-001", KIM, **{box(data["craft-001"], SHARED): "누가 아닌가?"})
    collect(curate, named)
    done = push(curate, named)
    assert (done["changed"], done["annotated"]) == (["craft-002"], [])
    assert push(curate, named, "--update")["updated"] == ["craft-002"]
    assert pages(server)["craft-002"]["others"][0]["standing"] == "누가 아닌가?"
    edit(named, "Who hums?", "Who hummed?")
    done = push(curate, named)
    assert (done["changed"], done["annotated"]) == ([], ["craft-001"])
    done = push(curate, named, "--again", "craft-001")
    assert (done["again"], done["sent"]) == (["craft-001"], 1)
    again = pages(server)["craft-001"]["texts"]
    boxes = {item["source"]: item["target"] for item in again}
    assert (boxes[SHARED], boxes["Who hummed?"]) == ("누가 아닌가?", "")


def test_a_text_of_the_bank_that_was_shown_gives_way(
    curate: Curate, named: Path, server: FakeServer
) -> None:
    """Who writes another one in its place has meant to; one that was not shown stays."""
    ambiguous = "At the shop [N1|a/an] and [N2|a/an] came in."
    push(curate, named)
    name = box(pages(server)["craft-001"], ambiguous)
    write(server, "craft-001", LEE, **{name: "[N1|과/와] [N2|이/가] 왔다."})
    collect(curate, named)
    assert curate("push", "translate", "-w", named, "--annotator", "Kim").code == 1
    server.tasks[1].clear()
    assert push(curate, named)["sent"] == 2
    texts = pages(server)["craft-001"]["texts"]
    assert {i["target"] for i in texts if i["source"] == ambiguous} == {
        "[N1|과/와] [N2|이/가] 왔다."
    }
    write(server, "craft-001", KIM, **{name: "[N1|과/와] [N2|이/가] 갔다."})
    assert collect(curate, named)["findings"] == []
    assert bank(named)["craft-001a"]["ambiguous_context"] == "[N1|과/와] [N2|이/가] 갔다."


def test_status_names_who_owes_texts_by_page(
    curate: Curate, named: Path, server: FakeServer
) -> None:
    """A text of two templates is owed once."""
    push(curate, named)
    owed = curate("status", "-w", named, "--json").json["owed"]
    [texts] = [item for item in owed if item["what"] == "texts"]
    assert texts["count"] == 19
    write(server, "craft-001", KIM, **{box(pages(server)["craft-001"], SHARED): "누가?"})
    assert curate("pull", "translate", "-w", named).code == 0
    owed = curate("status", "-w", named, "--json").json["owed"]
    [texts] = [item for item in owed if item["what"] == "texts"]
    assert (texts["count"], texts["items"]) == (18, ["craft-001", "craft-002"])


def former_project(workspace: Path, server: FakeServer) -> None:
    """Make a project as earlier versions did: a task a text."""
    opened = open_workspace(workspace)
    units, _ = units_of(opened, choice_of(opened))
    tasks = [
        Task(
            unit_uid(unit),
            {
                "template_id": str(unit.template),
                "kind": unit.kind.value,
                "source_text": unit.text,
                "mt": "",
            },
            digest({"source": unit.text, "mt": ""}),
        )
        for unit in units
    ]
    mark = "Made by curate; do not change this line. [abc translate]"
    project = server.create("Nowhere translate", mark, Setup("<View/>"))
    server.send(project.id, [task.data for task in tasks])
    sent = {
        "id": project.id,
        "title": project.title,
        "sending": False,
        "tasks": {task.uid: task.hash for task in tasks},
    }
    kind = {
        "overlap": None,
        "allotted": {"": [task.uid for task in tasks]},
        "projects": {"": sent},
    }
    state = {"version": 1, "workspace": "abc", "url": server.url, "kinds": {"translate": kind}}
    path = workspace / "annotations" / "labelstudio.json"
    path.write_text(json.dumps(state), encoding="utf-8")


def test_a_project_of_an_earlier_version_is_pulled_and_pages_are_made_beside(
    curate: Curate, named: Path, server: FakeServer
) -> None:
    """A push says so and changes nothing; what was answered to either counts."""
    former_project(named, server)
    uid = next(data["uid"] for data in pages(server).values() if data["source_text"] == "Who hums?")
    server.annotate(1, uid, KIM, [text("target", "누가 흥얼거렸나?")])
    assert collect(curate, named)["findings"] == []
    assert bank(named)["craft-001a"]["biased_question"] == "누가 흥얼거렸나?"
    before = len(server.tasks[1])
    owed = curate("status", "-w", named, "--json").json["owed"]
    assert [item["who"] for item in owed if item["what"] == "texts"] == ["translators of project 1"]
    ran = curate("push", "translate", "-w", named)
    assert (ran.code, "project 1 has a task for each text" in ran.err) == (1, True)
    assert "--anew" in ran.err
    assert (len(server.found), len(server.tasks[1])) == (1, before)
    made = push(curate, named, "--anew")
    assert (made["created"], made["tasks"], len(server.tasks[1])) == (True, 2, before)
    number = made["project"]
    data = pages(server, number)["craft-001"]
    hums = next(item for item in data["texts"] if item["source"] == "Who hums?")
    assert hums["target"] == "누가 흥얼거렸나?"
    write(server, "craft-001", KIM, number, **{box(data, SHARED): "누가 아닌가?"})
    found = collect(curate, named)
    assert (found["findings"], found["disagreements"]) == ([], [])
    with (named / "annotations" / "translate.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert {row["source_file"] for row in rows} == {"labelstudio:1", f"labelstudio:{number}"}
    assert push(curate, named)["sent"] == 0
