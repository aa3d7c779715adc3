"""Votes of respondents, counted from their answers: the one place where that is done."""

from collections.abc import Iterator
from pathlib import PurePath

import numpy as np
import numpy.typing as npt

from curation.records.findings import Finding, Severity
from curation.records.survey import QuestionKind, Role, Tally
from curation.records.wording import counted, shortened
from survey.answers import Answers, Codes

_NAMED = 5  # respondents that a message names


WEIGHT_UNIT = 720_720_000
"""What a respondent of weight 1 counts as in weighted tallies, so that rules stay in integers.

Every number to 16 divides it: weights such as 7/12 are whole, and a tie stays a tie.
"""


def count_answers(
    answers: Answers,
    rows: npt.NDArray[np.bool_] | None = None,
    weights: npt.NDArray[np.float64] | None = None,
) -> tuple[list[Tally], list[Finding]]:
    """Count the answers to every question.

    Args:
        answers: The answers.
        rows: Which rows to count; all by default.
        weights: A weight for each respondent; votes and respondents are then sums of weights
            as whole numbers (in `WEIGHT_UNIT`).

    Returns:
        A tally for each question that the answers hold, in the questionnaire's order, of nobody
        where none of its rows count; and findings on respondents who contradict themselves.
    """
    questions = answers.questions
    taken = np.arange(len(answers)) if rows is None else np.flatnonzero(rows)
    good, contradicting = split_choices(answers, taken)
    width = max(len(item.options) for item in questions)
    place = answers.question[good] * width + answers.option[good]
    votes = _sums(answers, good, place, len(questions) * width, weights)
    votes = votes.reshape(len(questions), width)
    once = one_per_answer(answers, good)
    answered = _sums(answers, once, answers.question[once], len(questions), weights)
    asked = np.bincount(answers.question, minlength=len(questions))
    # Without folders, so that the same files give the same counts anywhere.
    files = ", ".join(PurePath(path).name for path in answers.source.split(", "))
    tallies = [
        Tally(
            question=item,
            respondents=int(answered[row]),
            votes=tuple(int(n) for n in votes[row, : len(item.options)]),
            source=files,
        )
        for row, item in enumerate(questions)
        if asked[row]
    ]
    return tallies, list(_contradictions(answers, contradicting))


def _sums(
    answers: Answers,
    rows: Codes,
    place: Codes,
    size: int,
    weights: npt.NDArray[np.float64] | None,
) -> Codes:
    """Count the rows at each place, or sum the weights of their respondents.

    Each weight is rounded before it is summed, so that sums are exact: two thirds of equal
    weights are two thirds.
    """
    if weights is None:
        return np.bincount(place, minlength=size)
    whole = np.rint(weights * WEIGHT_UNIT)
    sums = np.bincount(place, weights=whole[answers.respondent[rows]], minlength=size)
    return sums.astype(np.int64)


def split_choices(answers: Answers, rows: Codes) -> tuple[Codes, Codes]:
    """The choices among rows that count, and those that contradict each other."""
    questions = answers.questions
    chosen = rows[answers.selected[rows]]
    pair, size = _pairs(answers, chosen)
    picks = np.bincount(pair, minlength=size)
    if not (picks > 1).any():
        return chosen, chosen[:0]  # who chose one option contradicts nothing
    kinds = np.array([item.kind is QuestionKind.SELECT_ALL for item in questions])
    width = max(len(item.options) for item in questions)
    is_none = np.zeros((len(questions), width), dtype=bool)
    for row, item in enumerate(questions):
        for column, option in enumerate(item.options):
            is_none[row, column] = option.role is Role.NONE
    none_chosen = is_none[answers.question[chosen], answers.option[chosen]]
    nones = np.bincount(pair, weights=none_chosen, minlength=size)
    several = kinds[answers.question[chosen]]
    contradicts = np.where(several, (nones[pair] > 0) & (picks[pair] > 1), picks[pair] > 1)
    return chosen[~contradicts], chosen[contradicts]


def one_per_answer(answers: Answers, rows: Codes) -> Codes:
    """Of the rows one for each respondent and question."""
    pair, size = _pairs(answers, rows)
    last = np.full(size, -1, dtype=np.int64)
    last[pair] = rows
    return last[last >= 0]


def _pairs(answers: Answers, rows: Codes) -> tuple[Codes, int]:
    """Number the pairs of respondent and question, and give the size of an array of them."""
    width = len(answers.questions)
    keys = answers.respondent[rows] * width + answers.question[rows]
    return _dense(keys, len(answers.respondents) * width)


def _dense(keys: Codes, count: int) -> tuple[Codes, int]:
    """Keys as small numbers, as they are where an array of all of them is affordable."""
    if count <= 50_000_000:
        return keys, count
    values, dense = np.unique(keys, return_inverse=True)
    return dense, len(values)


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
        named = shortened(people, _NAMED)
        count = counted(len(people), "respondent")
        file, row = answers.place(mine)
        yield Finding(
            "survey-contradiction",
            Severity.WARNING,
            file,
            row,
            "",  # files of platforms have other columns than our table of answers
            f"question {question.id}: {count} {what}; their answers to it are not counted: {named}",
            "ask the panel company, or fix the answers",
        )
