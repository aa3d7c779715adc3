"""`curate browse`: a page to look at templates, decisions, samples and replies."""

from pathlib import Path

import click
from click.core import ParameterSource

from curation.cli.group import Lazy, SectionedGroup
from curation.cli.options import bounds_option, json_option, workspace_option
from curation.cli.terminal import print_findings, print_json, progress_of_each
from curation.files.workspace import Workspace
from curation.records.messages import plural
from evaluation.cli.options import ANSWERED_SECTIONS, answered_options
from evaluation.qa.scoring import ScoreInputs
from exports.browse.serving import PageServer
from exports.browse.writing import Browse, write_browse
from exports.cli.options import gone_dict, note_gone, open_page, out_option, say_replied

_COMMANDS: Lazy = {"collect": ("curation.cli.collect", "The same as 'curate collect'.")}


@click.group(
    "browse",
    cls=SectionedGroup,
    lazy=_COMMANDS,
    sections={
        "Where": ("--out", "--open", "--serve"),
        **ANSWERED_SECTIONS,
        "How many samples": ("--per-template",),
    },
)
@workspace_option
@bounds_option
@answered_options
@out_option
@click.option("--open", "opening", is_flag=True, help="Open the page in the browser.")
@click.option(
    "--serve",
    "port",
    type=click.IntRange(0, 65535),
    is_flag=False,
    flag_value=0,
    metavar="[PORT]",
    help="Serve the page for this machine only (127.0.0.1), until Ctrl-C [default: a free port].",
)
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    /,
    workspace: Workspace,
    answered: ScoreInputs | None,
    per_template: int | None,
    out: Path | None,
    opening: bool,
    port: int | None,
    as_json: bool,
) -> None:
    """Write a page to look through the benchmark, to exports/browse.

    Open index.html of the folder in a browser. The page works offline and sends nothing. It shows
    every template in both languages, with its slots and fillings, the labels of annotators, the
    votes of the survey, every decision with its numbers, and its samples. With --replies, it also
    shows the replies of models and how they were parsed. You can search by category, label, status,
    group and text, and share links to what is shown.

    The page has the names of annotators and the whole benchmark: share it only with people who may
    see both. 'curate export package' writes a page for publication. 'curate collect' reads the
    comments that people save on the page.

    \b
    Example: curate browse --open
             curate browse --replies exports/replies.jsonl --serve
    """  # noqa: D301  # \b keeps click from wrapping the example
    if ctx.invoked_subcommand is not None:
        _refuse_stray(ctx)
        return
    made = write_browse(
        workspace,
        out,
        answered=answered,
        per_template=per_template,
        progress=progress_of_each(),
    )
    told: dict[str, object] = {
        "folder": str(made.folder),
        "page": str(made.page),
        "counts": made.counts,
        "findings": made.findings,
        **(gone_dict(made.replied) if made.replied else {}),
    }
    if not as_json:
        _show(made)
    if port is not None:
        _serve(made.folder, port, opening=opening, told=told if as_json else None)
        return
    if as_json:
        print_json(told)
    else:
        click.echo(f"Open {made.page} in a browser; it works offline.")
    if opening:
        open_page(made.page.resolve().as_uri())


def _refuse_stray(ctx: click.Context) -> None:
    """Refuse options before a command of the group, which would count for nothing."""
    for option in ctx.command.params:
        if option.name and ctx.get_parameter_source(option.name) is ParameterSource.COMMANDLINE:
            name = ctx.invoked_subcommand
            raise click.UsageError(f"write {max(option.opts, key=len)} after '{name}'")


def _show(made: Browse) -> None:
    """Say what was written, and what is doubtful."""
    counts = made.counts
    shown = f"{counts['templates']:,} {plural('template', counts['templates'])}"
    shown += f" and {counts['samples']:,} {plural('sample', counts['samples'])}"
    if made.replied is not None:
        shown += f", with {say_replied(made.replied)},"
    click.echo(f"Wrote {shown} to {made.folder} ({counts['bytes'] / 1e6:.1f} MB).")
    if made.replied is not None:
        note_gone(made.replied)
    print_findings(made.findings, err=True)


def _serve(folder: Path, port: int, *, opening: bool, told: dict[str, object] | None) -> None:
    """Serve a page until the user ends it.

    Args:
        folder: The page.
        port: Where to listen.
        opening: Whether to open it too.
        told: What the JSON object says beside the address; None to say it in words.
    """
    with PageServer(folder, port) as server:
        if told is not None:
            print_json({**told, "address": server.address})
        else:
            click.echo(f"The page is at {server.address}, for this machine only.")
            click.echo("Ctrl-C stops the server.")
        if opening:
            open_page(server.address)
        try:
            server.serve()
        except KeyboardInterrupt:
            click.echo("\nEnded.", err=True)
