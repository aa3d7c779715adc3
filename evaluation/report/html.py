"""The report as one self-contained page: no network, no font, script or image of others.

The page carries a content security policy that admits its own style and script alone, by
their hashes, so that not even a fault in escaping would let a reply of a model run.
"""

from collections.abc import Iterable, Sequence

from markupsafe import Markup, escape

from curation.io.pages import base_style, content_policy, resource
from curation.io.pages.templates import environment
from curation.io.pages.texts import cut
from evaluation.pictures import Picture
from evaluation.report import words
from evaluation.report.examples import ANSWERS
from evaluation.report.records import EvaluationReport
from evaluation.report.sections import sections
from evaluation.report.tables import tables
from evaluation.report.views import Section

FOLDED = 240
"""Replies with more signs, or of several lines, are folded away."""
LONGEST = 6_000
"""Of longer replies the beginning and the end are on the page; `replies.csv` has them whole."""


def page(report: EvaluationReport, drawn: Sequence[Picture]) -> str:
    """Set a report out as HTML.

    Args:
        report: The report.
        drawn: Its pictures.
    """
    style = f"{base_style()}\n\n{resource(__package__, 'style.css')}"
    script = resource(__package__, "script.js")
    found = sections(report)
    text = (
        environment(__package__)
        .get_template("template.html.j2")
        .render(
            report=report,
            benchmark=report.benchmark,
            summary=words.summary(report),
            headline=words.headline(report),
            facts=list(words.facts(report)),
            sections=found,
            contents=_contents(report, found),
            pictures={item.name: item for item in drawn},
            categories=_used(item.category for item in report.examples),
            contexts=_used(item.context_type for item in report.examples),
            answers=list(ANSWERS.values()),
            method=list(words.method(report)),
            uses=words.USES,
            citation=words.citation(report),
            sources=words.sources(report),
            table_names=[table.name for table in tables(report)],
            drawn=words.drawn(report),
            cut=cut,
            breakable=_breakable,
            folded=_is_folded,
            longest=LONGEST,
            style=Markup(style),  # noqa: S704  # ours, from the package
            script=Markup(script),  # noqa: S704  # ours, from the package
            policy=content_policy(style, script),
        )
    )
    return f"{text.rstrip()}\n"


def _used(names: Iterable[str]) -> list[str]:
    return sorted(set(names))


def _is_folded(reply: str) -> bool:
    return len(reply) > FOLDED or "\n" in reply.strip()


def _breakable(name: str) -> Markup:
    """Let a name of several words with _ between them go on in another line."""
    return Markup("_<wbr>").join(map(escape, name.split("_")))


def _contents(report: EvaluationReport, found: Sequence[Section]) -> list[tuple[str, str]]:
    """Give the sections that the page has, as id and title."""
    return [
        *((section.name, section.title) for section in found),
        *[("replies", "Samples with replies")] * bool(report.examples),
        ("method", "Method"),
        ("use", "Not to be used for"),
        ("cite", "How to cite"),
    ]
