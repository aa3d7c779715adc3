"""Targets that are not one of the two people."""

from collections.abc import Iterator

from curation.checks.base import Subject, in_bank
from curation.model.bank import Texts, target_slot
from curation.model.findings import Finding, Severity
from curation.model.survey import join_groups


class TargetUnclear:
    """Exactly one of the two people must be of the target groups, of all or some of them."""

    rule = "target-unclear"
    severity = Severity.ERROR
    title = "A target that is neither of the two people, or both"
    hint = (
        "name in target_groups the groups of N1 or those of N2, as n1_groups or n2_groups have them"
    )

    def findings(self, subject: Subject) -> Iterator[Finding]:
        """Yield one finding for each variant; none where groups are missing or open."""
        for item in subject.texts:
            texts = item.texts
            named = texts.target_groups and texts.n1_groups and texts.n2_groups
            if named and not item.is_open and (message := _message(texts)):
                yield in_bank(self, subject, item.variant, "target_groups", message)


def _message(texts: Texts) -> str:
    if target_slot(texts):
        return ""
    name = join_groups(texts.target_groups)
    if {*texts.n1_groups} <= {*texts.target_groups}:
        return f"target '{name}' is the group of both people"
    people = join_groups(texts.n1_groups), join_groups(texts.n2_groups)
    return f"target '{name}' is neither N1 ('{people[0]}') nor N2 ('{people[1]}')"
