"""A push and a pull that are killed anywhere come out as if nobody had disturbed them.

As a script this file runs commands against a server in a file, each killed at a chosen moment; it
needs no SDK. Moment n is the nth before or after a request or the renaming of a file; what a
request asks for is done between the two. 0 is never. Every command runs in a fork, so that
everything is imported once.
"""

import json
import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.annotation.labelstudio.fake import FakeServer, choices

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]
Run = Callable[..., dict[str, Any]]
MakeDemo = Callable[[str], Path]
STEPS = (3, pytest.param(1, marks=pytest.mark.nightly))
_passed = 0


def _pass(moment: int) -> None:
    global _passed
    _passed += 1
    if _passed == moment:
        os.kill(os.getpid(), signal.SIGKILL)


class StoredServer(FakeServer):
    """A server whose projects outlive those who speak to it."""

    def __init__(self, path: Path, moment: int = 0) -> None:
        super().__init__()
        self._path, self._moment = path, moment
        if path.exists():
            self.found, self.tasks, self.number = pickle.loads(path.read_bytes())  # noqa: S301

    def _do(self, name: str, size: int, work: Callable[[], Any]) -> Any:
        _pass(self._moment)
        result = super()._do(name, size, work)
        self.keep()
        _pass(self._moment)
        return result

    def keep(self) -> None:
        """Write what it holds."""
        self._path.write_bytes(pickle.dumps((self.found, self.tasks, self.number)))


def _command(order: dict[str, Any], told: int) -> None:
    """Be a process that runs a command and is killed; tells how many moments it has passed."""
    from curation.annotation.labelstudio import pull, push
    from curation.cli.main import main

    replace = Path.replace

    def killed_replace(self: Path, target: Any) -> Any:
        _pass(order["moment"])
        result = replace(self, target)
        _pass(order["moment"])
        return result

    Path.replace = killed_replace  # type: ignore[method-assign]
    push.connect = pull.connect = lambda: StoredServer(  # type: ignore[assignment]
        Path(order["server"]), order["moment"]
    )
    push.CHUNK = 10
    push.time.sleep = lambda _seconds: None  # type: ignore[attr-defined]
    os.dup2(2, 1)
    try:
        main(order["args"])
    except SystemExit as left:
        os.write(told, str(_passed).encode())
        os._exit(left.code if isinstance(left.code, int) else 1)
    os._exit(99)


def _serve() -> None:
    """Read orders as lines of JSON, and answer each with status and number of moments."""
    for line in sys.stdin:
        heard, told = os.pipe()
        child = os.fork()
        if not child:
            _command(json.loads(line), told)
        os.close(told)
        _, status = os.waitpid(child, 0)
        with os.fdopen(heard) as stream:
            passed = int(stream.read() or 0)
        answer = {"code": os.waitstatus_to_exitcode(status), "passed": passed}
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


@pytest.fixture(scope="module")
def run() -> Iterator[Run]:
    """Run a command that is killed at a moment."""
    process = subprocess.Popen(
        [sys.executable, __file__],
        env={**os.environ, "PYTHONPATH": str(ROOT), "SOURCE_DATE_EPOCH": "1767225600"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    given, made = process.stdin, process.stdout
    assert given is not None and made is not None

    def order(moment: int, server: Path, *args: object) -> dict[str, Any]:
        line = {"moment": moment, "server": str(server), "args": [str(arg) for arg in args]}
        given.write(json.dumps(line) + "\n")
        given.flush()
        answer: dict[str, Any] = json.loads(made.readline())
        return answer

    yield order
    given.close()
    process.wait(30)
    made.close()


def on_server(path: Path) -> tuple[int, list[dict[str, Any]]]:
    """How many projects there are, and the data of all tasks."""
    server = StoredServer(path)
    held = [task["data"] for project in server.tasks.values() for task in project.values()]
    return len(server.found), sorted(held, key=lambda item: str(item["uid"]))


@pytest.mark.parametrize("step", STEPS)
def test_a_push_that_is_killed_anywhere_comes_out_the_same(
    run: Run, make_demo: MakeDemo, tmp_path: Path, step: int
) -> None:
    """Before and after every request and every renaming: each task is there once."""

    def recorded(folder: Path) -> Any:
        path = folder / "annotations" / "labelstudio.json"
        return json.loads(path.read_text(encoding="utf-8"))["kinds"]

    whole = make_demo("whole")
    first = run(0, tmp_path / "whole.server", "push", "classify", "-w", whole)
    assert first["code"] == 0
    wanted = on_server(tmp_path / "whole.server")
    assert wanted[0] == 1
    assert len({item["uid"] for item in wanted[1]}) == len(wanted[1]) == 29
    assert first["passed"] >= 20
    for moment in range(1, first["passed"] + 1, step):
        folder, server = make_demo(f"push-{moment}"), tmp_path / f"{moment}.server"
        assert run(moment, server, "push", "classify", "-w", folder)["code"] == -9
        assert run(0, server, "push", "classify", "-w", folder)["code"] == 0
        assert on_server(server) == wanted, moment
        assert recorded(folder) == recorded(whole), moment


@pytest.mark.parametrize("step", STEPS)
def test_a_pull_that_is_killed_anywhere_comes_out_the_same(
    run: Run, make_demo: MakeDemo, tmp_path: Path, step: int
) -> None:
    """The rerun leaves the bytes of a pull that nobody disturbed, of two projects."""

    def files() -> dict[str, bytes]:
        return {
            path.relative_to(demo).as_posix(): path.read_bytes()
            for path in demo.rglob("*")
            if path.is_file() and not path.name.startswith(".") and path.parent.name != ".curate"
        }

    demo, place = make_demo("demo"), tmp_path / "server"
    names = ("--annotator", "Kim", "--annotator", "Lee")
    assert run(0, place, "push", "classify", "-w", demo, *names)["code"] == 0
    server = StoredServer(place)
    for user, project in enumerate(server.found, start=1):
        for task in list(server.tasks[project].values()):
            server.annotate(project, task["data"]["uid"], user, [choices("decision", "ST")])
    server.keep()
    before = files()
    first = run(0, place, "pull", "classify", "-w", demo)
    assert first["code"] == 0
    wanted = files()
    assert len(wanted) == len(before) + 7  # exports with their users, people, labels, what was seen
    assert first["passed"] >= 20
    for moment in range(1, first["passed"] + 1, step):
        for name in set(files()) - set(before):
            (demo / name).unlink()
        assert run(moment, place, "pull", "classify", "-w", demo)["code"] == -9
        assert run(0, place, "pull", "classify", "-w", demo)["code"] == 0
        assert files() == wanted, moment


if __name__ == "__main__":
    _serve()
