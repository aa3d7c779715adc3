"""`replies.jsonl` as a run writes it: appended to, cut off after a kill, and read on taking up.

What a file holds counts: a reply to the same key is not asked again, whether the store knows it
or not. A reply to the same request under another key was given to another prompt or with other
parameters.
"""

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import IO, Any

from curation.files.handles import Closing, faults_said
from curation.files.jsonl import Line, one_line, parse_line
from curation.records.errors import CurateError
from evaluation.requests import ASKED
from evaluation.runner.backend import Failure, FailureKind, Outcome, Usage
from evaluation.runner.index import RequestIndex
from evaluation.runner.store import Kept

try:
    import fcntl
except ImportError:  # Windows: the store alone keeps two runs apart
    fcntl = None  # type: ignore[assignment]

FILE = "replies.jsonl"
"""The file's usual name."""
_CHUNK = 4096  # lines that are looked up together
_TAIL = 1 << 16  # bytes that are read at once to find the last line
_ENCODER = json.JSONEncoder(ensure_ascii=False)


def reply_line(
    request_id: str, model: str, key: bytes, outcome: Outcome, asked: int | None = None
) -> bytes:
    """Write what came of a request as a line of the file.

    Args:
        request_id: The request.
        model: The model.
        key: What the reply depends on.
        outcome: What came of it.
        asked: The hash of its messages; None where it is not known.
    """
    value = {
        "request_id": request_id,
        "model": model,
        "reply": outcome.text,
        "key": key.hex(),
        ASKED: None if asked is None else f"{asked:016x}",
        "usage": _usage_dict(outcome.usage),
        "latency_s": None if outcome.latency_s is None else round(outcome.latency_s, 4),
        "finish_reason": outcome.finish_reason,
        "error": None if outcome.error is None else error_dict(outcome.error),
        **_beside(outcome, model),
    }
    return f"{one_line(_ENCODER.encode(value))}\n".encode()


def _usage_dict(usage: Usage) -> dict[str, int | None]:
    found = {"input_tokens": usage.input_tokens, "output_tokens": usage.output_tokens}
    thought = usage.reasoning_tokens
    return found if thought is None else {**found, "reasoning_tokens": thought}


def _beside(outcome: Outcome, model: str) -> dict[str, object]:
    """What came beside the reply, where it did; of the model's name only another one."""
    if (outcome.reasoning, outcome.logprobs) == (None, None) and outcome.served in (None, model):
        return {}  # as mostly
    found = {
        "reasoning": outcome.reasoning,
        "served": None if outcome.served == model else outcome.served,
        "logprobs": None if outcome.logprobs is None else dict(outcome.logprobs),
    }
    return {name: value for name, value in found.items() if value is not None}


def error_dict(error: Failure) -> dict[str, object]:
    """A failure as lines and `--json` hold it."""
    return {"kind": error.kind.value, "message": error.message, "status": error.status}


@dataclass
class Standing:
    """What a file of replies says of the requests of a run.

    Attributes:
        done: By the request's place, whether it has a reply.
        answered: How many have.
        failed: How many have a failure alone.
        changed: How many have a reply to another prompt or with other parameters.
        example: The id of one of these.
        shared: How many of the replies are kept for what the request says, which another request
            says too, from before each had one of its own.
        others: Lines of other models or requests.
    """

    done: bytearray
    answered: int = 0
    failed: int = 0
    changed: int = 0
    example: str = ""
    shared: int = 0
    others: int = 0


_NONE, _FAILED, _CHANGED, _DONE, _SHARED = range(5)
_AS_DONE = bytes(_DONE if state == _SHARED else state for state in range(256))


def _state(key: object, index: RequestIndex, at: int) -> int:
    """Say what a reply under a key is to a request."""
    if key == index.key(at).hex():
        return _DONE
    if not isinstance(key, str) or len(key) != 2 * len(index.key(at)):
        return _CHANGED
    try:
        shared = index.shared(at, bytes.fromhex(key))
    except ValueError:
        return _CHANGED
    return {True: _SHARED, False: _DONE, None: _CHANGED}[shared]


def read_standing(
    path: Path, index: RequestIndex, model: str, seed: Callable[[Sequence[Kept]], None]
) -> Standing:
    """Read which requests have a reply; of several to one request the last one counts.

    Args:
        path: The file; where there is none nothing has a reply.
        index: The requests.
        model: The model that is asked.
        seed: Takes every reply that has a key, for the store.

    Raises:
        CurateError: If a line is no reply. The last one may be cut off.
    """
    states = bytearray(len(index))
    standing = Standing(states)
    if not path.exists():
        return standing
    lines = _replies(path)
    while chunk := list(islice(lines, _CHUNK)):
        if known := [kept for line in chunk if (kept := _kept(line)) is not None]:
            seed(known)
        places = index.find([line.value["request_id"] for line in chunk])
        for line, at in zip(chunk, places, strict=True):
            if at is None or line.value["model"] != model:
                standing.others += 1
                continue
            if line.value.get("reply") is None:
                states[at] = max(states[at], _FAILED)
                continue
            states[at] = _state(line.value.get("key"), index, at)
    standing.shared = states.count(_SHARED)
    states = states.translate(_AS_DONE)
    standing.answered, standing.failed = states.count(_DONE), states.count(_FAILED)
    standing.changed = states.count(_CHANGED)
    if standing.changed:
        standing.example = index.request(states.index(_CHANGED)).request_id
    standing.done = states.translate(bytes(int(state == _DONE) for state in range(256)))
    return standing


def _replies(path: Path) -> Iterator[Line]:
    with path.open("rb") as stream:
        for number, data in enumerate(stream, start=1):
            if not data.strip():
                continue
            line = parse_line(str(path), number, data, last=not data.endswith(b"\n"))
            if isinstance(line, Line):
                refuse_other(path, line)
                yield line
            elif data.endswith(b"\n"):
                raise CurateError(line.message, f"{path}, line {number}", line.hint)


def refuse_other(
    path: Path,
    line: Line,
    hint: str = "correct the line or take it out, or name another file with --replies",
    *,
    known: Sequence[str] = (),
) -> None:
    """Refuse an object that is no reply.

    Args:
        path: The file.
        line: The object.
        hint: What to do about it.
        known: Keys of which one must be there.

    Raises:
        CurateError: If it is none.
    """
    reply = line.value.get("reply")
    try:
        line.text("request_id")
        line.text("model")
        if known and not any(name in line.value for name in known):
            raise ValueError(f"it has no '{known[0]}'")
        if reply is not None and not isinstance(reply, str):
            raise ValueError("its 'reply' is neither text nor null")
    except ValueError as error:
        where = f"{path}, line {line.number}"
        raise CurateError(f"the line is not a reply: {error}", where, hint) from error


def _kept(line: Line) -> Kept | None:
    """A line as the store keeps it; None where it has no reply or no key."""
    value = line.value
    reply, key = value.get("reply"), value.get("key")
    if reply is None or not isinstance(key, str) or len(key) != 64:
        return None
    try:
        number = bytes.fromhex(key)
        reply.encode()
    except ValueError:
        return None
    found = value.get("usage")
    usage: Mapping[str, Any] = found if isinstance(found, dict) else {}
    latency, reason, error = (value.get(n) for n in ("latency_s", "finish_reason", "error"))
    return Kept(
        number,
        value["model"],
        reply,
        None,
        _whole_number(usage.get("input_tokens")),
        _whole_number(usage.get("output_tokens")),
        float(latency) if isinstance(latency, (int, float)) else None,
        reason if isinstance(reason, str) else None,
        json.dumps(error) if isinstance(error, dict) else None,
        _more_text({"reasoning_tokens": usage.get("reasoning_tokens"), **value}),
    )


_MORE = ("reasoning", "served", "logprobs", "reasoning_tokens")


def _more_text(value: Mapping[str, Any]) -> str | None:
    """What came beside a reply, as the store keeps it."""
    found = {name: value[name] for name in _MORE if value.get(name) is not None}
    return _ENCODER.encode(found) if found else None


def _whole_number(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


class ReplyFile(Closing):
    """The file, opened to be appended to by this run alone.

    Args:
        path: The file; it is made where there is none.

    Attributes:
        path: The file.
        cut_off: Bytes of a last line that was cut off, and is gone.

    Raises:
        CurateError: If it cannot be written, or another run writes it.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.cut_off = 0
        self._size = 0
        with self._said():
            path.parent.mkdir(parents=True, exist_ok=True)
            self._stream: IO[bytes] = path.open("a+b", buffering=0)
        try:
            self._hold()
            with self._said():
                self._cut_off_torn_line()
        except BaseException:
            self._stream.close()
            raise

    def close(self) -> None:
        """Let the file go."""
        self._stream.close()

    def append(self, lines: Sequence[bytes]) -> None:
        """Append lines, all or none.

        Raises:
            CurateError: If they cannot be written.
        """
        data = memoryview(b"".join(lines))
        start = self._size
        try:
            with self._said():
                while data:
                    written = self._stream.write(data)
                    self._size += written
                    data = data[written:]
        except CurateError:
            self._stream.truncate(start)
            self._size = start
            raise

    def sync(self) -> None:
        """Wait until the disk has everything.

        Raises:
            CurateError: If it has not.
        """
        with self._said():
            os.fsync(self._stream.fileno())

    def _hold(self) -> None:
        if fcntl is None:
            return
        try:
            fcntl.flock(self._stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise CurateError(
                "another run is writing this file of replies",
                str(self.path),
                "wait for it to end, or give this one a file of its own with --replies",
            ) from error
        except OSError:
            return  # a file system without locks

    def _cut_off_torn_line(self) -> None:
        """Cut off a last line that a kill has left half written."""
        self._size = size = self._stream.seek(0, os.SEEK_END)
        tail = b""
        while size and b"\n" not in tail:
            step = min(_TAIL, size)
            size -= step
            self._stream.seek(size)
            tail = self._stream.read(step) + tail
        torn = tail[tail.rfind(b"\n") + 1 :]
        if not torn:
            return
        if isinstance(parse_line(str(self.path), 0, torn, last=True), Line):
            self._size += self._stream.write(b"\n")
            return
        self.cut_off = len(torn)
        self._size -= len(torn)
        self._stream.truncate(self._size)

    def _said(self) -> AbstractContextManager[None]:
        return faults_said(
            "the file of replies cannot be written",
            self.path,
            "check the folder's permissions and the free space, then run the same command "
            "again: nothing that was written is lost",
        )


def kept_of(key: bytes, size: int, model: str, outcome: Outcome) -> Kept:
    """A reply as the store keeps it.

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
        more=_more_text({"reasoning_tokens": used.reasoning_tokens, **_beside(outcome, model)}),
    )


def outcome_of(kept: Kept) -> Outcome:
    """A reply of the store as it came."""
    error = None
    if kept.error is not None:
        said = json.loads(kept.error)
        error = Failure(FailureKind(said["kind"]), said["message"], said["status"])
    more: Mapping[str, Any] = {} if kept.more is None else json.loads(kept.more)
    used = Usage(kept.input_tokens, kept.output_tokens, more.get("reasoning_tokens"))
    beside = (more.get(name) for name in ("reasoning", "served", "logprobs"))
    return Outcome(kept.reply, used, kept.finish_reason, kept.latency_s, error, *beside)
