"""What writes: replies into the store, then into the file, many in one commit."""

import asyncio
from collections.abc import Sequence

from curation.records.errors import CurateError
from evaluation.replies.reply import Reply, reply_line
from evaluation.runner.reply_file import ReplyFile
from evaluation.runner.store import Store

_LINGER_S = 0.01
"""Seconds in which replies gather for one commit."""

_Order = tuple[Reply, int, "asyncio.Future[None]"]


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

    def save(self, reply: Reply, size: int) -> "asyncio.Future[None]":
        """Write a reply; the future is done when it is in the store and in the file.

        Its exception is a CurateError if that cannot be written.

        Args:
            reply: A reply or a failure, with request, model and key.
            size: What the request's length lets expect in tokens.
        """
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._orders.append((reply, size, future))
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
                    await asyncio.to_thread(self._write, orders)
                except Exception as error:  # noqa: BLE001  # raised where it is waited for
                    self._problem = error
            for _, _, future in orders:
                if self._problem is None:
                    future.set_result(None)
                else:
                    future.set_exception(self._problem)

    def _write(self, orders: Sequence[_Order]) -> None:
        problem: CurateError | None = None
        lines = [reply_line(reply) for reply, _, _ in orders]
        if self._store is not None:
            try:
                kept = zip(orders, lines, strict=True)
                self._store.put((reply, size, line) for (reply, size, _), line in kept)
            except CurateError as error:
                # The file may be on another disk: what is paid for is not lost if it takes it.
                problem = error
        self._file.append(lines)
        if problem is not None:
            raise problem
