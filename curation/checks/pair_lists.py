"""Pairs whose lists of people are not each other's."""

from collections.abc import Iterator

from curation.checks.base import Subject, Wording, in_bank
from curation.model.findings import Finding, Severity


class PairLists:
    """Fillings are numbered so that one number is the same two people in both variants."""

    rule = "pair-lists"
    severity = Severity.WARNING
    title = "A pair whose lists N1 and N2 are not exchanged from one variant to the other"
    hint = "write the list of N1 as N2 in the other variant, and N2 as N1, in the same order"

    def findings(self, subject: Subject) -> Iterator[Finding]:
        """Yield one finding for each list, at the second variant of the pair."""
        for first, second in subject.pairs:
            if None in (first.fillings, second.fillings) or first.fillings == second.fillings == 1:
                continue
            for name, other in (("N1", "N2"), ("N2", "N1")):
                if _fillers(first, other) != _fillers(second, name):
                    message = f"list {name} is not the list {other} of {first.variant.id}"
                    yield in_bank(self, subject, second.variant, "names", message)


def _fillers(item: Wording, name: str) -> list[str]:
    declared = (item.lists or {}).get(name)
    return [filler.text for filler in declared.fillers] if declared else []
