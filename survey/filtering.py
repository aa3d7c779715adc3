"""From counts to rulings: the whole of `curate filter` that touches no file."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from curation.model.bank import Label, Template
from curation.model.culture import SurveySettings
from curation.model.errors import CurateError
from curation.model.findings import Finding, Severity
from curation.model.survey import (
    Decision,
    Question,
    QuestionKind,
    Role,
    Rule,
    Standing,
    Tally,
    TargetRow,
)
from survey.ledger import DROPPING_ORDER, drops
from survey.matching import unasked_questions
from survey.outcome import Status, TemplateOutcome
from survey.questionnaire import GroupBook
from survey.renaming import Renaming
from survey.rules import counting_options, decide, target_rows

_FEW = 30


@dataclass(frozen=True, slots=True)
class Rulings:
    """What the survey rules.

    Attributes:
        decisions: Every rule's ruling on every question, in the questions' order.
        targets: Where each group of each question stands.
        findings: What is to be said of the survey itself.
    """

    decisions: tuple[Decision, ...]
    targets: tuple[TargetRow, ...]
    findings: tuple[Finding, ...]


def rule_on(
    tallies: Sequence[Tally],
    templates: Sequence[Template],
    settings: SurveySettings,
    book: GroupBook,
    renaming: Renaming | None = None,
) -> Rulings:
    """Apply every rule to every question.

    Args:
        tallies: The counts, one of each question.
        templates: The bank's templates.
        settings: The thresholds.
        book: The workspace's groups.
        renaming: What puts the survey's names right for the templates.

    Raises:
        CurateError: If a question of target selection has no option that counts, or a
            question has the id of a template.
    """
    _refuse_shared_ids(tallies, templates)
    decisions = tuple(ruling for tally in tallies for ruling in decide(tally, settings))
    targets = tuple(
        row
        for tally in tallies
        if tally.question.kind is not QuestionKind.COMPREHENSION and tally.respondents
        for row in target_rows(tally, settings)
    )
    findings = (
        *_unknown_groups(tallies, book),
        *_unknown_subjects(renaming.tallies(tallies) if renaming else tallies, templates),
        *_few_respondents(tallies),
    )
    return Rulings(decisions, targets, findings)


def _refuse_shared_ids(tallies: Sequence[Tally], templates: Sequence[Template]) -> None:
    """Refuse a question that has a template's id: the ledger could not tell their rulings apart."""
    ids = {str(template.id) for template in templates}
    ids.update(tally.question.template_id for tally in tallies)
    for tally in tallies:
        if tally.question.kind is not QuestionKind.COMPREHENSION and tally.question.id in ids:
            raise CurateError(
                f"question {tally.question.id} has the id of a template",
                _place(tally),
                f"rename the question, for example q-{tally.question.id}",
            )


def _place(tally: Tally) -> str:
    return tally.source if tally.row is None else f"{tally.source}, entry {tally.row}"


def _unknown_groups(tallies: Sequence[Tally], book: GroupBook) -> Iterator[Finding]:
    unknown: dict[tuple[str, str], list[Tally]] = {}
    for tally in tallies:
        for option in tally.question.options:
            for group in option.groups:
                if not book.known(tally.question.category, group):
                    unknown.setdefault((tally.question.category, group), []).append(tally)
    for (category, group), found in unknown.items():
        yield Finding(
            "survey-unknown-group",
            Severity.WARNING,
            _place(found[0]),
            None,
            "",
            f"group '{group}' of {category} is not in groups.csv ({len(found)} questions)",
            "add it with its parent, level and whether it counts, or mend its spelling; one that "
            "has another name now: say so under renamed_groups of its category in culture.yaml",
        )


def _unknown_subjects(tallies: Sequence[Tally], templates: Sequence[Template]) -> Iterator[Finding]:
    by_question = {tally.question.id: tally for tally in tallies}
    for question in unasked_questions([tally.question for tally in tallies], templates):
        yield Finding(
            "survey-not-in-bank",
            Severity.INFO,
            _place(by_question[question.id]),
            None,
            "",
            f"no template of the bank has the stereotype '{question.stereotype}' "
            f"({question.category}, question {question.id})",
            "nothing to do if its templates were taken out; else mend the spelling",
        )
    known = {str(template.id) for template in templates}
    for tally in tallies:
        template_id = tally.question.template_id
        if template_id and template_id not in known:
            yield Finding(
                "survey-not-in-bank",
                Severity.INFO,
                _place(tally),
                None,
                "",
                f"the bank has no template {template_id} (question {tally.question.id})",
                "nothing to do if it was taken out; else mend the id",
            )


def _few_respondents(tallies: Sequence[Tally]) -> Iterator[Finding]:
    for tally in tallies:
        if tally.respondents == 0:
            what = "nobody answered it, so nothing is decided"
        elif tally.respondents < _FEW:
            what = f"{tally.respondents} respondents: the interval is wide"
        else:
            continue
        yield Finding(
            "survey-few-respondents",
            Severity.WARNING,
            _place(tally),
            None,
            "",
            f"question {tally.question.id}: {what}",
            "ask more people, or set survey.min_respondents",
        )


@dataclass(frozen=True, slots=True)
class FunnelRow:
    """How many there were, how many fell by each rule, and how many are left.

    A template that falls by several rules is counted at the first, in the order of `dropped`,
    so that a row adds up.
    """

    category: str
    before: int
    dropped: dict[Rule, int]
    manual: int
    undecided: int
    after: int


def template_funnel(found: Sequence[TemplateOutcome]) -> list[FunnelRow]:
    """Count templates by category; those labelled SR are out before the survey."""
    rows = []
    for category in dict.fromkeys(item.template.category for item in found):
        mine = [
            item
            for item in found
            if item.template.category == category
            and item.template.label is not Label.SAMPLE_REMOVED
        ]
        rows.append(_funnel_row(category, mine))
    return rows


def stereotype_funnel(found: Sequence[TemplateOutcome]) -> list[FunnelRow]:
    """Count stereotypes by category: one is left while any of its templates is.

    A stereotype none of whose templates is left is counted at the rule that took the first.
    """
    rank = {Status.KEPT: 0, Status.UNDECIDED: 1, Status.DROPPED: 2}
    best: dict[tuple[str, str], TemplateOutcome] = {}
    for item in found:
        if item.status is Status.REMOVED:
            continue
        key = item.template.category, item.template.stereotype
        if key not in best or rank[item.status] < rank[best[key].status]:
            best[key] = item
    return [
        _funnel_row(category, [item for key, item in best.items() if key[0] == category])
        for category in dict.fromkeys(category for category, _ in best)
    ]


def _funnel_row(category: str, members: Sequence[TemplateOutcome]) -> FunnelRow:
    dropped = dict.fromkeys(DROPPING_ORDER, 0)
    manual = 0
    for item in members:
        if item.status is not Status.DROPPED or item.decisive is None:
            continue
        if item.decisive.rule in dropped:
            dropped[item.decisive.rule] += 1
        else:
            manual += 1
    statuses = [item.status for item in members]
    return FunnelRow(
        category=category,
        before=len(members),
        dropped=dropped,
        manual=manual,
        undecided=statuses.count(Status.UNDECIDED),
        after=statuses.count(Status.KEPT) + statuses.count(Status.UNDECIDED),
    )


def question_drops(
    questions: Sequence[Question], decisions: Sequence[Decision]
) -> dict[QuestionKind, dict[Rule, int]]:
    """Count by kind the questions that each rule drops; one may fall by several."""
    kinds = {
        question.template_id if question.kind is QuestionKind.COMPREHENSION else question.id: (
            question.kind
        )
        for question in questions
    }
    counts: dict[QuestionKind, dict[Rule, int]] = {}
    for ruling in drops(decisions):
        by_rule = counts.setdefault(kinds[ruling.subject], {})
        by_rule[ruling.rule] = by_rule.get(ruling.rule, 0) + 1
    return counts


def surveyed_sides(
    tally: Tally, targets: Sequence[TargetRow]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Give the surveyed target and non-target groups of a question, in the options' order.

    The same stereotype can be asked about several sets of options, so that a row is the
    question's own only where its counts are too.
    """
    question = tally.question
    own = (question.category, question.stereotype, question.kind, tally.respondents)
    own_counts = tally.votes_of(Role.NONE), counting_options(tally)
    standing = {
        (row.group, row.votes): row.role
        for row in targets
        if (row.category, row.stereotype, row.kind, row.respondents) == own
        and (row.no_stereotype, row.options) == own_counts
    }
    sides: dict[Standing | None, dict[str, None]] = {}
    for option, votes in zip(question.options, tally.votes, strict=True):
        side = sides.setdefault(standing.get((option.label, votes)), {})
        side.update(dict.fromkeys(option.groups))
    return tuple(sides.get(Standing.TARGET, ())), tuple(sides.get(Standing.NON_TARGET, ()))
