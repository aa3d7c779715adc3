"""Templates move to another category: merged, split off, or back."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from curation.files.annotations import AnnotationsFolder, read_renamed, write_renamed
from curation.files.bank import write_group_rows
from curation.files.codec import now
from curation.files.culture import SPLITS, Split
from curation.files.lock import writing
from curation.files.tables import read_table
from curation.files.workspace import Workspace
from curation.records.bank import GROUP_FIELDS, ORIGIN, Bank, TemplateId, Variant, category_slug
from curation.records.messages import CurateError
from curation.records.survey import QuestionKind, decided_templates
from curation.slots import is_open


@dataclass(frozen=True, slots=True)
class MovedTemplates:
    """What a move changes.

    Attributes:
        renamed: New template id by the old one.
        splits: Categories that are new, by the one that they were split off.
        groups: Rows of groups.csv that a category gets: category and key.
    """

    renamed: dict[str, str]
    splits: dict[str, str]
    groups: tuple[tuple[str, str], ...]


def move_templates(
    workspace: Workspace, goals: Mapping[str, str], *, dry_run: bool = False
) -> MovedTemplates:
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
        give = _Ids(workspace).give
        steps = {
            name: give(TemplateId.parse(name), category_slug(goal)) for name, goal in wanted.items()
        }

        def move(bank: Bank) -> Bank:
            # Keys hold in both categories; the names of the other one are not known yet.
            return _without_needless_origins(
                _moved(keyed, wanted[name], steps[name])
                if (name := str(row.template_id)) in wanted
                else row
                for row, keyed in zip(
                    bank.variants, workspace.book.keyed(bank).variants, strict=True
                )
            )

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
        table, gained = _groups(workspace, pairs, emptied, after)
        if not dry_run and wanted:
            # First what finds former ids and categories again, whatever happens after.
            former = {old: str(new) for old, new in steps.items()}
            write_renamed(AnnotationsFolder(workspace.root).renamed, former, now())
            kept = [item for item in workspace.splits if item.category not in emptied]
            kept += [Split(new, old) for new, old in splits.items()]
            if kept:
                SPLITS.write(workspace.categories_file, kept)
            elif workspace.categories_file.exists():
                workspace.categories_file.unlink()
            workspace.write_bank(workspace.bank_file, bank)
            if deleted != workspace.deleted:
                workspace.write_bank(workspace.deleted_file, deleted)
            if table is not None:
                write_group_rows(workspace.groups_file, *table)
    changed = {old: str(new) for old, new in steps.items()}
    return MovedTemplates(changed, splits, gained)


def _is_return(workspace: Workspace, old: str, new: str) -> bool:
    """Whether a category is merged into another, or was split off it."""
    culture = workspace.culture
    split = culture.has_category(old) and culture.category(old).split_from == new
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
            raise CurateError(
                f"'{new}' is a category already, or one that goes into {item.id}",
                workspace.shown(workspace.culture_file),
                f"choose another name; to merge {old} into it, write sources: [{old}] under it, "
                "then make a fresh sheet",
            )


class _Ids:
    """Gives ids in other categories: one that a template had there before is its own.

    No other one gets a former id, or one that a decision names.

    Args:
        workspace: The workspace.
    """

    def __init__(self, workspace: Workspace) -> None:
        rows = (*workspace.bank.variants, *workspace.deleted.variants)
        self._there = {row.template_id for row in rows}
        former = read_renamed(AnnotationsFolder(workspace.root).renamed)
        self._former = {TemplateId.parse(old): TemplateId.parse(new) for old, new in former.items()}
        self._taken = {*self._there, *self._former, *decided_templates(workspace.decisions)}

    def give(self, name: TemplateId, category: str) -> TemplateId:
        """The id of a template in another category, as ids write it."""
        own = (
            old
            for old, today in self._former.items()
            if today == name and old.category == category and old not in self._there
        )
        wanted = TemplateId(category, name.number)
        given = next(own, wanted)
        if given == wanted and wanted in self._taken and self._former.get(wanted) != name:
            last = max(item.number for item in self._taken if item.category == category)
            given = TemplateId(category, 1 + last)
        self._there.add(given)
        self._taken.add(given)
        return given


def _moved(row: Variant, category: str, name: TemplateId) -> Variant:
    """A row in another category under another id; it keeps the id that it had in its source."""
    extra = row.extra
    if name != row.template_id and not dict(extra).get(ORIGIN):
        extra = (*_without_origin(row), (ORIGIN, str(row.template_id)))
    return replace(row, id=replace(row.id, template=name), category=category, extra=extra)


def _without_needless_origins(rows: Iterable[Variant]) -> Bank:
    """Rows that have the id of their source again need no note of it, nor a column for none."""
    found = [
        replace(row, extra=_without_origin(row))
        if dict(row.extra).get(ORIGIN) == str(row.template_id)
        else row
        for row in rows
    ]
    if not any(dict(row.extra).get(ORIGIN) for row in found):
        found = [replace(row, extra=_without_origin(row)) for row in found]
    return Bank(tuple(found))


def _without_origin(row: Variant) -> tuple[tuple[str, str], ...]:
    return tuple(item for item in row.extra if item[0] != ORIGIN)


_Table = tuple[Sequence[str], list[dict[str, str]]]
"""The columns of groups.csv and its rows."""


def _groups(
    workspace: Workspace,
    pairs: Iterable[tuple[str, str]],
    emptied: Mapping[str, str],
    rows: Iterable[Variant],
) -> tuple[_Table | None, tuple[tuple[str, str], ...]]:
    """The rows of groups.csv after a move, and those that a category gets."""
    if not workspace.groups_file.exists():
        return None, ()
    table = read_table(workspace.groups_file)
    before = [dict(row.cells) for row in table.rows]
    every = list(rows)
    there = {_key(row) for row in before}
    after = [row for row in before if row["category"].strip() not in emptied]
    gained = []
    for old, new in pairs:
        members = [row for row in every if row.category == new]
        whole = old in emptied or _offers_all(workspace, old, members)
        used = _used(workspace, old, members)
        for row in before:
            category, key = _key(row)
            if category == old and (whole or key in used) and (new, key) not in there:
                there.add((new, key))
                gained.append((new, key))
                after.append({**row, "category": new})
    return (table.columns, after), tuple(gained)


def _key(row: Mapping[str, str]) -> tuple[str, str]:
    return row["category"].strip(), row.get("key", "").strip() or row["group"].strip()


def _offers_all(workspace: Workspace, category: str, members: Iterable[Variant]) -> bool:
    """Whether people choose among all groups, or a template leaves its groups to the survey."""
    found = (item for item in workspace.culture.categories if item.id == category)
    if any(item.question is QuestionKind.SELECT_ALL for item in found):
        return True
    try:
        return any(
            is_open(texts.names, texts.words)
            for row in members
            for texts in (row.texts, row.source_texts)
        )
    except CurateError:  # lists that cannot be read are for the check to say
        return True


def _used(workspace: Workspace, category: str, members: Iterable[Variant]) -> set[str]:
    """The keys of the groups that variants name, and of those that they are parts of."""
    left = {
        group
        for row in members
        for texts in (row.texts, row.source_texts)
        for field in GROUP_FIELDS
        for group in getattr(texts, field)
    }
    used: set[str] = set()
    while left:
        group = workspace.book.group(category, left.pop())
        if group is not None and group.key not in used:
            used.add(group.key)
            left.add(group.parent)
    return used
