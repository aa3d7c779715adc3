"""Groups that `groups.csv` does not list."""

from collections import Counter
from collections.abc import Iterator

from curation.checks.base import Subject, in_bank
from curation.model.bank import GROUP_FIELDS, Variant
from curation.model.findings import Finding, Severity


class GroupUnknown:
    """Said once for each category and group."""

    rule = "group-unknown"
    severity = Severity.ERROR
    title = "A group that groups.csv does not list in the template's category"
    hint = "add the group to groups.csv, or mend its spelling"

    def findings(self, subject: Subject) -> Iterator[Finding]:
        """Yield one finding for each group, at the first cell that names it."""
        known = {(group.category, group.group) for group in subject.groups}
        first: dict[tuple[str, str], tuple[Variant, str]] = {}
        counts: Counter[tuple[str, str]] = Counter()
        for variant in subject.bank.variants:
            for field in GROUP_FIELDS:
                for group in getattr(variant.texts, field):
                    key = variant.category, group
                    if key not in known:
                        first.setdefault(key, (variant, field))
                        counts[key] += 1
        for (category, group), (variant, field) in first.items():
            cells = counts[category, group]
            message = f"group '{group}' is not listed in {category} ({_times(cells)})"
            yield in_bank(self, subject, variant, field, message)


def _times(cells: int) -> str:
    return "in 1 cell" if cells == 1 else f"in {cells} cells"
