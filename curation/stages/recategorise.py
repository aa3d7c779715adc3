"""Apply the merges of categories to a bank that was imported before they were written."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from curation.model.bank import ORIGIN, Bank, Group, Variant
from curation.model.culture import Culture
from curation.model.errors import CurateError
from curation.model.ids import TemplateId, VariantId, category_slug


@dataclass(frozen=True, slots=True)
class Recategorised:
    """The bank after its categories were merged.

    Attributes:
        bank: The bank.
        groups: The groups, in their new categories.
        renamed: New template id by the old one.
        moved: Groups that changed their category.
    """

    bank: Bank
    groups: tuple[Group, ...]
    renamed: dict[TemplateId, TemplateId]
    moved: int


def recategorise(
    bank: Bank, groups: Sequence[Group], culture: Culture, taken: Iterable[TemplateId]
) -> Recategorised:
    """Move templates and groups to the categories that the culture merges theirs into.

    A template keeps its number where that is free and gets the next one where it is not. Its
    row keeps the id that it had in its source, so that importing again finds it.

    Args:
        bank: The bank.
        groups: The groups.
        culture: The settings.
        taken: Other ids that are not to be given: former ones, and those of rulings.

    Raises:
        CurateError: If a category is merged into one that is itself merged into another.
    """
    _refuse_chains(
        {*(row.category for row in bank.variants), *(g.category for g in groups)}, culture
    )
    known = {*taken, *(row.template_id for row in bank.variants)}
    renamed: dict[TemplateId, TemplateId] = {}
    rows = []
    for row in bank.variants:
        category = culture.category_of_source(row.category)
        if category == row.category:
            rows.append(row)
            continue
        old = row.template_id
        if old not in renamed:
            renamed[old] = _free(category_slug(category), old, known)
            known.add(renamed[old])
        rows.append(_moved(row, category, renamed[old]))
    after = _groups(groups, culture)
    count = sum(culture.category_of_source(group.category) != group.category for group in groups)
    changed = {old: new for old, new in renamed.items() if old != new}
    return Recategorised(Bank(tuple(rows)), after, changed, count)


def _refuse_chains(categories: Iterable[str], culture: Culture) -> None:
    for category in sorted(categories):
        once = culture.category_of_source(category)
        twice = culture.category_of_source(once)
        if once != twice:
            raise CurateError(
                f"category {category} goes into {once}, which goes into {twice}",
                "culture.yaml, categories",
                f"name {category} among the sources of {twice}",
            )


def _free(category: str, old: TemplateId, known: set[TemplateId]) -> TemplateId:
    wanted = TemplateId(category, old.number)
    if wanted == old or wanted not in known:
        return wanted
    return TemplateId(category, 1 + max(i.number for i in known if i.category == category))


def _moved(row: Variant, category: str, name: TemplateId) -> Variant:
    extra = row.extra
    if name != row.template_id and not dict(extra).get(ORIGIN):
        others = tuple(item for item in extra if item[0] != ORIGIN)
        extra = (*others, (ORIGIN, str(row.template_id)))
    return replace(row, id=VariantId(name, row.letter), category=category, extra=extra)


def _groups(groups: Sequence[Group], culture: Culture) -> tuple[Group, ...]:
    """Move groups; one that stands in the new category already is not doubled."""
    there = {(group.category, group.group) for group in groups}
    after = []
    for group in groups:
        category = culture.category_of_source(group.category)
        if category == group.category:
            after.append(group)
        elif (category, group.group) not in there:
            there.add((category, group.group))
            after.append(replace(group, category=category))
    return tuple(after)
