"""Variants without their twin."""

from collections.abc import Iterator

from curation.checks.base import Subject, in_bank
from curation.model.findings import Finding, Severity


class PairIncomplete:
    """Scores compare the two variants of a pair."""

    rule = "pair-incomplete"
    severity = Severity.ERROR
    title = "A variant without the other variant of its pair (a and b, c and d)"
    hint = "add the other variant, with the people in exchanged roles"

    def findings(self, subject: Subject) -> Iterator[Finding]:
        """Yield one finding for each such variant."""
        for template in subject.templates:
            letters = {variant.letter for variant in template.variants}
            for variant in template.variants:
                if variant.letter.twin not in letters:
                    message = f"{template.id} has variant {variant.letter} without "
                    message += f"{variant.letter.twin}"
                    yield in_bank(self, subject, variant, "variant", message)
