"""Several processes that ask for one run: one budget, one file, one store, and nothing twice."""

import json
import os
import signal
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
pytestmark = pytest.mark.slow


def echo(body):
    """Reply with what was asked."""
    return f"re: {body['messages'][-1]['content']}"


def spread(url, count=2, **parameters):
    """Processes that ask one server."""
    settings = BackendSettings("tiny", parameters, 8, (url,), timeout_s=20.0)
    return Spread("openai", settings, count)


@pytest.mark.parametrize(
    "outcome",
    [
        Outcome("A"),
        Outcome("", Usage(3, 1, 1), "stop", 0.25, None, "so \u2028", "m-2", {"A": -0.1}),
        Outcome(None, error=Failure(FailureKind.SERVER, "no", 500, True, 1.5, False, True, "h")),
    ],
)
def test_outcomes_pass_whole(outcome):
    """As JSON, every field of them."""
    assert _outcome(json.loads(json.dumps(_written(outcome)))) == outcome


def test_settings_pass_whole():
    """As JSON, every field of them."""
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
    """As if one asked."""
    server = serve(persona=echo)
    write_requests(tmp_path, [f"q{at}" for at in range(60)])
    asked = ask(tmp_path, [], backend=spread(server.url, 3), limit=7)
    assert (asked.tally.ending, len(server.bodies)) == (Ending.LIMIT, 7)
    # A million for each token: a request costs one sent and one received.
    purse = Purse(Price(1e6, 1e6), 20.0, 1, Seen(0, 0, 0, 0))
    asked = ask(tmp_path, [], backend=spread(server.url, 3), purse=purse)
    assert asked.tally.ending is Ending.BUDGET
    assert len(server.bodies) == 7 + 10
    assert purse.spent == 20.0


def command(folder, url):
    """Run the command with three processes."""
    files = ["--requests", str(folder / "requests.jsonl"), "--replies", str(folder / "r.jsonl")]
    return subprocess.Popen(
        [
            *(sys.executable, "-c", "from curation.cli.main import main; main()"),
            *("evaluate", "run", "-w", str(folder), *files, "--model", "tiny", "--base-url", url),
            *("--processes", "3", "--concurrency", "9"),
        ],
        env={**os.environ, "PYTHONPATH": str(ROOT), "NO_PROXY": "127.0.0.1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_whatever_ends_the_command_ends_all_and_pays_nothing_twice(
    tmp_path, serve, write_requests, number
):
    """Ctrl-C in order, a kill at once; what stands in the file or the store is not asked again."""
    server = serve(persona=echo)
    server.holds = lambda count: count > 60
    write_requests(tmp_path, [f"q{at}" for at in range(120)])
    run = command(tmp_path, server.url)
    wait_for(lambda: len(server.bodies) >= 61)
    os.killpg(run.pid, number)  # the terminal's Ctrl-C is for the whole group
    if number is signal.SIGINT:
        server.holds = lambda _count: False
    _, said = run.communicate()
    assert run.returncode == (130 if number is signal.SIGINT else -9), said
    wait_for(lambda: not server.connections)  # nobody asks any more
    sent = len(server.bodies)
    server.holds = lambda _count: False
    ended = command(tmp_path, server.url)
    out, said = ended.communicate()
    assert ended.returncode == 0, said
    lost = 0 if number is signal.SIGINT else 2 * 9
    assert len(server.bodies) <= 120 + lost
    assert sent <= 60 + 9 + lost
    asks = Counter(body["messages"][-1]["content"] for body in server.bodies)
    assert len(asks) == 120
    lines = [json.loads(line) for line in (tmp_path / "r.jsonl").read_text().splitlines()]
    assert sorted(line["request_id"] for line in lines) == sorted(f"r{at}" for at in range(120))
    assert "120 requests to tiny" in out
