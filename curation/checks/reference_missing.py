"""New templates without reference."""

from collections.abc import Iterator

from curation.checks.base import Subject, in_bank
from curation.model.bank import Label
from curation.model.findings import Finding, Severity


class ReferenceMissing:
    """A new stereotype needs a source that documents it."""

    rule = "reference-missing"
    severity = Severity.WARNING
    title = "A newly created template (NC) without reference"
    hint = "name where the stereotype is documented in the column reference"

    def findings(self, subject: Subject) -> Iterator[Finding]:
        """Yield one finding for each template, at its first variant."""
        for template in subject.templates:
            is_new = template.label is Label.NEWLY_CREATED
            if is_new and not any(variant.reference.strip() for variant in template.variants):
                message = f"{template.id} is newly created and has no reference"
                yield in_bank(self, subject, template.first, "reference", message)
