"""All lists that a variant declares: its names and its words."""

from curation.model.errors import CurateError
from curation.slots.grammar import SlotList, parse_lists


def declared_lists(names: str, words: str) -> dict[str, SlotList]:
    """Give all lists of a variant, names before words, in declared order.

    Raises:
        SlotError: If a list cannot be read.
        CurateError: If a slot has a list in names and one in words.
    """
    lists = parse_lists(names)
    for name, item in parse_lists(words).items():
        if name in lists:
            raise CurateError(
                f"slot {name} has a list in names and one in words", hint="keep one of the two"
            )
        lists[name] = item
    return lists


def is_open(names: str, words: str) -> bool:
    """Say whether the survey has yet to fill one of the lists (`[*]`).

    Raises:
        CurateError: If the lists cannot be read.
    """
    return any(item.open for item in declared_lists(names, words).values())
