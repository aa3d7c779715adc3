"""`curate status`: where every template stands, and who owes what."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import click

from curation.annotation.labelstudio.store import OPEN_WORDS
from curation.cli import options, terminal
from curation.files.workspace import Workspace
from curation.records.messages import Results, counted, shortened
from curation.records.survey import Status
from survey.progress import status

_SHOWN = 6


_HELP = "\n".join(
    (
        "Show the status of each template, the open tasks, and the next command.",
        "\nEach template is counted once, at its status:",
        "\n\b",
        *(f"{item.value:<12}{item.meaning}" for item in Status),
        "\nProgress in Label Studio is shown as of the last 'curate pull'; no server is contacted.",
        "\n\b\nExample: curate status\n         curate status --json",
    )
)


@options.curate_command("status", help=_HELP)
@options.templates_option
def command(workspace: Workspace, templates: tuple[str, ...]) -> terminal.Taken:
    """Show the status of each template, the open tasks, and the next command."""
    found = status(workspace, templates)
    return found, False, partial(_show, found)


def _show(found: Results) -> None:
    click.echo("\n".join(_table(found.categories)))
    if found.owed:
        click.secho("\nOpen tasks", bold=True)
    for item in found.owed:
        who = f"{item['who']}: " if item["who"] else ""
        which = f" ({shortened(item['items'], _SHOWN)})" if item["items"] else ""
        terminal.echo_fitting(f"  {who}{item['text']}{which}")
        click.echo(f"    -> {item['do']}")
        if item["link"]:
            click.echo(f"       {item['link']}")
    if found.labelstudio:
        _show_server(found.labelstudio)
    if any(found.suggestions.values()):
        click.echo()
        terminal.echo_fitting(_suggested(**found.suggestions))
    if found.findings:
        click.echo()
        terminal.print_findings(found.findings)
    if found.released and not found.owed:
        click.echo("\nThis version is released, and nothing has changed since.")
    for command_line in found.next[:1]:
        click.echo(f"\nNext: {command_line}")


def _suggested(templates: int, stale: Sequence[str]) -> str:
    """Say how many labels are suggested, and whose template changed since."""
    names = f"{len(stale)} outdated ({shortened(stale, _SHOWN)}): curate classify suggest"
    said = counted(templates, "template")
    return f"{said} with a suggested label, {names if stale else 'none outdated.'}"


def _show_server(server: Sequence[Mapping[str, Any]]) -> None:
    """Show how far everybody is in each project, with the place of what was skipped or begun."""
    click.secho("\nLabel Studio, as of the last pull", bold=True)
    header = ["Kind", "Project", "Who", "done", "skipped", "drafts", "left", "pulled"]
    rows = [
        [
            *(item["kind"], item["project"], item["annotator"] or "all"),
            "-" if item["done"] is None else item["done"],
            *(item["skipped"], item["drafts"]),
            "-" if item["left"] is None else item["left"],
            item["pulled_at"] or "never",
        ]
        for item in server
    ]
    terminal.echo_table(header, rows)
    for link in dict.fromkeys(item["link"] for item in server):
        click.echo(f"  {link}")
    for item in server:
        who, left = item["annotator"], item["open"]
        for one in left[:_SHOWN]:
            click.echo(f"  {who}, {OPEN_WORDS[one['state']]}: {one['task']}: {one['link']}")
        if len(left) > _SHOWN:
            click.echo(f"  {who}: {len(left) - _SHOWN} more (see --json)")


def _table(counts: Sequence[Mapping[str, Any]]) -> list[str]:
    """Lay out the counts; steps at which nothing stands are left out."""
    shown = ["templates", *(step.value for step in Status if counts[-1][step])]
    rows = [[row["category"], *(row[name] for name in shown)] for row in counts]
    return terminal.table_lines(["Category", *shown], rows)
