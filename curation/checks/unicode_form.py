"""Texts that are not in Unicode's composed form."""

import unicodedata
from collections.abc import Iterator

from curation.checks.base import Subject, in_cell
from curation.model.findings import Finding, Severity


class UnicodeForm:
    """Letters in parts look the same, but are not equal and do not show their final sound."""

    rule = "unicode-form"
    severity = Severity.WARNING
    title = "A text that writes letters in parts (not in Unicode form NFC)"
    hint = "convert the file to Unicode form NFC (uconv -x nfc, or the editor's normalisation)"

    def findings(self, subject: Subject) -> Iterator[Finding]:
        """Yield one finding for each text."""
        for cell in subject.cells:
            if unicodedata.is_normalized("NFC", cell.text):
                continue
            composed = unicodedata.normalize("NFC", cell.text)
            signs = zip(cell.text, composed, strict=False)
            at = next((at for at, (one, other) in enumerate(signs) if one != other), len(composed))
            yield in_cell(self, cell, f"not in Unicode form NFC from position {at + 1} on")
