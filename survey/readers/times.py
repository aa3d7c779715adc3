"""Times as platforms write them, as far as they can be ordered without a guess."""

import datetime
import re

_TIME = re.compile(
    r"(?P<year>\d{4})\s?[-/.年년]\s?(?P<month>\d{1,2})\s?[-/.月월]\s?(?P<day>\d{1,2})[.日일]?"
    r"(?:[T\s]+(?P<before>AM|PM|오전|오후|午前|午後|上午|下午)?\s?"
    r"(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2}(?:\.\d+)?))?"
    r"\s?(?P<after>AM|PM)?)?"
    r"\s*(?:GMT|UTC|Z)?(?P<offset>[+-]\d{1,2}(?::?\d{2})?)?",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d{1,17}(\.\d+)?")
_AFTERNOON = frozenset({"pm", "오후", "午後", "下午"})
_MORNING = frozenset({"am", "오전", "午前", "上午"})


def instant(text: str) -> float | None:
    """Give a time as a number to order by; None where the text leaves day and month open.

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
