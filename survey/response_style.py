"""What the quality checks tell together: how probably each respondent answers without care."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import log

import numpy as np
import numpy.typing as npt

Flags = npt.NDArray[np.bool_]
Numbers = npt.NDArray[np.float64]

LEAST_CHECKS = 3
"""Two classes of people have `2 K + 1` shares, and K checks show no more than `2 ** K - 1`."""
LEAST_PEOPLE = 100
"""Of fewer, one pattern more or less would decide."""
_ROUNDS = 2000
_CLOSE = 1e-10
_EDGE = 1e-9


@dataclass(frozen=True, slots=True)
class ResponseStyle:
    """Two classes of respondents, or why there are none.

    Attributes:
        problem: Why nothing is said of classes; empty where there are two.
        people: How many respondents there are.
        share: The share of the doubtful.
        doubt: Of each respondent, how probably they are of the doubtful.
        checks: By check the share that it flags of the doubtful, and of the others.
    """

    problem: str
    people: int
    share: float = 0.0
    doubt: Numbers | None = None
    checks: Mapping[str, tuple[float, float]] | None = None


def response_style(flags: Mapping[str, Flags]) -> ResponseStyle:
    """Fit two latent classes to what the checks flag (Goodman 1974), by EM.

    In each class a check flags its own share of people, whatever the other checks say. The class
    in which more checks flag is that of the doubtful. There are two classes only where their BIC is
    lower than that of one class (Schwarz 1978), and where no check flags fewer of the doubtful.

    Args:
        flags: By check whether it flags each respondent; checks that flag nobody say nothing.
    """
    used = {name: found for name, found in flags.items() if found.any()}
    people = len(next(iter(flags.values()), ()))
    if len(used) < LEAST_CHECKS:
        return ResponseStyle(f"fewer than {LEAST_CHECKS} checks flag anybody", people)
    if people < LEAST_PEOPLE:
        return ResponseStyle(f"there are fewer than {LEAST_PEOPLE} respondents", people)
    table = np.array([*used.values()], dtype=np.float64).T
    patterns, which, count = np.unique(table, axis=0, return_inverse=True, return_counts=True)
    flagged = patterns.sum(axis=1)
    fits = [
        _fit(patterns, count, flagged >= least) for least in (1, 2, 3) if (flagged >= least).any()
    ]
    found, share, rates, doubt = max(fits, key=lambda fit: fit[0])
    alone = table.mean(axis=0)
    one = float(count @ _logs(patterns, np.clip(alone, _EDGE, 1 - _EDGE)))
    width = len(used)
    if -2 * found + (2 * width + 1) * log(people) >= -2 * one + width * log(people):
        return ResponseStyle("two classes of people fit no better than one (BIC)", people)
    if rates[0].sum() < rates[1].sum():
        share, rates, doubt = 1 - share, rates[::-1], 1 - doubt
    less = next((name for name, (of, other) in zip(used, rates.T, strict=True) if of < other), "")
    if less:
        return ResponseStyle(f"of two classes each has more of some checks ({less})", people)
    checks = {
        name: (float(of), float(other)) for name, (of, other) in zip(used, rates.T, strict=True)
    }
    return ResponseStyle("", people, share, doubt[which.ravel()], checks)


def _fit(
    patterns: Numbers, count: npt.NDArray[np.int64], first: Flags
) -> tuple[float, float, Numbers, Numbers]:
    """The likelihood's logarithm, the share of a class, its rates and the other's; probabilities.

    Args:
        patterns: What is flagged together, 0 or 1 by check.
        count: How many respondents have each pattern.
        first: The patterns that the class begins with.
    """
    doubt = np.where(first, 0.9, 0.1)
    before = -np.inf
    for _ in range(_ROUNDS):
        weights = np.array([doubt, 1 - doubt]) * count
        sizes = weights.sum(axis=1)
        rates = np.clip((weights @ patterns) / sizes[:, None], _EDGE, 1 - _EDGE)
        shares = np.clip(sizes / count.sum(), _EDGE, 1 - _EDGE)
        both = np.array([_logs(patterns, rate) for rate in rates]) + np.log(shares)[:, None]
        each = np.logaddexp(*both)
        doubt = np.exp(both[0] - each)
        now = float(count @ each)
        if now - before < _CLOSE * abs(now):
            break
        before = now
    return now, float(shares[0]), rates, doubt


def _logs(patterns: Numbers, rate: Numbers) -> Numbers:
    """The logarithm of each pattern's probability in a class."""
    logs: Numbers = patterns @ np.log(rate) + (1 - patterns) @ np.log1p(-rate)
    return logs
