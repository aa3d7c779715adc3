"""One run of the filter: read the survey, rule, and write what follows."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from curation import __version__
from curation.cli.clock import now
from curation.cli.filter_input import Respondents, SurveyInput, SurveyReader, holds_counts
from curation.cli.final import TALLIES, Final, finalize, manifest_inputs, renaming_of
from curation.io.bank import write_bank
from curation.io.ledger import append_decisions, followed, write_targets
from curation.io.manifest import MANIFEST, read_manifest, write_manifest
from curation.io.tables import read_table, sha256, write_csv
from curation.io.workspace import Workspace
from curation.model.culture import SurveySettings
from curation.model.errors import CurateError
from curation.model.findings import Finding, Severity
from curation.model.survey import (
    Decision,
    Outcome,
    Rule,
    Stage,
    Tally,
    TargetRow,
)
from survey.answers import Answers, write_answers
from survey.comparison import kept_rows
from survey.counting import count_answers
from survey.filtering import rule_on
from survey.ledger import Additions, additions, current
from survey.outcome import STATUS_COLUMNS, Status, status_rows, undecided_hint
from survey.questionnaire import GroupBook
from survey.responses import read_answers
from survey.tallies import merge, write_tallies

EXCLUSION_COLUMNS = ("rule", "respondent_id", "question_id", "detail", "excluded")
"""The columns of `exclusions.csv`."""


@dataclass(frozen=True, slots=True)
class FilterRun:
    """What one run of the filter found; nothing is written yet."""

    settings: SurveySettings
    tallies: tuple[Tally, ...]
    respondents: Respondents | None
    rulings: tuple[Decision, ...]
    targets: tuple[TargetRow, ...]
    added: Additions
    final: Final
    findings: tuple[Finding, ...]


def run_filter(workspace: Workspace, given: SurveyInput, settings: SurveySettings) -> FilterRun:
    """Read the survey and rule, writing nothing.

    Raises:
        CurateError: If a file cannot be read or two of them contradict each other.
    """
    book = GroupBook(workspace.groups, workspace.culture)
    reader = SurveyReader(workspace, book, given, settings)
    counted = reader.counted()
    respondents = reader.respondents()
    findings = list(reader.findings)
    if respondents is not None:
        rows = kept_rows(respondents.answers, respondents.flagged, settings.exclude)
        if not rows.any():
            raise CurateError(
                f"nobody of {len(respondents.answers.respondents)} respondents is left",
                ", ".join(str(path) for path in given.surveys),
                "look at the mapping, or leave out fewer: --exclude RULE,... or --exclude none",
            )
        tallies, contradictions = count_answers(respondents.answers, rows)
        counted = [*tallies, *counted]
        findings.extend(contradictions)
    counted = merge(counted)
    templates = list(workspace.bank.templates())
    rulings = rule_on(counted, templates, settings, book, renaming_of(workspace))
    added, final = _added(workspace, counted, rulings.decisions, rulings.targets)
    return FilterRun(
        settings=settings,
        tallies=tuple(counted),
        respondents=respondents,
        rulings=rulings.decisions,
        targets=rulings.targets,
        added=added,
        final=final,
        findings=(
            *findings,
            *rulings.findings,
            *_unsurveyed(final, workspace),
            *final.findings,
        ),
    )


def _added(
    workspace: Workspace,
    tallies: Sequence[Tally],
    decisions: Sequence[Decision],
    targets: Sequence[TargetRow],
) -> tuple[Additions, Final]:
    """Find what the ledger gains, the rulings on templates that the survey modifies included."""
    by = f"curate {__version__}"
    first = additions(workspace.decisions, decisions, by, now())
    ledger = followed([*workspace.decisions, *first.decisions], workspace.renamed)
    final = finalize(workspace, tallies, ledger, targets)
    second = additions(ledger, _modifications(final, ledger), by, now())
    joined = Additions(
        (*first.decisions, *second.decisions),
        first.changes + second.changes,
        first.unchanged + second.unchanged,
    )
    return joined, final


def _modifications(final: Final, ledger: Sequence[Decision]) -> list[Decision]:
    """Rule on templates whose groups the survey replaced, or no longer replaces."""
    standing = current(ledger)
    rulings = []
    for item in final.outcomes:
        subject = str(item.template.id)
        modified = subject in final.modified
        known = standing.get((subject, Rule.TARGET_SELECTION))
        # A template that nobody ruled on, or that could not take its groups, keeps its ruling.
        settled = subject in final.confirmed or item.status is Status.DROPPED
        taken_back = settled and known is not None and known.outcome is Outcome.MODIFY
        if modified or taken_back:
            rulings.append(
                Decision(
                    subject=subject,
                    stage=Stage.SURVEY,
                    rule=Rule.TARGET_SELECTION,
                    outcome=Outcome.MODIFY if modified else Outcome.KEEP,
                    reason="surveyed_groups" if modified else "stated_groups",
                )
            )
    return rulings


def _unsurveyed(final: Final, workspace: Workspace) -> list[Finding]:
    bank = workspace.shown(workspace.bank_file)
    return [
        Finding(
            "survey-undecided",
            Severity.WARNING,
            bank,
            item.template.first.row or None,
            "",
            f"{item.template.id} ('{item.template.stereotype}') is undecided: {item.reason}",
            undecided_hint(item),
        )
        for item in final.with_status(Status.UNDECIDED)
    ]


def save(workspace: Workspace, run: FilterRun, given: SurveyInput) -> None:
    """Write ledger, targets, counts and the final bank.

    Raises:
        CurateError: If something cannot be written.
    """
    folder = workspace.exports_folder / "filter"
    normal = _save_answers(workspace, run, folder) if given.mappings else ""
    write_targets(workspace.targets_file, run.targets)
    write_tallies(workspace.responses_folder / TALLIES, run.tallies)
    append_decisions(workspace.ledger_file, run.added.decisions)
    files = [folder / name for name in ("bank.csv", "templates.csv")]
    write_bank(files[0], run.final.bank)
    write_csv(files[1], STATUS_COLUMNS, status_rows(run.final.outcomes, run.final.modified))
    if run.respondents is not None:
        files.append(folder / "exclusions.csv")
        write_csv(files[-1], EXCLUSION_COLUMNS, exclusion_rows(run))
    settings: dict[str, object] = {"survey": plain_settings(run.settings)}
    if normal:
        settings[_NORMAL] = normal
    write_manifest(
        folder,
        inputs=manifest_inputs(workspace, _inputs(workspace, given)),
        counts={status.value: len(run.final.with_status(status)) for status in Status},
        settings=settings,
        files=files,
    )


_NORMAL = "responses_sha256"


def _save_answers(workspace: Workspace, run: FilterRun, folder: Path) -> str:
    """Write received answers in normal form, but never over answers that they do not hold."""
    assert run.respondents is not None  # noqa: S101  # a mapping is of answers
    answers = run.respondents.answers
    path = workspace.responses_folder / "responses.csv"
    beside = workspace.curate_folder / "responses.csv"
    people = "respondents.csv"
    write_answers(answers, beside, beside.with_name(people))
    digest = sha256(beside)
    if path.exists() and sha256(path) != digest:
        manifest = read_manifest(folder) if (folder / MANIFEST).exists() else None
        ours = manifest is not None and manifest.settings.get(_NORMAL) == sha256(path)
        if not ours or not _holds(answers, read_answers(path, answers.questions)):
            raise CurateError(
                "responses.csv holds other answers than these",
                str(path),
                "give all files of the survey in one run, or move responses.csv and "
                "respondents.csv away",
            )
    _refuse_lost_people(path.with_name(people), answers)
    beside.replace(path)
    beside.with_name(people).replace(path.with_name(people))
    return digest


def _holds(answers: Answers, earlier: Answers) -> bool:
    """Say whether every answer that was written before is among these."""

    def pairs(part: Answers) -> set[tuple[str, int]]:
        width = len(part.questions)
        keys = np.unique(part.respondent * width + part.question)
        return {(part.respondents[key // width], int(key % width)) for key in keys}

    return pairs(earlier) <= pairs(answers)


def _refuse_lost_people(path: Path, answers: Answers) -> None:
    """Refuse to write attributes over those of other people."""
    if not path.exists():
        return
    table = read_table(path, required=("respondent_id",))
    known = {row["respondent_id"].strip() for row in table.rows}
    lost = known - set(answers.respondents)
    if lost:
        raise CurateError(
            f"respondents.csv has {len(lost)} respondents whom these answers lack, "
            f"{min(lost)} among them",
            str(path),
            "move it away together with the answers that it belongs to",
        )


def exclusion_rows(run: FilterRun) -> list[tuple[str, ...]]:
    """Give every exclusion and flag, in the order of `EXCLUSION_COLUMNS`."""
    if run.respondents is None:
        return []
    read = [(item, "true") for item in run.respondents.excluded]
    flagged = [
        (item, "true" if item.rule in run.settings.exclude else "false")
        for item in run.respondents.flagged.exclusions
    ]
    return [
        (item.rule, item.respondent, item.question_id, item.detail, applied)
        for item, applied in (*read, *flagged)
    ]


def _inputs(workspace: Workspace, given: SurveyInput) -> list[Path]:
    """Give the files that the rulings come from; counts need no questionnaire."""
    inputs = [workspace.culture_file, workspace.bank_file, workspace.groups_file, *given.files]
    if not all(holds_counts(path) for path in (*given.surveys, *given.comprehension)):
        inputs.append(given.questionnaire or workspace.questionnaire_file)
    return inputs


def plain_settings(settings: SurveySettings) -> dict[str, object]:
    """Give the thresholds as text, fractions as they are written, and margins by attribute."""
    return {key: _plain(value) for key, value in settings.model_dump().items() if value != {}}


def _plain(value: object) -> object:
    if isinstance(value, dict):
        return {name: _plain(inner) for name, inner in value.items()}
    return list(value) if isinstance(value, tuple) else str(value)
