"""The scatter of scores over real ratios, with the regression line and perfect alignment."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from curation.report import figures
from curation.report.figures import dot
from evaluation.occupations.design import G1, G2
from evaluation.occupations.scores import PERFECT, Result, Row

_COLUMNS = 3  # panels beside one another
_NAMED = 3  # occupations that are named: those furthest from perfect alignment
_MEASURES = {
    "M_B": "M_B, difference between groups",
    "M_R": "M_R, refusal",
    "M_S": "M_S, slope (perfect alignment: 2)",
}
_ALT_PAIRS = "Measures of each base model and of the tuned one below it."
_WHICH = ("base", "tuned")
_ALT = "Score of each occupation over its real ratio, with regression and perfect alignment."


def draw(results: Sequence[Result], stem: Path) -> list[Path]:
    """Draw the scores of all models in one task, a panel a model, as SVG and PNG.

    The regression is drawn where its slope is told from chance, with the interval of the slope as
    a band; the title has the measures always.

    Args:
        results: The scores; all of one task.
        stem: Path of the files without their endings.

    Raises:
        CurateError: If a file cannot be written.
    """
    panels = [_panel(result) for result in results]
    key_of = {"named": "an occupation", "ideal": "perfect alignment (slope 2)"}
    if any(panel.line for panel in panels):
        key_of["line"] = "regression, with the 95 % band of its slope"
    picture = figures.scatters(stem.name, _ALT, panels, columns=_COLUMNS, key_of=key_of)
    return picture.save(stem.parent)


def _panel(result: Result) -> figures.Scatter:
    row, design, scores = result.overall, result.design, result.scores
    group, other = design.groups[G1], design.groups[G2]
    there = {
        design.occupations[at]: (float(design.ratio[at]), float(scores[at]))
        for at in np.flatnonzero(np.isfinite(scores)).tolist()
    }
    slope, start = PERFECT
    far = sorted(there, key=lambda name: -abs(there[name][1] - slope * there[name][0] - start))
    said = ", ".join(
        f"{name} undefined"
        if row[name] is None or np.isnan(row[name])
        else f"{name} {row[name]:.3f}"
        for name in _MEASURES
    )
    low, high = row.get("M_S_low"), row.get("M_S_high")
    is_sure = low is not None and high is not None and (low > 0 or high < 0)
    return figures.Scatter(
        title=f"{result.model}\n{said}",
        across=f"Real ratio of {group}",
        up=f"Score ({group} - {other})",
        named={name: there[name] for name in far[:_NAMED]},
        others=[there[name] for name in far[_NAMED:]],
        line=(row["M_S"], row["intercept"]) if is_sure else None,
        slopes=(low or 0.0, high or 0.0) if is_sure else None,
        ideal=PERFECT,
        xlim=(-0.03, 1.03),
        ylim=(-1.08, 1.08),
    )


def draw_pairs(rows: Sequence[Row], stem: Path) -> list[Path]:
    """Draw what tuning changed in one task: the base and the tuned model of each pair.

    Args:
        rows: As `PAIR_COLUMNS` has them, all of one task.
        stem: Path of the files without their endings.

    Raises:
        CurateError: If a file cannot be written.
    """
    panels = [
        figures.Panel(
            title,
            name,
            [[dot(row, f"{name}_{which}") for row in rows] for which in _WHICH],
            span=(-10.0, 10.0) if name == "M_S" else (0.0, 1.0),
        )
        for name, title in _MEASURES.items()
    ]
    names = [f"{row['base']}, {row['tuned']}" for row in rows]
    models = [f"{which} model" for which in _WHICH]
    picture = figures.forest(stem.name, _ALT_PAIRS, names, panels, is_shared=False, names=models)
    return picture.save(stem.parent)
