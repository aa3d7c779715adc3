"""Empty fillers."""

from collections.abc import Iterator, Sequence

from curation.checks.base import Subject, in_bank, in_groups
from curation.model.findings import Finding, Severity
from curation.slots import Filler


class FillerEmpty:
    """Mostly a comma too many."""

    rule = "filler-empty"
    severity = Severity.WARNING
    title = "An empty filler in a list"
    hint = "look for a comma too many; write a comma inside a filler as \\,"

    def findings(self, subject: Subject) -> Iterator[Finding]:
        """Yield one finding for each list of the bank and of the groups."""
        for item in subject.started:
            for field, declared in item.listed:
                if place := _first_empty(declared.fillers):
                    message = f"filler {place} of slot {declared.name} is empty"
                    yield in_bank(self, subject, item.variant, item.column(field), message)
        for group, fillers in subject.group_fillers:
            if place := _first_empty(fillers):
                message = f"filler {place} of '{group.group}' is empty"
                yield in_groups(self, subject, group, "fillers", message)


def _first_empty(fillers: Sequence[Filler]) -> int:
    """Give the place of the first empty filler, from 1; 0 when there is none."""
    return next((place for place, item in enumerate(fillers, start=1) if not item.text), 0)
