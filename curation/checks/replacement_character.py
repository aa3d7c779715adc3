"""Text that was lost when a file was converted."""

import re
from collections.abc import Iterator

from curation.checks.base import Subject, in_cell
from curation.checks.signs import places
from curation.model.findings import Finding, Severity

_REPLACEMENT = re.compile("\ufffd")


class ReplacementCharacter:
    """What stood in its place cannot be told from the file."""

    rule = "replacement-character"
    severity = Severity.ERROR
    title = "A replacement character, where a conversion lost a letter"
    hint = "take the text from the original file again, and save it as 'CSV UTF-8'"

    def findings(self, subject: Subject) -> Iterator[Finding]:
        """Yield one finding for each text."""
        for cell in subject.cells:
            if found := places(_REPLACEMENT, cell.text):
                yield in_cell(self, cell, f"lost letter {found}")
