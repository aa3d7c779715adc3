"""Faults of servers: each is cut_off by asking again, or named, or stops the run."""

import pytest

from evaluation.runner.run import Ending, Price, Purse
from evaluation.runner.store import EarlierCosts


def echo(body):
    return f"re: {body['messages'][-1]['content']}"


def fails_first(fault):
    seen = set()

    def faults(_number, body):
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
        *("slow", "half_chunks", "no_http"),
    ],
)
def test_what_may_pass_is_asked_again(tmp_path, serve, ask, write_requests, loopback, name):
    """Every request fails once in one way; all have a reply in the end, each exactly one."""
    fault = getattr(loopback, name.upper(), None) or loopback.status(int(name))
    server = serve(persona=echo, faults=fails_first(fault))
    # The longer a machine has for a few requests, the surer it is in time with each.
    count, timeout = (3, 2.0) if name in ("hang", "slow") else (30, 300.0)
    write_requests(tmp_path, [f"q{at}" for at in range(count)])
    asked = ask(tmp_path, server.url, timeout=timeout, concurrency=count)
    assert (asked.tally.answered, asked.tally.left, asked.tally.sent_again) == (count, 0, count)
    assert asked.replies == {f"r{at}": f"re: q{at}" for at in range(count)}
    assert (len(asked.lines), len(server.bodies)) == (count, 2 * count)
    unbilled = ("429", "500", "503", "529", "empty")
    assert asked.tally.maybe_billed == (0 if name in unbilled else count)


@pytest.mark.usefixtures("quick")
def test_a_request_is_sent_again_so_often_and_no_more(
    tmp_path, serve, ask, write_requests, loopback
):
    server = serve(faults=lambda *_: loopback.status(500))
    write_requests(tmp_path, ["q"])
    assert ask(tmp_path, server.url, max_retries=3).tally.sent_again == 3
    assert len(server.bodies) == 4


def test_retry_after_is_heeded(tmp_path, serve, ask, write_requests, loopback):
    """Nothing is sent to the server before the time is over."""
    server = serve(persona=echo, faults={1: loopback.status(429, "1")})
    write_requests(tmp_path, [f"q{at}" for at in range(5)])
    asked = ask(tmp_path, server.url, concurrency=1)
    assert asked.tally.left == 0
    assert server.times[1] - server.times[0] >= 0.99


@pytest.mark.parametrize(
    ("status", "kind", "said"),
    [
        (None, "malformed", "the reply is a stream"),
        (401, "key", "refuses the key"),
        (403, "key", "refuses"),
        (404, "not_found", "no such model"),
        (429, "rate_limit", "asks to wait for 3,600 s"),
    ],
)
def test_what_no_request_would_pass_stops_the_run(
    tmp_path, serve, ask, write_requests, loopback, status, kind, said
):
    """At once, and not the key alone is kept out of what is said."""
    secret = "sk-abcdef-123456"  # noqa: S105  # no key of anybody's
    told = {"message": f"Incorrect API key provided: {secret}"}
    fault = loopback.status(status, "3600", **told) if status else loopback.HALF_STREAM
    server = serve(faults=lambda *_: fault)
    write_requests(tmp_path, [f"q{at}" for at in range(500)])
    asked = ask(tmp_path, server.url, concurrency=8)
    assert asked.tally.ending is Ending.STOPPED
    assert (asked.tally.problem.kind.value, asked.tally.problem.status) == (kind, status)
    assert said in asked.tally.problem.message
    assert len(server.bodies) <= 8
    assert asked.tally.untried >= 492
    assert secret not in (tmp_path / "replies.jsonl").read_text(encoding="utf-8")
    assert "abcdef" not in asked.tally.problem.message


def test_the_key_is_sent_and_never_written(
    tmp_path, serve, ask, write_requests, loopback, monkeypatch
):
    """Neither into the file nor into the store, though the server says it, as its reply too."""
    monkeypatch.setenv("OPENAI_API_KEY", loopback.KEY)
    echoed = loopback.status(400, message=f"bad request by {loopback.KEY}")
    server = serve(key=loopback.KEY, faults={2: echoed}, persona=lambda _body: f"B {loopback.KEY}")
    write_requests(tmp_path, ["q0", "q1", "q2"])
    asked = ask(tmp_path, server.url, concurrency=1)
    assert asked.replies["r0"] == "B (key)"
    assert server.keys == {f"Bearer {loopback.KEY}"}
    assert (asked.tally.answered, asked.tally.failed.total()) == (2, 1)
    for path in tmp_path.iterdir():
        assert loopback.KEY.encode() not in path.read_bytes()


def test_many_alike_stop_the_run(tmp_path, serve, ask, write_requests, loopback):
    """Twenty in a row; a reply between them begins the count anew."""
    write_requests(tmp_path, [f"q{at}" for at in range(300)])
    server = serve(faults=lambda *_: loopback.status(400, message="temperature: too hot"))
    asked = ask(tmp_path, server.url, concurrency=2)
    assert asked.tally.ending is Ending.STOPPED
    assert asked.tally.problem.message.startswith("20 requests in a row failed in the same way")
    assert "too hot" in asked.tally.problem.message
    assert 20 <= len(server.bodies) <= 21
    mixed = serve(faults=lambda number, _: None if number % 15 == 0 else loopback.status(400))
    asked = ask(tmp_path, mixed.url, concurrency=1, replies="mixed.jsonl", store="m.sqlite")
    assert (asked.tally.ending, asked.tally.answered) == (Ending.DONE, 20)
    assert asked.tally.failed.total() == 280


@pytest.mark.parametrize("way", ["choice", "status"])
def test_a_content_filter_is_an_answer(tmp_path, serve, ask, write_requests, loopback, way):
    """It would stop the same request again: it counts as given, by its kind, and is not asked."""
    filtered = (
        loopback.FILTERED
        if way == "choice"
        else loopback.status(400, code="content_filter", message="flagged")
    )
    server = serve(faults=lambda *_: filtered)
    write_requests(tmp_path, [f"q{at}" for at in range(50)])
    asked = ask(tmp_path, server.url)
    assert (asked.tally.ending, asked.tally.left) == (Ending.DONE, 0)
    assert asked.tally.content_filter == 50
    line = asked.lines[0]
    assert (line["reply"], line["finish_reason"]) == ("", "content_filter")
    assert line["error"]["kind"] == "content_filter"
    (tmp_path / "replies.jsonl").unlink()
    stored = ask(tmp_path, server.url)
    assert stored.tally.from_store == 50
    assert stored.lines[0]["error"]["kind"] == "content_filter"
    assert len(server.bodies) == 50


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize(("every", "fault"), [(1, "CUT"), (2, "CUT"), (2, "MALFORMED")])
def test_a_budget_holds_where_attempts_may_have_been_billed(
    tmp_path, serve, ask, write_requests, loopback, every, fault
):
    """A reply that was lost on its way may be paid for, so that it counts as a whole one."""
    server = serve(
        usage=lambda *_: {"prompt_tokens": 0, "completion_tokens": 10},
        faults=lambda number, _: None if number % every else getattr(loopback, fault),
    )
    write_requests(tmp_path, [f"q{at}" for at in range(100)])
    purse = Purse(Price(0, 100_000), 10.0, 10, EarlierCosts())  # a reply is 1
    asked = ask(tmp_path, server.url, purse=purse, concurrency=1)
    assert (asked.tally.ending, len(server.bodies), purse.spent) == (Ending.BUDGET, 10, 10.0)
    assert asked.tally.maybe_billed == 10 // every
