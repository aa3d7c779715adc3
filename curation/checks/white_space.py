"""White space at the edge of a text, or doubled in it."""

import re
from collections.abc import Iterator

from curation.checks.base import Cell, Subject, in_cell
from curation.model.findings import Finding, Severity

# Line breaks have a rule of their own.
_SPACE = r"[^\S\r\n]"
_FIRST = re.compile(_SPACE)
_LAST = re.compile(rf"{_SPACE}\Z")
_DOUBLED = re.compile(rf"(?<!\s){_SPACE}{{2,}}(?!\s)")
_LISTS = ("names", "words", "fillers", "names_source", "words_source")


class WhiteSpace:
    """It reaches the samples, where tokenisers see it."""

    rule = "white-space"
    severity = Severity.WARNING
    title = "White space at the edge of a text, or doubled in it"
    hint = "leave one space between words and none at the edges"

    def findings(self, subject: Subject) -> Iterator[Finding]:
        """Yield one finding for each text."""
        for cell in subject.cells:
            if found := list(_faults(cell)):
                yield in_cell(self, cell, ", ".join(found))


def _faults(cell: Cell) -> Iterator[str]:
    text = cell.text
    if _FIRST.match(text):
        yield "white space at the beginning"
    if _LAST.search(text):
        yield "white space at the end"
    for match in _DOUBLED.finditer(text):
        inner = match.start() > 0 and match.end() < len(text)
        if inner and not _is_dropped(cell, match):
            yield f"doubled white space at position {match.start() + 1}"
            return


def _is_dropped(cell: Cell, match: re.Match[str]) -> bool:
    """Say whether white space stands beside a sign of a list, where reading drops it."""
    text, at = cell.text, match.start()
    in_list = cell.column in _LISTS or text.rfind("[", 0, at) > text.rfind("]", 0, at)
    return in_list and (text[at - 1] in "[],;:|" or text[match.end()] in "[],;:|")
