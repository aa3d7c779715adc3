"""Fillers whose agreement cannot be known."""

from collections.abc import Iterator

from curation.checks.base import Subject, Wording, in_bank
from curation.model.findings import Finding, Severity
from curation.slots import FillError, Slot, form_of


class AgreementUnknown:
    """A slot that asks for agreement needs fillers whose spelling or reading shows it."""

    rule = "agreement-unknown"
    severity = Severity.ERROR
    title = "A slot that asks for agreement with a filler that cannot be read"
    hint = "give the filler's reading in its list: filler|reading"

    def findings(self, subject: Subject) -> Iterator[Finding]:
        """Yield one finding for each such slot."""
        for item in subject.wordings:
            for field, text in item.parsed.items():
                for slot in dict.fromkeys(text.slots):
                    errors = [] if slot.agreement is None else list(_errors(item, slot))
                    if errors:
                        message = errors[0].what + _more(len(errors) - 1)
                        column, hint = item.column(field), errors[0].hint
                        yield in_bank(self, subject, item.variant, column, message, hint)


def _more(count: int) -> str:
    return f", and {count} more filler{'s' if count > 1 else ''}" if count else ""


def _errors(item: Wording, slot: Slot) -> Iterator[FillError]:
    declared = (item.lists or {}).get(slot.name)
    for index, filler in enumerate(declared.fillers if declared else ()):
        try:
            form_of(slot, filler, index, item.language)
        except FillError as error:
            yield error
