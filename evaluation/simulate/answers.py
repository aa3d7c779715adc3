"""The survey's questions asked of models: the requests, and what people and models answered."""

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from curation.files.jsonl import Line, text_list
from curation.files.tables import read_text
from curation.languages import Language, LanguageOrCode, load, missing
from curation.languages.prompts import Prompts, SurveyPrompt
from curation.records.culture import Culture
from curation.records.messages import CurateError
from curation.records.settings import parse_settings
from curation.records.survey import Option, Question, QuestionKind, Role, Tally, TargetRow
from evaluation.folders import requests_by_id
from evaluation.parsing import ReplyRule, choice_letters, read_reply
from evaluation.replies.files import Attendance, ReplyTable, attendance, positions
from evaluation.requests import read_lines
from survey.rules import surveyed_sides

AGAIN = "the questions were changed since: make the requests again: curate survey simulate"


class Request(NamedTuple):
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


READING_COLUMNS = (
    *("model", "request_id", "question_id", "prompt_id", "kind", "category"),
    *("choice", "groups", "rule", "people", "exact", "f1"),
)
"""The columns of `readings.csv`, one row a reply."""


class Standing(StrEnum):
    """Why the people's answers to a question say nothing."""

    TIE = "tie"
    NO_DATA = "no_data"


People = Mapping[str, frozenset[str] | Standing]
"""By question id the groups that the people name, or why there is no answer. There is no group
where they say that no such stereotype exists, or, in target selection, where none is a target."""


def public_answers(
    questions: Iterable[Question], tallies: Iterable[Tally], targets: Sequence[TargetRow]
) -> dict[str, frozenset[str] | Standing]:
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
    return {item.id: _public(item, counted.get(item.id), targets) for item in questions}


def _public(
    question: Question, tally: Tally | None, targets: Sequence[TargetRow]
) -> frozenset[str] | Standing:
    asked = (question.kind, question.group_sets)
    if tally is None or asked != (tally.question.kind, tally.question.group_sets):
        return Standing.NO_DATA
    voted = list(zip(tally.question.options, tally.votes, strict=True))
    if question.kind is QuestionKind.CHOICE:
        most = max(tally.votes, default=0)
        top = [option for option, votes in voted if votes == most]
        if most == 0:
            return Standing.NO_DATA
        return Standing.TIE if len(top) > 1 else frozenset(top[0].groups)
    own = (tally.question.category, tally.question.stereotype, question.kind, tally.respondents)
    known = {
        (row.group, row.votes)
        for row in targets
        if (row.category, row.stereotype, row.kind, row.respondents) == own
    }
    wanted = {(option.label, votes) for option, votes in voted if option.groups}
    if tally.respondents == 0 or not wanted <= known:
        return Standing.NO_DATA
    return frozenset(surveyed_sides(tally, targets)[0])


def f1(named: frozenset[str], wanted: frozenset[str]) -> float:
    """The F1 of a set against another: 2 |both| / (|one| + |other|).

    Two empty sets agree wholly, so that theirs is 1.
    """
    if not named and not wanted:
        return 1.0
    return 2 * len(named & wanted) / (len(named) + len(wanted))


def match_questions(
    requests: Mapping[str, Request], questions: Iterable[Question]
) -> dict[str, Question]:
    """By request id the question that it asks.

    Raises:
        CurateError: If a question is there no more, or has other options than its request showed.
    """
    by_id = {question.id: question for question in questions}
    for name, request in requests.items():
        question = by_id.get(request.question_id)
        if question is None or sorted(request.choices[:-1]) != sorted(_groups_of(question)):
            raise CurateError(
                f"request {name} asks question {request.question_id}, which the survey does not "
                "hold with these options",
                f"question {request.question_id}",
                AGAIN,
            )
    return {name: by_id[request.question_id] for name, request in requests.items()}


def _groups_of(question: Question) -> dict[str, frozenset[str]]:
    """The groups of each option by its text, without the option for no group."""
    options = (option for option in question.options if option.role is not Role.NONE)
    return {option_text(option): frozenset(option.groups) for option in options}


def read_answers(
    requests: Mapping[str, Request],
    questions: Mapping[str, Question],
    people: People,
    replies: ReplyTable,
    own: Language | None = None,
) -> tuple[pd.DataFrame, tuple[Attendance, ...]]:
    """Parse the replies of every model.

    Args:
        requests: What was asked, by id.
        questions: By request id the question.
        people: By question id what the people answered.
        replies: The replies.
        own: The language whose own words replies are read with too.

    Returns:
        A row a reply with `READING_COLUMNS`, by model in the order of the requests, and who
        answered what. `groups` are what the reply names, a frozenset, None where it is
        out-of-choice; `people` what the people answered; `exact` and `f1` compare the two, and
        are None where one has no answer. In validation there is no `f1`.
    """
    names = list(requests)
    at = positions(replies, names)
    order = {name: place for place, name in enumerate(replies.models)}
    rules: list[str] = []
    rows: list[tuple[int, int, dict[str, object]]] = []
    columns = (replies.frame["model"].tolist(), at.tolist(), replies.frame["reply"].tolist())
    for model, place, text in zip(*columns, strict=True):
        if place < 0 or not isinstance(text, str):
            rules.append("")
            continue
        request, question = requests[names[place]], questions[names[place]]
        row: dict[str, object] = {
            "model": model,
            "request_id": names[place],
            "question_id": question.id,
            "prompt_id": request.prompt_id,
            "kind": question.kind.value,
            "category": question.category,
            **_read(text, request.choices, question, people[question.id], own),
        }
        rules.append(str(row["rule"]))
        rows.append((order[model], place, row))
    ordered = [row for _, _, row in sorted(rows, key=lambda item: item[:2])]
    frame = pd.DataFrame(ordered, columns=list(READING_COLUMNS), dtype=object)
    return frame, attendance(replies, names, at, rules)


def _read(
    text: str,
    choices: Sequence[str],
    question: Question,
    people: frozenset[str] | Standing,
    own: Language | None,
) -> dict[str, object]:
    """What a reply names, beside what the people answered."""
    several = question.kind is QuestionKind.SELECT_ALL
    last = len(choices) - 1
    reading = read_reply(text, choices, several=several, none=last, own=own)
    chosen, rule = sorted(reading.chosen or ()), reading.rule
    if last in chosen and len(chosen) > 1:  # 'none' goes with no group
        chosen, rule = [], ReplyRule.CONTRADICTION
    groups = _groups_of(question)
    named = frozenset(group for at in chosen for group in groups.get(choices[at], ()))
    is_compared = bool(chosen) and not isinstance(people, Standing)
    letters = choice_letters(len(choices))
    return {
        "choice": ", ".join(letters[at] for at in chosen),
        "groups": named if chosen else None,
        "rule": rule.value,
        "people": people,
        "exact": named == people if is_compared else None,
        "f1": f1(named, frozenset(people)) if is_compared and several else None,
    }
