"""`curate groups sheet`: a workbook of the groups."""

from pathlib import Path

import click

from curation.cli.common import json_option, plural, print_json, workspace_option
from curation.cli.sheets import hand_out
from curation.io.annotations import AnnotationsFolder
from curation.io.workspace import Workspace
from curation.stages.group_sheets import groups_book


@click.command("sheet")
@workspace_option
@click.option(
    "--rows", type=click.IntRange(1, 2000), default=30, show_default=True, help="For new groups."
)
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Where to write it [default: annotations/sheets/groups.xlsx].",
)
@json_option
def command(workspace: Workspace, rows: int, out: Path | None, as_json: bool) -> None:
    """Make a workbook of the groups: parents, what counts, fillers, and new groups.

    \b
    Example: curate groups sheet
    """  # noqa: D301  # \b keeps click from wrapping the example
    categories = [item.id for item in workspace.culture.categories]
    path = out or AnnotationsFolder(workspace.root).sheets / "groups.xlsx"
    hand_out(path, groups_book(workspace.groups, categories, rows))
    count = len(workspace.groups)
    if as_json:
        print_json({"file": str(path), "groups": count})
        return
    click.echo(f"{path}: {count} {plural('group', count)}.")
    click.echo("When it is edited: curate groups collect FILE")
