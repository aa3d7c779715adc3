"""Sources that are to be named, of which it is not known whom to name."""

from collections.abc import Iterator

from curation.checks.base import Subject, in_bank
from curation.checks.release.facts import ReleaseFacts, sources_used
from curation.model.findings import Finding, Severity
from curation.model.licences import terms_of


class Attribution:
    """The package names the creators of what it was derived from."""

    rule = "release-attribution"
    severity = Severity.ERROR
    title = "A source that asks for its creators to be named, with no name or address on record"
    hint = "write holder and address of its licence in templates_src/sources/sources.json"

    def findings(self, subject: Subject) -> Iterator[Finding]:
        """Yield one finding for each source, at its first template."""
        facts = subject.release or ReleaseFacts()
        for source, template in sources_used(subject, facts).items():
            known = (facts.sources or {}).get(source)
            terms = terms_of(known.name) if known is not None else None
            if known is None or terms is None or not terms.attribution:
                continue
            lacking = [name for name in ("holder", "address") if not getattr(known, name).strip()]
            if lacking:
                message = f"source '{source}' is under {terms.spdx} and has no {lacking[0]}"
                yield in_bank(self, subject, template.first, "source", message)
