"""Batch files to the provider and their results back, each file sent once.

`sent.json` beside the batch files says which file is which batch. It says so before a file is
sent, too: a command that ends in between leaves a question that is cleared up before anything is
sent again.
"""

import hashlib
import json
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from curation.files.atomic import atomic_text
from curation.files.lock import locked
from curation.files.tables import read_bytes
from curation.files.workspace import Workspace
from curation.records.errors import CurateError
from evaluation.batch.folder import Round, model_folder, only_folder, read_rounds
from evaluation.batch.formats import BatchFile, Format
from evaluation.batch.reading import Taken, read
from evaluation.batch.services import ADDRESSES, KEYS, Service, State, Unclear, open_service
from evaluation.runner.backends.openai import checked_address, key_from

SENT = "sent.json"
RESULTS = "results"
"""The folder of a round that what comes back is written to."""
EVERY_S = 60.0
"""Seconds between two looks at batches that are waited for."""
_SEND, _FETCH = "curate evaluate batch send", "curate evaluate batch fetch"
Note = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Server:
    """The server that batches go to.

    Attributes:
        address: Its address; None for the provider's own, or for OpenAI's OPENAI_BASE_URL.
        key_variable: The environment variable that holds the key; None for the usual one.
    """

    address: str | None = None
    key_variable: str | None = None

    def open(self, format_: Format, address: str | None = None) -> Service:
        """Open the server, or the one at another address that a file was sent to.

        Raises:
            CurateError: If there is no key, or the address is none.
        """
        own = os.environ.get("OPENAI_BASE_URL", "").strip() if format_ is Format.OPENAI else ""
        url = address or self.address or own or ADDRESSES[format_]
        url = checked_address(url, may_be_dated=False)
        hint = "set it to your key; for a server that needs none, to any word"
        key = key_from(self.key_variable or KEYS[format_], hint)
        return open_service(format_, url, key)


@dataclass(frozen=True, slots=True)
class Sent:
    """A batch file that was sent, or was being sent.

    Attributes:
        path: The batch file.
        address: Of the server.
        begun: When sending began, in seconds since 1970.
        batch: Its batch at the provider; None while nobody knows whether it has one.
        state: What was last seen of it.
    """

    path: Path
    address: str
    begun: float
    batch: str | None = None
    state: State | None = None


@dataclass(frozen=True, slots=True)
class Sending:
    """What `send` did.

    Attributes:
        model: The model.
        sent: The files that were sent now.
        adopted: Those that turned out to have been sent before.
        before: Those whose batches were known before.
        left: Those that are still to be sent.
        requests: How many requests the files hold that were sent now.
    """

    model: str
    sent: tuple[Sent, ...]
    adopted: tuple[Sent, ...]
    before: tuple[Sent, ...]
    left: tuple[Path, ...]
    requests: int


@dataclass(frozen=True, slots=True)
class Fetched:
    """What `fetch` found.

    Attributes:
        model: The model.
        batches: The batches whose results were not read before, as they were last seen.
        unsent: Batch files that were not sent.
        taken: What their results gave; None where none has come.
    """

    model: str
    batches: tuple[Sent, ...]
    unsent: tuple[Path, ...]
    taken: Taken | None

    @property
    def running(self) -> int:
        """How many batches are not done yet."""
        return sum(item.state is not None and not item.state.ended for item in self.batches)

    @property
    def complete(self) -> bool:
        """Whether every request has its reply."""
        done = not (self.running or self.unsent or any(_lost(item) for item in self.batches))
        return done and (self.taken is None or self.taken.complete)


def send(
    workspace: Workspace,
    *,
    model: str | None = None,
    folder: Path | None = None,
    server: Server | None = None,
    most: int | None = None,
    known: Mapping[str, str] | None = None,
    not_sent: Sequence[str] = (),
    note: Note = lambda _text: None,
) -> Sending:
    """Send the batch files that were not sent yet, each once.

    Args:
        workspace: The workspace.
        model: Of which model's batches; None where there are those of one alone.
        folder: The folder of batches, in place of that in the workspace's exports.
        server: Where to; None for the provider's own with the usual key.
        most: Send so many files at most.
        known: By file name the batch that it was sent as, by hand or by a command that ended.
        not_sent: Names of files of which that is not known, and which were not sent.
        note: Told of each file.

    Raises:
        CurateError: If there is no key, a file was changed, the server refuses, or it is not
            known whether a file was sent. What was sent before stays noted.
    """
    place, rounds = _rounds(workspace, model, folder)
    server = server or Server()
    order = rounds[0].order
    with _alone(place, _SEND, workspace):
        rounds = read_rounds(place)
        books = [_Book(item) for item in rounds]
        files = [(book, file) for book in books for file in book.unread]
        _settle(files, server, known or {}, not_sent)
        done: list[Sent] = []
        adopted: list[Sent] = []
        before = [book.sent[file.name] for book, file in files if book.is_sent(file)]
        open_ = [(book, file) for book, file in files if not book.is_sent(file)]
        now = open_ if most is None else open_[:most]
        requests = 0
        if now:
            with closing(server.open(order.format)) as service:
                for at, (book, file) in enumerate(now, start=1):
                    path = book.path(file)
                    found = book.clear(file, service)
                    if found is not None:
                        adopted.append(found)
                        note(f"{path}: was sent before, as {found.batch}")
                        continue
                    done.append(book.send(file, service))
                    requests += file.requests
                    note(f"{path}: sent as {done[-1].batch} ({at} of {len(now)})")
    left = tuple(book.path(file) for book, file in open_[len(now) :])
    return Sending(order.model, tuple(done), tuple(adopted), tuple(before), left, requests)


def fetch(
    workspace: Workspace,
    *,
    model: str | None = None,
    folder: Path | None = None,
    server: Server | None = None,
    replies: Path | None = None,
    store: Path | None = None,
    accepted: Sequence[str] = (),
    every_s: float | None = None,
    note: Note = lambda _text: None,
    sleep: Callable[[float], None] = time.sleep,
) -> Fetched:
    """Look at the batches that were sent, and read the results of those that are done.

    Args:
        workspace: The workspace.
        model: Of which model's batches; None where there are those of one alone.
        folder: The folder of batches, in place of that in the workspace's exports.
        server: Whose key to use; batches are looked for where they were sent to.
        replies: The file of replies; None for `replies.jsonl` beside the requests.
        store: Every reply that was ever paid for; None for the workspace's.
        accepted: Names by which the provider may call the model, besides dated ones.
        every_s: Wait until all are done, and look every so many seconds; None to look once.
        note: Told of each batch whenever it is looked at.
        sleep: Waits so many seconds.

    Raises:
        CurateError: If nothing was sent, the server refuses, or results cannot be read.
    """
    place, rounds = _rounds(workspace, model, folder)
    server = server or Server()
    while True:
        with _alone(place, _FETCH, workspace):  # what 'send' notes meanwhile would be lost
            seen, unsent, paths = _looked(read_rounds(place), place, server, note)
        if every_s is None or all(item.state is None or item.state.ended for item in seen):
            break
        sleep(every_s)
    taken = None
    if paths:
        taken = read(
            workspace, paths, folder=place, replies=replies, store=store, accepted=accepted
        )
    return Fetched(rounds[0].order.model, tuple(seen), unsent, taken)


def _looked(
    rounds: Sequence[Round], place: Path, server: Server, note: Note
) -> tuple[list[Sent], tuple[Path, ...], list[Path]]:
    """Look at every batch once: what is seen, the files that were not sent, and results."""
    files = [(book, file) for book in map(_Book, rounds) for file in book.unread]
    there = [(book, file) for book, file in files if book.is_sent(file)]
    if files and not there:
        hint = "send them with 'curate evaluate batch send'"
        raise CurateError("none of these batch files was sent", str(place), hint)
    paths: list[Path] = []
    seen: list[Sent] = []
    services: dict[str, Service] = {}
    with ExitStack() as stack:
        for book, file in there:
            address = book.sent[file.name].address
            if address not in services:
                opened = server.open(rounds[0].order.format, address)
                services[address] = stack.enter_context(closing(opened))
            found, results = book.look(file, services[address])
            seen.append(found)
            paths += results
            note(said(found))
    return seen, tuple(book.path(file) for book, file in files if not book.is_sent(file)), paths


def said(item: Sent) -> str:
    """How far a batch is, on one line."""
    state = item.state
    if state is None:
        return f"{item.path.name}: sent as {item.batch}"
    counted = ""
    if state.asked is not None and state.answered is not None:
        counted = f", {state.answered:,} of {state.asked:,}"
    why = f": {state.message}" if state.message else ""
    return f"{item.path.name}: {state.status}{counted}{why}"


def _lost(item: Sent) -> bool:
    return item.state is not None and item.state.lost


def _alone(place: Path, command: str, workspace: Workspace) -> AbstractContextManager[None]:
    """A block in which nobody else sends or fetches; others may write to the workspace."""
    return locked(place, command, workspace.wait, workspace.on_wait, lock="sending")


def _rounds(
    workspace: Workspace, model: str | None, folder: Path | None
) -> tuple[Path, list[Round]]:
    place = folder or (model_folder(workspace, model) if model else only_folder(workspace))
    rounds = read_rounds(place)
    if not rounds:
        hint = "write them with 'curate evaluate batch write', or name their folder with --batches"
        raise CurateError("there are no batches here", str(place), hint)
    return place, rounds


class _Book:
    """What was sent of a round, as `sent.json` beside its files says."""

    def __init__(self, item: Round) -> None:
        self._round = item
        self._path = item.folder / SENT
        self.sent = dict(self._read()) if self._path.exists() else {}

    @property
    def format(self) -> Format:
        """The kind of its files."""
        return self._round.order.format

    @property
    def unread(self) -> list[BatchFile]:
        """The batch files of which no results were read."""
        return [self._round.files[at - 1] for at in sorted(self._round.unread)]

    def path(self, file: BatchFile) -> Path:
        """The path of a batch file."""
        return self._round.folder / file.name

    def is_sent(self, file: BatchFile) -> bool:
        """Whether a file has a batch that gives, or may still give, results."""
        found = self.sent.get(file.name)
        return found is not None and found.batch is not None and not _lost(found)

    def is_unclear(self, file: BatchFile) -> bool:
        """Whether nobody knows if a file was sent."""
        found = self.sent.get(file.name)
        return found is not None and found.batch is None

    def note(self, file: BatchFile, sent: Sent | None) -> None:
        """Write down what is known of a file; None if it was not sent."""
        if sent is None:
            self.sent.pop(file.name, None)
        else:
            self.sent[file.name] = sent
        value = {name: _as_dict(item) for name, item in sorted(self.sent.items())}
        with atomic_text(self._path) as stream:
            stream.write(f"{json.dumps(value, ensure_ascii=False, indent=2)}\n")

    def clear(self, file: BatchFile, service: Service) -> Sent | None:
        """Find the batch of a file of which it is not known whether it was sent."""
        if not self.is_unclear(file):
            return None
        noted = self.sent[file.name]
        if noted.address != service.address:
            raise CurateError(
                f"{file.name} was being sent to {noted.address} when an earlier command ended",
                str(self._path),
                f"name that server with --base-url, or say '--not-sent {file.name}'",
            )
        batch = service.sent_before(file.sha256, noted.begun)
        if batch is None:
            return None
        found = replace(noted, batch=batch)
        self.note(file, found)
        return found

    def send(self, file: BatchFile, service: Service) -> Sent:
        """Send a file, and write down before and after that it is so."""
        path = self.path(file)
        if not path.is_file():
            raise CurateError("the batch file is gone", str(path), "write it again: --again")
        with path.open("rb") as stream:
            if hashlib.file_digest(stream, "sha256").hexdigest() != file.sha256:
                hint = "write the requests again with 'curate evaluate batch write --again'"
                raise CurateError("the batch file was changed", str(path), hint)
        begun = Sent(path, service.address, time.time())
        self.note(file, begun)
        try:
            done = replace(begun, batch=service.send(path, file.sha256))
        except Unclear as error:
            hint = "run the same command again: it asks the server first whether it has the file"
            raise CurateError(error.what, str(path), hint) from error
        except CurateError as error:
            self.note(file, None)
            raise CurateError(error.what, str(path), error.hint) from error
        self.note(file, done)
        return done

    def look(self, file: BatchFile, service: Service) -> tuple[Sent, list[Path]]:
        """See how far a batch is; of one that is done, get the results."""
        found = self.sent[file.name]
        assert found.batch is not None  # noqa: S101  # only what was sent is looked at
        state = service.look(found.batch)
        found = replace(found, state=state)
        self.note(file, found)
        paths = []
        for kind, place in state.results.items() if state.ended else ():
            path = self._round.folder / RESULTS / f"{Path(file.name).stem}-{kind}.jsonl"
            if not path.exists():
                service.fetch(place, path)
            paths.append(path)
        return found, paths

    def _read(self) -> Iterator[tuple[str, Sent]]:
        names = {file.name for file in self._round.files}
        try:
            for name, item in json.loads(read_bytes(self._path)).items():
                if name not in names:
                    raise ValueError(f"there is no file {name}")
                state = item.get("state")
                yield (
                    name,
                    Sent(
                        self._round.folder / name,
                        str(item["address"]),
                        float(item["begun"]),
                        None if item["batch"] is None else str(item["batch"]),
                        None if state is None else State(str(item["batch"]), **state),
                    ),
                )
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise CurateError(
                f"{SENT} is damaged: {error}",
                str(self._path),
                "look up the batches at the provider, delete the file, and say which file is "
                "which batch: curate evaluate batch send --sent FILE=BATCH",
            ) from error


def _as_dict(item: Sent) -> dict[str, Any]:
    state = item.state
    return {
        "address": item.address,
        "begun": item.begun,
        "batch": item.batch,
        "state": None
        if state is None
        else {
            "status": state.status,
            "ended": state.ended,
            "asked": state.asked,
            "answered": state.answered,
            "results": dict(state.results),
            "message": state.message,
        },
    }


def _settle(
    files: Sequence[tuple[_Book, BatchFile]],
    server: Server,
    known: Mapping[str, str],
    not_sent: Sequence[str],
) -> None:
    """Write down what the person knows of files, whole or not at all.

    Raises:
        CurateError: If a file is named that there is not, or of which it is known already.
    """
    by_name: dict[str, list[tuple[_Book, BatchFile]]] = {}
    for book, file in files:
        for name in (file.name, f"{book.path(file).parent.name}/{file.name}"):
            by_name.setdefault(name, []).append((book, file))
    chosen = {}
    for name in (*known, *not_sent):
        option = "--sent" if name in known else "--not-sent"
        places = by_name.get(name, [])
        if len(places) != 1:
            what = f"no batch file without results is called '{name}'"
            if places:
                what = f"{len(places)} batch files are called '{name}'"
            there = ", ".join(sorted(item for item in by_name if "/" in item))
            raise CurateError(what, option, f"name one of: {there}" if there else "leave it out")
        chosen[name] = places[0]
        book, file = places[0]
        if book.is_sent(file):
            batch = book.sent[file.name].batch
            raise CurateError(f"'{name}' was sent, as {batch}", option, "leave it out")
        if name in not_sent and not book.is_unclear(file):
            raise CurateError(f"'{name}' was not sent", option, "leave it out")
    for name, batch in known.items():
        book, file = chosen[name]
        with closing(server.open(book.format)) as service:
            service.look(batch)
            book.note(file, Sent(book.path(file), service.address, time.time(), batch))
    for name in not_sent:
        book, file = chosen[name]
        book.note(file, None)
