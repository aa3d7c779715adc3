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
from curation.checks.rules import ERROR, INFO, Entry, Rule, rules_of
from curation.checks.subject import Subject
from curation.records.findings import Finding

_SUBJECTS = (
    slots,
    conditions,
    fillers,
    texts,
    characters,
    variants,
    pairs,
    labels,
    settings,
    placeholders,
    groups,
    languages,
)

ALL: tuple[Rule, ...] = tuple(item for module in _SUBJECTS for item in rules_of(module))
"""Every rule of a workspace, in the order of the catalogue."""

RELEASE: tuple[Rule, ...] = rules_of(release)
"""The rules that only a release has to obey, applied by `curate check --release`."""

READING = (
    Entry(
        "table-ragged-row",
        ERROR,
        "A row with more or fewer cells than the header",
        "look for a comma, a line break or a quotation mark that is not quoted",
    ),
    Entry(
        "bank-unreadable-row",
        ERROR,
        "A row of the bank whose id, category, label or groups cannot be read",
        "correct the cell that the finding names",
    ),
    Entry(
        "bank-unknown-column",
        INFO,
        "A column of the bank that is not the toolkit's",
        "it is kept as it is; correct the name if it was meant to be one of the bank's columns",
    ),
    Entry(
        "groups-file-missing",
        ERROR,
        "A workspace without groups.csv whose bank names groups",
        "put the file back, or import the templates again",
    ),
    Entry(
        "groups-unreadable-row",
        ERROR,
        "A row of the groups that cannot be read",
        "correct the cell that the finding names",
    ),
)
"""What is said of the files while they are read, before any rule is applied."""

FILLING = (
    Entry(
        "template-unfillable",
        ERROR,
        "A retained template that cannot be filled, where no other rule says why",
        "correct what the finding says: nothing is exported while it cannot be filled",
    ),
    Entry(
        "survey-groups-not-put-in",
        ERROR,
        "A retained template that cannot take the groups that the survey found",
        "write the forms as agreement, or list them for the surveyed groups",
    ),
)
"""What is said of templates when they are filled as an export fills them, after the rules."""

ENTRIES: tuple[Entry, ...] = (*READING, *ALL, *FILLING, *RELEASE)
"""The catalogue: what is said while reading, every rule, those of a release last."""


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
