"""Fillers of groups that cannot be read."""

from collections.abc import Iterator

from curation.checks.base import Subject, in_groups
from curation.model.findings import Finding, Severity
from curation.slots import SlotError, parse_fillers


class GroupFillersSyntax:
    """The message says line and column within the cell."""

    rule = "group-fillers-syntax"
    severity = Severity.ERROR
    title = "A group whose fillers cannot be read"
    hint = "write the fillers as [a, b], and a comma inside a filler as \\,"

    def findings(self, subject: Subject) -> Iterator[Finding]:
        """Yield one finding for each such group."""
        for group in subject.groups:
            try:
                parse_fillers(group.fillers)
            except SlotError as error:
                yield in_groups(self, subject, group, "fillers", error.what)
