"""`curate browse`: a page to look at templates, decisions, samples and replies."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import click
from click.core import ParameterSource

from curation.cli import options, terminal
from curation.cli.group import Lazy, SectionedGroup
from curation.files.workspace import Workspace
from curation.records.messages import Results, counted
from evaluation.cli import options as shared
from evaluation.qa.scoring import ScoreInputs
from exports.browse.collecting import ON_AGENDA, Uptake, collect_comments
from exports.browse.serving import PageServer
from exports.browse.writing import write_browse
from exports.cli.options import note_gone, open_page, out_option, say_replied

_COMMANDS: Lazy = {"collect": ("curation.cli.collect", "The same as 'curate collect'.")}


@click.group("browse", cls=SectionedGroup, lazy=_COMMANDS)
@options.workspace_option
@options.json_option
@options.section("Where")
@out_option
@options.flag_option("--open", "opening", help="Open the page in the browser.")
@click.option(
    "--serve",
    "port",
    type=click.IntRange(0, 65535),
    is_flag=False,
    flag_value=0,
    metavar="[PORT]",
    help="Serve the page for this machine only (127.0.0.1), until Ctrl-C [default: a free port].",
)
@shared.answered_options
@options.section("How many samples")
@options.bounds_option
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
    shown, bound = terminal.progress_of_each(), per_template
    made = write_browse(workspace, out, answered=answered, per_template=bound, progress=shown)
    if not as_json:
        _show(made)
    if port is not None:
        _serve(made.folder, port, opening=opening, told=made if as_json else None)
        return
    if as_json:
        terminal.print_json(made)
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


def _show(made: Results) -> None:
    """Say what was written, and what is doubtful."""
    counts = made.counts
    shown = f"{counted(counts['templates'], 'template')} and {counted(counts['samples'], 'sample')}"
    if "models" in made:
        shown += f", with {say_replied(made)},"
    click.echo(f"Wrote {shown} to {made.folder} ({counts['bytes'] / 1e6:.1f} MB).")
    if "models" in made:
        note_gone(made.gone)
    terminal.print_findings(made.findings, err=True)


def _serve(folder: Path, port: int, *, opening: bool, told: Results | None) -> None:
    """Serve a page until the user ends it.

    Args:
        folder: The page.
        port: Where to listen.
        opening: Whether to open it too.
        told: What the JSON object says beside the address; None to say it in words.
    """
    with PageServer(folder, port) as server:
        if told is not None:
            terminal.print_json({**told, "address": server.address})
        else:
            click.echo(f"The page is at {server.address}, for this machine only.")
            click.echo("Ctrl-C stops the server.")
        if opening:
            open_page(server.address)
        try:
            server.serve_forever(poll_interval=0.1)
        except KeyboardInterrupt:
            click.echo("\nEnded.", err=True)


def collected(
    workspace: Workspace, files: Sequence[Path], *, by: str, accept_changed: bool, dry_run: bool
) -> terminal.Taken:
    """Collect comments; without a file, those that were collected before are looked at again."""
    found = collect_comments(
        workspace, files, by=by or None, accept_changed=accept_changed, dry_run=dry_run
    )
    show = partial(_show_comments, workspace, found, dry_run=dry_run)
    added = found.ledger
    ledger = {"added": len(added.decisions), "unchanged": added.unchanged} if added else None
    told = {**found, "ledger": ledger, "agenda": workspace.shown(found.agenda)}
    return told, found.findings, show


def _show_comments(workspace: Workspace, found: Results, *, dry_run: bool) -> None:
    terminal.print_findings(found.findings)
    people = counted(len(found.people), "person", "people")
    terminal.echo_fitting(
        f"{counted(found.comments, 'comment')} of {people}: {found.added} new, {found.replaced} "
        f"edited, {found.deleted} deleted, {found.older} older than those collected before."
    )
    left = [item for item in found.rows if item.standing in ON_AGENDA]
    lines = []
    for item in left:
        if item.standing is not Uptake.REMARK:
            what = f" proposes to {item.proposal.value}" if item.proposal else ""
            lines.append(f"{item.standing.value:<14}{item.subject}: {item.by}{what}; {item.why}")
    terminal.echo_list(lines, "line")
    every = [item.standing for item in found.rows]
    counts = [f"{every.count(one)} {one.value}" for one in Uptake if one in every]
    click.echo(", ".join(counts))
    if found.ledger is not None:
        made = found.ledger.decisions
        for one in made:
            terminal.echo_fitting(f"decided       {one.subject}: {one.outcome.value}, {one.reason}")
        click.echo(f"{terminal.to_ledger(found.ledger, dry_run=dry_run)}.")
        if made:
            terminal.echo_fitting(_PUBLISHED_LATER if dry_run else _PUBLISHED)
    subjects = len({item.subject for item in left})
    verb = "would be on" if dry_run else "is on" if subjects == 1 else "are on"
    agenda = workspace.shown(found.agenda)
    click.echo(f"{counted(subjects, 'subject')} {verb} the agenda: {agenda}")


_PUBLISHED_LATER = "The ledger is published: check that no reason names a person."
_PUBLISHED = (
    "The ledger is published with these reasons. To see them before they are written, use "
    "--dry-run."
)
