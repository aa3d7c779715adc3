"""A backend on two worker processes gives what it gives in this one, whatever breaks."""

import json
import os
import signal
import sqlite3
import threading

import pytest

pytest.importorskip("distributed", reason="the extra 'distributed' is not installed")
import scripted_backend
from waiting import wait_for

from curation.files.workspace import Workspace
from evaluation.runner.asking import RunPlan, run
from evaluation.runner.backend import BackendSettings, FailureKind
from evaluation.runner.run import Limits

pytestmark = [pytest.mark.server, pytest.mark.xdist_group("cluster")]
TEXTS = ["slow", *(f"q{at}" for at in range(300)), "물음\u2028", "odd", "q3", "", "slow", "end"]


class Place:
    """A folder with requests, and what was made of them."""

    def __init__(self, folder, texts):
        assert scripted_backend.BACKENDS["scripted"]
        self.folder, self.log, self.gate = folder, folder / "log", folder / "gate"
        lines = [
            {"request_id": f"r{at}", "messages": [{"role": "user", "content": text}]}
            for at, text in enumerate(texts)
        ]
        requests = "".join(f"{json.dumps(line)}\n" for line in lines)
        (folder / "requests.jsonl").write_text(requests)

    def run(self, scheduler, name, **options):
        """Run as the command does; the files are called by the name."""
        given = {"log": self.log, "gate": self.gate, **options}
        settings = BackendSettings(
            "model",
            options={key: str(value) for key, value in given.items()},
            workspace=self.folder,
        )
        plan = RunPlan(
            workspace=Workspace(self.folder),
            requests=self.folder / "requests.jsonl",
            replies=self.folder / f"{name}.jsonl",
            store=self.folder / f"{name}.sqlite",
            backend="scripted",
            settings=settings,
            limits=Limits(concurrency=16, max_retries=0),
            shard=None,
            prices=None,
            budget=None,
            most_output=None,
            again=False,
            scheduler=scheduler,
        )
        return run(plan)

    def done(self, what):
        """Give what the log says was done: process and number of requests."""
        lines = self.log.read_text().splitlines() if self.log.exists() else []
        found = [json.loads(line) for line in lines]
        return [(process, count) for process, name, count in found if name == what]

    def result(self, name):
        """Give the replies byte for byte, and the store row for row."""
        store = sqlite3.connect(self.folder / f"{name}.sqlite")
        try:
            rows = store.execute("SELECT * FROM replies ORDER BY key").fetchall()
        finally:
            store.close()
        return (self.folder / f"{name}.jsonl").read_bytes(), rows


def test_a_cluster_writes_what_this_process_writes(tmp_path, cluster):
    """In the order of the requests.

    The first block takes the longest; one request is refused, two ask what others ask.
    """
    place = Place(tmp_path, TEXTS)
    here = place.run(None, "here")
    assert {process for process, _ in place.done("begin")} == {os.getpid()}
    batches = place.done("begin")
    place.log.unlink()
    there = place.run(cluster.address, "there", pause=0.02)
    assert place.result("there") == place.result("here")
    counted = [{**ran.as_dict(), "replies_file": ""} for ran in (here, there)]
    assert counted[0] == counted[1]
    tally = there.tally
    assert (tally.answered, tally.from_store) == (304, 2)
    assert tally.failed == {FailureKind.REFUSED: 1}
    lines = place.result("there")[0].split(b"\n")[:-1]
    # Those that ask what was asked before come last.
    wanted = [f"r{at}" for at in (*range(303), 304, 306, 303, 305)]
    assert [json.loads(line)["request_id"] for line in lines] == wanted
    both = {process for process, _ in place.done("begin")}
    assert len(both) == 2
    assert os.getpid() not in both
    # The same batches: what is asked together can change the last digits of a model's sums.
    assert sorted(count for _, count in place.done("end")) == sorted(count for _, count in batches)
    # Each worker opens the model once for the run, and lets it go at its end.
    wait_for(lambda: {process for process, _ in place.done("close")} == both)


def test_a_worker_that_is_killed_loses_and_doubles_nothing(tmp_path, cluster, monkeypatch):
    """SIGKILL while it answers a block of four requests: another one answers it."""
    monkeypatch.setattr("evaluation.distributed.backend.LEAST", 1)
    place = Place(tmp_path, [f"q{at}" if at != 60 else "wait" for at in range(120)])
    place.gate.touch()
    place.run(None, "here")
    place.gate.unlink()
    place.log.unlink()
    killed = []

    def kill():
        wait_for(lambda: bool(place.done("wait")))
        process, _ = place.done("wait")[0]
        os.kill(process, signal.SIGKILL)
        killed.append(process)
        place.gate.touch()

    thread = threading.Thread(target=kill)
    thread.start()
    ran = place.run(cluster.address, "there")
    thread.join()
    (process,) = killed
    begun, ended = ([at for at, _ in place.done(what)].count(process) for what in ("begin", "end"))
    assert begun == ended + 1
    assert (ran.tally.answered, ran.tally.left) == (120, 0)
    assert place.result("there") == place.result("here")
