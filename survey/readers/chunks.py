"""Rows of any file, numbered as a spreadsheet numbers them, many at a time."""

import csv
from collections.abc import Generator, Iterator, Sequence
from itertools import islice
from typing import TypeAlias

from curation.model.errors import CurateError

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
                "the file is cut off there, or a quotation mark is not closed or not doubled",
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
    """Give the positions of the rows that hold something, or are header rows with cells."""
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
