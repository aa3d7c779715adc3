"""A backend whose requests are sent by several processes, which share one run.

The run stays in this process: what is asked, the budget, the store and the file are one, and so is
everything that holds of them. The others send what they are handed and read what comes back, which
is the greater part of the work. They are handed JSON lines, and end when their input does: also
where this process is killed.
"""

import asyncio
import json
import os
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, fields, replace
from operator import attrgetter
from pathlib import Path
from typing import Any, cast

from curation.records.errors import CurateError
from evaluation.requests import Request
from evaluation.runner.backend import (
    Backend,
    BackendSettings,
    BatchBackend,
    Failure,
    FailureKind,
    Outcome,
    Usage,
    open_backend,
)

_PATIENCE_S = 5.0  # that a process has to end once it has nothing to do
_MODULE = "evaluation.runner.spread"
_ENCODE = json.JSONEncoder(ensure_ascii=True, separators=(",", ":")).encode
_CHUNK = 1 << 16


class Spread:
    """Hands requests to processes, the least busy one first.

    Args:
        name: The backend that each of them opens.
        settings: What it is opened with.
        count: How many.

    Raises:
        CurateError: If the backend cannot be opened with these settings, or is no server.
    """

    def __init__(self, name: str, settings: BackendSettings, count: int) -> None:
        # What cannot be opened is refused here, once. It asks nothing itself.
        own = open_backend(name, settings)
        if isinstance(own, BatchBackend):
            hint = "leave --processes out: only requests to servers are sent by several"
            raise CurateError(f"the backend '{name}' works in one process", "--processes", hint)
        self._own = own
        self._order = {"backend": name, "settings": _settings_dict(settings)}
        self._count = count
        self._others: list[_Process] = []
        self._starting: asyncio.Task[None] | None = None

    @property
    def model(self) -> str:
        """The model's name."""
        return self._own.model

    @property
    def parameters(self) -> Mapping[str, object]:
        """Whatever else a reply depends on."""
        return self._own.parameters

    async def ask(self, request: Request) -> Outcome:
        """Have a request asked, once; another process does the work of one that has ended."""
        if self._starting is None:
            self._starting = asyncio.create_task(self._start())
        await asyncio.shield(self._starting)
        alive = [item for item in self._others if item.ended is None]
        if not alive:
            said = next(
                (item.ended for item in self._others if item.ended), "none could be started"
            )
            failure = Failure(
                FailureKind.BACKEND,
                f"every process that asks has ended: {said}",
                sent=False,
                stops=True,
                hint="run the same command again, with fewer --processes if memory is short",
            )
            return Outcome(None, error=failure)
        return await min(alive, key=attrgetter("busy")).ask(request)

    async def close(self) -> None:
        """End the processes and wait for it."""
        if self._starting is not None:
            await asyncio.gather(self._starting, return_exceptions=True)
        await asyncio.gather(*(item.close() for item in self._others))
        await self._own.close()

    async def _start(self) -> None:
        loop = asyncio.get_running_loop()
        order = f"{_ENCODE(self._order)}\n".encode()
        for _ in range(self._count):
            # A session of its own: Ctrl-C is for this process, which ends the run in order.
            _, process = await loop.subprocess_exec(
                _Process, sys.executable, "-m", _MODULE, start_new_session=True
            )
            process.send(order)
            self._others.append(process)


class _Process(asyncio.SubprocessProtocol):
    """One process, as seen from here.

    Attributes:
        ended: Why it has ended; None while it has not.
    """

    def __init__(self) -> None:
        self.ended: str | None = None
        self._open: dict[int, asyncio.Future[Outcome]] = {}
        self._number = 0
        self._rest = b""
        self._errors = b""
        self._lines: list[bytes] = []
        self._transport: Any = None
        self._gone = asyncio.Event()

    @property
    def busy(self) -> int:
        """Requests that it has now."""
        return len(self._open)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take the process up."""
        self._transport = transport

    async def ask(self, request: Request) -> Outcome:
        """Have a request asked."""
        self._number += 1
        number = self._number
        future: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
        self._open[number] = future
        asked = [number, request.request_id, request.messages, request.choices]
        self.send(f"{_ENCODE(asked)}\n".encode())
        try:
            return await future
        finally:
            self._open.pop(number, None)

    def send(self, line: bytes) -> None:
        """Write a line; those of one turn of the loop together."""
        if not self._lines:
            asyncio.get_running_loop().call_soon(self._flush)
        self._lines.append(line)

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        """Take outcomes, and what is said on standard error."""
        if fd != 1:
            self._errors = (self._errors + data)[-2000:]
            return
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            number, cells = json.loads(line)
            future = self._open.get(number)
            if future is not None and not future.done():
                future.set_result(_outcome(cells))

    def connection_lost(self, exc: Exception | None) -> None:
        """Give back what it had, once all that it has said is taken; another one may ask it."""
        lines = self._errors.decode("utf-8", "replace").split("\n")
        last = next((line.strip() for line in reversed(lines) if line.strip()), "")
        status = self._transport.get_returncode()
        self.ended = f"status {status}{f', {last[:200]}' if last else ''}"
        message = f"the process that asked has ended: {self.ended}"
        for future in self._open.values():
            if not future.done():
                error = Failure(FailureKind.CUT, message, again=True)
                future.set_result(Outcome(None, error=error))
        self._transport.close()
        self._gone.set()

    async def close(self) -> None:
        """End it, kindly at first."""
        if self.ended is None:
            self._flush()
            self._transport.get_pipe_transport(0).close()
            try:
                await asyncio.wait_for(self._gone.wait(), _PATIENCE_S)
            except TimeoutError:
                self._transport.kill()
                await self._gone.wait()

    def _flush(self) -> None:
        if self.ended is None and self._lines:
            self._transport.get_pipe_transport(0).write(b"".join(self._lines))
        self._lines.clear()


def _settings_dict(settings: BackendSettings) -> dict[str, Any]:
    return {**asdict(settings), "workspace": str(settings.workspace)}


def _settings(value: Mapping[str, Any]) -> BackendSettings:
    found = BackendSettings(**value)
    return replace(found, base_urls=tuple(found.base_urls), workspace=Path(value["workspace"]))


_NAMES = [item.name for item in fields(Outcome)]
_USAGE, _ERROR = _NAMES.index("usage"), _NAMES.index("error")
_cells = attrgetter(*_NAMES)
_usage_cells = attrgetter(*(item.name for item in fields(Usage)))
_error_cells = attrgetter(*(item.name for item in fields(Failure)))


def _written(outcome: Outcome) -> list[Any]:
    """An outcome as values of JSON."""
    cells = list(_cells(outcome))
    cells[_USAGE] = _usage_cells(outcome.usage)
    cells[_ERROR] = None if outcome.error is None else _error_cells(outcome.error)
    return cells


def _outcome(cells: list[Any]) -> Outcome:
    """An outcome of such values."""
    cells[_USAGE] = Usage(*cells[_USAGE])
    if cells[_ERROR] is not None:
        kind, *others = cells[_ERROR]
        cells[_ERROR] = Failure(FailureKind(kind), *others)
    return Outcome(*cells)


def main() -> None:
    """Ask what comes on standard input, until it ends."""
    out = os.dup(1)
    os.dup2(2, 1)  # whatever is printed is no outcome
    order = json.loads(_line())
    backend = cast(Backend, open_backend(order["backend"], _settings(order["settings"])))
    asyncio.run(_serve(backend, out))


def _line() -> bytes:
    """Read the first line, and nothing behind it."""
    found = b""
    while not found.endswith(b"\n"):
        data = os.read(0, 1)
        if not data:
            raise SystemExit
        found += data
    return found


async def _serve(backend: Backend, out: int) -> None:
    loop = asyncio.get_running_loop()
    done = asyncio.Event()
    tasks: set[asyncio.Task[None]] = set()
    outcomes: list[bytes] = []

    def flush() -> None:
        data = memoryview(b"".join(outcomes))
        outcomes.clear()
        try:
            while data:
                data = data[os.write(out, data) :]
        except OSError:
            done.set()  # nobody takes them any more

    async def ask(number: int, request: Request) -> None:
        outcome = await backend.ask(request)
        if not outcomes:
            loop.call_soon(flush)
        outcomes.append(f"{_ENCODE([number, _written(outcome)])}\n".encode())

    def take(lines: Sequence[bytes]) -> None:
        for line in lines:
            number, request_id, messages, choices = json.loads(line)
            request = Request(request_id, tuple(messages), tuple(choices))
            task = loop.create_task(ask(number, request))
            tasks.add(task)
            task.add_done_callback(tasks.discard)

    reader = threading.Thread(
        target=_read,
        args=(
            lambda lines: loop.call_soon_threadsafe(take, lines),
            lambda: loop.call_soon_threadsafe(done.set),
        ),
        daemon=True,
    )
    reader.start()
    await done.wait()
    for task in list(tasks):
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    await backend.close()


def _read(take: Callable[[list[bytes]], object], end: Callable[[], object]) -> None:
    rest = b""
    while data := os.read(0, _CHUNK):
        *lines, rest = (rest + data).split(b"\n")
        if lines:
            take(lines)
    end()


if __name__ == "__main__":
    main()
