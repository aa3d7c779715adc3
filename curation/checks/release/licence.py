"""The licence of the release itself."""

from collections.abc import Iterator

from curation.checks.base import Subject
from curation.checks.release.facts import of_settings
from curation.model.findings import Finding, Severity
from curation.model.licences import TERMS, terms_of


class Licence:
    """Readers and programs know what an SPDX identifier means."""

    rule = "release-licence"
    severity = Severity.ERROR
    title = "A licence of the release that is no known SPDX identifier, or allows no derived data"
    hint = f"write one of {', '.join(TERMS)}"

    def findings(self, subject: Subject) -> Iterator[Finding]:
        """Yield one finding."""
        name = subject.culture.release.licence
        if name and (name not in TERMS):
            near = terms_of(name)
            hint = f"write it {near.spdx}" if near else self.hint
            message = f"'{name}' is not an SPDX identifier that the toolkit knows"
            yield of_settings(self, "release.licence", message, hint)
