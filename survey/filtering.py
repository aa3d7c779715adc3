"""The filter: survey files and thresholds to decisions, and the bank with its surveyed groups."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from curation import __version__
from curation.bank.status import NOT_USED, OUT_BEFORE, Status
from curation.files.bank import write_bank
from curation.files.codec import DECISIONS, TARGETS, followed, now
from curation.files.lock import writing
from curation.files.manifest import MANIFEST, named_inputs, read_manifest, staged_results
from curation.files.tables import sha256, write_csv
from curation.files.workspace import Workspace
from curation.records.culture import SurveySettings
from curation.records.messages import Finding, warning
from curation.records.settings import overridden
from curation.records.survey import (
    Additions,
    Decision,
    Outcome,
    Rule,
    Stage,
    Tally,
    TargetRow,
    additions,
    current,
)
from survey.answers import Answers, count_answers, is_normal, write_answers
from survey.attributes import RESPONDENTS
from survey.bank import (
    BANK_DIGEST,
    COUNTED,
    EXCLUSION_COLUMNS,
    FILTERED,
    KEPT,
    RESPONSES,
    FinalBank,
    bank_digest,
    finalize,
    plain_settings,
    refuse_unread,
    unasked_comprehension,
    unused_counts,
)
from survey.certainty import no_stereotype_shares
from survey.counts import merge, write_tallies
from survey.order_effects import OrderEffects, order_effects
from survey.outcomes import (
    STATUS_COLUMNS,
    TemplateOutcome,
    renaming_of,
    rule_drops,
    status_rows,
    stereotype_funnel,
    template_funnel,
    undecided_hint,
)
from survey.quality import Respondents
from survey.readers.frames import refusal, tell
from survey.readers.normalise import read_answers
from survey.rules import Row, decide_survey
from survey.survey_files import (
    PEOPLE_DIGEST,
    SurveyInput,
    SurveyReader,
)

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class FilterRun:
    """The result of one run of the filter.

    Attributes:
        settings: The thresholds.
        tallies: The counts of every question, with the names that the survey used.
        respondents: Data about single respondents; None if only counts were given.
        order: The effect of the order of options; None if only counts were given.
        decisions: Every rule's decision on every question, in the questions' order.
        targets: The role of each group of each question: target, non-target or neither.
        added: The decisions that are added to the ledger.
        final: The status of every template, and the bank with its surveyed groups.
        findings: Findings that a person should check.
        recognised: How the columns of simple tables were understood, one line for each column.
    """

    settings: SurveySettings
    tallies: tuple[Tally, ...]
    respondents: Respondents | None
    order: OrderEffects | None
    decisions: tuple[Decision, ...]
    targets: tuple[TargetRow, ...]
    added: Additions
    final: FinalBank
    findings: tuple[Finding, ...]
    recognised: tuple[str, ...] = ()

    @property
    def outcomes(self) -> tuple[TemplateOutcome, ...]:
        """The status of every template, with the reason."""
        return self.final.outcomes

    @property
    def funnel(self) -> list[Row]:
        """How many templates of each category there were, each rule drops, and are retained."""
        return template_funnel(self.outcomes)

    @property
    def stereotypes(self) -> list[Row]:
        """The same of stereotypes, each retained while one of its templates is."""
        return stereotype_funnel(self.outcomes)

    @property
    def rule_drops(self) -> list[Row]:
        """The part of the questions of each kind, and of their templates, that each rule drops."""
        return list(rule_drops(self.tallies, self.outcomes, current(self.decisions)))

    @property
    def no_stereotype(self) -> list[Row]:
        """How many say that there is no such stereotype, by kind, and by category and kind."""
        return list(no_stereotype_shares(self.tallies, self.settings))

    @property
    def exclusions(self) -> list[tuple[str, ...]]:
        """Every exclusion and flag, in the order of `EXCLUSION_COLUMNS`."""
        people = self.respondents
        if people is None:
            return []
        out: dict[str, str] = dict.fromkeys(self.settings.exclude, "true")
        flagged = ((*item, out.get(item.rule, "false")) for item in people.flagged)
        return [*((*item, "true") for item in people.excluded), *flagged]

    def to_frame(self) -> "pd.DataFrame":
        """The status of each template: the columns of `templates.csv`.

        All are of dtype `object` and hold texts, except for `modified`, which is `bool`.
        """
        return self.final.to_frame()


def filter(
    workspace: Workspace,
    surveys: Sequence[Path | str],
    *,
    comprehension: Sequence[Path | str] = (),
    mappings: Sequence[Path | str] = (),
    questionnaire: Path | str | None = None,
    dry_run: bool = False,
    **thresholds: object,
) -> FilterRun:
    """Decide by the survey which templates are kept, and write the decisions and the final bank.

    Args:
        workspace: The workspace.
        surveys: Files of answers or of counts.
        comprehension: Files of which only the comprehension questions are taken.
        mappings: How received files are read: one for all, or one for each file of answers.
        questionnaire: The questions that were asked; the workspace's by default.
        dry_run: Whether to write nothing.
        **thresholds: Settings of `survey` in `culture.yaml` that hold for this run; None leaves
            one as it is set.

    Raises:
        CurateError: If a file cannot be read or written, two of them contradict each other, or a
            threshold is not possible (`SettingError`).
    """
    given = SurveyInput(surveys, comprehension, mappings, questionnaire)
    with writing(workspace, "curate filter", dry_run=dry_run):
        run = decide_by(workspace, given, overridden(workspace.culture.survey, thresholds))
        if not dry_run:
            _save(workspace, run, given)
    return run


def decide_by(workspace: Workspace, given: SurveyInput, settings: SurveySettings) -> FilterRun:
    """Read the survey and decide, writing nothing.

    Raises:
        CurateError: If a file cannot be read or two of them contradict each other.
    """
    book = workspace.book
    reader = SurveyReader(workspace, book, given, settings)
    counted = reader.counted()
    respondents = reader.respondents()
    findings = list(reader.findings)
    order = None
    if respondents is not None:
        rows = respondents.rows(settings)
        if not rows.any():
            where, count = ", ".join(map(str, given.surveys)), len(respondents.answers.respondents)
            raise refusal("nobody-left", where, count=count)
        tallies, contradictions = count_answers(respondents.answers, rows)
        counted = [*tallies, *counted]
        findings.extend(contradictions)
        order = order_effects(respondents.answers, rows, settings)
    counted = merge(counted)
    templates = list(workspace.bank.templates())
    decisions, targets, said = decide_survey(
        counted, templates, settings, book, renaming_of(workspace)
    )
    added, final = _added(workspace, counted, decisions, targets)
    return FilterRun(
        settings=settings,
        tallies=tuple(counted),
        respondents=respondents,
        order=order,
        decisions=decisions,
        targets=targets,
        added=added,
        final=final,
        findings=(
            *findings,
            *said,
            *_unsurveyed(final, workspace),
            *_linked_by_id(final, workspace),
            *unasked_comprehension(workspace, final),
            *final.findings,
            *(reader.order_findings(respondents.answers) if respondents else ()),
        ),
        recognised=tuple(reader.recognised),
    )


def _added(
    workspace: Workspace,
    tallies: Sequence[Tally],
    decisions: Sequence[Decision],
    targets: Sequence[TargetRow],
) -> tuple[Additions, FinalBank]:
    """What the ledger gains, the decisions on templates that the survey modifies included."""
    by = f"curate {__version__}"
    before = followed(workspace.decisions, workspace.renamed)
    decisions = [*decisions, *_not_applied(before, followed(decisions, workspace.renamed))]
    first = additions(workspace.decisions, decisions, by, now())
    ledger = followed([*workspace.decisions, *first.decisions], workspace.renamed)
    final = finalize(workspace, tallies, ledger, targets)
    refuse_unread(final)
    second = additions(ledger, _modifications(final, ledger), by, now())
    joined = Additions(
        (*first.decisions, *second.decisions),
        first.changes + second.changes,
        first.unchanged + second.unchanged,
    )
    return joined, final


def _not_applied(ledger: Sequence[Decision], decisions: Sequence[Decision]) -> list[Decision]:
    """Take back what an earlier run decided by what this one does not hold.

    That is a rule that is applied no more to a question, and comprehension that nobody was asked
    about. Questions that the survey does not hold decide nothing: no template is linked to them.

    Args:
        ledger: What was decided before, on the templates' ids of now.
        decisions: What this run decides, on these too.
    """
    surveyed = {item.subject for item in decisions if item.stage is Stage.SURVEY}
    decided = {(item.subject, item.rule) for item in decisions}
    found = []
    for item in current(ledger).values():
        unasked = item.stage is Stage.COMPREHENSION
        of_question = item.stage is Stage.SURVEY and item.subject in surveyed
        if (unasked or of_question) and (item.subject, item.rule) not in decided:
            reason = "not_asked" if unasked else "not_applied"
            found.append(Decision(item.subject, item.stage, item.rule, Outcome.KEEP, reason))
    return found


def _modifications(final: FinalBank, ledger: Sequence[Decision]) -> list[Decision]:
    """Decide on templates whose groups the survey replaced, or no longer replaces."""
    standing = current(ledger)
    decisions = []
    for item in final.outcomes:
        subject = str(item.template.id)
        modified = subject in final.modified
        known = standing.get((subject, Rule.TARGET_SELECTION))
        # A template that has no decision, or that could not take its groups, keeps what it has.
        settled = subject in final.confirmed or item.status in NOT_USED
        taken_back = settled and known is not None and known.outcome is Outcome.MODIFY
        if modified or taken_back:
            decisions.append(
                Decision(
                    subject=subject,
                    stage=Stage.SURVEY,
                    rule=Rule.TARGET_SELECTION,
                    outcome=Outcome.MODIFY if modified else Outcome.KEEP,
                    reason="surveyed_groups" if modified else "stated_groups",
                )
            )
    return decisions


def _unsurveyed(final: FinalBank, workspace: Workspace) -> list[Finding]:
    published = unused_counts(workspace, final.tallies)
    counts = workspace.shown(workspace.published_counts_file)
    bank = workspace.shown(workspace.bank_file)
    return [
        warning(
            "survey-undecided",
            bank,
            f"{item.template.id} ('{item.template.stereotype}') is undecided: {item.reason}",
            undecided_hint(item, counts if str(item.template.id) in published else ""),
            row=item.template.first.row or None,
        )
        for item in final.with_status(Status.UNDECIDED)
    ]


def _linked_by_id(final: FinalBank, workspace: Workspace) -> list[Finding]:
    """Say which templates stand on counts that name them, and are of other groups."""
    bank = workspace.shown(workspace.bank_file)
    return [
        tell(
            "survey-linked-by-id",
            bank,
            item.template.first.row or None,
            "target_groups",
            id=item.template.id,
            groups=" / ".join(option.label for option in item.question.options if option.groups),
        )
        for item in final.outcomes
        if item.question is not None and item.by_id and item.status not in OUT_BEFORE
    ]


def _save(workspace: Workspace, run: FilterRun, given: SurveyInput) -> None:
    """Write ledger, targets, counts and the final bank.

    Raises:
        CurateError: If something cannot be written.
    """
    folder = workspace.exports_folder / FILTERED
    normal = _save_answers(workspace, run, folder) if given.mappings else ""
    TARGETS.write(workspace.targets_file, run.targets)
    write_tallies(workspace.tallies_file, run.tallies, workspace.book)
    DECISIONS.append(workspace.ledger_file, run.added.decisions)
    settings: dict[str, object] = {
        "survey": plain_settings(run.settings),
        BANK_DIGEST: bank_digest(workspace.bank),
    }
    kept = _keep_answers(workspace, run, given)
    if kept:
        settings[KEPT] = kept
    if normal:
        settings[_NORMAL] = normal
        settings[PEOPLE_DIGEST] = sha256(workspace.responses_folder / RESPONDENTS)
    inputs = named_inputs(_inputs(workspace, given), root=workspace.root)
    rows = status_rows(run.outcomes, run.final.modified)
    with staged_results(folder, inputs, run.final.counts, settings) as stage:
        write_bank(stage / "bank.csv", run.final.bank, escaped=True)
        write_csv(stage / "templates.csv", STATUS_COLUMNS, rows, escaped=True)
        if run.respondents is not None:
            write_csv(stage / "exclusions.csv", EXCLUSION_COLUMNS, run.exclusions, escaped=True)


_NORMAL = "responses_sha256"


def _keep_answers(workspace: Workspace, run: FilterRun, given: SurveyInput) -> str:
    """Keep the answers in normal form, for all that tells of respondents afterwards.

    They stand in a folder of their own, which nothing reads as the survey's: what people put into
    `responses/` is never written over. Nothing is kept where `responses/responses.csv` holds all
    of them and no others.

    Returns:
        The hash of what was written; empty where nothing was.
    """
    folder = workspace.responses_folder / COUNTED
    path = workspace.responses_folder / RESPONSES
    alone = [item.resolve() for item in given.surveys] == [path.resolve()]
    there = given.mappings or (alone and not given.comprehension and is_normal(path))
    if run.respondents is None or there:
        for name in (RESPONSES, RESPONDENTS):
            (folder / name).unlink(missing_ok=True)
        return ""
    write_answers(run.respondents.answers, folder / RESPONSES, folder / RESPONDENTS)
    return sha256(folder / RESPONSES)


def _save_answers(workspace: Workspace, run: FilterRun, folder: Path) -> str:
    """Write received answers in normal form, but never over answers that they do not hold."""
    assert run.respondents is not None  # noqa: S101  # a mapping is of answers
    answers = run.respondents.answers
    path = workspace.responses_folder / RESPONSES
    beside = workspace.curate_folder / RESPONSES
    people = RESPONDENTS
    write_answers(answers, beside, beside.with_name(people))
    digest = sha256(beside)
    if path.exists() and sha256(path) != digest:
        manifest = read_manifest(folder) if (folder / MANIFEST).exists() else None
        ours = manifest is not None and manifest.settings.get(_NORMAL) == sha256(path)
        if not ours or not _holds(answers, read_answers(path, answers.questions)):
            raise refusal("answers-unlike", str(path))
    beside.replace(path)
    beside.with_name(people).replace(path.with_name(people))
    return digest


def _holds(answers: Answers, earlier: Answers) -> bool:
    """Whether every answer that was written before is among these."""

    def pairs(part: Answers) -> set[tuple[str, int]]:
        width = len(part.questions)
        keys = np.unique(part.respondent * width + part.question)
        return {(part.respondents[key // width], int(key % width)) for key in keys}

    return pairs(earlier) <= pairs(answers)


def _inputs(workspace: Workspace, given: SurveyInput) -> list[Path]:
    """The files that the decisions come from; published counts need no questionnaire."""
    inputs = [workspace.culture_file, workspace.bank_file, workspace.groups_file, *given.files]
    files = (*given.surveys, *given.comprehension)
    if not all(path.suffix.lower() == ".json" for path in files):
        inputs.append(given.questionnaire or workspace.questionnaire_file)
    return inputs
