"""`curate export recipe` and `curate replay`: how a benchmark was made, in one file, and again."""

from pathlib import Path

import click

from curation.cli.options import folder_option, json_option, path_option, workspace_option
from curation.cli.terminal import (
    count_findings,
    echo_fitting,
    print_findings,
    print_json,
    progress_of_each,
)
from curation.files.workspace import Workspace
from curation.records.messages import counted
from exports import replaying


@click.command("recipe")
@workspace_option
@folder_option(
    "--sources",
    help="Folder with the published files that were imported, under whatever names [default: those "
    "that the workspace keeps].",
)
@path_option("--out", help="File to write to [default: exports/recipe.yaml].")
@json_option
def recipe(workspace: Workspace, sources: Path | None, out: Path | None, as_json: bool) -> None:
    """Write how this benchmark was made from the published templates, in one file.

    The recipe has the SHA-256 of each imported file, what people changed in templates and groups
    (labels, translations, new templates), settings with thresholds and seed, votes and decisions.
    It has neither texts of the published files nor answers of respondents; who decided is a number,
    unless they are authors of the release. It is run once before it is written.

    \b
    Example: curate export recipe --out adaptation.yaml
             curate replay adaptation.yaml --sources BBQ/templates --out again
    """  # noqa: D301  # \b keeps click from wrapping the example
    path, made = replaying.export_recipe(
        workspace, out=out, sources=sources, progress=progress_of_each()
    )
    counts = {
        "templates": len(made.made),
        "rows_changed": len(made.templates.changed),
        "rows_new": len(made.templates.new),
        "rows_left_out": len(made.templates.left_out),
    }
    if as_json:
        print_json({"path": str(path), "samples_sha256": made.samples_sha256, **counts})
        return
    said = [f"{counts[f'rows_{name}']:,} {name}" for name in ("changed", "new", "left_out")]
    templates = counted(counts["templates"], "template")
    rows = ", ".join(said).replace("_", " ")
    echo_fitting(f"Wrote {path}: {templates}; rows of the bank: {rows}.")
    click.echo(f"SHA-256 of its samples: {made.samples_sha256}")


@click.command("replay")
@click.argument("file", metavar="RECIPE", type=click.Path(path_type=Path))
@folder_option(
    "--sources",
    help="Folder with the published files that the recipe names, under whatever names [default: "
    "the folder of the recipe].",
)
@folder_option("--out", default="replayed", show_default=True, help="New folder for the workspace.")
@json_option
@click.pass_context
def replay(
    ctx: click.Context, /, file: Path, sources: Path | None, out: Path, as_json: bool
) -> None:
    """Make a benchmark again from its recipe: a workspace, all samples and the test set.

    The published files are found by their SHA-256. One that was changed is refused. Samples have
    the same bytes on every machine. If a step gives something else than the recipe says, the step
    and the template are named, and the exit status is 1.

    \b
    Example: curate replay adaptation.yaml --sources BBQ/templates --out again
    """  # noqa: D301  # \b keeps click from wrapping the example
    found = replaying.replay(file, sources, out, progress=progress_of_each())
    made = found.samples
    if as_json:
        print_json(
            {
                "workspace": str(found.workspace.root),
                "samples_sha256": found.recipe.samples_sha256,
                "counts": made.written,
                "same": not found.has_errors,
                "findings": found.findings,
            }
        )
    else:
        print_findings(found.findings)
        what = ", ".join(f"{count:,} {name}" for name, count in made.written.items())
        echo_fitting(f"Wrote {what} to {made.folder}.")
        of = f"the recipe of {found.recipe.benchmark}"
        differs = f"{count_findings(found.findings)}: this is not what {of} says"
        echo_fitting(f"{differs if found.has_errors else f'It is what {of} says'}.")
    if found.has_errors:
        ctx.exit(1)
