"""The questions that rows of a simple table name, and the options chosen."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NoReturn

import numpy as np

from curation.records.errors import CurateError
from curation.records.survey import Question
from survey.answers import SELECTED, Answers, Codes
from survey.readers.columns import first_of
from survey.readers.frames import plain
from survey.readers.naming import Note, Places, options_named
from survey.readers.people import Kept
from survey.readers.simple.people import read_attributes
from survey.readers.simple.table import ANSWER_ROLES, SimpleTable, agreeing, columns_called


def asked_questions(table: SimpleTable) -> Codes:
    """The position of each row's question."""
    at, question = agreeing(
        table,
        columns_called(table.titles, "question"),
        "questions",
        lambda at: _question_places(table, at),
        np.array_equal,
    )
    table.tell(at, f"questions ({len(np.unique(question)):,})")
    return question


def _question_places(table: SimpleTable, at: int) -> Codes:
    column = table.column(at)
    found = np.full(len(column.values), -1, dtype=np.int64)
    for code in column.used():
        text = plain(column.values[code])
        places = table.names.places(text)
        record = first_of(column.codes == code)
        if not places:
            table.refuse(
                f"'{text}' is not a question of the questionnaire"
                if text
                else "the row names no question",
                record,
                at,
                "write its id, its text or its stereotype, or give the questionnaire that was "
                "asked (--questionnaire)",
            )
        if len(places) > 1:
            both = " and ".join(table.names.questions[place].id for place in places[:2])
            table.refuse(
                f"'{text}' names two questions, {both}", record, at, "write the questions' ids"
            )
        found[code] = places[0]
    return found[column.codes]


def answer_columns(table: SimpleTable) -> list[int]:
    """The columns that may name the options chosen."""
    return [at for role in ANSWER_ROLES for at in columns_called(table.titles, role)]


@dataclass(frozen=True, slots=True)
class Chosen:
    """The options that rows name: one entry an option.

    Attributes:
        rows: The row of each entry.
        option: Position of the option.
        count: For each row how many options it names; 0 for an empty cell.
    """

    rows: Codes
    option: Codes
    count: Codes

    def equals(self, other: "Chosen") -> bool:
        """Whether two columns name the same options in every row."""
        return np.array_equal(self.rows, other.rows) and np.array_equal(self.option, other.option)


def chosen_options(
    table: SimpleTable, at: int, question: Codes, questions: Sequence[Question]
) -> Chosen:
    """The options that a column names, for the question of each row.

    Raises:
        CurateError: If a cell names no option of its question, or may name two.
    """
    column = table.column(at)
    width = len(column.values)
    pairs, inverse = _distinct(question * width + column.codes, len(questions) * width)
    named: list[Places] = [()] * len(pairs)
    noted: dict[tuple[Note, str], int] = {}
    order = np.argsort(pairs // width, kind="stable")
    starts = np.flatnonzero(np.diff(pairs[order] // width, prepend=-1))
    for group in np.split(order, starts[1:]):
        if not len(group):
            continue
        asked = questions[int(pairs[group[0]] // width)]
        cells = {column.values[int(pairs[pair] % width)]: int(pair) for pair in group}
        full = [cell for cell in cells if plain(cell)]

        def refuse(what: str, cell: str, hint: str, cells: dict[str, int] = cells) -> NoReturn:
            table.refuse(what, first_of(inverse == cells[cell]), at, hint)

        meant, notes = options_named(asked, full, refuse)
        for cell, places in meant.items():
            named[cells[cell]] = places
        for note, cell, said in notes:
            answers = int((inverse == cells[cell]).sum())
            noted[note, said] = noted.get((note, said), 0) + answers
    table.noted[at] = noted
    counts = np.array([len(places) for places in named], dtype=np.int64)
    flat = np.array([place for places in named for place in places], dtype=np.int64)
    begin = np.concatenate(([0], np.cumsum(counts)))[:-1]
    count = counts[inverse]
    rows = np.repeat(np.arange(len(inverse), dtype=np.int64), count)
    within = np.arange(len(rows)) - np.repeat(np.cumsum(count) - count, count)
    return Chosen(rows, flat[begin[inverse][rows] + within] if len(rows) else rows, count)


def _distinct(keys: Codes, size: int) -> tuple[Codes, Codes]:
    """The different keys in order, and for each key its place among them."""
    if size > _DENSE:
        pairs, inverse = np.unique(keys, return_inverse=True)
        return pairs, inverse
    there = np.zeros(size, dtype=bool)
    there[keys] = True
    return np.flatnonzero(there), (np.cumsum(there) - 1)[keys]


_DENSE = 5_000_000
"""With so many keys or fewer an array of all of them costs less than sorting."""


def made_answers(
    table: SimpleTable,
    kept: Kept,
    questions: Sequence[Question],
    respondent: Codes,
    question: Codes,
    option: Codes,
) -> Answers:
    """Answers that are chosen, at positions that are not known."""
    count = len(option)
    if not count:
        raise CurateError(
            f"{table.path.name} holds no answers", table.view.frame.file, "check the export"
        )
    return Answers(
        source=table.view.frame.file,
        questions=tuple(questions),
        respondents=kept.ids,
        respondent=respondent,
        question=question,
        option=option,
        state=np.full(count, SELECTED, dtype=np.int8),
        position=np.zeros(count, dtype=np.int32),
        duration=np.full(count, np.nan),
        row=np.zeros(count, dtype=np.int64),
        attributes=read_attributes(table, kept),
    )
