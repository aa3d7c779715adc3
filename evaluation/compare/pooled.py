"""Groups compared over all models together: scores normalised, then averaged over models."""

from collections.abc import Mapping, Sequence
from enum import StrEnum

import pandas as pd

from evaluation.compare.anova import GroupTests, anova_and_tukey, corrected_together
from evaluation.compare.permutation import Ends
from evaluation.compare.values import Unit, Values, defined, unit_scores
from evaluation.qa.metrics import BOUNDS, MAIN, SetKind
from evaluation.ranks import EQUAL

POOLED = "all models"
"""What the rows of all models together call their model."""


class Normalised(StrEnum):
    """How scores of models that differ in size are made alike before they are averaged.

    `model`: a score less the model's mean, over its standard deviation (n - 1), both over all
    units. `bound`: diff-bias over the largest that the unit's accuracy allows, each averaged over
    the models first, so that a model without an error counts; undefined where no model can be
    biased.
    """

    MODEL = "model"
    BOUND = "bound"

    @property
    def metrics(self) -> tuple[str, ...]:
        """The scores that can be pooled: only diff-bias has such a bound."""
        return tuple(BOUNDS) if self is Normalised.BOUND else MAIN


def pooled_tests(
    frames: Mapping[str, pd.DataFrame],
    groupings: Sequence[str],
    unit: Unit,
    kind: SetKind,
    normalised: Normalised,
) -> GroupTests:
    """Test whether groups differ over all models together (KoBBQ, section 4.3).

    A value is the mean over models of the normalised score of a unit, so that each unit counts
    once, however many models there are. Each group is also compared with all units together, as
    in the paper's figure 3.

    Args:
        frames: By model its counts.
        groupings: `category`, `label` or both.
        unit: What one value is the score of.
        kind: How a prompt's templates are put together.
        normalised: How.
    """
    return corrected_together(
        [
            anova_and_tukey(
                POOLED,
                name,
                metric,
                *pooled_values(frames, name, metric, unit, kind, normalised),
                overall=True,
            )
            for name in groupings
            for metric in normalised.metrics
        ]
    )


def pooled_values(
    frames: Mapping[str, pd.DataFrame],
    group_by: str,
    metric: str,
    unit: Unit,
    kind: SetKind,
    normalised: Normalised,
) -> tuple[dict[str, Values], Ends]:
    """By group the mean over models of each unit's normalised score, and the range of such means.

    A unit that a model leaves undefined is averaged over the others. A model whose scores do not
    vary at all has no `model` scores.
    """
    if normalised is Normalised.BOUND:
        return _of_bounds(frames, group_by, metric, unit, kind), Ends.of(metric)
    ends = Ends.of(metric)
    columns: list[pd.Series[float]] = []
    ranges = []
    for frame in frames.values():
        values = _scores(frame, group_by, metric, unit, kind)
        spread = float(values.std(ddof=1))
        centre, scale = values.mean(), spread if spread > EQUAL else float("nan")
        columns.append((values - centre) / scale)
        ranges.append([(end - centre) / scale for end in ends[:2]])
    if ranges:
        low, high = pd.DataFrame(ranges).mean()
        ends = ends._replace(low=float(low), high=float(high))
    return _by_group(_mean(columns)), ends


def _of_bounds(
    frames: Mapping[str, pd.DataFrame], group_by: str, metric: str, unit: Unit, kind: SetKind
) -> dict[str, Values]:
    """By group each unit's diff-bias over its bound, both averaged over models."""
    score, bound = (
        _mean([_scores(frame, group_by, name, unit, kind) for frame in frames.values()])
        for name in (metric, BOUNDS[metric])
    )
    return _by_group(score / bound.where(bound > 0))


def _scores(
    frame: pd.DataFrame, group_by: str, metric: str, unit: Unit, kind: SetKind
) -> "pd.Series[float]":
    """A model's scores by group and unit."""
    parts = {
        str(name): unit_scores(part, unit, kind, (metric,)).set_index(unit.column)[metric]
        for name, part in frame.groupby(group_by, sort=False)
    }
    values: pd.Series[float] = pd.concat(parts, names=["group"])
    return values


def _mean(columns: Sequence["pd.Series[float]"]) -> "pd.Series[float]":
    mean: pd.Series[float] = pd.concat(columns, axis=1, sort=False).mean(axis=1)
    return mean


def _by_group(values: "pd.Series[float]") -> dict[str, Values]:
    return {str(name): defined(found) for name, found in values.groupby(level="group", sort=False)}
