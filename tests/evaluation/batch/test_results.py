"""Results of every provider, read line by line."""

import json

import pytest

from evaluation.batch.reading import read_results
from evaluation.runner.backend import FailureKind, Usage


def read(tmp_path, *objects, end="\n"):
    """Read a file of results."""
    path = tmp_path / "out.jsonl"
    path.write_text("\n".join(map(json.dumps, objects)) + end, encoding="utf-8")
    return read_results(path)


def only(tmp_path, value):
    """Read one result."""
    found = read(tmp_path, {"custom_id": "r1", **value})
    assert not found.problems
    return found.found["r1"]


def message(*blocks, **more):
    """Make a reply of Anthropic's."""
    usage = {"input_tokens": 9, "output_tokens": 2}
    found = {"model": "claude-x", "content": list(blocks), "stop_reason": "end_turn", **more}
    return {"result": {"type": "succeeded", "message": {"usage": usage, **found}}}


def text(words):
    """Make a block of text."""
    return {"type": "text", "text": words}


def test_openais_reply_is_read_with_tokens_and_reason(tmp_path, lines):
    """From the body of its response."""
    found = only(tmp_path, {"response": {"status_code": 200, "body": lines["completion"]("B")}})
    assert found.outcome.text == "B"
    assert found.outcome.usage == Usage(7, 1)
    assert found.outcome.finish_reason == "stop"
    assert found.outcome.error is None
    assert found.model == "m"


def test_an_older_vllm_has_the_completion_in_place_of_the_response(tmp_path, lines):
    """Without status and body."""
    found = only(tmp_path, {"response": lines["completion"]("C"), "error": None})
    assert (found.outcome.text, found.outcome.usage, found.model) == ("C", Usage(7, 1), "m")


@pytest.mark.parametrize(
    ("value", "kind", "said"),
    [
        (
            {"response": {"status_code": 429, "body": {"error": {"message": "slow"}}}},
            FailureKind.RATE_LIMIT,
            "slow",
        ),
        (
            {"response": {"status_code": 400, "body": {"error": {"message": "long"}}}},
            FailureKind.REFUSED,
            "the request is refused (400): long",
        ),
        (
            {"response": {"status_code": 500, "body": None}, "error": {"message": "oom"}},
            FailureKind.SERVER,
            "oom",
        ),
        (
            {"response": None, "error": {"code": "batch_expired", "message": "late"}},
            FailureKind.EXPIRED,
            "late",
        ),
        (
            {"response": None, "error": {"code": "batch_cancelled", "message": "off"}},
            FailureKind.CANCELED,
            "off",
        ),
        ({"response": None, "error": "broken"}, FailureKind.SERVER, "broken"),
        ({"response": None, "error": None}, FailureKind.SERVER, "no reason given"),
        (
            {"response": {"status_code": 200, "body": {"choices": []}}},
            FailureKind.EMPTY,
            "the reply holds no choice",
        ),
        (
            {"response": {"status_code": 200, "body": "oops"}},
            FailureKind.MALFORMED,
            "the reply is not a JSON object",
        ),
    ],
)
def test_openais_failures_are_of_kinds(tmp_path, value, kind, said):
    """From status, body or error, wherever it says so."""
    outcome = only(tmp_path, value).outcome
    assert outcome.text is None
    assert outcome.error.kind is kind
    assert outcome.error.message == said


def test_a_content_filter_leaves_a_reply_that_counts(tmp_path):
    """As a run takes it."""
    body = {"error": {"code": "content_filter", "message": "filtered"}}
    outcome = only(tmp_path, {"response": {"status_code": 400, "body": body}}).outcome
    assert (outcome.text, outcome.finish_reason) == ("", "content_filter")
    assert outcome.error.kind is FailureKind.CONTENT_FILTER


def test_anthropics_reply_is_its_text_without_thoughts(tmp_path):
    """All blocks of text; tokens from a cache were sent, too."""
    thought = {"type": "thinking", "thinking": "It could be B."}
    usage = {"input_tokens": 3, "cache_read_input_tokens": 40, "output_tokens": 5}
    found = only(tmp_path, message(thought, text("A"), text("."), usage=usage))
    assert found.outcome.text == "A."
    assert found.outcome.usage == Usage(43, 5)
    assert found.outcome.finish_reason == "stop"
    assert found.model == "claude-x"


@pytest.mark.parametrize(
    ("reason", "expected"),
    [
        ("end_turn", "stop"),
        ("stop_sequence", "stop"),
        ("max_tokens", "length"),
        (None, None),
    ],
)
def test_anthropics_reasons_are_those_of_other_servers(tmp_path, reason, expected):
    """And so is what they mean: a turn that pauses is no reply."""
    found = only(tmp_path, message(text("A"), stop_reason=reason)).outcome
    assert (found.finish_reason, found.error) == (expected, None)
    paused = only(tmp_path, message(text("A"), stop_reason="pause_turn")).outcome
    assert (paused.text, paused.error.kind) == (None, FailureKind.ENDED)


def test_a_refusal_of_anthropics_filter_counts_as_given(tmp_path):
    """With what was said before."""
    outcome = only(tmp_path, message(text("I"), stop_reason="refusal")).outcome
    assert (outcome.text, outcome.finish_reason) == ("I", "content_filter")
    assert outcome.error.kind is FailureKind.CONTENT_FILTER


@pytest.mark.parametrize(
    ("result", "kind", "said"),
    [
        (
            {"type": "expired"},
            FailureKind.EXPIRED,
            "the batch expired before the request was answered",
        ),
        (
            {"type": "canceled"},
            FailureKind.CANCELED,
            "the batch was canceled before the request was answered",
        ),
        (
            {
                "type": "errored",
                "error": {
                    "type": "error",
                    "error": {"type": "invalid_request_error", "message": "bad role"},
                },
            },
            FailureKind.REFUSED,
            "bad role",
        ),
        (
            {"type": "errored", "error": {"type": "overloaded_error", "message": "busy"}},
            FailureKind.SERVER,
            "busy",
        ),
        (
            {"type": "errored", "error": {"type": "rate_limit_error"}},
            FailureKind.RATE_LIMIT,
            "rate_limit_error",
        ),
    ],
)
def test_anthropics_failures_are_of_kinds(tmp_path, result, kind, said):
    """Errored, expired and canceled."""
    outcome = only(tmp_path, {"result": result}).outcome
    assert outcome.text is None
    assert (outcome.error.kind, outcome.error.message) == (kind, said)


def test_secrets_stay_out_of_messages(tmp_path):
    """A provider may repeat the key."""
    error = {"message": "Incorrect API key provided: sk-abcdef1234567890"}
    outcome = only(tmp_path, {"response": {"status_code": 500, "body": {"error": error}}}).outcome
    assert "abcdef" not in outcome.error.message


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ({"response": {}}, "it has no text 'custom_id'"),
        ({"custom_id": "r1"}, "it has neither 'response' nor 'result' nor 'error'"),
        ({"custom_id": "r1", "response": "x"}, "its 'response' is not an object"),
        (
            {"custom_id": "r1", "response": {"status_code": "x"}},
            "its 'status_code' is not a number",
        ),
        ({"custom_id": "r1", "result": "x"}, "its 'result' is not an object"),
        ({"custom_id": "r1", "result": {"type": "new"}}, "its result is of no known type: new"),
        (
            {"custom_id": "r1", "result": {"type": "succeeded", "message": {}}},
            "its message has no content",
        ),
        (
            {"custom_id": "r1", "result": {"type": "succeeded", "message": {"content": [1]}}},
            "its message has no content",
        ),
    ],
)
def test_a_line_that_is_no_result_is_named(tmp_path, lines, value, said):
    """The others are read."""
    found = read(tmp_path, lines["done"]("r0"), value, lines["done"]("r2"))
    assert list(found.found) == ["r0", "r2"]
    (problem,) = found.problems
    assert problem.row == 2
    assert problem.message == f"it is not a result: {said}"


def test_a_last_line_that_is_cut_off_is_said(tmp_path, lines):
    """As a warning with what to do."""
    path = tmp_path / "out.jsonl"
    path.write_text(json.dumps(lines["done"]("r0")) + "\n" + json.dumps(lines["done"]("r1"))[:60])
    found = read_results(path)
    assert list(found.found) == ["r0"]
    (problem,) = found.problems
    assert problem.rule == "jsonl-torn-line"


def test_of_several_results_the_first_reply_counts(tmp_path, lines):
    """A failure never stands for a reply."""
    made = [
        lines["failed"]("r0"),
        lines["done"]("r0", "A"),
        lines["done"]("r0", "B"),
        lines["failed"]("r0"),
    ]
    found = read(tmp_path, *made)
    assert found.found["r0"].outcome.text == "A"
    assert found.doubled == 3


def test_half_of_a_surrogate_pair_becomes_the_replacement_sign(tmp_path):
    """No file could hold it."""
    assert only(tmp_path, message(text("A\ud83d"))).outcome.text == "A\ufffd"
