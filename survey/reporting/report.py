"""A report of the survey, of what the last filter left."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from curation.files.atomic import write_file
from curation.files.lock import writing
from curation.files.manifest import named_inputs, staged_results
from curation.files.workspace import Workspace
from curation.records.messages import Progress, Results, Table, silent, watched
from curation.report.page import html, markdown, save_shown
from survey.bank import PREREGISTRATION, plain_settings
from survey.reporting.data import Report, from_filter
from survey.reporting.sections import SHEET, page_of, pictures, sheet_of, summary
from survey.reporting.tables import tables, write_tables, write_workbook

_ANALYSIS = "Steps of the analysis"


def report(
    workspace: Workspace,
    *,
    formats: Sequence[str] = (),
    out: Path | None = None,
    dry_run: bool = False,
    progress: Progress = silent,
) -> Results:
    """Write a report of the survey: decisions, their certainty, and the respondents.

    It reports the last run of the filter.

    Args:
        workspace: The workspace.
        formats: What each table and picture is written as beside the page; see `save_shown`.
        out: The folder to write to; `exports/survey` of the workspace by default.
        dry_run: Whether to write nothing.
        progress: Told how far the survey is analysed, and how many parts of the report are written.

    Returns:
        The `folder`, the `files` that were written, none with `dry_run`, a `summary`, the
        `settings` that the decisions were made with, `notes` on where it comes from, and every
        table by its name; see `survey.reporting.tables.tables`.

    Raises:
        CurateError: If nothing has been filtered yet, or a file cannot be read or written.
    """
    progress(_ANALYSIS, 0, 2)
    found, files = from_filter(workspace)
    progress(_ANALYSIS, 1, 2)
    folder = out or workspace.exports_folder / "survey"
    parts = tables(found)
    progress(_ANALYSIS, 2, 2)
    written: list[Path] = []

    def made() -> Results:
        values = {
            "folder": folder,
            "files": [path.name for path in written],
            "summary": summary(found),
            "settings": plain_settings(found.settings),
            "notes": found.notes,
            **{name: rows for name, (_, rows) in parts.items()},
        }
        return Results(values, {name: columns for name, (columns, _) in parts.items()})

    if dry_run:
        return made()
    own = (
        workspace.culture_file,
        workspace.bank_file,
        workspace.groups_file,
        workspace.ledger_file,
        workspace.tallies_file,
        workspace.responses_folder / PREREGISTRATION,
    )
    settings = {
        "culture": found.culture.culture,
        "version": found.culture.version,
        "survey": plain_settings(found.settings),
    }
    counts = {name: len(rows) for name, (_, rows) in parts.items()}
    with writing(workspace, "curate survey report", to=folder):
        inputs = named_inputs((*own, *files), root=workspace.root)
        with staged_results(folder, inputs, counts, settings) as stage:
            written += _write(stage, found, parts, formats, progress)
    return made()


def _write(
    folder: Path,
    report: Report,
    found: Mapping[str, Table],
    formats: Sequence[str],
    progress: Progress,
) -> list[Path]:
    """Write all forms of a report.

    Args:
        folder: The folder.
        report: The report.
        found: Its tables.
        formats: What each table and picture is written as beside the page.
        progress: Told how many parts are written.

    Raises:
        CurateError: If something cannot be written.
    """
    written = [folder / name for name in ("report.html", SHEET, "report.md", "report.xlsx")]
    page, drawn = page_of(report, list(found)), list(pictures(report))
    parts: list[Callable[[], object]] = [
        lambda: write_file(written[0], html(page, drawn)),
        lambda: write_file(written[1], html(sheet_of(report))),
        lambda: write_file(written[2], markdown(page, drawn)),
        lambda: write_workbook(written[3], found),
        lambda: written.extend(
            it for one in drawn for it in one.save(folder / "pictures", ["svg"])
        ),
        lambda: written.extend(write_tables(folder, found)),
        lambda: written.extend(save_shown(page, drawn, formats, folder)),
    ]
    for part in watched(parts, "Parts of the report written", progress):
        part()
    return written
