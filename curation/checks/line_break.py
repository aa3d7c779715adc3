"""Line breaks inside a text."""

import re
from collections.abc import Iterator

from curation.checks.base import Subject, in_cell
from curation.checks.signs import places
from curation.model.findings import Finding, Severity

_BREAK = re.compile("[\n\r\x85\u2028\u2029]")


class LineBreak:
    """A text is one paragraph; a break mostly comes from a cell that was pasted."""

    rule = "line-break"
    severity = Severity.WARNING
    title = "A line break inside a text"
    hint = "join the lines: the break would stand in every sample"

    def findings(self, subject: Subject) -> Iterator[Finding]:
        """Yield one finding for each text."""
        for cell in subject.cells:
            if found := places(_BREAK, cell.text):
                yield in_cell(self, cell, f"line break {found}")
