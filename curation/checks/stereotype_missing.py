"""Variants without stereotype."""

from collections.abc import Iterator

from curation.checks.base import Subject, in_bank
from curation.model.findings import Finding, Severity


class StereotypeMissing:
    """The survey asks about stereotypes: without one there is nothing to ask."""

    rule = "stereotype-missing"
    severity = Severity.WARNING
    title = "A written variant without stereotype"
    hint = "name the stereotype in the culture's language, as the survey shall show it"

    def findings(self, subject: Subject) -> Iterator[Finding]:
        """Yield one finding for each variant."""
        for item in subject.texts:
            if not item.texts.stereotype.strip():
                yield in_bank(self, subject, item.variant, "stereotype", "no stereotype is named")
