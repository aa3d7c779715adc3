"""Templates that are left and give no samples."""

from collections.abc import Iterator

from curation.checks.base import Subject, in_bank
from curation.checks.release.facts import ReleaseFacts, templates_left
from curation.model.findings import Finding, Severity


class WithoutSamples:
    """What is counted as a template of the benchmark is in its samples."""

    rule = "release-without-samples"
    severity = Severity.ERROR
    title = "A template that is left and gives no samples"
    hint = "translate it, or let the survey say which groups its open lists are filled with"

    def findings(self, subject: Subject) -> Iterator[Finding]:
        """Yield one finding for each template, and one where nothing is left at all."""
        facts = subject.release or ReleaseFacts()
        if not facts.left:
            message = "no template is left, so there is nothing to release"
            hint = "import templates, and let 'curate filter' decide which of them stay"
            yield Finding(self.rule, self.severity, subject.bank_file, None, "", message, hint)
        waiting = frozenset(facts.waiting)
        for template in templates_left(subject, facts):
            if str(template.id) in waiting:
                message = f"{template.id} is not translated, or waits for surveyed groups"
                yield in_bank(self, subject, template.first, "names", message)
