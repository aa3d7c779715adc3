"""Whether categories or labels differ: one-way ANOVA, Tukey's HSD, permutation tests.

The tests are of each model by itself, or of all models together: then scores are normalised, and
averaged over models.
"""

import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum

import numpy as np
import pandas as pd

from evaluation.compare.permutation import (
    LEVEL,
    OVERALL,
    Contrasts,
    Ends,
    critical,
    largest_t,
    tail,
)
from evaluation.compare.values import Unit, Values, corrected, defined, unit_scores
from evaluation.qa.metrics import BOUNDS, INTERVALS, MAIN, SetKind
from evaluation.qa.score import Row
from evaluation.ranks import EQUAL, chance

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
