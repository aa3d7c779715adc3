"""The catalogue of findings."""

import inspect

from curate_docs.text import escaped, one_line, summary
from curation.checks.catalogue import ALL, RELEASE, entries

_INTRO = """\
# Findings

What `curate check` can say of a workspace. A finding has a rule, a severity, a place (file, row,
column), a message, and a hint. An **error** makes samples wrong or impossible: mend it before
anything is published. A **warning** is to be looked at. An **info** is only told.

A rule's name never changes, so that scripts can go by it (`curate check --json`).
"""


def page() -> str:
    """Give the page of all rules, in the order of the catalogue."""
    said = {check.rule: check for check in (*ALL, *RELEASE)}
    released = {check.rule for check in RELEASE}
    found = entries()
    rows = [
        f"| [`{item.rule}`](#{item.rule}) | {item.severity} | {_cell(item.title)} |"
        for item in found
    ]
    parts = [_INTRO, "\n".join(["| rule | severity | finds |", "|---|---|---|", *rows])]
    for item in found:
        parts.append(f"({item.rule})=\n## {item.rule}")
        parts.append(f"*{item.severity.value.capitalize()}*: {escaped(item.title)}.")
        check = said.get(item.rule)
        if check is not None and type(check).__doc__:
            parts.append(escaped(summary(inspect.getdoc(type(check)))))
        if item.rule in released:
            parts.append("Only a release has to obey it: `curate check --release`.")
        if item.hint:
            parts.append(f"**What to do:** {escaped(one_line(item.hint))}.")
    return "\n\n".join(parts) + "\n"


def _cell(text: str) -> str:
    return escaped(one_line(text))
