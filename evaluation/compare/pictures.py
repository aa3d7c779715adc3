"""Pictures of comparisons: differences between cultures by category, and groups after an ANOVA."""

from collections.abc import Mapping, Sequence
from typing import Any

from curation.report.figures import Panel, Picture, dot, forest, look
from evaluation.compare.anova import GroupTests
from evaluation.qa.metrics import MAIN, METRICS
from evaluation.qa.score import Row
from evaluation.ranks import show_chance

_WHOLE = "all shared"


def across_cultures(rows: Sequence[Row], metrics: Sequence[str]) -> Picture:
    """Draw the differences of every model, overall and by category, a panel for each score.

    Args:
        rows: With the columns of `across.CULTURE_COLUMNS`.
        metrics: The scores.
    """
    shown = [row for row in rows if row["group_by"] != "label" and not _is_again(row, rows)]
    lines = list(dict.fromkeys(map(_line, shown)))
    models = list(dict.fromkeys(str(row["model"]) for row in shown))
    by_place = {(_line(row), str(row["model"]), row["metric"]): row for row in shown}
    panels = [
        _panel(METRICS[metric].title, "first minus second", metric, by_place, lines, models)
        for metric in metrics
    ]
    told = (
        f"{METRICS[metric].title}: "
        + "; ".join(
            f"{_line(row)}, {row['model']}: {_ends(row)}"
            for row in shown
            if row["metric"] == metric
        )
        for metric in metrics
    )
    return forest(
        "across_cultures",
        "Differences of paired templates between benchmarks, with 95 % intervals; "
        f"hollow marks are of fewer than 20 templates. {'. '.join(told)}.",
        lines,
        panels,
        columns=min(2, len(panels)),
        names=models,
    )


def _panel(
    title: str,
    across: str,
    metric: str,
    rows: Mapping[Any, Row],
    lines: Sequence[str],
    models: Sequence[str],
) -> Panel:
    """A score, a series a model."""
    found = {}
    for place, row in rows.items():
        name, low, high = _interval(row)
        found[place] = dot({name: row[name], f"{name}_low": low, f"{name}_high": high}, name)
    series = [[found.get((line, model, metric)) for line in lines] for model in models]
    return Panel(title, across, series, [look(at) for at in range(len(models))])


def _is_again(row: Row, rows: Sequence[Row]) -> bool:
    """Whether what two sets share is all of one category, which is shown."""
    pair = row["set_1"], row["set_2"]
    groups = {
        item["group"]
        for item in rows
        if item["group_by"] == "category" and (item["set_1"], item["set_2"]) == pair
    }
    return row["group_by"] == "overall" and len(groups) == 1


def _line(row: Row) -> str:
    return f"{row['set_1']} \N{MINUS SIGN} {row['set_2']}: {row['group'] or _WHOLE}"


def _interval(row: Row) -> tuple[str, Any, Any]:
    """The column of a row's value, and the ends of its interval."""
    if "difference" in row:
        return "difference", row["low"], row["high"]
    return "mean", row["compare_low"], row["compare_high"]


def _ends(row: Row) -> str:
    name, low, high = _interval(row)
    value = row[name]
    if value is None:
        return "undefined"
    if low is None or high is None:
        return f"{float(value):+.3f}"
    return f"{float(value):+.3f} ({float(low):+.3f} to {float(high):+.3f})"


def means_of_groups(found: GroupTests, group_by: str, *, normalised: bool) -> Picture | None:
    """Draw the mean scores of each group with the interval by which groups are compared.

    Normalised ones are all drawn; others are diff-bias alone, which has a 0 in common.

    Args:
        found: The tests.
        group_by: Which grouping.
        normalised: Whether scores were normalised.

    Returns:
        None where nothing was tested.
    """
    rows = [
        row
        for row in found["means"]
        if row["group_by"] == group_by and (normalised or str(row["metric"]).startswith("diff"))
    ]
    if not rows:
        return None
    metrics = [name for name in MAIN if any(row["metric"] == name for row in rows)]
    groups = list(dict.fromkeys(str(row["group"]) for row in rows))
    models = list(dict.fromkeys(str(row["model"]) for row in rows))
    tests = {
        (row["model"], row["metric"]): row for row in found["anova"] if row["group_by"] == group_by
    }
    told = []
    for metric in metrics:
        for model in models:
            parts = [
                f"{row['group']} {_ends(row)}"
                for row in rows
                if (row["metric"], row["model"]) == (metric, model)
            ]
            if parts:
                test = _tested(tests.get((model, metric)))
                told.append(f"{METRICS[metric].title}, {model} ({test}): {'; '.join(parts)}.")
    what = "Normalised score" if normalised else "Diff-bias"
    by_place = {(str(row["group"]), str(row["model"]), row["metric"]): row for row in rows}
    panels = []
    for metric in metrics:
        title = METRICS[metric].title
        if len(models) == 1:
            title += f", {_tested(tests.get((models[0], metric)))}"
        panels.append(_panel(title, what, metric, by_place, groups, models))
    return forest(
        f"means_by_{group_by}",
        f"{what} by {group_by}, means with 99 % comparison intervals: groups whose intervals do "
        f"not overlap differ by Tukey's test. {' '.join(told)}",
        groups,
        panels,
        columns=min(2, len(panels)),
        names=models,
    )


def _tested(row: Row | None) -> str:
    if row is None or row["f"] is None or row["p"] is None:
        return "no F"
    statistic = f"F({row['df_between']}, {row['df_within']}) = {float(row['f']):.2f}"
    return f"{statistic}, {show_chance(float(row['p']))}"
