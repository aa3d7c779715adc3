"""CSV of millions of rows whose cells are few different texts: each text is escaped once."""

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    import pyarrow as pa

Table = tuple[Sequence[str], npt.NDArray[np.integer]]
"""The different texts of a column, and for each row the position of its own."""

_AT_A_TIME = 200_000


def csv_lines(columns: Sequence[Table]) -> Iterator[bytes]:
    """Yield the rows as UTF-8, many at a time, as Python's csv module would write them.

    Args:
        columns: Two or more columns of equal length.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    *leading, (last, last_codes) = columns
    tables = [(_cells(texts, ","), codes) for texts, codes in leading]
    tables.append((_cells(last, "\n"), last_codes))
    for start in range(0, len(last_codes), _AT_A_TIME):
        rows = slice(start, start + _AT_A_TIME)
        parts = [cells.take(pa.array(codes[rows])) for cells, codes in tables]
        yield _bytes(pc.binary_join_element_wise(*parts, ""))


def _cells(texts: Iterable[str], after: str) -> "pa.Array":
    """Escape each text as a cell among others, with what follows it."""
    import pyarrow as pa

    cells = []
    for text in texts:
        stream = io.StringIO()
        csv.writer(stream, lineterminator="\n").writerow((text, ""))
        cells.append(stream.getvalue().removesuffix(",\n") + after)
    return pa.array(cells, pa.string())


def _bytes(lines: "pa.Array") -> bytes:
    """Give texts one after the other, which is how they are held."""
    import pyarrow.compute as pc

    size = pc.sum(pc.binary_length(lines)).as_py()
    return bytes(memoryview(lines.buffers()[2])[:size])
