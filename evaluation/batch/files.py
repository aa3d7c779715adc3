"""A model's folder of batch files. What they say is all that is known of them.

Each round of writing has a folder of its own, `001`, `002` and so on, that is never changed. The
folder's `read.json` names the files whose results were read.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from curation.files.atomic import atomic_text
from curation.files.jsonl import Line, one_line, parse_line
from curation.files.tables import read_bytes
from curation.records.errors import CurateError
from evaluation.requests import Request, messages_hash
from evaluation.runner.body import ENCODE, Asking, own_part, reply_key
from evaluation.runner.index import token_estimate

READ = "read.json"
FOLDER = "batches"
"""The folder of batches beside a file of replies."""
_URL = "/v1/chat/completions"
_HINT = "delete this folder of batches and write them again: curate evaluate run --batch"


@dataclass(frozen=True, slots=True)
class Limits:
    """The most that one batch file may hold, by default what OpenAI takes.

    Attributes:
        requests: Requests.
        size: Bytes.
    """

    requests: int = 50_000
    size: int = 200_000_000


@dataclass(frozen=True, slots=True)
class Asked:
    """A request as a batch file asks it.

    Attributes:
        custom_id: What the file calls it.
        request_id: The request.
        key: Of its reply.
        messages: The hash of its messages.
        asking: The model that is asked, and every parameter; of a later epoch its own seed.
        size: About how many tokens its messages are.
    """

    custom_id: str
    request_id: str
    key: bytes
    messages: int
    asking: Asking
    size: int


def custom_id(request_id: str, number: int) -> str:
    """What a batch file calls a request: its id, and in a later round the round's number, too."""
    return request_id if number == 1 else f"{request_id}-r{number}"


def batch_line(asking: Asking, request: Request, number: int) -> bytes:
    """Write a request as a line of a batch file of a round."""
    name = custom_id(request.request_id, number)
    item = {"custom_id": name, "method": "POST", "url": _URL, "body": asking.body(request)}
    return f"{one_line(ENCODE(item))}\n".encode()


def batch_files(folder: Path) -> list[Path]:
    """The batch files of a folder, in the order in which they were written."""
    return sorted(folder.glob("[0-9][0-9][0-9]/*.jsonl"))


def read_batch(path: Path) -> Iterator[Asked]:
    """Yield what a batch file asks.

    Raises:
        CurateError: If a line is damaged.
    """
    number = int(path.parent.name)
    ending = custom_id("", number)
    with path.open("rb") as stream:
        for at, data in enumerate(stream, start=1):
            line = parse_line(str(path), at, data, last=False)
            try:
                if not isinstance(line, Line):
                    raise ValueError(line.message)
                yield _asked(line.text("custom_id"), ending, dict(line.value["body"]))
            except (KeyError, TypeError, ValueError) as error:
                where = f"{path}, line {at}"
                raise CurateError(f"the batch file is damaged: {error}", where, _HINT) from error


def _asked(name: str, ending: str, body: dict[str, Any]) -> Asked:
    request_id = name.removesuffix(ending)
    asking = Asking(body["model"], body, draws_unset=True)
    key = reply_key(body, own_part(request_id, draws=asking.draws))
    messages = body.pop("messages")
    size = token_estimate(Request(request_id, tuple(messages)))
    return Asked(name, request_id, key, messages_hash(messages), asking, size)


def files_read(folder: Path) -> frozenset[str]:
    """The batch files whose results were read, by their paths in the folder.

    Raises:
        CurateError: If the note of them is damaged.
    """
    path = folder / READ
    if not path.exists():
        return frozenset()
    try:
        return frozenset(json.loads(read_bytes(path)))
    except (ValueError, TypeError) as error:
        raise CurateError(f"{READ} is damaged: {error}", str(path), _HINT) from error


def note_read(folder: Path, names: frozenset[str]) -> None:
    """Note the batch files whose results were read.

    Raises:
        CurateError: If that cannot be written.
    """
    with atomic_text(folder / READ) as stream:
        stream.write(f"{json.dumps(sorted(names), indent=2)}\n")


def model_folder(replies: Path, model: str) -> Path:
    """A model's folder of batches beside a file of replies; any file system takes its name."""
    name = "".join(
        character if character.isalnum() or character in "._-" else "_" for character in model
    )
    return replies.parent / FOLDER / (name.lstrip(".") or "model")


def only_folder(replies: Path) -> Path:
    """Find the folder of batches beside a file of replies where there is one alone.

    Raises:
        CurateError: If there is none, or there are several.
    """
    parent = replies.parent / FOLDER
    found = sorted(path for path in parent.glob("*") if path.is_dir())
    if len(found) != 1:
        names = ", ".join(path.name for path in found) or "none"
        hint = "name one: --model NAME; 'curate evaluate run --batch' makes them beside --replies"
        raise CurateError(
            f"the results are of one model's batches; there are {names}", str(parent), hint
        )
    return found[0]
