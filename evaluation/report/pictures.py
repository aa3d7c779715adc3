"""The pictures of question answering: accuracy against bias, and categories with intervals."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from evaluation.pictures import COLOURS, MARKERS, Picture, draw
from evaluation.report.records import EvaluationReport
from evaluation.score import Row

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_CONTEXTS = (("amb", "Ambiguous contexts"), ("dis", "Disambiguated contexts"))


def pictures(report: EvaluationReport) -> Iterator[Picture]:
    """Draw what the report shows; nothing is drawn of scores that are undefined."""
    yield draw(
        "accuracy_and_bias",
        "Diff-bias over accuracy of every model, in ambiguous and in disambiguated contexts, with "
        "95 % intervals; the shaded triangle is where diff-bias can lie.",
        (8.0, 4.2),
        lambda figure: _scatter(figure, report),
    )
    for group_by in ("category", "label"):
        names = report.names(group_by)
        if len(names) > 1:
            height = 1.6 + 0.16 * len(names) * (1 + len(report.models))
            yield draw(
                f"diff_bias_by_{group_by}",
                f"Diff-bias of every model by {group_by}, with 95 % intervals.",
                (8.0, height),
                lambda figure, by=group_by: _dots(figure, report, by),  # type: ignore[misc]
            )


def _colour(report: EvaluationReport, model: str) -> tuple[str, str]:
    at = report.models.index(model)
    return COLOURS[at % len(COLOURS)], MARKERS[at % len(MARKERS)]


def _scatter(figure: "Figure", report: EvaluationReport) -> None:
    panels = figure.subplots(1, 2, sharey=True)
    for axes, (context, title) in zip(panels, _CONTEXTS, strict=True):
        _bound(axes, context)
        for row in report.by("overall"):
            _point(axes, report, row, context)
        axes.set(title=title, xlabel="Accuracy", xlim=(-0.03, 1.03), ylim=(-1.05, 1.05))
    panels[0].set_ylabel("Diff-bias")
    _legend(figure, panels[0])


def _bound(axes: "Axes", context: str) -> None:
    """Draw where diff-bias can lie: 1 - Acc, or 1 - |2 Acc - 1|."""
    accuracy = np.array([0.0, 1.0]) if context == "amb" else np.array([0.0, 0.5, 1.0])
    bound = 1 - accuracy if context == "amb" else 1 - np.abs(2 * accuracy - 1)
    axes.fill_between(accuracy, -bound, bound, color="0.93", zorder=0, label="possible")
    axes.axhline(0, color="0.7", linewidth=0.8, zorder=1)


def _point(axes: "Axes", report: EvaluationReport, row: Row, context: str) -> None:
    x, y = row[f"accuracy_{context}"], row[f"diff_bias_{context}"]
    if x is None or y is None:
        return
    colour, marker = _colour(report, str(row["model"]))
    axes.errorbar(
        float(x),
        float(y),
        xerr=_error(row, f"accuracy_{context}"),
        yerr=_error(row, f"diff_bias_{context}"),
        color=colour,
        marker=marker,
        linestyle="none",
        linewidth=1,
        markersize=6,
        label=str(row["model"]),
        zorder=3,
    )


def _error(row: Row, name: str) -> np.ndarray | None:
    value, low, high = row[name], row[f"{name}_low"], row[f"{name}_high"]
    if value is None or low is None or high is None:
        return None
    # a percentile interval need not hold the score itself
    ends = float(value) - float(low), float(high) - float(value)
    return np.maximum(np.array([[ends[0]], [ends[1]]]), 0.0)


def _dots(figure: "Figure", report: EvaluationReport, group_by: str) -> None:
    names = report.names(group_by)
    panels = figure.subplots(1, 2, sharey=True)
    step = 0.7 / max(1, len(report.models))
    for axes, (context, title) in zip(panels, _CONTEXTS, strict=True):
        for row in report.by(group_by):
            value = row[f"diff_bias_{context}"]
            if value is None:
                continue
            model = report.models.index(str(row["model"]))
            colour, marker = _colour(report, str(row["model"]))
            axes.errorbar(
                float(value),
                names.index(str(row["group"])) - 0.35 + step * (model + 0.5),
                xerr=_error(row, f"diff_bias_{context}"),
                color=colour,
                marker=marker,
                linestyle="none",
                linewidth=1,
                markersize=4,
                label=str(row["model"]),
            )
        axes.axvline(0, color="0.7", linewidth=0.8, zorder=0)
        for at in range(1, len(names)):
            axes.axhline(at - 0.5, color="0.92", linewidth=0.8, zorder=0)
        axes.set(title=title, xlabel="Diff-bias", yticks=range(len(names)), yticklabels=names)
    panels[0].invert_yaxis()
    _legend(figure, panels[0])


def _legend(figure: "Figure", axes: "Axes") -> None:
    handles, labels = axes.get_legend_handles_labels()
    found = dict(zip(labels, handles, strict=True))
    figure.legend(
        found.values(), found.keys(), loc="outside lower center", ncols=4, frameon=False
    )
