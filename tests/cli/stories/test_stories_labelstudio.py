"""`curate push passages` and `curate pull passages`: readers of stories in Label Studio."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.annotation.labelstudio.fake import FakeServer, choices, text

from .test_stories_evaluator import STORIES, write_requests

pytestmark = pytest.mark.usefixtures("server")


@pytest.fixture
def asked(workspace: Path) -> Path:
    """The requests in their usual place."""
    return write_requests(workspace / "exports" / "story_readings" / "requests.jsonl")


def push(curate: Any, workspace: Path, *options: object) -> Any:
    """Push and give what was printed; it must succeed."""
    ran = curate("push", "passages", "-w", workspace, "--json", *options)
    assert (ran.code, ran.err) == (0, "")
    return ran.json["projects"]


def answer(data: dict[str, Any], role: str) -> list[dict[str, Any]]:
    """Choose what has a role, as the page stores it."""
    code = next(o["alias"] for o in data["options"] if o["value"].endswith(f"choice {role}"))
    return [choices("answer", code), text("remark", "easy")]


def test_readings_from_the_server_join_those_of_workbooks(
    curate: Any, workspace: Path, asked: Path, server: FakeServer, table: Any
) -> None:
    """The same draw, the same file, the same agreement; who wrote a story is not told."""
    [pushed] = push(curate, workspace, "--count", "8")
    assert (pushed["tasks"], ("create", 2) in server.calls) == (8, True)
    data = [task["data"] for task in server.tasks[1].values()]
    sent = json.dumps(data)
    assert "craft-" not in sent
    assert not any("model" in item or "roles" in item for item in data)
    for at, item in enumerate(data):
        server.annotate(1, item["uid"], 1, answer(item, "BCU"[at % 3]))
        server.annotate(1, item["uid"], 2, answer(item, "B"))
    ran = curate("pull", "passages", "-w", workspace, "--json")
    assert (ran.code, ran.json["rows"]) == (0, 16)
    rows = table(workspace / "annotations" / "stories_readers.csv")
    assert {row["remark"] for row in rows} == {"easy"}
    assert {row["source_file"] for row in rows} == {"labelstudio:1"}
    names = sorted({row["reader"] for row in rows})
    first = {row["request_id"]: row["reading"] for row in rows if row["reader"] == names[0]}
    second = {row["request_id"]: row["reading"] for row in rows if row["reader"] == names[1]}
    sheets = curate(
        *(*STORIES, "passages", "-w", workspace, "--reader", "Mina", "--count", "8", "--json")
    )
    assert sheets.code == 0
    by_story = {
        line["story"]: line for line in map(json.loads, asked.read_text("utf-8").splitlines())
    }
    drawn = {by_story[item["story"]]["template_id"] for item in data}
    assert {name.rsplit("-", 1)[0] for name in first} == drawn
    assert sorted([*first.values(), *second.values()]).count("B") == 8 + 3
    agreed = curate(*STORIES, "agreement", "-w", workspace, "--json").json
    assert agreed["passages"] == 8
    assert agreed["pairs"][0]["agree"] == 3
    again = curate("pull", "passages", "-w", workspace, "--json")
    assert again.json["rows"] == 16
    assert table(workspace / "annotations" / "stories_readers.csv") == rows


def test_each_reader_has_a_project(
    curate: Any, workspace: Path, asked: Path, server: FakeServer
) -> None:
    """All of the same passages; a push again sends nothing."""
    options = ("--count", "8", "--annotator", "Mina", "--annotator", "Jun")
    pushed = push(curate, workspace, *options)
    assert [item["sent"] for item in pushed] == [8, 8]
    numbers = [item["project"] for item in pushed]
    uids = [{task["data"]["uid"] for task in server.tasks[n].values()} for n in numbers]
    assert uids[0] == uids[1]
    assert [item["sent"] for item in push(curate, workspace, *options)] == [0, 0]


def test_a_story_that_changed_since_does_not_count(
    curate: Any, workspace: Path, asked: Path, server: FakeServer, table: Any
) -> None:
    """Its readers read another one."""
    push(curate, workspace, "--count", "12")
    for task in list(server.tasks[1].values()):
        server.annotate(1, task["data"]["uid"], 1, answer(task["data"], "U"))
    changed = asked.read_text("utf-8").replace("Story 0 by somebody.", "Story 0 by me.", 1)
    asked.write_text(changed, "utf-8")
    ran = curate("pull", "passages", "-w", workspace)
    assert ran.code == 0
    assert "1 answers are about texts that changed; they are not counted" in ran.out
    rows = table(workspace / "annotations" / "stories_readers.csv")
    assert [row["reading"] for row in rows] == ["U"] * 11


def test_requests_of_another_place_are_named_twice(
    curate: Any, workspace: Path, tmp_path: Path, server: FakeServer
) -> None:
    """When they are sent, and when the answers are read."""
    ran = curate("push", "passages", "-w", workspace)
    assert ran.code == 1
    assert "curate evaluate stories ask" in ran.err
    requests = write_requests(tmp_path / "other.jsonl")
    push(curate, workspace, "--requests", requests)
    data = next(iter(server.tasks[1].values()))["data"]
    server.annotate(1, data["uid"], 1, answer(data, "C"))
    ran = curate("pull", "passages", "-w", workspace, "--requests", requests, "--json")
    assert (ran.code, ran.json["rows"]) == (0, 1)


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("push", "classify", "--count", "3"), "--count belongs to passages"),
        (("push", "passages", "--unlabelled"), "--unlabelled belongs to translate"),
        (("push", "translate", "--requests", "x"), "--requests belongs to passages"),
    ],
)
def test_wrong_usage(curate: Any, workspace: Path, args: tuple[str, ...], said: str) -> None:
    """One line, status 2."""
    ran = curate(*args, "-w", workspace)
    assert ran.code == 2
    assert said in ran.err
