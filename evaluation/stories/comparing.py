"""Stories beside question answering: which model reads best, and how far the scores go together."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from curation.files.lock import writing_results
from curation.files.workspace import Workspace
from curation.records.letters import words_of
from curation.records.messages import Finding, Results, Table, listed, refusal, results, shortened
from curation.report import figures
from evaluation import statistics
from evaluation.folders import save_tables, write_rows
from evaluation.measures import MEASURES, STORIES, ranked, read_scores
from evaluation.qa.metrics import METRICS, defined
from evaluation.statistics import EQUAL, chance, spearman

QA_COLUMNS = ("accuracy_amb", "diff_bias_amb")
"""Scores of question answering that are compared."""
STORY_COLUMNS = tuple(ranked(STORIES))
"""Those of stories that they are compared with, in the same order."""
GROUPINGS = ("overall", "category")
_COMPARED = tuple(zip(QA_COLUMNS, STORY_COLUMNS, strict=True))
_KEYS = ("model", "group_by", "group")
POINT_COLUMNS = (*_KEYS, *QA_COLUMNS, *STORY_COLUMNS)
"""A model's scores of both kinds, overall or in one category."""
CORRELATION = ("x", "y", "n", "pearson", "pearson_p", "spearman", "spearman_p", "reason")
"""How two scores go together over `n` models, or the reason why that is undefined."""
MIXED = (
    *("x", "y", "n", "models", "intercept", "slope", "slope_se", "slope_df", "slope_low"),
    *("slope_high", "slope_p", "model_variance", "residual_variance", "notes"),
)
"""A linear mixed-effects model, `y ~ x + (1 | model)`, over `n` categories of models, with the 95 %
interval (t) and degrees of freedom (Satterthwaite) of its slope."""
COLUMNS = ("accuracy_amb", "accuracy_dis", "diff_bias_amb", "diff_bias_dis")
"""The scores that candidates are ranked by."""
OPTIONAL = ("out_of_choice_ratio",)
CANDIDATE_COLUMNS = ("rank", "model", "prompt", "accuracy", "bias", *COLUMNS, *OPTIONAL)
"""The columns of the ranking, in order."""

Row = dict[str, Any]
Values = npt.NDArray[np.float64]


def evaluators(
    scores: Path, out: Path | None = None, *, workspace: Workspace | None = None
) -> Results:
    """Rank models and prompts by how well they read the benchmark itself.

    By falling accuracy, then by rising bias, then by name; those with equal scores share a rank.
    Candidates are models with prompts where the scores tell prompts apart, else models.

    Args:
        scores: Scores of question answering, as `curate evaluate score` writes them.
        out: A file for the ranking (CSV).
        workspace: The workspace; its `wait` says how long to wait for other commands.

    Returns:
        The candidates as `scores`, the best one first. The rank is from 1, None where a score is
        undefined. `accuracy` is the mean of the accuracies in ambiguous and in disambiguated
        contexts: an evaluator must leave open what is open, and use what is told. `bias` is the
        mean of the absolute values of the two diff-biases.

    Raises:
        CurateError: If the scores cannot be read, or the file cannot be written.
    """
    rows = read_scores(scores, _KEYS, COLUMNS, OPTIONAL, ("overall", "prompt"))
    by_prompt = [row for row in rows if row["group_by"] == "prompt"]
    ranked = sorted(map(_candidate, by_prompt or rows), key=_order)
    best = [_order(item)[:3] for item in ranked]
    for item, key in zip(ranked, best, strict=True):
        item["rank"] = None if key[0] else best.index(key) + 1
    if out is not None:
        with writing_results(out.parent, "curate evaluate stories score", workspace):
            write_rows(out, CANDIDATE_COLUMNS, ranked)
    return results({"scores": (CANDIDATE_COLUMNS, ranked)})


def _candidate(row: Row) -> Row:
    acc_amb, acc_dis, bias_amb, bias_dis = (row[name] for name in COLUMNS)
    bias = [None if value is None else abs(value) for value in (bias_amb, bias_dis)]
    return {
        "rank": None,
        "model": row["model"],
        "prompt": row["group"],
        "accuracy": _mean(acc_amb, acc_dis),
        "bias": _mean(*bias),
        **{name: row[name] for name in (*COLUMNS, *OPTIONAL)},
    }


def _order(item: Row) -> tuple[bool, float, float, str, str]:
    accuracy, bias = item["accuracy"], item["bias"]
    scores = (0.0, 0.0) if accuracy is None or bias is None else (-accuracy, bias)
    return (accuracy is None or bias is None, *scores, item["model"], item["prompt"])


def _mean(one: float | None, other: float | None) -> float | None:
    return None if one is None or other is None else round((one + other) / 2, 12)


def compare(
    workspace: Workspace, scores: Path, stories: Path, *, out: Path | None = None
) -> Results:
    """Compare models' neutrality and bias in stories with those in question answering.

    Args:
        workspace: The workspace.
        scores: Scores of question answering, `scores.csv`.
        stories: Scores of stories, `scores.csv`.
        out: A folder for tables and picture, with a manifest.

    Returns:
        As `points` both scores of each model, overall and by category; as `correlations` those
        over models, and as `mixed` the models over categories, one for each pair of scores; and
        models and categories that have scores of one kind alone as findings.

    Raises:
        CurateError: If a table cannot be read, they have no model in common, or the folder
            cannot be written.
    """
    qa = read_scores(scores, _KEYS, QA_COLUMNS, wanted=GROUPINGS)
    told = read_scores(stories, _KEYS, STORY_COLUMNS, wanted=GROUPINGS)
    points, findings = joined(qa, told, (str(scores), str(stories)))
    correlations = [correlate(points, x, y) for x, y in _COMPARED]
    mixed = [fit_mixed(points, x, y) for x, y in _COMPARED]
    tables: dict[str, Table] = {
        "points": (POINT_COLUMNS, points),
        "correlations": (CORRELATION, correlations),
        "mixed": (MIXED, mixed),
    }
    files: list[Path] = []
    if out is not None:
        files = save_tables(
            tables,
            workspace,
            out,
            inputs=(scores, stories),
            counts={"models": len({point["model"] for point in points})},
            command="evaluate stories score",
            draw=partial(draw, points, correlations, mixed),
        )
    return results(tables, tuple(findings), {"files": files})


def joined(
    qa: Sequence[Row], stories: Sequence[Row], files: tuple[str, str]
) -> tuple[list[Row], list[Finding]]:
    """Put the two kinds of scores of each model side by side.

    Categories go together by their words, which ids join by `_`: `Gender identity` is
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
        words = {"first": shortened(sorted(models[0])), "second": shortened(sorted(models[1]))}
        raise refusal(__package__, "models-apart", " and ".join(files), **words)
    both = ({**second[key], **first[key]} for key in first if key in second)
    points = [{name: row[name] for name in POINT_COLUMNS} for row in both]
    points.sort(key=lambda p: (GROUPINGS.index(p["group_by"]), p["model"], p["group"]))
    return points, [*_alone(first, second, files), *_alone(second, first, files[::-1])]


def _keyed(rows: Sequence[Row]) -> dict[tuple[str, ...], Row]:
    words = {row["group"]: words_of(row["group"].lower()) or [row["group"]] for row in rows}
    return {(row["model"], row["group_by"], *words[row["group"]]): row for row in rows}


def _alone(
    one: Mapping[tuple[str, ...], Row],
    other: Mapping[tuple[str, ...], Row],
    files: tuple[str, str],
) -> Iterator[Finding]:
    known = {key[0] for key in other}
    models = {key[0] for key in one} - known
    categories = {
        row["group"] for key, row in one.items() if key[0] in known and key not in other
    } - {""}
    hint = "they are left out of the comparison"
    for what, names in (("models", sorted(models)), ("categories", sorted(categories))):
        text = f"{what} have no scores in {files[1]}"
        yield from listed("compare-alone", files[0], names, text, hint)


def _both(
    points: Sequence[Row], group_by: str, x: str, y: str
) -> tuple[Values, Values, list[str], str]:
    """The two scores of those points of a grouping that have both, with their models.

    The last one says which of the two is the same everywhere, if one is.
    """
    there = [
        (point[x], point[y], point["model"])
        for point in points
        if point["group_by"] == group_by and None not in (point[x], point[y])
    ]
    xs, ys = (np.array([item[at] for item in there], np.float64) for at in (0, 1))
    level = [name for name, values in ((x, xs), (y, ys)) if there and np.ptp(values) <= EQUAL]
    same = f"{level[0]} is the same everywhere" if level else ""
    return xs, ys, [item[2] for item in there], same


def correlate(points: Sequence[Row], x: str, y: str) -> Row:
    """Correlate two scores over models, overall."""
    from scipy import stats

    xs, ys, _, reason = _both(points, "overall", x, y)
    if len(xs) < 3:
        reason = f"{len(xs)} models are too few; three are needed"
    row = {**dict.fromkeys(CORRELATION), "x": x, "y": y, "n": len(xs), "reason": reason}
    if not reason:
        pearson = stats.pearsonr(xs, ys)
        rho, rho_p = spearman(xs, ys)
        row |= {"pearson": defined(pearson.statistic), "pearson_p": chance(pearson.pvalue)}
        row |= {"spearman": defined(rho), "spearman_p": chance(rho_p)}
    return row


def fit_mixed(points: Sequence[Row], x: str, y: str) -> Row:
    """Fit a linear mixed-effects model (REML) with a random intercept for each model.

    Below four models the slope has no interval and no p-value.
    """
    xs, ys, models, reason = _both(points, "category", x, y)
    groups = len(set(models))
    if groups < 2:
        reason = f"{groups} models with scores by category are too few; two are needed"
    elif len(xs) < groups + 3:
        reason = f"{len(xs)} rows are too few for {groups} models"
    line = None if reason else statistics.fit(xs, ys, models)
    row: Row = {**dict.fromkeys(MIXED), "x": x, "y": y, "n": len(xs), "models": groups}
    if line is None:
        reason = reason or "nothing is left that the line and the models do not explain"
        return {**row, "notes": (reason,)}
    notes = []
    if line.group_variance == 0:
        notes.append("models differ no more than by chance: the fit is that of least squares")
    if groups >= statistics.LEAST_GROUPS:
        row["slope_low"], row["slope_high"] = map(defined, line.interval())
        row["slope_p"] = chance(line.p())
    else:
        notes.append(f"{groups} models are too few for a p-value; four are needed")
    return row | {
        "intercept": defined(line.intercept),
        "slope": defined(line.slope),
        "slope_se": defined(line.slope_se),
        "slope_df": defined(line.df),
        "model_variance": defined(line.group_variance),
        "residual_variance": defined(line.residual_variance),
        "notes": tuple(notes),
    }


_ALT = (
    "Scores of continued stories over those of question answering: models with their names, their "
    "categories as small dots."
)
_NAMES = {
    **{name: f"{METRICS[name].said.capitalize()} (QA)" for name in QA_COLUMNS},
    **{name: f"{MEASURES[name].what.capitalize()} of continuations" for name in STORY_COLUMNS},
}


def draw(
    points: Sequence[Row], correlations: Sequence[Row], fits: Sequence[Row], folder: Path
) -> list[Path]:
    """Draw each pair of scores: models with their names, and their categories.

    The fitted line is drawn, with the band of its slope, where the interval of the slope excludes
    0.

    Args:
        points: The scores.
        correlations: One for each pair of scores.
        fits: One for each pair of scores.
        folder: Where the files are written.

    Raises:
        CurateError: If a file cannot be written.
    """
    panels = []
    for (x, y), correlation, fit in zip(_COMPARED, correlations, fits, strict=True):
        there = [(p, (p[x], p[y])) for p in points if None not in (p[x], p[y])]
        low, high = fit["slope_low"], fit["slope_high"]
        is_sure = low is not None and (low > 0 or high < 0)
        panels.append(
            figures.Scatter(
                title=f"{correlation['n']} models, {fit['n']} categories of models",
                across=_NAMES[x],
                up=_NAMES[y],
                named={p["model"]: at for p, at in there if p["group_by"] == "overall"},
                others=[at for p, at in there if p["group_by"] == "category"],
                line=(fit["slope"], fit["intercept"]) if is_sure else None,
                slopes=(low, high) if is_sure else None,
            )
        )
    key_of = {"named": "a model"}
    if any(panel.others for panel in panels):
        key_of["others"] = "a category of a model"
    if any(panel.line for panel in panels):
        key_of["line"] = "mixed model over categories, with the 95 % band of its slope"
    return figures.scatters("stories_and_qa", _ALT, panels, key_of=key_of).save(folder)
