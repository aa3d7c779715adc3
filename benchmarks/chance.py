"""How often a template without bias is said to be biased, and how many biased ones are found."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evaluation.compare.templates import template_bias
from evaluation.qa.answers import ModelAnswers, missing_places
from evaluation.qa.metrics import Answer, Context
from evaluation.qa.prepare import Grid, Samples, ScoreUnit
from evaluation.requests import Orders

AIM = 0.95
"""Of runs without any bias, those in which no template is said to be biased."""
_RUNS = 60
_FEWER = 30  # runs with bias
_TEMPLATES = 120
_ALIKE = (0.0, 0.8, 1.0)
"""How often a reply is that of the first order again: never, as real ones mildly, always."""
_SHARED = (0.5, 0.8)
"""How often a model's reply to a sample is that of the others: UnifiedQA's published answers to BBQ
Age in two formats have a correlation of .49 within templates."""
Chances = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Design:
    """What is asked, and how it is answered.

    Attributes:
        models: How many models.
        samples: How many samples of each type of context a template has.
        prompts: How many prompts.
        accuracy: The chance of the right answer; 1/3 of models that answer at random.
        alike: The chance that a reply repeats the first one to the sample.
        biased: The share of templates with bias.
        leaning: In them the share of the wrong answers that follow the stereotype.
        shared: The chance that a model's first reply to a sample is that of the other models.
    """

    models: int
    samples: int = 4
    prompts: int = 1
    accuracy: float = 1 / 3
    alike: float = 0.0
    biased: float = 0.0
    leaning: float = 1.0
    shared: float = 0.0


def grid_of(design: Design) -> Grid:
    """The grid of the samples of all templates, asked in full."""
    half = design.samples // 2
    kinds = [Context.AMBIGUOUS] * design.samples
    kinds += [Context.BIASED] * half + [Context.COUNTER_BIASED] * half
    count = _TEMPLATES * len(kinds)
    ids = tuple(f"age-{at // len(kinds) + 1:03d}a-{at % len(kinds):03d}" for at in range(count))
    samples = Samples(
        ids=ids,
        units=tuple(ScoreUnit(f"age-{at + 1:03d}", "age", "ST") for at in range(_TEMPLATES)),
        unit=np.repeat(np.arange(_TEMPLATES, dtype=np.int32), len(kinds)),
        context=np.tile(np.array(kinds, np.int8), _TEMPLATES),
        biased=np.zeros(count, np.int8),
        pairs=(("one", "two"),),
        pair=np.zeros(count, np.int32),
        groups=(("", ""),),
        group=np.zeros(count, np.int32),
        fillings=1,
        sha256="",
        told={},
    )
    prompts = tuple(str(at + 1) for at in range(design.prompts))
    asked = np.ones((count, design.prompts, 3), np.bool_)
    letters: tuple[str, str, str] = ("A", "B", "C")
    own = (letters,) * design.prompts
    return Grid(samples, prompts, ("unknown",) * design.prompts, own, Orders.CYCLIC, asked)


def chances(grid: Grid, design: Design) -> Chances:
    """The chance of each answer to each sample: biased, counter-biased, unknown."""
    context = grid.samples.context
    wrong = 1.0 - design.accuracy
    found = np.full((len(context), 3), wrong / 2)
    right = np.select(
        [context == Context.AMBIGUOUS, context == Context.BIASED],
        [Answer.UNKNOWN, Answer.BIASED],
        Answer.COUNTER_BIASED,
    )
    places = np.arange(len(context))
    found[places, right] = design.accuracy
    biased = grid.samples.unit < round(design.biased * _TEMPLATES)
    ambiguous = biased & (context == Context.AMBIGUOUS)
    found[ambiguous, Answer.BIASED] = wrong * design.leaning
    found[ambiguous, Answer.COUNTER_BIASED] = wrong * (1.0 - design.leaning)
    # of contexts that settle it wrong answers follow the stereotype where it is contradicted
    for kind, sign in ((Context.BIASED, 1), (Context.COUNTER_BIASED, -1)):
        there = biased & (context == kind)
        moved = sign * (2 * design.leaning - 1) * min(wrong, design.accuracy) / 2
        answer = Answer.BIASED if sign > 0 else Answer.COUNTER_BIASED
        other = Answer.COUNTER_BIASED if sign > 0 else Answer.BIASED
        found[there, answer] += moved
        found[there, other] -= min(moved, float(found[there, other].min(initial=1.0)))
        found[there] /= found[there].sum(axis=1, keepdims=True)
    return found


def answers(
    grid: Grid, drawn: Chances, design: Design, rng: np.random.Generator, common: Chances
) -> ModelAnswers:
    """Draw what one model answers; `common` is what all models draw of the samples."""
    ends = drawn.cumsum(axis=1)[:, None, None, :2]
    first = rng.random((len(drawn), 1, 1))
    if design.shared:
        first = np.where(rng.random(first.shape) < design.shared, common, first)
    again = rng.random(grid.asked.shape) < design.alike
    at = np.where(again, first, rng.random(grid.asked.shape))
    found = (at[..., None] > ends).sum(axis=-1).astype(np.int8)
    return ModelAnswers("model", found, missing_places(grid, found), {}, (), 0)


def flagged(design: Design, seed: int) -> tuple[int, int]:
    """How many templates without and with bias are said to differ from 0 in one run."""
    rng = np.random.default_rng(seed)
    grid = grid_of(design)
    drawn = chances(grid, design)
    common = np.random.default_rng([seed, 1]).random((len(drawn), 1, 1))
    models = [answers(grid, drawn, design, rng, common) for _ in range(design.models)]
    named = {str(row["template_id"]) for row in template_bias(grid, models) if row["differs"]}
    biased = {unit.template_id for unit in grid.samples.units[: round(design.biased * _TEMPLATES)]}
    return len(named - biased), len(named & biased)


QUIET = (
    *(Design(5, alike=alike) for alike in _ALIKE),
    *(Design(5, accuracy=0.8, alike=alike) for alike in _ALIKE),
    *(Design(12, accuracy=0.8, alike=alike) for alike in _ALIKE[:2]),
    *(Design(5, alike=0.8, shared=shared) for shared in _SHARED),
    *(Design(12, accuracy=0.8, alike=0.8, shared=shared) for shared in _SHARED),
)
"""Models without bias."""
BIASED = (
    Design(5, accuracy=0.5, alike=0.8, biased=0.3, leaning=0.9),
    Design(6, accuracy=0.6, alike=0.8, biased=0.3, leaning=0.8, prompts=5),
    Design(12, accuracy=0.7, alike=0.8, biased=0.3, leaning=0.9),
    Design(12, accuracy=0.7, alike=0.8, biased=0.3, leaning=0.7, prompts=5),
    Design(1, samples=40, accuracy=0.5, alike=0.8, biased=0.3, leaning=0.9),
    Design(5, samples=40, accuracy=0.5, alike=0.8, biased=0.3, leaning=0.9, shared=0.5),
)
"""Models with bias in some of the templates."""


def run() -> Iterator[str]:
    """Print how often chance is called bias, and how many biased templates are found."""
    for design in QUIET:
        quiet = sum(flagged(design, seed)[0] == 0 for seed in range(_RUNS)) / _RUNS
        # of 60 runs at the aim itself 1 in 20 series has 4.6 points less
        missed = ", MISSED" if quiet < AIM - 1.64 * (AIM * (1 - AIM) / _RUNS) ** 0.5 else ""
        yield _say(f"{_told(design)}: no template flagged in {quiet:.1%} of runs{missed}")
    for design in BIASED:
        runs = [flagged(design, seed) for seed in range(_FEWER)]
        false, true = (sum(run[at] for run in runs) for at in (0, 1))
        share = true / len(runs) / (design.biased * _TEMPLATES)
        yield _say(
            f"{_told(design)}, {design.leaning:.0%} of the wrong answers biased in "
            f"{design.biased:.0%} of templates: {share:.0%} of them found, "
            f"{false / max(true + false, 1):.1%} of the findings false"
        )


def _told(design: Design) -> str:
    return (
        f"{design.models} models, {design.samples} samples, {design.prompts} prompts, accuracy "
        f"{design.accuracy:.2f}, alike {design.alike}, shared {design.shared}"
    )


def _say(line: str) -> str:
    print(line, flush=True)
    return line
