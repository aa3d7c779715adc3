"""The one place where a count is compared with a threshold, exactly."""

import math
from dataclasses import dataclass
from fractions import Fraction

_Z95 = 1.959963984540054  # the 97.5 % point of the standard normal distribution
_DIGITS = 6


def wilson(k: int, n: int) -> tuple[float, float]:
    """Give the 95 % Wilson score interval of a share (Wilson 1927).

    Args:
        k: Successes, from 0 to n.
        n: Trials, at least 1.

    Raises:
        ValueError: If k is not within 0 and n, or n is 0: no data has no interval.
    """
    if n < 1 or not 0 <= k <= n:
        raise ValueError(f"no interval for {k} of {n}")
    share, z2 = k / n, _Z95 * _Z95
    centre = share + z2 / (2 * n)
    half = _Z95 * math.sqrt(share * (1 - share) / n + z2 / (4 * n * n))
    scale = 1 + z2 / n
    low, high = (centre - half) / scale, (centre + half) / scale
    return (0.0 if k == 0 else max(0.0, low)), (1.0 if k == n else min(1.0, high))


@dataclass(frozen=True, slots=True)
class Comparison:
    """A share held against a threshold; fields as in `decisions.csv`.

    All are None where there is no data.
    """

    k: int | None
    n: int
    value: float | None
    threshold: float
    margin: float | None
    ci_low: float | None
    ci_high: float | None
    near: bool | None


def compare(k: int, n: int, threshold: Fraction, unit: Fraction | None = Fraction(1)) -> Comparison:
    """Hold k of n against a threshold, with the interval.

    Args:
        k: Respondents on one side.
        n: Respondents counted.
        threshold: In units.
        unit: The share of n that is one unit: 1 for plain shares, the equal share divided by
            n for multiples of it. None or 0 where the unit itself is undefined.
    """
    if n < 1 or not unit:
        return Comparison(k, n, None, rounded(threshold), None, None, None, None)
    value = Fraction(k, n) / unit
    low, high = (Fraction(end) / unit for end in wilson(k, n))
    return Comparison(
        k=k,
        n=n,
        value=rounded(value),
        threshold=rounded(threshold),
        margin=rounded(value - threshold),
        ci_low=rounded(low),
        ci_high=rounded(high),
        near=bool(low <= threshold <= high),
    )


def rounded(value: Fraction | float) -> float:
    """Round to the digits that the ledger holds."""
    return round(float(value), _DIGITS)


def above(k: int, n: int, limit: Fraction) -> bool:
    """Say whether k of n is strictly more than a limit; in integers, so exactly."""
    return k * limit.denominator > n * limit.numerator


def below(k: int, n: int, limit: Fraction) -> bool:
    """Say whether k of n is strictly fewer than a limit; in integers, so exactly."""
    return k * limit.denominator < n * limit.numerator
