"""A report of the survey: made from survey files, or from what the last filter left."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from curation.files.atomic import write_file
from curation.files.codec import followed
from curation.files.lock import writing
from curation.files.manifest import named_inputs, staged_results
from curation.files.workspace import Workspace
from curation.records.messages import Progress, counted, silent, watched
from survey.bank import PREREGISTRATION, plain_settings
from survey.filtering import SurveyInput, decide_by
from survey.reporting.data import Report, from_filter, report_on, texts_file
from survey.reporting.sections import SHEET, page_of, sheet_of
from survey.reporting.tables import tables, write_tables

if TYPE_CHECKING:
    import pandas as pd


_ANALYSIS = "Steps of the analysis"


@dataclass(frozen=True, slots=True)
class SurveyReport:
    """A report of the survey.

    Attributes:
        report: What it says.
        tables: The same as tables, by name; each has the columns of the file of that name.
        folder: Where it was written.
        files: What was written; none with `dry_run`.
    """

    report: Report
    tables: Mapping[str, "pd.DataFrame"]
    folder: Path
    files: tuple[Path, ...]

    def to_frame(self, table: str = "questions") -> "pd.DataFrame":
        """One of its tables, by its name; see `survey.reporting.tables.tables`."""
        return self.tables[table]


def report(
    workspace: Workspace,
    surveys: Sequence[Path | str] = (),
    *,
    comprehension: Sequence[Path | str] = (),
    mappings: Sequence[Path | str] = (),
    questionnaire: Path | str | None = None,
    formats: Sequence[str] = (),
    out: Path | None = None,
    dry_run: bool = False,
    progress: Progress = silent,
) -> SurveyReport:
    """Write a report of the survey: decisions, their certainty, and the respondents.

    Without survey files it reports the last run of the filter. With files it decides by the
    thresholds of `culture.yaml`, and adds nothing to the ledger.

    Args:
        workspace: The workspace.
        surveys: Files of answers or of counts.
        comprehension: Files of which only the comprehension questions are taken.
        mappings: How received files are read.
        questionnaire: The questions that were asked; the workspace's by default.
        formats: What each table and picture is written as beside the page; see `save_shown`.
        out: The folder to write to; `exports/survey` of the workspace by default.
        dry_run: Whether to write nothing.
        progress: Told how far the survey is analysed, and how many parts of the report are written.

    Raises:
        CurateError: If nothing has been filtered yet, or a file cannot be read or written.
    """
    given = SurveyInput(surveys, comprehension, mappings, questionnaire)
    progress(_ANALYSIS, 0, 2)
    found, files = from_files(workspace, given) if given.surveys else from_filter(workspace)
    progress(_ANALYSIS, 1, 2)
    folder = out or workspace.exports_folder / "survey"
    parts = tables(found)
    progress(_ANALYSIS, 2, 2)
    if dry_run:
        return SurveyReport(found, parts, folder, ())
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
    counts = {name: len(table) for name, table in parts.items()}
    with writing(workspace, "curate survey report", to=folder):
        inputs = named_inputs((*own, *files), root=workspace.root)
        with staged_results(folder, inputs, counts, settings) as stage:
            made = _write(stage, found, parts, formats, progress)
            written = [folder / path.relative_to(stage) for path in made]
    return SurveyReport(found, parts, folder, tuple(written))


def from_files(workspace: Workspace, given: SurveyInput) -> tuple[Report, list[Path]]:
    """Decide by survey files without adding to the ledger; what was found, and the files."""
    settings = workspace.culture.survey
    run = decide_by(workspace, given, settings)
    unsigned = [replace(item, by="", at="") for item in run.added.decisions]
    what = counted(len(unsigned), "decision of this report is", "decisions of this report are")
    note = f"{what} not in the ledger: 'curate filter' with the same files adds them."
    found = report_on(
        workspace,
        run.final,
        settings,
        given.questionnaire,
        ledger=tuple(followed([*workspace.decisions, *unsigned], workspace.renamed)),
        people=run.respondents,
        exclusions=run.exclusions,
        remarks=(note,) if unsigned else (),
    )
    questions = given.questionnaire or workspace.questionnaire_file
    return found, [*given.files, questions, texts_file(workspace)]


def _write(
    folder: Path,
    report: Report,
    found: Mapping[str, "pd.DataFrame"],
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
    # Others ask this module what a survey was, and need neither pages nor workbooks for it.
    from curation.report.page import html, markdown, save_shown
    from survey.reporting.sections import pictures
    from survey.reporting.tables import write_workbook

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
