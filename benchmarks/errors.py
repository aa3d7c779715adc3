"""How often tests at the level of .05 find what is not there."""

from collections.abc import Sequence

import numpy as np

from evaluation.compare.anova import anova_and_tukey
from evaluation.random_intercept import fit
from evaluation.ranks import rank_sum, signed_rank, spearman

_DRAWS = 1000
_CATEGORIES = 10
_SIZES = (22, 5, 12, 5)
_SPREADS = (0.05, 0.3, 0.1, 0.3)
"""Of the groups' templates: few where they differ much, which is the worst for Tukey's test."""


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
    return lines + _groups(random)


def _groups(random: np.random.Generator) -> list[str]:
    """At the level of .01 of all pairs together, with spreads that are equal and that differ.

    Tukey's test is there for comparison: it is not for spreads that differ.
    """
    lines = []
    for name, spreads in (("equal", (0.1,) * len(_SIZES)), ("different", _SPREADS)):
        found = {"Tukey's test": 0, "Games and Howell's test": 0}
        for _ in range(_DRAWS):
            samples = {
                str(at): random.normal(0.6, spread, size)
                for at, (size, spread) in enumerate(zip(_SIZES, spreads, strict=True))
            }
            tests = anova_and_tukey("m", "category", "accuracy_amb", samples)
            for title, rows in zip(found, (tests.tukey, tests.games_howell), strict=True):
                found[title] += any(row["differs"] == "yes" for row in rows)
        for title, times in found.items():
            share = times / _DRAWS
            missed = share > 0.03 and title.startswith("Games")
            lines.append(f"errors at .01, {title}, {name} spreads: {share:.3f}")
            lines[-1] += "  MISSED .03" if missed else ""
            print(lines[-1])
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
