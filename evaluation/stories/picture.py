"""The picture of stories held against question answering."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from evaluation import pictures
from evaluation.stories.compare import COMPARED, Correlation, Mixed, Point

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_SIDE = 4.2  # inches of a panel
_ALT = "Scores of continued stories over those of question answering, a dot a model or category."
_DOTS = (("category", 12, "0.7"), ("overall", 34, "#1f6f8b"))
_NAMES = {
    "accuracy_amb": "Accuracy in ambiguous contexts (QA)",
    "diff_bias_amb": "Diff-bias in ambiguous contexts (QA)",
    "ntr_gen": "Neutrality of continuations",
    "bias_gen": "Bias of continuations",
}


def draw(
    points: Sequence[Point],
    correlations: Sequence[Correlation],
    fits: Sequence[Mixed],
    stem: Path,
) -> list[Path]:
    """Draw each pair of scores: models with their names, their categories, the fitted line.

    Args:
        points: The scores.
        correlations: One for each pair of scores.
        fits: One for each pair of scores.
        stem: Path of the files without their endings.

    Raises:
        CurateError: If a file cannot be written.
    """

    def paint(figure: "Figure") -> None:
        panels = figure.subplots(1, len(COMPARED), squeeze=False)[0]
        for axes, (x, y), correlation, fit in zip(
            panels, COMPARED, correlations, fits, strict=True
        ):
            _panel(axes, points, x, y, correlation, fit)

    size = _SIDE * len(COMPARED), _SIDE + 0.3
    return pictures.draw(stem.name, _ALT, size, paint).save(stem.parent)


def _panel(
    axes: "Axes",
    points: Sequence[Point],
    x: str,
    y: str,
    correlation: Correlation,
    fit: Mixed,
) -> None:
    placed = [(point, getattr(point, x), getattr(point, y)) for point in points]
    there = [(p, float(a), float(b)) for p, a, b in placed if a is not None and b is not None]
    for order, (kind, size, colour) in enumerate(_DOTS, start=2):
        dots = np.array([(a, b) for p, a, b in there if p.group_by == kind]).reshape(-1, 2)
        axes.scatter(dots[:, 0], dots[:, 1], s=size, color=colour, zorder=order)
    for point, one, other in there:
        if point.group_by == "overall":
            axes.annotate(
                point.model, (one, other), xytext=(4, 3), textcoords="offset points", fontsize=7
            )
    if fit.slope is not None and fit.intercept is not None and there:
        ends = np.array([min(a for _, a, _ in there), max(a for _, a, _ in there)])
        axes.plot(ends, fit.intercept + fit.slope * ends, color="#c8553d", linewidth=1.4, zorder=1)
    axes.set(xlabel=_NAMES[x], ylabel=_NAMES[y])
    axes.set_title(_caption(correlation, fit), fontsize=8)


def _caption(correlation: Correlation, fit: Mixed) -> str:
    parts = [
        f"Pearson {_number(correlation.pearson)}, Spearman {_number(correlation.spearman)} "
        f"over {correlation.n} models",
        f"slope {_number(fit.slope)} over {fit.n} categories of models"
        + ("" if fit.converged or fit.converged is None else " (not converged)"),
    ]
    return "\n".join(parts)


def _number(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.2f}"
