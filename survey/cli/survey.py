"""`curate survey`: what concerns the survey of the public; and `curate survey report`."""

from functools import partial
from pathlib import Path

import click

from curation.cli import options, terminal
from curation.cli.main import LazyGroup
from curation.files.workspace import Workspace
from curation.records.messages import Results

_COMMANDS = {
    "build": ("survey.cli.build", "Make the questions, forms and plan of the survey."),
    "report": (f"{__name__}:report_command", "Write a report of the survey's results."),
    "simulate": ("evaluation.cli.simulate", "Ask models the questions of the survey."),
}


@click.group("survey", cls=LazyGroup, lazy=_COMMANDS)
def command() -> None:
    """Ask the public which stereotypes are widely known, and of which groups.

    'curate filter' decides by the answers.
    """


@options.curate_command("report")
@options.shown_option
@options.folder_option(
    "--out", help="Folder to write to [default: exports/survey of the workspace]."
)
def report_command(
    workspace: Workspace, formats: tuple[str, ...], out: Path | None
) -> terminal.Taken:
    """Write a report of the survey's results.

    It writes report.html (one page that works offline), report.md, report.xlsx and CSV tables. They
    have every question with its votes, interval, exact test and decision; the respondents, who was
    excluded, and the decisions that this changes; what other thresholds would keep; and the method
    in words.

    It reports the last 'curate filter'.
    """
    from survey.reporting.report import report  # heavy, and the other commands do without

    found = report(workspace, formats=formats, out=out, progress=terminal.progress_of_each())
    return found, False, partial(_show, found)


def _show(found: Results) -> None:
    terminal.echo_fitting(found.summary)
    for note in found.notes:
        terminal.echo_fitting(f"Note: {note}", err=True)
    terminal.echo_fitting(f"Wrote {', '.join(found.files)} to {found.folder}.")
