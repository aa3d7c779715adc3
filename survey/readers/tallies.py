"""Tables of counts by question and option: each row as a respondent's, with its votes beside."""

from collections.abc import Iterator, Sequence

import numpy as np

from curation.records.messages import CurateError, Finding
from curation.records.survey import Question, QuestionKind, Tally
from survey.answers import Answers, Codes
from survey.mapping import ROW, RespondentPart
from survey.platforms import Start
from survey.readers.drafting import Drafter
from survey.readers.frames import Frame, holds, refusal
from survey.readers.normalise import unread_finding
from survey.readers.opening import Opened
from survey.readers.options import QuestionNames
from survey.readers.people import refuse_two
from survey.readers.placing import About, other_sheets

Counted = tuple[tuple[Tally, ...], tuple[Finding, ...], tuple[str, ...]]
"""A table of counts as read: the counts, what a person should know, and what was recognised, a line
a column, below one of the file."""


def read_counts(opened: Opened, names: QuestionNames, about: About) -> Counted:
    """Read a table of counts: each row as if it were a respondent's, with its votes beside.

    Args:
        opened: The file.
        names: The questionnaire.
        about: With the settings that say how many people answered, where no column does.

    Raises:
        CurateError: If a row does not name one option of one question, or numbers do not fit.
    """
    others = list(other_sheets(opened, names))
    frame, settings = opened.frame(), about.settings
    start = Start(respondent=RespondentPart(id=ROW))
    table = Drafter(frame, start, names, about)
    taken: set[int] = set()
    said: dict[str, str] = {}
    numbers: list[Codes | None] = []
    for role, what in (("votes", "votes"), ("people", "respondents")):
        found = table.called(taken, role)
        if len(found) > 1:
            refuse_two(frame, what, found)
        taken |= {*found}
        said |= {frame.titles[at]: what for at in found}
        each = [_whole_numbers(frame, at, what) for at in found]
        numbers.append(each[0] if each else None)
    votes, stated = numbers
    mapping, received = table.by_rows(ROW, taken)
    if isinstance(received, CurateError):
        raise received
    answers = received.answers
    if len(answers) != len(frame) or votes is None:
        left = set(frame.rows.tolist()) - set(answers.row.tolist())
        row = min(left or set(frame.rows[1:].tolist()))
        raise refusal("counts-row", f"{frame.file}, row {row}")
    setting = settings.respondents if "respondents" in settings.model_fields_set else None
    tallies = tuple(_tallies(frame, answers, votes, stated, setting))
    several = any(tally.question.kind is QuestionKind.SELECT_ALL for tally in tallies)
    if several and stated is None:
        others.append(f"respondents of target selection: {setting}, by survey.respondents")
    said |= dict.fromkeys(mapping.ignored, "says the same again")
    if mapping.long is not None:
        said |= {mapping.long.question: "questions", mapping.long.answer: "options"}
    columns = []
    for at, (title, column) in enumerate(frame.named_columns):
        unread = "not read" if holds(column) else "empty"
        columns.append(f"column '{title or at + 1}': {said.get(title, unread)}")
    lines = (
        f"{frame.file}: counts by question and option",
        *(f"  {line}" for line in (*columns, *others)),
    )
    names_left = [title for title in received.unread if title not in said]
    findings = (*received.findings, *unread_finding(frame.file, names_left, mapped=False))
    return tallies, findings, lines


def _tallies(
    frame: Frame, answers: Answers, votes: Codes, stated: Codes | None, setting: int | None
) -> Iterator[Tally]:
    """Count the votes of each question that a table holds.

    Args:
        frame: The table.
        answers: The question and the option that each row names.
        votes: For each row its votes.
        stated: For each row the number of respondents, -1 where it says none.
        setting: The respondents of target selection by the workspace's settings, if these say it.

    Raises:
        CurateError: If an option is there twice or not at all, or numbers contradict each other.
    """
    in_file = np.argsort(answers.row)
    question, option = answers.question[in_file], answers.option[in_file]
    for at in dict.fromkeys(question.tolist()):
        rows = np.flatnonzero(question == at)
        asked, where = answers.questions[at], f"{frame.file}, row {int(frame.rows[rows[0]])}"
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


def _whole_numbers(frame: Frame, at: int, what: str) -> Codes:
    """Read a column of whole numbers; -1 where it is empty.

    Args:
        frame: The table.
        at: The column.
        what: What it counts: `votes`, of which no cell may be empty, or `respondents`.

    Raises:
        CurateError: If a cell is no such number.
    """

    def number(text: str) -> int | None:
        if text.isascii() and text.isdecimal() and len(text) < 10:
            return int(text)
        return None if text or what == "votes" else -1

    title, column = frame.titles[at], frame.columns[at]
    return frame.view().read(title, column, number, "counts-no-number", of=what).astype(np.int64)


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
