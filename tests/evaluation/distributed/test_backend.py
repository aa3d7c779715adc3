"""A backend on two worker processes gives what it gives in this one, whatever breaks."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from operator import itemgetter
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("distributed", reason="the extra 'distributed' is not installed")
from two_workers import ROOT, Cluster, two_workers
from waiting import wait_for

from curation.records.errors import CurateError
from evaluation.distributed.backend import ClusterBackend, open_on_cluster
from evaluation.distributed.worker import Described, Identity, Order
from evaluation.requests import Request
from evaluation.runner.backend import BackendSettings, FailureKind

pytestmark = [pytest.mark.server, pytest.mark.xdist_group("cluster")]
TEXTS = ["slow", *(f"q{at}" for at in range(300)), "물음\u2028", "odd", "q3", "", "slow", "end"]
PROGRAM = "import scripted_backend; from curation.cli.main import main; main()"


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """A block is a batch: four requests."""
    monkeypatch.setattr("evaluation.distributed.backend.LEAST", 1)


def meanwhile(step: Callable[[], None]) -> threading.Thread:
    """Do something while a run is under way."""
    thread = threading.Thread(target=step)
    thread.start()
    return thread


def counts(ran: Any) -> dict[str, Any]:
    """Give what a run counted."""
    return {name: value for name, value in ran.as_dict().items() if name != "replies_file"}


def test_a_cluster_writes_what_this_process_writes(place: Any, cluster: Cluster) -> None:
    """Replies byte for byte, in the order of the requests, and the store row for row.

    The first block takes the longest; one request is refused, two ask what others ask.
    """
    place.ask(TEXTS)
    here = place.run(None, "here")
    assert {process for process, _ in place.done("begin")} == {os.getpid()}
    batches = place.done("begin")
    place.log.unlink()
    there = place.run(cluster.address, "there", pause=0.02)
    assert place.replies("there").read_bytes() == place.replies("here").read_bytes()
    assert place.stored("there") == place.stored("here")
    assert counts(there) == counts(here)
    tally = there.tally
    assert (tally.answered, tally.from_store, dict(tally.failed)) == (
        304,
        2,
        {FailureKind.REFUSED: 1},
    )
    names = [line["request_id"] for line in place.lines("there")]
    # Those that ask what was asked before come last.
    assert names == [f"r{at}" for at in (*range(303), 304, 306, 303, 305)]
    both = {process for process, _ in place.done("begin")}
    assert len(both) == 2
    assert os.getpid() not in both
    # The same batches: what is asked together can change the last digits of a model's sums.
    assert sorted(count for _, count in place.done("end")) == sorted(count for _, count in batches)
    # Each worker opens the model once for the run, and lets it go at its end.
    wait_for(lambda: {process for process, _ in place.done("close")} == both)


@pytest.mark.usefixtures("small_blocks")
def test_a_worker_that_is_killed_loses_and_doubles_nothing(place: Any, cluster: Cluster) -> None:
    """SIGKILL while it answers a block: another one answers it."""
    texts = [f"q{at}" for at in range(120)]
    texts[60] = "wait"
    place.ask(texts).run_here()
    killed = []

    def kill() -> None:
        wait_for(lambda: bool(place.done("wait")))
        process, _ = place.done("wait")[0]
        os.kill(process, signal.SIGKILL)
        killed.append(process)
        place.gate.touch()

    thread = meanwhile(kill)
    ran = place.run(cluster.address, "there")
    thread.join()
    (process,) = killed
    begun, ended = ([at for at, _ in place.done(what)].count(process) for what in ("begin", "end"))
    assert begun == ended + 1
    assert (ran.tally.answered, ran.tally.left) == (120, 0)
    assert place.replies("there").read_bytes() == place.replies("here").read_bytes()
    assert place.stored("there") == place.stored("here")


@pytest.mark.usefixtures("small_blocks")
def test_a_block_that_ends_every_worker_fails_alone(place: Any, cluster: Cluster) -> None:
    """Its requests fail as the backend's fault; they are not tried for ever."""
    texts = [f"q{at}" for at in range(24)]
    texts[9] = "kill"
    ran = place.ask(texts).run(cluster.address, "there")
    assert dict(ran.tally.failed) == {FailureKind.BACKEND: 4}
    assert ran.tally.answered == 20
    lines = place.lines("there")
    assert [line["request_id"] for line in lines] == [f"r{at}" for at in range(24)]
    assert [at for at, line in enumerate(lines) if line["reply"] is None] == [8, 9, 10, 11]
    assert lines[8]["error"] == {
        "kind": "backend",
        "message": "every worker that got these 4 requests ended",
        "status": None,
    }
    # The same command goes on with them.
    texts[9] = "q9"
    place.ask(texts)
    ran = place.run(cluster.address, "there")
    assert (ran.tally.before, ran.tally.answered, ran.tally.left) == (20, 4, 0)


@pytest.mark.usefixtures("small_blocks")
def test_a_backend_that_breaks_stops_the_run_as_it_does_here(place: Any, cluster: Cluster) -> None:
    """With its own words in one line; what was answered before is kept."""
    place.ask([*(f"q{at}" for at in range(8)), "break", *(f"q{at}" for at in range(9, 200))])
    ran = place.run(cluster.address, "there")
    error = ran.error()
    assert error is not None
    assert error.what == "the run stopped: RuntimeError: the model is broken"
    assert error.hint == "what was answered is kept; run the same command again for the rest"
    assert ran.tally.failed == {FailureKind.BACKEND: 4}
    assert 8 <= ran.tally.answered < 100
    here = place.run(None, "here")
    assert here.error().what == error.what


def test_a_killed_client_goes_on_to_the_same_file(place: Any, cluster: Cluster) -> None:
    """The command is killed, and given again."""
    texts = [f"q{at}" for at in range(320)]
    texts[200] = "wait"
    place.ask(texts).run_here()
    command = [
        *(sys.executable, "-c", PROGRAM, "evaluate", "run", "-w", place.folder, "--json"),
        *("--backend", "scripted", "--model", "model", "--concurrency", 16),
        *("--requests", place.folder / "requests.jsonl", "--replies", place.replies("there")),
        *("--option", f"log={place.log}", "--option", f"gate={place.gate}", "--option", "batch=32"),
        *("--executor", "dask", "--scheduler", cluster.address),
    ]
    path = f"{ROOT}{os.pathsep}{Path(__file__).parents[2] / 'support'}"
    process = subprocess.Popen(
        [str(word) for word in command],
        env={**os.environ, "PYTHONPATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    replies = place.replies("there")
    wait_for(lambda: replies.exists() and replies.read_bytes().count(b"\n") >= 20)
    process.kill()
    process.communicate()
    place.gate.touch()
    before = replies.read_bytes()
    assert 20 <= before.count(b"\n") <= 200
    assert place.replies("here").read_bytes().startswith(before)
    done = subprocess.run(
        [str(word) for word in command],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        check=False,
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, "")
    counted = json.loads(done.stdout)
    assert counted["before"] + counted["from_store"] + counted["answered"] == 320
    assert replies.read_bytes() == place.replies("here").read_bytes()


@pytest.mark.usefixtures("small_blocks")
def test_a_lost_scheduler_stops_the_run(place: Any, tmp_path: Path) -> None:
    """It is said; the run goes on elsewhere, here without any cluster."""
    texts = [f"q{at}" for at in range(80)]
    texts[60] = "wait"
    place.ask(texts).run_here()
    replies = place.replies("there")
    with two_workers(tmp_path) as own:

        def kill() -> None:
            wait_for(lambda: bool(place.done("wait")) and b"\n" in replies.read_bytes())
            own.process.kill()
            place.gate.touch()

        thread = meanwhile(kill)
        ran = place.run(own.address, "there")
        thread.join()
    error = ran.error()
    assert error is not None
    assert error.what.startswith(f"the run stopped: the cluster at {own.address} was lost: ")
    assert "\n" not in error.what
    assert set(ran.tally.failed) == {FailureKind.CONNECTION}
    assert 0 < ran.tally.answered < 80
    place.run(None, "there")
    answered = (line for line in place.lines("there") if line["error"] is None)
    by_request = itemgetter("request_id")  # what the lost workers did not answer comes last
    assert sorted(answered, key=by_request) == sorted(place.lines("here"), key=by_request)


@pytest.mark.usefixtures("small_blocks")
def test_workers_that_would_answer_otherwise_are_refused(place: Any, cluster: Cluster) -> None:
    """Replies are kept under what they depend on, which must be the same everywhere."""
    ran = place.ask([f"q{at}" for at in range(40)]).run(cluster.address, "there", own=1, pause=0.05)
    error = ran.error()
    assert error is not None
    assert "would not answer like the others: own " in error.what
    assert error.hint == "give all workers the same files, kind of machine and versions"
    assert set(ran.tally.failed) == {FailureKind.BACKEND}


@pytest.mark.parametrize(
    ("name", "settings", "what", "hint"),
    [
        (
            "uniform",
            BackendSettings("model", options={"seed": "seven"}),
            "'seven' is not a seed",
            "give a whole number",
        ),
        (
            "openai",
            BackendSettings("model", base_urls=("http://127.0.0.1:9/v1",), dry=True),
            "the backend 'openai' asks servers, which need no cluster",
            "leave it out, and set --concurrency and several --base-url",
        ),
    ],
)
def test_what_a_worker_cannot_open_is_said_in_its_words(
    cluster: Cluster, name: str, settings: BackendSettings, what: str, hint: str
) -> None:
    """With the worker's place."""
    with pytest.raises(CurateError) as caught:
        open_on_cluster(cluster.address, name, settings, pytest.fail)
    assert (caught.value.what, caught.value.hint) == (what, hint)
    assert caught.value.where.startswith("the worker on ")


def test_all_workers_have_blocks_and_those_to_come_too() -> None:
    """Two blocks each; more where more are wanted at once, in whole blocks of whole batches."""

    def at_once(batch: int, workers: int, wanted: int) -> int:
        described = Described(Identity("model", {}, "1"), batch)
        order = Order("scripted", BackendSettings("model"), "run")
        backend = ClusterBackend("tcp://nowhere:1", order, described, workers)
        return backend.concurrency(wanted)

    assert [at_once(8, 4, wanted) for wanted in (1, 256, 257)] == [256, 256, 288]
    assert [at_once(batch, 1, 1) for batch in (1, 12, 32, 1024)] == [64, 72, 64, 2048]
    assert at_once(8, 0, 1) == 64


def test_whoever_does_not_wait_leaves_at_once(place: Any, cluster: Cluster) -> None:
    """At the second Ctrl-C nothing is waited for; the worker ends its block by itself."""
    options = {"log": str(place.log), "gate": str(place.gate)}
    settings = BackendSettings("model", options=options, workspace=place.folder)
    backend = open_on_cluster(cluster.address, "scripted", settings, pytest.fail)
    request = Request("r0", ({"role": "user", "content": "wait"},))

    async def leave() -> None:
        asked = asyncio.create_task(backend.ask(request))
        while not place.done("wait"):
            await asyncio.sleep(0.01)
        asked.cancel()
        await backend.close()

    asyncio.run(leave())
    assert place.done("end") == []
    place.gate.touch()
    ((process, _),) = place.done("begin")
    wait_for(lambda: process in [at for at, _ in place.done("close")])
    assert [count for _, count in place.done("end")] == [1]
