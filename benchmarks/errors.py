"""How often tests find what is not there, and what is."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from evaluation.compare.testing import Ends, Values, anova_and_tukey
from evaluation.statistics import fit, rank_sum, signed_rank, spearman

_DRAWS = 1000
_CATEGORIES = 10
_FAMILIES = 300
_SIZES = {
    "KoBBQ's 12": (21, 20, 25, 20, 43, 20, 27, 12, 22, 23, 11, 24),
    "5, 5, 5, 5, 22, 40": (5, 5, 5, 5, 22, 40),
}
"""Of categories: how many templates each has."""
_ALIKE, _DIFFER = (3.0, 3.0), (0.5, 20.0)
"""Concentrations of the Beta distribution of templates, of one category and the next in turn."""
_REPLIES = 60
_BIASED = 0.85
"""Share of the errors that are biased."""
_AIM = 0.02


def run() -> list[str]:
    """Simulate scores that have nothing to do with each other, and count p below .05."""
    random = np.random.default_rng(1)
    lines = []
    for models in (5, 10, 20):
        for spread in (0.0, 0.05, 0.3):
            ps = [_line(random, models, spread) for _ in range(_DRAWS)]
            lines.append(_said(f"mixed model, {models} models, spread {spread}", ps))
        ps = [_rank(random, models) for _ in range(_DRAWS)]
        lines.append(_said(f"Spearman, {models} models", ps))
    for templates in (11, 43, 268):
        both = [_wilcoxon(random, templates) for _ in range(_DRAWS)]
        for name, found in zip(("signed-rank", "rank-sum"), zip(*both, strict=True), strict=True):
            lines.append(_said(f"Wilcoxon's {name}, {templates} templates", found))
    return lines + _groups()


@dataclass(frozen=True, slots=True)
class Family:
    """Categories whose scores are compared, each with the same mean but perhaps one.

    Attributes:
        metric: An accuracy, or diff-bias.
        sizes: Of the categories, by name of `_SIZES`.
        mean: The true accuracy.
        concentrations: Of one category and the next, in turn.
        low: The true accuracy of the first category that has 20 templates or more; None if it is
            that of the others.
    """

    metric: str
    sizes: str
    mean: float
    concentrations: tuple[float, float]
    low: float | None = None


def families() -> Iterator[Family]:
    """Of which there is nothing to find, and then of which there is."""
    for metric in ("accuracy_amb", "diff_bias_amb"):
        for sizes in _SIZES:
            for mean in (0.90, 0.98):
                for concentrations in (_ALIKE, _DIFFER):
                    yield Family(metric, sizes, mean, concentrations)
        for sizes in _SIZES:
            for mean, low in ((0.90, 0.70), (0.98, 0.85)):
                yield Family(metric, sizes, mean, _ALIKE, low)


def found_in(family: Family, sets: int, seed: int = 1) -> dict[str, float]:
    """How often each test finds a difference at the level of .01 of all pairs together.

    Of a family with a difference: the mean share of the pairs with that category that are found.
    """
    random = np.random.default_rng([seed, len(family.sizes), int(1000 * family.mean)])
    found = dict.fromkeys(("tukey", "permutation"), 0.0)
    for _ in range(sets):
        samples, odd = _drawn(random, family)
        tests = anova_and_tukey(samples, Ends.of(family.metric))
        for name in found:
            differs = [
                row["differs"] == "yes"
                for row in tests[name]
                if odd is None or odd in (row["group_1"], row["group_2"])
            ]
            found[name] += any(differs) if odd is None else float(np.mean(differs))
    return {name: times / sets for name, times in found.items()}


def _drawn(random: np.random.Generator, family: Family) -> tuple[dict[str, Values], str | None]:
    """The scores of templates by category, and which category differs."""
    sizes = _SIZES[family.sizes]
    odd = None if family.low is None else next(at for at, n in enumerate(sizes) if n >= 20)
    samples = {}
    for at, size in enumerate(sizes):
        mean = family.mean if at != odd or family.low is None else family.low
        much = family.concentrations[at % 2]
        right = random.binomial(_REPLIES, random.beta(mean * much, (1 - mean) * much, size))
        score = right
        if family.metric.startswith("diff"):
            wrong = _REPLIES - right
            score = 2 * random.binomial(wrong, _BIASED) - wrong
        samples[str(at)] = score / _REPLIES
    return samples, None if odd is None else str(odd)


def _groups() -> list[str]:
    """Tukey's test is there for comparison: it is not for spreads that differ."""
    lines = []
    for family in families():
        found = found_in(family, _FAMILIES)
        what = "found" if family.low is not None else "false"
        line = (
            f"{what} at .01, {family.metric}, {family.sizes}, mean {family.mean}, "
            f"{'alike' if family.concentrations == _ALIKE else 'differ'}"
            f"{'' if family.low is None else f', one {family.low}'}: Tukey {found['tukey']:.3f}, "
            f"permutation {found['permutation']:.3f}"
        )
        # +- .008 is the play of the draws
        line += f"  MISSED {_AIM}" if what == "false" and found["permutation"] > 0.035 else ""
        lines.append(line)
        print(line, flush=True)
    return lines


def _said(name: str, ps: Sequence[float]) -> str:
    """Exact tests of few values may err less; the play of the draws is +- .014."""
    share = float(np.mean(np.array(ps) < 0.05))
    line = f"errors at .05, {name}: {share:.3f}{'' if share <= 0.065 else '  MISSED .065'}"
    print(line)
    return line


def _line(random: np.random.Generator, models: int, spread: float) -> float:
    """Models that differ in both scores, over categories, of which neither tells the other."""
    names = np.repeat([f"m{at}" for at in range(models)], _CATEGORIES).tolist()
    x = random.uniform(0.4, 0.9, models * _CATEGORIES)
    y = np.repeat(random.normal(0, spread, models), _CATEGORIES)
    line = fit(x, y + random.normal(0, 0.05, len(y)), names)
    return 1.0 if line is None else line.p()


def _rank(random: np.random.Generator, models: int) -> float:
    return spearman(random.normal(size=models), random.normal(size=models))[1]


def _wilcoxon(random: np.random.Generator, templates: int) -> tuple[float, float]:
    """Accuracies of templates of 12 questions each, which differ: many differences are tied."""
    truth = random.beta(4, 2, templates)
    one, two = random.binomial(12, truth) / 12, random.binomial(12, truth) / 12
    other = random.binomial(12, random.beta(4, 2, templates)) / 12
    signed, sums = signed_rank(one - two), rank_sum(one, other)
    return (signed or (0.0, 1.0))[1], (sums or (0.0, 1.0))[1]
