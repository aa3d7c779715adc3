"""The records of a file, by the names of their columns, and which columns nothing reads."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NoReturn

import numpy as np
import numpy.typing as npt

from curation.records.errors import CurateError
from curation.records.findings import Finding, Severity
from survey.mapping import ANY, Mapping
from survey.platforms.recognise import Described, platform_of
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


_NAMED = 5


def unread_columns(view: View, mapping: Mapping) -> tuple[str, ...]:
    """The columns with values that are neither read nor in `ignored`.

    The platform's own columns, such as times and addresses, are no question's.

    Args:
        view: The records, after all that is needed of them was read.
        mapping: How they were read.
    """
    frame = view.frame
    own = platform_of(mapping.preset).start(described(frame)).known
    known = own | ignored(frame.titles, mapping)
    return tuple(
        title
        for at, (title, column) in enumerate(zip(frame.titles, frame.columns, strict=True))
        if at not in view.used and title not in known and holds(column)
    )


def described(frame: Frame) -> Described:
    """The columns of a file with what stands above them."""
    above = zip(*frame.heads, strict=True)
    texts = tuple(tuple(plain(cell) for cell in cells) for cells in above)
    return Described(frame.titles, texts, frame.columns)


def holds(column: Column) -> bool:
    """Whether a column holds anything."""
    return any(value.strip() for value in column.values)


def ignored(titles: Iterable[str], mapping: Mapping) -> set[str]:
    """The columns that a mapping ignores: by name, `*` being anything."""
    patterns = [
        re.compile(".*".join(re.escape(part) for part in plain(name).split("*")))
        for name in mapping.ignored
    ]
    return {title for title in titles if any(known.fullmatch(title) for known in patterns)}


def unread_finding(file: str, columns: Sequence[str], *, mapped: bool = True) -> list[Finding]:
    """Say that columns hold something and are not read; nothing where there are none.

    Args:
        file: The file.
        columns: Their names.
        mapped: Whether a mapping says what is read.
    """
    if not columns:
        return []
    named = ", ".join(f"'{title}'" for title in columns[:_NAMED])
    more = f" and {len(columns) - _NAMED:,} more" if len(columns) > _NAMED else ""
    what = "column holds" if len(columns) == 1 else "columns hold"
    return [
        Finding(
            "survey-unread-columns",
            Severity.WARNING,
            file,
            None,
            columns[0],
            f"{len(columns):,} {what} something that "
            f"{'the mapping does not read' if mapped else 'is not read'}: {named}{more}",
            "add the questions among them to the mapping, and name the others in 'ignored'"
            if mapped
            else "name a question's column by its id, its text or its stereotype; other columns "
            "can stay",
        )
    ]
