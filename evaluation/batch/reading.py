"""Results of batches into the file of replies and the store, each reply once."""

import hashlib
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from curation.model.errors import CurateError
from curation.model.findings import Finding
from evaluation.batch.folder import Reading, Round, Row
from evaluation.batch.results import Results, read_results
from evaluation.batch.standing import Standing
from evaluation.runner.backend import FailureKind
from evaluation.runner.kept import kept_of
from evaluation.runner.reply_file import ReplyFile, error_dict, reply_line
from evaluation.store import Store

_CHUNK = 4096  # replies that are written together
_DATED = re.compile(r"-(latest|\d{4}-\d{2}-\d{2}|\d{8})$")


@dataclass(slots=True)
class Taken:
    """What was read.

    Attributes:
        results: Results in the files.
        replies: Replies that are new in the file of replies.
        known: Results whose request had a reply before.
        failed: Results without a reply, by kind.
        filtered: Replies that a content filter stopped; they count as they are.
        doubled: Results left out, for an earlier one has the same custom id.
        unknown: Custom ids that no batch has.
        problems: Lines that could not be read.
        missing: Requests left without a reply though the results of their batch were read.
        waiting: By batch file of which no results were read, how many requests wait for it.
    """

    results: int = 0
    replies: int = 0
    known: int = 0
    failed: Counter[FailureKind] = field(default_factory=Counter)
    filtered: int = 0
    doubled: int = 0
    unknown: list[str] = field(default_factory=list)
    problems: list[Finding] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    waiting: dict[str, int] = field(default_factory=dict)

    @property
    def complete(self) -> bool:
        """Whether every request has its reply, and every line was read."""
        return not (self.missing or self.waiting or self.unknown or self.problems)


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
    taken = Taken()
    known = list(rounds)
    model = rounds[0].order.model
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
    names = {_stem(model), *map(_stem, accepted)}
    others = Counter(
        item.model
        for item in results.found.values()
        if item.model and _stem(item.model) not in names
    )
    for name, count in others.most_common(1):
        raise CurateError(
            f"{count:,} results are of the model '{name}', and these batches ask '{model}'",
            str(results.path),
            f"name the batches of '{name}' with --batches; if the provider calls '{model}' so, "
            f"add --accept-model '{name}'",
        )


def _stem(model: str) -> str:
    """Give a model's name without its date, and without the provider that gateways put before."""
    return _DATED.sub("", model.rsplit("/", 1)[-1].casefold())


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
        rows = [row for row in item.rows() if row.custom_id in results.found]
        count = len({row.custom_id for row in rows})
        unread = item.unread
        rank = source in item.reading.sources, count, any(row.file in unread for row in rows), at
        if count and (best is None or rank > best):
            best, home = rank, rows
    if best is None:
        what = f"none of its {len(results.found):,} results is of these batches"
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
        if target.standing.replied(row):
            taken.known += 1
            continue
        if outcome.text is not None:
            kept.append(kept_of(row.key, row.size, target.model, outcome))
            target.standing.add_reply(row)
            taken.replies += 1
            taken.filtered += outcome.error is not None
        else:
            assert outcome.error is not None  # noqa: S101  # no text and no error: a fault of ours
            taken.failed[outcome.error.kind] += 1
            said = error_dict(outcome.error)
            if target.standing.failed_so(row, said):
                continue
            target.standing.add_failure(row, said)
        lines.append(reply_line(row.request_id, target.model, row.key, outcome))
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
        for row in item.rows():
            if standing.replied(row):
                continue
            missing[row.request_id] = None
            if row.file in unread:
                name = str(item.folder / item.files[row.file - 1].name)
                waiting[row.request_id] = name
    taken.waiting = dict(Counter(waiting.values()))
    taken.missing = [name for name in missing if name not in waiting]


def example(names: Sequence[str], shown: int = 5) -> str:
    """Name a few."""
    return ", ".join(names[:shown]) + (", ..." if len(names) > shown else "")


def counted(failed: Mapping[FailureKind, int]) -> str:
    """Say how many failed, by kind, the most frequent first."""
    kinds = sorted(failed.items(), key=lambda item: (-item[1], item[0].value))
    return ", ".join(f"{count:,} {kind.value}" for kind, count in kinds)
