"""Templates whose variants name different stereotypes."""

from collections.abc import Iterator

from curation.checks.base import Subject, in_bank
from curation.model.findings import Finding, Severity


class StereotypeDiffers:
    """One stereotype stands for a template, that of its first variant."""

    rule = "stereotype-differs"
    severity = Severity.ERROR
    title = "A template whose variants name different stereotypes"
    hint = "use the same stereotype in every variant, or make two templates"

    def findings(self, subject: Subject) -> Iterator[Finding]:
        """Yield one finding for each variant that differs from the first; empty ones do not."""
        for template in subject.templates:
            named = [variant for variant in template.variants if variant.texts.stereotype]
            for variant in named[1:]:
                if variant.texts.stereotype != named[0].texts.stereotype:
                    message = (
                        f"'{variant.texts.stereotype}' in {variant.id}, "
                        f"'{named[0].texts.stereotype}' in {named[0].id}"
                    )
                    yield in_bank(self, subject, variant, "stereotype", message)
