"""Which answers to doubt: rules with a name, none of which leaves anybody out by itself.

A rule flags respondents; the settings say which flags exclude. Whatever they say, every
decision is shown with and without each rule (`survey.comparison`).
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from curation.model.culture import SurveySettings
from curation.model.survey import QuestionKind, Role
from survey.answers import Answers, Exclusion

_SCREENED_OUT = "screened_out"
_PARTIAL = "partial"

Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class QualityRule:
    """A rule by name.

    Attributes:
        name: Stable name.
        title: What it flags, in words.
        flag: Gives, for each respondent, whether he is flagged and what was seen.
    """

    name: str
    title: str
    flag: Callable[[Answers, SurveySettings], tuple[Flags, Mapping[int, str]]]


def _by_attribute(name: str, value: str) -> Callable[..., tuple[Flags, Mapping[int, str]]]:
    def flag(answers: Answers, _settings: SurveySettings) -> tuple[Flags, Mapping[int, str]]:
        values = answers.attributes.get(name)
        if values is None:
            return np.zeros(len(answers.respondents), dtype=bool), {}
        flags = np.array([item == value for item in values], dtype=bool)
        return flags, {int(at): f"{name} is {value}" for at in np.flatnonzero(flags)}

    return flag


def _partial(answers: Answers, _settings: SurveySettings) -> tuple[Flags, Mapping[int, str]]:
    """Flag respondents who left a question unanswered that they were shown."""
    width = len(answers.questions)
    pair = answers.respondent * width + answers.question
    asked = np.unique(pair)
    answered = np.unique(pair[answers.selected])
    left = np.setdiff1d(asked, answered, assume_unique=True)
    who, count = np.unique(left // width, return_counts=True)
    stated = answers.attributes.get("status") or ()
    details = {
        int(at): f"{n} of the questions asked are not answered"
        for at, n in zip(who, count, strict=True)
    }
    for at, status in enumerate(stated):
        if status == _PARTIAL:
            details.setdefault(at, "the platform says that it was not finished")
    flags = np.zeros(len(answers.respondents), dtype=bool)
    flags[list(details)] = True
    return flags, details


def durations(answers: Answers) -> npt.NDArray[np.float64]:
    """Give the seconds that each respondent took; NaN where they are not known.

    They are the attribute `duration_s`, else the sum of the questions' durations.
    """
    return _times(answers)[0]


def _times(answers: Answers) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int64]]:
    """Give each respondent's seconds, and how many questions they were spent on.

    The seconds of a whole survey are spent on all questions asked; a sum of the questions'
    durations on those alone that have one.
    """
    people, width = len(answers.respondents), len(answers.questions)
    pair = answers.respondent * width + answers.question
    asked = np.bincount(np.unique(pair) // width, minlength=people)
    known = np.flatnonzero(~np.isnan(answers.duration))
    timed, first = np.unique(pair[known], return_index=True)
    who = timed // width
    summed = np.bincount(who, weights=answers.duration[known[first]], minlength=people)
    count = np.bincount(who, minlength=people)
    stated = answers.attributes.get("duration_s") or ("",) * people
    whole = np.array([_seconds(text) for text in stated], dtype=np.float64)
    has_whole = ~np.isnan(whole)
    seconds = np.where(has_whole, whole, np.where(count > 0, summed, np.nan))
    return seconds, np.where(has_whole, asked, count)


def _seconds(text: str) -> float:
    try:
        seconds = float(text) if text else float("nan")
    except ValueError:
        return float("nan")
    return seconds if 0 <= seconds < float("inf") else float("nan")


def _speeder(answers: Answers, settings: SurveySettings) -> tuple[Flags, Mapping[int, str]]:
    """Flag respondents who took less than a share of the median time for as many questions.

    Like is compared with like: seconds a question, among those who answered the same form.
    Who broke off or was screened out does not enter the median; he was quick for another
    reason.
    """
    seconds, questions = _times(answers)
    pace = np.divide(seconds, questions, out=np.full(len(seconds), np.nan), where=questions > 0)
    typical = _median_by_form(answers, pace)
    flags = np.nan_to_num(pace, nan=np.inf) < float(settings.speeder_share) * typical
    return flags, {
        int(at): f"{seconds[at]:.0f} s for {_questions(questions[at])}, "
        f"the median is {typical[at] * questions[at]:.0f} s"
        for at in np.flatnonzero(flags)
    }


def _median_by_form(answers: Answers, pace: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Give for each respondent the median pace of his form; 0 where none is known."""
    count = len(answers.respondents)
    forms = np.array(answers.attributes.get("form") or ("",) * count, dtype=object)
    stated = answers.attributes.get("status") or ("",) * count
    whole = np.array([status not in (_PARTIAL, _SCREENED_OUT) for status in stated], dtype=bool)
    typical = np.zeros(count)
    for form in dict.fromkeys(forms):
        mine = (forms == form) & ~np.isnan(pace)
        best = mine & whole if (mine & whole).any() else mine
        if best.any():
            typical[forms == form] = np.median(pace[best])
    return typical


def _questions(count: int) -> str:
    return f"{count} question" if count == 1 else f"{count} questions"


def _straight_liner(answers: Answers, settings: SurveySettings) -> tuple[Flags, Mapping[int, str]]:
    """Flag respondents who always chose the same displayed position.

    Only single choices count, and of them only those of a group or an answer: who always says
    that no stereotype exists is consistent, and that option is shown at one place.

    The position must tell more of the choices than their content does. Who always names the
    target has a reason of his own, and where the target is always shown first, as in a survey
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
        & (most >= float(settings.straight_share) * np.maximum(choices, 1))
        & (most > alike)
    )
    return flags, {
        int(at): f"position {place[at]} in {most[at]} of {choices[at]} choices"
        for at in np.flatnonzero(flags)
    }


def _single_choices(answers: Answers) -> npt.NDArray[np.int64]:
    """Give the rows that choose a group or an answer, shown at a known place, of single choices."""
    countable = np.zeros((len(answers.questions), _width(answers)), dtype=bool)
    for at, question in enumerate(answers.questions):
        if question.kind is not QuestionKind.SELECT_ALL:
            countable[at, : len(question.options)] = [
                option.role is not Role.NONE for option in question.options
            ]
    return np.flatnonzero(
        answers.selected & (answers.position > 0) & countable[answers.question, answers.option]
    )


def _sides(answers: Answers, rows: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Tell of each row whether what it chooses is the target or the correct answer."""
    expected = np.zeros((len(answers.questions), _width(answers)), dtype=np.int64)
    for at, question in enumerate(answers.questions):
        for place, option in enumerate(question.options):
            expected[at, place] = option.role in (Role.TARGET, Role.CORRECT)
    return expected[answers.question[rows], answers.option[rows]]


def _commonest(
    who: npt.NDArray[np.int64], values: npt.NDArray[np.int64], people: int
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Give for each respondent his commonest value, the smallest of equals, and how often."""
    most = np.zeros(people, dtype=np.int64)
    commonest = np.zeros(people, dtype=np.int64)
    for value in np.unique(values):
        count = np.bincount(who[values == value], minlength=people)
        commonest[count > most] = value
        most = np.maximum(most, count)
    return commonest, most


def _width(answers: Answers) -> int:
    return max(len(question.options) for question in answers.questions)


RULES = (
    QualityRule(_SCREENED_OUT, "Screened out", _by_attribute("status", _SCREENED_OUT)),
    QualityRule("attention", "Failed an attention check", _by_attribute("attention", "failed")),
    QualityRule(_PARTIAL, "Left questions unanswered", _partial),
    QualityRule("speeder", "Took less than a share of the median time", _speeder),
    QualityRule("straight_liner", "Chose one position whatever stood there", _straight_liner),
)
"""All rules, in the order in which they are listed."""


@dataclass(frozen=True, slots=True)
class Flagged:
    """What the rules say of the respondents.

    Attributes:
        flags: By rule, whether each respondent is flagged; only rules that flag somebody.
        exclusions: One record for each rule and respondent, with what was seen.
    """

    flags: Mapping[str, Flags]
    exclusions: tuple[Exclusion, ...]


def flag(answers: Answers, settings: SurveySettings) -> Flagged:
    """Apply every rule to the respondents."""
    flags: dict[str, Flags] = {}
    records: list[Exclusion] = []
    for rule in RULES:
        found, details = rule.flag(answers, settings)
        if found.any():
            flags[rule.name] = found
            records.extend(_records(rule.name, answers, details))
    return Flagged(flags, tuple(records))


def _records(rule: str, answers: Answers, details: Mapping[int, str]) -> Iterator[Exclusion]:
    for at in sorted(details, key=lambda at: answers.respondents[at]):
        yield Exclusion(rule, answers.respondents[at], "", details[at])
