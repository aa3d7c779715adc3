"""Lists of fillers whose slot stands in no text."""

from collections.abc import Iterator

from curation.checks.base import Subject, in_bank
from curation.model.findings import Finding, Severity


class SlotUnused:
    """Each filler of such a list makes the same samples once more."""

    rule = "slot-unused"
    severity = Severity.WARNING
    title = "A list of fillers whose slot stands in no text"
    hint = "use the slot or take the list out: each of its fillers repeats the same samples"

    def findings(self, subject: Subject) -> Iterator[Finding]:
        """Yield one finding for each slot; none while a cell cannot be read."""
        for item in subject.wordings:
            if item.unreadable:
                continue
            for field, declared in item.listed:
                if declared.name not in item.used:
                    message = f"slot {declared.name} is declared but stands in no text"
                    yield in_bank(self, subject, item.variant, item.column(field), message)
