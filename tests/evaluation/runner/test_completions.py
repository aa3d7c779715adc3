"""Replies and refusals of servers, read."""

import json
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest

from evaluation.runner.backend import FailureKind, Outcome, Usage
from evaluation.runner.backends.completions import Scrubber, read_completion, refusal, retry_after

PLAIN = Scrubber()


def read(choice: Any = None, **more: Any) -> Outcome:
    """Read a reply with one choice, or with whatever is given."""
    body = {"choices": [choice], **more} if choice is not None else more
    return read_completion(json.dumps(body).encode(), PLAIN)


def said(content: Any, reason: Any = "stop", **more: Any) -> dict[str, Any]:
    """Make a choice."""
    return {"message": {"role": "assistant", "content": content, **more}, "finish_reason": reason}


@pytest.mark.parametrize(
    ("choice", "text", "reason"),
    [
        (said("A"), "A", "stop"),
        (said("A", "length"), "A", "length"),
        (said("A", "eos_token"), "A", "stop"),
        (said("A", "MAX_TOKENS"), "A", "length"),
        (said(None, refusal="I will not."), "I will not.", "stop"),
        (said("A", None), "A", None),
        (said([{"type": "thinking", "x": 1}, {"type": "text", "text": "B"}]), "B", "stop"),
        (
            said([{"type": "text", "text": "A."}, {"type": "output_text", "text": "B"}]),
            "A.B",
            "stop",
        ),
    ],
)
def test_a_text_is_read(choice: Any, text: str, reason: str | None) -> None:
    """With the end that the server names, by the protocol's own name."""
    assert read(choice) == Outcome(text, finish_reason=reason)


@pytest.mark.parametrize(
    ("choice", "text", "thoughts"),
    [
        (said("B", reasoning_content="Is it A? No."), "B", "Is it A? No."),
        (said("B", reasoning="Is it A? No."), "B", "Is it A? No."),
        (said("B", reasoning="new", reasoning_content="former"), "B", "former"),
        (said("<think>\nIs it A?\n</think>\n\nB"), "B", "Is it A?"),
        (said("Is it A?</think>\n\nB"), "B", "Is it A?"),
        (said("B<thinking>Or A?</thinking>"), "B\n", "Or A?"),
        (said("I think <b>B</b>"), "I think <b>B</b>", None),
        (said("B", reasoning=None, reasoning_content=""), "B", None),
        (
            said([{"type": "thinking", "thinking": "Hm."}, {"type": "text", "text": "B"}]),
            "B",
            "Hm.",
        ),
        (
            said(
                [
                    {"type": "thinking", "thinking": [{"type": "text", "text": "Hm."}]},
                    {"type": "text", "text": "B"},
                ]
            ),
            "B",
            "Hm.",
        ),
    ],
)
def test_thoughts_are_kept_apart(choice: Any, text: str, thoughts: str | None) -> None:
    """Whatever field or tag the server puts them into; the reply is what is left."""
    found = read(choice)
    assert (found.text, found.reasoning, found.error) == (text, thoughts, None)


@pytest.mark.parametrize(
    ("choice", "thoughts"),
    [
        (said("", "length", reasoning_content="Is it"), "Is it"),
        (said(None, "length", reasoning="Is it"), "Is it"),
        (said("<think>Is it", "length"), "Is it"),
        (said("<think>Is it", "stop"), "Is it"),
        (said("<|channel|>analysis<|message|>Is it", "length"), None),
        (said(None, "length"), None),
        (said("\n\n", "length"), None),
        ({"message": {"role": "assistant"}, "finish_reason": "length"}, None),
    ],
)
def test_a_thought_that_was_cut_off_is_named(choice: Any, thoughts: str | None) -> None:
    """It is no empty answer; the thoughts that there are stay."""
    found = read(choice)
    assert found.text == ""
    assert found.error is not None
    assert (found.error.kind, found.error.again) == (FailureKind.UNFINISHED, False)
    if thoughts is not None:
        assert found.reasoning == thoughts


@pytest.mark.parametrize("content", [None, "", " \n", [{"type": "thinking", "thinking": "Hm."}]])
@pytest.mark.parametrize("reason", ["stop", None])
def test_a_text_without_words_is_no_reply(content: Any, reason: str | None) -> None:
    """It is a failure, with the tokens that it took and the thoughts that hold the words."""
    used = {"prompt_tokens": 12, "completion_tokens": 3}
    found = read(said(content, reason, reasoning="Hm."), usage=used)
    assert (found.text, found.usage, found.reasoning and found.reasoning[:3]) == (
        None,
        Usage(12, 3),
        "Hm.",
    )
    assert found.error is not None
    assert (found.error.kind, found.error.again) == (FailureKind.EMPTY, False)
    assert "words in its thoughts and none in its text" in found.error.message


@pytest.mark.parametrize("content", [None, "", "The answer is"])
@pytest.mark.parametrize(
    ("reason", "kind", "again"),
    [
        ("network_error", FailureKind.SERVER, True),
        ("insufficient_system_resource", FailureKind.SERVER, True),
        ("error", FailureKind.SERVER, True),
        ("tool_calls", FailureKind.ENDED, False),
        ("something_new", FailureKind.ENDED, False),
    ],
)
def test_another_end_is_no_reply(content: Any, reason: str, kind: FailureKind, again: bool) -> None:
    """Whatever text there is; what the server broke off is asked again."""
    found = read(said(content, reason))
    assert (found.text, found.error and (found.error.kind, found.error.again)) == (
        None,
        (kind, again),
    )


def test_an_error_in_a_choice_is_the_servers() -> None:
    """As one in place of the choices is; half a text beside it does not count."""
    found = read({**said("The answer", None), "error": {"code": 502, "message": "gone"}})
    assert (found.text, found.error and found.error.kind) == (None, FailureKind.SERVER)


@pytest.mark.parametrize(
    "used",
    [
        {"prompt_tokens": -3, "completion_tokens": 1},
        {"prompt_tokens": 3, "completion_tokens": -1},
        {"prompt_tokens": "3", "completion_tokens": 1},
        {"prompt_tokens": True, "completion_tokens": 1},
        {"prompt_tokens": 2.5, "completion_tokens": 1},
        {"prompt_tokens": 10**12, "completion_tokens": 1},
        {"prompt_tokens": 3, "completion_tokens": 1, "total_tokens": -4},
        {
            "prompt_tokens": 3,
            "completion_tokens": 1,
            "completion_tokens_details": {"reasoning_tokens": 2},
        },
        [3, 1],
        "4",
    ],
)
def test_tokens_that_cannot_be_are_unknown(used: Any) -> None:
    """All of them, for what else the server counts is no better; and it is marked."""
    assert read(said("A"), usage=used).usage == Usage(refused=True)


@pytest.mark.parametrize(
    ("used", "wanted"),
    [
        (
            {
                "prompt_tokens": 12,
                "completion_tokens": 30,
                "total_tokens": 42,
                "completion_tokens_details": {"reasoning_tokens": 28},
            },
            Usage(12, 30, 28),
        ),
        ({"prompt_tokens": 12, "completion_tokens": 30, "reasoning_tokens": 28}, Usage(12, 30, 28)),
        (
            {
                "prompt_tokens": 12,
                "completion_tokens": 2,
                "total_tokens": 42,
                "completion_tokens_details": {"reasoning_tokens": 28},
            },
            Usage(12, 30, 28),
        ),
        ({"prompt_tokens": 12, "completion_tokens": 2, "total_tokens": 42}, Usage(12, 30)),
        ({"prompt_tokens": 12.0, "completion_tokens": 2.0}, Usage(12, 2)),
        ({"prompt_tokens": 12, "completion_tokens_details": None}, Usage(12)),
    ],
)
def test_tokens_of_thoughts_are_tokens_of_the_reply(used: Any, wanted: Usage) -> None:
    """Also where the server leaves them out of all but the total."""
    assert read(said("A"), usage=used).usage == wanted


def test_tokens_are_read_where_they_are_said() -> None:
    """And are unknown where they are not."""
    used = {"prompt_tokens": 12, "completion_tokens": 3, "total_tokens": 15}
    assert read(said("A"), usage=used).usage == Usage(12, 3)
    assert read(said("A"), usage={"prompt_tokens": 12}).usage == Usage(12, None)
    assert read(said("A"), usage=None).usage == Usage()


def test_a_filter_is_named() -> None:
    """With what came before it stopped."""
    found = read(said("A", "content_filter"))
    assert (found.text, found.error and found.error.kind) == ("A", FailureKind.CONTENT_FILTER)
    empty = read(said(None, "content_filter"))
    assert (empty.text, empty.finish_reason) == ("", "content_filter")


def test_half_of_a_surrogate_pair_is_replaced() -> None:
    """A whole pair, written as two escapes, is its sign."""
    raw = b'{"choices": [{"message": {"content": "x\\ud800y\\ud83d\\ude00"}}]}'
    assert read_completion(raw, PLAIN).text == "x\ufffdy\U0001f600"


@pytest.mark.parametrize(
    ("raw", "kind"),
    [
        (b"", "malformed"),
        (b"\xff\xfe\xfa", "malformed"),
        (b"<html></html>", "malformed"),
        (b'{"choices": [{"mess', "malformed"),
        (b"[]", "malformed"),
        (b"{}", "malformed"),
        (b'{"choices": null}', "malformed"),
        (b'{"choices": {}}', "malformed"),
        (b'{"choices": [null]}', "malformed"),
        (b'{"choices": [{}]}', "malformed"),
        (b'{"choices": [{"message": {"content": 3}}]}', "malformed"),
        (b'{"choices": [{"message": {"content": [{"type": "x", "text": "B"}]}}]}', "malformed"),
        (b'{"choices": [{"message": "A"}]}', "malformed"),
        (b'{"choices": []}', "empty"),
        (b'{"choices": [{"message": {"content": "A"}, "finish_reason": "error"}]}', "server"),
        (b'{"error": {"message": "busy", "code": 429}}', "rate_limit"),
        (b'{"error": {"message": "broken", "code": "x"}}', "server"),
        (b"[" * 200_000, "malformed"),
    ],
)
def test_what_is_no_reply_is_named(raw: bytes, kind: str) -> None:
    """Each may be asked again."""
    found = read_completion(raw, PLAIN)
    assert found.text is None
    assert found.error is not None
    assert (found.error.kind.value, found.error.again, found.error.stops) == (kind, True, False)


@pytest.mark.parametrize(
    ("status", "body", "kind", "again", "stops"),
    [
        (400, {"message": "bad"}, "refused", False, False),
        (422, {"detail": [{"msg": "bad"}]}, "refused", False, False),
        (413, "too large", "refused", False, False),
        (400, {"code": "content_filter", "message": "x"}, "content_filter", False, False),
        (403, {"metadata": {"flagged_input": "x"}}, "content_filter", False, False),
        (401, {"message": "no"}, "key", False, True),
        (403, None, "key", False, True),
        (404, {"message": "no model"}, "not_found", False, True),
        (402, {"message": "pay"}, "quota", False, True),
        (429, {"code": "insufficient_quota", "message": "x"}, "quota", False, True),
        (429, {"message": "slow down"}, "rate_limit", True, False),
        (408, None, "timeout", True, False),
        (409, None, "server", True, False),
        (500, "<html>", "server", True, False),
        (503, {"message": "x"}, "server", True, False),
        (504, None, "timeout", True, False),
        (529, {"error": {"message": "x"}}, "server", True, False),
    ],
)
def test_a_status_is_named(status: int, body: Any, kind: str, again: bool, stops: bool) -> None:
    """And says whether another attempt may help, or no request would pass."""
    found = refusal(status, body, {}, PLAIN)
    assert (found.kind.value, found.status) == (kind, status)
    assert (found.again, found.stops) == (again, stops)


def test_an_error_in_a_list_is_read() -> None:
    """As Gemini sends it."""
    found = refusal(400, [{"error": {"message": "use a valid role"}}], {}, PLAIN)
    assert "use a valid role" in found.message


@pytest.mark.parametrize(
    ("error", "hint"),
    [
        (
            {
                "message": "Use 'max_completion_tokens' instead of 'max_tokens'.",
                "param": "max_tokens",
                "code": "unsupported_parameter",
            },
            "--max-tokens-field max_completion_tokens",
        ),
        (
            {"message": "no 0", "param": "temperature", "code": "unsupported_value"},
            "leave --temperature out",
        ),
    ],
)
def test_a_parameter_that_is_not_taken_stops_the_run(error: dict[str, str], hint: str) -> None:
    """With the option that helps: every request has it."""
    found = refusal(400, error, {}, PLAIN)
    assert found.stops
    assert hint in found.hint


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("7", 7.0), ("0.5", 0.5), ("-3", 0.0), ("soon", None), ("", None), ("nan", None)],
)
def test_retry_after_in_seconds(text: str, seconds: float | None) -> None:
    """Whatever cannot be read is not there."""
    assert retry_after({"retry-after": text}) == seconds
    assert retry_after({}) is None


@pytest.mark.parametrize("form", ["%a, %d %b %Y %H:%M:%S GMT", "%A, %d-%b-%y %H:%M:%S GMT"])
def test_retry_after_as_a_date(form: str) -> None:
    """Counted from now; one that has passed is no wait."""
    then = datetime.now(UTC) + timedelta(seconds=90)
    found = retry_after({"retry-after": then.strftime(form)})
    assert found is not None
    assert 85 < found <= 90
    past = format_datetime(datetime(2020, 1, 1, tzinfo=UTC), usegmt=True)
    assert retry_after({"retry-after": past}) == 0


@pytest.mark.parametrize("status", [429, 503])
def test_the_wait_is_taken_up(status: int) -> None:
    """None leaves it to the runner."""
    assert refusal(status, None, {"retry-after": "4"}, PLAIN).wait_s == 4
    assert refusal(status, None, {"retry-after": "0"}, PLAIN).wait_s is None
    assert refusal(status, None, {}, PLAIN).wait_s is None


def test_secrets_are_taken_out() -> None:
    """The known one wherever it stands, and what looks like another."""
    scrubber = Scrubber("topsecretvalue")
    text = "key topsecretvalue;\nBearer abcdefgh, sk-proj-12345678 and sk-12*****90 are wrong"
    assert scrubber.clean(text) == (
        "key (key); Bearer (hidden), sk-(hidden) and sk-(hidden) are wrong"
    )
    assert len(scrubber.clean("x" * 5000)) == 303


def places(*tokens: tuple[str, dict[str, float]]) -> dict[str, Any]:
    """Make log-probabilities as the protocol has them."""
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
def test_log_probabilities_are_those_of_the_answers_first_token(
    choice: dict[str, Any], found: bool
) -> None:
    """Not of a blank before it, nor of thoughts; what is no such list is not there."""
    wanted = {"A": -0.25, " A": -3.0, "B": -4.0}
    assert read(choice).logprobs == (wanted if found else None)
