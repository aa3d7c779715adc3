"""The notation of phrases, checked before `evaluation.parsing.words` makes patterns of them.

`[x|y]` is one of several, `(x)` or `(x|y)` may be missing, and a `-` at an end goes on with any
letters. So nothing in a phrase repeats without end, and it is searched for in time that grows with
the reply's length alone.
"""

import re

from curation.records.wrong_values import WrongValue

_SIGN = re.compile(r"[()\[\]|]")
_CLOSED = {")": "(", "]": "["}
_LONGEST = 300


def check_phrase(phrase: str, where: tuple[str | int, ...] = ()) -> None:
    """Refuse a phrase whose notation cannot be read.

    Args:
        phrase: The phrase.
        where: The keys that lead to it, for the message.

    Raises:
        WrongValue: If it is empty or may be nothing, is very long, or a bracket is not closed or
            opened.
    """
    fault = _fault(phrase)
    if fault:
        short = phrase if len(phrase) <= 40 else f"{phrase[:39]}..."
        raise WrongValue(f"the phrase '{short}' {fault[0]}", fault[1], where)


def _fault(phrase: str) -> tuple[str, str] | None:
    is_open: list[str] = []
    sure = ""  # what is in no round bracket
    for part in re.split(f"({_SIGN.pattern})", phrase):
        if part in _CLOSED.values():
            is_open.append(part)
        elif part in _CLOSED:
            if not is_open or is_open.pop() != _CLOSED[part]:
                return (
                    f"closes with {part} a bracket that was not opened",
                    f"open it with {_CLOSED[part]}",
                )
        elif part == "|" and not is_open:
            return "has | outside of brackets", "write [one|other], or two phrases"
        elif "(" not in is_open:
            sure += part
    if is_open:
        return f"opens {is_open[-1]} and does not close it", "close it"
    if not sure.strip("- |"):
        return "is empty", "write words, or take it out"
    return ("is too long", "write it as several phrases") if len(phrase) > _LONGEST else None
