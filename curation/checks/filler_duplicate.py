"""Fillers that stand twice in one list."""

from collections.abc import Iterator, Sequence

from curation.checks.base import Subject, in_bank, in_groups
from curation.model.findings import Finding, Severity
from curation.slots import Filler


class FillerDuplicate:
    """The second one makes the same samples once more."""

    rule = "filler-duplicate"
    severity = Severity.WARNING
    title = "A filler that stands twice in one list"
    hint = "take one out, with its forms: it repeats the same samples"

    def findings(self, subject: Subject) -> Iterator[Finding]:
        """Yield one finding for each such filler of the bank and of the groups."""
        for item in subject.started:
            for field, declared in item.listed:
                for text in _doubled(declared.fillers):
                    message = f"'{text}' stands twice in the list of slot {declared.name}"
                    yield in_bank(self, subject, item.variant, item.column(field), message)
        for group, fillers in subject.group_fillers:
            for text in _doubled(fillers):
                message = f"'{text}' stands twice among the fillers of '{group.group}'"
                yield in_groups(self, subject, group, "fillers", message)


def _doubled(fillers: Sequence[Filler]) -> list[str]:
    seen: set[str] = set()
    doubled: dict[str, None] = {}
    for text in (item.text for item in fillers if item.text):
        if text in seen:
            doubled[text] = None
        seen.add(text)
    return list(doubled)
