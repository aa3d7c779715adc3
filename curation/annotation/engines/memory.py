"""The translation memory: every reply that was ever paid for.

A reply is found again by a hash of the text, its context and every option of the engine. What
is sent is noted before, so that a run that was cut off can say what may have been billed twice.
"""

import hashlib
import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from curation.files.handles import SqliteFile

_SCHEMA = """
CREATE TABLE IF NOT EXISTS replies (
    key TEXT PRIMARY KEY, engine TEXT NOT NULL, text TEXT NOT NULL, reply TEXT NOT NULL,
    billed INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS sent (key TEXT PRIMARY KEY, characters INTEGER NOT NULL) WITHOUT ROWID;
"""


def reply_key(signature: str, context: str, text: str) -> str:
    """Hash what a reply depends on."""
    data = json.dumps([signature, context, text], ensure_ascii=False)
    return hashlib.sha256(data.encode("utf-8", "surrogatepass")).hexdigest()


class Memory(SqliteFile):
    """Replies by key; used by several threads at once, each write a transaction.

    Args:
        path: The SQLite file; it is made when something is first written.
        read_only: Whether nothing will be written: a file that is not there stays so.
        what: What it is to the user.

    Raises:
        CurateError: If the file is damaged or cannot be written.
    """

    def __init__(
        self, path: Path, *, read_only: bool = False, what: str = "the translation memory"
    ) -> None:
        super().__init__(
            path,
            what,
            hint="check the folder's permissions and the free space",
            damaged="it is damaged: restore a copy, or delete it; its texts are then billed again",
            wait_s=30,
            read_only=read_only,
        )
        if self.database is not None:
            with self.opening() as database:
                database.execute("PRAGMA journal_mode=WAL")
                database.execute("PRAGMA synchronous=FULL")
                database.executescript(_SCHEMA)

    def find(self, keys: Sequence[str]) -> dict[str, str]:
        """The replies that are known, by key."""
        if self.database is None:
            return {}
        with self.using():
            return dict(self.select("SELECT key, reply FROM replies WHERE key IN", keys))

    def billed(self, engine: str) -> int:
        """The characters that an engine has billed so far."""
        query = "SELECT COALESCE(SUM(billed), 0) FROM replies WHERE engine = ?"
        return self._number(query, (engine,))

    def unanswered(self) -> tuple[int, int]:
        """How many texts were sent without a reply, and their characters."""
        count = self._number("SELECT COUNT(*) FROM sent", ())
        return count, self._number("SELECT COALESCE(SUM(characters), 0) FROM sent", ())

    def _number(self, query: str, values: tuple[str, ...]) -> int:
        if self.database is None:
            return 0
        with self.using() as database:
            (number,) = database.execute(query, values).fetchone()
        return int(number)

    def note_sent(self, items: Iterable[tuple[str, int]]) -> None:
        """Note keys with their characters, before they are sent."""
        with self.writing() as database:
            database.executemany("INSERT OR REPLACE INTO sent VALUES (?, ?)", items)

    def forget_sent(self, keys: Iterable[str]) -> None:
        """Take back the note on keys that were refused unread."""
        with self.writing() as database:
            database.executemany("DELETE FROM sent WHERE key = ?", ((key,) for key in keys))

    def forget_all_sent(self) -> None:
        """Take back every note, once it has been said."""
        with self.writing() as database:
            database.execute("DELETE FROM sent")

    def store(self, engine: str, items: Sequence[tuple[str, str, str, int]]) -> None:
        """Keep the replies of one request, all or none: key, text, reply, billed characters."""
        rows = [(key, engine, *more) for key, *more in items]
        with self.writing() as database:
            database.executemany("INSERT OR REPLACE INTO replies VALUES (?, ?, ?, ?, ?)", rows)
            database.executemany("DELETE FROM sent WHERE key = ?", ((row[0],) for row in rows))
