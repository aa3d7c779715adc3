"""Wilcoxon's tests: templates that are pairs, two models, and two benchmarks, or sets of one."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise
from typing import Any

import numpy as np
import pandas as pd

from curation.records.messages import CurateError, natural
from evaluation.compare.anova import Unit, Values, corrected, defined, unit_scores
from evaluation.folders import Row
from evaluation.qa.metrics import EVERY_CELL, MAIN, METRICS, SetKind, of_templates, scores
from evaluation.qa.score import Scored, Units, counts_by, moved
from evaluation.statistics import (
    EQUAL,
    FEW,
    FEWEST,
    Moved,
    chance,
    difference,
    rank_sum,
    ranked,
    settled,
    signed_rank,
)

PAIRED = (
    *("metric", "score_1", "score_2", "difference", "low", "high", "interval_note"),
    *("templates", "w", "p", "p_holm", "effect"),
)
"""The columns that say how a score differs between two sides; see `paired_row`."""
MODEL_COLUMNS = (
    *("model_1", "model_2", "metric", "score_1", "score_2", "difference", "low", "high"),
    *("interval_note", "templates", "w", "p", "p_holm"),
)
"""One row for each pair of models and score. `difference` is the first minus the second, with
a 95 % interval over templates, each with both models' replies; p is Wilcoxon's signed-rank test
over templates; Holm's correction is over all rows."""
RANK_COLUMNS = ("metric", "model", "score", "rank", "rank_low", "rank_high", "like")
"""One row for each score and model, in the order of the scores: the highest accuracy first, the
lowest diff-bias first. `rank_low` and `rank_high` are the first and the last place that the tests
leave to the model; `like` are the models that cannot be told from it."""
_KEYS = ["template_id", "prompt", "order"]
_ALPHA = 0.05  # as the intervals, of 95 %


Side = tuple[Moved, Values]
"""A score, what each template moves it and how much that counts; and the score of each template,
or what is divided where the score is a ratio."""


def measured_side(counts: Units, kind: SetKind, metric: str) -> Side:
    """Score one side of a comparison.

    Args:
        counts: Of the shape templates x cells.
        kind: How templates are put together.
        metric: Which score.
    """
    return moved(counts, kind, metric), of_templates(counts, metric)[0]


def paired_row(metric: str, one: Side, two: Side) -> Row:
    """Tell how a score differs between two sides, template by template.

    `difference` is the first score minus the second, with a 95 % interval. `w` and `p` are
    Wilcoxon's signed-rank test over the `templates` that have data on both sides; `effect` is the
    matched-pairs rank-biserial correlation. `p_holm` is left open. A ratio is one average over
    another, so that templates have no differences of it to test: then `w`, `p` and `effect` are
    undefined.

    Args:
        metric: Which score.
        one: The first side.
        two: The second, template by template.
    """
    first, second = float(one[0][0]), float(two[0][0])
    both = ~np.isnan(one[1]) & ~np.isnan(two[1])
    least, most = METRICS[metric].span
    low, high = (shown(float(end)) for end in difference(one[0], two[0], most - least))
    test: Row = dict.fromkeys(("w", "p", "effect"))
    if METRICS[metric].below is None:
        differences = one[1][both] - two[1][both]
        test = tested("w", signed_rank(differences))
        test["effect"] = matched_biserial(differences)
    return {
        "metric": metric,
        "score_1": shown(first),
        "score_2": shown(second),
        "difference": shown(first - second),
        "low": low,
        "high": high,
        "interval_note": FEW if low is not None and both.sum() < FEWEST else "",
        "templates": int(both.sum()),
        **test,
        "p_holm": None,
    }


def paired_rows(
    one: pd.DataFrame,
    two: pd.DataFrame,
    pairs: tuple[Sequence[Any], Sequence[Any]],
    metrics: Sequence[str],
) -> Iterator[Row]:
    """Yield for each score the difference of two sides over templates that are pairs.

    Scores are averages over the templates in which both sides have data, each of them counted
    over all its prompts, orders and fillings.

    Args:
        one: Counts of a model on the first side.
        two: Those of the same model on the second.
        pairs: For each row of `one`, and of `two`, which pair its template is of.
        metrics: Which scores, of `METRICS`.
    """
    sides = [
        counts_by(frame.assign(pair=list(keys)), ["pair"])
        for frame, keys in zip((one, two), pairs, strict=True)
    ]
    order = pd.Index(sides[1][0]["pair"]).get_indexer(pd.Index(sides[0][0]["pair"]))
    counts = sides[0][1], sides[1][1][order]
    for metric in metrics:
        there = np.all([~np.isnan(of_templates(it, metric)[0]) for it in counts], axis=0)
        parts = (measured_side(part[there], SetKind.ALL, metric) for part in counts)
        yield paired_row(metric, *parts)


def matched_biserial(differences: Values) -> float | None:
    """The matched-pairs rank-biserial correlation `(W+ - W-) / (W+ + W-)` (Kerby 2014).

    1 where every difference is positive, -1 where every one is negative. Differences of 0 leave,
    as in the signed-rank test; where all are 0 it is 0, and without differences undefined.
    """
    if not len(differences):
        return None
    differences = differences[np.abs(differences) > EQUAL]
    if not len(differences):
        return 0.0
    ranks = ranked(np.abs(differences))
    above = float(ranks[differences > 0].sum())
    return round(2 * above / float(ranks.sum()) - 1, 12)


def rank_biserial(first: Values, second: Values) -> float | None:
    """The rank-biserial correlation `2 U / (n m) - 1` of two groups (Wendt 1972).

    1 where every value of the first is greater than every one of the second; it is Cliff's
    delta. Undefined without values in one of them.
    """
    found = rank_sum(first, second)
    return None if found is None else round(2 * found[0] / (len(first) * len(second)) - 1, 12)


def tested(name: str, found: tuple[float, float] | None) -> Row:
    """A statistic and its p as a row holds them."""
    statistic, p = found or (None, None)
    return {name: statistic, "p": None if p is None else chance(p)}


def shown(value: float) -> float | None:
    """A number as a row holds it; None where it is undefined."""
    return None if np.isnan(value) else settled(round(value, 12))


def compare_models(scored: Scored, models: list[str]) -> list[Row]:
    """Compare every two of some models.

    Raises:
        CurateError: If two of them were not asked the same.
    """
    frames = {name: scored.of(name) for name in models}
    asked = {name: _asked(frame) for name, frame in frames.items()}
    for one, two in pairwise(models):
        if not asked[one].equals(asked[two]):
            raise CurateError(
                f"{one} and {two} were not asked the same requests",
                str(scored.folder),
                "score both over the same samples and prompts",
            )
    templates: pd.Index | None = None
    sides: dict[str, dict[str, Side]] = {}
    for name, frame in frames.items():
        keys, counts = counts_by(frame, ["template_id"])
        found = pd.Index(keys["template_id"])
        templates = found if templates is None else templates
        counts = counts[found.get_indexer(templates)]  # in one order of templates for all models
        sides[name] = {metric: measured_side(counts, scored.kind, metric) for metric in MAIN}
    rows = [
        {
            "model_1": one,
            "model_2": two,
            **paired_row(metric, sides[one][metric], sides[two][metric]),
        }
        for one, two in combinations(models, 2)
        for metric in MAIN
    ]
    return corrected([{name: row[name] for name in MODEL_COLUMNS} for row in rows])


def model_ranks(compared: Sequence[Row]) -> list[Row]:
    """The places of models, and how sure they are.

    A model that differs from another (Holm's p below 0.05, and 0 outside of the interval of the
    difference) stands on its side of it; between the others every place is possible. With a chance
    of 95 % all true places lie within, of all models and scores together, since Holm's correction
    holds for all tests at once (Mogstad et al. 2024).

    Args:
        compared: What `compare_models` gives: each pair of models once.
    """
    rows: list[Row] = []
    for metric in dict.fromkeys(row["metric"] for row in compared):
        own = [row for row in compared if row["metric"] == metric]
        whole = {row[f"model_{side}"]: row[f"score_{side}"] for row in own for side in (1, 2)}
        sign = -1.0 if METRICS[str(metric)].higher else 1.0
        before: Counter[object] = Counter()  # how many models are surely before, and behind
        behind: Counter[object] = Counter()
        like: dict[object, list[str]] = {name: [] for name in whole}
        for row in own:
            one, two = row["model_1"], row["model_2"]
            if _differ(row):
                first, last = (one, two) if sign * float(row["difference"] or 0) < 0 else (two, one)
                before[last] += 1
                behind[first] += 1
            else:
                like[one].append(str(two))
                like[two].append(str(one))
        known = {name: sign * float(value) for name, value in whole.items() if value is not None}
        rows += [
            {
                "metric": metric,
                "model": name,
                "score": whole[name],
                "rank": 1 + sum(value < known[name] for value in known.values())
                if name in known
                else None,
                "rank_low": 1 + before[name],
                "rank_high": len(whole) - behind[name],
                "like": ", ".join(natural(like[name])),
            }
            for name in sorted(whole, key=lambda name: known.get(name, np.inf))
        ]
    return rows


def _differ(row: Row) -> bool:
    """Whether test and interval agree that two models differ."""
    p, low, high = (row[name] for name in ("p_holm", "low", "high"))
    if p is None or low is None or high is None:
        return False
    return float(p) < _ALPHA and (float(low) > 0 or float(high) < 0)


def _asked(frame: pd.DataFrame) -> "pd.Series[int]":
    """How many requests there were by template, prompt and order."""
    asked = frame.assign(asked=frame[[*EVERY_CELL, "missing"]].sum(axis=1))
    return asked.set_index(_KEYS)["asked"].sort_index()


BENCHMARK_COLUMNS = (
    *("model", "label", "metric", "score_1", "score_2", "difference", "values_1", "values_2"),
    *("u", "p", "p_holm", "effect"),
)
"""One row for each model, label and score; an empty label is all of them. `difference` is the
first minus the second, `effect` the rank-biserial correlation; Holm's correction is over all tests
of a model."""


def compare_benchmarks(first: Scored, second: Scored, unit: Unit) -> Iterator[Row]:
    """Compare the scores of every model that both have, for all labels and each of theirs.

    Used for an adapted benchmark against a machine-translated one (KoBBQ, section 5.1), and for
    a test set against the entire set (its footnote 14). A score of the whole is pooled or
    averaged as its folder says.
    """
    for model in sorted(set(first.models) & set(second.models)):
        one, two = first.of(model), second.of(model)
        shared = [name for name in one["label"].unique() if name in set(two["label"])]
        rows = []
        for label in ("", *(shared if len(shared) > 1 else ())):
            parts = [frame if not label else frame[frame["label"] == label] for frame in (one, two)]
            rows += list(_rows(parts[0], parts[1], (first.kind, second.kind), unit))
            for row in rows[-len(MAIN) :]:
                row.update({"model": model, "label": label})
        for row in corrected(rows):
            yield {name: row[name] for name in BENCHMARK_COLUMNS}


def _rows(
    one: pd.DataFrame, two: pd.DataFrame, kinds: tuple[SetKind, SetKind], unit: Unit
) -> Iterator[Row]:
    values = [unit_scores(part, unit, kind) for part, kind in zip((one, two), kinds, strict=True)]
    whole = [
        scores(counts_by(part, ["template_id"])[1], kind)
        for part, kind in zip((one, two), kinds, strict=True)
    ]
    for metric in MAIN:
        first, second = (defined(table[metric]) for table in values)
        score_1, score_2 = (float(found[metric]) for found in whole)
        difference = score_1 - score_2
        yield {
            "metric": metric,
            "score_1": None if np.isnan(score_1) else score_1,
            "score_2": None if np.isnan(score_2) else score_2,
            "difference": None if np.isnan(difference) else settled(difference),
            "values_1": len(first),
            "values_2": len(second),
            **tested("u", rank_sum(first, second)),
            "effect": rank_biserial(first, second),
        }
