"""Target-modified templates whose target nothing documents."""

from collections.abc import Iterator

from curation.checks.base import Subject, in_bank
from curation.checks.release.facts import ReleaseFacts, templates_left
from curation.model.bank import Label
from curation.model.findings import Finding, Severity


class ReferenceModified:
    """The target group was changed: the survey found it, or a reference says so."""

    rule = "release-reference-modified"
    severity = Severity.WARNING
    title = "A target-modified template (TM) whose target neither survey nor reference documents"
    hint = "name in the column reference where the stereotype is said of the new target"

    def findings(self, subject: Subject) -> Iterator[Finding]:
        """Yield one finding for each template."""
        facts = subject.release or ReleaseFacts()
        for template in templates_left(subject, facts):
            referred = any(variant.reference.strip() for variant in template.variants)
            modified = template.label is Label.TARGET_MODIFIED
            if modified and not referred and str(template.id) not in facts.surveyed:
                message = (
                    f"the target of {template.id} was changed: its survey chose between two groups "
                    "only, and no reference is named"
                )
                yield in_bank(self, subject, template.first, "reference", message)
