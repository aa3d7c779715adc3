"""`curate evaluate stories passages`: workbooks for people who read as the evaluator does."""

from pathlib import Path

import click

from curation.cli.common import json_option, plural, print_json, workspace_option
from curation.cli.people import names_of, sheet_paths
from curation.cli.sheets import hand_out
from curation.io.annotations import AnnotationsFolder
from curation.io.workspace import Workspace
from curation.model.errors import CurateError
from evaluation.requests import REQUESTS
from evaluation.stories.passages import COUNT, draw_passages, passage_book
from evaluation.stories.reading import FOLDER


def asked_file(workspace: Workspace, given: Path | None) -> Path:
    """Find what the evaluator was asked.

    Raises:
        CurateError: If it was asked nothing yet.
    """
    path = given or workspace.exports_folder / FOLDER / REQUESTS
    if given is None and not path.exists():
        raise CurateError(
            "there are no requests for readings yet",
            str(path),
            "make them with 'curate evaluate stories ask', or name a file with --requests",
        )
    return path


@click.command("passages")
@workspace_option
@click.option(
    "--reader",
    "readers",
    multiple=True,
    required=True,
    metavar="NAME",
    help="Who reads; may be given several times.",
)
@click.option(
    "--requests",
    type=click.Path(path_type=Path),
    help=f"What the evaluator is asked [default: exports/{FOLDER}/{REQUESTS}].",
)
@click.option(
    "--count", type=click.IntRange(1, 5000), default=COUNT, show_default=True, help="How many."
)
@click.option("--seed", type=int, default=42, show_default=True, help="Of the draw.")
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    help="Where to write the workbooks [default: annotations/sheets].",
)
@json_option
def command(
    workspace: Workspace,
    readers: tuple[str, ...],
    requests: Path | None,
    count: int,
    seed: int,
    out: Path | None,
    as_json: bool,
) -> None:
    """Make a workbook for each reader: passages with the questions that the evaluator is asked.

    All readers get the same passages, drawn by the seed from every model and category about as
    many. Who wrote a passage is not told. 'stories agreement' holds the readers against one
    another and against the evaluator.

    \b
    Example: curate evaluate stories passages --reader Mina --reader Jun
    """  # noqa: D301  # \b keeps click from wrapping the example
    names = names_of(readers, "--reader")
    passages = draw_passages(asked_file(workspace, requests), count, seed)
    about = {"count": str(count), "seed": str(seed)}
    folder = out or AnnotationsFolder(workspace.root).sheets
    paths = dict(zip(names, sheet_paths(folder, "passages", names), strict=True))
    for name, path in paths.items():
        hand_out(path, passage_book(passages, name, about))
    if as_json:
        sheets = [{"reader": name, "file": str(path)} for name, path in paths.items()]
        print_json({"passages": len(passages), "seed": seed, "sheets": sheets})
        return
    for name, path in paths.items():
        click.echo(f"{name}: {path}")
    click.echo(
        f"{len(passages)} {plural('passage', len(passages))} each. When they come back: "
        "curate evaluate stories agreement FILE..."
    )
