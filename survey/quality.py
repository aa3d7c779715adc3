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
    stated = answers.attributes.get("duration_s")
    if stated is not None and any(stated):
        return np.array([_seconds(text) for text in stated])
    known = np.flatnonzero(~np.isnan(answers.duration))
    pair = answers.respondent[known] * len(answers.questions) + answers.question[known]
    _, first = np.unique(pair, return_index=True)
    rows = known[first]
    total = np.bincount(
        answers.respondent[rows],
        weights=answers.duration[rows],
        minlength=len(answers.respondents),
    )
    seen = np.bincount(answers.respondent[rows], minlength=len(answers.respondents)) > 0
    return np.where(seen, total, np.nan)


def _seconds(text: str) -> float:
    try:
        return float(text) if text else float("nan")
    except ValueError:
        return float("nan")


def _speeder(answers: Answers, settings: SurveySettings) -> tuple[Flags, Mapping[int, str]]:
    """Flag respondents who took less than a share of the median time."""
    seconds = durations(answers)
    known = seconds[~np.isnan(seconds)]
    if not known.size:
        return np.zeros(len(seconds), dtype=bool), {}
    median = float(np.median(known))
    flags = np.nan_to_num(seconds, nan=np.inf) < float(settings.speeder_share) * median
    return flags, {
        int(at): f"{seconds[at]:.0f} s, the median is {median:.0f} s"
        for at in np.flatnonzero(flags)
    }


def _straight_liner(answers: Answers, settings: SurveySettings) -> tuple[Flags, Mapping[int, str]]:
    """Flag respondents who always chose the same displayed position.

    Only single choices count, and of them only choices of a group: who always says that no
    stereotype exists is consistent, and that option is shown at one place.
    """
    countable = np.zeros((len(answers.questions), _width(answers)), dtype=bool)
    for at, question in enumerate(answers.questions):
        if question.kind is not QuestionKind.SELECT_ALL:
            countable[at, : len(question.options)] = [
                option.role is not Role.NONE for option in question.options
            ]
    rows = np.flatnonzero(
        answers.selected & (answers.position > 0) & countable[answers.question, answers.option]
    )
    people = len(answers.respondents)
    choices = np.bincount(answers.respondent[rows], minlength=people)
    most = np.zeros(people, dtype=np.int64)
    place = np.zeros(people, dtype=np.int64)
    for position in np.unique(answers.position[rows]):
        at_place = np.bincount(
            answers.respondent[rows[answers.position[rows] == position]], minlength=people
        )
        place[at_place > most] = position
        most = np.maximum(most, at_place)
    flags = (choices >= settings.straight_choices) & (
        most >= float(settings.straight_share) * np.maximum(choices, 1)
    )
    return flags, {
        int(at): f"position {place[at]} in {most[at]} of {choices[at]} choices"
        for at in np.flatnonzero(flags)
    }


def _width(answers: Answers) -> int:
    return max(len(question.options) for question in answers.questions)


RULES = (
    QualityRule(_SCREENED_OUT, "Screened out", _by_attribute("status", _SCREENED_OUT)),
    QualityRule("attention", "Failed an attention check", _by_attribute("attention", "failed")),
    QualityRule(_PARTIAL, "Left questions unanswered", _partial),
    QualityRule("speeder", "Took under half the median time", _speeder),
    QualityRule("straight_liner", "Always chose the same position", _straight_liner),
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
