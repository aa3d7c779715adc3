"""Variants whose groups are not named."""

from collections.abc import Iterator

from curation.checks.base import Subject, in_bank
from curation.model.bank import GROUP_FIELDS
from curation.model.findings import Finding, Severity


class GroupsMissing:
    """Without groups nobody can say who is the target, nor ask the survey."""

    rule = "groups-missing"
    severity = Severity.WARNING
    title = "A written variant that does not name the groups of its people or its target"
    hint = 'write the groups as a JSON list: ["group", "group"]'

    def findings(self, subject: Subject) -> Iterator[Finding]:
        """Yield one finding for each empty cell; none for people whom the survey will name."""
        for item in subject.texts:
            for field in GROUP_FIELDS:
                if not getattr(item.texts, field) and not item.is_open:
                    yield in_bank(self, subject, item.variant, field, "no group is named")
