"""Gather the answers to each question into one table."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from curation.model.findings import Finding
from curation.model.survey import Question
from survey.answers import Answers, Codes, Exclusion
from survey.readers.view import Records

NOT_SHOWN = -1
"""State of an option that the respondent never saw: there is no row for it."""

States = npt.NDArray[np.int8]


@dataclass(frozen=True, slots=True)
class Read:
    """What was read of the rows that count.

    Attributes:
        answers: The answers.
        rows: How many rows they are from.
        excluded: The other rows.
        findings: What a person should know.
    """

    answers: Answers
    rows: int
    excluded: Sequence[Exclusion]
    findings: Sequence[Finding]


class Collector:
    """Gathers the answers to each question.

    Args:
        source: The file, as messages show it.
        questions: The questionnaire.
    """

    def __init__(self, source: str, questions: Sequence[Question]) -> None:
        self._source = source
        self._questions = tuple(questions)
        self._respondent: list[Codes] = []
        self._question: list[Codes] = []
        self._option: list[Codes] = []
        self._state: list[States] = []
        self._position: list[npt.NDArray[np.int32]] = []
        self._duration: list[npt.NDArray[np.float64]] = []
        self._row: list[Codes] = []

    def add(
        self,
        question: int,
        respondent: Records,
        rows: Records,
        states: States,
        positions: npt.NDArray[np.int32],
        seconds: npt.NDArray[np.float64],
    ) -> None:
        """Add the answers to a question.

        Args:
            question: Its position.
            respondent: Whose each row is.
            rows: The row of the file that each comes from.
            states: A row for each respondent, a column for each option; `NOT_SHOWN` for none.
            positions: Where each option was shown.
            seconds: How long each respondent took.
        """
        at, option = np.nonzero(states != NOT_SHOWN)
        self._respondent.append(respondent[at])
        self._question.append(np.full(len(at), question, dtype=np.int64))
        self._option.append(option)
        self._state.append(states[at, option])
        self._position.append(positions[at, option])
        self._duration.append(seconds[at])
        self._row.append(rows[at])

    def answers(self, ids: tuple[str, ...], attributes: Mapping[str, Sequence[str]]) -> Answers:
        """Give all that was added; the collector is empty then."""
        return Answers(
            source=self._source,
            questions=self._questions,
            respondents=ids,
            respondent=_joined(self._respondent, np.dtype(np.int64)),
            question=_joined(self._question, np.dtype(np.int64)),
            option=_joined(self._option, np.dtype(np.int64)),
            state=_joined(self._state, np.dtype(np.int8)),
            position=_joined(self._position, np.dtype(np.int32)),
            duration=_joined(self._duration, np.dtype(np.float64)),
            row=_joined(self._row, np.dtype(np.int64)),
            attributes=attributes,
        )


_T = TypeVar("_T", bound=np.generic)


def _joined(parts: list[npt.NDArray[_T]], kind: np.dtype[_T]) -> npt.NDArray[_T]:
    """Join arrays and forget them, so that they are not held twice."""
    whole = np.concatenate([np.empty(0, kind), *parts], dtype=kind)
    parts.clear()
    return whole
