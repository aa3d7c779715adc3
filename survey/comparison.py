"""Every decision with and without each rule of quality, and with weights beside it."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from curation.model.culture import SurveySettings
from curation.model.survey import Decision, Outcome, Rule
from survey.answers import Answers
from survey.counting import count_answers, one_per_answer, split_choices
from survey.quality import Flagged
from survey.rules import decide
from survey.weights import Weights, kish

NOBODY = "nobody left"
"""Stands for the outcome where nobody is left who answered, so that no rule rules."""
_OWN = (Rule.TARGET_SELECTION, Rule.TWO_THIRDS, Rule.COMPREHENSION)
"""The rules one of which rules on every question that anybody answered."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A ruling that comes out otherwise.

    Attributes:
        subject: The question or template.
        rule: The rule.
        outcome: As set; None where nobody is left who answered.
        otherwise: Otherwise; None where nobody is left then.
    """

    subject: str
    rule: Rule
    outcome: Outcome | None
    otherwise: Outcome | None

    @property
    def as_set(self) -> str:
        """The outcome as set, in words."""
        return NOBODY if self.outcome is None else self.outcome.value

    @property
    def instead(self) -> str:
        """The other outcome, in words."""
        return NOBODY if self.otherwise is None else self.otherwise.value


@dataclass(frozen=True, slots=True)
class RuleEffect:
    """What one rule of quality does to the decisions.

    Attributes:
        rule: Its name.
        respondents: How many respondents it flags.
        applied: Whether the settings exclude them.
        turns: The rulings that come out otherwise when the rule is applied and was not, or
            was and is not, everything else as set.
    """

    rule: str
    respondents: int
    applied: bool
    turns: tuple[Turn, ...]


def kept_rows(
    answers: Answers, flagged: Flagged, excluded: Collection[str]
) -> npt.NDArray[np.bool_]:
    """Give the rows of the respondents whom no excluding rule flags."""
    out = np.zeros(len(answers.respondents), dtype=bool)
    for rule, flags in flagged.flags.items():
        if rule in excluded:
            out |= flags
    return np.asarray(~out[answers.respondent], dtype=np.bool_)


def effects(
    answers: Answers, flagged: Flagged, excluded: Collection[str], settings: SurveySettings
) -> list[RuleEffect]:
    """Tell for every rule that flags somebody what it does.

    Args:
        answers: The answers.
        flagged: Who is flagged.
        excluded: Names of the rules that exclude.
        settings: The thresholds.
    """
    as_set = _rulings(answers, kept_rows(answers, flagged, excluded), settings)
    found = []
    for rule, flags in flagged.flags.items():
        applied = rule in excluded
        others = {*excluded} - {rule} if applied else {*excluded, rule}
        otherwise = _rulings(answers, kept_rows(answers, flagged, others), settings)
        found.append(RuleEffect(rule, int(flags.sum()), applied, turns(as_set, otherwise)))
    return found


def _rulings(
    answers: Answers, rows: npt.NDArray[np.bool_], settings: SurveySettings
) -> list[Decision]:
    tallies, _ = count_answers(answers, rows)
    return [ruling for tally in tallies for ruling in decide(tally, settings)]


def turns(as_set: Sequence[Decision], otherwise: Sequence[Decision]) -> tuple[Turn, ...]:
    """Give the rulings whose outcome differs.

    A question that nobody is left to answer, as set or otherwise, has no rulings there: it is
    one turn, of the rule that is its kind's own.
    """
    before = {(ruling.subject, ruling.rule): ruling for ruling in as_set}
    after = {(ruling.subject, ruling.rule): ruling for ruling in otherwise}
    found = []
    for key in dict.fromkeys((*before, *after)):
        one, other = before.get(key), after.get(key)
        if (one is None or other is None) and key[1] not in _OWN:
            continue
        outcomes = one.outcome if one else None, other.outcome if other else None
        if outcomes[0] is not outcomes[1]:
            found.append(Turn(*key, *outcomes))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class WeightedRuling:
    """A ruling beside its weighted twin.

    Attributes:
        subject: The question or template.
        rule: The rule.
        outcome: As counted.
        value: As counted.
        threshold: What it is held against; target selection has two thresholds, and shows the
            group that decides.
        weighted_outcome: With weights.
        weighted_value: With weights.
        weighted_threshold: What that is held against.
        effective_n: Kish's effective number of the question's respondents.
    """

    subject: str
    rule: Rule
    outcome: Outcome
    value: float | None
    threshold: float | None
    weighted_outcome: Outcome
    weighted_value: float | None
    weighted_threshold: float | None
    effective_n: float


def weighted(
    answers: Answers,
    rows: npt.NDArray[np.bool_],
    weights: Weights,
    settings: SurveySettings,
) -> list[WeightedRuling]:
    """Rule on weighted counts beside the plain ones; the number of respondents stays plain.

    Args:
        answers: The answers.
        rows: Which rows count.
        weights: A weight for each respondent.
        settings: The thresholds.
    """
    plain, _ = count_answers(answers, rows)
    heavy, _ = count_answers(answers, rows, weights)
    effective = effective_respondents(answers, rows, weights)
    found = []
    scaled = settings.model_copy(update={"min_respondents": 1})
    for tally, twin in zip(plain, heavy, strict=True):
        others = {ruling.rule: ruling for ruling in decide(twin, scaled)}
        for ruling in decide(tally, settings):
            if ruling.rule is Rule.MIN_RESPONDENTS:
                continue
            other = others[ruling.rule]
            found.append(
                WeightedRuling(
                    subject=ruling.subject,
                    rule=ruling.rule,
                    outcome=ruling.outcome,
                    value=ruling.value,
                    threshold=ruling.threshold,
                    weighted_outcome=other.outcome,
                    weighted_value=other.value,
                    weighted_threshold=other.threshold,
                    effective_n=effective[tally.question.id],
                )
            )
    return found


def effective_respondents(
    answers: Answers, rows: npt.NDArray[np.bool_], weights: Weights
) -> dict[str, float]:
    """Give Kish's effective number of respondents of each question that was answered."""
    good, _ = split_choices(answers, np.flatnonzero(rows))
    once = one_per_answer(answers, good)
    return {
        question.id: kish(weights[answers.respondent[once[answers.question[once] == at]]])
        for at, question in enumerate(answers.questions)
        if (answers.question[once] == at).any()
    }
