"""Whether two models differ on the same requests: paired by template."""

from collections.abc import Iterator
from itertools import combinations

import numpy as np
import pandas as pd

from curation.model.errors import CurateError
from evaluation.bootstrap import interval, weights
from evaluation.compare.correction import holm
from evaluation.compare.values import COMPARED, Values
from evaluation.metrics import CELLS, METRICS
from evaluation.score import Row, SetKind, scores, weighted
from evaluation.tallies import Scored, counts_by

MODEL_COLUMNS = (
    *("model_1", "model_2", "metric", "score_1", "score_2", "difference", "low", "high"),
    *("templates", "w", "p", "p_holm"),
)
"""One row for each pair of models and score. `difference` is the first minus the second, with
a 95 % interval from a bootstrap that draws the same templates for both; p is Wilcoxon's
signed-rank test over templates; Holm's correction is over all rows."""
_KEYS = ["template_id", "prompt", "order"]


def compare_models(scored: Scored, models: list[str], draws: int, seed: int) -> Iterator[Row]:
    """Compare every two of some models.

    Raises:
        CurateError: If two of them were not asked the same.
    """
    rows = [
        row for one, two in combinations(models, 2) for row in _pair(scored, one, two, draws, seed)
    ]
    adjusted = holm([row["p"] for row in rows])  # type: ignore[misc]
    for row, p in zip(rows, adjusted, strict=True):
        yield {**row, "p_holm": p}


def _pair(scored: Scored, one: str, two: str, draws: int, seed: int) -> Iterator[Row]:
    frames = scored.of(one), scored.of(two)
    _refuse_different(frames, (one, two), scored)
    first, second = (counts_by(frame, ["template_id"]) for frame in frames)
    order = pd.Index(second[0]["template_id"]).get_indexer(pd.Index(first[0]["template_id"]))
    counts = first[1], second[1][order]
    whole = [scores(part, scored.kind) for part in counts]
    drawn = weights(len(order), draws if len(order) > 1 else 0, seed)  # one cannot vary
    for metric in COMPARED:
        values = [METRICS[metric](part) for part in counts]
        low, high = interval(
            _drawn(metric, drawn, counts[0], scored.kind)
            - _drawn(metric, drawn, counts[1], scored.kind)
        )
        both = ~np.isnan(values[0]) & ~np.isnan(values[1])
        score_1, score_2 = (float(found[metric]) for found in whole)
        yield {
            "model_1": one,
            "model_2": two,
            "metric": metric,
            "score_1": _defined(score_1),
            "score_2": _defined(score_2),
            "difference": _defined(score_1 - score_2),
            "low": _defined(float(low)),
            "high": _defined(float(high)),
            "templates": int(both.sum()),
            **signed_rank(values[0][both], values[1][both]),
            "p_holm": None,
        }


def _drawn(metric: str, drawn: Values, counts: np.ndarray, kind: SetKind) -> Values:
    if kind is SetKind.TEST:
        return METRICS[metric](drawn @ counts)
    return weighted(drawn, METRICS[metric](counts))


def _refuse_different(
    frames: tuple[pd.DataFrame, pd.DataFrame], models: tuple[str, str], scored: Scored
) -> None:
    asked = [
        frame.assign(asked=frame[[*CELLS, "missing"]].sum(axis=1))
        .set_index(_KEYS)["asked"]
        .sort_index()
        for frame in frames
    ]
    if not asked[0].equals(asked[1]):
        raise CurateError(
            f"{models[0]} and {models[1]} were not asked the same requests",
            str(scored.folder),
            "score both over the same samples and prompts",
        )


def signed_rank(first: Values, second: Values) -> Row:
    """Give W and the two-sided p of Wilcoxon's signed-rank test (1945).

    Equal pairs leave, as Wilcoxon has it; where all are equal, p is 1.
    """
    from scipy import stats

    if not len(first):
        return {"w": None, "p": None}
    if (first == second).all():
        return {"w": 0.0, "p": 1.0}
    differing = first != second
    found = stats.wilcoxon(first[differing], second[differing])
    return {"w": float(found.statistic), "p": float(found.pvalue)}


def _defined(value: float) -> float | None:
    return None if np.isnan(value) else round(value, 12)
