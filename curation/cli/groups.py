"""`curate groups` and `curate new`: workbooks of groups, and of templates for the culture."""

from collections.abc import Sequence
from pathlib import Path

import click

from curation.annotation.groups import collect_groups, make_groups_sheet
from curation.annotation.newtemplates import collect_new_templates, make_new_sheet
from curation.cli.group import LazyGroup
from curation.cli.options import json_option, note_language, workspace_option
from curation.cli.terminal import Taken, fields_of, print_findings, print_json
from curation.files.workspace import Workspace
from curation.records.messages import counted, plural

_COMMANDS = {"sheet": (f"{__name__}:sheet", "Make a workbook of the groups.")}
_NEW = {"sheet": (f"{__name__}:new_sheet", "Make a workbook for new templates.")}


@click.group("groups", cls=LazyGroup, lazy=_COMMANDS)
def command() -> None:
    """Edit groups.csv in a workbook, and move templates to other categories."""


@click.command("sheet")
@workspace_option
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Where to write it [default: annotations/sheets/groups.xlsx].",
)
@json_option
def sheet(workspace: Workspace, out: Path | None, as_json: bool) -> None:
    """Make a workbook to edit the groups, to add new ones, and to move templates.

    It has the name of each group, its parent, whether it counts, and its fillers. To remove a
    group, write yes in its column 'remove': a group whose row is deleted from the sheet is kept.

    A group gets another name in its column 'group'. Nothing else is rewritten: files hold its key,
    which does not change. Templates whose groups are named only in the columns of the source get
    the new name too. To merge a group into another, name that one in 'same_as', with a reason and
    your name: the ledger records them. Groups that a survey asked about apart are not merged.

    In the sheet 'templates', 'move_to' moves a template to the category that culture.yaml merges
    its own into (these are filled in), to a new category, or back to where it came from. A template
    keeps its number, or gets the next free number. Its former id is recorded in
    annotations/renamed.csv, and a new category in templates_src/categories.csv, so decisions,
    survey questions and later imports still find it.

    \b
    Example: curate groups sheet
    """  # noqa: D301  # \b keeps click from wrapping the example
    made = make_groups_sheet(workspace, out=out)
    note_language(workspace)
    if as_json:
        print_json(made)
        return
    click.echo(f"{made['file']}: {counted(made['groups'], 'group')}.")
    click.echo("When you have edited it: curate collect FILE")


def collected(workspace: Workspace, files: Sequence[Path], *, dry_run: bool) -> Taken:
    """Check an edited workbook of groups, and write its groups to groups.csv."""
    found = collect_groups(workspace, files[0], dry_run=dry_run)
    moved = [f"{old} > {new}" for old, new in found.moved.items()]

    def show() -> None:
        for word, keys in (
            *(("changed", found.changed), ("new", found.added), ("removed", found.removed)),
            ("gone", [f"{key}: it was removed already" for key in found.gone]),
            *(("merged", found.merged), ("moved", moved)),
        ):
            for key in keys:
                click.echo(f"{word:10} {key}")
        print_findings(found.findings)
        count = f", {len(moved)} {plural('template', len(moved))} moved" if moved else ""
        click.echo(
            f"{len(found.changed)} changed, {len(found.added)} new, {len(found.removed)} removed"
            + count
            + (" (nothing written)." if dry_run else ".")
        )

    return fields_of(found), found.findings, show


@click.group("new", cls=LazyGroup, lazy=_NEW)
def new() -> None:
    """Write new templates (NC) about stereotypes that the source does not have."""


@click.command("sheet")
@workspace_option
@json_option
def new_sheet(workspace: Workspace, as_json: bool) -> None:
    """Make a workbook for new templates, one template in each row.

    It is annotations/sheets/new-templates.xlsx. It offers the categories of culture.yaml, and lists
    the groups. A row is variant a: 'curate collect' makes variant b by exchanging the two people,
    and gives new templates the label NC.

    \b
    Example: curate new sheet
    """  # noqa: D301  # \b keeps click from wrapping the example
    made = make_new_sheet(workspace)
    note_language(workspace)
    if as_json:
        print_json({"file": made})
        return
    click.echo(f"Made {made}.")
    click.echo("When you have filled it in: curate collect FILE")


def collected_new(workspace: Workspace, files: Sequence[Path], *, dry_run: bool) -> Taken:
    """Check the new templates of a workbook, and add them to the bank as pairs of variants."""
    found = collect_new_templates(workspace, files[0], dry_run=dry_run)

    def show() -> None:
        for item in found.added:
            click.echo(f"new        {item['template_id']}  {item['stereotype']}")
        for item in found.known:
            click.echo(f"known      {item['template_id']}  {item['stereotype']}")
        print_findings(found.findings)
        count = len({item["template_id"] for item in found.added})
        verb = "would be added" if dry_run else "added"
        click.echo(
            f"{count} {plural('template', count)} {verb} to the bank, each as variants a and b."
        )

    return fields_of(found), found.findings, show
