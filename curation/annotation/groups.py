"""The demographic groups, edited in a workbook: names, merges, and the categories of templates."""

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import astuple, replace
from pathlib import Path
from typing import Any

from curation.annotation.classify import current_labels
from curation.annotation.labels import proposed_groups
from curation.annotation.sheets import BLANK, columns, hand_out, refuse_wrong
from curation.bank.merge import move_templates
from curation.checks.subject import Subject
from curation.checks.workspace import run
from curation.files.bank import SAME_AS, GroupBook, group_cells, named_parents, write_groups
from curation.files.codec import DECISIONS, now
from curation.files.jsonl import read_entries
from curation.files.lock import writing
from curation.files.tables import read_flag, read_table
from curation.files.workbooks import (
    Book,
    FilledRow,
    FilledSheet,
    OpenBook,
    Sheet,
    SheetRow,
    open_workbook,
    read_sheet,
)
from curation.files.workspace import Workspace
from curation.records.bank import Bank, Group
from curation.records.messages import Severity, finding, has_errors, refusal
from curation.records.survey import Decision, Outcome, Rule, Stage, split_groups, typed_groups

GROUPS = "groups"
"""The kind of the workbook."""
_FAR = 10_000_000
"""Added to rows of the sheet of new groups."""
_ALIKE = (("M", "man", "men", "male", "boy"), ("F", "woman", "women", "female", "girl"))
"""Keys that published sets give to one group, beside those that differ by capitals alone; the first
that a category has is suggested."""


def group_key(group: Group) -> str:
    """Name a group's row."""
    return f"{group.category} / {group.key}"


def groups_id(groups: Sequence[Group]) -> str:
    """Hash the groups, so that a sheet records from which groups it was made."""
    content = repr([astuple(group)[:-1] for group in groups])
    return hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def edited_sheet(groups: Sequence[Group]) -> Sheet:
    """The sheet of the existing groups, merged ones too."""
    names = dict.fromkeys(group.group for group in groups if not group.same_as)
    book = GroupBook(groups)
    rows = []
    for item in groups:
        merged = book.name(item.category, item.same_as) if item.same_as else ""
        cells = group_cells(item) | {SAME_AS: merged, "suggestion": _suggested(item, groups)}
        rows.append(SheetRow(group_key(item), cells))
    return Sheet("groups", columns("groups", parent=names, same_as=names), tuple(rows))


def _suggested(group: Group, groups: Iterable[Group]) -> str:
    """The group that this one may be the same as; a person decides."""
    mine = {item.key: item for item in groups if item.category == group.category}
    known = next((keys for keys in _ALIKE if group.key in keys), ())
    alike = (*known, *(key for key in mine if key.casefold() == group.key.casefold()))
    first = next((mine[key] for key in alike if key in mine and not mine[key].same_as), group)
    return "" if first is group or group.same_as else first.group


def added_sheet(categories: Sequence[str], proposed: Iterable[tuple[str, str]] = ()) -> Sheet:
    """The sheet of new groups: those that annotators propose, and empty rows."""
    rows = (SheetRow("", {"category": category, "group": name}) for category, name in proposed)
    asked = columns("new groups", category=categories)
    return Sheet("new groups", asked, tuple(rows), blank=BLANK)


def moved_sheet(bank: Bank, goal_of: Callable[[str], str]) -> Sheet:
    """The sheet of the categories of templates.

    Args:
        bank: The templates.
        goal_of: The category that the settings say a category goes into; the same for most.
    """
    asked = columns("moved templates")
    rows = []
    for one in bank.templates():
        goal = goal_of(one.category)
        move_to = "" if goal == one.category else goal
        values = (str(one.id), one.category, one.stereotype, move_to)
        cells = {column.name: value for column, value in zip(asked, values, strict=True)}
        rows.append(SheetRow(str(one.id), cells))
    return Sheet("templates", asked, tuple(rows), key="template_id")


def make_groups_sheet(workspace: Workspace, out: Path | None = None) -> dict[str, Any]:
    """Make a workbook of the groups: names, parents, fillers, merges, and categories of templates.

    Args:
        workspace: The workspace.
        out: The file; `annotations/sheets/groups.xlsx` by default.

    Returns:
        The `file`, and how many `groups` it lists.

    Raises:
        CurateError: If the groups cannot be read, or a workbook that somebody edited is in the way.
    """
    path = out or workspace.annotations.sheets / "groups.xlsx"
    with writing(workspace, "curate groups sheet", to=out):
        groups = _rows(workspace)
        added = added_sheet(_categories(workspace), _proposed(workspace, groups))
        sheets = edited_sheet(groups), added, _moved_sheet(workspace)
        book = Book(GROUPS, sheets, about={"groups": groups_id(groups)})
        hand_out(path, book, workspace.language, renews=True)
    return {"file": path, "groups": len(groups)}


def _rows(workspace: Workspace) -> list[Group]:
    """The rows of groups.csv, merged groups too.

    Raises:
        CurateError: If one cannot be read.
    """
    workspace.groups  # noqa: B018  # rows that cannot be read are refused
    return workspace.group_rows[0]


def _categories(workspace: Workspace) -> list[str]:
    return [item.id for item in workspace.culture.categories]


def _proposed(workspace: Workspace, groups: Iterable[Group]) -> Iterable[tuple[str, str]]:
    """Category and name of each group that annotators propose."""
    if not workspace.annotations.classify.exists():
        return ()
    return proposed_groups(current_labels(workspace), workspace.bank.templates(), groups)


def _moved_sheet(workspace: Workspace) -> Sheet:
    own = workspace.bank.variants if workspace.bank_file.exists() else ()
    bank = Bank((*own, *workspace.deleted.variants))
    return moved_sheet(bank, workspace.culture.category_of_source)


def collect_groups(workspace: Workspace, file: Path, *, dry_run: bool = False) -> dict[str, Any]:
    """Check an edited workbook of groups with every rule, and write it to `groups.csv`.

    A group whose row was deleted from the sheet is kept; its column `remove` removes a group.
    Groups that are merged are recorded in the ledger, and templates move to their categories.

    Args:
        workspace: The workspace.
        file: The workbook.
        dry_run: Whether nothing is written.

    Returns:
        What it comes to, by key.

        - `changed`: Groups of which something changes, each named as `category / key`.
        - `added`: New groups.
        - `removed`: Groups that are taken out.
        - `gone`: Groups to be taken out that are not there any more.
        - `merged`: Groups that go into another, or no longer.
        - `moved`: By template id, the one that it gets in another category.
        - `findings`: What the checks say of them.

    Raises:
        Refusal: If a group would break a rule, a template would keep a group that is not listed,
            or groups that a survey asked about apart would be merged: nothing is written but a
            marked copy.
        CurateError: If a file cannot be read or written, a template cannot go where it is moved,
            or `groups.csv` changed since.
    """
    with writing(workspace, "curate collect", dry_run=dry_run):
        book = open_workbook(file, GROUPS)
        templates, found, groups, merges = _read(workspace, book)
        findings = refuse_wrong(workspace, [book], mark=not dry_run)
        goals = {row.key: goal for row in templates.rows if (goal := row.cells["move_to"].strip())}
        moved = move_templates(workspace, goals, dry_run=True)
        if not dry_run and (_is_any(found) or moved):
            workspace.annotations.keep(file.name, book.data)
            DECISIONS.append(workspace.ledger_file, merges)
            if _is_any(found):
                write_groups(workspace.groups_file, groups)
            workspace.refresh()
            moved = move_templates(workspace, goals)
    return found | {"moved": moved, "findings": tuple(findings)}


def _is_any(found: Mapping[str, Any]) -> bool:
    """Whether the groups are others then."""
    return bool(found["changed"] or found["added"] or found["removed"])


def _read(
    workspace: Workspace, book: OpenBook
) -> tuple[FilledSheet, dict[str, Any], Sequence[Group], Sequence[Decision]]:
    """What the sheets make of the groups, parents by key, and of which merges; nothing is written.

    Returns:
        The sheet of templates, what becomes of groups, the groups as they are then, and the merges.
    """
    groups = _rows(workspace)
    edited = read_sheet(book, edited_sheet(groups))
    gone = _take_back(edited, lambda row: row.cells["remove"].strip().casefold() == "yes")
    homes = {group.category for group in groups}
    _take_back(edited, lambda row: row.cells["category"] not in homes)
    added = read_sheet(book, added_sheet(_categories(workspace)))
    templates = read_sheet(book, _moved_sheet(workspace))
    _take_back(templates, lambda row: row.key in workspace.renamed)
    # Only what the sheet says is taken: a group that is new since is not missing from it.
    rows = {row.key: row for row in edited.rows}
    after: list[Group] = []
    changed, removed = [], []
    merges = []
    for group in groups:
        row = rows.get(group_key(group))
        known = replace(group, parent=_key(workspace.book, group.category, group.parent))
        if row is None:
            after.append(replace(known, row=0))
        elif row.cells["remove"].strip() == "yes":
            removed.append(row.key)
        else:
            after.append(_group(row, row.row, workspace.book, known))
            if after[-1] != known:
                changed.append(row.key)
            if after[-1].same_as != group.same_as:
                merges.append(_merge(workspace, edited, row, after[-1]))
    present = {group_key(group): group for group in groups}
    named = {(group.category, group.group) for group in after}
    fresh = [
        _group(row, _FAR + row.row, workspace.book)
        for row in added.rows
        if any(row.cells[name].strip() for name in ("parent", "level", "counts", "fillers"))
        or (row.cells["category"].strip(), row.cells["group"].strip()) not in named
    ]  # a name that annotators proposed may be what a group is called now
    new = [
        item
        for item in fresh
        if (old := present.get(group_key(item))) is None
        or replace(old, parent=_key(workspace.book, old.category, old.parent)) != item
    ]
    found = {
        "changed": tuple(changed),
        "added": tuple(group_key(item) for item in new),
        "removed": tuple(removed),
        "gone": gone,
        "merged": tuple(item.subject for item in merges),
    }
    after += new
    if _is_any(found) and not has_errors(mark.finding for mark in (*edited.marks, *added.marks)):
        # A sheet would take back what was changed after it was made.
        if book.about.get("groups") != groups_id(groups):
            raise refusal(__package__, "groups-changed", book.path)
        _check(workspace, edited, added, after)
    return templates, found, after, merges


def _take_back(filled: FilledSheet, known: Callable[[FilledRow], bool]) -> tuple[str, ...]:
    """Take back what was marked of rows that are no more because of this very workbook.

    So a workbook that was collected before can be collected again.
    """
    gone = {row.row: row.key for row in filled.strange if row.key and known(row)}
    filled.unmark(lambda said: said.rule == "workbook-row-unknown" and said.row in gone)
    return tuple(gone.values())


def _key(book: GroupBook, category: str, label: str) -> str:
    """The key of a group that a cell names; a label that is not known stays as it is."""
    return book.keys(category, [label])[0] if label else ""


def _fillers(cell: str) -> str:
    """A list as the bank has it; people write names with commas, semicolons or a line each."""
    return cell if not cell or cell.startswith("[") else f"[{', '.join(typed_groups(cell))}]"


def _group(row: FilledRow, number: int, book: GroupBook, before: Group | None = None) -> Group:
    cells = {name: text.strip() for name, text in row.cells.items()}
    category = before.category if before else cells["category"]
    flag = cells["counts"].casefold()
    return Group(
        category=category,
        group=cells["group"],
        parent=_key(book, category, cells["parent"]),
        level=cells["level"],
        counts=read_flag(flag, default=True) if flag in ("true", "false") else True,
        fillers=_fillers(cells["fillers"]),
        key=before.key if before else "",
        same_as=_key(book, category, cells.get(SAME_AS, "")),
        row=number,
    )


def _merge(workspace: Workspace, sheet: FilledSheet, row: FilledRow, group: Group) -> Decision:
    """The decision that a group is the same as another, or is no longer; refused by a mark."""
    into, reason, who = (row.cells[name].strip() for name in (SAME_AS, "reason", "who"))

    def refuse(column: str, way: str, **words: str) -> None:
        sheet.mark(row, column, finding(__package__, f"group-merged-{way}", "", **words))

    for column, text in (("reason", reason), ("who", who)):
        if not text:
            refuse(column, "empty", name=column)
    known = workspace.book.group(group.category, group.same_as)
    if group.same_as and (known is None or known.key == group.key):
        refuse(SAME_AS, "other", name=into, category=group.category)
    asked = _asked(workspace, group.category)
    mine, theirs = asked & {group.key, group.group}, set(asked)
    theirs &= {known.key, known.group} if known and group.same_as else set()
    if mine and theirs:
        refuse(SAME_AS, "asked", name=mine.pop(), other=theirs.pop())
    said = f"same as {group.same_as}" if group.same_as else "a group of its own"
    outcome = Outcome.MODIFY if group.same_as else Outcome.KEEP
    return Decision(
        f"{group.category} / {group.key}",
        Stage.MANUAL,
        Rule.SAME_GROUP,
        outcome,
        f"{said}: {reason}",
        by=who,
        at=now(),
    )


def _asked(workspace: Workspace, category: str) -> set[str]:
    """The keys and names with which surveys asked about groups of a category."""
    culture = workspace.culture
    homes = {category, *culture.split_from(category)}
    asked: list[tuple[str, str]] = []
    for path in (workspace.questionnaire_file, workspace.tallies_file):
        if path.exists():
            asked += [(row["category"], row.get("group")) for row in read_table(path).rows]
    if workspace.published_counts_file.exists():
        for entry in read_entries(workspace.published_counts_file):
            votes = entry.get("survey_stats") if isinstance(entry, dict) else None
            asked += [(str(entry.get("category")), str(name)) for name in votes or ()]
    found: set[str] = set()
    for home, label in asked:
        if {home, culture.category_of_source(home)} & homes:
            found |= {label, *split_groups(label)}
    return found


def _check(
    workspace: Workspace, edited: FilledSheet, added: FilledSheet, after: Sequence[Group]
) -> None:
    """Apply every rule to the groups as they would be, and mark what is new."""
    before = {(item.rule, item.message) for item in run(Subject.of(workspace))}
    rows = {row.row: row for row in edited.rows}
    rows |= {_FAR + row.row: row for row in added.rows}
    file = workspace.shown(workspace.groups_file)
    groups = named_parents(after)
    bank = workspace.bank if workspace.bank_file.exists() else Bank()
    bank = GroupBook(groups, workspace.culture).named(workspace.book.keyed(bank))
    own = [group for group in groups if not group.same_as]
    for said in run(Subject.of(workspace, bank, own)):
        ours = said.file == file
        is_old = (said.rule, said.message) in before or said.severity is not Severity.ERROR
        if not ours and is_old:
            continue
        number = said.row or 0
        sheet = added if ours and number > _FAR else edited
        row = rows.get(number) if ours else None
        message = said.message if ours else f"{said.where}: {said.message}"
        sheet.mark(row, said.column if row is not None else "", replace(said, message=message))
