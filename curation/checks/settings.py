"""Settings that do not go with the tables, or with the decisions."""

from collections import Counter
from collections.abc import Iterator

from curation.checks.rules import ERROR, WARNING, rule
from curation.checks.subject import Remark, Subject, in_settings
from curation.records.ids import category_slug
from curation.records.wording import counted


@rule(
    "settings-changed",
    WARNING,
    "A setting of the survey that was changed after the decisions were made",
    "run 'curate filter' again with the survey's files, or restore the former values: until "
    "then the decisions use the former value",
)
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


@rule(
    "category-unknown",
    ERROR,
    "A category that culture.yaml does not name",
    "add it to 'categories' in culture.yaml, or correct its spelling",
)
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
            hint = f"culture.yaml merges it into {goal}: curate categories apply" if goal else ""
            yield Remark(file, first[file, category] or None, "category", message, hint)


@rule(
    "group-renamed",
    ERROR,
    "A name in renamed_groups that does not match groups.csv",
    "write the group's name in groups.csv, and under it the names that it had before",
)
def group_renamed(subject: Subject) -> Iterator[Remark]:
    """A former name is no group any more, and the name of now is one."""
    known = {(category_slug(group.category), group.group) for group in subject.groups}
    for category in subject.culture.categories:
        slug = category_slug(category.id)
        for name, former in category.renamed_groups.items():
            where = f"categories.{category.id}.renamed_groups"
            if (slug, name) not in known:
                yield in_settings("", f"{where}: groups.csv has no group '{name}'")
            for old in former:
                if (slug, old) in known:
                    what = f"'{old}' is a former name of '{name}', but groups.csv has it"
                    yield in_settings("", f"{where}: {what}")
