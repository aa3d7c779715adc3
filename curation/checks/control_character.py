"""Control characters."""

import re
from collections.abc import Iterator

from curation.checks.base import Subject, in_cell
from curation.checks.signs import places
from curation.model.findings import Finding, Severity

# Every control character but the line breaks, which have a rule of their own.
_CONTROL = re.compile("[\x00-\x09\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f]")


class ControlCharacter:
    """They come in by copying, cannot be seen, and reach the model that is evaluated."""

    rule = "control-character"
    severity = Severity.ERROR
    title = "A control character in a text"
    hint = "take it out: it cannot be seen, so retype the text around it"

    def findings(self, subject: Subject) -> Iterator[Finding]:
        """Yield one finding for each text."""
        for cell in subject.cells:
            if found := places(_CONTROL, cell.text):
                yield in_cell(self, cell, f"control character {found}")
