"""Logs of lm-eval and Inspect as replies: what a model said to requests of an exported folder."""

import json
import os
import struct
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import IO, Any
from zlib import error as ZlibError

from curation.files.jsonl import Line, parse_line
from curation.files.tables import read_bytes, refuse_absent
from curation.records.messages import CurateError
from evaluation.replies.reply import Failure, FailureKind, Reply, key_of, usage_of
from evaluation.requests import epoch_id
from evaluation.runner.backends.completions import Scrubber, first_logprobs

_LM_EVAL = "lm-eval writes samples_*.jsonl with --log_samples"
_INSPECT = "Inspect writes logs that end in .eval or .json"
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
    except (ValueError, KeyError, TypeError, IndexError) as error:
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
    except (zipfile.BadZipFile, NotImplementedError, OSError, ZlibError) as error:
        what = f"{path.name} cannot be unpacked: {error}"
        hint = "write it as JSON: inspect log convert --to json"
        raise CurateError(what, str(path), hint) from error


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
    said = sample.get("error")
    reply = Reply(
        text,
        usage_of(output.get("usage")),
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
        return replace(reply, text=None, error=Failure(FailureKind.SERVER, why))
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
    with path.open("rb") as stream:
        for number, data in enumerate(stream, start=1):
            if not data.strip():
                continue
            line = parse_line(str(path), number, data, last=False)
            if not isinstance(line, Line):
                raise CurateError(line.message, f"{path}, line {number}", line.hint)
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
        what = "nothing beside the log says which model it is of"
        if names:
            what = f"the results beside the log are of several models: {', '.join(sorted(names))}"
        raise CurateError(what, str(path), "name the model: --model NAME")
    return names.pop()
