"""Templates that the survey has not decided."""

from collections.abc import Iterator

from curation.checks.base import Subject
from curation.checks.release.facts import ReleaseFacts
from curation.model.findings import Finding, Severity


class Undecided:
    """A release says of each template whether the public knows its stereotype."""

    rule = "release-undecided"
    severity = Severity.ERROR
    title = "A template that no survey and no person has decided"
    hint = "ask about it, take it out of the bank, or rule on it: curate override TEMPLATE --drop"

    def findings(self, subject: Subject) -> Iterator[Finding]:
        """Yield one finding for each template."""
        facts = subject.release or ReleaseFacts()
        for item in facts.undecided:
            message = f"{item.template_id} is undecided: {item.reason}"
            yield Finding(
                *(self.rule, self.severity, subject.bank_file, item.row, ""), message, self.hint
            )
