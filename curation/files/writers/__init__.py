"""Write a table as CSV, TSV, JSON lines, XLSX or Parquet.

Every writer streams, so a table of any length takes little memory; the file appears under
its name only when all of it is written; and the same cells give the same bytes.

Programs find the exact text in `jsonl` and `parquet`. The formats that people open in a
spreadsheet (`csv`, `tsv`, `xlsx`) hold it too, except for a cell that a spreadsheet would take
for a formula: an apostrophe is put before it (see `curation.files.writers.cells`).
"""

import importlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from curation.files.writers.cells import Cell
from curation.files.writers.text import cell_writer, write_lines
from curation.records.errors import CurateError

__all__ = ["DELIMITERS", "FORMATS", "Cell", "cell_writer", "write_ready", "write_table"]

_Writer = Callable[[Path, Sequence[str], Iterable[Sequence[Cell]]], int]

_WRITERS = {
    "csv": "text:write_plain_csv",
    "tsv": "text:write_tsv",
    "jsonl": "text:write_jsonl",
    "xlsx": "xlsx:write_xlsx",
    "parquet": "parquet:write_parquet",
}
"""By format the module and the function that writes it: what is not written is not loaded."""
DELIMITERS = {"csv": ",", "tsv": "\t"}
"""By format of lines what stands between cells."""

FORMATS = tuple(_WRITERS)
"""The formats, which are also the endings of the files."""


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
    if fmt not in _WRITERS:
        raise CurateError(f"there is no format '{fmt}'", hint=f"formats are {', '.join(FORMATS)}")
    module, function = _WRITERS[fmt].split(":")
    write: _Writer = getattr(importlib.import_module(f"{__name__}.{module}"), function)
    with _texts(path):
        return write(path, columns, rows)


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
    with _texts(path):
        write_lines(path, columns, lines, DELIMITERS[fmt])


@contextmanager
def _texts(path: Path) -> Iterator[None]:
    """Say where a cell holds what is no text."""
    try:
        yield
    except UnicodeEncodeError as error:
        raise CurateError(
            f"{path.name}: a cell holds half of a surrogate pair, which is not text",
            str(path),
            f"look for it beside '{error.object[max(0, error.start - 20) : error.start]}'",
        ) from error
