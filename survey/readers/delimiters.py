"""Which sign separates the cells of a text file."""

import csv
import io
import re

from curation.model.errors import CurateError

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
    """Give the delimiter that a first line such as `sep=;` states for Excel, or nothing."""
    match = _STATED.fullmatch(line)
    return match[1] if match else ""


def named_delimiter(name: str) -> str:
    """Read the delimiter of a mapping.

    Raises:
        CurateError: If it is not one sign.
    """
    sign = _NAMED.get(name.casefold(), name)
    if len(sign) != 1 or sign in '"\r\n':
        raise CurateError(
            f"'{name}' is no delimiter", "mapping, read: delimiter", "one sign, or tab"
        )
    return sign


def delimiter_name(sign: str) -> str:
    """Give the name of a delimiter for people."""
    return _NAMES.get(sign, f"'{sign}'")


def find_delimiter(head: str, complete: bool, file: str) -> tuple[str, str]:
    """Find the delimiter of which every record has equally many.

    Args:
        head: The beginning of the file.
        complete: Whether that is all of it.
        file: The file, as messages show it.

    Returns:
        The sign, and why it is taken.

    Raises:
        CurateError: If there is but one column, or two signs would do.
    """
    widths = {sign: _widths(head, sign, complete) for sign in _CANDIDATES}
    first = {sign: found[0] for sign, found in widths.items() if found and found[0] > 1}
    if not first:
        raise CurateError(
            "the file has one column, so the sign between its cells is not known",
            f"{file}, row 1",
            "name it in the mapping (read: delimiter), or export the file again",
        )
    even = [sign for sign in first if set(widths[sign]) == {first[sign]}]
    if len(even) > 1:
        wide = max(first[sign] for sign in even)
        even = [sign for sign in even if first[sign] * 2 > wide]
    if len(even) > 1:
        names = " and ".join(f"{delimiter_name(sign)} ({first[sign]})" for sign in even)
        raise CurateError(
            f"two signs separate equally many cells in every row: {names}",
            f"{file}, row 1",
            "name the right one in the mapping (read: delimiter)",
        )
    if even:
        return even[0], f"every row looked at has {first[even[0]]} cells"
    widest = max(first, key=lambda sign: first[sign])
    return widest, "it separates most cells of the header"


def _widths(head: str, sign: str, complete: bool) -> list[int]:
    """Count the cells of each record; the last one may be cut off and is left out."""
    found: list[int] = []
    try:
        for cells in csv.reader(io.StringIO(head, newline=""), delimiter=sign):
            if any(cells):
                found.append(len(cells))
            if len(found) > _LOOKED_AT:
                break
    except csv.Error:
        return found
    return found if complete or len(found) == 1 else found[:-1]
