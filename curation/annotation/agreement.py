"""How far annotators agree: shares, kappas and alpha, with intervals over templates.

Each is `1 - D_o / D_e`: the disagreement that is observed over that expected by chance. A statistic
that is not defined (one annotator, one label only) is None with the reason.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

from curation.intervals import beta_ends

Ratings = Mapping[str, Mapping[str, str]]
"""By template, the label that each annotator gave it; those who gave none are left out."""

Numbers = npt.NDArray[np.float64]
Disagreement = Callable[[Numbers], tuple[Numbers, Numbers]]
"""Observed and expected disagreement, of sums over templates along the last axis."""

ENDS = 1 / 2
"""How many templates with full agreement, and with none, are added for an interval."""
_DIGITS = 6
_STEP = 1e-4  # of a template, by which derivatives are taken
_ONE_LABEL = "only one label was used, so {}"


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

    @property
    def shown(self) -> str:
        """The value with its interval, as a cell of a table."""
        return "undefined" if self.value is None else self._with(" [{:.3f}, {:.3f}]")

    def _with(self, ends: str) -> str:
        has_none = self.ci_low is None or self.ci_high is None
        return f"{self.value:.3f}{'' if has_none else ends.format(self.ci_low, self.ci_high)}"

    def __str__(self) -> str:
        """In words: the value with its interval and the templates that it is taken over."""
        if self.value is None:
            return f"not defined: {self.reason}"
        text = f"{self._with(', 95 % interval {:.3f} to {:.3f}')} ({self.units} templates)"
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
        categories: By category its alpha.
        without: By annotator the alpha of all others.
        drift: By annotator, how often their earlier, and their later, labels are as most others'.
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
    categories: Mapping[str, Statistic] = field(default_factory=dict)
    without: Mapping[str, Statistic] = field(default_factory=dict)
    drift: Mapping[str, tuple[Statistic, Statistic]] = field(default_factory=dict)


def agreement(
    ratings: Ratings,
    annotators: Sequence[str],
    labels: Sequence[str],
    category: Mapping[str, str] = MappingProxyType({}),
    at: Mapping[tuple[str, str], str] = MappingProxyType({}),
) -> Agreement:
    """Work out how far annotators agree.

    Args:
        ratings: The labels.
        annotators: Everyone who rates, also who has given no label yet.
        labels: The labels that there are.
        category: By template its category.
        at: By template and annotator when a label was given, as text that can be compared.
    """
    names = tuple(sorted(annotators))
    given = Counter(one for unit in ratings.values() for one in unit.items())
    pairs = tuple(pair(ratings, one, other, labels) for one, other in combinations(names, 2))
    both = (two for unit in ratings.values() for two in combinations(unit.values(), 2))
    together = Counter(map(frozenset, both))
    complete = [unit for unit in ratings.values() if names and len(unit) == len(names)]
    return Agreement(
        annotators=names,
        counts={name: {label: given[name, label] for label in labels} for name in names},
        unanimous=sum(len(set(unit.values())) == 1 for unit in complete),
        complete=len(complete),
        percent=percent_agreement(ratings),
        fleiss=fleiss_kappa(ratings, names),
        alpha=krippendorff_alpha(ratings),
        pairs=pairs,
        confusion={
            one: {other: together[frozenset((one, other))] for other in labels} for one in labels
        },
        categories=alpha_by(ratings, category),
        without={name: krippendorff_alpha(_others(ratings, name)) for name in names}
        if len(names) > 2
        else {},
        drift={name: found for name in names if (found := drift(ratings, name, at))},
    )


def alpha_by(ratings: Ratings, category: Mapping[str, str]) -> dict[str, Statistic]:
    """Krippendorff's alpha of the templates of each category."""
    parts: dict[str, dict[str, Mapping[str, str]]] = {}
    for template, given in ratings.items():
        if template in category:
            parts.setdefault(category[template], {})[template] = given
    return {name: krippendorff_alpha(part) for name, part in sorted(parts.items())}


def _others(ratings: Ratings, name: str) -> dict[str, dict[str, str]]:
    """The labels of all but one annotator."""
    return {
        template: {who: label for who, label in given.items() if who != name}
        for template, given in ratings.items()
    }


def drift(
    ratings: Ratings, name: str, at: Mapping[tuple[str, str], str]
) -> tuple[Statistic, Statistic] | None:
    """How often somebody's earlier and later labels are those that most others gave.

    The two halves are cut by time; None where all labels were collected at once. Templates on which
    the others have no majority are left out.
    """
    timed = []
    for template, given in _others(ratings, name).items():
        label, when = ratings[template].get(name), at.get((template, name), "")
        (first, count), (_, next_) = [*Counter(given.values()).most_common(2), ("", 0), ("", 0)][:2]
        if label and when and count > next_:
            timed.append((when, template, {"label": label, "most others": first}))
    cut = sorted(timed, key=lambda one: one[0])[len(timed) // 2][0] if timed else ""
    earlier, later = (
        {template: both for when, template, both in timed if (when < cut) == is_early}
        for is_early in (True, False)
    )
    return (percent_agreement(earlier), percent_agreement(later)) if earlier and later else None


def percent_agreement(ratings: Ratings) -> Statistic:
    """The share of pairs of labels on one template that agree."""
    counts = _counts(ratings)
    if not len(counts):
        return Statistic(None, 0, "no template has two labels")

    def parts(sums: Numbers) -> tuple[Numbers, Numbers]:
        return sums[..., 0] / sums[..., 1], np.ones_like(sums[..., 1])

    sizes = counts.sum(axis=1)
    pairs = sizes * (sizes - 1)
    units = np.stack([sizes**2 - (counts**2).sum(axis=1), pairs], axis=1)
    whole = pairs.mean()
    return _statistic(units, np.array([[0.0, whole]]), np.array([whole, whole]), parts, "")


def fleiss_kappa(ratings: Ratings, annotators: Sequence[str]) -> Statistic:
    """Fleiss' kappa (Fleiss 1971), over templates that all annotators labelled."""
    raters = len(annotators)
    complete = {name: unit for name, unit in ratings.items() if len(unit) == raters}
    if raters < 2:
        return Statistic(None, len(complete), "there is only one annotator")
    if not complete:
        return Statistic(None, 0, "no template was labelled by all annotators")

    undefined = _ONE_LABEL.format("agreement by chance is already complete")
    return _of_labels(_counts(complete), 0.0, undefined)


def krippendorff_alpha(ratings: Ratings) -> Statistic:
    """Krippendorff's alpha for nominal data (Krippendorff 2011), labels may be missing.

    Args:
        ratings: The labels.
    """
    counts = _counts(ratings)
    if not len(counts):
        return Statistic(None, 0, "no template has two labels")
    return _of_labels(counts, 1.0, _ONE_LABEL.format("no disagreement is possible"))


def _counts(ratings: Ratings) -> Numbers:
    """How often each template got each label that occurs; of templates with two labels or more.

    Templates are sorted by content, so that their names make no difference.
    """
    units = [unit.values() for unit in ratings.values() if len(unit) > 1]
    labels = sorted({label for unit in units for label in unit})
    counted = sorted([Counter(unit)[label] for label in labels] for unit in units)
    return np.array(counted, np.float64)


def _of_labels(counts: Numbers, itself: float, undefined: str) -> Statistic:
    """The statistic of how often each template got each label.

    Args:
        counts: Templates x labels.
        itself: 1 where no label is expected beside itself, as of alpha; 0 where each may be.
        undefined: Why it is not defined where all labels are one.
    """

    def parts(sums: Numbers) -> tuple[Numbers, Numbers]:
        counts, size = sums[..., 1:], sums[..., 1:].sum(axis=-1)
        expected = (size**2 - (counts**2).sum(axis=-1)) / (size * (size - itself))
        return sums[..., 0] / size, expected

    sizes = counts.sum(axis=1)
    apart = (sizes**2 - (counts**2).sum(axis=1)) / (sizes - 1.0)
    size, kinds = sizes.mean(), counts.shape[1]
    agree = np.hstack([np.zeros((kinds, 1)), size * np.eye(kinds)])
    differ = size * np.append(1.0, np.full(kinds, 1 / kinds))
    return _statistic(np.column_stack([apart, counts]), agree, differ, parts, undefined)


def _statistic(
    units: Numbers, agree: Numbers, differ: Numbers, parts: Disagreement, undefined: str
) -> Statistic:
    """`1 - D_o / D_e` of sums over templates, with its 95 % interval.

    Half a template with full agreement, in equal parts on each label, and half a one with full
    disagreement are added, for those that were not seen. With them, the statistic's mean and its
    linearised variance over templates give a beta distribution between `1 - 1 / D_e`, where no two
    labels agree, and 1.

    Args:
        units: What is summed, of the shape templates x terms.
        agree: The same of a template with full agreement, for each label.
        differ: The same of a template with full disagreement.
        parts: The two disagreements.
        undefined: Why the statistic is not defined where none can be expected.
    """
    observed, expected = parts(units.sum(axis=0))
    if expected <= 0:
        return Statistic(None, len(units), undefined)
    value = float(1.0 - observed / expected)
    if len(units) < 2:
        return Statistic(round(value, _DIGITS), len(units), "no interval for one template")
    every = np.vstack([units, agree, differ])
    weights = np.append(np.ones(len(units)), np.full(len(agree), ENDS / len(agree)))
    weights = np.append(weights, ENDS)
    sums, number = weights @ every, weights.sum()
    above, below = (parts(sums + step * every) for step in (_STEP, -_STEP))
    moves = (below[0] / below[1] - above[0] / above[1]) / (2 * _STEP)
    moves -= weights @ moves / number
    observed, expected = parts(sums)
    # on a range from 0, where no two labels agree, to 1
    variance = weights @ (moves * expected) ** 2 * number / (number - 1.0)
    ends = (1.0 - (1.0 - end) / expected for end in beta_ends(1.0 - observed, variance))
    low, high = (max(float(end), -1.0) for end in ends)
    high = 1.0 if value == 1.0 else max(high, value)
    return Statistic(
        round(value, _DIGITS), len(units), "", round(min(low, value), _DIGITS), round(high, _DIGITS)
    )


def pair(
    ratings: Mapping[Any, Mapping[str, str]], first: str, second: str, labels: Sequence[str]
) -> Pair:
    """Compare two annotators; kappa is Cohen's (1960), over templates that both labelled."""
    both = [
        (unit[first], unit[second]) for unit in ratings.values() if first in unit and second in unit
    ]
    table = Counter(both)
    agree = sum(one == other for one, other in both)
    kappa = cohen_kappa(both)
    confusion = {one: {other: table[one, other] for other in labels} for one in labels}
    return Pair(first, second, agree, kappa, confusion)


def cohen_kappa(both: Sequence[tuple[str, str]]) -> Statistic:
    """Cohen's kappa (Cohen 1960).

    Args:
        both: The labels that two annotators gave each template.
    """
    if not both:
        return Statistic(None, 0, "they labelled no template in common")
    labels = sorted({label for one in both for label in one})
    kinds = len(labels)
    place = dict(zip(labels, np.eye(kinds), strict=True))

    def parts(sums: Numbers) -> tuple[Numbers, Numbers]:
        one, other = sums[..., 1 : kinds + 1], sums[..., kinds + 1 :]
        size = one.sum(axis=-1)
        return sums[..., 0] / size, 1.0 - (one * other).sum(axis=-1) / size**2

    units = [[one != other, *place[one], *place[other]] for one, other in sorted(both)]
    agree = np.hstack([np.zeros((kinds, 1)), np.eye(kinds), np.eye(kinds)])
    differ = np.append(1.0, np.full(2 * kinds, 1 / kinds))
    undefined = _ONE_LABEL.format("agreement by chance is already complete")
    return _statistic(np.array(units, np.float64), agree, differ, parts, undefined)
