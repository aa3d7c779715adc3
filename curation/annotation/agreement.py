"""How far annotators agree: shares, kappas and alpha, exact where they can be.

A statistic that is not defined (one annotator, one label only) is None with the reason.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations

import numpy as np

Ratings = Mapping[str, Mapping[str, str]]
"""By template, the label that each annotator gave it; those who gave none are left out."""

RESAMPLES = 2000
"""Of the bootstrap."""
_DIGITS = 6


@dataclass(frozen=True, slots=True)
class Statistic:
    """One statistic.

    Attributes:
        value: None where it is not defined.
        units: Templates that it is taken over.
        reason: Why it is not defined, or what is to be known of it.
        ci_low: Lower end of the 95 % interval; None where there is none.
        ci_high: Upper end.
    """

    value: float | None
    units: int
    reason: str = ""
    ci_low: float | None = None
    ci_high: float | None = None

    def __str__(self) -> str:
        """In words: the value with its interval and the templates that it is taken over."""
        if self.value is None:
            return f"not defined: {self.reason}"
        text = f"{self.value:.3f}"
        if self.ci_low is not None and self.ci_high is not None:
            text += f", 95 % interval {self.ci_low:.3f} to {self.ci_high:.3f}"
        text += f" ({self.units} templates)"
        return f"{text}; {self.reason}" if self.reason else text


@dataclass(frozen=True, slots=True)
class Pair:
    """Two annotators.

    Attributes:
        first: One of them.
        second: The other.
        agree: Templates to which both gave the same label.
        kappa: Cohen's kappa, over the templates that both labelled.
        confusion: How often the first gave one label and the second another.
    """

    first: str
    second: str
    agree: int
    kappa: Statistic
    confusion: Mapping[str, Mapping[str, int]]


@dataclass(frozen=True, slots=True)
class Agreement:
    """All statistics of some ratings.

    Attributes:
        annotators: Who rated.
        counts: By annotator, how often each label was given.
        unanimous: Templates that all annotators gave the same label.
        complete: Templates that all annotators labelled.
        percent: The share of pairs of labels on one template that agree.
        fleiss: Fleiss' kappa, over templates that all annotators labelled.
        alpha: Krippendorff's alpha for nominal data, over templates with two labels or more.
        pairs: Every two annotators.
        confusion: Pairs of labels on one template, over all pairs of annotators; symmetric.
    """

    annotators: tuple[str, ...]
    counts: Mapping[str, Mapping[str, int]]
    unanimous: int
    complete: int
    percent: Statistic
    fleiss: Statistic
    alpha: Statistic
    pairs: tuple[Pair, ...]
    confusion: Mapping[str, Mapping[str, int]] = field(default_factory=dict)


def agreement(
    ratings: Ratings, annotators: Sequence[str], labels: Sequence[str], seed: int = 42
) -> Agreement:
    """Work out how far annotators agree.

    Args:
        ratings: The labels.
        annotators: Everyone who rates, also who has given no label yet.
        labels: The labels that there are.
        seed: The seed of the bootstrap.
    """
    names = tuple(sorted(annotators))
    complete = [unit for unit in ratings.values() if names and len(unit) == len(names)]
    return Agreement(
        annotators=names,
        counts={
            name: {
                label: sum(unit.get(name) == label for unit in ratings.values()) for label in labels
            }
            for name in names
        },
        unanimous=sum(len(set(unit.values())) == 1 for unit in complete),
        complete=len(complete),
        percent=percent_agreement(ratings),
        fleiss=fleiss_kappa(ratings, names),
        alpha=krippendorff_alpha(ratings, seed),
        pairs=tuple(pair(ratings, one, other, labels) for one, other in combinations(names, 2)),
        confusion=_confusion(ratings, labels),
    )


def _rounded(value: Fraction | float) -> float:
    return round(float(value), _DIGITS)


def percent_agreement(ratings: Ratings) -> Statistic:
    """The share of pairs of labels on one template that agree."""
    agree = pairs = units = 0
    for unit in ratings.values():
        size = len(unit)
        units += size > 1
        pairs += size * (size - 1)
        agree += sum(count * (count - 1) for count in Counter(unit.values()).values())
    if not pairs:
        return Statistic(None, 0, "no template has two labels")
    return Statistic(_rounded(Fraction(agree, pairs)), units)


def fleiss_kappa(ratings: Ratings, annotators: Sequence[str]) -> Statistic:
    """Fleiss' kappa (Fleiss 1971), over templates that all annotators labelled."""
    raters = len(annotators)
    units = [Counter(unit.values()) for unit in ratings.values() if len(unit) == raters]
    if raters < 2:
        return Statistic(None, len(units), "there is only one annotator")
    if not units:
        return Statistic(None, 0, "no template was labelled by all annotators")
    within = sum(count * (count - 1) for unit in units for count in unit.values())
    observed = Fraction(within, len(units) * raters * (raters - 1))
    totals = sum(units, Counter())
    chance = sum(Fraction(count, len(units) * raters) ** 2 for count in totals.values())
    return _beyond_chance(observed, chance, len(units))


def _beyond_chance(observed: Fraction, chance: Fraction | int, units: int) -> Statistic:
    if chance == 1:
        return Statistic(
            None, units, "only one label was used, so agreement by chance is already complete"
        )
    return Statistic(_rounded((observed - chance) / (1 - chance)), units)


def krippendorff_alpha(ratings: Ratings, seed: int = 42, resamples: int = RESAMPLES) -> Statistic:
    """Krippendorff's alpha for nominal data (Krippendorff 2011), labels may be missing.

    The interval is that of a bootstrap over templates, percentiles 2.5 and 97.5; resamples in
    which alpha is not defined are left out of it, and their number is said.

    Args:
        ratings: The labels.
        seed: The seed of the bootstrap.
        resamples: How many.
    """
    labels = sorted({label for unit in ratings.values() for label in unit.values()})
    units = sorted(
        tuple(Counter(unit.values())[label] for label in labels)
        for unit in ratings.values()
        if len(unit) > 1
    )
    if not units:
        return Statistic(None, 0, "no template has two labels")
    apart = [Fraction(sum(u) ** 2 - sum(c * c for c in u), sum(u) - 1) for u in units]
    totals = [sum(column) for column in zip(*units, strict=True)]
    size = sum(totals)
    expected = size * size - sum(count * count for count in totals)
    if not expected:
        return Statistic(
            None, len(units), "only one label was used, so no disagreement is possible"
        )
    value = 1 - (size - 1) * sum(apart, Fraction()) / expected
    low, high, note = _interval(units, apart, seed, resamples)
    return Statistic(_rounded(value), len(units), note, low, high)


def _interval(
    units: Sequence[Sequence[int]], apart: Sequence[Fraction], seed: int, resamples: int
) -> tuple[float | None, float | None, str]:
    """Resample templates; they come sorted by content, so that their names make no difference."""
    if len(units) < 2:
        return None, None, "no interval for one template"
    generator = np.random.default_rng(seed)
    share = np.full(len(units), 1 / len(units))
    weights = generator.multinomial(len(units), share, size=resamples)
    counts = weights @ np.array(units, dtype=np.int64)
    size = counts.sum(axis=1)
    expected = size**2 - (counts**2).sum(axis=1)
    observed = weights @ np.array([float(item) for item in apart])
    usable = expected > 0
    undefined = int(resamples - usable.sum())
    note = f"not defined in {undefined} of {resamples} resamples" if undefined else ""
    if not usable.any():
        return None, None, note
    alphas = 1 - (size[usable] - 1) * observed[usable] / expected[usable]
    low, high = np.percentile(alphas, [2.5, 97.5])
    return _rounded(float(low)), _rounded(float(high)), note


def pair(ratings: Ratings, first: str, second: str, labels: Sequence[str]) -> Pair:
    """Compare two annotators; kappa is Cohen's (1960), over templates that both labelled."""
    both = [
        (unit[first], unit[second]) for unit in ratings.values() if first in unit and second in unit
    ]
    table = Counter(both)
    agree = sum(one == other for one, other in both)
    if both:
        ones, others = Counter(one for one, _ in both), Counter(other for _, other in both)
        chance = Fraction(sum(ones[label] * others[label] for label in ones), len(both) ** 2)
        kappa = _beyond_chance(Fraction(agree, len(both)), chance, len(both))
    else:
        kappa = Statistic(None, 0, "they labelled no template in common")
    confusion = {one: {other: table[one, other] for other in labels} for one in labels}
    return Pair(first, second, agree, kappa, confusion)


def _confusion(ratings: Ratings, labels: Sequence[str]) -> dict[str, dict[str, int]]:
    """Count pairs of labels on one template; either order, so the table is symmetric."""
    table: Counter[tuple[str, str]] = Counter()
    for unit in ratings.values():
        for one, other in combinations(unit.values(), 2):
            table[one, other] += 1
            if one != other:
                table[other, one] += 1
    return {one: {other: table[one, other] for other in labels} for one in labels}
