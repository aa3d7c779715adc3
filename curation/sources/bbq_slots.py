"""BBQ's slots: `{{NAME1}}` in texts, and lists such as `NAME1: [a, b]; NAME2: [c, d]`."""

import re
from collections.abc import Callable
from typing import NamedTuple

from curation.sources.imported import CellError

Note = Callable[[str, str], None]
"""Takes the column and the message of a remark on a cell that is read all the same."""

_NAME = r"(?P<kind>NAME|WORD|GEN|OCC)(?P<number>[1-9]\d?)"
_IN_TEXT = re.compile(rf"(?P<open>[\[{{]*)(?<![A-Za-z])\s*{_NAME}(?!\w)\s*(?P<close>[\]}}]*)")
_EXACT = re.compile(rf"\{{\{{{_NAME}\}}\}}")
_ENTRY = re.compile(
    rf"\s*(?P<key>(?P<open>[\[{{]*)\s*{_NAME}\s*(?P<close>[\]}}]*))\s*:\s*"
    r"\[(?P<items>[^\[\]]*)\]\s*(?:[;,]\s*)*"
)
_LEFT_OVER = re.compile(r"[{}]|\[\s*(?:NAME|WORD|GEN|OCC)")
_HINT = "slots are written {{NAME1}}, {{NAME2}}, {{WORD1}}, ..."


class Published(NamedTuple):
    """A slot as BBQ numbers it, for example `NAME1`."""

    kind: str
    number: int

    def __str__(self) -> str:
        return f"{self.kind}{self.number}"


Parts = tuple[str | Published, ...]
Lists = dict[Published, tuple[str, ...]]


def read_text(text: str, column: str, note: Note) -> Parts:
    """Read a text with slots.

    One brace of a slot may be wrong, missing or doubled; that is noted.

    Raises:
        CellError: If something looks like a slot and is none.
    """
    parts: list[str | Published] = []
    at = 0
    for match in _IN_TEXT.finditer(text):
        _literal(text[at : match.start()], parts, column)
        parts.append(_slot(match, match[0], column, note))
        at = match.end()
    _literal(text[at:], parts, column)
    return tuple(parts)


def read_literally(text: str) -> Parts:
    """Read a text as BBQ's generators do: what is no slot to the letter stays as it is."""
    parts: list[str | Published] = []
    at = 0
    for match in _EXACT.finditer(text):
        parts += [text[at : match.start()], Published(match["kind"], int(match["number"]))]
        at = match.end()
    return tuple(part for part in (*parts, text[at:]) if part)


def _literal(text: str, parts: list[str | Published], column: str) -> None:
    found = _LEFT_OVER.search(text)
    if found:
        near = text[max(found.start() - 2, 0) :][:20]
        raise CellError(column, f"'{near}' looks like a slot and is not one", _HINT)
    if text:
        parts.append(text)


def _slot(match: re.Match[str], written: str, column: str, note: Note) -> Published:
    slot = Published(match["kind"], int(match["number"]))
    if _edits(match["open"], "{{") + _edits(match["close"], "}}") > 1:
        raise CellError(column, f"'{written}' looks like a slot and is not one", _HINT)
    if written != f"{{{{{slot}}}}}":
        note(column, f"'{written}' is read as {{{{{slot}}}}}")
    return _checked(slot, column)


def _checked(slot: Published, column: str) -> Published:
    if slot.kind != "WORD" and slot.number > 2:
        raise CellError(column, f"{slot} is not a slot: there are two people", _HINT)
    return slot


def _edits(found: str, wanted: str) -> int:
    """Count how many braces are wrong, missing or too many; 2 stands for more than one."""
    if found == wanted:
        return 0
    if len(found) == len(wanted):
        wrong = sum(one != other for one, other in zip(found, wanted, strict=True))
        return min(wrong, 2)
    short, long = sorted((found, wanted), key=len)
    return 1 if any(long[:at] + long[at + 1 :] == short for at in range(len(long))) else 2


def read_lists(cell: str, column: str, note: Note) -> Lists:
    """Read lists of fillers, each with the name of its slot; `;` may stand for `,` in a list.

    Raises:
        CellError: If the cell holds anything else, a slot twice or an empty list.
    """
    lists: Lists = {}
    text = cell.strip()
    at = 0
    while at < len(text):
        match = _ENTRY.match(text, at)
        if match is None:
            raise CellError(
                column, f"no list can be read at '{text[at : at + 20]}'", "write NAME1: [a, b]"
            )
        if match["open"] or match["close"]:
            slot = _slot(match, match["key"], column, note)
        else:
            slot = _checked(Published(match["kind"], int(match["number"])), column)
        if slot in lists:
            raise CellError(column, f"{slot} has two lists", "join them into one")
        lists[slot] = _items(match["items"], slot, column, note)
        at = match.end()
    return lists


def _items(text: str, slot: Published, column: str, note: Note) -> tuple[str, ...]:
    items = [part.strip().strip('"').strip() for part in re.split("[,;]", text)]
    filled = tuple(item for item in items if item)
    if not filled:
        raise CellError(column, f"the list of {slot} is empty", "name at least one filler")
    if len(filled) < len(items):
        note(column, f"the list of {slot} has an empty place, which is left out")
    if ";" in text:
        note(column, f"';' in the list of {slot} is read as ','")
    return filled
