"""Groups: how they are named, and what they are a part of."""

from collections import Counter
from collections.abc import Iterator

from curation.checks.rules import rule
from curation.checks.subject import Remark, Subject
from curation.records.bank import GROUP_FIELDS, Group, Variant
from curation.records.survey import split_groups
from curation.records.wording import counted

_Key = tuple[str, str]


@rule
def group_unknown(subject: Subject) -> Iterator[Remark]:
    """Said once for each category and group, at the first cell that names it."""
    first: dict[_Key, tuple[Variant, str]] = {}
    counts: Counter[_Key] = Counter()
    for variant in subject.bank.variants:
        for name in GROUP_FIELDS:
            for group in getattr(variant.texts, name):
                key = variant.category, group
                if key not in subject.known_groups:
                    first.setdefault(key, (variant, name))
                    counts[key] += 1
    for (category, group), (variant, name) in first.items():
        count = counts[category, group]
        message = f"group '{group}' is not listed in {category} (in {counted(count, 'cell')})"
        yield subject.in_bank(variant, name, message)


@rule
def group_duplicate(subject: Subject) -> Iterator[Remark]:
    """It is unknown which of the two rows is right."""
    first: dict[_Key, Group] = {}
    for group in subject.groups:
        for label in dict.fromkeys((group.group, group.key)):
            known = first.setdefault((group.category, label), group)
            if known is not group:
                message = f"'{label}' is already in row {known.row}"
                column = "group" if label == group.group else "key"
                yield subject.in_groups(group, column, message)


@rule
def group_parent(subject: Subject) -> Iterator[Remark]:
    """A parent is a group of the same category."""
    for group in subject.groups:
        if group.parent and (group.category, group.parent) not in subject.known_groups:
            message = f"parent '{group.parent}' is not listed in {group.category}"
            yield subject.in_groups(group, "parent", message)


@rule
def group_cycle(subject: Subject) -> Iterator[Remark]:
    """Going from parent to parent must end; a circle is said at its first group in the file."""
    groups: dict[_Key, Group] = {}
    for group in subject.groups:
        groups.setdefault((group.category, group.group), group)
    order = list(groups)
    seen: set[_Key] = set()
    for start in order:
        path: list[_Key] = []
        key = start
        while key in groups and key not in seen:
            seen.add(key)
            path.append(key)
            key = key[0], groups[key].parent
        if key in path:
            cycle = path[path.index(key) :]
            at = cycle.index(min(cycle, key=order.index))
            names = [name for _, name in (*cycle[at:], *cycle[:at], cycle[at])]
            message = f"the parents form a circle: {' > '.join(names)}"
            yield subject.in_groups(groups[cycle[at]], "parent", message)


@rule
def group_comma(subject: Subject) -> Iterator[Remark]:
    """Survey files and exports write several groups as one name, with commas.

    Commas within brackets part nothing.
    """
    for group in subject.groups:
        name = group.group
        if "," in name and (name.startswith("[") or len(split_groups(name)) != 1):
            yield subject.in_groups(group, "group", f"the name '{name}' has a comma")
