"""Requests into batch files: those that have no reply yet, each content once."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from curation.files.lock import writing_results
from curation.files.workspace import Workspace
from curation.records.errors import CurateError
from curation.records.wording import plural
from evaluation.batch.folder import Draft, Round, Row, model_folder, new_round, read_rounds
from evaluation.batch.formats import LIMITS, BatchFile, Limits, Order, Parts, batch_item, custom_id
from evaluation.requests import REQUESTS, Request, messages_hash
from evaluation.runner.index import RequestIndex, index_requests
from evaluation.runner.reply_file import FILE as REPLIES
from evaluation.runner.reply_file import ReplyFile, outcome_of, read_standing, reply_line
from evaluation.runner.store import FILE as STORE
from evaluation.runner.store import Store

_CHUNK = 4096  # requests that are looked up together


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be written where.

    Attributes:
        order: Which model is asked, and how.
        limits: The most that one batch file may hold.
        folder: The folder of batches.
        replies: The file of replies; it gets what the store has.
        again: Whether requests are written that are in batches whose results were not read.
    """

    order: Order
    limits: Limits
    folder: Path
    replies: Path
    again: bool = False


@dataclass(slots=True)
class Written:
    """What was written.

    Attributes:
        requests: The requests there are.
        before: Those that had a reply.
        from_store: Those whose reply the store had; it is in the file of replies now.
        epochs: In how many epochs they are asked.
        waiting: Those in batches whose results were not read.
        alike: Those of them that wait for the reply of another one with the same messages, from a
            round that was written before each was asked for itself.
        written: Those that the new batch files ask.
        shared: Those among them that say the same as another, so that it is asked for both.
        folder: The round's folder; None where nothing was left to write.
        files: Its batch files.
    """

    requests: int
    before: int
    from_store: int = 0
    waiting: int = 0
    alike: int = 0
    epochs: int = 1
    written: int = 0
    shared: int = 0
    folder: Path | None = None
    files: tuple[BatchFile, ...] = field(default=())


def write(
    workspace: Workspace,
    order: Order,
    *,
    requests: Path | None = None,
    replies: Path | None = None,
    store: Path | None = None,
    folder: Path | None = None,
    limits: Limits | None = None,
    again: bool = False,
) -> Written:
    """Write the requests of a workspace that have no reply as batch files.

    Args:
        workspace: The workspace.
        order: Which model is asked, and how.
        requests: What is asked; None for `exports/evaluation/requests.jsonl`.
        replies: Replies there are; None for `replies.jsonl` beside the requests.
        store: Every reply that was ever paid for; None for the workspace's.
        folder: The folder of this model's batches; None for that in the workspace's exports.
        limits: The most that a file may hold; None for what the provider allows.
        again: Whether to write again what is in batches whose results were not read.

    Raises:
        CurateError: If there is no request, some got a reply with another prompt or other
            parameters, or as `write_batches` says.
    """
    asked = requests or workspace.exports_folder / "evaluation" / REQUESTS
    plan = Plan(
        order=order,
        limits=limits or LIMITS[order.format],
        folder=folder or model_folder(workspace, order.model),
        replies=replies or asked.with_name(REPLIES),
        again=again,
    )
    with (
        Store(store or workspace.curate_folder / STORE) as kept,
        writing_results(plan.folder, "curate evaluate batch write", workspace),
        index_requests(asked, order.model, order.parameters, draws=order.draws) as index,
    ):
        if not len(index):
            hint = "write them with 'curate evaluate prepare'"
            raise CurateError("there is no request", str(asked), hint)
        standing = read_standing(plan.replies, index, order.model, kept.put)
        if standing.changed:
            raise CurateError(
                f"{standing.changed:,} {plural('request', standing.changed)} "
                f"({standing.example}) got a reply with a different prompt or different "
                "parameters",
                str(plan.replies),
                "name another file with --replies",
            )
        return write_batches(plan, index, standing.done, kept)


def write_batches(plan: Plan, index: RequestIndex, done: bytearray, store: Store) -> Written:
    """Write the requests that have no reply as a new round of batch files.

    What was asked before is not asked again: requests with a reply in the file or in the store
    are left out, and those in batches whose results were not read. Of requests that say the same
    one is asked, and its reply is that of all of them.

    Args:
        plan: What is written where.
        index: The requests, with keys of the order's model and parameters.
        done: By place, whether the file of replies has a reply.
        store: Replies by key.

    Raises:
        CurateError: If the folder's other rounds ask different things, a request is in none of
            the format's forms, or something cannot be written.
    """
    rounds = read_rounds(plan.folder)
    if rounds and rounds[0].order != plan.order:
        raise CurateError(
            f"this folder holds batches for {_said(rounds[0].order)}, not {_said(plan.order)}",
            str(plan.folder),
            "name another folder with --batches",
        )
    report = Written(len(index), sum(done), epochs=index.epochs)
    waiting, alike = (set(), {}) if plan.again else _waiting(rounds)
    number = int(rounds[-1].folder.name) + 1 if rounds else 1
    with ExitStack() as stack:
        draft = stack.enter_context(new_round(plan.folder, number))
        with Parts(draft.folder, plan.order.format, plan.limits) as parts:
            writer = _Writer(plan, index, draft, parts, number)
            for at in _unknown(plan, index, done, store, report):
                if index.key(at) in waiting:
                    report.waiting += 1
                    continue
                if alike and _alike(index.request(at), alike):
                    report.waiting += 1
                    report.alike += 1
                    continue
                report.shared += writer.add(at)
                report.written += 1
        if report.written:
            draft.finish(plan.order, parts.files, index.path)
            report.folder = plan.folder / f"{number:03d}"
            report.files = tuple(parts.files)
    return report


def _said(order: Order) -> str:
    parameters = ", ".join(f"{name}={value}" for name, value in sorted(order.parameters.items()))
    return f"{order.model} ({order.format.value}; {parameters or 'no parameters'})"


def _waiting(rounds: Sequence[Round]) -> tuple[set[bytes], dict[str, int | None]]:
    """What is in batch files of which no results were read.

    Returns:
        The keys of the requests; and by id the hash of the messages of those whose key another
        one has too. Such a request may have a key of its own today, and gets that reply all the
        same: asked once more, it would be paid for twice.
    """
    found: set[bytes] = set()
    alike: dict[str, int | None] = {}
    for item in rounds:
        unread = item.unread
        if not unread:
            continue
        for row in item.rows():
            if row.file not in unread:
                continue
            if row.key in found:
                alike[row.request_id] = row.asked
            found.add(row.key)
    return found, alike


def _alike(request: Request, alike: Mapping[str, int | None]) -> bool:
    """Say whether a request waits for a reply that another one gets too."""
    if request.request_id not in alike:
        return False
    asked = alike[request.request_id]
    return asked is None or asked == messages_hash(request.messages)


def _unknown(
    plan: Plan, index: RequestIndex, done: bytearray, store: Store, report: Written
) -> Iterator[int]:
    """Yield the requests without a reply; those that the store has go to the file of replies."""
    places = (at for at in range(len(index)) if not done[at])
    with ExitStack() as stack:
        file: ReplyFile | None = None
        while chunk := list(islice(places, _CHUNK)):
            known = store.find([index.key(at) for at in chunk])
            lines: list[bytes] = []
            for at in chunk:
                kept = known.get(index.key(at))
                if kept is None:
                    continue
                request = index.request(at)
                asked = messages_hash(request.messages)
                outcome = outcome_of(kept)
                lines.append(reply_line(request.request_id, kept.model, kept.key, outcome, asked))
            if lines:
                file = file or stack.enter_context(ReplyFile(plan.replies))
                file.append(lines)
                report.from_store += len(lines)
            yield from (at for at in chunk if index.key(at) not in known)
        if file is not None:
            file.sync()


class _Writer:
    """Writes requests into batch files and the index.

    Args:
        plan: What is written where.
        index: The requests.
        draft: The round.
        parts: Its batch files.
        number: Its number, from 1.
    """

    def __init__(
        self, plan: Plan, index: RequestIndex, draft: Draft, parts: Parts, number: int
    ) -> None:
        self._number = number
        self._order = plan.order
        self._index = index
        self._draft = draft
        self._parts = parts
        self._twins = _twins(index)
        self._asked: dict[bytes, tuple[str, int]] = {}  # of twins alone

    def add(self, at: int) -> bool:
        """Write a request; says whether another one asks for it.

        Raises:
            CurateError: If the format cannot say it, or it is too large.
        """
        request, key = self._index.request(at), self._index.key(at)
        shared = key in self._asked
        if shared:
            name, file = self._asked[key]
        else:
            name = custom_id(self._order.format, request.request_id, self._number)
            try:
                item = batch_item(self._order, name, request)
            except ValueError as error:
                what = f"the request '{request.request_id}' cannot be asked so: {error}"
                hint = "write it in another format, or ask it with 'curate evaluate run'"
                raise CurateError(what, str(self._index.path), hint) from error
            file = self._parts.add(item)
            if key[:8] in self._twins:
                self._asked[key] = name, file
        size, asked = self._index.size(at), messages_hash(request.messages)
        self._draft.add(Row(name, request.request_id, key, size, file, asked))
        return shared


def _twins(index: RequestIndex) -> set[bytes]:
    """The first bytes of keys that several requests may have."""
    import numpy as np

    heads = np.array([int.from_bytes(index.key(at)[:8], "big") for at in range(len(index))], "u8")
    found, counts = np.unique(heads, return_counts=True)
    return {int(head).to_bytes(8, "big") for head in found[counts > 1]}
