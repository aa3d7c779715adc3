"""Pictures of comparisons: differences between cultures by category, and groups after an ANOVA."""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from curation.report.figures import LINE, PAPER, SOFT, Picture, draw, look
from evaluation.compare.anova import GroupTests
from evaluation.qa.metrics import MAIN, METRICS
from evaluation.qa.score import Row
from evaluation.ranks import show_chance

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Cell = str | int | float | None
_WIDTH = 8.6  # inches
_LINE = 0.17  # inches of one model's interval
_HEAD = 0.9  # inches of title and axis
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
    panels = -(-len(metrics) // 2)
    height = _HEAD + len(lines) * (0.12 + _LINE * len(models))
    return draw(
        "across_cultures",
        "Differences of paired templates between benchmarks, with 95 % intervals; "
        "hollow marks are of fewer than 20 templates. " + _numbers(shown, metrics),
        (_WIDTH, panels * height + 0.3 + 0.2 * len(models) / 3),
        partial(_across, rows=shown, metrics=metrics, lines=lines, models=models),
    )


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


def _numbers(rows: Iterable[Row], metrics: Sequence[str]) -> str:
    """All that the picture shows, in words."""
    told = []
    for metric in metrics:
        parts = [
            f"{_line(row)}, {row['model']}: {_with_ends(row)}"
            for row in rows
            if row["metric"] == metric
        ]
        told.append(f"{METRICS[metric].title}: {'; '.join(parts)}.")
    return " ".join(told)


def _with_ends(row: Row) -> str:
    return _ends(row["difference"], row["low"], row["high"])


def _ends(value: Cell, low: Cell, high: Cell) -> str:
    if value is None:
        return "undefined"
    if low is None or high is None:
        return f"{float(value):+.3f}"
    return f"{float(value):+.3f} ({float(low):+.3f} to {float(high):+.3f})"


def _across(
    figure: "Figure",
    rows: Sequence[Row],
    metrics: Sequence[str],
    lines: Sequence[str],
    models: Sequence[str],
) -> None:
    panels = figure.subplots(
        -(-len(metrics) // 2), min(len(metrics), 2), squeeze=False, sharey=True
    )
    flat = list(panels.flat)
    step = 0.8 / max(len(models), 1)
    for axes, metric in zip(flat, metrics, strict=False):
        for row in rows:
            if row["metric"] == metric and row["difference"] is not None:
                at = models.index(str(row["model"]))
                y = lines.index(_line(row)) - 0.4 + step * (at + 0.5)
                _interval(axes, row, y, at, str(row["model"]))
        _frame(axes, lines, METRICS[metric].title, "first minus second")
    for axes in flat[len(metrics) :]:
        axes.set_visible(False)
    _legend(figure, flat[: len(metrics)], models)


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
        for row in found.means
        if row["group_by"] == group_by and (normalised or str(row["metric"]).startswith("diff"))
    ]
    if not rows:
        return None
    metrics = [name for name in MAIN if any(row["metric"] == name for row in rows)]
    groups = list(dict.fromkeys(str(row["group"]) for row in rows))
    models = list(dict.fromkeys(str(row["model"]) for row in rows))
    tests = {
        (row["model"], row["metric"]): row for row in found.anova if row["group_by"] == group_by
    }
    told = []
    for metric in metrics:
        for model in models:
            parts = [
                f"{row['group']} {_ends(row['mean'], row['low'], row['high'])}"
                for row in rows
                if (row["metric"], row["model"]) == (metric, model)
            ]
            if parts:
                test = _tested(tests.get((model, metric)))
                told.append(f"{METRICS[metric].title}, {model} ({test}): {'; '.join(parts)}.")
    what = "Normalised score" if normalised else "Diff-bias"
    height = _HEAD + len(groups) * (0.12 + _LINE * len(models))
    return draw(
        f"means_by_{group_by}",
        f"{what} by {group_by}, means with 99 % comparison intervals: groups whose intervals do "
        f"not overlap differ by Tukey's test. {' '.join(told)}",
        (_WIDTH, -(-len(metrics) // 2) * height + 0.4),
        partial(
            _means, rows=rows, metrics=metrics, groups=groups, models=models, tests=tests, what=what
        ),
    )


def _means(
    figure: "Figure",
    rows: Sequence[Row],
    metrics: Sequence[str],
    groups: Sequence[str],
    models: Sequence[str],
    tests: Mapping[Any, Row],
    what: str,
) -> None:
    shape = -(-len(metrics) // 2), min(len(metrics), 2)
    panels = list(figure.subplots(*shape, squeeze=False, sharey=True).flat)
    step = 0.8 / len(models)
    for axes, metric in zip(panels, metrics, strict=False):
        for row in rows:
            if row["metric"] == metric:
                at = models.index(str(row["model"]))
                y = groups.index(str(row["group"])) - 0.4 + step * (at + 0.5)
                _interval(axes, {**row, "difference": row["mean"]}, y, at, str(row["model"]))
        title = METRICS[metric].title
        if len(models) == 1:
            title += f"\n{_tested(tests.get((models[0], metric)))}"
        _frame(axes, groups, title, what)
    _legend(figure, panels, models)


def _tested(row: Row | None) -> str:
    if row is None or row["f"] is None or row["p"] is None:
        return "no F"
    statistic = f"F({row['df_between']}, {row['df_within']}) = {float(row['f']):.2f}"
    return f"{statistic}, {show_chance(float(row['p']))}"


def _interval(axes: "Axes", row: Row, y: float, at: int, label: str) -> None:
    """Draw a difference with its interval; of few templates the marker is hollow."""
    value = float(row["difference"] or 0.0)
    colour, marker = look(at)
    if row["low"] is not None and row["high"] is not None:
        axes.plot([float(row["low"]), float(row["high"])], [y, y], color=colour, linewidth=1.2)
    axes.plot(
        [value],
        [y],
        color=colour,
        marker=marker,
        linestyle="none",
        markersize=5,
        markerfacecolor=PAPER if row.get("interval_note") else colour,
        label=label,
    )


def _frame(axes: "Axes", lines: Sequence[str], title: str, across: str) -> None:
    axes.axvline(0, color=SOFT, linewidth=0.8, zorder=0)
    for at in range(1, len(lines)):
        axes.axhline(at - 0.5, color=LINE, linewidth=0.8, zorder=0)
    axes.set(title=title, xlabel=across, yticks=range(len(lines)), yticklabels=lines)
    axes.set_ylim(len(lines) - 0.5, -0.5)
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="x", color=LINE, linewidth=0.8)
    axes.set_axisbelow(True)


def _legend(figure: "Figure", panels: Sequence["Axes"], models: Sequence[str]) -> None:
    found: dict[str, Any] = {}
    for axes in panels:
        for handle, label in zip(*axes.get_legend_handles_labels(), strict=True):
            found.setdefault(label, handle)
    names = [name for name in models if name in found]
    if names:
        figure.legend(
            [found[name] for name in names],
            names,
            loc="outside lower center",
            ncols=min(3, len(names)),
            frameon=False,
        )
