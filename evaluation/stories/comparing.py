"""Scores of stories compared with those of question answering, model by model."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from curation.files.workspace import Workspace
from curation.records.errors import CurateError
from curation.records.findings import Finding, listed
from curation.records.frames import frame
from curation.records.ids import category_slug
from curation.report import figures
from evaluation import random_intercept
from evaluation.folders import result_folder, write_rows
from evaluation.ranks import EQUAL, chance, spearman
from evaluation.replies.files import shortened
from evaluation.stories.ranking import ScoreRow, read_scores

if TYPE_CHECKING:
    import pandas as pd

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
        slope_df: Its degrees of freedom (Satterthwaite).
        slope_low: Lower end of its 95 % interval (t); None below four models.
        slope_high: Upper end.
        slope_p: Its two-sided p-value (t); None below four models.
        model_variance: Variance of the models' random intercepts.
        residual_variance: Variance that is left.
        notes: What has to be known of the fit, or why there is none.
    """

    x: str
    y: str
    n: int
    models: int
    intercept: float | None = None
    slope: float | None = None
    slope_se: float | None = None
    slope_df: float | None = None
    slope_low: float | None = None
    slope_high: float | None = None
    slope_p: float | None = None
    model_variance: float | None = None
    residual_variance: float | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Comparison:
    """Scores of stories compared with those of question answering.

    Attributes:
        points: Both scores of each model, overall and by category.
        correlations: Over models, one for each pair of scores.
        mixed: Over categories of models, one for each pair of scores.
        files: What was written.
        findings: Models and categories that have scores of one kind alone.
    """

    points: tuple[Point, ...]
    correlations: tuple[Correlation, ...]
    mixed: tuple[Mixed, ...]
    files: tuple[Path, ...]
    findings: tuple[Finding, ...]

    def to_frame(self) -> "pd.DataFrame":
        """The points: names object, scores float64 (NaN where undefined)."""
        return _table(self.points)


def _table(points: Sequence[Point]) -> "pd.DataFrame":
    return frame(points, Point, **dict.fromkeys(POINT_COLUMNS[3:], "float64"))


def compare(
    workspace: Workspace, scores: Path, stories: Path, *, out: Path | None = None
) -> Comparison:
    """Compare models' neutrality and bias in stories with those in question answering.

    Args:
        workspace: The workspace.
        scores: Scores of question answering, `scores.csv`.
        stories: Scores of stories, `scores.csv`.
        out: A folder for tables and picture, with a manifest.

    Raises:
        CurateError: If a table cannot be read, they have no model in common, or the folder
            cannot be written.
    """
    qa = read_scores(scores, QA_COLUMNS, GROUPINGS)
    told = read_scores(stories, STORY_COLUMNS, GROUPINGS)
    points, findings = joined(qa, told, (str(scores), str(stories)))
    correlations = tuple(correlate(points, x, y) for x, y in COMPARED)
    mixed = tuple(fit_mixed(points, x, y) for x, y in COMPARED)
    files: list[Path] = []
    if out is not None:
        counts = {"models": len({point.model for point in points})}
        inputs, command = (scores, stories), "evaluate stories score"
        with result_folder(workspace, out, inputs, counts, {}, command=command) as stage:
            files.append(write_rows(stage / "points.csv", Point, points))
            files.append(write_rows(stage / "correlations.csv", Correlation, correlations))
            files.append(write_rows(stage / "mixed.csv", Mixed, mixed))
            files += draw(points, correlations, mixed, stage / "stories_and_qa")
        files = [out / path.name for path in files]
    return Comparison(tuple(points), correlations, mixed, tuple(files), tuple(findings))


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
            first[key].model,
            first[key].group_by,
            first[key].group,
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
    hint = "they are left out of the comparison"
    for what, names in (("models", models), ("categories", categories)):
        yield from listed(
            "compare-alone", files[0], names, f"{what} have no scores in {files[1]}", hint
        )


def _both(
    points: Sequence[Point], group_by: str, x: str, y: str
) -> tuple[Values, Values, list[str]]:
    """The two scores of those points of a grouping that have both, with their models."""
    table = _table(points)
    found = table[table["group_by"] == group_by].dropna(subset=[x, y])
    return found[x].to_numpy(), found[y].to_numpy(), found["model"].tolist()


def correlate(points: Sequence[Point], x: str, y: str) -> Correlation:
    """Correlate two scores over models, overall."""
    from scipy import stats

    xs, ys, _ = _both(points, "overall", x, y)
    if len(xs) < 3:
        return Correlation(x, y, len(xs), reason=f"{len(xs)} models are too few; three are needed")
    for name, values in ((x, xs), (y, ys)):
        if np.ptp(values) <= EQUAL:
            return Correlation(x, y, len(xs), reason=f"{name} is the same for all models")
    pearson = stats.pearsonr(xs, ys)
    rho, rho_p = spearman(xs, ys)
    return Correlation(
        x,
        y,
        len(xs),
        pearson=_number(pearson.statistic),
        pearson_p=chance(pearson.pvalue),
        spearman=_number(rho),
        spearman_p=chance(rho_p),
    )


def fit_mixed(points: Sequence[Point], x: str, y: str) -> Mixed:
    """Fit a linear mixed-effects model (REML) with a random intercept for each model.

    Below four models the slope has no interval and no p-value.
    """
    xs, ys, models = _both(points, "category", x, y)
    groups = len(set(models))
    reason = _unfit(xs, ys, groups, x, y)
    line = None if reason else random_intercept.fit(xs, ys, models)
    if line is None:
        reason = reason or "nothing is left that the line and the models do not explain"
        return Mixed(x, y, len(xs), groups, notes=(reason,))
    notes = []
    if line.group_variance == 0:
        notes.append("models differ no more than by chance: the fit is that of least squares")
    ends: tuple[float | None, float | None] = None, None
    p = None
    if groups >= random_intercept.LEAST_GROUPS:
        low, high = line.interval()
        ends, p = (_number(low), _number(high)), chance(line.p())
    else:
        notes.append(f"{groups} models are too few for a p-value; four are needed")
    return Mixed(
        x,
        y,
        len(xs),
        groups,
        intercept=_number(line.intercept),
        slope=_number(line.slope),
        slope_se=_number(line.slope_se),
        slope_df=_number(line.df),
        slope_low=ends[0],
        slope_high=ends[1],
        slope_p=p,
        model_variance=_number(line.group_variance),
        residual_variance=_number(line.residual_variance),
        notes=tuple(notes),
    )


def _unfit(xs: Values, ys: Values, groups: int, x: str, y: str) -> str:
    """Say why a model cannot be fitted; nothing where it can."""
    if groups < 2:
        return f"{groups} models with scores by category are too few; two are needed"
    if len(xs) < groups + 3:
        return f"{len(xs)} rows are too few for {groups} models"
    for name, values in ((x, xs), (y, ys)):
        if np.ptp(values) <= EQUAL:
            return f"{name} is the same in all rows"
    return ""


def _number(value: Any) -> float | None:
    number = float(value)
    return round(number, 12) if np.isfinite(number) else None


_ALT = (
    "Scores of continued stories over those of question answering: models with their names, their "
    "categories as small dots."
)
_NAMES = {
    "accuracy_amb": "Accuracy in ambiguous contexts (QA)",
    "diff_bias_amb": "Diff-bias in ambiguous contexts (QA)",
    "ntr_gen": "Neutrality of continuations",
    "bias_gen": "Bias of continuations",
}


def draw(
    points: Sequence[Point],
    correlations: Sequence[Correlation],
    fits: Sequence[Mixed],
    stem: Path,
) -> list[Path]:
    """Draw each pair of scores: models with their names, and their categories.

    The fitted line is drawn, with the band of its slope, where the interval of the slope excludes
    0; a caption has the slope always.

    Args:
        points: The scores.
        correlations: One for each pair of scores.
        fits: One for each pair of scores.
        stem: Path of the files without their endings.

    Raises:
        CurateError: If a file cannot be written.
    """
    panels = []
    for (x, y), correlation, fit in zip(COMPARED, correlations, fits, strict=True):
        there = [
            (point, (float(one), float(other)))
            for point in points
            if (one := getattr(point, x)) is not None and (other := getattr(point, y)) is not None
        ]
        low, high = fit.slope_low, fit.slope_high
        is_sure = low is not None and high is not None and (low > 0 or high < 0)
        panels.append(
            figures.Scatter(
                title=_caption(correlation, fit),
                across=_NAMES[x],
                up=_NAMES[y],
                named={point.model: at for point, at in there if point.group_by == "overall"},
                others=[at for point, at in there if point.group_by == "category"],
                line=(fit.slope or 0.0, fit.intercept or 0.0) if is_sure else None,
                slopes=(low or 0.0, high or 0.0) if is_sure else None,
            )
        )
    key_of = {"named": "a model", "others": "a category of a model"}
    if any(panel.line for panel in panels):
        key_of["line"] = "mixed model over categories, with the 95 % band of its slope"
    return figures.scatters(stem.name, _ALT, panels, key_of=key_of).save(stem.parent)


def _caption(correlation: Correlation, fit: Mixed) -> str:
    ends = ""
    if fit.slope_low is not None and fit.slope_high is not None:
        ends = f" [{fit.slope_low:.2f}, {fit.slope_high:.2f}]"
    return (
        f"Pearson {_short(correlation.pearson)}, Spearman {_short(correlation.spearman)}, "
        f"{correlation.n} models\nslope {_short(fit.slope)}{ends}, {fit.n} categories of models"
    )


def _short(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.2f}"
