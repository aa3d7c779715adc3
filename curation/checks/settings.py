"""Settings that do not go with the tables, or with the decisions."""

from collections import Counter
from collections.abc import Iterator

from curation.checks.rules import rule
from curation.checks.subject import Remark, Subject, in_settings
from curation.records.wording import counted


@rule
def settings_changed(subject: Subject) -> Iterator[Remark]:
    """Said of each setting, with what decided and what is written now."""
    for name, before in subject.decided_with.items():
        after = getattr(subject.culture.survey, name)
        if before != after:
            message = (
                f"survey.{name}: the decisions were made with another value, "
                f"{shown(before)} → {shown(after)}"
            )
            yield in_settings("", message)


def shown(value: object) -> str:
    """Write the value of a setting for a message."""
    if isinstance(value, tuple):
        return ", ".join(map(str, value)) or "none"
    return str(value)


@rule
def category_unknown(subject: Subject) -> Iterator[Remark]:
    """Said once for each category and file, at its first row."""
    known = {item.id for item in subject.culture.categories}
    rows = [
        *((subject.bank_file, item.category, item.row) for item in subject.bank.variants),
        *((subject.groups_file, item.category, item.row) for item in subject.groups),
    ]
    first = {(file, category): row for file, category, row in reversed(rows)}
    for (file, category), count in Counter(item[:2] for item in rows).items():
        if category not in known:
            message = f"category '{category}' is not in culture.yaml ({counted(count, 'row')})"
            goal = next((c.id for c in subject.culture.categories if category in c.sources), "")
            hint = f"culture.yaml merges it into {goal}: curate groups sheet" if goal else ""
            yield Remark(file, first[file, category] or None, "category", message, hint)
