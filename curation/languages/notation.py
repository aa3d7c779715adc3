"""The notation of phrases, checked before patterns are made of them.

What may stand in a phrase is told in `evaluation.parsing.phrases`, which makes patterns of them. A
phrase that this lets through can be searched for in a reply in time that grows with the reply's
length alone: nothing in it repeats without end, and little of it may be missing.
"""

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise

from curation.records.wrong_values import WrongValue

_TOKEN = re.compile(r" \.\.\. |\{\w+\}|[()\[\]|*_<>]")
_CLOSED = {")": "(", "]": "[", ">": "<"}
_MOST_OPEN, _MOST_ANY, _MOST_GAPS, _LONGEST = 24, 3, 2, 4000


def check_phrase(phrase: str, parts: Mapping[str, str], where: tuple[str | int, ...] = ()) -> None:
    """Refuse a phrase whose notation cannot be read, or that would be searched for endlessly.

    Args:
        phrase: The phrase.
        parts: Parts of phrases by name.
        where: The keys that lead to it, for the message.

    Raises:
        WrongValue: If it is empty, a bracket is not closed or opened, it names a part that there
            is not or that holds itself, or too much of it may be anything or missing.
    """
    fault = _fault(phrase, parts)
    if fault:
        raise WrongValue(f"the phrase '{_short(phrase)}' {fault[0]}", fault[1], where)


def _short(phrase: str) -> str:
    return phrase if len(phrase) <= 40 else f"{phrase[:39]}..."


def _fault(phrase: str, parts: Mapping[str, str]) -> tuple[str, str] | None:
    if not phrase.strip("- "):
        return "is empty", "write words, or take it out"
    try:
        tokens = list(_tokens(phrase, parts, ()))
    except KeyError as error:
        known = ", ".join(parts) or "none"
        return f"names the part {{{error.args[0]}}}", f"parts that can be named are {known}"
    found = _brackets(tokens)
    if found:
        return found
    marks = [token for token in tokens if _TOKEN.fullmatch(token)]
    if any({one, other} <= {"*", "_"} for one, other in pairwise(tokens)):
        return "has two of * and _ side by side", "write one, or words between them"
    if marks.count("*") > _MOST_ANY:
        return f"has more than {_MOST_ANY} words that may be any (*)", "write the words"
    if marks.count(" ... ") > _MOST_GAPS:
        return f"has more than {_MOST_GAPS} gaps ( ... )", "write the words between"
    if marks.count("(") > _MOST_OPEN or sum(map(len, tokens)) > _LONGEST:
        return "has too many parts that may be missing", "write it as several phrases"
    return None


def _tokens(phrase: str, parts: Mapping[str, str], above: tuple[str, ...]) -> Iterator[str]:
    """Yield marks and what stands between them, with the parts that it names put in.

    Raises:
        KeyError: Of a part that there is not, or that holds itself.
    """
    at = 0
    for token in _TOKEN.finditer(phrase):
        if at < token.start():
            yield phrase[at : token.start()]
        name = token[0][1:-1]
        if not token[0].startswith("{"):
            yield token[0]
        elif name in above or name not in parts:
            raise KeyError(name)
        else:
            yield from _tokens(parts[name], parts, (*above, name))
        at = token.end()
    if at < len(phrase):
        yield phrase[at:]


def _brackets(tokens: list[str]) -> tuple[str, str] | None:
    """What is wrong with the brackets of a phrase."""
    is_open: list[str] = []
    for token in tokens:
        if token in _CLOSED.values():
            is_open.append(token)
        elif token in _CLOSED:
            if not is_open or is_open.pop() != _CLOSED[token]:
                return (
                    f"closes with {token} a bracket that was not opened",
                    f"open it with {_CLOSED[token]}",
                )
        elif token == "|" and not is_open:  # noqa: S105  # a mark, no secret
            return "has | outside of brackets", "write [one|other], or two phrases"
    return (f"opens {is_open[-1]} and does not close it", "close it") if is_open else None
