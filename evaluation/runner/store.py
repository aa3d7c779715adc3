"""The store of replies: every reply that was ever paid for, shared by runs at the same time.

A reply is found again by a hash of what the model was sent. Who is about to ask claims the hash
first, so that two runs never ask the same; a claim counts while its owner is alive. The store is
a cache: whatever it holds, the files of replies hold too.
"""

import hashlib
import json
import os
import platform
import sqlite3
import sys
import time
import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from operator import attrgetter
from pathlib import Path

from curation.files.handles import SqliteFile
from curation.records.errors import CurateError

FILE = "replies.sqlite"
"""The store's usual name, in the workspace's folder of caches."""
BEAT_S = 10.0
"""Seconds between signs of life of an owner."""
EXPIRY_S = 60.0
"""Seconds after the last sign of life in which an owner's claims still count."""
_VERSION = 1
_BUSY_S = 60.0  # another run's commit takes milliseconds; a full checkpoint some seconds
_LOOK_S = 1.0  # between two looks for owners that are gone
_SCHEMA = f"""
CREATE TABLE IF NOT EXISTS replies (
    key BLOB PRIMARY KEY, model TEXT NOT NULL, reply TEXT NOT NULL, size INTEGER,
    input_tokens INTEGER, output_tokens INTEGER, latency_s REAL, finish_reason TEXT, error TEXT,
    more TEXT
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS claims (key BLOB PRIMARY KEY, owner TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS owners (
    owner TEXT PRIMARY KEY, pid INTEGER NOT NULL, place TEXT NOT NULL, beat REAL NOT NULL
) WITHOUT ROWID;
PRAGMA user_version = {_VERSION};
"""


# Made once: a million keys are made of it.
_CANONICAL = json.JSONEncoder(
    ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False
)


def reply_key(
    model: str,
    parameters: Mapping[str, object],
    messages: Sequence[Mapping[str, object]],
    epoch: int = 1,
    twin: str = "",
) -> bytes:
    """Hash what a reply depends on: SHA-256 of canonical JSON. The server's address is no part.

    In the first epoch the epoch is no part of it either, so that replies that were kept before
    there were epochs are replies to the first.

    Args:
        model: The model's name.
        parameters: Every other parameter that is sent, by its name on the wire.
        messages: The messages.
        epoch: Which time they are asked, from 1.
        twin: The id of the request, where another one has the same messages and does not share
            its reply.

    Returns:
        32 bytes.

    Raises:
        ValueError: If a value is no JSON, or a text holds half of a surrogate pair.
    """
    body: dict[str, object] = {
        "model": model,
        "parameters": dict(parameters),
        "messages": list(messages),
    }
    if epoch > 1:
        body["epoch"] = epoch
    if twin:
        body["request_id"] = twin
    return hashlib.sha256(_CANONICAL.encode(body).encode()).digest()


@dataclass(frozen=True, slots=True)
class Kept:
    """A reply as the store keeps it.

    Attributes:
        key: Its key.
        model: The model.
        reply: The text.
        size: What the request's length lets expect in tokens; None where it is not known.
        input_tokens: As the server counted them.
        output_tokens: As the server counted them.
        latency_s: Seconds that it took.
        finish_reason: Why the model ended.
        error: JSON of what stopped it, for a content filter or a thought that was cut off.
        more: JSON of what else came with it: thoughts, their tokens, the model as the server
            names it, log-probabilities. None where nothing did.
    """

    key: bytes
    model: str
    reply: str
    size: int | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    latency_s: float | None = None
    finish_reason: str | None = None
    error: str | None = None
    more: str | None = None


_row = attrgetter(*(field.name for field in fields(Kept)))
_COLUMNS = ", ".join(field.name for field in fields(Kept))
_OLD = _COLUMNS.replace(", more", ", NULL")  # of a store that no run of this version has written
_PUT = (
    f"INSERT INTO replies ({_COLUMNS}) VALUES ({', '.join('?' * len(fields(Kept)))}) "  # noqa: S608  # names of ours
    "ON CONFLICT (key) DO NOTHING"
)


@dataclass(frozen=True, slots=True)
class Claims:
    """What came of claiming keys: each is known, claimed now, or somebody else's."""

    known: Mapping[bytes, Kept]
    mine: frozenset[bytes]
    busy: frozenset[bytes]


@dataclass(frozen=True, slots=True)
class Seen:
    """What earlier replies of a model took, for estimates.

    Attributes:
        replies: Replies of which tokens and size are known.
        size: Their requests' sizes together.
        input_tokens: Their tokens together.
        output_tokens: Their tokens together.
    """

    replies: int
    size: int
    input_tokens: int
    output_tokens: int


class Store(SqliteFile):
    """Replies by key; one thread at a time. Claims stay until `leave`, or until they expire.

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
            hint="check the folder's permissions and the free space, then run the same command "
            "again: nothing that was written is lost",
            damaged="it is damaged: delete it; the files of replies hold what it held",
            wait_s=_BUSY_S,
            read_only=read_only,
        )
        self._owner = uuid.uuid4().hex
        self._looked = 0.0
        self._claims = False
        self._columns = _COLUMNS
        if self.database is not None:
            self._check(read_only=read_only)

    def _check(self, *, read_only: bool) -> None:
        """Refuse a store of another version, and set a new one up."""
        with self.opening() as database:
            (version,) = database.execute("PRAGMA user_version").fetchone()
            if version not in (0, _VERSION):
                raise CurateError(
                    f"the store of replies is of version {version}, not {_VERSION}",
                    str(self.path),
                    "name another one with --store; the files of replies hold what it holds",
                )
            if not read_only:
                _set_up(database, version)
            elif version == 0:
                self.close()
            elif not _has_more(database):
                self._columns = _OLD

    def find(self, keys: Sequence[bytes]) -> dict[bytes, Kept]:
        """The replies that are known, by key.

        Raises:
            CurateError: If the file cannot be read.
        """
        if self.database is None:
            return {}
        with self.using():
            return self._find(keys)

    def seen(self, model: str) -> Seen:
        """Sum up what the known replies of a model took.

        Raises:
            CurateError: If the file cannot be read.
        """
        if self.database is None:
            return Seen(0, 0, 0, 0)
        query = (
            "SELECT COUNT(*), TOTAL(size), TOTAL(input_tokens), TOTAL(output_tokens) FROM replies "
            "WHERE model = ? AND size IS NOT NULL AND input_tokens IS NOT NULL "
            "AND output_tokens IS NOT NULL"
        )
        with self.using() as database:
            row = database.execute(query, (model,)).fetchone()
        return Seen(*map(int, row))

    def put(self, replies: Iterable[Kept], let_go: Iterable[bytes] = ()) -> None:
        """Keep replies and give up claims, all or nothing; on disk when it returns.

        Args:
            replies: The replies, whose claims end. One that is known already stays as it is.
            let_go: Keys whose claims end without a reply.

        Raises:
            CurateError: If they cannot be written.
        """
        rows = list(replies)
        # Whoever has claimed nothing, as at the reading of a file, has nothing to give up.
        ended = [item.key for item in rows] if self._claims else []
        ended += let_go
        with self.writing() as database:
            database.executemany(_PUT, map(_row, rows))
            database.executemany(
                "DELETE FROM claims WHERE key = ? AND owner = ?",
                ((key, self._owner) for key in ended),
            )

    def claim(self, keys: Sequence[bytes]) -> Claims:
        """Claim keys that nobody has claimed and no reply is known to.

        Raises:
            CurateError: If the file cannot be read or written.
        """
        with self.writing() as database:
            known = self._find(keys)
            open_ = [key for key in dict.fromkeys(keys) if key not in known]
            busy = self._claimed(open_)
            if busy and time.monotonic() - self._looked > _LOOK_S and self._bury(database):
                busy = self._claimed(open_)
            mine = [key for key in open_ if key not in busy]
            if mine:
                self._claims = True
                self._beat(database)
                rows = [(key, self._owner) for key in mine]
                database.executemany("INSERT INTO claims VALUES (?, ?)", rows)
        return Claims(known, frozenset(mine), frozenset(busy))

    def beat(self) -> None:
        """Note that the owner is alive.

        Raises:
            CurateError: If it cannot be written.
        """
        with self.writing() as database:
            self._beat(database)

    def leave(self) -> None:
        """End every claim.

        Raises:
            CurateError: If that cannot be written.
        """
        with self.writing() as database:
            for table in ("claims", "owners"):
                database.execute(f"DELETE FROM {table} WHERE owner = ?", (self._owner,))  # noqa: S608  # names of ours

    def _find(self, keys: Sequence[bytes]) -> dict[bytes, Kept]:
        rows = self.select(f"SELECT {self._columns} FROM replies WHERE key IN", keys)  # noqa: S608  # names of ours
        return {row[0]: Kept(*row) for row in rows}

    def _claimed(self, keys: Sequence[bytes]) -> set[bytes]:
        return {key for (key,) in self.select("SELECT key FROM claims WHERE key IN", keys)}

    def _beat(self, database: sqlite3.Connection) -> None:
        row = (self._owner, os.getpid(), _place(), time.time())
        database.execute("INSERT OR REPLACE INTO owners VALUES (?, ?, ?, ?)", row)

    def _bury(self, database: sqlite3.Connection) -> bool:
        """End the claims of owners that are gone; says whether there were any."""
        self._looked = time.monotonic()
        rows = database.execute("SELECT owner, pid, place, beat FROM owners").fetchall()
        gone = [(owner,) for owner, pid, place, beat in rows if _is_gone(pid, place, beat)]
        database.executemany("DELETE FROM owners WHERE owner = ?", gone)
        query = "DELETE FROM claims WHERE owner NOT IN (SELECT owner FROM owners)"
        return database.execute(query).rowcount > 0


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
    elif not _has_more(database):
        database.execute("BEGIN IMMEDIATE")
        if not _has_more(database):  # another run may have been quicker
            database.execute("ALTER TABLE replies ADD COLUMN more TEXT")
        database.execute("COMMIT")


def _has_more(database: sqlite3.Connection) -> bool:
    """Say whether a store has the column that was added last."""
    return any(row[1] == "more" for row in database.execute("PRAGMA table_info(replies)"))


def _place() -> str:
    """Name the machine, and on Linux the space in which process numbers hold."""
    try:
        space = os.readlink("/proc/self/ns/pid")  # noqa: PTH115  # no path: a name of the kernel's
    except OSError:
        space = ""
    return f"{platform.node()} {space}"


def _is_gone(pid: int, place: str, beat: float) -> bool:
    """Say whether an owner's claims count no longer: it is dead, or has been silent too long."""
    if time.time() - beat > EXPIRY_S:
        return True
    if place != _place() or sys.platform == "win32":  # where a signal of 0 would end the process
        return False
    try:
        os.kill(pid, 0)
        # A process that was killed keeps its number until whoever started it has noticed.
        state = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2]
    except ProcessLookupError:
        return True
    except OSError:
        return False  # somebody else's process, or a system without /proc
    return state.split()[:1] in (["Z"], ["X"])
