"""`curate evaluate view`: the page of replies for those who have samples and no bank."""

from pathlib import Path

import click

from curation.cli.coloured import SectionedCommand
from curation.cli.options import json_option, workspace_option
from curation.cli.terminal import print_findings, print_json, progress_of_each
from curation.files.workspace import Workspace
from curation.records.wording import plural
from evaluation.cli.options import ANSWERED_SECTIONS, answered_options
from evaluation.qa.scoring import ScoreInputs
from exports.browse.viewing import view
from exports.cli.options import gone_dict, open_page, say_replied


@click.command(
    "view",
    cls=SectionedCommand,
    sections={**ANSWERED_SECTIONS, "Where": ("--out", "--open")},
)
@workspace_option
@answered_options
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder to write to [default: exports/evaluation/view of the workspace].",
)
@click.option("--open", "opening", is_flag=True, help="Open the page in the browser.")
@json_option
def command(
    workspace: Workspace,
    answered: ScoreInputs | None,
    out: Path | None,
    opening: bool,
    as_json: bool,
) -> None:
    """Write a page to look at each request and reply of models.

    It shows the overall scores of each model, and a table of templates by model, coloured by score.
    For each sample it shows what was sent to each model, its reply, the parsed choice and the rule.
    If the reasoning of a model was saved, it is shown separately. You can filter for unparsed
    replies, and for samples on which models disagree.

    You need no workspace: samples and replies are enough, also of published benchmarks. Replies are
    parsed and scored as in 'curate evaluate score'. Open index.html of the folder in a browser. The
    page works offline and sends nothing.

    \b
    Example: curate evaluate view --samples samples.csv --language ko \
                 --replies replies.jsonl --out view --open
    """  # noqa: D301  # \b keeps click from wrapping the example
    if answered is None:
        raise click.UsageError("name --replies FILE or --predictions FILE")
    made = view(workspace, answered, out=out, progress=progress_of_each())
    if as_json:
        print_json(
            {
                "folder": str(made.folder),
                "page": str(made.page),
                "counts": made.counts,
                "findings": made.findings,
                **gone_dict(made.replied),
            }
        )
    else:
        templates, samples = made.counts["templates"], made.counts["samples"]
        click.echo(
            f"Wrote {say_replied(made.replied)} to {samples:,} {plural('sample', samples)} of "
            f"{templates:,} {plural('template', templates)} to {made.folder} "
            f"({made.counts['bytes'] / 1e6:.1f} MB)."
        )
        print_findings(made.findings, err=True)
        click.echo(f"Open {made.page} in a browser; it works offline.")
    if opening:
        open_page(made.page.resolve().as_uri())
