"""Slots that list more or fewer forms than there are fillers."""

from collections.abc import Iterator

from curation.checks.base import Subject, in_bank
from curation.model.findings import Finding, Severity


class FormCount:
    """Forms go with fillers by position, so a missing one shifts all that follow."""

    rule = "form-count"
    severity = Severity.ERROR
    title = "A slot that lists more or fewer forms than the slot has fillers"
    hint = "list one form for each filler, in the order of the list"

    def findings(self, subject: Subject) -> Iterator[Finding]:
        """Yield one finding for each such slot; none for lists that are still open."""
        for item in subject.wordings:
            for field, text in item.parsed.items():
                for slot in text.slots:
                    declared = (item.lists or {}).get(slot.name)
                    if slot.forms is None or declared is None or declared.open:
                        continue
                    forms, fillers = len(slot.forms), len(declared.fillers)
                    if forms != fillers:
                        message = f"slot {slot.name} lists {_against(forms, fillers)}"
                        yield in_bank(self, subject, item.variant, item.column(field), message)


def _against(forms: int, fillers: int) -> str:
    one = "1 form" if forms == 1 else f"{forms} forms"
    other = "1 filler" if fillers == 1 else f"{fillers} fillers"
    difference = "too few" if forms < fillers else "too many"
    return f"{one} for {other} ({abs(forms - fillers)} {difference})"
