"""`curate survey`: what concerns the survey of the public; and `curate survey report`."""

from collections.abc import Hashable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from curation.cli import options, terminal
from curation.cli.main import LazyGroup
from curation.files.workspace import Workspace

if TYPE_CHECKING:
    import pandas as pd

    from survey.reporting.report import SurveyReport

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
    from survey.reporting.sections import summary

    found = report(workspace, formats=formats, out=out, progress=terminal.progress_of_each())
    said = summary(found.report)
    return _as_dict(found, said), False, partial(_show, found, said)


def _show(found: "SurveyReport", said: str) -> None:
    terminal.echo_fitting(said)
    for note in found.report.notes:
        terminal.echo_fitting(f"Note: {note}", err=True)
    names = ", ".join(path.name for path in found.files)
    terminal.echo_fitting(f"Wrote {names} to {found.folder}.")


def _as_dict(found: "SurveyReport", said: str) -> dict[str, object]:
    from survey.bank import plain_settings

    return {
        "folder": str(found.folder),
        "files": [path.name for path in found.files],
        "summary": said,
        "settings": plain_settings(found.report.settings),
        "notes": list(found.report.notes),
        **{name: _records(table) for name, table in found.tables.items()},
    }


def _records(table: "pd.DataFrame") -> list[dict[Hashable, object]]:
    from survey.reporting.tables import text

    return [
        {
            name: float(text(value)) if isinstance(value, float) else value
            for name, value in row.items()
        }
        for row in table.to_dict("records")
    ]
