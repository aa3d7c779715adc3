"""What a prompt sends, as pieces: by it prompts are shown, and compared by their content."""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from string import Formatter

from curation.languages.prompts import PLACES, Prompt
from curation.records.sample import Sample
from evaluation.requests import Request

Piece = tuple[str, str]
"""A piece of a message: a text as it stands, or empty and the name of what stands there."""
Layout = tuple[tuple[str, tuple[Piece, ...]], ...]
"""The messages of a prompt: of each the role, and the pieces of its text."""


def layout_of_prompt(prompt: Prompt) -> Layout:
    """The one message of a prompt, as `Prompt.text` fills it."""
    pieces: list[Piece] = []
    for literal, place, _, _ in Formatter().parse(prompt.layout):
        pieces.append((literal, ""))
        if place == "instruction":
            pieces.append((prompt.instruction, ""))
        elif place is not None:
            pieces.append(("", place))
    return (("user", _joined(pieces)),)


def texts_of(sample: Sample, request: Request) -> dict[str, str]:
    """What stands in the places of a layout in a request about a sample."""
    return dict(zip(PLACES, (sample.context, sample.question, *request.choices), strict=True))


def layout_of_request(request: Request, texts: Mapping[str, str]) -> Layout:
    """Tell the layout from a request.

    Args:
        request: The request.
        texts: What stands in the places of the layout.
    """
    return tuple((item["role"], _pieces(item["content"], texts)) for item in request.messages)


def hashes_of_prompts(prompts: Sequence[Prompt]) -> dict[str, str]:
    """By id what identifies the texts of each prompt."""
    return {item.id: layout_hash(layout_of_prompt(item), item.unknown) for item in prompts}


def layout_hash(layout: Layout, unknown: str) -> str:
    """What identifies the texts of a prompt: SHA-256 of its layout and its unknown expression."""
    text = json.dumps([layout, unknown], ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def _joined(pieces: Iterable[Piece]) -> tuple[Piece, ...]:
    found: list[Piece] = []
    for text, place in pieces:
        if place:
            found.append(("", place))
        elif text and found and not found[-1][1]:
            found[-1] = found[-1][0] + text, ""
        elif text:
            found.append((text, ""))
    return tuple(found)


def _pieces(content: str, texts: Mapping[str, str]) -> tuple[Piece, ...]:
    """Take a message apart: the context where it comes first, the others where they come last.

    Choices are names that the context may hold too, so that it is taken out before them.
    """
    pieces: list[Piece] = [(content, "")]
    for place in PLACES:
        text = texts[place]
        holding = [
            n for n, (piece, name) in enumerate(pieces) if text and not name and text in piece
        ]
        if not holding:
            continue
        n = holding[0] if place == "context" else holding[-1]
        piece = pieces[n][0]
        start = piece.find(text) if place == "context" else piece.rfind(text)
        pieces[n : n + 1] = [(piece[:start], ""), ("", place), (piece[start + len(text) :], "")]
    return _joined(pieces)
