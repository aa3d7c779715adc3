"""The answers of a survey in memory, as every reader gives them and every count takes them."""

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt

from curation.io.atomic import atomic_text
from curation.io.tables import write_csv
from curation.model.survey import Question, State

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
    codes = [[option.code for option in question.options] for question in answers.questions]
    with atomic_text(responses) as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(RESPONSE_COLUMNS)
        for at in order:
            question = answers.questions[answers.question[at]]
            seconds = answers.duration[at]
            writer.writerow(
                (
                    answers.respondents[answers.respondent[at]],
                    question.id,
                    question.kind.value,
                    codes[answers.question[at]][answers.option[at]],
                    STATES[answers.state[at]].value,
                    answers.position[at] or "",
                    "" if np.isnan(seconds) else f"{seconds:g}",
                )
            )
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


def _ranks(answers: Answers) -> Codes:
    """Give each row's respondent as his place in the order of ids."""
    order = np.argsort(np.array(answers.respondents, dtype=object), kind="stable")
    ranks = np.empty(len(order), dtype=np.int64)
    ranks[order] = np.arange(len(order))
    return ranks[answers.respondent]
