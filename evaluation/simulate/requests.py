"""The requests by which a model is asked, `requests.jsonl`."""

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from curation.files.jsonl import Line, read_objects, text_list
from curation.languages.prompts import SurveyPrompt
from curation.records.errors import CurateError
from curation.records.survey import Option, Question, QuestionKind, Role
from evaluation.folders import requests_by_id
from evaluation.parsing import choice_letters
from evaluation.simulate.wording import Wording

_AGAIN = "make the requests again: curate survey simulate"


@dataclass(frozen=True, slots=True)
class Request:
    """One question in one wording; fields as in `requests.jsonl`.

    Attributes:
        request_id: `{question_id}-p{prompt_id}`.
        question_id: The question.
        prompt_id: The wording.
        messages: What the model is sent.
        choices: The options as shown, in their order; letters name them from A. The last one
            stands for no group.
    """

    request_id: str
    question_id: str
    prompt_id: str
    messages: tuple[Mapping[str, str], ...]
    choices: tuple[str, ...]


def asked(questions: Iterable[Question]) -> list[Question]:
    """The questions that a model can be asked: those about stereotypes."""
    return [item for item in questions if item.kind is not QuestionKind.COMPREHENSION]


def make_requests(
    questions: Sequence[Question], wording: Wording, prompts: Sequence[SurveyPrompt], seed: int
) -> list[Request]:
    """Make one request for each question and prompt, in their order.

    The groups stand in an order that is drawn for each request, from the seed and the request's
    id alone; that no such stereotype exists stays last, as people saw it.

    Raises:
        CurateError: If two options of a question read alike.
    """
    return [
        _request(question, prompt, wording, seed) for question in questions for prompt in prompts
    ]


def _request(question: Question, prompt: SurveyPrompt, wording: Wording, seed: int) -> Request:
    request_id = f"{question.id}-p{prompt.id}"
    groups = [option_text(option) for option in question.options if option.role is not Role.NONE]
    none = next((item.text for item in question.options if item.role is Role.NONE), "")
    random.Random(f"{seed}:{request_id}").shuffle(groups)  # noqa: S311  # a seeded draw
    choices = [*groups, " ".join((none or wording.none).split())]
    _refuse_alike(question, choices)
    options = "\n".join(
        f"{letter}. {text}"
        for letter, text in zip(choice_letters(len(choices)), choices, strict=True)
    )
    content = wording.ask(prompt, question, options)
    messages = ({"role": "user", "content": content},)
    return Request(request_id, question.id, prompt.id, messages, tuple(choices))


def option_text(option: Option) -> str:
    """An option as respondents read it, on one line."""
    return " ".join((option.text or option.label).split())


def _refuse_alike(question: Question, choices: Sequence[str]) -> None:
    seen: set[str] = set()
    for text in choices:
        if text.casefold() in seen:
            raise CurateError(
                f"question {question.id} has two options '{text}'",
                f"question {question.id}, column text",
                "give them different texts: nobody would know which one a reply means",
            )
        seen.add(text.casefold())


def objects_of(requests: Iterable[Request]) -> Iterator[dict[str, object]]:
    """Requests as a file holds them."""
    return map(asdict, requests)


def read_requests(path: Path) -> list[Request]:
    """Read the requests that replies answer.

    Raises:
        CurateError: If a line cannot be read, or an id occurs twice: a score over half of the
            requests would not say so.
    """
    lines = read_objects(path)
    for problem in lines.problems:
        raise CurateError(problem.message, problem.where, _AGAIN)
    return list(requests_by_id(path, lines.objects, _request_of, "request", _AGAIN).values())


def _request_of(line: Line) -> Request:
    choices = text_list(line.value.get("choices"))
    if len(choices) < 2:
        raise ValueError("it has fewer than two choices")
    return Request(
        request_id=line.text("request_id"),
        question_id=line.text("question_id"),
        prompt_id=line.text("prompt_id"),
        messages=(),  # what was asked is of no account to the score
        choices=tuple(choices),
    )


def groups_of_choices(request: Request, question: Question) -> tuple[frozenset[str], ...]:
    """The groups of each choice of a request; none for the last one.

    Raises:
        CurateError: If the question has other options than the request showed.
    """
    groups = {
        option_text(option): frozenset(option.groups)
        for option in question.options
        if option.role is not Role.NONE
    }
    *shown, _ = request.choices
    if sorted(shown) != sorted(groups):
        raise CurateError(
            f"request {request.request_id} shows options that question {question.id} does not have",
            f"question {question.id}",
            f"the questions were changed since; {_AGAIN}",
        )
    return (*(groups[text] for text in shown), frozenset())
