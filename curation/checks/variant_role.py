"""Variants whose letter does not fit the person in the stereotyped role."""

from collections.abc import Iterator

from curation.checks.base import Subject, Wording, in_bank
from curation.model.bank import target_slot
from curation.model.findings import Finding, Severity

_PERSON = {"N1": "N1", "N2": "N2", "X1": "N1", "X2": "N2"}


class VariantRole:
    """In `b` and `d` the target answers the biased question, in `a` and `c` the other person."""

    rule = "variant-role"
    severity = Severity.ERROR
    title = "A variant whose letter does not fit the person in its biased answer"
    hint = "the target is the biased answer in b and d, the other person in a and c"

    def findings(self, subject: Subject) -> Iterator[Finding]:
        """Yield one finding for each variant and language; none where nothing can be told."""
        for item in subject.wordings:
            person, target = _person(item), target_slot(item.texts)
            if not person or not target:
                continue
            letter = item.variant.letter
            if letter.is_biased != (person == target):
                is_target = "the target" if person == target else "not the target"
                message = f"the biased answer of variant {letter} is {person}, who is {is_target}"
                yield in_bank(self, subject, item.variant, item.column("biased_answer"), message)


def _person(item: Wording) -> str:
    """Tell who is the biased answer, `N1` or `N2`; empty when it names neither or both."""
    text = item.parsed.get("biased_answer")
    people = {_PERSON[name] for name in (text.names if text else ()) if name in _PERSON}
    return people.pop() if len(people) == 1 else ""
