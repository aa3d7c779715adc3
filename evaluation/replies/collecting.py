"""Whatever holds replies into one file of replies: parts of a run, logs of harnesses."""

import json
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from curation.files.tables import refuse_absent
from curation.files.workspace import Workspace
from evaluation.replies.logs import read_log
from evaluation.replies.merging import MergeResult, merge
from evaluation.replies.reply import reply_line

BATCH, LOG, REPLIES = "results of a batch", "log", "replies"
"""What a file may hold."""
_KEYS = {"custom_id": BATCH, "resps": LOG}
"""By a key of its first line."""


def kind_of(path: Path) -> str:
    """Tell whether a file holds results of a batch, a harness's log, or replies.

    Raises:
        CurateError: If there is no such file.
    """
    refuse_absent(path)
    if path.suffix.lower() in (".eval", ".json"):
        return LOG
    with path.open("rb") as stream, suppress(ValueError):
        first = json.loads(next((line for line in stream if line.strip()), b"{}"))
        for key, kind in _KEYS.items():
            if isinstance(first, dict) and key in first:
                return kind
    return REPLIES


def collect(
    files: Sequence[Path],
    target: Path,
    requests: Path | None = None,
    *,
    model: str | None = None,
    allow_incomplete: bool = False,
    workspace: Workspace | None = None,
) -> MergeResult:
    """Add the replies of several files to a file of replies, as `merge` does.

    Args:
        files: Files of replies, of lm-eval's `--log_samples`, and logs of Inspect.
        target: The file of replies; what it holds stays in it.
        requests: All requests, to check that none lacks a reply.
        model: The model's name in logs; None for what they say.
        allow_incomplete: Whether to write although requests lack a reply.
        workspace: The workspace; its `wait` says how long to wait for other commands.

    Raises:
        CurateError: If a file cannot be read or written, or replies contradict each other.
    """
    parts = [target] if target.exists() else []
    with TemporaryDirectory() as scratch:
        for number, path in enumerate(files):
            if kind_of(path) == LOG:
                part = Path(scratch, f"{number}-{path.name}")
                part.write_bytes(b"".join(map(reply_line, read_log(path, model))))
                parts.append(part)
            else:
                parts.append(path)
        return merge(
            parts, target, requests, allow_incomplete=allow_incomplete, workspace=workspace
        )
