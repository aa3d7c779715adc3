"""Stereotypes that are spelled in two ways."""

import unicodedata
from collections.abc import Iterator

from curation.checks.base import Subject, in_bank
from curation.model.bank import Template
from curation.model.findings import Finding, Severity


class StereotypeSpelling:
    """The survey asks once about each spelling: two of them split its answers."""

    rule = "stereotype-spelling"
    severity = Severity.WARNING
    title = "A stereotype that two templates of a category spell differently"
    hint = "use one spelling in all templates"

    def findings(self, subject: Subject) -> Iterator[Finding]:
        """Yield one finding for each template that spells it otherwise than the first."""
        first: dict[tuple[str, str], Template] = {}
        for template in subject.templates:
            stereotype = template.first.texts.stereotype
            letters = _letters(stereotype)
            if not letters:
                continue
            known = first.setdefault((template.category, letters), template)
            spelling = known.first.texts.stereotype
            if spelling != stereotype:
                message = f"'{stereotype}' is spelled '{spelling}' in {known.id}"
                yield in_bank(self, subject, template.first, "stereotype", message)


def _letters(text: str) -> str:
    """Reduce a text to its letters, digits and marks, without case or width."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    return "".join(sign for sign in plain if unicodedata.category(sign)[0] in "LMN")
