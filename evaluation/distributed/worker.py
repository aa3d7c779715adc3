"""What workers do. A worker imports this when it is sent the first task."""

import os
import platform
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from curation import __version__
from curation.records.errors import CurateError
from evaluation.requests import Request
from evaluation.runner.backend import (
    BackendSettings,
    BatchBackend,
    Failure,
    FailureKind,
    Outcome,
    open_backend,
)
from evaluation.runner.batching import answer_batch


@dataclass(frozen=True, slots=True)
class Order:
    """Which backend is asked.

    Attributes:
        name: Its name.
        settings: What it is opened with.
        run: Which run asks: another one opens it again, for files may have changed meanwhile.
    """

    name: str
    settings: BackendSettings
    run: str


@dataclass(frozen=True, slots=True)
class Identity:
    """What replies depend on besides the requests; the same on every worker.

    Attributes:
        model: The model's name in replies.
        parameters: Those of the backend.
        version: Of this toolkit.
    """

    model: str
    parameters: Mapping[str, object]
    version: str


@dataclass(frozen=True, slots=True)
class Described:
    """What a worker says of a backend.

    Attributes:
        identity: What its replies depend on.
        batch_size: How many requests are best asked together.
    """

    identity: Identity
    batch_size: int


@dataclass(frozen=True, slots=True)
class Refused:
    """Why a worker cannot open a backend; the parts of a CurateError."""

    what: str
    where: str
    hint: str


_thread = ThreadPoolExecutor(1, thread_name_prefix="backend")
"""A backend is opened, asked and closed in one thread, however many the worker has."""
_held: tuple[Order, BatchBackend] | None = None
"""The backend that was asked last: loading a model takes longer than many of its replies."""


def describe(order: Order) -> Described | Refused:
    """Open a backend and say what it is."""
    return _thread.submit(_describe, order).result()


def answer(order: Order, identity: Identity, requests: Sequence[Request]) -> Sequence[Outcome]:
    """Answer requests, unless this worker would answer otherwise than the others."""
    return _thread.submit(_answer, order, identity, requests).result()


def release(order: Order) -> None:
    """Close a backend, if it is held still, when it has answered what it was asked; no waiting."""
    _thread.submit(_release, order)


def _describe(order: Order) -> Described | Refused:
    try:
        backend = _opened(order)
    except CurateError as error:
        return Refused(error.what, ": ".join(filter(None, (_here(), error.where))), error.hint)
    return Described(_identity(backend), backend.batch_size)


def _answer(order: Order, identity: Identity, requests: Sequence[Request]) -> Sequence[Outcome]:
    try:
        backend = _opened(order)
    except CurateError as error:
        return _none(requests, f"{_here()}: {error.what}", error.hint)
    other = _difference(_identity(backend), identity)
    if other:
        hint = "give all workers the same files, kind of machine and versions"
        return _none(requests, f"{_here()} would not answer like the others: {other}", hint)
    size = max(1, backend.batch_size)
    outcomes: list[Outcome] = []
    for start in range(0, len(requests), size):
        outcomes += answer_batch(backend, requests[start : start + size])
    return outcomes


def _none(requests: Sequence[Request], message: str, hint: str) -> Sequence[Outcome]:
    failure = Failure(FailureKind.BACKEND, message, stops=True, hint=hint)
    return [Outcome(None, error=failure) for _ in requests]


def _release(order: Order) -> None:
    if _held is not None and _held[0] == order:
        _close()


def _opened(order: Order) -> BatchBackend:
    """The backend that is held, or open it in place of another.

    Raises:
        CurateError: If it cannot be opened, or it is a server's.
    """
    global _held
    if _held is not None and _held[0] == order:
        return _held[1]
    _close()
    backend = open_backend(order.name, order.settings)
    if not isinstance(backend, BatchBackend):
        raise CurateError(
            f"the backend '{order.name}' asks servers, which need no cluster",
            "--executor dask",
            "leave it out, and set --concurrency and several --base-url",
        )
    _held = order, backend
    return backend


def _close() -> None:
    global _held
    held, _held = _held, None
    if held is not None:
        held[1].close()


def _identity(backend: BatchBackend) -> Identity:
    return Identity(backend.model, dict(backend.parameters), __version__)


def _difference(ours: Identity, theirs: Identity) -> str:
    """Name what differs, with both values; empty if nothing does."""
    pairs = {
        "the model": (ours.model, theirs.model),
        "curate-bbq": (ours.version, theirs.version),
        **{
            name: (ours.parameters.get(name), theirs.parameters.get(name))
            for name in sorted({*ours.parameters, *theirs.parameters})
        },
    }
    found = [
        f"{name} {own} and not {other}" for name, (own, other) in pairs.items() if own != other
    ]
    return "; ".join(found)


def _here() -> str:
    return f"the worker on {platform.node()}, process {os.getpid()}"
