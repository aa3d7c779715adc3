"""`requests.jsonl`: what models are asked, one request a line, read and written as a stream."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from curation.io.jsonl import Line, text_list, write_objects
from curation.io.tables import refuse_absent
from curation.model.errors import CurateError

REQUESTS = "requests.jsonl"
"""The requests' usual name."""
_HINT = "write the requests again with the command that made them"


@dataclass(frozen=True, slots=True)
class Request:
    """One request, whatever it is about.

    Attributes:
        request_id: What its reply is known by.
        messages: What the model is sent, each with `role` and `content`.
        choices: The choices in the order in which they are shown; empty for a free reply.
    """

    request_id: str
    messages: tuple[Mapping[str, str], ...]
    choices: tuple[str, ...] = ()


def write_requests(path: Path, requests: Iterable[Mapping[str, object]]) -> int:
    """Write requests in place of `path`; returns how many.

    Raises:
        CurateError: If the file cannot be written.
    """
    return write_objects(path, requests)


def read_requests(path: Path) -> Iterator[Request]:
    """Yield the requests of a file, holding one at a time.

    Raises:
        CurateError: If a line is no request. An id that stands twice is for the caller to
            refuse, who knows how many there are.
    """
    for line in read_lines(path):
        yield checked_request(path, line)


def checked_request(path: Path, line: Line) -> Request:
    """Read a request as `request_of` does.

    Raises:
        CurateError: If the line is no request.
    """
    try:
        return request_of(line)
    except ValueError as error:
        where = f"{path}, line {line.number}"
        raise CurateError(f"the line is no request: {error}", where, _HINT) from error


def read_lines(path: Path) -> Iterator[Line]:
    """Yield the objects of a file of requests with their line numbers.

    Raises:
        CurateError: If there is no such file, or a line holds no JSON object.
    """
    refuse_absent(path)
    with path.open("rb") as stream:
        for number, data in enumerate(stream, start=1):
            if not data.strip():
                continue
            yield parse_line(path, number, data)


def parse_line(path: Path, number: int, data: bytes) -> Line:
    """Read one line of a file of requests.

    Raises:
        CurateError: If it holds no JSON object.
    """
    where = f"{path}, line {number}"
    try:
        value: Any = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise CurateError("the line is no JSON in UTF-8", where, _HINT) from error
    if not isinstance(value, dict):
        raise CurateError("the line is no JSON object", where, _HINT)
    return Line(number, value)


def request_of(line: Line) -> Request:
    """Read a request.

    Raises:
        ValueError: If it has no id or nothing to ask.
    """
    messages = line.value.get("messages")
    if not isinstance(messages, list) or not messages:
        raise ValueError("it has no 'messages'")
    for item in messages:
        if not isinstance(item, dict) or not all(
            isinstance(item.get(key), str) for key in ("role", "content")
        ):
            raise ValueError("a message is no object with 'role' and 'content'")
    choices = text_list(line.value.get("choices", []))
    return Request(line.text("request_id"), tuple(messages), tuple(choices))
