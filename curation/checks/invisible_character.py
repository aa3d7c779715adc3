"""Characters that have no width."""

import re
from collections.abc import Iterator

from curation.checks.base import Subject, in_cell
from curation.checks.signs import places
from curation.model.findings import Finding, Severity

# Soft hyphen, joiner of graphemes, fillers of Hangul, zero-width spaces, marks of direction,
# byte-order mark, annotation and tag signs. Variation selectors are left to emoji.
_INVISIBLE = (
    "\u00ad\u034f\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f"
    "\u3164\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e007f"
)
# Arabic and Indic scripts are written with joiners, and so are emoji; elsewhere they are stray.
_JOINED = "\u0600-\u08ff\u0900-\u0dff\u1000-\u109f\u1780-\u18af\u2600-\u27bf\ufb50-\ufeff"
_PATTERN = re.compile(f"[{_INVISIBLE}]|(?<![{_JOINED}\ufe0f\U0001f000-\U0001faff])[\u200c\u200d]")


class InvisibleCharacter:
    """Two texts that look alike are then not equal, and names are not found in replies."""

    rule = "invisible-character"
    severity = Severity.WARNING
    title = "A character without width in a text"
    hint = "take it out: it cannot be seen, so retype the text around it"

    def findings(self, subject: Subject) -> Iterator[Finding]:
        """Yield one finding for each text."""
        for cell in subject.cells:
            if found := places(_PATTERN, cell.text):
                yield in_cell(self, cell, f"invisible character {found}")
