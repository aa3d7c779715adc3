"""Templates whose variants have different labels."""

from collections.abc import Iterator

from curation.checks.base import Subject, in_bank
from curation.model.findings import Finding, Severity


class LabelDiffers:
    """A label tells what became of a template as a whole."""

    rule = "label-differs"
    severity = Severity.ERROR
    title = "A template whose variants have different labels"
    hint = "give every variant of the template the same label"

    def findings(self, subject: Subject) -> Iterator[Finding]:
        """Yield one finding for each variant that differs from the first."""
        for template in subject.templates:
            first = template.first
            for variant in template.variants[1:]:
                if variant.label is not first.label:
                    message = (
                        f"{variant.id} is {variant.label or 'not classified'}, "
                        f"{first.id} is {first.label or 'not classified'}"
                    )
                    yield in_bank(self, subject, variant, "label", message)
