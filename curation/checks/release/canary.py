"""A release without canary, or with another one than before."""

from collections.abc import Iterator

from curation.checks.base import Subject
from curation.checks.release.facts import of_settings
from curation.model.findings import Finding, Severity


class Canary:
    """A benchmark that is trained on measures nothing."""

    rule = "release-canary"
    severity = Severity.ERROR
    title = "No canary to keep the data out of training sets, or another one than was released"
    hint = (
        "write release.canary: a text of 16 signs or more without blanks that stands nowhere "
        "else, such as a new UUID; never change it afterwards"
    )

    def findings(self, subject: Subject) -> Iterator[Finding]:
        """Yield one finding."""
        if not subject.culture.release.canary:
            yield of_settings(self, "release.canary", "the release has no canary")
            return
        before = subject.release.canary_before if subject.release else ""
        if before and subject.culture.release.canary != before:
            message = "the canary is another one than that of the last release"
            hint = "write the former one back: those who filter training data know that one"
            yield of_settings(self, "release.canary", message, hint)
