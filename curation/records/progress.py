"""Reporting the progress of a task to its display."""

from collections.abc import Callable, Generator, Sequence
from typing import TypeVar

Progress = Callable[[str, int, int], None]
"""Told what is worked on, how many are done, and how many there are."""
_Item = TypeVar("_Item")


def silent(_what: str, _done: int, _total: int, /) -> None:
    """Tell nobody."""


def watched(items: Sequence[_Item], what: str, progress: Progress) -> Generator[_Item]:
    """Yield items, and tell before each how many are done; at the end, or where it ends early, all.

    Args:
        items: What is worked on, one after another.
        what: What they are called.
        progress: Who is told.
    """
    total = len(items)
    try:
        for done, item in enumerate(items):
            progress(what, done, total)
            yield item
    finally:
        progress(what, total, total)
