"""Fillers that stand for two groups."""

from collections.abc import Iterator

from curation.checks.base import Subject, in_groups
from curation.model.findings import Finding, Severity


class FillerAmbiguous:
    """Of which group a person is must be told by the name."""

    rule = "filler-ambiguous"
    severity = Severity.WARNING
    title = "A filler that two groups of a category have"
    hint = "leave it to one group, or write two names that differ"

    def findings(self, subject: Subject) -> Iterator[Finding]:
        """Yield one finding for each two groups that share fillers, at the later one."""
        first: dict[tuple[str, str], str] = {}
        for group, fillers in subject.group_fillers:
            shared: dict[str, dict[str, None]] = {}
            for text in (item.text for item in fillers if item.text):
                known = first.setdefault((group.category, text), group.group)
                if known != group.group:
                    shared.setdefault(known, {})[text] = None
            for other, texts in shared.items():
                names = ", ".join(f"'{text}'" for text in texts)
                message = f"'{group.group}' shares fillers with '{other}': {names}"
                yield in_groups(self, subject, group, "fillers", message)
