"""The store of replies: every reply that was ever paid for, by a hash of what the model was sent.

The store is a cache: whatever it holds, the files of replies hold too.
"""

import json
import sqlite3
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from curation.files.handles import SqliteFile
from curation.records.errors import CurateError
from evaluation.replies.reply import Reply, reply_of

FILE = "replies.sqlite"
"""The store's usual name, in the workspace's folder of caches."""
_VERSION = 2
_BUSY_S = 60.0  # another run's commit takes milliseconds; a full checkpoint some seconds
_SCHEMA = f"""
CREATE TABLE IF NOT EXISTS replies (
    key BLOB PRIMARY KEY, model TEXT NOT NULL, line TEXT NOT NULL,
    size INTEGER, input_tokens INTEGER, output_tokens INTEGER
) WITHOUT ROWID;
PRAGMA user_version = {_VERSION};
"""
_PUT = "INSERT INTO replies VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (key) DO NOTHING"
_SEEN = (
    "SELECT COUNT(*), TOTAL(size), TOTAL(input_tokens), TOTAL(output_tokens) FROM replies "
    "WHERE model = ? AND size IS NOT NULL AND input_tokens IS NOT NULL "
    "AND output_tokens IS NOT NULL"
)


@dataclass(frozen=True, slots=True)
class Seen:
    """What earlier replies of a model took, for estimates.

    Attributes:
        replies: Replies of which tokens and size are known.
        size: Their requests' sizes together.
        input_tokens: Their tokens together.
        output_tokens: Their tokens together.
    """

    replies: int = 0
    size: int = 0
    input_tokens: int = 0
    output_tokens: int = 0


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
            hint="check the folder's permissions and the free space, then run the same command "
            "again: nothing that was written is lost",
            damaged="it is damaged: delete it; the files of replies hold what it held",
            wait_s=_BUSY_S,
            read_only=read_only,
        )
        if self.database is None:
            return
        with self.opening() as database:
            (version,) = database.execute("PRAGMA user_version").fetchone()
            if version not in (0, _VERSION):
                raise CurateError(
                    f"the store of replies is of version {version}, not {_VERSION}",
                    str(self.path),
                    "delete it, or name another one with --store; the files of replies hold what "
                    "it holds",
                )
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
            return {key: reply_of(json.loads(line)) for key, line in rows}

    def known(self, keys: Sequence[bytes]) -> set[bytes]:
        """Which of some keys have a reply.

        Raises:
            CurateError: If the file cannot be read.
        """
        if self.database is None:
            return set()
        with self.using():
            return {key for (key,) in self.select("SELECT key FROM replies WHERE key IN", keys)}

    def seen(self, model: str) -> Seen:
        """Sum up what the known replies of a model took.

        Raises:
            CurateError: If the file cannot be read.
        """
        if self.database is None:
            return Seen()
        with self.using() as database:
            return Seen(*map(int, database.execute(_SEEN, (model,)).fetchone()))

    def put(self, replies: Iterable[tuple[Reply, int | None, bytes]]) -> None:
        """Keep replies, all or nothing; on disk when it returns.

        Args:
            replies: Replies with their keys, what the requests' lengths let expect in tokens, and
                the replies' lines. One that is known already stays as it is, and failures are not
                kept.

        Raises:
            CurateError: If they cannot be written.
        """
        rows = [
            (
                *(item.key, item.model, line.decode(), size),
                *(item.usage.input_tokens, item.usage.output_tokens),
            )
            for item, size, line in replies
            if item.text is not None
        ]
        if rows:
            with self.writing() as database:
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
