"""Pairs whose variants are about different groups."""

from collections.abc import Iterator

from curation.checks.base import Subject, in_bank
from curation.model.bank import Texts
from curation.model.findings import Finding, Severity
from curation.model.survey import join_groups


class PairGroups:
    """The survey asks one question about both variants of a pair."""

    rule = "pair-groups"
    severity = Severity.ERROR
    title = "A pair whose variants name different targets or people of different groups"
    hint = "name the same groups in both variants, those of the two people exchanged"

    def findings(self, subject: Subject) -> Iterator[Finding]:
        """Yield one finding for each pair and column, at its second variant."""
        for first, second in subject.pairs:
            one, other = first.texts, second.texts
            if _differ([one.target_groups], [other.target_groups]):
                message = (
                    f"target '{join_groups(other.target_groups)}', "
                    f"in {first.variant.id} '{join_groups(one.target_groups)}'"
                )
                yield in_bank(self, subject, second.variant, "target_groups", message)
            if _differ([one.n1_groups, one.n2_groups], [other.n1_groups, other.n2_groups]):
                message = f"people {_people(other)}, in {first.variant.id} {_people(one)}"
                yield in_bank(self, subject, second.variant, "n1_groups", message)


def _differ(one: list[tuple[str, ...]], other: list[tuple[str, ...]]) -> bool:
    """Compare lists of groups, without order; those that are not written do not differ."""
    written = all(one) and all(other)
    return written and set(map(frozenset, one)) != set(map(frozenset, other))


def _people(texts: Texts) -> str:
    return f"'{join_groups(texts.n1_groups)}' and '{join_groups(texts.n2_groups)}'"
