"""Requests into batch files: those that have no reply yet, each content once."""

import os
from array import array
from collections.abc import Iterable
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from curation.files.atomic import refused, scratch_folder
from curation.files.lock import writing_results
from curation.files.workspace import Workspace
from curation.records.errors import CurateError
from evaluation.batch.files import (
    Limits,
    batch_files,
    batch_line,
    files_read,
    model_folder,
    read_batch,
)
from evaluation.requests import REQUESTS, messages_hash
from evaluation.runner.backend import BackendSettings
from evaluation.runner.index import RequestIndex, index_requests
from evaluation.runner.reply_file import FILE as REPLIES
from evaluation.runner.reply_file import ReplyFile, read_standing
from evaluation.runner.run import unknown
from evaluation.runner.store import FILE as STORE
from evaluation.runner.store import Store
from evaluation.runner.tally import Tally


@dataclass(slots=True)
class Written:
    """What was written.

    Attributes:
        requests: The requests there are.
        before: Those that had a reply.
        from_store: Those whose reply the store had; it is in the file of replies now.
        epochs: In how many epochs they are asked.
        waiting: Those in batches whose results were not read.
        written: Those that the new batch files answer.
        shared: Those among them that say the same as another, which is asked for both.
        files: The new batch files, each with the number of its requests and its bytes.
    """

    requests: int
    before: int
    from_store: int = 0
    epochs: int = 1
    waiting: int = 0
    written: int = 0
    shared: int = 0
    files: dict[Path, tuple[int, int]] = field(default_factory=dict)


def write(
    workspace: Workspace,
    settings: BackendSettings,
    *,
    requests: Path | None = None,
    replies: Path | None = None,
    store: Path | None = None,
    folder: Path | None = None,
    limits: Limits | None = None,
) -> Written:
    """Write the requests of a workspace that have no reply as a new round of batch files.

    What was asked before is not asked again: requests with a reply in the file or in the store
    are left out, and those in batches whose results were not read. Of requests that say the same,
    and whose replies are not drawn, one is asked.

    Args:
        workspace: The workspace.
        settings: How the model is asked, as `curate evaluate run` asks it; replies are kept under
            the same key, whichever way they came.
        requests: What is asked; None for `exports/evaluation/requests.jsonl`.
        replies: Replies there are; None for `replies.jsonl` beside the requests.
        store: Every reply that was ever paid for; None for the workspace's.
        folder: The folder of this model's batches; None for that beside the file of replies.
        limits: The most that a file may hold.

    Raises:
        CurateError: If there is no request, some got a reply with another prompt or other
            parameters, the folder's other rounds ask another model or otherwise, or something
            cannot be written.
    """
    asked = requests or workspace.exports_folder / "evaluation" / REQUESTS
    asking, model = settings.asking(), settings.model
    file = replies or asked.with_name(REPLIES)
    place = folder or model_folder(file, model)
    with (
        Store(store or workspace.curate_folder / STORE) as kept,
        writing_results(place, "curate evaluate run", workspace),
        index_requests(asked, asking) as index,
        ReplyFile(file) as opened,
    ):
        standing = read_standing(file, index, model, kept)
        waiting = _waiting(place, index)
        tally = Tally()
        free = (at for at in range(len(index)) if not standing.done[at])
        places = array("L", unknown(index, free, kept, opened, tally, model))
        report = Written(len(index), standing.answered, tally.from_store, index.epochs)
        open_ = array("L", (at for at in places if index.key(at) not in waiting))
        report.waiting, places = len(places) - len(open_), open_
        if places:
            number = max((int(path.parent.name) for path in batch_files(place)), default=0) + 1
            repeats = index.repeats()
            asked_once = array("L", (at for at in places if not repeats[at]))
            requested = map(index.request, asked_once)
            lines = ((item.request_id, batch_line(asking, item, number)) for item in requested)
            report.written, report.shared = len(places), len(places) - len(asked_once)
            report.files = _write_round(place / f"{number:03d}", lines, limits or Limits())
    if not file.stat().st_size:
        file.unlink()
    return report


def _waiting(folder: Path, index: RequestIndex) -> set[bytes]:
    """The keys of what is in batch files of which no results were read.

    Raises:
        CurateError: If they ask another model, or otherwise.
    """
    read = files_read(folder)
    found: set[bytes] = set()
    for path in batch_files(folder):
        for item in read_batch(path):
            (at,) = index.find([item.request_id])
            same = at is not None and messages_hash(index.request(at).messages) == item.messages
            if same and at is not None and index.key(at) != item.key:
                said = sorted(item.asking.parameters.items())
                shown = ", ".join(f"{name}={value}" for name, value in said)
                raise CurateError(
                    f"this folder holds batches that ask {item.request_id} another way: {shown}",
                    str(folder),
                    "read their results first, or name another file with --replies",
                )
            if path.relative_to(folder).as_posix() in read:
                break  # one of them says how all are asked
            found.add(item.key)
    return found


def _write_round(
    target: Path,
    lines: Iterable[tuple[str, bytes]],
    limits: Limits,
) -> dict[Path, tuple[int, int]]:
    """Write lines into files of a new folder, which appears when all of it is on the disk.

    Args:
        target: The folder.
        lines: Requests with the lines that ask them.
        limits: The most that one file may hold.

    Returns:
        By file how many requests it holds, and its bytes.

    Raises:
        CurateError: If a request is larger than a file may be, or something cannot be written.
    """
    files: dict[Path, tuple[int, int]] = {}
    with scratch_folder(target) as stage, ExitStack() as stack:
        try:
            stream: IO[bytes] | None = None
            count = size = 0
            for name, line in lines:
                if len(line) > limits.size:
                    raise CurateError(
                        f"the request '{name}' alone is larger than a batch file may be "
                        f"({len(line):,} bytes)",
                        hint="ask it without a batch file",
                    )
                if stream is None or count == limits.requests or size + len(line) > limits.size:
                    count = size = 0
                    path = stage / f"openai-{len(files) + 1:03d}.jsonl"
                    stream = stack.enter_context(path.open("wb"))
                stream.write(line)
                count, size = count + 1, size + len(line)
                files[target / path.name] = count, size
            stack.close()
            for path in stage.iterdir():
                with path.open("rb") as written:
                    os.fsync(written.fileno())
            stage.chmod(0o755)
            stage.rename(target)
        except OSError as error:
            raise refused(target, error) from error
    return files
