"""Names of annotators in what is published."""

from collections.abc import Iterator

from curation.checks.base import Subject
from curation.checks.release.facts import ReleaseFacts
from curation.model.findings import Finding, Severity
from curation.model.personal import names_in


class AnnotatorName:
    """Who annotated is named by leave only; authors of the release have given it."""

    rule = "release-annotator-name"
    severity = Severity.WARNING
    title = "The name of an annotator in a note, a reference or another text that is published"
    hint = "take the name out, or name the person among release.authors"

    def findings(self, subject: Subject) -> Iterator[Finding]:
        """Yield one finding for each text."""
        facts = subject.release or ReleaseFacts()
        authors = {author.shown for author in subject.culture.release.authors}
        names = facts.annotators - authors
        for item in facts.outgoing:
            if any(True for _ in names_in(item.text, names)):
                yield Finding(
                    *(self.rule, self.severity, item.file, item.row, item.column),
                    "the text holds the name of somebody who annotated or translated",
                    self.hint,
                )
