"""The one place that turns a file of any encoding, delimiter or kind into columns of text.

Nothing is taken for a number or a date: `01` keeps its zero and `N/A` is a text. Each column
is held as its distinct texts and a code for each row, so that whatever is asked of a column is
asked once for each distinct text. Columns are named from one header row or two.
"""

import difflib
import json
import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from curation.records.collecting import without_collecting
from curation.records.errors import CurateError
from survey.mapping import Preset, ReadPart
from survey.readers.cells import (
    MANY,
    Codes,
    Parts,
    codes_of,
    compact,
    emptied,
    narrow,
    place_of_nothing,
)
from survey.readers.sav import read_sav
from survey.readers.sheets import column_letters
from survey.readers.source import Chunk, Chunks, Source, file_kind, take
from survey.readers.text_files import QUOTED_EMPTY, read_records
from survey.readers.workbooks import read_sheet

if TYPE_CHECKING:
    import pyarrow as pa

_BLANKS = re.compile(r"[\s\u00a0\u200b\ufeff]+")
_FORMULA_MARK = re.compile("'+[=+\\-@\t\r\n＝＋－＠]")
_NEAR = 3


def plain(text: str) -> str:
    """A text for comparison: composed, with single blanks, without a formula's mark."""
    return _remembered(text) if len(text) <= _SHORT else _plain(text)


_SHORT = 100
"""Letters up to which a text is remembered: long ones are many and come once."""


def _plain(text: str) -> str:
    if _FORMULA_MARK.match(text):
        text = text[1:]
    return _BLANKS.sub(" ", unicodedata.normalize("NFC", text)).strip()


_remembered = lru_cache(maxsize=1 << 16)(_plain)


def without_trailing(heads: Sequence[Sequence[str]]) -> int:
    """Count the columns, without the one that only a delimiter at the end of every row makes."""
    width = len(heads[0])
    return width - 1 if width > 1 and not any(head[-1].strip() for head in heads) else width


def column_names(heads: Sequence[Sequence[str]], header: int, preset: Preset) -> list[str]:
    """Name the columns.

    Where the header has two rows for questions and their options, the names are
    `question [option]`, the question going on where its cell is empty.

    Args:
        heads: The header rows.
        header: Which of them names the columns, from 1.
        preset: The platform.
    """
    if preset == "surveymonkey" and len(heads) > 1:
        return _composed(heads[0], heads[1])
    return [_name(cell) for cell in heads[header - 1]]


def _composed(questions: Sequence[str], options: Sequence[str]) -> list[str]:
    names, going_on = [], ""
    for question, option in zip(questions, options, strict=True):
        going_on = plain(question) or going_on
        names.append(f"{going_on} [{plain(option)}]" if plain(option) else going_on)
    return names


def _name(cell: str) -> str:
    """Write a name one way; those that are JSON objects with sorted keys."""
    name = plain(cell)
    if not name.startswith("{"):
        return name
    try:
        return json.dumps(json.loads(name), ensure_ascii=False, sort_keys=True)
    except ValueError:
        return name


class Names:
    """Finds columns by the names that a mapping gives.

    The second of two columns of one name is called `name#2`.

    Args:
        names: The names of the columns.
        file: The file, as messages show it.
        row: The header row, as messages show it.
    """

    def __init__(self, names: Sequence[str], file: str, row: int = 1) -> None:
        self._file = file
        self._row = row
        self._at: dict[str, list[int]] = {}
        for at, name in enumerate(names):
            if name:
                self._at.setdefault(name, []).append(at)

    def __contains__(self, name: str) -> bool:
        return self._known(name) is not None

    def find(self, name: str, wanted_by: str) -> int:
        """The position of a column.

        Args:
            name: Its name.
            wanted_by: The key of the mapping that names it.

        Raises:
            CurateError: If there is no such column, or more than one.
        """
        found = self._known(name)
        if found is None:
            near = difflib.get_close_matches(_name(name), self._at, n=_NEAR, cutoff=0.5)
            listed = near or list(self._at)[:8]
            raise CurateError(
                f"{wanted_by}: the file has no column '{name}'",
                f"{self._file}, row {self._row}",
                f"{'near it are' if near else 'it begins with'} {', '.join(listed)}; fix the "
                "mapping, or make a draft with 'curate survey inspect'",
            )
        if len(found) > 1:
            raise CurateError(
                f"{wanted_by}: {len(found)} columns are named '{name}'",
                f"{self._file}, row {self._row}",
                f"name one of them: '{name}#1' to '{name}#{len(found)}'",
            )
        return found[0]

    def all(self, name: str) -> list[int]:
        """The positions of the columns of a name."""
        return self._known(name) or []

    def _known(self, name: str) -> list[int] | None:
        wanted = _name(name)
        if wanted in self._at:
            return self._at[wanted]
        stem, hash_mark, number = wanted.rpartition("#")
        several = self._at.get(stem.rstrip(), [])
        if hash_mark and number.isdecimal() and 1 <= int(number) <= len(several):
            return [several[int(number) - 1]]
        return None


_NAMED = 5
_LOST = "\ufffd"
_POSITIONS = 1 << 16

Heads = Sequence[Sequence[str]]
"""The header rows of a file."""


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a file.

    Attributes:
        codes: For each record the position of its text in `values`, in as few bytes as will do:
            to be made wider before it is reckoned with.
        values: The distinct texts, as they stand; quoted and unquoted emptiness are two.
        void: Position of the empty cell that was *not* quoted, where a file tells it from the
            quoted one; -1 where none is there or files of its kind tell nothing.
    """

    codes: Codes
    values: Sequence[str]
    void: int = -1

    def __len__(self) -> int:
        return len(self.codes)

    def cell(self, record: int) -> str:
        """The text of a record."""
        return self.values[int(self.codes[record])]

    def take(self, records: npt.NDArray[np.int64]) -> "Column":
        """The column of some records alone."""
        return Column(self.codes[records], self.values, self.void)

    def used(self) -> Iterator[int]:
        """Yield the positions of the values that occur."""
        found = np.flatnonzero(self._present())
        for start in range(0, len(found), _POSITIONS):
            yield from found[start : start + _POSITIONS].tolist()

    def count(self) -> int:
        """How many of the values occur."""
        return int(np.count_nonzero(self._present()))

    def distinct(self) -> Iterator[str]:
        """Yield each text that occurs once, without needless blanks, in no certain order.

        Of many texts, only those are held that the blanks make others: they may be there as well.
        """
        changed = set()
        for code in self.used():
            value = self.values[code]
            text = plain(value)
            if text != value:
                changed.add(text)
        for code in self.used():
            value = self.values[code]
            if plain(value) == value:
                changed.discard(value)
                yield value
        yield from changed

    def _present(self) -> npt.NDArray[np.bool_]:
        present = np.zeros(len(self.values), dtype=bool)
        present[self.codes] = True
        return present


@dataclass(frozen=True, slots=True)
class Grid:
    """A file as read.

    Attributes:
        file: Path as shown to the user.
        source: How it was read, and what it tells beside its cells.
        heads: The header rows, as they stand.
        columns: The columns.
        rows: The row of each record, as a spreadsheet numbers it.
        passed_over: Columns that hold something and whose cells were not asked for.
    """

    file: str
    source: Source
    heads: tuple[tuple[str, ...], ...]
    columns: tuple[Column, ...]
    rows: npt.NDArray[np.int64]
    passed_over: frozenset[int] = frozenset()

    def __len__(self) -> int:
        return len(self.rows)

    def records(self) -> Iterator[list[str]]:
        """Yield the records as rows of texts."""
        for at in range(len(self)):
            yield [column.cell(at) for column in self.columns]


def read_grid(
    path: Path,
    read: ReadPart,
    language: str,
    *,
    quoted: bool = False,
    shown_as: str = "",
    needed: Callable[[Heads], set[int]] | None = None,
) -> Grid:
    """Read a file.

    Args:
        path: The file: text of any delimiter, XLSX or SPSS.
        read: How the mapping says that it is to be read.
        language: Language of the workspace, for text that is not UTF-8.
        quoted: Whether an empty cell that is quoted is to be told from one that is not.
        shown_as: The path to show; that of the file by default.
        needed: Gives from the header rows the columns whose cells are needed; the others of a
            large file are then passed over. All by default.

    Raises:
        CurateError: If it cannot be read, has one column, rows of unlike width or no records,
            or holds U+FFFD, the mark of letters that an earlier conversion lost.
    """
    file = shown_as or str(path)
    source, chunked = _open(path, read, language, quoted, file)
    with closing(chunked):
        first, rest = take(chunked, read.header_rows)
        heads = _heads(first, read.header_rows, file)
        width = _width(heads, file)
        stated, heads = len(heads[0]), [head[:width] for head in heads]
        gathered = _Columns(width, stated, source.tells_void, file)
        if needed is not None and source.kind == "text" and not source.lost:
            gathered.pass_over(set(range(width)) - needed(heads))
        plainly = None
        if needed is None and read.header_rows == 1 and stated == width:
            plainly = read_plainly(path, source, heads[0])
        if plainly is not None:
            columns, rows = plainly
        else:
            with without_collecting():
                columns, rows = gathered.read(chain(rest, chunked))
    _refuse_number(len(rows), read, file)
    named = tuple(tuple(head) for head in heads)
    grid = Grid(file, source, named, columns, rows, frozenset(gathered.passed_over))
    _refuse_lost_letters(grid)
    return grid


PLAIN_FROM = 1 << 20
"""Bytes from which a file is worth the start of the fast reader."""
BLOCK = 8 << 20
"""Bytes of it that are read at a time."""


def read_plainly(
    path: Path, source: Source, head: Sequence[str]
) -> tuple[tuple[Column, ...], npt.NDArray[np.int64]] | None:
    """Read a large file that is simple enough to be read in one way: fast, and to the same columns.

    It is UTF-8 without a quotation mark, each line of it one record of as many cells as the header.

    Args:
        path: The file.
        source: How it is read.
        head: The header row.

    Returns:
        The columns, and the row of each record; None where the file is not so simple.
    """
    simple = source.kind == "text" and source.encoding in ("utf-8", "utf-8-sig")
    if not simple or source.tells_void or path.stat().st_size < PLAIN_FROM:
        return None
    with path.open(encoding=source.encoding, newline="") as stream:
        first = stream.readline().removeprefix("\ufeff").rstrip("\r\n")
    if first.split(source.delimiter) != list(head) or not _one_line_a_record(path):
        return None
    if not source.delimiter.isascii():
        return None
    import pyarrow as pa
    from pyarrow import csv as arrow_csv

    names = [str(at) for at in range(len(head))]
    parts = [Parts() for _ in names]
    count = 0
    try:
        with arrow_csv.open_csv(
            path,
            read_options=arrow_csv.ReadOptions(column_names=names, skip_rows=1, block_size=BLOCK),
            parse_options=arrow_csv.ParseOptions(
                delimiter=source.delimiter, quote_char=False, ignore_empty_lines=False
            ),
            convert_options=arrow_csv.ConvertOptions(
                column_types=dict.fromkeys(names, pa.dictionary(pa.int32(), pa.string())),
                strings_can_be_null=False,
            ),
        ) as blocks:
            for block in blocks:
                if not _add_block(block, parts):
                    return None  # blank rows, which are no records
                count += block.num_rows
    except (pa.ArrowInvalid, pa.ArrowKeyError):
        return None  # rows of another width, which the other reader names
    if not count:
        return None
    columns = tuple(Column(*part.whole()) for part in parts)
    return columns, np.arange(2, count + 2, dtype=np.int64)


def _add_block(block: "pa.RecordBatch", parts: Sequence[Parts]) -> bool:
    """Add rows to the columns; not if a row of them is blank."""
    holds = np.zeros(block.num_rows, dtype=bool)
    for part, column in zip(parts, block.columns, strict=True):
        texts, codes = column.dictionary, codes_of(column)
        if not holds.all():
            empty = place_of_nothing(texts)
            holds |= True if empty < 0 else codes != empty
        part.add(codes, texts)
    return bool(holds.all())


def _one_line_a_record(path: Path) -> bool:
    """Say whether a file has no quotation mark, and no carriage return but before a line feed."""
    last = b""
    with path.open("rb") as stream:
        for block in iter(lambda: stream.read(1 << 22), b""):
            joined = last + block
            last = joined[-1:]
            if b'"' in block or (
                b"\r" in block and joined[:-1].count(b"\r") != joined.count(b"\r\n")
            ):
                return False
    return last != b"\r"


def _width(heads: Heads, file: str) -> int:
    width = without_trailing(heads)
    if width < 2:
        raise CurateError(
            "the file has one column where several are expected",
            f"{file}, row 1",
            "check the delimiter and the sheet, or export the file again",
        )
    return width


def _refuse_number(count: int, read: ReadPart, file: str) -> None:
    if not count:
        raise CurateError("the file holds no answers", file, "check that the export finished")
    if read.rows is not None and read.rows != count:
        raise CurateError(
            f"the file holds {count:,} records where {read.rows:,} are expected",
            file,
            "export it again, or fix the number in the mapping (read: rows)",
        )


def read_head(
    path: Path, read: ReadPart, language: str, count: int = 12
) -> tuple[Source, list[list[str]]]:
    """Read the first rows of a file unchanged, before its form is recognised.

    Raises:
        CurateError: If it cannot be read.
    """
    # Whatever is a header row may be blank, so that no row is passed over for being so.
    every = read.model_copy(update={"header_rows": count})
    source, chunked = _open(path, every, language, False, str(path))
    with closing(chunked):
        return source, [list(cells) for cells in take(chunked, count)[0]]


def _open(
    path: Path, read: ReadPart, language: str, quoted: bool, file: str
) -> tuple[Source, Chunks]:
    kind = file_kind(path)
    if kind == "sav":
        return read_sav(path, read, language, file)
    if kind == "workbook":
        return read_sheet(path, read, file)
    return read_records(path, read, language, file, quoted=quoted)


def _heads(rows: Sequence[Sequence[str]], count: int, file: str) -> list[list[str]]:
    heads = [[cell.replace(QUOTED_EMPTY, "") for cell in cells] for cells in rows]
    if len(heads) < count:
        raise CurateError(
            f"the file has {len(heads)} rows where {count} header rows are expected",
            file,
            "check the export, and the number in the mapping (read: header_rows)",
        )
    width = min(len(head) for head in heads)
    for number, head in enumerate(heads, start=1):
        if len(head) > width and any(head[width:]):
            raise CurateError(
                f"header row {number} has {len(head)} cells where another has {width}",
                f"{file}, row {number}",
                "look for a delimiter or a quotation mark that is not quoted",
            )
    return [head[:width] for head in heads]


class _Columns:
    """Gathers records into columns, and the rows that have another width.

    Args:
        width: Columns that the header names.
        stated: Cells of the header; more than `width` when a delimiter ends every row.
        tells_void: Whether an unquoted empty cell means something else than a quoted one.
        file: The file, as messages show it.
    """

    def __init__(self, width: int, stated: int, tells_void: bool, file: str) -> None:
        self._width = width
        self._stated = stated
        self._tells_void = tells_void
        self._file = file
        self._ragged: list[tuple[int, int]] = []
        self._ended: list[int] = []
        self._indices = [_index() for _ in range(width)]
        self._codes: list[list[Codes]] = [[] for _ in range(width)]
        self._parts = [Parts() for _ in range(width)]
        self._passed: set[int] = set()
        self.passed_over: set[int] = set()

    def pass_over(self, columns: set[int]) -> None:
        """Leave the cells of some columns unread, and note which of these hold something."""
        self._passed = columns

    def read(self, chunked: Iterable[Chunk]) -> tuple[tuple[Column, ...], npt.NDArray[np.int64]]:
        """Read all records.

        Raises:
            CurateError: If some have another width than the header.
        """
        numbers: list[npt.NDArray[np.int64]] = []
        for these, rows in chunked:
            if set(map(len, rows)) - {self._width}:
                fit = [pair for pair in map(self._fit, these, rows) if pair is not None]
                these, rows = [number for number, _ in fit], [cells for _, cells in fit]
            numbers.append(np.array(these, np.int64))
            self._add(rows)
        every = np.concatenate([np.empty(0, np.int64), *numbers])
        if self._ended and len(self._ended) < len(every):
            # A delimiter ends every record or none: else a record has lost or gained a cell.
            ended = set(self._ended)
            wrong = ended if self._stated == self._width else set(every.tolist()) - ended
            size = self._width + (self._stated == self._width)
            self._ragged += [(number, size) for number in wrong]
        self._refuse_ragged()
        return tuple(self._column(at) for at in range(self._width)), every

    def _fit(self, number: int, cells: Sequence[str]) -> tuple[int, Sequence[str]] | None:
        """A record of the right width; what only a trailing delimiter adds is taken off."""
        if len(cells) == self._width:
            return number, cells
        if len(cells) == self._width + 1 and not cells[-1]:
            self._ended.append(number)
            return number, cells[:-1]
        self._ragged.append((number, len(cells)))
        return None

    def _add(self, rows: Sequence[Sequence[str]]) -> None:
        for at, cells in enumerate(zip(*rows, strict=True)):
            if at in self._passed:
                if at not in self.passed_over and any(map(_holds, cells)):
                    self.passed_over.add(at)
                continue
            index = self._indices[at]
            codes = np.fromiter(map(index.__getitem__, cells), np.int32, len(rows))
            self._codes[at].append(narrow(codes, len(index)))
            if len(index) >= MANY:
                self._end_part(at)

    def _end_part(self, at: int) -> None:
        """Begin a column anew, so that few of its texts are held as Python's own."""
        codes = np.concatenate([np.empty(0, np.int8), *self._codes[at]])
        index = self._indices[at]
        self._parts[at].add(codes, compact(tuple(index)))
        index.default_factory = None  # it refers to the map, which nobody collects meanwhile
        self._indices[at], self._codes[at] = _index(), []

    def _column(self, at: int) -> Column:
        self._end_part(at)
        codes, values = self._parts[at].whole()
        if not self._tells_void:
            return Column(codes, values)
        void, quoted = (
            next((code for code, value in enumerate(values) if value == mark), -1)
            for mark in ("", QUOTED_EMPTY)
        )
        if quoted >= 0:
            values = emptied(values, quoted)
        return Column(codes, values, void)

    def _refuse_ragged(self) -> None:
        if not self._ragged:
            return
        self._ragged.sort()
        number, size = self._ragged[0]
        others = [str(row) for row, _ in self._ragged[1:_NAMED]]
        more = f"; {len(self._ragged) - 1} more such rows: {', '.join(others)}" if others else ""
        more += ", ..." if len(self._ragged) > _NAMED else ""
        if size == self._stated > self._width:
            raise CurateError(
                f"row {number} holds something in column {size}, which has no heading{more}",
                f"{self._file}, row {number}",
                f"write a heading for column {size}; or, if the headings are below a title, "
                "delete the rows above them",
            )
        raise CurateError(
            f"row {number} has {size} cells where the header has {self._stated}{more}",
            f"{self._file}, row {number}",
            "the file ends there too early, or holds a delimiter, line break or quotation mark "
            "that "
            "is not quoted",
        )


def _holds(cell: str) -> bool:
    return cell != QUOTED_EMPTY and bool(cell.strip())


def _index() -> defaultdict[str, int]:
    """Make a map that gives each new text the next number."""
    index: defaultdict[str, int] = defaultdict()
    index.default_factory = index.__len__
    return index


def _refuse_lost_letters(grid: Grid) -> None:
    for at, column in enumerate(grid.columns):
        lost = [code for code, value in enumerate(column.values) if _LOST in value]
        named = [head[at] for head in grid.heads if head[at].strip()]
        in_head = next((row for row, head in enumerate(grid.heads, 1) if _LOST in head[at]), None)
        if not lost and in_head is None:
            continue
        row = in_head or int(grid.rows[np.isin(column.codes, lost).argmax()])
        title = plain(named[0]) if named else column_letters(at)
        raise CurateError(
            "a letter was lost: the file holds the mark U+FFFD that a wrong conversion leaves",
            f"{grid.file}, row {row}, column {title}",
            "export it again, or convert the original from its true encoding",
        )
