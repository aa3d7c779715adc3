"""Write a table as CSV, TSV, JSON lines, XLSX or Parquet.

Every writer streams, so a table of any length takes little memory; the file appears under
its name only when all of it is written; and the same cells give the same bytes.

Programs find the exact text in `jsonl` and `parquet`. The formats that people open in a
spreadsheet (`csv`, `tsv`, `xlsx`) hold it too, except for a cell that a spreadsheet would take
for a formula: an apostrophe is put before it (see `curation.files.tables`).
"""

import importlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path

from curation.files.atomic import atomic_text
from curation.files.jsonl import write_objects
from curation.files.tables import (
    SUSPECT,
    Cell,
    checked,
    escape_formula,
    plain_row,
    plain_text,
    write_csv,
)
from curation.records.messages import CurateError, refusal

__all__ = [
    "DELIMITERS",
    "FORMATS",
    "Cell",
    "cell_writer",
    "texts_alone",
    "write_ready",
    "write_table",
]

DELIMITERS = {"csv": ",", "tsv": "\t"}
"""By format of lines what stands between cells."""
_WRITERS = {
    "xlsx": "xlsx:write_xlsx",
    "parquet": "parquet:write_parquet",
}
"""By format the module and the function that writes it: what is not written is not loaded."""
FORMATS = (*DELIMITERS, "jsonl", *_WRITERS)
"""The formats, which are also the endings of the files."""
_AT_A_TIME = 1000


def cell_writer(delimiter: str) -> Callable[[Cell], str]:
    """What writes a cell as `write_table` does.

    Args:
        delimiter: What stands between cells.
    """

    def write(cell: Cell) -> str:
        text = cell if type(cell) is str and cell[:1] not in SUSPECT else plain_text(cell)
        if '"' in text:
            return '"{}"'.format(text.replace('"', '""'))
        if delimiter in text or "\n" in text or "\r" in text:
            return f'"{text}"'
        return text

    return write


def write_table(
    path: Path, fmt: str, columns: Sequence[str], rows: Iterable[Sequence[Cell]]
) -> int:
    """Write a table in place of `path`; returns the number of records.

    Args:
        path: The file.
        fmt: One of `FORMATS`.
        columns: The header.
        rows: Records with one cell for each column. Lists become JSON in the spreadsheet
            formats and stay lists in the others.

    Raises:
        CurateError: If there is no such format, the format cannot hold the table, or the
            file cannot be written. Then `path` is as it was.
    """
    if fmt not in FORMATS:
        raise CurateError(f"there is no format '{fmt}'", hint=f"formats are {', '.join(FORMATS)}")
    with texts_alone(path):
        if fmt in _WRITERS:
            module, function = _WRITERS[fmt].split(":")
            found = importlib.import_module(f"{__name__}.{module}")
            return int(getattr(found, function)(path, columns, rows))
        cells = checked(columns, rows)
        if fmt in DELIMITERS:
            header = [escape_formula(column) for column in columns]
            return write_csv(path, header, map(plain_row, cells), delimiter=DELIMITERS[fmt])
        return write_objects(path, (dict(zip(columns, row, strict=True)) for row in cells))


def write_ready(path: Path, fmt: str, columns: Sequence[str], lines: Iterable[str]) -> None:
    """Write a table whose records were written by `cell_writer` in place of `path`.

    Args:
        path: The file.
        fmt: One of `DELIMITERS`.
        columns: The header.
        lines: The records, one or several together, each ended by a line feed.

    Raises:
        CurateError: If a cell holds no text, or the file cannot be written.
    """
    write = cell_writer(DELIMITERS[fmt])
    with texts_alone(path), atomic_text(path) as stream:
        stream.write(f"{DELIMITERS[fmt].join(map(write, columns))}\n")
        parts = iter(lines)
        while text := "".join(islice(parts, _AT_A_TIME)):
            stream.write(text)


@contextmanager
def texts_alone(path: Path) -> Iterator[None]:
    """A block in which a file is written: a cell that holds what is no text is said as its fault.

    Raises:
        CurateError: If a cell holds half of a surrogate pair.
    """
    try:
        yield
    except UnicodeEncodeError as error:
        before = error.object[max(0, error.start - 20) : error.start]
        raise refusal("curation", "text-surrogate", path, before=before) from error
