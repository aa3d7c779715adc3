"""Whether categories or labels differ: one-way ANOVA and Tukey's HSD."""

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pandas as pd

from evaluation.compare.values import COMPARED, Unit, Values, defined, unit_scores
from evaluation.score import Row, SetKind

LEVEL = 0.99
"""Level of Tukey's intervals (KoBBQ, section 5)."""
ANOVA_COLUMNS = (
    *("model", "group_by", "metric", "groups", "values", "f", "df_between", "df_within", "p"),
    "p_holm",
)
"""One test for each model, grouping and score; Holm's correction over all of a model's."""
TUKEY_COLUMNS = (
    *("model", "group_by", "metric", "group_1", "group_2", "mean_1", "mean_2", "difference"),
    *("low", "high", "p", "differs"),
)
"""One row a pair; p and interval hold for all pairs of a test together."""
_SMALLEST = 2


@dataclass(frozen=True, slots=True)
class GroupTests:
    """The tests of one model by one grouping, and what could not be tested.

    Attributes:
        anova: With the columns of `ANOVA_COLUMNS`, `p_holm` not yet filled in.
        tukey: With the columns of `TUKEY_COLUMNS`.
        skipped: Groups with fewer than two values, by score.
    """

    anova: tuple[Row, ...]
    tukey: tuple[Row, ...]
    skipped: tuple[tuple[str, str], ...]


def compare_groups(
    model: str, frame: pd.DataFrame, group_by: str, unit: Unit, kind: SetKind
) -> GroupTests:
    """Test whether a model's scores differ between the groups of a grouping.

    Args:
        model: The model.
        frame: Its counts.
        group_by: `category` or `label`.
        unit: What one value is the score of.
        kind: How a prompt's templates are put together.
    """
    values = {
        str(name): unit_scores(part, unit, kind)
        for name, part in frame.groupby(group_by, sort=False)
    }
    anova: list[Row] = []
    tukey: list[Row] = []
    skipped: list[tuple[str, str]] = []
    for metric in COMPARED:
        samples = {name: defined(table[metric]) for name, table in values.items()}
        skipped += [(metric, name) for name, found in samples.items() if len(found) < _SMALLEST]
        samples = {name: found for name, found in samples.items() if len(found) >= _SMALLEST}
        head: Row = {"model": model, "group_by": group_by, "metric": metric}
        if len(samples) > 1:
            anova.append({**head, **_anova(list(samples.values()))})
            tukey += [{**head, **row} for row in _tukey(samples)]
    return GroupTests(tuple(anova), tuple(tukey), tuple(skipped))


def _anova(samples: Sequence[Values]) -> Row:
    from scipy import stats

    total = sum(map(len, samples))
    with warnings.catch_warnings():
        # groups without any spread: F is infinite, or undefined where all values are equal
        warnings.simplefilter("ignore", RuntimeWarning)
        found = stats.f_oneway(*samples)
    return {
        "groups": len(samples),
        "values": total,
        "f": _number(found.statistic),
        "df_between": len(samples) - 1,
        "df_within": total - len(samples),
        "p": _number(found.pvalue),
        "p_holm": None,
    }


def _tukey(samples: dict[str, Values]) -> Iterator[Row]:
    """Compare all pairs (Tukey 1949; Kramer 1956 for groups of different sizes)."""
    from scipy import stats

    if all(float(found.std()) == 0.0 for found in samples.values()):
        return  # no spread within any group: the studentized range is undefined
    found = stats.tukey_hsd(*samples.values())
    interval = found.confidence_interval(LEVEL)
    ends = np.asarray(interval.low), np.asarray(interval.high)
    difference, p = np.asarray(found.statistic), np.asarray(found.pvalue)
    names = list(samples)
    for one, two in combinations(range(len(names)), 2):
        low, high = (float(end[one, two]) for end in ends)
        yield {
            "group_1": names[one],
            "group_2": names[two],
            "mean_1": float(samples[names[one]].mean()),
            "mean_2": float(samples[names[two]].mean()),
            "difference": float(difference[one, two]),
            "low": low,
            "high": high,
            "p": float(p[one, two]),
            "differs": "yes" if low > 0 or high < 0 else "no",
        }


def _number(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None
