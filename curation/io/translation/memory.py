"""The translation memory: every reply that was ever paid for.

A reply is found again by a hash of the text, its context and every option of the engine. What
is sent is noted before, so that a run that was cut off can say what may have been billed twice.
"""

import hashlib
import json
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType

from curation.io.translation.engine import Reply
from curation.model.errors import CurateError

_SCHEMA = """
CREATE TABLE IF NOT EXISTS replies (
    key TEXT PRIMARY KEY, engine TEXT NOT NULL, text TEXT NOT NULL, reply TEXT NOT NULL,
    billed INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS sent (key TEXT PRIMARY KEY, characters INTEGER NOT NULL) WITHOUT ROWID;
"""
_AT_ONCE = 500


def reply_key(signature: str, context: str, text: str) -> str:
    """Hash what a reply depends on."""
    data = json.dumps([signature, context, text], ensure_ascii=False)
    return hashlib.sha256(data.encode("utf-8", "surrogatepass")).hexdigest()


class Memory:
    """Replies by key; used by several threads at once, each write a transaction.

    Args:
        path: The SQLite file; it is made when something is first written.
        read_only: Whether nothing will be written: a file that is not there stays so.

    Raises:
        CurateError: If the file is damaged or cannot be written.
    """

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._held: sqlite3.Connection | None = None
        self._database = self._open(read_only=read_only)

    def _open(self, *, read_only: bool) -> sqlite3.Connection | None:
        if read_only and not self._path.exists():
            return None
        with self._said():
            self._path.parent.mkdir(parents=True, exist_ok=True)
            database = sqlite3.connect(self._path, timeout=30, check_same_thread=False)
            database.execute("PRAGMA journal_mode=WAL")
            database.execute("PRAGMA synchronous=FULL")
            database.executescript(_SCHEMA)
        return database

    def __enter__(self) -> "Memory":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for connection in (self._database, self._held):
            if connection is not None:
                connection.close()

    def hold(self) -> None:
        """Keep every other run out until this one ends, however it ends.

        Raises:
            CurateError: If another run is under way.
        """
        with self._said():
            lock = sqlite3.connect(self._path.with_suffix(".lock"), timeout=0)
        try:
            lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            lock.close()
            raise CurateError(
                "another run is translating this workspace",
                str(self._path),
                "wait for it to end; two at once would pay twice",
            ) from error
        self._held = lock

    def find(self, keys: Sequence[str]) -> dict[str, str]:
        """Give the replies that are known, by key."""
        found: dict[str, str] = {}
        if self._database is None:
            return found
        with self._said(), self._lock:
            for at in range(0, len(keys), _AT_ONCE):
                part = keys[at : at + _AT_ONCE]
                marks = ",".join("?" * len(part))
                query = f"SELECT key, reply FROM replies WHERE key IN ({marks})"  # noqa: S608  # marks alone
                found.update(self._database.execute(query, part))
        return found

    def billed(self, engine: str) -> int:
        """Give the characters that an engine has billed so far."""
        query = "SELECT COALESCE(SUM(billed), 0) FROM replies WHERE engine = ?"
        return self._number(query, (engine,))

    def unanswered(self) -> tuple[int, int]:
        """Give how many texts were sent without a reply, and their characters."""
        count = self._number("SELECT COUNT(*) FROM sent", ())
        return count, self._number("SELECT COALESCE(SUM(characters), 0) FROM sent", ())

    def _number(self, query: str, values: tuple[str, ...]) -> int:
        if self._database is None:
            return 0
        with self._said(), self._lock:
            (number,) = self._database.execute(query, values).fetchone()
        return int(number)

    def note_sent(self, items: Iterable[tuple[str, int]]) -> None:
        """Note keys with their characters, before they are sent."""
        with self._writing() as database:
            database.executemany("INSERT OR REPLACE INTO sent VALUES (?, ?)", items)

    def forget_sent(self, keys: Iterable[str]) -> None:
        """Take back the note on keys that were refused unread."""
        with self._writing() as database:
            database.executemany("DELETE FROM sent WHERE key = ?", ((key,) for key in keys))

    def forget_all_sent(self) -> None:
        """Take back every note, once it has been said."""
        with self._writing() as database:
            database.execute("DELETE FROM sent")

    def store(self, engine: str, items: Sequence[tuple[str, str, Reply]]) -> None:
        """Keep the replies of one request, all or none: key, text, reply."""
        rows = [(key, engine, text, reply.text, reply.billed) for key, text, reply in items]
        with self._writing() as database:
            database.executemany("INSERT OR REPLACE INTO replies VALUES (?, ?, ?, ?, ?)", rows)
            database.executemany("DELETE FROM sent WHERE key = ?", ((row[0],) for row in rows))

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        assert self._database is not None  # noqa: S101  # a fault of ours: it was opened to read
        with self._said(), self._lock, self._database:
            yield self._database

    @contextmanager
    def _said(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            damaged = "malformed" in str(error) or "not a database" in str(error)
            raise CurateError(
                f"the translation memory cannot be used: {error}",
                str(self._path),
                "it is damaged: put a copy in its place, or delete it and pay again"
                if damaged
                else "check the folder's permissions and the free space",
            ) from error
