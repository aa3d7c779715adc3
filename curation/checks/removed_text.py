"""Removed templates that have texts."""

from collections.abc import Iterator

from curation.checks.base import Subject, in_bank
from curation.model.bank import Label
from curation.model.findings import Finding, Severity


class RemovedText:
    """One of the two is wrong, the label or the text."""

    rule = "removed-text"
    severity = Severity.WARNING
    title = "A removed template (SR) with texts in the culture's language"
    hint = "correct the label, or take the texts out"

    def findings(self, subject: Subject) -> Iterator[Finding]:
        """Yield one finding for each variant."""
        for item in subject.texts:
            if item.variant.label is Label.SAMPLE_REMOVED:
                message = f"{item.variant.id} is labelled SR but has texts"
                yield in_bank(self, subject, item.variant, "label", message)
