"""The values that tests are about, and the correction for testing more than once."""

from collections.abc import Sequence
from enum import StrEnum
from typing import cast

import numpy as np
import numpy.typing as npt
import pandas as pd

from evaluation.qa.metrics import MAIN, METRICS, SetKind, scores
from evaluation.qa.score import Row
from evaluation.qa.tallies import counts_by
from evaluation.ranks import chance

Values = npt.NDArray[np.float64]


class Unit(StrEnum):
    """What one value is the score of: a template over all prompts, or a prompt over all."""

    TEMPLATE = "template"
    PROMPT = "prompt"

    @property
    def column(self) -> str:
        """The column of counts that names it."""
        return "template_id" if self is Unit.TEMPLATE else "prompt"


def unit_scores(
    frame: pd.DataFrame, unit: Unit, kind: SetKind, names: Sequence[str] = MAIN
) -> pd.DataFrame:
    """Score each unit of a model's counts.

    Args:
        frame: Counts of one model, or a part of them.
        unit: What one value is the score of.
        kind: How a prompt's templates are put together: pooled or averaged.
        names: Which scores.

    Returns:
        One row a unit, with the column of the unit's name and those of the scores, NaN where one
        is undefined.
    """
    if unit is Unit.TEMPLATE:
        keys, counts = counts_by(frame, ["template_id"])
        for name in names:
            keys[name] = METRICS[name](counts)
        return keys
    rows = []
    for prompt, part in frame.groupby("prompt", sort=False):
        _, counts = counts_by(part, ["template_id"])
        values = scores(counts, kind, names)
        rows.append({"prompt": prompt, **{name: float(values[name]) for name in names}})
    return pd.DataFrame(rows)


def defined(values: pd.Series) -> Values:
    """The values that are defined."""
    return values.dropna().to_numpy(np.float64)


def holm(ps: Sequence[float | None]) -> list[float | None]:
    """Adjust p-values so that the chance of any false finding among them stays (Holm 1979).

    Args:
        ps: The p-values of one family; None for a test that could not be made, which counts
            for nothing.
    """
    from statsmodels.stats.multitest import multipletests

    tested = [p for p in ps if p is not None]
    adjusted = iter(multipletests(tested, method="holm")[1].tolist() if tested else ())
    return [None if p is None else chance(next(adjusted)) for p in ps]


def corrected(rows: Sequence[Row]) -> list[Row]:
    """Put Holm's correction into the rows of one family of tests, as `p_holm`."""
    adjusted = holm([cast("float | None", row["p"]) for row in rows])
    return [{**row, "p_holm": p} for row, p in zip(rows, adjusted, strict=True)]
