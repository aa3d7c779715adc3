"""What a model is sent with a request, the key of its reply, and an index of `requests.jsonl`.

Runner, batch files and store call it alike, so that a reply is found again by what was sent. The
index holds what a run knows of every request, at some 60 bytes each. The texts stay in the file and
are read again when they are sent, so that a run over more than a million requests needs no more
memory than one over a thousand, except for the index.
"""

import hashlib
import json
from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Any

from curation.files.atomic import Closing
from curation.files.tables import refuse_absent
from curation.records.messages import CurateError, given_name, refusal
from evaluation.requests import (
    Request,
    Shard,
    checked_request,
    in_shard,
    parse_line,
    shown_labels,
    split_epoch,
)

_CANONICAL = json.JSONEncoder(
    ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False
).encode
ENCODE = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode
"""Writes a body; made once, for json.dumps would make one for each request."""
ANSWER = "answer"
"""The key of the JSON object that a constrained reply is."""


def answer_schema(labels: tuple[str, ...]) -> dict[str, object]:
    """The JSON schema of an object whose one key `answer` is a label."""
    return {
        "type": "object",
        "properties": {ANSWER: {"type": "string", "enum": list(labels)}},
        "required": [ANSWER],
        "additionalProperties": False,
    }


def _schema(labels: tuple[str, ...]) -> dict[str, object]:
    named = {"name": ANSWER, "strict": True, "schema": answer_schema(labels)}
    return {"response_format": {"type": "json_schema", "json_schema": named}}


CONSTRAINTS: dict[str, Callable[[tuple[str, ...]], dict[str, object]]] = {
    "schema": _schema,
    # OpenRouter would else choose a server that passes over the schema.
    "routed": lambda labels: {**_schema(labels), "provider": {"require_parameters": True}},
    "choice": lambda labels: {"structured_outputs": {"choice": list(labels)}},
    # A literal of the grammar is written as one of JSON is.
    "grammar": lambda labels: {"grammar": f"root ::= {' | '.join(map(ENCODE, labels))}"},
}
"""By form what is sent to have a reply that is one of some labels: OpenAI's `response_format`,
vLLM's `structured_outputs`, llama.cpp's `grammar`."""


@dataclass(frozen=True, slots=True)
class Asking:
    """How a model is asked, whatever the request.

    Attributes:
        model: The model, as servers are asked for it.
        parameters: Whatever else a reply depends on; what is sent, by its name on the wire.
        draws_unset: Whether replies are drawn where no temperature is set: a server then takes one
            of its own, mostly above 0.
        constrain: The form in which a reply is constrained to a label; see `CONSTRAINTS`.
        then_ask: What is asked in a second turn, with `{letters}`; empty for one turn.
    """

    model: str
    parameters: Mapping[str, object]
    draws_unset: bool = False
    constrain: str = ""
    then_ask: str = ""

    def __post_init__(self) -> None:
        given_name(self.model, "--model")
        taken = CONSTRAINTS[self.constrain](("A",)).keys() if self.constrain else set()
        for name in taken & self.parameters.keys():
            raise CurateError(f"'{name}' is set by --constrain, too", "parameters", "leave one out")
        if "response_format" in taken and self.parameters.get("logprobs"):
            raise refusal("evaluation", "constrain-logprobs")

    @property
    def first(self) -> "Asking":
        """How the first of two turns is asked."""
        return replace(self, constrain="", then_ask="")

    @property
    def draws(self) -> bool:
        """Whether replies are drawn, so that the same may be answered otherwise."""
        temperature = self.parameters.get("temperature")
        return self.draws_unset if temperature is None else temperature != 0

    def body(self, request: Request, first: str | None = None) -> dict[str, Any]:
        """What is sent.

        A server that is sent one seed twice gives one reply twice. So a seed is sent as it is in
        the first epoch, in the second one higher, and so on.

        Args:
            request: The request.
            first: The reply to the first turn, in the second of two.

        Raises:
            ValueError: If there are no labels to allow or to ask for.
        """
        messages = [dict(message) for message in request.messages]
        parameters = dict(self.parameters)
        seed = parameters.get("seed")
        if request.epoch > 1 and isinstance(seed, int) and not isinstance(seed, bool):
            parameters["seed"] = seed + request.epoch - 1
        if first is not None:
            messages.append({"role": "assistant", "content": first})
            messages.append({"role": "user", "content": self._question(request)})
        if self.constrain and (first is not None or not self.then_ask):
            parameters |= CONSTRAINTS[self.constrain](_labels(request))
        return {"model": self.model, "messages": messages, **parameters}

    def key(self, request: Request) -> bytes:
        """The key of a request's reply, to both turns where there are two.

        Raises:
            ValueError: If a text of it is not whole, or there are no labels to ask for.
        """
        body = self.body(request, "" if self.then_ask else None)
        if self.then_ask:
            body["messages"] = [dict(message) for message in request.messages]
            body["then_ask"] = self._question(request)
        return reply_key(body, own_part(request.request_id, draws=self.draws))

    def _question(self, request: Request) -> str:
        return self.then_ask.format(letters=", ".join(_labels(request)))


def _labels(request: Request) -> tuple[str, ...]:
    if not request.choices:
        raise ValueError("it has no choices, and --constrain and --then-ask are about their labels")
    return shown_labels(request)


def reply_key(body: Mapping[str, object], own: str = "") -> bytes:
    """Hash what a reply depends on: SHA-256 of canonical JSON. The server's address is no part.

    Args:
        body: What is sent.
        own: What tells the reply from those to others that say the same; see `own_part`.

    Returns:
        32 bytes.

    Raises:
        ValueError: If a value is no JSON, or a text holds half of a surrogate pair.
    """
    parameters = dict(body)
    hashed = {"model": parameters.pop("model"), "messages": parameters.pop("messages")}
    hashed["parameters"] = parameters
    if own:
        hashed["own"] = own
    return hashlib.sha256(_CANONICAL(hashed).encode()).digest()


def own_part(request_id: str, *, draws: bool) -> str:
    """What tells a request's reply from those to others that say the same.

    Where replies are drawn each request has its own. Else those of one epoch share one.
    """
    epoch = split_epoch(request_id)[1]
    return request_id if draws else ("" if epoch == 1 else f"epoch {epoch}")


def keeps_to(text: str, labels: tuple[str, ...]) -> bool:
    """Say whether a reply is one of some labels, or a JSON object whose `answer` is one."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        value = text.strip()
    return (value.get(ANSWER) if isinstance(value, dict) else text.strip()) in labels


ASCII_PER_TOKEN = 4.0
"""ASCII characters of a token, by rule of thumb, where no server has counted yet."""
OTHER_PER_TOKEN = 1.5
"""Characters of other scripts of a token, likewise."""
_KEY = 32  # bytes


class RequestIndex(Closing):
    """The requests of a file, by their place among those that are asked, from 0.

    Args:
        path: The file.
        stream: The file, opened.

    Attributes:
        path: The file.
        epochs: In how many epochs they are asked.
    """

    def __init__(self, path: Path, stream: IO[bytes]) -> None:
        self.path, self.epochs = path, 1
        self._stream = stream
        self._offsets = array("Q")
        self._lines = array("L")
        self._sizes = array("L")
        self._keys = bytearray()
        self._hashes = array("Q")
        self._sorted: Any = None
        self._order: Any = None

    def __len__(self) -> int:
        return len(self._offsets)

    def close(self) -> None:
        """Let the file go."""
        self._stream.close()

    def key(self, at: int) -> bytes:
        """The key of a request's reply."""
        return bytes(self._keys[at * _KEY : (at + 1) * _KEY])

    def size(self, at: int) -> int:
        """About how many tokens a request's messages are, by their length."""
        return self._sizes[at]

    def request(self, at: int) -> Request:
        """Read a request again.

        Raises:
            CurateError: If the file has changed.
        """
        self._stream.seek(self._offsets[at])
        line = parse_line(self.path, self._lines[at], self._stream.readline())
        return checked_request(self.path, line)

    def find(self, request_ids: Sequence[str]) -> list[int | None]:
        """The places of requests by their ids; None for an id that is not here."""
        import numpy as np

        if not len(self):
            return [None] * len(request_ids)
        wanted = np.array([_hashed(name) for name in request_ids], dtype=np.uint64)
        at = np.minimum(np.searchsorted(self._sorted, wanted), len(self) - 1)
        hits = (self._sorted[at] == wanted).tolist()
        places = self._order[at].tolist()
        return [place if hit else None for place, hit in zip(places, hits, strict=True)]

    def repeats(self) -> bytes:
        """Say of each place, 1 or 0, whether an earlier one has the same key."""
        import numpy as np

        found = np.ones(len(self), np.uint8)
        # A part of a key stands for it: who is taken for a repeat is only asked later.
        keys = np.frombuffer(self._keys, dtype=np.uint64)[:: _KEY // 8]
        found[np.unique(keys, return_index=True)[1]] = 0
        return found.tobytes()

    def add(self, offset: int, line: int, request: Request, key: bytes) -> None:
        """Take a request up.

        Args:
            offset: Of its line.
            line: The line's number.
            request: The request.
            key: Of its reply.
        """
        self.epochs = max(self.epochs, request.epoch)
        self._offsets.append(offset)
        self._lines.append(line)
        self._sizes.append(token_estimate(request.messages))
        self._keys += key
        self._hashes.append(_hashed(request.request_id))

    def finish(self) -> None:
        """Sort the ids.

        Raises:
            CurateError: If an id occurs twice.
        """
        import numpy as np

        hashes = np.frombuffer(self._hashes, dtype=np.uint64)
        self._order = np.argsort(hashes, kind="stable").astype(np.uint32)
        self._sorted = hashes[self._order]
        for place in np.flatnonzero(self._sorted[1:] == self._sorted[:-1]).tolist():
            first, second = (int(self._order[at]) for at in (place, place + 1))
            name = self.request(first).request_id
            if name == self.request(second).request_id:
                where = f"{self.path}, lines {self._lines[first]} and {self._lines[second]}"
                raise refusal("evaluation", "request-twice", where, id=name)


def index_requests(path: Path, asking: Asking, shard: Shard | None = None) -> RequestIndex:
    """Read a file of requests once, every line that is asked, before anything is sent.

    Args:
        path: The file.
        asking: How the model is asked.
        shard: Only this part of the requests.

    Raises:
        CurateError: If there is no such file, a line is no request, there is none, or an id
            occurs twice.
    """
    refuse_absent(path, "make it with 'curate evaluate prepare', or name a file with --requests")
    stream = path.open("rb")
    index = RequestIndex(path, stream)
    try:
        after = 0
        for number, data in enumerate(stream, start=1):
            offset, after = after, after + len(data)
            if not data.strip():
                continue
            request = checked_request(path, parse_line(path, number, data))
            if shard is not None and not in_shard(request.request_id, shard):
                continue
            try:
                key = asking.key(request)
            except ValueError as error:
                told = {"id": request.request_id, "error": error}
                where = f"{path}, line {number}"
                raise refusal("evaluation", "request-unsent", where, **told) from error
            index.add(offset, number, request, key)
        if not len(index) and not (shard and after):  # a part of few requests may have none
            raise refusal("evaluation", "request-none", str(path))
        index.finish()
    except BaseException:
        index.close()
        raise
    return index


def token_estimate(messages: Iterable[Mapping[str, str]]) -> int:
    """Guess the tokens of messages from their length, rounded up."""
    tokens = 0.0
    for message in messages:
        text = message["content"]
        ascii_signs = len(text) if text.isascii() else len(text.encode("ascii", "ignore"))
        tokens += ascii_signs / ASCII_PER_TOKEN + (len(text) - ascii_signs) / OTHER_PER_TOKEN
    return int(tokens) + 1


def _hashed(request_id: str) -> int:
    return int.from_bytes(hashlib.blake2b(request_id.encode(), digest_size=8).digest(), "big")
