"""Groups without fillers."""

from collections.abc import Iterator

from curation.checks.base import Subject, in_groups
from curation.model.findings import Finding, Severity


class GroupFillersMissing:
    """A list that the survey fills takes them from its groups."""

    rule = "group-fillers-missing"
    severity = Severity.WARNING
    title = "A group without fillers"
    hint = "list the names that stand for the group: [a, b]"

    def findings(self, subject: Subject) -> Iterator[Finding]:
        """Yield one finding for each such group; none for groups that others are a part of."""
        parents = {(group.category, group.parent) for group in subject.groups}
        for group, fillers in subject.group_fillers:
            if not fillers and (group.category, group.group) not in parents:
                message = f"'{group.group}' has no fillers"
                yield in_groups(self, subject, group, "fillers", message)
