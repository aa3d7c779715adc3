"""A push and a pull that are killed anywhere come out as if nobody had disturbed them."""

import json
import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.annotation.labelstudio.fake import FakeServer, choices

pytestmark = pytest.mark.slow


ROOT = Path(__file__).parents[3]
EPOCH = "1767225600"
Run = Callable[..., Any]
MakeDemo = Callable[[str], Path]


@pytest.fixture(scope="module")
def run() -> Iterator[Run]:
    """Run a command that is killed at a moment; see `killing_fake.py`."""
    process = subprocess.Popen(
        [sys.executable, str(Path(__file__).with_name("killing_fake.py"))],
        env={**os.environ, "PYTHONPATH": str(ROOT), "SOURCE_DATE_EPOCH": EPOCH},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    given, made = process.stdin, process.stdout
    assert given is not None
    assert made is not None

    def order(moment: int, server: Path, *args: object) -> Any:
        line = {"moment": moment, "server": str(server), "args": [str(arg) for arg in args]}
        given.write(json.dumps(line) + "\n")
        given.flush()
        return json.loads(made.readline())

    yield order
    given.close()
    process.wait(30)
    made.close()


def on_server(path: Path) -> tuple[int, list[dict[str, Any]]]:
    """Give how many projects there are, and the data of all tasks."""
    found, tasks, _ = pickle.loads(path.read_bytes())  # noqa: S301  # of our own making
    held = [task["data"] for project in tasks.values() for task in project.values()]
    return len(found), sorted(held, key=lambda item: str(item["uid"]))


def recorded(folder: Path) -> Any:
    """Give what was written down, without the name that is drawn for each workspace."""
    content = json.loads((folder / "annotations" / "labelstudio.json").read_text(encoding="utf-8"))
    return content["kinds"]


def test_a_push_that_is_killed_anywhere_comes_out_the_same(
    run: Run, make_demo: MakeDemo, tmp_path: Path
) -> None:
    """Before and after every request and every renaming: each task is there once."""
    whole = make_demo("whole")
    first = run(0, tmp_path / "whole.server", "push", "classify", "-w", whole)
    assert first["code"] == 0, first
    wanted = on_server(tmp_path / "whole.server")
    assert wanted[0] == 1
    assert len({item["uid"] for item in wanted[1]}) == len(wanted[1]) == 29
    moments = range(1, first["passed"] + 1)
    assert len(moments) >= 20
    for moment in moments:
        folder, server = make_demo(f"push-{moment}"), tmp_path / f"{moment}.server"
        assert run(moment, server, "push", "classify", "-w", folder)["code"] == -9
        again = run(0, server, "push", "classify", "-w", folder)
        assert again["code"] == 0, again
        assert on_server(server) == wanted, moment
        assert recorded(folder) == recorded(whole), moment


def test_a_pull_that_is_killed_anywhere_comes_out_the_same(
    run: Run, make_demo: MakeDemo, tmp_path: Path
) -> None:
    """The rerun leaves the bytes of a pull that nobody disturbed, of two projects."""
    demo, server = make_demo("demo"), tmp_path / "server"
    names = ("--annotator", "Kim", "--annotator", "Lee")
    assert run(0, server, "push", "classify", "-w", demo, *names)["code"] == 0
    annotate(server)
    before = files(demo)
    first = run(0, server, "pull", "classify", "-w", demo)
    assert first["code"] == 0, first
    wanted = files(demo)
    assert (
        len(wanted) == len(before) + 7
    )  # two exports with their users, people, labels, what was seen
    moments = range(1, first["passed"] + 1)
    assert len(moments) >= 20
    for moment in moments:
        for name in set(files(demo)) - set(before):
            (demo / name).unlink()
        assert run(moment, server, "pull", "classify", "-w", demo)["code"] == -9
        again = run(0, server, "pull", "classify", "-w", demo)
        assert again["code"] == 0, again
        assert files(demo) == wanted, moment


def annotate(path: Path) -> None:
    """Let two people label all tasks of a project each."""
    server = FakeServer()
    server.found, server.tasks, server.number = pickle.loads(path.read_bytes())  # noqa: S301
    for user, project in enumerate(server.found, start=1):
        for task in list(server.tasks[project].values()):
            server.annotate(project, task["data"]["uid"], user, [choices("decision", "ST")])
    path.write_bytes(pickle.dumps((server.found, server.tasks, server.number)))


def files(folder: Path) -> dict[str, bytes]:
    """Give the files of a workspace, without what was being written when a command was killed."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and not path.name.startswith(".") and path.parent.name != ".curate"
    }
