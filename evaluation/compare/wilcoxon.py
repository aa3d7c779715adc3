"""Wilcoxon's tests: two models paired by template, and two benchmarks, or sets of one."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

import numpy as np
import pandas as pd

from curation.records.errors import CurateError
from curation.records.wording import natural
from evaluation.compare.pairs import difference_ends, rank_biserial, shown, tested
from evaluation.compare.values import Unit, Values, corrected, defined, unit_scores
from evaluation.intervals import FEW, FEWEST, Moved
from evaluation.qa.metrics import EVERY_CELL, MAIN, METRICS, SetKind, scores
from evaluation.qa.score import Row, moved
from evaluation.qa.tallies import Scored, counts_by
from evaluation.ranks import rank_sum, settled, signed_rank

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
    sides = list(_sides(frames, scored.kind))
    pairs = combinations(zip(models, sides, strict=True), 2)
    return corrected([row for pair in pairs for row in _pair(*pair)])


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


@dataclass(frozen=True, slots=True)
class _Side:
    """A model's scores by template, in one order of templates for all models.

    Attributes:
        whole: By score its value over all templates.
        values: By score that of each template; NaN where it is undefined.
        moves: By score what `evaluation.qa.score.moved` gives.
    """

    whole: Mapping[str, Values]
    values: Mapping[str, Values]
    moves: Mapping[str, Moved]


def _sides(frames: Mapping[str, pd.DataFrame], kind: SetKind) -> Iterator[_Side]:
    templates: pd.Index | None = None
    for frame in frames.values():
        keys, counts = counts_by(frame, ["template_id"])
        found = pd.Index(keys["template_id"])
        templates = found if templates is None else templates
        counts = counts[found.get_indexer(templates)]
        yield _Side(
            whole=scores(counts, kind),
            values={metric: METRICS[metric](counts) for metric in MAIN},
            moves={metric: moved(counts, kind, metric) for metric in MAIN},
        )


def _pair(first: tuple[str, _Side], second: tuple[str, _Side]) -> Iterator[Row]:
    (one, one_side), (two, two_side) = first, second
    whole = one_side.whole, two_side.whole
    for metric in MAIN:
        values = one_side.values[metric], two_side.values[metric]
        low, high = difference_ends(one_side.moves[metric], two_side.moves[metric], metric)
        both = ~np.isnan(values[0]) & ~np.isnan(values[1])
        score_1, score_2 = (float(found[metric]) for found in whole)
        yield {
            "model_1": one,
            "model_2": two,
            "metric": metric,
            "score_1": shown(score_1),
            "score_2": shown(score_2),
            "difference": shown(score_1 - score_2),
            "low": low,
            "high": high,
            "interval_note": FEW if low is not None and both.sum() < FEWEST else "",
            "templates": int(both.sum()),
            **tested("w", signed_rank(values[0][both] - values[1][both])),
            "p_holm": None,
        }


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
    whole = [_whole(part, kind) for part, kind in zip((one, two), kinds, strict=True)]
    for metric in MAIN:
        first, second = (defined(table[metric]) for table in values)
        score_1, score_2 = (found[metric] for found in whole)
        both = score_1 is not None and score_2 is not None
        yield {
            "metric": metric,
            "score_1": score_1,
            "score_2": score_2,
            "difference": settled(score_1 - score_2) if both else None,  # type: ignore[operator]
            "values_1": len(first),
            "values_2": len(second),
            **tested("u", rank_sum(first, second)),
            "effect": rank_biserial(first, second),
        }


def _whole(frame: pd.DataFrame, kind: SetKind) -> dict[str, float | None]:
    _, counts = counts_by(frame, ["template_id"])
    found = scores(counts, kind)
    return {
        name: None if found[name] != found[name] else float(found[name])  # NaN is undefined
        for name in METRICS
    }
