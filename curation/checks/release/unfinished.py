"""What is left of the bank and cannot be worked out."""

from collections.abc import Iterator

from curation.checks.base import Subject
from curation.checks.release.facts import ReleaseFacts
from curation.model.findings import Finding, Severity


class Unfinished:
    """A template that cannot take its surveyed groups, or cannot be filled."""

    rule = "release-unfinished"
    severity = Severity.ERROR
    title = "A template that cannot take its surveyed groups, or cannot be filled"
    hint = "mend what the finding names; 'curate check' and 'curate filter' say more"

    def findings(self, subject: Subject) -> Iterator[Finding]:
        """Yield one finding for each."""
        facts = subject.release or ReleaseFacts()
        for error in facts.problems:
            yield Finding(
                *(self.rule, self.severity, error.where, None, ""),
                error.what,
                error.hint or self.hint,
            )
