"""Counts, lists of names and rounded numbers in messages."""

import re
from collections.abc import Iterable, Sequence
from decimal import ROUND_HALF_UP, Context, Decimal

from curation.records.errors import CurateError


def plural(word: str, count: int) -> str:
    """A word in the number that a count asks for."""
    if count == 1 or word == "info":
        return word
    return re.sub(r"(?<=[^aeiou])y$", "ie", word) + "s"


def counted(count: int, one: str, several: str = "") -> str:
    """A count and what is counted, with a verb where one follows: `1 row is`, `2 rows are`.

    Args:
        count: The count.
        one: What one of them is called.
        several: What several are called; without it the plural of `one`, which is a word then.
    """
    return f"{count:,} {one if count == 1 else several or plural(one, count)}"


def shortened(names: Sequence[str], shown: int = 8) -> str:
    """A few names, and a note if there are more."""
    return ", ".join(names[:shown]) + (", ..." if len(names) > shown else "")


UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
"""Control characters, ends of lines, and marks that turn the direction of what follows."""
_MARKS = re.compile("[\u061c\u200e\u200f]")


def given_name(text: str, where: str = "") -> str:
    """A name that somebody gave, of a person, a model or a work, with single spaces.

    The marks that keyboards of right-to-left scripts put beside a name are left out.

    Names are printed, compared, and written into tables and pages: what cannot be seen would
    colour, hide or reorder what stands beside them.

    Args:
        text: The name.
        where: Where it was given.

    Raises:
        CurateError: If it holds one of `UNSEEN`.
    """
    name = _MARKS.sub("", text).strip()
    if unseen := UNSEEN.search(name):
        shown = UNSEEN.sub(lambda match: ascii(match[0])[1:-1], name)
        raise CurateError(
            f"'{shown}' is not a name: it holds a character that cannot be seen, "
            f"{ascii(unseen[0])[1:-1]}",
            where,
            "write it without that character",
        )
    return " ".join(name.split())


_DIGITS = re.compile(r"([0-9]+)")


def natural(names: Iterable[str]) -> list[str]:
    """Names in the order in which people look for them: `model-2` before `model-10`."""
    return sorted(names, key=_natural)


def _natural(name: str) -> tuple[list[tuple[int, int, str]], str]:
    """Parts of a name, numbers by their size; small and large letters stand together."""
    parts = _DIGITS.split(name.casefold())
    found = [(1, int(part), "") if at % 2 else (0, 0, part) for at, part in enumerate(parts)]
    return found, name


def ended(text: str) -> str:
    """A text with its full stop, which dots at its end are already."""
    return text if text.endswith(".") else f"{text}."


_SIGNIFICANT = 6


def half_up(value: float, digits: int, *, times: int = 1) -> str:
    """Write a number with so many decimals.

    Args:
        value: The number, taken as it is written.
        digits: How many decimals.
        times: What it is multiplied by first: 100 for percent.
    """
    exact = Decimal(repr(float(value))) * times
    rounded = exact.quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP)
    return f"{rounded if rounded else abs(rounded):f}"


def significant(value: float) -> float:
    """A number with the six digits that tables hold."""
    exact = Context(prec=_SIGNIFICANT, rounding=ROUND_HALF_UP)
    return float(exact.create_decimal(repr(float(value))))
