"""The effect of the order of options: by question, by kind, and on the decisions.

An order effect decides nothing. Where an option is chosen more often for standing first, a survey
that shows it first to everybody counts that as part of the stereotype; one that shows both orders
equally often does not.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from curation.intervals import interval
from curation.records.culture import SurveySettings
from curation.records.survey import Outcome, Question, QuestionKind, Role, Tally
from survey.answers import Answers, Codes, count_answers
from survey.rules import OWN_RULES, Row, above, below, decide, rounded, wilson

FEWEST = 10
"""Answers in one order of the options from which it is counted alone."""

_NUMBERED = 15  # of so many options every order has a number of 64 bits
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class OrderEffects:
    """What the order of options does.

    What is compared: in validation, the share naming the target among those who named a group;
    in comprehension, the share of correct answers; in target selection, the share choosing a
    group, over all groups. Shown first means in the first half of the options that change places.

    Attributes:
        questions: Every question that was answered, in the questionnaire's order: the columns of
            `order.csv`, without `turned`. `turns` are the orders that alone would change the
            decision, each with the codes of the options that change places (`order`), how many saw
            it (`answers`) and what is decided then (`outcome`); None where fewer than two orders
            were seen by `FEWEST` respondents.
        kinds: By kind, those of which the order is known for a question: the columns of
            `order_kinds.csv`. The interval is for respondents who answer many questions each.
    """

    questions: tuple[Row, ...]
    kinds: tuple[Row, ...]


def counted_turns(row: Row) -> int | None:
    """How many orders alone would change a question's decision; None where that is not known."""
    return None if row["turns"] is None else len(row["turns"])


def stands_out(row: Row) -> bool:
    """Whether the interval of a question or a kind does not hold 0."""
    low, high = row["ci_low"], row["ci_high"]
    return low is not None and high is not None and (low > 0 or high < 0)


@dataclass(frozen=True, slots=True)
class _Seen:
    """The answers to one question: a row a respondent, a column an option.

    Attributes:
        question: The question.
        respondent: Whose each row is.
        chosen: What was chosen.
        known: The rows whose order is known.
        places: Of the options that change places, the place among them from 0; -1 in other rows.
        moved: Their positions among the options.
    """

    question: Question
    respondent: Codes
    chosen: Flags
    known: Flags
    places: npt.NDArray[np.int64]
    moved: tuple[int, ...]

    def tally(self, rows: Codes | slice = slice(None)) -> Tally:
        """Count the rows, or some of them."""
        votes = np.count_nonzero(self.chosen[rows], axis=0)
        return Tally(self.question, len(self.chosen[rows]), tuple(votes.tolist()), "")


_Stratum = tuple[Codes, Flags, Flags]
"""Rows in which one option could be chosen: whose each is, whether the option was shown in the
first half, else in the second, and whether it was chosen."""


def _counts(part: _Stratum) -> tuple[int, int, int, int]:
    """Chosen of shown first, and chosen of shown later."""
    _, first, chosen = part
    sides = (chosen & first, first, chosen & ~first, ~first)
    k, n, other_k, other_n = (int(side.sum()) for side in sides)
    return k, n, other_k, other_n


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
    if not answers.position.any():
        tallies = [tally for tally in count_answers(answers, rows)[0] if tally.respondents]
        return OrderEffects(tuple(_row(tally, _own(tally, settings)) for tally in tallies), ())
    for seen in _by_question(answers, rows):
        mine = [part for part in _strata(seen) if part[1].any() and not part[1].all()]
        tally, known = seen.tally(), int(np.count_nonzero(seen.known))
        own = _own(tally, settings)
        effects.append(_row(tally, own, known, mine) | _turns(seen, own, settings))
        strata.setdefault(seen.question.kind, []).extend(mine)
    kinds = dict.fromkeys(item["kind"] for item in effects if item["answers"])
    return OrderEffects(
        tuple(effects),
        tuple(
            _together(kind, [item for item in effects if item["kind"] is kind], strata[kind])
            for kind in kinds
        ),
    )


def _by_question(answers: Answers, rows: Flags) -> Iterator[_Seen]:
    """Lay out the answers to each question; answers that contradict each other are left out."""
    taken = np.flatnonzero(rows)
    chosen = np.zeros(len(answers), dtype=bool)
    chosen[answers.choices[0]] = True
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
        picked, position = np.zeros(shape, dtype=bool), np.zeros(shape, dtype=np.int32)
        picked[row, answers.option[mine]] = chosen[mine]
        position[row, answers.option[mine]] = answers.position[mine]
        answered = picked.any(axis=1)
        if answered.any():
            fixed = question.fixed_last
            moved = tuple(option for option in range(shape[1]) if option not in fixed)
            known, places = _places(position[answered][:, moved])
            yield _Seen(question, people[answered], picked[answered], known, places, moved)


def _places(position: npt.NDArray[np.int32]) -> tuple[Flags, npt.NDArray[np.int64]]:
    """The rows whose places are all known, and there the place of each option, from 0; else -1."""
    known = np.asarray(position.all(axis=1))
    known[known] = np.diff(np.sort(position[known], axis=1), axis=1).all(axis=1)
    places = np.full(position.shape, -1)
    places[known] = np.argsort(np.argsort(position[known], axis=1), axis=1)
    return known, places


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
    for column, option in enumerate(seen.moved if could.any() else ()):
        if question.options[option].role in compared:
            place = 2 * seen.places[:, column] + 1
            rows = could & (place != size)
            yield seen.respondent[rows], place[rows] < size, seen.chosen[rows, option]


def _row(
    tally: Tally,
    own: Outcome,
    known: int = 0,
    strata: Sequence[_Stratum] = (),
) -> Row:
    """A question of so many answers of known order; what `_turns` tells is not known of it."""
    counts = [_counts(part) for part in strata]
    return {
        "question_id": tally.question.id,
        "kind": tally.question.kind,
        "orders": 0,
        "answers": known,
        "unknown": tally.respondents - known,
        **{name: sum(part[at] for part in counts) for at, name in enumerate(_COUNTED)},
        **_difference(strata),
        "outcome": own,
        "turns": None,
        "expected": None,
    }


_COUNTED = ("first_k", "first_n", "later_k", "later_n")


def _own(tally: Tally, settings: SurveySettings) -> Outcome:
    """What the rule that is the kind's own decides."""
    return next(item.outcome for item in decide(tally, settings) if item.rule in OWN_RULES.values())


def _turns(seen: _Seen, outcome: Outcome, settings: SurveySettings) -> Row:
    """How many orders were shown, which alone turn the decision, and the chance that one would."""
    known = np.flatnonzero(seen.known)
    first, of_row, counts = _distinct(seen.places[known])
    large = np.flatnonzero(counts >= FEWEST)
    if len(large) < 2:
        return {"orders": len(first)}
    found, tallies = [], []
    for at in large.tolist():
        tallies.append(seen.tally(known[of_row == at]))
        alone = _own(tallies[-1], settings)
        if alone is not outcome:
            order = [seen.moved[column] for column in np.argsort(seen.places[known[first[at]]])]
            codes = tuple(seen.question.options[option].code for option in order)
            found.append({"order": codes, "answers": int(counts[at]), "outcome": alone})
    expected = None
    if seen.question.kind is not QuestionKind.SELECT_ALL and len(tallies) == 2:
        expected = rounded(_by_chance(tallies[0], tallies[1], outcome, settings))
    return {"orders": len(first), "turns": tuple(found), "expected": expected}


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


def _together(kind: QuestionKind, effects: Sequence[Row], strata: Sequence[_Stratum]) -> Row:
    told = [item for item in effects if item["turns"] is not None]
    chances = [item["expected"] for item in told if item["expected"] is not None]
    people = [who for who, _, _ in strata]
    return {
        "kind": kind,
        "questions": sum(item["difference"] is not None for item in effects),
        "respondents": len(np.unique(np.concatenate(people))) if people else 0,
        **_difference(strata),
        "standing_out": sum(map(stands_out, effects)),
        "told": len(told),
        "turned": tuple(item["question_id"] for item in told if item["turns"]),
        "expected": rounded(math.fsum(chances)) if len(chances) == len(told) and told else None,
        "one_order": tuple(
            item["question_id"]
            for item in effects
            if item["orders"] == 1 and not item["unknown"] and item["answers"] >= FEWEST
        ),
    }


def _difference(strata: Sequence[_Stratum]) -> Row:
    """The difference between shown first and later with its interval, of one stratum or several."""
    found = newcombe(*_counts(strata[0])) if len(strata) == 1 else stratified(strata)
    ends = [None] * 3 if found is None else map(rounded, found)
    return dict(zip(("difference", "ci_low", "ci_high"), ends, strict=True))


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
    people, who = np.unique(np.concatenate([part[0] for part in parts]), return_inverse=True)
    weights, differences, residuals = [], [], []
    for part in parts:
        (_, first, chosen), (k, n, other_k, other_n) = part, _counts(part)
        weight = n * other_n / (n + other_n)
        share, other = k / n, other_k / other_n
        weights.append(weight)
        differences.append(share - other)
        left = np.where(
            first,
            (chosen - share) / n * math.sqrt(n / max(1, n - 1)),
            -(chosen - other) / other_n * math.sqrt(other_n / max(1, other_n - 1)),
        )
        residuals.append(weight * left)
    total = math.fsum(weights)
    estimate = math.fsum(w * d for w, d in zip(weights, differences, strict=True)) / total
    each = np.bincount(who.ravel(), np.concatenate(residuals), minlength=len(people)) / total
    if len(people) < 2:
        return None
    low, high = interval(estimate, each, len(people), (-1.0, 1.0))
    return estimate, float(low), float(high)
