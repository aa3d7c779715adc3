"""Groups that are listed twice."""

from collections.abc import Iterator

from curation.checks.base import Subject, in_groups
from curation.model.bank import Group
from curation.model.findings import Finding, Severity


class GroupDuplicate:
    """Which of the two rows holds cannot be told."""

    rule = "group-duplicate"
    severity = Severity.ERROR
    title = "A group that is listed twice in one category"
    hint = "join the two rows"

    def findings(self, subject: Subject) -> Iterator[Finding]:
        """Yield one finding for each row but the first."""
        first: dict[tuple[str, str], Group] = {}
        for group in subject.groups:
            known = first.setdefault((group.category, group.group), group)
            if known is not group:
                message = f"'{group.group}' stands in row {known.row} already"
                yield in_groups(self, subject, group, "group", message)
