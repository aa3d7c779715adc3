"""A report of the survey: made from survey files, or from what the last filter left."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from curation.files.atomic import write_file
from curation.files.codec import followed
from curation.files.lock import writing
from curation.files.manifest import named_inputs, staged_results
from curation.files.tables import sha256
from curation.files.workspace import Workspace
from curation.records.messages import Progress, counted, silent, watched
from curation.records.survey import QuestionKind
from survey.bank import PREREGISTRATION, plain_settings
from survey.building.plan import deviations, read_preregistration
from survey.filtering import decide_by
from survey.quality import GOES_BY
from survey.reporting.data import build, from_filter, material_of, texts_file
from survey.reporting.records import Material, QuestionDecision, Report
from survey.reporting.sections import SHEET, page_of, sheet_of
from survey.reporting.tables import tables, write_tables
from survey.survey_files import SurveyInput

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
    progress(_ANALYSIS, 0, 3)
    material, files = from_files(workspace, given) if given.surveys else from_filter(workspace)
    progress(_ANALYSIS, 1, 3)
    found = build(material)
    found = replace(found, registered=_compared(workspace, material, given, found))
    progress(_ANALYSIS, 2, 3)
    folder = out or workspace.exports_folder / "survey"
    parts = tables(found)
    progress(_ANALYSIS, 3, 3)
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


def _compared(
    workspace: Workspace, material: Material, given: SurveyInput, found: Report
) -> Mapping[str, Any] | None:
    """What was registered and kept to, and where the survey departs from it."""
    path = workspace.responses_folder / PREREGISTRATION
    registered = read_preregistration(path)
    if not registered:
        return None
    rows = [row for row in found.questions if row["respondents"]]
    answered: dict[str, list[str]] = {kind.value: [] for kind in QuestionKind}
    for row in rows:
        answered[row["kind"]].append(row["question_id"])
    planned = registered.get("questions") or {}
    expected = {it for kind in ("choice", "select_all") for it in planned.get(kind, ())}
    answers = material.people.answers if material.people else None
    attributes = answers.attributes if answers else {}
    counts = {name: Counter(values) for name, values in attributes.items()}
    orders = found.order.questions if found.order else ()
    departed = deviations(
        registered,
        material.settings,
        answered,
        folder=path.parent,
        questionnaire=given.questionnaire or workspace.questionnaire_file,
        fewest=min((row["respondents"] for row in found.questions), default=None),
        people=None if answers is None else {**counts, "": Counter(answers.respondents)},
        one_order=[it["question_id"] for it in orders if it["answers"] and it["orders"] == 1],
        unknown=[
            rule for rule, name in GOES_BY.items() if answers and not any(attributes.get(name, ()))
        ],
    )
    return {
        "at": registered.get("registered"),
        "sha256": sha256(path),
        "expected": len(expected),
        "held": sum(
            row["question_id"] in expected and row["decision"] is QuestionDecision.KEPT
            for row in rows
        ),
        "deviations": tuple(departed),
    }


def from_files(workspace: Workspace, given: SurveyInput) -> tuple[Material, list[Path]]:
    """Decide by survey files without adding to the ledger; what was found, and the files."""
    settings = workspace.culture.survey
    run = decide_by(workspace, given, settings)
    unsigned = [replace(item, by="", at="") for item in run.added.decisions]
    what = counted(len(unsigned), "decision of this report is", "decisions of this report are")
    note = f"{what} not in the ledger: 'curate filter' with the same files adds them."
    material = material_of(
        workspace,
        run.final,
        settings,
        ledger=tuple(followed([*workspace.decisions, *unsigned], workspace.renamed)),
        people=run.respondents,
        exclusions=run.exclusions,
        notes=(note,) if unsigned else (),
    )
    questions = given.questionnaire or workspace.questionnaire_file
    return material, [*given.files, questions, texts_file(workspace)]


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
        lambda: _write_text(written[0], html(page, drawn)),
        lambda: _write_text(written[1], html(sheet_of(report))),
        lambda: _write_text(written[2], markdown(page, drawn)),
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


def _write_text(path: Path, text: str) -> None:
    write_file(path, text)
