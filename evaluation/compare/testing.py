"""Whether scores differ: categories and labels, two models, two benchmarks or sets of one.

Groups by one-way ANOVA, Tukey's HSD and permutation tests, of each model by itself, or of all
models together: then scores are normalised, and averaged over models. Templates that are pairs,
models and benchmarks by Wilcoxon's tests.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import combinations, pairwise
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from curation.intervals import LEVEL as INTERVAL
from curation.records.messages import natural, refusal
from evaluation.folders import Row
from evaluation.qa.metrics import (
    BOUNDS,
    EVERY_CELL,
    INTERVALS,
    MAIN,
    METRICS,
    SetKind,
    of_templates,
    scores,
)
from evaluation.qa.score import NAMELESS, Scored, Units, counts_by, moved
from evaluation.qa.variance import ends_over_prompts, parts
from evaluation.statistics import (
    EQUAL,
    FEW,
    FEWEST,
    Moved,
    chance,
    corrected,
    difference,
    is_sure,
    level_of,
    matched_biserial,
    rank_sum,
    settled,
    signed_rank,
)

Values = npt.NDArray[np.float64]


class PairedUnit(StrEnum):
    """What one value is the score of: a template over all prompts, or a prompt over all."""

    TEMPLATE = "template"
    PROMPT = "prompt"

    @property
    def column(self) -> str:
        """The column of counts that names it."""
        return "template_id" if self is PairedUnit.TEMPLATE else "prompt"


def unit_scores(
    frame: pd.DataFrame, unit: PairedUnit, kind: SetKind, names: Sequence[str] = MAIN
) -> pd.DataFrame:
    """Score each unit of a model's counts.

    Args:
        frame: Counts of one model, or a part of them.
        unit: What one value is the score of.
        kind: How a prompt's templates are put together: pooled or averaged.
        names: Which scores.

    Returns:
        One row a unit, with the column of the unit's name and those of the scores, NaN where one
        is undefined.
    """
    if unit is PairedUnit.TEMPLATE:
        keys, counts = counts_by(frame, ["template_id"])
        for name in names:
            keys[name] = METRICS[name](counts)
        return keys
    rows = []
    for prompt, part in frame.groupby("prompt", sort=False):
        _, counts = counts_by(part, ["template_id"])
        values = scores(counts, kind, names)
        rows.append({"prompt": prompt, **{name: float(values[name]) for name in names}})
    return pd.DataFrame(rows)


def defined(values: pd.Series) -> Values:
    """The values that are defined."""
    return values.dropna().to_numpy(np.float64)


OVERALL = "overall"
"""What a row calls all groups together."""


@dataclass(frozen=True, slots=True)
class Contrasts:
    """Differences of means, as weights of the groups' means.

    Attributes:
        names: The two sides of each; the second may be `OVERALL`.
        weights: Of the shape contrasts x groups; each row adds up to 0.
        means: Of each side.
        sizes: Of each side how many values it has.
    """

    names: tuple[tuple[str, str], ...]
    weights: Values
    means: Mapping[str, float]
    sizes: Mapping[str, int]

    @classmethod
    def of(cls, samples: Mapping[str, Values], *, overall: bool) -> "Contrasts":
        """All pairs of groups and, where wanted, each group with all values.

        Args:
            samples: By group its values.
            overall: Whether groups are compared with all values too. A group is a part of these,
                which the weights take into account.
        """
        units = np.eye(len(samples))
        sides = dict(zip(samples, zip(samples.values(), units, strict=True), strict=True))
        names = list(combinations(samples, 2))
        if overall:
            names += [(name, OVERALL) for name in samples]
            whole = np.array([len(found) for found in samples.values()], np.float64)
            sides[OVERALL] = np.concatenate(list(samples.values())), whole / whole.sum()
        weights = np.array([sides[one][1] - sides[two][1] for one, two in names])
        means = {name: settled(float(found.mean())) for name, (found, _) in sides.items()}
        sizes = {name: len(found) for name, (found, _) in sides.items()}
        return cls(tuple(names), weights, means, sizes)

    def row(self, at: int) -> Row:
        """The columns that say what is compared, and the difference of the means."""
        one, two = self.names[at]
        return {
            "group_1": one,
            "group_2": two,
            "mean_1": self.means[one],
            "mean_2": self.means[two],
            "difference": settled(self.means[one] - self.means[two]),
        }


PERMUTATIONS: Final = 1999
"""How many; the smallest p is 1 over one more."""
_SEED = 2024
_TINY = 1e-14  # a variance; keeps a t of no spread finite


class Ends(NamedTuple):
    """The ends of a score's range, and how much of a value is put at each.

    Attributes:
        low: The smallest value that is possible.
        high: The largest.
        share: How much of a value: one half at the ends of an accuracy, a sixth at those of a
            score that may have either sign, for it usually lies far from both. With less, groups
            that are alike are said to differ in more than 2 % of simulated families.
    """

    low: float
    high: float
    share: float

    @classmethod
    def of(cls, metric: str) -> "Ends":
        """Those of a score."""
        low, high = METRICS[metric].span
        return cls(low, high, 1 / 6 if low < 0.0 else 1 / 2)


def largest_t(samples: Mapping[str, Values], contrasts: Contrasts, ends: Ends) -> Iterator[Row]:
    """Compare groups by the permutation distribution of the largest Welch t of all comparisons.

    A mean and its variance are those of the group's values with `ends.share` of a value added at
    each end of the range: five values without an error do not show that there are none with
    errors. t is the difference of two such means over the root of the sum of their variances
    (Welch 1938). For its distribution without differences, the values less their group's mean,
    over its standard deviation, are permuted over all groups (Janssen 1997), and each group gives
    those that it receives its own standard deviation, the ends included. p is the share of
    permutations whose largest t reaches a comparison's (Westfall and Young 1993), the groups as
    they are counted as one: it holds for all comparisons together and is never 0.

    Args:
        samples: By group its values, two or more each.
        contrasts: What is compared.
        ends: The range of the values.

    Yields:
        Rows with the columns of `PERMUTATION_COLUMNS`. Two groups without any spread have
        no p and no interval.
    """
    sizes = np.array([len(found) for found in samples.values()])
    group = np.repeat(np.arange(len(sizes)), sizes)
    values = np.concatenate(list(samples.values()))
    ends = ends._replace(
        low=min(ends.low, float(values.min())), high=max(ends.high, float(values.max()))
    )
    plain = np.array([found.mean() for found in samples.values()])
    spread = np.array(
        [found.std(ddof=1) if float(np.ptp(found)) > EQUAL else 0.0 for found in samples.values()]
    )
    means, variances = _regularised(values[:, None], sizes, ends)
    differences = (contrasts.weights @ means)[:, 0]
    errors = np.sqrt((contrasts.weights**2 @ variances)[:, 0])
    t = differences / errors
    residuals = (values - plain[group]) / np.where(spread > 0, spread, 1.0)[group]
    scales = np.sqrt(variances[:, 0] * sizes)[group, None]
    drawn = residuals[_permuted(len(values))] * scales
    centre = float(values.mean())
    moved = ends._replace(low=ends.low - centre, high=ends.high - centre)
    largest = _largest(drawn, sizes, moved, contrasts.weights)
    reach = errors * largest[-round((1.0 - LEVEL) * (PERMUTATIONS + 1))]
    beyond = PERMUTATIONS - np.searchsorted(largest, np.abs(t) * (1.0 - EQUAL))
    spreads = dict(zip(samples, spread.tolist(), strict=True)) | {OVERALL: float(spread.max())}
    for at, names in enumerate(contrasts.names):
        row = contrasts.row(at) | dict.fromkeys(("low", "high", "p"), None)
        row |= {"differs": "", "t": None, "permutations": PERMUTATIONS}
        varies = any(spreads[name] for name in names)
        if varies:
            wide = ends.high - ends.low
            low = max(float(differences[at] - reach[at]), -wide)
            high = min(float(differences[at] + reach[at]), wide)
            row["differs"] = "yes" if low > 0 or high < 0 else "no"
            plain_one = float(row["difference"])
            row |= {"low": min(low, plain_one), "high": max(high, plain_one), "t": float(t[at])}
            row["p"] = float(beyond[at] + 1) / (PERMUTATIONS + 1)
        yield row


def _regularised(values: Values, sizes: npt.NDArray[np.int64], ends: Ends) -> tuple[Values, Values]:
    """Means of groups and their variances, with shares of a value at the ends of the range.

    Args:
        values: Of the shape values x draws, group after group.
        sizes: How many values each group has.
        ends: The range.

    Returns:
        Both of the shape groups x draws.
    """
    starts = np.cumsum(sizes) - sizes
    number = (sizes + 2 * ends.share)[:, None]
    means = (np.add.reduceat(values, starts) + ends.share * (ends.low + ends.high)) / number
    squares = np.add.reduceat(values**2, starts) + ends.share * (ends.low**2 + ends.high**2)
    variances = (squares - number * means**2) / (number * (number - 1.0))
    return means, np.maximum(variances, _TINY)


def _largest(drawn: Values, sizes: npt.NDArray[np.int64], ends: Ends, weights: Values) -> Values:
    """The largest t of each draw, in ascending order."""
    means, variances = _regularised(drawn, sizes, ends)
    return np.sort((np.abs(weights @ means) / np.sqrt(weights**2 @ variances)).max(axis=0))


@lru_cache(maxsize=4)
def _permuted(number: int) -> npt.NDArray[np.int32]:
    """Permutations of so many places, of the shape places x permutations, always the same."""
    random = np.random.default_rng([_SEED, number])
    places = np.arange(number, dtype=np.int32)
    return np.array([random.permutation(places) for _ in range(PERMUTATIONS)]).T.copy()


LEVEL = 0.99
"""Level of the intervals of pairs (KoBBQ, section 4.3)."""
_NORMAL = 9.0  # beyond it lies less than double precision shows
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(128)  # of each of the two integrals
_LEFT_OUT = 1e-17


def tail(ranges: Values, groups: int, df: float) -> Values:
    """The chance that a studentized range exceeds each of some values.

    `P(Q > q) = 1 - int f(s) k int phi(z) [Phi(z) - Phi(z - q s)]^(k - 1) dz ds`, where `s` is
    distributed as the square root of chi-square over its degrees of freedom (Tukey 1949), by
    Gauss-Legendre quadrature of both integrals.

    Args:
        ranges: The values, not negative.
        groups: How many groups.
        df: Degrees of freedom of the variance within groups, at least 1.
    """
    from scipy.special import ndtr

    scales, weights = _scales(df)
    z, z_weights = _points(-_NORMAL, _NORMAL)
    density = groups * z_weights * np.exp(-(z**2) / 2) / np.sqrt(2 * np.pi)
    below = ndtr(z)
    found = np.empty(len(ranges))
    for at, value in enumerate(ranges):
        inside = below[None, :] - ndtr(z[None, :] - value * scales[:, None])
        found[at] = 1.0 - weights @ (inside ** (groups - 1) @ density)
    return np.clip(found, 0.0, 1.0)


@lru_cache(maxsize=256)
def critical(level: float, groups: int, df: float) -> float:
    """The value that a studentized range exceeds with a chance of `1 - level`."""
    from scipy.optimize import brentq

    def beyond(value: float) -> float:
        return float(tail(np.array([value]), groups, df)[0]) - (1.0 - level)

    high = 8.0
    while beyond(high) > 0:
        high *= 2
    return float(brentq(beyond, 0.0, high, xtol=1e-10))


@lru_cache(maxsize=256)
def _scales(df: float) -> tuple[Values, Values]:
    """Points of `s`, and the weight of each: density times the quadrature's own."""
    from scipy.stats import chi2

    ends = np.sqrt(chi2.ppf(_LEFT_OUT, df) / df), np.sqrt(chi2.isf(_LEFT_OUT, df) / df)
    points, weights = _points(float(ends[0]), float(ends[1]))
    # chi2's density at df s^2, times the derivative of df s^2
    return points, weights * chi2.pdf(df * points**2, df) * 2 * df * points


def _points(low: float, high: float) -> tuple[Values, Values]:
    half = (high - low) / 2
    return low + half * (_NODES + 1), _WEIGHTS * half


GROUPINGS = ("category", "label")
"""What is compared."""
ANOVA_COLUMNS = (
    *("model", "group_by", "metric", "groups", "values", "f", "df_between", "df_within", "p"),
    "p_holm",
)
"""One test for each model, grouping and score; Holm's correction over all of a model's. Where no
group has any spread there is no F and no p."""
TUKEY_COLUMNS = (
    *("model", "group_by", "metric", "group_1", "group_2", "mean_1", "mean_2", "difference"),
    *("low", "high", "p", "differs"),
)
"""One row a pair; p and interval hold for all pairs of a test together."""
PERMUTATION_COLUMNS = (*TUKEY_COLUMNS, "t", "permutations")
"""One row a pair, as in Tukey's table, with Welch's t and the number of permutations. Where neither
group has any spread there is no p and no interval."""
MEAN_COLUMNS = (
    *("model", "group_by", "metric", "group", "values", "mean", "compare_low", "compare_high"),
)
"""One row a group. Two groups whose intervals do not overlap differ by Tukey's test: these are the
99 % comparison intervals of Hochberg and Tamhane (1987, equation 3.32), exact for groups of one
size. They say nothing of one group alone, as the intervals of scores do, and may pass the ends of a
score's range."""
_SMALLEST = 2


GROUP_TABLES = {
    "anova": ANOVA_COLUMNS,
    "tukey": TUKEY_COLUMNS,
    "permutation": PERMUTATION_COLUMNS,
    "means": MEAN_COLUMNS,
}
"""The columns of the tables of groups, by name."""
POOLED = "all models"
"""What the rows of all models together call their model."""
GroupTests = Mapping[str, Sequence[Row]]
"""By `anova`, `tukey`, `permutation` and `means` the rows of these tables; `skipped` are groups
with fewer than two values, by `metric` and `group`."""
_TABLES = (*GROUP_TABLES, "skipped")


class Normalised(StrEnum):
    """How scores of models that differ in size are made alike before they are averaged.

    `model`: a score less the model's mean, over its standard deviation (n - 1), both over all
    units. `bound`: diff-bias over the largest that the unit's accuracy allows, each averaged over
    the models first, so that a model without an error counts; undefined where no model can be
    biased.
    """

    MODEL = "model"
    BOUND = "bound"


def group_tests(
    frames: Mapping[str, pd.DataFrame],
    groupings: Sequence[str],
    unit: PairedUnit,
    kind: SetKind,
    normalised: Normalised | None = None,
) -> GroupTests:
    """Test by several groupings whether scores differ, with Holm's correction.

    Of all models together a value is the mean over models of the normalised score of a unit, so
    that each unit counts once, however many models there are; each group is then also compared
    with all units together (KoBBQ, section 4.3 and figure 3).

    Args:
        frames: By model its counts.
        groupings: `category`, `label` or both.
        unit: What one value is the score of.
        kind: How a prompt's templates are put together.
        normalised: How scores are normalised to test all models together; None tests each.
    """
    found: dict[str, list[Row]] = {name: [] for name in _TABLES}
    families = {name: [frame] for name, frame in frames.items()}
    if normalised is not None:
        families = {POOLED: list(frames.values())}
    metrics = BOUNDS if normalised is Normalised.BOUND else MAIN
    for model, own in families.items():
        family: dict[str, list[Row]] = {name: [] for name in _TABLES}
        for group_by in groupings:
            scored = [_scores(frame, group_by, unit, kind) for frame in own]
            for metric in metrics:
                values, ends = group_values(scored, metric, normalised)
                tests = anova_and_tukey(values, ends, overall=normalised is not None)
                head: Row = {"model": model, "group_by": group_by, "metric": metric}
                for name, rows in tests.items():
                    family[name] += [{**head, **row} for row in rows]
        family["anova"] = corrected(family["anova"])
        for name, rows in family.items():
            found[name] += rows
    return found


def _scores(frame: pd.DataFrame, group_by: str, unit: PairedUnit, kind: SetKind) -> pd.DataFrame:
    """A model's scores by group and unit."""
    parts = {
        str(name) or NAMELESS: unit_scores(part, unit, kind, INTERVALS).set_index(unit.column)
        for name, part in frame.groupby(group_by, sort=False)
    }
    return pd.concat(parts, names=["group"])


def group_values(
    scored: Sequence[pd.DataFrame], metric: str, normalised: Normalised | None
) -> tuple[dict[str, Values], Ends]:
    """By group the value of each unit, and the range of such values.

    A unit that a model leaves undefined is averaged over the others. A model whose scores do not
    vary at all has none that are normalised by its mean.

    Args:
        scored: Of each model the scores by group and unit; one model where nothing is normalised.
        metric: The score.
        normalised: How it is normalised.
    """
    ends = Ends.of(metric)
    if normalised is None:
        (values,) = (table[metric] for table in scored)
    elif normalised is Normalised.BOUND:
        score, bound = (
            _mean([table[name] for table in scored]) for name in (metric, BOUNDS[metric])
        )
        values = score / bound.where(bound > 0)
    else:
        of_models = [table[metric] for table in scored]
        centres = np.array([float(one.mean()) for one in of_models])
        spreads = [float(one.std(ddof=1)) for one in of_models]
        scales = np.array([one if one > EQUAL else np.nan for one in spreads])
        parts = zip(of_models, centres, scales, strict=True)
        values = _mean([(one - centre) / scale for one, centre, scale in parts])
        low, high = (float(pd.Series((end - centres) / scales).mean()) for end in ends[:2])
        ends = ends._replace(low=low, high=high)
    by_group = values.groupby(level="group", sort=False)
    return {str(name): defined(found) for name, found in by_group}, ends


def _mean(columns: Sequence["pd.Series[float]"]) -> "pd.Series[float]":
    mean: pd.Series[float] = pd.concat(columns, axis=1, sort=False).mean(axis=1)
    return mean


def anova_and_tukey(
    samples: Mapping[str, Values], ends: Ends, *, overall: bool = False
) -> GroupTests:
    """Test whether groups of values differ; one with fewer than two values is left out.

    Args:
        samples: By group its values.
        ends: The range of the values.
        overall: Whether groups are also compared with all values together.

    Returns:
        Rows without model, grouping and score; `p_holm` is left open.
    """
    found: dict[str, Sequence[Row]] = dict.fromkeys(_TABLES, ())
    found["skipped"] = [{"group": name} for name, of in samples.items() if len(of) < _SMALLEST]
    kept = {name: of for name, of in samples.items() if len(of) >= _SMALLEST}
    if len(kept) > 1:
        contrasts = Contrasts.of(kept, overall=overall)
        found["anova"] = [_anova(list(kept.values()))]
        found["permutation"] = list(largest_t(kept, contrasts, ends))
        df, errors = _errors(kept, contrasts.weights)
        found["tukey"] = list(_tukey(contrasts, df, errors))
        found["means"] = list(_means(contrasts, df, errors))
    return found


def _anova(samples: Sequence[Values]) -> Row:
    """The one-way analysis of variance.

    Where no group has any spread there is no F, however far apart they are: what values differ by
    is not known.
    """
    from scipy import stats

    total = sum(map(len, samples))
    f: tuple[float | None, float | None] = None, None
    if _spread(samples):
        found = stats.f_oneway(*samples)
        f = float(found.statistic), chance(float(found.pvalue))
        if np.ptp([values.mean() for values in samples]) <= EQUAL:
            f = 0.0, 1.0  # means that are equal: what F is left with is the noise of floats
    return {
        "groups": len(samples),
        "values": total,
        "f": f[0],
        "df_between": len(samples) - 1,
        "df_within": total - len(samples),
        "p": f[1],
        "p_holm": None,
    }


def _tukey(contrasts: Contrasts, df: int, errors: Values | None) -> Iterator[Row]:
    """Compare all pairs (Tukey 1949; Kramer 1956 for groups of different sizes).

    All values together, where wanted, count as one more group.
    """
    if errors is None:
        return  # no spread within any group: the studentized range is undefined
    count = len(contrasts.means)
    rows = [contrasts.row(at) for at in range(len(contrasts.names))]
    differences = np.array([row["difference"] for row in rows], np.float64)
    ps = tail(np.abs(differences) / errors, count, df)
    reach = critical(LEVEL, count, df) * errors
    columns = (item.tolist() for item in (differences - reach, differences + reach))
    for row, low, high, p in zip(rows, *columns, map(chance, ps), strict=True):
        differs = "yes" if low > 0 or high < 0 else "no"
        yield row | {"low": low, "high": high, "p": p, "differs": differs}


def _errors(samples: Mapping[str, Values], weights: Values) -> tuple[int, Values | None]:
    """Degrees of freedom within groups, and what a studentized range of each contrast is over.

    The latter is None where no group has any spread.
    """
    sizes = np.array([len(found) for found in samples.values()])
    df = int(sizes.sum()) - len(sizes)
    if not _spread(samples.values()):
        return df, None
    within = sum(float(((found - found.mean()) ** 2).sum()) for found in samples.values()) / df
    return df, np.sqrt(within / 2 * (weights**2 @ (1.0 / sizes)))


def _means(contrasts: Contrasts, df: int, of_pairs: Values | None) -> Iterator[Row]:
    """The mean of each group, with the interval by which it is compared."""
    names = list(contrasts.means)
    reach: Values = np.full(len(names), np.nan)
    if of_pairs is not None:
        # d_ij, the standard errors of all pairs; none of a group with itself
        errors = np.zeros((len(names), len(names)))
        for (one, two), error in zip(contrasts.names, of_pairs * np.sqrt(2), strict=True):
            at, other = names.index(one), names.index(two)
            errors[at, other] = errors[other, at] = error
        others = len(names) - 1
        pairs = errors.sum() / 2
        share = (
            (others * errors.sum(axis=0) - pairs) / (others * (others - 1))
            if others > 1
            else pairs / 2
        )
        quantile = critical(LEVEL, len(names), df) / np.sqrt(2)
        reach = np.broadcast_to(quantile * share, len(names))
    for name, width in zip(names, reach.tolist(), strict=True):
        mean = contrasts.means[name]
        yield {
            "group": name,
            "values": contrasts.sizes[name],
            "mean": mean,
            "compare_low": None if np.isnan(width) else mean - width,
            "compare_high": None if np.isnan(width) else mean + width,
        }


def _spread(samples: Iterable[Values]) -> bool:
    return any(float(np.ptp(found)) > EQUAL for found in samples)


PAIRED = (
    *("metric", "score_1", "score_2", "difference", "low", "high", "interval_note"),
    *("templates", "w", "p", "p_holm", "effect"),
)
"""The columns that say how a score differs between two sides; see `paired_row`."""
MODEL_COLUMNS = (
    *("model_1", "model_2", "metric", "score_1", "score_2", "difference", "low", "high"),
    *("low_prompts", "high_prompts", "interval_note", "templates", "w", "p", "p_holm", "nearer"),
)
"""One row for each pair of models and score. `difference` is the first minus the second, with
an interval over templates, each with both models' replies, and (`low_prompts`, `high_prompts`,
empty with one prompt) one over other templates and prompts. Those of all pairs hold together at
95 %, for each score (Bonferroni). p is Wilcoxon's signed-rank test
over templates; Holm's correction is over all rows. `nearer` is the model that is surely nearer to
the best value (an accuracy of 1, a diff-bias of 0), empty where neither is."""
RANK_COLUMNS = ("metric", "model", "score", "rank", "rank_low", "rank_high", "like")
"""One row for each score and model, that nearest to the best value first: an accuracy of 1, a
diff-bias of 0 (to whichever side it leans). `rank_low` and `rank_high` are the first and the last
place that the tests leave to the model; `like` are the models that cannot be told from it."""
_KEYS = ["template_id", "prompt", "order"]


Side = tuple[Moved, Values]
"""A score, what each template moves it and how much that counts; and the score of each template,
or what is divided where the score is a ratio."""


def measured_side(counts: Units, kind: SetKind, metric: str) -> Side:
    """Score one side of a comparison.

    Args:
        counts: Of the shape templates x cells.
        kind: How templates are put together.
        metric: Which score.
    """
    return moved(counts, kind, metric), of_templates(counts, metric)[0]


def paired_row(metric: str, one: Side, two: Side, level: float = INTERVAL) -> Row:
    """Tell how a score differs between two sides, template by template.

    `difference` is the first score minus the second, with its interval. `w` and `p` are
    Wilcoxon's signed-rank test over the `templates` that have data on both sides; `effect` is the
    matched-pairs rank-biserial correlation. `p_holm` is left open. A ratio is one average over
    another, so that templates have no differences of it to test: then `w`, `p` and `effect` are
    undefined.

    Args:
        metric: Which score.
        one: The first side.
        two: The second, template by template.
        level: Of the interval.
    """
    first, second = float(one[0][0]), float(two[0][0])
    both = ~np.isnan(one[1]) & ~np.isnan(two[1])
    least, most = METRICS[metric].span
    low, high = (shown(float(end)) for end in difference(one[0], two[0], most - least, level))
    test: Row = dict.fromkeys(("w", "p", "effect"))
    if METRICS[metric].below is None:
        differences = one[1][both] - two[1][both]
        test = tested("w", signed_rank(differences))
        test["effect"] = matched_biserial(differences)
    return {
        "metric": metric,
        "score_1": shown(first),
        "score_2": shown(second),
        "difference": shown(first - second),
        "low": low,
        "high": high,
        "interval_note": FEW if low is not None and both.sum() < FEWEST else "",
        "templates": int(both.sum()),
        **test,
        "p_holm": None,
    }


def paired_rows(
    one: pd.DataFrame,
    two: pd.DataFrame,
    pairs: tuple[Sequence[Any], Sequence[Any]],
    metrics: Sequence[str],
) -> Iterator[Row]:
    """Yield for each score the difference of two sides over templates that are pairs.

    Scores are averages over the templates in which both sides have data, each of them counted
    over all its prompts, orders and fillings.

    Args:
        one: Counts of a model on the first side.
        two: Those of the same model on the second.
        pairs: For each row of `one`, and of `two`, which pair its template is of.
        metrics: Which scores, of `METRICS`.
    """
    sides = [
        counts_by(frame.assign(pair=list(keys)), ["pair"])
        for frame, keys in zip((one, two), pairs, strict=True)
    ]
    order = pd.Index(sides[1][0]["pair"]).get_indexer(pd.Index(sides[0][0]["pair"]))
    counts = sides[0][1], sides[1][1][order]
    for metric in metrics:
        there = np.all([~np.isnan(of_templates(it, metric)[0]) for it in counts], axis=0)
        first, second = (measured_side(part[there], SetKind.ALL, metric) for part in counts)
        yield paired_row(metric, first, second)


def rank_biserial(found: tuple[float, float] | None, pairs: int) -> float | None:
    """The rank-biserial correlation `2 U / (n m) - 1` of two groups (Wendt 1972).

    1 where every value of the first is greater than every one of the second; it is Cliff's
    delta.

    Args:
        found: What `rank_sum` gives of the two; None without values in one of them.
        pairs: `n m`.
    """
    return None if found is None else round(2 * found[0] / pairs - 1, 12)


def tested(name: str, found: tuple[float, float] | None) -> Row:
    """A statistic and its p as a row holds them."""
    statistic, p = found or (None, None)
    return {name: statistic, "p": None if p is None else chance(p)}


def shown(value: float) -> float | None:
    """A number as a row holds it; None where it is undefined."""
    return None if np.isnan(value) else settled(round(value, 12))


def compare_models(scored: Scored, models: list[str]) -> list[Row]:
    """Compare every two of some models.

    Raises:
        CurateError: If two of them were not asked the same.
    """
    frames = {name: scored.of(name) for name in models}
    asked = {name: _asked(frame) for name, frame in frames.items()}
    for one, two in pairwise(models):
        if not asked[one].equals(asked[two]):
            raise refusal("evaluation", "compare-asked", str(scored.folder), one=one, two=two)
    first = frames[models[0]]  # gives all models one order of templates and prompts
    every = pd.MultiIndex.from_product([first[name].unique() for name in _KEYS[:2]])
    sides: dict[str, dict[str, Side]] = {}
    cells: dict[str, dict[str, Values]] = {}
    for name, frame in frames.items():
        found = frame.groupby(_KEYS[:2])[list(EVERY_CELL)].sum().reindex(every, fill_value=0)
        counts = found.to_numpy().reshape(*every.levshape, -1)
        whole = counts.sum(axis=1)
        sides[name] = {metric: measured_side(whole, scored.kind, metric) for metric in MAIN}
        cells[name] = {metric: _of_cells(counts, scored.kind, metric) for metric in MAIN}
    rows: list[Row] = []
    nearer: list[Row] = []
    level = level_of(len(models))
    for one, two in combinations(models, 2):
        for metric in MAIN:
            pair = sides[one][metric], sides[two][metric]
            row = paired_row(metric, *pair, level)
            apart = cells[one][metric] - cells[two][metric]
            row |= _over_prompts(row, apart, level)
            rows.append({"model_1": one, "model_2": two, **row})
            nearer.append(_nearer(rows[-1], pair, level))
    named = zip(corrected(rows), corrected(nearer), strict=True)
    told = ({**row, "nearer": it["nearer"] if is_sure(it["p_holm"]) else ""} for row, it in named)
    return [{name: row[name] for name in MODEL_COLUMNS} for row in told]


def _of_cells(counts: Units, kind: SetKind, metric: str) -> Values:
    """What each template and prompt makes of a score (pseudo-values; Tukey 1958); NaN for nothing.

    Args:
        counts: Of the shape templates x prompts x cells.
        kind: How templates are put together.
        metric: Which score.
    """
    score, moves, sizes = moved(counts.reshape(-1, counts.shape[-1]), kind, metric)
    values = np.where(sizes > 0, score + moves * np.count_nonzero(sizes), np.nan)
    return np.asarray(values.reshape(counts.shape[:2]))


def _over_prompts(row: Row, apart: Values, level: float) -> Row:
    """The interval of a difference over other prompts too.

    Args:
        row: The difference.
        apart: By template and prompt.
        level: Of the interval.
    """
    low, high = row["low"], row["high"]
    ends = None
    if low is not None and high is not None:
        least, most = METRICS[str(row["metric"])].span
        split = parts([apart[:, :, None, None]], np.arange(len(apart)))
        given = float(row["difference"] or 0), (float(low), float(high))
        ends = ends_over_prompts(split, *given, (least - most, most - least), level)
    return dict(zip(("low_prompts", "high_prompts"), ends or (None, None), strict=True))


def _nearer(row: Row, pair: tuple[Side, Side], level: float) -> Row:
    """Tell which of two models is nearer to the best value of a score, with a p.

    Where that is an end of the range, the difference says it. Where it is 0, between the ends, one
    is nearer if their difference and their sum both differ from 0: `a^2 - b^2 = (a - b)(a + b)`. p
    is the larger of the two (the intersection-union test; Berger 1982).

    Args:
        row: The two models compared.
        pair: Their scores.
        level: Of the intervals.
    """
    metric = METRICS[str(row["metric"])]
    tests = [row]
    if metric.ideal not in metric.span:
        (score, moves, sizes), units = pair[1]
        tests.append(paired_row(metric.name, pair[0], ((-score, -moves, sizes), -units), level))
    ends = [(it["low"], it["high"]) for it in tests]
    apart = all(low is not None and (float(low) > 0 or float(high or 0) < 0) for low, high in ends)
    ps = [it["p"] for it in tests]
    p = None if None in ps else max(float(it or 0) for it in ps)
    if not apart:
        return {"nearer": "", "p": p}
    first, second = (abs(float(row[f"score_{side}"] or 0) - metric.ideal) for side in (1, 2))
    return {"nearer": row["model_1" if first < second else "model_2"], "p": p}


def model_ranks(compared: Sequence[Row]) -> list[Row]:
    """The places of models, and how sure they are.

    A model that is surely nearer to the best value than another (`nearer`) stands before it;
    between the others every place is possible. With a chance of 95 % all true places lie within,
    of all models and scores together, since Holm's correction holds for all tests at once
    (Mogstad et al. 2024).

    Args:
        compared: What `compare_models` gives: each pair of models once.
    """
    rows: list[Row] = []
    for metric in dict.fromkeys(str(row["metric"]) for row in compared):
        own = [row for row in compared if row["metric"] == metric]
        whole = {row[f"model_{side}"]: row[f"score_{side}"] for row in own for side in (1, 2)}
        away = {
            name: round(abs(float(value) - METRICS[metric].ideal), 12)
            for name, value in whole.items()
            if value is not None
        }
        before: Counter[object] = Counter()  # how many models are surely before, and behind
        behind: Counter[object] = Counter()
        like: dict[object, list[str]] = {name: [] for name in whole}
        for row in own:
            one, two = row["model_1"], row["model_2"]
            if row["nearer"]:
                behind[row["nearer"]] += 1
                before[two if row["nearer"] == one else one] += 1
            else:
                like[one].append(str(two))
                like[two].append(str(one))
        rows += [
            {
                "metric": metric,
                "model": name,
                "score": whole[name],
                "rank": 1 + sum(value < away[name] for value in away.values())
                if name in away
                else None,
                "rank_low": 1 + before[name],
                "rank_high": len(whole) - behind[name],
                "like": ", ".join(natural(like[name])),
            }
            for name in sorted(whole, key=lambda name: away.get(name, np.inf))
        ]
    return rows


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


def compare_benchmarks(first: Scored, second: Scored, unit: PairedUnit) -> Iterator[Row]:
    """Compare the scores of every model that both have, for all labels and each of theirs.

    Used for an adapted benchmark against a machine-translated one (KoBBQ, section 5.1), and for
    a test set against the entire set (its footnote 14). A score of the whole is pooled or
    averaged as its folder says.
    """
    for model in sorted(set(first.models) & set(second.models)):
        one, two = first.of(model), second.of(model)
        shared = [name for name in one["label"].unique() if name in set(two["label"])]
        rows: list[Row] = []
        for label in ("", *filter(None, shared if len(shared) > 1 else ())):
            parts = [it[it["label"] == label] if label else it for it in (one, two)]
            kinds = list(zip(parts, (first.kind, second.kind), strict=True))
            units = [unit_scores(part, unit, kind) for part, kind in kinds]
            whole = [scores(counts_by(part, ["template_id"])[1], kind) for part, kind in kinds]
            for metric in MAIN:
                values_1, values_2 = (defined(of_units[metric]) for of_units in units)
                score_1, score_2 = (float(found[metric]) for found in whole)
                test = rank_sum(values_1, values_2)
                rows.append(
                    {
                        "model": model,
                        "label": label,
                        "metric": metric,
                        "score_1": shown(score_1),
                        "score_2": shown(score_2),
                        "difference": shown(score_1 - score_2),
                        "values_1": len(values_1),
                        "values_2": len(values_2),
                        **tested("u", test),
                        "effect": rank_biserial(test, len(values_1) * len(values_2)),
                    }
                )
        yield from ({name: row[name] for name in BENCHMARK_COLUMNS} for row in corrected(rows))
