"""The records of a file, by the names of their columns, and which columns nothing reads."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NoReturn

import numpy as np
import numpy.typing as npt

from curation.records.errors import CurateError
from survey.mapping import ANY
from survey.readers.frames import Column, Frame, plain

Records = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class View:
    """Some records of a file.

    Attributes:
        frame: The file.
        records: Positions of the records.
        used: Positions of the columns that were asked for; views of one file share it.
    """

    frame: Frame
    records: Records
    used: set[int] = field(default_factory=set)

    def __len__(self) -> int:
        return len(self.records)

    def __contains__(self, name: str) -> bool:
        return name in self.frame

    def column(self, name: str, wanted_by: str) -> Column:
        """A column of these records.

        Args:
            name: Its name.
            wanted_by: The key of the mapping that names it.

        Raises:
            CurateError: If there is no such column, or more than one.
        """
        at = self.frame.find(name, wanted_by)
        self.used.add(at)
        return self.frame.columns[at].take(self.records)

    def row(self, at: int) -> int:
        """The row of a record of these, as a spreadsheet numbers it."""
        return int(self.frame.rows[self.records[at]])

    def rows(self) -> Records:
        """The rows of all of them."""
        return self.frame.rows[self.records]

    def only(self, which: Flags | Records) -> "View":
        """The view of some of these records."""
        return View(self.frame, self.records[which], self.used)

    def refuse(self, what: str, at: int, column: str, hint: str) -> NoReturn:
        """Refuse a cell.

        Raises:
            CurateError: Always.
        """
        raise CurateError(what, f"{self.frame.file}, row {self.row(at)}, column {column}", hint)

    def refuse_suspects(self) -> None:
        """Refuse a cell of a column that was asked for, when no person entered what it holds.

        Raises:
            CurateError: If there is one among these records.
        """
        suspects = self.frame.source.suspects
        if not suspects:
            return
        rows = {row: at for at, row in enumerate(self.rows().tolist())}
        found = sorted(place for place in suspects if place[0] in rows and place[1] in self.used)
        if found:
            row, at = found[0]
            more = f", and {len(found) - 1} more such cells" if len(found) > 1 else ""
            self.refuse(
                f"the cell holds {suspects[row, at]}, no answer{more}",
                rows[row],
                self.frame.titles[at] or str(at + 1),
                "export the answers again; do not work in the file",
            )


def has_one_of(column: Column, allowed: Iterable[str]) -> Flags:
    """Say for each record whether it has one of the values; `*` is any that is not empty."""
    wanted = {plain(value) for value in allowed}
    says = (
        (text := plain(value)) in wanted or (ANY in wanted and bool(text))
        for value in column.values
    )
    table = np.fromiter(says, dtype=bool, count=len(column.values))
    return table[column.codes]


def filled(column: Column) -> Flags:
    """Say for each record whether the cell holds anything."""
    return has_one_of(column, (ANY,))


def first_of(flags: Flags) -> int:
    """The first record for which it is so; -1 where it is so for none."""
    return int(flags.argmax()) if flags.any() else -1
