"""What `curate collect` does with comments that people saved on the page."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import click

from curation.cli.terminal import (
    Taken,
    echo_fitting,
    echo_list,
    print_findings,
)
from curation.files.workspace import Workspace
from curation.records.messages import plural
from exports.browse.collecting import CollectedComments, collect_comments
from exports.browse.standing import ON_AGENDA, Standing, ordered, standings


def collected(
    workspace: Workspace, files: Sequence[Path], *, by: str, accept_changed: bool, dry_run: bool
) -> Taken:
    """Collect comments; without a file, those that were collected before are looked at again."""
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
