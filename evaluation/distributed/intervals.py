"""The intervals of many scores on the workers of a cluster."""

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
import scipy

from curation import __version__
from evaluation.distributed.cluster import connected, patiently, refuse_other_version
from evaluation.loop import complete
from evaluation.qa.score import Ends, Options, Units, ends_of


def open_intervals(
    address: str, say: Callable[[str], None]
) -> Callable[[Sequence[Units], Options], list[Ends]]:
    """Find a cluster; gives what computes there, from the counts of groups, their intervals.

    The counts are of the shape templates x cells, and the result that of `ends_of`: each group
    is a task.

    Args:
        address: The scheduler's.
        say: Tells the user a line.

    Raises:
        CurateError: If the cluster cannot be reached; later also if its workers have other
            versions, which may compute otherwise.
    """
    complete(_reach(address))
    return partial(_all_ends, address, say)


async def _reach(address: str) -> None:
    async with connected(address):
        pass


def _all_ends(
    address: str, say: Callable[[str], None], parts: Sequence[Units], options: Options
) -> list[Ends]:
    found: list[Ends] = [{} for _ in parts]
    # A single template has no interval, and most groups are one.
    varied = [at for at, part in enumerate(parts) if len(part) > 1 and options.intervals]
    if not varied:
        return found
    results = complete(_computed(address, say, [parts[at] for at in varied], options))
    for at, (version, ends) in zip(varied, results, strict=True):
        refuse_other_version(version, _version(), address)
        found[at] = ends
    return found


async def _computed(
    address: str, say: Callable[[str], None], parts: Sequence[Units], options: Options
) -> list[tuple[str, Ends]]:
    async with connected(address) as client:
        futures = client.map(ends_there, parts, options=options, pure=False)
        results: list[tuple[str, Ends]] = await patiently(
            client, client.gather(futures), address, say
        )
        return results


def ends_there(part: Units, options: Options) -> tuple[str, Ends]:
    """On a worker, the ends of a group's intervals, and what computed them."""
    return _version(), ends_of(part, options)


def _version() -> str:
    return f"curate-bbq {__version__} with numpy {np.__version__} and scipy {scipy.__version__}"
