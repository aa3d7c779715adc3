"""Categories that the settings do not name."""

from collections import Counter
from collections.abc import Iterator

from curation.checks.base import Subject, in_bank, in_groups
from curation.model.findings import Finding, Severity


class CategoryUnknown:
    """Said once for each category and file."""

    rule = "category-unknown"
    severity = Severity.ERROR
    title = "A category that culture.yaml does not name"
    hint = "add it to 'categories' in culture.yaml, or mend its spelling"

    def findings(self, subject: Subject) -> Iterator[Finding]:
        """Yield one finding for each category of the bank and of the groups, at its first row."""
        known = {item.id for item in subject.culture.categories}
        variants, groups = subject.bank.variants, subject.groups
        counts = Counter(item.category for item in variants)
        first_variants = {item.category: item for item in reversed(variants)}
        for category in [item for item in counts if item not in known]:
            message = _message(category, counts[category])
            yield in_bank(self, subject, first_variants[category], "category", message)
        counts = Counter(item.category for item in groups)
        first_groups = {item.category: item for item in reversed(groups)}
        for category in [item for item in counts if item not in known]:
            message = _message(category, counts[category])
            yield in_groups(self, subject, first_groups[category], "category", message)


def _message(category: str, count: int) -> str:
    rows = "1 row" if count == 1 else f"{count} rows"
    return f"category '{category}' is not in culture.yaml ({rows})"
