"""The report as one self-contained page: no network, no font, script or image of others.

The page carries a content security policy that admits its own style and script alone, by
their hashes, so that not even a fault in escaping would let a text of the workspace run.
"""

from markupsafe import Markup

from curation.records.survey import QuestionKind
from curation.report.texts import base_style, content_policy, environment, resource
from survey.outcomes import describe
from survey.reporting import figures, words
from survey.reporting.figures import (
    caterpillar,
    group_axis,
    group_bars,
    share_axis,
    share_bar,
)
from survey.reporting.records import QuestionRow, Report
from survey.reporting.sections import context, key_figures


def page(report: Report) -> str:
    """Set a report out as HTML."""
    style = f"{base_style()}\n\n{resource(__package__, 'style.css')}"
    script = resource(__package__, "script.js")
    text = (
        environment(__package__)
        .get_template("template.html.j2")
        .render(
            context(report),
            settings=report.settings,
            dots=caterpillar(report.of_kind(QuestionKind.CHOICE)),
            group_bars=group_bars,
            share_bar=share_bar,
            share_axis=share_axis,
            group_axis=group_axis,
            describe=describe,
            figures=figures,
            key=key_figures(report),
            borderline_elsewhere=_borderline_elsewhere,
            contents=_contents(report),
            categories=_categories(report),
            anchor=_anchors(report).get,
            style=Markup(style),  # noqa: S704  # ours, from the package
            script=Markup(script),  # noqa: S704  # ours, from the package
            policy=content_policy(style, script),
        )
    )
    return f"{text.rstrip()}\n"


def _categories(report: Report) -> list[tuple[str, str]]:
    """The categories asked about, in the culture's order, with the names to show."""
    asked = {row.category for row in report.questions}
    known = [(item.id, item.name) for item in report.culture.categories if item.id in asked]
    others = sorted(asked - {name for name, _ in known})
    named = [*known, *((name, "") for name in others)]
    return [(name, f"{name} ({shown})" if shown else name) for name, shown in named]


def _borderline_elsewhere(row: QuestionRow) -> list[str]:
    """Name the rules with a borderline decision, unless only the kind's own is one."""
    found = [item for item in row.decisions if item.borderline and item is not row.decisive]
    return [words.RULES[item.rule].lower() for item in found]


def _anchors(report: Report) -> dict[str, str]:
    """The row to go to for the subject of each decision: a question, or a template's own."""
    return {
        row.templates[0] if row.kind is QuestionKind.COMPREHENSION else row.id: row.id
        for row in report.questions
    }


def _contents(report: Report) -> list[tuple[str, str]]:
    """The sections that the page has, as id and title."""
    named = bool(report.undecided or report.overridden or report.modified)
    return [
        ("funnel", "Retained and dropped"),
        ("questions", "Questions"),
        *[("templates", "Templates")] * named,
        ("respondents", "Respondents"),
        *[("order", "Order of options")] * bool(report.order),
        *[("none", "No such stereotype")] * bool(report.no_stereotype),
        *[("stability", "If repeated")] * bool(report.stability),
        ("sensitivity", "Other thresholds"),
        ("method", "Method"),
        ("use", "Not to be used for"),
        ("cite", "How to cite"),
    ]
