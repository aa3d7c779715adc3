"""Sources of templates of which no licence is known."""

from collections.abc import Iterator

from curation.checks.base import Subject, in_bank
from curation.checks.release.facts import ReleaseFacts, sources_used
from curation.model.findings import Finding, Severity
from curation.model.licences import terms_of


class SourceUnknown:
    """What somebody else wrote is passed on by leave only."""

    rule = "release-source-unknown"
    severity = Severity.ERROR
    title = "A source whose texts are left and whose licence is not known, or allows nothing"
    hint = (
        "import the published files with 'curate import', or record the terms in "
        "templates_src/sources/sources.json; without leave its templates have to go"
    )

    def findings(self, subject: Subject) -> Iterator[Finding]:
        """Yield one finding for each source, at its first template."""
        facts = subject.release or ReleaseFacts()
        for source, template in sources_used(subject, facts).items():
            terms = (facts.sources or {}).get(source)
            if terms is not None and terms_of(terms.licence) is not None:
                continue
            stated = (
                f"is under '{terms.licence}', which is no licence that the toolkit knows"
                if terms is not None and terms.licence
                else "has no record of its licence"
            )
            message = f"source '{source}' (first in {template.id}) {stated}"
            yield in_bank(self, subject, template.first, "source", message)
