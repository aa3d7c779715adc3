"""`curate survey report`: what the survey found, as a page, a text and tables."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import click

from curation.cli.common import json_option, print_json, workspace_option
from curation.cli.filter_input import SurveyInput
from curation.cli.filter_run import (
    FilterRun,
    exclusion_rows,
    plain_settings,
    run_filter,
)
from curation.cli.final import TALLIES, load_final, manifest_inputs
from curation.cli.survey_options import survey_input_options
from curation.io.atomic import atomic_text
from curation.io.ledger import followed
from curation.io.manifest import MANIFEST, Manifest, read_manifest, write_manifest
from curation.io.tables import read_table, refuse_problems, sha256
from curation.io.workspace import Workspace
from curation.model.culture import SurveySettings
from curation.model.errors import CurateError
from curation.model.survey import Tally
from survey.quality import flag
from survey.questionnaire import GroupBook, read_questionnaire
from survey.report.data import build
from survey.report.markdown import markdown
from survey.report.people import counts_agree
from survey.report.records import ExclusionLine, Material, People, Report
from survey.report.sections import summary
from survey.report.tables import Table, tables, text, write_tables
from survey.responses import read_answers


@dataclass(frozen=True, slots=True)
class Loaded:
    """What a report is made from, and the files that it comes from."""

    material: Material
    files: tuple[Path, ...]


@click.command("report")
@workspace_option
@survey_input_options(required=False)
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder to write to [default: exports/survey of the workspace].",
)
@json_option
def command(
    workspace: Workspace,
    surveys: tuple[Path, ...],
    comprehension: tuple[Path, ...],
    mappings: tuple[Path, ...],
    questionnaire: Path | None,
    out: Path | None,
    as_json: bool,
) -> None:
    """Report what the survey found, and how sure it is.

    Writes report.html (one page that needs no network), report.md, report.xlsx and tables in
    CSV: every question with its votes, interval, exact test and ruling; who answered, who was
    left out and what turns on it; what other thresholds would leave; the method in words.

    Without --survey it tells what the last 'curate filter' left in the workspace. With it, the
    files are read by the thresholds of culture.yaml and nothing is added to the ledger.

    \b
    Example: curate survey report
             curate survey report --survey responses/responses.csv --out /tmp/report
    """  # noqa: D301  # \b keeps click from wrapping the example
    given = SurveyInput(surveys, comprehension, mappings, questionnaire)
    if not surveys and (comprehension or mappings or questionnaire):
        raise click.UsageError("--comprehension, --mapping and --questionnaire go with --survey")
    loaded = from_files(workspace, given) if surveys else from_filter(workspace)
    report = build(loaded.material)
    folder = out or workspace.exports_folder / "survey"
    written = write_report(workspace, folder, report, loaded.files)
    if as_json:
        print_json(as_dict(report, folder, written))
        return
    click.echo(summary(report))
    for note in report.notes:
        click.echo(f"Note: {note}", err=True)
    click.echo(f"Wrote {', '.join(path.name for path in written)} to {folder}.")


def from_files(workspace: Workspace, given: SurveyInput) -> Loaded:
    """Rule on survey files without adding to the ledger."""
    settings = workspace.culture.survey
    run = run_filter(workspace, given, settings)
    unsigned = [replace(ruling, by="", at="") for ruling in run.added.decisions]
    notes = [_unsaved(len(unsigned))] if unsigned else []
    files = [*given.files, given.questionnaire or workspace.questionnaire_file]
    material = Material(
        culture=workspace.culture,
        settings=settings,
        tallies=run.final.tallies,
        outcomes=run.final.outcomes,
        modified=run.final.modified,
        ledger=tuple(followed([*workspace.decisions, *unsigned], workspace.renamed)),
        people=_people_of(run),
        exclusions=tuple(_exclusions_of(run)),
        notes=tuple(notes),
    )
    return Loaded(material, tuple(files))


def _unsaved(count: int) -> str:
    what = "1 ruling of this report is" if count == 1 else f"{count} rulings of this report are"
    return f"{what} not in the ledger: 'curate filter' with the same files adds them."


def _people_of(run: FilterRun) -> People | None:
    if run.respondents is None:
        return None
    return People(run.respondents.answers, run.respondents.flagged)


def _exclusions_of(run: FilterRun) -> Iterator[ExclusionLine]:
    for rule, respondent, question, _, excluded in exclusion_rows(run):
        yield ExclusionLine(rule, respondent, question, excluded == "true")


def from_filter(workspace: Workspace) -> Loaded:
    """Take what the last filter left in the workspace.

    Raises:
        CurateError: If nothing has been filtered yet.
    """
    folder = workspace.exports_folder / "filter"
    manifest = _last_filter(workspace, folder)
    settings = _settings(workspace.culture.survey, manifest, folder)
    final = load_final(workspace)
    notes = [*_changed(workspace, manifest)]
    exclusions: tuple[ExclusionLine, ...] = ()
    people = None
    if "exclusions.csv" in manifest.files:
        exclusions = tuple(_read_exclusions(folder / "exclusions.csv"))
        people, problem = _people(workspace, settings, final.tallies)
        notes += [problem] * bool(problem)
    material = Material(
        culture=workspace.culture,
        settings=settings,
        tallies=final.tallies,
        outcomes=final.outcomes,
        modified=final.modified,
        ledger=tuple(workspace.rulings),
        people=people,
        exclusions=exclusions,
        notes=tuple(notes),
    )
    answers = [workspace.responses_folder / name for name in ("responses.csv", "respondents.csv")]
    files = [folder / MANIFEST, folder / "exclusions.csv", *(answers if people else [])]
    return Loaded(material, tuple(files))


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


def _settings(culture: SurveySettings, manifest: Manifest, folder: Path) -> SurveySettings:
    """Give the settings of the last filter; margins are the culture's, for it has no others."""
    stated = manifest.settings.get("survey")
    if not isinstance(stated, dict):
        raise CurateError(
            "the manifest of the last filter holds no thresholds",
            str(folder / MANIFEST),
            "run 'curate filter' again",
        )
    known = {key: value for key, value in stated.items() if key != "margins"}
    try:
        return SurveySettings.model_validate({**known, "margins": culture.margins})
    except ValueError as error:
        raise CurateError(
            "the manifest of the last filter holds thresholds that this version does not know",
            str(folder / MANIFEST),
            "run 'curate filter' again",
        ) from error


def _changed(workspace: Workspace, manifest: Manifest) -> Iterator[str]:
    """Tell which of the files that the last filter read have changed since."""
    for name, record in manifest.inputs.items():
        path = workspace.root / name
        if path.is_file() and sha256(path) != record.sha256:
            yield (
                f"{name} has changed since the last 'curate filter': run it again, so that counts "
                "and rulings are of one state."
            )


def _read_exclusions(path: Path) -> Iterator[ExclusionLine]:
    table = read_table(path, required=("rule", "respondent_id", "question_id", "excluded"))
    refuse_problems(table)
    for row in table.rows:
        yield ExclusionLine(
            row["rule"], row["respondent_id"], row["question_id"], row["excluded"] == "true"
        )


def _people(
    workspace: Workspace, settings: SurveySettings, tallies: tuple[Tally, ...]
) -> tuple[People | None, str]:
    """Read the answers if they are those that the counts come from; else tell why not."""
    path = workspace.responses_folder / "responses.csv"
    unknown = "Respondents, weights and what each rule of quality turns are not reported: "
    if not path.exists() or not workspace.questionnaire_file.exists():
        return None, f"{unknown}the answers that the last filter read are not in the workspace."
    try:
        questions = read_questionnaire(
            workspace.questionnaire_file, GroupBook(workspace.groups, workspace.culture)
        )
        answers = read_answers(path, questions)
    except CurateError as error:
        return None, f"{unknown}{error.what} ({error.where})."
    people = People(answers, flag(answers, settings))
    if not counts_agree(people, settings, tallies):
        return None, f"{unknown}responses/responses.csv gives other counts than the last filter's."
    return people, ""


def write_report(
    workspace: Workspace, folder: Path, report: Report, files: tuple[Path, ...]
) -> list[Path]:
    """Write all forms of a report, and the manifest.

    Args:
        workspace: The workspace.
        folder: The folder.
        report: The report.
        files: The files beside the workspace's own that it was made from.

    Raises:
        CurateError: If something cannot be written.
    """
    # Others ask this module what a survey was, and need neither pages nor workbooks for it.
    from survey.report.html import page
    from survey.report.workbook import write_workbook

    found = tables(report)
    written = [folder / name for name in ("report.html", "report.md", "report.xlsx")]
    for path, content in zip(written, (page(report), markdown(report)), strict=False):
        with atomic_text(path) as stream:
            stream.write(content)
    write_workbook(written[2], found)
    written += write_tables(folder, found)
    own = (
        workspace.culture_file,
        workspace.bank_file,
        workspace.groups_file,
        workspace.ledger_file,
        workspace.responses_folder / TALLIES,
    )
    settings = {
        "culture": report.culture.culture,
        "version": report.culture.version,
        "survey": plain_settings(report.settings),
    }
    counts = {table.name: len(table.rows) for table in found}
    write_manifest(folder, manifest_inputs(workspace, (*own, *files)), counts, settings, written)
    return written


def as_dict(report: Report, folder: Path, written: list[Path]) -> dict[str, object]:
    """Give a report as `--json` prints it."""
    rows = {table.name: _records(table) for table in tables(report)}
    return {
        "folder": str(folder),
        "files": [path.name for path in written],
        "summary": summary(report),
        "settings": plain_settings(report.settings),
        "notes": list(report.notes),
        **rows,
    }


def _records(table: Table) -> list[dict[str, object]]:
    return [
        {
            name: float(text(value)) if isinstance(value, float) else value
            for name, value in zip(table.columns, row, strict=True)
        }
        for row in table.rows
    ]
