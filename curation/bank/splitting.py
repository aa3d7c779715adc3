"""Templates of a category become a category of their own, and go back."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from curation.bank.recategorise import free_id, moved
from curation.files.annotations import AnnotationsFolder, read_renamed, write_renamed
from curation.files.atomic import atomic_path
from curation.files.bank import add_groups, write_bank
from curation.files.culture import add_categories, without_category
from curation.files.ledger import now
from curation.files.lock import writing
from curation.files.tables import read_table, read_text, refuse_problems, write_csv
from curation.files.workspace import Workspace
from curation.records.bank import GROUP_FIELDS, ORIGIN, Bank, Group, Variant
from curation.records.culture import Category
from curation.records.errors import CurateError
from curation.records.ids import TemplateId, category_slug
from curation.records.survey import QuestionKind, decided_templates
from curation.records.wording import plural, shortened
from curation.slots import is_open

TABLE_COLUMNS = ("template_id", "category")
"""The columns of a table of templates, each with the category that it goes to."""


@dataclass(frozen=True, slots=True)
class SplitCategory:
    """What a split changes, or its undoing.

    Attributes:
        category: The category that templates leave, or come back to.
        renamed: New template id by the old one.
        categories: Categories that are added to the settings, or taken out.
        groups: Rows of groups.csv that are added, or taken out: category and group.
    """

    category: str
    renamed: dict[str, str]
    categories: tuple[str, ...]
    groups: tuple[tuple[str, str], ...]


def split_category(
    workspace: Workspace,
    category: str,
    into: str = "",
    templates: Sequence[str] = (),
    *,
    table: Path | None = None,
    dry_run: bool = False,
) -> SplitCategory:
    """Move templates of a category to a new category, or to several.

    A template keeps its number, or gets the next free one where that is taken. Former ids are kept
    in `annotations/renamed.csv`, and culture.yaml says where a category was split off
    (`split_from`): by both, decisions and survey questions hold as before. The new category gets
    copies of the groups that its templates name, with those that they are parts of; of all groups,
    where people choose among all or a template leaves its groups to the survey.

    Args:
        workspace: The workspace.
        category: The category.
        into: The new category of `templates`; one that was split off before takes more of them.
        templates: Their ids, also those that they had before.
        table: A CSV with the columns of `TABLE_COLUMNS`: further templates.
        dry_run: Whether nothing is written.

    Raises:
        CurateError: If a template is not of the category (all of them are named), a name cannot be
            that of a new category, or a file cannot be read or written.
    """
    with writing(workspace, "curate categories split", dry_run=dry_run):
        goals = _goals(workspace, category, into, templates, table)
        names = tuple(dict.fromkeys(goals.values()))
        ids = _Ids(workspace)
        steps: dict[TemplateId, TemplateId] = {}
        rows: list[Variant] = []
        for row in workspace.bank.variants:
            goal = goals.get(row.template_id)
            if goal is None:
                rows.append(row)
                continue
            if row.template_id not in steps:
                steps[row.template_id] = ids.give(row.template_id, category_slug(goal))
            rows.append(moved(row, goal, steps[row.template_id]))
        before = workspace.culture.category(category)
        new = [
            Category(id=name, question=before.question, split_from=before.id)
            for name in names
            if not workspace.culture.has_category(name)
        ]
        groups = _copied(workspace, before, names, rows)
        if not dry_run:
            # First what finds former ids and categories again, whatever happens after.
            write_renamed(_renamed_file(workspace), _texts(steps), now())
            add_categories(workspace.culture_file, new)
            add_groups(workspace.groups_file, groups)
            write_bank(workspace.bank_file, Bank(tuple(rows)))
    return SplitCategory(
        before.id,
        _texts(steps),
        tuple(item.id for item in new),
        tuple((item.category, item.group) for item in groups),
    )


def unsplit_category(
    workspace: Workspace, category: str, *, dry_run: bool = False
) -> SplitCategory:
    """Undo a split: move all templates of a category back to its former category.

    They get the ids back that they had there, deleted ones too; the category leaves culture.yaml,
    and its groups groups.csv.

    Args:
        workspace: The workspace.
        category: The category that was split off.
        dry_run: Whether nothing is written.

    Raises:
        CurateError: If it was split off none, others were split off it, groups were renamed in it,
            or a file cannot be read or written.
    """
    with writing(workspace, "curate categories unsplit", dry_run=dry_run):
        own = workspace.culture.category(category)
        _refuse_tied(workspace, own)
        home = workspace.culture.category(own.split_from)
        slug = category_slug(home.id)
        ids = _Ids(workspace)
        steps: dict[TemplateId, TemplateId] = {}

        def back(bank: Bank) -> Bank:
            rows = []
            for row in bank.variants:
                if row.category != own.id:
                    rows.append(row)
                    continue
                if row.template_id not in steps:
                    steps[row.template_id] = ids.give(row.template_id, slug)
                rows.append(moved(row, home.id, steps[row.template_id]))
            return Bank(tuple(_without_needless_origins(rows)))

        # Deleted templates go back too: restored, they would be of a category that is no more.
        bank, deleted = back(workspace.bank), back(workspace.deleted)
        text = without_category(read_text(workspace.culture_file), workspace.culture_file, own.id)
        there = {item.group for item in workspace.groups if item.category == home.id}
        gone = [item for item in workspace.groups if item.category == own.id]
        if not dry_run:
            write_renamed(_renamed_file(workspace), _texts(steps), now())
            files: dict[Path, Callable[[Path], Any]] = {
                workspace.bank_file: lambda path: write_bank(path, bank),
                workspace.culture_file: lambda path: path.write_text(
                    text, encoding="utf-8", newline=""
                ),
            }
            if deleted != workspace.deleted:
                files[workspace.deleted_file] = lambda path: write_bank(path, deleted)
            if gone:
                files[workspace.groups_file] = lambda path: _write_home(
                    workspace, path, own.id, home.id, there
                )
            with ExitStack() as stack:
                beside = {path: stack.enter_context(atomic_path(path)) for path in files}
                for path, write in files.items():
                    write(beside[path])
    return SplitCategory(
        home.id,
        _texts(steps),
        (own.id,),
        tuple((item.category, item.group) for item in gone),
    )


def _renamed_file(workspace: Workspace) -> Path:
    return AnnotationsFolder(workspace.root).renamed


def _texts(steps: Mapping[TemplateId, TemplateId]) -> dict[str, str]:
    return {str(old): str(new) for old, new in steps.items()}


class _Ids:
    """Gives ids in other categories: one that a template had there before is its own.

    No other one gets a former id, or one that a decision names.

    Args:
        workspace: The workspace.
    """

    def __init__(self, workspace: Workspace) -> None:
        rows = (*workspace.bank.variants, *workspace.deleted.variants)
        self._there = {row.template_id for row in rows}
        self._former = {
            TemplateId.parse(old): TemplateId.parse(new)
            for old, new in read_renamed(_renamed_file(workspace)).items()
        }
        decided = decided_templates(workspace.decisions)
        self._taken = {*self._there, *self._former, *decided}

    def give(self, name: TemplateId, category: str) -> TemplateId:
        """The id of a template in another category, as ids write it."""
        own = (
            old
            for old, now_named in self._former.items()
            if now_named == name and old.category == category and old not in self._there
        )
        given = next(own, None) or free_id(category, name, self._taken)
        self._there.add(given)
        self._taken.add(given)
        return given


def _goals(
    workspace: Workspace,
    category: str,
    into: str,
    templates: Iterable[str],
    table: Path | None,
) -> dict[TemplateId, str]:
    """The category that each template goes to.

    Raises:
        CurateError: If one is not of the category, or a name cannot be that of a new one.
    """
    named = dict.fromkeys(templates, into.strip())
    if named and not into.strip():
        raise CurateError("the new category has no name", hint="name it with --into")
    if table is not None:
        named |= _read_goals(table)
    if not named:
        raise CurateError("no template is named", hint="name ids, or a table")
    mine = {
        str(row.template_id): row.template_id
        for row in workspace.bank.variants
        if row.category == workspace.culture.category(category).id
    }
    now_named = {workspace.renamed.get(name, name): goal for name, goal in named.items()}
    strange = [name for name in now_named if name not in mine]
    if strange:
        raise CurateError(
            f"{category} has no {plural('template', len(strange))} {shortened(strange, 10)}",
            workspace.shown(workspace.bank_file),
            "name templates of the category that is split; nothing was written",
        )
    for goal in dict.fromkeys(now_named.values()):
        _refuse_name(workspace, category, goal)
    return {mine[name]: goal for name, goal in now_named.items()}


def _read_goals(path: Path) -> dict[str, str]:
    table = read_table(path, required=TABLE_COLUMNS)
    refuse_problems(table)
    found: dict[str, str] = {}
    for row in table.rows:
        name, goal = row["template_id"].strip(), row["category"].strip()
        for column, text in zip(TABLE_COLUMNS, (name, goal), strict=True):
            if not text:
                raise table.fault(row, column, f"{column} is empty", "fill it in")
        if found.setdefault(name, goal) != goal:
            raise table.fault(
                row, "category", f"{name} goes to {found[name]} in a row above", "decide"
            )
    return found


def _refuse_name(workspace: Workspace, category: str, goal: str) -> None:
    """Refuse a new category that there is already, or whose ids would be those of another."""
    slug = category_slug(goal)
    for item in workspace.culture.categories:
        split_here = item.split_from and category_slug(item.split_from) == category_slug(category)
        if item.id == goal and split_here:
            return
        if slug in map(category_slug, (item.id, *item.sources)):
            raise CurateError(
                f"'{goal}' is a category already, or one that goes into {item.id}",
                workspace.shown(workspace.culture_file),
                "choose another name; to merge categories, write sources there and run "
                "'curate categories apply'",
            )


def _copied(
    workspace: Workspace, before: Category, names: Iterable[str], rows: Sequence[Variant]
) -> list[Group]:
    """The groups that new categories get, in the order of groups.csv."""
    mine = {item.group: item for item in workspace.groups if item.category == before.id}
    there = {(item.category, item.group) for item in workspace.groups}
    found = []
    for name in names:
        members = [row for row in rows if row.category == name]
        used = _used(members, mine)
        if before.question is QuestionKind.SELECT_ALL or any(map(_leaves_open, members)):
            used = set(mine)
        found += [
            replace(item, category=name, row=0)
            for item in mine.values()
            if item.group in used and (name, item.group) not in there
        ]
    return found


def _used(members: Iterable[Variant], known: Mapping[str, Group]) -> set[str]:
    """The groups that variants name, and those that they are parts of."""
    left = {
        group
        for row in members
        for texts in (row.texts, row.source_texts)
        for field in GROUP_FIELDS
        for group in getattr(texts, field)
    }
    used: set[str] = set()
    while left:
        group = left.pop()
        if group in known and group not in used:
            used.add(group)
            left.add(known[group].parent)
    return used


def _leaves_open(row: Variant) -> bool:
    try:
        return any(is_open(texts.names, texts.words) for texts in (row.texts, row.source_texts))
    except CurateError:  # lists that cannot be read are for the check to say
        return True


def _refuse_tied(workspace: Workspace, own: Category) -> None:
    file = workspace.shown(workspace.culture_file)
    if not own.split_from:
        raise CurateError(
            f"{own.id} was not split off another category", file, "it has no split_from"
        )
    later = [item.id for item in workspace.culture.categories if item.split_from == own.id]
    if later:
        raise CurateError(f"{', '.join(later)} was split off {own.id}", file, "undo that one first")
    if own.renamed_groups:
        raise CurateError(
            f"groups of {own.id} were renamed: {', '.join(own.renamed_groups)}",
            file,
            "rename them back first: curate groups rename",
        )


def _without_needless_origins(rows: Sequence[Variant]) -> list[Variant]:
    """Rows that have the id of their source again need no note of it, nor a column for none."""
    found = [
        replace(row, extra=_without_origin(row))
        if dict(row.extra).get(ORIGIN) == str(row.template_id)
        else row
        for row in rows
    ]
    if any(dict(row.extra).get(ORIGIN) for row in found):
        return found
    return [replace(row, extra=_without_origin(row)) for row in found]


def _without_origin(row: Variant) -> tuple[tuple[str, str], ...]:
    return tuple(item for item in row.extra if item[0] != ORIGIN)


def _write_home(
    workspace: Workspace, path: Path, category: str, home: str, there: set[str]
) -> None:
    """Write groups.csv without a category: groups that the other one lacks go there."""
    table = read_table(workspace.groups_file)
    rows = []
    for row in table.rows:
        cells = dict(row.cells)
        if cells["category"].strip() == category:
            if cells["group"].strip() in there:
                continue
            cells["category"] = home
        rows.append([cells[column] for column in table.columns])
    write_csv(path, table.columns, rows)
