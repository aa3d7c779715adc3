"""Numbers of the settings, read as they are written."""

from fractions import Fraction
from typing import Annotated

from pydantic import BeforeValidator, Field


def exact(value: object) -> Fraction:
    """Read `0.5`, `"2/3"` or `2` as the fraction that is written, not as a float.

    Raises:
        ValueError: If it is no number.
    """
    if isinstance(value, Fraction):
        return value
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise ValueError("write a number such as 0.5 or a fraction such as 2/3")
    try:
        return Fraction(str(value).strip())
    except (ValueError, ZeroDivisionError) as error:
        raise ValueError(f"'{value}' is no number such as 0.5 or 2/3") from error


Share = Annotated[Fraction, BeforeValidator(exact), Field(ge=0, le=1)]
Multiple = Annotated[Fraction, BeforeValidator(exact), Field(gt=0)]
