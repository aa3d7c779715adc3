"""Lines of `replies.jsonl`, read one by one or as blocks of columns, each with its place.

A block is read the fast way where every line of it is a reply, else line by line.
"""

import gzip
import io
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, NamedTuple
from zlib import error as ZlibError

from curation.files.jsonl import Line, line_problem, parse_line
from curation.files.tables import read_bytes, refuse_absent
from curation.records.messages import CurateError, Finding, Severity, given_name
from evaluation.parsing import ReplyRule
from evaluation.replies.reply import LOGPROBS, logprobs_text
from evaluation.requests import ASKED, BOM

BLOCK = 16 << 20
"""Bytes that are read at once; a block ends with a line."""
FIELDS = ("request_id", "model", "reply", ASKED, "error")
"""The columns of a block: `messages_hash` tells what was asked, null where the line does not say
it; `error` is the kind of a failure, null where there is a reply."""
PLACED = ("key", "line", "offset")
"""More columns, where they are wanted: the reply's key, null where the line does not say it; the
number of its line, from 1, and the bytes before that."""
UNKNOWN_ERROR = "unknown"
"""The kind of a failure of which the line says nothing."""
CUT_THOUGHT = "<think>"
"""How a reply is read of which only thoughts came: as one that was cut off within them."""
THOUGHTS = "reasoning"
"""What a line calls the model's thoughts, where they came apart from the reply."""
_UNFINISHED = f'"{ReplyRule.UNFINISHED}"'.encode()
_KINDS = ("kind", "type", "code")  # what may name the kind of an error that is an object
_READ = (*FIELDS[:4], "key")  # what the fast way reads of a line
_GZIP = b"\x1f\x8b"
_HALF_PAIR = re.compile("[\ud800-\udfff]")


class _Block(NamedTuple):
    """Some lines of a file.

    Attributes:
        file: Path as shown to the user.
        first: The number of its first line.
        start: The bytes before it.
        data: The lines.
        last: Whether the file ends with it.
    """

    file: str
    first: int
    start: int
    data: bytes
    last: bool


def read_blocks(
    path: Path, *, logprobs: bool = False, placed: bool = False
) -> Iterator[tuple[Any, list[Finding]]]:
    """Yield a file of replies as blocks of columns, each with what is wrong in it.

    Args:
        path: JSON lines of `{request_id, model, reply}` and whatever else; may be gzipped.
        logprobs: Whether `reply` is to be the log-probabilities of each reply, as a text.
        placed: Whether `PLACED` is wanted, too.

    Yields:
        A `pyarrow.Table` with `FIELDS` as strings, and findings with their lines.

    Raises:
        CurateError: If there is no such file, it cannot be read, or a model has no name.
    """
    with opened(path) as stream:
        for block in _blocks(stream, str(path), BLOCK):
            if logprobs:
                table, findings = _strict(block, _numbered(block), logprobs=True)
            else:
                table, findings = _columns(block, FIELDS[:4] if not placed else _READ)
            for name in table.column("model").unique().to_pylist():
                given_name(name or "", str(path))
            yield table.select((*FIELDS, *PLACED) if placed else FIELDS), findings


@contextmanager
def opened(path: Path) -> Iterator[IO[bytes]]:
    """Open a file of replies, packed or not."""
    try:
        with path.open("rb") as raw:
            packed = raw.read(len(_GZIP)) == _GZIP
            raw.seek(0)
            if packed:
                with gzip.open(raw) as stream:
                    yield io.BufferedReader(stream)
            else:
                yield raw
    except (EOFError, gzip.BadGzipFile, ZlibError) as error:
        raise CurateError(
            f"{path.name} is damaged and cannot be unpacked", str(path), "copy the file again"
        ) from error
    except OSError:
        read_bytes(path)  # says in words what is wrong
        raise


def refuse_packed(path: Path) -> None:
    """Refuse a file whose lines are to be copied or added to, and that is packed.

    Raises:
        CurateError: If there is no such file, or it is packed.
    """
    refuse_absent(path)
    with path.open("rb") as stream:
        if stream.read(len(_GZIP)) == _GZIP:
            raise CurateError("the file is packed", str(path), "unpack it first: gunzip")


def _blocks(stream: IO[bytes], file: str, size: int) -> Iterator[_Block]:
    first = 1
    begun = stream.read(size)
    data = begun.removeprefix(BOM)
    start = len(begun) - len(data)
    while data:
        data += stream.readline()
        following = stream.read(size)
        yield _Block(file, first, start, data, last=not following)
        first += data.count(b"\n")
        start += len(data)
        data = following


def _columns(block: _Block, names: Sequence[str]) -> tuple[Any, list[Finding]]:
    """Read a block the fast way where every line of it is a reply, else line by line."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    table = _parsed(block.data, names)
    if table is None:
        return _strict(block, _numbered(block))
    if "key" in names:
        ends = np.flatnonzero(np.frombuffer(block.data, np.uint8) == ord("\n")) + 1
        starts = block.start + np.concatenate([[0], ends])[: len(table)]
        numbers = np.arange(block.first, block.first + len(table))
        table = table.append_column("line", pa.array(numbers))
        table = table.append_column("offset", pa.array(starts))
    for column in ("request_id", "model"):
        if pc.any(pc.equal(pc.utf8_trim_whitespace(table.column(column)), "")).as_py():
            return _strict(block, _numbered(block))
    replies = table.column("reply")
    # Why a call failed, and whether the line says so at all, only its other keys tell; so they
    # do of a reply without text, of which thoughts may have come.
    failed = pc.is_null(replies).combine_chunks()
    if _UNFINISHED in block.data:
        failed = pc.or_(failed, pc.fill_null(pc.equal(replies, ""), False).combine_chunks())
    if not pc.any(failed).as_py():
        return table.append_column("error", pa.nulls(len(table), pa.large_string())), []
    lines = _numbered(block)
    read, findings = _strict(block, [lines[at] for at in np.flatnonzero(failed.to_numpy(False))])
    if findings:
        return _strict(block, _numbered(block))
    errors = pc.replace_with_mask(
        pa.nulls(len(table), pa.large_string()), failed, read.column("error").combine_chunks()
    )
    texts = pc.replace_with_mask(
        replies.combine_chunks(), failed, read.column("reply").combine_chunks()
    )
    at = table.column_names.index("reply")
    return table.set_column(at, "reply", texts).append_column("error", errors), []


def _parsed(data: bytes, names: Sequence[str]) -> Any:
    """Parse lines that are all objects with a text `request_id`, `model` and `reply` or null.

    Returns:
        A table without `error`; None where a line is anything else.
    """
    import pyarrow as pa
    from pyarrow import json as arrow_json

    try:
        if not data.isascii():
            data.decode()  # keys that are not asked for are not looked at below
        table = arrow_json.read_json(
            pa.BufferReader(data),
            read_options=arrow_json.ReadOptions(block_size=1 << 20),
            parse_options=arrow_json.ParseOptions(
                explicit_schema=pa.schema([(name, pa.string()) for name in names]),
                unexpected_field_behavior="ignore",
            ),
        )
        table.validate(full=True)
    except (pa.ArrowInvalid, UnicodeDecodeError):
        return None
    lines = data.count(b"\n") + (not data.endswith(b"\n"))
    if len(table) != lines or any(table.column(name).null_count for name in names[:2]):
        return None
    return table.cast(pa.schema([(name, pa.large_string()) for name in names]))


_Numbered = tuple[int, int, bytes]


def _numbered(block: _Block) -> list[_Numbered]:
    """The lines of a block that are not blank, with their numbers and the bytes before them."""
    found, start = [], block.start
    for number, data in enumerate(block.data.split(b"\n"), start=block.first):
        if data.strip():
            found.append((number, start, data))
        start += len(data) + 1
    return found


def _strict(
    block: _Block, lines: Sequence[_Numbered], *, logprobs: bool = False
) -> tuple[Any, list[Finding]]:
    """Read lines one by one into columns; what is no reply becomes a finding."""
    import pyarrow as pa

    read = list(_rows(block, lines, logprobs=logprobs))
    rows = [row for row in read if not isinstance(row, Finding)]
    names = (*FIELDS, *PLACED)
    values = zip(*rows, strict=True) if rows else ([] for _ in names)
    types = [pa.large_string()] * (len(names) - 2) + [pa.int64()] * 2
    arrays = [pa.array(list(column), kind) for column, kind in zip(values, types, strict=True)]
    table = pa.table(dict(zip(names, arrays, strict=True)))
    return table, [row for row in read if isinstance(row, Finding)]


Row = tuple[str, str, str | None, str | None, str | None, str | None, int, int]
"""A reply with the columns `FIELDS` and `PLACED`."""


def read_rows(path: Path, option: str) -> Iterator[Row]:
    """Yield a file of replies line by line, for a run that adds to it.

    Args:
        path: The file. Its last line may be cut off, and is then passed over.
        option: What names another file.

    Raises:
        CurateError: If there is no such file, or a line is no reply.
    """
    with opened(path) as stream:
        for block in _blocks(stream, str(path), 1 << 20):
            for row in _rows(block, _numbered(block)):
                if not isinstance(row, Finding):
                    yield row
                elif row.severity is Severity.ERROR:
                    raise CurateError(
                        f"the line is not a reply: {row.message}",
                        f"{path}, line {row.row}",
                        f"correct the line or take it out, or name another file with {option}",
                    )


def _rows(
    block: _Block, lines: Iterable[_Numbered], *, logprobs: bool = False
) -> Iterator[Row | Finding]:
    open_end = block.first + block.data.count(b"\n") if block.last else -1
    for number, start, data in lines:
        line = parse_line(block.file, number, data, last=number == open_end)
        if not isinstance(line, Line):
            yield line
            continue
        try:
            request, model, text, *others = _reply(line)
            if logprobs and text is not None:
                text = logprobs_text(line.value.get(LOGPROBS))
        except ValueError as error:
            yield line_problem(block.file, number, str(error))
            continue
        asked, kind, key = others
        yield str(request), str(model), text, asked, kind, key, number, start


def _reply(line: Line) -> tuple[str | None, ...]:
    """Read a reply: request, model, text, hash of what was asked, kind of error, key.

    Raises:
        ValueError: If it is none.
    """
    reply = line.value.get("reply")
    if reply is not None and not isinstance(reply, str):
        raise ValueError("its 'reply' is neither text nor null")
    if "reply" not in line.value and "error" not in line.value:
        raise ValueError("it has no 'reply'")
    said, error = line.value.get(ASKED), line.value.get("error")
    asked = whole(said) if isinstance(said, str) else None
    key = line.value.get("key")
    text, kind = reply, None
    if reply is None:
        kind = whole(_error_kind(error))
    elif not reply.strip() and _error_kind(error) == ReplyRule.UNFINISHED:
        text = CUT_THOUGHT
    named = line.text("request_id"), line.text("model")
    said = None if text is None else whole(text)
    return *named, said, asked, kind, whole(key) if isinstance(key, str) else None


def _error_kind(error: object) -> str:
    """Name a failure in a few words, whatever shape its line gives it."""
    if isinstance(error, dict):
        kinds = (error.get(name) for name in _KINDS)
        error = next((kind for kind in kinds if kind not in (None, "")), json.dumps(error))
    text = " ".join(str(error if error is not None else "").split())
    return text or UNKNOWN_ERROR


def whole(text: str) -> str:
    """Put the replacement character for half of a surrogate pair, which no UTF-8 can hold."""
    return _HALF_PAIR.sub("\ufffd", text)


def read_thoughts(paths: Sequence[Path]) -> Iterator[tuple[str, str, str]]:
    """Yield the thoughts that were kept beside replies, one at a time, for they can be long.

    Args:
        paths: Files of replies; lines that are no reply are passed over, for whoever reads the
            replies is told of them.

    Yields:
        Request, model and the thoughts, in the order of the files; of several replies of one
        model to one request the last one counts, as in `load_replies`.

    Raises:
        CurateError: If a file cannot be read.
    """
    key = f'"{THOUGHTS}"'.encode()
    for path in dict.fromkeys(paths):
        with opened(path) as stream:
            for number, data in enumerate(stream, start=1):
                line = parse_line(str(path), number, data, last=False) if key in data else None
                if not isinstance(line, Line) or not isinstance(line.value.get("reply"), str):
                    continue
                said, request, model = (
                    line.value.get(name) for name in (THOUGHTS, "request_id", "model")
                )
                if all(isinstance(text, str) and text for text in (said, request, model)):
                    yield str(request), str(model), whole(str(said))
