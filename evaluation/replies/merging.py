"""Whatever holds replies into one file of replies: parts of a run, logs of harnesses.

The file is shown to be whole before it is written. Lines are copied as they are. Only where each
lies is held in memory, and a hash of what it says. Logs of lm-eval and Inspect are read as replies:
what a model said to requests of an exported folder.
"""

import json
import os
import struct
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from curation.files.atomic import atomic_path
from curation.files.lock import writing_results
from curation.files.tables import ZIP_FAULTS, read_bytes, refuse_absent
from curation.files.workspace import Workspace
from curation.records.messages import (
    CurateError,
    Finding,
    Results,
    Severity,
    natural,
    refusal,
    shortened,
)
from curation.web import Scrubber
from evaluation.folders import requests_by_id
from evaluation.replies.files import (
    PARTS,
    OtherMessages,
    ReplyParts,
    ReplyTable,
    attendance,
    message_hashes,
    read_blocks,
    reply_files,
)
from evaluation.replies.reply import (
    Failure,
    FailureKind,
    Reply,
    key_of,
    refuse_packed,
    reply_line,
    usage_of,
)
from evaluation.requests import ASKED, epoch_id, messages_hash, read_lines, request_of
from evaluation.runner.backends.completions import first_logprobs

_LM_EVAL = "lm-eval writes samples_*.jsonl with --log_samples"
_INSPECT = "Inspect writes logs that end in .eval or .json"
_LOGS = (".eval", ".json")
_CACHED = ("read", "write")
_AGAIN = f"{_LM_EVAL}; {_INSPECT}"
_ZIP = b"PK\x03\x04"
_ZSTANDARD = 93
_LONGEST = 300  # characters of a message
_LENGTHS = 26  # where a member's header has the lengths of its name and of what comes behind


def read_log(path: Path, model: str | None = None) -> list[Reply]:
    """Read a log of either harness: what a model said to requests of an exported task.

    A reply of a later epoch (Inspect), or a repeated one (lm-eval), is one to the request of that
    epoch.

    Args:
        path: A file of lm-eval's `--log_samples`, or a log of Inspect, packed or as JSON.
        model: The model's name; None for what the log says.

    Raises:
        CurateError: If it is none.
    """
    refuse_absent(path)
    with path.open("rb") as stream:
        head = stream.read(len(_ZIP))
    try:
        if head == _ZIP:
            found = list(_packed(path, model))
        elif path.suffix.lower() == ".jsonl":
            found = list(_samples(path, model))
        else:
            log = json.loads(read_bytes(path))
            if not isinstance(log, dict) or not isinstance(log.get("eval"), dict):
                raise ValueError("it is not a log of Inspect")
            found = [_sample(item, model or log["eval"]["model"]) for item in log["samples"]]
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        said = str(error) if type(error) is ValueError else f"it has another shape ({error})"
        raise CurateError(
            f"{path.name} is not a log of replies: {said}", str(path), _AGAIN
        ) from error
    if not found:
        raise CurateError(f"{path.name} holds no reply", str(path), _AGAIN)
    return found


def _packed(path: Path, model: str | None) -> Iterator[Reply]:
    """Yield what Inspect's packed log holds."""
    try:
        with zipfile.ZipFile(path) as archive, path.open("rb") as stream:
            # A run that was killed has written how it began alone.
            names = archive.namelist()
            head = "header.json" if "header.json" in names else "_journal/start.json"
            header = json.loads(_member(archive, stream, archive.getinfo(head)))
            name = model or header["eval"]["model"]
            for info in archive.infolist():
                if info.filename.startswith("samples/"):
                    yield _sample(json.loads(_member(archive, stream, info)), name)
    except ZIP_FAULTS as error:
        raise refusal("evaluation", "log-packed", path, error=error) from error


def _member(archive: zipfile.ZipFile, stream: IO[bytes], info: zipfile.ZipInfo) -> bytes:
    """Read a member, also one packed by Zstandard, which Python's own reader does not know."""
    if info.compress_type != _ZSTANDARD:
        return archive.read(info)
    import pyarrow as pa

    stream.seek(info.header_offset + _LENGTHS)
    name, extra = struct.unpack("<HH", stream.read(4))
    stream.seek(name + extra, os.SEEK_CUR)
    packed = stream.read(info.compress_size)
    data: bytes = pa.Codec("zstd").decompress(packed, info.file_size, asbytes=True)
    return data


def _sample(sample: Mapping[str, Any], model: str) -> Reply:
    """Read a sample of Inspect's, in one epoch."""
    name = epoch_id(str(sample["id"]), int(sample["epoch"]))
    output = sample.get("output") or {}
    choices = output.get("choices") or [{}]
    message = choices[0].get("message") or {}
    content = message.get("content")
    text = output.get("completion")
    if text is None and message:
        text = _parts(content, "text", "text")
    said, used = sample.get("error"), dict(output.get("usage") or {})
    if used.get("input_tokens") is not None:  # Inspect counts those of a provider's cache apart
        used["input_tokens"] += sum(used.get(f"input_tokens_cache_{of}") or 0 for of in _CACHED)
    reply = Reply(
        text,
        usage_of(used),
        None if choices[0].get("stop_reason") == "unknown" else choices[0].get("stop_reason"),
        output.get("time"),
        reasoning=_parts(content, "reasoning", "reasoning") or None,
        served=output.get("model"),
        logprobs=first_logprobs(choices[0].get("logprobs"), text or ""),
        request_id=name,
        model=model,
        key=key_of((sample.get("metadata") or {}).get("key")),
    )
    if said or text is None:
        why = said.get("message") if isinstance(said, Mapping) else said
        # The reason stands at the end, behind what was sent.
        why = Scrubber().clean(str(why or "no reply")[-_LONGEST:])
        return reply._replace(text=None, error=Failure(FailureKind.SERVER, why))
    return reply


def _parts(content: object, kind: str, key: str) -> str | None:
    """The parts of a kind of a message; a text is one of the kind `text`."""
    if isinstance(content, str):
        return content if kind == "text" else None
    parts = content if isinstance(content, list) else []
    return "".join(str(part[key]) for part in parts if part.get("type") == kind)


def _samples(path: Path, model: str | None) -> Iterator[Reply]:
    """Yield what lm-eval logged of a task; a request is logged once for each filter."""
    name = model or _logged_model(path)
    seen: set[str] = set()
    for line in read_lines(path, _AGAIN):
        request_id = line.value["doc"]["request_id"]
        if request_id in seen:
            continue
        seen.add(request_id)
        (replies,) = line.value["resps"] if len(line.value["resps"]) == 1 else ([None],)
        for epoch, reply in enumerate(replies, start=1):
            if not isinstance(reply, str):
                raise ValueError("it is of multiple choice and holds no texts")
            yield Reply(reply, request_id=epoch_id(request_id, epoch), model=name)


def _logged_model(path: Path) -> str:
    """The model of a file of samples, as the results beside it say.

    Raises:
        CurateError: If none do, or they name several.
    """
    names = set()
    for beside in path.parent.glob("results_*.json"):
        found = json.loads(read_bytes(beside))
        names.add(str(found.get("model_name") or found["config"]["model"]))
    if len(names) != 1:
        key = "log-several" if names else "log-nothing"
        raise refusal("evaluation", key, str(path), names=sorted(names))
    return names.pop()


_Ints = npt.NDArray[np.int64]


def merge(
    replies: Sequence[Path],
    out: Path,
    requests: Path | None = None,
    *,
    allow_incomplete: bool = False,
    workspace: Workspace | None = None,
) -> Results:
    """Join the replies of several parts in one file, unless some are missing.

    Args:
        replies: The files; one that is named twice is read once.
        out: The file for all replies.
        requests: All requests, to check that the parts together are complete.
        allow_incomplete: Whether to write although requests lack a reply.
        workspace: The workspace; its `wait` says how long to wait for other commands.

    Returns:
        - `file`, how many lines are `written` (0 where it was `refused`, for requests lack a reply
          or lines are cut off), and how many `lines` were read;
        - `models`: by model, requests with a line;
        - `requests`: how many there are, `missing`: by model those without a reply, both None where
          they were not named, and `failed`: by model, how many of these have a failure;
        - `doubled`: replies left out that say what an earlier one says, `overlap`: lines whose
          request has one in another file, too, and `failures_left_out`: failures for which another
          line stands;
        - `findings`: last lines that are cut off.

    Raises:
        CurateError: If a file cannot be read or written, or replies contradict each other.
    """
    paths = list(dict.fromkeys(replies))
    lines, findings = _lines(paths)
    first, counting = _counting(paths, lines)
    replied = lines["says"].to_numpy() != 0
    kept = lines.iloc[counting].reset_index(drop=True)
    names = kept["model"].cat.categories
    models = natural(names)
    missing: dict[str, list[str]] | None = None
    failed: dict[str, int] = {}
    rank = np.arange(len(kept))
    if requests is not None:
        order = requests_by_id(
            requests,
            read_lines(requests),
            lambda line: messages_hash(request_of(line).messages),
            what="request",
            hint="write the requests again",
        )
        rank = _ranks(kept, order, paths, requests)
        replied_by = np.where(kept["says"] != 0, "reply", "").tolist()
        attended = attendance(ReplyTable(kept, 0, ()), list(order), rank, replied_by)
        missing = {item.model: list(item.missing) for item in attended}
        failed = {item.model: item.failed for item in attended}
        rank = rank + len(order) * _codes(kept["model"], models)
    refused = bool(findings or (missing and any(missing.values()))) and not allow_incomplete
    if not refused:
        with writing_results(out.parent, "curate evaluate replies", workspace):
            _copy(out, paths, kept.iloc[np.argsort(rank, kind="stable")])
    return Results(
        {
            "file": out,
            "written": 0 if refused else len(kept),
            "lines": len(lines),
            "models": {model: int((kept["model"] == model).sum()) for model in sorted(names)},
            "requests": None if missing is None else len(order),
            "missing": missing,
            "failed": failed,
            "doubled": int(replied.sum() - replied[counting].sum()),
            "overlap": int((lines["file"].to_numpy() != lines["file"].to_numpy()[first]).sum()),
            "failures_left_out": int((~replied).sum() - (~replied[counting]).sum()),
            "findings": findings,
            "refused": refused,
        }
    )


def _lines(paths: Sequence[Path]) -> tuple[pd.DataFrame, tuple[Finding, ...]]:
    """Where the lines of files lie, and what they say, 0 for a failure.

    Raises:
        CurateError: If a file is not there, or a line is no reply.
    """
    parts: list[pd.DataFrame] = []
    findings: list[Finding] = []
    for number, path in enumerate(paths):
        refuse_packed(path)
        for table, problems in read_blocks(path, placed=True):
            for problem in problems:
                if problem.severity is Severity.ERROR:
                    where = f"{path}, line {problem.row}"
                    raise refusal("evaluation", "replies-line", where, why=problem.message)
            findings += problems
            frame = table.select(["request_id", "model", "line", "offset"]).to_pandas()
            texts = table.column("reply").to_pandas()
            says = pd.util.hash_array(texts.fillna("").to_numpy(object)) | 1
            asked = message_hashes(table.column(ASKED))
            frame["says"] = np.where(texts.isna(), 0, says).astype(np.uint64)
            frame["asked"] = np.uint64(0) if asked is None else asked
            parts.append(frame.assign(file=number))
    lines = pd.concat(parts) if parts else pd.DataFrame()
    if lines.empty:
        raise ReplyParts(paths).nothing(findings)
    return lines.astype({"model": "category", "request_id": "category"}), tuple(findings)


def _counting(paths: Sequence[Path], lines: pd.DataFrame) -> tuple[_Ints, _Ints]:
    """Which line counts of each request: its first reply, else its last failure.

    Returns:
        For each line the first one of its request; and the lines that count, in their order.

    Raises:
        CurateError: If a model has two different replies to one request.
    """
    width = len(lines["request_id"].cat.categories)
    keys = lines["model"].cat.codes.to_numpy(np.int64) * width + lines["request_id"].cat.codes
    groups, _ = pd.factorize(keys)
    rows = np.arange(len(lines))
    first = np.full(groups.max() + 1, -1)
    counting = first.copy()
    first[groups[::-1]] = rows[::-1]
    counting[groups] = rows
    replied = np.flatnonzero(lines["says"].to_numpy())
    counting[groups[replied[::-1]]] = replied[::-1]
    own = counting[groups]
    says, asked = lines["says"].to_numpy(), lines["asked"].to_numpy()
    both = (says != 0) & (says[own] != 0)
    # The same letter may answer other messages.
    other = (says != says[own]) | ((asked != asked[own]) & (asked != 0) & (asked[own] != 0))
    odd = np.flatnonzero(both & other)
    if len(odd):
        pairs = lines.iloc[odd]
        named = list(dict.fromkeys(zip(pairs["request_id"], pairs["model"], strict=True)))
        places = (lines.iloc[at] for at in (own[odd[0]], odd[0]))
        where = " and ".join(f"{paths[line['file']]}, line {line['line']}" for line in places)
        told = {
            "count": len(named),
            "shown": shortened([f"{name} ({model})" for name, model in named]),
        }
        raise refusal("evaluation", "merge-second", f"the first: {where}", **told)
    return first[groups], np.sort(counting)


def _ranks(
    kept: pd.DataFrame, order: Mapping[str, int], paths: Sequence[Path], requests: Path
) -> _Ints:
    """The place of each line's request.

    Raises:
        CurateError: If a reply answers none of the requests, or other messages than its request
            has.
    """
    rank = _codes(kept["request_id"], list(order))
    strange = kept[rank < 0]
    if len(strange):
        model = strange["model"].iloc[0]
        names = strange["request_id"][strange["model"] == model].tolist()
        lost = {"model": model, "count": len(names), "shown": shortened(names)}
        raise refusal("evaluation", "merge-strange", str(requests), **lost)
    other = OtherMessages()
    wanted = np.fromiter(order.values(), np.uint64, len(order))[rank]
    told = kept.assign(reply=kept["says"].where(kept["says"] != 0))
    other.add(told, kept["asked"].to_numpy(), wanted)
    hint = "name with --requests the requests that were sent, and only files of replies to them"
    other.refuse(paths, hint)
    return rank


def _codes(column: "pd.Series[str]", names: Sequence[str]) -> _Ints:
    """For each text of a categorical column its place among names; -1 for none."""
    places = pd.Index(names).get_indexer(column.cat.categories)
    return places[column.cat.codes.to_numpy()].astype(np.int64)


def _copy(target: Path, paths: Sequence[Path], lines: pd.DataFrame) -> None:
    """Copy lines in place of a file.

    Raises:
        CurateError: If it cannot be written.
    """
    with ExitStack() as stack:
        streams = [stack.enter_context(path.open("rb")) for path in paths]
        out = stack.enter_context(stack.enter_context(atomic_path(target)).open("wb"))
        for file, offset in zip(lines["file"].tolist(), lines["offset"].tolist(), strict=True):
            streams[file].seek(offset)
            data = streams[file].readline()
            out.write(data if data.endswith(b"\n") else data + b"\n")


BATCH, LOG, REPLIES = "results of a batch", "log", "replies"
"""What a file may hold."""
_KEYS = {"custom_id": BATCH, "resps": LOG}
"""By a key of its first line."""


def reply_and_log_files(given: Sequence[Path]) -> tuple[Path, ...]:
    """The files that are named, and those in folders that hold replies, results or logs.

    Raises:
        CurateError: If a folder holds none.
    """
    return reply_files(given, _holds, (*PARTS, *_LOGS))


def _holds(path: Path) -> bool:
    """Whether a file of a folder is to be read: lm-eval's results beside its samples are not."""
    if path.suffix.lower() != ".json":
        return path.name.endswith((*PARTS, *_LOGS))
    with suppress(ValueError, RecursionError):  # whoever reads it says what is wrong
        found = json.loads(read_bytes(path))
        return isinstance(found, dict) and isinstance(found.get("eval"), dict)
    return True


def kind_of(path: Path) -> str:
    """Tell whether a file holds results of a batch, a harness's log, or replies.

    Raises:
        CurateError: If there is no such file.
    """
    refuse_absent(path)
    if path.suffix.lower() in _LOGS:
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
) -> Results:
    """Add the replies of several files to a file of replies, as `merge` does.

    Args:
        files: Files of replies, of lm-eval's `--log_samples`, logs of Inspect, and folders of them.
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
        for number, path in enumerate(reply_and_log_files(files)):
            if kind_of(path) == LOG:
                part = Path(scratch, f"{number}-{path.name}")
                part.write_bytes(b"".join(map(reply_line, read_log(path, model))))
                parts.append(part)
            else:
                parts.append(path)
        return merge(
            parts, target, requests, allow_incomplete=allow_incomplete, workspace=workspace
        )
