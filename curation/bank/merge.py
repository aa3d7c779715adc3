"""Templates that come into the bank by an import, or go to another category in it."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from curation.bank.rewording import with_column
from curation.files.annotations import read_renamed, write_renamed
from curation.files.bank import GroupBook, GroupRow, group_row_key, group_rows, write_group_rows
from curation.files.codec import now
from curation.files.culture import CATEGORIES, AddedCategory
from curation.files.lock import writing
from curation.files.workspace import Workspace
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
from curation.records.messages import CurateError, Finding, Results, finding, refusal
from curation.records.survey import QuestionKind, decided_templates
from curation.slots.grammar import is_open


def merge(
    bank: Bank,
    book: GroupBook,
    culture: Culture,
    variants: Sequence[Variant],
    new_groups: Sequence[Group],
    languages: tuple[str, str],
    deleted: Sequence[Variant] = (),
    select_all: Collection[str] = (),
) -> Results:
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

    Returns:
        The workspace after an import; nothing is written.

        - `bank`: The bank.
        - `new_categories`: Categories that the culture did not have.
        - `new_groups`: Groups that the workspace did not have.
        - `added`: How many variants were added.
        - `known`: How many were there already, unchanged.
        - `ids`: New template id by the id in the source, where they differ.
        - `findings`: Variants that were there already with another content, by their row.
        - `deleted`: How many are not added, for they were deleted from the bank.

    Raises:
        CurateError: If neither language is the culture's or its templates'.
    """
    wanted = {culture.language, culture.source_language}
    if not wanted & set(languages):
        ours, theirs = (" and ".join(each) for each in (sorted(wanted), dict.fromkeys(languages)))
        where = "culture.yaml, language and source_language"
        raise refusal("curation", "import-languages", where, theirs=theirs, ours=ours)
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
            said = finding("curation", "import-differs", "", id=before.id)
            findings.append(replace(said, row=before.row or None))
    categories = _new_categories(culture, added, select_all)
    asked = _named((*there.values(), *out.values())) - _named(added)
    lacking = _new_groups(book, new_groups if added else (), culture, asked)
    return Results(
        {
            "bank": Bank((*bank.variants, *added)),
            "new_categories": categories,
            "new_groups": lacking,
            "added": len(added),
            "known": known,
            "ids": ids.moved,
            "findings": tuple(findings),
            "deleted": left_out,
        }
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
            (row.source, dict(row.extra).get(ORIGIN) or str(row.template_id)): row.template_id
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
        return _next_free(self._taken, category)

    def _came_from(self, given: TemplateId, category: str) -> bool:
        """Whether a template is of a category, or of one that was split off it."""
        now = self._written.get(given, given.category)
        former = map(category_slug, self._culture.split_from(now))
        return category in (given.category, *former)


def _next_free(taken: Iterable[TemplateId], category: str) -> TemplateId:
    """The id after the last of a category that has some."""
    return TemplateId(category, 1 + max(one.number for one in taken if one.category == category))


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
    book: GroupBook, imported: Sequence[Group], culture: Culture, there: set[tuple[str, str]]
) -> tuple[Group, ...]:
    """The groups that come with the added variants.

    Those that rows of the bank name alone (`there`) came with an earlier import: where the
    workspace has them no more, somebody has renamed them or taken them out.
    """
    lacking = []
    for group in imported:
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


def move_templates(
    workspace: Workspace, goals: Mapping[str, str], *, dry_run: bool = False
) -> dict[str, str]:
    """Move templates, deleted ones too, to other categories.

    A goal is the category that `culture.yaml` merges a template's into, a new one, one that was
    split off its category before, or the one that its category was split off. A template keeps its
    number, or gets the id back that it had there, or the next free number. Former ids are kept in
    `annotations/renamed.csv`, and `templates_src/categories.csv` says where a category was split
    off: by both, decisions and survey questions hold as before. The goal gets copies of the groups
    that its templates name, with those that they are parts of. A category without templates whose
    templates went where it came from, or where it is merged into, gives its groups to that one.

    Args:
        workspace: The workspace.
        goals: By template id, the category that it goes to.
        dry_run: Whether nothing is written.

    Returns:
        New template id by the old one.

    Raises:
        CurateError: If a template is not there, a goal is none of these, or a file cannot be read
            or written.
    """
    with writing(workspace, "curate collect", dry_run=dry_run):
        rows = (*workspace.bank.variants, *workspace.deleted.variants)
        home = {str(row.template_id): row.category for row in rows}
        wanted = {name: goal.strip() for name, goal in goals.items()}
        for name, goal in wanted.items():
            if name not in home:
                raise CurateError(
                    f"there is no template {name}", workspace.shown(workspace.bank_file)
                )
            _refuse_goal(workspace, home[name], goal)
        wanted = {name: goal for name, goal in wanted.items() if goal != home[name]}
        steps = _new_ids(workspace, wanted)
        renamed = {old: str(new) for old, new in steps.items()}
        former = {new: old for old, new in renamed.items()}

        def origin(row: Variant) -> str:
            """The id that a row has in its source, where it is another."""
            own = str(row.template_id)
            found = dict(row.extra).get(ORIGIN) or former.get(own, own)
            return "" if found == own else found

        def move(bank: Bank) -> Bank:
            # Keys hold in both categories; the names of the other one are not known yet.
            keyed = workspace.book.keyed(bank).variants
            rows = [
                replace(key, id=replace(key.id, template=steps[name]), category=wanted[name])
                if (name := str(row.template_id)) in wanted
                else row
                for row, key in zip(bank.variants, keyed, strict=True)
            ]
            return Bank(with_column(rows, ORIGIN, origin))

        bank, deleted = move(workspace.bank), move(workspace.deleted)
        after = (*bank.variants, *deleted.variants)
        pairs = dict.fromkeys((home[name], goal) for name, goal in wanted.items())
        left = {row.category for row in after}
        culture = workspace.culture
        emptied = {
            old: new for old, new in pairs if old not in left and _is_return(workspace, old, new)
        }
        for item in culture.categories:
            if item.split_from in emptied:
                raise CurateError(
                    f"{item.id} was split off {item.split_from}", hint="move its templates first"
                )
        splits = {new: old for old, new in pairs if not culture.has_category(new)}
        table = _groups(workspace, pairs, emptied, after)
        if not dry_run and wanted:
            # First what finds former ids and categories again, whatever happens after.
            write_renamed(workspace.annotations.renamed, renamed, now())
            kept = [item for item in workspace.added_categories if item.category not in emptied]
            kept += [AddedCategory(new, split_from=old) for new, old in splits.items()]
            if kept:
                CATEGORIES.write(workspace.categories_file, kept)
            elif workspace.categories_file.exists():
                workspace.categories_file.unlink()
            workspace.write_bank(workspace.bank_file, bank)
            if deleted != workspace.deleted:
                workspace.write_bank(workspace.deleted_file, deleted)
            if workspace.groups_file.exists():
                write_group_rows(workspace.groups_file, *table)
    return renamed


def _is_return(workspace: Workspace, old: str, new: str) -> bool:
    """Whether a category is merged into another, or was split off it."""
    culture = workspace.culture
    split = any((item.id, item.split_from) == (old, new) for item in culture.categories)
    return split or culture.category_of_source(old) == new


def _refuse_goal(workspace: Workspace, old: str, new: str) -> None:
    """Refuse a category that templates cannot go to.

    Raises:
        CurateError: Saying what can be done.
    """
    if new == old or _is_return(workspace, old, new):
        return
    slug, culture = category_slug(new), workspace.culture
    for item in culture.categories:
        split_here = item.split_from and category_slug(item.split_from) == category_slug(old)
        if item.id == new and split_here:
            return
        if slug in map(category_slug, (item.id, *item.sources)):
            where = workspace.shown(workspace.culture_file)
            raise refusal("curation", "category-taken", where, new=new, other=item.id, old=old)


def _new_ids(workspace: Workspace, goals: Mapping[str, str]) -> dict[str, TemplateId]:
    """The ids of templates in other categories: one that a template had there before is its own.

    No other one gets a former id, or one that a decision names.
    """
    there = {row.template_id for row in (*workspace.bank.variants, *workspace.deleted.variants)}
    renamed = read_renamed(workspace.annotations.renamed)
    former = {TemplateId.parse(old): TemplateId.parse(new) for old, new in renamed.items()}
    taken = {*there, *former, *decided_templates(workspace.decisions)}
    given: dict[str, TemplateId] = {}
    for text, goal in goals.items():
        name, category = TemplateId.parse(text), category_slug(goal)
        own = (old for old, today in former.items() if (today, old.category) == (name, category))
        new = next((old for old in own if old not in there), None)
        if new is None:
            new = TemplateId(category, name.number)
            new = _next_free(taken, category) if new in taken else new
        given[text] = new
        there.add(new)
        taken.add(new)
    return given


def _groups(
    workspace: Workspace,
    pairs: Iterable[tuple[str, str]],
    emptied: Mapping[str, str],
    rows: Iterable[Variant],
) -> tuple[Sequence[str], list[GroupRow]]:
    """The columns and rows of groups.csv after a move."""
    columns, before = group_rows(workspace.groups_file)
    every = list(rows)
    there = {group_row_key(row) for row in before}
    after = [row for row in before if row["category"].strip() not in emptied]
    for old, new in pairs:
        members = [row for row in every if row.category == new]
        whole = old in emptied or _offers_all(workspace, old, members)
        used = _used(workspace, old, members)
        for row in before:
            category, key = group_row_key(row)
            if category == old and (whole or key in used) and (new, key) not in there:
                there.add((new, key))
                after.append({**row, "category": new})
    return columns, after


def _offers_all(workspace: Workspace, category: str, members: Iterable[Variant]) -> bool:
    """Whether people choose among all groups, or a template leaves its groups to the survey."""
    found = (item for item in workspace.culture.categories if item.id == category)
    if any(item.question is QuestionKind.SELECT_ALL for item in found):
        return True
    try:
        return any(is_open(texts) for row in members for texts in (row.texts, row.source_texts))
    except CurateError:  # lists that cannot be read are for the check to say
        return True


def _used(workspace: Workspace, category: str, members: Iterable[Variant]) -> set[str]:
    """The keys of the groups that variants name, and of those that they are parts of."""
    left = {group for _, group in _named(members)}
    used: set[str] = set()
    while left:
        group = workspace.book.group(category, left.pop())
        if group is not None and group.key not in used:
            used.add(group.key)
            left.add(group.parent)
    return used
