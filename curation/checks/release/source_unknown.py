"""Sources of templates of which no licence is known."""

from collections.abc import Iterator

from curation.checks.base import Subject, in_bank
from curation.checks.release.facts import ReleaseFacts, sources_used, templates_left
from curation.model.bank import Variant
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
        unnamed = next(_unnamed(subject, facts), None)
        if unnamed is not None:
            message = f"{unnamed.template_id} has the source_id of a template and names no source"
            yield in_bank(self, subject, unnamed, "source", message)
        for source, template in sources_used(subject, facts).items():
            terms = (facts.sources or {}).get(source)
            if terms is not None and terms_of(terms.name) is not None:
                continue
            stated = (
                f"is under '{terms.name}', which is no licence that the toolkit knows"
                if terms is not None and terms.name
                else "has no record of its licence"
            )
            message = f"source '{source}' (first in {template.id}) {stated}"
            yield in_bank(self, subject, template.first, "source", message)


def _unnamed(subject: Subject, facts: ReleaseFacts) -> Iterator[Variant]:
    """Yield what was taken from a source that the bank does not name."""
    for template in templates_left(subject, facts):
        for variant in template.variants:
            if variant.source_id.strip() and not variant.source.strip():
                yield variant
