"""Push and pull that end anywhere: run again, each comes out as if it had run once.

Moment n is the nth before or after a request or the renaming of a file; what a request asks for is
done between the two. Moment 0 is never.
"""

import json
from pathlib import Path

import pytest

from curation.annotation.labelstudio.push import push_tasks
from curation.files.workspace import Workspace
from tests.annotation.labelstudio.fake import FakeServer

NAMES = ["Kim", "Lee"]


class Killed(BaseException):
    """Nobody but the test catches it."""


class MortalServer(FakeServer):
    """A server that counts moments, and ends whoever speaks to it at one of them."""

    def __init__(self):
        super().__init__()
        self.moment = self.passed = 0

    def tick(self):
        self.passed += 1
        if self.passed == self.moment:
            raise Killed

    def _do(self, name, size, work):
        self.tick()
        result = super()._do(name, size, work)
        self.tick()
        return result


@pytest.fixture
def server(monkeypatch):
    """The server; renaming files counts as a moment, too."""
    made = MortalServer()
    replace = Path.replace

    def counted(self, target):
        made.tick()
        result = replace(self, target)
        made.tick()
        return result

    monkeypatch.setattr(Path, "replace", counted)
    monkeypatch.setattr("curation.annotation.labelstudio.push.CHUNK", 10)
    monkeypatch.setattr("curation.annotation.labelstudio.push.time.sleep", lambda _seconds: None)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1767225600")
    return made


def run(server, call, moment=0):
    """Call until a moment; gives how many passed."""
    server.moment, server.passed = moment, 0
    if moment:
        with pytest.raises(Killed):
            call()
    else:
        call()
    return server.passed


def test_a_push_that_is_killed_anywhere_comes_out_the_same(server, make_demo):
    """Each task is there once, and the record is that of a push that nobody disturbed."""

    def pushed(name, moment):
        folder = make_demo(name)
        server.found, server.tasks, server.number = {}, {}, 0
        passed = run(
            server, lambda: push_tasks(Workspace(folder), "classify", server=server), moment
        )
        if moment:
            run(server, lambda: push_tasks(Workspace(folder), "classify", server=server))
        record = json.loads((folder / "annotations" / "labelstudio.json").read_text("utf-8"))
        held = [task["data"]["uid"] for tasks in server.tasks.values() for task in tasks.values()]
        return passed, record["kinds"], sorted(held)

    passed, record, held = pushed("whole", 0)
    assert len(set(held)) == len(held) == 29
    assert passed >= 20
    for moment in range(1, passed + 1, 3):
        assert pushed(f"killed-{moment}", moment)[1:] == (record, held), moment
