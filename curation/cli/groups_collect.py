"""`curate groups collect`: an edited workbook of groups is checked and taken over."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import click

from curation.checks.base import Subject
from curation.checks.catalogue import run
from curation.cli.common import (
    finding_dict,
    json_option,
    print_findings,
    print_json,
    workspace_option,
)
from curation.cli.sheets import findings_of, mark_copies, say_refused
from curation.io.annotations import AnnotationsFolder, keep_raw
from curation.io.bank import GROUP_COLUMNS
from curation.io.tables import read_flag, read_table, write_csv
from curation.io.workbooks import FilledRow, FilledSheet, OpenBook, open_workbook, read_sheet
from curation.io.workspace import Workspace
from curation.model.bank import Group
from curation.model.errors import CurateError
from curation.model.findings import Finding, Severity, has_errors
from curation.stages.group_sheets import GROUPS, added_sheet, edited_sheet, group_key, groups_id

_FAR = 10_000_000
"""Added to rows of the sheet of new groups."""


@dataclass(frozen=True, slots=True)
class _Edit:
    """What the workbook makes of the groups; nothing is written yet."""

    book: OpenBook
    edited: FilledSheet
    added: FilledSheet
    groups: tuple[Group, ...]
    changed: tuple[str, ...]
    new: tuple[str, ...]
    removed: tuple[str, ...]
    gone: tuple[str, ...]

    @property
    def findings(self) -> list[Finding]:
        """All that is wrong, of both sheets."""
        return findings_of([*self.edited.marks, *self.added.marks])


@click.command("collect")
@workspace_option
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--dry-run", is_flag=True, help="Check, and write nothing.")
@json_option
@click.pass_context
def command(
    ctx: click.Context, /, workspace: Workspace, file: Path, dry_run: bool, as_json: bool
) -> None:
    """Check an edited workbook of groups with every rule, and take it over into groups.csv.

    Nothing is written when a group would break a rule, or a template would be left with a
    group that is not listed: a marked copy comes back. Rows that were deleted from the sheet
    stay; 'remove' takes a group out. Collecting the same workbook again changes nothing.

    \b
    Example: curate groups collect annotations/sheets/groups.xlsx
    """  # noqa: D301  # \b keeps click from wrapping the example
    edit = _read(workspace, file)
    if has_errors(edit.findings):
        _refuse(ctx, workspace, edit, dry_run=dry_run, as_json=as_json)
    if not dry_run and (edit.changed or edit.new or edit.removed):
        book = edit.book
        keep_raw(AnnotationsFolder(workspace.root).raw(book.path.name, book.data), book.data)
        _write(workspace, edit)
    if as_json:
        print_json(
            {
                "changed": list(edit.changed),
                "added": list(edit.new),
                "removed": list(edit.removed),
                "gone": list(edit.gone),
                "findings": [finding_dict(item) for item in edit.findings],
            }
        )
    else:
        _show(edit, dry_run=dry_run)


def _show(edit: _Edit, *, dry_run: bool) -> None:
    for word, keys in (
        *(("changed", edit.changed), ("new", edit.new), ("removed", edit.removed)),
        ("gone", [f"{key}: it was removed already" for key in edit.gone]),
    ):
        for key in keys:
            click.echo(f"{word:10} {key}")
    if edit.findings:
        print_findings(edit.findings)
    click.echo(
        f"{len(edit.changed)} changed, {len(edit.new)} new, {len(edit.removed)} removed"
        + (" (nothing written)." if dry_run else ".")
    )


def _refuse(
    ctx: click.Context, workspace: Workspace, edit: _Edit, *, dry_run: bool, as_json: bool
) -> None:
    both = _with_all_marks(edit)
    copies = [] if dry_run else mark_copies(workspace, [(edit.book, both)])
    if as_json:
        shown = [finding_dict(item) for item in edit.findings]
        print_json({"findings": shown, "marked": [str(path) for path in copies]})
    else:
        print_findings(edit.findings)
        say_refused(edit.findings, copies)
    ctx.exit(1)


def _with_all_marks(edit: _Edit) -> FilledSheet:
    """Give the first sheet with the marks of both, for one marked copy."""
    return replace(edit.edited, marks=[*edit.edited.marks, *edit.added.marks])


def _read(workspace: Workspace, file: Path) -> _Edit:
    book = open_workbook(file, GROUPS)
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
        *(book, edited, added, (*after, *new), tuple(changed)),
        tuple(group_key(item) for item in new),
        *(tuple(removed), gone),
    )
    if not has_errors(edit.findings) and (changed or new or removed):
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
            "make a fresh sheet and carry the edits over: curate groups sheet",
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
    before = {(item.rule, item.message) for item in run(_subject(workspace, workspace.groups))}
    rows = {row.row: row for row in edit.edited.rows}
    added = {row.row: row for row in edit.added.rows}
    file = workspace.shown(workspace.groups_file)
    for finding in run(_subject(workspace, edit.groups)):
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


def _subject(workspace: Workspace, groups: Sequence[Group]) -> Subject:
    return Subject(
        culture=workspace.culture,
        bank=workspace.bank_and_findings[0],
        groups=tuple(groups),
        bank_file=workspace.shown(workspace.bank_file),
        groups_file=workspace.shown(workspace.groups_file),
    )


def _write(workspace: Workspace, edit: _Edit) -> None:
    """Write the groups; columns of people's own are kept."""
    path = workspace.groups_file
    own: dict[str, dict[str, str]] = {}
    columns: tuple[str, ...] = GROUP_COLUMNS
    if path.exists():
        table = read_table(path)
        columns = tuple(dict.fromkeys((*table.columns, *GROUP_COLUMNS)))
        own = {
            f"{row['category'].strip()} / {row['group'].strip()}": dict(row.cells)
            for row in table.rows
        }
    rows = []
    for group in edit.groups:
        cells = own.get(group_key(group), {})
        for name in GROUP_COLUMNS:
            value = getattr(group, name)
            cells[name] = value if isinstance(value, str) else str(value).lower()
        rows.append([cells.get(name, "") for name in columns])
    write_csv(path, columns, rows)
