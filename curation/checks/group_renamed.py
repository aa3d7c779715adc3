"""Renamed groups whose names do not go with `groups.csv`."""

from collections.abc import Iterator

from curation.checks.base import CULTURE_FILE, Subject
from curation.model.findings import Finding, Severity
from curation.model.ids import category_slug


class GroupRenamed:
    """A former name is no group any more, and the name of now is one."""

    rule = "group-renamed"
    severity = Severity.ERROR
    title = "A name in renamed_groups that does not go with groups.csv"
    hint = "write the group's name in groups.csv, and under it the names that it had before"

    def findings(self, subject: Subject) -> Iterator[Finding]:
        """Yield one finding for each name."""
        known = {(category_slug(group.category), group.group) for group in subject.groups}
        for category in subject.culture.categories:
            slug = category_slug(category.id)
            for name, former in category.renamed_groups.items():
                where = f"categories.{category.id}.renamed_groups"
                if (slug, name) not in known:
                    yield self._finding(f"{where}: groups.csv has no group '{name}'")
                for old in former:
                    if (slug, old) in known:
                        what = f"'{old}' is a former name of '{name}', yet groups.csv has it"
                        yield self._finding(f"{where}: {what}")

    def _finding(self, message: str) -> Finding:
        return Finding(self.rule, self.severity, CULTURE_FILE, None, "", message, self.hint)
