"""Tables whose rows are records: a record type is enough to read, write and extend its file.

Columns are the fields of the record, in order. A cell is read by the type of its field. An error
names the file, the row, the column, what was found and what may stand there.
"""

import math
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields, replace
from datetime import UTC, datetime
from enum import StrEnum
from functools import cached_property
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Generic, TypeVar, get_args, get_origin, get_type_hints

from curation.files import tables
from curation.files.atomic import atomic_text
from curation.records.annotation import person_key
from curation.records.messages import CurateError, given_name, refusal
from curation.records.survey import Decision, TargetRow, groups_cell

_NAMES = frozenset({"annotator", "by", "confirmed", "person", "reader"})
"""Columns that hold what somebody is called."""
R = TypeVar("R")


@dataclass(frozen=True)
class Codec(Generic[R]):
    """How records of one type stand in a table.

    Attributes:
        record: The type: a dataclass whose fields are texts, numbers, truth values, words of an
            enumeration or lists of texts, or None. A field that is not compared is no column; one
            of these that is called `row` is the number of the record's row.
        hint: What to do about a cell that cannot be read.
        key: Columns that no two records have in common, however they are typed.
        order: Columns by which records are put in order when they are written.
        words: By column, the words that may stand there.
        escaped: Whether texts that a spreadsheet would take for formulas are escaped.
        exact: Whether a file has these columns, in this order, and no others.
    """

    record: type[R]
    hint: str
    key: Sequence[str] = ()
    order: Sequence[str] = ()
    words: Mapping[str, Sequence[str]] = field(default_factory=dict)
    escaped: bool = False
    exact: bool = False

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """The columns, in order."""
        return tuple(item.name for item in fields(self.record) if item.compare)  # type: ignore[arg-type]

    @cached_property
    def _numbered(self) -> bool:
        return any(item.name == "row" and not item.compare for item in fields(self.record))  # type: ignore[arg-type]

    @cached_property
    def _needed(self) -> tuple[str, ...]:
        """The columns that must be there; the field of another one has a default."""
        if self.exact:
            return ()  # they are compared with the header itself
        every = fields(self.record)  # type: ignore[arg-type]  # a dataclass
        return tuple(item.name for item in every if item.default is item.default_factory is MISSING)

    @cached_property
    def _types(self) -> dict[str, Any]:
        found = get_type_hints(self.record)
        return {name: found[name] for name in self.columns}

    def read(self, path: Path) -> list[R]:
        """The records of a file; none where there is no file.

        Raises:
            CurateError: If the file or a cell cannot be read, or two records have the same key.
        """
        if not path.exists():
            if (
                path.is_symlink()
            ):  # who follows one without a file must not do as if none was written
                what = f"{path.name} is a link that leads to no file"
                raise CurateError(what, str(path), "fetch the file, or remove the link")
            return []
        return self.of(tables.read_table(path, required=self._needed, escaped=self.escaped))

    def of(self, table: tables.Table) -> list[R]:
        """The records of a table.

        Raises:
            CurateError: As `read` does.
        """
        if self.exact and table.columns != self.columns:
            raise CurateError("the header was changed", f"{table.file}, row 1", self.hint)
        tables.refuse_problems(table)
        seen: dict[tuple[str, ...], int] = {}
        for row in table.rows if self.key else ():
            key = tuple(person_key(row[name]) for name in self.key)
            before = seen.setdefault(key, row.number)
            if before != row.number:
                named = ", ".join(f"{name} '{row[name]}'" for name in self.key)
                what = f"row {before} is of {named} too"
                raise table.fault(row, self.key[0], what, "keep one of the two")
        return [self._record(table, row) for row in table.rows]

    def _record(self, table: tables.Table, row: tables.Row) -> R:
        values: dict[str, object] = {"row": row.number} if self._numbered else {}
        for name, kind in self._types.items():
            if name in row.cells:
                try:
                    is_name, text = name in _NAMES, row[name]
                    values[name] = given_name(text) if is_name else self._cell(name, text, kind)
                except ValueError as error:
                    what = f"'{row[name]}' is not allowed in column {name}: it holds {error}"
                    raise table.fault(row, name, what, self.hint) from error
                except CurateError as error:
                    raise table.fault(row, name, error.what, error.hint) from error
        return self.record(**values)

    def _cell(self, name: str, text: str, kind: Any) -> object:
        allowed = ", ".join(map(str, self.words.get(name, ())))
        try:
            value = read_cell(text, kind)
        except ValueError as error:
            raise ValueError(allowed or str(error)) from error
        if allowed and value is not None and value not in self.words[name]:
            raise ValueError(allowed)
        return value

    def cells(self, record: R) -> list[str]:
        """The cells of a record.

        Raises:
            CurateError: If a name in it holds a character that cannot be seen.
        """
        values = {name: getattr(record, name) for name in self.columns}
        for name in _NAMES.intersection(values):
            values[name] = given_name(values[name], f"column {name}")
        return [*map(cell, values.values())]

    def write(self, path: Path, records: Iterable[R]) -> int:
        """Write records in place of `path`; gives how many.

        Raises:
            CurateError: If it cannot be written.
        """
        if self.order:
            records = sorted(records, key=lambda item: [getattr(item, name) for name in self.order])
        return tables.write_csv(path, self.columns, map(self.cells, records), escaped=self.escaped)

    def append(self, path: Path, new: Sequence[R]) -> None:
        """Add records; what stands there is kept byte for byte.

        Raises:
            CurateError: If the file was damaged or has other columns, or it cannot be written.
        """
        if not new:
            return
        text = self.appendable(path)
        with atomic_text(path) as stream:
            stream.write(text if not text or text.endswith("\n") else f"{text}\n")
            header = () if text else self.columns
            tables.write_rows(stream, header, map(self.cells, new), escaped=self.escaped)

    def appendable(self, path: Path) -> str:
        """What a file holds to which records can be added.

        Raises:
            CurateError: If it was damaged or has other columns.
        """
        self.read(path)
        text = tables.read_bytes(path).decode() if path.exists() else ""
        if tables.separator(text) != ",":
            raise refusal("curation", "ledger-semicolons", path)
        return text


def read_cell(text: str, kind: Any) -> object:
    """Read a cell by the type of its field.

    Args:
        text: The cell.
        kind: `str`, `int`, `float`, `bool`, an enumeration of words, `tuple[str, ...]`, or one of
            them or None.

    Raises:
        ValueError: With what it may hold.
    """
    if get_origin(kind) is UnionType:
        if not text.strip():
            return None
        (kind,) = (item for item in get_args(kind) if item is not NoneType)
    if kind is str:
        return text
    if get_origin(kind) is tuple:
        return _list(text)
    try:
        if kind is bool:
            return tables.read_flag(text, default=False)
        value = kind(text.strip())
        if kind is float and not math.isfinite(value):  # Python takes 'nan' for a number
            raise ValueError(text)
        return value
    except ValueError as error:
        words = {int: "a whole number", float: "a number", bool: "true or false"}
        raise ValueError(words.get(kind) or ", ".join(item.value for item in kind)) from error


def _list(text: str) -> tuple[str, ...]:
    found = tables.literal(text) if text.strip() else []
    if not isinstance(found, list):
        raise ValueError('a JSON list, such as ["one", "other"]')
    return tuple(map(str, found))


def cell(value: object) -> str:
    """Write a value of a record as a cell: numbers to six decimals, nothing for None."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, StrEnum):
        return value.value
    if isinstance(value, float):
        return f"{value:.6f}".rstrip("0").rstrip(".")
    return groups_cell(value) if isinstance(value, tuple) else str(value)


DECISIONS = Codec(
    Decision, "only the toolkit writes the ledger: undo the edit", exact=True, escaped=True
)
"""The table `decisions.csv`."""
TARGETS = Codec(TargetRow, "make the file again with 'curate filter'", escaped=True)
"""The table `targets.csv`."""


def followed(rows: Iterable[R], renamed: Mapping[str, str], column: str = "subject") -> list[R]:
    """Put rows on templates that have another id by now to that id, in the same order.

    Args:
        rows: The ledger, or another table.
        renamed: By former id of a template, the one that it has now.
        column: The column of the ids.
    """
    former = ((row, getattr(row, column)) for row in rows)
    return [
        replace(row, **{column: renamed[name]}) if name in renamed else row  # type: ignore[type-var]
        for row, name in former
    ]


def now(earlier: Iterable[str] = ()) -> str:
    """The time in UTC, ISO 8601; that of SOURCE_DATE_EPOCH where it is set.

    The variable is the one that reproducible builds use, so that a rerun gives the same bytes.

    Args:
        earlier: Times at which something was recorded that this is later than: the clock of this
            machine, or of the one that recorded them, may be wrong.

    Raises:
        CurateError: If the variable holds no time.
    """
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    try:
        moment = datetime.fromtimestamp(int(epoch), UTC) if epoch else datetime.now(UTC)
    except (ValueError, OverflowError, OSError) as error:
        where = "environment variable SOURCE_DATE_EPOCH"
        raise refusal("curation", "epoch-wrong", where, epoch=epoch) from error
    return max(moment.strftime("%Y-%m-%dT%H:%M:%SZ"), *earlier, "")
