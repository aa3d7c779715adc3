"""Replies between what a backend gives and what the store keeps."""

import json

from evaluation.runner.backend import Failure, FailureKind, Outcome, Usage
from evaluation.runner.reply_file import error_dict
from evaluation.store import Kept


def kept_of(key: bytes, size: int, model: str, outcome: Outcome) -> Kept:
    """Give a reply as the store keeps it.

    Args:
        key: The content of the request.
        size: The request's length in characters.
        model: The model.
        outcome: What came of it: a text.
    """
    assert outcome.text is not None  # noqa: S101  # a fault of ours: failures are not kept
    error = None if outcome.error is None else json.dumps(error_dict(outcome.error))
    used = outcome.usage
    return Kept(
        key=key,
        model=model,
        reply=outcome.text,
        size=size,
        input_tokens=used.input_tokens,
        output_tokens=used.output_tokens,
        latency_s=outcome.latency_s,
        finish_reason=outcome.finish_reason,
        error=error,
    )


def outcome_of(kept: Kept) -> Outcome:
    """Give a reply of the store as it came."""
    error = None
    if kept.error is not None:
        said = json.loads(kept.error)
        error = Failure(FailureKind(said["kind"]), said["message"], said["status"])
    used = Usage(kept.input_tokens, kept.output_tokens)
    return Outcome(kept.reply, used, kept.finish_reason, kept.latency_s, error)
