"""`curate stats`: templates and samples by category and label."""

from collections.abc import Sequence
from dataclasses import asdict

import click

from curation.bank.stats import LARGE, CategoryCounts, Stats, stats
from curation.bank.status import Status
from curation.checks.settings import settings_changed
from curation.checks.workspace import check
from curation.cli.options import json_option, workspace_option
from curation.cli.terminal import (
    echo_note,
    finding_dict,
    print_findings,
    print_json,
    table_lines,
    wrapped,
)
from curation.files.workspace import Workspace
from curation.records.findings import Finding
from curation.records.wording import counted, shortened
from survey.bank import final_bank
from survey.settings import decided_with


@click.command("stats")
@workspace_option
@json_option
@click.pass_context
def command(
    context: click.Context,
    /,
    workspace: Workspace,
    as_json: bool,
) -> None:
    """Count templates and samples by category and label, before and after the survey.

    The table has the columns of KoBBQ's table 1: templates labelled SR, retained templates of each
    other label, all templates before the survey, all retained templates, and their samples. It uses
    the decisions in the ledger; a note lists settings that were changed since.

    Use it before an export to see which templates give too many samples: it counts without making
    samples. --json gives the numbers of every template. Templates that cannot be filled are listed,
    but not counted.
    """
    final = final_bank(workspace)
    found = stats(
        workspace,
        final.templates,
        final.fillable,
        before=final.before,
    )
    faults = (*final.findings, *found.faults)
    waiting = [str(template.id) for template in final.open]
    undecided = [str(item.template.id) for item in final.with_status(Status.UNDECIDED)]
    changed = check(workspace, [settings_changed.id], decided_with=decided_with(workspace)).findings
    if as_json:
        print_json(
            {
                "rows": [asdict(row) for row in found.rows],
                "templates": found.templates,
                "limit": found.limit,
                "exceeds_limit": found.exceeds_limit,
                "without_samples": waiting,
                "undecided": undecided,
                "findings": [finding_dict(item) for item in (*faults, *changed)],
            }
        )
    else:
        click.echo("\n".join(_lines(found.rows)))
        _echo_large(found)
        print_findings(changed, err=True)
        if undecided and final.tallies:
            echo_note("included without a survey decision", undecided)
        _echo_uncounted(waiting, faults)
    if faults:
        context.exit(1)


def _echo_uncounted(waiting: Sequence[str], faults: Sequence[Finding]) -> None:
    """Say which templates give no samples yet, and which cannot be filled."""
    if waiting:
        click.echo()
        click.echo(
            wrapped(
                f"{counted(len(waiting), 'template gives', 'templates give')} no samples yet "
                "(not translated, or "
                f"groups not surveyed): {shortened(waiting, 10)}"
            )
        )
    if faults:
        what = counted(len(faults), "template cannot be filled and is", _NOT_FILLED)
        click.echo(f"\n{what} not counted:")
        print_findings(faults, each=_SHOWN)


_NOT_FILLED = "templates cannot be filled and are"
_SHOWN = 20
_LARGEST = 5


def _echo_large(found: Stats) -> None:
    """Say which templates explode, and whether an export would stop at them."""
    if found.large:
        what = counted(len(found.large), "template gives", "templates give")
        click.echo(f"\n{what} more than {LARGE:,} samples, the largest first:")
        rows = [
            (item.template_id, f"{item.fillings:,}", f"{item.possible:,}", f"{item.samples:,}")
            for item in found.large[:_LARGEST]
        ]
        header = ("Template", "fillings", "possible samples", "samples")
        click.echo("\n".join(table_lines(header, rows)))
        if len(found.large) > _LARGEST:
            click.echo(f"... and {len(found.large) - _LARGEST} more (see --json)")
    if found.exceeds_limit:
        click.secho("Warning", nl=False, err=True, fg="red")
        click.echo(
            f": {found.rows[-1].samples:,} samples are more than samples.limit "
            f"({found.limit:,}):\n    no export writes them\n    -> draw some of each template "
            "with --per-template N, or set\n       samples.per_template in culture.yaml",
            err=True,
        )


def _lines(rows: Sequence[CategoryCounts]) -> list[str]:
    unlabelled = any(row.unlabelled for row in rows)
    header = ["Category", "SR", "TM", "ST", "NC", "before survey", "templates", "samples"]
    cells = [
        [
            row.category,
            row.sample_removed,
            row.target_modified,
            row.simply_transferred,
            row.newly_created,
            row.templates_before_survey,
            row.templates,
            f"{row.samples:,}",
        ]
        for row in rows
    ]
    if unlabelled:
        header.insert(5, "unlabelled")
        for line, row in zip(cells, rows, strict=True):
            line.insert(5, row.unlabelled)
    return table_lines(header, cells)
