"""Runs: everything is asked once, in bounds, and kept."""

import asyncio
import os
import signal
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from types import SimpleNamespace

import pytest
from layouts import write_jsonl

from curation.files.workspace import Workspace
from curation.records.messages import CurateError
from evaluation.cluster import run_parts
from evaluation.replies.files import load_replies
from evaluation.replies.reply import Failure
from evaluation.requests import Shard, in_epochs, messages_hash
from evaluation.runner.asking import Ran, RunPlan, _store, plan_run, run
from evaluation.runner.backend import BackendSettings
from evaluation.runner.backends.completions import OpenaiBackend
from evaluation.runner.index import reply_key
from evaluation.runner.run import Ending, Price, Purse, RunCounts, _Watch
from evaluation.runner.store import EarlierCosts


def echo(body):
    return f"re: {body['messages'][-1]['content']}"


def test_every_request_gets_its_own_reply(tmp_path, serve, ask, write_requests):
    """With what the server says of it, under the key of what was sent; readable by the reader."""
    server = serve(persona=echo)
    texts = [f"질문 {at}" for at in range(300)]
    write_requests(tmp_path, texts)
    asked = ask(tmp_path, server.url, parameters={"temperature": 0, "seed": 3})
    assert (asked.tally.answered, asked.tally.left) == (300, 0)
    assert asked.replies == {f"r{at}": f"re: {text}" for at, text in enumerate(texts)}
    line = next(line for line in asked.lines if line["request_id"] == "r7")
    messages = [{"role": "user", "content": "질문 7"}]
    sent = {"model": "tiny", "messages": messages, "temperature": 0, "seed": 3}
    assert line["latency_s"] > 0
    assert {name: value for name, value in line.items() if name != "latency_s"} == {
        "request_id": "r7",
        "model": "tiny",
        "reply": "re: 질문 7",
        "key": reply_key(sent).hex(),
        "messages_hash": f"{messages_hash(messages):016x}",
        "usage": {"input_tokens": 1, "output_tokens": 2},
        "finish_reason": "stop",
        "error": None,
    }
    assert sent in server.bodies
    assert len(load_replies([tmp_path / "replies.jsonl"]).frame) == 300


def test_thoughts_are_kept_apart_and_come_from_the_store_as_they_came(
    tmp_path, serve, ask, write_requests, loopback
):
    """With their tokens; one that was cut off is said at once, kept, and read as such."""

    def think(reply):
        number = int(reply["id"].rsplit("-", 1)[-1])
        choice = reply["choices"][0]
        ended = "stop" if number == 1 else "length"
        message = {"content": "B" if number == 1 else None, "reasoning_content": "Hm."}
        used = {
            "prompt_tokens": 9,
            "completion_tokens": 8,
            "completion_tokens_details": {"reasoning_tokens": 7},
        }
        choice = {**choice, "message": message, "finish_reason": ended}
        return {**reply, "choices": [choice], "usage": used}

    server = serve(faults=lambda *_: loopback.Fault(change=think))
    write_requests(tmp_path, ["one", "two"])
    first = ask(tmp_path, server.url, concurrency=1)
    assert (first.tally.answered, first.tally.left, first.tally.cut_in_thoughts) == (2, 0, 1)
    assert (first.tally.output_tokens, first.tally.reasoning_tokens) == (16, 14)
    assert first.said == [
        "a reply ended within the model's thoughts: no choice can be read of it; allow more with "
        "--max-tokens, or turn thoughts off"
    ]
    again = ask(tmp_path, server.url, replies="again.jsonl")
    assert (again.tally.from_store, len(server.bodies)) == (2, 2)
    for line, same in zip(first.lines, again.lines, strict=True):
        assert line == same
        assert (line["reasoning"], line["usage"]["reasoning_tokens"]) == ("Hm.", 7)
    assert [line["reply"] for line in first.lines] == ["B", ""]
    assert first.lines[1]["error"]["kind"] == "unfinished"
    assert load_replies([tmp_path / "replies.jsonl"]).frame["reply"].tolist() == ["B", "<think>"]


def test_no_more_are_asked_at_once_than_is_said(tmp_path, serve, ask, write_requests):
    server = serve()
    # Each seven are replied to when all of them are there; the last five, at once.
    server.holds = lambda number: len(server.bodies) < min(-(-number // 7) * 7, 40)
    write_requests(tmp_path, [f"q{at}" for at in range(40)])
    ask(tmp_path, server.url, concurrency=7)
    assert (len(server.bodies), server.most_at_once) == (40, 7)


def test_a_second_run_asks_nothing(tmp_path, serve, ask, write_requests):
    """Whether it knows the replies from the file or from the store; neither is doubled."""
    server = serve(persona=echo)
    write_requests(tmp_path, [f"q{at}" for at in range(90)])
    first = ask(tmp_path, server.url)
    (tmp_path / "replies.jsonl").unlink()
    stored = ask(tmp_path, server.url)
    assert (stored.tally.before, stored.tally.from_store, stored.tally.answered) == (0, 90, 0)
    again = ask(tmp_path, server.url)
    assert (again.tally.before, again.tally.answered, len(again.lines)) == (90, 0, 90)
    by_id = [sorted(run.lines, key=lambda line: line["request_id"]) for run in (first, stored)]
    assert [{**line, "latency_s": 0} for line in by_id[0]] == [
        {**line, "latency_s": 0} for line in by_id[1]
    ]
    assert len(server.bodies) == 90


def test_equal_requests_are_paid_once(tmp_path, serve, ask, write_requests):
    """Requests that say the same share a reply, also while it is on its way."""
    server = serve(persona=echo, latency=0.05)
    write_requests(tmp_path, ["same", "other", "same", "same"] * 60)
    asked = ask(tmp_path, server.url, concurrency=8)
    assert asked.tally.left == 0
    assert len(asked.lines) == 240
    assert {(line["request_id"], line["reply"]) for line in asked.lines} == {
        (f"r{at}", "re: other" if at % 4 == 1 else "re: same") for at in range(240)
    }
    assert len(server.bodies) == 2


def test_two_runs_that_ask_the_same_are_not_paid_twice(tmp_path, serve, write_requests):
    """One with another file of replies is refused while the first one asks; other parts are not."""
    write_requests(tmp_path, ["one", "two"])
    refused = []

    def asked(body):
        for shard in (None, Shard(1, 2)) if not refused else ():
            refused.append("")
            second = replace(wanted, replies=tmp_path / f"{shard is None}.jsonl", shard=shard)
            with suppress(CurateError), _store(second, backend) as store:
                refused[-1] = store.path.name
        return echo(body)

    server = serve(persona=asked)
    wanted = RunPlan(
        workspace=Workspace(tmp_path),
        requests=tmp_path / "requests.jsonl",
        replies=tmp_path / "replies.jsonl",
        store=tmp_path / "store.sqlite",
        backend="openai",
        settings=BackendSettings("tiny", {}, 1, server.url),
    )
    backend = OpenaiBackend(wanted.settings)
    assert run(wanted).tally.answered == 2
    assert refused == ["", "store.sqlite"]
    with _store(wanted, backend) as store:
        assert store.path.name == "store.sqlite"


def test_above_temperature_0_every_request_has_a_reply_of_its_own(
    tmp_path, serve, ask, write_requests
):
    """Requests that say the same are all asked, once each; the store gives each its own again."""
    drawn = {"temperature": 1, "seed": 7}
    replies = iter(range(1000))
    server = serve(persona=lambda _body: f"draw {next(replies)}")
    write_requests(tmp_path, ["same", "other", "same", "same"] * 15)
    asked = ask(tmp_path, server.url, concurrency=8, parameters=drawn)
    assert (asked.tally.left, asked.tally.from_store, len(server.bodies)) == (0, 0, 60)
    assert len({line["reply"] for line in asked.lines}) == 60
    assert {body["seed"] for body in server.bodies} == {7}
    assert ask(tmp_path, server.url, parameters=drawn).tally.before == 60
    moved = ask(tmp_path, server.url, parameters=drawn, replies="b.jsonl")
    assert (moved.tally.from_store, len(server.bodies)) == (60, 60)
    assert moved.replies == asked.replies


def test_an_epoch_is_asked_again_at_any_temperature(tmp_path, serve, ask):
    """The first one as it always was; what was paid before there were epochs is not paid again."""
    server = serve(persona=echo)
    path = tmp_path / "requests.jsonl"

    def make():
        message = {"role": "user", "content": "q"}
        return [{"request_id": name, "messages": [message]} for name in ("a", "b")]

    write_jsonl(path, in_epochs(make, 1))
    ask(tmp_path, server.url, parameters={"temperature": 0, "seed": 3})
    assert len(server.bodies) == 1  # at temperature 0 what says the same is asked once
    write_jsonl(path, in_epochs(make, 3))
    asked = ask(tmp_path, server.url, parameters={"temperature": 0, "seed": 3})
    assert sorted(asked.replies) == ["a", "a-e2", "a-e3", "b", "b-e2", "b-e3"]
    assert [body["seed"] for body in server.bodies] == [3, 4, 5]
    assert asked.tally.before == 2


def test_a_run_in_a_notebook_ends_with_its_cell(tmp_path, serve, ask, write_requests):
    """Its loop is under way, so that the run has another one; what was answered is kept."""
    interrupted = []

    def holds(number):
        if number == 3 and not interrupted:
            interrupted.append(number)
            os.kill(os.getpid(), signal.SIGINT)
        return number == 3

    async def cell():
        return ask(tmp_path, server.url, concurrency=1)

    server = serve(persona=echo, holds=holds)
    write_requests(tmp_path, [f"q{at}" for at in range(5)])
    loop = asyncio.new_event_loop()
    with pytest.raises(KeyboardInterrupt):
        loop.run_until_complete(cell())
    asked = loop.run_until_complete(cell())
    loop.close()
    assert (asked.tally.before, asked.tally.left, len(server.bodies)) == (2, 0, 6)


def test_a_limit_is_kept(tmp_path, serve, ask, write_requests):
    """Exactly so many are asked, and the next run asks others."""
    server = serve(persona=echo)
    write_requests(tmp_path, [f"q{at}" for at in range(100)])
    asked = ask(tmp_path, server.url, limit=30)
    assert (asked.tally.answered, asked.tally.left, asked.tally.ending) == (30, 70, Ending.LIMIT)
    asked = ask(tmp_path, server.url, limit=30)
    assert (asked.tally.before, asked.tally.answered, asked.tally.left) == (30, 30, 40)
    assert len(server.bodies) == 60
    asked = ask(tmp_path, server.url, limit=40)
    assert (asked.tally.left, asked.tally.ending) == (0, Ending.DONE)


def test_a_budget_is_not_exceeded(tmp_path, serve, ask, write_requests):
    """What is under way is counted as if it took the most."""
    used = {"prompt_tokens": 10, "completion_tokens": 5}
    server = serve(usage=lambda *_: used)
    write_requests(tmp_path, ["x" * 36 + f"{at:03d}" for at in range(100)])
    price = Price(1_000_000, 2_000_000, "EUR")  # 1 and 2 for one token: 20 a request
    purse = Purse(price, 410.0, 5, EarlierCosts())
    asked = ask(tmp_path, server.url, purse=purse)
    assert asked.tally.ending is Ending.BUDGET
    assert asked.purse.spent == 20 * asked.tally.answered
    assert asked.tally.answered == 20
    assert (asked.tally.input_tokens, asked.tally.output_tokens) == (200, 100)


@pytest.mark.parametrize(
    ("more", "asked"),
    [({"budget": 11.0, "own_price": Price(1_000_000, 0)}, 8), ({"limit": 5}, 5), ({}, 10)],
)
def test_parts_share_what_may_be_spent_and_asked(tmp_path, serve, write_requests, more, asked):
    """Of four parts each may spend a quarter; of many parts some have no request."""
    server = serve(usage=lambda *_: {"prompt_tokens": 1, "completion_tokens": 1})
    path = write_requests(tmp_path, [f"q{at}" for at in range(10)])
    here = SimpleNamespace(
        map=lambda call, *lists, **_: [
            SimpleNamespace(status="finished", value=call(*given))
            for given in zip(*lists, strict=True)
        ],
        gather=lambda futures, **_: [future.value for future in futures],
    )
    settings = BackendSettings("tiny", {}, 1, server.url)
    plan = plan_run(Workspace(tmp_path), "openai", settings, requests=path, **more)
    run_parts(plan, 4 if more else 40, here)
    assert len(server.bodies) == asked


def test_a_budget_without_a_price_is_refused(tmp_path):
    """Nothing would be counted."""
    plan = plan_run(Workspace(tmp_path), "openai", BackendSettings("tiny"), budget=1.0)
    with pytest.raises(CurateError, match="a budget needs the price of 'tiny'"):
        run(plan)


def test_the_first_reason_to_stop_is_told_unless_somebody_interrupts():
    """What comes after it is its consequence."""
    tally = RunCounts()
    watch = _Watch(None, tally)
    told = []
    for ending in (Ending.STOPPED, Ending.BUDGET, Ending.INTERRUPTED):
        watch.stop(ending)
        told.append(tally.ending)
    assert told == [Ending.STOPPED, Ending.STOPPED, Ending.INTERRUPTED]


def test_what_is_left_is_told_with_its_reason():
    """An example of what failed most often; where nothing failed, how many were not tried."""
    failed = {"examples": {"server": ("q7", Failure("server", "it is down"))}}
    untried = RunCounts(requests=3, answered=1, ending=Ending.STOPPED)
    tried = RunCounts(requests=3, answered=2, failed=Counter(server=1), **failed)
    first, second = (Ran(None, "m", tally=tally).error() for tally in (untried, tried))
    assert (first.what, first.where) == ("2 of 3 requests left without a reply: 2 not tried", "")
    assert second.where == "q7: server: it is down"
