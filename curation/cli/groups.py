"""`curate groups`: the demographic groups, edited in a workbook, and renamed."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from curation.annotation.groups import collect_groups, make_groups_sheet
from curation.cli.collect import Taken
from curation.cli.group import LazyGroup
from curation.cli.options import file_option, json_option, note_language, workspace_option
from curation.cli.terminal import echo_fitting, echo_list, fields_of, print_findings, print_json
from curation.files.workspace import Workspace
from curation.records.wording import plural, shortened
from survey.group_renaming import RenamedGroup, RenamedGroups, rename_group, rename_groups

_COMMANDS = {
    "sheet": (f"{__name__}:sheet", "Make a workbook of the groups."),
    "rename": (f"{__name__}:rename", "Rename a group everywhere."),
}


@click.group("groups", cls=LazyGroup, lazy=_COMMANDS)
def command() -> None:
    """Edit groups.csv in a workbook, and rename groups."""


@click.command("sheet")
@workspace_option
@click.option(
    "--rows",
    type=click.IntRange(1, 2000),
    default=30,
    show_default=True,
    help="Empty rows for new groups.",
)
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Where to write it [default: annotations/sheets/groups.xlsx].",
)
@json_option
def sheet(workspace: Workspace, rows: int, out: Path | None, as_json: bool) -> None:
    """Make a workbook to edit the groups, and to add new ones.

    It has the parent of each group, whether it counts, and its fillers. To remove a group, write
    yes in its column 'remove': a group whose row is deleted from the sheet is kept.

    \b
    Example: curate groups sheet
    """  # noqa: D301  # \b keeps click from wrapping the example
    made = make_groups_sheet(workspace, rows, out)
    note_language(workspace)
    if as_json:
        print_json(made)
        return
    click.echo(f"{made.file}: {made.groups} {plural('group', made.groups)}.")
    click.echo("When you have edited it: curate collect FILE")


def collected(workspace: Workspace, files: Sequence[Path], *, dry_run: bool) -> Taken:
    """Check an edited workbook of groups, and write its groups to groups.csv."""
    found = collect_groups(workspace, files[0], dry_run=dry_run)

    def show() -> None:
        for word, keys in (
            *(("changed", found.changed), ("new", found.added), ("removed", found.removed)),
            ("gone", [f"{key}: it was removed already" for key in found.gone]),
        ):
            for key in keys:
                click.echo(f"{word:10} {key}")
        print_findings(found.findings)
        click.echo(
            f"{len(found.changed)} changed, {len(found.added)} new, {len(found.removed)} removed"
            + (" (nothing written)." if dry_run else ".")
        )

    return fields_of(found), found.findings, show


@click.command("rename")
@workspace_option
@click.argument("category", required=False)
@click.argument("old", required=False)
@click.argument("new", required=False)
@file_option(
    "--table",
    help="A CSV with the columns category, group and new_name, to rename many groups at once.",
)
@click.option(
    "--from-source",
    is_flag=True,
    help="Also fill empty cells of templates whose groups are named only in the columns of the "
    "source.",
)
@click.option(
    "--undo", is_flag=True, help="With --table: change back to the names in its column group."
)
@click.option("--dry-run", is_flag=True, help="Show what would change and write nothing.")
@json_option
def rename(
    workspace: Workspace,
    category: str | None,
    old: str | None,
    new: str | None,
    table: Path | None,
    from_source: bool,
    undo: bool,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Rename a group of a category from OLD to NEW, or many groups by a table.

    The name is changed in groups.csv (its own row, and as a parent), and in the columns
    target_groups, n1_groups and n2_groups of bank.csv and deleted.csv. Only whole names are
    changed. The columns of the source, texts, fillers, decisions and proposals do not change. If
    the survey asked about OLD, culture.yaml records it as a former name of NEW, so the answers stay
    valid.

    With --from-source, empty cells are filled with the groups of the source where these name OLD,
    with NEW in its place. This applies to templates that have texts, are not labelled SR, and do
    not leave their groups to the survey.

    Either all files are written, or none. A rename that was interrupted, or partly done by hand, is
    completed by the same command.

    For --table, use a copy of groups.csv with one more column, new_name. Groups with an empty
    new_name keep their name. All rows are checked before anything is written.

    To undo a rename, rename NEW to OLD. To undo a table, give the same table with --undo. Cells
    that --from-source filled keep the names of the source.

    \b
    Example: curate groups rename Age young youth --from-source
             curate groups rename Age old elderly --dry-run
             curate groups rename --table names.csv --from-source
    """  # noqa: D301  # \b keeps click from wrapping the example
    if table is not None:
        if category is not None:
            raise click.UsageError("say either CATEGORY OLD NEW or --table FILE")
        many = rename_groups(workspace, table, from_source=from_source, undo=undo, dry_run=dry_run)
        _show_all(many, dry_run=dry_run, as_json=as_json)
        return
    if undo:
        raise click.UsageError("--undo goes with --table FILE; one rename is undone by NEW OLD")
    if category is None or old is None or new is None:
        raise click.UsageError("say CATEGORY OLD NEW, or --table FILE")
    found = rename_group(workspace, category, old, new, from_source=from_source, dry_run=dry_run)
    if as_json:
        print_json(found)
    else:
        for line in _renamed(found, dry_run=dry_run):
            echo_fitting(line)


def _show_all(found: RenamedGroups, *, dry_run: bool, as_json: bool) -> None:
    if as_json:
        print_json(found)
        return
    lines = [line for item in found.renamed for line in _renamed(item, dry_run=dry_run)]
    lines += [
        f"{category}: the group is already named {name}; nothing to change."
        for category, name in found.unchanged
    ]
    echo_list(lines, "line")
    done = f"{len(found.renamed)} {plural('group', len(found.renamed))} "
    done += "would be renamed" if dry_run else "renamed"
    left = f", {found.without_name} without a new name" if found.without_name else ""
    click.echo(f"{done}, {len(found.unchanged)} already had the new name{left}.")


def _renamed(found: RenamedGroup, *, dry_run: bool) -> Iterator[str]:
    if not found.files:
        yield f"{found.category}: {found.old} is already named {found.new}; nothing to change."
    else:
        verb = "would be" if dry_run else "is now"
        yield f"{found.category}: {found.old} {verb} {found.new}."
    if found.groups or found.parents:
        parents = f", and the parent of {found.parents} others" if found.parents else ""
        yield f"  groups.csv    {found.groups} {plural('row', found.groups)}{parents}"
    if found.cells or found.filled:
        filled = f"{found.filled} empty {plural('cell', found.filled)} filled from the source"
        parts = [f"{found.cells} {plural('cell', found.cells)}"] if found.cells else []
        parts += [filled] if found.filled else []
        yield f"  bank.csv      {', '.join(parts)}, in {_templates(found.templates)}"
    if found.deleted:
        yield f"  deleted.csv   {_templates(found.deleted)}"
    if "culture.yaml" in found.files:
        former = ", ".join(found.former_names) or "none"
        yield f"  culture.yaml  former names, used in the survey: {former}"
    if found.foreign:
        names = ", ".join(found.foreign)
        yield f"Filled in from the source, but not groups of {found.category} yet: {names}"
    if found.source_only:
        yield (
            f"{_templates(found.source_only)} with an empty cell, where the source names "
            f"{found.old}: fill them with --from-source."
        )
    if found.unwritten:
        yield (
            f"{_templates(found.unwritten)} without texts, where the source names {found.old}: "
            "when they are translated, run the same command again with --from-source."
        )


def _templates(ids: Sequence[str]) -> str:
    return f"{len(ids)} {plural('template', len(ids))} ({shortened(ids, 6)})"
