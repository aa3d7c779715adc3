"""Several processes that ask for one run: one budget, one file, one store, and nothing twice."""

import json
import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from waiting import wait_for

from evaluation.runner.backend import BackendSettings, Failure, FailureKind, Outcome, Usage
from evaluation.runner.costs import Price, Purse
from evaluation.runner.spread import Spread, _outcome, _settings, _settings_dict, _written
from evaluation.runner.store import Seen
from evaluation.runner.tally import Ending

ROOT = Path(__file__).parents[3]
Ask = Callable[..., Any]
Serve = Callable[..., Any]
Write = Callable[..., Path]
pytestmark = pytest.mark.slow


def echo(body: dict[str, Any]) -> str:
    """Reply with what was asked."""
    return f"re: {body['messages'][-1]['content']}"


def spread(url: str, count: int = 2, **parameters: object) -> Spread:
    """Processes that ask one server."""
    settings = BackendSettings("tiny", parameters, 8, (url,), timeout_s=20.0)
    return Spread("openai", settings, count)


def children() -> list[int]:
    """The processes that this one has started and that ask."""
    found = subprocess.run(
        ["ps", "-o", "pid=,args=", "--ppid", str(os.getpid())],  # noqa: S607
        capture_output=True,
        text=True,
        check=False,
    )
    lines = [line.split(None, 1) for line in found.stdout.splitlines()]
    return [int(pid) for pid, args in lines if "evaluation.runner.spread" in args]


@pytest.mark.parametrize(
    "outcome",
    [
        Outcome("A"),
        Outcome("", Usage(3, 1, 1), "stop", 0.25, None, "so \u2028", "m-2", {"A": -0.1}),
        Outcome(None, error=Failure(FailureKind.SERVER, "no", 500, True, 1.5, False, True, "h")),
    ],
)
def test_outcomes_pass_whole(outcome: Outcome) -> None:
    """As JSON, every field of them."""
    assert _outcome(json.loads(json.dumps(_written(outcome)))) == outcome


def test_settings_pass_whole() -> None:
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


def test_all_of_them_ask_and_one_file_has_all(
    tmp_path: Path, serve: Serve, ask: Ask, write_requests: Write
) -> None:
    """Each request once; a second run has nothing to ask; nobody is left behind."""
    server = serve(persona=echo)
    # Nothing is replied to before each process has a connection.
    server.holds = lambda _number: len(server.connections) < 4
    write_requests(tmp_path, [f"q{at}" for at in range(200)])
    asked = ask(tmp_path, [], backend=spread(server.url, 2), concurrency=8)
    assert (asked.tally.answered, asked.tally.left) == (200, 0)
    assert asked.replies == {f"r{at}": f"re: q{at}" for at in range(200)}
    assert len(asked.lines) == len(server.bodies) == 200
    assert server.most_at_once <= 8
    again = ask(tmp_path, [], backend=spread(server.url, 2))
    assert (again.tally.before, len(server.bodies)) == (200, 200)
    assert children() == []


def test_limit_and_budget_hold_for_all_together(
    tmp_path: Path, serve: Serve, ask: Ask, write_requests: Write
) -> None:
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


def test_one_that_is_killed_loses_no_reply(
    tmp_path: Path, serve: Serve, ask: Ask, write_requests: Write
) -> None:
    """What it had under way is asked by the other; what was answered is not."""
    server = serve(persona=echo)
    killed: list[int] = []

    def holds(number: int) -> bool:
        if number == 41 and not killed:
            found = children()
            killed.extend(found)
            os.kill(found[0], signal.SIGKILL)
        return False

    server.holds = holds
    write_requests(tmp_path, [f"q{at}" for at in range(200)])
    asked = ask(tmp_path, [], backend=spread(server.url, 2), concurrency=8)
    assert len(killed) == 2
    assert (asked.tally.answered, asked.tally.left) == (200, 0)
    assert asked.replies == {f"r{at}": f"re: q{at}" for at in range(200)}
    assert len(server.bodies) <= 200 + 8
    assert asked.tally.retries == asked.tally.unsure <= 8


def test_without_any_the_run_stops(
    tmp_path: Path, serve: Serve, ask: Ask, write_requests: Write
) -> None:
    """And says how they ended; what was answered is kept."""
    server = serve(persona=echo)

    def holds(number: int) -> bool:
        if number >= 41:
            for pid in children():
                os.kill(pid, signal.SIGKILL)
        return number >= 41

    server.holds = holds
    write_requests(tmp_path, [f"q{at}" for at in range(200)])
    asked = ask(tmp_path, [], backend=spread(server.url, 2), concurrency=8)
    assert asked.tally.ending is Ending.STOPPED
    assert "every process that asks has ended: status -9" in asked.tally.problem.message
    assert asked.tally.answered == len([line for line in asked.lines if line["reply"]])
    held = {line["reply"].removeprefix("re: ") for line in asked.lines if line["reply"]}
    server.holds = lambda _number: False
    again = ask(tmp_path, [], backend=spread(server.url, 2), concurrency=8)
    assert again.tally.left == 0
    asks = Counter(body["messages"][-1]["content"] for body in server.bodies)
    assert {asks[text] for text in held} == {1}


def test_a_key_that_is_missing_is_said_before_anything_starts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Once, as without processes."""
    from curation.records.errors import CurateError

    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    with pytest.raises(CurateError, match="OPENAI_API_KEY is not set"):
        Spread("openai", BackendSettings("tiny"), 2)


def test_models_in_this_process_stay_there() -> None:
    """Each process would load one."""
    from curation.records.errors import CurateError

    with pytest.raises(CurateError, match="the backend 'uniform' works in one process"):
        Spread("uniform", BackendSettings("uniform"), 2)


def command(folder: Path, url: str) -> subprocess.Popen[str]:
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
    tmp_path: Path, serve: Serve, write_requests: Write, number: signal.Signals
) -> None:
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
