"""Runs as processes: killed, several at once, and several for one run."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from waiting import wait_for

from evaluation.runner.backend import BackendSettings, Failure, FailureKind, Outcome, Usage
from evaluation.runner.costs import Price, Purse
from evaluation.runner.spread import Spread, _outcome, _settings, _settings_dict, _written
from evaluation.runner.store import Seen
from evaluation.runner.tally import Ending

ROOT = Path(__file__).parents[3]
PROGRAM = "from curation.cli.main import main; main()"
CONCURRENCY = 8
pytestmark = pytest.mark.slow


def echo(body):
    """Reply with what was asked."""
    return f"re: {body['messages'][-1]['content']}"


def asked(bodies):
    """Give what was asked, in order."""
    return [body["messages"][-1]["content"] for body in bodies]


def command(folder, url, replies="replies.jsonl", *more):
    """Run `curate evaluate run` in a folder."""
    files = ("--requests", folder / "requests.jsonl", "--replies", folder / replies)
    options = ("--model", "tiny", "--base-url", url, "--concurrency", CONCURRENCY, "--json")
    words = ("evaluate", "run", "-w", folder, *files, *options, *more)
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM, *map(str, words)],
        env={**os.environ, "PYTHONPATH": str(ROOT), "NO_PROXY": "127.0.0.1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def whole(run):
    """Wait for the end of a run that succeeds; gives what it counted."""
    out, said = run.communicate()
    assert run.returncode == 0, said
    return json.loads(out)


def stored(folder):
    """Give what the store has replies to."""
    store = sqlite3.connect(folder / ".curate" / "replies.sqlite")
    try:
        rows = store.execute("SELECT reply FROM replies").fetchall()
    finally:
        store.close()
    return {reply.removeprefix("re: ") for (reply,) in rows}


@pytest.mark.parametrize("processes", [1, 3])
def test_a_killed_run_goes_on_and_pays_nothing_twice(
    tmp_path, serve, write_requests, lines, processes
):
    """Killed four times, in one process or with others that ask for it, and ended in order once.

    A reply is paid for once it is in the store: the server is never asked again what the store
    then held. What a kill can lose is what was sent or not yet written at that moment, which is
    twice the concurrency at most.
    """
    server = serve(persona=echo)
    texts = [f"q{at}" for at in range(300)]
    write_requests(tmp_path, texts)
    more = ("--processes", processes) if processes > 1 else ()
    held: set[str] = set()
    for moment in (20, 45, 33, 60, 50):
        before = len(server.bodies)
        server.holds = lambda number, last=before + moment: number > last
        run = command(tmp_path, server.url, "replies.jsonl", *more)
        wait_for(lambda last=before + moment: len(server.bodies) > last)
        if moment != 50:
            os.killpg(run.pid, signal.SIGKILL)
            run.communicate()
        else:
            os.killpg(run.pid, signal.SIGINT)  # the terminal's Ctrl-C is for the whole group
            server.holds = lambda _number: False
            run.communicate()
            assert run.returncode == 130
        wait_for(lambda: not server.connections)  # nobody asks any more
        life = asked(server.bodies[before:])
        assert held.isdisjoint(life)
        # Where one of several processes ends first, another one asks what it had under way.
        assert processes > 1 or len(life) == len(set(life))
        now = stored(tmp_path)
        assert held < now
        assert len(set(life) - now) <= 2 * CONCURRENCY
        held = now
    server.holds = lambda _number: False
    before = len(server.bodies)
    whole(command(tmp_path, server.url, "replies.jsonl", *more))
    assert held.isdisjoint(asked(server.bodies[before:]))
    found = lines(tmp_path / "replies.jsonl")
    assert len(found) == len(texts)
    replies = {line["request_id"]: line["reply"] for line in found}
    assert replies == {f"r{at}": f"re: {text}" for at, text in enumerate(texts)}


def test_two_runs_on_one_store_ask_everything_once(tmp_path, serve, write_requests, lines):
    """At the same time, on the same requests: each file is complete, and each request paid once."""
    servers = [serve(persona=echo), serve(persona=echo)]
    for server in servers:
        # Neither run goes far before the other one has begun.
        server.holds = lambda number: number > 20 and not all(item.bodies for item in servers)
    texts = [f"q{at}" for at in range(600)]
    write_requests(tmp_path, texts)
    names = ("one.jsonl", "two.jsonl")
    runs = [command(tmp_path, s.url, name) for s, name in zip(servers, names, strict=True)]
    counts = [whole(run) for run in runs]
    assert Counter(text for server in servers for text in asked(server.bodies)) == Counter(texts)
    for name in names:
        found = [(line["request_id"], line["reply"]) for line in lines(tmp_path / name)]
        assert sorted(found) == sorted((f"r{at}", f"re: {text}") for at, text in enumerate(texts))
    assert sum(item["answered"] for item in counts) == len(texts)
    assert all(item["answered"] > 0 for item in counts)


def test_what_passes_between_processes_passes_whole():
    """Outcomes and settings, every field of them, as JSON."""
    failure = Failure(FailureKind.SERVER, "no", 500, True, 1.5, False, True, "h")
    used = Usage(3, 1, 1)
    said = Outcome("", used, "stop", 0.25, None, "so \u2028", "m-2", {"A": -0.1})
    for outcome in (Outcome("A"), said, Outcome(None, error=failure)):
        assert _outcome(json.loads(json.dumps(_written(outcome)))) == outcome
    settings = BackendSettings(
        "m",
        {"stop": ["\n"]},
        base_urls=("u", "v"),
        key_variable="K",
        timeout_s=1.5,
        options={"a": "b"},
        workspace=Path("w"),
    )
    assert _settings(json.loads(json.dumps(_settings_dict(settings)))) == settings


def test_limit_and_budget_hold_for_all_together(tmp_path, serve, ask, write_requests):
    """As if one asked; a million for each token: a request costs one sent and one received."""
    server = serve(persona=echo)
    write_requests(tmp_path, [f"q{at}" for at in range(60)])

    def spread():
        return Spread("openai", BackendSettings("tiny", {}, 8, (server.url,), timeout_s=20.0), 3)

    asked = ask(tmp_path, [], backend=spread(), limit=7)
    assert (asked.tally.ending, len(server.bodies)) == (Ending.LIMIT, 7)
    purse = Purse(Price(1e6, 1e6), 20.0, 1, Seen(0, 0, 0, 0))
    asked = ask(tmp_path, [], backend=spread(), purse=purse)
    assert asked.tally.ending is Ending.BUDGET
    assert len(server.bodies) == 7 + 10
    assert purse.spent == 20.0
