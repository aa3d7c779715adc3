"""`curate evaluate stories sheet`: a workbook for each editor of the stories."""

from pathlib import Path

import click

from curation.cli.common import json_option, plural, print_json, workspace_option
from curation.cli.evaluate_stories_make import make_stories
from curation.cli.people import names_of, sheet_paths
from curation.cli.sheets import hand_out
from curation.io.annotations import AnnotationsFolder
from curation.io.workspace import Workspace
from evaluation.stories.overrides import edit_book


@click.command("sheet")
@workspace_option
@click.option(
    "--editor",
    "editors",
    multiple=True,
    required=True,
    metavar="NAME",
    help="Who edits; may be given several times.",
)
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    help="Where to write the workbooks [default: annotations/sheets].",
)
@json_option
def command(
    workspace: Workspace, editors: tuple[str, ...], out: Path | None, as_json: bool
) -> None:
    """Make a workbook for each editor: a row a version of each story, to be mended.

    It shows the story as the toolkit makes it and what may still tell who is who; an editor
    writes the whole text anew where it is to be changed. A workbook that may have been filled
    in is never written over.

    \b
    Example: curate evaluate stories sheet --editor Mina --editor Jun
    """  # noqa: D301  # \b keeps click from wrapping the example
    names = names_of(editors, "--editor")
    made = make_stories(workspace, edited=False)
    folder = out or AnnotationsFolder(workspace.root).sheets
    paths = dict(zip(names, sheet_paths(folder, "stories", names), strict=True))
    for name, path in paths.items():
        hand_out(path, edit_book(made.pairs, made.findings, name))
    rows = sum(len(pair.versions) for pair in made.pairs)
    if as_json:
        sheets = [{"editor": name, "file": str(path)} for name, path in paths.items()]
        print_json({"stories": len(made.pairs), "rows": rows, "sheets": sheets})
        return
    for name, path in paths.items():
        click.echo(f"{name}: {path}")
    count = f"{len(made.pairs)} {'story' if len(made.pairs) == 1 else 'stories'}"
    click.echo(
        f"{count} in {rows} {plural('row', rows)} each. When they come back: "
        "curate evaluate stories collect FILE..."
    )
