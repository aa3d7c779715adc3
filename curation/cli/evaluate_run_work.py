"""What `curate evaluate run` does: files and store opened, requests asked, counts given."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import click

from curation.cli.common import plural
from curation.io.workspace import Workspace
from curation.model.errors import CurateError
from evaluation.runner import backends
from evaluation.runner.backend import Backend, BackendSettings, BatchBackend, FailureKind
from evaluation.runner.estimate import Estimate, estimate_run
from evaluation.runner.index import RequestIndex, index_requests
from evaluation.runner.prices import Price, Purse, load_price
from evaluation.runner.progress import Progress
from evaluation.runner.reply_file import ReplyFile, Standing, read_standing
from evaluation.runner.run import Job, Limits, run_requests
from evaluation.runner.tally import Ending, Tally
from evaluation.shards import Shard
from evaluation.store import Kept, Seen, Store


@dataclass(frozen=True, slots=True)
class Wanted:
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
        budget: The most that may be spent.
        most_output: The most tokens of a reply.
        again: Whether requests are asked again that have changed since they got a reply.
        scheduler: A cluster's, whose workers open the backend; None to open it here.
    """

    workspace: Workspace
    requests: Path
    replies: Path
    store: Path
    backend: str
    settings: BackendSettings
    limits: Limits
    shard: Shard | None
    prices: Path | None
    budget: float | None
    most_output: int | None
    again: bool
    scheduler: str | None = None

    def price(self, model: str) -> Price | None:
        """Read a model's price.

        Raises:
            CurateError: If the file has none.
        """
        return None if self.prices is None else load_price(self.prices, model)


@dataclass(frozen=True, slots=True)
class Ran:
    """What a run has done.

    Attributes:
        wanted: What was asked for.
        model: The model's name in replies.
        tally: Counts.
        purse: The cost.
        standing: What the file of replies said before.
        mended: Bytes of a line that a kill had left half written.
    """

    wanted: Wanted
    model: str
    tally: Tally
    purse: Purse
    standing: Standing
    mended: int


@dataclass(frozen=True, slots=True)
class Foreseen:
    """What a run would do."""

    wanted: Wanted
    model: str
    requests: int
    standing: Standing
    price: Price | None
    estimate: Estimate


def foresee(wanted: Wanted) -> Foreseen:
    """Count and estimate what a run would do; nothing is sent or written.

    Raises:
        CurateError: If a file cannot be read.
    """
    backend, _ = _opened(wanted)
    price = wanted.price(backend.model)
    with _indexed(wanted, backend) as index, Store(wanted.store, read_only=True) as store:
        standing = _standing(wanted, backend.model, index, None)
        estimate = estimate_run(
            index,
            standing.done,
            store,
            backend.model,
            price,
            wanted.most_output,
            wanted.limits.limit,
        )
        return Foreseen(wanted, backend.model, len(index), standing, price, estimate)


def run_wanted(wanted: Wanted) -> Ran:
    """Ask what has no reply.

    Raises:
        CurateError: If a file cannot be read or written, or the backend cannot be opened.
    """
    backend, limits = _opened(wanted)
    price = wanted.price(backend.model)
    if sys.stderr.isatty():  # a million lines take a minute
        click.echo(f"Reading {wanted.requests} ...", err=True)
    with (
        _indexed(wanted, backend) as index,
        _store(wanted) as store,
        ReplyFile(wanted.replies) as file,
    ):
        if file.mended:
            _note(f"the last line of {file.path} was cut off ({file.mended:,} bytes) and is gone")
        standing = _standing(wanted, backend.model, index, store)
        seen = Seen(0, 0, 0, 0) if store is None else store.seen(backend.model)
        purse = Purse(price, wanted.budget, wanted.most_output, seen)
        tally = Tally(requests=len(index), before=standing.answered)
        with Progress(sys.stderr, purse) as progress:
            job = Job(
                index,
                standing.done,
                backend,
                store,
                file,
                purse,
                limits,
                _note,
                progress.tick,
            )
            run_requests(job, tally)
        return Ran(wanted, backend.model, tally, purse, standing, file.mended)


def _opened(wanted: Wanted) -> tuple[Backend | BatchBackend, Limits]:
    """Open the backend, here or on the workers of a cluster, and say how it is asked."""
    if wanted.scheduler is None:
        return backends.open_backend(wanted.backend, wanted.settings), wanted.limits
    from evaluation.distributed.backend import open_on_cluster

    found = open_on_cluster(wanted.scheduler, wanted.backend, wanted.settings, _note)
    concurrency = found.concurrency(wanted.limits.concurrency)
    return found, replace(wanted.limits, concurrency=concurrency)


@contextmanager
def _store(wanted: Wanted) -> Iterator[Store | None]:
    if not backends.keeps(wanted.backend):
        yield None
        return
    with Store(wanted.store) as store:
        yield store


@contextmanager
def _indexed(wanted: Wanted, backend: Backend | BatchBackend) -> Iterator[RequestIndex]:
    with index_requests(wanted.requests, backend.model, backend.parameters, wanted.shard) as index:
        if not len(index):
            part = f" in part {wanted.shard}" if wanted.shard else ""
            hint = "write them with 'curate evaluate prepare'"
            raise CurateError(f"there is no request{part}", str(wanted.requests), hint)
        yield index


def _standing(wanted: Wanted, model: str, index: RequestIndex, store: Store | None) -> Standing:
    """Read what the file of replies holds already.

    Raises:
        CurateError: If it has replies to other prompts, and they are not to be asked again.
    """
    standing = read_standing(wanted.replies, index, model, _seeding(store))
    changed = standing.changed
    if not changed:
        return standing
    what = (
        f"{changed:,} {plural('request', changed)} ({standing.example}) got "
        f"{'its reply' if changed == 1 else 'their replies'} with another prompt or other "
        "parameters than now"
    )
    if not wanted.again:
        raise CurateError(
            what,
            str(wanted.replies),
            "name another file with --replies, or ask them again with --ask-changed",
        )
    _note(f"{what}: asked again")
    return standing


def _seeding(store: Store | None) -> Callable[[Sequence[Kept]], None]:
    def seed(kept: Sequence[Kept]) -> None:
        if store is not None and kept:
            store.put(kept)

    return seed


def _note(line: str) -> None:
    click.echo(f"Note: {line}.", err=True)


def run_dict(ran: Ran) -> dict[str, object]:
    """Give a run as `--json` prints it."""
    tally, price = ran.tally, ran.purse.price
    problem = tally.problem
    return {
        **_common(ran.wanted, ran.model, tally.requests, ran.standing),
        "from_store": tally.from_store,
        "answered": tally.answered,
        "left": tally.left,
        "untried": tally.untried,
        "failed": {kind.value: count for kind, count in sorted(tally.failed.items())},
        "content_filter": tally.filtered,
        "cut_at_max_tokens": tally.cut_short,
        "sent_again": tally.retries,
        "maybe_billed": tally.unsure,
        "without_usage": tally.unmetered,
        "input_tokens": tally.input_tokens,
        "output_tokens": tally.output_tokens,
        "cost": None if price is None else round(ran.purse.spent, 6),
        "currency": None if price is None else price.currency,
        "ending": tally.ending.value,
        "problem": None
        if problem is None
        else {"kind": problem.kind.value, "message": problem.message, "status": problem.status},
        "cut_off_bytes": ran.mended,
    }


def foreseen_dict(found: Foreseen) -> dict[str, object]:
    """Give what a run would do as `--json` prints it."""
    estimate, price = found.estimate, found.price
    return {
        **_common(found.wanted, found.model, found.requests, found.standing),
        "in_store": estimate.in_store,
        "to_ask": estimate.to_ask,
        "input_tokens": estimate.input_tokens,
        "output_tokens": estimate.output_tokens,
        "estimated_from_replies": estimate.replies,
        "cost": None if estimate.cost is None else round(estimate.cost, 6),
        "currency": None if price is None else price.currency,
        "dry_run": True,
    }


def _common(wanted: Wanted, model: str, requests: int, standing: Standing) -> dict[str, object]:
    return {
        "model": model,
        "requests_file": str(wanted.requests),
        "replies_file": str(wanted.replies),
        "shard": None if wanted.shard is None else str(wanted.shard),
        "requests": requests,
        "before": standing.answered,
        "other_lines": standing.others,
    }


def left_error(ran: Ran) -> CurateError | None:
    """Say what is left without a reply; None where nothing is, or only so much was wanted."""
    tally = ran.tally
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
    return CurateError(left, _example(tally), again)


def _kinds(tally: Tally) -> list[FailureKind]:
    """Give the kinds of failures, the most frequent first."""
    return sorted(tally.failed, key=lambda kind: (-tally.failed[kind], kind.value))


def _example(tally: Tally) -> str:
    if not tally.failed:
        return ""
    kind = _kinds(tally)[0]
    request_id, failure = tally.examples[kind]
    return f"{request_id}: {kind.value}: {failure.message}"
