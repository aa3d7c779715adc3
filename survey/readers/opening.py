"""The one place where a survey file of any kind, encoding or delimiter becomes a frame of text.

A file is opened once: its first rows tell what it is, and then it is read. The encoding of a text
is found by rule, never by statistics: a byte-order mark decides; then strict UTF-8; then the one
encoding that the workspace's language is written in by spreadsheets, or the one in which the
questionnaire's own words stand there. A named encoding is honoured strictly.
"""

import codecs
import csv
import io
import re
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, TextIO, TypeAlias

import numpy as np
import numpy.typing as npt

from curation.files.tables import read_bytes, refuse_binary
from curation.records.culture import FileLimits
from curation.records.letters import column_letters
from curation.records.messages import CurateError, counted, own_yaml
from survey.mapping import ReadPart
from survey.readers import frames
from survey.readers.frames import FileColumn, FileSource, Frame, refusal

Rows: TypeAlias = list[tuple[int, list[str]]]
"""Rows with their numbers."""
Words = Callable[[], Iterable[str]]
"""Gives words that a file may hold: they tell its encoding, and are seldom asked for."""
_UTF_MARKS = (b"\xff\xfe", b"\xfe\xff", b"\x00\x00\xfe\xff")
_BLOCK = 8 << 20
_COMPARED = 3
"""Records whose width is compared with the header's before all are read."""
_CELL_LIMIT = 64 << 20
_LARGEST = 1 << 62
_LOST = "\ufffd"


@dataclass(frozen=True, slots=True)
class Opened:
    """A file that was opened: what it is, and its first rows, before it is known how it is read.

    Attributes:
        path: The file.
        read: How it was opened.
        language: Language of the workspace.
        limits: How much of a workbook is read.
        source: How it is read.
        cells: The columns of a workbook or an SPSS file, from row 1; None of a text file.
    """

    path: Path
    read: ReadPart
    language: str
    limits: FileLimits
    source: FileSource
    cells: Sequence[Sequence[str]] | None = None

    @property
    def file(self) -> str:
        """The file, as messages show it."""
        return str(self.path)

    def head(self, count: int) -> Rows:
        """The first rows, without blank ones; not more than `count`.

        Raises:
            CurateError: If one of them cannot be read.
        """
        if self.cells is not None:
            every: Iterator[list[str]] = map(list, zip(*self.cells, strict=True))
            return list(islice(_kept(every, 0, count), count))
        with _text(self.path, self.source.encoding) as stream:
            return self._first(stream, count)

    def _first(self, stream: TextIO, count: int) -> Rows:
        rows = _csv_rows(stream, self.source.delimiter, self.path)
        return list(islice(_kept(rows, self.source.skipped, count), count))

    def sheet(self, name: str) -> "Opened":
        """Another sheet of the workbook."""
        read = self.read.model_copy(update={"sheet": name})
        return open_file(self.path, read, self.language, self.limits)

    def frame(self, read: ReadPart | None = None, *, tells_void: bool = False) -> Frame:
        """Read all of it.

        Args:
            read: Its header rows, and the number of records that there are; as it was opened by
                default.
            tells_void: Whether an empty cell that is not quoted says something else than a quoted
                one, where the file quotes its cells.

        Raises:
            CurateError: If it has one column, rows of unlike width or no records, or holds
                U+FFFD, the mark of letters that an earlier conversion lost.
        """
        read = read or self.read
        merged = [name for last, name in self.source.merged if last > read.header_rows]
        if merged:  # all but one of them would be read as empty
            raise refusal("cells-merged", f"{self.path}, cells {merged[0]}", cells=merged)
        source = replace(
            self.source,
            tells_void=tells_void and self.source.tells_void,
            hidden=tuple(row for row in self.source.hidden if row > read.header_rows),
        )
        if self.cells is not None:
            heads, columns, rows = self._in_memory(read.header_rows)
        else:
            heads, columns, rows = self._as_text(read.header_rows, tells_void=source.tells_void)
        if not len(rows):
            raise refusal("no-records", self.file)
        if read.rows not in (None, len(rows)):
            raise refusal("records-other", self.file, count=len(rows), wanted=read.rows)
        named = tuple(tuple(head[: len(columns)]) for _, head in heads)
        titles = tuple(map(frames.plain, named[read.header - 1]))
        number = heads[read.header - 1][0]
        frame = Frame(self.file, source, named, titles, columns, rows, number)
        if source.lost or self.cells is not None:
            _refuse_lost_letters(frame)
        return frame

    def _in_memory(self, count: int) -> tuple[Rows, tuple[FileColumn, ...], npt.NDArray[np.int64]]:
        cells = self.cells or ()
        heads = self._heads(self.head(count), count)
        last = heads[-1][0]
        columns = tuple(frames.column_of(column[last:]) for column in cells)
        filled = _filled(columns, len(cells[0]) - last if cells else 0)
        return heads, tuple(column.take(filled) for column in columns), filled + last + 1

    def _as_text(
        self, count: int, *, tells_void: bool
    ) -> tuple[Rows, tuple[FileColumn, ...], npt.NDArray[np.int64]]:
        import pyarrow as pa

        first = self.head(count + _COMPARED)
        heads = self._heads(first[:count], count)
        stated = len(heads[0][1])
        named = stated - (stated > 1 and not any(head[-1].strip() for _, head in heads))
        if named < 2:
            raise refusal("one-column", f"{self.path}, row 1")
        width = stated
        records = [cells for _, cells in first[count:]]
        if len({len(cells) for cells in records}) == 1:
            # A delimiter may end every record, or only the header.
            size, ended = len(records[0]), not any(cells[-1] for cells in records)
            width = size if size == named or (size == stated + 1 and ended) else stated
        if self.source.quoted:  # a quotation mark that is not closed or not doubled is refused
            with _text(self.path, self.source.encoding) as stream:
                for _ in _csv_rows(stream, self.source.delimiter, self.path):
                    pass
        with _text(self.path, self.source.encoding) as stream:
            self._first(stream, count)
            table, ragged = _arrow(stream, self.source, width, tells_void)
        last = heads[-1][0]
        if ragged:
            row, size = ragged[0][0] + last, ragged[0][1]
            known = "the header has" if width == stated else "the rows before it have"
            others = counted(len(ragged) - 1, "more such row")
            more = f"; {others}" if len(ragged) > 1 else ""
            told = {"row": str(row), "size": size, "known": known, "width": width, "more": more}
            raise refusal("row-width", f"{self.path}, row {row}", **told)
        if table is None:
            return heads, (), np.empty(0, np.int64)
        count, waiting = table.num_rows, table.columns[::-1]
        del table  # each column is let go when it was taken: they are not held twice
        columns = tuple(_arrow_column(waiting.pop(), tells_void) for _ in range(width))
        pa.default_memory_pool().release_unused()  # the reader would keep it
        filled = _filled(columns, count)
        if width > named and (at := frames.first_of(frames.filled(columns[-1]))) >= 0:
            number = str(at + last + 1)
            raise refusal(
                "column-unnamed", f"{self.path}, row {number}", number=number, width=width
            )
        if len(filled) < count:
            columns = tuple(column.take(filled) for column in columns)
        return heads, columns[:named], filled + last + 1

    def _heads(self, rows: Rows, count: int) -> Rows:
        if len(rows) < count:
            raise refusal("heads-lacking", self.file, count=len(rows), wanted=count)
        width = min(len(head) for _, head in rows)
        for number, head in rows:
            if any(head[width:]):
                told = {"number": str(number), "cells": len(head), "width": width}
                raise refusal("heads-width", f"{self.path}, row {number}", **told)
        return [(number, head[:width]) for number, head in rows]


def open_file(
    path: Path,
    read: ReadPart | None = None,
    language: str = "en",
    limits: FileLimits | None = None,
    *,
    words: Words = tuple,
) -> Opened:
    """Open a file.

    Args:
        path: The file: text of any delimiter, JSON, XLSX, ODS, SPSS or Stata.
        read: How it is to be read, as far as that is known.
        language: Language of the workspace, for text that is not UTF-8.
        limits: How much of a workbook is read.
        words: Gives the words that it may hold, such as those of the questionnaire.

    Raises:
        CurateError: If it cannot be read, or is nothing that holds a survey.
    """
    read, limits = read or ReadPart(), limits or FileLimits()
    kind = file_kind(path)
    cells: Sequence[Sequence[str]] | None = None
    if kind == "text":
        source = text_source(path, read, language, words)
    else:
        from survey.readers import structured  # slow, and many commands read texts alone

        if kind == "sav":
            encoding = language_encoding(language)
            source, cells = structured.read_sav(path, read, language, encoding)
        elif kind == "json":
            source, cells = structured.read_json(path)
        else:
            source, cells = structured.read_sheet(path, read.sheet, limits)
    return Opened(path, read, language, limits, source, cells)


_PAGES = (b"<html", b"<!doctype", b"<table", b"<?xml", b"<meta")
"""How files begin that tools call a workbook, for a spreadsheet opens them."""


def file_kind(path: Path) -> frames.Kind:
    """Tell by its first bytes what a file is, whatever its name ends in.

    Raises:
        CurateError: If it cannot be read, or is nothing that holds a survey.
    """
    try:
        with path.open("rb") as stream:
            head = stream.read(4096)
    except OSError:
        read_bytes(path)  # says in words why it cannot be read
        raise
    if head.startswith(b"PK\x03\x04"):
        return "workbook"
    stata = path.suffix.lower() == ".dta" and head[:1] in (b"<", b"q", b"r", b"s")
    if stata or head.startswith((b"$FL2", b"$FL3")):
        return "sav"
    if head.startswith(b"\xd0\xcf\x11\xe0"):
        raise refusal("workbook-old", str(path), name=path.name)
    if head.lower().lstrip(b"\xef\xbb\xbf\r\n\t ").startswith(_PAGES):
        raise refusal("web-page", str(path), name=path.name)
    if not head.startswith(_UTF_MARKS):
        # Single NUL characters are refused later, with their line; only signatures matter here.
        refuse_binary(head.replace(b"\x00", b""), path)
    if path.suffix.lower() in frames.ENDINGS:
        return "json"
    if path.suffix.lower() in (".xlsx", ".xlsm", ".ods"):
        raise refusal("workbook-text", str(path), name=path.name)
    return "text"


def _text(path: Path, encoding: str) -> TextIO:
    return path.open(encoding=encoding, newline="")


def _csv_rows(stream: TextIO, delimiter: str, path: Path) -> Iterator[list[str]]:
    """The rows of a text; the stream is left where the last row that was taken ends."""
    csv.field_size_limit(_CELL_LIMIT)
    reader = csv.reader(iter(stream.readline, ""), delimiter=delimiter, strict=True)
    number = 0
    while True:
        number += 1
        try:
            yield next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            where = f"{path}, row {number}"
            raise refusal("row-broken", where, number=str(number), error=error) from error


def _kept(rows: Iterator[list[str]], skip: int, heads: int) -> Iterator[tuple[int, list[str]]]:
    """Number rows, and leave out blank ones.

    A header row may have cells and hold nothing, as the row of options does in a form without
    multiple answers: it counts, or the first record would be taken for it.
    """
    kept = 0
    for number, cells in enumerate(rows, start=1):
        if number > skip and (any(cells) or (0 < kept < heads and len(cells) > 1)):
            kept += 1
            yield number, cells


class _Utf8(io.RawIOBase):
    """The rest of a text as bytes in UTF-8; where the file itself is so, those that stand there."""

    def __init__(self, stream: TextIO) -> None:
        self._stream: TextIO | BinaryIO = stream
        place = stream.tell()  # a larger one is none in bytes, but says how the text goes on
        if stream.encoding in ("utf-8", "utf-8-sig") and place < _LARGEST:
            self._stream = stream.buffer
            self._stream.seek(place)

    def readable(self) -> bool:
        """Say that it can be read."""
        return True

    def read(self, size: int = -1) -> bytes:
        """Read no more bytes than asked for, of which a character has four at most.

        Between a carriage return and its line feed pyarrow would lose the latter.
        """
        most = max(1, size // 4)
        text: Any = self._stream.read(max(1, most - 64))
        while text[-1:] in ("\r", b"\r") and len(text) < most and (more := self._stream.read(1)):
            text += more
        return bytes(text) if isinstance(text, bytes) else text.encode()


def _arrow(
    stream: TextIO, source: FileSource, width: int, tells_void: bool
) -> tuple[Any, list[tuple[int, int]]]:
    """Read the rest of a text into a table, and note the rows of another width; None if empty."""
    import pyarrow as pa
    from pyarrow import csv as arrow_csv

    ragged: list[tuple[int, int]] = []

    def note(row: Any) -> str:
        ragged.append((row.number, row.actual_columns))
        return "skip"

    names = [str(at) for at in range(width)]
    try:
        table = arrow_csv.read_csv(
            _Utf8(stream),
            read_options=arrow_csv.ReadOptions(
                column_names=names, block_size=_BLOCK, use_threads=False
            ),
            parse_options=arrow_csv.ParseOptions(
                delimiter=source.delimiter,
                quote_char='"' if source.quoted else False,
                newlines_in_values=source.quoted,
                ignore_empty_lines=False,
                invalid_row_handler=note,
            ),
            convert_options=arrow_csv.ConvertOptions(
                column_types=dict.fromkeys(names, pa.dictionary(pa.int32(), pa.string())),
                strings_can_be_null=tells_void,
                quoted_strings_can_be_null=False,
                null_values=[""],
            ),
        )
    except pa.ArrowInvalid as error:
        if "Empty CSV file" in str(error):
            return None, []
        raise
    return table, ragged


def _arrow_column(column: Any, tells_void: bool) -> FileColumn:
    """A column of a table; an unquoted empty cell is a text of its own where files tell it."""
    import pyarrow as pa

    joined = column.unify_dictionaries().combine_chunks()
    if isinstance(joined, pa.ChunkedArray):
        joined = joined.chunk(0)
    values, indices, void = joined.dictionary, joined.indices, -1
    if tells_void and joined.null_count:
        void, values = len(values), pa.concat_arrays([values, pa.array([""], pa.string())])
        indices = indices.fill_null(void)
    # Read where they lie: pyarrow's own way to numpy loads pandas, which takes long.
    codes = np.frombuffer(indices.buffers()[1], np.int32, len(indices), 4 * indices.offset)
    return FileColumn(
        frames.narrow(codes, len(values)),
        values.to_pylist(),
        void,
    )


def _filled(columns: Sequence[FileColumn], count: int) -> npt.NDArray[np.int64]:
    """The positions of the rows that hold anything: blank ones are no records."""
    holds = np.zeros(count, dtype=bool)
    for column in columns:
        if holds.all():
            break
        holds |= np.array([bool(value) for value in column.values] or [False])[column.codes]
    return np.flatnonzero(holds)


def _refuse_lost_letters(frame: Frame) -> None:
    for at, column in enumerate(frame.columns):
        lost = [code for code, value in enumerate(column.values) if _LOST in value]
        named = [head[at] for head in frame.heads if head[at].strip()]
        in_head = next((row for row, head in enumerate(frame.heads, 1) if _LOST in head[at]), None)
        if not lost and in_head is None:
            continue
        row = in_head or int(frame.rows[np.isin(column.codes, lost).argmax()])
        title = frames.plain(named[0]) if named else column_letters(at)
        raise refusal("letter-lost", f"{frame.file}, row {row}, column {title}")


_CHUNK = 1 << 22
_HEAD = 1 << 20
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # before that of UTF-16, which it begins with
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_ENCODINGS = own_yaml(Path(__file__).with_name("encodings.yaml").read_text("utf-8"))
_WIDER: dict[str, str] = _ENCODINGS["wider"]
_BY_LANGUAGE: dict[str, str] = _ENCODINGS["languages"]
_OTHERS: list[str] = _ENCODINGS["others"]
_DELIMITERS = {"comma": ",", "semicolon": ";", "tab": "\t", "bar": "|"}
_NAMED = {**_DELIMITERS, "pipe": "|", "\\t": "\t"}
_LOOKED_AT = 100
_STATED = re.compile(r"sep=(.)\r?\n?", re.IGNORECASE)


def text_source(path: Path, read: ReadPart, language: str, words: Words = tuple) -> FileSource:
    """Find out how a text file is to be read.

    Args:
        path: The file.
        read: How the mapping says that it is to be read.
        language: Language of the workspace.
        words: Gives the words that it may hold.

    Raises:
        CurateError: If its encoding or delimiter cannot be told, it is empty, or it holds a NUL
            character.
    """
    source = _encoded(path, language, read.encoding, words)
    with path.open(encoding=source.encoding, newline="") as stream:
        head = stream.read(_HEAD)
    stated = _STATED.match(head)
    if read.delimiter != "auto":
        sign, reason = _NAMED.get(read.delimiter.casefold(), read.delimiter), "the mapping says so"
        if len(sign) != 1 or sign in '"\r\n' or not sign.isascii():
            raise refusal("delimiter-name", "mapping, read: delimiter", name=read.delimiter)
    elif stated:
        sign, reason = stated[1], f"the first line says sep={stated[1]}"
    else:
        sign, reason = _find_delimiter(head, len(head) < _HEAD, path)
    return replace(
        source,
        delimiter=sign,
        delimiter_reason=reason,
        skipped=int(bool(stated)),
        tells_void=head.lstrip().startswith('"'),
    )


def language_encoding(language: str) -> str:
    """The encoding that spreadsheets of a language write when they do not write UTF-8."""
    parts = language.casefold().split("-")
    codes = ("-".join(parts[:end]) for end in range(len(parts), 0, -1))
    return next((_BY_LANGUAGE[code] for code in codes if code in _BY_LANGUAGE), "cp1252")


def _encoded(path: Path, language: str, named: str, words: Words) -> FileSource:
    with path.open("rb") as stream:
        head = stream.read(4)
    mark = next((name for start, name in _MARKS if head.startswith(start)), "")
    name = "" if named == "auto" else _canonical(named)
    if mark and name and _family(mark) != _family(name):
        told = {"name": path.name, "mark": _family(mark).upper(), "named": named}
        raise refusal("encoding-unlike", str(path), **told)
    known, reason = mark or name, "the mapping says so" if name else "its byte-order mark says so"
    try:
        return _decoded(path, known or "utf-8", reason if known else "all of it is UTF-8")
    except _Undecodable as error:
        if known:
            key = "encoding-other" if name else "encoding-broken"
            stated = named if name else _family(mark).upper()
            told = {"name": path.name, "encoding": stated, "line": str(error.line)}
            raise refusal(key, f"{path}, line {error.line}", **told) from error
        return _in_its_language(path, language, error.line, words())


def _in_its_language(path: Path, language: str, line: int, words: Iterable[str]) -> FileSource:
    """Read a file that is not UTF-8 as the language's own encoding has it, or its own words."""
    other = language_encoding(language)
    reason = f"it is not UTF-8 (line {line}), and the workspace's language is {language}"
    held = _words_held(read_bytes(path), {word for word in words if not word.isascii()})
    best = max(held, key=lambda encoding: len(held[encoding]))
    if len(held[best]) > 2 * len(held.get(other, ())):
        other, word = best, min(held[best])
        reason = f"it is not UTF-8 (line {line}), and holds the questionnaire's '{word}' so"
    try:
        return _decoded(path, other, reason, guessed=True)
    except _Undecodable as error:
        if b"\x00" in read_bytes(path):
            raise _nul(path, line) from error
        told = {"name": path.name, "line": str(line), "own": other.upper(), "own_line": error.line}
        raise refusal("encoding-unknown", f"{path}, line {error.line}", **told) from error


def _words_held(data: bytes, words: Set[str]) -> dict[str, set[str]]:
    """By encoding, those of some words that bytes hold in it."""
    return {
        encoding: {
            word
            for word in words
            if word.encode(encoding, "ignore").decode(encoding) == word
            and word.encode(encoding) in data
        }
        for encoding in dict.fromkeys((*_BY_LANGUAGE.values(), *_OTHERS))
    }


def _canonical(named: str) -> str:
    """Python's name of an encoding, or of the superset that is meant by it."""
    try:
        name = codecs.lookup(named).name
        name = _WIDER.get(name, name)
        "".encode(name)  # refuses what turns text into text or bytes into bytes
    except (LookupError, ValueError) as error:
        raise refusal("encoding-name", "mapping, read: encoding", named=named) from error
    return name


def _family(name: str) -> str:
    return "-".join(name.replace("_", "-").split("-")[:2])


class _Undecodable(ValueError):
    """Bytes that the encoding does not have."""

    def __init__(self, line: int) -> None:
        super().__init__(line)
        self.line = line


def _decoded(path: Path, encoding: str, reason: str, *, guessed: bool = False) -> FileSource:
    """Decode all of a file, to see that it can be done.

    Raises:
        _Undecodable: If some bytes cannot be decoded.
        CurateError: If it is empty or holds a NUL character.
    """
    decoder = codecs.getincrementaldecoder(encoding)(errors="strict")
    lines, filled, last, lost, quoted = 1, False, "\n", False, False
    with path.open("rb") as stream:
        data = b"-"
        while data:
            data = stream.read(_CHUNK)
            try:
                text = decoder.decode(data, final=not data)
            except UnicodeError as error:
                good = ""  # UTF-16 that lacks its mark
                if isinstance(error, UnicodeDecodeError):
                    good = error.object[: error.start].decode(encoding, "ignore")
                raise _Undecodable(lines + _line_ends(good)) from error
            if "\x00" in text:
                raise _nul(path, lines + _line_ends(text[: text.index("\x00")]))
            filled = filled or bool(text.strip())
            lost = lost or "\ufffd" in text
            quoted = quoted or '"' in text
            lines += _line_ends(text)
            last = text[-1:] or last
    if not filled:
        raise refusal("file-empty", str(path), name=path.name)
    open_end = last not in "\r\n"
    return FileSource(
        "text", encoding, reason, guessed, ends_open=open_end, lost=lost, quoted=quoted
    )


def _line_ends(text: str) -> int:
    """Count line ends of any kind; one that two chunks share counts twice at worst."""
    return text.count("\n") or text.count("\r")


def _nul(path: Path, line: int) -> CurateError:
    return refusal("nul", f"{path}, line {line}", name=path.name, line=str(line))


def delimiter_name(delimiter: str) -> str:
    """The name of a delimiter for people."""
    return next((name for name, sign in _DELIMITERS.items() if sign == delimiter), f"'{delimiter}'")


def _find_delimiter(head: str, complete: bool, path: Path) -> tuple[str, str]:
    """Find the delimiter of which every record has equally many, and say why it is taken.

    Raises:
        CurateError: If there is but one column, or two characters would do.
    """
    widths = {sign: _widths(head, sign, complete) for sign in _DELIMITERS.values()}
    first = {sign: found[0] for sign, found in widths.items() if found and found[0] > 1}
    if not first:
        raise refusal("delimiter-unknown", f"{path}, row 1")
    even = [sign for sign in first if set(widths[sign]) == {first[sign]}]
    widest = max((first[sign] for sign in even), default=0)
    even = [sign for sign in even if first[sign] * 2 > widest]
    if len(even) > 1:
        names = [f"{delimiter_name(each)} ({first[each]})" for each in even]
        raise refusal("delimiters-two", f"{path}, row 1", names=names)
    if even:
        return even[0], f"every row looked at has {first[even[0]]} cells"
    return max(first, key=first.__getitem__), "it separates most cells of the header"


def _widths(head: str, delimiter: str, complete: bool) -> list[int]:
    """Count the cells of each record; the last one may be cut off and is left out."""
    found: list[int] = []
    try:
        for cells in csv.reader(io.StringIO(head, newline=""), delimiter=delimiter):
            if any(cells):
                found.append(len(cells))
            if len(found) > _LOOKED_AT:
                break
    except csv.Error:
        return found
    return found if complete or len(found) == 1 else found[:-1]
