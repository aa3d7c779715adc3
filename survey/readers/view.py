"""The records of a file that are asked about, by the names of their columns."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NoReturn

import numpy as np
import numpy.typing as npt

from curation.model.errors import CurateError
from survey.mapping import ANY
from survey.readers.grid import Column, Grid
from survey.readers.header import Names, plain

Records = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class View:
    """Some records of a file.

    Attributes:
        grid: The file.
        names: Its columns by name.
        records: Positions of the records.
        used: Positions of the columns that were asked for; views of one file share it.
    """

    grid: Grid
    names: Names
    records: Records
    used: set[int] = field(default_factory=set)

    def __len__(self) -> int:
        return len(self.records)

    def __contains__(self, name: str) -> bool:
        return name in self.names

    def column(self, name: str, wanted_by: str) -> Column:
        """Give a column of these records.

        Args:
            name: Its name.
            wanted_by: The key of the mapping that names it.

        Raises:
            CurateError: If there is no such column, or more than one.
        """
        at = self.names.find(name, wanted_by)
        self.used.add(at)
        return self.grid.columns[at].take(self.records)

    def row(self, at: int) -> int:
        """Give the row of a record of these, as a spreadsheet numbers it."""
        return int(self.grid.rows[self.records[at]])

    def rows(self) -> Records:
        """Give the rows of all of them."""
        return self.grid.rows[self.records]

    def only(self, which: Flags | Records) -> "View":
        """Give the view of some of these records."""
        return View(self.grid, self.names, self.records[which], self.used)

    def refuse(self, what: str, at: int, column: str, hint: str) -> NoReturn:
        """Refuse a cell.

        Raises:
            CurateError: Always.
        """
        raise CurateError(what, f"{self.grid.file}, row {self.row(at)}, column {column}", hint)

    def refuse_suspects(self) -> None:
        """Refuse a cell of a column that was asked for, when no person entered what it holds.

        Raises:
            CurateError: If there is one among these records.
        """
        suspects = self.grid.source.suspects
        if not suspects:
            return
        rows = {row: at for at, row in enumerate(self.rows().tolist())}
        found = sorted(place for place in suspects if place[0] in rows and place[1] in self.used)
        if found:
            row, at = found[0]
            more = f", and {len(found) - 1} more such cells" if len(found) > 1 else ""
            title = next((head[at] for head in self.grid.heads if head[at]), str(at + 1))
            self.refuse(
                f"the cell holds {suspects[row, at]}, no answer{more}",
                rows[row],
                plain(title),
                "export the answers again; do not work in the file",
            )


def has_one_of(column: Column, allowed: Iterable[str]) -> Flags:
    """Say for each record whether it has one of the values; `*` is any that is not empty."""
    wanted = {plain(value) for value in allowed}
    table = np.array(
        [
            (text := plain(value)) in wanted or (ANY in wanted and bool(text))
            for value in column.values
        ],
        dtype=bool,
    )
    return table[column.codes]


def filled(column: Column) -> Flags:
    """Say for each record whether the cell holds anything."""
    return has_one_of(column, (ANY,))


def first_of(flags: Flags) -> int:
    """Give the first record for which it is so; -1 where it is so for none."""
    return int(flags.argmax()) if flags.any() else -1
