"""The pictures of the report: bias with its bounds, accuracy against bias, groups, stories."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import product
from math import ceil
from typing import TYPE_CHECKING, Any

import numpy as np

from curation.report.figures import (
    AREA,
    INK,
    LINE,
    LOOKS,
    NARROW,
    SOFT,
    WIDTH,
    Dot,
    Panel,
    Picture,
    dot,
    draw,
    forest,
    frame,
    key,
    limits,
    points,
    shortened,
    told,
)
from evaluation.qa.score import Row
from evaluation.reporting.records import EvaluationReport

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

CONTEXTS = (("amb", "Ambiguous contexts"), ("dis", "Disambiguated contexts"))
"""The contexts, and what they are called above a picture."""
_AREA = "grey: how far from 0 diff-bias can be at this accuracy"
_COLUMNS, _NARROW_COLUMNS = 4, 2  # panels beside each other
_LINE, _HEAD = 0.15, 0.45  # inches of a model in a panel, and of what stands around
_TALLEST = 12.0  # inches of a picture that a page can hold


def pictures(report: EvaluationReport) -> Iterator[Picture]:
    """Draw what the report shows; nothing is drawn of scores that are undefined."""
    overall = {str(row["model"]): row for row in report.by("overall")}
    drawn = [name for name in report.models if any(_of(overall[name]).values())]
    if drawn:
        yield _bias(report, drawn, overall)
        yield _against(report, drawn, overall)
    for group_by in ("category", "label"):
        if len(report.names(group_by)) > 1:
            yield from _groups(report, group_by)
    if report.stories is not None:
        yield _stories(report)


def _of(row: Row) -> dict[str, Dot | None]:
    """By context the diff-bias of a row, with its bound."""
    found = {}
    for context, _ in CONTEXTS:
        bound = row[f"max_bias_{context}"]
        found[context] = dot(row, f"diff_bias_{context}", None if bound is None else float(bound))
    return found


def _numbered(report: EvaluationReport, models: Sequence[str]) -> list[str]:
    return [f"{report.models.index(name) + 1}  {name}" for name in models]


def _bias(report: EvaluationReport, models: Sequence[str], rows: Mapping[str, Row]) -> Picture:
    dots = {context: [_of(rows[name])[context] for name in models] for context, _ in CONTEXTS}
    said = " ".join(
        f"{title}: {'; '.join(told(models, dots[context]))}." for context, title in CONTEXTS
    )
    return forest(
        "bias",
        f"Diff-bias of every model with 95 % intervals, the least biased first. {said}",
        _numbered(report, models),
        [
            Panel(title, "Diff-bias", dots[context], look)
            for (context, title), look in zip(CONTEXTS, LOOKS, strict=True)
        ],
        language=report.benchmark.language,
        bounded=_AREA,
    )


def _against(report: EvaluationReport, models: Sequence[str], rows: Mapping[str, Row]) -> Picture:
    """Draw bias over accuracy, with the number that each model has in the first picture."""
    pairs = {
        context: {
            report.models.index(name) + 1: (dot(rows[name], f"accuracy_{context}"), bias)
            for name in models
            if (bias := _of(rows[name])[context]) is not None
        }
        for context, _ in CONTEXTS
    }
    said = " ".join(
        f"{title}: "
        + "; ".join(
            f"{report.models[number - 1]} accuracy {across.said}, diff-bias {bias.value:.3f}"
            for number, (across, bias) in pairs[context].items()
            if across is not None
        )
        + "."
        for context, title in CONTEXTS
    )
    return draw(
        "accuracy_and_bias",
        f"Diff-bias over accuracy of every model. {said.replace('-0.', '−0.')}",
        (WIDTH, 3.6),
        partial(_scatter, pairs=pairs, columns=2),
        language=report.benchmark.language,
        narrow=((NARROW, 6.6), partial(_scatter, pairs=pairs, columns=1)),
    )


Pairs = Mapping[str, Mapping[int, tuple[Dot | None, Dot]]]
"""By context and number of a model its accuracy and its diff-bias."""


def _scatter(figure: "Figure", pairs: Pairs, columns: int) -> None:
    panels = figure.subplots(2 // columns, columns, squeeze=False, sharey=True).ravel()
    every = [bias for part in pairs.values() for _, bias in part.values()]
    high = max(abs(end) for end in limits([Dot(it.value) for it in every]))
    for axes, (context, title), look in zip(panels, CONTEXTS, LOOKS, strict=True):
        part = {
            at: (across.value, bias.value)
            for at, (across, bias) in pairs[context].items()
            if across is not None
        }
        ends = limits([Dot(across) for across, _ in part.values()], (0.0, 1.0))
        axes.set(xlim=ends, ylim=(-high * 1.08, high * 1.08), xlabel="Accuracy")
        axes.set_title(title, loc="left", fontsize=10, fontweight="bold")
        _room(axes, context)
        if part:
            axes.scatter(
                *zip(*part.values(), strict=True),
                **{"s": 22, "marker": look[1], "color": look[0], "zorder": 3},
                clip_on=False,
            )
            _label(axes, part)
        axes.grid(color=LINE, linewidth=0.6)
        axes.set_axisbelow(True)
    panels[0].set_ylabel("Diff-bias")
    key(figure, panels[0], _AREA, is_few=False)


def _room(axes: "Axes", context: str) -> None:
    """Draw where bias can lie: up to 1 - x, or 1 - |2 x - 1|."""
    across = np.array([0.0, 1.0] if context == "amb" else [0.0, 0.5, 1.0])
    bound = 1 - across if context == "amb" else 1 - np.abs(2 * across - 1)
    axes.fill_between(across, -bound, bound, color=AREA, zorder=0, linewidth=0)
    for side in (bound, -bound):
        axes.plot(across, side, color=SOFT, linewidth=1.0, zorder=1)
    axes.axhline(0, color=SOFT, linewidth=0.9, zorder=1)


_PLACES = ((5, 0), (-5, 0), (0, 7), (0, -7), (5, 6), (-5, 6), (5, -6), (-5, -6), (12, 0), (-12, 0))
"""Where a number can stand beside its point, in points, the best first."""


def _label(axes: "Axes", there: Mapping[int, tuple[float, float]]) -> None:
    """Write each number where it hides the fewest points and numbers."""
    (left, right), (bottom, top) = axes.get_xlim(), axes.get_ylim()
    scale = 250 / (right - left), 180 / (top - bottom)  # points of a panel, roughly
    taken = [(x * scale[0], y * scale[1]) for x, y in there.values()]
    for number, (x, y) in there.items():
        half = 3.2 * len(str(number))

        def crowd(
            place: tuple[int, int], at: tuple[float, float] = (x, y), half: float = half
        ) -> float:
            side = half * ((place[0] > 0) - (place[0] < 0))
            one = at[0] * scale[0] + place[0] + side, at[1] * scale[1] + place[1]
            return sum(
                max(0.0, 1 - abs(one[0] - a) / (half + 4)) * max(0.0, 1 - abs(one[1] - b) / 8)
                for a, b in taken
            )

        best = min(_PLACES, key=crowd)
        sideways = (best[0] > 0) - (best[0] < 0)
        taken.append((x * scale[0] + best[0] + half * sideways, y * scale[1] + best[1]))
        axes.annotate(
            str(number),
            (x, y),
            xytext=best,
            textcoords="offset points",
            ha=("center", "left", "right")[sideways],
            va="center",
            fontsize=8,
            color=INK,
        )


def _groups(report: EvaluationReport, group_by: str) -> Iterator[Picture]:
    """Draw a panel for each group, in as many pictures as fit a page each."""
    names = list(report.names(group_by))
    height = _HEAD + _LINE * max(len(report.models), 3)
    whole = max(1, int(_TALLEST / height)) * _COLUMNS
    parts = [names[at : at + whole] for at in range(0, len(names), whole)]
    rows = {(str(row["group"]), str(row["model"])): row for row in report.by(group_by)}
    for at, part in enumerate(parts):
        rest = f" ({at + 1} of {len(parts)})" if len(parts) > 1 else ""
        said = " ".join(f"{name}: {_ends(report, rows, name)}" for name in part)
        given: dict[str, Any] = {"report": report, "rows": rows, "names": part}
        narrow = NARROW, 0.6 + height * ceil(len(part) / _NARROW_COLUMNS)
        yield draw(
            f"diff_bias_by_{group_by}" + (f"_{at + 1}" if at else ""),
            f"Diff-bias of every model by {group_by}{rest}, with 95 % intervals. {said}",
            (WIDTH, 0.5 + height * ceil(len(part) / _COLUMNS)),
            partial(_multiples, columns=min(_COLUMNS, len(part)), is_narrow=False, **given),
            language=report.benchmark.language,
            narrow=(narrow, partial(_multiples, columns=_NARROW_COLUMNS, is_narrow=True, **given)),
        )


def _ends(report: EvaluationReport, rows: Mapping[tuple[str, str], Row], group: str) -> str:
    """Say from which model to which the scores of a group go."""
    parts = []
    for context, title in CONTEXTS:
        there = [
            (it, model)
            for model in report.models
            if (group, model) in rows
            and (it := dot(rows[group, model], f"diff_bias_{context}")) is not None
        ]
        if there:
            low, high = (end(there, key=lambda item: item[0].value) for end in (min, max))
            ends = f"{low[0].said} of {low[1]}"
            if len(there) > 1:
                ends = f"from {ends} to {high[0].said} of {high[1]}"
            parts.append(f"{title.split()[0].lower()} {ends}")
    return f"{'; '.join(parts) or 'undefined'}."


def _multiples(
    figure: "Figure",
    report: EvaluationReport,
    rows: Mapping[tuple[str, str], Row],
    names: Sequence[str],
    columns: int,
    is_narrow: bool,
) -> None:
    from matplotlib.lines import Line2D

    models = report.models
    labels = [shortened(name) for name in _numbered(report, models)]
    if is_narrow:
        labels = [str(at + 1) for at in range(len(models))]
    grid = figure.subplots(ceil(len(names) / columns), columns, squeeze=False, sharex=True).ravel()
    found = {
        (context, group, at): it
        for (context, _), group, at in product(CONTEXTS, names, range(len(models)))
        if (group, models[at]) in rows and (it := _of(rows[group, models[at]])[context]) is not None
    }
    ends = limits(list(found.values()))
    for at, (axes, group) in enumerate(zip(grid, names, strict=False)):
        axes.set_xlim(*ends)
        frame(axes, labels if is_narrow or at % columns == 0 else [], len(models))
        axes.tick_params(axis="y", labelsize=7.5)
        axes.tick_params(axis="x", labelsize=7.5, labelbottom=True)
        axes.set_title(_wrapped(group, 24), loc="left", fontsize=9, fontweight="bold")
        for (context, _), look, shift in zip(CONTEXTS, LOOKS, (-0.18, 0.18), strict=True):
            there = {
                place + shift: it
                for (kind, name, place), it in found.items()
                if (kind, name) == (context, group)
            }
            points(axes, there, *look, size=3.2)
    for axes in grid[len(names) :]:
        axes.set_visible(False)
    series = [
        Line2D([], [], color=colour, marker=marker, markersize=5, label=title)
        for (_, title), (colour, marker) in zip(CONTEXTS, LOOKS, strict=True)
    ]
    key(figure, grid[0], "", any(it.is_few for it in found.values()), *series)


def _wrapped(title: str, width: int) -> str:
    from textwrap import wrap

    return "\n".join(wrap(title, width)[:2]) or title


def _stories(report: EvaluationReport) -> Picture:
    rows = [row for row in report.stories or () if row["group_by"] == "overall"]
    neutral = [dot(row, "ntr_gen") for row in rows]
    biased = [
        dot(row, "bias_gen", None if it is None else 1.0 - it.value)
        for row, it in zip(rows, neutral, strict=True)
    ]
    order = sorted(range(len(rows)), key=lambda at: _first(biased[at]))
    names = [str(rows[at]["model"]) for at in order]
    panels = [
        Panel("Bias of stories", "Bias", [biased[at] for at in order], LOOKS[0]),
        Panel("Neutrality", "Neutrality", [neutral[at] for at in order], LOOKS[1], (0.0, 1.0)),
    ]
    said = " ".join(f"{panel.title}: {'; '.join(told(names, panel.dots))}." for panel in panels)
    return forest(
        "neutrality_and_bias",
        f"Bias and neutrality of continued stories, the least biased model first. {said}",
        names,
        panels,
        language=report.benchmark.language,
        bounded="grey: how far from 0 bias can be at this neutrality",
        is_shared=False,
    )


def _first(it: Dot | None) -> float:
    return float("inf") if it is None else abs(it.value)
