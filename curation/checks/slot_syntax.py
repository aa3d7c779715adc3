"""Slots and lists that cannot be read."""

from collections.abc import Iterator

from curation.checks.base import Subject, in_bank
from curation.model.findings import Finding, Severity


class SlotSyntax:
    """The message says line and column within the cell."""

    rule = "slot-syntax"
    severity = Severity.ERROR
    title = "A slot or a list of fillers that cannot be read"
    hint = "write slots as [N1], [N1: form, form] or [N1|은/는], and lists as N1: [a, b]"

    def findings(self, subject: Subject) -> Iterator[Finding]:
        """Yield one finding for each such cell."""
        for item in subject.started:
            for field, error in item.unreadable:
                column = item.column(field)
                yield in_bank(self, subject, item.variant, column, error.what, error.hint)
