"""Pairs whose variants differ in their number of fillings."""

from collections.abc import Iterator

from curation.checks.base import Subject, in_bank
from curation.model.findings import Finding, Severity


class PairSize:
    """The test set draws one filling for both variants of a pair."""

    rule = "pair-size"
    severity = Severity.ERROR
    title = "A pair whose variants differ in their number of fillings"
    hint = "make the lists of both variants equally long"

    def findings(self, subject: Subject) -> Iterator[Finding]:
        """Yield one finding for each pair, at its second variant."""
        for first, second in subject.pairs:
            sizes = first.fillings, second.fillings
            if None not in sizes and sizes[0] != sizes[1]:
                message = (
                    f"{second.variant.id} has {sizes[1]} fillings, "
                    f"{first.variant.id} has {sizes[0]}"
                )
                yield in_bank(self, subject, second.variant, "names", message)
