"""Groups: how they are named, and what they are a part of."""

from collections.abc import Iterator

from curation.checks.subject import Remark, Subject, remark, rule
from curation.records.bank import GROUP_FIELDS, Group, Label, Variant
from curation.records.survey import split_groups

_TRANSFERRED = (Label.SIMPLY_TRANSFERRED, Label.TARGET_MODIFIED)


@rule
def label_differs(subject: Subject) -> Iterator[Remark]:
    """A label is for a whole template."""
    for template in subject.templates:
        first = template.first
        for variant in template.variants[1:]:
            if variant.label is not first.label:
                own, other = (it.label or "not classified" for it in (variant, first))
                told = {"one": variant.id, "own": own, "other": first.id, "first": other}
                yield subject.in_bank(variant, "label", **told)


@rule
def label_missing(subject: Subject) -> Iterator[Remark]:
    """Said once for the whole bank: most of a new bank is not classified."""
    count = sum(template.label is None for template in subject.templates)
    if count:
        every = len(subject.templates)
        yield remark(subject.bank_file, None, "label", count=count, every=every)


@rule
def reference_missing(subject: Subject) -> Iterator[Remark]:
    """A new stereotype needs a source that documents it."""
    for template in subject.templates:
        if template.label is Label.NEWLY_CREATED and not template.has_reference:
            yield subject.in_bank(template.first, "reference", template=template.id)


@rule
def source_missing(subject: Subject) -> Iterator[Remark]:
    """Its licence asks to say where a text comes from; the first variant that does not is named."""
    for template in subject.templates:
        without = [item for item in template.variants if not item.source_id.strip()]
        if template.label in _TRANSFERRED and without:
            told = {"name": without[0].id, "label": template.label}
            yield subject.in_bank(without[0], "source_id", **told)


@rule
def removed_text(subject: Subject) -> Iterator[Remark]:
    """One of the two is wrong, the label or the text."""
    for item in subject.texts:
        if item.variant.label is Label.SAMPLE_REMOVED:
            yield subject.in_wording(item, "label", name=item.variant.id)


_Key = tuple[str, str]


@rule
def group_unknown(subject: Subject) -> Iterator[Remark]:
    """Said once for each category and group, at the first cell that names it."""
    places: dict[_Key, list[tuple[Variant, str]]] = {}
    for variant in subject.bank.variants:
        for name in GROUP_FIELDS:
            for group in getattr(variant.texts, name):
                places.setdefault((variant.category, group), []).append((variant, name))
    for (category, group), found in places.items():
        if (category, group) not in subject.known_groups:
            told = {"group": group, "category": category, "count": len(found)}
            yield subject.in_bank(*found[0], **told)


@rule
def group_duplicate(subject: Subject) -> Iterator[Remark]:
    """It is unknown which of the two rows is right."""
    first: dict[_Key, Group] = {}
    for group in subject.groups:
        for label in dict.fromkeys((group.group, group.key)):
            known = first.setdefault((group.category, label), group)
            if known is not group:
                column = "group" if label == group.group else "key"
                yield subject.in_groups(group, column, label=label, first=known.row)


@rule
def group_parent(subject: Subject) -> Iterator[Remark]:
    """A parent is a group of the same category."""
    for group in subject.groups:
        if group.parent and (group.category, group.parent) not in subject.known_groups:
            told = {"parent": group.parent, "category": group.category}
            yield subject.in_groups(group, "parent", **told)


@rule
def group_cycle(subject: Subject) -> Iterator[Remark]:
    """Going from parent to parent must end; a circle is said at its first group in the file."""
    groups: dict[_Key, Group] = {}
    for group in subject.groups:
        groups.setdefault((group.category, group.group), group)
    order = list(groups)
    seen: set[_Key] = set()
    for key in order:
        path: list[_Key] = []
        while key in groups and key not in seen:
            seen.add(key)
            path.append(key)
            key = key[0], groups[key].parent
        if key in path:
            cycle = path[path.index(key) :]
            at = cycle.index(min(cycle, key=order.index))
            names = " > ".join(name for _, name in (*cycle[at:], *cycle[:at], cycle[at]))
            yield subject.in_groups(groups[cycle[at]], "parent", names=names)


@rule
def group_comma(subject: Subject) -> Iterator[Remark]:
    """Survey files and exports write several groups as one name, with commas.

    Commas within brackets part nothing.
    """
    for group in subject.groups:
        name = group.group
        if "," in name and (name.startswith("[") or len(split_groups(name)) != 1):
            yield subject.in_groups(group, "group", f"the name '{name}' has a comma")
