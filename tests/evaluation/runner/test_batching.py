"""A backend that answers many at a time, under the same runner."""

import threading
import time

import pytest

from evaluation.replies.reply import FailureKind, Reply, Usage
from evaluation.runner.body import Asking
from evaluation.runner.tally import Ending


@pytest.fixture(autouse=True)
def _patient(monkeypatch):
    """A batch that is not full waits long enough for the others on every machine."""
    monkeypatch.setattr("evaluation.runner.batching._LINGER_S", 0.3)


class Local:
    """Answers with what was asked, and notes its batches."""

    model = "local"
    asking = Asking("local", {"dtype": "none"})
    batch_size = 8

    def __init__(self, outcomes):
        self.outcomes = outcomes
        self.batches: list[list[str]] = []
        self.threads: set[int] = set()
        self.closed = 0

    def ask_many(self, requests):
        """Answer a batch."""
        self.threads.add(threading.get_ident())
        self.batches.append([request.request_id for request in requests])
        time.sleep(0.01)
        return self.outcomes(requests)

    def close(self):
        """Count."""
        self.closed += 1


def echo(requests):
    """Reply with what was asked."""
    return [Reply(request.messages[0]["content"], Usage(1, 1), "stop") for request in requests]


def test_requests_are_answered_in_full_batches(tmp_path, ask, write_requests):
    """In their order, in one thread, each with its own outcome."""
    write_requests(tmp_path, [f"q{at}" for at in range(43)])
    local = Local(echo)
    asked = ask(tmp_path, "", backend=local, concurrency=4)
    assert (asked.tally.answered, asked.tally.left) == (43, 0)
    assert asked.replies == {f"r{at}": f"q{at}" for at in range(43)}
    assert [name for batch in local.batches for name in batch] == [f"r{at}" for at in range(43)]
    assert [len(batch) for batch in local.batches] == [8, 8, 8, 8, 8, 3]
    assert (len(local.threads), local.closed) == (1, 1)
    assert threading.get_ident() not in local.threads


@pytest.mark.parametrize("way", ["raises", "loses one"])
def test_a_fault_of_the_backend_stops_the_run(tmp_path, ask, write_requests, way):
    """It is named, what was answered is kept, and nothing hangs."""
    write_requests(tmp_path, [f"q{at}" for at in range(40)])

    def outcomes(requests):
        if requests[0].request_id != "r8":
            return echo(requests)
        if way == "raises":
            raise MemoryError("no room\nfor this")
        return echo(requests)[1:]

    asked = ask(tmp_path, "", backend=Local(outcomes))
    assert asked.tally.ending is Ending.STOPPED
    assert asked.tally.problem is not None
    assert asked.tally.problem.kind is FailureKind.BACKEND
    said = {"raises": "MemoryError: no room for this", "loses one": "7 replies to 8 requests"}
    assert asked.tally.problem.message == said[way]
    assert asked.tally.answered >= 8
    assert asked.replies["r0"] == "q0"
    assert asked.replies["r8"] is None
    again = ask(tmp_path, "", backend=Local(echo))
    assert (again.tally.left, again.tally.before) == (0, asked.tally.answered)
