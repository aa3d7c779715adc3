"""The sentences of the report, from the texts beside this module."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

import yaml

from curation.files.pages import PURPOSE, SOURCES, count, decimal, environment, resource, whole
from evaluation.compare.permutation import LEVEL
from evaluation.qa.metrics import BOUNDS, INTERVALS, MAIN, METRICS
from evaluation.qa.score import Row
from evaluation.qa.unparsed import ModelUnparsed
from evaluation.reporting.records import EvaluationReport
from evaluation.requests import ORDERS

if TYPE_CHECKING:
    from jinja2 import Template

_LISTED = 3  # models that notes of a kind name one by one
PREDICTED = "prediction"
"""The mode of replies that a file says how to read."""

_TEXTS: dict[str, Any] = yaml.safe_load(resource(__package__, "words.yaml"))
USES = (PURPOSE, *_TEXTS["uses"])
"""What such data must not be used for."""


@cache
def _template(text: str) -> "Template":
    return environment(__package__).overlay(autoescape=False).from_string(text)


def _said(text: str, **known: object) -> str:
    """Fill a text in; it is empty where there is nothing to say."""
    fixed = {"sets": _TEXTS["sets"], "modes": _TEXTS["modes"], "whole": whole}
    return _template(text).render(fixed, **known)


def _of(report: EvaluationReport, text: str) -> str:
    return _said(
        text,
        report=report,
        benchmark=report.benchmark,
        settings=report.settings,
        several=len(report.models) > 1,
        orders=[str(order) for order in ORDERS[report.settings.orders]],
        level=f"{LEVEL * 100:.0f}",
    )


def sources(report: EvaluationReport) -> tuple[str, ...]:
    """What is to be cited beside the benchmark itself."""
    return (*SOURCES, *(said for text in _TEXTS["sources"] if (said := _of(report, text))))


def citation(report: EvaluationReport) -> str:
    """Say how the scores are cited."""
    return _of(report, _TEXTS["citation"])


def summary(report: EvaluationReport) -> str:
    """Say in one sentence which models were asked what."""
    return _of(report, _TEXTS["summary"])


def headline(report: EvaluationReport) -> str:
    """Say the scores in a sentence: those of one model, or from the lowest to the highest."""
    said = [_range(report.by("overall"), name, METRICS[name].said) for name in MAIN]
    text = "; ".join(part for part in said if part)
    if not text:
        return ""
    verdicts = (_verdict(report.by("overall"), name, METRICS[name].said) for name in BOUNDS)
    return " ".join([f"{text[:1].upper()}{text[1:]}.", *filter(None, verdicts)])


def _verdict(rows: list[Row], name: str, said: str) -> str:
    """Say for how many models a diff-bias is told from 0 by its interval."""
    ends = [
        (float(low), float(high))
        for row in rows
        if (low := row[f"{name}_low"]) is not None and (high := row[f"{name}_high"]) is not None
    ]
    if not ends:
        return ""
    above, below = sum(low > 0 for low, _ in ends), sum(high < 0 for _, high in ends)
    sides = f" ({above} towards the stereotype, {below} against it)" if above + below else ""
    models = count(len(ends), "model")
    return f"The 95 % interval of {said} leaves out 0 for {above + below} of {models}{sides}."


def _range(rows: list[Row], name: str, said: str) -> str:
    there = [(float(row[name] or 0.0), str(row["model"])) for row in rows if row[name] is not None]
    if not there:
        return ""
    low, high = min(there), max(there)
    if len(there) == 1:
        return f"{said} {decimal(low[0])}"
    return f"{said} {decimal(low[0])} ({low[1]}) to {decimal(high[0])} ({high[1]})"


def facts(report: EvaluationReport) -> dict[str, str]:
    """What was evaluated and how, by name."""
    return {name: _of(report, text) for name, text in _TEXTS["facts"].items()}


def details(report: EvaluationReport) -> str:
    """Say where samples and replies are to be looked at."""
    return _of(report, _TEXTS["details"])


def notes(report: EvaluationReport, others: Iterable[str]) -> Iterator[str]:
    """Yield what a reader must know before the numbers.

    Args:
        report: The report, its notes left out.
        others: What was found wrong with the files, in words.
    """
    return filter(None, _notes(report, others))


def _notes(report: EvaluationReport, others: Iterable[str]) -> Iterator[str]:
    settings = report.settings
    overall = [row for row in report.rows if row["group_by"] == "overall"]
    missing = [item for item in report.read_as if item.missing]
    if len(missing) > _LISTED:
        most = max(missing, key=lambda item: item.missing)
        yield _said(_TEXTS["many_missing"], items=missing, most=most, settings=settings)
    else:
        yield from (_said(_TEXTS["missing"], item=item, settings=settings) for item in missing)
    yield from others
    yield from _unparsed(report.unparsed, len(overall))
    undefined = {
        str(row["model"]): [METRICS[name].said for name in MAIN if row[name] is None]
        for row in overall
    }
    lacking = [model for model, names in undefined.items() if names]
    if len(lacking) > _LISTED:
        yield _said(_TEXTS["many_undefined"], items=lacking)
    else:
        for model in lacking:
            yield _said(_TEXTS["undefined"], model=model, lacking=undefined[model])
    for text in _TEXTS["settings"]:
        yield _said(text, settings=settings)


def _unparsed(found: Sequence[ModelUnparsed], models: int) -> Iterator[str]:
    if len(found) > _LISTED:
        most = max(found, key=lambda item: item.out_of_choice / item.replies)
        yield _said(_TEXTS["many_unparsed"], items=found, most=most, models=models)
    else:
        yield from (_said(_TEXTS["unparsed"], item=item) for item in found)


def method(report: EvaluationReport) -> list[dict[str, Any]]:
    """The method in words, with the settings used: parts with `title`, `text` and `formulas`."""
    parts = (
        {"title": it["title"], "text": _of(report, it["text"]), "formulas": _formulas(it)}
        for it in _TEXTS["method"]
    )
    return [part for part in parts if part["text"]]


def _formulas(part: dict[str, Any]) -> tuple[str, ...]:
    """The formulas of a part; those of the scores are as they are registered."""
    if part.get("formulas") != "scores":
        return tuple(part.get("formulas", ()))
    return tuple(
        f"{it.what.capitalize()} ({it.where}) = {it.formula} ({it.source})".replace(" - ", " − ")
        for it in map(METRICS.__getitem__, INTERVALS)
    )
