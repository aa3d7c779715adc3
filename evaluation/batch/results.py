"""Results of batches, line by line: what came of which custom id."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from curation.io.jsonl import Line, line_problem, parse_line
from curation.io.tables import refuse_absent
from curation.model.findings import Finding
from evaluation.runner.backend import Failure, FailureKind, Outcome, Usage
from evaluation.runner.completions import Scrubber, read_completion, refusal

_SCRUBBER = Scrubber()
_CODES = {"batch_expired": FailureKind.EXPIRED, "batch_cancelled": FailureKind.CANCELED}
_CODES["batch_canceled"] = FailureKind.CANCELED
_TYPES = {
    "invalid_request_error": FailureKind.REFUSED,
    "request_too_large": FailureKind.REFUSED,
    "authentication_error": FailureKind.KEY,
    "permission_error": FailureKind.KEY,
    "billing_error": FailureKind.QUOTA,
    "not_found_error": FailureKind.NOT_FOUND,
    "rate_limit_error": FailureKind.RATE_LIMIT,
    "timeout_error": FailureKind.TIMEOUT,
}
_REASONS = {"end_turn": "stop", "stop_sequence": "stop", "max_tokens": "length"}


@dataclass(frozen=True, slots=True)
class Result:
    """What came of one custom id.

    Attributes:
        line: Of the file, from 1.
        outcome: A reply, or why there is none.
        model: The model as the result names it; None where it does not.
    """

    line: int
    outcome: Outcome
    model: str | None


@dataclass(frozen=True, slots=True)
class Results:
    """The results of a file.

    Attributes:
        path: The file.
        found: By custom id. Of several results of one the first reply counts.
        doubled: How many results were left out for that.
        problems: Lines that hold no result; the last one may be cut off.
    """

    path: Path
    found: Mapping[str, Result]
    doubled: int
    problems: tuple[Finding, ...]


def read_results(path: Path) -> Results:
    """Read a file of results: OpenAI's (also of errors), vLLM's or Anthropic's, in any order.

    Raises:
        CurateError: If there is no such file.
    """
    refuse_absent(path)
    found: dict[str, Result] = {}
    problems: list[Finding] = []
    doubled = 0
    with path.open("rb") as stream:
        for number, data in enumerate(stream, start=1):
            if not data.strip():
                continue
            line = parse_line(str(path), number, data, last=not data.endswith(b"\n"))
            if not isinstance(line, Line):
                problems.append(line)
                continue
            try:
                name, result = line.text("custom_id"), _result(line)
            except ValueError as error:
                problems.append(line_problem(str(path), number, f"it is no result: {error}"))
                continue
            doubled += name in found
            if name not in found or found[name].outcome.text is None:
                found[name] = result
    return Results(path, found, doubled, tuple(problems))


def _result(line: Line) -> Result:
    """Read a result.

    Raises:
        ValueError: If it is none.
    """
    value = line.value
    if "result" in value:
        return _anthropic(line.number, value["result"])
    if "response" not in value and "error" not in value:
        raise ValueError("it has neither 'response' nor 'result' nor 'error'")
    response, error = value.get("response"), value.get("error")
    if response is None:
        return Result(line.number, Outcome(None, error=_openai_error(error)), None)
    if not isinstance(response, dict):
        raise ValueError("its 'response' is no object")
    return _openai(line.number, response, error)


def _openai(number: int, response: Mapping[str, Any], error: object) -> Result:
    """Read a response: a status with a body, or in vLLM's older files the body itself.

    Raises:
        ValueError: If it is neither.
    """
    status, body = 200, response.get("body")
    if "status_code" in response:
        status = response["status_code"]
    elif "choices" in response:
        body = response
    if not isinstance(status, int):
        raise ValueError("its 'status_code' is no number")
    if status != 200:
        # vLLM says why beside the response, OpenAI in its body.
        return Result(number, _failed_status(status, body or error), None)
    outcome = read_completion(json.dumps(body).encode("utf-8"), _SCRUBBER)
    model = body.get("model") if isinstance(body, dict) else None
    return Result(number, outcome, model if isinstance(model, str) else None)


def _failed_status(status: int, body: object) -> Outcome:
    found = refusal(status, body, {}, _SCRUBBER)
    if found.kind is FailureKind.CONTENT_FILTER:
        return Outcome("", finish_reason="content_filter", error=found)
    return Outcome(None, error=found)


def _openai_error(error: object) -> Failure:
    """Say why there is no response."""
    value = error if isinstance(error, dict) else {"message": error}
    kind = _CODES.get(str(value.get("code")), FailureKind.SERVER)
    said = _SCRUBBER.clean(str(value.get("message") or value.get("code") or "no reason given"))
    return Failure(kind, said)


def _anthropic(number: int, result: object) -> Result:
    if not isinstance(result, dict):
        raise ValueError("its 'result' is no object")
    kind = result.get("type")
    if kind == "succeeded":
        return _message(number, result.get("message"))
    if kind == "errored":
        return Result(number, Outcome(None, error=_anthropic_error(result.get("error"))), None)
    for ending in (FailureKind.EXPIRED, FailureKind.CANCELED):
        if kind == ending.value:
            message = f"the batch {_ENDED[ending]} before the request was answered"
            return Result(number, Outcome(None, error=Failure(ending, message)), None)
    raise ValueError(f"its result is of no known type: {kind}")


_ENDED = {FailureKind.EXPIRED: "expired", FailureKind.CANCELED: "was canceled"}


def _anthropic_error(error: object) -> Failure:
    """Say why a request failed; the error may stand in an object that only says 'error'."""
    value: Mapping[str, Any] = error if isinstance(error, dict) else {"message": error}
    if isinstance(value.get("error"), dict):
        value = value["error"]
    kind = _TYPES.get(str(value.get("type")), FailureKind.SERVER)
    said = _SCRUBBER.clean(str(value.get("message") or value.get("type") or "no reason given"))
    return Failure(kind, said)


def _message(number: int, message: object) -> Result:
    """Read a reply: its blocks of text, not those of thoughts.

    Raises:
        ValueError: If it is none.
    """
    try:
        if not isinstance(message, dict):
            raise TypeError
        blocks = message["content"]
        text = "".join(block["text"] for block in blocks if block["type"] == "text")
    except (KeyError, TypeError) as error:
        raise ValueError("its message has no content") from error
    reason = message.get("stop_reason")
    stopped = reason == "refusal"
    outcome = Outcome(
        text.encode("utf-16", "surrogatepass").decode("utf-16", "replace"),
        _usage(message.get("usage")),
        "content_filter" if stopped else _REASONS.get(str(reason), reason),
        error=Failure(FailureKind.CONTENT_FILTER, "the provider stopped the reply")
        if stopped
        else None,
    )
    model = message.get("model")
    return Result(number, outcome, model if isinstance(model, str) else None)


def _usage(usage: object) -> Usage:
    """Count tokens; those that Anthropic read from a cache were sent, too."""
    if not isinstance(usage, dict):
        return Usage()
    names = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
    counts = [usage.get(name) for name in names]
    sent = [count for count in counts if isinstance(count, int)]
    made = usage.get("output_tokens")
    return Usage(sum(sent) if sent else None, made if isinstance(made, int) else None)
