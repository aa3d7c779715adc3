"""Replies of several parts into one file, which is shown to be whole before it is written.

Lines are copied as they are. Only where each lies is held in memory, and a hash of what it says.
"""

import hashlib
import json
import re
from array import array
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from curation.files.atomic import atomic_path
from curation.files.jsonl import Line, parse_line
from curation.files.lock import writing_results
from curation.files.tables import refuse_absent
from curation.files.workspace import Workspace
from curation.records.errors import CurateError
from curation.records.findings import Finding
from curation.records.wording import counted
from evaluation.replies.files import shortened
from evaluation.requests import ASKED, messages_hash, read_requests
from evaluation.runner.reply_file import refuse_other

_HINT = "correct the line or take it out"
_HASH = re.compile("[0-9a-f]{16}")
_GZIP = b"\x1f\x8b"


class Places:
    """The places of replies in files, as columns: there may be a million."""

    def __init__(self) -> None:
        self.file = array("H")
        self.offset = array("Q")
        self.line = array("L")
        self.says = array("Q")  # a hash of the reply; 0 for a failure
        self.asked = array("Q")  # the hash of what it answers; 0 where the line does not say it

    def add(self, file: int, offset: int, line: Line) -> int:
        """Take a line up; gives its number."""
        self.file.append(file)
        self.offset.append(offset)
        self.line.append(line.number)
        self.says.append(_says(line))
        self.asked.append(_asked(line))
        return len(self.file) - 1

    def replied(self, at: int) -> bool:
        """Say whether a line is a reply, and no failure."""
        return self.says[at] != 0


@dataclass(slots=True)
class Merged:
    """What several files of replies hold together.

    Attributes:
        paths: The files.
        models: By model and request the number of the line that counts.
        places: Where the lines lie.
        lines: Lines read.
        doubled: Replies left out that say what an earlier one says.
        overlap: Lines whose request has one in another file, too.
        failures: Failures left out, for a reply or a later failure stands for them.
        problems: Last lines that are cut off.
    """

    paths: Sequence[Path] = ()
    models: dict[str, dict[str, int]] = field(default_factory=dict)
    places: Places = field(default_factory=Places)
    lines: int = 0
    doubled: int = 0
    overlap: int = 0
    failures: int = 0
    problems: list[Finding] = field(default_factory=list)

    def has_reply(self, model: str, request_id: str) -> bool:
        """Say whether a model has replied to a request."""
        at = self.models[model].get(request_id)
        return at is not None and self.places.replied(at)


@dataclass(frozen=True, slots=True)
class Coverage:
    """What the requests say of merged replies.

    Attributes:
        requests: Their ids in their order.
        missing: By model, the requests without a reply.
        failed: By model, how many of these have a failure.
    """

    requests: Sequence[str]
    missing: dict[str, list[str]]
    failed: dict[str, int]


@dataclass(frozen=True, slots=True)
class MergeResult:
    """Replies of several parts, and the file that they were written to.

    Attributes:
        file: The file.
        written: Lines written; 0 where it was refused.
        lines: Lines read.
        models: By model, requests with a line.
        requests: How many requests there are; None where they were not named.
        missing: By model, the requests without a reply; None likewise.
        failed: By model, how many of these have a failure.
        doubled: Replies left out that say what an earlier one says.
        overlap: Lines whose request has one in another file, too.
        failures_left_out: Failures left out, for another line stands for them.
        findings: Last lines that are cut off.
        refused: Whether nothing was written, for requests lack a reply or lines are cut off.
    """

    file: Path
    written: int
    lines: int
    models: Mapping[str, int]
    requests: int | None
    missing: Mapping[str, Sequence[str]] | None
    failed: Mapping[str, int]
    doubled: int
    overlap: int
    failures_left_out: int
    findings: tuple[Finding, ...]
    refused: bool


def merge(
    replies: Sequence[Path],
    out: Path,
    requests: Path | None = None,
    *,
    allow_incomplete: bool = False,
    workspace: Workspace | None = None,
) -> MergeResult:
    """Join the replies of several parts in one file, unless some are missing.

    Args:
        replies: The files; one that is named twice is read once.
        out: The file for all replies.
        requests: All requests, to check that the parts together are complete.
        allow_incomplete: Whether to write although requests lack a reply.
        workspace: The workspace; its `wait` says how long to wait for other commands.

    Raises:
        CurateError: If a file cannot be read or written, or replies contradict each other.
    """
    paths = list(dict.fromkeys(replies))
    merged = read_parts(paths)
    coverage = None if requests is None else cover(merged, requests)
    lacking = coverage is not None and any(coverage.missing.values())
    refused = bool(lacking or merged.problems) and not allow_incomplete
    order = None if coverage is None else coverage.requests
    written = 0
    if not refused:
        with writing_results(out.parent, "curate evaluate merge", workspace):
            written = write_merged(out, paths, merged, order)
    return MergeResult(
        file=out,
        written=written,
        lines=merged.lines,
        models={model: len(places) for model, places in sorted(merged.models.items())},
        requests=None if coverage is None else len(coverage.requests),
        missing=None if coverage is None else coverage.missing,
        failed={} if coverage is None else coverage.failed,
        doubled=merged.doubled,
        overlap=merged.overlap,
        failures_left_out=merged.failures,
        findings=tuple(merged.problems),
        refused=refused,
    )


def read_parts(paths: Sequence[Path]) -> Merged:
    """Read the replies of several files.

    Of a request's lines the reply counts, and without one the last failure.

    Raises:
        CurateError: If a file is not there, a line is no reply, or a model has two different
            replies to one request.
    """
    merged = Merged(paths)
    places = merged.places
    conflicts: dict[str, None] = {}
    first = ""
    for number, path in enumerate(paths):
        for line, offset in _lines(path, merged):
            merged.lines += 1
            model, request_id = line.text("model"), line.text("request_id")
            at = places.add(number, offset, line)
            counts = merged.models.setdefault(model, {})
            earlier = counts.setdefault(request_id, at)
            if earlier == at:
                continue
            if _contradicts(merged, earlier, at):
                first = first or " and ".join(_shown(paths, places, n) for n in (earlier, at))
                conflicts[f"{request_id} ({model})"] = None
            elif not places.replied(earlier):
                counts[request_id] = at
    if conflicts:
        raise CurateError(
            f"{counted(len(conflicts), 'request has', 'requests have')} two different replies of "
            f"one model: {shortened(list(conflicts))}",
            f"the first: {first}",
            "decide which run counts, and merge without the other's file",
        )
    return merged


def _contradicts(merged: Merged, earlier: int, at: int) -> bool:
    """Count a line that is not the first of its request; says whether the replies differ."""
    places = merged.places
    merged.overlap += places.file[earlier] != places.file[at]
    if not (places.replied(earlier) and places.replied(at)):
        merged.failures += 1
        return False
    asked = {places.asked[n] for n in (earlier, at)} - {0}  # the same letter may answer others
    same = places.says[earlier] == places.says[at] and len(asked) < 2
    merged.doubled += same
    return not same


def _lines(path: Path, merged: Merged) -> Iterator[tuple[Line, int]]:
    """Yield the replies of a file with their offsets."""
    refuse_absent(path)
    offset = 0
    with path.open("rb") as stream:
        for number, data in enumerate(stream, start=1):
            if number == 1 and data.startswith(_GZIP):
                raise CurateError("the file is packed", str(path), "unpack it first: gunzip")
            if data.strip():
                line = parse_line(str(path), number, data, last=not data.endswith(b"\n"))
                if isinstance(line, Line):
                    refuse_other(path, line, _HINT, known=("reply", "error"))
                    yield line, offset
                elif data.endswith(b"\n"):
                    raise CurateError(line.message, f"{path}, line {number}", line.hint)
                else:
                    merged.problems.append(line)
            offset += len(data)


def _says(line: Line) -> int:
    """Hash what a reply says; 0 for a failure."""
    reply = line.value.get("reply")
    if reply is None:
        return 0
    text = json.dumps(reply).encode()  # half of a surrogate pair is no UTF-8
    return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "big") or 1


def _asked(line: Line) -> int:
    """The hash of the messages that a line answers; 0 where it says none."""
    found = line.value.get(ASKED)
    return int(found, 16) if isinstance(found, str) and _HASH.fullmatch(found) else 0


def _shown(paths: Sequence[Path], places: Places, at: int) -> str:
    return f"{paths[places.file[at]]}, line {places.line[at]}"


def cover(merged: Merged, requests: Path) -> Coverage:
    """Hold replies against the requests.

    Raises:
        CurateError: If a request's id occurs twice, or a reply answers none of the requests, or
            other messages than its request has.
    """
    order: dict[str, int] = {}
    for request in read_requests(requests):
        if request.request_id in order:
            what = f"the request '{request.request_id}' occurs twice"
            raise CurateError(what, str(requests), "write the requests again")
        order[request.request_id] = messages_hash(request.messages)
    missing: dict[str, list[str]] = {}
    failed: Counter[str] = Counter()
    for model, places in sorted(merged.models.items()):
        strange = [name for name in places if name not in order]
        if strange:
            raise CurateError(
                f"{model}: {counted(len(strange), 'reply answers', 'replies answer')} none of the "
                f"requests: {shortened(strange)}",
                str(requests),
                "name the requests that were asked with --requests",
            )
        _refuse_other(merged, places, order)
        missing[model] = [name for name in order if not merged.has_reply(model, name)]
        failed[model] = sum(name in places for name in missing[model])
    return Coverage(tuple(order), missing, dict(failed))


def _refuse_other(merged: Merged, counts: Mapping[str, int], order: Mapping[str, int]) -> None:
    """Refuse replies to other messages than the requests of the same ids have."""
    places = merged.places
    other = [
        name
        for name, at in counts.items()
        if places.replied(at) and places.asked[at] not in (0, order[name])
    ]
    if other:
        raise CurateError(
            f"{len(other):,} of {len(counts):,} replies answer other requests with the same ids: "
            f"the messages differ: {shortened(other)}",
            _shown(merged.paths, places, counts[other[0]]),
            "name with --requests the requests that were sent, and only files of replies to them",
        )


def write_merged(
    target: Path, paths: Sequence[Path], merged: Merged, order: Sequence[str] | None
) -> int:
    """Copy the lines that count in place of `target`; returns how many.

    Args:
        target: The file.
        paths: The files that were read.
        merged: What they hold.
        order: The requests in their order, in which each model's lines then stand; None for
            the order in which they were read.

    Raises:
        CurateError: If the file is one of those that are read, or cannot be written.
    """
    if target.resolve() in [path.resolve() for path in paths]:
        hint = "name another file with --out"
        raise CurateError("the merged replies would take the place of a part", str(target), hint)
    count = 0
    with ExitStack() as stack:
        streams = [stack.enter_context(path.open("rb")) for path in paths]
        out = stack.enter_context(stack.enter_context(atomic_path(target)).open("wb"))
        for at in _wanted(merged, order):
            place = merged.places
            out.write(_line_at(streams[place.file[at]], place.offset[at]))
            count += 1
    return count


def _wanted(merged: Merged, order: Sequence[str] | None) -> Iterator[int]:
    """Yield the numbers of the lines that count, in the order in which they are written."""
    if order is None:
        counting = (at for counts in merged.models.values() for at in counts.values())
        yield from sorted(counting)
        return
    for _, counts in sorted(merged.models.items()):
        yield from (counts[name] for name in order if name in counts)


def _line_at(stream: IO[bytes], offset: int) -> bytes:
    stream.seek(offset)
    data = stream.readline()
    return data if data.endswith(b"\n") else data + b"\n"
