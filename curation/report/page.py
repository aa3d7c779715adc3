"""A report as Markdown, and as one self-contained page: no network, no font or image of others.

The page carries a content security policy that admits its own style and script alone, by
their hashes, so that not even a fault in escaping would let a text of others run.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup, escape

from curation.report.blocks import Block, Section, View
from curation.report.figures import Picture
from curation.report.texts import base_style, content_policy, environment, plain, resource, table


@dataclass(frozen=True, slots=True)
class Page:
    """A report as it is shown.

    Attributes:
        kind: What it is, such as `Survey report`.
        title: What it is of.
        version: The version of that; empty where it is not known.
        language: The language of names and texts in it; empty where it is not known.
        tool_version: Version of the toolkit.
        answer: What came out, in a few sentences, the most important first.
        sections: The sections.
        notes: What a reader must know first.
        sheet: Whether it is a sheet of details that another page leads to.
    """

    kind: str
    title: str
    version: str
    language: str
    tool_version: str
    answer: tuple[str, ...]
    sections: tuple[Section, ...]
    notes: tuple[str, ...] = ()
    sheet: bool = False


def html(page: Page, drawn: Sequence[Picture] = ()) -> str:
    """Set a report out as HTML.

    Args:
        page: The report.
        drawn: Its pictures.
    """
    style, script = base_style(), resource(__package__, "page.js")
    text = (
        environment(__package__)
        .get_template("page.html.j2")
        .render(
            page=page,
            drawn_for=lambda name: _drawn_for(drawn, name),
            breakable=_breakable,
            style=Markup(style),  # noqa: S704  # ours, from the package
            script=Markup(script),  # noqa: S704  # ours, from the package
            policy=content_policy(style, script),
        )
    )
    return f"{text.rstrip()}\n"


def markdown(page: Page, drawn: Sequence[Picture] = ()) -> str:
    """Set a report out as Markdown; pictures are named in the folder `pictures`.

    Args:
        page: The report.
        drawn: Its pictures.
    """
    made = environment(__package__).overlay(autoescape=False)
    text = made.get_template("page.md.j2").render(
        page=page, drawn_for=lambda name: _drawn_for(drawn, name), plain=plain, rows_of=_rows
    )
    return f"{text.rstrip()}\n"


def _drawn_for(drawn: Sequence[Picture], name: str) -> list[Picture]:
    """The pictures of a name, of which there are several where one would be too tall."""
    return [item for item in drawn if name and re.fullmatch(f"{name}(_[0-9]+)?", item.name)]


def _breakable(name: str) -> Markup:
    """Let a name go on in another line after _ and /."""
    return Markup("<wbr>").join(map(escape, re.split("(?<=[_/])", name)))


def _rows(view: View) -> str:
    header = [plain(column.whole_title) for column in view.columns]
    rows = (
        [plain(f"{cell.text} ({cell.below})" if cell.below else cell.text) for cell in row]
        for row in view.rows
    )
    texts = [at for at, column in enumerate(view.columns) if column.is_text]
    return "\n".join(table(header, rows, texts))


def closing(
    files: Sequence[str], uses: Sequence[str], citation: str, sources: Sequence[str]
) -> tuple[Section, ...]:
    """The sections that every report ends with.

    Args:
        files: The tables in its folder.
        uses: What the data must not be used for.
        citation: How the report is cited.
        sources: What is cited beside it.
    """
    return (
        Section("use", "What this data must not be used for", (Block(tuple(uses)),)),
        Section("cite", "How to cite", (Block(items=(citation, *sources)),)),
        Section("files", "Tables", (Block((f"In this folder: {', '.join(files)}.",)),)),
    )
