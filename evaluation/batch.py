"""Batch files of OpenAI's form: written here, answered by a provider or by vLLM, and read back.

What a model's folder of batch files says is all that is known of them. Each round of writing has a
folder of its own, `001`, `002` and so on, that is never changed. The folder's `read.json` names the
files whose results were read. Each content is asked once, and each reply is read once.
"""

import json
import os
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import IO, Any, NamedTuple

from curation.files.atomic import refused, scratch_folder, write_file
from curation.files.jsonl import Line, one_line, parse_line
from curation.files.lock import writing_results
from curation.files.tables import read_bytes
from curation.records.annotation import without_collecting
from curation.records.messages import CurateError, Finding, refusal
from curation.web import Scrubber
from evaluation.replies.reply import (
    Failure,
    FailureKind,
    Reply,
    line_blocks,
    lines_of,
    read_rows,
    reply_line,
)
from evaluation.requests import Request, messages_hash, read_requests, split_epoch
from evaluation.runner.asking import RunPlan
from evaluation.runner.backends.completions import read_value, refused_reply, stem
from evaluation.runner.index import (
    ENCODE,
    Asking,
    RequestIndex,
    index_requests,
    own_part,
    reply_key,
)
from evaluation.runner.run import RunCounts, unknown
from evaluation.runner.store import ReplyFile, Store, read_standing, write_replies

__all__ = ["read", "write"]

READ = "read.json"
FOLDER = "batches"
"""The folder of batches beside a file of replies."""
_URL = "/v1/chat/completions"
_HINT = "delete this folder of batches and write them again: curate evaluate run --batch"


MOST, LARGEST = 50_000, 200_000_000
"""How many requests one batch file may hold, and how many bytes, as OpenAI takes them."""


class BatchRequest(NamedTuple):
    """A request as a batch file asks it.

    Attributes:
        custom_id: What the file calls it.
        request_id: The request.
        key: Of its reply.
        messages: The hash of its messages.
        asking: The model that is asked, and every parameter; of a later epoch its own seed.
    """

    custom_id: str
    request_id: str
    key: bytes
    messages: int
    asking: Asking


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


def read_batch(path: Path) -> Iterator[BatchRequest]:
    """Yield what a batch file asks.

    Raises:
        CurateError: If a line is damaged.
    """
    number = int(path.parent.name)
    ending = custom_id("", number)
    asking: Asking | None = None
    with path.open("rb") as stream:
        for at, data in enumerate(stream, start=1):
            line = parse_line(str(path), at, data, last=False)
            try:
                if not isinstance(line, Line):
                    raise ValueError(line.message)
                name, body = line.text("custom_id"), line.value["body"]
                messages = body["messages"]
                parameters = {item: body[item] for item in body.keys() - {"messages"}}
                if asking is None or asking.parameters != parameters:
                    asking = Asking(body["model"], parameters, draws_unset=True)
                request_id = name.removesuffix(ending)
                key = reply_key(body, own_part(request_id, draws=asking.draws))
                yield BatchRequest(name, request_id, key, messages_hash(messages), asking)
            except (AttributeError, KeyError, TypeError, ValueError) as error:
                where = f"{path}, line {at}"
                raise CurateError(f"the batch file is damaged: {error}", where, _HINT) from error


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
        raise refusal(__package__, "batch-models", str(parent), names=names)
    return found[0]


def write(plan: RunPlan, folder: Path | None = None) -> dict[str, Any]:
    """Write the requests of a run that have no reply as a new round of batch files.

    What was asked before is not asked again: requests with a reply in the file or in the store
    are left out, and those in batches whose results were not read. Of requests that say the same,
    and whose replies are not drawn, one is asked.

    Gives how many `requests` there are; how many had a reply `before`, or get one `from_store`, or
    are `waiting` for results; how many are `written`, those of them that are `shared` with another;
    in how many `epochs` they are asked; and the new `files`, each with its `path`, its `requests`
    and its `size` in bytes.

    Args:
        plan: What is asked, and how: replies are kept under the same key, whichever way they came.
        folder: The folder of this model's batches; None for that beside the file of replies.

    Raises:
        CurateError: If there is no request, some got a reply with another prompt or other
            parameters, the folder's other rounds ask another model or otherwise, or something
            cannot be written.
    """
    asking, model, file = plan.settings.asking(), plan.settings.model, plan.replies
    place = folder or model_folder(file, model)
    with (
        Store(plan.store) as kept,
        writing_results(place, "curate evaluate run", plan.workspace),
        index_requests(plan.requests, asking) as index,
        ReplyFile(file) as opened,
    ):
        standing = read_standing(file, index, model, kept)
        waiting = _waiting(place, index)
        tally = RunCounts()
        free = (at for at in range(len(index)) if not standing.done[at])
        places = array("L", unknown(index, free, kept, opened, tally, model))
        open_ = array("L", (at for at in places if index.key(at) not in waiting))
        report = {
            "requests": len(index),
            "before": standing.answered,
            "from_store": tally.from_store,
            "epochs": index.epochs,
            "waiting": len(places) - len(open_),
            "written": len(open_),
            "shared": 0,
            "files": [],
        }
        if open_:
            number = max((int(path.parent.name) for path in batch_files(place)), default=0) + 1
            repeats = index.repeats()
            asked_once = array("L", (at for at in open_ if not repeats[at]))
            requested = map(index.request, asked_once)
            lines = ((item.request_id, batch_line(asking, item, number)) for item in requested)
            report["shared"] = len(open_) - len(asked_once)
            report["files"] = [
                {"path": str(path), "requests": held, "size": size}
                for path, (held, size) in _write_round(place / f"{number:03d}", lines).items()
            ]
    if not file.stat().st_size:
        file.unlink()
    return report


def _waiting(folder: Path, index: RequestIndex) -> set[bytes]:
    """The keys of what is in batch files of which no results were read.

    Raises:
        CurateError: If they ask another model, or otherwise.
    """
    read = files_read(folder)
    found: set[bytes] = set()
    for path in batch_files(folder):
        for item in read_batch(path):
            (at,) = index.find([item.request_id])
            same = at is not None and messages_hash(index.request(at).messages) == item.messages
            if same and at is not None and index.key(at) != item.key:
                said = sorted(item.asking.parameters.items())
                shown = ", ".join(f"{name}={value}" for name, value in said)
                raise refusal(
                    __package__, "batch-another", str(folder), shown=shown, id=item.request_id
                )
            if path.relative_to(folder).as_posix() in read:
                break  # one of them says how all are asked
            found.add(item.key)
    return found


def _write_round(target: Path, lines: Iterable[tuple[str, bytes]]) -> dict[Path, tuple[int, int]]:
    """Write lines into files of a new folder, which appears when all of it is on the disk.

    Args:
        target: The folder.
        lines: Requests with the lines that ask them.

    Returns:
        By file how many requests it holds, and its bytes.

    Raises:
        CurateError: If a request is larger than a file may be, or something cannot be written.
    """
    files: dict[Path, tuple[int, int]] = {}
    with scratch_folder(target) as stage, ExitStack() as stack:
        try:
            stream: IO[bytes] | None = None
            count = size = 0
            for name, line in lines:
                if len(line) > LARGEST:
                    raise refusal(__package__, "batch-large", name=name, count=len(line))
                if stream is None or count == MOST or size + len(line) > LARGEST:
                    count = size = 0
                    path = stage / f"openai-{len(files) + 1:03d}.jsonl"
                    stream = stack.enter_context(path.open("wb"))
                stream.write(line)
                count, size = count + 1, size + len(line)
                files[target / path.name] = count, size
            stack.close()
            for path in stage.iterdir():
                with path.open("rb") as written:
                    os.fsync(written.fileno())
            stage.chmod(0o755)
            stage.rename(target)
        except OSError as error:
            raise refused(target, error) from error
    return files


_SCRUBBER = Scrubber()
_CODES = {
    "batch_expired": FailureKind.EXPIRED,
    "batch_cancelled": FailureKind.CANCELED,
    "batch_canceled": FailureKind.CANCELED,
}
_CHUNK = 4096  # replies that are written together
_Place = tuple[str, bytes]
"""A request, and the key of its reply."""


def read_results(paths: Sequence[Path], taken: "Taken") -> None:
    """Read files of results: OpenAI's (also of errors) or vLLM's, in any order.

    Of several results of one custom id the first reply counts.

    Args:
        paths: The files.
        taken: Gets what is found, how much was left out, and lines that hold no result; the last
            one of a file may be cut off.

    Raises:
        CurateError: If there is no such file.
    """
    found = taken.found
    for path in dict.fromkeys(paths):
        for block in line_blocks(path, 1 << 20):
            for item in lines_of(block, lambda line: (line.text("custom_id"), _result(line))):
                if isinstance(item, Finding):
                    taken.problems.append(item)
                    continue
                name, reply = item[0]
                taken.doubled += name in found
                if name not in found or found[name].text is None:
                    found[name] = reply


def _result(line: Line) -> Reply:
    """Read a result: a status with a body, or in vLLM's older files the body itself.

    Raises:
        ValueError: If it is none.
    """
    value = line.value
    if "response" not in value and "error" not in value:
        raise ValueError("it is not a result: it has neither 'response' nor 'error'")
    response, error = value.get("response"), value.get("error")
    if response is None:
        return Reply(None, error=_ended(error))
    if not isinstance(response, dict):
        raise ValueError("it is not a result: its 'response' is not an object")
    status, body = 200, response.get("body")
    if "status_code" in response:
        status = response["status_code"]
    elif "choices" in response:
        body = response
    if not isinstance(status, int):
        raise ValueError("it is not a result: its 'status_code' is not a number")
    if status != 200:
        # vLLM says why beside the response, OpenAI in its body.
        return refused_reply(status, body or error, {}, _SCRUBBER)
    return read_value(body, _SCRUBBER)


def _ended(error: object) -> Failure:
    """Say why there is no response."""
    value = error if isinstance(error, dict) else {"message": error}
    kind = _CODES.get(str(value.get("code")), FailureKind.SERVER)
    said = _SCRUBBER.clean(str(value.get("message") or value.get("code") or "no reason given"))
    return Failure(kind, said)


_PRINTED = (
    *("model", "replies_file", "results", "replies", "known", "failed", "content_filter"),
    *("cut_in_thoughts", "doubled", "unknown", "missing", "waiting"),
)


@dataclass
class Taken:
    """What was read.

    Attributes:
        model: The model.
        replies_file: The file of replies.
        found: The results in the files, by custom id.
        tally: Replies that are new in the file of replies, and results without one.
        known: Results whose request had a reply before.
        doubled: Results left out, for an earlier one has the same custom id.
        unknown: Custom ids that no batch has.
        problems: Lines that could not be read.
        missing: Requests left without a reply though the results of their batch were read.
        waiting: By batch file of which no results were read, how many requests wait for it.
    """

    model: str
    replies_file: Path
    found: dict[str, Reply] = field(default_factory=dict)
    tally: RunCounts = field(default_factory=RunCounts)
    known: int = 0
    doubled: int = 0
    unknown: list[str] = field(default_factory=list)
    problems: list[Finding] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    waiting: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._replied: dict[_Place, bool] = {}  # with a reply, or with a failure alone
        self._asked: set[str] = set()
        self._alike: dict[tuple[int, int], bytes] = {}

    @property
    def results(self) -> int:
        """How many results there are."""
        return len(self.found)

    @property
    def complete(self) -> bool:
        """Whether every request has its reply, and every line was read."""
        return not (self.missing or self.waiting or self.unknown or self.problems)

    def as_dict(self) -> dict[str, object]:
        """The counts, as `--json` prints them beside the problems."""
        counts = self.tally.as_dict() | {"replies": self.tally.answered}
        return {name: counts.get(name, getattr(self, name, None)) for name in _PRINTED}

    def take(self, folder: Path, files: Sequence[Path], store: Store, file: ReplyFile) -> set[str]:
        """Write what is new; gives the batch files that the results answer, by their names."""
        for reply, _ in read_rows(file.path):
            place = reply.request_id, reply.key
            self._replied[place] = reply.text is not None or self._replied.get(place, False)
        answered: set[str] = set()
        home: set[str] = set()
        left: list[tuple[_Place, str]] = []
        lines: list[tuple[Reply, bool]] = []
        for path in files:
            name = path.relative_to(folder).as_posix()
            for item in read_batch(path):
                self._asked.add(item.request_id)
                result = self.found.get(item.custom_id)
                if result is not None:
                    answered.add(item.custom_id)
                    home.add(name)
                    lines += self._new(item, result)
                place = item.request_id, item.key
                if not self._replied.get(place):
                    left.append((place, name))
        write_replies(store, file, lines)
        self.unknown = [name for name in self.found if name not in answered]
        read = files_read(folder) | (set() if self.problems else home)
        missing: dict[str, None] = {}
        waiting: dict[str, str] = {}
        for place, name in left:
            if not self._replied.get(place):
                missing[place[0]] = None
                if name not in read:
                    waiting[place[0]] = str(folder / name)
        self.waiting = dict(Counter(waiting.values()))
        self.missing = [name for name in missing if name not in waiting]
        return home

    def _new(self, item: BatchRequest, result: Reply) -> Iterator[tuple[Reply, bool]]:
        """Count a result; yields what is new of it."""
        place = item.request_id, item.key
        if result.text is not None:
            self._alike[item.messages, split_epoch(item.request_id)[1]] = item.key
        if self._replied.get(place):
            self.known += 1
            return
        reply = result._replace(
            request_id=item.request_id, model=item.asking.model, key=item.key, asked=item.messages
        )
        self.tally.add(reply)
        if reply.text is not None or place not in self._replied:
            yield reply, True
        self._replied[place] = reply.text is not None

    def answer_alike(self, requests: Path, store: Store, file: ReplyFile) -> None:
        """Give the replies to requests that say the same as one that was asked, in its epoch."""
        asked = (
            (request.request_id, self._alike.get((messages_hash(request.messages), request.epoch)))
            for request in read_requests(requests)
            if request.request_id not in self._asked
        )
        wanted = ((name, key) for name, key in asked if key and not self._replied.get((name, key)))
        while part := list(islice(wanted, _CHUNK)):
            kept = store.find([key for _, key in part])
            found = ((name, kept[key]) for name, key in part if key in kept)
            own = (it._replace(request_id=name, model=self.model) for name, it in found)
            lines = list(map(reply_line, own))
            file.append(lines)
            self.tally.answered += len(lines)


@without_collecting()
def read(
    plan: RunPlan,
    results: Sequence[Path],
    *,
    model: str | None = None,
    folder: Path | None = None,
    accepted: Sequence[str] = (),
) -> Taken:
    """Read results of batches into the file of replies and the store, each reply once.

    Args:
        plan: The files of the run; what was asked need not be there.
        results: Files of results, in any order; one that was read before changes nothing.
        model: Of which model's batches; None where there are those of one alone.
        folder: The folder of batches, in place of that beside the file of replies.
        accepted: Names by which the provider may call the model, besides dated ones.

    Raises:
        CurateError: If there are no batches, a file is not there, holds no result of these
            batches, or is of another model; or if something cannot be written.
    """
    asked, target = plan.requests, plan.replies
    place = folder or (model_folder(target, model) if model else only_folder(target))
    for name in accepted:
        if name != model and model_folder(target, name).exists():
            raise refusal(__package__, "batch-own", "--model", name=name, model=model)
    with writing_results(place, "curate evaluate replies", plan.workspace):
        files = batch_files(place)
        if not files:
            raise refusal(__package__, "batch-none", str(place))
        first = next(read_batch(files[0]))
        taken = Taken(first.asking.model, target)
        read_results(results, taken)
        _refuse_other_model(results, taken, accepted)
        with Store(plan.store) as kept, ReplyFile(target) as file:
            seen = taken.take(place, files, kept, file)
            if not seen:
                key, where = "strange" if taken.found else "empty", ", ".join(map(str, results))
                raise refusal(__package__, f"batch-{key}", where, count=taken.results)
            if asked.exists() and not first.asking.draws:
                taken.answer_alike(asked, kept, file)
            file.sync()
            if not taken.problems:
                names = sorted(files_read(place) | seen)
                write_file(place / READ, f"{json.dumps(names, indent=2)}\n")
    return taken


def _refuse_other_model(paths: Sequence[Path], taken: Taken, accepted: Sequence[str]) -> None:
    """Refuse results that name another model: nothing else could tell them apart.

    Raises:
        CurateError: If there is one.
    """
    model = taken.model
    names = {stem(model), *map(stem, accepted)}
    served = (item.served for item in taken.found.values())
    others = Counter(name for name in served if name and stem(name) not in names)
    for name, count in others.most_common(1):
        words = {"count": count, "name": name, "model": model}
        raise refusal(__package__, "batch-other-model", ", ".join(map(str, paths)), **words)
