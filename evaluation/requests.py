"""`requests.jsonl`: what models are asked, one request a line, read and written as a stream.

Beside requests: the orders of their choices, the labels that choices are shown with, and parts of
a set of requests.
"""

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import count
from pathlib import Path

from curation.files import jsonl
from curation.files.jsonl import Line, text_list
from curation.files.tables import refuse_absent
from curation.records.letters import choice_letters
from curation.records.messages import CurateError

THEN_ASKED = " (then asked)"
"""Put behind a model's name in replies that are answers to a second turn: another measurement."""
REQUESTS = "requests.jsonl"
"""The requests' usual name."""
_HINT = "write the requests again with the command that made them"
BOM = b"\xef\xbb\xbf"
"""What some programs write before UTF-8."""


@dataclass(frozen=True, slots=True)
class Request:
    """One request, whatever it is about.

    Attributes:
        request_id: What its reply is known by.
        messages: What the model is sent, each with `role` and `content`.
        choices: The choices in the order in which they are shown; empty for a free reply.
        epoch: Which time it is asked, from 1.
        labels: What its choices are called, where it says so; else its messages show it.
    """

    request_id: str
    messages: tuple[Mapping[str, str], ...]
    choices: tuple[str, ...] = ()
    epoch: int = 1
    labels: tuple[str, ...] = ()


EPOCH = "epoch"
"""What a line of requests calls its epoch; a line without it is of the first."""
MOST_EPOCHS = 1000
"""The most epochs that one file may have."""
_EPOCH = re.compile(r"(?P<base>.+)-e(?P<epoch>[2-9]|[1-9][0-9]+)", re.DOTALL)


def epoch_id(request_id: str, epoch: int) -> str:
    """Name a request in an epoch: in the first as it is, then with `-e2`, `-e3` and so on."""
    return request_id if epoch == 1 else f"{request_id}-e{epoch}"


def split_epoch(request_id: str) -> tuple[str, int]:
    """Take the epoch off an id: what the request is called in the first one, and the epoch."""
    found = _EPOCH.fullmatch(request_id)
    return (request_id, 1) if found is None else (found["base"], int(found["epoch"]))


def in_epochs(
    make: Callable[[], Iterable[Mapping[str, object]]], epochs: int
) -> Iterator[Mapping[str, object]]:
    """Yield requests once for each epoch, all of one epoch before the next.

    The first epoch has the ids of a file without epochs, so that its replies stay replies to it; a
    run that ends early has whole epochs first.

    Args:
        make: Makes the requests.
        epochs: How often each is asked.

    Raises:
        CurateError: If the number is out of range.
    """
    if not 1 <= epochs <= MOST_EPOCHS:
        hint = f"name one from 1 to {MOST_EPOCHS:,}"
        raise CurateError(f"{epochs} is not a number of epochs", "--epochs", hint)
    for epoch in range(1, epochs + 1):
        for request in make():
            name = epoch_id(str(request["request_id"]), epoch)
            yield request if epochs == 1 else {**request, "request_id": name, EPOCH: epoch}


def count_epochs(request_ids: Iterable[str]) -> int:
    """How many epochs ids are of: all that follow one another from the first on."""
    found = {split_epoch(name)[1] for name in request_ids if "-e" in name[-6:]}
    return next(epoch for epoch in count(1) if epoch + 1 not in found)


def epoch_of(line: Line, name: str = EPOCH) -> int:
    """The epoch of a line of requests.

    Args:
        line: The line.
        name: What the line calls it.

    Raises:
        ValueError: If it is none.
    """
    epoch = line.value.get(name, 1)
    if not isinstance(epoch, int) or isinstance(epoch, bool) or not 1 <= epoch <= MOST_EPOCHS:
        raise ValueError(f"its '{name}' is not a whole number from 1 on")
    return epoch


def read_requests(path: Path) -> Iterator[Request]:
    """Yield the requests of a file, holding one at a time.

    Raises:
        CurateError: If a line is no request. An id that occurs twice is for the caller to
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
        raise CurateError(f"the line is not a request: {error}", where, _HINT) from error


def read_lines(path: Path, hint: str = _HINT) -> Iterator[Line]:
    """Yield the objects of a file of requests, or of a log, with their line numbers.

    Args:
        path: The file.
        hint: What to do about a line that is none.

    Raises:
        CurateError: If there is no such file, or a line holds no JSON object.
    """
    refuse_absent(path)
    with path.open("rb") as stream:
        for number, data in enumerate(stream, start=1):
            if data.strip():
                yield parse_line(path, number, data, hint)


def parse_line(path: Path, number: int, data: bytes, hint: str = _HINT) -> Line:
    """Read one line of a file of requests, or of a log.

    Raises:
        CurateError: If it holds no JSON object.
    """
    read = jsonl.parse_line(
        str(path), number, data.removeprefix(BOM) if number == 1 else data, last=False
    )
    if not isinstance(read, Line):
        raise CurateError(read.message, f"{path}, line {number}", hint)
    return read


def request_of(line: Line) -> Request:
    """Read a request.

    Raises:
        ValueError: If it has no id or nothing to ask.
    """
    messages = line.value.get("messages")
    if not isinstance(messages, list) or not messages:
        raise ValueError("it has no 'messages'")
    for item in messages:
        if not (
            isinstance(item, dict)
            and isinstance(item.get("role"), str)
            and isinstance(item.get("content"), str)
        ):
            raise ValueError("a message is not an object with 'role' and 'content'")
    choices, labels = (tuple(text_list(line.value.get(name, []))) for name in ("choices", "labels"))
    if labels and len(set(labels)) != len(choices):
        raise ValueError("its labels are not different ones, one for each choice")
    return Request(line.text("request_id"), tuple(messages), choices, epoch_of(line), labels)


ASKED = "messages_hash"
"""What a line of replies calls the hash of the messages that it answers."""


def messages_hash(messages: Iterable[Mapping[str, str]]) -> int:
    """A hash of messages with 64 bits, never 0; it does not depend on the model.

    It is BLAKE2b over role and text of each message, with a null character after each.
    """
    text = "".join(f"{item['role']}\0{item['content']}\0" for item in messages)
    data = text.encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(data, digest_size=8).digest(), "big") or 1


def hash_of_line(line: Line) -> int:
    """The hash of the messages that a line of requests holds; 0 where it holds none."""
    messages = line.value.get("messages")
    if not isinstance(messages, list) or not messages:
        return 0
    try:
        return messages_hash(messages)
    except (TypeError, KeyError):
        return 0


Order = tuple[int, int, int]


class Orders(StrEnum):
    """Which three orders: the cyclic ones, or those that KoBBQ's preprocessing makes.

    In both each choice stands once at each place. KoBBQ's come from a circulant matrix, whose
    first row is not the original order.
    """

    CYCLIC = "cyclic"
    KOBBQ = "kobbq"


ORDERS: dict[Orders, tuple[Order, Order, Order]] = {
    Orders.CYCLIC: ((0, 1, 2), (1, 2, 0), (2, 0, 1)),
    Orders.KOBBQ: ((0, 2, 1), (1, 0, 2), (2, 1, 0)),
}
"""By set and number of the order, which choice of the sample stands at each place."""


def shown(choices: tuple[str, str, str], order: Order) -> tuple[str, str, str]:
    """Put choices into an order."""
    first, second, third = order
    return choices[first], choices[second], choices[third]


_LONGEST = 4  # characters of a label
_BEFORE = 24  # characters before a choice in which its label is looked for
_LABEL = re.compile(rf"(?<!\w)(\w{{1,{_LONGEST}}})[)\]}}>】」』:.=、,–—-]+[ \t]*[\"'“‘「『]?\Z")


def shown_labels(request: Request) -> tuple[str, ...]:
    """The labels of a request's choices as the model sees them, one for each choice.

    A label stands before its choice, with a character between them: `A: ...`, `(b) ...`,
    `1. ...`. Of a choice that occurs in the text several times the last place counts, for contexts
    name people too. Where the text does not show a different label for every choice, in their
    order, the labels are A, B, C and so on.
    """
    if request.labels:
        return request.labels
    text = "\n".join(message["content"] for message in request.messages)
    return _labels(text, request.choices) or tuple(choice_letters(len(request.choices)))


def _labels(text: str, choices: Sequence[str]) -> tuple[str, ...] | None:
    """Find the labels in a text; None unless all are there, differ, and stand in order."""
    found: list[str] = []
    end = -1
    for choice in choices:
        at, last = len(text), None
        while last is None and (at := text.rfind(choice, 0, at + len(choice) - 1)) >= 0:
            after = text[at + len(choice) : at + len(choice) + 1]
            if not (after == "_" or after.isalnum()):
                last = _LABEL.search(text, max(0, at - _BEFORE), at)
        if last is None or last.start() <= end:
            return None
        found.append(last[1])
        end = last.start()
    distinct = {label.casefold() for label in found}
    return tuple(found) if found and len(distinct) == len(found) else None


_PART = re.compile(r"(?P<index>[1-9][0-9]*)/(?P<count>[1-9][0-9]*)")


@dataclass(frozen=True, slots=True)
class Shard:
    """One part of several.

    Attributes:
        index: Which, from 1.
        count: Of how many.
    """

    index: int
    count: int

    def __post_init__(self) -> None:
        if not 1 <= self.index <= self.count:
            raise CurateError(f"there is no part {self}", hint=f"name one from 1/{self.count} on")

    def __str__(self) -> str:
        return f"{self.index}/{self.count}"


def parse_shard(text: str) -> Shard:
    """Read a part such as `2/8`.

    Raises:
        CurateError: If the text names none.
    """
    found = _PART.fullmatch(text.strip())
    if found is None:
        raise CurateError(f"'{text}' names no part", hint="write it as 2/8, the second of eight")
    return Shard(int(found["index"]), int(found["count"]))


def in_shard(request_id: str, shard: Shard) -> bool:
    """Say whether a request belongs to a part.

    A request's part depends on its id alone, so that any file of the same requests, in any order,
    falls into the same parts: each request into one.
    """
    digest = hashlib.blake2b(request_id.encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") % shard.count == shard.index - 1


def request_id(sample_id: str, order: int, prompt_id: str, epoch: int = 1) -> str:
    """Name a request."""
    return epoch_id(f"{sample_id}-{order}-p{prompt_id}", epoch)


def is_completion(path: Path) -> bool:
    """Whether requests are for completions, by the first of them.

    Raises:
        CurateError: If the file cannot be read.
    """
    first = next(read_lines(path), None)
    return first is not None and "rest" in first.value
