"""New templates of a release without reference."""

from collections.abc import Iterator

from curation.checks.base import Subject, in_bank
from curation.checks.release.facts import ReleaseFacts, templates_left
from curation.model.bank import Label
from curation.model.findings import Finding, Severity


class Reference:
    """A stereotype that was written for this culture is documented."""

    rule = "release-reference"
    severity = Severity.ERROR
    title = "A newly created template (NC) that is left and names no reference"
    hint = "name where the stereotype is documented in the column reference"

    def findings(self, subject: Subject) -> Iterator[Finding]:
        """Yield one finding for each template."""
        facts = subject.release or ReleaseFacts()
        for template in templates_left(subject, facts):
            referred = any(variant.reference.strip() for variant in template.variants)
            if template.label is Label.NEWLY_CREATED and not referred:
                message = f"{template.id} is newly created and has no reference"
                yield in_bank(self, subject, template.first, "reference", message)
