"""Variants that are written in part."""

from collections.abc import Iterator

from curation.checks.base import Subject, in_bank
from curation.model.bank import SLOT_TEXT_FIELDS
from curation.model.findings import Finding, Severity


class TextMissing:
    """A variant without any text waits for its translation; half of one makes empty samples."""

    rule = "text-missing"
    severity = Severity.ERROR
    title = "A variant of which a context, question or answer is not written"
    hint = "write it, or empty the other texts while the variant waits for its translation"

    def findings(self, subject: Subject) -> Iterator[Finding]:
        """Yield one finding for each empty cell beside written ones."""
        for item in subject.wordings:
            for field in SLOT_TEXT_FIELDS:
                if not getattr(item.texts, field).strip():
                    message = "the cell is empty, others of the variant are not"
                    yield in_bank(self, subject, item.variant, item.column(field), message)
