"""Commands, rules and settings that stand in a text as `code` become links."""

import re
from functools import cache
from typing import Any

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

from curate_docs import commands, settings
from curation.checks.workspace import ENTRIES


@cache
def targets() -> dict[str, tuple[str, str]]:
    """The page, and the place on it, of all that is linked to, by how it is written."""
    found = {
        command.name: (f"reference/commands/{command.file.removesuffix('.md')}", _place(command))
        for command in commands.walk(commands.root())
        if len(command.path) > 1
    }
    found |= {item.id: ("reference/findings", item.id) for item in ENTRIES}
    found |= {
        key.name: ("reference/settings", settings.anchor(key.name))
        for key in settings.all_keys()
        if "." in key.name
    }
    return found


def _place(command: commands.Command) -> str:
    """Its place on the page of its group; none where it has a page of its own."""
    return "" if command.file == f"{command.anchor}.md" else command.anchor


def target_of(text: str) -> tuple[str, str] | None:
    """Where a piece of code leads to; of a command with options, to the command."""
    words = text.split()
    if words[:1] == ["curate"]:
        named = [word for word in words if re.fullmatch(r"[a-z][a-z-]*", word)]
        for count in range(len(named), 1, -1):
            if words[:count] == named[:count] and " ".join(named[:count]) in targets():
                return targets()[" ".join(named[:count])]
        return None
    return targets().get(text)


class LinkLiterals(SphinxPostTransform):
    """Puts a link round every piece of code that names something with a page."""

    default_priority = 20
    formats = ("html",)

    def run(self, **_: Any) -> None:
        """Go through the page's pieces of code."""
        for literal in list(self.document.findall(nodes.literal)):
            found = target_of(literal.astext())
            if found is None or _linked(literal) or found[0] == self.env.docname:
                continue
            uri = self.app.builder.get_relative_uri(self.env.docname, found[0])
            place = f"#{found[1]}" if found[1] else ""
            link = nodes.reference("", "", internal=True, refuri=uri + place)
            literal.replace_self(link)
            link += literal


def _linked(node: nodes.Node) -> bool:
    parent = node.parent
    while parent is not None:
        if isinstance(parent, nodes.reference | nodes.title):
            return True
        parent = parent.parent
    return False
