"""What people answered to each question of the survey, and what models reply to it."""

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum

import pandas as pd

from curation.languages import Language
from curation.records.errors import CurateError
from curation.records.survey import Question, QuestionKind, Role, Tally, TargetRow
from evaluation.parsing import ReplyRule, choice_letters, read_reply
from evaluation.replies.attendance import Attendance, attendance, positions
from evaluation.replies.files import ReplyTable
from evaluation.simulate.requests import AGAIN, Request, option_text
from survey.rules import surveyed_sides

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
