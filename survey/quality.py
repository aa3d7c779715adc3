"""Which respondents to doubt, and what each weighs; neither decides.

Quality checks tell which answers to doubt, and what each check changes in the decisions. None of
them excludes anybody by itself. Together they tell how probably each answers without care.

Weighted decisions stand beside the plain ones, which decide. Weights are raked to given margins
(Deming and Stephan 1940). What they cost is told by the effective number of respondents (Kish
1965), and for each share by its standard error and its design effect. Standard errors are those of
R's package `survey` for a design calibrated by raking.
"""

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from curation.records.culture import SurveySettings
from curation.records.messages import counted
from curation.records.survey import Decision, Question, QuestionKind, Role, Rule, Tally
from survey.answers import (
    WEIGHT_UNIT,
    Answers,
    Codes,
    Exclusion,
    count_answers,
    numbered_pairs,
    one_per_answer,
    role_table,
)
from survey.attributes import seconds_of, with_known_values
from survey.readers.frames import refusal
from survey.rules import OWN_RULES, Row, counting_options, decide, rounded, wilson

SCREENED_OUT = "screened_out"
"""The rule of those that the survey did not let answer."""
_PARTIAL = "partial"
_CONFUSED = "failed_comprehension"
_MANY = "acquiescent"

Flags = npt.NDArray[np.bool_]
Numbers = npt.NDArray[np.float64]


Seen = Callable[[int], str]
"""Says what was seen of a respondent who is flagged."""
Found = tuple[Flags, Seen]
"""For each respondent whether they are flagged, and what says why."""


def _by_attribute(name: str, value: str) -> Callable[..., Found]:
    def flag(answers: Answers, _settings: SurveySettings) -> Found:
        values = answers.attributes.get(name) or ("",) * len(answers.respondents)
        flags = np.array([item == value for item in values], dtype=bool)
        return flags, lambda _: f"{name} is {value}"

    return flag


_RIGHTLY = "of comprehension answered correctly"


def _failed_comprehension(answers: Answers, settings: SurveySettings) -> Found:
    """Flag respondents who answered too few of their questions of comprehension correctly."""
    people = len(answers.respondents)
    rows = answers.choices[0]
    rows = rows[is_comprehension(answers)[answers.question[rows]]]
    right = _sides(answers, rows) == 1
    answered = np.bincount(answers.respondent[rows], minlength=people)
    correct = np.bincount(answers.respondent[rows[right]], minlength=people)
    share = settings.respondent_comprehension
    return (
        correct * share.denominator < answered * share.numerator,
        lambda at: f"{correct[at]} of {counted(answered[at], 'question')} {_RIGHTLY}",
    )


def is_comprehension(answers: Answers) -> Flags:
    """Tell of each question whether it is of comprehension."""
    kinds = [question.kind is QuestionKind.COMPREHENSION for question in answers.questions]
    return np.array(kinds, dtype=bool)


def _partial(answers: Answers, settings: SurveySettings) -> Found:
    """Flag respondents who left a question unanswered that they were shown."""
    count = _questions(answers, np.ones(len(answers), dtype=bool))
    count -= _questions(answers, answers.selected)
    stated, _ = _by_attribute("status", _PARTIAL)(answers, settings)

    def said(at: int) -> str:
        if count[at]:
            return f"{count[at]} of the questions asked are not answered"
        return "the platform says that it was not finished"

    return (count > 0) | stated, said


def _questions(answers: Answers, rows: Flags) -> Codes:
    """Of how many questions some rows are, for each respondent."""
    people, width = len(answers.respondents), len(answers.questions)
    pair = answers.respondent[rows] * width + answers.question[rows]
    there = np.zeros((people, width), dtype=bool)
    there.ravel()[pair] = True  # without sorting them
    return np.asarray(there.sum(axis=1))


def durations(answers: Answers) -> npt.NDArray[np.float64]:
    """The seconds that each respondent took; NaN where they are not known.

    They are the attribute `duration_s`, else the sum of the questions' durations.
    """
    return _times(answers)[0]


def _times(answers: Answers) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int64]]:
    """Each respondent's seconds, and how many questions they were spent on.

    The seconds of a whole survey are spent on all questions asked; a sum of the questions'
    durations, as the first row of each answer has them, on those alone that have one.
    """
    people = len(answers.respondents)
    timed = one_per_answer(answers, np.flatnonzero(~np.isnan(answers.duration))[::-1])
    who = answers.respondent[timed]
    summed = np.bincount(who, weights=answers.duration[timed], minlength=people)
    count = np.bincount(who, minlength=people)
    stated = answers.attributes.get("duration_s") or ("",) * people
    whole = np.array([seconds_of(text) for text in stated], dtype=np.float64)
    has_whole = ~np.isnan(whole)
    seconds = np.where(has_whole, whole, np.where(count > 0, summed, np.nan))
    asked = _questions(answers, np.ones(len(answers), dtype=bool)) if has_whole.any() else count
    return seconds, np.where(has_whole, asked, count)


def _speeder(answers: Answers, settings: SurveySettings) -> Found:
    """Flag respondents who took less than a share of the median time for as many questions.

    Like is compared with like: seconds a question, among those who answered the same form.
    Who broke off or was screened out does not enter the median; they were quick for another
    reason.
    """
    seconds, questions = _times(answers)
    pace = np.divide(seconds, questions, out=np.full(len(seconds), np.nan), where=questions > 0)
    typical = _median_by_form(answers, pace)
    return (
        np.nan_to_num(pace, nan=np.inf) < float(settings.speeder_share) * typical,
        lambda at: (
            f"{seconds[at]:.0f} s for {counted(questions[at], 'question')}, "
            f"the median is {typical[at] * questions[at]:.0f} s"
        ),
    )


def _median_by_form(answers: Answers, pace: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """For each respondent the median pace of their form; 0 where none is known."""
    count = len(answers.respondents)
    forms = np.array(answers.attributes.get("form") or ("",) * count, dtype=object)
    stated = answers.attributes.get("status") or ("",) * count
    whole = np.array([status not in (_PARTIAL, SCREENED_OUT) for status in stated], dtype=bool)
    typical = np.zeros(count)
    for form in dict.fromkeys(forms):
        mine = (forms == form) & ~np.isnan(pace)
        best = mine & whole if (mine & whole).any() else mine
        if best.any():
            typical[forms == form] = np.median(pace[best])
    return typical


def _straight_liner(answers: Answers, settings: SurveySettings) -> Found:
    """Flag respondents who always chose the same displayed position.

    Only single choices count, and of them only those of a group or an answer: who always says
    that no stereotype exists is consistent, and that option is shown at one place.

    The position must tell more of the choices than their content does. Who always names the
    target has a reason of their own, and where the target is always shown first, as in a survey
    that does not change the order, naming it each time is naming the first place each time.
    """
    rows = _single_choices(answers)
    people = len(answers.respondents)
    who = answers.respondent[rows]
    choices = np.bincount(who, minlength=people)
    place, most = _commonest(who, answers.position[rows].astype(np.int64), people)
    _, alike = _commonest(who, _sides(answers, rows), people)
    flags = (
        (choices >= settings.straight_choices)
        & (most >= float(settings.straight_share) * choices)
        & (most > alike)
    )
    return flags, lambda at: f"position {place[at]} in {most[at]} of {choices[at]} choices"


def _acquiescent(answers: Answers, _settings: SurveySettings) -> Found:
    """Flag respondents who name far more groups than others do in the same questions.

    What somebody names is the question's mean, a part of their own and chance. The parts of all
    people tell how much more than chance people differ; who is more than `_FAR` of their standard
    deviations above the mean is flagged.
    """
    named, expected, variance = named_groups(answers)
    drawn = np.sqrt(variance)
    parts = np.divide(named - expected, drawn, out=np.zeros(len(named)), where=drawn > 0)
    spread = float(np.sqrt((parts**2).sum() / max(np.count_nonzero(drawn), 1)))
    return (
        parts > _FAR * max(spread, 1.0),
        lambda at: (
            f"{counted(int(named[at]), 'group')} named; of others one expects "
            f"{expected[at]:.1f} in the same questions"
        ),
    )


def named_groups(answers: Answers) -> tuple[Numbers, Numbers, Numbers]:
    """How many groups each respondent names.

    Returns:
        Their number; how many all respondents name on average in the questions that this one
        answered; and the variance of that sum, were nobody different from others.
    """
    people, width = len(answers.respondents), len(answers.questions)
    groups = role_table(answers, lambda question, option: option.role is not Role.NONE)
    rows = np.flatnonzero(answers.selected & ~is_comprehension(answers)[answers.question])
    pair, _ = numbered_pairs(answers, rows)
    named = np.bincount(pair, weights=groups[answers.question[rows], answers.option[rows]])
    named = named[np.bincount(pair) > 0]
    once = one_per_answer(answers, rows)
    who, question = answers.respondent[once], answers.question[once]
    count = np.maximum(np.bincount(question, minlength=width), 1)
    mean = np.bincount(question, weights=named, minlength=width) / count
    variance = np.bincount(question, weights=(named - mean[question]) ** 2, minlength=width) / count
    total, expected, drawn = (
        np.bincount(who, weights=values, minlength=people).astype(np.float64)
        for values in (named, mean[question], variance[question])
    )
    return total, expected, drawn


_FAR = 3


def _single_choices(answers: Answers) -> npt.NDArray[np.int64]:
    """The rows that choose a group or an answer, shown at a known place, of single choices."""
    countable = role_table(
        answers,
        lambda question, option: (
            question.kind is not QuestionKind.SELECT_ALL and option.role is not Role.NONE
        ),
    )
    rows = answers.choices[0]
    known = answers.position[rows] > 0
    return np.asarray(rows[known & countable[answers.question[rows], answers.option[rows]]])


def _sides(answers: Answers, rows: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Tell of each row whether what it chooses is the target or the correct answer."""
    expected = role_table(answers, lambda _, option: option.role in (Role.TARGET, Role.CORRECT))
    return expected[answers.question[rows], answers.option[rows]].astype(np.int64)


def _commonest(
    who: npt.NDArray[np.int64], values: npt.NDArray[np.int64], people: int
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """For each respondent their commonest value, the smallest of equals, and how often."""
    most = np.zeros(people, dtype=np.int64)
    commonest = np.zeros(people, dtype=np.int64)
    for value in np.unique(values, return_counts=True)[0]:  # sorted: it hashes each without counts
        count = np.bincount(who[values == value], minlength=people)
        commonest[count > most] = value
        most = np.maximum(most, count)
    return commonest, most


RULES: Mapping[str, Callable[[Answers, SurveySettings], Found]] = {
    SCREENED_OUT: _by_attribute("status", SCREENED_OUT),
    "attention": _by_attribute("attention", "failed"),
    _CONFUSED: _failed_comprehension,
    _PARTIAL: _partial,
    "speeder": _speeder,
    "straight_liner": _straight_liner,
    _MANY: _acquiescent,
}
"""All rules by their names, in the order in which they are listed."""
GOES_BY = {SCREENED_OUT: "status", "attention": "attention", "speeder": "duration_s"}
"""The attribute of respondents that a rule goes by, where it goes by one."""


def flag(answers: Answers, settings: SurveySettings) -> tuple[dict[str, Flags], dict[str, Seen]]:
    """Apply every rule to the respondents.

    Gives by rule that flags somebody whether each respondent is flagged, and what says why.

    Raises:
        CurateError: If an attribute that a rule goes by has a value that is not known.
    """
    answers = with_known_values(answers, settings)
    found = {name: rule(answers, settings) for name, rule in RULES.items()}
    found = {name: (flags, seen) for name, (flags, seen) in found.items() if flags.any()}
    return {name: it[0] for name, it in found.items()}, {name: it[1] for name, it in found.items()}


NOBODY = "nobody left"
"""Stands for the outcome of a turn where nobody is left who answered, so that no rule rules."""


@dataclass(frozen=True, slots=True)
class Respondents:
    """What is known of single respondents; counts alone have none.

    Attributes:
        answers: Their answers, all files joined.
        flags: By quality check that flags somebody, whether each respondent is flagged.
        seen: By quality check, what says what was seen of somebody flagged.
        excluded: Rows and respondents that a mapping left out on reading.
        effects: What each quality check does to the decisions.
    """

    answers: Answers
    flags: Mapping[str, Flags]
    seen: Mapping[str, Seen]
    excluded: tuple[Exclusion, ...]
    effects: tuple[Row, ...]

    def rows(self, settings: SurveySettings) -> Flags:
        """The rows of answers that count."""
        return kept_rows(self.answers, self.flags, settings.exclude)

    @property
    def flagged(self) -> list[Exclusion]:
        """Who is flagged, with what was seen: one record for each rule and respondent."""
        names = self.answers.respondents
        return [
            Exclusion(rule, person, "", said)
            for rule, flags in self.flags.items()
            for person, said in sorted(
                (names[at], self.seen[rule](at)) for at in np.flatnonzero(flags).tolist()
            )
        ]


def checked(
    answers: Answers, settings: SurveySettings, excluded: Sequence[Exclusion] = ()
) -> Respondents:
    """Apply every quality check to the respondents, and tell what each does to the decisions.

    Args:
        answers: Their answers.
        settings: The settings.
        excluded: What was left out on reading.

    Raises:
        CurateError: If an attribute that a check goes by has a value that is not known.
    """
    flags, seen = flag(answers, settings)
    turned = effects(answers, flags, settings.exclude, settings)
    return Respondents(answers, flags, seen, tuple(excluded), tuple(turned))


def kept_rows(
    answers: Answers, flags: Mapping[str, Flags], excluded: Collection[str]
) -> npt.NDArray[np.bool_]:
    """The rows of the respondents that no excluding rule flags.

    Who failed comprehension is left out of what is asked about stereotypes alone: without the
    wrong answers every template would look understood.
    """
    out = np.zeros(len(answers.respondents), dtype=bool)
    confused = np.zeros(len(answers.respondents), dtype=bool)
    for rule, found in flags.items():
        if rule == _CONFUSED and rule in excluded:
            confused |= found
        elif rule in excluded:
            out |= found
    left_out = out[answers.respondent]
    left_out |= confused[answers.respondent] & ~is_comprehension(answers)[answers.question]
    return np.asarray(~left_out, dtype=np.bool_)


def effects(
    answers: Answers,
    flags: Mapping[str, Flags],
    excluded: Collection[str],
    settings: SurveySettings,
) -> list[Row]:
    """Tell for every rule that flags somebody what it does, and for several what all would do.

    Args:
        answers: The answers.
        flags: By rule, who is flagged.
        excluded: Names of the rules that exclude.
        settings: The thresholds.

    Returns:
        Of each `rule` how many `respondents` it flags; whether it is `applied`, so that they are
        excluded; and the `turns`: the decisions that come out otherwise when it is applied and was
        not, or was and is not, everything else as set.
    """
    as_set = decisions_on(answers, kept_rows(answers, flags, excluded), settings)
    tried = [(rule, people, {*excluded} ^ {rule}) for rule, people in flags.items()]
    if len(flags) > 1 and not {*flags} <= {*excluded}:
        tried.append((ANY, np.any(list(flags.values()), axis=0), {*flags}))
    found = []
    for rule, people, others in tried:
        otherwise = decisions_on(answers, kept_rows(answers, flags, others), settings)
        turned = turns(as_set, otherwise)
        row = {"rule": rule, "respondents": int(people.sum()), "applied": rule in excluded}
        found.append(row | {"turns": turned})
    return found


ANY = "any_check"
"""Stands for all checks together: whoever one of them flags."""


def decisions_on(
    answers: Answers, rows: npt.NDArray[np.bool_], settings: SurveySettings
) -> list[Decision]:
    """The decisions on some rows of answers."""
    tallies, _ = count_answers(answers, rows)
    return [decision for tally in tallies for decision in decide(tally, settings)]


def turns(as_set: Sequence[Decision], otherwise: Sequence[Decision]) -> tuple[Row, ...]:
    """The decisions whose outcome differs.

    Each is of a `subject` by a `rule`, and has its `outcome` as set and `otherwise`, None where
    nobody is left who answered.

    A question that nobody is left to answer, as set or otherwise, has no decisions there: it is
    one turn, of the rule that is its kind's own.
    """
    before = {(decision.subject, decision.rule): decision for decision in as_set}
    after = {(decision.subject, decision.rule): decision for decision in otherwise}
    found = []
    for key in dict.fromkeys((*before, *after)):
        one, other = before.get(key), after.get(key)
        if (one is None or other is None) and key[1] not in OWN_RULES.values():
            continue
        outcomes = one.outcome if one else None, other.outcome if other else None
        if outcomes[0] is not outcomes[1]:
            found.append(dict(zip(_TURN, (*key, *outcomes), strict=True)))
    return tuple(found)


_TURN = ("subject", "rule", "outcome", "otherwise")

_ROUNDS = 1000
_CLOSE = 1e-10


def rake(
    attributes: Mapping[str, Sequence[str]], margins: Mapping[str, Mapping[str, float]]
) -> Numbers:
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
        raise refusal("margins-none", "")
    count = len(coded[0][0])
    weights = np.ones(count)
    for _ in range(_ROUNDS):
        largest = 0.0
        for codes, wanted in coded:
            now = np.bincount(codes, weights=weights, minlength=len(wanted)) / count
            factor = wanted / now
            weights *= factor[codes]
            largest = max(largest, float(np.abs(factor - 1).max()))
        if largest < _CLOSE and weights.min() * WEIGHT_UNIT >= 1:
            return weights
    raise refusal("margins-apart", ", ".join(margins))


def _coded(
    name: str, attributes: Mapping[str, Sequence[str]], shares: Mapping[str, float]
) -> tuple[npt.NDArray[np.int64], Numbers]:
    values = attributes.get(name)
    if not values:
        known = ", ".join(attributes) or "none"
        raise refusal("margins-attribute", "respondents.csv", name=name, known=known)
    positions = {value: at for at, value in enumerate(shares)}
    strange = sorted({value for value in values if value not in positions})
    if strange:
        told = {"name": name, "strange": [*map(repr, strange[:5])], "known": list(shares)}
        raise refusal("margins-values", "respondents.csv", **told)
    codes = np.array([positions[value] for value in values], dtype=np.int64)
    absent = sorted({*positions} - {*values})
    if absent:
        raise refusal("margins-nobody", "respondents.csv", name=name, value=absent[0])
    wanted = np.array(list(shares.values()), dtype=np.float64)
    return codes, wanted / wanted.sum()


def kish(weights: Numbers) -> float:
    """The effective number of respondents, `(sum w)^2 / sum w^2` (Kish 1965, 11.7)."""
    return float(weights.sum() ** 2 / (weights**2).sum())


def weighted(
    answers: Answers,
    rows: npt.NDArray[np.bool_],
    weights: Numbers,
    settings: SurveySettings,
    margins: Mapping[str, Sequence[str]] | None = None,
) -> list[Row]:
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
        good, once = answers.choices[0], answers.answered
        self._answers = answers
        self._chosen = _by_question(answers, good[rows[good]])
        self._answered = _by_question(answers, once[rows[once]])
        self._places = {question.id: at for at, question in enumerate(answers.questions)}

    def people(self, question: Question) -> Codes:
        """The respondents whose answer to a question counts."""
        rows = self._answered[self._places[question.id]]
        return np.asarray(self._answers.respondent[rows])

    def share(
        self, twin: Tally, decision: Decision, settings: SurveySettings
    ) -> tuple[Numbers, Numbers, float]:
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

    def _votes(self, question: Question, options: Sequence[bool]) -> Numbers:
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

    def __init__(self, weights: Numbers, margins: Mapping[str, Sequence[str]]) -> None:
        self._counted = weights > 0
        self._weights = weights[self._counted]
        self._base = _base(
            [np.array(of)[self._counted] for of in margins.values()], len(self._weights)
        )

    def of(self, above: Numbers, below: Numbers, times: float, threshold: float | None) -> Spread:
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


def _base(attributes: Sequence[npt.NDArray[np.str_]], people: int) -> Numbers:
    """Columns at right angles that span a column for each value of each attribute."""
    columns = [np.zeros((people, 1)), *(of[:, np.newaxis] == np.unique(of) for of in attributes)]
    left, sizes, _ = np.linalg.svd(np.concatenate(columns, axis=1).astype(float), False)
    return np.asarray(left[:, sizes > _ALIKE * sizes.max(initial=0)])


LEAST_CHECKS = 3
"""Two classes of people have `2 K + 1` shares, and K checks show no more than `2 ** K - 1`."""
LEAST_PEOPLE = 100
"""Of fewer, one pattern more or less would decide."""
_STEPS = 2000
_EDGE = 1e-9
_SIZES = 2.0 ** np.arange(11)
"""The sizes of the negative binomial that are tried; the larger, the more alike people are."""


def response_style(flags: Mapping[str, Flags], named: tuple[Numbers, Numbers] | None = None) -> Row:
    """Fit two latent classes to what the checks flag, and to groups named (Goodman 1974), by EM.

    In each class a check flags its own share of people, whatever the other checks say. There are
    two classes only where their BIC is lower than that of one class (Schwarz 1978). Then each class
    also names its own multiple of the groups expected of it, in a negative binomial number of one
    size in both. That number alone makes no classes: people who know more, and people who know
    less, may be as careful. The class in which more checks flag is that of the doubtful; none may
    flag fewer of these.

    Args:
        flags: By check whether it flags each respondent; checks that flag nobody say nothing.
        named: How many groups each respondent names, and how many are expected, in place of the
            check of who names too many.

    Returns:
        The `problem`, why nothing is said of classes, empty where there are two; and how many
        `people` there are. Of two classes also the `share` of the doubtful; the `doubt`, how
        probably each respondent is of them; by check (`checks`) the share that it flags of the
        doubtful, and of the others; and in `named` how many groups the doubtful name, and the
        others, as a multiple of what all name on average in the same questions, None where these
        are not counted.
    """

    def none(problem: str) -> Row:
        return {"problem": problem, "people": people, "doubt": None}

    used = {name: it for name, it in flags.items() if it.any() and not (named and name == _MANY)}
    people, width = len(next(iter(flags.values()), ())), len(used)
    if width < LEAST_CHECKS:
        return none(f"fewer than {LEAST_CHECKS} checks flag anybody")
    if people < LEAST_PEOPLE:
        return none(f"there are fewer than {LEAST_PEOPLE} respondents")
    table = np.array([*used.values(), *(named or ())], dtype=np.float64).T
    cells, which, count = np.unique(table, axis=0, return_inverse=True, return_counts=True)
    flagged = cells[:, :width].sum(axis=1)
    begun = [np.where(flagged >= least, 0.9, 0.1) for least in (1, 2, 3) if flagged.max() >= least]
    starts = [np.ones((1, len(cells))), *(np.array([first, 1 - first]) for first in begun)]
    alone, *fits = (_fit(cells, width, None, count, start) for start in starts)
    best = max(fits, key=lambda fit: fit[0])
    if -2 * best[0] + (width + 1) * math.log(people) >= -2 * alone[0]:
        return none("two classes of people fit no better than one (BIC)")
    if named:
        both = (_fit(cells, width, size, count, best[3]) for size in _SIZES)
        best = max(both, key=lambda fit: fit[0])
    _, (share, _), rates, (doubt, _), levels = best
    if rates[0].sum() < rates[1].sum():
        share, doubt, rates, levels = 1 - share, 1 - doubt, rates[::-1], levels[::-1]
    checks = {name: (float(a), float(b)) for name, (a, b) in zip(used, rates.T, strict=True)}
    less = next((name for name, (of, other) in checks.items() if of < other), "")
    if less:
        return none(f"of two classes each has more of some checks ({less})")
    multiples = (float(levels[0]), float(levels[1])) if named else None
    return {
        **{"problem": "", "people": people, "share": float(share), "doubt": doubt[which.ravel()]},
        **{"checks": checks, "named": multiples},
    }


def _fit(
    cells: Numbers,
    width: int,
    size: float | None,
    count: npt.NDArray[np.int64],
    classes: Numbers,
) -> tuple[float, Numbers, Numbers, Numbers, Numbers]:
    """Fit classes of people.

    Args:
        cells: What occurs together: by check whether it flags, then groups named and expected.
        width: How many checks there are.
        size: Of the negative binomial; None for the checks alone.
        count: How many respondents have each.
        classes: By class how probably each is of it, to begin with.

    Returns:
        The likelihood's logarithm; by class its share, its rates, how probably each is of it and
        its multiple of the groups expected.
    """
    patterns, groups = cells[:, :width], cells[:, width:].T
    before, levels = -np.inf, np.ones(len(classes))
    for _ in range(_STEPS):
        weights = classes * count
        sizes = weights.sum(axis=1)
        rates = np.clip((weights @ patterns) / sizes[:, None], _EDGE, 1 - _EDGE)
        shares = np.clip(sizes / count.sum(), _EDGE, 1)
        logs = np.log(rates) @ patterns.T + np.log1p(-rates) @ (1 - patterns).T
        if size is not None:
            named, expected = groups
            drawn = weights / (1 + levels[:, None] * expected / size)
            levels = np.maximum(drawn @ named, _EDGE) / (drawn @ expected)
            logs += _negative_binomial(named, levels[:, None] * expected, size)
        logs += np.log(shares)[:, None]
        each = np.logaddexp.reduce(logs)
        classes = np.exp(logs - each)
        now = float(count @ each)
        if now - before < _CLOSE * abs(now):
            break
        before = now
    return now, shares, rates, classes, levels


def _negative_binomial(k: Numbers, mean: Numbers, size: float) -> Numbers:
    """The logarithm of the probability of `k`, whose variance is `mean + mean ** 2 / size`."""
    from scipy.special import gammaln, xlogy

    ways = gammaln(k + size) - gammaln(size) - gammaln(k + 1)
    logs: Numbers = ways - size * np.log1p(mean / size) + xlogy(k, mean / (size + mean))
    return logs
