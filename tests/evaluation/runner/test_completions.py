"""Replies and refusals of servers, read."""

import asyncio
import json
from pathlib import Path

import pytest

from curation.records.messages import own_yaml
from curation.web import Response, Scrubber
from evaluation.replies.reply import Usage
from evaluation.requests import Request
from evaluation.runner.backend import BackendSettings
from evaluation.runner.backends.completions import (
    OpenaiBackend,
    read_completion,
    refused_reply,
    retry_after,
    stem,
)

PLAIN = Scrubber()
TABLE = own_yaml((Path(__file__).parent / "completions.yaml").read_text(encoding="utf-8"))


def read(choice=None, **more):
    """Read a reply with one choice, or with whatever is given."""
    body = {"choices": [choice], **more} if choice is not None else more
    return read_completion(json.dumps(body).encode(), PLAIN)


def refused(status, body=None, **headers):
    return refused_reply(status, body, headers, PLAIN).error


def said(content, reason="stop", **more):
    return {"message": {"role": "assistant", "content": content, **more}, "finish_reason": reason}


def test_a_choice_is_a_reply_with_its_thoughts_or_a_failure():
    """Every row of the table; what was cut off or broken off is named."""
    for row in TABLE["choices"]:
        end = row.get("ends", "stop")
        used = {"prompt_tokens": 12, "completion_tokens": 3}
        message = {"role": "assistant", **row["said"]}
        found = read({"message": message, "finish_reason": end}, usage=used)
        kind = row.get("kind")
        assert (found.text, found.error and found.error.kind.value) == (row["text"], kind), row
        assert found.usage == Usage(12, 3)
        assert (found.reasoning or "") == row.get("thoughts", ""), row
        if found.error is None:
            assert found.finish_reason == row.get("reason", "stop"), row
        else:
            assert found.error.again is row.get("again", False), row


def test_tokens_are_read_where_they_can_be():
    """Those of thoughts are tokens of the reply, also where only the total has them."""
    for used, wanted in TABLE["usage"]:
        expected = Usage(refused=True) if wanted == "refused" else Usage(*wanted)
        assert read(said("A"), usage=used).usage == expected, used


def test_half_of_a_surrogate_pair_is_replaced():
    """A whole pair, written as two escapes, is its sign."""
    raw = b'{"choices": [{"message": {"content": "x\\ud800y\\ud83d\\ude00"}}]}'
    assert read_completion(raw, PLAIN).text == "x\ufffdy\U0001f600"


def test_what_is_no_reply_is_named():
    """Each may be asked again."""
    bodies = [(text.encode(), kind) for text, kind in TABLE["bodies"]]
    for raw, kind in (*bodies, (b"\xff\xfe\xfa", "malformed"), (b"[" * 200_000, "malformed")):
        found = read_completion(raw, PLAIN)
        assert found.text is None
        assert found.error is not None
        error = found.error
        assert (error.kind.value, error.again, error.stops) == (kind, True, False), raw[:80]


def test_an_error_that_came_as_a_reply_is_what_it_names():
    """A refused key is no fault of the server, and what a filter stopped is a reply."""
    for body, kind, status in TABLE["named"]:
        found = read(error=body)
        assert (found.error.kind.value, found.error.status) == (kind, status), body
        assert found.error.again is False
        assert found.text == ("" if kind == "content_filter" else None)


def test_a_status_is_named():
    """And says whether another attempt may help, or no request would pass."""
    for status, body, *wanted in TABLE["statuses"]:
        found = refused(status, body)
        assert [found.kind.value, found.again, found.stops] == wanted, (status, body)
        assert found.status == status
    as_gemini = refused(400, [{"error": {"message": "use a valid role"}}])
    assert "use a valid role" in as_gemini.message


@pytest.mark.parametrize(
    ("message", "param", "code", "hint"),
    [
        (
            *("Use 'max_completion_tokens' instead.", "max_tokens", "unsupported_parameter"),
            "--extra max_completion_tokens=N",
        ),
        ("no 0", "temperature", "unsupported_value", "leave --temperature out"),
    ],
)
def test_a_parameter_that_is_not_taken_stops_the_run(message, param, code, hint):
    """With the option that helps: every request has it."""
    found = refused(400, {"message": message, "param": param, "code": code})
    assert found.stops
    assert hint in found.hint


def test_retry_after_is_seconds():
    """What has passed is no wait, and what is no number is not there."""
    date = "Fri, 01 Jan 2100 00:00:00 GMT"
    told = {"7": 7.0, "0.5": 0.5, "-3": 0.0, "soon": None, "": None, "nan": None, date: None}
    for text, seconds in told.items():
        assert retry_after({"retry-after": text}) == seconds
    assert retry_after({}) is None
    for status in (429, 503):  # None leaves the wait to the runner
        for text, wait in (("4", 4), ("0", None)):
            assert refused(status, **{"retry-after": text}).wait_s == wait


@pytest.mark.parametrize(("wait", "stops"), [("600", False), ("600.5", True)])
def test_a_server_that_asks_for_more_than_ten_minutes_stops_the_run(wait, stops):
    """Up to that it is waited for."""

    async def busy(*_args):
        return Response(429, {"retry-after": wait}, b"")

    backend = OpenaiBackend(BackendSettings("tiny", base_url="http://localhost:9"))
    backend._client.send = busy
    failure = asyncio.run(backend.ask(Request("r", ()))).error
    assert (failure.stops, failure.again) == (stops, not stops)


def test_secrets_are_taken_out():
    """The known one wherever it stands, and what looks like another."""
    scrubber = Scrubber("topsecretvalue")
    text = "key topsecretvalue;\nBearer abcdefgh, sk-proj-12345678 and sk-12*****90 are wrong"
    assert scrubber.clean(text) == (
        "key (key); Bearer (hidden), sk-(hidden) and sk-(hidden) are wrong"
    )
    assert len(scrubber.clean("x" * 5000)) == 303
    assert Scrubber("x").clean("the key of an exam") == "the key of an exam"


def places(*tokens):
    content = [
        {
            "token": token,
            "logprob": next(iter(listed.values()), -9.5),
            "top_logprobs": [{"token": name, "logprob": value} for name, value in listed.items()],
        }
        for token, listed in tokens
    ]
    return {"content": content}


FIRST = {"A": -0.25, " A": -3.0, "B": -4.0, "C": float("-inf")}


@pytest.mark.parametrize(
    ("choice", "found"),
    [
        (said("A") | {"logprobs": places(("A", FIRST), (".", {".": 0.0}))}, True),
        (said(" A") | {"logprobs": places(("\n", {"\n": -0.1}), ("A", FIRST))}, True),
        (
            said("A", reasoning="A or B?")
            | {"logprobs": places(("A or B?", {"x": 0.0}), ("</think>", {}), ("A", FIRST))},
            True,
        ),
        (said("A", reasoning="Hm.") | {"logprobs": places(("A", FIRST))}, True),
        (said("A", reasoning="Hm.") | {"logprobs": places(("Hm.", {"x": 0.0}))}, False),
        (said("A"), False),
        (said("A") | {"logprobs": None}, False),
        (said("A") | {"logprobs": {"content": None}}, False),
        (said("A") | {"logprobs": {"content": []}}, False),
        (said("A") | {"logprobs": {"content": [{"token": 3}]}}, False),
        (said("A") | {"logprobs": {"content": [{"token": "A", "logprob": "high"}]}}, False),
        (said("A") | {"logprobs": [1]}, False),
        (said("<think>A", "length") | {"logprobs": places(("A", FIRST))}, False),
    ],
)
def test_log_probabilities_are_those_of_the_answers_first_token(choice, found):
    """Not of a blank before it, nor of thoughts; what is no such list is not there."""
    wanted = {"A": -0.25, " A": -3.0, "B": -4.0}
    assert read(choice).logprobs == (wanted if found else None)


@pytest.mark.parametrize(
    ("asked", "served", "same"),
    [
        ("gpt-4o", "gpt-4o-2024-08-06", True),
        ("gpt-4-0613", "gpt-4", True),
        ("claude-3-5-haiku-latest", "claude-3-5-haiku-20241022", True),
        ("gemini-1.5-flash", "models/gemini-1.5-flash-001", True),
        ("openai/gpt-4o", "gpt-4o", True),
        ("llama3", "llama3:latest", True),
        ("Qwen/Qwen3-8B", "qwen3-8b", True),
        ("gpt-4o", "gpt-4o-mini", False),
        ("gpt-4", "gpt-4.1", False),
        ("llama-3-8b", "llama-3-70b", False),
        ("qwen-7", "qwen-72", False),
    ],
)
def test_a_date_is_no_other_model(asked, served, same):
    """Nor is the provider's name, or case; whatever else differs is."""
    assert (stem(asked) == stem(served)) is same
