"""How far a model's answers are the people's.

The unit is the reply to a question that the people have answered. Replies that cannot be parsed
are taken out of every score first, and counted. No data gives None, never 0.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from itertools import combinations

import numpy as np
import numpy.typing as npt

from curation.intervals import Values, interval
from curation.records.survey import Question, QuestionKind
from evaluation.intervals import Counts, pooled
from evaluation.replies.files import Attendance
from evaluation.simulate.answers import Answer, PublicAnswer, Standing, f1, group_f1
from survey.rules import rounded


def mean_of(sums: Values, counts: Values) -> tuple[float | None, float | None, float | None]:
    """A mean over replies with its 95 % interval over questions, as of the scores of a benchmark.

    Replies to one question in several wordings are not independent.

    Args:
        sums: For each question the sum over its replies, each from 0 to 1.
        counts: For each question how many replies it has.

    Returns:
        The mean, None without a reply; and the interval's ends, None with replies to fewer than
        two questions.
    """
    if not counts.sum():
        return None, None, None
    moved = pooled(np.stack([sums, counts], axis=-1), _mean, counts)
    low, high = interval(*moved, (0.0, 1.0))
    mean = rounded(float(moved[0]))
    if np.isnan(low):
        return mean, None, None
    return mean, rounded(float(low)), rounded(float(high))


def _mean(parts: Counts) -> Values:
    """Of sums and counts, along the last axis."""
    alone = np.full(parts.shape[:-1], np.nan)
    found: Values = np.divide(parts[..., 0], parts[..., 1], out=alone, where=parts[..., 1] > 0)
    return found


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
        n: Parsed replies to questions that respondents have answered.
        out_of_choice: Replies that could not be parsed.
        exact_match: Share of the n that name exactly the groups that respondents name; in
            validation the accuracy of the choice.
        mean_f1: Mean F1 of the groups against the respondents'; None in validation.
        exact_match_low: Lower end of the 95 % interval over questions.
        exact_match_high: Upper end.
        mean_f1_low: Lower end of the 95 % interval over questions.
        mean_f1_high: Upper end.
        out_of_choice_ratio: Share of these replies among all replies.
        missing: Requests without a reply: above 0 the scores are over an incomplete set.
        questions: Questions that the n replies answer.
        ties: Questions left out because two options have the most votes.
        without_data: Questions left out because the respondents' answers are not known.
        group_f1: F1 of each group over all questions, averaged over the groups that are named;
            None in validation. It is another measure than `mean_f1`.
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
    group_f1: float | None


SCORE_COLUMNS = tuple(item.name for item in fields(ScoreRow))
"""The columns of `scores.csv`, in order."""


_READ, _EXACT, _F1, _OUT, _MISSING = range(5)  # sums over the replies to each question


def score(
    questions: Mapping[str, Question],
    people: Mapping[str, PublicAnswer],
    answers: Sequence[Answer],
    attendance: Sequence[Attendance],
) -> list[ScoreRow]:
    """Score every model, overall and by category.

    Args:
        questions: By request id the question that it asks.
        people: By question id what the people answered.
        answers: What the models answered.
        attendance: Which requests each of them replied to.
    """
    asked = list({question.id: question for question in questions.values()}.values())
    standing = np.array([people[item.id].standing for item in asked])
    place = {question.id: at for at, question in enumerate(asked)}
    sums = {item.model: np.zeros((5, len(asked))) for item in attendance}
    for item in answers:
        column = sums[item.model][:, place[item.request.question_id]]
        if item.groups is None:
            column[_OUT] += 1
        elif item.exact is not None:
            column += (1, item.exact, item.f1 or 0.0, 0, 0)
    for model in attendance:
        for name in model.missing:
            sums[model.model][_MISSING, place[questions[name].id]] += 1
    return [
        replace(
            _row((model, *group), numbers, members, standing[members]),
            group_f1=_group_f1(item for item in answers if _is_of(item, model, group)),
        )
        for model, numbers in sums.items()
        for group, members in _groups(asked)
    ]


def _is_of(item: Answer, model: str, group: tuple[str, str, QuestionKind]) -> bool:
    question = item.people.question
    return item.model == model and question.kind is group[2] and group[1] in ("", question.category)


def _group_f1(answers: Iterable[Answer]) -> float | None:
    """Of replies to questions of target selection that the people have answered."""
    value = group_f1(
        (item.people.question.category, item.groups or frozenset(), item.people.groups)
        for item in answers
        if item.f1 is not None
    )
    return None if value is None else rounded(value)


@dataclass(frozen=True, slots=True)
class PairRow:
    """How far two models answer alike; fields are the columns of `pairs.csv`.

    Attributes:
        model: The first model.
        other: The second model.
        kind: `choice` for validation, `select_all` for target selection.
        n: Requests to which both replies were parsed, whatever the respondents answered.
        exact_match: Share of the n in which both name exactly the same groups.
        mean_f1: Mean F1 of the first model's groups against the second's; None in validation.
        group_f1: F1 of each group over all requests, averaged over groups; None in validation.
    """

    model: str
    other: str
    kind: QuestionKind
    n: int
    exact_match: float | None
    mean_f1: float | None
    group_f1: float | None


PAIR_COLUMNS = tuple(item.name for item in fields(PairRow))
"""The columns of `pairs.csv`, in order."""


def pairs(answers: Sequence[Answer]) -> Iterator[PairRow]:
    """Compare every two models with each other, on the requests that both answered."""
    by_model: dict[str, dict[str, Answer]] = {}
    for item in answers:
        found = by_model.setdefault(item.model, {})
        if item.groups is not None:
            found[item.request.request_id] = item
    for model, other in combinations(by_model, 2):
        shared = [name for name in by_model[model] if name in by_model[other]]
        for kind in (QuestionKind.CHOICE, QuestionKind.SELECT_ALL):
            both = [
                (by_model[model][name], by_model[other][name])
                for name in shared
                if by_model[model][name].people.question.kind is kind
            ]
            if both:
                yield _pair(model, other, kind, both)


def _pair(
    model: str, other: str, kind: QuestionKind, both: Sequence[tuple[Answer, Answer]]
) -> PairRow:
    named = [
        (one.people.question.category, one.groups or frozenset(), two.groups or frozenset())
        for one, two in both
    ]
    several = kind is QuestionKind.SELECT_ALL
    over_groups = group_f1(named) if several else None
    return PairRow(
        model=model,
        other=other,
        kind=kind,
        n=len(named),
        exact_match=rounded(sum(one == two for _, one, two in named) / len(named)),
        mean_f1=rounded(sum(f1(one, two) for _, one, two in named) / len(named))
        if several
        else None,
        group_f1=None if over_groups is None else rounded(over_groups),
    )


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


def _row(
    group: tuple[str, str, str, QuestionKind],
    sums: Values,
    members: npt.NDArray[np.int64],
    standing: npt.NDArray[np.str_],
) -> ScoreRow:
    answered = sums[:, members[standing == Standing.ANSWERED]]
    read, out = int(answered[_READ].sum()), int(answered[_OUT].sum())
    exact = mean_of(answered[_EXACT], answered[_READ])
    several = group[3] is QuestionKind.SELECT_ALL
    mean_f1 = mean_of(answered[_F1], answered[_READ]) if several else (None, None, None)
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
        missing=int(answered[_MISSING].sum()),
        questions=int(np.count_nonzero(answered[_READ])),
        ties=int(np.count_nonzero(standing == Standing.TIE)),
        without_data=int(np.count_nonzero(standing == Standing.NO_DATA)),
        group_f1=None,
    )
