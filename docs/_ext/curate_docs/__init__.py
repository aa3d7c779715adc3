"""A Sphinx extension: pages that are made of the code, and links from words to them.

Before the pages are read it writes `docs/reference/`: a page for each command and each Python
package, the findings, the settings, the columns of every file, the published sets, and the survey
platforms. Nothing of it is committed. After they are read, commands, rules and settings that stand
in a text as `code` become links to what is said of them.
"""

import re
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.util import logging

from curate_docs import (
    commands,
    findings,
    formulas,
    pictures,
    python,
    sections,
    sets,
    settings,
    tables,
)
from curate_docs.links import LinkLiterals

_ALIGNED = re.compile(r"-{3,}  +-{3,}|[│┌└]")
"""A line below the headings of a table of the terminal, or a drawing."""

_EXAMPLE = re.compile(r"<pre>.*?</pre>", re.DOTALL)
_OPTION = re.compile(r"(?<![\w-])--?[a-z][\w-]*")


def write_pages(folder: Path) -> list[Path]:
    """Write the pages that are made of the code, and take away those that are no longer made.

    Args:
        folder: `docs/reference`; a page whose text is the same is left as it is, so that Sphinx
            does not read it again.

    Returns:
        The pages, in the order in which they were made.
    """
    pages = {
        **{f"commands/{name}": text for name, text in commands.pages().items()},
        **{f"python/{name}": text for name, text in python.pages().items()},
        "findings.md": findings.page(),
        "settings.md": settings.page(),
        "files.md": tables.page(),
        "sets.md": sets.page(),
        "platforms.md": sets.surveys(),
    }
    made = [folder / name for name in pages]
    for path, text in zip(made, pages.values(), strict=True):
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
    for path in set(folder.rglob("*.md")) - set(made):
        path.unlink()
    return made


def _make(app: Any) -> None:
    """Make the pages and the pictures, before Sphinx looks for either."""
    reference = Path(app.srcdir) / "reference"
    write_pages(reference)
    app.curate_pictures = pictures.make(reference / "pictures")  # no setting: it would be kept
    if not app.curate_pictures:
        logging.getLogger(__name__).info("no pictures: there is no playwright, or no browser")


def _place(app: Any, name: str, source: list[str]) -> None:
    """Put pictures where the remarks of a page want them."""
    up = "../" * name.count("/")
    there = bool(app.curate_pictures)
    source[0] = pictures.placed(source[0], f"{up}reference/pictures", there=there)


def _lines(_app: Any, doctree: Any, _name: str) -> None:
    """Make each line of an example an element, which may break, and mark aligned text."""
    for number, block in enumerate(doctree.findall(nodes.literal_block)):
        block["highlight_args"] = {"linespans": f"block{number}", **block.get("highlight_args", {})}
        if _ALIGNED.search(block.astext()):
            block["classes"].append("aligned")


def _unbroken(_app: Any, _name: str, _template: str, context: dict[str, Any], _tree: Any) -> None:
    """Keep options whole where a line of an example breaks: a browser may break after a hyphen."""

    def whole(example: re.Match[str]) -> str:
        return _OPTION.sub(r'<span class="option">\g<0></span>', example[0])

    if "body" in context:
        context["body"] = _EXAMPLE.sub(whole, context["body"])


def setup(app: Any) -> dict[str, int]:
    """Tell Sphinx of the extension."""
    app.connect("builder-inited", _make)
    app.connect("source-read", _place)
    app.connect("doctree-resolved", _lines)
    app.add_post_transform(LinkLiterals)
    app.add_env_collector(sections.Sections)
    app.connect("html-page-context", sections.labelled)
    app.connect("html-page-context", _unbroken)
    app.connect("build-finished", sections.write)
    app.add_html_math_renderer("mathml", (formulas.inline, None), (formulas.block, None))
    return {"env_version": 2, "parallel_read_safe": True, "parallel_write_safe": True}
