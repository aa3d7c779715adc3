"""Whether categories or labels differ: one-way ANOVA, Tukey's HSD, permutation tests.

The tests are of each model by itself, or of all models together: then scores are normalised, and
averaged over models.
"""

import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import combinations
from typing import Final, NamedTuple, cast

import numpy as np
import numpy.typing as npt
import pandas as pd

from evaluation.folders import Row
from evaluation.qa.metrics import BOUNDS, INTERVALS, MAIN, METRICS, SetKind, scores
from evaluation.qa.score import counts_by
from evaluation.statistics import EQUAL, chance, settled

Values = npt.NDArray[np.float64]


class Unit(StrEnum):
    """What one value is the score of: a template over all prompts, or a prompt over all."""

    TEMPLATE = "template"
    PROMPT = "prompt"

    @property
    def column(self) -> str:
        """The column of counts that names it."""
        return "template_id" if self is Unit.TEMPLATE else "prompt"


def unit_scores(
    frame: pd.DataFrame, unit: Unit, kind: SetKind, names: Sequence[str] = MAIN
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
    if unit is Unit.TEMPLATE:
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


def holm(ps: Sequence[float | None]) -> list[float | None]:
    """Adjust p-values so that the chance of any false finding among them stays (Holm 1979).

    Args:
        ps: The p-values of one family; None for a test that could not be made, which counts
            for nothing.
    """
    from statsmodels.stats.multitest import multipletests

    tested = [p for p in ps if p is not None]
    adjusted = iter(multipletests(tested, method="holm")[1].tolist() if tested else ())
    return [None if p is None else chance(next(adjusted)) for p in ps]


def corrected(rows: Sequence[Row]) -> list[Row]:
    """Put Holm's correction into the rows of one family of tests, as `p_holm`."""
    adjusted = holm([cast("float | None", row["p"]) for row in rows])
    return [{**row, "p_holm": p} for row, p in zip(rows, adjusted, strict=True)]


OVERALL = "overall"
"""What a row calls all groups together."""


@dataclass(frozen=True, slots=True)
class Contrasts:
    """Differences of means, as weights of the groups' means.

    Attributes:
        names: The two sides of each; the second may be `OVERALL`.
        weights: Of the shape contrasts x groups; each row adds up to 0.
        means: By group its mean, and that of all values as `OVERALL`.
    """

    names: tuple[tuple[str, str], ...]
    weights: Values
    means: Mapping[str, float]

    @classmethod
    def of(cls, samples: Mapping[str, Values], *, overall: bool) -> "Contrasts":
        """All pairs of groups and, where wanted, each group with all values.

        Args:
            samples: By group its values.
            overall: Whether groups are compared with all values too. A group is a part of these,
                which the weights take into account.
        """
        groups = list(samples)
        names = list(combinations(groups, 2))
        units = np.eye(len(groups))
        whole = np.array([len(found) for found in samples.values()], np.float64)
        sides = {name: units[at] for at, name in enumerate(groups)}
        if overall:
            names += [(name, OVERALL) for name in groups]
            sides[OVERALL] = whole / whole.sum()
        means = {name: settled(float(found.mean())) for name, found in samples.items()}
        means[OVERALL] = settled(float(np.concatenate(list(samples.values())).mean()))
        weights = np.array([sides[one] - sides[two] for one, two in names])
        return cls(tuple(names), weights, means)

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


def largest_t(samples: Mapping[str, Values], ends: Ends, *, overall: bool = False) -> Iterator[Row]:
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
        ends: The range of the values.
        overall: Whether groups are also compared with all values together.

    Yields:
        Rows with the columns of `anova.PERMUTATION_COLUMNS`. Two groups without any spread have
        no p and no interval.
    """
    contrasts = Contrasts.of(samples, overall=overall)
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
            plain_one = float(row["difference"] or 0.0)
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
_NODES = 128  # of each of the two integrals
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
    points, weights = _rule()
    half = (high - low) / 2
    return low + half * (points + 1), weights * half


@lru_cache(maxsize=1)
def _rule() -> tuple[Values, Values]:
    return np.polynomial.legendre.leggauss(_NODES)


GROUPINGS = ("category", "label")
"""What is compared."""
ANOVA_COLUMNS = (
    *("model", "group_by", "metric", "groups", "values", "f", "df_between", "df_within", "p"),
    "p_holm",
)
"""One test for each model, grouping and score; Holm's correction over all of a model's."""
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


POOLED = "all models"
"""What the rows of all models together call their model."""
GroupTests = Mapping[str, Sequence[Row]]
"""By `anova`, `tukey`, `permutation` and `means` the rows of these tables; `skipped` are groups
with fewer than two values, by `metric` and `group`."""
_TABLES = ("anova", "tukey", "permutation", "means", "skipped")


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
    unit: Unit,
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


def _scores(frame: pd.DataFrame, group_by: str, unit: Unit, kind: SetKind) -> pd.DataFrame:
    """A model's scores by group and unit."""
    parts = {
        str(name): unit_scores(part, unit, kind, INTERVALS).set_index(unit.column)
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
        found["anova"] = [_anova(list(kept.values()))]
        found["tukey"] = list(_tukey(kept, overall=overall))
        found["permutation"] = list(largest_t(kept, ends, overall=overall))
        found["means"] = list(_means(kept, overall=overall))
    return found


def _anova(samples: Sequence[Values]) -> Row:
    from scipy import stats

    total = sum(map(len, samples))
    if not _spread(samples):  # what is left is the noise of floats
        samples = [np.full(len(found), round(float(found[0]), 9)) for found in samples]
    with warnings.catch_warnings():
        # groups without any spread: F is infinite, or undefined where all values are equal
        warnings.simplefilter("ignore", RuntimeWarning)
        found = stats.f_oneway(*samples)
    means = [float(values.mean()) for values in samples]
    if _spread(samples) and max(means) - min(means) <= EQUAL:
        statistic, p = 0.0, 1.0  # means that are equal: what F is left with is the noise of floats
    else:
        statistic, p = float(found.statistic), float(found.pvalue)
    return {
        "groups": len(samples),
        "values": total,
        "f": statistic if np.isfinite(statistic) else None,
        "df_between": len(samples) - 1,
        "df_within": total - len(samples),
        "p": None if np.isnan(p) else chance(p),
        "p_holm": None,
    }


def _tukey(samples: Mapping[str, Values], *, overall: bool) -> Iterator[Row]:
    """Compare all pairs (Tukey 1949; Kramer 1956 for groups of different sizes).

    All values together, where wanted, count as one more group.
    """
    if not _spread(samples.values()):
        return  # no spread within any group: the studentized range is undefined
    contrasts = Contrasts.of(samples, overall=overall)
    df, errors = _errors(samples, contrasts.weights)
    count = len(samples) + overall
    rows = [contrasts.row(at) for at in range(len(contrasts.names))]
    differences = np.array([row["difference"] for row in rows], np.float64)
    ps = tail(np.abs(differences) / errors, count, df)
    reach = critical(LEVEL, count, df) * errors
    columns = (item.tolist() for item in (differences - reach, differences + reach))
    for row, low, high, p in zip(rows, *columns, map(chance, ps), strict=True):
        differs = "yes" if low > 0 or high < 0 else "no"
        yield row | {"low": low, "high": high, "p": p, "differs": differs}


def _errors(samples: Mapping[str, Values], weights: Values) -> tuple[int, Values]:
    """Degrees of freedom within groups, and what a studentized range of each contrast is over."""
    sizes = np.array([len(found) for found in samples.values()])
    df = int(sizes.sum()) - len(sizes)
    within = sum(float(((found - found.mean()) ** 2).sum()) for found in samples.values()) / df
    return df, np.sqrt(within / 2 * (weights**2 @ (1.0 / sizes)))


def _means(samples: Mapping[str, Values], *, overall: bool) -> Iterator[Row]:
    """The mean of each group, with the interval by which it is compared."""
    contrasts = Contrasts.of(samples, overall=overall)
    sizes = {name: len(found) for name, found in samples.items()}
    if overall:
        sizes[OVERALL] = sum(sizes.values())
    names = list(sizes)
    reach: Values = np.full(len(names), np.nan)
    if _spread(samples.values()):
        df, of_pairs = _errors(samples, contrasts.weights)
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
            "values": sizes[name],
            "mean": mean,
            "compare_low": None if np.isnan(width) else mean - width,
            "compare_high": None if np.isnan(width) else mean + width,
        }


def _spread(samples: Iterable[Values]) -> bool:
    return any(float(np.ptp(found)) > EQUAL for found in samples)
