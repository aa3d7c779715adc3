"""Faults of servers: each is cut_off by asking again, or named, or stops the run."""

import time
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from evaluation.replies.files import read_replies
from evaluation.runner.backends.openai import Endpoints
from evaluation.runner.tally import Ending

Ask = Callable[..., Any]
Serve = Callable[..., Any]
Write = Callable[..., Path]


def echo(body: dict[str, Any]) -> str:
    """Reply with what was asked."""
    return f"re: {body['messages'][-1]['content']}"


def fails_first(fault: Any) -> Callable[[int, Any], Any]:
    """Fail every request the first time it comes."""
    seen: set[str] = set()

    def faults(_number: int, body: Any) -> Any:
        text = body["messages"][-1]["content"]
        if text in seen:
            return None
        seen.add(text)
        return fault

    return faults


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize(
    "name",
    [
        *("429", "500", "503", "529", "408", "malformed", "page", "empty", "drop", "cut", "hang"),
        *("slow", "half_chunks", "half_stream", "no_http"),
    ],
)
def test_what_may_pass_is_asked_again(
    tmp_path: Path, serve: Serve, ask: Ask, write_requests: Write, loopback: ModuleType, name: str
) -> None:
    """Every request fails once in one way; all have a reply in the end, each exactly one."""
    fault = getattr(loopback, name.upper(), None) or loopback.status(int(name))
    server = serve(persona=echo, faults=fails_first(fault))
    # The longer a machine has for a few requests, the surer it is in time with each.
    count, timeout = (3, 2.0) if name in ("hang", "slow") else (30, 300.0)
    write_requests(tmp_path, [f"q{at}" for at in range(count)])
    asked = ask(tmp_path, [server.url], timeout=timeout, concurrency=count)
    assert (asked.tally.answered, asked.tally.left, asked.tally.retries) == (count, 0, count)
    assert asked.replies == {f"r{at}": f"re: q{at}" for at in range(count)}
    assert (len(asked.lines), len(server.bodies)) == (count, 2 * count)
    unsure = ("drop", "cut", "hang", "408", "slow", "half_chunks")
    assert asked.tally.unsure == (count if name in unsure else 0)


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize(
    ("name", "kind", "status"),
    [
        ("429", "rate_limit", 429),
        ("500", "server", 500),
        ("503", "server", 503),
        ("504", "timeout", 504),
        ("malformed", "malformed", None),
        ("empty", "empty", None),
        ("drop", "cut", None),
        ("cut", "cut", None),
        ("hang", "timeout", None),
        ("slow", "timeout", None),
        ("half_chunks", "cut", None),
        ("half_stream", "malformed", None),
        ("page", "malformed", None),
        ("no_http", "malformed", None),
        ("400", "refused", 400),
        ("413", "refused", 413),
    ],
)
def test_what_does_not_pass_is_named(
    tmp_path: Path,
    serve: Serve,
    ask: Ask,
    write_requests: Write,
    loopback: ModuleType,
    name: str,
    kind: str,
    status: int | None,
) -> None:
    """One request fails for good, by its kind; the others have their reply; a later run asks it."""
    fault = getattr(loopback, name.upper(), None) or loopback.status(int(name))

    def faults(_number: int, body: Any) -> Any:
        return fault if body["messages"][-1]["content"] == "q3" else None

    server = serve(persona=echo, faults=faults)
    write_requests(tmp_path, [f"q{at}" for at in range(6)])
    options = {"timeout": 2.0 if name in ("hang", "slow") else 20.0, "max_retries": 1}
    asked = ask(tmp_path, [server.url], **options)
    assert (asked.tally.answered, asked.tally.left, asked.tally.ending) == (5, 1, Ending.DONE)
    assert {item.value: count for item, count in asked.tally.failed.items()} == {kind: 1}
    failed = next(line for line in asked.lines if line["request_id"] == "r3")
    assert failed["reply"] is None
    assert (failed["error"]["kind"], failed["error"]["status"]) == (kind, status)
    asks = Counter(body["messages"][-1]["content"] for body in server.bodies)
    assert asks["q3"] == (1 if kind == "refused" else 2)
    server.faults = {}
    again = ask(tmp_path, [server.url], **options)
    assert (again.tally.before, again.tally.answered, again.tally.left) == (5, 1, 0)
    assert again.replies["r3"] == "re: q3"
    assert len(read_replies([tmp_path / "replies.jsonl"]).replies) == 6


@pytest.mark.parametrize("form", ["seconds", "date"])
def test_retry_after_is_heeded(
    tmp_path: Path,
    serve: Serve,
    ask: Ask,
    write_requests: Write,
    loopback: ModuleType,
    monkeypatch: pytest.MonkeyPatch,
    form: str,
) -> None:
    """Nothing is sent to the server before the time is over, and nothing waits after it."""
    wait, waited = Endpoints.wait, []

    def noted(self: Endpoints[Any]) -> float:
        waited.append(time.monotonic())
        return wait(self)

    monkeypatch.setattr(Endpoints, "wait", noted)

    def faults(number: int, _body: Any) -> Any:
        if number > 1:
            return None
        then = datetime.now(UTC) + timedelta(seconds=2)
        text = "1" if form == "seconds" else format_datetime(then, usegmt=True)
        return loopback.status(429, text)

    server = serve(persona=echo, faults=faults)
    write_requests(tmp_path, [f"q{at}" for at in range(5)])
    asked = ask(tmp_path, [server.url], concurrency=1)
    assert asked.tally.left == 0
    # A date has whole seconds: of two seconds one at least is left.
    assert server.times[1] - server.times[0] >= 0.99
    assert waited
    assert max(waited) < server.times[1]


def test_retry_after_holds_for_every_request(
    tmp_path: Path,
    serve: Serve,
    ask: Ask,
    write_requests: Write,
    loopback: ModuleType,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Those that the server has not refused wait, too."""
    rest, rested = Endpoints.rest, []

    def noted(self: Endpoints[Any], server: Any, seconds: float) -> None:
        rest(self, server, seconds)
        rested.append(seconds)

    monkeypatch.setattr(Endpoints, "rest", noted)
    server = serve(persona=echo, faults={1: loopback.status(429, "1")})
    # Two are under way when one is refused; the other one is replied to after that.
    server.holds = lambda number: not rested if number == 2 else len(server.bodies) < 2
    write_requests(tmp_path, [f"q{at}" for at in range(12)])
    asked = ask(tmp_path, [server.url], concurrency=2)
    assert (asked.tally.left, rested) == (0, [1.0])
    assert server.times[2] - server.times[0] >= 0.99


def test_a_server_that_wants_an_hour_stops_the_run(
    tmp_path: Path, serve: Serve, ask: Ask, write_requests: Write, loopback: ModuleType
) -> None:
    """It is not asked before, and nobody waits so long without being told."""
    server = serve(faults=lambda *_: loopback.status(429, "3600"))
    write_requests(tmp_path, [f"q{at}" for at in range(50)])
    asked = ask(tmp_path, [server.url])
    assert asked.tally.ending is Ending.STOPPED
    assert asked.tally.problem is not None
    assert "the server asks to wait for 3,600 s" in asked.tally.problem.message
    assert len(server.bodies) <= 4
    assert asked.tally.left == 50


@pytest.mark.parametrize(
    ("status", "kind", "said"),
    [(401, "key", "refuses the key"), (403, "key", "refuses"), (404, "not_found", "no such model")],
)
def test_what_no_request_would_pass_stops_the_run(
    tmp_path: Path,
    serve: Serve,
    ask: Ask,
    write_requests: Write,
    loopback: ModuleType,
    status: int,
    kind: str,
    said: str,
) -> None:
    """At once, and not the key alone is kept out of what is said."""
    secret = "sk-abcdef-123456"  # noqa: S105  # no key of anybody's
    fault = loopback.status(status, message=f"Incorrect API key provided: {secret}")
    server = serve(faults=lambda *_: fault)
    write_requests(tmp_path, [f"q{at}" for at in range(500)])
    asked = ask(tmp_path, [server.url], concurrency=8)
    assert asked.tally.ending is Ending.STOPPED
    assert asked.tally.problem is not None
    assert (asked.tally.problem.kind.value, asked.tally.problem.status) == (kind, status)
    assert said in asked.tally.problem.message
    assert len(server.bodies) <= 8
    assert asked.tally.untried >= 492
    assert secret not in (tmp_path / "replies.jsonl").read_text(encoding="utf-8")
    assert "abcdef" not in asked.tally.problem.message


def test_the_key_is_sent_and_never_written(
    tmp_path: Path,
    serve: Serve,
    ask: Ask,
    write_requests: Write,
    loopback: ModuleType,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Neither into the file nor into the store, though the server says it."""
    monkeypatch.setenv("OPENAI_API_KEY", loopback.KEY)
    echoed = loopback.status(400, message=f"bad request by {loopback.KEY}")
    server = serve(key=loopback.KEY, faults={2: echoed})
    write_requests(tmp_path, ["q0", "q1", "q2"])
    asked = ask(tmp_path, [server.url], concurrency=1)
    assert server.keys == {f"Bearer {loopback.KEY}"}
    assert (asked.tally.answered, asked.tally.failed.total()) == (2, 1)
    for path in tmp_path.iterdir():
        assert loopback.KEY.encode() not in path.read_bytes()


def test_many_alike_stop_the_run(
    tmp_path: Path, serve: Serve, ask: Ask, write_requests: Write, loopback: ModuleType
) -> None:
    """Twenty in a row; a reply between them begins the count anew."""
    write_requests(tmp_path, [f"q{at}" for at in range(300)])
    server = serve(faults=lambda *_: loopback.status(400, message="temperature: too hot"))
    asked = ask(tmp_path, [server.url], concurrency=2)
    assert asked.tally.ending is Ending.STOPPED
    assert asked.tally.problem is not None
    assert asked.tally.problem.message.startswith("20 requests in a row failed in the same way")
    assert "too hot" in asked.tally.problem.message
    assert 20 <= len(server.bodies) <= 21
    mixed = serve(faults=lambda number, _: None if number % 15 == 0 else loopback.status(400))
    asked = ask(tmp_path, [mixed.url], concurrency=1, replies="mixed.jsonl", store="m.sqlite")
    assert (asked.tally.ending, asked.tally.answered) == (Ending.DONE, 20)
    assert asked.tally.failed.total() == 280


@pytest.mark.parametrize("way", ["choice", "status"])
def test_a_content_filter_is_an_answer(
    tmp_path: Path, serve: Serve, ask: Ask, write_requests: Write, loopback: ModuleType, way: str
) -> None:
    """It would stop the same request again: it counts as given, by its kind, and is not asked."""
    filtered = (
        loopback.FILTERED
        if way == "choice"
        else loopback.status(400, code="content_filter", message="flagged")
    )
    server = serve(faults=lambda *_: filtered)
    write_requests(tmp_path, [f"q{at}" for at in range(50)])
    asked = ask(tmp_path, [server.url])
    assert (asked.tally.ending, asked.tally.left) == (Ending.DONE, 0)
    assert asked.tally.filtered == 50
    line = asked.lines[0]
    assert (line["reply"], line["finish_reason"]) == ("", "content_filter")
    assert line["error"]["kind"] == "content_filter"
    (tmp_path / "replies.jsonl").unlink()
    stored = ask(tmp_path, [server.url])
    assert stored.tally.from_store == 50
    assert stored.lines[0]["error"]["kind"] == "content_filter"
    assert len(server.bodies) == 50


def test_servers_share_the_work(
    tmp_path: Path, serve: Serve, ask: Ask, write_requests: Write
) -> None:
    """The least busy one is asked next, so that equally fast ones have equally much; none twice."""
    servers = [serve(persona=echo) for _ in range(3)]
    for server in servers:
        # Each nine are replied to when all of them are there: equally fast on every machine.
        server.holds = lambda number: any(
            len(item.bodies) < -(-number // 3) * 3 for item in servers
        )
    write_requests(tmp_path, [f"q{at}" for at in range(90)])
    asked = ask(tmp_path, [server.url for server in servers], concurrency=9)
    assert asked.tally.left == 0
    assert [len(server.bodies) for server in servers] == [30, 30, 30]


def test_a_server_that_is_down_is_set_aside(
    tmp_path: Path, serve: Serve, ask: Ask, write_requests: Write
) -> None:
    """The others do its work, and no request is lost for it."""
    server = serve(persona=echo, latency=0.01)
    write_requests(tmp_path, [f"q{at}" for at in range(60)])
    asked = ask(tmp_path, ["http://127.0.0.1:9/v1", server.url], max_retries=0)
    assert (asked.tally.answered, asked.tally.left, len(server.bodies)) == (60, 0, 60)


@pytest.mark.slow
def test_a_server_that_is_never_there_stops_the_run(
    tmp_path: Path, ask: Ask, write_requests: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With its address, and nothing is counted as sent."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setattr("evaluation.runner.backends.openai.FIRST_PATIENCE_S", 0.5)
    write_requests(tmp_path, ["q0", "q1"])
    asked = ask(tmp_path, ["http://127.0.0.1:9/v1"], max_retries=0)
    assert asked.tally.ending is Ending.STOPPED
    assert asked.tally.problem is not None
    assert "no server can be reached" in asked.tally.problem.message
    assert "http://127.0.0.1:9/v1" in asked.tally.problem.message
    assert (asked.tally.left, asked.tally.retries, asked.tally.unsure) == (2, 0, 0)
