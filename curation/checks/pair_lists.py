"""Pairs whose fillings are not numbered alike."""

from collections.abc import Iterator, Mapping

from curation.checks.base import Subject, Wording, in_bank
from curation.model.findings import Finding, Severity
from curation.slots import SlotList, exchange_lists

_PEOPLE = ("N1", "N2")


class PairLists:
    """The test set draws one number for both variants; it should be the same two people."""

    rule = "pair-lists"
    severity = Severity.WARNING
    title = "A pair in which the same number of a filling is not the same two people"
    hint = "write the list of N1 as N2 in the other variant, and N2 as N1, in the same order"

    def findings(self, subject: Subject) -> Iterator[Finding]:
        """Yield one finding for each pair of like size, at its second variant."""
        for first, second in subject.pairs:
            if first.lists is None or second.lists is None:
                continue
            comparable = first.fillings is not None and first.fillings == second.fillings
            if comparable and _people(first, first.lists) != _people(second, second.lists):
                message = f"N1 and N2 are not the people of {first.variant.id} in exchanged roles"
                yield in_bank(self, subject, second.variant, "names", message)


def _people(item: Wording, lists: Mapping[str, SlotList]) -> list[tuple[int, list[str]]]:
    """Give the names of the people in the order that fillings are numbered in.

    With each list comes how many fillings one of its names stays for until the next one.
    """
    names = tuple(lists)
    order = exchange_lists(names, lists) if item.variant.letter.is_biased else names
    found = []
    step = 1
    for name in reversed(order):
        fillers = [filler.text for filler in lists[name].fillers]
        if name in _PEOPLE:
            found.append((step, fillers))
        step *= len(fillers)
    return found
