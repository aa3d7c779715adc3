"""Times in survey files: what orders them, and how long a respondent took between two."""

import datetime
import re
from collections.abc import Sequence
from functools import cache

from curation.languages import received_words
from survey.readers.frames import Column, plain

_MORNING, _AFTERNOON = set(received_words("morning")), set(received_words("afternoon"))
_YEAR, _MONTH, _DAY = ("".join(received_words(name)) for name in ("year", "month", "day"))
_TIME = re.compile(
    rf"(?P<year>\d{{4}})\s?[-/.{_YEAR}]\s?(?P<month>\d{{1,2}})\s?[-/.{_MONTH}]"
    rf"\s?(?P<day>\d{{1,2}})[.{_DAY}]?"
    rf"(?:[T\s]+(?P<before>{'|'.join(sorted(_MORNING | _AFTERNOON))})?\s?"
    r"(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2}(?:\.\d+)?))?"
    r"\s?(?P<after>AM|PM)?)?"
    r"\s*(?:GMT|UTC|Z)?(?P<offset>[+-]\d{1,2}(?::?\d{2})?)?",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d{1,17}(\.\d+)?")


def instant(text: str) -> float | None:
    """A time as a number to order by; None where the text leaves day and month open.

    Args:
        text: A number (seconds since some moment), or a time whose year comes first.
    """
    if _NUMBER.fullmatch(text):
        return float(text)
    match = _TIME.fullmatch(text)
    if match is None:
        return None
    year, month, day = (int(match[part]) for part in ("year", "month", "day"))
    hour, minute = int(match["hour"] or 0), int(match["minute"] or 0)
    half = (match["before"] or match["after"] or "").casefold()
    if half in _AFTERNOON | _MORNING:
        hour = hour % 12 + (12 if half in _AFTERNOON else 0)
    try:
        days = datetime.date(year, month, day).toordinal()
    except ValueError:
        return None
    seconds = float(match["second"] or 0)
    return days * 86400 + hour * 3600 + minute * 60 + seconds - _offset(match["offset"])


def _offset(text: str | None) -> int:
    if not text:
        return 0
    digits = text[1:].replace(":", "")
    hours, minutes = (digits[:-2], digits[-2:]) if len(digits) > 2 else (digits, "0")
    return (-1 if text[0] == "-" else 1) * (int(hours) * 3600 + int(minutes) * 60)


@cache
def _words(role: str) -> frozenset[str]:
    return frozenset(word.casefold() for word in received_words(role))


def started_and_ended(
    titles: Sequence[str], columns: Sequence[Column], ended: str | None = None
) -> tuple[str, str] | None:
    """The two columns that say when a respondent began and ended, if each is there once.

    Args:
        titles: The names of the columns.
        columns: Their cells.
        ended: The column of the end, where it is known.

    Returns:
        Their names; None where they are not found, or a cell is no time of day whose
        year comes first.
    """
    found = []
    for role, known in (("started", None), ("ended", ended)):
        named = [known] if known else [name for name in titles if name.casefold() in _words(role)]
        if len(named) != 1 or titles.count(named[0]) != 1:
            return None
        if not _counted(columns[titles.index(named[0])]):
            return None
        found.append(named[0])
    return found[0], found[1]


def _counted(column: Column) -> bool:
    """Whether seconds can be counted from all cells that are filled: days alone are no times."""
    texts = [text for code in column.used() if (text := plain(column.values[code]))]
    return bool(texts) and all(":" in text and instant(text) is not None for text in texts)
