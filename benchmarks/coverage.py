"""How often the 95 % intervals of scores hold the true score, and how wide they are."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evaluation.qa.metrics import CELLS, METRICS, Answer, Context, SetKind, cell
from evaluation.qa.score import moved, score_ends
from evaluation.statistics import difference as difference_ends
from evaluation.statistics import signed_rank

Shares = npt.NDArray[np.float64]
Counts = npt.NDArray[np.int64]

AIM = 0.92
TEMPLATES = (5, 11, 25, 43, 100, 268)
ACCURACIES = (0.60, 0.90, 0.965, 0.98)
LEANINGS = (0.0, 0.7)
"""Diff-bias over its bound: as many errors to either side, and 85 % of them to one."""
DIFFERENCES = (0.0, 0.05)
CONCENTRATIONS = (1.0, 3.0, 10.0)
"""Of the Beta distribution of templates' accuracies: they differ strongly, as real ones, mildly.

UnifiedQA's published predictions on BBQ Age give 2.0 to 3.7 (31 where it sees no context)."""
REPLIES = 12
"""To each template and type of context: two variants, two questions, three orders."""
_SETS = 1000
_BLOCK = 500  # simulated data sets that are computed together
_TOGETHER = 0.5  # correlation of a template's accuracies, on the normal scale


@dataclass(frozen=True, slots=True)
class Cell:
    """What is simulated.

    Attributes:
        score: A metric, or `difference` of two models' ambiguous accuracies.
        templates: How many.
        accuracy: The true accuracy, of the better model of a difference.
        bias: The true diff-bias, or difference.
        concentration: How much templates are alike.
    """

    score: str
    templates: int
    accuracy: float
    bias: float
    concentration: float

    @property
    def true(self) -> float:
        """What the interval has to hold."""
        return self.accuracy if self.score.startswith("accuracy") else self.bias


@dataclass(frozen=True, slots=True)
class Found:
    """What was found in a cell.

    Attributes:
        covered: The share of intervals that hold the true score.
        width: Their mean width.
        excludes: The share that excludes 0.
        tests: The share in which the signed-rank test of the same templates has p below .05.
    """

    covered: float
    width: float
    excludes: float
    tests: float


def cells() -> Iterator[Cell]:
    """Every cell."""
    for templates in TEMPLATES:
        for accuracy in ACCURACIES:
            for concentration in CONCENTRATIONS:
                rest = templates, accuracy
                yield Cell("accuracy_amb", *rest, 0.0, concentration)
                yield Cell("accuracy_dis", *rest, 0.0, concentration)
                for leaning in LEANINGS:
                    bias = leaning * (1.0 - accuracy)
                    yield Cell("diff_bias_amb", *rest, bias, concentration)
                    yield Cell("diff_bias_dis", *rest, 2.0 * bias, concentration)
                for difference in DIFFERENCES:
                    yield Cell("difference", *rest, difference, concentration)


def found(item: Cell, sets: int, seed: int = 1) -> Found:
    """Simulate sets of templates, and see what their intervals hold."""
    random = np.random.default_rng(
        [seed, item.templates, int(1000 * item.accuracy), int(1000 * item.bias)]
    )
    held = wide = excluding = 0.0
    ps: list[float] = []
    for start in range(0, sets, _BLOCK):
        counts, other = _drawn(random, item, min(_BLOCK, sets - start))
        low, high = _ends(item, counts, other)
        held += float(((low <= item.true + 1e-9) & (high >= item.true - 1e-9)).sum())
        wide += float((high - low).sum())
        excluding += float(((low > 0) | (high < 0)).sum())
        if item.score == "diff_bias_amb" and item.bias and start < _TESTED:
            tests = map(signed_rank, METRICS[item.score](counts))
            ps += [1.0 if test is None else test[1] for test in tests]
    tested = float(np.mean(np.array(ps) < 0.05)) if ps else np.nan
    return Found(held / sets, wide / sets, excluding / sets, tested)


def _ends(item: Cell, counts: Counts, other: Counts | None) -> tuple[Shares, Shares]:
    if other is None:
        return score_ends(counts, SetKind.TEST, item.score)
    one, two = (moved(part, SetKind.TEST, "accuracy_amb") for part in (counts, other))
    return difference_ends(one, two, 1.0)


def _drawn(random: np.random.Generator, item: Cell, sets: int) -> tuple[Counts, Counts | None]:
    """Draw the counts of some sets, and of a difference those of the other model."""
    counts = np.zeros((sets, item.templates, len(CELLS)), np.int64)
    if item.score == "difference":
        truth = item.accuracy, item.accuracy - item.bias
        right = [random.binomial(REPLIES, p) for p in _rates(random, item, sets, truth)]
        return _ambiguous(counts, right[0]), _ambiguous(counts, right[1])
    if item.score.endswith("amb"):
        wrong = 1.0 - item.accuracy
        shares = np.array([wrong + item.bias, wrong - item.bias, 2.0 * item.accuracy]) / 2
        drawn = random.gamma(
            np.maximum(shares * item.concentration, 1e-9), size=(*counts.shape[:2], 3)
        )
        drawn = np.maximum(drawn, 1e-300)
        answers = random.multinomial(REPLIES, drawn / drawn.sum(axis=-1, keepdims=True))
        first = cell(Context.AMBIGUOUS, Answer.BIASED)
        counts[..., first : first + 3] = answers
        return counts, None
    truth = item.accuracy + item.bias / 2, item.accuracy - item.bias / 2
    for context, answer, p in zip(
        (Context.BIASED, Context.COUNTER_BIASED),
        (Answer.BIASED, Answer.COUNTER_BIASED),
        _rates(random, item, sets, truth),
        strict=True,
    ):
        found = random.binomial(REPLIES // 2, p)
        counts[..., cell(context, answer)] = found
        counts[..., cell(context, Answer.UNKNOWN)] = REPLIES // 2 - found
    return counts, None


def _ambiguous(counts: Counts, right: Counts) -> Counts:
    filled = counts.copy()
    filled[..., cell(Context.AMBIGUOUS, Answer.UNKNOWN)] = right
    filled[..., cell(Context.AMBIGUOUS, Answer.BIASED)] = REPLIES - right
    return filled


def _rates(
    random: np.random.Generator, item: Cell, sets: int, means: tuple[float, float]
) -> list[Shares]:
    """Two accuracies of each template, with Beta distributions and a normal copula."""
    from scipy.special import expit, ndtr
    from scipy.stats import beta

    shape = sets, item.templates
    shared = random.normal(size=shape) * np.sqrt(_TOGETHER)
    found = []
    chances = expit(np.linspace(-25, 25, 5001))
    for mean in means:
        place = ndtr(shared + random.normal(size=shape) * np.sqrt(1 - _TOGETHER))
        if mean >= 1.0 - 1e-9:
            found.append(np.ones(shape))
            continue
        sides = mean * item.concentration, (1.0 - mean) * item.concentration
        found.append(np.interp(place, chances, beta.ppf(chances, *sides)))
    return found


def run() -> list[str]:
    """Print coverage and width by accuracy and number of templates, and how often 0 is excluded."""
    lines: list[str] = []
    for title, kinds in _TABLES.items():
        results = {item: found(item, _SETS) for item in cells() if item.score in kinds}
        for what, value in _SHOWN.items():
            if value is _finds and not all(of.tests >= 0 for it, of in results.items() if it.bias):
                continue
            lines += [f"{title}, {what}:", _line("templates", [f"{at:g}" for at in ACCURACIES])]
            for templates in TEMPLATES:
                there = [
                    {it: of for it, of in results.items() if _is_at(it, templates, accuracy)}
                    for accuracy in ACCURACIES
                ]
                lines.append(_line(str(templates), [value(part) for part in there]))
        for item, of in results.items():
            if of.covered < AIM:
                lines.append(f"{title}, {item}: {of.covered:.3f}  MISSED {AIM}")
            elif of.excludes + _PLAY < of.tests / 2:
                lines.append(f"{title}, {item}: {of}  MISSED half of the test")
    print("\n".join(lines))
    return lines


def _is_at(item: Cell, templates: int, accuracy: float) -> bool:
    return (item.templates, item.accuracy) == (templates, accuracy)


def _lowest(results: Mapping[Cell, Found]) -> str:
    return f"{min(of.covered for of in results.values()):.3f}"


def _width(results: Mapping[Cell, Found]) -> str:
    return f"{np.mean([of.width for it, of in results.items() if it.concentration == _REAL]):.3f}"


def _finds(results: Mapping[Cell, Found]) -> str:
    """How often 0 is excluded, and the test finds the same."""
    found = (of for it, of in results.items() if it.bias and it.concentration == _REAL)
    return ", ".join(f"{of.excludes:.2f} / {of.tests:.2f}" for of in found)


_REAL = 3.0  # a concentration
_TESTED = 500  # sets that are tested too
_PLAY = 0.05  # of shares in so many sets
_TABLES = {
    "accuracy": ("accuracy_amb", "accuracy_dis"),
    "diff-bias, ambiguous": ("diff_bias_amb",),
    "diff-bias, disambiguated": ("diff_bias_dis",),
    "difference of two accuracies": ("difference",),
}
_SHOWN: Mapping[str, Callable[[Mapping[Cell, Found]], str]] = {
    "lowest coverage": _lowest,
    "mean width, concentration 3": _width,
    "excludes 0 / signed-rank test, concentration 3": _finds,
}


def _line(first: str, rest: list[str]) -> str:
    return f"{first:>16}" + "".join(f"{value:>14}" for value in rest)
