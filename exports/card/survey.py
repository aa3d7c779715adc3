"""What the survey was and what came of it, for the card of a published benchmark."""

from collections.abc import Iterator, Mapping

from curation.files.manifest import MANIFEST
from curation.files.workspace import Workspace
from curation.files.writers import Cell
from curation.records.survey import Option, Question, QuestionKind, Role, Tally, TargetRow, drops
from exports.card.facts import FEW, KindFact, SurveyFact
from survey.bank import FinalBank, renaming_of
from survey.reporting import words
from survey.reporting.data import build
from survey.reporting.records import Material, QuestionDecision, QuestionRow, Report
from survey.reporting.report import from_filter
from survey.rules import counting_options
from survey.settings import decided_with

Survey = tuple[Material, Report]
"""What a report of the survey is made from, and the report."""


def survey_material(workspace: Workspace, final: FinalBank) -> Survey | None:
    """Read the results of the last filter; None if there was no survey.

    Where its manifest is gone, the thresholds are those that the ledger holds.

    Raises:
        CurateError: If a file of the survey cannot be read.
    """
    if not final.tallies:
        return None
    if (workspace.exports_folder / "filter" / MANIFEST).exists():
        material = from_filter(workspace).material
    else:
        decided = dict(decided_with(workspace))
        material = Material(
            culture=workspace.culture,
            settings=workspace.culture.survey.model_copy(update=decided),
            tallies=final.tallies,
            outcomes=final.outcomes,
            modified=final.modified,
            ledger=tuple(workspace.renamed_decisions),
        )
    return material, build(material)


def survey_fact(survey: Survey) -> SurveyFact:
    """What the card says of the survey."""
    _, report = survey
    low, high = report.answers
    kept = [row for row in report.questions if row.decision is QuestionDecision.KEPT]
    return SurveyFact(
        kinds=tuple(
            KindFact(
                name=words.KINDS[line.kind],
                asked=line.asked,
                kept=line.kept,
                dropped={words.RULES[rule]: number for rule, number in line.dropped.items()},
                unanswered=line.unanswered,
            )
            for line in report.question_funnel
        ),
        fewest=low,
        most=high,
        near=len(report.borderline),
        questions=len(report.questions),
        few=sum(row.respondents < FEW for row in kept),
        people=report.respondents,
        exclusions=report.quality,
        # What the report says of numbers that the card does not have is left out.
        method=tuple(pair for pair in words.method(report) if pair[0] not in words.TESTS),
    )


def survey_rows(workspace: Workspace, survey: Survey) -> Iterator[tuple[Cell, ...]]:
    """Yield the results, one row an option, in the order of `survey_columns`.

    Raises:
        CurateError: If counts or standings of groups cannot be read.
    """
    material, report = survey
    targets = renaming_of(workspace).targets(workspace.targets)
    standings = {_key(row): row.role.value for row in targets}
    rows = {row.id: row for row in report.questions}
    for tally in material.tallies:
        row = rows[tally.question.id]
        for option, votes in zip(tally.question.options, tally.votes, strict=True):
            yield (
                *_of_question(tally.question, row),
                *_of_option(option),
                votes,
                tally.respondents,
                _standing(tally, option, votes, standings),
                row.decision.value,
                tuple(f"{item.rule.value}: {item.reason}" for item in drops(row.decisions)),
                row.borderline,
            )


def _of_question(question: Question, row: QuestionRow) -> tuple[Cell, ...]:
    return (question.id, question.kind.value, question.category, row.stereotype, row.templates)


def _of_option(option: Option) -> tuple[Cell, ...]:
    # As respondents read it; that is the groups themselves where nothing else was written.
    text = "" if option.text == option.label else option.text
    return (option.code, option.groups, text, option.role.value, option.counts)


_Key = tuple[str, str, QuestionKind, str, int, int, int, int]


def _key(row: TargetRow) -> _Key:
    of_question = (row.category, row.stereotype, row.kind, row.group)
    return (*of_question, row.votes, row.respondents, row.no_stereotype, row.options)


def _standing(tally: Tally, option: Option, votes: int, standings: Mapping[_Key, str]) -> str:
    """Find the standing of a group; the same stereotype may be asked with other options."""
    question = tally.question
    if question.kind is QuestionKind.COMPREHENSION or option.role is Role.NONE:
        return ""
    of_question = (question.category, question.stereotype, question.kind, option.label)
    counts = (votes, tally.respondents, tally.votes_of(Role.NONE), counting_options(tally))
    return standings.get((*of_question, *counts), "")
