"""A cluster, reached from here. Its scheduler is trusted: whatever it sends may run code."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import CancelledError
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

from curation.records.errors import CurateError

T = TypeVar("T")

CONNECT_S = 10.0
"""Seconds in which the scheduler must answer."""
WAIT_S = 10.0
"""Seconds between two looks whether there is any worker."""
_CLOSE_S = 5.0
_SAME = "install the same version of curate-bbq, with the same extras, on scheduler and workers"
_HINT = "start it with 'dask scheduler', and name it as it says: --scheduler tcp://HOST:8786"


def library() -> Any:
    """Import Dask's library of clusters.

    Raises:
        CurateError: If it is not installed.
    """
    try:
        import distributed
    except ImportError as error:
        raise CurateError(
            f"a Dask cluster needs {error.name or 'distributed'}",
            "the extra 'distributed' is not installed",
            "pip install 'curate-bbq[distributed]'",
        ) from error
    for name in ("distributed", "distributed.client"):
        logging.getLogger(name).setLevel(logging.CRITICAL)  # what goes wrong is said by us
    return distributed


@asynccontextmanager
async def connected(address: str) -> AsyncIterator[Any]:
    """Reach a cluster; gives an asynchronous client.

    Args:
        address: The scheduler's, such as `tcp://host:8786`, or the JSON file that it wrote.

    Raises:
        CurateError: If it cannot be reached.
    """
    try:
        client = library().Client(
            **_known(address), asynchronous=True, set_as_default=False, timeout=CONNECT_S
        )
    except (ValueError, TypeError, KeyError, RuntimeError) as error:
        raise _unreached(error, address) from error
    try:
        try:
            await client
        except (OSError, ValueError, TypeError, KeyError, RuntimeError) as error:
            raise _unreached(error, address) from error
        yield client
    finally:
        # A scheduler that is gone is waited for by nobody.
        with suppress(Exception):
            await asyncio.wait_for(client.close(), _CLOSE_S)


def _known(address: str) -> dict[str, str]:
    """Say what is known of a scheduler: where it is, or which file says so."""
    if not address.endswith(".json"):
        return {"address": address}
    if not Path(address).is_file():
        hint = "name the file that 'dask scheduler --scheduler-file' writes, or its address"
        raise CurateError("there is no such file", address, hint)
    return {"scheduler_file": address}


def _unreached(error: BaseException, address: str) -> CurateError:
    # The library's own text goes over several lines; its cause is what went wrong.
    why = one_line(error.__cause__ or error)
    return CurateError(f"no scheduler can be reached: {why}", address, _HINT)


async def patiently(
    client: Any, results: Awaitable[T], address: str, say: Callable[[str], None]
) -> T:
    """Wait for what workers compute, and say if there is none yet.

    Raises:
        CurateError: If they cannot compute it.
    """
    waiting = asyncio.ensure_future(results)
    done, _ = await asyncio.wait([waiting], timeout=WAIT_S)
    watching = None if done else asyncio.create_task(watch(client, say))
    try:
        return await waiting
    except (CancelledError, OSError) as error:
        hint = "see what the scheduler says, then run the same command again"
        raise CurateError(f"the cluster was lost: {one_line(error)}", address, hint) from error
    except library().scheduler.KilledWorker as error:
        what = f"{error.allowed_failures + 1} workers ended at the same task"
        hint = "see what they say: did they have enough memory?"
        raise CurateError(what, address, hint) from error
    except Exception as error:
        raise CurateError(f"a worker failed: {one_line(error)}", address, _SAME) from error
    finally:
        if watching is not None:
            watching.cancel()


async def watch(client: Any, say: Callable[[str], None]) -> None:
    """Tell the user, until it is cancelled, whenever the cluster has come to have no worker."""
    told = False
    while True:
        with suppress(Exception):  # a cluster that is lost is said by what it should do
            none = not await client.nthreads()
            if none and not told:
                say("the cluster has no worker; waiting for one (nothing that was done is lost)")
            told = none
        await asyncio.sleep(WAIT_S)


def refuse_other_version(theirs: str, ours: str, where: str) -> None:
    """Refuse a worker that may compute something else.

    Raises:
        CurateError: If its version is another.
    """
    if theirs != ours:
        raise CurateError(f"a worker has {theirs}, but this machine has {ours}", where, _SAME)


def one_line(error: BaseException) -> str:
    """Say a fault in one line."""
    return " ".join(f"{type(error).__name__}: {error}".split())[:300]
