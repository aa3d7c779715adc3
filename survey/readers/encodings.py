"""In which encoding a text file is: by rule, never by statistics.

A byte-order mark decides; then strict UTF-8; then the one encoding that the workspace's
language is written in by spreadsheets. A named encoding is honoured strictly.
"""

import codecs
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from curation.io.tables import read_bytes
from curation.model.errors import CurateError

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
    """Give the encoding that spreadsheets of a language write when they do not write UTF-8."""
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
        CurateError: If it cannot be read or decoded, is empty, or holds a NUL sign.
    """
    try:
        with path.open("rb") as stream:
            head = stream.read(4)
    except OSError:
        read_bytes(path)  # says in words why it cannot be read
        raise
    mark = next((name for sign, name in _MARKS if head.startswith(sign)), "")
    if named != "auto":
        return _named(path, named, mark)
    if mark:
        return _marked(path, mark)
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
                "name its encoding in the mapping (read: encoding), or save it as 'CSV UTF-8'",
            ) from error


def _marked(path: Path, mark: str) -> Encoding:
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
            "take 'encoding' out of the mapping to let it be found out",
        ) from error


def _canonical(named: str) -> str:
    """Give Python's name of an encoding, or of the superset that is meant by it."""
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
        CurateError: If it is empty or holds a NUL sign.
    """
    lines, filled, last, lost = 1, False, "\n", False
    for text in _chunks(path, encoding):
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
        f"{path.name} holds a NUL sign in line {line}",
        f"{path}, line {line}",
        "the file is damaged, or UTF-16 without its mark: save it as 'CSV UTF-8'",
    )


def _chunks(path: Path, encoding: str) -> Iterator[str]:
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
