"""What is known of a file beside its cells, and its rows, many at a time."""

import csv
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Literal, TypeAlias

from curation.files.tables import read_bytes, refuse_binary
from curation.records.errors import CurateError

Place: TypeAlias = tuple[int, int]
"""Row as a spreadsheet numbers it, and column from 0."""
Kind = Literal["text", "workbook", "sav"]

_UTF_MARKS = (b"\xff\xfe", b"\xfe\xff", b"\x00\x00\xfe\xff")


@dataclass(frozen=True, slots=True)
class Source:
    """How a file was read, and the facts about its columns.

    Attributes:
        kind: What it is.
        encoding: Encoding of a text file, or of an SPSS file's texts.
        encoding_reason: Why that one was taken.
        guessed: Whether the encoding is the language's, which nothing in the file confirms.
        delimiter: Delimiter of a text file.
        delimiter_reason: Why that one was taken.
        ends_open: Whether the last line has no line end.
        lost: Whether a text file holds U+FFFD.
        tells_void: Whether an empty cell that was not quoted is told from a quoted one.
        sheet: Sheet of a workbook.
        sheets: All of its sheets.
        labels: Label of each variable of an SPSS file.
        value_labels: Labels of its values.
        missing: The values in each that the file itself declares missing.
        suspects: Cells that do not hold what a person entered, and why.
        hidden: Rows of a sheet that are hidden, by hand or by a filter.
        hidden_columns: Positions of its columns that are hidden.
    """

    kind: Kind
    encoding: str = ""
    encoding_reason: str = ""
    guessed: bool = False
    delimiter: str = ""
    delimiter_reason: str = ""
    ends_open: bool = False
    lost: bool = False
    tells_void: bool = False
    sheet: str = ""
    sheets: tuple[str, ...] = ()
    labels: Mapping[str, str] = field(default_factory=dict)
    value_labels: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    missing: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    suspects: Mapping[Place, str] = field(default_factory=dict)
    hidden: tuple[int, ...] = ()
    hidden_columns: tuple[int, ...] = ()


def file_kind(path: Path) -> Kind:
    """Tell by its first bytes what a file is, whatever its name ends in.

    Raises:
        CurateError: If it cannot be read, or is nothing that holds a survey.
    """
    try:
        with path.open("rb") as stream:
            head = stream.read(4096)
    except OSError:
        read_bytes(path)  # says in words why it cannot be read
        raise
    if head.startswith(b"PK\x03\x04"):
        return "workbook"
    if head.startswith((b"$FL2", b"$FL3")):
        return "sav"
    if head.startswith(b"\xd0\xcf\x11\xe0"):
        raise CurateError(
            f"{path.name} is an old XLS workbook, or one with a password",
            str(path),
            "open it and save it as XLSX, without a password",
        )
    if not head.startswith(_UTF_MARKS):
        # Single NUL characters are refused later, with their line; only signatures matter here.
        refuse_binary(head.replace(b"\x00", b""), path)
    return "text"


Chunk: TypeAlias = tuple[Sequence[int], Sequence[Sequence[str]]]
"""Numbers of rows, and the rows; none of them is blank but header rows."""
Chunks: TypeAlias = Generator[Chunk, None, None]
"""Closing it closes the file."""

_CELLS = 8_192
"""Cells that are taken together: as many as a processor keeps near."""
_FIRST = 16


def chunks(rows: Iterator[Sequence[str]], file: str, *, skip: int = 0, head: int = 1) -> Chunks:
    """Number rows and leave out blank ones.

    A header row may have cells and hold nothing, as the row of options does in a form without
    multiple answers: it counts, or the first record would be taken for it.

    Args:
        rows: The rows, blank ones too.
        file: The file, as messages show it.
        skip: How many rows at the beginning hold no record.
        head: How many of the others are header rows.

    Raises:
        CurateError: If a row cannot be read.
    """
    number, size, heads = 0, _FIRST, 0
    while True:
        chunk: list[Sequence[str]] = []
        try:
            chunk.extend(islice(rows, size))
        except csv.Error as error:
            number += len(chunk) + 1
            raise CurateError(
                f"row {number} cannot be read: {error}",
                f"{file}, row {number}",
                "the file ends there too early, or a quotation mark is not closed or not doubled",
            ) from error
        if not chunk:
            return
        numbers: Sequence[int] = range(number + 1, number + len(chunk) + 1)
        number += len(chunk)
        if skip >= numbers[0] or heads < head or not all(map(any, chunk)):
            kept = _kept(numbers, chunk, skip, heads, head)
            heads += len(kept)
            yield [numbers[at] for at in kept], [chunk[at] for at in kept]
        else:
            yield numbers, chunk
        size = max(_FIRST, _CELLS // max(1, len(chunk[-1])))


def _kept(
    numbers: Sequence[int], chunk: Sequence[Sequence[str]], skip: int, heads: int, head: int
) -> list[int]:
    """The positions of the rows that hold something, or are header rows with cells."""
    kept: list[int] = []
    for at, cells in enumerate(chunk):
        is_head = 0 < heads + len(kept) < head and len(cells) > 1
        if numbers[at] > skip and (is_head or any(cells)):
            kept.append(at)
    return kept


def take(chunked: Chunks, count: int) -> tuple[list[Sequence[str]], list[Chunk]]:
    """Take the first rows.

    Returns:
        As many rows as there are up to `count`, and what is left of the chunk they end in.
    """
    taken: list[Sequence[str]] = []
    for numbers, rows in chunked:
        wanted = count - len(taken)
        taken += rows[:wanted]
        if len(taken) == count:
            return taken, [(numbers[wanted:], rows[wanted:])] if rows[wanted:] else []
    return taken, []
