"""Ids that two rows have."""

from collections.abc import Iterator

from curation.checks.base import Subject, in_bank
from curation.model.bank import Variant
from curation.model.findings import Finding, Severity
from curation.model.ids import VariantId


class IdDuplicate:
    """Samples and decisions are found by id, so it must be one row's own."""

    rule = "id-duplicate"
    severity = Severity.ERROR
    title = "A template id and variant that two rows have"
    hint = "give the template another number, or take one row out"

    def findings(self, subject: Subject) -> Iterator[Finding]:
        """Yield one finding for each row but the first."""
        first: dict[VariantId, Variant] = {}
        for variant in subject.bank.variants:
            known = first.setdefault(variant.id, variant)
            if known is not variant:
                message = f"{variant.id} stands in row {known.row} already"
                yield in_bank(self, subject, variant, "template_id", message)
