"""A backend that answers many at a time, under the same runner."""

import pytest

from curation.records.messages import CurateError
from evaluation.replies.reply import Failure, FailureKind, Reply, Usage
from evaluation.runner.index import Asking
from evaluation.runner.run import Ending
from evaluation.runner.store import Store


class Local:
    model = "local"
    asking = Asking("local", {"dtype": "none"})
    batch_size = 8

    def __init__(self, outcomes):
        self.outcomes = outcomes
        self.batches = []
        self.closed = 0

    def ask_many(self, requests, _say):
        self.batches.append([request.request_id for request in requests])
        return self.outcomes(requests)

    def close(self):
        self.closed += 1


def echo(requests):
    return [Reply(request.messages[0]["content"], Usage(1, 1), "stop") for request in requests]


def test_requests_are_answered_in_full_batches(tmp_path, ask, write_requests):
    """In their order, each with its own outcome."""
    write_requests(tmp_path, [f"q{at}" for at in range(43)])
    local = Local(echo)
    asked = ask(tmp_path, "", backend=local, concurrency=4)
    assert (asked.tally.answered, asked.tally.left) == (43, 0)
    assert asked.replies == {f"r{at}": f"q{at}" for at in range(43)}
    assert [name for batch in local.batches for name in batch] == [f"r{at}" for at in range(43)]
    assert [len(batch) for batch in local.batches] == [8, 8, 8, 8, 8, 3]
    assert local.closed == 1


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
    assert asked.tally.problem.kind is FailureKind.BACKEND
    said = {"raises": "MemoryError: no room for this", "loses one": "ValueError: zip() argument 3"}
    assert asked.tally.problem.message.startswith(said[way])
    assert asked.tally.answered == 8
    assert asked.replies["r0"] == "q0"
    assert asked.replies["r8"] is None
    again = ask(tmp_path, "", backend=Local(echo), limit=40)
    assert (again.tally.left, again.tally.before) == (0, asked.tally.answered)


def test_what_the_store_does_not_take_is_in_the_file(tmp_path, ask, write_requests, monkeypatch):
    """The file may be on another disk: what was answered, and paid for, is not lost."""

    def full(*_args):
        raise CurateError("no space")

    write_requests(tmp_path, ["q0", "q1"])
    monkeypatch.setattr(Store, "put", full)
    with pytest.raises(CurateError, match="no space"):
        ask(tmp_path, "", backend=Local(echo))
    monkeypatch.undo()
    assert ask(tmp_path, "", backend=Local(echo)).tally.before == 2


def test_a_limit_and_a_stop_are_kept_between_batches(tmp_path, ask, write_requests):
    """What came before is in the file; a later run asks the rest."""
    write_requests(tmp_path, [f"q{at}" for at in range(30)])
    asked = ask(tmp_path, "", backend=Local(echo), limit=11)
    assert (asked.tally.answered, asked.tally.ending) == (11, Ending.LIMIT)

    def stopped(requests):
        if requests[0].request_id == "r19":
            raise KeyboardInterrupt
        return echo(requests)

    asked = ask(tmp_path, "", backend=Local(stopped))
    assert (asked.tally.answered, asked.tally.ending) == (8, Ending.INTERRUPTED)
    for kind, ending in (
        (FailureKind.CANCELED, Ending.INTERRUPTED),
        (FailureKind.BACKEND, Ending.STOPPED),
    ):
        unsent = Reply(None, error=Failure(kind, "not sent", sent=False))
        asked = ask(tmp_path, "", backend=Local(lambda requests, it=unsent: [it] * len(requests)))
        assert (asked.tally.before, asked.tally.left, asked.tally.ending) == (19, 11, ending)
    asked = ask(tmp_path, "", backend=Local(echo))
    assert (asked.tally.before, asked.tally.left, asked.tally.ending) == (19, 0, Ending.DONE)


def test_a_limit_holds_for_requests_that_say_the_same(tmp_path, ask, write_requests):
    """They are looked at after all others, and nothing of the limit is left then."""
    write_requests(tmp_path, ["q0", "q1", "q1"])
    asked = ask(tmp_path, "", backend=Local(echo), limit=1)
    assert (asked.tally.answered, asked.tally.ending) == (1, Ending.LIMIT)
