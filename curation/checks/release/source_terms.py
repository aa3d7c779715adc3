"""Sources whose terms do not go with those of the release."""

from collections.abc import Iterator

from curation.checks.base import Subject, in_bank
from curation.checks.release.facts import ReleaseFacts, sources_used
from curation.model.findings import Finding, Severity
from curation.model.licences import conflict, terms_of


class SourceTerms:
    """Share-alike stays share-alike, and nobody gives away what is not his."""

    rule = "release-source-terms"
    severity = Severity.ERROR
    title = "A source whose licence does not let its texts be published under release.licence"
    hint = "choose a licence that goes with it, or take its templates out of the release"

    def findings(self, subject: Subject) -> Iterator[Finding]:
        """Yield one finding for each source, at its first template."""
        facts = subject.release or ReleaseFacts()
        release = terms_of(subject.culture.release.licence)
        for source, template in sources_used(subject, facts).items():
            known = (facts.sources or {}).get(source)
            terms = terms_of(known.name) if known is not None else None
            if terms is None:
                continue  # 'release-source-unknown' says so
            why = conflict(terms, release or terms)
            if why:
                message = f"source '{source}' (first in {template.id}): {why}"
                yield in_bank(self, subject, template.first, "source", message)
