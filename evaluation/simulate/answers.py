"""What people answered to each question of the survey, and what models reply to it."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from curation.languages import Language
from curation.records.errors import CurateError
from curation.records.survey import Question, QuestionKind, Tally, TargetRow
from evaluation.parsing import ReplyRule, choice_letters, read_reply
from evaluation.replies.files import Attendance
from evaluation.replies.reply import Reply
from evaluation.simulate.requests import Request, groups_of_choices
from survey.rules import surveyed_sides


class Standing(StrEnum):
    """Whether the people's answers say anything."""

    ANSWERED = "answered"
    TIE = "tie"
    NO_DATA = "no_data"


@dataclass(frozen=True, slots=True)
class PublicAnswer:
    """The people's answer to one question.

    Attributes:
        question: The question as it was counted.
        standing: Whether there is an answer; else why there is none.
        groups: The groups that the people name; empty when they say that no such stereotype
            exists, or, in target selection, when no group is a target.
    """

    question: Question
    standing: Standing
    groups: frozenset[str] = frozenset()


def public_answers(
    questions: Iterable[Question], tallies: Iterable[Tally], targets: Sequence[TargetRow]
) -> dict[str, PublicAnswer]:
    """By question id what the people answered.

    In validation that is the option with the most votes of all, 'no such stereotype' included;
    where two options have the most it is a tie. In target selection it is the groups that
    `targets.csv` holds as targets.

    Args:
        questions: The questions, as models are asked them.
        tallies: The counts; those of a question with other options are of another question.
        targets: Where each group stands.
    """
    counted = {tally.question.id: tally for tally in tallies}
    found = {}
    for question in questions:
        tally = counted.get(question.id)
        if tally is None or _differs(tally.question, question):
            found[question.id] = PublicAnswer(question, Standing.NO_DATA)
        elif question.kind is QuestionKind.CHOICE:
            found[question.id] = _majority(tally)
        else:
            found[question.id] = _targets(tally, targets)
    return found


def _differs(one: Question, other: Question) -> bool:
    return (one.kind, one.group_sets) != (other.kind, other.group_sets)


def _majority(tally: Tally) -> PublicAnswer:
    most = max(tally.votes, default=0)
    if most == 0:
        return PublicAnswer(tally.question, Standing.NO_DATA)
    top = [
        option
        for option, votes in zip(tally.question.options, tally.votes, strict=True)
        if votes == most
    ]
    if len(top) > 1:
        return PublicAnswer(tally.question, Standing.TIE)
    return PublicAnswer(tally.question, Standing.ANSWERED, frozenset(top[0].groups))


def _targets(tally: Tally, targets: Sequence[TargetRow]) -> PublicAnswer:
    question = tally.question
    own = (question.category, question.stereotype, question.kind, tally.respondents)
    standing = {
        (row.group, row.votes)
        for row in targets
        if (row.category, row.stereotype, row.kind, row.respondents) == own
    }
    pairs = zip(question.options, tally.votes, strict=True)
    wanted = {(option.label, votes) for option, votes in pairs if option.groups}
    if tally.respondents == 0 or not wanted <= standing:
        return PublicAnswer(question, Standing.NO_DATA)
    return PublicAnswer(question, Standing.ANSWERED, frozenset(surveyed_sides(tally, targets)[0]))


@dataclass(frozen=True, slots=True)
class Answer:
    """One reply, parsed.

    Attributes:
        model: The model.
        request: What it was asked.
        people: What the people answered.
        groups: The groups that it names, none for 'no such stereotype'; None when the reply is
            out-of-choice.
        letters: The letters of what it names; empty when it is out-of-choice.
        rule: By which rule it was parsed, or why it was not.
    """

    model: str
    request: Request
    people: PublicAnswer
    groups: frozenset[str] | None
    letters: tuple[str, ...]
    rule: ReplyRule

    @property
    def exact(self) -> bool | None:
        """Whether the groups are the people's; None where one of the two has no answer."""
        if self.people.standing is not Standing.ANSWERED or self.groups is None:
            return None
        return self.groups == self.people.groups

    @property
    def f1(self) -> float | None:
        """F1 of the groups; None where `exact` is None, and in validation."""
        if self.exact is None or self.people.question.kind is not QuestionKind.SELECT_ALL:
            return None
        return f1(self.groups or frozenset(), self.people.groups)


def f1(named: frozenset[str], wanted: frozenset[str]) -> float:
    """The F1 of a set against another: 2 |both| / (|one| + |other|).

    Two empty sets agree wholly, so that theirs is 1.
    """
    if not named and not wanted:
        return 1.0
    return 2 * len(named & wanted) / (len(named) + len(wanted))


def group_f1(pairs: Iterable[tuple[str, frozenset[str], frozenset[str]]]) -> float | None:
    """The F1 of each group over all questions, averaged over groups (KoBBQ, section 5.2).

    It is another measure than the mean of the questions' F1: a group that is asked about often
    counts once, and so does one that is named a single time.

    Args:
        pairs: Of each reply the category, the groups named and those wanted; a group of one
            category is none of another.

    Returns:
        None where neither side names any group.
    """
    both: Counter[tuple[str, str]] = Counter()
    either: Counter[tuple[str, str]] = Counter()
    for category, named, wanted in pairs:
        both.update((category, group) for group in named & wanted)
        either.update((category, group) for group in (*named, *wanted))
    if not either:
        return None
    return sum(2 * both[group] / count for group, count in either.items()) / len(either)


def match_questions(
    requests: Sequence[Request], questions: Sequence[Question]
) -> dict[str, Question]:
    """By request id the question that it asks.

    Raises:
        CurateError: If a request asks a question that there is no more, or of another kind.
    """
    by_id = {question.id: question for question in questions}
    for request in requests:
        if request.question_id not in by_id:
            raise CurateError(
                f"request {request.request_id} asks question {request.question_id}, "
                "which the survey does not hold",
                f"question {request.question_id}",
                "the questions were changed since: make the requests again: curate survey simulate",
            )
    return {request.request_id: by_id[request.question_id] for request in requests}


def read_answers(
    requests: Sequence[Request],
    questions: Mapping[str, Question],
    people: Mapping[str, PublicAnswer],
    replies: Sequence[Reply],
    own: Language | None = None,
) -> tuple[tuple[Answer, ...], tuple[Attendance, ...]]:
    """Parse the replies of every model.

    Args:
        requests: What was asked.
        questions: By request id the question.
        people: By question id what the people answered.
        replies: One for each model and request.
        own: The language whose own words replies are read with too.

    Returns:
        The answers of all models, in the order of the requests, and who answered what.

    Raises:
        CurateError: If a question has other options than its request showed.
    """
    groups = {
        request.request_id: groups_of_choices(request, questions[request.request_id])
        for request in requests
    }
    by_model: dict[str, dict[str, str | None]] = {}
    for reply in replies:
        by_model.setdefault(reply.model, {})[reply.request_id] = reply.text
    models = sorted(by_model.items())
    answers = [
        _answer(model, request, people[request.question_id], groups[request.request_id], text, own)
        for model, given in models
        for request in requests
        if (text := given.get(request.request_id)) is not None
    ]
    attendance = [
        _attendance(model, given, groups, [item.rule for item in answers if item.model == model])
        for model, given in models
    ]
    return tuple(answers), tuple(attendance)


def _attendance(
    model: str,
    given: Mapping[str, str | None],
    asked: Mapping[str, object],
    rules: Sequence[ReplyRule],
) -> Attendance:
    missing = tuple(name for name in asked if given.get(name) is None)
    return Attendance(
        model=model,
        asked=len(asked),
        missing=missing,
        failed=sum(name in given for name in missing),
        unknown=tuple(name for name in given if name not in asked),
        rules=dict(Counter(rule.value for rule in rules)),
    )


def _answer(
    model: str,
    request: Request,
    people: PublicAnswer,
    groups: Sequence[frozenset[str]],
    text: str,
    own: Language | None,
) -> Answer:
    several = people.question.kind is QuestionKind.SELECT_ALL
    last = len(request.choices) - 1
    reading = read_reply(text, request.choices, several=several, none=last, own=own)
    if reading.chosen is None:
        return Answer(model, request, people, None, (), reading.rule)
    if last in reading.chosen and len(reading.chosen) > 1:  # 'none' goes with no group
        return Answer(model, request, people, None, (), ReplyRule.CONTRADICTION)
    letters = choice_letters(len(request.choices))
    chosen = sorted(reading.chosen)
    named = frozenset(group for at in chosen for group in groups[at])
    shown = tuple(letters[at] for at in chosen)
    return Answer(model, request, people, named, shown, reading.rule)
