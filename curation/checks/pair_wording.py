"""Pairs whose texts differ in more than the people."""

from collections.abc import Iterator

from curation.checks.base import Subject, in_bank
from curation.checks.skeleton import EXCHANGED, first_difference, skeleton
from curation.model.findings import Finding, Severity

_FIELDS = (
    "ambiguous_context",
    "disambiguating_context",
    "biased_question",
    "counter_biased_question",
)


class PairWording:
    """Bias is measured by exchanging the people and nothing else."""

    rule = "pair-wording"
    severity = Severity.WARNING
    title = "A pair whose contexts or questions differ in more than the people"
    hint = "use the same words in both variants, unless the language asks for others"

    def findings(self, subject: Subject) -> Iterator[Finding]:
        """Yield one finding for each text, at the second variant of the pair."""
        for first, second in subject.pairs:
            for field in _FIELDS:
                if field not in first.parsed or field not in second.parsed:
                    continue
                one, other = skeleton(first.parsed[field]), skeleton(second.parsed[field])
                if one == other or skeleton(first.parsed[field], EXCHANGED) == other:
                    continue
                message = f"differs from {first.variant.id}: {first_difference(one, other)}"
                yield in_bank(self, subject, second.variant, field, message)
