"""Text files of any encoding and delimiter as numbered rows."""

import csv
import io
import re
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import IO

from curation.model.errors import CurateError
from survey.mapping import ReadPart
from survey.readers.chunks import Chunks, chunks
from survey.readers.delimiters import find_delimiter, named_delimiter, stated_delimiter
from survey.readers.encodings import Encoding, find_encoding
from survey.readers.source import Source

QUOTED_EMPTY = "\ufdd0"
"""Stands for the empty cell that was quoted, where it is told from one that was not; Unicode
keeps this sign for such uses within a program."""

_HEAD = 1 << 20
_CELL_LIMIT = 64 << 20
_QUOTED = re.compile(r'"[^"]*(?:""[^"]*)*"')


def read_records(
    path: Path, read: ReadPart, language: str, file: str, *, quoted: bool
) -> tuple[Source, Chunks]:
    """Open a text file.

    Args:
        path: The file.
        read: How the mapping says that it is to be read.
        language: Language of the workspace.
        file: The path to show.
        quoted: Whether to give an empty cell that was quoted as `QUOTED_EMPTY`.

    Returns:
        How it is read, and its rows.

    Raises:
        CurateError: If its encoding or delimiter cannot be told.
    """
    encoding = find_encoding(path, language, read.encoding)
    with path.open(encoding=encoding.name, newline="") as stream:
        head = stream.read(_HEAD)
    stated = stated_delimiter(_first_line(head))
    delimiter, reason = _delimiter(read, head, file)
    tells_void = quoted and head.lstrip().startswith('"')
    source = Source(
        kind="text",
        encoding=encoding.name,
        encoding_reason=encoding.reason,
        guessed=encoding.guessed,
        delimiter=delimiter,
        delimiter_reason=reason,
        ends_open=encoding.ends_open,
        lost=encoding.lost,
        tells_void=tells_void,
    )
    opened: Callable[[], IO[str]] = partial(path.open, encoding=encoding.name, newline="")
    if tells_void:
        opened = partial(_marked, path, encoding, file)
    blank = {"skip": int(bool(stated)), "head": read.header_rows}
    return source, _chunks(opened, source, file, **blank)


def _first_line(head: str) -> str:
    return head.split("\n", 1)[0].split("\r", 1)[0]


def _delimiter(read: ReadPart, head: str, file: str) -> tuple[str, str]:
    """Give the delimiter, and why it is taken."""
    if read.delimiter != "auto":
        return named_delimiter(read.delimiter), "the mapping says so"
    stated = stated_delimiter(_first_line(head))
    if stated:
        return stated, f"the first line says sep={stated}"
    return find_delimiter(head, len(head) < _HEAD, file)


def _marked(path: Path, encoding: Encoding, file: str) -> IO[str]:
    """Give the lines with every quoted empty cell marked, which Python's csv module loses."""
    with path.open(encoding=encoding.name, newline="") as stream:
        text = stream.read()
    if QUOTED_EMPTY in text:
        raise CurateError(
            "the file holds U+FDD0, which is no character", file, "export it again as UTF-8"
        )
    marked = _QUOTED.sub(lambda match: f'"{QUOTED_EMPTY}"' if match[0] == '""' else match[0], text)
    return io.StringIO(marked, newline="")


def _chunks(
    opened: Callable[[], IO[str]], source: Source, file: str, *, skip: int, head: int
) -> Chunks:
    csv.field_size_limit(_CELL_LIMIT)
    with opened() as lines:
        reader = csv.reader(lines, delimiter=source.delimiter, strict=True)
        for numbers, rows in chunks(reader, file, skip=skip, head=head):
            if source.tells_void:
                _refuse_misplaced(numbers, rows, file)
            yield numbers, rows


def _refuse_misplaced(numbers: Sequence[int], rows: Sequence[Sequence[str]], file: str) -> None:
    """Refuse a mark that is not a whole cell: then what was marked was no cell either."""
    for number, cells in zip(numbers, rows, strict=True):
        if any(QUOTED_EMPTY in cell and cell != QUOTED_EMPTY for cell in cells):
            raise CurateError(
                f"row {number} holds a quotation mark within a cell that is not quoted",
                f"{file}, row {number}",
                "export it again with all cells quoted",
            )
