"""Corrections for testing more than once."""

from collections.abc import Sequence

import numpy as np


def holm(ps: Sequence[float | None]) -> list[float | None]:
    """Adjust p-values so that the chance of any false finding among them stays (Holm 1979).

    Args:
        ps: The p-values of one family; None for a test that could not be made, which counts
            for nothing.
    """
    tested = [at for at, p in enumerate(ps) if p is not None]
    order = sorted(tested, key=lambda at: ps[at] or 0.0)
    adjusted: list[float | None] = [None] * len(ps)
    highest = 0.0
    for rank, at in enumerate(order):
        highest = max(highest, min(1.0, (len(order) - rank) * (ps[at] or 0.0)))
        adjusted[at] = float(np.round(highest, 12))
    return adjusted
