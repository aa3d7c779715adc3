"""Files that stay open: their faults said in words; SQLite."""

import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from curation.files.atomic import Closing
from curation.records.messages import CurateError

_AT_ONCE = 500  # keys in one query; SQLite takes 999 values at least


@contextmanager
def faults_said(what: str, path: Path, hint: str, damaged: str = "") -> Iterator[None]:
    """A block in which a fault of the system or of SQLite is said as one of a file.

    Args:
        what: What cannot be done, without the reason.
        path: The file.
        hint: What to do.
        damaged: What to do instead where the file is damaged.

    Raises:
        CurateError: In place of the fault.
    """
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        broken = "malformed" in str(error) or "not a database" in str(error)
        reason = getattr(error, "strerror", None) or error
        raise CurateError(
            f"{what}: {reason}", str(path), damaged if damaged and broken else hint
        ) from error


class SqliteFile(Closing):
    """An SQLite file that runs share; each block that writes is a transaction.

    Args:
        path: The file; it is made where there is none.
        what: What it is to the user, such as "the store of replies".
        hint: What to do where it cannot be used.
        damaged: What to do where it is damaged.
        wait_s: Seconds to wait for another run's transaction.
        read_only: Whether nothing will be written: a file that is not there stays so.

    Raises:
        CurateError: If the file is damaged or cannot be written.
    """

    def __init__(
        self,
        path: Path,
        what: str,
        *,
        hint: str,
        damaged: str,
        wait_s: float,
        read_only: bool = False,
    ) -> None:
        self.path = path
        self._lock = threading.RLock()  # one thread at a time
        self._faults = f"{what} cannot be used", path, hint, damaged
        self.database: sqlite3.Connection | None = None
        if read_only and not path.exists():
            return
        with faults_said(*self._faults):
            path.parent.mkdir(parents=True, exist_ok=True)
            # Transactions are begun by hand: each one that writes does so from its first query.
            self.database = sqlite3.connect(
                path, timeout=wait_s, check_same_thread=False, isolation_level=None
            )

    def close(self) -> None:
        """Let the file go."""
        if self.database is not None:
            self.database.close()
            self.database = None

    @contextmanager
    def opening(self) -> Iterator[sqlite3.Connection]:
        """The first block that reads: what refuses the file lets it go, as nobody else can.

        Raises:
            CurateError: In place of a fault.
        """
        try:
            with self.using() as database:
                yield database
        except BaseException:
            self.close()
            raise

    @contextmanager
    def using(self) -> Iterator[sqlite3.Connection]:
        """A block that reads.

        Raises:
            CurateError: In place of a fault.
        """
        assert self.database is not None  # noqa: S101  # a fault of ours: it was opened to read
        with self._lock, faults_said(*self._faults):
            yield self.database

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """A block that writes all or nothing; on disk when it ends.

        Raises:
            CurateError: In place of a fault.
        """
        with self.using() as database:
            database.execute("BEGIN IMMEDIATE")
            try:
                yield database
                database.execute("COMMIT")
            except BaseException:
                # A failed commit has rolled back by itself, and then there is nothing to roll back.
                if database.in_transaction:
                    database.execute("ROLLBACK")
                raise

    def select(self, query: str, keys: Sequence[object]) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of a query that ends in `IN`, for many keys."""
        assert self.database is not None  # noqa: S101  # as above
        for at in range(0, len(keys), _AT_ONCE):
            part = keys[at : at + _AT_ONCE]
            yield from self.database.execute(f"{query} ({','.join('?' * len(part))})", part)
