"""How numbers are rounded where people read them: halves away from zero, as they are taught.

Python rounds the nearest binary fraction and halves to even digits, so that 4.125 would be shown
as 4.12 and 4.135 as 4.13 or 4.14 by chance.
"""

from decimal import ROUND_HALF_UP, Context, Decimal

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
    """Give a number with the six digits that tables hold."""
    exact = Context(prec=_SIGNIFICANT, rounding=ROUND_HALF_UP)
    return float(exact.create_decimal(repr(float(value))))
