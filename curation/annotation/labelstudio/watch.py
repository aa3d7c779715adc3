"""Pull again and again, through times in which the server is away."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from curation.annotation.labelstudio.client import Server, ServerFault
from curation.annotation.labelstudio.pull import Pulled, pull_answers
from curation.files.ledger import now
from curation.files.workspace import Workspace
from curation.records.errors import CurateError


@dataclass(frozen=True, slots=True)
class Round:
    """One of several pulls.

    Attributes:
        at: When it ended, UTC, ISO 8601.
        pulled: What was pulled; None where that failed.
        fault: Why it failed; None where it did not.
        more: How many more answers there are than in the last round that did not fail.
    """

    at: str
    pulled: Pulled | None
    fault: CurateError | None
    more: int


def watch_answers(
    workspace: Workspace,
    kind: str,
    seconds: float,
    *,
    requests: Path | None = None,
    server: Server | None = None,
    wait: Callable[[float], None] = time.sleep,
) -> Iterator[Round]:
    """Pull repeatedly until interrupted; nothing is locked between two pulls.

    A server that is away or busy fails a round, and the next one is tried. So does whatever else
    goes wrong once a round went well, for somebody may be at work on the files.

    Args:
        workspace: The workspace.
        kind: The kind of task.
        seconds: How long to wait between two rounds.
        requests: What the evaluator of stories is asked; the usual file by default.
        server: The server; the one that the environment names by default.
        wait: Sleeps for so many seconds.

    Yields:
        Each round when it is over.

    Raises:
        CurateError: If the server refuses, as where the token is wrong, or the first round fails
            by anything but a server that is away.
    """
    rows: int | None = None
    while True:
        try:
            pulled = pull_answers(workspace, kind, requests, server)
        except CurateError as fault:
            if not _may_pass(fault, worked=rows is not None):
                raise
            yield Round(now(), None, fault, 0)
        else:
            more = pulled.rows - (rows if rows is not None else pulled.rows)
            rows = pulled.rows
            yield Round(now(), pulled, None, more)
        wait(seconds)


def _may_pass(fault: CurateError, *, worked: bool) -> bool:
    """Say whether a fault may be gone in the next round."""
    if isinstance(fault, ServerFault):
        return fault.status is None or fault.status >= 500 or fault.status in (408, 429)
    return worked
