"""The pictures of the report: accuracy against bias, groups with intervals, and stories."""

from collections.abc import Collection, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from evaluation.pictures import Picture, draw, look
from evaluation.qa.score import Row
from evaluation.reporting.records import EvaluationReport

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_CONTEXTS = (("amb", "Ambiguous contexts"), ("dis", "Disambiguated contexts"))
_WIDTH = 8.6  # inches
_LEGEND_ROW = 0.2  # inches
_SIGN = 0.085  # inches of a character of a name
_HANDLE = 0.6  # inches of what stands before it
_LONGEST = 48  # characters of a name
_AREA = "where bias can lie"


def pictures(report: EvaluationReport) -> Iterator[Picture]:
    """Draw what the report shows; nothing is drawn of scores that are undefined."""
    legend = _legend_height(report, _WIDTH)
    yield draw(
        "accuracy_and_bias",
        "Diff-bias over accuracy of every model, in ambiguous and in disambiguated contexts, with "
        "95 % intervals; the grey area is where diff-bias can lie. The table has the numbers.",
        (_WIDTH, 4.0 + legend),
        partial(_scatter, report=report),
    )
    for group_by in ("category", "label"):
        names = report.names(group_by)
        if len(names) > 1:
            lines = len(names) * (len(report.models) + 0.8)
            yield draw(
                f"diff_bias_by_{group_by}",
                f"Diff-bias of every model by {group_by}, in ambiguous and in disambiguated "
                "contexts, with 95 % intervals. The table has the numbers.",
                (_WIDTH, 1.0 + 0.15 * lines + legend),
                partial(_dots, report=report, group_by=group_by),
            )
    if report.stories is not None:
        width = _WIDTH * 0.6
        yield draw(
            "neutrality_and_bias",
            "Bias of continued stories over their neutrality for every model, with 95 % "
            "intervals; the grey area is where bias can lie. The table has the numbers.",
            (width, 3.8 + _legend_height(report, width)),
            partial(_stories, report=report),
        )


def _models(report: EvaluationReport) -> list[str]:
    told = report.stories.models if report.stories is not None else []
    return list(dict.fromkeys((*report.models, *told)))


def _scatter(figure: "Figure", report: EvaluationReport) -> None:
    panels = figure.subplots(1, 2, sharey=True)
    for axes, (context, title) in zip(panels, _CONTEXTS, strict=True):
        _panel(axes, report, report.by("overall"), (f"accuracy_{context}", f"diff_bias_{context}"))
        axes.set(title=title, xlabel="Accuracy")
    panels[0].set_ylabel("Diff-bias")
    _legend(figure, panels)


def _stories(figure: "Figure", report: EvaluationReport) -> None:
    axes = figure.subplots()
    rows = report.stories.rows if report.stories is not None else ()
    told = [row for row in rows if row["group_by"] == "overall"]
    _panel(axes, report, told, ("ntr_gen", "bias_gen"))
    axes.set(title="Continued stories", xlabel="Neutrality", ylabel="Bias")
    _legend(figure, [axes])


def _panel(
    axes: "Axes", report: EvaluationReport, rows: Sequence[Row], names: tuple[str, str]
) -> None:
    """Draw models, and where bias can lie: up to 1 - x, or 1 - |2 x - 1|."""
    peaked = names[0] == "accuracy_dis"
    x = np.array([0.0, 0.5, 1.0] if peaked else [0.0, 1.0])
    bound = 1 - np.abs(2 * x - 1) if peaked else 1 - x
    axes.fill_between(x, -bound, bound, color="0.93", zorder=0, label=_AREA)
    axes.axhline(0, color="0.7", linewidth=0.8, zorder=1)
    for row in rows:
        _point(axes, _models(report), row, names)
    axes.set(xlim=(-0.04, 1.04), ylim=(-1.08, 1.08))


def _point(axes: "Axes", models: Sequence[str], row: Row, names: tuple[str, str]) -> None:
    x, y = (row[name] for name in names)
    if x is None or y is None:
        return
    colour, marker = look(models.index(str(row["model"])))
    axes.errorbar(
        float(x),
        float(y),
        xerr=_error(row, names[0]),
        yerr=_error(row, names[1]),
        color=colour,
        marker=marker,
        linestyle="none",
        linewidth=1,
        markersize=7,
        markeredgecolor="white",
        markeredgewidth=0.6,
        label=str(row["model"]),
        zorder=3,
        clip_on=False,
    )


def _error(row: Row, name: str) -> np.ndarray | None:
    value, low, high = row[name], row.get(f"{name}_low"), row.get(f"{name}_high")
    if value is None or low is None or high is None:
        return None
    # twelve decimals may put an end on the wrong side of the score
    ends = float(value) - float(low), float(high) - float(value)
    return np.array([[max(end, 0.0)] for end in ends])


def _dots(figure: "Figure", report: EvaluationReport, group_by: str) -> None:
    """Draw a line of dots for each group, the models one below the other."""
    names = report.names(group_by)
    panels = figure.subplots(1, 2, sharey=True, sharex=True)
    step = 0.8 / len(report.models)
    for axes, (context, title) in zip(panels, _CONTEXTS, strict=True):
        for row in report.by(group_by):
            value = row[f"diff_bias_{context}"]
            if value is not None:
                at = report.models.index(str(row["model"]))
                colour, marker = look(at)
                axes.errorbar(
                    float(value),
                    names.index(str(row["group"])) - 0.4 + step * (at + 0.5),
                    xerr=_error(row, f"diff_bias_{context}"),
                    color=colour,
                    marker=marker,
                    linestyle="none",
                    linewidth=1.2,
                    markersize=4.5,
                    label=str(row["model"]),
                )
        axes.axvline(0, color="0.7", linewidth=0.8, zorder=0)
        for at in range(1, len(names)):
            axes.axhline(at - 0.5, color="0.9", linewidth=0.8, zorder=0)
        axes.set(title=title, xlabel="Diff-bias", yticks=range(len(names)), yticklabels=names)
        axes.set_ylim(len(names) - 0.5, -0.5)
        axes.tick_params(axis="y", length=0)
        axes.grid(axis="x", color="0.93", linewidth=0.8)
        axes.set_axisbelow(True)
    _legend(figure, panels)


def _legend(figure: "Figure", panels: Sequence["Axes"]) -> None:
    """Name the models below the panels, in as many columns as the longest name leaves."""
    parts = [zip(*axes.get_legend_handles_labels(), strict=True) for axes in panels]
    found = {label: handle for part in parts for handle, label in part}
    if found:
        figure.legend(
            found.values(),
            map(_short, found.keys()),
            loc="outside lower center",
            ncols=_columns(found.keys(), figure.get_figwidth()),
            frameon=False,
        )


def _columns(names: Collection[str], width: float) -> int:
    longest = max((len(_short(name)) for name in names), default=1)
    return max(1, min(len(names), int(width / (_SIGN * longest + _HANDLE))))


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1]}…"


def _legend_height(report: EvaluationReport, width: float) -> float:
    names = [_AREA, *_models(report)]
    return _LEGEND_ROW * (-(-len(names) // _columns(names, width)))
