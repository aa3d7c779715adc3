"""Weighted decisions beside the plain ones, which decide.

Weights are raked to given margins (Deming and Stephan 1940). What they cost is told by the
effective number of respondents (Kish 1965), and for each share by its standard error and its
design effect. Standard errors are those of R's package `survey` for a design calibrated by raking.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from curation.records.culture import SurveySettings
from curation.records.messages import CurateError
from curation.records.survey import Decision, Question, Role, Rule, Tally
from survey.answers import Answers, Codes, count_answers, one_per_answer, split_choices
from survey.rules import counting_options, decide, rounded, wilson

Weights = npt.NDArray[np.float64]

_ROUNDS = 1000
_CLOSE = 1e-10


def rake(
    attributes: Mapping[str, Sequence[str]], margins: Mapping[str, Mapping[str, float]]
) -> Weights:
    """Weight respondents so that every attribute has the given shares.

    Args:
        attributes: For each attribute the value of each respondent.
        margins: For each attribute that is to be met the share of each value; they are
            scaled to sum to 1.

    Returns:
        One weight a respondent, with mean 1.

    Raises:
        CurateError: If an attribute or value is missing on either side, or the margins
            cannot be met together.
    """
    coded = [_coded(name, attributes, shares) for name, shares in margins.items()]
    if not coded:
        raise CurateError("there are no margins to weight to", hint="give the shares by attribute")
    count = len(coded[0][0])
    weights = np.ones(count)
    for _ in range(_ROUNDS):
        largest = 0.0
        for codes, wanted in coded:
            now = np.bincount(codes, weights=weights, minlength=len(wanted)) / count
            factor = wanted / now
            weights *= factor[codes]
            largest = max(largest, float(np.abs(factor - 1).max()))
        if largest < _CLOSE:
            return weights
    raise CurateError(
        "the margins cannot be met together",
        ", ".join(margins),
        "merge rare values of an attribute, or weight to fewer attributes",
    )


def _coded(
    name: str, attributes: Mapping[str, Sequence[str]], shares: Mapping[str, float]
) -> tuple[npt.NDArray[np.int64], Weights]:
    values = attributes.get(name)
    if not values:
        known = ", ".join(attributes) or "none"
        raise CurateError(
            f"respondents have no attribute '{name}'",
            "respondents.csv",
            f"they have {known}",
        )
    if any(share <= 0 for share in shares.values()):
        raise CurateError(f"a share of '{name}' is not above 0", hint="leave such values out")
    positions = {value: at for at, value in enumerate(shares)}
    strange = sorted({value for value in values if value not in positions})
    if strange:
        shown = ", ".join(repr(value) for value in strange[:5])
        raise CurateError(
            f"respondents have values of '{name}' that the margins lack: {shown}",
            "respondents.csv",
            f"the margins have {', '.join(shares)}",
        )
    codes = np.array([positions[value] for value in values], dtype=np.int64)
    absent = [value for value, at in positions.items() if not (codes == at).any()]
    if absent:
        raise CurateError(
            f"no respondent has '{name}' = {absent[0]}",
            "respondents.csv",
            "merge it with another value in the margins",
        )
    wanted = np.array(list(shares.values()), dtype=np.float64)
    return codes, wanted / wanted.sum()


def kish(weights: Weights) -> float:
    """The effective number of respondents, `(sum w)^2 / sum w^2` (Kish 1965, 11.7)."""
    return float(weights.sum() ** 2 / (weights**2).sum())


def weighted(
    answers: Answers,
    rows: npt.NDArray[np.bool_],
    weights: Weights,
    settings: SurveySettings,
    margins: Mapping[str, Sequence[str]] | None = None,
) -> list[dict[str, Any]]:
    """Rule on weighted counts beside the plain ones; the number of respondents stays plain.

    Args:
        answers: The answers.
        rows: Which rows count.
        weights: A weight for each respondent; 0 for those who are not among the weighted.
        settings: The thresholds.
        margins: For each attribute that the weights were raked to the value of each respondent.
            Standard errors are then those of raked weights; without it the weights are taken as
            given.

    Returns:
        Each decision beside its weighted twin: `subject` and `rule`; `outcome`, `value` and
        `threshold` as counted, and the same with `weighted_`. Target selection has two thresholds,
        and shows the group that decides. `weighted_se` is the standard error of `weighted_value`,
        in its unit; `weighted_ci_low` and `weighted_ci_high` are its 95 % Wilson interval, for as
        many respondents as would give this standard error, and never for more than there are;
        `weighted_near` is whether `weighted_threshold` lies in it. `design_effect` is its variance
        divided by that of as many respondents drawn at random; None where all of them say the
        same. They are None where it has no value. `effective_n` is Kish's effective number of the
        question's respondents.
    """
    plain, _ = count_answers(answers, rows)
    heavy, _ = count_answers(answers, rows, weights)
    replies = _Replies(answers, rows)
    error = _Errors(weights, margins or {})
    scaled = settings.model_copy(update={"min_respondents": 1})
    found = []
    for tally, twin in zip(plain, heavy, strict=True):
        others = {decision.rule: decision for decision in decide(twin, scaled)}
        people = replies.people(tally.question)
        for decision in decide(tally, settings):
            if decision.rule is Rule.MIN_RESPONDENTS:
                continue
            other = others[decision.rule]
            shares = replies.share(twin, other, settings)
            found.append(
                {
                    **{name: getattr(decision, name) for name in ("subject", "rule")},
                    **{name: getattr(decision, name) for name in _TWINS},
                    **{f"weighted_{name}": getattr(other, name) for name in _TWINS},
                    **error.of(*shares, other.threshold),
                    "effective_n": kish(weights[people]),
                }
            )
    return found


_TWINS = ("outcome", "value", "threshold")


class _Replies:
    """Who answered each question, and what each respondent adds to the share of a decision."""

    def __init__(self, answers: Answers, rows: npt.NDArray[np.bool_]) -> None:
        good, _ = split_choices(answers, np.flatnonzero(rows))
        self._answers = answers
        self._chosen = _by_question(answers, good)
        self._answered = _by_question(answers, one_per_answer(answers, good))
        self._places = {question.id: at for at, question in enumerate(answers.questions)}

    def people(self, question: Question) -> Codes:
        """The respondents whose answer to a question counts."""
        rows = self._answered[self._places[question.id]]
        return np.asarray(self._answers.respondent[rows])

    def share(
        self, twin: Tally, decision: Decision, settings: SurveySettings
    ) -> tuple[Weights, Weights, float]:
        """What each respondent adds above and below the line, and by what the share is multiplied.

        Args:
            twin: The weighted tally.
            decision: The decision on it.
            settings: The thresholds.
        """
        question = twin.question
        above = self._votes(question, _numerator(twin, decision))
        every = [option.role is not Role.NONE for option in question.options]
        times = 1.0
        if decision.rule is Rule.TWO_THIRDS:
            below = self._votes(question, every)
        elif decision.rule in (Rule.TARGET_SELECTION, Rule.TARGET_SHARE):
            below = self._votes(question, every)
            if decision.rule is Rule.TARGET_SHARE or settings.equal_share == "respondents":
                below = np.minimum(below, 1)
            if decision.rule is Rule.TARGET_SELECTION:
                times = float(counting_options(twin))
        else:
            below = np.zeros(len(above))
            below[self.people(question)] = 1
        return above, below, times

    def _votes(self, question: Question, options: Sequence[bool]) -> Weights:
        """How many of some options each respondent chose."""
        rows = self._chosen[self._places[question.id]]
        mine = rows[np.array(options)[self._answers.option[rows]]]
        people = len(self._answers.respondents)
        return np.bincount(self._answers.respondent[mine], minlength=people).astype(np.float64)


def _by_question(answers: Answers, rows: Codes) -> list[Codes]:
    """Rows apart by question."""
    asked = answers.question[rows]
    order = np.argsort(asked, kind="stable")
    ends = np.cumsum(np.bincount(asked, minlength=len(answers.questions)))
    return np.split(rows[order], ends[:-1])


_COUNTED = {
    Rule.TWO_THIRDS: Role.TARGET,
    Rule.NO_STEREOTYPE: Role.NONE,
    Rule.COMPREHENSION: Role.CORRECT,
}
"""By rule the options that it counts; those of target selection look at one group."""


def _numerator(twin: Tally, decision: Decision) -> list[bool]:
    """The options that a decision counts."""
    options = twin.question.options
    role = _COUNTED.get(decision.rule)
    if role is not None:
        return [option.role is role for option in options]
    named = [option.role is not Role.NONE for option in options]
    votes = [count if one else None for count, one in zip(twin.votes, named, strict=True)]
    at = votes.index(decision.k)
    return [place == at for place in range(len(options))]


Spread = dict[str, float | bool | None]
"""How sure a weighted share is, by column."""
_NO_SPREAD = ("weighted_se", "weighted_ci_low", "weighted_ci_high", "weighted_near")


class _Errors:
    """Standard errors of weighted shares, by linearisation.

    A share is a ratio of two weighted sums. Each respondent's part in its error counts with what
    the margins do not explain of it: the residual of least squares on the attributes that were
    raked to (Deville and Sarndal 1992).
    """

    def __init__(self, weights: Weights, margins: Mapping[str, Sequence[str]]) -> None:
        self._counted = weights > 0
        self._weights = weights[self._counted]
        self._base = _base(
            [np.array(of)[self._counted] for of in margins.values()], len(self._weights)
        )

    def of(self, above: Weights, below: Weights, times: float, threshold: float | None) -> Spread:
        """The spread of `times * sum(w above) / sum(w below)`, and whether it holds a threshold."""
        w, above, below = self._weights, above[self._counted], below[self._counted]
        whole, mine = float(w @ below), below > 0
        if whole <= 0:
            return dict.fromkeys((*_NO_SPREAD, "design_effect"))
        share = float(w @ above) / whole
        parts = (above - share * below) / whole
        moved = w * (parts - self._base @ (self._base.T @ parts))
        variance = float(((moved - moved.mean()) ** 2).sum()) * len(w) / max(len(w) - 1, 1)
        drawn = float(w[mine].sum() * (w @ parts**2)) / max(int(mine.sum()) - 1, 1)
        people = kish(w[mine])
        if 0 < share < 1:
            # Margins that explain an answer make nobody of more people than were asked.
            people = min(share * (1 - share) / max(variance, _NOTHING), float(mine.sum()))
        people = max(people, 1.0)
        ends = wilson(min(share, 1.0) * people, people)
        low, high = (rounded(times * end) for end in ends)
        return {
            "weighted_se": rounded(times * math.sqrt(variance)),
            "weighted_ci_low": low,
            "weighted_ci_high": high,
            "weighted_near": None if threshold is None else low <= threshold <= high,
            "design_effect": rounded(variance / drawn) if drawn > _NOTHING else None,
        }


_NOTHING = 1e-18
"""A variance below it is that of rounding."""
_ALIKE = 1e-9
"""A direction shorter than this share of the longest one is that of rounding."""


def _base(attributes: Sequence[npt.NDArray[np.str_]], people: int) -> Weights:
    """Columns at right angles that span a column for each value of each attribute."""
    columns = [np.zeros((people, 1)), *(of[:, np.newaxis] == np.unique(of) for of in attributes)]
    left, sizes, _ = np.linalg.svd(np.concatenate(columns, axis=1).astype(float), False)
    return np.asarray(left[:, sizes > _ALIKE * sizes.max(initial=0)])
