"""What the card and the tables of a release say of the survey."""

from collections.abc import Iterator, Mapping
from typing import Any

from curation.files.manifest import MANIFEST
from curation.files.workspace import Workspace
from curation.files.writers import Cell
from curation.records.survey import QuestionKind, Role, drops
from survey.bank import FinalBank
from survey.reporting import records as words
from survey.reporting.data import build
from survey.reporting.records import Material, QuestionDecision, Report
from survey.reporting.report import from_filter, material_of
from survey.rules import target_rows
from survey.settings import decided_settings

RULES, USES = words.RULES, words.USES
"""What rules are called, and what the results must not be used for."""


def surveyed(
    workspace: Workspace, final: FinalBank, few: int
) -> tuple[Mapping[str, Any], list[tuple[Cell, ...]]]:
    """What the card says of the survey, and its results, one row an option.

    Args:
        workspace: The workspace.
        final: Its final bank, which a survey has decided on.
        few: With fewer respondents the interval of a question is wide.

    Raises:
        CurateError: If a file cannot be read.
    """
    material = _material(workspace, final)
    report = build(material)
    return _part(report, few), list(_rows(material, report))


def _material(workspace: Workspace, final: FinalBank) -> Material:
    """What the last filter left; where its manifest is gone, thresholds are the ledger's."""
    if (workspace.exports_folder / "filter" / MANIFEST).exists():
        return from_filter(workspace)[0]
    return material_of(workspace, final, decided_settings(workspace))


def _part(report: Report, few: int) -> Mapping[str, Any]:
    """What the card says of the survey.

    The `kinds` of questions, the fewest and the most respondents of one, how many questions there
    are, how many of them are `near` a threshold or were kept with `few` respondents, the `people`,
    the `exclusions`, and the `method` as headings with texts.
    """
    fewest, most = report.answers
    kept = [row for row in report.questions if row.decision is QuestionDecision.KEPT]
    return {
        "kinds": [
            {
                **{name: getattr(line, name) for name in ("asked", "kept", "unanswered")},
                "name": words.KINDS[line.kind],
                "dropped": {words.RULES[rule]: number for rule, number in line.dropped.items()},
            }
            for line in report.question_funnel
        ],
        "fewest": fewest,
        "most": most,
        "near": len(report.borderline),
        "questions": len(report.questions),
        "few": sum(row.respondents < few for row in kept),
        "people": report.respondents,
        "exclusions": report.quality,
        # What the report says of numbers that the card does not have is left out.
        "method": [pair for pair in words.method(report) if pair[0] not in words.TESTS],
    }


def _rows(material: Material, report: Report) -> Iterator[tuple[Cell, ...]]:
    """Yield the results, one row an option, in the order of `survey_columns`."""
    for tally, row in zip(material.tallies, report.questions, strict=True):
        question = tally.question
        selects = question.kind is not QuestionKind.COMPREHENSION and tally.respondents
        standing = iter(target_rows(tally, material.settings) if selects else ())
        for option, votes in zip(question.options, tally.votes, strict=True):
            stands = None if option.role is Role.NONE else next(standing, None)
            yield (
                *(question.id, question.kind.value, question.category, row.stereotype),
                *(row.templates, option.code, option.groups),
                # As respondents read it; that is the groups where nothing else was written.
                "" if option.text == option.label else option.text,
                *(option.role.value, option.counts, votes, tally.respondents),
                stands.role.value if stands else "",
                row.decision.value,
                tuple(f"{item.rule.value}: {item.reason}" for item in drops(row.decisions)),
                row.borderline,
            )
