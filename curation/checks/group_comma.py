"""Commas in the names of groups."""

from collections.abc import Iterator

from curation.checks.base import Subject, in_groups
from curation.model.findings import Finding, Severity
from curation.model.survey import split_groups


class GroupComma:
    """Survey files and exports write several groups as one name, with commas."""

    rule = "group-comma"
    severity = Severity.ERROR
    title = "A group with a comma in its name"
    hint = "write the name without comma, or list two groups: commas part the groups of a list"

    def findings(self, subject: Subject) -> Iterator[Finding]:
        """Yield one finding for each such group."""
        for group in subject.groups:
            if _parted(group.group):
                message = f"the name '{group.group}' has a comma"
                yield in_groups(self, subject, group, "group", message)


def _parted(name: str) -> bool:
    """Say whether a list of groups would part the name; commas within brackets do not."""
    return "," in name and (name.startswith("[") or len(split_groups(name)) != 1)
