"""A release without canary."""

from collections.abc import Iterator

from curation.checks.base import Subject
from curation.checks.release.facts import of_settings
from curation.model.findings import Finding, Severity


class Canary:
    """A benchmark that is trained on measures nothing."""

    rule = "release-canary"
    severity = Severity.ERROR
    title = "No canary, by which the data can be kept out of training sets"
    hint = (
        "write release.canary: a text of 16 signs or more without blanks that stands nowhere "
        "else, such as a new UUID; never change it afterwards"
    )

    def findings(self, subject: Subject) -> Iterator[Finding]:
        """Yield one finding."""
        if not subject.culture.release.canary:
            yield of_settings(self, "release.canary", "the release has no canary")
