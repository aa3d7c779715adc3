"""The parts of a bulk job on a Dask cluster, and requests asked by its workers.

Whatever divides a job into parts that share nothing, as `--shard` does, can be worked off by any
scheduler. An array of jobs does without Dask; this is for clusters on which one runs already.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from curation.records.messages import CurateError, Results
from evaluation.replies.merging import merge
from evaluation.requests import Shard
from evaluation.runner.asking import RunPlan, run

T = TypeVar("T")

RETRIES = 3
"""How often a part is tried again whose worker fails; that of a lost worker goes to another."""


def over_parts(
    function: Callable[[int, int], T], parts: int, client: Any, *, retries: int = RETRIES
) -> list[T]:
    """Call a function for each part of a job on the workers of a cluster.

    All parts are worked on, also where one fails.

    Args:
        function: Called with the number of a part, from 1, and of how many. It is called again
            where a worker was lost, so it must go on from what it has written before.
        parts: How many parts; several for each worker, so that none waits long for the last.
        client: The cluster, a `distributed.Client`.
        retries: How often a part that fails is tried again.

    Returns:
        What the function gave, in the order of the parts.

    Raises:
        CurateError: If a part failed to the end; the first one is named.
    """
    numbers = range(1, parts + 1)
    futures = client.map(function, numbers, [parts] * parts, pure=False, retries=retries)
    found: list[T] = client.gather(futures, errors="skip")
    for number, future in zip(numbers, futures, strict=True):
        if future.status == "error":
            error = future.exception()
            what = f"part {number}/{parts} failed: {error}"
            hint = "correct what it says and run it again: the other parts are kept"
            raise CurateError(what, str(client.scheduler.address), hint) from error
    return found


def run_parts(wanted: RunPlan, parts: int, client: Any) -> Results:
    """Ask the requests of a run in parts on the workers of a cluster, and join the replies.

    Each part has its own files of replies and store, in a folder beside `wanted.replies`, which all
    workers have to see, and its share of budget and limit. Run again, it asks only what has no
    reply. The joined file is the same however many parts and workers there are.

    Args:
        wanted: The run, as for one machine.
        parts: How many parts.
        client: The cluster, a `distributed.Client`.

    Returns:
        What was joined; nothing where a request has no reply.

    Raises:
        CurateError: If a part ends with an error.
    """
    folder = wanted.replies.with_name(f"{wanted.replies.stem}.parts")
    folder.mkdir(parents=True, exist_ok=True)
    over_parts(partial(_ask, wanted, folder), parts, client)
    made = [folder / f"{number}.jsonl" for number in range(1, parts + 1)]
    return merge([path for path in made if path.exists()], wanted.replies, wanted.requests)


def _ask(wanted: RunPlan, folder: Path, number: int, parts: int) -> None:
    """Ask a part; each has its own files, and its share of what may be spent and asked."""
    replies = folder / f"{number}.jsonl"
    store = replies.with_suffix(".sqlite")
    budget = None if wanted.budget is None else wanted.budget / parts
    limit = None if wanted.limit is None else (wanted.limit + parts - number) // parts
    part = replace(wanted, shard=Shard(number, parts), budget=budget, limit=limit)
    run(replace(part, replies=replies, store=store))
