"""What the rulings make of each template."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from curation.model.bank import Label, Template
from curation.model.rounding import half_up
from curation.model.survey import Decision, Outcome, Question, Rule, Stage
from survey.ledger import current, drops
from survey.matching import OTHER_GROUPS, Questions


class Status(StrEnum):
    """Where a template stands."""

    KEPT = "kept"
    DROPPED = "dropped"
    UNDECIDED = "undecided"
    REMOVED = "removed"


@dataclass(frozen=True, slots=True)
class TemplateOutcome:
    """Where a template stands, and why.

    Attributes:
        template: The template.
        status: `removed` by its label SR, `dropped` by a ruling, `kept`, or `undecided`
            where the survey does not hold its question.
        question: The question that it hangs on.
        rulings: The latest ruling of each rule on its question and on itself.
        reason: Why it is undecided, or which ruling decided.
        decisive: The ruling that decided, if one did.
    """

    template: Template
    status: Status
    question: Question | None
    rulings: tuple[Decision, ...]
    reason: str = ""
    decisive: Decision | None = None


def outcomes(
    templates: Sequence[Template], questions: Iterable[Question], ledger: Sequence[Decision]
) -> list[TemplateOutcome]:
    """Tell for every template where it stands.

    Args:
        templates: The bank's templates.
        questions: The surveyed questions.
        ledger: All rulings, in order.
    """
    asked = list(questions)
    book = Questions(asked)
    by_subject: dict[str, list[Decision]] = {}
    for ruling in current(ledger).values():
        by_subject.setdefault(ruling.subject, []).append(ruling)
    return [_outcome(template, book, by_subject) for template in templates]


def _outcome(
    template: Template, book: Questions, by_subject: Mapping[str, Sequence[Decision]]
) -> TemplateOutcome:
    own = tuple(by_subject.get(str(template.id), ()))
    match = book.match(template)
    surveyed = by_subject.get(match.question.id, ()) if match.question else ()
    rulings = (*surveyed, *own)

    def result(status: Status, reason: str, decisive: Decision | None = None) -> TemplateOutcome:
        return TemplateOutcome(template, status, match.question, rulings, reason, decisive)

    if template.label is Label.SAMPLE_REMOVED:
        return result(Status.REMOVED, "labelled SR: the stereotype does not exist in this culture")
    override = next((item for item in own if item.rule is Rule.OVERRIDE), None)
    if override is not None:
        kept = override.outcome is not Outcome.DROP
        return result(Status.KEPT if kept else Status.DROPPED, override.reason, override)
    falling = drops(item for item in rulings if item.stage in (Stage.SURVEY, Stage.COMPREHENSION))
    if falling:
        return result(Status.DROPPED, describe(falling[0]), falling[0])
    if match.question is None:
        return result(Status.UNDECIDED, match.problem)
    if not surveyed:
        return result(Status.UNDECIDED, "nobody answered its question")
    return result(Status.KEPT, "no rule drops it")


def undecided_hint(item: TemplateOutcome) -> str:
    """Say what may be done about a template that the survey does not decide."""
    hint = "it stays in the bank; a release needs it decided"
    if item.reason == OTHER_GROUPS:
        hint += (
            ". If a group was renamed after the survey, name its former name under renamed_groups "
            "of the category in culture.yaml"
        )
    return hint


STATUS_COLUMNS = (
    "template_id",
    "category",
    "label",
    "stereotype",
    "question_id",
    "status",
    "modified",
    "reason",
)
"""The columns of the table of where every template stands, `templates.csv`."""


def status_rows(
    found: Iterable[TemplateOutcome], modified: Collection[str]
) -> Iterator[tuple[str, ...]]:
    """Yield where every template stands, in the order of `STATUS_COLUMNS`.

    Args:
        found: The templates.
        modified: Ids of those whose groups the survey replaced.
    """
    for item in found:
        template = item.template
        yield (
            str(template.id),
            template.category,
            template.label.value if template.label else "",
            template.stereotype,
            item.question.id if item.question else "",
            item.status.value,
            "true" if str(template.id) in modified else "false",
            item.reason,
        )


def describe(ruling: Decision) -> str:
    """Say a ruling with its numbers in one line."""
    why = f" ({ruling.reason})" if ruling.reason else ""
    text = f"{ruling.rule} {ruling.outcome}{why}"
    if ruling.k is not None and ruling.n is not None:
        text += f": {ruling.k} of {ruling.n}"
    if ruling.rule is Rule.MIN_RESPONDENTS and ruling.n is not None:
        return f"{text}: {ruling.n} respondents, at least {ruling.threshold:g} wanted"
    if ruling.value is not None:
        unit = " equal shares" if ruling.rule is Rule.TARGET_SELECTION else ""
        text += f" = {_three(ruling.value)}{unit}, threshold {_three(ruling.threshold)}"
    if ruling.ci_low is not None:
        text += f", 95 % interval {_three(ruling.ci_low)} to {_three(ruling.ci_high)}"
    return text + (", near" if ruling.near else "")


def _three(value: float | None) -> str:
    return "not known" if value is None else half_up(value, 3)
