"""The one place where votes of respondents are counted.

Who selected nothing has not answered the question; who contradicts himself (two options of a
choice, or 'no stereotype' together with a group) is taken out of it and listed.
"""

from collections.abc import Iterator
from pathlib import PurePath

import numpy as np
import numpy.typing as npt

from curation.model.findings import Finding, Severity
from curation.model.survey import QuestionKind, Role, Tally
from survey.answers import Answers, Codes

_NAMED = 5  # respondents that a message names


def count_answers(
    answers: Answers, rows: npt.NDArray[np.bool_] | None = None
) -> tuple[list[Tally], list[Finding]]:
    """Count the answers to every question.

    Args:
        answers: The answers.
        rows: Which rows to count; all by default.

    Returns:
        A tally for each question that the rows hold, in the questionnaire's order, and
        findings on respondents who contradict themselves.
    """
    questions = answers.questions
    taken = np.arange(len(answers)) if rows is None else np.flatnonzero(rows)
    pair = answers.respondent * len(questions) + answers.question
    count = len(answers.respondents) * len(questions)
    kinds = np.array([item.kind is QuestionKind.SELECT_ALL for item in questions])
    width = max(len(item.options) for item in questions)
    is_none = np.zeros((len(questions), width), dtype=bool)
    for row, item in enumerate(questions):
        for column, option in enumerate(item.options):
            is_none[row, column] = option.role is Role.NONE
    chosen = taken[answers.selected[taken]]
    chosen_pair, size = _dense(pair[chosen], count)
    picks = np.bincount(chosen_pair, minlength=size)
    nones = np.bincount(
        chosen_pair,
        weights=is_none[answers.question[chosen], answers.option[chosen]],
        minlength=size,
    )
    several = kinds[answers.question[chosen]]
    contradicts = np.where(
        several, (nones[chosen_pair] > 0) & (picks[chosen_pair] > 1), picks[chosen_pair] > 1
    )
    good = chosen[~contradicts]
    votes = np.bincount(
        answers.question[good] * width + answers.option[good], minlength=len(questions) * width
    ).reshape(len(questions), width)
    answered = _distinct(answers, good)
    asked = _distinct(answers, taken)
    tallies = [
        Tally(
            question=item,
            respondents=int(answered[row]),
            votes=tuple(int(n) for n in votes[row, : len(item.options)]),
            source=PurePath(answers.source).name,
        )
        for row, item in enumerate(questions)
        if asked[row]
    ]
    return tallies, list(_contradictions(answers, chosen[contradicts]))


def _dense(keys: Codes, count: int) -> tuple[Codes, int]:
    """Give keys as small numbers, as they are where an array of all of them is affordable."""
    if count <= 50_000_000:
        return keys, count
    values, dense = np.unique(keys, return_inverse=True)
    return dense, len(values)


def _distinct(answers: Answers, rows: Codes) -> Codes:
    """Count for each question the respondents in the given rows."""
    questions = answers.questions
    pair = answers.respondent[rows] * len(questions) + answers.question[rows]
    dense, size = _dense(pair, len(answers.respondents) * len(questions))
    seen = np.zeros(size, dtype=bool)
    seen[dense] = True
    first = np.zeros(size, dtype=np.int64)
    first[dense] = answers.question[rows]
    return np.bincount(first[seen], minlength=len(questions)).astype(np.int64)


def _contradictions(answers: Answers, rows: Codes) -> Iterator[Finding]:
    for at in np.unique(answers.question[rows]):
        mine = rows[answers.question[rows] == at]
        people = sorted({answers.respondents[code] for code in answers.respondent[mine]})
        question = answers.questions[at]
        what = (
            "chose 'no stereotype' together with a group"
            if question.kind is QuestionKind.SELECT_ALL
            else "chose more than one option"
        )
        named = ", ".join(people[:_NAMED]) + (", ..." if len(people) > _NAMED else "")
        count = f"{len(people)} respondent{'' if len(people) == 1 else 's'}"
        yield Finding(
            "survey-contradiction",
            Severity.WARNING,
            answers.source,
            int(answers.row[mine].min()),
            "option",
            f"question {question.id}: {count} {what}; what they answered to it is "
            f"not counted: {named}",
            "ask the panel company, or mend the answers",
        )
