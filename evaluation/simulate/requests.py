"""The requests by which a model is asked the survey's questions, in the words of prompts."""

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from curation.files.jsonl import Line, text_list
from curation.files.tables import read_text
from curation.languages import Language, LanguageOrCode, load, missing
from curation.languages.prompts import Prompts, SurveyPrompt
from curation.records.culture import Culture
from curation.records.errors import CurateError
from curation.records.settings_errors import parse_settings
from curation.records.survey import Option, Question, QuestionKind, Role
from evaluation.folders import requests_by_id
from evaluation.parsing import choice_letters
from evaluation.requests import read_lines

AGAIN = "the questions were changed since: make the requests again: curate survey simulate"


@dataclass(frozen=True, slots=True)
class Request:
    """One question in one wording, without what the model is sent.

    Attributes:
        question_id: The question.
        prompt_id: The wording.
        choices: The options as shown, in their order; letters name them from A. The last one
            stands for no group.
    """

    question_id: str
    prompt_id: str
    choices: tuple[str, ...]


def read_prompts(language: LanguageOrCode, path: Path | None = None) -> tuple[SurveyPrompt, ...]:
    """The prompts of a language, or those of a user's own file.

    Args:
        language: The language, or its code.
        path: A YAML file with `prompts`, in place of the toolkit's own.

    Raises:
        CurateError: If there are none, or the file cannot be read.
    """
    if path is not None:
        given = parse_settings(read_text(path), Prompts[SurveyPrompt], path, "docs/survey.md")
        return given.prompts
    known = load(language)
    if known.simulate is None:
        raise missing(
            "simulate",
            known,
            f"there are no prompts in '{known}'",
            "culture.yaml, language",
            "write some and name them with --wording FILE",
        )
    return known.simulate.prompts


def make_requests(
    questions: Iterable[Question],
    prompts: Sequence[SurveyPrompt],
    culture: Culture,
    seed: int,
    language: Language | None = None,
) -> Iterator[dict[str, object]]:
    """Yield a request for each question and prompt, as `requests.jsonl` holds them.

    The groups stand in an order that is drawn for each request, from the seed and the request's
    id alone; that no such stereotype exists stays last, as people saw it.

    Args:
        questions: The survey's questions.
        prompts: What stands round what people were asked.
        culture: The culture, for its own words of the survey.
        seed: The seed of the orders.
        language: Its language with what its workspace says of it; by default as we have it.

    Raises:
        CurateError: If there are no texts for the survey's questions, or two options of a question
            read alike.
    """
    texts = _survey_texts(culture, load(language or culture.language))
    names = {item.id: item.name or item.id for item in culture.categories}
    for question in questions:
        asked = texts[question.kind].format(
            stereotype=question.stereotype,
            category=names.get(question.category, question.category),
        )
        none = next((item.text for item in question.options if item.role is Role.NONE), "")
        last = " ".join((none or texts["none"]).split())
        groups = [option_text(item) for item in question.options if item.role is not Role.NONE]
        if len({text.casefold() for text in (*groups, last)}) <= len(groups):
            raise CurateError(
                f"question {question.id} has two options that read alike",
                f"question {question.id}, column text",
                "give them different texts: nobody would know which one a reply means",
            )
        for prompt in prompts:
            request_id = f"{question.id}-p{prompt.id}"
            shown = list(groups)
            random.Random(f"{seed}:{request_id}").shuffle(shown)  # noqa: S311  # a seeded draw
            choices = [*shown, last]
            letters = choice_letters(len(choices))
            options = "\n".join(map("{}. {}".format, letters, choices))
            several = question.kind is QuestionKind.SELECT_ALL
            content = (prompt.select_all if several else prompt.choice).format(
                question=asked.strip(), options=options, culture=culture.culture
            )
            yield {
                "request_id": request_id,
                "question_id": question.id,
                "prompt_id": prompt.id,
                "messages": [{"role": "user", "content": content.strip()}],
                "choices": choices,
            }


def _survey_texts(culture: Culture, language: Language) -> dict[str, str]:
    """What people were asked in each kind of question, and the option for no group."""
    own, base = culture.questionnaire.wording, language.survey
    texts: dict[str, str] = {
        name: getattr(own, name) or getattr(base, name, None) or ""
        for name in (QuestionKind.CHOICE.value, QuestionKind.SELECT_ALL.value, "none")
    }
    lacking = [name for name, text in texts.items() if not text]
    if lacking:
        raise missing(
            "survey",
            language,
            f"there are no survey texts in '{language}': {', '.join(lacking)} missing",
            "culture.yaml, questionnaire.wording",
            "write under questionnaire.wording in culture.yaml what people were asked",
        )
    return texts


def option_text(option: Option) -> str:
    """An option as respondents read it, on one line."""
    return " ".join((option.text or option.label).split())


def read_requests(path: Path) -> dict[str, Request]:
    """Read the requests that replies answer, by their ids.

    Raises:
        CurateError: If a line cannot be read, or an id occurs twice: a score over half of the
            requests would not say so.
    """
    return requests_by_id(path, read_lines(path), _request_of, "request", AGAIN)


def _request_of(line: Line) -> Request:
    choices = text_list(line.value.get("choices"))
    if len(choices) < 2:
        raise ValueError("it has fewer than two choices")
    return Request(line.text("question_id"), line.text("prompt_id"), tuple(choices))
