"""The one place that turns a file of any encoding, delimiter or kind into columns of text.

Nothing is taken for a number or a date: `01` keeps its zero and `N/A` is a text. Each column
is held as its distinct texts and a code for each row, so that whatever is asked of a column is
asked once for each distinct text.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

import numpy as np
import numpy.typing as npt

from curation.model.errors import CurateError
from survey.mapping import ReadPart
from survey.readers.header import without_trailing
from survey.readers.sav import read_sav
from survey.readers.sheets import read_sheet
from survey.readers.source import Place, Source, file_kind
from survey.readers.textfile import read_records

_CHUNK = 16_384
_NAMED = 5


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a file.

    Attributes:
        codes: For each record the position of its text in `values`.
        values: The distinct texts, as they stand.
        void: Position of the empty cell that was *not* quoted, where a file tells it from the
            quoted one; -1 where none is there or files of its kind tell nothing.
    """

    codes: npt.NDArray[np.int32]
    values: tuple[str, ...]
    void: int = -1

    def __len__(self) -> int:
        return len(self.codes)

    def cell(self, record: int) -> str:
        """Give the text of a record."""
        return self.values[self.codes[record]]

    def take(self, records: npt.NDArray[np.int64]) -> "Column":
        """Give the column of some records alone."""
        return Column(self.codes[records], self.values, self.void)

    def used(self) -> npt.NDArray[np.int64]:
        """Give the positions of the values that occur."""
        present = np.zeros(len(self.values), dtype=bool)
        present[self.codes] = True
        return np.flatnonzero(present)


@dataclass(frozen=True, slots=True)
class Grid:
    """A file as read.

    Attributes:
        file: Path as shown to the user.
        source: How it was read, and what it holds beside its cells.
        heads: The header rows, as they stand.
        columns: The columns.
        rows: The row of each record, as a spreadsheet numbers it.
    """

    file: str
    source: Source
    heads: tuple[tuple[str, ...], ...]
    columns: tuple[Column, ...]
    rows: npt.NDArray[np.int64]
    suspects: Mapping[Place, str] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.rows)

    def records(self) -> Iterator[list[str]]:
        """Yield the records as rows of texts."""
        for at in range(len(self)):
            yield [column.cell(at) for column in self.columns]


def read_grid(
    path: Path, read: ReadPart, language: str, *, quoted: bool = False, shown_as: str = ""
) -> Grid:
    """Read a file.

    Args:
        path: The file: text of any delimiter, XLSX or SPSS.
        read: How the mapping says that it is to be read.
        language: Language of the workspace, for text that is not UTF-8.
        quoted: Whether an empty cell that is quoted is to be told from one that is not.
        shown_as: The path to show; that of the file by default.

    Raises:
        CurateError: If it cannot be read, has one column, rows of unlike width or no records,
            or holds U+FFFD, the mark of letters that an earlier conversion lost.
    """
    file = shown_as or str(path)
    source, numbered = _open(path, read, language, quoted, file)
    heads = _heads(numbered, read.header_rows, file)
    width = without_trailing(heads)
    if width < 2:
        raise CurateError(
            "the file has one column where several are expected",
            f"{file}, row 1",
            "check the delimiter and the sheet, or export the file again",
        )
    columns, rows = _Columns(width, len(heads[0]), file).read(numbered)
    if not len(rows):
        raise CurateError("the file holds no answers", file, "check that the export finished")
    if read.rows is not None and read.rows != len(rows):
        raise CurateError(
            f"the file holds {len(rows):,} records where {read.rows:,} are expected",
            file,
            "export it again, or mend 'rows' in the mapping (read: rows)",
        )
    grid = Grid(
        file, source, tuple(tuple(head[:width]) for head in heads), columns, rows, source.suspects
    )
    _refuse_lost_letters(grid)
    return grid


def read_head(
    path: Path, read: ReadPart, language: str, count: int = 12
) -> tuple[Source, list[list[str]]]:
    """Read the first rows of a file, as they stand, before it is known what they are.

    Raises:
        CurateError: If it cannot be read.
    """
    source, numbered = _open(path, read, language, False, str(path))
    return source, [cells for _, cells in islice(numbered, count)]


def _open(
    path: Path, read: ReadPart, language: str, quoted: bool, file: str
) -> tuple[Source, Iterator[tuple[int, Sequence[str]]]]:
    kind = file_kind(path)
    if kind == "sav":
        return read_sav(path, read, language, file)
    if kind == "workbook":
        return read_sheet(path, read, file)
    return read_records(path, read, language, file, quoted=quoted)


def _heads(
    numbered: Iterator[tuple[int, Sequence[str]]], count: int, file: str
) -> list[list[str]]:
    heads = [list(cells) for _, cells in islice(numbered, count)]
    if len(heads) < count:
        raise CurateError(
            f"the file has {len(heads)} rows where {count} header rows are expected",
            file,
            "check the export, and header_rows in the mapping (read: header_rows)",
        )
    # Excel ends a header row where its last title stands; the others are as wide as the widest.
    width = max(len(head) for head in heads)
    for number, head in enumerate(heads, start=1):
        if len(head) != width and any(head):
            raise CurateError(
                f"header row {number} has {len(head)} cells where another has {width}",
                f"{file}, row {number}",
                "look for a delimiter or a quotation mark that is not quoted",
            )
    return [head + [""] * (width - len(head)) for head in heads]


class _Columns:
    """Gathers records into columns, and the rows that have another width.

    Args:
        width: Columns that the header names.
        stated: Cells of the header; more than `width` when a delimiter ends every row.
        file: The file, as messages show it.
    """

    def __init__(self, width: int, stated: int, file: str) -> None:
        self._width = width
        self._stated = stated
        self._file = file
        self._ragged: list[tuple[int, int]] = []
        self._longer: list[int] = []
        self._indices = [_index() for _ in range(width)]
        self._codes: list[list[npt.NDArray[np.int32]]] = [[] for _ in range(width)]

    def read(
        self, numbered: Iterator[tuple[int, Sequence[str]]]
    ) -> tuple[tuple[Column, ...], npt.NDArray[np.int64]]:
        numbers: list[int] = []
        while chunk := list(islice(numbered, _CHUNK)):
            even = [pair for pair in map(self._fit, chunk) if pair is not None]
            numbers += [number for number, _ in even]
            self._add([cells for _, cells in even])
        if len(self._longer) != len(numbers):
            self._ragged += [(number, self._stated + 1) for number in self._longer]
        self._refuse_ragged()
        return tuple(self._column(at) for at in range(self._width)), np.array(numbers, np.int64)

    def _fit(self, pair: tuple[int, Sequence[str]]) -> tuple[int, Sequence[str]] | None:
        """Give a record of the right width; what only a trailing delimiter adds is taken off."""
        number, cells = pair
        size = len(cells)
        if size == self._width:
            return pair
        if size == self._width + 1 and not cells[-1]:
            if size > self._stated:
                self._longer.append(number)
            return number, cells[:-1]
        self._ragged.append((number, size))
        return None

    def _add(self, rows: list[Sequence[str]]) -> None:
        for at, cells in enumerate(zip(*rows, strict=True)):
            codes = np.fromiter(map(self._indices[at].__getitem__, cells), np.int32, len(cells))
            self._codes[at].append(codes)

    def _column(self, at: int) -> Column:
        codes = self._codes[at]
        values = tuple(self._indices[at])
        joined = np.concatenate(codes) if codes else np.empty(0, np.int32)
        if QUOTED_EMPTY in self._indices[at]:
            void = self._indices[at].get("", -1)
            return Column(joined, tuple("" if v == QUOTED_EMPTY else v for v in values), void)
        return Column(joined, values)
