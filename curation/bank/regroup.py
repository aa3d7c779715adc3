"""Rename a group in the bank, cell by cell."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from typing import Any

from curation.records.bank import GROUP_FIELDS, Bank, Label, Variant
from curation.records.errors import CurateError
from curation.slots import is_open


@dataclass(frozen=True, slots=True)
class Regrouped:
    """A bank in which a group has another name.

    Attributes:
        bank: The bank.
        cells: Cells of the culture's own columns in which the name was changed.
        filled: Empty cells of those columns that took over the names of the source.
        templates: Ids of the templates that were changed.
        source_only: Ids of templates that have texts, and name the group in an empty cell's
            source alone: they could take it over from there.
        unwritten: Ids of templates that name it in the source and have no texts yet.
        foreign: Other names that came along from the source, and that the category does not
            have as groups.
    """

    bank: Bank
    cells: int
    filled: int
    templates: tuple[str, ...]
    source_only: tuple[str, ...]
    unwritten: tuple[str, ...]
    foreign: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Name:
    """Which group gets which name.

    Attributes:
        category: Its category, as the bank writes it.
        old: The name that it has.
        new: The name that it gets.
    """

    category: str
    old: str
    new: str


def names_group(bank: Bank, category: str, group: str) -> bool:
    """Whether the culture's own columns of a category name a group."""
    return any(
        group in getattr(variant.texts, field)
        for variant in bank.variants
        if variant.category == category
        for field in GROUP_FIELDS
    )


def source_names_group(bank: Bank, category: str, group: str) -> bool:
    """Whether the columns of the source name a group."""
    return any(
        group in getattr(variant.source_texts, field)
        for variant in bank.variants
        if variant.category == category
        for field in GROUP_FIELDS
    )


def regroup(
    bank: Bank,
    name: Name,
    known: Collection[str],
    *,
    from_source: bool,
    file: str = "bank",
) -> Regrouped:
    """Rename a group in the culture's own columns of its category.

    The columns of the source stay as they are, and so do texts and names of people.

    Args:
        bank: The bank.
        name: The group and its new name.
        known: The groups that the category has, by their names of now.
        from_source: Whether empty cells take over the names of the source where these name the
            group, with its new name; those of variants that have texts, are not labelled SR, and
            do not wait for the survey to name their people.
        file: What errors call the bank.

    Raises:
        CurateError: If a variant names both, so that two groups would become one, or if the
            lists of one that could take over names cannot be read.
    """
    parts = [_part(variant, name, file, from_source=from_source) for variant in bank.variants]
    taken = dict.fromkeys(group for part in parts for group in part.taken if group != name.new)
    return Regrouped(
        bank=Bank(tuple(part.variant for part in parts)),
        cells=sum(part.cells for part in parts),
        filled=sum(part.filled for part in parts),
        templates=_ids(part for part in parts if part.cells or part.filled),
        source_only=_ids(part for part in parts if part.source_only),
        unwritten=_ids(part for part in parts if part.unwritten),
        foreign=tuple(group for group in taken if group not in known),
    )


@dataclass(frozen=True, slots=True)
class _Part:
    """What becomes of one variant; `taken` holds the groups that came from the source."""

    variant: Variant
    cells: int = 0
    filled: int = 0
    taken: tuple[str, ...] = ()
    source_only: bool = False
    unwritten: bool = False


def _ids(parts: Iterable[_Part]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(str(part.variant.template_id) for part in parts))


def _part(variant: Variant, name: Name, file: str, *, from_source: bool) -> _Part:
    if variant.category != name.category:
        return _Part(variant)
    own = _own_cells(variant, name, file)
    empty = _empty_cells(variant, name, file)
    written = variant.texts.has_body
    filled = empty if from_source and written else {}
    cells: dict[str, Any] = {**own, **filled}
    return _Part(
        variant=replace(variant, texts=replace(variant.texts, **cells)) if cells else variant,
        cells=len(own),
        filled=len(filled),
        taken=tuple(group for groups in filled.values() for group in groups),
        source_only=bool(empty) and written and not from_source,
        unwritten=bool(empty) and not written,
    )


def _own_cells(variant: Variant, name: Name, file: str) -> dict[str, tuple[str, ...]]:
    """The lists of the culture that name the group, with its new name."""
    lists = {field: getattr(variant.texts, field) for field in GROUP_FIELDS}
    named = {field: groups for field, groups in lists.items() if name.old in groups}
    for field, groups in lists.items():
        if named and name.new in groups:
            raise CurateError(
                f"{variant.id} names '{name.old}' and '{name.new}', which would become one group",
                f"{file}, row {variant.row}, column {field}",
                "a rename cannot merge groups: remove one of the two from the template first",
            )
    return {field: _renamed(groups, name) for field, groups in named.items()}


def _empty_cells(variant: Variant, name: Name, file: str) -> dict[str, tuple[str, ...]]:
    """What the empty lists of the culture could take over from the source."""
    if variant.label is Label.SAMPLE_REMOVED:
        return {}
    found = {
        field: _renamed(getattr(variant.source_texts, field), name)
        for field in GROUP_FIELDS
        if not getattr(variant.texts, field) and name.old in getattr(variant.source_texts, field)
    }
    return {} if found and _is_open(variant, file) else found


def _renamed(groups: tuple[str, ...], name: Name) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name.new if group == name.old else group for group in groups))


def _is_open(variant: Variant, file: str) -> bool:
    try:
        return is_open(variant.texts.names, variant.texts.words)
    except CurateError as error:
        raise CurateError(
            f"{variant.id}: {error.what}",
            f"{file}, row {variant.row}, columns names and words",
            error.hint or "see 'curate check'",
        ) from error
