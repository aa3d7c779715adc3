"""Gather the answers to each question into one table."""

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from curation.model.survey import Question
from survey.answers import Answers, Codes
from survey.readers.view import Records

NOT_SHOWN = -1
"""State of an option that the respondent never saw: there is no row for it."""

States = npt.NDArray[np.int8]


class Collector:
    """Gathers the answers to each question.

    Args:
        source: The file, as messages show it.
        questions: The questionnaire.
    """

    def __init__(self, source: str, questions: Sequence[Question]) -> None:
        self._source = source
        self._questions = tuple(questions)
        self._parts: list[tuple[npt.NDArray[np.generic], ...]] = []

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
        self._parts.append(
            (
                respondent[at],
                np.full(len(at), question, dtype=np.int64),
                option.astype(np.int64),
                states[at, option],
                positions[at, option],
                seconds[at],
                rows[at],
            )
        )

    def answers(self, ids: tuple[str, ...], attributes: Mapping[str, Sequence[str]]) -> Answers:
        """Give all that was added."""
        kinds: tuple[type[np.generic], ...] = (
            *(np.int64, np.int64, np.int64),
            *(np.int8, np.int32, np.float64, np.int64),
        )
        joined: list[npt.NDArray[np.generic]] = [
            np.concatenate([np.empty(0, kind), *(part[at] for part in self._parts)]).astype(kind)
            for at, kind in enumerate(kinds)
        ]
        codes: list[Codes] = [joined[at].astype(np.int64) for at in (0, 1, 2, 6)]
        return Answers(
            source=self._source,
            questions=self._questions,
            respondents=ids,
            respondent=codes[0],
            question=codes[1],
            option=codes[2],
            state=joined[3].astype(np.int8),
            position=joined[4].astype(np.int32),
            duration=joined[5].astype(np.float64),
            row=codes[3],
            attributes=attributes,
        )
