"""Transferred templates without the id of their source."""

from collections.abc import Iterator

from curation.checks.base import Subject, in_bank
from curation.model.bank import Label
from curation.model.findings import Finding, Severity

_TRANSFERRED = (Label.SIMPLY_TRANSFERRED, Label.TARGET_MODIFIED)


class SourceMissing:
    """Its licence asks to say where a text comes from."""

    rule = "source-missing"
    severity = Severity.ERROR
    title = "A transferred template (ST, TM) without the id of its source"
    hint = "name the source template in source_id, or label the template NC"

    def findings(self, subject: Subject) -> Iterator[Finding]:
        """Yield one finding for each template, at the first variant that lacks it."""
        for template in subject.templates:
            without = [item for item in template.variants if not item.source_id.strip()]
            if template.label in _TRANSFERRED and without:
                message = f"{without[0].id} is labelled {template.label} and names no source"
                yield in_bank(self, subject, without[0], "source_id", message)
