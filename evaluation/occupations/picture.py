"""The scatter of scores over real ratios, with the regression line and perfect alignment."""

from collections.abc import Sequence
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from curation.report import figures
from curation.report.figures import FIRST, LINE, PAPER, SECOND, SOFT
from evaluation.occupations.design import G1, G2
from evaluation.occupations.scores import PERFECT, Result
from evaluation.qa.score import Row

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_COLUMNS = 3  # panels beside one another
_SIDE = 3.6  # inches of a panel
_NAMED = 3  # occupations that are named: those furthest from perfect alignment
_MEASURES = {
    "M_B": "M_B, difference between groups",
    "M_R": "M_R, refusal",
    "M_S": "M_S, slope (perfect alignment: 2)",
}
_ALT_PAIRS = "Measures of each base model and of the tuned one, joined by an arrow."
_ALT = "Score of each occupation over its real ratio, with regression and perfect alignment."


def draw(results: Sequence[Result], stem: Path) -> list[Path]:
    """Draw the scores of all models in one task, a panel a model, as SVG and PNG.

    Args:
        results: The scores; all of one task.
        stem: Path of the files without their endings.

    Raises:
        CurateError: If a file cannot be written.
    """
    columns = min(_COLUMNS, len(results))
    rows = ceil(len(results) / columns)

    def paint(figure: "Figure") -> None:
        grid = figure.subplots(rows, columns, squeeze=False).ravel()
        for axes, result in zip(grid, results, strict=False):
            _panel(axes, result)
        for axes in grid[len(results) :]:
            axes.set_visible(False)
        parts = [zip(*axes.get_legend_handles_labels(), strict=True) for axes in grid]
        legend = {label: handle for part in parts for handle, label in part}
        figure.legend(
            legend.values(), legend.keys(), loc="outside lower center", ncols=3, frameon=False
        )

    size = _SIDE * columns, _SIDE * rows + 0.5
    return figures.draw(stem.name, _ALT, size, paint).save(stem.parent)


def draw_pairs(rows: Sequence[Row], stem: Path) -> list[Path]:
    """Draw what tuning changed in one task: for each pair an arrow from base to tuned model.

    A measure that is undefined for one of a pair has no arrow.

    Args:
        rows: As `PAIR_COLUMNS` has them, all of one task.
        stem: Path of the files without their endings.

    Raises:
        CurateError: If a file cannot be written.
    """

    def paint(figure: "Figure") -> None:
        grid = figure.subplots(1, len(_MEASURES), sharey=True, squeeze=False).ravel()
        for axes, (name, title) in zip(grid, _MEASURES.items(), strict=True):
            _changes(axes, rows, name)
            axes.set_title(title, fontsize=9)
        handles, labels = grid[0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside lower center", ncols=2, frameon=False)

    size = _SIDE * len(_MEASURES), 1.4 + 0.4 * len(rows)
    return figures.draw(stem.name, _ALT_PAIRS, size, paint).save(stem.parent)


def _changes(axes: "Axes", rows: Sequence[Row], name: str) -> None:
    """A line a pair, from the measure of the base model to that of the tuned one."""
    places = range(len(rows))
    for at, row in zip(places, rows, strict=True):
        before, after = row[f"{name}_base"], row[f"{name}_tuned"]
        if before is not None and after is not None and before != after:
            arrow = {"arrowstyle": "->", "color": SOFT}
            axes.annotate("", (after, at), xytext=(before, at), arrowprops=arrow)
    for which, colour, filled in (
        ("base", FIRST, False),
        ("tuned", SECOND, True),
    ):
        found = [(row[f"{name}_{which}"], at) for at, row in zip(places, rows, strict=True)]
        known = [(value, at) for value, at in found if isinstance(value, int | float)]
        axes.scatter(
            [value for value, _ in known],
            [at for _, at in known],
            s=26,
            facecolors=colour if filled else PAPER,
            edgecolors=colour,
            zorder=3,
            label=f"{which} model",
        )
    if name == "M_S":
        axes.axvline(PERFECT[0], linestyle="--", color=SOFT, linewidth=1)
    else:
        axes.set_xlim(-0.03, 1.03)
    axes.set_yticks(list(places), [f"{row['base']}, {row['tuned']}" for row in rows])
    axes.set_ylim(len(rows) - 0.5, -0.5)


def _panel(axes: "Axes", result: Result) -> None:
    ratio, scores = result.design.ratio, result.overall.scores
    slope, intercept = PERFECT
    ends = np.array([0.0, 1.0])
    axes.axhline(0, color=LINE, linewidth=0.8, zorder=0)
    axes.plot(
        ends,
        slope * ends + intercept,
        "--",
        color=SOFT,
        linewidth=1,
        label="perfect alignment",
    )
    axes.scatter(ratio, scores, s=16, color=FIRST, zorder=3, label="occupation")
    line = result.overall.line
    if line.slope is not None and line.intercept is not None:
        fitted = line.intercept + line.slope * ends
        axes.plot(ends, fitted, color=SECOND, linewidth=1.4, label="regression")
    _name_far(axes, result)
    group, other = result.design.groups[G1], result.design.groups[G2]
    axes.set(
        xlim=(-0.03, 1.03),
        ylim=(-1.08, 1.08),
        yticks=(-1, -0.5, 0, 0.5, 1),
        xlabel=f"Real ratio of {group}",
        ylabel=f"Score ({group} - {other})",
    )
    axes.set_title(f"{result.model}\n{_caption(result)}", fontsize=9)


def _caption(result: Result) -> str:
    measures = result.overall
    values = ("M_B", measures.balance), ("M_R", measures.refusal), ("M_S", measures.line.slope)
    return ", ".join(
        f"{name} {'undefined' if value is None else f'{value:.3f}'}" for name, value in values
    )


def _name_far(axes: "Axes", result: Result) -> None:
    """Name the occupations furthest from perfect alignment."""
    ratio, scores = result.design.ratio, result.overall.scores
    slope, intercept = PERFECT
    distance = np.nan_to_num(np.abs(scores - slope * ratio - intercept), nan=-1.0)
    for at in np.argsort(-distance, kind="stable")[:_NAMED]:
        right = ratio[at] > 0.5  # a name runs towards the middle
        if distance[at] > 0:
            axes.annotate(
                result.design.occupations[at],
                (ratio[at], scores[at]),
                xytext=(-4 if right else 4, 3),
                textcoords="offset points",
                ha="right" if right else "left",
                fontsize=7,
            )
