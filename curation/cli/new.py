"""`curate new`: templates that are written for the culture."""

from collections.abc import Sequence
from pathlib import Path

import click

from curation.annotation.newtemplates import collect_new_templates, make_new_sheet
from curation.cli.group import LazyGroup
from curation.cli.options import json_option, note_language, workspace_option
from curation.cli.terminal import Taken, fields_of, print_findings, print_json
from curation.files.workspace import Workspace
from curation.records.wording import plural

_COMMANDS = {
    "sheet": (f"{__name__}:sheet", "Make a workbook for new templates."),
}


@click.group("new", cls=LazyGroup, lazy=_COMMANDS)
def command() -> None:
    """Write new templates (NC) about stereotypes that the source does not have."""


@click.command("sheet")
@workspace_option
@json_option
def sheet(workspace: Workspace, as_json: bool) -> None:
    """Make a workbook for new templates, one template in each row.

    It is annotations/sheets/new-templates.xlsx. It offers the categories of culture.yaml, and lists
    the groups. A row is variant a: 'curate collect' makes variant b by exchanging the two people,
    and gives new templates the label NC.

    \b
    Example: curate new sheet
    """  # noqa: D301  # \b keeps click from wrapping the example
    made = make_new_sheet(workspace)
    note_language(workspace)
    if as_json:
        print_json({"file": made})
        return
    click.echo(f"Made {made}.")
    click.echo("When you have filled it in: curate collect FILE")


def collected(workspace: Workspace, files: Sequence[Path], *, dry_run: bool) -> Taken:
    """Check the new templates of a workbook, and add them to the bank as pairs of variants."""
    found = collect_new_templates(workspace, files[0], dry_run=dry_run)

    def show() -> None:
        for item in found.added:
            click.echo(f"new        {item['template_id']}  {item['stereotype']}")
        for item in found.known:
            click.echo(f"known      {item['template_id']}  {item['stereotype']}")
        print_findings(found.findings)
        count = len({item["template_id"] for item in found.added})
        verb = "would be added" if dry_run else "added"
        click.echo(
            f"{count} {plural('template', count)} {verb} to the bank, each as variants a and b."
        )

    return fields_of(found), found.findings, show
