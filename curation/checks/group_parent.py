"""Parents that are no groups."""

from collections.abc import Iterator

from curation.checks.base import Subject, in_groups
from curation.model.findings import Finding, Severity


class GroupParent:
    """A parent is a group of the same category."""

    rule = "group-parent"
    severity = Severity.ERROR
    title = "A group whose parent is not listed in its category"
    hint = "add the parent as a group of the category, or mend its spelling"

    def findings(self, subject: Subject) -> Iterator[Finding]:
        """Yield one finding for each such group."""
        known = {(group.category, group.group) for group in subject.groups}
        for group in subject.groups:
            if group.parent and (group.category, group.parent) not in known:
                message = f"parent '{group.parent}' is not listed in {group.category}"
                yield in_groups(self, subject, group, "parent", message)
