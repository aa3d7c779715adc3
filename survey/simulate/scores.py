"""How far a model's answers are the people's.

The unit is the reply to a question that the people have answered. Replies that cannot be read
are taken out of every score first, and counted. No data gives None, never 0.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields

import numpy as np
import numpy.typing as npt

from curation.model.survey import Question, QuestionKind
from survey.simulate.answers import Answer, Answers
from survey.simulate.bootstrap import Numbers, interval
from survey.simulate.people import Ruling, Standing
from survey.thresholds import rounded


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """The scores of one model on one kind of question; fields are the columns of `scores.csv`.

    `n + out_of_choice + missing` is the number of requests whose questions the people have
    answered.

    Attributes:
        model: The model.
        group_by: `overall` or `category`.
        group: The category; empty for `overall`.
        kind: `choice` for validation, `select_all` for target selection.
        n: Replies that were read and have the people's answer to be held against.
        out_of_choice: Replies that could not be read.
        exact_match: Share of the n that name exactly the groups that the people name; in
            validation the accuracy of the choice.
        mean_f1: Mean F1 of the groups against the people's; None in validation.
        exact_match_low: Lower end of the 95 % bootstrap interval.
        exact_match_high: Upper end.
        mean_f1_low: Lower end of the 95 % bootstrap interval.
        mean_f1_high: Upper end.
        out_of_choice_ratio: Their share of the replies.
        missing: Requests without a reply: above 0 the scores are over an incomplete set.
        questions: Questions that the n replies answer.
        ties: Questions left out, for two options have the most votes.
        without_data: Questions left out, for the people's answers are not known.
    """

    model: str
    group_by: str
    group: str
    kind: QuestionKind
    n: int
    out_of_choice: int
    exact_match: float | None
    mean_f1: float | None
    exact_match_low: float | None
    exact_match_high: float | None
    mean_f1_low: float | None
    mean_f1_high: float | None
    out_of_choice_ratio: float | None
    missing: int
    questions: int
    ties: int
    without_data: int


SCORE_COLUMNS = tuple(item.name for item in fields(ScoreRow))
"""The columns of `scores.csv`, in order."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """One answer held against the people's.

    Attributes:
        answer: The answer.
        people: What the people answered.
        exact: Whether the groups are the people's; None when the reply is out-of-choice or the
            people have no answer.
        f1: F1 of the groups; None likewise, and in validation.
    """

    answer: Answer
    people: Ruling
    exact: bool | None
    f1: float | None


def f1(named: frozenset[str], wanted: frozenset[str]) -> float:
    """Give the F1 of a set against another: 2 |both| / (|one| + |other|).

    Two empty sets agree wholly, so that theirs is 1.
    """
    if not named and not wanted:
        return 1.0
    return 2 * len(named & wanted) / (len(named) + len(wanted))


def judge(answer: Answer, people: Ruling) -> Judgement:
    """Hold an answer against the people's, if both can be told."""
    if people.standing is not Standing.RULED or answer.groups is None:
        return Judgement(answer, people, None, None)
    several = people.question.kind is QuestionKind.SELECT_ALL
    return Judgement(
        answer,
        people,
        answer.groups == people.groups,
        f1(answer.groups, people.groups) if several else None,
    )


def distinct(questions: Mapping[str, Question]) -> list[Question]:
    """Give the questions that requests ask, each once."""
    return list({question.id: question for question in questions.values()}.values())


_READ, _EXACT, _F1, _OUT, _MISSING = range(5)


def score(
    questions: Mapping[str, Question],
    people: Mapping[str, Ruling],
    answers: Answers,
    judgements: Sequence[Judgement],
    seed: int,
) -> list[ScoreRow]:
    """Score every model, overall and by category.

    Args:
        questions: By request id the question that it asks.
        people: By question id what the people answered.
        answers: What the models answered.
        judgements: The same answers, judged.
        seed: Of the bootstrap.
    """
    asked = distinct(questions)
    standing = np.array([people[item.id].standing for item in asked])
    sums = _sums(asked, questions, answers, judgements)
    return [
        _row((model, *group), numbers, members, standing[members], seed)
        for model, numbers in sums.items()
        for group, members in _groups(asked)
    ]


def _groups(
    asked: Sequence[Question],
) -> Iterator[tuple[tuple[str, str, QuestionKind], npt.NDArray[np.int64]]]:
    """Yield what there is a row for, with its questions: each kind, overall and by category."""
    for group_by, groups in (
        ("overall", [""]),
        ("category", list(dict.fromkeys(item.category for item in asked))),
    ):
        for group in groups:
            for kind in (QuestionKind.CHOICE, QuestionKind.SELECT_ALL):
                members = [
                    at
                    for at, item in enumerate(asked)
                    if item.kind is kind and group in ("", item.category)
                ]
                if members:
                    yield (group_by, group, kind), np.array(members)


def _sums(
    asked: Sequence[Question],
    questions: Mapping[str, Question],
    answers: Answers,
    judgements: Sequence[Judgement],
) -> dict[str, Numbers]:
    """Give by model sums over the replies to each question: read, exact, F1, out, missing."""
    place = {question.id: at for at, question in enumerate(asked)}
    sums = {item.model: np.zeros((5, len(asked))) for item in answers.attendance}
    for item in judgements:
        column = sums[item.answer.model][:, place[item.answer.request.question_id]]
        if item.answer.groups is None:
            column[_OUT] += 1
        elif item.exact is not None:
            column += (1, item.exact, item.f1 or 0.0, 0, 0)
    for model in answers.attendance:
        for name in model.missing:
            sums[model.model][_MISSING, place[questions[name].id]] += 1
    return sums


def _row(
    group: tuple[str, str, str, QuestionKind],
    sums: Numbers,
    members: npt.NDArray[np.int64],
    standing: npt.NDArray[np.str_],
    seed: int,
) -> ScoreRow:
    ruled = sums[:, members[standing == Standing.RULED]]
    read, out = int(ruled[_READ].sum()), int(ruled[_OUT].sum())
    exact = interval(ruled[_EXACT], ruled[_READ], seed)
    several = group[3] is QuestionKind.SELECT_ALL
    mean_f1 = interval(ruled[_F1], ruled[_READ], seed) if several else (None, None, None)
    return ScoreRow(
        *group,
        n=read,
        out_of_choice=out,
        exact_match=exact[0],
        mean_f1=mean_f1[0],
        exact_match_low=exact[1],
        exact_match_high=exact[2],
        mean_f1_low=mean_f1[1],
        mean_f1_high=mean_f1[2],
        out_of_choice_ratio=rounded(out / (read + out)) if read + out else None,
        missing=int(ruled[_MISSING].sum()),
        questions=int(np.count_nonzero(ruled[_READ])),
        ties=int(np.count_nonzero(standing == Standing.TIE)),
        without_data=int(np.count_nonzero(standing == Standing.NO_DATA)),
    )
