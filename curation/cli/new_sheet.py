"""`curate new sheet`: a workbook to write new templates in."""

from pathlib import Path

import click

from curation.cli.common import json_option, plural, print_json, workspace_option
from curation.cli.sheets import hand_out
from curation.io.annotations import AnnotationsFolder
from curation.io.workspace import Workspace
from curation.model.errors import CurateError
from curation.stages.newtemplates import new_book


@click.command("sheet")
@workspace_option
@click.option(
    "--rows", type=click.IntRange(1, 2000), default=30, show_default=True, help="Empty rows."
)
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Where to write it [default: annotations/sheets/new-templates.xlsx].",
)
@json_option
def command(workspace: Workspace, rows: int, out: Path | None, as_json: bool) -> None:
    """Make a workbook to write new templates in: a row a template.

    Categories come from culture.yaml; the groups are listed to be looked up.

    \b
    Example: curate new sheet --rows 20
    """  # noqa: D301  # \b keeps click from wrapping the example
    categories = [item.id for item in workspace.culture.categories]
    if not categories:
        raise CurateError(
            "the culture has no category yet",
            workspace.shown(workspace.culture_file),
            "list its categories under 'categories'",
        )
    path = out or AnnotationsFolder(workspace.root).sheets / "new-templates.xlsx"
    hand_out(path, new_book(categories, workspace.groups, rows))
    if as_json:
        print_json({"file": str(path), "rows": rows})
        return
    click.echo(f"{path}: {rows} empty {plural('row', rows)}.")
    click.echo("When it is filled in: curate new collect FILE")
