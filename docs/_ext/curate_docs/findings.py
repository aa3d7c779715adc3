"""The catalogue of findings."""

from curate_docs.text import escaped, one_line, summary
from curation.checks.workspace import ENTRIES, RELEASE

_INTRO = """\
# Findings

What `curate check` can say of a workspace. A finding has a rule, a severity, a place (file, row,
column), a message, and a hint. An **error** makes samples wrong or impossible: fix it before
anything is published. A **warning** is to be looked at. An **info** is only told.

A rule's name never changes, so that scripts can go by it (`curate check --json`).
"""


def page() -> str:
    """The page of all rules, in the order of the catalogue."""
    rows = [
        f"| [`{item.id}`](#{item.id}) | {item.severity} | {_cell(item.title)} |" for item in ENTRIES
    ]
    parts = [_INTRO, "\n".join(["| rule | severity | finds |", "|---|---|---|", *rows])]
    for item in ENTRIES:
        parts.append(f"({item.id})=\n## {item.id}")
        parts.append(f"*{item.severity.value.capitalize()}*: {escaped(item.title)}.")
        if item.why:
            parts.append(escaped(summary(item.why)))
        if item in RELEASE:
            parts.append("Only a release has to obey it: `curate check --release`.")
        if item.hint:
            parts.append(f"**What to do:** {escaped(one_line(item.hint))}.")
    return "\n\n".join(parts) + "\n"


def _cell(text: str) -> str:
    return escaped(one_line(text))
