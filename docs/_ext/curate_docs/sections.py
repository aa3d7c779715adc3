"""What the search page knows of sections, and what tables show on a narrow screen."""

import json
from pathlib import Path
from typing import Any

from bs4 import BeautifulSoup
from docutils import nodes
from sphinx.environment.collectors import EnvironmentCollector


class Sections(EnvironmentCollector):
    """Keeps the text of each section while pages are read."""

    def clear_doc(self, _app: Any, env: Any, docname: str) -> None:
        """Forget a page that is read again."""
        kept(env).pop(docname, None)

    def merge_other(self, _app: Any, env: Any, docnames: set[str], other: Any) -> None:
        """Take over what another process read."""
        kept(env).update({name: kept(other)[name] for name in docnames if name in kept(other)})

    def process_doc(self, app: Any, doctree: nodes.document) -> None:
        """Keep the sections of a page; the first one is the page itself, and has no place."""
        found = []
        for section in doctree.findall(nodes.section):
            title = section.next_node(nodes.title)
            own = [child for child in section.children if not isinstance(child, nodes.section)]
            text = " ".join(_plain(child) for child in own if child is not title)
            if title is not None:
                place = section["ids"][0] if found else ""
                found.append([place, title.astext(), " ".join(text.split())])
        kept(app.env)[app.env.docname] = found


def _plain(node: nodes.Node) -> str:
    """The text of a part, without markup that is passed on as it is."""
    texts = node.findall(nodes.Text)
    return " ".join(text.astext() for text in texts if not isinstance(text.parent, nodes.raw))


def kept(env: Any) -> dict[str, list[list[str]]]:
    """The sections by page: place, title, text."""
    if not hasattr(env, "curate_sections"):
        env.curate_sections = {}
    found: dict[str, list[list[str]]] = env.curate_sections
    return found


def write(app: Any, error: Exception | None) -> None:
    """Write the sections where the search page finds them: a script, for pages on disk."""
    if error is None and app.builder.format == "html":
        text = json.dumps(dict(sorted(kept(app.env).items())), ensure_ascii=False)
        target = Path(app.outdir) / "_static" / "sections.js"
        target.write_text(f"const curateSections = {text};\n", encoding="utf-8")


def labelled(app: Any, name: str, _template: str, context: dict[str, Any], doctree: Any) -> None:
    """Give each cell the heading of its column, which a narrow screen shows beside it."""
    if name == "search":
        app.add_js_file("sections.js")
        app.add_js_file("search-sections.js")
    if doctree is None or "<table" not in context.get("body", ""):
        return
    soup = BeautifulSoup(context["body"], "html.parser")
    for table in soup.find_all("table"):
        headings = [cell.get_text().strip() for cell in table.select("thead th")]
        if not headings:
            continue
        table["class"] = [*table.get("class", []), "stacking"]
        table["role"] = "table"
        for row in table.find_all("tr"):
            row["role"] = "row"
        for row in table.select("tbody tr"):
            for at, cell in enumerate(row.find_all("td", recursive=False)):
                cell["role"] = "cell"
                if at and len(headings) > 2:  # of two columns the second needs no name
                    cell["data-label"] = headings[at]
    context["body"] = str(soup)
