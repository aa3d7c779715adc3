"""Counts by question and option."""

from collections.abc import Iterable, Sequence

import numpy as np

from curation.records.errors import CurateError
from curation.records.survey import Question, QuestionKind, Tally
from survey.answers import Codes
from survey.readers.columns import first_of
from survey.readers.frames import plain
from survey.readers.simple.choices import Chosen, answer_columns, asked_questions, chosen_options
from survey.readers.simple.table import NAMED, SimpleTable, agreeing, columns_called, only_column


def read_counts(table: SimpleTable) -> Iterable[Tally]:
    """Read counts by question and option."""
    questions = table.names.questions
    question = asked_questions(table)

    def single(at: int) -> Chosen:
        found = chosen_options(table, at, question, questions)
        one = first_of(found.count != 1)
        if one >= 0:
            table.refuse(
                "the row does not name one single option", one, at, "write a row for each option"
            )
        return found

    at, chosen = agreeing(table, answer_columns(table), "options", single, Chosen.equals)
    table.tell(at, "options")
    votes = _whole(table, only_column(table, "votes"), "votes")
    people = [n for n in columns_called(table.titles, "people") if n not in table.used]
    stated = _whole(table, people[0], "respondents") if people else None
    if len(people) > 1:
        table.refuse_two("respondents", people)
    for place in dict.fromkeys(question.tolist()):
        rows = np.flatnonzero(question == place)
        yield _tally(table, questions[place], rows, chosen.option[rows], votes, stated)


def _whole(table: SimpleTable, at: int, what: str) -> Codes:
    column = table.column(at)
    values = np.full(len(column.values), -1, dtype=np.int64)
    for code in column.used():
        text = plain(column.values[code])
        if text.isascii() and text.isdecimal() and len(text) < 10:
            values[code] = int(text)
        elif text or what == "votes":
            first = first_of(column.codes == code)
            hint = "write a whole number from 0, without separators"
            table.refuse(f"'{text}' is not a number of {what}", first, at, hint)
    table.tell(at, what)
    return values[column.codes]


def _tally(
    table: SimpleTable,
    question: Question,
    rows: Codes,
    options: Codes,
    votes: Codes,
    stated: Codes | None,
) -> Tally:
    file = table.view.frame.file
    found: dict[int, int] = {}
    for row, option in zip(rows.tolist(), options.tolist(), strict=True):
        name = question.options[option].code
        if option in found:
            raise CurateError(
                f"question {question.id} has two rows for option '{name}'",
                f"{file}, row {table.view.row(row)}",
                "keep one row of each option",
            )
        found[option] = int(votes[row])
    where = f"{file}, row {table.view.row(int(rows[0]))}"
    lacking = [item.code for at, item in enumerate(question.options) if at not in found]
    if lacking:
        raise CurateError(
            f"question {question.id} has no votes for {', '.join(lacking[:NAMED])}",
            where,
            "write a row for each option, with 0 where nobody chose it",
        )
    counted = tuple(found[at] for at in range(len(question.options)))
    known = set() if stated is None else set(stated[rows].tolist()) - {-1}
    if len(known) > 1:
        raise CurateError(
            f"question {question.id} has {' and '.join(map(str, sorted(known)[:2]))} respondents",
            where,
            "write the same number in all of its rows",
        )
    people = known.pop() if known else None
    return Tally(
        question, _respondents(table, question, counted, people, where), counted, table.path.name
    )


def _respondents(
    table: SimpleTable, question: Question, votes: Sequence[int], stated: int | None, where: str
) -> int:
    """How many answered a question: who choose one option each are its votes."""
    if question.kind is not QuestionKind.SELECT_ALL:
        if stated is not None and stated != sum(votes):
            raise CurateError(
                f"question {question.id} has {sum(votes)} votes of {stated} respondents, who "
                "choose one option each",
                where,
                "fix the votes or the respondents",
            )
        return sum(votes)
    setting = table.culture.survey.respondents
    people = setting if stated is None else stated
    if max(votes) > people:
        raise CurateError(
            f"question {question.id} has {max(votes)} votes for one option of {people} respondents",
            where,
            "fix the counts"
            if stated is not None
            else "add a column 'respondents', or set survey.respondents in culture.yaml",
        )
    if stated is None and "respondents" not in table.culture.survey.model_fields_set:
        raise CurateError(
            f"nothing says how many people answered question {question.id}",
            where,
            "add a column 'respondents', give --respondents, or set survey.respondents in "
            "culture.yaml",
        )
    if stated is None:
        line = f"  respondents of target selection: {setting}, by survey.respondents"
        table.lines += [] if line in table.lines else [line]
    return people
