"""Batch files of each kind: what a request looks like in one, and a new one at every limit."""

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import IO

from curation.files.jsonl import one_line
from curation.records.errors import CurateError
from evaluation.requests import Request, drawn_parameters

_URL = "/v1/chat/completions"
_PLAIN_ID = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_SYSTEM = ("system", "developer")
_NOT_ANTHROPIC = {
    "seed": "Anthropic's protocol has none",
    "stop": "Anthropic calls it stop_sequences",
    "logprobs": "Anthropic's protocol has none",
    "top_logprobs": "Anthropic's protocol has none",
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
    """Which model is asked, and how: the same for every request of a folder of batches.

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

    @property
    def draws(self) -> bool:
        """Whether replies are drawn; a provider that is told no temperature takes one above 0."""
        return self.parameters.get("temperature") != 0

    def __post_init__(self) -> None:
        if self.format is not Format.ANTHROPIC:
            return
        for name, why in _NOT_ANTHROPIC.items():
            if name in self.parameters:
                raise CurateError(f"'{name}' cannot be asked for: {why}", "", "leave it out")
        if "max_tokens" not in self.parameters:
            hint = "give --max-tokens"
            raise CurateError("Anthropic needs the maximum number of tokens of a reply", "", hint)


def custom_id(format_: Format, request_id: str, number: int = 1) -> str:
    """What a batch file calls a request.

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
        order: Which model is asked, and how.
        name: The custom id.
        request: The request.

    Raises:
        ValueError: If the format cannot say such messages.
    """
    messages = [dict(message) for message in request.messages]
    parameters = drawn_parameters(order.parameters, request)
    if order.format is Format.OPENAI:
        body = {"model": order.model, "messages": messages, **parameters}
        return {"custom_id": name, "method": "POST", "url": _URL, "body": body}
    system, others = _divided(messages)
    params: dict[str, object] = {"model": order.model, **parameters}
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
        raise ValueError(f"Anthropic does not accept a '{strange}' message at that place")
    if not others:
        raise ValueError("there is no message besides the system's")
    return "\n\n".join(message["content"] for message in messages[:count]), others


_ROLES = ("user", "assistant")


# Made once: json.dumps would make one for each request.
_ENCODE = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode


@dataclass(frozen=True, slots=True)
class BatchFile:
    """A batch file.

    Attributes:
        name: Its name.
        requests: How many it holds.
        size: Bytes.
        sha256: Of its content.
    """

    name: str
    requests: int
    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class _Frame:
    """What stands before, between and after the items of a file."""

    head: bytes
    joint: bytes
    tail: bytes


_FRAMES = {
    Format.OPENAI: _Frame(b"", b"\n", b"\n"),
    Format.ANTHROPIC: _Frame(b'{"requests":[\n', b",\n", b"\n]}\n"),
}


class Parts:
    """Writes items into files of a folder.

    Args:
        folder: Where the files go.
        format_: Their kind.
        limits: The most that one may hold.

    Attributes:
        files: Those that are complete; all of them once the block has ended.
    """

    def __init__(self, folder: Path, format_: Format, limits: Limits) -> None:
        self._folder = folder
        self._format = format_
        self._frame = _FRAMES[format_]
        self._limits = limits
        self._stream: IO[bytes] | None = None
        self._count = self._size = 0
        self._hash = hashlib.sha256()
        self.files: list[BatchFile] = []

    def __enter__(self) -> "Parts":
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            self._end()
        elif self._stream is not None:
            self._stream.close()

    def add(self, item: Mapping[str, object]) -> int:
        """Write an item; gives the number of its file, from 1.

        Raises:
            CurateError: If it is larger than a file may be.
        """
        data = one_line(_ENCODE(item)).encode()
        frame = self._frame
        if len(frame.head) + len(data) + len(frame.tail) > self._limits.size:
            raise CurateError(
                f"the request '{item['custom_id']}' alone is larger than a batch file may be "
                f"({len(data):,} bytes)",
                hint="allow larger files with --max-mb",
            )
        grown = self._size + len(frame.joint) + len(data) + len(frame.tail)
        if self._count == self._limits.requests or grown > self._limits.size:
            self._end()
        if self._stream is None:
            self._stream = (self._folder / self._name()).open("wb")
            self._write(frame.head)
        else:
            self._write(frame.joint)
        self._write(data)
        self._count += 1
        return len(self.files) + 1

    def _name(self) -> str:
        return f"{self._format.value}-{len(self.files) + 1:03d}.{self._format.ending}"

    def _write(self, data: bytes) -> None:
        assert self._stream is not None  # noqa: S101  # a fault of ours
        self._stream.write(data)
        self._hash.update(data)
        self._size += len(data)

    def _end(self) -> None:
        """Complete the file that is being written, if there is one."""
        if self._stream is None:
            return
        self._write(self._frame.tail)
        self._stream.close()
        digest = self._hash.hexdigest()
        self.files.append(BatchFile(self._name(), self._count, self._size, digest))
        self._stream = None
        self._count = self._size = 0
        self._hash = hashlib.sha256()
