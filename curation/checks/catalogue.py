"""All rules, and how they are run."""

from collections.abc import Iterable

from curation.checks import (
    characters,
    conditions,
    fillers,
    groups,
    labels,
    languages,
    pairs,
    placeholders,
    release,
    settings,
    slots,
    texts,
    variants,
)
from curation.checks.rules import SECTIONS, Rule
from curation.checks.subject import Subject
from curation.records.findings import Finding

_WORKSPACE = (
    *(slots, conditions, fillers, texts, characters, variants, pairs, labels, settings),
    *(placeholders, groups, languages),
)
_RULES = {
    item.id: item
    for module in (*_WORKSPACE, release)
    for item in vars(module).values()
    if isinstance(item, Rule)
}

READING, ALL, FILLING, RELEASE = (
    tuple(_RULES.get(name, said) for name, said in SECTIONS[section].items())
    for section in ("reading", "workspace", "filling", "release")
)
"""What is said of files while they are read; every rule of a workspace; what is said of templates
when they are filled as an export fills them; the rules that only a release has to obey, applied by
`curate check --release`."""

ENTRIES: tuple[Rule, ...] = (*READING, *ALL, *FILLING, *RELEASE)
"""The catalogue."""


def run(subject: Subject, rules: Iterable[Rule] = ALL) -> list[Finding]:
    """Apply rules.

    Args:
        subject: What they look at.
        rules: The rules; all of them by default.

    Returns:
        Their findings by file, row and rule.
    """
    return in_order(finding for item in rules for finding in item.findings(subject))


def in_order(findings: Iterable[Finding]) -> list[Finding]:
    """Sort findings by file, row and rule; those on a whole file come first."""
    return sorted(findings, key=lambda item: (item.file, item.row or 0, item.rule, item.column))
