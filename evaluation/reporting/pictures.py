"""The pictures of the report: bias and its bounds, accuracy and bias, groups, other measures."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import isfinite

from curation.report.figures import (
    LOOKS,
    Dot,
    Panel,
    Picture,
    Scatter,
    dot,
    forest,
    limits,
    scatters,
    told,
    told_apart,
)
from curation.report.texts import decimal
from evaluation.folders import Row
from evaluation.measures import OCCUPATIONS, ranked
from evaluation.reporting.words import EvaluationReport, by_balance, by_leaning

CONTEXTS = (("amb", "Ambiguous contexts"), ("dis", "Disambiguated contexts"))
"""The contexts, and what they are called above a picture."""
_AREA = "grey: how far from 0 diff-bias can be at this accuracy"
_TENT = (0.0, 0.5, 1.0), (0.0, 1.0, 0.0)
"""The bound of diff-bias in disambiguated contexts, by accuracy."""
_SLOPES = (-10.0, 10.0)
"""The axis of a slope, which has no bound."""
_COLUMNS = 4  # panels beside each other
_ROWS = 60  # of models in panels below each other, which a page can hold


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
    if report.occupations is not None:
        yield _occupations(report)


def _of(row: Row) -> dict[str, Dot | None]:
    """By context the diff-bias of a row, with its bound."""
    found = {}
    for context, _ in CONTEXTS:
        bound = row[f"max_bias_{context}"]
        found[context] = dot(row, f"diff_bias_{context}", None if bound is None else float(bound))
    return found


def _numbered(report: EvaluationReport, models: Sequence[str]) -> list[str]:
    names = dict(zip(report.models, told_apart(report.models), strict=True))
    return [f"{at}  {names[it]}" for at, it in enumerate(report.models, 1) if it in models]


def _bias(report: EvaluationReport, models: Sequence[str], rows: Mapping[str, Row]) -> Picture:
    panels = [
        Panel(title, "Diff-bias", [[_of(rows[name])[context] for name in models]], [look])
        for (context, title), look in zip(CONTEXTS, LOOKS, strict=True)
    ]
    return forest(
        "bias",
        "Diff-bias of every model with 95 % intervals, the least biased first. "
        f"{_said(models, panels)}",
        _numbered(report, models),
        panels,
        language=report.benchmark["language"],
        bounded=_AREA,
    )


def _said(names: Sequence[str], panels: Iterable[Panel]) -> str:
    """The numbers of panels of one series in words."""
    return " ".join(f"{it.title}: {'; '.join(told(names, it.series[0]))}." for it in panels)


def _against(report: EvaluationReport, models: Sequence[str], rows: Mapping[str, Row]) -> Picture:
    """Draw bias over accuracy, with the number that each model has in the first picture."""
    points: dict[str, list[tuple[str, Dot, Dot]]] = {}
    said = []
    for context, title in CONTEXTS:
        both = ((it, dot(rows[it], f"accuracy_{context}"), _of(rows[it])[context]) for it in models)
        points[context] = [(name, across, bias) for name, across, bias in both if across and bias]
        told_of = (
            f"{name} accuracy {across.said}, diff-bias {decimal(bias.value, 3)}"
            for name, across, bias in points[context]
        )
        said.append(f"{title}: {'; '.join(told_of) or 'undefined'}.")
    every = [Dot(bias.value) for part in points.values() for _, _, bias in part]
    high = 1.08 * max((abs(end) for end in limits(every)), default=1.0)
    panels = []
    for (context, title), look in zip(CONTEXTS, LOOKS, strict=True):
        named = {
            str(report.models.index(name) + 1): (across.value, bias.value)
            for name, across, bias in points[context]
        }
        panels.append(
            Scatter(
                title,
                "Accuracy",
                "Diff-bias",
                named,
                look=look,
                bound=((0.0, 1.0), (1.0, 0.0)) if context == "amb" else _TENT,
                xlim=limits([Dot(x) for x, _ in named.values()], (0.0, 1.0)),
                ylim=(-high, high),
            )
        )
    return scatters(
        "accuracy_and_bias",
        f"Diff-bias over accuracy of every model. {' '.join(said)}",
        panels,
        language=report.benchmark["language"],
        key_of={"bound": _AREA},
    )


def _groups(report: EvaluationReport, group_by: str) -> Iterator[Picture]:
    """Draw a panel for each group, in as many pictures as fit a page each."""
    rows = {(str(row["group"]), str(row["model"])): row for row in report.by(group_by)}
    known = {group for (group, _), row in rows.items() if any(_of(row).values())}
    names = [name for name in report.names(group_by) if name in known]
    whole = max(1, _ROWS // (len(report.models) + 2)) * _COLUMNS
    parts = [names[at : at + whole] for at in range(0, len(names), whole)]
    for at, part in enumerate(parts):
        rest = f" ({at + 1} of {len(parts)})" if len(parts) > 1 else ""
        panels = []
        for name in part:
            of = [_of(rows[name, it]) if (name, it) in rows else {} for it in report.models]
            series = [[it.get(context) for it in of] for context, _ in CONTEXTS]
            panels.append(Panel(name, "", series))
        yield forest(
            f"diff_bias_by_{group_by}" + (f"_{at + 1}" if at else ""),
            f"Diff-bias of every model by {group_by}{rest}, with 95 % intervals.",
            _numbered(report, report.models),
            panels,
            language=report.benchmark["language"],
            columns=min(_COLUMNS, len(part)),
            names=[title for _, title in CONTEXTS],
        )


def _stories(report: EvaluationReport) -> Picture:
    rows = by_leaning(report.stories or ())
    neutral = [dot(row, "ntr_gen") for row in rows]
    biased = [
        dot(row, "bias_gen", None if it is None else 1.0 - it.value)
        for row, it in zip(rows, neutral, strict=True)
    ]
    names = [str(row["model"]) for row in rows]
    panels = [
        Panel("Bias of stories", "Bias", [biased]),
        Panel("Neutrality", "Neutrality", [neutral], LOOKS[1:], (0.0, 1.0)),
    ]
    return forest(
        "neutrality_and_bias",
        "Bias and neutrality of continued stories, the least biased model first. "
        f"{_said(names, panels)}",
        names,
        panels,
        language=report.benchmark["language"],
        bounded="grey: how far from 0 bias can be at this neutrality",
    )


def _occupations(report: EvaluationReport) -> Picture:
    rows = by_balance(report.occupations or ())
    several = len({row["task"] for row in rows}) > 1
    names = [f"{row['model']}, {row['task']}" if several else str(row["model"]) for row in rows]
    panels = [
        Panel(
            it.what.capitalize(),
            name,
            [[dot(row, name) for row in rows]],
            span=it.span if isfinite(it.span[1]) else _SLOPES,
        )
        for name, it in ranked(OCCUPATIONS).items()
    ]
    said = " ".join(
        f"{panel.title} ({panel.across}): {'; '.join(told(names, panel.series[0]))}."
        for panel in panels
    )
    return forest(
        "occupations",
        f"Occupations given to two groups, the most balanced model first. {said}",
        names,
        panels,
        language=report.benchmark["language"],
    )
