"""How often the 95 % intervals of scores hold the true score, and how wide they are."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evaluation.intervals import interval
from evaluation.qa.metrics import CELLS, Answer, Context, cell
from evaluation.qa.score import SPANS, SetKind, moved

Shares = npt.NDArray[np.float64]
Counts = npt.NDArray[np.int64]

AIM = 0.92
TEMPLATES = (5, 11, 20, 43, 268)
ACCURACIES = (0.60, 0.80, 0.95, 0.99)
BIASES = (0.0, 0.05, 0.2)
CONCENTRATIONS = (1.0, 3.0, 10.0)
"""Of the Beta distribution of templates' accuracies: they differ strongly, as real ones, mildly.

UnifiedQA's published predictions on BBQ Age give 2.0 to 3.7 (31 where it sees no context)."""
REPLIES = 12
"""To each template and type of context: two variants, two questions, three orders."""
_SETS = 4000
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


def cells() -> Iterator[Cell]:
    """Every cell that can be: a diff-bias is at most as large as the accuracy leaves."""
    for templates in TEMPLATES:
        for accuracy in ACCURACIES:
            for concentration in CONCENTRATIONS:
                rest = templates, accuracy
                yield Cell("accuracy_amb", *rest, 0.0, concentration)
                yield Cell("accuracy_dis", *rest, 0.0, concentration)
                for bias in BIASES:
                    yield Cell("difference", *rest, bias, concentration)
                    if bias <= 1.0 - accuracy + 1e-9:
                        yield Cell("diff_bias_amb", *rest, bias, concentration)
                    if bias <= 2.0 * (1.0 - accuracy) + 1e-9:
                        yield Cell("diff_bias_dis", *rest, bias, concentration)


def covered(item: Cell, sets: int, seed: int = 1) -> tuple[float, float]:
    """The share of intervals that hold the true score, and their mean width."""
    random = np.random.default_rng(
        [seed, item.templates, int(1000 * item.accuracy), int(1000 * item.bias)]
    )
    held = wide = 0.0
    for start in range(0, sets, _BLOCK):
        low, high = _ends(random, item, min(_BLOCK, sets - start))
        held += float(((low <= item.true + 1e-9) & (high >= item.true - 1e-9)).sum())
        wide += float((high - low).sum())
    return held / sets, wide / sets


def _ends(random: np.random.Generator, item: Cell, sets: int) -> tuple[Shares, Shares]:
    counts = np.zeros((sets, item.templates, len(CELLS)), np.int64)
    if item.score == "difference":
        truth = item.accuracy, item.accuracy - item.bias
        right = [random.binomial(REPLIES, p) for p in _rates(random, item, sets, truth)]
        both = [_ambiguous(counts, part) for part in right]
        one, two = (moved(part, SetKind.TEST, "accuracy_amb") for part in both)
        return interval(one[0] - two[0], one[1] - two[1], np.minimum(one[2], two[2]), (-1.0, 1.0))
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
    else:
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
    return interval(*moved(counts, SetKind.TEST, item.score), SPANS[item.score])


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
    """Print the lowest coverage of each column, and the mean width as templates really differ."""
    results = {item: covered(item, _SETS) for item in cells()}
    lines = []
    for title, number in (("lowest coverage", 0), ("mean width, concentration 3", 1)):
        lines += [f"intervals, {title}:", _line("templates", [name for name, _ in _COLUMNS])]
        for templates in TEMPLATES:
            shown = []
            for _, (kind, at) in _COLUMNS:
                there = [
                    found[number]
                    for item, found in results.items()
                    if item.templates == templates
                    and item.score.startswith(kind)
                    and item.true == at
                    and (number == 0 or item.concentration == CONCENTRATIONS[1])
                ]
                value = min(there) if number == 0 else float(np.mean(there))
                shown.append(f"{value:.3f}" if number == 0 else f"{value:.2f}")
            lines.append(_line(str(templates), shown))
    for item, (share, _) in results.items():
        if share < AIM:
            lines.append(f"intervals, {item}: {share:.3f}  MISSED {AIM}")
    print("\n".join(lines))
    return lines


_COLUMNS = (
    *((f"acc {value:.2f}", ("accuracy", value)) for value in ACCURACIES),
    *((f"bias {value:.2f}", ("diff_bias", value)) for value in BIASES),
    *((f"pair {value:.2f}", ("difference", value)) for value in BIASES),
)


def _line(first: str, rest: list[str]) -> str:
    return f"{first:>9}" + "".join(f"{value:>10}" for value in rest)
