"""The values that tests are about: scores of single templates or prompts."""

from enum import StrEnum

import numpy as np
import numpy.typing as npt
import pandas as pd

from evaluation.metrics import METRICS
from evaluation.score import SetKind, scores
from evaluation.tallies import counts_by

Values = npt.NDArray[np.float64]
COMPARED = ("accuracy_amb", "accuracy_dis", "diff_bias_amb", "diff_bias_dis")
"""The scores that are compared."""


class Unit(StrEnum):
    """What one value is the score of: a template over all prompts, or a prompt over all."""

    TEMPLATE = "template"
    PROMPT = "prompt"


def unit_scores(frame: pd.DataFrame, unit: Unit, kind: SetKind) -> pd.DataFrame:
    """Score each unit of a model's counts.

    Args:
        frame: Counts of one model, or a part of them.
        unit: What one value is the score of.
        kind: How a prompt's templates are put together: pooled or averaged.

    Returns:
        One row a unit, with the column of the unit's name and those of `COMPARED`; a score is
        NaN where it is undefined.
    """
    if unit is Unit.TEMPLATE:
        keys, counts = counts_by(frame, ["template_id"])
        for name in COMPARED:
            keys[name] = METRICS[name](counts)
        return keys
    rows = []
    for prompt, part in frame.groupby("prompt", sort=False):
        _, counts = counts_by(part, ["template_id"])
        values = scores(counts, kind)
        rows.append({"prompt": prompt, **{name: float(values[name]) for name in COMPARED}})
    return pd.DataFrame(rows)


def defined(values: pd.Series) -> Values:
    """Give the values that are defined."""
    return values.dropna().to_numpy(np.float64)
