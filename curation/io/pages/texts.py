"""Texts that nobody has looked at, such as replies of models, made fit to be shown."""

import re

_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f]")
_HALF_PAIR = re.compile("[\ud800-\udfff]")
_DELETE = "\x7f"


def visible(text: str) -> str:
    """Show control signs as their pictures, and half of a surrogate pair as a replacement sign.

    Line ends are made line feeds; these and tabs stay.
    """
    ends = text.replace("\r\n", "\n").replace("\r", "\n")
    shown = _CONTROL.sub(
        lambda found: "\u2421" if found[0] == _DELETE else chr(0x2400 + ord(found[0])), ends
    )
    return _HALF_PAIR.sub("\ufffd", shown)


def cut(text: str, length: int) -> tuple[str, int, str]:
    """Give the beginning and the end of a text that is longer than so many signs.

    Returns:
        The beginning, how many signs are left out, and the end: a reply's answer often stands
        there. A short text is all beginning.
    """
    if len(text) <= length:
        return text, 0, ""
    head = length * 2 // 3
    return text[:head], len(text) - length, text[head - length :]
