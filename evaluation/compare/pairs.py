"""Two sides of the same templates: paired differences, with interval, test and effect size."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd

from evaluation.compare.values import Values
from evaluation.intervals import FEW, FEWEST, Moved, difference
from evaluation.qa.metrics import METRICS, SetKind, of_templates
from evaluation.qa.score import Row, moved
from evaluation.qa.tallies import counts_by
from evaluation.ranks import EQUAL, chance, rank_sum, ranked, settled, signed_rank

PAIRED = (
    *("metric", "score_1", "score_2", "difference", "low", "high", "interval_note"),
    *("templates", "w", "p", "p_holm", "effect"),
)
"""The columns that say how a score differs between two sides; see `paired_rows`."""


def paired_rows(
    one: pd.DataFrame,
    two: pd.DataFrame,
    pairs: tuple[Sequence[Any], Sequence[Any]],
    metrics: Sequence[str],
) -> Iterator[Row]:
    """Yield for each score the difference of two sides over templates that are pairs.

    `score_1`, `score_2` and `difference` (the first minus the second) are averages over the
    `templates` in which both sides have data for the score, each of them counted over all its
    prompts, orders and fillings. `w` and `p` are Wilcoxon's signed-rank test; `effect` is the
    matched-pairs rank-biserial correlation. `p_holm` is left open. A ratio is one average over
    another, so that templates have no differences of it to test: then `w`, `p` and `effect` are
    undefined.

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
        sides_there = [moved(part[there], SetKind.ALL, metric) for part in counts]
        low, high = difference_ends(sides_there[0], sides_there[1], metric)
        first, second = (float(side[0]) for side in sides_there)
        test: Row = dict.fromkeys(("w", "p", "effect"))
        if METRICS[metric].below is None:
            scores_1, scores_2 = (METRICS[metric](part[there]) for part in counts)
            differences = scores_1 - scores_2
            test = tested("w", signed_rank(differences))
            test["effect"] = matched_biserial(differences)
        yield {
            "metric": metric,
            "score_1": shown(first),
            "score_2": shown(second),
            "difference": shown(first - second),
            "low": low,
            "high": high,
            "interval_note": FEW if low is not None and there.sum() < FEWEST else "",
            "templates": int(there.sum()),
            **test,
            "p_holm": None,
        }


def difference_ends(one: Moved, two: Moved, metric: str) -> tuple[float | None, float | None]:
    """The ends of the 95 % interval of the difference of a score between two sides.

    Args:
        one: What `evaluation.qa.score.moved` gives of the first side.
        two: The same of the second, template by template.
        metric: Which score.

    Returns:
        None twice where there is no difference, or with fewer than two templates, which cannot
        vary.
    """
    least, most = METRICS[metric].span
    low, high = difference(one, two, most - least)
    return shown(float(low)), shown(float(high))


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
