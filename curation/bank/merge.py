"""Bring imported templates into the bank, without touching what is there."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from curation.files.bank import GroupBook
from curation.records.bank import (
    GROUP_FIELDS,
    ORIGIN,
    Bank,
    Group,
    TemplateId,
    Texts,
    Variant,
    VariantId,
    VariantVersion,
    category_slug,
)
from curation.records.culture import Category, Culture
from curation.records.messages import CurateError, Finding, Severity
from curation.records.survey import QuestionKind


@dataclass(frozen=True, slots=True)
class Merged:
    """The workspace after an import.

    Attributes:
        bank: The bank.
        new_categories: Categories that the culture did not have.
        new_groups: Groups that the workspace did not have.
        added: Variants added.
        known: Variants that were there already, unchanged.
        ids: New template id by the id in the source, where they differ.
        findings: Variants that were there already with another content, by their row.
        deleted: Variants that are not added, for they were deleted from the bank.
    """

    bank: Bank
    new_categories: tuple[Category, ...]
    new_groups: tuple[Group, ...]
    added: int
    known: int
    ids: dict[str, str]
    findings: tuple[Finding, ...]
    deleted: int = 0


def merge(
    bank: Bank,
    book: GroupBook,
    culture: Culture,
    variants: Sequence[Variant],
    new_groups: Sequence[Group],
    languages: tuple[str, str],
    deleted: Sequence[Variant] = (),
    select_all: Collection[str] = (),
) -> Merged:
    """Add imported variants.

    A source category that the culture merges into another goes there. Where the number is taken,
    by a template of another set or of another category, the template gets the next free one, and
    its rows keep the id that it had, so that importing again finds it. A template that names no
    source is the set's own only if it says the same. Texts go to the columns of their language.

    Args:
        bank: The bank as it is.
        book: The groups as they are.
        culture: The settings.
        variants: What was read.
        new_groups: The groups that it names.
        languages: The language of the variants' texts and of their source texts.
        deleted: Rows that were taken out of the bank; they are not added again.
        select_all: Categories that are asked about by target selection where they are new.

    Raises:
        CurateError: If neither language is the culture's or its templates'.
    """
    wanted = {culture.language, culture.source_language}
    if not wanted & set(languages):
        raise CurateError(
            f"the templates are in {' and '.join(dict.fromkeys(languages))}, "
            f"the workspace is for {' and '.join(sorted(wanted))}",
            "culture.yaml, language and source_language",
            "set source_language to the templates' language",
        )
    there = {row.id: row for row in bank.variants}
    out = {row.id: row for row in deleted if row.id not in there}
    ids = _Ids(Bank((*bank.variants, *out.values())), culture)
    added: list[Variant] = []
    findings: list[Finding] = []
    known = left_out = 0
    for variant in variants:
        (placed,) = book.named(
            Bank((ids.place(_in_languages(variant, culture, languages)),))
        ).variants
        before = there.get(placed.id) or _with_versions(there, placed)
        if placed.id in out:
            left_out += 1
        elif before is None:
            there[placed.id] = placed
            added.append(placed)
        elif _same(before, placed):
            known += 1
        else:
            findings.append(_differs(before))
    categories = _new_categories(culture, added, select_all)
    every = (*there.values(), *out.values())
    lacking = _new_groups(book, new_groups, culture, added, every)
    return Merged(
        bank=Bank((*bank.variants, *added)),
        new_categories=categories,
        new_groups=lacking,
        added=len(added),
        known=known,
        ids=ids.moved,
        findings=tuple(findings),
        deleted=left_out,
    )


def _with_versions(there: Mapping[VariantId, Variant], placed: Variant) -> Variant | None:
    """The row that an imported one became when a person gave its template versions."""
    if placed.id.version:
        return None
    named = (replace(placed.id, version=version) for version in VariantVersion if version)
    rows = (there[name] for name in named if name in there)
    return next((row for row in rows if _same(row, placed)), None)


class _Ids:
    """Gives imported templates their place in the culture's categories."""

    def __init__(self, bank: Bank, culture: Culture) -> None:
        self._culture = culture
        self._taken = {row.template_id for row in bank.variants}
        self._unsourced = {row.id: row for row in bank.variants if not row.source}
        self._given = {
            (row.source, _origin(row) or str(row.template_id)): row.template_id
            for row in bank.variants
        }
        self._written = {row.template_id: row.category for row in bank.variants}
        self._placed: dict[TemplateId, TemplateId] = {}
        self.moved: dict[str, str] = {}

    def place(self, variant: Variant) -> Variant:
        category = self._culture.category_of_source(variant.category)
        old = variant.template_id
        if old not in self._placed:
            self._placed[old] = self._find(variant, category_slug(category))
            self._taken.add(self._placed[old])
        new = self._placed[old]
        if new == old:
            return replace(variant, category=category)
        self.moved[str(old)] = str(new)
        return replace(
            variant,
            id=replace(variant.id, template=new),
            category=self._written.get(new, category),
            extra=(*variant.extra, (ORIGIN, str(old))),
        )

    def _find(self, variant: Variant, category: str) -> TemplateId:
        old = variant.template_id
        given = self._given.get((variant.source, str(old)))
        if given is not None and self._came_from(given, category):
            return given
        wanted = TemplateId(category, old.number)
        unsourced = self._unsourced.get(replace(variant.id, template=wanted))
        if wanted not in self._taken or (unsourced is not None and _same(unsourced, variant)):
            return wanted
        last = max(item.number for item in self._taken if item.category == category)
        return TemplateId(category, last + 1)

    def _came_from(self, given: TemplateId, category: str) -> bool:
        """Whether a template is of a category, or of one that was split off it."""
        now = self._written.get(given, given.category)
        former = map(category_slug, self._culture.split_from(now))
        return category in (given.category, *former)


def _origin(row: Variant) -> str:
    """The id that a template had in its source, if the bank gave it another."""
    return dict(row.extra).get(ORIGIN, "")


def _in_languages(variant: Variant, culture: Culture, languages: tuple[str, str]) -> Variant:
    texts, source = ((languages[0], variant.texts), (languages[1], variant.source_texts))
    # In one language both may differ: what was published, and what is right.
    return replace(
        variant,
        texts=_first_in(culture.language, texts, source),
        source_texts=_first_in(culture.source_language, source, texts),
        row=0,
    )


def _first_in(language: str, *wordings: tuple[str, Texts]) -> Texts:
    return next((texts for written, texts in wordings if written == language), Texts())


def _same(before: Variant, after: Variant) -> bool:
    """Compare what the source gives; labels, translations and notes are the curators' own."""
    return before.source_texts == after.source_texts and (
        before.texts == after.texts or after.texts.is_empty
    )


def _differs(before: Variant) -> Finding:
    return Finding(
        "import-differs",
        Severity.WARNING,
        "",
        before.row or None,
        "",
        f"{before.id} is in the bank with different content; the bank is not changed",
        "delete the row from bank.csv to import it again",
    )


def _new_categories(
    culture: Culture, added: Sequence[Variant], select_all: Collection[str]
) -> tuple[Category, ...]:
    names = dict.fromkeys(
        variant.category for variant in added if not culture.has_category(variant.category)
    )
    return tuple(
        Category(id=name, question=QuestionKind.SELECT_ALL)
        if name in select_all
        else Category(id=name)
        for name in names
    )


def _new_groups(
    book: GroupBook,
    imported: Sequence[Group],
    culture: Culture,
    added: Sequence[Variant],
    every: Iterable[Variant],
) -> tuple[Group, ...]:
    """The groups that come with the added variants.

    Those that rows of the bank name alone came with an earlier import: where the workspace
    has them no more, somebody has renamed them or taken them out.
    """
    there = _named(every) - _named(added)
    lacking = []
    for group in imported if added else ():
        category = culture.category_of_source(group.category)
        if (category, group.group) not in there and not book.known(category, group.group):
            there.add((category, group.group))
            lacking.append(replace(group, category=category, row=0))
    return tuple(lacking)


def _named(variants: Iterable[Variant]) -> set[tuple[str, str]]:
    """The groups that variants name, by category."""
    return {
        (variant.category, group)
        for variant in variants
        for texts in (variant.texts, variant.source_texts)
        for field in GROUP_FIELDS
        for group in getattr(texts, field)
    }
