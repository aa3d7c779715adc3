"""`curate classify sheet`: a workbook for each annotator."""

import re
from collections.abc import Sequence
from pathlib import Path

import click

from curation.cli.common import json_option, plural, print_json, workspace_option
from curation.cli.sheets import hand_out
from curation.io.annotations import AnnotationsFolder
from curation.io.workspace import Workspace
from curation.model.annotation import person_key
from curation.model.errors import CurateError
from curation.model.survey import Rule
from curation.stages.classify import classifiable
from curation.stages.classify_sheets import classify_book
from survey.ledger import current


@click.command("sheet")
@workspace_option
@click.option(
    "--annotator",
    "annotators",
    multiple=True,
    required=True,
    metavar="NAME",
    help="Who fills it in; may be given several times.",
)
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    help="Where to write the workbooks [default: annotations/sheets].",
)
@click.option("--open", "only_open", is_flag=True, help="Leave out templates with a consensus.")
@json_option
def command(
    workspace: Workspace,
    annotators: tuple[str, ...],
    out: Path | None,
    only_open: bool,
    as_json: bool,
) -> None:
    """Make a workbook for each annotator: a row a template, to be labelled ST, TM or SR.

    Newly created templates (NC) are left out. A workbook that may have been filled in is
    never written over.

    \b
    Example: curate classify sheet --annotator Mina --annotator Jun
    """  # noqa: D301  # \b keeps click from wrapping the example
    names = _names(annotators)
    templates = classifiable(workspace.bank.templates())
    if only_open:
        settled = {
            subject for subject, rule in current(workspace.rulings) if rule is Rule.CONSENSUS
        }
        templates = [item for item in templates if str(item.id) not in settled]
    if not templates:
        raise CurateError(
            "no template is left to be classified",
            workspace.shown(workspace.bank_file),
            "import published templates, or leave out --open",
        )
    folder = out or AnnotationsFolder(workspace.root).sheets
    paths = dict(zip(names, _paths(folder, names), strict=True))
    for name, path in paths.items():
        hand_out(path, classify_book(templates, name))
    if as_json:
        sheets = [{"annotator": name, "file": str(path)} for name, path in paths.items()]
        print_json({"templates": len(templates), "sheets": sheets})
        return
    for name, path in paths.items():
        click.echo(f"{name}: {path}")
    count = f"{len(templates)} {plural('template', len(templates))}"
    click.echo(f"{count} each. When they come back: curate classify collect FILE...")


def _names(annotators: Sequence[str]) -> list[str]:
    names = [" ".join(name.split()) for name in annotators]
    if not all(names):
        raise click.UsageError("--annotator: a name is empty")
    keys = [person_key(name) for name in names]
    for name, key in zip(names, keys, strict=True):
        if keys.count(key) > 1:
            raise click.UsageError(f"--annotator: '{name}' stands twice; tell the two apart")
    return names


def _paths(folder: Path, names: Sequence[str]) -> list[Path]:
    """Name the files after the annotators, as far as file names can hold their names."""
    paths: list[Path] = []
    taken: set[str] = set()
    for name in names:
        stem = wanted = "classify-" + (re.sub(r"[^\w-]+", "_", name).strip("_") or "annotator")
        number = 1
        while stem.casefold() in taken:
            number += 1
            stem = f"{wanted}-{number}"
        taken.add(stem.casefold())
        paths.append(folder / f"{stem}.xlsx")
    return paths
