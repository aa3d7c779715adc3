"""Which questions a bank asks of the public."""

import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from curation.model.bank import Group, Template
from curation.model.culture import Culture
from curation.model.findings import Finding, Severity, has_errors
from curation.model.survey import Option, Question, QuestionKind, Role, join_groups, question_id
from survey.building.reading import (
    Asked,
    Remarks,
    Subject,
    read_template,
    sides_of,
    stated_groups,
)
from survey.matching import Questions
from survey.questionnaire import GroupBook

NONE_CODE = "none"
"""The code of the option that no such stereotype exists."""


@dataclass(frozen=True, slots=True)
class Understanding:
    """A question of comprehension: a counter-biased context, asked its counter-biased question.

    Attributes:
        template_id: The template.
        sample_id: The sample that it is.
        context: The disambiguated context.
        question: The counter-biased question.
        correct: Its answer.
        wrong: The answer of the other question.
        unknown: The unknown expression.
    """

    template_id: str
    sample_id: str
    context: str
    question: str
    correct: str
    wrong: str
    unknown: str


@dataclass(frozen=True, slots=True)
class Built:
    """The questions of a bank.

    Attributes:
        questions: Those about stereotypes, in order of category and template, then those of
            comprehension.
        subjects: By question id, what it is about; a question of comprehension is about its
            template's stereotype.
        templates: How many templates are asked about.
        findings: What keeps templates from being asked about, and what is to be said.
    """

    questions: tuple[Question, ...]
    subjects: Mapping[str, Subject]
    templates: int
    findings: tuple[Finding, ...]

    @property
    def saved(self) -> int:
        """Questions saved because several templates hang on one."""
        asked = sum(item.kind is not QuestionKind.COMPREHENSION for item in self.questions)
        return self.templates - asked


def build_questions(
    templates: Sequence[Template],
    culture: Culture,
    groups: Sequence[Group],
    understandings: Mapping[str, Understanding],
    none_text: str,
    *,
    bank: str = "bank.csv",
) -> Built:
    """Make the questions that a bank asks.

    Args:
        templates: Those to ask about, in order.
        culture: For the categories and how they are asked about.
        groups: The groups of the workspace.
        understandings: By template id, its question of comprehension.
        none_text: The option that no such stereotype exists.
        bank: The bank's path, as findings show it.
    """
    remarks = Remarks(bank)
    builder = _Builder(groups, none_text, remarks)
    read = [read_template(template, culture, remarks) for template in templates]
    every = [asked for asked in read if asked is not None]
    questions, subjects = dict[str, Question](), dict[str, Subject]()
    for subject, members in _by_subject(every).items():
        for question in builder.questions_of(members):
            questions.setdefault(question.id, question)
            subjects[question.id] = subject
    for asked in every:
        item = understandings.get(str(asked.template.id))
        if item is not None:
            question = builder.comprehension(asked, item)
            questions[question.id] = question
            subjects[question.id] = asked.subject
    found = tuple(questions.values())
    _check_signs(found, remarks)
    if not has_errors(remarks.findings):
        _check_matches(found, every, remarks)
    return Built(found, subjects, len(every), tuple(remarks.findings))


def _by_subject(every: Iterable[Asked]) -> dict[Subject, list[Asked]]:
    found: dict[Subject, list[Asked]] = {}
    for asked in every:
        found.setdefault(asked.subject, []).append(asked)
    return found


class _Builder:
    """Makes questions."""

    def __init__(self, groups: Sequence[Group], none_text: str, remarks: Remarks) -> None:
        self._groups = groups
        self._book = GroupBook(groups)
        self._none = Option(NONE_CODE, (), Role.NONE, counts=False, text=none_text)
        self._remarks = remarks

    def questions_of(self, members: Sequence[Asked]) -> Iterator[Question]:
        """Make the questions about one stereotype.

        Where one of its templates needs target selection, all hang on that one question, whose
        options hold the groups of the others too: with a question of validation beside it they
        would hang on both.
        """
        deciding = next((asked for asked in members if asked.select_all), None)
        if deciding is None:
            yield from self._choices(members)
            return
        for asked in members:
            self._known(asked, stated_groups(asked.template))
            if not asked.select_all:
                self._remarks.say(
                    asked.template,
                    "kind",
                    f"'{asked.stereotype}' is asked with all groups, as "
                    f"{deciding.template.id} needs it",
                    Severity.INFO,
                )
        yield from self._select_all(deciding)

    def _select_all(self, asked: Asked) -> Iterator[Question]:
        groups = ordered_groups(self._groups, asked.category)
        if len(groups) < 2 or not any(group.counts for group in groups):
            counting = sum(group.counts for group in groups)
            what = f"{asked.category} has {len(groups)} groups to choose from, {counting} count"
            self._remarks.say(asked.template, "options", what)
            return
        options = [
            Option(str(code), (group.group,), Role.GROUP, group.counts, group.group)
            for code, group in enumerate(groups, start=1)
        ]
        yield self._question(QuestionKind.SELECT_ALL, asked, [*options, self._none])

    def _choices(self, members: Sequence[Asked]) -> Iterator[Question]:
        firsts: dict[str, tuple[frozenset[str], Asked]] = {}
        for asked in members:
            sides = sides_of(asked, self._remarks)
            if sides is None or not self._known(asked, (*sides[0], *sides[1])):
                continue
            question = self._choice(asked, sides[0], sides[1])
            target, first = firsts.setdefault(question.id, (frozenset(sides[0]), asked))
            if target != frozenset(sides[0]):
                what = f"its target is the non-target of {first.template.id}, of one stereotype"
                self._remarks.say(asked.template, "sides", what)
            yield question

    def _choice(self, asked: Asked, target: Sequence[str], other: Sequence[str]) -> Question:
        options = [
            Option(code, tuple(side), role, self._book.counts(asked.category, side), label)
            for code, side, role, label in (
                ("1", target, Role.TARGET, join_groups(target)),
                ("2", other, Role.NON_TARGET, join_groups(other)),
            )
        ]
        return self._question(QuestionKind.CHOICE, asked, [*options, self._none])

    def _known(self, asked: Asked, groups: Iterable[str]) -> bool:
        unknown = [group for group in groups if not self._book.known(asked.category, group)]
        for group in unknown:
            what = f"group '{group}' of {asked.category} is not in groups.csv"
            self._remarks.say(asked.template, "group-unknown", what)
        return not unknown

    def _question(self, kind: QuestionKind, asked: Asked, options: Sequence[Option]) -> Question:
        groups = [option.groups for option in options if option.groups]
        return Question(
            id=question_id(kind, asked.category, asked.stereotype, groups),
            kind=kind,
            category=asked.category,
            stereotype=asked.stereotype,
            options=tuple(options),
        )

    def comprehension(self, asked: Asked, item: Understanding) -> Question:
        """Make the question whether a template is understood."""
        texts = item.wrong, item.correct, item.unknown
        if len({" ".join(text.split()) for text in texts}) < len(texts):
            what = f"two of the answers to its question read alike: {', '.join(texts)}"
            self._remarks.say(asked.template, "answers", what)
        roles = Role.WRONG, Role.CORRECT, Role.WRONG
        return Question(
            id=f"c-{asked.template.id}",
            kind=QuestionKind.COMPREHENSION,
            category=asked.category,
            stereotype="",
            options=tuple(
                Option(str(code), (), role, counts=False, text=text)
                for code, (role, text) in enumerate(zip(roles, texts, strict=True), start=1)
            ),
            template_id=str(asked.template.id),
        )


def _check_signs(questions: Sequence[Question], remarks: Remarks) -> None:
    """Find stereotypes and options that hold signs nobody can see."""
    for question in questions:
        for text in (question.stereotype, *(option.text for option in question.options)):
            if any(unicodedata.category(sign) == "Cc" for sign in text):
                remarks.say_of_bank("signs", f"{question.id}: {text!r} has control characters")


def _check_matches(questions: Sequence[Question], every: Sequence[Asked], remarks: Remarks) -> None:
    """Find templates that would hang on no question, or on several."""
    book = Questions(questions)
    for asked in every:
        match = book.match(asked.template)
        if match.question is None:
            remarks.say(asked.template, "match", f"no question would decide it: {match.problem}")


def ordered_groups(groups: Iterable[Group], category: str) -> list[Group]:
    """Give the groups of a category in the order of the file, each parent before its parts."""
    mine = {group.group: group for group in groups if group.category == category}
    parts: dict[str, list[Group]] = {}
    for group in mine.values():
        parent = group.parent if group.parent in mine else ""
        parts.setdefault(parent, []).append(group)
    ordered: dict[str, Group] = {}

    def walk(members: Collection[Group]) -> None:
        for group in members:
            if group.group not in ordered:
                ordered[group.group] = group
                walk(parts.get(group.group, ()))

    walk(parts.get("", ()))
    walk(mine.values())  # what hangs in a circle of parents
    return list(ordered.values())
