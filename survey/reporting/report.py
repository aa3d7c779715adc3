"""A report of the survey: made from survey files, or from what the last filter left."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from curation.bank.generate import expand, is_open, prepare
from curation.files.atomic import atomic_text
from curation.files.codec import followed
from curation.files.lock import writing
from curation.files.manifest import MANIFEST, Manifest, read_manifest, staged_results
from curation.files.tables import read_table, refuse_problems, sha256
from curation.files.workspace import Workspace
from curation.languages import LanguageOrCode
from curation.records.bank import ContextType, QuestionType, Template, Texts, Variant
from curation.records.culture import SurveySettings
from curation.records.messages import CurateError, Progress, counted, silent, watched
from curation.records.survey import Tally
from survey.attributes import RESPONDENTS
from survey.bank import (
    TALLIES,
    FinalBank,
    decided_settings,
    final_bank,
    manifest_inputs,
    plain_settings,
)
from survey.building.plan import FILE as PREREGISTRATION
from survey.building.plan import deviations, read_preregistration
from survey.filtering import EXCLUSION_COLUMNS, FOLDER, counted_answers, decide_by
from survey.quality import GOES_BY, effects, flag
from survey.questionnaire import read_questionnaire
from survey.readers.normalise import read_answers
from survey.reporting.data import build, counts_agree
from survey.reporting.records import Material, Report, Worded
from survey.reporting.sections import SHEET, page_of, sheet_of
from survey.reporting.tables import Table, tables, write_tables
from survey.survey_files import Respondents as People
from survey.survey_files import SurveyInput, survey_input

if TYPE_CHECKING:
    import pandas as pd


TEXTS_FILE = "texts.csv"
"""The file of the forms that holds every question as respondents read it."""


def texts_file(workspace: Workspace) -> Path:
    """Where the questions stand as respondents read them."""
    return workspace.responses_folder / "forms" / TEXTS_FILE


def texts_as_asked(workspace: Workspace) -> Mapping[str, str]:
    """By question id its text as respondents read it; nothing where no form was built here.

    Raises:
        CurateError: If the file cannot be read.
    """
    path = texts_file(workspace)
    if not path.exists():
        return {}
    table = read_table(path, required=("question_id", "text"))
    return {row["question_id"]: row["text"] for row in table.rows}


def items_of(workspace: Workspace, templates: Sequence[Template]) -> Mapping[str, Worded]:
    """By template id the template in both languages, filled once.

    Args:
        workspace: For the languages and the unknown expression.
        templates: The templates, with surveyed groups where they have them.
    """
    culture = workspace.culture
    own, source = culture.language, culture.source_language
    found = {}
    for template in templates:
        variant = next((one for one in template.variants if one.letter.is_biased), template.first)
        worded = {
            "": _wording(variant, variant.texts, workspace.language, own),
            "_source": _wording(variant, variant.source_texts, source, source),
        }
        found[str(template.id)] = {ending: part for ending, part in worded.items() if part}
    return found


def _wording(
    variant: Variant, texts: Texts, language: LanguageOrCode, code: str
) -> Mapping[str, str]:
    """One wording, filled with the first filling; with its slots where it cannot be filled."""
    if not texts.has_body:
        return {}
    slots = ""
    try:
        samples = expand(prepare(variant, language, texts), "", {}, [1])
        sample = next(
            one
            for one in samples
            if one.context_type == ContextType.DISAMBIGUATED
            and one.question_type == QuestionType.BIASED
        )
        context, question, answer = sample.context, sample.question, sample.choices[0]
    except CurateError:
        contexts = filter(None, (texts.ambiguous_context, texts.disambiguating_context))
        context, question, answer = " ".join(contexts), texts.biased_question, texts.biased_answer
        slots = ", with its slots"
        with suppress(CurateError):  # unreadable lists are a fault of the bank, told there
            slots = ", groups left open" if is_open(texts) else slots
    return {
        "language": code,
        "stereotype": texts.stereotype,
        "context": context,
        "question": question,
        "answer": answer,
        "slots": slots,
    }


_ANALYSIS = "Steps of the analysis"


@dataclass(frozen=True, slots=True)
class SurveyReport:
    """A report of the survey.

    Attributes:
        report: What it says.
        tables: The same as tables, by name.
        folder: Where it was written.
        files: What was written; none with `dry_run`.
    """

    report: Report
    tables: tuple[Table, ...]
    folder: Path
    files: tuple[Path, ...]

    def to_frame(self, table: str = "questions") -> "pd.DataFrame":
        """One of its tables, which has the columns of the file of that name.

        All columns are of dtype `object`: texts, tuples of texts, numbers, and None where there
        is no number.

        Args:
            table: Its name.
        """
        import pandas as pd

        found = next(item for item in self.tables if item.name == table)
        return pd.DataFrame(list(found.rows), columns=list(found.columns), dtype=object)


def report(
    workspace: Workspace,
    surveys: Sequence[Path | str] = (),
    *,
    comprehension: Sequence[Path | str] = (),
    mappings: Sequence[Path | str] = (),
    questionnaire: Path | str | None = None,
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
        out: The folder to write to; `exports/survey` of the workspace by default.
        dry_run: Whether to write nothing.
        progress: Told how far the survey is analysed, and how many parts of the report are written.

    Raises:
        CurateError: If nothing has been filtered yet, or a file cannot be read or written.
    """
    given = survey_input(surveys, comprehension, mappings, questionnaire)
    progress(_ANALYSIS, 0, 3)
    material, files = from_files(workspace, given) if given.surveys else from_filter(workspace)
    material = _compared(workspace, material, given)
    progress(_ANALYSIS, 1, 3)
    found = build(material)
    progress(_ANALYSIS, 2, 3)
    folder = out or workspace.exports_folder / "survey"
    parts = tuple(tables(found))
    progress(_ANALYSIS, 3, 3)
    if dry_run:
        return SurveyReport(found, parts, folder, ())
    own = (
        workspace.culture_file,
        workspace.bank_file,
        workspace.groups_file,
        workspace.ledger_file,
        workspace.responses_folder / TALLIES,
        workspace.responses_folder / PREREGISTRATION,
    )
    settings = {
        "culture": found.culture.culture,
        "version": found.culture.version,
        "survey": plain_settings(found.settings),
    }
    counts = {table.name: len(table.rows) for table in parts}
    with writing(workspace, "curate survey report", to=folder):
        inputs = manifest_inputs(workspace, (*own, *files))
        with staged_results(folder, inputs, counts, settings) as stage:
            made = _write(stage, found, parts, progress)
            written = [folder / path.relative_to(stage) for path in made]
    return SurveyReport(found, parts, folder, tuple(written))


def material_of(
    workspace: Workspace, final: FinalBank, settings: SurveySettings, **more: Any
) -> Material:
    """What a report is made from, of a final bank and the settings that it was decided by."""
    known: dict[str, Any] = {
        "ledger": tuple(workspace.renamed_decisions),
        "asked": texts_as_asked(workspace),
        "items": items_of(workspace, final.every),
    }
    return Material(
        culture=workspace.culture,
        book=workspace.book,
        settings=settings,
        tallies=final.tallies,
        outcomes=final.outcomes,
        modified=final.modified,
        **known | more,
    )


def _compared(workspace: Workspace, material: Material, given: SurveyInput) -> Material:
    """The material with where it departs from what was registered."""
    registered = read_preregistration(workspace.responses_folder / PREREGISTRATION)
    if not registered:
        return material
    people, fewest = material.people, (tally.respondents for tally in material.tallies)
    known = (
        {name for name, values in people.answers.attributes.items() if any(values)}
        if people
        else ()
    )
    found = deviations(
        registered,
        material.settings,
        questionnaire=given.questionnaire or workspace.questionnaire_file,
        respondents=len(people.answers.respondents) if people else None,
        fewest=min(fewest, default=None),
        unknown=[rule for rule, name in GOES_BY.items() if people and name not in known],
    )
    return replace(material, deviations=tuple(found))


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


def from_filter(workspace: Workspace) -> tuple[Material, list[Path]]:
    """Take what the last filter left in the workspace, with the files that hold it.

    Raises:
        CurateError: If nothing has been filtered yet.
    """
    folder = workspace.exports_folder / FOLDER
    manifest = _last_filter(workspace, folder)
    settings = decided_settings(workspace)
    final = final_bank(workspace)
    notes = [*_changed(workspace, manifest)]
    files = [folder / MANIFEST, folder / "exclusions.csv"]
    known: dict[str, Any] = {}
    if "exclusions.csv" in manifest.files:
        people, problem = _people(workspace, settings, final.tallies)
        known = {"people": people, "exclusions": _read_exclusions(files[1])}
        notes += [problem] * bool(problem)
        answers = counted_answers(workspace)
        files += [answers, answers.with_name(RESPONDENTS)] if people else []
    material = material_of(workspace, final, settings, notes=tuple(notes), **known)
    return material, [*files, texts_file(workspace)]


def _last_filter(workspace: Workspace, folder: Path) -> Manifest:
    tallies = workspace.responses_folder / TALLIES
    for needed in (tallies, folder / MANIFEST):
        if not needed.exists():
            raise CurateError(
                "nothing has been filtered yet, so there is nothing to report",
                str(needed),
                "run 'curate filter --survey FILE' first, or name the survey here: --survey FILE",
            )
    return read_manifest(folder)


def _changed(workspace: Workspace, manifest: Manifest) -> Iterator[str]:
    """Tell which of the files that the last filter read have changed since."""
    for name, record in manifest.inputs.items():
        path = workspace.root / name
        if path.is_file() and sha256(path) != record.sha256:
            yield (
                f"{name} has changed since the last 'curate filter': run it again, so that counts "
                "and decisions are of one state."
            )


def _read_exclusions(path: Path) -> list[tuple[str, ...]]:
    table = read_table(path, required=EXCLUSION_COLUMNS, escaped=True)
    refuse_problems(table)
    return [tuple(row[name] for name in EXCLUSION_COLUMNS) for row in table.rows]


def _people(
    workspace: Workspace, settings: SurveySettings, tallies: tuple[Tally, ...]
) -> tuple[People | None, str]:
    """Read the answers if they are those that the counts come from; else tell why not."""
    path = counted_answers(workspace)
    if not workspace.questionnaire_file.exists():
        problem = (
            f"there is no {workspace.shown(workspace.questionnaire_file)} to read the answers by. "
            "Run 'curate survey report --survey FILE --questionnaire FILE' with the survey's files."
        )
    elif not path.exists():
        problem = (
            "the answers that the last filter read are not in the workspace. Run 'curate filter "
            "--survey FILE' with the survey's files again, which keeps them."
        )
    else:
        try:
            questions = read_questionnaire(workspace.questionnaire_file, workspace.book)
            answers = read_answers(path, questions)
        except CurateError as error:
            problem = f"{error.what} ({error.where})."
        else:
            flagged = flag(answers, settings)
            if counts_agree(answers, flagged, settings, tallies):
                turned = effects(answers, flagged, settings.exclude, settings)
                return People(answers, flagged, (), tuple(turned)), ""
            problem = (
                f"{workspace.shown(path)} gives counts that differ from the last filter's. Run "
                "'curate filter' again with the survey's files."
            )
    what = "Respondents, weights and what each quality check turns are not reported"
    return None, f"{what}: {problem}"


def _write(folder: Path, report: Report, found: Sequence[Table], progress: Progress) -> list[Path]:
    """Write all forms of a report.

    Args:
        folder: The folder.
        report: The report.
        found: Its tables.
        progress: Told how many parts are written.

    Raises:
        CurateError: If something cannot be written.
    """
    # Others ask this module what a survey was, and need neither pages nor workbooks for it.
    from curation.report.page import html, markdown
    from survey.reporting.sections import pictures
    from survey.reporting.tables import write_workbook

    written = [folder / name for name in ("report.html", SHEET, "report.md", "report.xlsx")]
    page, drawn = page_of(report), list(pictures(report))
    parts: list[Callable[[], object]] = [
        lambda: _write_text(written[0], html(page, drawn)),
        lambda: _write_text(written[1], html(sheet_of(report))),
        lambda: _write_text(written[2], markdown(page, drawn)),
        lambda: write_workbook(written[3], found),
        lambda: written.extend(it for one in drawn for it in one.save(folder / "pictures")),
        lambda: written.extend(write_tables(folder, found)),
    ]
    for part in watched(parts, "Parts of the report written", progress):
        part()
    return written


def _write_text(path: Path, text: str) -> None:
    with atomic_text(path) as stream:
        stream.write(text)
