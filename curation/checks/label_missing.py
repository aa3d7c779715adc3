"""Templates that nobody has classified."""

from collections.abc import Iterator

from curation.checks.base import Subject
from curation.model.findings import Finding, Severity


class LabelMissing:
    """Said once for the whole bank: most of a new bank is not classified."""

    rule = "label-missing"
    severity = Severity.INFO
    title = "Templates that are not yet classified"
    hint = "have it classified: curate classify sheet"

    def findings(self, subject: Subject) -> Iterator[Finding]:
        """Yield one finding, or none."""
        count = sum(template.label is None for template in subject.templates)
        if count:
            total = len(subject.templates)
            message = f"{count} of {total} templates are not yet classified"
            yield Finding(
                self.rule, self.severity, subject.bank_file, None, "label", message, self.hint
            )
