"""How a text file is to be read: its encoding and its delimiter.

The encoding is found by rule, never by statistics: a byte-order mark decides; then strict UTF-8;
then the one encoding that the workspace's language is written in by spreadsheets. A named encoding
is honoured strictly.
"""

import codecs
import csv
import io
import re
from dataclasses import replace
from pathlib import Path

import yaml

from curation.files.tables import read_bytes
from curation.records.errors import CurateError
from survey.mapping import ReadPart
from survey.readers.frames import Source, refusal

_CHUNK = 1 << 22
_HEAD = 1 << 20
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # before that of UTF-16, which it begins with
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_ENCODINGS: dict[str, dict[str, str]] = yaml.safe_load(
    Path(__file__).with_name("encodings.yaml").read_text("utf-8")
)
_WIDER, _BY_LANGUAGE = _ENCODINGS["wider"], _ENCODINGS["languages"]
_DELIMITERS = {"comma": ",", "semicolon": ";", "tab": "\t", "bar": "|"}
_NAMED = {**_DELIMITERS, "pipe": "|", "\\t": "\t"}
_LOOKED_AT = 100
_STATED = re.compile(r"sep=(.)\r?\n?", re.IGNORECASE)


def text_source(path: Path, read: ReadPart, language: str, file: str) -> Source:
    """Find out how a text file is to be read.

    Args:
        path: The file.
        read: How the mapping says that it is to be read.
        language: Language of the workspace.
        file: The file, as messages show it.

    Raises:
        CurateError: If its encoding or delimiter cannot be told, it is empty, or it holds a NUL
            character.
    """
    source = _encoded(path, language, read.encoding)
    with path.open(encoding=source.encoding, newline="") as stream:
        head = stream.read(_HEAD)
    stated = _STATED.match(head)
    if read.delimiter != "auto":
        sign, reason = named_delimiter(read.delimiter), "the mapping says so"
    elif stated:
        sign, reason = stated[1], f"the first line says sep={stated[1]}"
    else:
        sign, reason = _find_delimiter(head, len(head) < _HEAD, file)
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


def _encoded(path: Path, language: str, named: str) -> Source:
    with path.open("rb") as stream:
        head = stream.read(4)
    mark = next((name for start, name in _MARKS if head.startswith(start)), "")
    name = "" if named == "auto" else _canonical(named)
    if mark and name and _family(mark) != _family(name):
        raise refusal(
            "encoding-unlike", str(path), name=path.name, mark=_family(mark).upper(), named=named
        )
    known, reason = mark or name, "the mapping says so" if name else "its byte-order mark says so"
    try:
        return _decoded(path, known or "utf-8", reason if known else "all of it is UTF-8")
    except _Undecodable as error:
        if known:
            told = named if name else _family(mark).upper()
            key = "encoding-other" if name else "encoding-broken"
            line = str(error.line)
            where = f"{path}, line {line}"
            raise refusal(key, where, name=path.name, encoding=told, line=line) from error
        return _in_its_language(path, language, error.line)


def _in_its_language(path: Path, language: str, line: int) -> Source:
    """Read a file that is not UTF-8 as the language's own encoding has it."""
    other = language_encoding(language)
    reason = f"it is not UTF-8 (line {line}), and the workspace's language is {language}"
    try:
        return _decoded(path, other, reason, guessed=True)
    except _Undecodable as error:
        if b"\x00" in read_bytes(path):
            raise _nul(path, line) from error
        told = {"name": path.name, "line": str(line), "own": other.upper(), "own_line": error.line}
        raise refusal("encoding-unknown", f"{path}, line {error.line}", **told) from error


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


def _decoded(path: Path, encoding: str, reason: str, *, guessed: bool = False) -> Source:
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
            except UnicodeDecodeError as error:
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
    return Source("text", encoding, reason, guessed, ends_open=open_end, lost=lost, quoted=quoted)


def _line_ends(text: str) -> int:
    """Count line ends of any kind; one that two chunks share counts twice at worst."""
    return text.count("\n") or text.count("\r")


def _nul(path: Path, line: int) -> CurateError:
    return refusal("nul", f"{path}, line {line}", name=path.name, line=str(line))


def named_delimiter(name: str) -> str:
    """Read the delimiter of a mapping.

    Raises:
        CurateError: If it is not one character.
    """
    delimiter = _NAMED.get(name.casefold(), name)
    if len(delimiter) != 1 or delimiter in '"\r\n' or not delimiter.isascii():
        raise refusal("delimiter-name", "mapping, read: delimiter", name=name)
    return delimiter


def delimiter_name(delimiter: str) -> str:
    """The name of a delimiter for people."""
    return next((name for name, sign in _DELIMITERS.items() if sign == delimiter), f"'{delimiter}'")


def _find_delimiter(head: str, complete: bool, file: str) -> tuple[str, str]:
    """Find the delimiter of which every record has equally many, and say why it is taken.

    Raises:
        CurateError: If there is but one column, or two characters would do.
    """
    widths = {sign: _widths(head, sign, complete) for sign in _DELIMITERS.values()}
    first = {sign: found[0] for sign, found in widths.items() if found and found[0] > 1}
    if not first:
        raise refusal("delimiter-unknown", f"{file}, row 1")
    even = [sign for sign in first if set(widths[sign]) == {first[sign]}]
    widest = max((first[sign] for sign in even), default=0)
    even = [sign for sign in even if first[sign] * 2 > widest]
    if len(even) > 1:
        names = [f"{delimiter_name(each)} ({first[each]})" for each in even]
        raise refusal("delimiters-two", f"{file}, row 1", names=names)
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
