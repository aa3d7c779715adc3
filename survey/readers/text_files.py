"""Text files of any encoding and delimiter as numbered rows.

The encoding is found by rule, never by statistics: a byte-order mark decides; then strict UTF-8;
then the one encoding that the workspace's language is written in by spreadsheets. A named
encoding is honoured strictly.
"""

import codecs
import csv
import io
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import IO

from curation.files.tables import read_bytes
from curation.records.errors import CurateError
from survey.mapping import ReadPart
from survey.readers.source import Chunks, Source, chunks

_CHUNK = 1 << 22
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # before that of UTF-16, which it begins with
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_WIDER = {  # what is called by the name on the left is the superset on the right in practice
    "euc_kr": "cp949",
    "shift_jis": "cp932",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "big5": "cp950",
    "ascii": "utf-8",
    "iso8859-1": "cp1252",
}
_BY_LANGUAGE = {
    "cp949": "ko",
    "cp932": "ja",
    "gb18030": "zh",
    "cp1250": "pl cs sk hu ro hr sl bs sq",
    "cp1251": "ru uk bg sr mk be kk ky mn tg",
    "cp1253": "el",
    "cp1254": "tr az",
    "cp1255": "he",
    "cp1256": "ar fa ur",
    "cp1257": "lt lv et",
    "cp1258": "vi",
    "cp874": "th",
}
_TRADITIONAL = ("zh-tw", "zh-hk", "zh-mo", "zh-hant")


@dataclass(frozen=True, slots=True)
class Encoding:
    """The encoding of a file.

    Attributes:
        name: As Python calls it.
        reason: Why it is taken, in words.
        guessed: Whether neither the file nor the mapping says so.
        ends_open: Whether the last line has no line end, as that of a file cut off has not.
        lost: Whether U+FFFD is in the text, the mark of letters that a conversion lost.
    """

    name: str
    reason: str
    guessed: bool = False
    ends_open: bool = False
    lost: bool = False


def language_encoding(language: str) -> str:
    """The encoding that spreadsheets of a language write when they do not write UTF-8."""
    if language.casefold().startswith(_TRADITIONAL):
        return "cp950"
    short = language.casefold().split("-")[0]
    return next((name for name, codes in _BY_LANGUAGE.items() if short in codes.split()), "cp1252")


def find_encoding(path: Path, language: str, named: str = "auto") -> Encoding:
    """Find out how a text file is to be decoded.

    Args:
        path: The file.
        language: Language of the workspace.
        named: An encoding, or `auto`.

    Raises:
        CurateError: If it cannot be read or decoded, is empty, or holds a NUL character.
    """
    try:
        stat = path.stat()
        with path.open("rb") as stream:
            head = stream.read(4)
    except OSError:
        read_bytes(path)  # says in words why it cannot be read
        raise
    return _encoding(path, language, named, head, stat.st_mtime_ns, stat.st_size)


@lru_cache(maxsize=16)
def _encoding(
    path: Path, language: str, named: str, head: bytes, changed: int, size: int
) -> Encoding:
    """The same of a file as it is now: its first rows are looked at before it is read."""
    mark = next((name for start, name in _MARKS if head.startswith(start)), "")
    if named != "auto":
        return _named(path, named, mark)
    if mark:
        return _by_mark(path, mark)
    try:
        return _decoded(path, "utf-8", "all of it is UTF-8")
    except _Undecodable as not_utf8:
        other = language_encoding(language)
        reason = f"it is not UTF-8 (line {not_utf8.line}), and the workspace's language is "
        try:
            return _decoded(path, other, reason + language, guessed=True)
        except _Undecodable as error:
            if b"\x00" in read_bytes(path):
                raise _nul(path, not_utf8.line) from error
            raise CurateError(
                f"{path.name} is neither UTF-8 (line {not_utf8.line}) nor {other.upper()} "
                f"(line {error.line})",
                f"{path}, line {error.line}",
                "save it as 'CSV UTF-8', or name its encoding in a mapping (read: encoding)",
            ) from error


def _by_mark(path: Path, mark: str) -> Encoding:
    try:
        return _decoded(path, mark, "its byte-order mark says so")
    except _Undecodable as error:
        raise CurateError(
            f"{path.name} begins with the byte-order mark of {_family(mark).upper()} and is not "
            f"that throughout (line {error.line})",
            f"{path}, line {error.line}",
            "the file is damaged or cut off: export it again",
        ) from error


def _named(path: Path, named: str, mark: str) -> Encoding:
    name = _canonical(named)
    if mark and _family(mark) != _family(name):
        raise CurateError(
            f"{path.name} begins with the byte-order mark of {_family(mark).upper()}, and the "
            f"mapping says {named}",
            str(path),
            "take 'encoding' out of the mapping",
        )
    try:
        return _decoded(path, mark or name, "the mapping says so")
    except _Undecodable as error:
        raise CurateError(
            f"{path.name} is not {named}, as the mapping says (line {error.line})",
            f"{path}, line {error.line}",
            "remove 'encoding' from the mapping, so that it is detected",
        ) from error


def _canonical(named: str) -> str:
    """Python's name of an encoding, or of the superset that is meant by it."""
    try:
        name = codecs.lookup(named).name
        name = _WIDER.get(name, name)
        "".encode(name)  # refuses what turns text into text or bytes into bytes
    except (LookupError, ValueError) as error:
        raise CurateError(
            f"there is no encoding '{named}'", "mapping, read: encoding", "such as utf-8 or cp949"
        ) from error
    return name


def _family(name: str) -> str:
    return "-".join(name.replace("_", "-").split("-")[:2])


class _Undecodable(ValueError):
    """Bytes that the encoding does not have."""

    def __init__(self, line: int) -> None:
        super().__init__(line)
        self.line = line


def _decoded(path: Path, encoding: str, reason: str, *, guessed: bool = False) -> Encoding:
    """Decode all of a file, to see that it can be done.

    Raises:
        _Undecodable: If some bytes cannot be decoded.
        CurateError: If it is empty or holds a NUL character.
    """
    lines, filled, last, lost = 1, False, "\n", False
    for text in _text_parts(path, encoding):
        if "\x00" in text:
            raise _nul(path, lines + _line_ends(text[: text.index("\x00")]))
        filled = filled or bool(text.strip())
        lost = lost or "\ufffd" in text
        lines += _line_ends(text)
        last = text[-1:] or last
    if not filled:
        raise CurateError(f"{path.name} is empty", str(path), "check that the export finished")
    return Encoding(encoding, reason, guessed, last not in "\r\n", lost)


def _nul(path: Path, line: int) -> CurateError:
    return CurateError(
        f"{path.name} holds a NUL character in line {line}",
        f"{path}, line {line}",
        "the file is damaged, or UTF-16 without its mark: save it as 'CSV UTF-8'",
    )


def _text_parts(path: Path, encoding: str) -> Iterator[str]:
    decoder = codecs.getincrementaldecoder(encoding)(errors="strict")
    at = 1
    with path.open("rb") as stream:
        while True:
            data = stream.read(_CHUNK)
            try:
                text = decoder.decode(data, final=not data)
            except UnicodeDecodeError as error:
                good = error.object[: error.start].decode(encoding, "ignore")
                raise _Undecodable(at + _line_ends(good)) from error
            at += _line_ends(text)
            yield text
            if not data:
                return


def _line_ends(text: str) -> int:
    """Count line ends of any kind; one that two chunks share counts twice at worst."""
    return text.count("\n") or text.count("\r")


_CANDIDATES = (",", ";", "\t", "|")
_NAMES = {
    ",": "comma",
    ";": "semicolon",
    "\t": "tab",
    "|": "bar",
}
_NAMED = {
    "tab": "\t",
    "comma": ",",
    "semicolon": ";",
    "bar": "|",
    "pipe": "|",
    "\\t": "\t",
}
_LOOKED_AT = 100
_STATED = re.compile(r"sep=(.)\r?\n?", re.IGNORECASE)


def stated_delimiter(line: str) -> str:
    """The delimiter that a first line such as `sep=;` states for Excel, or nothing."""
    match = _STATED.fullmatch(line)
    return match[1] if match else ""


def named_delimiter(name: str) -> str:
    """Read the delimiter of a mapping.

    Raises:
        CurateError: If it is not one character.
    """
    delimiter = _NAMED.get(name.casefold(), name)
    if len(delimiter) != 1 or delimiter in '"\r\n':
        raise CurateError(
            f"'{name}' is not a delimiter", "mapping, read: delimiter", "one character, or tab"
        )
    return delimiter


def delimiter_name(delimiter: str) -> str:
    """The name of a delimiter for people."""
    return _NAMES.get(delimiter, f"'{delimiter}'")


def find_delimiter(head: str, complete: bool, file: str) -> tuple[str, str]:
    """Find the delimiter of which every record has equally many.

    Args:
        head: The beginning of the file.
        complete: Whether that is all of it.
        file: The file, as messages show it.

    Returns:
        The delimiter, and why it is taken.

    Raises:
        CurateError: If there is but one column, or two characters would do.
    """
    widths = {delimiter: _widths(head, delimiter, complete) for delimiter in _CANDIDATES}
    first = {delimiter: found[0] for delimiter, found in widths.items() if found and found[0] > 1}
    if not first:
        raise CurateError(
            "the file has one column, so the character between its cells is not known",
            f"{file}, row 1",
            "delete the rows above the headings, or export the file again; a mapping may name "
            "it (read: delimiter)",
        )
    even = [delimiter for delimiter in first if set(widths[delimiter]) == {first[delimiter]}]
    if len(even) > 1:
        wide = max(first[delimiter] for delimiter in even)
        even = [delimiter for delimiter in even if first[delimiter] * 2 > wide]
    if len(even) > 1:
        names = " and ".join(f"{delimiter_name(each)} ({first[each]})" for each in even)
        raise CurateError(
            f"two characters separate equally many cells in every row: {names}",
            f"{file}, row 1",
            "name the right one in the mapping (read: delimiter)",
        )
    if even:
        return even[0], f"every row looked at has {first[even[0]]} cells"
    widest = max(first, key=lambda delimiter: first[delimiter])
    return widest, "it separates most cells of the header"


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


QUOTED_EMPTY = "\ufdd0"
"""Stands for the empty cell that was quoted, where it is told from one that was not; Unicode
keeps this character for such uses within a program."""

_HEAD = 1 << 20
_CELL_LIMIT = 64 << 20
_MARKED = 1 << 20
"""Letters of a block in which quoted empty cells are marked."""
_QUOTED = re.compile(r'"[^"]*(?:""[^"]*)*"')


def read_records(
    path: Path, read: ReadPart, language: str, file: str, *, quoted: bool
) -> tuple[Source, Chunks]:
    """Open a text file.

    Args:
        path: The file.
        read: How the mapping says that it is to be read.
        language: Language of the workspace.
        file: The path to show.
        quoted: Whether to give an empty cell that was quoted as `QUOTED_EMPTY`.

    Returns:
        How it is read, and its rows.

    Raises:
        CurateError: If its encoding or delimiter cannot be told.
    """
    encoding = find_encoding(path, language, read.encoding)
    with path.open(encoding=encoding.name, newline="") as stream:
        head = stream.read(_HEAD)
    stated = stated_delimiter(_first_line(head))
    delimiter, reason = _delimiter(read, head, file)
    tells_void = quoted and head.lstrip().startswith('"')
    source = Source(
        kind="text",
        encoding=encoding.name,
        encoding_reason=encoding.reason,
        guessed=encoding.guessed,
        delimiter=delimiter,
        delimiter_reason=reason,
        ends_open=encoding.ends_open,
        lost=encoding.lost,
        tells_void=tells_void,
    )
    opened: Callable[[], AbstractContextManager[Iterable[str]]] = partial(
        path.open, encoding=encoding.name, newline=""
    )
    if tells_void:
        opened = partial(_marked, path, encoding, file)
    blank = {"skip": int(bool(stated)), "head": read.header_rows}
    return source, _chunks(opened, source, file, **blank)


def _first_line(head: str) -> str:
    return head.split("\n", 1)[0].split("\r", 1)[0]


def _delimiter(read: ReadPart, head: str, file: str) -> tuple[str, str]:
    """The delimiter, and why it is taken."""
    if read.delimiter != "auto":
        return named_delimiter(read.delimiter), "the mapping says so"
    stated = stated_delimiter(_first_line(head))
    if stated:
        return stated, f"the first line says sep={stated}"
    return find_delimiter(head, len(head) < _HEAD, file)


@contextmanager
def _marked(path: Path, encoding: Encoding, file: str) -> Iterator[Iterator[str]]:
    """The lines with every quoted empty cell marked, which Python's csv module loses."""
    with path.open(encoding=encoding.name, newline="") as stream:
        yield (line for block in _closed(stream) for line in _marked_block(block, file))


def _closed(lines: Iterable[str]) -> Iterator[str]:
    """Join lines to blocks of which none but the last can end within quotation marks."""
    held: list[str] = []
    size = marks = 0
    for line in lines:
        held.append(line)
        size += len(line)
        marks += line.count('"')
        if size >= _MARKED and marks % 2 == 0:
            yield "".join(held)
            held, size = [], 0
    yield "".join(held)


def _marked_block(text: str, file: str) -> IO[str]:
    if QUOTED_EMPTY in text:
        raise CurateError(
            "the file holds U+FDD0, which is not a character", file, "export it again as UTF-8"
        )
    marked = _QUOTED.sub(lambda match: f'"{QUOTED_EMPTY}"' if match[0] == '""' else match[0], text)
    return io.StringIO(marked, newline="")


def _chunks(
    opened: Callable[[], AbstractContextManager[Iterable[str]]],
    source: Source,
    file: str,
    *,
    skip: int,
    head: int,
) -> Chunks:
    csv.field_size_limit(_CELL_LIMIT)
    with opened() as lines:
        reader = csv.reader(lines, delimiter=source.delimiter, strict=True)
        for numbers, rows in chunks(reader, file, skip=skip, head=head):
            if source.tells_void:
                _refuse_misplaced(numbers, rows, file)
            yield numbers, rows


def _refuse_misplaced(numbers: Sequence[int], rows: Sequence[Sequence[str]], file: str) -> None:
    """Refuse a mark that is not a whole cell: then what was marked was no cell either."""
    for number, cells in zip(numbers, rows, strict=True):
        if any(QUOTED_EMPTY in cell and cell != QUOTED_EMPTY for cell in cells):
            raise CurateError(
                f"row {number} holds a quotation mark within a cell that is not quoted",
                f"{file}, row {number}",
                "export it again with all cells quoted",
            )
