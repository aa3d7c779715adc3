"""`curate survey report`: what the survey found, as a page, a text and tables."""

from collections.abc import Hashable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from curation.cli import options, terminal
from curation.files.workspace import Workspace
from survey.bank import plain_settings
from survey.reporting.report import SurveyReport, report
from survey.reporting.sections import summary
from survey.reporting.tables import text

if TYPE_CHECKING:
    import pandas as pd


@options.curate_command("report")
@options.shown_option
@options.folder_option(
    "--out",
    help="Folder to write to [default: exports/survey of the workspace].",
)
def command(
    workspace: Workspace,
    formats: tuple[str, ...],
    out: Path | None,
) -> terminal.Taken:
    """Write a report of the survey's results.

    It writes report.html (one page that works offline), report.md, report.xlsx and CSV tables. They
    have every question with its votes, interval, exact test and decision; the respondents, who was
    excluded, and the decisions that this changes; what other thresholds would keep; and the method
    in words.

    It reports the last 'curate filter'.
    """
    found = report(workspace, formats=formats, out=out, progress=terminal.progress_of_each())
    return _as_dict(found), False, partial(_show, found)


def _show(found: SurveyReport) -> None:
    terminal.echo_fitting(summary(found.report))
    for note in found.report.notes:
        terminal.echo_fitting(f"Note: {note}", err=True)
    terminal.echo_fitting(
        f"Wrote {', '.join(path.name for path in found.files)} to {found.folder}."
    )


def _as_dict(found: SurveyReport) -> dict[str, object]:
    return {
        "folder": str(found.folder),
        "files": [path.name for path in found.files],
        "summary": summary(found.report),
        "settings": plain_settings(found.report.settings),
        "notes": list(found.report.notes),
        **{name: _records(table) for name, table in found.tables.items()},
    }


def _records(table: "pd.DataFrame") -> list[dict[Hashable, object]]:
    return [
        {
            name: float(text(value)) if isinstance(value, float) else value
            for name, value in row.items()
        }
        for row in table.to_dict("records")
    ]
