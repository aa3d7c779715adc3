"""The scatter of scores over real ratios, with the regression line and perfect alignment."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from curation.report import figures
from curation.report.figures import dot
from evaluation.occupations.design import G1, G2
from evaluation.occupations.scores import PERFECT, Result
from evaluation.qa.score import Row

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
    measures = result.overall
    ratio, scores, line = result.design.ratio, measures.scores, measures.line
    group, other = result.design.groups[G1], result.design.groups[G2]
    there = {
        str(result.design.occupations[at]): (float(ratio[at]), float(scores[at]))
        for at in range(len(ratio))
        if np.isfinite(scores[at])
    }
    slope, start = PERFECT
    far = sorted(there, key=lambda name: -abs(there[name][1] - slope * there[name][0] - start))
    values = (
        ("M_B", measures.balance),
        ("M_R", measures.refusal),
        ("M_S", line.slope),
    )
    said = ", ".join(
        f"{name} {'undefined' if value is None else f'{value:.3f}'}" for name, value in values
    )
    low = measures.chance.slope_low if measures.chance else None
    high = measures.chance.slope_high if measures.chance else None
    is_sure = low is not None and high is not None and (low > 0 or high < 0)
    return figures.Scatter(
        title=f"{result.model}\n{said}",
        across=f"Real ratio of {group}",
        up=f"Score ({group} - {other})",
        named={name: there[name] for name in far[:_NAMED]},
        others=[there[name] for name in far[_NAMED:]],
        line=(line.slope or 0.0, line.intercept or 0.0) if is_sure else None,
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
