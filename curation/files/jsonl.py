"""JSON lines: one object a line, appended as it comes, so that the last one may be cut off."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from curation.files.atomic import atomic_text
from curation.records.findings import Finding, Severity

# Line ends to some readers, and to others not: safe only when they are escaped.
_LINE_SEPARATORS = tuple(
    (character, f"\\u{ord(character):04x}") for character in ("\x85", "\u2028", "\u2029")
)


@dataclass(frozen=True, slots=True)
class Line:
    """One object, with its line in the file."""

    number: int
    value: Mapping[str, Any]

    def text(self, key: str) -> str:
        """A text of the object.

        Raises:
            ValueError: If it is not there, empty, or cannot be written as UTF-8.
        """
        value = self.value.get(key)
        if not isinstance(value, str) or not value.strip():
            raise ValueError(f"it has no text '{key}'")
        if value.isascii():
            return value
        try:
            value.encode()
        except UnicodeEncodeError as error:
            raise ValueError(f"'{key}' holds half of a surrogate pair") from error
        return value


def parse_line(file: str, number: int, data: bytes, *, last: bool) -> Line | Finding:
    """Read one line, or say what is wrong with it.

    Args:
        file: Path as shown to the user.
        number: Of the line, from 1.
        data: The line.
        last: Whether the file ends with it and without a line end: it may then be cut off.
    """
    try:
        value = json.loads(str(data, "utf-8"))
    except (ValueError, RecursionError):
        return _unreadable(file, number, torn=last)
    if isinstance(value, dict):
        return Line(number, value)
    return line_problem(file, number, "the line is not a JSON object")


def _unreadable(file: str, number: int, *, torn: bool) -> Finding:
    if torn:
        return Finding(
            "jsonl-torn-line",
            Severity.WARNING,
            file,
            number,
            "",
            "the last line is incomplete and is left out",
            "the program that wrote the file was stopped: let it finish, or ask for this line "
            "again",
        )
    return line_problem(file, number, "the line is not JSON in UTF-8")


def line_problem(file: str, number: int, message: str) -> Finding:
    """Report a line that does not hold what it should."""
    hint = "correct the line or take it out"
    return Finding("jsonl-line", Severity.ERROR, file, number, "", message, hint)


def write_objects(path: Path, objects: Iterable[Mapping[str, object]]) -> int:
    """Write one JSON object a line in place of `path`; returns how many.

    Raises:
        CurateError: If the file cannot be written.
    """
    encode = json.JSONEncoder(ensure_ascii=False).encode  # json.dumps would make one each time
    count = 0
    with atomic_text(path) as stream:
        for value in objects:
            stream.write(f"{one_line(encode(value))}\n")
            count += 1
    return count


def one_line(text: str) -> str:
    """JSON whose texts hold no character that some readers take for the end of a line."""
    if text.isascii():
        return text
    for character, escaped in _LINE_SEPARATORS:
        text = text.replace(character, escaped)
    return text


def text_list(value: object) -> Sequence[str]:
    """Read a list of texts.

    Raises:
        ValueError: If it is none.
    """
    if isinstance(value, list):
        for item in value:
            if not isinstance(item, str):
                break
        else:
            return value
    raise ValueError("it is not a list of texts")
