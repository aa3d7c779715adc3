"""The demographic groups, edited in a workbook and checked before they are taken over."""

import hashlib
from collections.abc import Sequence
from dataclasses import astuple, dataclass, replace
from pathlib import Path

from curation.annotation.sheets import columns, findings_of, hand_out, refuse_marked
from curation.checks.catalogue import run
from curation.checks.subject import Subject
from curation.files.annotations import AnnotationsFolder, keep_raw
from curation.files.bank import GROUP_COLUMNS, group_cells
from curation.files.lock import writing
from curation.files.tables import read_flag, read_table, write_csv
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
from curation.records.bank import Group
from curation.records.errors import CurateError
from curation.records.findings import Finding, Severity

GROUPS = "groups"
"""The kind of the workbook."""
_FAR = 10_000_000
"""Added to rows of the sheet of new groups."""


def group_key(group: Group) -> str:
    """Name a group's row."""
    return f"{group.category} / {group.group}"


def groups_id(groups: Sequence[Group]) -> str:
    """Hash the groups, so that a sheet records from which groups it was made."""
    content = repr([astuple(group)[:-1] for group in groups])
    return hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def edited_sheet(groups: Sequence[Group]) -> Sheet:
    """The sheet of the existing groups."""
    names = dict.fromkeys(group.group for group in groups)
    rows = tuple(SheetRow(group_key(item), group_cells(item)) for item in groups)
    return Sheet("groups", columns("groups", parent=names), rows)


def added_sheet(categories: Sequence[str], rows: int) -> Sheet:
    """The sheet of new groups, empty."""
    return Sheet("new groups", columns("new groups", category=categories), blank=rows)


def groups_book(groups: Sequence[Group], categories: Sequence[str], rows: int) -> Book:
    """The workbook."""
    sheets = (edited_sheet(groups), added_sheet(categories, rows))
    return Book(GROUPS, sheets, about={"groups": groups_id(groups)})


@dataclass(frozen=True, slots=True)
class GroupsSheet:
    """A workbook of the groups, and how many it lists."""

    file: Path
    groups: int


def make_groups_sheet(workspace: Workspace, rows: int = 30, out: Path | None = None) -> GroupsSheet:
    """Make a workbook of the groups: parents, what counts, fillers, and new groups.

    Args:
        workspace: The workspace.
        rows: Empty rows for new groups.
        out: The file; `annotations/sheets/groups.xlsx` by default.

    Raises:
        CurateError: If the groups cannot be read, or a workbook is in the way.
    """
    path = out or AnnotationsFolder(workspace.root).sheets / "groups.xlsx"
    with writing(workspace, "curate groups sheet", to=out):
        categories = [item.id for item in workspace.culture.categories]
        book = groups_book(workspace.groups, categories, rows)
        hand_out(path, book, workspace.language)
    return GroupsSheet(path, len(workspace.groups))


@dataclass(frozen=True, slots=True)
class CollectedGroups:
    """What a workbook makes of the groups, each named as `category / group`.

    Attributes:
        changed: Groups of which something changes.
        added: New groups.
        removed: Groups that are taken out.
        gone: Groups to be taken out that are not there any more.
        findings: What the checks say of them.
    """

    changed: tuple[str, ...]
    added: tuple[str, ...]
    removed: tuple[str, ...]
    gone: tuple[str, ...]
    findings: tuple[Finding, ...]


def collect_groups(workspace: Workspace, file: Path, *, dry_run: bool = False) -> CollectedGroups:
    """Check an edited workbook of groups with every rule, and write it to `groups.csv`.

    A group whose row was deleted from the sheet is kept; its column `remove` removes a group.

    Args:
        workspace: The workspace.
        file: The workbook.
        dry_run: Whether nothing is written.

    Raises:
        Refusal: If a group would break a rule, or a template would keep a group that is not
            listed: nothing is written but a marked copy.
        CurateError: If a file cannot be read or written, or `groups.csv` changed since.
    """
    with writing(workspace, "curate collect", dry_run=dry_run):
        book = open_workbook(file, GROUPS)
        edit = _read(workspace, book)
        # The first sheet with the marks of both, for one marked copy.
        marked = replace(edit.edited, marks=[*edit.edited.marks, *edit.added.marks])
        findings = findings_of(marked.marks)
        refuse_marked(workspace, [(book, marked)], findings, mark=not dry_run)
        if not dry_run and (edit.changed or edit.new or edit.removed):
            keep_raw(AnnotationsFolder(workspace.root).raw(file.name, book.data), book.data)
            _write(workspace, edit.groups)
    return CollectedGroups(edit.changed, edit.new, edit.removed, edit.gone, tuple(findings))


@dataclass(frozen=True, slots=True)
class _Edit:
    """What the two sheets make of the groups; nothing is written yet."""

    edited: FilledSheet
    added: FilledSheet
    groups: tuple[Group, ...]
    changed: tuple[str, ...]
    new: tuple[str, ...]
    removed: tuple[str, ...]
    gone: tuple[str, ...]


def _read(workspace: Workspace, book: OpenBook) -> _Edit:
    groups = workspace.groups
    edited = read_sheet(book, edited_sheet(groups))
    gone = _already_removed(edited)
    added = read_sheet(book, added_sheet([c.id for c in workspace.culture.categories], rows=1))
    # Only what the sheet says is taken: a group that is new since is not missing from it.
    rows = {row.key: row for row in edited.rows}
    after: list[Group] = []
    changed, removed = [], []
    for group in groups:
        row = rows.get(group_key(group))
        if row is None:
            after.append(replace(group, row=0))
        elif row.cells["remove"].strip() == "yes":
            removed.append(row.key)
        else:
            after.append(_group(row, row.row))
            if after[-1] != group:
                changed.append(row.key)
    present = {group_key(group): group for group in groups}
    fresh = [_group(row, _FAR + row.row) for row in added.rows]
    new = [item for item in fresh if present.get(group_key(item)) != item]
    edit = _Edit(
        edited,
        added,
        (*after, *new),
        tuple(changed),
        tuple(group_key(item) for item in new),
        tuple(removed),
        gone,
    )
    if not (edited.has_errors or added.has_errors) and (changed or new or removed):
        _refuse_old(workspace, book)
        _check(workspace, edit)
    return edit


def _already_removed(edited: FilledSheet) -> tuple[str, ...]:
    """Take back what was marked because a group that is to be removed is not there any more.

    So a workbook that was collected before can be collected again.
    """
    gone = {
        row.row: row.key
        for row in edited.strange
        if row.key and row.cells["remove"].strip().casefold() == "yes"
    }
    edited.marks[:] = [
        mark
        for mark in edited.marks
        if mark.finding.rule != "workbook-row-unknown" or mark.finding.row not in gone
    ]
    return tuple(gone.values())


def _refuse_old(workspace: Workspace, book: OpenBook) -> None:
    """Refuse a sheet that would take back what was changed after it was made."""
    if book.about.get("groups") != groups_id(workspace.groups):
        raise CurateError(
            "groups.csv was changed after this sheet was made",
            str(book.path),
            "make a fresh sheet and copy the edits into it: curate groups sheet",
        )


def _group(row: FilledRow, number: int) -> Group:
    cells = {name: text.strip() for name, text in row.cells.items()}
    flag = cells["counts"].casefold()
    return Group(
        category=cells["category"],
        group=cells["group"],
        parent=cells["parent"],
        level=cells["level"],
        counts=read_flag(flag, default=True) if flag in ("true", "false") else True,
        fillers=cells["fillers"],
        row=number,
    )


def _check(workspace: Workspace, edit: _Edit) -> None:
    """Apply every rule to the groups as they would be, and mark what is new."""
    before = {
        (item.rule, item.message) for item in run(Subject.of(workspace, groups=workspace.groups))
    }
    rows = {row.row: row for row in edit.edited.rows}
    added = {row.row: row for row in edit.added.rows}
    file = workspace.shown(workspace.groups_file)
    for finding in run(Subject.of(workspace, groups=edit.groups)):
        ours = finding.file == file
        if not ours and (
            (finding.rule, finding.message) in before or finding.severity is not Severity.ERROR
        ):
            continue
        number = finding.row or 0
        sheet = edit.added if ours and number > _FAR else edit.edited
        row = (added.get(number - _FAR) if number > _FAR else rows.get(number)) if ours else None
        message = finding.message if ours else f"{finding.where}: {finding.message}"
        column = finding.column if row is not None else ""
        sheet.mark(row, column, finding.rule, message, finding.hint, finding.severity)


def _write(workspace: Workspace, groups: Sequence[Group]) -> None:
    """Write the groups; columns of people's own are kept."""
    path = workspace.groups_file
    own: dict[str, dict[str, str]] = {}
    header: tuple[str, ...] = GROUP_COLUMNS
    if path.exists():
        table = read_table(path)
        header = tuple(dict.fromkeys((*table.columns, *GROUP_COLUMNS)))
        own = {
            f"{row['category'].strip()} / {row['group'].strip()}": dict(row.cells)
            for row in table.rows
        }
    rows = []
    for group in groups:
        cells = own.get(group_key(group), {}) | group_cells(group)
        rows.append([cells.get(name, "") for name in header])
    write_csv(path, header, rows)
