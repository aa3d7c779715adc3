"""The report as one self-contained page: no network, no font, script or image of others.

The page carries a content security policy that admits its own style and script alone, by
their hashes, so that not even a fault in escaping would let a text of the workspace run.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from jinja2 import Environment
from markupsafe import Markup

from curation.io.pages import base_style, content_policy, resource
from curation.io.pages.templates import environment
from curation.io.pages.words import SOURCES
from curation.model.survey import QuestionKind
from survey.outcome import describe
from survey.report import figures, words
from survey.report.figures import Bar, Dot, caterpillar, group_bars, share_bar
from survey.report.records import QuestionRow, Report
from survey.report.sections import (
    Cross,
    cross,
    funnels,
    key_figures,
    moved_to,
    quota_note,
    sensitivity_tables,
    summary,
)
from survey.report.tables import tables


@dataclass(frozen=True, slots=True)
class Shown:
    """A question beside its drawings."""

    row: QuestionRow
    bars: Sequence[Bar]
    described: Sequence[str]


def page(report: Report) -> str:
    """Set a report out as HTML."""
    style = f"{base_style()}\n\n{resource(__package__, 'style.css')}"
    script = resource(__package__, "script.js")
    kinds = {kind: _shown(report, kind) for kind in QuestionKind}
    text = (
        _environment()
        .get_template("template.html.j2")
        .render(
            report=report,
            culture=report.culture,
            settings=report.settings,
            choice=kinds[QuestionKind.CHOICE],
            select_all=kinds[QuestionKind.SELECT_ALL],
            comprehension=kinds[QuestionKind.COMPREHENSION],
            dots=_dots(report),
            funnels=list(funnels(report)),
            quotas=_quotas(report),
            sensitivity=list(sensitivity_tables(report)),
            method=list(words.method(report)),
            summary=summary(report),
            key=key_figures(report),
            near_elsewhere=_near_elsewhere,
            citation=words.citation(report),
            sources=SOURCES,
            contents=_contents(report),
            table_names=[table.name for table in tables(report)],
            words=words,
            categories=_categories(report),
            anchor=_anchors(report).get,
            style=Markup(style),  # noqa: S704  # ours, from the package
            script=Markup(script),  # noqa: S704  # ours, from the package
            policy=content_policy(style, script),
        )
    )
    return f"{text.rstrip()}\n"


@cache
def _environment() -> Environment:
    made = environment(__package__)
    made.filters.update(fraction=words.fraction)
    made.globals.update(moved_to=moved_to, quota_note=quota_note, figures=figures)
    return made


def _shown(report: Report, kind: QuestionKind) -> list[Shown]:
    return [
        Shown(row, _bars(row, report), [describe(item) for item in row.rulings])
        for row in report.of_kind(kind)
    ]


def _bars(row: QuestionRow, report: Report) -> Sequence[Bar]:
    if row.kind is QuestionKind.SELECT_ALL:
        return group_bars(row, report.settings)
    return share_bar(row, report.settings)


def _dots(report: Report) -> Sequence[Dot]:
    return caterpillar(report.of_kind(QuestionKind.CHOICE))


def _quotas(report: Report) -> Cross | None:
    return cross(report.respondents) if report.respondents else None


def _categories(report: Report) -> list[tuple[str, str]]:
    """Give the categories asked about, in the culture's order, with the names to show."""
    asked = {row.category for row in report.questions}
    known = [(item.id, item.name) for item in report.culture.categories if item.id in asked]
    others = sorted(asked - {name for name, _ in known})
    named = [*known, *((name, "") for name in others)]
    return [(name, f"{name} ({shown})" if shown else name) for name, shown in named]


def _near_elsewhere(row: QuestionRow) -> list[str]:
    """Name the rules with a near threshold, unless only the kind's own has one."""
    near = [ruling for ruling in row.rulings if ruling.near]
    return [words.RULES[ruling.rule].lower() for ruling in near if ruling is not row.decisive]


def _anchors(report: Report) -> dict[str, str]:
    """Give the row to go to for the subject of each ruling: a question, or a template's own."""
    return {
        row.templates[0] if row.kind is QuestionKind.COMPREHENSION else row.id: row.id
        for row in report.questions
    }


def _contents(report: Report) -> list[tuple[str, str]]:
    """Give the sections that the page has, as id and title."""
    named = bool(report.undecided or report.overridden or report.modified)
    return [
        ("funnel", "What is left"),
        ("questions", "Questions"),
        *[("templates", "Templates")] * named,
        ("respondents", "Respondents"),
        ("sensitivity", "Other thresholds"),
        ("method", "Method"),
        ("use", "Not to be used for"),
        ("cite", "How to cite"),
    ]
