"""Whether two benchmarks, or two sets of one, give different scores: Wilcoxon's rank-sum test."""

from collections.abc import Iterator

import pandas as pd

from evaluation.compare.correction import holm
from evaluation.compare.values import COMPARED, Unit, Values, defined, unit_scores
from evaluation.metrics import METRICS
from evaluation.score import Row, SetKind, scores
from evaluation.tallies import Scored, counts_by

BENCHMARK_COLUMNS = (
    *("model", "label", "metric", "score_1", "score_2", "difference", "values_1", "values_2"),
    *("u", "p", "p_holm"),
)
"""One row for each model, label and score; an empty label is all of them. `difference` is the
first minus the second; Holm's correction is over all tests of a model."""


def compare_benchmarks(first: Scored, second: Scored, unit: Unit) -> Iterator[Row]:
    """Compare the scores of every model that both have, for all labels and each of theirs.

    Used for an adapted benchmark against a machine-translated one (KoBBQ, section 5.4), and for
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
            for row in rows[-len(COMPARED) :]:
                row.update({"model": model, "label": label})
        adjusted = holm([row["p"] for row in rows])  # type: ignore[misc]
        for row, p in zip(rows, adjusted, strict=True):
            yield {name: ({**row, "p_holm": p})[name] for name in BENCHMARK_COLUMNS}


def _rows(
    one: pd.DataFrame, two: pd.DataFrame, kinds: tuple[SetKind, SetKind], unit: Unit
) -> Iterator[Row]:
    values = [unit_scores(part, unit, kind) for part, kind in zip((one, two), kinds, strict=True)]
    whole = [_whole(part, kind) for part, kind in zip((one, two), kinds, strict=True)]
    for metric in COMPARED:
        first, second = (defined(table[metric]) for table in values)
        score_1, score_2 = (found[metric] for found in whole)
        both = score_1 is not None and score_2 is not None
        yield {
            "metric": metric,
            "score_1": score_1,
            "score_2": score_2,
            "difference": score_1 - score_2 if both else None,  # type: ignore[operator]
            "values_1": len(first),
            "values_2": len(second),
            **rank_sum(first, second),
        }


def _whole(frame: pd.DataFrame, kind: SetKind) -> dict[str, float | None]:
    _, counts = counts_by(frame, ["template_id"])
    found = scores(counts, kind)
    return {
        name: None if found[name] != found[name] else float(found[name])  # NaN is undefined
        for name in METRICS
    }


def rank_sum(first: Values, second: Values) -> Row:
    """Give U of the first values and the two-sided p of Wilcoxon's rank-sum test (1945).

    In the form of Mann and Whitney (1947): exact for small samples without ties, else by the
    normal approximation with the correction for ties. Both are None without values.
    """
    from scipy import stats

    if not len(first) or not len(second):
        return {"u": None, "p": None}
    if len({*first, *second}) == 1:
        return {"u": len(first) * len(second) / 2, "p": 1.0}
    found = stats.mannwhitneyu(first, second, alternative="two-sided")
    return {"u": float(found.statistic), "p": float(found.pvalue)}
