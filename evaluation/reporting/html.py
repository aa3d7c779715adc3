"""The report as Markdown, and as one self-contained page: no network, no font or image of others.

The page carries a content security policy that admits its own style and script alone, by
their hashes, so that not even a fault in escaping would let a reply of a model run.
"""

import re
from collections.abc import Sequence
from functools import partial

from markupsafe import Markup, escape

from curation.files.pages import base_style, content_policy, environment, plain, resource, table
from evaluation.figures import Picture
from evaluation.reporting import words
from evaluation.reporting.records import EvaluationReport
from evaluation.reporting.sections import sections
from evaluation.reporting.tables import tables
from evaluation.reporting.views import View


def page(report: EvaluationReport, drawn: Sequence[Picture]) -> str:
    """Set a report out as HTML.

    Args:
        report: The report.
        drawn: Its pictures.
    """
    style = f"{base_style()}\n\n{resource(__package__, 'style.css')}"
    script = resource(__package__, "script.js")
    template = environment(__package__).get_template("template.html.j2")
    text = template.render(
        content(report, drawn),
        breakable=_breakable,
        style=Markup(style),  # noqa: S704  # ours, from the package
        script=Markup(script),  # noqa: S704  # ours, from the package
        policy=content_policy(style, script),
    )
    return f"{text.rstrip()}\n"


def content(report: EvaluationReport, drawn: Sequence[Picture]) -> dict[str, object]:
    """What the page and the Markdown both hold, by the names that their templates use."""
    return {
        "report": report,
        "benchmark": report.benchmark,
        "summary": words.summary(report),
        "headline": words.headline(report),
        "facts": words.facts(report).items(),
        "sections": sections(report),
        "drawn_for": partial(_drawn_for, drawn),
        "method": words.method(report),
        "uses": words.USES,
        "citation": words.citation(report),
        "sources": words.sources(report),
        "table_names": list(tables(report)),
        "details": words.details(report),
    }


def _drawn_for(drawn: Sequence[Picture], name: str) -> list[Picture]:
    """The pictures of a name, of which there are several where one would be too tall."""
    return [item for item in drawn if name and re.fullmatch(f"{name}(_[0-9]+)?", item.name)]


def _breakable(name: str) -> Markup:
    """Let a name go on in another line after _ and /."""
    return Markup("<wbr>").join(map(escape, re.split("(?<=[_/])", name)))


def markdown(report: EvaluationReport, drawn: Sequence[Picture]) -> str:
    """Set a report out as Markdown; pictures are named in the folder `pictures`.

    Args:
        report: The report.
        drawn: Its pictures.
    """
    template = environment(__package__).overlay(autoescape=False).get_template("report.md.j2")
    text = template.render(content(report, drawn), plain=plain, scores=_scores)
    return f"{text.rstrip()}\n"


def _scores(view: View) -> str:
    header = [plain(column.whole_title) for column in view.columns]
    rows = (
        [plain(f"{cell.text} ({cell.below})" if cell.below else cell.text) for cell in row]
        for row in view.rows
    )
    texts = [at for at, column in enumerate(view.columns) if column.text]
    return "\n".join(table(header, rows, texts))
