"""One reply of a model: the record, its line of JSON, and the key by which it is found again.

Whatever asks a model, reads a batch or a log makes this record; a file of them is read here line by
line. Many replies at once are read into columns, in `evaluation.replies.files`.

A line may hold `logprobs`, an object from texts that the answer may begin with to their
log-probabilities: of a server the likeliest tokens at the first place of the answer, of a model on
this machine the labels. The answer is the label that the model would rather begin its reply with;
of several texts of one label (`A`, ` A`) the highest counts.
"""

import gzip
import io
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from math import isfinite
from pathlib import Path
from typing import IO, Any, NamedTuple, TypeVar
from zlib import error as ZlibError

from curation.files.jsonl import Line, line_problem, one_line, parse_line
from curation.files.tables import read_bytes, refuse_absent
from curation.records.letters import choice_letters
from curation.records.messages import CurateError, Finding, Severity, refusal
from evaluation.requests import ASKED, BOM

T = TypeVar("T")

_GZIP = b"\x1f\x8b"
_ENCODE = json.JSONEncoder(ensure_ascii=False).encode  # made once: json.dumps makes one each time
_KEY = 64  # hexadecimal digits


class FailureKind(StrEnum):
    """Why there is no reply, or why it is not what the model would have said.

    `rate_limit`: too many requests (429); `server`: the server's own fault (5xx); `timeout`: no
    reply in time; `connection`: the server cannot be reached; `cut`: the connection ended before
    the reply did; `malformed`: the reply is no such object; `empty`: it has no words;
    `ended`: it ended otherwise than a reply does;
    `refused`: this request is not taken (400 and the like); `key`: the key is refused (401, 403);
    `not_found`: no such model or address (404); `quota`: the account is used up;
    `content_filter`: a filter stopped the reply, which counts as given; `unfinished`: it ended
    within the model's thoughts, which counts as given; `backend`: a fault of a backend in this
    process; `expired`, `canceled`: a batch ended before the request was answered.
    """

    RATE_LIMIT = "rate_limit"
    SERVER = "server"
    TIMEOUT = "timeout"
    CONNECTION = "connection"
    CUT = "cut"
    MALFORMED = "malformed"
    EMPTY = "empty"
    ENDED = "ended"
    REFUSED = "refused"
    KEY = "key"
    NOT_FOUND = "not_found"
    QUOTA = "quota"
    CONTENT_FILTER = "content_filter"
    UNFINISHED = "unfinished"
    BACKEND = "backend"
    EXPIRED = "expired"
    CANCELED = "canceled"


CUT_ENDS = ("length", "max_tokens", "model_length", "model_context_window_exceeded")
"""What servers and tools call the end of a reply that a limit on its length cut off."""
UNKNOWN_ERROR = "unknown"
"""The kind of a failure of which the line says nothing."""
_FAILURES = frozenset(FailureKind)


@dataclass(frozen=True, slots=True)
class Failure:
    """What went wrong.

    Attributes:
        kind: A `FailureKind`, or in a line of another tool what that calls it.
        message: One line, without secrets.
        status: The HTTP status, where there was one.
        again: Whether the same request may have a reply if it is asked again.
        wait_s: Seconds to wait before that, where the server or the backend says so; None leaves
            it to the runner, which waits longer from time to time.
        sent: Whether the request was sent; what was not is asked again however often.
        stops: Whether every other request would fail alike, so that the run is to stop.
        hint: What to do about it, where the run stops.
    """

    kind: str
    message: str
    status: int | None = None
    again: bool = False
    wait_s: float | None = None
    sent: bool = True
    stops: bool = False
    hint: str = ""

    def as_dict(self) -> dict[str, object]:
        """The failure as lines and `--json` hold it."""
        return {"kind": self.kind, "message": self.message, "status": self.status}


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one request as the backend counts them; None where it does not say.

    Attributes:
        input_tokens: Tokens sent.
        output_tokens: Tokens of the reply, those of its thoughts among them.
        reasoning_tokens: Tokens of its thoughts.
        refused: Whether the backend counted what cannot be, so that nothing of it is taken.
    """

    input_tokens: int | None = None
    output_tokens: int | None = None
    reasoning_tokens: int | None = None
    refused: bool = False

    def __add__(self, other: "Usage") -> "Usage":
        """Tokens of two turns; what one of them does not say is not known of both."""
        names = ("input_tokens", "output_tokens", "reasoning_tokens")
        pairs = [(getattr(self, name), getattr(other, name)) for name in names]
        used, made, thought = (None if None in pair else sum(pair) for pair in pairs)
        return Usage(used, made, thought, self.refused or other.refused)


class Reply(NamedTuple):
    """What came of one request.

    Attributes:
        text: The reply; None on failure.
        usage: Its tokens.
        finish_reason: Why the model ended (`stop`, `length`, `content_filter`), where it says.
        latency_s: Seconds from sending to the whole reply.
        error: Why there is no text. With a text only where a content filter stopped the reply,
            or it ended within its thoughts.
        reasoning: The model's thoughts, which are no part of the reply; None where none came.
        served: The model as the reply names it; None where it names none.
        logprobs: Log-probabilities of what the answer may begin with; None where none came.
        request_id: The request. A backend leaves this and what follows to whoever asks it.
        model: What the model is called.
        key: Hash of what it depends on; empty where that is not known.
        asked: Hash of the messages that it answers; 0 where that is not known.
        first: The reply to the first turn, where this one is to a second; None for one turn.
    """

    text: str | None
    usage: Usage = Usage()
    finish_reason: str | None = None
    latency_s: float | None = None
    error: Failure | None = None
    reasoning: str | None = None
    served: str | None = None
    logprobs: Mapping[str, float] | None = None
    request_id: str = ""
    model: str = ""
    key: bytes = b""
    asked: int = 0
    first: str | None = None

    @property
    def cut(self) -> bool:
        """Whether a limit on its length cut its text off."""
        return bool((self.text or "").strip()) and (self.finish_reason or "").lower() in CUT_ENDS

    @property
    def kind(self) -> str | None:
        """The kind of its failure, or of what is said beside its text."""
        return None if self.error is None else self.error.kind


def reply_line(reply: Reply) -> bytes:
    """Write a reply as a line of a file of replies."""
    used = reply.usage
    value: dict[str, object] = {
        "request_id": reply.request_id,
        "model": reply.model,
        "reply": reply.text,
        "key": reply.key.hex() or None,
        ASKED: f"{reply.asked:016x}" if reply.asked else None,
        "usage": {"input_tokens": used.input_tokens, "output_tokens": used.output_tokens},
        "latency_s": None if reply.latency_s is None else round(reply.latency_s, 4),
        "finish_reason": reply.finish_reason,
        "error": None if reply.error is None else reply.error.as_dict(),
    }
    if used.reasoning_tokens is not None:
        value["usage"] = {**_object(value["usage"]), "reasoning_tokens": used.reasoning_tokens}
    if reply.reasoning is not None:
        value["reasoning"] = reply.reasoning
    if reply.served not in (None, reply.model):
        value["served"] = reply.served
    if reply.logprobs is not None:
        value["logprobs"] = dict(reply.logprobs)
    if reply.first is not None:
        value["first_reply"] = reply.first
    return f"{one_line(_ENCODE(value))}\n".encode()


def reply_of(line: Line) -> Reply:
    """Read a line of a file of replies; what is of another shape than ours says nothing.

    Raises:
        ValueError: If it is no reply.
    """
    value = line.value
    text, error = value.get("reply"), value.get("error")
    if text is not None and not isinstance(text, str):
        raise ValueError("its 'reply' is neither text nor null")
    if "reply" not in value and "error" not in value:
        raise ValueError("it has no 'reply'")
    asked = value.get(ASKED)
    latency, logprobs = value.get("latency_s"), value.get("logprobs")
    return Reply(
        _text(text),
        usage_of(value.get("usage")),
        _text(value.get("finish_reason")),
        float(latency) if isinstance(latency, int | float) else None,
        _failure(error) if text is None or error else None,
        _text(value.get("reasoning")),
        _text(value.get("served")),
        logprobs if isinstance(logprobs, dict) else None,
        line.text("request_id"),
        line.text("model"),
        key_of(value.get("key")),
        int.from_bytes(_hexadecimal(asked, 16), "big"),
        _text(value.get("first_reply")),
    )


def key_of(value: object) -> bytes:
    """Read a key; empty for what is none."""
    return _hexadecimal(value, _KEY)


def usage_of(value: object) -> Usage:
    """Read counts of tokens; what is none says nothing."""
    found = _object(value)
    counts = map(found.get, ("input_tokens", "output_tokens", "reasoning_tokens"))
    used, made, thought = [count if type(count) is int else None for count in counts]
    return Usage(used, made, thought)


def _failure(error: object) -> Failure:
    """A failure, whose line may give it as its kind alone, with a kind of a few words."""
    value = _object(error)
    said = error if isinstance(error, str) else value.get("kind")
    kind = whole(" ".join(said.split())) if isinstance(said, str) else ""
    kind = kind or UNKNOWN_ERROR
    status = value.get("status")
    return Failure(
        FailureKind(kind) if kind in _FAILURES else kind,
        whole(str(value.get("message") or kind)),
        status if type(status) is int else None,
    )


def whole(text: str) -> str:
    """Put the replacement character for half of a surrogate pair, which no file can hold."""
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def _object(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _text(value: object) -> str | None:
    return whole(value) if isinstance(value, str) else None


def _hexadecimal(value: object, digits: int) -> bytes:
    try:
        return bytes.fromhex(value) if isinstance(value, str) and len(value) == digits else b""
    except ValueError:
        return b""


LOGPROBS = "logprobs"
"""What a line of replies calls them."""
_BLANKS = " \t\n\u0120\u2581"  # the last two are how tokenizers write a blank


def logprobs_text(value: object) -> str:
    """Log-probabilities of a line as one text, which is read as a reply is; empty for none.

    Raises:
        ValueError: If they are no object of numbers.
    """
    if value is None:
        return ""
    if not isinstance(value, Mapping):
        raise ValueError("its 'logprobs' is not an object")
    for number in value.values():
        if isinstance(number, bool) or not isinstance(number, int | float) or not isfinite(number):
            raise ValueError("its 'logprobs' has a value that is not a number")
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")) if value else ""


def read_logprobs(
    text: str, count: int, labels: Sequence[str] | None = None
) -> tuple[int | None, str]:
    """Find the label with the highest log-probability.

    Args:
        text: As `logprobs_text` gives it.
        count: How many choices there are.
        labels: Their labels; None for A, B, C and so on.

    Returns:
        The position of the choice, None where there is no single one; and the rule: `logprob`,
        every label has one, and one is the highest; `logprob_partial`, a label is not among the
        likeliest tokens, so that it is below those that are; `tie`, several have the highest;
        `labels_missing`, no label is among those tokens; `no_logprobs`, the reply came without.
    """
    if not text:
        return None, "no_logprobs"
    found: dict[str, float] = {}
    for token, number in json.loads(text).items():
        label = token.strip(_BLANKS)
        found[label] = max(number, found.get(label, number))
    shown = list(labels or choice_letters(count))
    there = [found[label] for label in shown if label in found]
    if not there:
        return None, "labels_missing"
    best = max(there)
    if there.count(best) > 1:
        return None, "tie"
    at = next(at for at, label in enumerate(shown) if found.get(label) == best)
    return at, "logprob" if len(there) == len(shown) else "logprob_partial"


class LineBlock(NamedTuple):
    """Some lines of a file.

    Attributes:
        file: Path as shown to the user.
        first: The number of its first line.
        start: The bytes before it.
        data: The lines.
        last: Whether the file ends with it.
    """

    file: str
    first: int
    start: int
    data: bytes
    last: bool


@contextmanager
def opened(path: Path) -> Iterator[IO[bytes]]:
    """Open a file of replies, packed or not."""
    try:
        with path.open("rb") as raw:
            packed = raw.read(len(_GZIP)) == _GZIP
            raw.seek(0)
            if packed:
                with gzip.open(raw) as stream:
                    yield io.BufferedReader(stream)
            else:
                yield raw
    except (EOFError, gzip.BadGzipFile, ZlibError) as error:
        raise refusal("evaluation", "replies-damaged", path) from error
    except OSError:
        read_bytes(path)  # says in words what is wrong
        raise


def refuse_packed(path: Path) -> None:
    """Refuse a file whose lines are to be copied or added to, and that is packed.

    Raises:
        CurateError: If there is no such file, or it is packed.
    """
    refuse_absent(path)
    with path.open("rb") as stream:
        if stream.read(len(_GZIP)) == _GZIP:
            raise CurateError("the file is packed", str(path), "unpack it first: gunzip")


def line_blocks(path: Path, size: int) -> Iterator[LineBlock]:
    """Yield a file of replies in blocks of about a size in bytes, each up to the end of a line."""
    with opened(path) as stream:
        first = 1
        begun = stream.read(size)
        data = begun.removeprefix(BOM)
        start = len(begun) - len(data)
        while data:
            data += stream.readline()
            following = stream.read(size)
            yield LineBlock(str(path), first, start, data, last=not following)
            first += data.count(b"\n")
            start += len(data)
            data = following


NumberedLine = tuple[int, int, bytes]
"""The number of a line, from 1, the bytes before it, and the line."""


def read_rows(path: Path) -> Iterator[tuple[Reply, bytes]]:
    """Yield a file of replies line by line, for a run that adds to it.

    Args:
        path: The file. Its last line may be cut off, and is then passed over.

    Yields:
        A reply, and its line.

    Raises:
        CurateError: If there is no such file, or a line is no reply.
    """
    for block in line_blocks(path, 1 << 20):
        for item in lines_of(block, reply_of):
            if not isinstance(item, Finding):
                reply, (_, _, data) = item
                yield reply, data
            elif item.severity is Severity.ERROR:
                where = f"{path}, line {item.row}"
                raise refusal("evaluation", "replies-line", where, why=item.message)


def logprobs_of(line: Line) -> Reply:
    """Read a line as a reply whose text are its log-probabilities.

    Raises:
        ValueError: If it is none.
    """
    reply = reply_of(line)
    if reply.text is None:
        return reply
    return reply._replace(text=logprobs_text(line.value.get(LOGPROBS)), finish_reason=None)


def lines_of(
    block: LineBlock, read: Callable[[Line], T]
) -> Iterator[tuple[T, NumberedLine] | Finding]:
    """Yield what the lines of a block hold, each with its line, or what is wrong in it.

    Args:
        block: The block.
        read: Reads an object; a ValueError says what is wrong with it.
    """
    open_end, after = block.first + block.data.count(b"\n") if block.last else -1, block.start
    for number, data in enumerate(block.data.split(b"\n"), start=block.first):
        place, after = (number, after, data), after + len(data) + 1
        if not data.strip():
            continue
        line = parse_line(block.file, number, data, last=number == open_end)
        try:
            found = (read(line), place) if isinstance(line, Line) else line
        except ValueError as error:
            found = line_problem(block.file, number, str(error))
        yield found
