"""A model on the workers of a cluster, offered as one backend.

Requests go out in blocks of whole batches, as they would be asked together in one process.
Outcomes are given in the order of the requests, whichever block is done first, so that a file of
replies is the same byte for byte wherever it was made. A block whose worker is lost goes to
another one; its requests have been answered to nobody, so that none is answered twice.
"""

import asyncio
import uuid
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import CancelledError
from contextlib import AsyncExitStack, suppress
from dataclasses import replace
from typing import Any

from curation import __version__
from curation.records.errors import CurateError
from evaluation.distributed import worker
from evaluation.distributed.cluster import (
    connected,
    library,
    one_line,
    patiently,
    refuse_other_version,
    watch,
)
from evaluation.loop import complete
from evaluation.requests import Request
from evaluation.runner.backend import BackendSettings, Failure, FailureKind, Outcome

BLOCKS = 2
"""Blocks that each worker has at once: one that it answers, one that waits for it."""
LEAST = 32
"""Requests of a block at least: a block takes the cluster some milliseconds."""
_LINGER_S = 0.1
"""Seconds in which a block that is not full waits for more."""
_RELEASE_S = 5.0
_AGAIN = "what was answered is kept; run the same command again for the rest"

_Waiting = tuple[Request, "asyncio.Future[Outcome]"]


def open_on_cluster(
    address: str, name: str, settings: BackendSettings, say: Callable[[str], None]
) -> "ClusterBackend":
    """Have a worker open a backend and say what it is; none of it needs to be here.

    Args:
        address: The scheduler's.
        name: The backend's.
        settings: What it is opened with; paths are the workers'.
        say: Tells the user a line.

    Raises:
        CurateError: If the cluster cannot be reached, or the backend cannot be opened there.
    """
    settings = replace(settings, workspace=settings.workspace.resolve())
    order = worker.Order(name, settings, uuid.uuid4().hex)
    return complete(_open(address, order, say))


async def _open(address: str, order: worker.Order, say: Callable[[str], None]) -> "ClusterBackend":
    async with connected(address) as client:
        future = client.submit(worker.describe, order, pure=False)
        found = await patiently(client, future.result(), address, say)
        if isinstance(found, worker.Refused):
            raise CurateError(found.what, found.where, found.hint)
        refuse_other_version(
            f"curate-bbq {found.identity.version}", f"curate-bbq {__version__}", address
        )
        return ClusterBackend(address, order, found, len(await client.nthreads()), say)


class ClusterBackend:
    """A backend on the workers; connected from the first request on.

    Args:
        address: The scheduler's.
        order: What workers open.
        described: What one of them said of it.
        workers: How many there are.
        say: Tells the user a line.
    """

    def __init__(
        self,
        address: str,
        order: worker.Order,
        described: worker.Described,
        workers: int,
        say: Callable[[str], None] = lambda _line: None,
    ) -> None:
        self._address = address
        self._say = say
        self._order = order
        self._identity = described.identity
        batch = max(1, described.batch_size)
        self._size = -(-LEAST // batch) * batch
        self._workers = workers
        self._waiting: deque[_Waiting] = deque()
        self._timer: asyncio.TimerHandle | None = None
        self._blocks: set[asyncio.Task[None]] = set()
        self._last: asyncio.Task[None] | None = None
        self._alone = asyncio.Lock()
        self._held = AsyncExitStack()
        self._connecting: asyncio.Task[None] | None = None
        self._client: Any = None
        self._watching: asyncio.Task[None] | None = None

    @property
    def model(self) -> str:
        """The model's name in replies."""
        return self._identity.model

    @property
    def parameters(self) -> Mapping[str, object]:
        """Whatever else a reply depends on, as the workers have it."""
        return self._identity.parameters

    def concurrency(self, wanted: int) -> int:
        """How many requests at once keep all workers busy, in whole blocks.

        Args:
            wanted: At least so many, for workers that are yet to come.
        """
        blocks = max(BLOCKS * max(1, self._workers), -(-wanted // self._size))
        return blocks * self._size

    async def ask(self, request: Request) -> Outcome:
        """Answer a request together with others."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Outcome] = loop.create_future()
        self._waiting.append((request, future))
        if len(self._waiting) >= self._size:
            self._send()
        elif self._timer is None:
            self._timer = loop.call_later(_LINGER_S, self._send)
        return await future

    async def close(self) -> None:
        """Let the workers' models go, and the cluster."""
        if self._timer is not None:
            self._timer.cancel()
        tasks = [*self._blocks, *filter(None, [self._connecting, self._watching])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if self._client is not None and self._client.status == "running":
            with suppress(Exception):  # workers that are gone hold nothing
                released = self._client.run(worker.release, self._order, on_error="ignore")
                await asyncio.wait_for(released, _RELEASE_S)
        await self._held.aclose()

    def _send(self) -> None:
        """Send a block, full or not."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        count = min(self._size, len(self._waiting))
        block = [self._waiting.popleft() for _ in range(count)]
        block = [(request, future) for request, future in block if not future.done()]
        if block:
            self._last = asyncio.create_task(self._answer(block, self._last))
            self._blocks.add(self._last)
            self._last.add_done_callback(self._blocks.discard)

    async def _answer(self, block: Sequence[_Waiting], before: asyncio.Task[None] | None) -> None:
        """Have a block answered, and give its outcomes after those of the block before."""
        outcomes = await self._outcomes([request for request, _ in block])
        if before is not None:
            await asyncio.wait([before])
        for (_, future), outcome in zip(block, outcomes, strict=True):
            if not future.done():
                future.set_result(outcome)

    async def _outcomes(self, requests: Sequence[Request]) -> Sequence[Outcome]:
        killed: type[Exception] = library().scheduler.KilledWorker
        try:
            try:
                return await self._answered(requests)
            except killed:
                # What waited for the worker is blamed, too: the second time each is tried alone.
                async with self._alone:
                    return await self._answered(requests)
        except killed:
            failure = Failure(
                FailureKind.BACKEND,
                f"every worker that got these {len(requests)} requests ended",
            )
        except CurateError as error:
            failure = Failure(FailureKind.CONNECTION, error.what, stops=True, hint=error.hint)
        except (CancelledError, OSError) as error:
            message = f"the cluster at {self._address} was lost: {one_line(error)}"
            failure = Failure(FailureKind.CONNECTION, message, stops=True, hint=_AGAIN)
        except Exception as error:  # noqa: BLE001  # said as the failure that stops the run
            message = f"a worker failed: {one_line(error)}"
            failure = Failure(FailureKind.BACKEND, message, stops=True, hint=_AGAIN)
        return [Outcome(None, error=failure) for _ in requests]

    async def _answered(self, requests: Sequence[Request]) -> Sequence[Outcome]:
        client = await self._connected()
        outcomes: Sequence[Outcome] = await client.submit(
            worker.answer, self._order, self._identity, requests, pure=False
        )
        return outcomes

    async def _connected(self) -> Any:
        """The connection; every block waits for the same one."""
        if self._connecting is None:
            self._connecting = asyncio.create_task(self._connect())
        await asyncio.shield(self._connecting)
        return self._client

    async def _connect(self) -> None:
        self._client = await self._held.enter_async_context(connected(self._address))
        self._watching = asyncio.create_task(watch(self._client, self._say))
