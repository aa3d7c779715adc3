"""How the two answers of a variant come out."""

import math
from collections.abc import Iterator, Mapping
from itertools import product

from curation.checks.base import Wording
from curation.slots import CompiledText

_MOST_FILLINGS = 20_000

ANSWERS = ("biased_answer", "counter_biased_answer")


def folded(text: str) -> str:
    """Write a text as replies are compared with it: without case, with single spaces."""
    return " ".join(text.split()).casefold()


def filled(text: CompiledText, shared: tuple[int, ...] = ()) -> Mapping[tuple[int, ...], set[str]]:
    """Give every text that a slot text becomes, folded.

    Args:
        text: The slot text.
        shared: Slots, by their position among the declared ones, to tell the texts apart by.

    Returns:
        The texts by the positions of the fillers of the shared slots.
    """
    sizes = _sizes(text)
    at = [0] * (max(sizes, default=-1) + 1)
    found: dict[tuple[int, ...], set[str]] = {}
    for indices in product(*(range(size) for size in sizes.values())):
        for axis, index in zip(sizes, indices, strict=True):
            at[axis] = index
        key = tuple(at[axis] for axis in shared)
        found.setdefault(key, set()).add(folded(text.render(at)))
    return found


def shared_slots(first: CompiledText, second: CompiledText) -> tuple[int, ...]:
    """Give the positions of the slots that stand in both texts."""
    return tuple(sorted(_sizes(first).keys() & _sizes(second).keys()))


def compiled_answers(item: Wording) -> Iterator[tuple[str, CompiledText]]:
    """Yield field and slot text of each answer that is written and can be filled.

    An answer names one or two slots; one with very many fillings is left out, not filled.
    """
    for field in ANSWERS:
        text = item.compiled(field) if getattr(item.texts, field) else None
        if text is not None and math.prod(_sizes(text).values()) <= _MOST_FILLINGS:
            yield field, text


def _sizes(text: CompiledText) -> dict[int, int]:
    """Give the number of forms of each slot that stands in a text."""
    return {part[0]: len(part[1]) for part in text.parts if not isinstance(part, str)}
