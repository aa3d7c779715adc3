"""How pages write numbers, the same in HTML and Markdown."""

from curation.model.rounding import half_up

DASH = "–"
"""Stands where there is no number: undefined is never 0."""
_NARROW = "\u202f"


def percent(value: float | None) -> str:
    """Write a share as a percentage with one decimal."""
    return DASH if value is None else f"{half_up(value, 1, times=100)}{_NARROW}%"


def decimal(value: float | None, digits: int = 2) -> str:
    """Write a number with so many decimals, and a true minus."""
    return DASH if value is None else half_up(value, digits).replace("-", "−")


def probability(value: float | None) -> str:
    """Write a p value as journals do: three decimals, no zero before the point."""
    if value is None:
        return DASH
    if value < 0.001:
        return f"<{_NARROW}.001"
    if value > 0.999:
        return f">{_NARROW}.999"
    return half_up(value, 3).removeprefix("0")


def span(low: float | None, high: float | None) -> str:
    """Write an interval of shares in percent."""
    if low is None or high is None:
        return DASH
    return f"{half_up(low, 1, times=100)}–{half_up(high, 1, times=100)}{_NARROW}%"


def decimals(low: float | None, high: float | None) -> str:
    """Write an interval of multiples."""
    if low is None or high is None:
        return DASH
    return f"{half_up(low, 2)}–{half_up(high, 2)}"


def between(low: float | None, high: float | None, digits: int = 3) -> str:
    """Write an interval of numbers that may be negative, so without a dash between them."""
    if low is None or high is None:
        return DASH
    return f"{decimal(low, digits)} to {decimal(high, digits)}"


def whole(number: int) -> str:
    """Write a whole number, with a true minus."""
    return f"{number:,}".replace("-", "−")


def count(number: int, word: str) -> str:
    """Write a number with its word: `1 template`, `2 templates`, `0 categories`."""
    if number == 1:
        return f"1 {word}"
    plural = f"{word[:-1]}ies" if word.endswith(("ry", "ly")) else f"{word}s"
    return f"{number:,} {plural}"


def spread(low: int, high: int) -> str:
    """Write a range of whole numbers, one where both ends are the same."""
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"
