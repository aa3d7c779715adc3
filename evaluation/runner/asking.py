"""A run from beginning to end: files and store opened, requests asked, counts given."""

import hashlib
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from curation.files.workspace import Workspace
from curation.records.errors import CurateError
from curation.records.wording import plural
from evaluation.folders import stale
from evaluation.replies.reply import FailureKind
from evaluation.requests import REQUESTS, Shard
from evaluation.runner.backend import (
    Backend,
    BackendSettings,
    BatchBackend,
    equal_draws,
    keeps,
    open_backend,
)
from evaluation.runner.costs import Estimate, Price, Purse, estimate_run, load_price
from evaluation.runner.index import RequestIndex, index_requests
from evaluation.runner.reply_file import FILE as REPLIES
from evaluation.runner.reply_file import ReplyFile, Standing, read_standing
from evaluation.runner.run import Job, Limits, run_requests
from evaluation.runner.store import FILE as STORE
from evaluation.runner.store import Seen, Store
from evaluation.runner.tally import Ending, Tally


@dataclass(frozen=True, slots=True)
class RunPlan:
    """What is asked for.

    Attributes:
        workspace: The workspace.
        requests: The file of requests.
        replies: The file of replies.
        store: The store's file.
        backend: The backend's name.
        settings: What it is opened with.
        limits: How the run asks.
        shard: Only this part of the requests.
        prices: A file of prices.
        own_price: The model's price, in place of one in the file.
        budget: The most that may be spent.
        most_output: The most tokens of a reply.
    """

    workspace: Workspace
    requests: Path
    replies: Path
    store: Path
    backend: str
    settings: BackendSettings
    limits: Limits = field(default_factory=Limits)
    shard: Shard | None = None
    prices: Path | None = None
    own_price: Price | None = None
    budget: float | None = None
    most_output: int | None = None

    def price(self, model: str) -> Price | None:
        """Read a model's price.

        Raises:
            CurateError: If the file has none.
        """
        model = self.settings.called or model
        if self.own_price is not None or self.prices is None:
            return self.own_price
        return load_price(self.prices, model)


@dataclass(frozen=True, slots=True)
class Ran:
    """What a run of one model has done, or would do.

    Attributes:
        wanted: What was asked for.
        model: The model's name in replies.
        requests: How many requests there are.
        standing: What the file of replies said before; None where nothing could be begun.
        price: What the model costs.
        tally: Counts of what was asked.
        spent: What it cost.
        cut_off: Bytes of a line that a kill had left half written.
        estimate: What a run would take; None where it was not estimated.
        refused: Why nothing could be begun.
    """

    wanted: RunPlan
    model: str
    requests: int = 0
    standing: Standing | None = None
    price: Price | None = None
    tally: Tally = field(default_factory=Tally)
    spent: float = 0.0
    cut_off: int = 0
    estimate: Estimate | None = None
    refused: CurateError | None = None

    @property
    def interrupted(self) -> bool:
        """Whether the user stopped it."""
        return self.tally.ending is Ending.INTERRUPTED

    def as_dict(self) -> dict[str, object]:
        """The counts, as `--json` prints them."""
        if self.standing is None:
            return {"model": self.model}
        currency = None if self.price is None else self.price.currency
        found: dict[str, object] = {
            "model": self.model,
            "requests_file": str(self.wanted.requests),
            "replies_file": str(self.wanted.replies),
            "shard": None if self.wanted.shard is None else str(self.wanted.shard),
            "requests": self.requests,
            "before": self.standing.answered,
            "other_lines": self.standing.others,
            "currency": currency,
        }
        if self.estimate is not None:
            cost = self.estimate.cost
            found |= asdict(self.estimate)
            found["estimated_from_replies"] = found.pop("replies")
            return found | {"cost": None if cost is None else round(cost, 6), "dry_run": True}
        cost = None if self.price is None else round(self.spent, 6)
        return found | self.tally.as_dict() | {"cost": cost, "cut_off_bytes": self.cut_off}

    def error(self) -> CurateError | None:
        """Why requests are without a reply; None if none are, or a limit was set."""
        tally = self.tally
        if self.refused is not None:
            return self.refused
        if not tally.left or (tally.ending is Ending.LIMIT and not tally.failed):
            return None
        kinds = [f"{tally.failed[kind]:,} {kind.value}" for kind in _kinds(tally)]
        if tally.untried:
            kinds.append(f"{tally.untried:,} not tried")
        left = (
            f"{tally.left:,} of {tally.requests:,} {plural('request', tally.requests)} "
            f"{'is' if tally.left == 1 else 'are'} left without a reply: {', '.join(kinds)}"
        )
        again = "run the same command again: only what has no reply is asked"
        if tally.problem is not None:
            hint = tally.problem.hint or again
            return CurateError(f"the run stopped: {tally.problem.message}", left, hint)
        if tally.ending is Ending.BUDGET:
            return CurateError("the budget does not allow another request", left, again)
        if not tally.failed:
            return CurateError(left, "", again)
        kind = _kinds(tally)[0]
        request_id, failure = tally.examples[kind]
        advice = failure.hint if kind is FailureKind.MALFORMED else ""
        where = f"{request_id}: {kind.value}: {failure.message}"
        return CurateError(left, where, f"{advice}; then {again}" if advice else again)


def plan_run(
    workspace: Workspace,
    backend: str,
    settings: BackendSettings | None = None,
    *,
    requests: Path | None = None,
    replies: Path | None = None,
    store: Path | None = None,
    **others: Any,
) -> RunPlan:
    """Plan a run, by default with the workspace's own files.

    Args:
        workspace: The workspace.
        backend: The backend's name.
        settings: What it is opened with; by default the model has the backend's name.
        requests: The file of requests; None for `exports/evaluation/requests.jsonl`.
        replies: The file of replies; None for `replies.jsonl` beside the requests.
        store: The store's file; None for the workspace's.
        others: The further attributes of `RunPlan`.
    """
    asked = requests or workspace.exports_folder / "evaluation" / REQUESTS
    beside = replies or asked.with_name(REPLIES)
    kept = store or workspace.curate_folder / STORE
    opened = settings or BackendSettings(backend, workspace=workspace.root)
    return RunPlan(workspace, asked, beside, kept, backend, opened, **others)


Note = Callable[[str], None]
"""Takes what the user is to know meanwhile, a line without a full stop."""


def silent(_line: str) -> None:
    """Nobody is told."""


def run(
    wanted: RunPlan,
    note: Note = silent,
    progress: Callable[[Tally, Purse], None] | None = None,
) -> Ran:
    """Ask a model the requests that have no reply yet; each reply is written as it arrives.

    If a run ends early, the same call continues where it stopped, and nothing is paid twice. Where
    the settings are dry, what would be asked is counted and estimated; nothing is sent or written.

    Args:
        wanted: What is asked for.
        note: Called with messages for the user during the run.
        progress: Told how far the run is, some times a second.

    Raises:
        CurateError: If a file cannot be read or written, or the backend cannot be opened.
    """
    backend, limits = open_backend(wanted.backend, wanted.settings), wanted.limits
    price = wanted.price(backend.model)
    for finding in stale(wanted.workspace, wanted.requests):  # before anything is paid
        note(f"{finding.message}. To change that, {finding.hint}")
    single, turns = wanted.settings.called or backend.model, 2 if backend.asking.then_ask else 1
    if wanted.settings.dry:
        with _indexed(wanted, backend, note) as index, Store(wanted.store, read_only=True) as kept:
            standing = read_standing(wanted.replies, index, backend.model)
            purse = Purse(price, None, wanted.most_output, kept.seen(single), turns)
            found = estimate_run(index, standing.done, kept, purse, limits.limit)
            return Ran(wanted, backend.model, len(index), standing, price, estimate=found)
    with (
        _indexed(wanted, backend, note) as index,
        ReplyFile(wanted.replies) as file,
        _store(wanted, backend) as store,
    ):
        if file.cut_off:
            note(
                f"the last line of {file.path} was cut off ({file.cut_off:,} bytes) and was deleted"
            )
        standing = read_standing(wanted.replies, index, backend.model, store)
        seen = Seen() if store is None else store.seen(single)
        purse = Purse(price, wanted.budget, wanted.most_output, seen, turns)
        tally = Tally(requests=len(index), before=standing.answered)
        tick = (lambda _tally: None) if progress is None else partial(_tick, progress, purse)
        job = Job(index, standing.done, backend, store, file, purse, limits, note, tick, single)
        run_requests(job, tally)
        counted = len(index), standing, price, tally, purse.spent, file.cut_off
        return Ran(wanted, backend.model, *counted)


def _tick(progress: Callable[[Tally, Purse], None], purse: Purse, tally: Tally) -> None:
    progress(tally, purse)


_Any = Backend | BatchBackend


@contextmanager
def _store(wanted: RunPlan, backend: _Any) -> Iterator[Store | None]:
    """The store, with which one run at a time asks the same of a model: nothing is paid twice."""
    if not keeps(wanted.backend):
        yield None
        return
    asks = backend.model, asdict(backend.asking), str(wanted.requests.resolve()), wanted.shard
    digest = hashlib.sha256(json.dumps(asks, sort_keys=True, default=str).encode()).hexdigest()[:8]
    wanted.store.parent.mkdir(parents=True, exist_ok=True)
    held = FileLock(wanted.store.with_name(f".{wanted.store.name}-{digest}.lock"))
    try:
        held.acquire(timeout=0)
    except Timeout as error:
        what = f"another run is asking {backend.model} with this store"
        hint = "wait for it to end, or name a file for this one with --store: then both are paid"
        raise CurateError(what, str(wanted.store), hint) from error
    except OSError:
        pass  # a file system without locks
    try:
        with Store(wanted.store) as store:
            yield store
    finally:
        held.release()


@contextmanager
def _indexed(wanted: RunPlan, backend: _Any, note: Note) -> Iterator[RequestIndex]:
    with index_requests(wanted.requests, backend.asking, wanted.shard) as index:
        parameters = backend.asking.parameters
        equal = equal_draws(index.epochs, parameters) if keeps(wanted.backend) else None
        if equal:
            note(equal)
        yield index


def _kinds(tally: Tally) -> list[FailureKind]:
    """The kinds of failures, the most frequent first."""
    return sorted(tally.failed, key=lambda kind: (-tally.failed[kind], kind.value))
