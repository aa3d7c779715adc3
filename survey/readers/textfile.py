"""Text files of any encoding and delimiter as numbered rows."""

import csv
import io
import re
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import IO

from curation.model.errors import CurateError
from survey.mapping import ReadPart
from survey.readers.delimiters import find_delimiter, named_delimiter, stated_delimiter
from survey.readers.encodings import Encoding, find_encoding
from survey.readers.source import Numbered, Source

QUOTED_EMPTY = "\ufdd0"
"""Stands for the empty cell that was quoted, where it is told from one that was not; Unicode
keeps this sign for such uses within a program."""

_HEAD = 1 << 20
_CELL_LIMIT = 64 << 20
_QUOTED = re.compile(r'"[^"]*(?:""[^"]*)*"')


def read_records(
    path: Path, read: ReadPart, language: str, file: str, *, quoted: bool
) -> tuple[Source, Numbered]:
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
    first = head.split("\n", 1)[0].split("\r", 1)[0]
    stated = stated_delimiter(first)
    if read.delimiter != "auto":
        delimiter, reason = named_delimiter(read.delimiter), "the mapping says so"
    elif stated:
        delimiter, reason = stated, f"the first line says {first}"
    else:
        delimiter, reason = find_delimiter(head, len(head) < _HEAD, file)
    tells_void = quoted and head.lstrip().startswith('"')
    source = Source(
        kind="text",
        encoding=encoding.name,
        encoding_reason=encoding.reason,
        guessed=encoding.guessed,
        delimiter=delimiter,
        delimiter_reason=reason,
        ends_open=encoding.ends_open,
        tells_void=tells_void,
    )
    if tells_void:
        marked = partial(_marked, path, encoding, file)
        return source, _checked(_numbered(marked, delimiter, file, skip=bool(stated)), file)
    lines = partial(path.open, encoding=encoding.name, newline="")
    return source, _numbered(lines, delimiter, file, skip=bool(stated))


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


def _numbered(opened: Callable[[], IO[str]], delimiter: str, file: str, *, skip: bool) -> Numbered:
    """Read records, each as one row, as a spreadsheet shows them; blank ones are left out."""
    csv.field_size_limit(_CELL_LIMIT)
    number = 0
    try:
        with opened() as lines:
            reader = csv.reader(lines, delimiter=delimiter, strict=True)
            for number, cells in enumerate(reader, start=1):
                if any(cells) and not (skip and number == 1):
                    yield number, cells
    except csv.Error as error:
        raise CurateError(
            f"row {number + 1} cannot be read: {error}",
            f"{file}, row {number + 1}",
            "the file is cut off there, or a quotation mark is not closed or not doubled",
        ) from error


def _checked(numbered: Numbered, file: str) -> Numbered:
    """Refuse a mark that is not a whole cell: then what was marked was no cell either."""
    with closing(numbered):
        yield from _whole(numbered, file)


def _whole(numbered: Numbered, file: str) -> Numbered:
    for number, cells in numbered:
        if any(QUOTED_EMPTY in cell and cell != QUOTED_EMPTY for cell in cells):
            raise CurateError(
                f"row {number} holds a quotation mark within a cell that is not quoted",
                f"{file}, row {number}",
                "export it again with all cells quoted",
            )
        yield number, cells
