"""Empty forms."""

from collections.abc import Iterator

from curation.checks.base import Subject, in_bank
from curation.model.findings import Finding, Severity


class FormEmpty:
    """Mostly a comma too many; written on purpose it leaves two spaces in the text."""

    rule = "form-empty"
    severity = Severity.WARNING
    title = "A slot that lists an empty form"
    hint = "look for a comma too many; write a comma inside a form as \\,"

    def findings(self, subject: Subject) -> Iterator[Finding]:
        """Yield one finding for each such slot."""
        for item in subject.wordings:
            for field, text in item.parsed.items():
                for slot in text.slots:
                    if slot.forms is not None and "" in slot.forms:
                        place = slot.forms.index("") + 1
                        message = f"form {place} of slot {slot.name} is empty"
                        yield in_bank(self, subject, item.variant, item.column(field), message)
