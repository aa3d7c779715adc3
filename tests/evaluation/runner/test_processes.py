"""Runs as processes: killed, several at once, and on a full disk."""

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[3]
HELPER = Path(__file__).parent / "forks.py"
KILLS = 30
CONCURRENCY = 8
Serve = Callable[..., Any]
Write = Callable[..., Path]
Lines = Callable[[Path], list[dict[str, Any]]]


def echo(body: dict[str, Any]) -> str:
    """Reply with what was asked."""
    return f"re: {body['messages'][-1]['content']}"


def asked(bodies: list[dict[str, Any]]) -> list[str]:
    """Give what was asked, in order."""
    return [body["messages"][-1]["content"] for body in bodies]


class Forks:
    """The helper, under way."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self.process = process

    def start(self, *args: object, **order: Any) -> int:
        """Run `curate evaluate run`; gives the process's number."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        command = ["evaluate", "run", *map(str, args)]
        self.process.stdin.write(json.dumps({"args": command, **order}) + "\n")
        self.process.stdin.flush()
        return int(self.process.stdout.readline())

    def ended(self) -> dict[str, Any]:
        """Wait for the end of the command."""
        assert self.process.stdout is not None
        found: dict[str, Any] = json.loads(self.process.stdout.readline())
        return found

    def run(self, *args: object, **order: Any) -> dict[str, Any]:
        """Run the command to its end."""
        self.start(*args, **order)
        return self.ended()


@contextmanager
def forks() -> Iterator[Forks]:
    """Start the helper."""
    environment = {"PYTHONPATH": str(ROOT), "NO_PROXY": "127.0.0.1", "PATH": ""}
    with subprocess.Popen(
        [sys.executable, str(HELPER)],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            yield Forks(process)
        finally:
            assert process.stdin is not None
            process.stdin.close()


@pytest.fixture(scope="module")
def one() -> Iterator[Forks]:
    """The helper, started once."""
    with forks() as helper:
        yield helper


@pytest.fixture(scope="module")
def two() -> Iterator[Forks]:
    """Another one."""
    with forks() as helper:
        yield helper


def options(folder: Path, url: str, replies: str = "replies.jsonl") -> list[object]:
    """Give the options of a run in a folder."""
    files = ["-w", folder, "--requests", folder / "requests.jsonl", "--replies", folder / replies]
    return [*files, "--model", "tiny", "--base-url", url, "--concurrency", CONCURRENCY]


def stored(folder: Path) -> set[str]:
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


def wait_for(happened: Callable[[], bool]) -> None:
    """Wait until something has happened."""
    until = time.monotonic() + 60
    while not happened():
        assert time.monotonic() < until
        time.sleep(0.002)


def test_a_killed_run_goes_on_and_pays_nothing_twice(
    tmp_path: Path, one: Forks, serve: Serve, write_requests: Write, lines: Lines
) -> None:
    """SIGKILL at thirty random moments.

    A reply is paid for once it is in the store: after a kill the server is never asked again
    what the store then held. What a kill can lose is what was sent or not yet written at that
    moment, which is twice the concurrency at most. At the end every request stands in the file
    with its reply, once.
    """
    server = serve(persona=echo, latency=0.005)
    texts = [f"q{at}" for at in range(2500)]
    write_requests(tmp_path, texts)
    draw = random.Random(20260101)  # noqa: S311  # seeded moments
    held: set[str] = set()
    midway = 0
    for number in range(KILLS):
        before = len(server.bodies)
        pid = one.start(*options(tmp_path, server.url))
        # A third of them while the run still opens its files.
        if number % 3:
            wait_for(lambda before=before: len(server.bodies) > before)
        time.sleep(draw.uniform(0.0, 0.4))
        os.kill(pid, signal.SIGKILL)
        ended = one.ended()
        time.sleep(0.02)  # what was sent before the kill arrives
        life = asked(server.bodies[before:])
        assert held.isdisjoint(life)
        assert len(life) == len(set(life))
        now = stored(tmp_path)
        assert held <= now
        assert len(set(life) - now) <= 2 * CONCURRENCY
        midway += ended["code"] == -9 and len(now) > len(held)
        held = now
    before = len(server.bodies)
    ended = one.run(*options(tmp_path, server.url), "--json")
    assert ended["code"] == 0, ended["err"]
    assert midway >= 10
    assert held.isdisjoint(asked(server.bodies[before:]))
    assert Counter(line["request_id"] for line in lines(tmp_path / "replies.jsonl")) == Counter(
        f"r{at}" for at in range(len(texts))
    )
    found = {line["request_id"]: line["reply"] for line in lines(tmp_path / "replies.jsonl")}
    assert found == {f"r{at}": f"re: {text}" for at, text in enumerate(texts)}
    assert len(server.bodies) - len(texts) <= 2 * CONCURRENCY * KILLS


def test_two_runs_on_one_store_ask_everything_once(
    tmp_path: Path, one: Forks, two: Forks, serve: Serve, write_requests: Write, lines: Lines
) -> None:
    """At the same time, on the same requests: each file is complete, and each request paid once."""
    server = serve(persona=echo, latency=0.02)
    texts = [f"q{at}" for at in range(1200)]
    write_requests(tmp_path, texts)
    names = ("one.jsonl", "two.jsonl")
    for run, name in zip((one, two), names, strict=True):
        run.start(*options(tmp_path, server.url, name), "--json")
    ended = [run.ended() for run in (one, two)]
    assert [item["code"] for item in ended] == [0, 0], ended
    assert Counter(asked(server.bodies)) == Counter(texts)
    for name in names:
        found = [(line["request_id"], line["reply"]) for line in lines(tmp_path / name)]
        assert sorted(found) == sorted((f"r{at}", f"re: {text}") for at, text in enumerate(texts))
    counts = [json.loads(item["out"]) for item in ended]
    assert sum(item["answered"] for item in counts) == len(texts)
    assert all(item["answered"] > 0 for item in counts)
    assert all(item["answered"] + item["from_store"] == len(texts) for item in counts)


def test_what_a_killed_run_had_claimed_is_taken_over(
    tmp_path: Path, one: Forks, two: Forks, serve: Serve, write_requests: Write, lines: Lines
) -> None:
    """By a run beside it, soon, not only when the claims expire."""
    server = serve(persona=echo, latency=0.05)
    texts = [f"q{at}" for at in range(400)]
    write_requests(tmp_path, texts)
    pid = one.start(*options(tmp_path, server.url, "one.jsonl"))
    two.start(*options(tmp_path, server.url, "two.jsonl"))
    wait_for(lambda: len(server.bodies) > 150)
    os.kill(pid, signal.SIGKILL)
    assert one.ended()["code"] == -9
    start = time.monotonic()
    assert two.ended()["code"] == 0
    assert time.monotonic() - start < 30
    found = {line["request_id"]: line["reply"] for line in lines(tmp_path / "two.jsonl")}
    assert found == {f"r{at}": f"re: {text}" for at, text in enumerate(texts)}
    assert len(server.bodies) <= len(texts) + 2 * CONCURRENCY


def test_two_runs_do_not_write_one_file(
    tmp_path: Path, one: Forks, two: Forks, serve: Serve, write_requests: Write
) -> None:
    """The second is told; the first is not disturbed."""
    server = serve(persona=echo, latency=0.2)
    write_requests(tmp_path, [f"q{at}" for at in range(60)])
    one.start(*options(tmp_path, server.url))
    wait_for(lambda: bool(server.bodies))
    ended = two.run(*options(tmp_path, server.url))
    assert ended["code"] == 1
    assert "another run is writing this file of replies" in ended["err"]
    assert one.ended()["code"] == 0
    assert len(server.bodies) == 60


@pytest.mark.parametrize("limit", [40_000, 70_000, 110_000])
def test_a_full_disk_ends_the_run_and_loses_nothing(
    tmp_path: Path, one: Forks, serve: Serve, write_requests: Write, lines: Lines, limit: int
) -> None:
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
    before = len(server.bodies)
    assert before - len(held) <= 2 * CONCURRENCY
    ended = one.run(*options(tmp_path, server.url))
    assert ended["code"] == 0, ended["err"]
    assert held.isdisjoint(asked(server.bodies[before:]))
    found = [(line["request_id"], line["reply"]) for line in lines(tmp_path / "replies.jsonl")]
    assert sorted(found) == sorted((f"r{at}", f"re: {text}") for at, text in enumerate(texts))
