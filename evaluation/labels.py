"""What the choices of a request are called in its text: A, B, C, or whatever a prompt shows."""

import re
from collections.abc import Sequence

from curation.model.reply import choice_letters
from evaluation.requests import Request

_LONGEST = 4  # signs of a label
_CLOSING = r"[)\]}>】」』:.=、,–—-]+"
_OPENING = r"[\"'“‘「『]?"


def shown_labels(request: Request) -> tuple[str, ...]:
    """Give the labels of a request's choices as the model sees them, one for each choice.

    A label stands before its choice, with a sign between them: `A: ...`, `(b) ...`, `1. ...`. Of
    a choice that stands in the text several times the last place counts, for contexts name
    people too. Where the text does not show a different label for every choice, in their order,
    the labels are A, B, C and so on.
    """
    text = "\n".join(message["content"] for message in request.messages)
    return _labels(text, request.choices) or tuple(choice_letters(len(request.choices)))


def _labels(text: str, choices: Sequence[str]) -> tuple[str, ...] | None:
    """Find the labels in a text; None unless all are there, differ, and stand in order."""
    found: list[str] = []
    end = -1
    for choice in choices:
        pattern = rf"(?<!\w)(\w{{1,{_LONGEST}}}){_CLOSING}[ \t]*{_OPENING}{re.escape(choice)}(?!\w)"
        last = None
        for match in re.finditer(pattern, text):
            last = match
        if last is None or last.start() <= end:
            return None
        found.append(last[1])
        end = last.start()
    distinct = {label.casefold() for label in found}
    return tuple(found) if found and len(distinct) == len(found) else None
