"""How likely the two-thirds rule keeps a stereotype, by how many people it really names."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from survey.thresholds import above

SHARES = tuple(Fraction(n, 100) for n in (55, 60, 63, 65, 67, 70, 75, 80, 85))
"""True shares of those naming a group who name the target."""


@dataclass(frozen=True, slots=True)
class PowerColumn:
    """The chances with so many respondents who name a group.

    Attributes:
        named: Respondents who name a group.
        needed: How many of them must name the target; more than `named` where it never passes.
        chances: The chance that so many do, in the order of the shares.
    """

    named: int
    needed: int
    chances: tuple[float, ...]


def power_column(
    named: int, threshold: Fraction, shares: Sequence[Fraction] = SHARES
) -> PowerColumn:
    """Work out, exactly, how likely a question passes.

    Args:
        named: Respondents who name a group; each is taken to name the target independently,
            with the true share as his chance.
        threshold: The share that must be exceeded strictly.
        shares: The true shares.
    """
    needed = needed_of(named, threshold)
    return PowerColumn(named, needed, tuple(upper_tail(needed, named, share) for share in shares))


def needed_of(named: int, threshold: Fraction) -> int:
    """Give the fewest of those naming a group that are strictly more than the threshold."""
    return next(k for k in range(named + 2) if above(k, named, threshold) or k > named)


def upper_tail(k: int, n: int, share: Fraction) -> float:
    """Give the chance of at least k of n where each comes with the share (binomial).

    It is summed from the logarithms of its terms, so that a large n does not underflow.
    """
    if share in (0, 1):
        return float(k <= n * share)
    log_p, log_q = math.log(share), math.log(1 - share)
    return math.fsum(
        math.exp(
            math.lgamma(n + 1)
            - math.lgamma(i + 1)
            - math.lgamma(n - i + 1)
            + i * log_p
            + (n - i) * log_q
        )
        for i in range(max(k, 0), n + 1)
    )
