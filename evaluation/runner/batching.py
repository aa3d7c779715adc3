"""A backend that answers many requests at a time, offered as one that answers each."""

import asyncio
from collections import deque
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from evaluation.replies.reply import Failure, FailureKind, Reply
from evaluation.requests import Request
from evaluation.runner.backend import BatchBackend

_LINGER_S = 0.02
"""Seconds in which a batch that is not full waits for more."""


class Batching:
    """Gathers requests into batches, which one thread answers.

    Args:
        backend: What answers them. It is called in one thread alone.
    """

    def __init__(self, backend: BatchBackend) -> None:
        self._backend = backend
        self._waiting: deque[tuple[Request, asyncio.Future[Reply]]] = deque()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="backend")
        self._turning: asyncio.Task[None] | None = None

    async def ask(self, request: Request, _first: str | None = None) -> Reply:
        """Answer a request together with others; there is one turn alone."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Reply] = loop.create_future()
        self._waiting.append((request, future))
        if self._turning is None or self._turning.done():
            self._turning = loop.create_task(self._turn())
        return await future

    async def close(self) -> None:
        """Wait for the batch that is under way, and let go of the backend."""
        await asyncio.get_running_loop().run_in_executor(self._thread, self._backend.close)
        self._thread.shutdown()

    async def _turn(self) -> None:
        """Answer batch after batch until nothing waits."""
        loop = asyncio.get_running_loop()
        size = max(1, self._backend.batch_size)
        while self._waiting:
            if len(self._waiting) < size:
                await asyncio.sleep(_LINGER_S)
            batch = [self._waiting.popleft() for _ in range(min(size, len(self._waiting)))]
            batch = [(request, future) for request, future in batch if not future.done()]
            requests = [request for request, _ in batch]
            replies = await loop.run_in_executor(
                self._thread, answer_batch, self._backend, requests
            )
            for (_, future), reply in zip(batch, replies, strict=True):
                if not future.done():
                    future.set_result(reply)


def answer_batch(backend: BatchBackend, requests: Sequence[Request]) -> Sequence[Reply]:
    """Answer a batch; whatever a backend fails at stops the run, said in one line."""
    if not requests:
        return ()
    try:
        replies = backend.ask_many(requests)
        if len(replies) == len(requests):
            return replies
        message = f"{len(replies)} replies to {len(requests)} requests"
    except Exception as error:  # noqa: BLE001  # said as the failure that stops the run
        message = " ".join(f"{type(error).__name__}: {error}".split())[:300]
    hint = "what was answered is kept; run the same command again for the rest"
    failure = Failure(FailureKind.BACKEND, message, stops=True, hint=hint)
    return [Reply(None, error=failure) for _ in requests]
