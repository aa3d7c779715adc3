"""`curate explain`: every decision behind a template, a stereotype or a sample."""

from pathlib import Path

import click

from curation.cli import options, terminal
from curation.files.outcomes import describe
from curation.files.workspace import Workspace
from curation.records.messages import CurateError
from curation.report.texts import environment
from survey.explaining import explain


def _ids(context: click.Context, _param: click.Parameter, incomplete: str) -> list[str]:
    """Offer the ids of templates to the shell."""
    workspace = context.params.get("workspace") or Workspace(Path())
    try:
        ids = dict.fromkeys(str(item.id) for item in workspace.bank.templates())
    except CurateError:  # the shell is no place to say so; the command itself will
        return []
    return [name for name in ids if name.startswith(incomplete)]


@options.curate_command("explain")
@click.argument("subject", shell_complete=_ids)
def command(workspace: Workspace, subject: str) -> terminal.Taken:
    """Show all decisions on SUBJECT, with the numbers that they are based on.

    SUBJECT is a template (age-001), a stereotype as it is written in the bank, a question of the
    survey (q-age-1a2b3c4d) or a sample (age-001a-002-amb-bsd). Former ids of templates, and deleted
    templates, are found too.
    """
    found = explain(workspace, subject)

    def show() -> None:
        shown = environment(__package__).get_template("explain.txt.j2")
        text = shown.render(found, describe=describe)
        for line in text.rstrip("\n").split("\n"):
            terminal.echo_fitting(line)

    return found, False, show
