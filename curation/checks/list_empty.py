"""Lists without fillers."""

from collections.abc import Iterator

from curation.checks.base import Subject, in_bank
from curation.model.findings import Finding, Severity


class ListEmpty:
    """`N1: []` makes no samples at all, and stops an export."""

    rule = "list-empty"
    severity = Severity.ERROR
    title = "A slot whose list has no fillers"
    hint = "name fillers, or write [*] for a list that the survey will fill"

    def findings(self, subject: Subject) -> Iterator[Finding]:
        """Yield one finding for each such list."""
        for item in subject.started:
            for field, declared in item.listed:
                if not declared.fillers and not declared.open:
                    message = f"the list of slot {declared.name} is empty"
                    yield in_bank(self, subject, item.variant, item.column(field), message)
