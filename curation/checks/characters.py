"""Characters that nobody sees, or that mean something else than they seem to."""

import re
import unicodedata
from collections.abc import Iterator

from curation.checks.rules import rule
from curation.checks.subject import Cell, Remark, Subject

_SHOWN = 3
# Every control character but the line breaks, which have a rule of their own.
_CONTROL = re.compile("[\x00-\x09\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f]")
_BREAK = re.compile("[\n\r\x85\u2028\u2029]")
# Soft hyphen, joiner of graphemes, fillers of Hangul, zero-width spaces, marks of direction,
# byte-order mark, annotation and tag characters. Variation selectors are left to emoji.
_WITHOUT_WIDTH = (
    "\u00ad\u034f\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f"
    "\u3164\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e007f"
)
# Arabic and Indic scripts are written with joiners, and so are emoji; elsewhere they are stray.
_JOINED = "\u0600-\u08ff\u0900-\u0dff\u1000-\u109f\u1780-\u18af\u2600-\u27bf\ufb50-\ufeff"
_INVISIBLE = re.compile(
    f"[{_WITHOUT_WIDTH}]|(?<![{_JOINED}\ufe0f\U0001f000-\U0001faff])[\u200c\u200d]"
)
_REPLACEMENT = re.compile("\ufffd")
# White space but line breaks.
_SPACE = r"[^\S\r\n]"
_FIRST = re.compile(_SPACE)
_LAST = re.compile(rf"{_SPACE}\Z")
_DOUBLED = re.compile(rf"(?<!\s){_SPACE}{{2,}}(?!\s)")
_LISTS = ("names", "words", "fillers", "names_source", "words_source")


@rule
def control_character(subject: Subject) -> Iterator[Remark]:
    """They come in by copying, cannot be seen, and reach the model that is evaluated."""
    return _found(subject, _CONTROL, "control character")


@rule
def line_break(subject: Subject) -> Iterator[Remark]:
    """A text is one paragraph; a break mostly comes from a cell that was pasted."""
    return _found(subject, _BREAK, "line break")


@rule
def invisible_character(subject: Subject) -> Iterator[Remark]:
    """Two texts that look alike are then not equal, and names are not found in replies."""
    return _found(subject, _INVISIBLE, "invisible character")


@rule
def replacement_character(subject: Subject) -> Iterator[Remark]:
    """The original character cannot be recovered from the file."""
    return _found(subject, _REPLACEMENT, "lost letter")


@rule
def unicode_form(subject: Subject) -> Iterator[Remark]:
    """Letters in parts look the same, but are not equal and do not show their final sound."""
    for cell in subject.cells:
        if unicodedata.is_normalized("NFC", cell.text):
            continue
        composed = unicodedata.normalize("NFC", cell.text)
        both = enumerate(zip(cell.text, composed, strict=False))
        at = next((at for at, (one, other) in both if one != other), len(composed))
        yield cell.remark(f"not in Unicode form NFC from position {at + 1} on")


@rule
def white_space(subject: Subject) -> Iterator[Remark]:
    """It reaches the samples, where tokenisers see it."""
    for cell in subject.cells:
        if found := list(_stray_spaces(cell)):
            yield cell.remark(", ".join(found))


def _found(subject: Subject, pattern: re.Pattern[str], what: str) -> Iterator[Remark]:
    """Yield each text with characters of a pattern, as `U+0008 at position 3`, from 1."""
    for cell in subject.cells:
        if not pattern.search(cell.text):
            continue
        places = [
            f"U+{ord(match[0]):04X} at position {match.start() + 1}"
            for match in pattern.finditer(cell.text)
        ]
        more = f", and {len(places) - _SHOWN} more" if len(places) > _SHOWN else ""
        yield cell.remark(f"{what} {', '.join(places[:_SHOWN])}{more}")


def _stray_spaces(cell: Cell) -> Iterator[str]:
    text = cell.text
    if _FIRST.match(text):
        yield "white space at the beginning"
    if _LAST.search(text):
        yield "white space at the end"
    for match in _DOUBLED.finditer(text):
        inner = match.start() > 0 and match.end() < len(text)
        if inner and not _is_dropped(cell, match):
            yield f"doubled white space at position {match.start() + 1}"
            return


def _is_dropped(cell: Cell, match: re.Match[str]) -> bool:
    """Whether white space is beside a character of a list, where parsing drops it."""
    text, at = cell.text, match.start()
    in_list = cell.column in _LISTS or text.rfind("[", 0, at) > text.rfind("]", 0, at)
    return in_list and (text[at - 1] in "[],;:|" or text[match.end()] in "[],;:|")
