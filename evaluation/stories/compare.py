"""Scores of stories held against those of question answering, model by model."""

import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from curation.io.replies import shortened
from curation.model.errors import CurateError
from curation.model.findings import Finding, Severity
from curation.model.ids import category_slug
from evaluation.stories.score_tables import ScoreRow

QA_COLUMNS = ("accuracy_amb", "diff_bias_amb")
"""Scores of question answering that are compared."""
STORY_COLUMNS = ("ntr_gen", "bias_gen")
"""Those of stories that they are compared with, in the same order."""
COMPARED = tuple(zip(QA_COLUMNS, STORY_COLUMNS, strict=True))
GROUPINGS = ("overall", "category")

Values = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Point:
    """A model's scores of both kinds, overall or in one category; fields are columns."""

    model: str
    group_by: str
    group: str
    accuracy_amb: float | None
    diff_bias_amb: float | None
    ntr_gen: float | None
    bias_gen: float | None


POINT_COLUMNS = tuple(Point.__dataclass_fields__)
"""The columns of points, in order."""


@dataclass(frozen=True, slots=True)
class Correlation:
    """How two scores go together over models, overall.

    Attributes:
        x: Score of question answering.
        y: Score of stories.
        n: Models that have both.
        pearson: Pearson's r; None where it is undefined.
        pearson_p: Its two-sided p-value.
        spearman: Spearman's rank correlation.
        spearman_p: Its two-sided p-value.
        reason: Why they are undefined.
    """

    x: str
    y: str
    n: int
    pearson: float | None = None
    pearson_p: float | None = None
    spearman: float | None = None
    spearman_p: float | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Mixed:
    """A linear mixed-effects model, `y ~ x + (1 | model)`, over categories.

    Attributes:
        x: Score of question answering.
        y: Score of stories.
        n: Rows: models times categories that have both.
        models: Models among them.
        intercept: Fixed effect.
        slope: Fixed effect of x.
        slope_se: Its standard error.
        slope_low: Lower end of its 95 % interval (Wald).
        slope_high: Upper end.
        slope_p: Its two-sided p-value (Wald).
        model_variance: Variance of the models' random intercepts.
        residual_variance: Variance that is left.
        converged: Whether the fit converged; None where there was none.
        notes: What the fit warned of, or why there is none.
    """

    x: str
    y: str
    n: int
    models: int
    intercept: float | None = None
    slope: float | None = None
    slope_se: float | None = None
    slope_low: float | None = None
    slope_high: float | None = None
    slope_p: float | None = None
    model_variance: float | None = None
    residual_variance: float | None = None
    converged: bool | None = None
    notes: tuple[str, ...] = ()


def joined(
    qa: Sequence[ScoreRow], stories: Sequence[ScoreRow], files: tuple[str, str]
) -> tuple[list[Point], list[Finding]]:
    """Put the two kinds of scores of each model side by side.

    Categories go together by the form that ids have them in: `Gender identity` is
    `gender_identity`.

    Args:
        qa: Scores of question answering.
        stories: Scores of stories.
        files: Their files as findings show them.

    Raises:
        CurateError: If they have no model in common.
    """
    first, second = _keyed(qa), _keyed(stories)
    models = [{key[0] for key in keyed} for keyed in (first, second)]
    if not models[0] & models[1]:
        raise CurateError(
            f"the scores have no model in common: {shortened(sorted(models[0]))} and "
            f"{shortened(sorted(models[1]))}",
            " and ".join(files),
            "name the scores of the same models, under the same names",
        )
    points = [
        Point(
            *(first[key].model, first[key].group_by, first[key].group),
            *(first[key].values[name] for name in QA_COLUMNS),
            *(second[key].values[name] for name in STORY_COLUMNS),
        )
        for key in first
        if key in second
    ]
    ordered = sorted(points, key=lambda p: (GROUPINGS.index(p.group_by), p.model, p.group))
    return ordered, [*_alone(first, second, files), *_alone(second, first, files[::-1])]


def _keyed(rows: Iterable[ScoreRow]) -> dict[tuple[str, str, str], ScoreRow]:
    return {
        (row.model, row.group_by, category_slug(row.group) if row.group else ""): row
        for row in rows
    }


def _alone(
    one: Mapping[tuple[str, str, str], ScoreRow],
    other: Mapping[tuple[str, str, str], ScoreRow],
    files: tuple[str, str],
) -> Iterable[Finding]:
    known = {key[0] for key in other}
    models = sorted({key[0] for key in one} - known)
    categories = sorted(
        {
            row.group
            for key, row in one.items()
            if row.group and key[0] in known and key not in other
        }
    )
    for what, names in (("models", models), ("categories", categories)):
        if names:
            message = f"{len(names)} {what} have no scores in {files[1]}: {shortened(names)}"
            hint = "they are left out of the comparison"
            place = (files[0], None, "")
            yield Finding("compare-alone", Severity.WARNING, *place, message, hint)


def _both(points: Iterable[Point], x: str, y: str) -> tuple[Values, Values, list[str]]:
    """Give the two scores of those points that have both, with their models."""
    found = [
        (one, other, point.model)
        for point in points
        for one, other in [(getattr(point, x), getattr(point, y))]
        if one is not None and other is not None
    ]
    xs, ys = (np.array([item[at] for item in found], np.float64) for at in (0, 1))
    return xs, ys, [item[2] for item in found]


def correlate(points: Sequence[Point], x: str, y: str) -> Correlation:
    """Correlate two scores over models, overall."""
    from scipy import stats

    xs, ys, _ = _both((point for point in points if point.group_by == "overall"), x, y)
    if len(xs) < 3:
        return Correlation(x, y, len(xs), reason=f"{len(xs)} models are too few; three are needed")
    for name, values in ((x, xs), (y, ys)):
        if np.ptp(values) == 0:
            return Correlation(x, y, len(xs), reason=f"{name} is the same for all models")
    pearson, spearman = stats.pearsonr(xs, ys), stats.spearmanr(xs, ys)
    return Correlation(
        *(x, y, len(xs)),
        pearson=_number(pearson.statistic),
        pearson_p=_number(pearson.pvalue),
        spearman=_number(spearman.statistic),
        spearman_p=_number(spearman.pvalue),
    )


def fit_mixed(points: Sequence[Point], x: str, y: str) -> Mixed:
    """Fit a linear mixed-effects model (REML) with a random intercept for each model.

    What the fit warns of is kept as notes, and numbers that it could not give are None.
    """
    categories = [point for point in points if point.group_by == "category"]
    xs, ys, models = _both(categories, x, y)
    groups = len(set(models))
    reason = _unfit(xs, ys, groups, x, y)
    if reason:
        return Mixed(x, y, len(xs), groups, notes=(reason,))
    from statsmodels.regression.mixed_linear_model import MixedLM

    design = np.column_stack([np.ones(len(xs)), xs])
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            fit = MixedLM(ys, design, groups=np.array(models)).fit(reml=True)
            low, high = fit.conf_int()[1]
            numbers: dict[str, Any] = {
                "intercept": _number(fit.fe_params[0]),
                "slope": _number(fit.fe_params[1]),
                "slope_se": _number(fit.bse_fe[1]),
                "slope_low": _number(low),
                "slope_high": _number(high),
                "slope_p": _number(fit.pvalues[1]),
                "model_variance": _number(fit.cov_re[0][0]),
                "residual_variance": _number(fit.scale),
            }
        except (np.linalg.LinAlgError, ValueError) as error:
            note = f"the model could not be fitted: {error}"
            return Mixed(x, y, len(xs), groups, converged=False, notes=(note,))
    notes = dict.fromkeys(str(item.message).strip() for item in caught)
    return Mixed(
        *(x, y, len(xs), groups), **numbers, converged=bool(fit.converged), notes=tuple(notes)
    )


def _unfit(xs: Values, ys: Values, groups: int, x: str, y: str) -> str:
    """Say why a model cannot be fitted; nothing where it can."""
    if groups < 2:
        return f"{groups} models with scores by category are too few; two are needed"
    if len(xs) < groups + 3:
        return f"{len(xs)} rows are too few for {groups} models"
    for name, values in ((x, xs), (y, ys)):
        if np.ptp(values) == 0:
            return f"{name} is the same in all rows"
    return ""


def _number(value: Any) -> float | None:
    number = float(value)
    return round(number, 12) if np.isfinite(number) else None
