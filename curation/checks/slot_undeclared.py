"""Slots that stand in a text but have no list of fillers."""

from collections.abc import Iterator

from curation.checks.base import Subject, in_bank
from curation.model.findings import Finding, Severity


class SlotUndeclared:
    """A slot without list cannot be filled."""

    rule = "slot-undeclared"
    severity = Severity.ERROR
    title = "A slot in a text that has no list of fillers"
    hint = "declare it in names (N1, N2) or words (W1, X1, ...), or mend the slot's name"

    def findings(self, subject: Subject) -> Iterator[Finding]:
        """Yield one finding for each slot and cell."""
        for item in subject.wordings:
            if item.lists is None:
                continue
            for field, text in item.parsed.items():
                for name in text.names:
                    if name not in item.lists:
                        message = f"slot {name} has no list of fillers"
                        yield in_bank(self, subject, item.variant, item.column(field), message)
