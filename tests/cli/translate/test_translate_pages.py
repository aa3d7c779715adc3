"""Pages for translators in Label Studio: a page a template, what is shared is asked once."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from curation.files.tables import read_table
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
