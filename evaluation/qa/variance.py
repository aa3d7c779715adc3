"""How much of what replies differ in comes from models, templates, prompts and orders.

Each reply is a number: right or not, or biased, counter-biased and neither (1, -1, 0). Its parts
are random effects of what it shares with other replies, and of their combinations (the crossed
design of generalizability theory; Brennan 2001). They are estimated by symmetric sums (Koch 1967):
the mean product of two replies that share some of these, and nothing else, is the square of the
overall mean and the sum of the parts that they share. This is unbiased in any design, and in a
balanced one it is the analysis of variance. Samples lie within their template.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from curation.intervals import LEVEL
from evaluation.folders import Row
from evaluation.qa.answers import Answers
from evaluation.qa.metrics import ANSWERS, LEANING, METRICS, READABLE, RIGHT, Context, Weights
from evaluation.qa.prepare import Grid

VARIANCE_COLUMNS = (
    *("model", "metric", "part", "levels", "variance", "share", "score_variance"),
    *("generalizability", "low", "high"),
)
"""One row for each model, score and part; an empty model is all of them together. `score_variance`
is what the part adds to the variance of the score: its sum is the square of the standard error over
other templates, samples, prompts and orders. `low` and `high`, in the row of the prompts, are the
ends of the score's 95 % interval over other templates and other prompts."""
VARIANCES = "variance.csv"
"""The file's name in a folder of scores."""
REST, REPEATS = "rest", "repeats"
_AXES = (("models",), ("templates", "samples"), ("prompts",), ("orders",))
Values = npt.NDArray[np.float64]
Number = Values | float
"""One, or several at once."""


def _numbers(metric: str, weights: Weights) -> Values:
    found = np.full((len(Context), ANSWERS + 1), np.nan)  # one more: no reply
    for context in METRICS[metric].over:
        found[context, :READABLE] = weights[context]
    return found


_WEIGHTS = {"accuracy_amb": RIGHT, "accuracy_dis": RIGHT, "diff_bias_amb": LEANING}
NUMBERS = {name: _numbers(name, weights) for name, weights in _WEIGHTS.items()}
"""By score the number of each answer, by context and answer; NaN where it does not count. The mean
is the score. `diff_bias_dis` is a difference of two means, and has no number for each reply."""


class VariancePart(NamedTuple):
    """A part of the variance of replies.

    Attributes:
        name: What replies share, as `templates x prompts`; `rest` is the combination of all.
        levels: How many different ones there are.
        variance: Of one reply; below 0 where chance alone would give more.
        of_mean: What it adds to the variance of the mean.
        of_difference: What it adds to half the variance of the difference of two models' means;
            0 where models do not differ in it.
    """

    name: str
    levels: int
    variance: float
    of_mean: float
    of_difference: float


def variance_rows(
    grid: Grid, answers: Mapping[str, Answers], scores: Mapping[str, Row], *, averaged: bool
) -> Iterator[Row]:
    """Yield the parts of each model's replies, and of all models' together.

    Args:
        grid: What models were asked.
        answers: By model what each reply says.
        scores: By model its scores.
        averaged: Whether scores are those of templates, averaged; else all replies pool.
    """
    for metric, numbers in NUMBERS.items():
        contexts = grid.samples.context
        used = np.flatnonzero(~np.isnan(numbers[contexts, 0]))
        used = used[np.argsort(grid.samples.unit[used], kind="stable")]
        templates = grid.samples.unit[used]
        together = _Sums(templates, averaged=averaged)
        for name, found in answers.items():
            values = _numbered(numbers, contexts[used], found[used])
            if len(answers) > 1:
                together.add(values)
            split = parts([values], templates, averaged=averaged)
            told = (scores[name][f"{metric}{end}"] for end in ("", "_low", "_high"))
            known = [float(it) for it in told if it is not None]
            ends = None
            if len(known) == 3:
                span = METRICS[metric].span
                ends = ends_over_prompts(split, known[0], (known[1], known[2]), span)
            yield from _rows(name, metric, split, ends)
        if len(answers) > 1:
            yield from _rows("", metric, together.parts())


def _numbered(numbers: Values, contexts: npt.NDArray[np.int8], answers: Answers) -> Values:
    """The numbers of replies by sample, prompt, order and epoch."""
    values: Values = numbers[contexts[:, None, None], answers]
    samples, prompts, orders = values.shape
    return values.reshape(samples, prompts, orders // 3, 3).swapaxes(2, 3)


def shared_by(name: str, every: Iterable[str]) -> set[str]:
    """What replies share that have a part in common; a sample lies in its template.

    Args:
        name: The part.
        every: All parts.
    """
    if name not in (REST, REPEATS):
        return {*name.split(" x "), *({"templates"} if "samples" in name else ())}
    named = {one for other in every for one in other.split(" x ")}
    return (named | {"templates"}) - {REST, REPEATS}


def of_samples(shared: Collection[tuple[Collection[str], float]]) -> Values:
    """What templates, prompts and both add to the variance of a mean.

    Args:
        shared: What replies share that have a part in common, and what it adds.
    """
    sampled = ({"templates"}, {"prompts"}, {"templates", "prompts"})
    return np.array([sum(it for names, it in shared if of <= {*names}) for of in sampled])


def satterthwaite(added: Iterable[Number], templates: int, prompts: int) -> tuple[Values, Values]:
    """The variance of a mean over templates and prompts, and its degrees of freedom (1946).

    Args:
        added: What the parts with templates, with prompts and with both add to the variance; the
            last is in both of the others.
        templates: How many templates.
        prompts: How many prompts; one is no sample, and adds nothing.
    """
    of_templates, of_prompts, of_both = map(np.asarray, added)
    variance, doubt = of_templates, of_templates**2 / (templates - 1)
    if prompts > 1:
        variance = variance + of_prompts - of_both
        doubt = doubt + (of_prompts**2 + of_both**2 / (templates - 1)) / (prompts - 1)
    return variance, np.where(doubt, variance**2 / np.where(doubt, doubt, 1.0), templates - 1.0)


def ends_over_prompts(
    split: Sequence[VariancePart],
    score: float,
    ends: tuple[float, float],
    span: tuple[float, float],
    level: float = LEVEL,
) -> tuple[float, float] | None:
    """The interval over other templates and prompts of a score of one model, or of a difference.

    What prompts add to the square of the half width of Student's t is added to that of the interval
    over templates alone, on both sides (Zou and Donner 2008). Orders are the three.

    Args:
        split: The parts of the model's replies, or of what two models' scores differ by.
        score: The score, or the difference.
        ends: Its interval over templates alone.
        span: The ends of its range.
        level: That of `ends`, and of what is given.

    Returns:
        The ends; None with one template or prompt, or where parts are undefined.
    """
    levels = {part.name: part.levels for part in split}
    if not {"templates", "prompts"} <= levels.keys():
        return None

    added = of_samples([(shared_by(part.name, levels), part.of_mean) for part in split])
    if np.isnan(added).any():
        return None
    low, high = widened(score, ends, added, levels["templates"], levels["prompts"], level)
    return max(float(low), span[0]), min(float(high), span[1])


def widened(
    score: Number,
    ends: tuple[Number, Number],
    added: Sequence[Number] | Values,
    templates: int,
    prompts: int,
    level: float,
) -> tuple[Values, Values]:
    """The interval of a score over other prompts too, which may pass the ends of its range.

    Args:
        score: The score.
        ends: Its interval over templates alone.
        added: What the parts with templates, with prompts and with both add to its variance.
        templates: How many templates.
        prompts: How many prompts.
        level: Of both intervals.
    """
    from scipy.special import stdtrit

    variance, df = satterthwaite(added, templates, prompts)
    df = np.maximum(df, min(templates, prompts) - 1)  # less only as a part is taken off
    reach, alone = (
        stdtrit(free, (1 + level) / 2) ** 2 * np.maximum(part, 0.0)
        for free, part in ((df, variance), (templates - 1, added[0]))
    )
    more = np.sqrt(np.maximum(reach - alone, 0.0))
    return score - np.hypot(score - ends[0], more), score + np.hypot(score - ends[1], more)


def _rows(
    model: str,
    metric: str,
    split: Sequence[VariancePart],
    ends: tuple[float, float] | None = None,
) -> Iterator[Row]:
    whole = sum(part.variance for part in split)
    error = sum(max(part.of_difference, 0.0) for part in split)
    for part in split:
        between = max(part.variance, 0.0) if part.name == _AXES[0][0] else 0.0
        low, high = ends if ends and part.name == "prompts" else (None, None)
        yield {
            "model": model,
            "metric": metric,
            "part": part.name,
            "levels": part.levels,
            "variance": _defined(part.variance),
            "share": _defined(part.variance / whole if whole > 0 else np.nan),
            "score_variance": _defined(part.of_mean),
            "generalizability": _defined(between / (between + error) if between else np.nan),
            "low": low,
            "high": high,
        }


def _defined(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def parts(
    models: Iterable[Values], templates: npt.NDArray[np.integer], *, averaged: bool = False
) -> list[VariancePart]:
    """Split the variance of replies into parts.

    Args:
        models: For each model the numbers of its replies, by sample, prompt, order and epoch; NaN
            where there is none.
        templates: For each sample its template; samples of one template lie together.
        averaged: Whether the mean is that of the templates' means.

    Returns:
        The parts, those of fewer things first. What all replies share has none; where no two
        replies share all but one thing, what needs them is NaN.
    """
    sums = _Sums(templates, averaged=averaged)
    for values in models:
        sums.add(values)
    return sums.parts()


class _Sums:
    """Counts, sums and weights of replies by what they share, model by model.

    A place in a table says of each axis how far two replies agree: in nothing (0), in the template
    (1), in the sample (2). A table holds sums over pairs of replies, each with itself among them.
    """

    def __init__(self, templates: npt.NDArray[np.integer], *, averaged: bool) -> None:
        self._starts = np.flatnonzero(np.diff(templates, prepend=-1))
        self._sizes = np.diff([*self._starts, len(templates)])
        self._averaged = averaged
        self._shape = tuple(1 + len(axis) for axis in _AXES)
        self._within = np.zeros((*self._shape[1:], 3))  # of pairs of one model
        self._levels = np.zeros(self._shape, np.int64)
        self._cells: Values | None = None  # of all models together
        self._models = 0
        self._replies = 0
        self._squares = 0.0
        self._repeated = False
        self._single = 0.0  # the squared weights of single replies

    def add(self, values: Values) -> None:
        """Add a model's replies."""
        there = ~np.isnan(values)
        counts = there.sum(axis=3).astype(np.float64)
        sums = np.where(there, values, 0.0).sum(axis=3)
        weights = self._weights(counts)
        cells = np.stack([counts, sums, weights])
        self._single += float((np.square(weights) / np.maximum(counts, 1)).sum())
        self._models += bool(there.any())
        self._replies += int(there.sum())
        self._squares += float(np.nansum(np.square(values)))
        self._repeated |= bool((counts > 1).any())
        for place, found in self._tables(cells):
            self._within[place] += _squared(found)
            self._levels[(1, *place)] += np.count_nonzero(found[0])
        self._cells = cells if self._cells is None else self._cells + cells

    def _weights(self, counts: Values) -> Values:
        """The weight of each cell in the mean of one model."""
        weights: Values
        if not self._averaged:
            weights = counts / max(counts.sum(), 1.0)
            return weights
        of_template = np.add.reduceat(counts.sum(axis=(1, 2)), self._starts)
        used = max(np.count_nonzero(of_template), 1)
        each = np.where(of_template > 0, 1 / np.maximum(of_template, 1), 0.0) / used
        weights = counts * np.repeat(each, self._sizes)[:, None, None]
        return weights

    def _tables(self, cells: Values) -> Iterator[tuple[tuple[int, ...], Values]]:
        """Cells summed over what need not agree, by how far replies agree."""
        of_templates = np.add.reduceat(cells, self._starts, axis=1)
        by_depth = cells.sum(axis=1, keepdims=True), of_templates, cells
        for place in product(*map(range, self._shape[1:])):
            found = by_depth[place[0]]
            for axis, agree in zip((2, 3), place[1:], strict=True):
                found = found if agree else found.sum(axis=axis, keepdims=True)
            yield place, found

    def parts(self) -> list[VariancePart]:
        """The parts of what was added."""
        if self._cells is None or not self._replies:
            return []
        tables = np.zeros((*self._shape, 3))
        tables[1] = self._within
        for place, found in self._tables(self._cells):
            tables[(0, *place)] = _squared(found)
            self._levels[(0, *place)] = np.count_nonzero(found[0])
        tables[..., 2] /= self._models**2
        pairs, products = _exactly(tables[..., 0]), _exactly(tables[..., 1])
        top = (-1, -1, -1, -1)
        pairs[top] -= self._replies
        products[top] -= self._squares
        square = self._squares / self._replies
        if not self._repeated:
            pairs[top], products[top] = 1.0, square
        kept = [_kept(pairs, axis) for axis in range(len(self._shape))]
        chosen = np.ix_(*kept)
        with np.errstate(invalid="ignore", divide="ignore"):
            variances = products[chosen] / pairs[chosen]
        repeats = square - variances[top] if self._repeated else None
        for axis in range(variances.ndim):
            variances = np.diff(variances, axis=axis, prepend=0.0)
        weights, levels = tables[..., 2][chosen], self._levels[chosen]
        return list(self._named(variances, weights, levels, kept, repeats))

    def _named(
        self,
        variances: Values,
        weights: Values,
        levels: npt.NDArray[np.int64],
        kept: Sequence[Sequence[int]],
        repeats: float | None,
    ) -> Iterator[VariancePart]:
        """Yield the parts by the number of what is shared."""
        several = len(kept[0]) > 1
        of_models = float(weights[1, 0, 0, 0]) if several else np.inf
        last = tuple(length - 1 for length in variances.shape)
        for place in sorted(np.ndindex(variances.shape), key=_in_order)[1:]:
            names = [_name(axis, kept[axis], depth) for axis, depth in enumerate(place) if depth]
            name = REST if place == last and repeats is None else " x ".join(names)
            variance, weight = float(variances[place]), float(weights[place])
            differs = several and place[0] and len(names) > 1
            apart = variance * (weight / of_models) if differs else 0.0
            yield VariancePart(name, int(levels[place]), variance, variance * weight, apart)
        if repeats is not None:
            each = self._single / self._models**2
            yield VariancePart(
                REPEATS, self._replies, repeats, repeats * each, repeats * each / of_models
            )


def _in_order(place: tuple[int, ...]) -> tuple[object, ...]:
    return sum(map(bool, place)), [not depth for depth in place], place


def _name(axis: int, kept: Sequence[int], depth: int) -> str:
    """What replies share; one sample of each template is the template."""
    return _AXES[axis][0 if len(kept) == 2 and kept[0] == 0 else kept[depth] - 1]


def _squared(cells: Values) -> Values:
    """The sum of squares of each table of cells."""
    squares: Values = np.einsum("tspo,tspo->t", cells, cells)
    return squares


def _exactly(table: Values) -> Values:
    """From pairs that agree at least so far to those that agree exactly so far."""
    for axis in range(table.ndim):
        following = np.roll(table, -1, axis)
        np.moveaxis(following, axis, 0)[-1] = 0.0
        table = table - following
    return table


def _kept(pairs: Values, axis: int) -> list[int]:
    """How far replies may agree on an axis: that of the first level at which pairs differ."""
    found = pairs.sum(axis=tuple(other for other in range(pairs.ndim) if other != axis))
    last = len(found) - 1
    return [depth for depth in range(last + 1) if depth == last or found[depth] > 0]
