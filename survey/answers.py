"""The answers of a survey in memory, as every reader gives them and every count takes them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from curation.io.atomic import atomic_path
from curation.io.tables import write_csv
from curation.model.errors import CurateError
from curation.model.survey import Question, State
from survey.csv_lines import csv_lines

STATES = (State.SELECTED, State.SHOWN, State.MISSING)
"""What the codes 0, 1, 2 of `Answers.state` mean."""
SELECTED, SHOWN, MISSING = range(3)

RESERVED_ATTRIBUTES = ("status", "attention", "duration_s", "form")
"""Attributes with a meaning: `status` is `complete`, `partial` or `screened_out`, `attention`
`passed` or `failed`, `duration_s` seconds for the whole survey, `form` the form answered."""

RESPONSE_COLUMNS = (
    "respondent_id",
    "question_id",
    "kind",
    "option",
    "state",
    "position",
    "duration_s",
)
"""The columns of `responses.csv`, the normal form."""

Codes = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Exclusion:
    """One row of a received file that was left out, and why: nobody is dropped silently.

    Attributes:
        rule: `keep` (the mapping keeps others), `duplicate` (another answer of the same
            respondent is kept) or `ignored` (the mapping ignores what was asked).
        respondent: Whose row it is; empty where the file does not say.
        question_id: The question, where a row holds one; empty where it holds them all.
        detail: Row, column and value in words.
    """

    rule: str
    respondent: str
    question_id: str
    detail: str


@dataclass(frozen=True, slots=True)
class Answers:
    """One row for each respondent, question and option, as columns of equal length.

    Attributes:
        source: The file, as messages show it.
        questions: The questionnaire; rows point into it.
        respondents: Ids of the respondents; rows point into it.
        respondent: Position of the respondent.
        question: Position of the question.
        option: Position of the option among its question's.
        state: 0 selected, 1 shown, 2 missing.
        position: Where the option was shown, from 1; 0 where it is not known.
        duration: Seconds that the question took; NaN where they are not known.
        row: Row in the file that it comes from, the header being 1.
        attributes: By name, one value for each respondent; empty where it is not known.
    """

    source: str
    questions: tuple[Question, ...]
    respondents: tuple[str, ...]
    respondent: Codes
    question: Codes
    option: Codes
    state: npt.NDArray[np.int8]
    position: npt.NDArray[np.int32]
    duration: npt.NDArray[np.float64]
    row: Codes
    attributes: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.respondent)

    @property
    def selected(self) -> npt.NDArray[np.bool_]:
        """Which rows are choices."""
        return np.equal(self.state, SELECTED)


def write_answers(answers: Answers, responses: Path, respondents: Path) -> None:
    """Write answers in normal form, and the respondents' attributes beside.

    Rows come ordered by respondent, question and option, so that the same answers give the
    same bytes whatever file they were read from.

    Raises:
        CurateError: If a file cannot be written.
    """
    order = np.lexsort((answers.option, answers.question, _ranks(answers)))
    columns = [(texts, codes[order]) for texts, codes in _columns(answers)]
    with atomic_path(responses) as beside, beside.open("wb") as stream:
        stream.write(f"{','.join(RESPONSE_COLUMNS)}\n".encode())
        for lines in csv_lines(columns):
            stream.write(lines)
    names = tuple(answers.attributes)
    people = sorted(range(len(answers.respondents)), key=lambda at: answers.respondents[at])
    write_csv(
        respondents,
        ("respondent_id", *names),
        (
            [answers.respondents[at], *(answers.attributes[name][at] for name in names)]
            for at in people
        ),
    )


def _columns(answers: Answers) -> Iterator[tuple[list[str], npt.NDArray[np.integer]]]:
    """Give the texts of each column of the normal form, and for each row which it holds."""
    questions = answers.questions
    starts = np.cumsum([0, *(len(question.options) for question in questions)])[:-1]
    yield list(answers.respondents), answers.respondent
    yield [question.id for question in questions], answers.question
    yield [question.kind.value for question in questions], answers.question
    codes = [option.code for question in questions for option in question.options]
    yield codes, starts[answers.question] + answers.option
    yield [state.value for state in STATES], answers.state
    positions, at = np.unique(answers.position, return_inverse=True)
    yield [str(place) if place else "" for place in positions.tolist()], at
    seconds, at = np.unique(answers.duration, return_inverse=True)
    yield ["" if np.isnan(value) else f"{value:g}" for value in seconds.tolist()], at


def _ranks(answers: Answers) -> Codes:
    """Give each row's respondent as his place in the order of ids."""
    order = np.argsort(np.array(answers.respondents, dtype=object), kind="stable")
    ranks = np.empty(len(order), dtype=np.int64)
    ranks[order] = np.arange(len(order))
    return ranks[answers.respondent]


def join_answers(parts: Sequence[Answers]) -> Answers:
    """Join the answers of several files to one questionnaire, such as its forms.

    Raises:
        CurateError: If a respondent answers one question in two of them.
    """
    if len(parts) == 1:
        return parts[0]
    people: dict[str, int] = {}
    for part in parts:
        for name in part.respondents:
            people.setdefault(name, len(people))
    places = [
        np.array([people[name] for name in part.respondents], dtype=np.int64) for part in parts
    ]
    joined = Answers(
        source=", ".join(part.source for part in parts),
        questions=parts[0].questions,
        respondents=tuple(people),
        respondent=np.concatenate(
            [place[part.respondent] for place, part in zip(places, parts, strict=True)]
        ),
        question=np.concatenate([part.question for part in parts]),
        option=np.concatenate([part.option for part in parts]),
        state=np.concatenate([part.state for part in parts]),
        position=np.concatenate([part.position for part in parts]),
        duration=np.concatenate([part.duration for part in parts]),
        row=np.concatenate([part.row for part in parts]),
        attributes=_joined_attributes(parts, people),
    )
    _refuse_answered_twice(joined, parts)
    return joined


_FIXED = ("gender", "age_band")
"""Attributes that a respondent has but one of."""


def _joined_attributes(
    parts: Sequence[Answers], people: Mapping[str, int]
) -> dict[str, tuple[str, ...]]:
    names = dict.fromkeys(name for part in parts for name in part.attributes)
    found = {name: [""] * len(people) for name in names}
    for part in parts:
        for name, values in part.attributes.items():
            for who, value in zip(part.respondents, values, strict=True):
                known = found[name][people[who]]
                if known and value and known != value and name in ("form", *_FIXED):
                    raise CurateError(
                        f"respondent {who} has {name} '{known}' in one file and '{value}' here",
                        part.source,
                        "these are two people of one name: give each an id of his own, or each "
                        "file a 'prefix' in its mapping (respondent)",
                    )
                found[name][people[who]] = value or known
    return {name: tuple(values) for name, values in found.items()}


def _refuse_answered_twice(joined: Answers, parts: Sequence[Answers]) -> None:
    width = len(joined.questions)
    pair = joined.respondent * width + joined.question
    starts = np.cumsum([0, *(len(part) for part in parts)])
    seen = np.empty(0, dtype=np.int64)
    for part, start, end in zip(parts, starts, starts[1:], strict=False):
        mine = np.unique(pair[start:end])
        twice = np.intersect1d(seen, mine, assume_unique=True)
        if twice.size:
            who = joined.respondents[int(twice[0]) // width]
            asked = joined.questions[int(twice[0]) % width]
            raise CurateError(
                f"respondent {who} answers question {asked.id} in two files "
                f"({twice.size} answers are there twice)",
                part.source,
                "give each file once, and each answer in one file",
            )
        seen = np.union1d(seen, mine)


def only_questions(answers: Answers, wanted: npt.NDArray[np.bool_]) -> Answers:
    """Give the answers to some of the questions.

    Args:
        answers: The answers.
        wanted: For each question whether it is wanted.
    """
    rows = wanted[answers.question]
    columns = ("respondent", "question", "option", "state", "position", "duration", "row")
    return replace(answers, **{name: getattr(answers, name)[rows] for name in columns})
