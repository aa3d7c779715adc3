"""Anonymous respondents of a survey: numbers, and classes of at least k people.

Two things say who somebody is once the id is gone: the attributes, when few people share them
(k-anonymity: Sweeney 2002), and the order of the file, when it is that of the platform's.
What a person answered is not looked at: whoever knows some answers of a person can find the
others, and where everybody of a class answers alike the class alone tells the answer.
"""

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from curation.records.errors import CurateError
from curation.records.personal import personal_in
from curation.records.wording import counted

DEFAULT_K = 5
"""How many respondents at least share their attributes."""

Attributes = Mapping[str, Sequence[str]]
"""By name, one value for each respondent, in one order."""


@dataclass(frozen=True, slots=True)
class Suppressed:
    """Attributes without rare combinations.

    Attributes:
        attributes: The attributes, empty for who would have stood out.
        respondents: How many have been blanked.
        merged: How many of them were in classes large enough, and were needed so that those
            without attributes are enough themselves.
    """

    attributes: dict[str, tuple[str, ...]]
    respondents: int
    merged: int


def small_classes(attributes: Attributes, people: int, k: int) -> list[int]:
    """The sizes of the classes of fewer than `k` people, the smallest first.

    Args:
        attributes: The attributes.
        people: How many respondents there are; without attributes they are one class.
        k: Size that a class needs.
    """
    sizes = Counter(_values(attributes, people)).values()
    return sorted(size for size in sizes if size < k)


def refuse_small_classes(attributes: Attributes, people: int, k: int, where: str) -> None:
    """Refuse attributes that could identify a respondent.

    The message names sizes, never values: those of a class of one are a person's.

    Raises:
        CurateError: If a class has fewer than `k` people.
    """
    small = small_classes(attributes, people, k)
    if not small:
        return
    if people < k:
        raise CurateError(
            f"{people} respondents are fewer than {k}, so each of them could be identified",
            where,
            "publish only the counts, without --respondents",
        )
    sizes = Counter(small)
    listed = ", ".join(f"{count} of {size}" for size, count in sorted(sizes.items()))
    enough = [
        name
        for name in attributes
        if not small_classes({key: attributes[key] for key in attributes if key != name}, people, k)
    ]
    which = f" ({' or '.join(enough)} alone is enough)" if enough else ""
    raise CurateError(
        f"{counted(len(small), 'combination')} of {', '.join(attributes)}, shared by fewer than "
        f"{k} respondents: {listed} ({sum(small)} of {people} respondents)",
        where,
        f"leave an attribute out of --respondents{which}, or blank the attributes of those "
        "respondents with --suppress",
    )


def suppress(attributes: Attributes, people: int, k: int) -> Suppressed:
    """Blank the attributes of all whose class is small.

    Where those without attributes would still be fewer than `k`, the smallest other class joins
    them, so that nobody stands out by having none.

    Raises:
        CurateError: If there are fewer than `k` respondents.
    """
    if people < k:
        refuse_small_classes(attributes, people, k, "")
    values = _values(attributes, people)
    sizes = Counter(values)
    blank = ("",) * len(attributes)
    hidden = {value for value, size in sizes.items() if size < k} - {blank}
    merged: set[tuple[str, ...]] = set()
    others = sorted((size, value) for value, size in sizes.items() if value not in {*hidden, blank})
    blanked = sizes[blank] + sum(sizes[value] for value in hidden)
    for size, value in others if blanked else ():
        if blanked >= k:
            break
        merged.add(value)
        blanked += size
    out = hidden | merged
    made = {
        name: tuple("" if value in out else value[at] for value in values)
        for at, name in enumerate(attributes)
    }
    return Suppressed(
        made, sum(sizes[value] for value in out), sum(sizes[value] for value in merged)
    )


def refuse_personal(name: str, values: Sequence[str], where: str) -> None:
    """Refuse an attribute of respondents whose values name people; the values are not shown.

    Raises:
        CurateError: If one does.
    """
    for value in dict.fromkeys(values):
        for what, _ in personal_in(value):
            raise CurateError(
                f"attribute '{name}' holds {what}", f"{where}, column {name}", "leave it out"
            )


def numbering(contents: Sequence[tuple[object, ...]], seed: int) -> list[int]:
    """Number respondents by what is published of them alone.

    They are ordered by their content and then shuffled, so that the same answers get the same
    numbers whatever ids they had and in whatever order their file held them: the numbers tell
    nothing that the rows do not. Two with the same content cannot be told apart, so it makes
    no difference which of them comes first.

    Args:
        contents: What is published of each respondent.
        seed: The seed of the shuffle.

    Returns:
        The respondents' positions, in the order of their numbers.
    """
    order = sorted(range(len(contents)), key=lambda at: contents[at])
    random.Random(seed).shuffle(order)  # noqa: S311  # a seeded order, no secret
    return order


def numbered_ids(people: int) -> list[str]:
    """Ids that sort as they count: p001, p002, ..."""
    width = max(3, len(str(people)))
    return [f"p{number:0{width}d}" for number in range(1, people + 1)]


def _values(attributes: Attributes, people: int) -> list[tuple[str, ...]]:
    columns = [attributes[name] for name in attributes]
    return [tuple(column[at] for column in columns) for at in range(people)]
