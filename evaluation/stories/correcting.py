"""Scores of stories corrected by the passages that people read: prediction-powered inference.

The evaluator reads everything, and errs; people read a random part, and are taken to be right. What
people's readings add to the evaluator's on that part is added to the score of everything
(Angelopoulos et al. 2023), with the uncertainty of both. The unit is a pair of versions, because
neutrality is of pairs; `curate evaluate stories passages` draws pairs.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from curation.files.tables import read_table, refuse_problems
from curation.intervals import interval
from curation.records.errors import CurateError
from curation.records.findings import Finding, warning
from curation.records.wording import counted
from evaluation.qa.metrics import share
from evaluation.statistics import pooled
from evaluation.stories.pairs import EPOCH_COLUMN, FILLING_COLUMN, READINGS, pair_and_side
from evaluation.stories.readers import PERSON_TABLE

_SIGN = dict(zip(READINGS, (1, -1, 0), strict=False))  # B, C, U
_KEYS = ("model", "template_id", "question", "seed", "prompt_id", FILLING_COLUMN, EPOCH_COLUMN)
_SPANS = {"ntr_gen": (0.0, 1.0), "bias_gen": (-1.0, 1.0)}

Values = npt.NDArray[np.float64]
Ends = tuple[float | None, float | None, float | None]
"""A score, and the ends of its 95 % interval; None where it cannot be known."""


class Checked(NamedTuple):
    """What people's readings of one pair add to the evaluator's.

    Attributes:
        template: The template.
        ntr_gen: What is to be added to the neutrality, from -1 to 1.
        bias_gen: What is to be added to the bias, from -2 to 2.
    """

    template: str
    ntr_gen: float
    bias_gen: float


def read_checked(people: Path, readings: Path) -> tuple[dict[str, list[Checked]], list[Finding]]:
    """Compare people's readings with the evaluator's, by model.

    A pair counts if somebody read both of its versions and the evaluator's readings of both are
    choices. Of several readers the mean counts.

    Args:
        people: `stories_readers.csv`.
        readings: `readings.csv` with the column `request_id`.

    Raises:
        CurateError: If a file cannot be read, or people read no pair of these readings.
    """
    by_request: dict[str, dict[str, int]] = {}
    for item in PERSON_TABLE.read(people):
        by_request.setdefault(item.request_id, {})[item.reader] = _SIGN[item.reading]
    table = read_table(readings, required=("request_id", "version", "reading"), escaped=True)
    refuse_problems(table)
    pairs: dict[tuple[str, ...], dict[int, tuple[dict[str, int], int | None]]] = {}
    for row in table.rows:
        read = by_request.get(row["request_id"])
        if read is not None:
            pair, side = pair_and_side(row["version"])
            key = (*(row.get(name) for name in _KEYS), pair)
            pairs.setdefault(key, {})[side] = read, _SIGN.get(row["reading"])
    found: dict[str, list[Checked]] = {}
    for (model, template, *_), sides in pairs.items():
        if len(sides) == 2:
            (first, one), (second, other) = sides[0], sides[1]
            sums = [first[name] + second[name] for name in first if name in second]
            if sums and one is not None and other is not None:
                neutral = sum(both == 0 for both in sums) / len(sums) - (one + other == 0)
                lean = sum(sums) / 2 / len(sums) - (one + other) / 2
                found.setdefault(model, []).append(Checked(template, neutral, lean))
    draw = "draw passages with 'curate evaluate stories passages', and have all of them read"
    if not found:
        raise CurateError("people read no pair of versions of these readings", str(people), draw)
    unused = len(pairs) - sum(map(len, found.values()))
    what = (
        f"{counted(unused, 'pair is', 'pairs are')} not used: nobody read both "
        "versions, or the evaluator's reading of one is out-of-choice"
    )
    return found, [warning("story-people-unpaired", str(people), what, draw)] if unused else []


def correct(
    checked: Sequence[Checked],
    sizes: Mapping[str, int],
    category_of: Mapping[str, str],
    plain: Mapping[str, Ends],
) -> dict[str, Ends]:
    """Correct the scores of one model.

    Passages are drawn alike from every category, whatever its size. So each pair counts for as
    many as its category has of all: the pairs of the category over those that people read.

    Args:
        checked: What people's readings add.
        sizes: The model's pairs that count, by category.
        category_of: The category of each template.
        plain: Value and ends of the interval of each measure.
    """
    categories = [category_of[item.template] for item in checked]
    read = Counter(categories)
    weights = np.array([sizes[name] / read[name] for name in categories], np.float64)
    templates = list(dict.fromkeys(item.template for item in checked))
    places = np.array([templates.index(item.template) for item in checked], np.int64)
    moved = {name: np.array([getattr(item, name) for item in checked]) for name in _SPANS}
    return {
        name: corrected(plain[name], by_template(places, moved[name], weights), span)
        for name, span in _SPANS.items()
    }


def by_template(places: npt.NDArray[np.int64], moved: Values, weights: Values) -> Values:
    """Weighted sums of what is to be added, and of weights: templates by two."""
    return np.stack([np.bincount(places, part) for part in (weights * moved, weights)], axis=-1)


def corrected(plain: Ends, sums: Values, span: tuple[float, float]) -> Ends:
    """Add to a score what people's readings add in the mean.

    The interval is by variance estimates recovery (MOVER: Zou and Donner 2008): the distances from
    both estimates to the ends of their intervals add up as the roots of sums of squares.

    Args:
        plain: The evaluator's score with the ends of its interval.
        sums: As `by_template` gives them.
        span: The range of the score; what is added has one as wide on either side of 0.
    """
    value, low, high = plain
    if value is None:
        return None, None, None
    wide = span[1] - span[0]
    shift, moves, number = pooled(sums, _mean, sums[:, 1])
    total = float(np.clip(value + shift, *span))
    ends = interval(shift, moves, number, (-wide, wide))
    if low is None or high is None or np.isnan(ends[0]):
        return total, None, None
    below = value + shift - np.hypot(value - low, shift - ends[0])
    above = value + shift + np.hypot(high - value, ends[1] - shift)
    return total, max(span[0], float(below)), min(span[1], float(above))


def _mean(sums: Values | npt.NDArray[np.int64]) -> Values:
    parts = np.asarray(sums, np.float64)
    return share(parts[..., 0], parts[..., 1])
