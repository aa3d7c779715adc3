"""Lines of replies into columns, block by block: fast where a block is whole, strict where not."""

import gzip
import io
import json
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any
from zlib import error as ZlibError

from curation.io.jsonl import Line, line_problem, parse_line
from curation.io.tables import read_bytes
from curation.model.errors import CurateError
from curation.model.findings import Finding

BLOCK = 16 << 20
"""Bytes that are read at once; a block ends with a line."""
COLUMNS = ("request_id", "model", "reply", "error")
"""The columns of a block; `error` is the kind of a failure, null where there is a reply."""
UNKNOWN_ERROR = "unknown"
"""The kind of a failure of which the line says nothing."""
_KINDS = ("kind", "type", "code")  # what may name the kind of an error that is an object
_HALF_PAIR = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class _Block:
    """Some lines of a file.

    Attributes:
        file: Path as shown to the user.
        first: The number of its first line.
        data: The lines.
        last: Whether the file ends with it.
    """

    file: str
    first: int
    data: bytes
    last: bool


def read_blocks(path: Path) -> Iterator[tuple[Any, list[Finding]]]:
    """Yield a file of replies as blocks of columns, each with what is wrong in it.

    Args:
        path: JSON lines of `{request_id, model, reply}` and whatever else; may be gzipped.

    Yields:
        A `pyarrow.Table` with `COLUMNS` as strings, and findings with their lines.

    Raises:
        CurateError: If there is no such file, or it cannot be read.
    """
    with _opened(path) as stream:
        for block in _blocks(stream, str(path)):
            yield _columns(block)


@contextmanager
def _opened(path: Path) -> Iterator[IO[bytes]]:
    try:
        with path.open("rb") as raw:
            packed = raw.read(2) == b"\x1f\x8b"
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


def _blocks(stream: IO[bytes], file: str) -> Iterator[_Block]:
    first = 1
    data = stream.read(BLOCK).removeprefix(b"\xef\xbb\xbf")
    while data:
        data += stream.readline()
        following = stream.read(BLOCK)
        yield _Block(file, first, data, last=not following)
        first += data.count(b"\n")
        data = following


def _columns(block: _Block) -> tuple[Any, list[Finding]]:
    """Read a block the fast way where every line of it is a reply, else line by line."""
    import pyarrow as pa
    import pyarrow.compute as pc

    table = _parsed(block.data)
    if table is None:
        return _strict(block, _numbered(block))
    for column in ("request_id", "model"):
        if pc.any(pc.equal(pc.utf8_trim_whitespace(table.column(column)), "")).as_py():
            return _strict(block, _numbered(block))
    replies = table.column("reply")
    if not replies.null_count:
        return table.append_column("error", pa.nulls(len(table), pa.large_string())), []
    # Why a call failed, and whether the line says so at all, only its other keys tell.
    failed = pc.is_null(replies).combine_chunks()
    lines = pa.array(_numbered(block), pa.struct({"n": pa.int64(), "data": pa.binary()}))
    pairs = [(item["n"], item["data"]) for item in lines.filter(failed).to_pylist()]
    read, findings = _strict(block, pairs)
    if findings:
        return _strict(block, _numbered(block))
    errors = pc.replace_with_mask(
        pa.nulls(len(table), pa.large_string()), failed, read.column("error").combine_chunks()
    )
    return table.append_column("error", errors), []


def _parsed(data: bytes) -> Any:
    """Parse lines that are all objects with a text `request_id`, `model` and `reply` or null.

    Returns:
        A table without `error`; None where a line is anything else.
    """
    import pyarrow as pa
    from pyarrow import json as arrow_json

    names = COLUMNS[:3]
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


def _numbered(block: _Block) -> list[tuple[int, bytes]]:
    """Give the lines of a block that are not blank, with their numbers."""
    lines = enumerate(block.data.split(b"\n"), start=block.first)
    return [(number, data) for number, data in lines if data.strip()]


def _strict(block: _Block, lines: Sequence[tuple[int, bytes]]) -> tuple[Any, list[Finding]]:
    """Read lines one by one; what is no reply becomes a finding."""
    import pyarrow as pa

    findings: list[Finding] = []
    rows: list[tuple[str, str, str | None, str | None]] = []
    open_end = block.first + block.data.count(b"\n") if block.last else -1
    for number, data in lines:
        line = parse_line(block.file, number, data, last=number == open_end)
        if not isinstance(line, Line):
            findings.append(line)
            continue
        try:
            rows.append(_reply(line))
        except ValueError as error:
            findings.append(line_problem(block.file, number, str(error)))
    values = zip(*rows, strict=True) if rows else ([] for _ in COLUMNS)
    arrays = [pa.array(list(column), pa.large_string()) for column in values]
    return pa.table(dict(zip(COLUMNS, arrays, strict=True))), findings


def _reply(line: Line) -> tuple[str, str, str | None, str | None]:
    """Read a reply: request, model, text, kind of error.

    Raises:
        ValueError: If it is none.
    """
    reply = line.value.get("reply")
    if reply is not None and not isinstance(reply, str):
        raise ValueError("its 'reply' is neither text nor null")
    if "reply" not in line.value and "error" not in line.value:
        raise ValueError("it has no 'reply'")
    request, model = line.text("request_id"), line.text("model")
    if reply is None:
        return request, model, None, _whole(_error_kind(line.value.get("error")))
    return request, model, _whole(reply), None


def _error_kind(error: object) -> str:
    """Name a failure in a few words, whatever shape its line gives it."""
    if isinstance(error, dict):
        kinds = (error.get(name) for name in _KINDS)
        error = next((kind for kind in kinds if kind not in (None, "")), json.dumps(error))
    text = " ".join(str(error if error is not None else "").split())
    return text or UNKNOWN_ERROR


def _whole(text: str) -> str:
    """Put the replacement sign for half of a surrogate pair, which no UTF-8 can hold."""
    return _HALF_PAIR.sub("\ufffd", text)
