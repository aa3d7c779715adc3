"""Runs: everything is asked once, in bounds, and each fault is mended or named."""

import sqlite3
import time
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from curation.io.replies import read_replies
from curation.model.errors import CurateError
from evaluation.runner.prices import Price, Purse
from evaluation.runner.tally import Ending
from evaluation.store import Seen, Store, reply_key

Ask = Callable[..., Any]
Serve = Callable[..., Any]
Write = Callable[..., Path]


def echo(body: dict[str, Any]) -> str:
    """Reply with what was asked."""
    return f"re: {body['messages'][-1]['content']}"


def test_every_request_gets_its_own_reply(
    tmp_path: Path, serve: Serve, ask: Ask, write_requests: Write
) -> None:
    """With what the server says of it, under the key of what was sent; readable by the reader."""
    server = serve(persona=echo)
    texts = [f"질문 {at}" for at in range(300)]
    write_requests(tmp_path, texts)
    asked = ask(tmp_path, [server.url], parameters={"temperature": 0, "seed": 3})
    assert (asked.tally.answered, asked.tally.left) == (300, 0)
    assert asked.replies == {f"r{at}": f"re: {text}" for at, text in enumerate(texts)}
    line = next(line for line in asked.lines if line["request_id"] == "r7")
    messages = [{"role": "user", "content": "질문 7"}]
    assert line["latency_s"] > 0
    assert {name: value for name, value in line.items() if name != "latency_s"} == {
        "request_id": "r7",
        "model": "tiny",
        "reply": "re: 질문 7",
        "key": reply_key("tiny", {"seed": 3, "temperature": 0}, messages).hex(),
        "usage": {"input_tokens": 1, "output_tokens": 2},
        "finish_reason": "stop",
        "error": None,
    }
    sent = next(body for body in server.bodies if body["messages"] == messages)
    assert sent == {"model": "tiny", "messages": messages, "temperature": 0, "seed": 3}
    assert len(read_replies([tmp_path / "replies.jsonl"]).replies) == 300


def test_no_more_are_asked_at_once_than_is_said(
    tmp_path: Path, serve: Serve, ask: Ask, write_requests: Write
) -> None:
    """And as many as are said."""
    server = serve(latency=0.05)
    write_requests(tmp_path, [f"q{at}" for at in range(40)])
    ask(tmp_path, [server.url], concurrency=7)
    assert server.most_at_once == 7


def test_a_second_run_asks_nothing(
    tmp_path: Path, serve: Serve, ask: Ask, write_requests: Write
) -> None:
    """Whether it knows the replies from the file or from the store; neither is doubled."""
    server = serve(persona=echo)
    write_requests(tmp_path, [f"q{at}" for at in range(90)])
    first = ask(tmp_path, [server.url])
    (tmp_path / "replies.jsonl").unlink()
    stored = ask(tmp_path, [server.url])
    assert (stored.tally.before, stored.tally.from_store, stored.tally.answered) == (0, 90, 0)
    again = ask(tmp_path, [server.url])
    assert (again.tally.before, again.tally.answered, len(again.lines)) == (90, 0, 90)
    by_id = [sorted(run.lines, key=lambda line: line["request_id"]) for run in (first, stored)]
    assert [{**line, "latency_s": 0} for line in by_id[0]] == [
        {**line, "latency_s": 0} for line in by_id[1]
    ]
    assert len(server.bodies) == 90


def test_the_store_may_be_deleted(
    tmp_path: Path, serve: Serve, ask: Ask, write_requests: Write
) -> None:
    """The file of replies fills it again."""
    server = serve(persona=echo)
    write_requests(tmp_path, ["q0", "q1", "q2"])
    ask(tmp_path, [server.url])
    for path in tmp_path.glob("store.sqlite*"):
        path.unlink()
    again = ask(tmp_path, [server.url])
    assert (again.tally.before, len(server.bodies)) == (3, 3)
    with sqlite3.connect(tmp_path / "store.sqlite") as store:
        rows = store.execute("SELECT reply FROM replies ORDER BY reply").fetchall()
    store.close()
    assert rows == [("re: q0",), ("re: q1",), ("re: q2",)]


def test_equal_requests_are_paid_once(
    tmp_path: Path, serve: Serve, ask: Ask, write_requests: Write
) -> None:
    """Requests that say the same share a reply, also while it is on its way."""
    server = serve(persona=echo, latency=0.05)
    write_requests(tmp_path, ["same", "other", "same", "same"] * 60)
    asked = ask(tmp_path, [server.url], concurrency=8)
    assert asked.tally.left == 0
    assert len(asked.lines) == 240
    assert {(line["request_id"], line["reply"]) for line in asked.lines} == {
        (f"r{at}", "re: other" if at % 4 == 1 else "re: same") for at in range(240)
    }
    assert len(server.bodies) == 2


def test_another_model_or_parameter_is_asked_anew(
    tmp_path: Path, serve: Serve, ask: Ask, write_requests: Write
) -> None:
    """The server's address is no part of the key: the same model elsewhere is not paid again."""
    one, two = serve(persona=echo), serve(persona=echo)
    write_requests(tmp_path, ["q0", "q1"])
    ask(tmp_path, [one.url])
    ask(tmp_path, [one.url], model="other", replies="b.jsonl")
    ask(tmp_path, [one.url], parameters={"temperature": 1}, replies="c.jsonl")
    assert len(one.bodies) == 6
    moved = ask(tmp_path, [two.url], replies="d.jsonl")
    assert (moved.tally.from_store, len(two.bodies)) == (2, 0)


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
    "name", ["429", "500", "503", "529", "408", "malformed", "page", "empty", "drop", "cut", "hang"]
)
def test_what_may_pass_is_asked_again(
    tmp_path: Path, serve: Serve, ask: Ask, write_requests: Write, loopback: ModuleType, name: str
) -> None:
    """Every request fails once in one way; all have a reply in the end, each exactly one."""
    fault = {
        "malformed": loopback.MALFORMED,
        "page": loopback.PAGE,
        "empty": loopback.EMPTY,
        "drop": loopback.DROP,
        "cut": loopback.CUT,
        "hang": loopback.HANG,
    }.get(name) or loopback.status(int(name))
    server = serve(persona=echo, faults=fails_first(fault))
    write_requests(tmp_path, [f"q{at}" for at in range(30)])
    asked = ask(tmp_path, [server.url], timeout=0.5 if name == "hang" else 5.0, concurrency=30)
    assert (asked.tally.answered, asked.tally.left, asked.tally.retries) == (30, 0, 30)
    assert sorted(line["reply"] for line in asked.lines) == sorted(f"re: q{at}" for at in range(30))
    assert len(server.bodies) == 60
    unsure = {"drop": 30, "cut": 30, "hang": 30, "408": 30}
    assert asked.tally.unsure == unsure.get(name, 0)


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
    options = {"timeout": 0.3 if name == "hang" else 5.0, "max_retries": 1}
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
    tmp_path: Path, serve: Serve, ask: Ask, write_requests: Write, loopback: ModuleType, form: str
) -> None:
    """Nothing is sent to the server before the time is over."""

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
    assert server.times[5] - server.times[1] < 0.9


def test_retry_after_holds_for_every_request(
    tmp_path: Path, serve: Serve, ask: Ask, write_requests: Write, loopback: ModuleType
) -> None:
    """Those that the server has not refused wait, too."""
    server = serve(persona=echo, latency=0.05, faults={1: loopback.status(429, "1")})
    write_requests(tmp_path, [f"q{at}" for at in range(12)])
    asked = ask(tmp_path, [server.url], concurrency=2)
    assert asked.tally.left == 0
    assert server.times[1] - server.times[0] < 0.9
    assert server.times[3] - server.times[0] >= 0.99


def test_what_is_not_written_yet_is_bounded(
    tmp_path: Path,
    serve: Serve,
    ask: Ask,
    write_requests: Write,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A kill can cost twice the concurrency and no more, however slow the disk is."""
    server = serve(persona=echo)
    write_requests(tmp_path, [f"q{at}" for at in range(60)])
    open_: list[int] = []
    written = 0
    put = Store.put

    def slow(self: Store, replies: Any, let_go: Any = ()) -> None:
        nonlocal written
        time.sleep(0.2)
        open_.append(len(server.bodies) - written)
        rows = list(replies)
        put(self, rows, let_go)
        written += len(rows)

    monkeypatch.setattr(Store, "put", slow)
    asked = ask(tmp_path, [server.url], concurrency=4)
    assert asked.tally.left == 0
    assert max(open_) == 8


def test_a_server_that_wants_an_hour_stops_the_run(
    tmp_path: Path, serve: Serve, ask: Ask, write_requests: Write, loopback: ModuleType
) -> None:
    """It is not asked before, and nobody waits so long without being told."""
    server = serve(faults=lambda *_: loopback.status(429, "3600"))
    write_requests(tmp_path, [f"q{at}" for at in range(50)])
    start = time.monotonic()
    asked = ask(tmp_path, [server.url])
    assert time.monotonic() - start < 5
    assert asked.tally.ending is Ending.STOPPED
    assert asked.tally.problem is not None
    assert "left alone for 3,600 s" in asked.tally.problem.message
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
    assert asked.tally.problem.message.startswith("20 requests in a row failed alike")
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
    """Evenly, where they are equally fast; none twice."""
    servers = [serve(persona=echo, latency=0.02) for _ in range(3)]
    write_requests(tmp_path, [f"q{at}" for at in range(90)])
    asked = ask(tmp_path, [server.url for server in servers], concurrency=9)
    assert asked.tally.left == 0
    counts = [len(server.bodies) for server in servers]
    assert sum(counts) == 90
    assert min(counts) >= 20


def test_a_server_that_is_down_is_set_aside(
    tmp_path: Path, serve: Serve, ask: Ask, write_requests: Write
) -> None:
    """The others do its work, and no request is lost for it."""
    server = serve(persona=echo, latency=0.01)
    write_requests(tmp_path, [f"q{at}" for at in range(60)])
    start = time.monotonic()
    asked = ask(tmp_path, ["http://127.0.0.1:9/v1", server.url], max_retries=0)
    assert (asked.tally.answered, asked.tally.left, len(server.bodies)) == (60, 0, 60)
    assert time.monotonic() - start < 10


def test_a_server_that_is_never_there_stops_the_run(
    tmp_path: Path, ask: Ask, write_requests: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With its address, and nothing is counted as sent."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setattr("evaluation.runner.openai_backend.FIRST_PATIENCE_S", 0.5)
    write_requests(tmp_path, ["q0", "q1"])
    asked = ask(tmp_path, ["http://127.0.0.1:9/v1"], max_retries=0)
    assert asked.tally.ending is Ending.STOPPED
    assert asked.tally.problem is not None
    assert "no server can be reached" in asked.tally.problem.message
    assert "http://127.0.0.1:9/v1" in asked.tally.problem.message
    assert (asked.tally.left, asked.tally.retries, asked.tally.unsure) == (2, 0, 0)


def test_a_limit_is_kept(tmp_path: Path, serve: Serve, ask: Ask, write_requests: Write) -> None:
    """Exactly so many are asked, and the next run asks others."""
    server = serve(persona=echo)
    write_requests(tmp_path, [f"q{at}" for at in range(100)])
    asked = ask(tmp_path, [server.url], limit=30)
    assert (asked.tally.answered, asked.tally.left, asked.tally.ending) == (30, 70, Ending.LIMIT)
    asked = ask(tmp_path, [server.url], limit=30)
    assert (asked.tally.before, asked.tally.answered, asked.tally.left) == (30, 30, 40)
    assert len(server.bodies) == 60
    asked = ask(tmp_path, [server.url], limit=40)
    assert (asked.tally.left, asked.tally.ending) == (0, Ending.DONE)


def test_a_budget_is_not_exceeded(
    tmp_path: Path, serve: Serve, ask: Ask, write_requests: Write
) -> None:
    """What is under way is counted as if it took the most."""
    used = {"prompt_tokens": 10, "completion_tokens": 5}
    server = serve(usage=lambda *_: used)
    write_requests(tmp_path, ["x" * 36 + f"{at:03d}" for at in range(100)])
    price = Price(1_000_000, 2_000_000, "EUR")  # 1 and 2 for one token: 20 a request
    purse = Purse(price, 410.0, 5, Seen(0, 0, 0, 0))
    asked = ask(tmp_path, [server.url], purse=purse)
    assert asked.tally.ending is Ending.BUDGET
    assert asked.purse.spent == 20 * asked.tally.answered
    assert asked.tally.answered == 20
    assert (asked.tally.input_tokens, asked.tally.output_tokens) == (200, 100)


def test_replies_without_a_count_of_tokens_are_counted(
    tmp_path: Path, serve: Serve, ask: Ask, write_requests: Write
) -> None:
    """And their cost is what was foreseen."""
    server = serve(usage=lambda *_: None)
    write_requests(tmp_path, ["x" * 36])
    purse = Purse(Price(1_000_000, 2_000_000), None, 5, Seen(0, 0, 0, 0))
    asked = ask(tmp_path, [server.url], purse=purse)
    assert asked.lines[0]["usage"] == {"input_tokens": None, "output_tokens": None}
    assert (asked.tally.unmetered, asked.purse.spent) == (1, 10 + 10)


def test_a_file_that_is_no_store_is_refused(
    tmp_path: Path, ask: Ask, write_requests: Write
) -> None:
    """And left as it is."""
    write_requests(tmp_path, ["q0"])
    (tmp_path / "store.sqlite").write_bytes(b"no database at all" * 99)
    with pytest.raises(CurateError, match="the store of replies cannot be used"):
        ask(tmp_path, ["http://127.0.0.1:9/v1"])
    assert (tmp_path / "store.sqlite").read_bytes() == b"no database at all" * 99


def test_odd_texts_survive(tmp_path: Path, serve: Serve, ask: Ask, write_requests: Write) -> None:
    """Line separators and NUL, on both ways, and through the store."""
    odd = "a\u2028b\x85c\x00d\n\te"
    server = serve(persona=lambda body: odd + body["messages"][-1]["content"])
    write_requests(tmp_path, [odd])
    ask(tmp_path, [server.url])
    (tmp_path / "replies.jsonl").unlink()
    asked = ask(tmp_path, [server.url])
    assert asked.replies == {"r0": odd + odd}
    assert len((tmp_path / "replies.jsonl").read_text(encoding="utf-8").splitlines()) == 1
