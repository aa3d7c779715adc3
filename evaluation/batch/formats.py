"""What a request looks like in a batch file of each kind."""

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from curation.model.errors import CurateError
from evaluation.requests import Request

_URL = "/v1/chat/completions"
_PLAIN_ID = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_SYSTEM = ("system", "developer")
_NOT_ANTHROPIC = {
    "seed": "Anthropic's protocol has none",
    "stop": "Anthropic calls it stop_sequences",
}


class Format(StrEnum):
    """Whose batch file it is. `openai` is also read by vLLM's `run-batch`."""

    OPENAI = "openai"
    ANTHROPIC = "anthropic"

    @property
    def ending(self) -> str:
        """What names of files of this kind end in."""
        return "jsonl" if self is Format.OPENAI else "json"


@dataclass(frozen=True, slots=True)
class Limits:
    """The most that one batch file may hold.

    Attributes:
        requests: Requests.
        size: Bytes.
    """

    requests: int
    size: int


LIMITS = {
    Format.OPENAI: Limits(50_000, 200_000_000),
    Format.ANTHROPIC: Limits(100_000, 256_000_000),
}
"""What the providers take; a megabyte is taken for the smaller one, a million bytes."""


@dataclass(frozen=True, slots=True)
class Order:
    """What is asked of whom: the same for every request of a folder of batches.

    Attributes:
        format: The kind of file.
        model: The model.
        parameters: Every other parameter, as `curate evaluate run` sends it; replies are kept
            under the same key, whichever way they came.

    Raises:
        CurateError: If the provider could not take such a request.
    """

    format: Format
    model: str
    parameters: Mapping[str, object]

    def __post_init__(self) -> None:
        if self.format is not Format.ANTHROPIC:
            return
        for name, why in _NOT_ANTHROPIC.items():
            if name in self.parameters:
                raise CurateError(f"'{name}' cannot be asked for: {why}", "", "leave it out")
        if "max_tokens" not in self.parameters:
            hint = "give --max-tokens"
            raise CurateError("Anthropic wants to know the most tokens of a reply", "", hint)


def custom_id(format_: Format, request_id: str, number: int = 1) -> str:
    """Give what a batch file calls a request.

    That is the request's id, in a later round with the round's number behind it, so that late
    results of an earlier round are known as such; where Anthropic does not take that (64 letters,
    digits, `_` and `-` at most), a hash of it, always the same.

    Args:
        format_: The format of the batch file.
        request_id: The request.
        number: The round, from 1.
    """
    name = request_id if number == 1 else f"{request_id}-r{number}"
    if format_ is Format.OPENAI or _PLAIN_ID.fullmatch(name):
        return name
    return f"h-{hashlib.sha256(name.encode()).hexdigest()[:40]}"


def batch_item(order: Order, name: str, request: Request) -> dict[str, object]:
    """Write a request as an item of a batch file.

    Args:
        order: What is asked of whom.
        name: The custom id.
        request: The request.

    Raises:
        ValueError: If the format cannot say such messages.
    """
    messages = [dict(message) for message in request.messages]
    if order.format is Format.OPENAI:
        body = {"model": order.model, "messages": messages, **order.parameters}
        return {"custom_id": name, "method": "POST", "url": _URL, "body": body}
    system, others = _divided(messages)
    params: dict[str, object] = {"model": order.model, **order.parameters}
    if system:
        params["system"] = system
    return {"custom_id": name, "params": {**params, "messages": others}}


def _divided(messages: Sequence[dict[str, str]]) -> tuple[str, list[dict[str, str]]]:
    """Take the system's words, which Anthropic has beside the messages, from their beginning."""
    count = 0
    while count < len(messages) and messages[count]["role"] in _SYSTEM:
        count += 1
    others = list(messages[count:])
    strange = next((item["role"] for item in others if item["role"] not in _ROLES), None)
    if strange is not None:
        raise ValueError(f"Anthropic takes no '{strange}' message at that place")
    if not others:
        raise ValueError("there is no message besides the system's")
    return "\n\n".join(message["content"] for message in messages[:count]), others


_ROLES = ("user", "assistant")
