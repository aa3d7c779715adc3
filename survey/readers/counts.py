"""Simple tables of counts by question and option."""

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from curation.records.survey import Question, QuestionKind, Tally
from survey.answers import Codes
from survey.readers.frames import Column, Frame, first_of, plain, refusal


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
                where = f"{frame.file}, row {int(frame.rows[row])}"
                name = asked.options[option[row]].code
                raise refusal("counts-option-twice", where, id=asked.id, option=name)
            counted[int(option[row])] = int(votes[row])
        lacking = [item.code for place, item in enumerate(asked.options) if place not in counted]
        if lacking:
            raise refusal("counts-option-lacking", where, id=asked.id, options=lacking)
        known = sorted(set() if stated is None else set(stated[rows].tolist()) - {-1})
        if len(known) > 1:
            raise refusal("counts-two-numbers", where, id=asked.id, one=known[0], other=known[1])
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
            where = f"{frame.file}, row {row}, column {title}"
            raise refusal("counts-no-number", where, text=text, of=what)
    return values[column.codes]


def _respondents(
    question: Question, votes: Sequence[int], stated: int | None, setting: int | None, where: str
) -> int:
    """How many answered a question: who choose one option each are its votes."""
    if question.kind is not QuestionKind.SELECT_ALL:
        if stated is not None and stated != sum(votes):
            told = {"id": question.id, "votes": sum(votes), "stated": stated}
            raise refusal("counts-other-sum", where, **told)
        return sum(votes)
    people = setting if stated is None else stated
    if people is None:
        raise refusal("counts-nobody", where, id=question.id)
    if max(votes) > people:
        raise refusal("counts-too-many", where, id=question.id, votes=max(votes), people=people)
    return people
