"""What the decisions make of each template, by the question that it is linked to.

A question is category, stereotype and set of options. A template is linked to the validation
question whose two options are its two groups, or to the question of target selection among
whose options its groups are. The stereotype's text alone decides nothing: the same one can
be asked about other groups. Published counts may name their template: where no question has its
groups, or several have, the template is linked to the question that names it. Survey files keep
the categories that they were asked with, and questions their ids: decisions are on those. What is
linked to a question is found by the names of now.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from curation.files.bank import GroupBook
from curation.records.bank import Label, Template, Variant, category_slug
from curation.records.culture import Culture
from curation.records.messages import half_up, plural
from curation.records.survey import (
    BY_PEOPLE,
    OF_SURVEY,
    OUT_BEFORE,
    Decision,
    Outcome,
    Question,
    QuestionKind,
    Role,
    Rule,
    Stage,
    Status,
    Tally,
    TargetRow,
    current,
    drops,
)

OTHER_GROUPS = "its stereotype was asked about other groups"
"""Why a template is linked to no question, where a group may have been renamed since."""
_STAGES = tuple(Stage)


Match = tuple[Question | None, str, bool]
"""The question of a template, or why there is none, in words; and whether its counts name the
template, and its options are of other groups."""


class Questions:
    """The surveyed questions, found by category and stereotype.

    Args:
        questions: The questions; those of comprehension are left aside.
        book: The groups, for categories that were split off others, where the questions were
            asked.
    """

    def __init__(self, questions: Iterable[Question], book: GroupBook | None = None) -> None:
        self._book = book
        self._by_stereotype: dict[tuple[str, str], list[Question]] = {}
        for question in questions:
            if question.kind is not QuestionKind.COMPREHENSION:
                key = _key(question.category, question.stereotype)
                self._by_stereotype.setdefault(key, []).append(question)

    def match(self, template: Template) -> Match:
        """Find the question that a template is linked to."""
        asked = self._asked(template)
        if not asked:
            return None, "no answers about its stereotype were read", False
        fitting = [
            question
            for question in asked
            if all(_fits(variant, self._named(question, template)) for variant in template.variants)
        ]
        if len(fitting) == 1:
            return fitting[0], "", False
        named = [item for item in fitting or asked if str(template.id) in item.templates]
        reverse = any(_reversed(template.first, self._named(item, template)) for item in named)
        if len(named) == 1 and not reverse:
            return named[0], "", not fitting
        if fitting:
            ids = ", ".join(question.id for question in fitting)
            return None, f"several questions fit it: {ids}", False
        if any(_reversed(template.first, self._named(item, template)) for item in asked):
            return None, "its stereotype was asked with target and non-target exchanged", False
        return None, OTHER_GROUPS, False

    def _asked(self, template: Template) -> list[Question]:
        """The questions on its stereotype, in its category or else where that was split off."""
        for category in _categories(template.category, self._book):
            found = self._by_stereotype.get(_key(category, template.stereotype))
            if found:
                return found
        return []

    def _named(self, question: Question, template: Template) -> Question:
        """A question of the category that a template's was split off, in that one's names."""
        book, category = self._book, template.category
        if book is None or category_slug(question.category) == category_slug(category):
            return question

        def name(group: str) -> str:
            return book.name(category, *book.keys(question.category, [group]))

        options = tuple(
            replace(option, groups=tuple(map(name, option.groups))) for option in question.options
        )
        return replace(question, options=options)


def _categories(category: str, book: GroupBook | None) -> tuple[str, ...]:
    """A category, and those that it was split off."""
    culture = book.culture if book else None
    return (category, *(culture.split_from(category) if culture else ()))


def _key(category: str, stereotype: str) -> tuple[str, str]:
    return category_slug(category), " ".join(stereotype.split())


def _sides(question: Question) -> tuple[frozenset[str], frozenset[str]]:
    """The target's groups and the non-target's of a validation question."""
    by_role = {option.role: frozenset(option.groups) for option in question.options}
    return by_role[Role.TARGET], by_role[Role.NON_TARGET]


def people_groups(variant: Variant) -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    """The target groups of a variant and the groups of its two people."""
    texts = variant.texts if not variant.texts.is_empty else variant.source_texts
    return (
        frozenset(texts.target_groups),
        frozenset(texts.n1_groups),
        frozenset(texts.n2_groups),
    )


def _fits(variant: Variant, question: Question) -> bool:
    target, first, second = people_groups(variant)
    if question.kind is QuestionKind.SELECT_ALL:
        offered = frozenset(group for option in question.options for group in option.groups)
        return (first | second or target) <= offered
    return _asks(variant, *_sides(question))


def _reversed(variant: Variant, question: Question) -> bool:
    if question.kind is QuestionKind.SELECT_ALL:
        return False
    asked_target, asked_other = _sides(question)
    return _asks(variant, asked_other, asked_target)


def _asks(variant: Variant, asked_target: frozenset[str], asked_other: frozenset[str]) -> bool:
    """Say whether these are a variant's two people, the first of them its target.

    The target person may be of some of the target groups only, as in `target_slot`.
    """
    target, first, second = people_groups(variant)
    people = {first, second} == {asked_target, asked_other}
    return people and asked_target <= target and not asked_other <= target


def unasked_questions(
    questions: Sequence[Question], templates: Sequence[Template], book: GroupBook | None = None
) -> list[Question]:
    """The questions whose stereotype no template of the bank has."""
    in_bank = {
        _key(category, template.stereotype)
        for template in templates
        for category in _categories(template.category, book)
    }
    return [
        question
        for question in questions
        if question.kind is not QuestionKind.COMPREHENSION
        and _key(question.category, question.stereotype) not in in_bank
    ]


@dataclass(frozen=True, slots=True)
class TemplateOutcome:
    """The status of a template, with the reason.

    Attributes:
        template: The template.
        status: `removed` by its label SR, `set_aside` by a person before the survey decided,
            `dropped` by a decision, `kept`, or `undecided` where the survey does not hold its
            question.
        question: The question that it is linked to.
        decisions: The latest decision of each rule on its question and on itself, by stage.
        reason: Why it is undecided, or which decision decided.
        decisive: The decision that decided, if one did.
        by_id: Whether the question is of other groups, and its counts name the template.
    """

    template: Template
    status: Status
    question: Question | None
    decisions: tuple[Decision, ...]
    reason: str = ""
    decisive: Decision | None = None
    by_id: bool = False

    @property
    def is_out_of_use(self) -> bool:
        """Whether it is not used: nobody has to label, write or check it any more.

        It is labelled SR, was taken out by a person, or is dropped by a rule on its stereotype. One
        that is dropped for its comprehension alone may be written better, and of a question with
        too few respondents more may be asked: such templates are used until then.
        """
        if self.status is not Status.DROPPED:
            return self.status in OUT_BEFORE
        if self.decisive is not None and self.decisive.rule in BY_PEOPLE:
            return True
        by_survey = {item.rule for item in drops(self.decisions) if item.stage is Stage.SURVEY}
        return bool(by_survey) and Rule.MIN_RESPONDENTS not in by_survey


def outcomes(
    templates: Sequence[Template],
    questions: Iterable[Question],
    ledger: Sequence[Decision],
    book: GroupBook | None = None,
) -> list[TemplateOutcome]:
    """Find the status of every template.

    Args:
        templates: The bank's templates.
        questions: The surveyed questions.
        ledger: All decisions, in order.
        book: The groups, for categories that were split off others after the survey.
    """
    every = Questions(questions, book)
    by_subject: dict[str, list[Decision]] = {}
    for decision in current(ledger).values():
        by_subject.setdefault(decision.subject, []).append(decision)
    place = {id(decision): at for at, decision in enumerate(ledger)}
    return [_outcome(template, every, by_subject, place) for template in templates]


def _outcome(
    template: Template,
    questions: Questions,
    by_subject: Mapping[str, Sequence[Decision]],
    place: Mapping[int, int],
) -> TemplateOutcome:
    """The outcome of one template; `place` is where each decision stands in the ledger."""
    own = tuple(by_subject.get(str(template.id), ()))
    question, problem, by_id = questions.match(template)
    surveyed = by_subject.get(question.id, ()) if question else ()
    decisions = tuple(sorted((*surveyed, *own), key=lambda item: _STAGES.index(item.stage)))

    def result(status: Status, reason: str, decisive: Decision | None = None) -> TemplateOutcome:
        return TemplateOutcome(template, status, question, decisions, reason, decisive, by_id)

    if template.label is Label.SAMPLE_REMOVED:
        return result(Status.REMOVED, "labelled SR: the stereotype does not exist in this culture")
    removal = next((item for item in own if item.rule is Rule.REMOVAL), None)
    if removal is not None and removal.outcome is Outcome.DROP:
        of_survey = (item for item in decisions if item.stage in OF_SURVEY)
        before = all(place[id(removal)] < place[id(item)] for item in of_survey)
        status = Status.SET_ASIDE if before else Status.DROPPED
        return result(status, f"set aside: {removal.reason}", removal)
    override = next((item for item in own if item.rule is Rule.OVERRIDE), None)
    if override is not None:
        kept = override.outcome is not Outcome.DROP
        return result(Status.KEPT if kept else Status.DROPPED, override.reason, override)
    falling = drops(item for item in decisions if item.stage in OF_SURVEY)
    if falling:
        return result(Status.DROPPED, describe(falling[0]), falling[0])
    if question is None:
        return result(Status.UNDECIDED, problem)
    if not surveyed:
        return result(Status.UNDECIDED, "no answer to its question is counted")
    return result(Status.KEPT, "no rule drops it")


def describe(decision: Decision) -> str:
    """Say a decision with its numbers in one line."""
    why = f" ({decision.reason})" if decision.reason else ""
    text = f"{decision.rule} {decision.outcome}{why}"
    if decision.n is not None:
        if decision.rule is Rule.MIN_RESPONDENTS:
            return (
                f"{text}: {decision.n} {plural('respondent', decision.n)}, "
                f"at least {decision.threshold:g} wanted"
            )
        text += f": {decision.k} of {decision.n}"
    if decision.value is not None:
        unit = " uniform shares" if decision.rule is Rule.TARGET_SELECTION else ""
        text += f" = {_three(decision.value)}{unit}, threshold {_three(decision.threshold)}"
    if decision.ci_low is not None:
        text += f", 95 % interval {_three(decision.ci_low)} to {_three(decision.ci_high)}"
    return text + (", borderline" if decision.borderline else "")


def _three(value: float | None) -> str:
    return "not known" if value is None else half_up(value, 3)


@dataclass(frozen=True, slots=True)
class Renaming:
    """Puts former names of categories and ids of templates right.

    Attributes:
        culture: For the merges of categories.
        categories: Categories that the bank still has, and that therefore keep their names.
        templates: By former id of a template, the one that it has now.
    """

    culture: Culture
    categories: Collection[str] = ()
    templates: Mapping[str, str] = field(default_factory=dict)

    def category(self, name: str) -> str:
        """The name that a category has now."""
        return name if name in self.categories else self.culture.category_of_source(name)

    def tallies(self, tallies: Iterable[Tally]) -> list[Tally]:
        """Put today's names into the questions of counts."""
        return [replace(tally, question=self.question(tally.question)) for tally in tallies]

    def targets(self, targets: Iterable[TargetRow]) -> tuple[TargetRow, ...]:
        """Put today's names into the standings of groups."""
        return tuple(replace(row, category=self.category(row.category)) for row in targets)

    def question(self, question: Question) -> Question:
        """Put today's names into a question."""
        return replace(
            question,
            category=self.category(question.category),
            template_id=self.templates.get(question.template_id, question.template_id),
            templates=tuple(self.templates.get(name, name) for name in question.templates),
        )
