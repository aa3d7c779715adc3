"""Runs as processes: killed, several at once, and on a full disk."""

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
from collections import Counter
from contextlib import closing, suppress
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from waiting import wait_for

ROOT = Path(__file__).parents[3]
HELPER = Path(__file__).parent / "forks.py"
KILLS = 30
CONCURRENCY = 8


def echo(body):
    """Reply with what was asked."""
    return f"re: {body['messages'][-1]['content']}"


def asked(bodies):
    """Give what was asked, in order."""
    return [body["messages"][-1]["content"] for body in bodies]


class Forks:
    """The helper, which runs one command at a time."""

    def __init__(self):
        self._process: subprocess.Popen[str] | None = None
        self._running: int | None = None

    def start(self, *args, **order):
        """Run `curate evaluate run`."""
        assert self._running is None
        if self._process is None:
            self._process = subprocess.Popen(
                [sys.executable, str(HELPER)],
                env={"PYTHONPATH": str(ROOT), "NO_PROXY": "127.0.0.1", "PATH": ""},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
        assert self._process.stdin is not None
        command = ["evaluate", "run", *map(str, args)]
        self._process.stdin.write(json.dumps({"args": command, **order}) + "\n")
        self._process.stdin.flush()
        self._running = int(self._line())

    def ended(self):
        """Wait for the end of the command."""
        assert self._running is not None
        found: dict[str, Any] = json.loads(self._line())
        self._running = None
        return found

    def run(self, *args, **order):
        """Run the command to its end."""
        self.start(*args, **order)
        return self.ended()

    def kill(self):
        """Kill the command, which must still be running, and wait for its end."""
        assert self._running is not None
        with suppress(ProcessLookupError):  # what it ended with is said below
            os.kill(self._running, signal.SIGKILL)
        ended = self.ended()
        assert ended["code"] == -signal.SIGKILL, ended

    def tidy(self):
        """Let go of a helper whose command a failed test has left behind."""
        if self._running is not None:
            with suppress(ProcessLookupError):
                os.kill(self._running, signal.SIGKILL)
            self.close()

    def close(self):
        """End the helper; the next command starts another one."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
        self._process = self._running = None

    def _line(self):
        assert self._process is not None
        assert self._process.stdout is not None
        return self._process.stdout.readline()


@pytest.fixture(scope="module")
def helpers():
    """Two helpers for the tests of this file: what they import is imported once."""
    found = Forks(), Forks()
    yield found
    for helper in found:
        helper.close()


@pytest.fixture
def one(helpers):
    """A helper with nothing under way."""
    yield helpers[0]
    helpers[0].tidy()


@pytest.fixture
def two(helpers):
    """Another one."""
    yield helpers[1]
    helpers[1].tidy()


def settle(server):
    """Wait until all that was sent by runs that are gone has arrived."""
    address = urlsplit(server.url)
    assert address.hostname is not None
    # Connections are accepted in their order: after this one no earlier one is left.
    with closing(HTTPConnection(address.hostname, address.port)) as last:
        last.request("GET", "/stats")
        last.getresponse().read()
    wait_for(lambda: not server.connections)


def options(folder, url, replies="replies.jsonl"):
    """Give the options of a run in a folder."""
    files = ["-w", folder, "--requests", folder / "requests.jsonl", "--replies", folder / replies]
    return [*files, "--model", "tiny", "--base-url", url, "--concurrency", CONCURRENCY]


def stored(folder):
    """Give what the store has replies to."""
    path = folder / ".curate" / "replies.sqlite"
    if not path.exists():
        return set()
    store = sqlite3.connect(path)
    try:
        rows = store.execute("SELECT reply FROM replies").fetchall()
    except sqlite3.OperationalError:
        return set()  # killed before the tables were made
    finally:
        store.close()
    return {reply.removeprefix("re: ") for (reply,) in rows}


def test_a_killed_run_goes_on_and_pays_nothing_twice(tmp_path, one, serve, write_requests, lines):
    """SIGKILL at thirty moments, some while the run still opens its files.

    A reply is paid for once it is in the store: after a kill the server is never asked again
    what the store then held. What a kill can lose is what was sent or not yet written at that
    moment, which is twice the concurrency at most. At the end every request stands in the file
    with its reply, once.
    """
    server = serve(persona=echo)
    draw = random.Random(20260101)  # noqa: S311  # seeded moments
    # A run is killed when so many of its requests have arrived; from a place at or before that
    # the server replies no more, so that no run can end before.
    moments = [draw.randint(2 * CONCURRENCY + 1, 90) if at % 3 else 0 for at in range(KILLS)]
    texts = [f"q{at}" for at in range(sum(moments) + CONCURRENCY * KILLS)]
    write_requests(tmp_path, texts)
    held: set[str] = set()
    for number, moment in enumerate(moments):
        before = len(server.bodies)
        last = before + max(0, moment - draw.randint(0, CONCURRENCY - 1))
        server.holds = lambda number, last=last: number > last
        one.start(*options(tmp_path, server.url))
        if moment:
            wait_for(lambda before=before, moment=moment: len(server.bodies) >= before + moment)
        elif number % 2:
            wait_for((tmp_path / ".curate" / "replies.sqlite").exists)
        one.kill()
        settle(server)
        life = asked(server.bodies[before:])
        assert held.isdisjoint(life)
        assert len(life) == len(set(life))
        now = stored(tmp_path)
        assert held <= now
        assert len(set(life) - now) <= 2 * CONCURRENCY
        assert len(now) > len(held) or not moment
        held = now
    server.holds = lambda _number: False
    before = len(server.bodies)
    ended = one.run(*options(tmp_path, server.url), "--json")
    assert ended["code"] == 0, ended["err"]
    assert held.isdisjoint(asked(server.bodies[before:]))
    assert Counter(line["request_id"] for line in lines(tmp_path / "replies.jsonl")) == Counter(
        f"r{at}" for at in range(len(texts))
    )
    found = {line["request_id"]: line["reply"] for line in lines(tmp_path / "replies.jsonl")}
    assert found == {f"r{at}": f"re: {text}" for at, text in enumerate(texts)}
    assert len(server.bodies) - len(texts) <= 2 * CONCURRENCY * KILLS


def test_two_runs_on_one_store_ask_everything_once(
    tmp_path, one, two, serve, write_requests, lines
):
    """At the same time, on the same requests: each file is complete, and each request paid once."""
    servers = [serve(persona=echo), serve(persona=echo)]
    for server in servers:
        # Neither run goes far before the other one has begun.
        server.holds = lambda number: number > 20 and not all(item.bodies for item in servers)
    texts = [f"q{at}" for at in range(1200)]
    write_requests(tmp_path, texts)
    names = ("one.jsonl", "two.jsonl")
    for run, name, server in zip((one, two), names, servers, strict=True):
        run.start(*options(tmp_path, server.url, name), "--json")
    ended = [run.ended() for run in (one, two)]
    assert [item["code"] for item in ended] == [0, 0], ended
    assert Counter(text for server in servers for text in asked(server.bodies)) == Counter(texts)
    for name in names:
        found = [(line["request_id"], line["reply"]) for line in lines(tmp_path / name)]
        assert sorted(found) == sorted((f"r{at}", f"re: {text}") for at, text in enumerate(texts))
    counts = [json.loads(item["out"]) for item in ended]
    assert sum(item["answered"] for item in counts) == len(texts)
    assert all(item["answered"] > 0 for item in counts)
    assert all(item["answered"] + item["from_store"] == len(texts) for item in counts)


@pytest.mark.parametrize("limit", [40_000, 70_000, 110_000])
def test_a_full_disk_ends_the_run_and_loses_nothing(
    tmp_path, one, serve, write_requests, lines, limit
):
    """Files may grow to so many bytes: whichever is full first, what was written stays."""
    server = serve(persona=echo)
    texts = [f"q{at}" for at in range(600)]
    write_requests(tmp_path, texts)
    ended = one.run(*options(tmp_path, server.url), limit=limit)
    assert ended["code"] == 1
    assert "Traceback" not in ended["err"]
    assert "cannot be" in ended["err"]
    assert "free space" in ended["err"]
    held = stored(tmp_path)
    path = tmp_path / "replies.jsonl"
    held |= {line["reply"].removeprefix("re: ") for line in lines(path)} if path.exists() else held
    settle(server)
    before = len(server.bodies)
    assert before - len(held) <= 2 * CONCURRENCY
    ended = one.run(*options(tmp_path, server.url))
    assert ended["code"] == 0, ended["err"]
    assert held.isdisjoint(asked(server.bodies[before:]))
    found = [(line["request_id"], line["reply"]) for line in lines(tmp_path / "replies.jsonl")]
    assert sorted(found) == sorted((f"r{at}", f"re: {text}") for at, text in enumerate(texts))
