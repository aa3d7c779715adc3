"""Tables as Parquet, in row groups of a fixed size."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import Any

from curation.files.atomic import atomic_path
from curation.files.tables import Cell, checked
from curation.records.messages import refusal

_GROUP = 10_000
_KINDS: dict[str, type | tuple[type, ...]] = {
    "text": str,
    "truth value": bool,  # before the numbers, of which it is one to Python
    "whole number": int,
    "list": (tuple, list),
}
KINDS = tuple(_KINDS)
"""What a column can hold."""


def write_parquet(
    path: Path,
    columns: Sequence[str],
    rows: Iterable[Sequence[Cell]],
    kinds: Sequence[str] = (),
) -> int:
    """Write Parquet; without `kinds` the first row group tells the type of each column.

    Args:
        path: The file.
        columns: The header.
        rows: Records with one cell for each column.
        kinds: What each column holds, of `KINDS`, where the caller makes the rows itself.

    Raises:
        CurateError: If a cell is not of its column's type, or the file cannot be written.
    """
    import pyarrow as pa
    from pyarrow import parquet as pq

    groups = _groups(checked(columns, rows))
    first = next(groups, [])
    kinds = kinds or _kinds_of(columns, first)
    arrow = dict(
        zip(_KINDS, (pa.string(), pa.bool_(), pa.int64(), pa.list_(pa.string())), strict=True)
    )
    schema = pa.schema([(name, arrow[kind]) for name, kind in zip(columns, kinds, strict=True)])
    count = 0
    with (
        atomic_path(path) as beside,
        pq.ParquetWriter(beside, schema, compression="zstd") as writer,
    ):
        for group in chain([first] if first else [], groups):
            writer.write_table(_table(path, schema, group), row_group_size=_GROUP)
            count += len(group)
    return count


def _groups(rows: Iterator[Sequence[Cell]]) -> Iterator[list[Sequence[Cell]]]:
    while group := list(islice(rows, _GROUP)):
        yield group


def _table(path: Path, schema: Any, group: Sequence[Sequence[Cell]]) -> Any:
    import pyarrow as pa

    arrays = []
    for cells, field in zip(zip(*group, strict=True), schema, strict=True):
        try:
            if pa.types.is_list(field.type) and str in map(type, cells):
                raise pa.ArrowTypeError("a text among lists")  # a list of letters, to Arrow
            arrays.append(pa.array(cells, field.type))
        except (pa.ArrowException, OverflowError) as error:
            where = f"{path.name}, column {field.name}"
            raise refusal("curation", "parquet-kind", where, why=error) from error
    return pa.Table.from_arrays(arrays, schema=schema)


def _kind(kind: type) -> str:
    for name, types in _KINDS.items():
        if issubclass(kind, types):
            return name
    raise TypeError(f"a cell cannot hold {kind.__name__}")


def _kinds_of(columns: Sequence[str], group: Sequence[Sequence[Cell]]) -> list[str]:
    """Tell the kind of each column by its first cell that holds anything; else text."""
    kinds = []
    for at in range(len(columns)):
        first = next((row[at] for row in group if row[at] is not None), "")
        kinds.append(_kind(type(first)))
    return kinds
