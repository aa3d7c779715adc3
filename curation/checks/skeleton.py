"""Texts without their fillers."""

from collections.abc import Mapping

from curation.slots import SlotText

EXCHANGED: Mapping[str, str] = {"N1": "N2", "N2": "N1", "X1": "X2", "X2": "X1"}
_AROUND = 12


def skeleton(text: SlotText, names: Mapping[str, str] | None = None) -> str:
    """Write a text with the name of each slot in its place, and single spaces.

    Args:
        text: The text.
        names: Other names for slots.
    """
    renamed = names or {}
    parts = [
        part if isinstance(part, str) else f"[{renamed.get(part.name, part.name)}]"
        for part in text.parts
    ]
    return " ".join("".join(parts).split())


def first_difference(one: str, other: str) -> str:
    """Show where two texts begin to differ."""
    signs = zip(one, other, strict=False)
    at = next((at for at, (a, b) in enumerate(signs) if a != b), min(len(one), len(other)))
    return f"'{_excerpt(other, at)}' against '{_excerpt(one, at)}'"


def _excerpt(text: str, at: int) -> str:
    start, end = max(0, at - _AROUND), at + _AROUND
    return f"{'...' if start else ''}{text[start:end]}{'...' if end < len(text) else ''}"
