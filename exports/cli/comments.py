"""`curate browse collect`: what people wrote in the page comes back."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import click

from curation.cli.options import json_option, workspace_option
from curation.cli.terminal import (
    Taken,
    echo_fitting,
    echo_list,
    print_findings,
    print_json,
    refusals,
)
from curation.files.workspace import Workspace
from curation.records.wording import plural
from exports.browse.collecting import CollectedComments, collect_comments
from exports.browse.standing import ON_AGENDA, Standing, ordered, standings


@click.command("collect")
@workspace_option
@click.argument(
    "files", nargs=-1, type=click.Path(dir_okay=False, path_type=Path), metavar="[FILE]..."
)
@click.option(
    "--by",
    metavar="NAME",
    help="Who decides: proposals to keep or exclude become overrides in the ledger, under this "
    "name.",
)
@click.option(
    "--accept-changed",
    is_flag=True,
    help="Accept proposals on templates that changed after the page was made.",
)
@click.option(
    "--accept-other",
    is_flag=True,
    help="Accept files of a page that was made from another workspace.",
)
@click.option("--dry-run", is_flag=True, help="Show what would be decided and write nothing.")
@json_option
def collect(
    workspace: Workspace,
    files: tuple[Path, ...],
    by: str | None,
    accept_changed: bool,
    accept_other: bool,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Collect the comments and proposals that people saved on the page.

    'curate collect' reads these files too, beside others that people returned.

    All comments are written to annotations/comments.csv. Comments, open proposals and proposals
    that contradict each other are written to annotations/comments_agenda.md and .csv, for a
    meeting. With --by, proposals without a contradicting one become overrides, as with 'curate
    override': those of the files, or without FILE those of all collected comments.

    A proposal stays on the agenda if another one for the same template contradicts it, if the
    template has a new decision since the proposal, or if it is about a single sample. When a file
    has an error, nothing is written. Collecting the same files again changes nothing.

    \b
    Example: curate browse collect comments-mina.json comments-jun.json
             curate browse collect --by Mina
    """  # noqa: D301  # \b keeps click from wrapping the example
    if by is not None and not by.strip():
        raise click.UsageError("--by: the name is empty")
    with refusals(as_json=as_json):
        found = collect_comments(
            workspace,
            files,
            by=by,
            accept_changed=accept_changed,
            accept_other=accept_other,
            dry_run=dry_run,
        )
    if as_json:
        print_json(_json(workspace, found))
    else:
        _show(workspace, found, dry_run=dry_run)


def collected(
    workspace: Workspace, files: Sequence[Path], *, by: str, accept_changed: bool, dry_run: bool
) -> Taken:
    """The same for 'curate collect', of files of this workspace's page alone."""
    found = collect_comments(
        workspace, files, by=by or None, accept_changed=accept_changed, dry_run=dry_run
    )
    show = partial(_show, workspace, found, dry_run=dry_run)
    return _json(workspace, found), found.findings, show


def _json(workspace: Workspace, found: CollectedComments) -> dict[str, object]:
    merged, added = found.merged, found.added
    return {
        "comments": len(merged.comments),
        "added": merged.added,
        "replaced": merged.replaced,
        "deleted": merged.deleted,
        "older": merged.older,
        "people": found.people,
        "rows": ordered(found.items),
        "ledger": {"added": len(added.decisions), "unchanged": added.unchanged} if added else None,
        "agenda": workspace.shown(found.agenda),
        "findings": found.findings,
    }


def _show(workspace: Workspace, found: CollectedComments, *, dry_run: bool) -> None:
    print_findings(found.findings)
    merged = found.merged
    count, people = len(merged.comments), len(found.people)
    echo_fitting(
        f"{count} {plural('comment', count)} of {people} "
        f"{'person' if people == 1 else 'people'}: {merged.added} new, {merged.replaced} edited, "
        f"{merged.deleted} deleted, {merged.older} older than those collected before."
    )
    left = [item for item in ordered(found.items) if item.standing in ON_AGENDA]
    told = [item for item in left if item.standing is not Standing.REMARK]
    echo_list(
        [
            f"{item.standing.value:<14}{item.subject}: {item.by} "
            f"proposes to {item.proposal.value}; {item.why}"
            if item.proposal
            else f"{item.standing.value:<14}{item.subject}: {item.by}; {item.why}"
            for item in told
        ],
        "line",
    )
    counts = standings(found.items)
    click.echo(", ".join(f"{number} {name.value}" for name, number in counts.items()))
    if found.added is not None:
        for item in found.added.decisions:
            echo_fitting(f"decided       {item.subject}: {item.outcome.value}, {item.reason}")
        number = len(found.added.decisions)
        verb = "would be added" if dry_run else "added"
        click.echo(
            f"{number} {plural('decision', number)} {verb} to the ledger, "
            f"{found.added.unchanged} unchanged."
        )
        if number:
            echo_fitting(
                "The ledger is published: check that no reason names a person."
                if dry_run
                else (
                    "The ledger is published with these reasons. To see them before they are "
                    "written, use --dry-run."
                )
            )
    subjects = len({item.subject for item in left})
    verb = "would be on" if dry_run else "is on" if subjects == 1 else "are on"
    click.echo(
        f"{subjects} {plural('subject', subjects)} {verb} the agenda: "
        f"{workspace.shown(found.agenda)}"
    )
