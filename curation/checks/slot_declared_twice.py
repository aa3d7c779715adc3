"""Slots that have a list in names and one in words."""

from collections.abc import Iterator

from curation.checks.base import Subject, in_bank
from curation.model.errors import CurateError
from curation.model.findings import Finding, Severity
from curation.slots import declared_lists


class SlotDeclaredTwice:
    """Two lists inside one cell are a matter of syntax; this is about the two cells."""

    rule = "slot-declared-twice"
    severity = Severity.ERROR
    title = "A slot that has a list in names and another one in words"
    hint = "keep one of the two lists"

    def findings(self, subject: Subject) -> Iterator[Finding]:
        """Yield one finding for each variant and language."""
        for item in subject.started:
            if item.lists is not None or item.unreadable:
                continue
            try:
                declared_lists(item.texts.names, item.texts.words)
            except CurateError as error:
                yield in_bank(self, subject, item.variant, item.column("words"), error.what)
