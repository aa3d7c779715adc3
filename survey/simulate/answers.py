"""A model's replies as answers to the survey's questions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from curation.model.errors import CurateError
from curation.model.reply import Reply, ReplyRule, choice_letters, read_reply
from curation.model.survey import Question, QuestionKind
from survey.simulate.requests import Request, groups_of_choices


@dataclass(frozen=True, slots=True)
class Answer:
    """One reply, read.

    Attributes:
        model: The model.
        request: What it was asked.
        groups: The groups that it names, none for 'no such stereotype'; None when the reply is
            out-of-choice.
        letters: The letters of what it names; empty when it is out-of-choice.
        rule: By which rule it was read, or why it was not.
    """

    model: str
    request: Request
    groups: frozenset[str] | None
    letters: tuple[str, ...]
    rule: ReplyRule


@dataclass(frozen=True, slots=True)
class Attendance:
    """Which requests a model replied to.

    Attributes:
        model: The model.
        requests: How many there are.
        missing: Requests without a reply, in their order; those that failed are among them.
        failed: How many calls failed.
        unknown: Replies to requests that there are not.
    """

    model: str
    requests: int
    missing: tuple[str, ...]
    failed: int
    unknown: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Answers:
    """The answers of all models, in the order of the requests, and who answered what."""

    answers: tuple[Answer, ...]
    attendance: tuple[Attendance, ...]


def match_questions(
    requests: Sequence[Request], questions: Sequence[Question]
) -> dict[str, Question]:
    """Give by request id the question that it asks.

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
                "the questions were changed since: make the requests again with --prepare",
            )
    return {request.request_id: by_id[request.question_id] for request in requests}


def read_answers(
    requests: Sequence[Request], questions: Mapping[str, Question], replies: Sequence[Reply]
) -> Answers:
    """Read the replies of every model.

    Args:
        requests: What was asked.
        questions: By request id the question.
        replies: One for each model and request.

    Raises:
        CurateError: If a question has other options than its request showed.
    """
    groups = {
        request.request_id: groups_of_choices(request, questions[request.request_id])
        for request in requests
    }
    by_model: dict[str, dict[str, str | None]] = {}
    for reply in replies:
        by_model.setdefault(reply.model, {})[reply.request_id] = reply.reply
    answers: list[Answer] = []
    for model, given in sorted(by_model.items()):
        for request in requests:
            name = request.request_id
            text = given.get(name)
            if text is not None:
                answers.append(_answer(model, request, questions[name], groups[name], text))
    return Answers(
        answers=tuple(answers),
        attendance=tuple(
            _attendance(model, given, list(groups)) for model, given in sorted(by_model.items())
        ),
    )


def _attendance(model: str, given: Mapping[str, str | None], asked: Sequence[str]) -> Attendance:
    missing = tuple(name for name in asked if given.get(name) is None)
    known = set(asked)
    return Attendance(
        model=model,
        requests=len(asked),
        missing=missing,
        failed=sum(name in given for name in missing),
        unknown=tuple(name for name in given if name not in known),
    )


def _answer(
    model: str,
    request: Request,
    question: Question,
    groups: Sequence[frozenset[str]],
    text: str,
) -> Answer:
    several = question.kind is QuestionKind.SELECT_ALL
    reading = read_reply(text, request.choices, several=several, none=len(request.choices) - 1)
    if reading.chosen is None:
        return Answer(model, request, None, (), reading.rule)
    letters = choice_letters(len(request.choices))
    chosen = sorted(reading.chosen)
    named = frozenset(group for at in chosen for group in groups[at])
    return Answer(model, request, named, tuple(letters[at] for at in chosen), reading.rule)
