"""Results of batches, line by line, into the file of replies and the store, each reply once."""

import hashlib
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from curation.files.jsonl import Line, line_problem, parse_line
from curation.files.lock import writing_results
from curation.files.tables import refuse_absent
from curation.files.workspace import Workspace
from curation.records.collecting import without_collecting
from curation.records.errors import CurateError
from curation.records.findings import Finding
from evaluation.batch.folder import Reading, Round, Row, model_folder, only_folder, read_rounds
from evaluation.runner.backend import Failure, FailureKind, Outcome, Usage
from evaluation.runner.backends.completions import (
    Scrubber,
    read_value,
    refusal,
    tokens,
    whole,
)
from evaluation.runner.replied import settled, stem
from evaluation.runner.reply_file import FILE as REPLIES
from evaluation.runner.reply_file import (
    ReplyFile,
    error_dict,
    kept_of,
    refuse_other,
    reply_line,
)
from evaluation.runner.store import FILE as STORE
from evaluation.runner.store import Store

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
                problems.append(line_problem(str(path), number, f"it is not a result: {error}"))
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
        raise ValueError("its 'response' is not an object")
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
        raise ValueError("its 'status_code' is not a number")
    if status != 200:
        # vLLM says why beside the response, OpenAI in its body.
        return Result(number, _failed_status(status, body or error), None)
    outcome = read_value(body, _SCRUBBER)
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
        raise ValueError("its 'result' is not an object")
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
    """Read a reply: its blocks of text, and apart from them those of thoughts.

    Raises:
        ValueError: If it is none.
    """
    try:
        if not isinstance(message, dict):
            raise TypeError
        blocks = message["content"]
        text = "".join(block["text"] for block in blocks if block["type"] == "text")
        thoughts = [block["thinking"] for block in blocks if block["type"] == "thinking"]
        reasoning = "\n".join(filter(None, thoughts))
    except (KeyError, TypeError) as error:
        raise ValueError("its message has no content") from error
    reason = message.get("stop_reason")
    outcome = Outcome(
        whole(text),
        _usage(message.get("usage")),
        reason if isinstance(reason, str) else None,
        reasoning=whole(reasoning),
    )
    model = message.get("model")
    return Result(number, settled(outcome), model if isinstance(model, str) else None)


def _usage(usage: object) -> Usage:
    """Count tokens; those that Anthropic read from a cache were sent, too."""
    if not isinstance(usage, dict):
        return Usage()
    names = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
    try:
        sent = [tokens(usage.get(name)) for name in names]
        made = tokens(usage.get("output_tokens"))
    except ValueError:
        return Usage(refused=True)
    counted = [count for count in sent if count is not None]
    return Usage(sum(counted) if counted else None, made)


_HINT = "correct the line or take it out, or name another file with --out"


class Standing:
    """What a file of replies says of requests: which have a reply, which a failure.

    Args:
        path: The file, whose last line is whole; where there is none nothing has a reply. Its
            lines are told apart by their keys, which hold the model, too.

    Raises:
        CurateError: If a line is no reply.
    """

    def __init__(self, path: Path) -> None:
        self._replied: set[bytes] = set()
        self._failed: set[bytes] = set()
        if not path.exists():
            return
        with path.open("rb") as stream:
            for number, data in enumerate(stream, start=1):
                if data.strip():
                    self._take(path, number, data)

    def replied(self, row: Row) -> bool:
        """Say whether a request has a reply."""
        return self.has(row.request_id, row.key)

    def has(self, request_id: str, key: bytes) -> bool:
        """Say whether a request has a reply to this key."""
        return _digest(request_id, key.hex()) in self._replied

    def failed_so(self, row: Row, error: object) -> bool:
        """Say whether the file holds this failure of a request."""
        return _digest(row.request_id, row.key.hex(), _text(error)) in self._failed

    def add_reply(self, row: Row) -> bool:
        """Note that a request has a reply; says whether it had none."""
        before = len(self._replied)
        self._replied.add(_digest_of(row))
        return len(self._replied) > before

    def add_failure(self, row: Row, error: object) -> None:
        """Note a failure."""
        self._failed.add(_digest(row.request_id, row.key.hex(), _text(error)))

    def _take(self, path: Path, number: int, data: bytes) -> None:
        line = parse_line(str(path), number, data, last=False)
        if not isinstance(line, Line):
            raise CurateError(line.message, f"{path}, line {number}", _HINT)
        refuse_other(path, line, _HINT)
        request_id, key = line.text("request_id"), str(line.value.get("key"))
        if line.value.get("reply") is None:
            self._failed.add(_digest(request_id, key, _text(line.value.get("error"))))
        else:
            self._replied.add(_digest(request_id, key))


def _text(error: object) -> str:
    return json.dumps(error, sort_keys=True)


def _digest(*texts: str) -> bytes:
    return hashlib.blake2b("\0".join(texts).encode(), digest_size=16).digest()


def _digest_of(row: Row) -> bytes:
    return _digest(row.request_id, row.key.hex())


_CHUNK = 4096  # replies that are written together


@dataclass(slots=True)
class Taken:
    """What was read.

    Attributes:
        model: The model.
        replies_file: The file of replies.
        results: Results in the files.
        replies: Replies that are new in the file of replies.
        known: Results whose request had a reply before.
        failed: Results without a reply, by kind.
        filtered: Replies that a content filter stopped; they count as they are.
        unfinished: Replies that ended within the model's thoughts.
        doubled: Results left out, for an earlier one has the same custom id.
        unknown: Custom ids that no batch has.
        problems: Lines that could not be read.
        missing: Requests left without a reply though the results of their batch were read.
        waiting: By batch file of which no results were read, how many requests wait for it.
    """

    model: str
    replies_file: Path
    results: int = 0
    replies: int = 0
    known: int = 0
    failed: Counter[FailureKind] = field(default_factory=Counter)
    filtered: int = 0
    unfinished: int = 0
    doubled: int = 0
    unknown: list[str] = field(default_factory=list)
    problems: list[Finding] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    waiting: dict[str, int] = field(default_factory=dict)

    @property
    def complete(self) -> bool:
        """Whether every request has its reply, and every line was read."""
        return not (self.missing or self.waiting or self.unknown or self.problems)

    def most_failed(self) -> list[tuple[FailureKind, int]]:
        """How many failed by kind, the most frequent first."""
        return sorted(self.failed.items(), key=lambda item: (-item[1], item[0].value))

    def as_dict(self) -> dict[str, object]:
        """The counts, as `--json` prints them beside the problems."""
        return {
            "model": self.model,
            "replies_file": str(self.replies_file),
            "results": self.results,
            "replies": self.replies,
            "known": self.known,
            "failed": {kind.value: count for kind, count in sorted(self.failed.items())},
            "content_filter": self.filtered,
            "cut_in_thoughts": self.unfinished,
            "doubled": self.doubled,
            "unknown": self.unknown,
            "missing": self.missing,
            "waiting": self.waiting,
        }


def read(
    workspace: Workspace,
    results: Sequence[Path],
    *,
    model: str | None = None,
    folder: Path | None = None,
    replies: Path | None = None,
    store: Path | None = None,
    accepted: Sequence[str] = (),
) -> Taken:
    """Read results of batches into the file of replies and the store, each reply once.

    Args:
        workspace: The workspace.
        results: Files of results, in any order; one that was read before changes nothing.
        model: Of which model's batches; None where there are those of one alone.
        folder: The folder of batches, in place of that in the workspace's exports.
        replies: The file of replies; None for `replies.jsonl` beside the requests.
        store: Every reply that was ever paid for; None for the workspace's.
        accepted: Names by which the provider may call the model, besides dated ones.

    Raises:
        CurateError: If there are no batches, or as `take_results` says.
    """
    place = folder or (model_folder(workspace, model) if model else only_folder(workspace))
    with writing_results(place, "curate evaluate batch read", workspace):
        rounds = read_rounds(place)
        if not rounds:
            hint = "name the folder that 'curate evaluate batch write' wrote to with --batches"
            raise CurateError("there are no batches here", str(place), hint)
        target = replies or rounds[-1].requests_file.with_name(REPLIES)
        with Store(store or workspace.curate_folder / STORE) as kept:
            return take_results(results, rounds, target, kept, accepted)


@without_collecting()
def take_results(
    paths: Sequence[Path],
    rounds: Sequence[Round],
    replies: Path,
    store: Store,
    accepted: Sequence[str] = (),
) -> Taken:
    """Read files of results and append what is new to the file of replies.

    Args:
        paths: Files of results, in any order; one that was read before changes nothing.
        rounds: The rounds of a folder of batches; there is one at least.
        replies: The file of replies.
        store: Gets the replies, too.
        accepted: Names by which the provider may call the model, besides dated ones.

    Raises:
        CurateError: If a file is not there, holds no result of these batches, or is of another
            model; or if something cannot be written.
    """
    known = list(rounds)
    model = rounds[0].order.model
    taken = Taken(model, replies)
    with ReplyFile(replies) as file:
        standing = Standing(replies)
        for path in dict.fromkeys(paths):
            results = read_results(path)
            _refuse_other_model(results, model, accepted)
            source = _sha256(path)
            at, rows = _home(known, results, source)
            _take(taken, results, rows, _Target(model, file, standing, store))
            if not results.problems:
                known[at] = _noted(known[at], rows, source)
        _look_for_missing(taken, known, standing)
    return taken


@dataclass(frozen=True, slots=True)
class _Target:
    """Where replies go."""

    model: str
    file: ReplyFile
    standing: Standing
    store: Store


def _sha256(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _refuse_other_model(results: Results, model: str, accepted: Sequence[str]) -> None:
    """Refuse results that name another model: nothing else could tell them apart.

    Raises:
        CurateError: If there is one.
    """
    names = {stem(model), *map(stem, accepted)}
    others = Counter(
        item.model
        for item in results.found.values()
        if item.model and stem(item.model) not in names
    )
    for name, count in others.most_common(1):
        raise CurateError(
            f"{count:,} results are of the model '{name}', and these batches ask '{model}'",
            str(results.path),
            f"name the batches of '{name}' with --batches; if the provider uses this name "
            f"for '{model}', add --accept-model '{name}'",
        )


def _home(rounds: Sequence[Round], results: Results, source: str) -> tuple[int, list[Row]]:
    """Find the round that results are of, and the requests that they answer.

    Results are of the round that has the most of their custom ids, which are of one round; where
    several have as many, for their ids were made otherwise, of one whose results were not read;
    of these, of the last.

    Returns:
        The round's place, and its requests that the results answer, in their order.

    Raises:
        CurateError: If no round has any of them.
    """
    best: tuple[bool, int, bool, int] | None = None
    home: list[Row] = []
    for at, item in enumerate(rounds):
        rows = list(item.rows(results.found))
        count = len({row.custom_id for row in rows})
        unread = item.unread
        rank = source in item.reading.sources, count, any(row.file in unread for row in rows), at
        if count and (best is None or rank > best):
            best, home = rank, rows
    if best is None:
        what = f"none of its {len(results.found):,} results belongs to these batches"
        hint = "name the folder that 'curate evaluate batch write' wrote with --batches"
        if not results.found:
            what, hint = "the file holds no result", "fetch the results again"
        raise CurateError(what, str(results.path), hint)
    return best[-1], home


def _take(taken: Taken, results: Results, rows: Sequence[Row], target: _Target) -> None:
    """Write the results of a file."""
    taken.results += len(results.found)
    taken.doubled += results.doubled
    taken.problems += results.problems
    there = {row.custom_id for row in rows}
    taken.unknown += [name for name in results.found if name not in there]
    following = iter(rows)
    while chunk := list(islice(following, _CHUNK)):
        _take_some(taken, results, chunk, target)
    target.file.sync()


def _take_some(taken: Taken, results: Results, rows: Sequence[Row], target: _Target) -> None:
    kept, lines = [], []
    for row in rows:
        outcome = results.found[row.custom_id].outcome
        if outcome.text is not None:
            if not target.standing.add_reply(row):
                taken.known += 1
                continue
            kept.append(kept_of(row.key, row.size, target.model, outcome))
            taken.replies += 1
            kind = None if outcome.error is None else outcome.error.kind
            taken.filtered += kind is FailureKind.CONTENT_FILTER
            taken.unfinished += kind is FailureKind.UNFINISHED
        elif target.standing.replied(row):
            taken.known += 1
            continue
        else:
            assert outcome.error is not None  # noqa: S101  # no text and no error: a fault of ours
            taken.failed[outcome.error.kind] += 1
            said = error_dict(outcome.error)
            if target.standing.failed_so(row, said):
                continue
            target.standing.add_failure(row, said)
        lines.append(reply_line(row.request_id, target.model, row.key, outcome, row.asked))
    target.store.put(kept)
    target.file.append(lines)


def _noted(item: Round, rows: Sequence[Row], source: str) -> Round:
    """Note of which batch files results have come."""
    names = {item.files[row.file - 1].name for row in rows}
    reading = Reading(item.reading.files | names, item.reading.sources | {source})
    return item if reading == item.reading else item.with_reading(reading)


def _look_for_missing(taken: Taken, rounds: Sequence[Round], standing: Standing) -> None:
    """Find the requests without a reply: some wait for results, some had theirs."""
    waiting: dict[str, str] = {}
    missing: dict[str, None] = {}
    for item in rounds:
        unread = item.unread
        for request_id, key, file in item.index.replies():
            if standing.has(request_id, key):
                continue
            missing[request_id] = None
            if file in unread:
                waiting[request_id] = str(item.folder / item.files[file - 1].name)
    taken.waiting = dict(Counter(waiting.values()))
    taken.missing = [name for name in missing if name not in waiting]
