"""What is kept of a run: the store of every reply that was ever paid for, and `replies.jsonl`.

The store finds a reply by a hash of what the model was sent. It is a cache: whatever it holds, the
files of replies hold too. `replies.jsonl` is appended to, cut off after a kill, and read on taking
up. What a file holds counts: a reply to the same key is not asked again, whether the store knows it
or not. A reply to the same request under another key was given to another prompt or with other
parameters.
"""

import asyncio
import json
import mmap
import os
import sqlite3
import time
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from itertools import islice
from pathlib import Path
from typing import IO, NamedTuple

from curation.files.atomic import Closing, lock_file
from curation.files.handles import SqliteFile, faults_said
from curation.files.jsonl import Line, parse_line
from curation.records.messages import CurateError, refusal
from evaluation.replies.reply import Reply, Usage, read_rows, refuse_packed, reply_line, reply_of
from evaluation.runner.index import RequestIndex

STORE = "replies.sqlite"
"""The store's usual name, in the workspace's folder of caches."""
_SPACE = (
    "check the folder's permissions and the free space, then run the same command again: nothing "
    "that was written is lost"
)
_VERSION = 3
_BUSY_S = 60.0  # another run's commit takes milliseconds; a full checkpoint some seconds
_SCHEMA = f"""
CREATE TABLE IF NOT EXISTS replies (key BLOB PRIMARY KEY, line TEXT NOT NULL) WITHOUT ROWID;
PRAGMA user_version = {_VERSION};
"""
_PUT = "INSERT INTO replies VALUES (?, ?) ON CONFLICT (key) DO NOTHING"


class EarlierCosts(NamedTuple):
    """What earlier replies took, for estimates: of one model to requests of one file.

    Attributes:
        replies: Replies of which the tokens are known.
        size: Their requests' sizes together.
        input_tokens: Their tokens together.
        output_tokens: Their tokens together.
    """

    replies: int = 0
    size: int = 0
    input_tokens: int = 0
    output_tokens: int = 0

    def with_reply(self, usage: Usage, size: int) -> "EarlierCosts":
        """The same with a reply to a request of some size, if its tokens are known."""
        used, made = usage.input_tokens, usage.output_tokens
        if used is None or made is None:
            return self
        replies, sizes, sent, received = self
        return EarlierCosts(replies + 1, sizes + size, sent + used, received + made)


class Store(SqliteFile):
    """Replies by key.

    Args:
        path: The SQLite file; it is made where there is none.
        read_only: Whether nothing will be written: a file that is not there stays so.

    Raises:
        CurateError: If the file is damaged, of another version, or cannot be written.
    """

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        super().__init__(
            path,
            "the store of replies",
            hint=_SPACE,
            damaged="it is damaged: delete it; the files of replies hold what it held",
            wait_s=_BUSY_S,
            read_only=read_only,
        )
        if self.database is None:
            return
        with self.opening() as database:
            (version,) = database.execute("PRAGMA user_version").fetchone()
            if version not in (0, _VERSION):
                told = {"version": version, "wanted": _VERSION}
                raise refusal("evaluation", "store-version", str(self.path), **told)
            if not read_only:
                _set_up(database, version)
        if read_only and version == 0:
            self.close()

    def find(self, keys: Sequence[bytes]) -> dict[bytes, Reply]:
        """The replies that are known, by key.

        Raises:
            CurateError: If the file cannot be read.
        """
        if self.database is None:
            return {}
        with self.using():
            rows = self.select("SELECT key, line FROM replies WHERE key IN", keys)
            return {key: reply_of(Line(0, json.loads(line))) for key, line in rows}

    def known(self, keys: Sequence[bytes]) -> set[bytes]:
        """Which of some keys have a reply.

        Raises:
            CurateError: If the file cannot be read.
        """
        if self.database is None:
            return set()
        with self.using():
            return {key for (key,) in self.select("SELECT key FROM replies WHERE key IN", keys)}

    def put(self, replies: Iterable[tuple[Reply, bytes]]) -> None:
        """Keep replies, all or nothing; on disk when it returns.

        Args:
            replies: Replies with their keys, and their lines. One that is known already stays as
                it is, and failures are not kept.

        Raises:
            CurateError: If they cannot be written.
        """
        rows = [(item.key, line.decode()) for item, line in replies if item.text is not None]
        if rows:
            with self.writing() as database:
                rows.sort(key=lambda row: row[0])  # keys one after another take less time
                database.executemany(_PUT, rows)


def _set_up(database: sqlite3.Connection, version: int) -> None:
    until = time.monotonic() + _BUSY_S
    while True:
        try:
            database.execute("PRAGMA journal_mode=WAL")
            break
        except sqlite3.OperationalError as error:
            # Unlike a transaction this change does not wait for another run's.
            if "locked" not in str(error) or time.monotonic() > until:
                raise
            time.sleep(0.01)
    database.execute("PRAGMA synchronous=FULL")
    if version == 0:
        database.executescript(f"BEGIN IMMEDIATE;{_SCHEMA}COMMIT;")


REPLIES = "replies.jsonl"
"""The file's usual name."""
_CHUNK = 4096  # lines that are looked up together


class RunState(NamedTuple):
    """What a file of replies says of the requests of a run.

    Attributes:
        done: By the request's place, whether it has a reply.
        answered: How many have.
        others: Lines of other models or requests.
        seen: What the replies took.
    """

    done: bytearray
    answered: int = 0
    others: int = 0
    seen: EarlierCosts = EarlierCosts()


_CHANGED, _DONE = 1, 2


def read_standing(
    path: Path, index: RequestIndex, model: str, store: Store | None = None
) -> RunState:
    """Read which requests have a reply; of several to one request the last one counts.

    Args:
        path: The file; where there is none nothing has a reply.
        index: The requests.
        model: The model that is asked.
        store: Gets the replies of the file that it lacks.

    Raises:
        CurateError: If a line is no reply, other than the last one, or a request has a reply to
            another prompt or with other parameters.
    """
    states, seen = bytearray(len(index)), EarlierCosts()
    others = 0
    if not path.exists():
        return RunState(states)
    refuse_packed(path)
    rows = read_rows(path)
    while part := list(islice(rows, _CHUNK)):
        places = index.find([reply.request_id for reply, _ in part])
        for (reply, _), at in zip(part, places, strict=True):
            if at is None or reply.model != model:
                others += 1
            elif reply.text is not None:
                states[at] = _DONE if reply.key == index.key(at) else _CHANGED
                seen = seen.with_reply(reply.usage, index.size(at))
        if store is not None:
            known = store.known([reply.key for reply, _ in part if reply.key])
            store.put(item for item in part if item[0].key and item[0].key not in known)
    changed = states.count(_CHANGED)
    if changed:
        example = index.request(states.index(_CHANGED)).request_id
        raise refusal("evaluation", "replies-changed", str(path), count=changed, id=example)
    done = states.translate(bytes(int(state == _DONE) for state in range(256)))
    return RunState(done, states.count(_DONE), others, seen)


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
            if lock_file(self._stream.fileno()) is False:
                raise refusal("evaluation", "replies-held", str(path))
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

    def _cut_off_torn_line(self) -> None:
        """Cut off a last line that a kill has left half written."""
        self._size = self._stream.seek(0, os.SEEK_END)
        if not self._size:
            return
        with mmap.mmap(self._stream.fileno(), 0, access=mmap.ACCESS_READ) as data:
            torn = data[data.rfind(b"\n") + 1 :]
        if not torn:
            return
        if isinstance(parse_line(str(self.path), 0, torn, last=True), Line):
            self._size += self._stream.write(b"\n")
            return
        self.cut_off = len(torn)
        self._size -= len(torn)
        self._stream.truncate(self._size)

    def _said(self) -> AbstractContextManager[None]:
        return faults_said("the file of replies cannot be written", self.path, _SPACE)


def write_replies(
    store: Store | None, file: ReplyFile, replies: Sequence[tuple[Reply, bool]]
) -> None:
    """Write replies into the store and the file, and into one of them where the other takes none.

    Args:
        store: The store; None for a backend that costs nothing.
        file: The file of replies.
        replies: Each with whether the file gets it, too.

    Raises:
        CurateError: If one of both cannot be written.
    """
    problem: CurateError | None = None
    lines = [reply_line(reply) for reply, _ in replies]
    if store is not None:
        try:
            kept = zip(replies, lines, strict=True)
            store.put((reply, line) for (reply, _), line in kept)
        except CurateError as error:
            # The file may be on another disk: what is paid for is not lost if it takes it.
            problem = error
    file.append([line for (_, listed), line in zip(replies, lines, strict=True) if listed])
    if problem is not None:
        raise problem


_LINGER_S = 0.01
"""Seconds in which replies gather for one commit."""

_Order = tuple[Reply, bool, "asyncio.Future[None]"]


class Recorder:
    """Takes replies from the event loop, and writes them in a thread beside it.

    What comes first is written first. When writing fails, everything after it fails alike.

    Args:
        store: The store; None for a backend that costs nothing.
        file: The file of replies.
    """

    def __init__(self, store: Store | None, file: ReplyFile) -> None:
        self._store = store
        self._file = file
        self._orders: list[_Order] = []
        self._problem: Exception | None = None
        self._writing: asyncio.Task[None] | None = None

    def save(self, reply: Reply, *, listed: bool = True) -> "asyncio.Future[None]":
        """Write a reply; the future is done when it is in the store and in the file.

        Its exception is a CurateError if that cannot be written.

        Args:
            reply: A reply or a failure, with request, model and key.
            listed: Whether the file gets it, too; a first turn's reply is no reply of its own.
        """
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._orders.append((reply, listed, future))
        if self._writing is None or self._writing.done():
            self._writing = asyncio.create_task(self._write_all())
        return future

    async def flush(self) -> None:
        """Wait until everything is written.

        Raises:
            CurateError: If something cannot be.
        """
        if self._writing is not None:
            await self._writing
        if self._problem is not None:
            raise self._problem

    async def finish(self) -> None:
        """Write what is ordered, to the disk.

        Raises:
            CurateError: If something could not be written.
        """
        await self.flush()
        await asyncio.to_thread(self._file.sync)

    async def _write_all(self) -> None:
        while self._orders:
            await asyncio.sleep(_LINGER_S)
            orders, self._orders = self._orders, []
            if self._problem is None:
                try:
                    replies = [order[:2] for order in orders]
                    await asyncio.to_thread(write_replies, self._store, self._file, replies)
                except Exception as error:  # noqa: BLE001  # raised where it is waited for
                    self._problem = error
            for *_, future in orders:
                if self._problem is None:
                    future.set_result(None)
                else:
                    future.set_exception(self._problem)
