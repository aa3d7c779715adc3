"""Files with one row for each respondent and question, or for each chosen option."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from curation.model.errors import CurateError
from curation.model.findings import Finding
from curation.model.survey import Question, QuestionKind
from survey.answers import MISSING, SELECTED, Exclusion
from survey.mapping import LongPart, Mapping, QuestionPart
from survey.readers.collect import NOT_SHOWN, Collector, Read, States
from survey.readers.duplicates import settle
from survey.readers.grid import Column
from survey.readers.header import plain
from survey.readers.options import OptionTable
from survey.readers.order import read_positions, read_seconds
from survey.readers.people import Kept, attributes_of, by_respondent
from survey.readers.states import read_cells
from survey.readers.view import Flags, Records, View, first_of
from survey.readers.wide import option_tables

_IGNORED = -1
_UNKNOWN = -2


@dataclass(frozen=True, slots=True)
class _Asked:
    """A question of a long file: its place in the questionnaire, and how answers are read."""

    at: int
    part: QuestionPart
    table: OptionTable


def read_long(kept: Kept, mapping: Mapping, questions: Sequence[Question]) -> Read:
    """Read the answers of a file with one row for each respondent and question.

    Args:
        kept: The rows that count.
        mapping: Which column is what.
        questions: The questionnaire.

    Raises:
        CurateError: If the mapping names what the questionnaire or the file has not, or a cell
            holds what is not declared.
    """
    assert mapping.long is not None  # noqa: S101  # the caller asks for it only then
    long, view = mapping.long, kept.view
    asked = _asked(mapping, long, questions, view.grid.file)
    column = view.column(long.question, "long: question")
    question = _questions(view, column, long, mapping, asked)
    ignored = question == _IGNORED
    excluded = [
        Exclusion(
            "ignored",
            kept.ids[kept.respondent[at]],
            "",
            f"row {view.row(at)}: {long.question} is '{plain(column.cell(at))}'",
        )
        for at in np.flatnonzero(ignored).tolist()
    ]
    kept = Kept(view.only(~ignored), kept.respondent[~ignored], kept.ids, (), ())
    question = question[~ignored]
    kept, question, doubles, findings = _settled(kept, question, mapping, long, asked)
    collector = Collector(view.grid.file, questions)
    for at, rows in _groups(question):
        _add(collector, kept.view.only(rows), kept.respondent[rows], asked[at], long)
    attributes = by_respondent(kept, attributes_of(kept.view, mapping))
    answers = collector.answers(kept.ids, attributes)
    return Read(answers, len(kept.view), [*excluded, *doubles], findings)


def _asked(
    mapping: Mapping, long: LongPart, questions: Sequence[Question], file: str
) -> list[_Asked]:
    """List what may stand in the question column: what the mapping says, or all questions."""
    if mapping.questions:
        tables = option_tables(mapping, questions, file)
        return [
            _Asked(tables[part.id][0], _filled_in(part, long), tables[part.id][1])
            for part in mapping.questions
        ]
    found = []
    for at, question in enumerate(questions):
        table = OptionTable(question)
        part = QuestionPart(
            id=question.id,
            kind=question.kind,
            options={option.code: option.code for option in question.options},
        )
        found.append(_Asked(at, _filled_in(part, long), table))
    return found


def _filled_in(part: QuestionPart, long: LongPart) -> QuestionPart:
    """Give a question what holds for the whole file and is not said of it alone."""
    several = part.kind is QuestionKind.SELECT_ALL
    return part.model_copy(
        update={
            "joined": part.joined if part.joined or not several else long.joined,
            "order": part.order or long.order,
            "duration": part.duration or long.duration,
            "missing": (*part.missing, *long.missing),
        }
    )


def _questions(
    view: View, column: Column, long: LongPart, mapping: Mapping, asked: Sequence[_Asked]
) -> Records:
    """Give for each row the position in `asked` of its question."""
    names = [plain(item.part.column or item.part.id) for item in asked]
    known = {name: at for at, name in enumerate(names)}
    if len(known) < len(names):
        doubled = next(name for name in names if names.count(name) > 1)
        raise CurateError(f"'{doubled}' stands for two questions", "mapping", "mend 'column'")
    known.update({plain(name): _IGNORED for name in mapping.ignored if plain(name) not in known})
    found = np.array([known.get(plain(value), _UNKNOWN) for value in column.values], dtype=np.int64)
    rows = found[column.codes]
    at = first_of(rows == _UNKNOWN)
    if at >= 0:
        name = plain(column.cell(at))
        view.refuse(
            f"'{name}' is no question of the questionnaire"
            if name
            else "the row names no question",
            at,
            long.question,
            "name it in the mapping: as 'column' of its question, or in 'ignored'",
        )
    return rows


def _settled(
    kept: Kept, question: Records, mapping: Mapping, long: LongPart, asked: Sequence[_Asked]
) -> tuple[Kept, Records, list[Exclusion], list[Finding]]:
    """Keep one answer of each respondent to each question; one row an option is one answer."""
    view = kept.view
    keys = kept.respondent * len(asked) + question
    if long.row == "option":
        # Rows that name different options are one answer; the same option twice is two.
        several = np.array([item.part.kind is QuestionKind.SELECT_ALL for item in asked])[question]
        cells = view.column(long.answer, "long: answer")
        keys = keys * (len(cells.values) + 1) + np.where(several, cells.codes + 1, 0)
    stays, excluded, findings = settle(
        view,
        keys,
        mapping,
        lambda at: (kept.ids[kept.respondent[at]], asked[question[at]].part.id),
        lambda: np.zeros(len(view), dtype=np.int64),
    )
    left = Kept(view.only(stays), kept.respondent[stays], kept.ids, (), ())
    return left, question[stays], excluded, findings


def _groups(question: Records) -> Iterator[tuple[int, Records]]:
    """Yield each question with its rows."""
    order = np.argsort(question, kind="stable")
    ordered = question[order]
    starts = np.flatnonzero(np.concatenate(([True], ordered[1:] != ordered[:-1])))
    for rows in np.split(order, starts[1:]):
        if len(rows):
            yield int(question[rows[0]]), rows


def _add(
    collector: Collector, view: View, respondent: Records, asked: _Asked, long: LongPart
) -> None:
    part, table = asked.part, asked.table
    column = view.column(long.answer, "long: answer")
    states = read_cells(view, column, long.answer, part, table)
    positions = read_positions(view, part.order, table, "long: order")
    seconds = read_seconds(view, part.duration, "long: duration")
    people, first, of_row = np.unique(respondent, return_index=True, return_inverse=True)
    rows = view.rows()
    if len(people) < len(respondent):
        states = _joined(view, states, of_row, len(people), asked, long)
        respondent, rows = people, rows[first]
        positions, seconds = positions[first], seconds[first]
    collector.add(asked.at, respondent, rows, states, positions, seconds)


def _joined(
    view: View, states: States, of_row: Records, people: int, asked: _Asked, long: LongPart
) -> States:
    """Join the rows of each respondent: an option is chosen when one of them names it.

    Raises:
        CurateError: If one row names an option and another says that nothing was answered.
    """
    answered: Flags = np.zeros(people, dtype=bool)
    answered[of_row[(states == SELECTED).any(axis=1)]] = True
    at = first_of((states == MISSING).any(axis=1) & answered[of_row])
    if at >= 0:
        view.refuse(
            f"question {asked.part.id}: another row of this respondent names an option, and this "
            "one says that nothing was answered",
            at,
            long.answer,
            "mend the file: each row names one chosen option",
        )
    none = np.int8(127)  # above all states, of which the lowest is 'selected'
    joined = np.full((people, states.shape[1]), none, dtype=np.int8)
    np.minimum.at(joined, of_row, np.where(states == NOT_SHOWN, none, states))
    return np.where(joined == none, np.int8(NOT_SHOWN), joined)
