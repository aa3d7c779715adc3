"""The effect of the order of options: by question, by kind, and on the decisions.

An order effect decides nothing. Where an option is chosen more often for standing first, a survey
that shows it first to everybody counts that as part of the stereotype; one that shows both orders
equally often does not.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from curation.intervals import interval
from curation.records.culture import SurveySettings
from curation.records.messages import counted, frame, half_up
from curation.records.survey import Outcome, Question, QuestionKind, Role, Tally
from survey.answers import Answers, Codes, split_choices
from survey.rules import OWN_RULES, above, below, decide, rounded, wilson

if TYPE_CHECKING:
    import pandas as pd

FEWEST = 10
"""Answers in one order of the options from which it is counted alone."""

_NUMBERED = 15  # of so many options every order has a number of 64 bits
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class OrderTurn:
    """A decision that comes out otherwise when one order of the options is counted alone.

    Attributes:
        order: The codes of the options that change places, in that order.
        answers: Respondents who saw it.
        outcome: What is decided then.
    """

    order: tuple[str, ...]
    answers: int
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class OrderEffect:
    """What the order of its options does to one question.

    What is compared: in validation, the share naming the target among those who named a group;
    in comprehension, the share of correct answers; in target selection, the share choosing a
    group, over all groups. Shown first means in the first half of the options that change places.

    Attributes:
        question_id: The question.
        kind: Its kind.
        orders: How many orders of its options were shown.
        answers: Respondents whose order is known.
        unknown: Respondents whose order is not known.
        first_k: How many who saw an option first chose it.
        first_n: How many saw it first.
        later_k: How many who saw an option later chose it.
        later_n: How many saw it later.
        difference: Share that chose an option shown first minus share that chose it shown later,
            from -1 to 1; of target selection over its groups. None where one of the two was not
            shown.
        ci_low: Lower end of its 95 % interval.
        ci_high: Upper end.
        outcome: The decision of the kind's own rule on all answers; None without answers.
        turns: The orders that alone would change it; None where fewer than two orders were seen by
            `FEWEST` respondents.
        expected: Probability that one of them would change it if the order did not matter; None
            where `turns` is None, and for target selection.
    """

    question_id: str
    kind: QuestionKind
    orders: int
    answers: int
    unknown: int
    first_k: int
    first_n: int
    later_k: int
    later_n: int
    difference: float | None
    ci_low: float | None
    ci_high: float | None
    outcome: Outcome | None
    turns: tuple[OrderTurn, ...] | None
    expected: float | None

    @property
    def stands_out(self) -> bool:
        """Whether the interval does not hold 0."""
        return _apart(self.ci_low, self.ci_high)


@dataclass(frozen=True, slots=True)
class KindOrder:
    """What the order of options does to the questions of one kind, taken together.

    Attributes:
        kind: The kind.
        questions: Questions that were shown in two orders or more.
        respondents: Respondents who answered one of them.
        difference: As `OrderEffect.difference`, each question compared with itself.
        ci_low: Lower end of its 95 % interval, for respondents who answer many questions each.
        ci_high: Upper end.
        standing_out: How many questions have an interval of their own without 0; if the order
            did not matter, one in twenty would.
        told: Questions for which it is known whether one order alone would change the decision.
        turned: Ids of those whose decision it would change.
        expected: How many decisions chance alone would change; None for target selection.
        one_order: Ids of the questions that all respondents saw in one order.
    """

    kind: QuestionKind
    questions: int
    respondents: int
    difference: float | None
    ci_low: float | None
    ci_high: float | None
    standing_out: int
    told: int
    turned: tuple[str, ...]
    expected: float | None
    one_order: tuple[str, ...]

    @property
    def stands_out(self) -> bool:
        """Whether the interval does not hold 0."""
        return _apart(self.ci_low, self.ci_high)


@dataclass(frozen=True, slots=True)
class OrderEffects:
    """What the order of options does.

    Attributes:
        questions: Every question that was answered, in the questionnaire's order.
        kinds: By kind, those of which the order is known for a question.
    """

    questions: tuple[OrderEffect, ...]
    kinds: tuple[KindOrder, ...]

    @property
    def notable(self) -> list[str]:
        """What is to be said of it at once; nothing where no order stands out."""
        return [line for kind in self.kinds if (line := _said(kind))]

    def to_frame(self) -> "pd.DataFrame":
        """A row a question, with the attributes of `OrderEffect` as columns of dtype `object`.

        `turns` is how many orders alone would turn the decision.
        """
        made = frame(self.questions, OrderEffect)
        made["turns"] = [None if it.turns is None else len(it.turns) for it in self.questions]
        return made


_NAMES = {
    QuestionKind.CHOICE: "validation: the target is named",
    QuestionKind.SELECT_ALL: "target selection: a group is chosen",
    QuestionKind.COMPREHENSION: "comprehension: the correct answer is chosen",
}


def _said(kind: KindOrder) -> str:
    """Say of a kind what stands out."""
    parts = []
    if kind.stands_out:
        assert kind.difference is not None and kind.ci_low is not None  # noqa: S101
        assert kind.ci_high is not None  # noqa: S101  # it stands out by its interval
        ends = sorted(abs(end) for end in (kind.ci_low, kind.ci_high))
        low, high = (half_up(end, 1, times=100) for end in ends)
        parts.append(
            f"{half_up(abs(kind.difference), 1, times=100)} points "
            f"{'more' if kind.difference > 0 else 'less'} often where it is shown first (95 % "
            f"interval {low} to {high})"
        )
        if kind.told:
            chance = "" if kind.expected is None else f" ({half_up(kind.expected, 1)} by chance)"
            parts.append(
                f"one order alone would turn {len(kind.turned)} of {kind.told} decisions{chance}"
            )
    if kind.one_order:
        count = len(kind.one_order)
        subject = counted(count, "question was", "questions were")
        one = (
            f"{subject} shown in one order to everybody, so its effect cannot be separated from "
            "that of the stereotype"
        )
        parts.append(one)
    if not parts:
        return ""
    name, _, does = _NAMES[kind.kind].partition(": ")
    lead = f"{does} " if kind.stands_out else ""
    return f"{name}: {lead}{'; '.join(parts)}"


def _apart(low: float | None, high: float | None) -> bool:
    return low is not None and high is not None and (low > 0 or high < 0)


@dataclass(frozen=True, slots=True)
class _Seen:
    """The answers to one question: a row a respondent, a column an option.

    Attributes:
        question: The question.
        respondent: Whose each row is.
        chosen: What was chosen.
        places: Of the options that change places, the place among them from 0; -1 in rows whose
            order is not known.
        moved: Their positions among the options.
    """

    question: Question
    respondent: Codes
    chosen: Flags
    places: npt.NDArray[np.int64]
    moved: tuple[int, ...]

    @property
    def known(self) -> Flags:
        """The rows whose order is known."""
        return np.asarray((self.places >= 0).all(axis=1))

    def tally(self, rows: Flags) -> Tally:
        """Count some of the rows."""
        votes = self.chosen[rows].sum(axis=0).tolist()
        return Tally(self.question, int(rows.sum()), tuple(votes), "")


@dataclass(frozen=True, slots=True)
class _Stratum:
    """Rows in which one option could be chosen, and where it was shown.

    Attributes:
        who: Whose each row is.
        first: Whether the option was shown in the first half; else in the second.
        chosen: Whether it was chosen.
    """

    who: Codes
    first: Flags
    chosen: Flags

    @property
    def counts(self) -> tuple[int, int, int, int]:
        """Chosen of shown first, and chosen of shown later."""
        return (
            int((self.chosen & self.first).sum()),
            int(self.first.sum()),
            int((self.chosen & ~self.first).sum()),
            int((~self.first).sum()),
        )


def order_effects(
    answers: Answers, rows: npt.NDArray[np.bool_], settings: SurveySettings
) -> OrderEffects:
    """Tell what the order of options does to each question and to the questions of each kind.

    Args:
        answers: The answers.
        rows: Which rows count.
        settings: The thresholds.

    Raises:
        CurateError: If a question of target selection has no option that counts.
    """
    effects = []
    strata: dict[QuestionKind, list[_Stratum]] = {}
    for seen in _by_question(answers, rows):
        mine = [part for part in _strata(seen) if part.first.any() and not part.first.all()]
        effects.append(_effect(seen, mine, settings))
        strata.setdefault(seen.question.kind, []).extend(mine)
    kinds = dict.fromkeys(item.kind for item in effects if item.answers)
    return OrderEffects(
        tuple(effects),
        tuple(
            _together(kind, [item for item in effects if item.kind is kind], strata[kind])
            for kind in kinds
        ),
    )


def _by_question(answers: Answers, rows: Flags) -> Iterator[_Seen]:
    """Lay out the answers to each question; answers that contradict each other are left out."""
    taken = np.flatnonzero(rows)
    good, _ = split_choices(answers, taken)
    chosen = np.zeros(len(answers), dtype=bool)
    chosen[good] = True
    # Numbers of two bytes at most are sorted by counting, ten times as fast.
    small = np.min_scalar_type(len(answers.questions))
    ordered = taken[np.argsort(answers.question[taken].astype(small), kind="stable")]
    asked, every = answers.question[ordered], np.arange(len(answers.questions))
    starts, ends = np.searchsorted(asked, every), np.searchsorted(asked, every, "right")
    for question, start, end in zip(answers.questions, starts, ends, strict=True):
        mine = ordered[start:end]
        there = np.zeros(len(answers.respondents), dtype=bool)
        there[answers.respondent[mine]] = True
        people = np.flatnonzero(there)
        rows_of = np.empty(len(there), dtype=np.int64)
        rows_of[people] = np.arange(len(people))
        row = rows_of[answers.respondent[mine]]
        shape = (len(people), len(question.options))
        picked, position = np.zeros(shape, dtype=bool), np.zeros(shape, dtype=np.int64)
        picked[row, answers.option[mine]] = chosen[mine]
        position[row, answers.option[mine]] = answers.position[mine]
        answered = picked.any(axis=1)
        if answered.any():
            fixed = question.fixed_last
            moved = tuple(option for option in range(shape[1]) if option not in fixed)
            places = _places(position[answered][:, moved])
            yield _Seen(question, people[answered], picked[answered], places, moved)


def _places(position: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """The place of each option among those of its row, from 0; -1 where not all are known."""
    differ = np.diff(np.sort(position, axis=1), axis=1).all(axis=1)
    known = np.logical_and(position.all(axis=1), differ)
    places = np.argsort(np.argsort(position, axis=1), axis=1)
    return np.where(known[:, None], places, -1)


def _strata(seen: _Seen) -> Iterator[_Stratum]:
    """Yield, for each option whose choices are compared, who could choose it and where it stood.

    An option in the middle of an odd number is neither among the first nor among the later.
    """
    question, size = seen.question, len(seen.moved)
    compared = {
        QuestionKind.CHOICE: (Role.TARGET,),
        QuestionKind.COMPREHENSION: (Role.CORRECT,),
        QuestionKind.SELECT_ALL: (Role.GROUP, Role.TARGET, Role.NON_TARGET),
    }[question.kind]
    could = seen.known
    if question.kind is QuestionKind.CHOICE:
        could = np.logical_and(could, seen.chosen[:, seen.moved].any(axis=1))
    for column, option in enumerate(seen.moved):
        if question.options[option].role in compared:
            place = 2 * seen.places[:, column] + 1
            rows = could & (place != size)
            yield _Stratum(seen.respondent[rows], place[rows] < size, seen.chosen[rows, option])


def _effect(seen: _Seen, strata: Sequence[_Stratum], settings: SurveySettings) -> OrderEffect:
    question, known = seen.question, seen.known
    counts = [part.counts for part in strata]
    first_k, first_n, later_k, later_n = (sum(part[at] for part in counts) for at in range(4))
    difference, low, high = _difference(strata)
    own = _own(seen.tally(np.ones(len(known), dtype=bool)), settings)
    orders, turns, expected = _turns(seen, own, settings)
    return OrderEffect(
        question_id=question.id,
        kind=question.kind,
        orders=orders,
        answers=int(known.sum()),
        unknown=int((~known).sum()),
        first_k=first_k,
        first_n=first_n,
        later_k=later_k,
        later_n=later_n,
        difference=difference,
        ci_low=low,
        ci_high=high,
        outcome=own,
        turns=turns,
        expected=expected,
    )


def _own(tally: Tally, settings: SurveySettings) -> Outcome:
    """What the rule that is the kind's own decides."""
    return next(item.outcome for item in decide(tally, settings) if item.rule in OWN_RULES.values())


def _turns(
    seen: _Seen, outcome: Outcome, settings: SurveySettings
) -> tuple[int, tuple[OrderTurn, ...] | None, float | None]:
    """How many orders were shown, which alone turn the decision, and the chance that one would."""
    known = np.flatnonzero(seen.known)
    first, of_row, counts = _distinct(seen.places[known])
    large = np.flatnonzero(counts >= FEWEST)
    if len(large) < 2:
        return len(first), None, None
    found, tallies = [], []
    for at in large.tolist():
        rows = np.zeros(len(seen.places), dtype=bool)
        rows[known[of_row == at]] = True
        tallies.append(seen.tally(rows))
        alone = _own(tallies[-1], settings)
        if alone is not outcome:
            order = [seen.moved[column] for column in np.argsort(seen.places[known[first[at]]])]
            codes = tuple(seen.question.options[option].code for option in order)
            found.append(OrderTurn(codes, int(counts[at]), alone))
    expected = None
    if seen.question.kind is not QuestionKind.SELECT_ALL and len(tallies) == 2:
        expected = rounded(_by_chance(tallies[0], tallies[1], outcome, settings))
    return len(first), tuple(found), expected


def _distinct(places: npt.NDArray[np.int64]) -> tuple[Codes, Codes, Codes]:
    """The first row of each different order, for each row its order, and how often each comes."""
    size = places.shape[1]
    numbered = size <= _NUMBERED
    keys = places @ size ** np.arange(size, dtype=np.int64) if numbered else places
    _, first, of_row, counts = np.unique(
        keys,
        axis=None if numbered else 0,
        return_index=True,
        return_inverse=True,
        return_counts=True,
    )
    return first, of_row.ravel(), counts


def _by_chance(one: Tally, other: Tally, outcome: Outcome, settings: SurveySettings) -> float:
    """The chance that one of two orders alone turns a decision, if the order does not matter.

    The votes of both are then dealt out to them by lot, so that those of one follow the
    hypergeometric distribution, as in the exact test of Fisher (1935).
    """
    understood = one.question.kind is QuestionKind.COMPREHENSION
    role = Role.CORRECT if understood else Role.TARGET
    among = tuple(Role) if understood else (Role.TARGET, Role.NON_TARGET)
    n, m = one.votes_of(*among), other.votes_of(*among)
    total = one.votes_of(role) + other.votes_of(role)

    def keeps(k: int, size: int) -> bool:
        if understood:
            return not below(k, size, settings.comprehension_share)
        return bool(above(k, size, settings.stereotype_share))

    as_counted = outcome is Outcome.KEEP
    turning = sum(
        math.comb(n, k) * math.comb(m, total - k)
        for k in range(max(0, total - m), min(total, n) + 1)
        if keeps(k, n) is not as_counted or keeps(total - k, m) is not as_counted
    )
    return turning / math.comb(n + m, total)


def _together(
    kind: QuestionKind, effects: Sequence[OrderEffect], strata: Sequence[_Stratum]
) -> KindOrder:
    difference, low, high = _difference(strata)
    told = [item for item in effects if item.turns is not None]
    chances = [item.expected for item in told if item.expected is not None]
    people = [part.who for part in strata]
    return KindOrder(
        kind=kind,
        questions=sum(item.difference is not None for item in effects),
        respondents=len(np.unique(np.concatenate(people))) if people else 0,
        difference=difference,
        ci_low=low,
        ci_high=high,
        standing_out=sum(item.stands_out for item in effects),
        told=len(told),
        turned=tuple(item.question_id for item in told if item.turns),
        expected=rounded(math.fsum(chances)) if len(chances) == len(told) and told else None,
        one_order=tuple(
            item.question_id
            for item in effects
            if item.orders == 1 and not item.unknown and item.answers >= FEWEST
        ),
    )


def _difference(strata: Sequence[_Stratum]) -> tuple[float | None, float | None, float | None]:
    """The difference between shown first and later with its interval, of one stratum or several."""
    found = newcombe(*strata[0].counts) if len(strata) == 1 else stratified(strata)
    if found is None:
        return None, None, None
    difference, low, high = map(rounded, found)
    return difference, low, high


def newcombe(first_k: int, first_n: int, later_k: int, later_n: int) -> tuple[float, float, float]:
    """The difference of two shares of different people, with its 95 % interval.

    The hybrid score interval of Newcombe (1998, Statistics in Medicine 17, 873-890, method 10):
    with the Wilson intervals (l, u) of both shares, `d - sqrt((p1 - l1)^2 + (u2 - p2)^2)` to
    `d + sqrt((u1 - p1)^2 + (p2 - l2)^2)`.

    Args:
        first_k: Successes among the first, from 0 to `first_n`.
        first_n: The first, at least 1.
        later_k: Successes among the others, from 0 to `later_n`.
        later_n: The others, at least 1.

    Returns:
        Difference, lower end, upper end.

    Raises:
        ValueError: If one of the two has no data.
    """
    (low, high), (other_low, other_high) = wilson(first_k, first_n), wilson(later_k, later_n)
    share, other = first_k / first_n, later_k / later_n
    difference = share - other
    return (
        difference,
        difference - math.hypot(share - low, other_high - other),
        difference + math.hypot(high - share, other - other_low),
    )


def stratified(strata: Iterable[_Stratum]) -> tuple[float, float, float] | None:
    """The difference of two shares within strata, with its 95 % interval; None without data.

    The estimate is that of Mantel and Haenszel for a difference: that of each stratum, weighted
    by `n1 n0 / (n1 + n0)` (Greenland and Robins 1985, Biometrics 41, 55-68). People answer many
    questions, so that the variance is taken between people: the sum over them of the square of
    what each adds to the estimate (linearisation, Binder 1983, International Statistical Review
    51, 279-292), each residual with the factor `sqrt(n / (n - 1))` of its share. The interval is
    that of scores, with people as units: a few who all chose alike do not show that all others
    would.

    Args:
        strata: Each with both sides.
    """
    parts = list(strata)
    if not parts:
        return None
    people, who = np.unique(np.concatenate([part.who for part in parts]), return_inverse=True)
    weights, differences, residuals = [], [], []
    for part in parts:
        k, n, other_k, other_n = part.counts
        weight = n * other_n / (n + other_n)
        share, other = k / n, other_k / other_n
        weights.append(weight)
        differences.append(share - other)
        left = np.where(
            part.first,
            (part.chosen - share) / n * math.sqrt(n / max(1, n - 1)),
            -(part.chosen - other) / other_n * math.sqrt(other_n / max(1, other_n - 1)),
        )
        residuals.append(weight * left)
    total = math.fsum(weights)
    estimate = math.fsum(w * d for w, d in zip(weights, differences, strict=True)) / total
    each = np.bincount(who.ravel(), np.concatenate(residuals), minlength=len(people)) / total
    if len(people) < 2:
        return None
    low, high = interval(estimate, each, len(people), (-1.0, 1.0))
    return estimate, float(low), float(high)
