"""Targets that are not the groups of one of the two people."""

from collections.abc import Iterator

from curation.checks.base import Subject, in_bank
from curation.model.bank import Texts
from curation.model.findings import Finding, Severity
from curation.model.survey import join_groups


class TargetUnclear:
    """The groups of exactly one of the two people must be those of the target."""

    rule = "target-unclear"
    severity = Severity.ERROR
    title = "A target that is neither of the two people, or both"
    hint = "name the same groups in target_groups and in n1_groups or n2_groups"

    def findings(self, subject: Subject) -> Iterator[Finding]:
        """Yield one finding for each variant; none where groups are missing or open."""
        for item in subject.texts:
            texts = item.texts
            named = texts.target_groups and texts.n1_groups and texts.n2_groups
            if named and not item.is_open and (message := _message(texts)):
                yield in_bank(self, subject, item.variant, "target_groups", message)


def _message(texts: Texts) -> str:
    target = frozenset(texts.target_groups)
    matches = [frozenset(groups) == target for groups in (texts.n1_groups, texts.n2_groups)]
    name = join_groups(texts.target_groups)
    if all(matches):
        return f"target '{name}' is the group of both people"
    if any(matches):
        return ""
    people = join_groups(texts.n1_groups), join_groups(texts.n2_groups)
    return f"target '{name}' is neither N1 ('{people[0]}') nor N2 ('{people[1]}')"
