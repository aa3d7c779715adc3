"""Whether categories or labels differ: one-way ANOVA, Tukey's HSD, permutation tests."""

import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

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
from evaluation.qa.metrics import MAIN, SetKind
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
MEAN_COLUMNS = ("model", "group_by", "metric", "group", "values", "mean", "low", "high")
"""One row a group. Two groups whose intervals do not overlap differ by Tukey's test: these are the
99 % comparison intervals of Hochberg and Tamhane (1987, equation 3.32), exact for groups of one
size."""
_SMALLEST = 2


@dataclass(frozen=True, slots=True)
class GroupTests:
    """The tests by some groupings, and what could not be tested.

    Attributes:
        anova: With the columns of `ANOVA_COLUMNS`.
        tukey: With the columns of `TUKEY_COLUMNS`.
        skipped: Groups with fewer than two values, by score.
        means: With the columns of `MEAN_COLUMNS`.
        permutation: With the columns of `PERMUTATION_COLUMNS`.
    """

    anova: tuple[Row, ...]
    tukey: tuple[Row, ...]
    skipped: tuple[tuple[str, str], ...]
    means: tuple[Row, ...] = ()
    permutation: tuple[Row, ...] = ()


def group_tests(
    frames: Mapping[str, pd.DataFrame], groupings: Sequence[str], unit: Unit, kind: SetKind
) -> GroupTests:
    """Test by several groupings whether models' scores differ, with Holm's correction.

    Args:
        frames: By model its counts.
        groupings: `category`, `label` or both.
        unit: What one value is the score of.
        kind: How a prompt's templates are put together.
    """
    return joined(
        [
            corrected_together(
                [compare_groups(model, frame, name, unit, kind) for name in groupings]
            )
            for model, frame in frames.items()
        ]
    )


def corrected_together(found: Sequence[GroupTests]) -> GroupTests:
    """Put tests of one family together, with Holm's correction."""
    whole = joined(found)
    return replace(whole, anova=tuple(corrected(whole.anova)))


def compare_groups(
    model: str, frame: pd.DataFrame, group_by: str, unit: Unit, kind: SetKind
) -> GroupTests:
    """Test whether a model's scores differ between the groups of a grouping.

    `p_holm` is left open: other tests of the model belong to its family.

    Args:
        model: The model.
        frame: Its counts.
        group_by: `category` or `label`.
        unit: What one value is the score of.
        kind: How a prompt's templates are put together.
    """
    values = {
        str(name): unit_scores(part, unit, kind)
        for name, part in frame.groupby(group_by, sort=False)
    }
    found = [
        anova_and_tukey(
            model,
            group_by,
            metric,
            {name: defined(of[metric]) for name, of in values.items()},
            Ends.of(metric),
        )
        for metric in MAIN
    ]
    return joined(found)


def anova_and_tukey(
    model: str,
    group_by: str,
    metric: str,
    samples: Mapping[str, Values],
    ends: Ends,
    *,
    overall: bool = False,
) -> GroupTests:
    """Test whether groups of values differ; one with fewer than two values is left out.

    Args:
        model: Whose values they are.
        group_by: `category` or `label`.
        metric: The score.
        samples: By group its values.
        ends: The range of the values.
        overall: Whether groups are also compared with all values together.
    """
    skipped = tuple((metric, name) for name, found in samples.items() if len(found) < _SMALLEST)
    kept = {name: found for name, found in samples.items() if len(found) >= _SMALLEST}
    if len(kept) < 2:
        return GroupTests((), (), skipped)
    head: Row = {"model": model, "group_by": group_by, "metric": metric}
    return GroupTests(
        anova=({**head, **_anova(list(kept.values()))},),
        tukey=tuple({**head, **row} for row in _tukey(kept, overall=overall)),
        skipped=skipped,
        means=tuple({**head, **row} for row in _means(kept, overall=overall)),
        permutation=tuple({**head, **row} for row in largest_t(kept, ends, overall=overall)),
    )


def joined(found: Sequence[GroupTests]) -> GroupTests:
    """Put several tests together."""
    return GroupTests(
        anova=tuple(row for item in found for row in item.anova),
        tukey=tuple(row for item in found for row in item.tukey),
        skipped=tuple(pair for item in found for pair in item.skipped),
        means=tuple(row for item in found for row in item.means),
        permutation=tuple(row for item in found for row in item.permutation),
    )


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
        "f": _number(statistic),
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
            "low": None if np.isnan(width) else mean - width,
            "high": None if np.isnan(width) else mean + width,
        }


def _spread(samples: Iterable[Values]) -> bool:
    return any(float(np.ptp(found)) > EQUAL for found in samples)


def _number(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None
