"""Simple tables of counts by question and option."""

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from curation.records.errors import CurateError
from curation.records.survey import Question, QuestionKind, Tally
from curation.records.wording import plural
from survey.answers import Codes
from survey.readers.frames import Column, Frame, first_of, plain

_NAMED = 5


def tallies_of(
    frame: Frame,
    questions: Sequence[Question],
    question: Codes,
    option: Codes,
    votes: Codes,
    stated: Codes | None,
    setting: int | None,
) -> Iterable[Tally]:
    """Count the votes of each question that a table holds.

    Args:
        frame: The table.
        questions: The questionnaire.
        question: For each row its question.
        option: For each row its option.
        votes: For each row its votes.
        stated: For each row the number of respondents, -1 where it says none.
        setting: The respondents of target selection by the workspace's settings, if these say it.

    Raises:
        CurateError: If an option is there twice or not at all, or numbers contradict each other.
    """
    for at in dict.fromkeys(question.tolist()):
        rows = np.flatnonzero(question == at)
        asked, where = questions[at], f"{frame.file}, row {int(frame.rows[rows[0]])}"
        counted: dict[int, int] = {}
        for row in rows.tolist():
            if int(option[row]) in counted:
                raise CurateError(
                    f"question {asked.id} has two rows for option "
                    f"'{asked.options[option[row]].code}'",
                    f"{frame.file}, row {int(frame.rows[row])}",
                    "keep one row of each option",
                )
            counted[int(option[row])] = int(votes[row])
        lacking = [item.code for place, item in enumerate(asked.options) if place not in counted]
        if lacking:
            raise CurateError(
                f"question {asked.id} has no votes for {', '.join(lacking[:_NAMED])}",
                where,
                "write a row for each option, with 0 where nobody chose it",
            )
        known = sorted(set() if stated is None else set(stated[rows].tolist()) - {-1})
        if len(known) > 1:
            raise CurateError(
                f"question {asked.id} has {known[0]} and {known[1]} respondents",
                where,
                "write the same number in all of its rows",
            )
        every = tuple(counted[place] for place in range(len(asked.options)))
        people = _respondents(asked, every, known[0] if known else None, setting, where)
        yield Tally(asked, people, every, frame.file.rpartition("/")[2])


def whole_numbers(frame: Frame, column: Column, title: str, what: str) -> Codes:
    """Read a column of whole numbers; -1 where it is empty.

    Args:
        frame: The table.
        column: The column.
        title: Its name.
        what: What it counts: `votes`, of which no cell may be empty, or `respondents`.

    Raises:
        CurateError: If a cell is no such number.
    """
    values: npt.NDArray[np.int64] = np.full(len(column.values), -1, dtype=np.int64)
    for code in column.used():
        text = plain(column.values[code])
        if text.isascii() and text.isdecimal() and len(text) < 10:
            values[code] = int(text)
        elif text or what == "votes":
            row = int(frame.rows[first_of(column.codes == code)])
            raise CurateError(
                f"'{text}' is not a number of {what}",
                f"{frame.file}, row {row}, column {title}",
                "write a whole number from 0, without separators",
            )
    return values[column.codes]


def _respondents(
    question: Question, votes: Sequence[int], stated: int | None, setting: int | None, where: str
) -> int:
    """How many answered a question: who choose one option each are its votes."""
    if question.kind is not QuestionKind.SELECT_ALL:
        if stated is not None and stated != sum(votes):
            raise CurateError(
                f"question {question.id} has {sum(votes)} {plural('vote', sum(votes))} of {stated} "
                "respondents, who choose one option each",
                where,
                "fix the votes or the respondents",
            )
        return sum(votes)
    people = setting if stated is None else stated
    if people is None:
        raise CurateError(
            f"nothing says how many people answered question {question.id}",
            where,
            "add a column 'respondents', give --respondents, or set survey.respondents in "
            "culture.yaml",
        )
    if max(votes) > people:
        raise CurateError(
            f"question {question.id} has {max(votes)} votes for one option of {people} respondents",
            where,
            "fix the counts, or set survey.respondents in culture.yaml",
        )
    return people
