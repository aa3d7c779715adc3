"""What commands that export share: where to, what is said of it, and opening it."""

import webbrowser
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from curation.cli import terminal
from curation.records.messages import Results, Severity, counted, shortened
from exports.edition import left_out_words
from exports.folders import written

_NAMED = 5  # templates that a message names

out_option = click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder to write to [default: exports/ of the workspace, in a folder named after the "
    "command].",
)


def show(made: Results, *, sampled: bool = True) -> None:
    """Say what was written, what was not, and what is doubtful.

    Args:
        made: What was written.
        sampled: Whether it holds samples, so that those without are worth a note.
    """
    said_written(made)
    for text in left_out_words(made.counts):
        click.echo(text)
    if made.undecided:
        terminal.echo_note("included without a survey decision", made.undecided)
    if made.without_samples and sampled:
        waiting = "without samples (not translated, or groups not surveyed)"
        terminal.echo_note(waiting, made.without_samples)
    # What makes the export one that is not to be published yet.
    errors = [item for item in made.findings if item.severity is Severity.ERROR]
    if errors:
        line = (
            f"Warning: 'curate check' finds {counted(len(errors), 'error')} in the workspace. "
            f"The first: {errors[0].where}: {errors[0].message}"
        )
        shown = terminal.fitting(line, " " * 6, err=True)
        click.secho("Warning", nl=False, err=True, fg="red")
        click.echo(shown.removeprefix("Warning"), err=True)
        click.echo("    -> before you publish, fix the errors and export again", err=True)
    terminal.print_findings([item for item in made.findings if item not in errors], err=True)


def said_written(made: Results) -> None:
    """Say what was written, and where to."""
    what = ", ".join(f"{count:,} {name}" for name, count in written(made.counts).items())
    terminal.echo_fitting(f"Wrote {what} to {made.folder}.")


def say_replied(made: Results) -> str:
    """How many replies of how many models are in the page."""
    return f"{counted(made.counts['replies'], 'reply')} of {counted(len(made.models), 'model')}"


def note_gone(gone: Mapping[str, Any]) -> None:
    """Say on standard error which replies the page does not show."""
    if gone["templates"]:
        names = shortened(gone["template_ids"], _NAMED)
        templates = counted(len(gone["template_ids"]), "template")
        terminal.note(
            f"Note: {counted(gone['templates'], 'reply')} to {templates} that are not in the bank: "
            f"they are in the scores of the models, but not on the page: {names}"
        )


def open_page(address: str) -> None:
    """Open a page in the user's browser, where there is one."""
    if not webbrowser.open(address):
        terminal.note(f"Note: no browser could be started; open {address} yourself")
