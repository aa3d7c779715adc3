"""Files with one row for each respondent, for each answer of one, or for each chosen option."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from curation.records.errors import CurateError
from curation.records.findings import Finding, Severity
from curation.records.survey import Question, QuestionKind
from curation.records.wording import counted
from survey.answers import MISSING, SELECTED, Exclusion
from survey.mapping import LongPart, Mapping, QuestionPart
from survey.readers.columns import Flags, Records, View, filled, first_of, has_one_of
from survey.readers.duplicates import settle
from survey.readers.frames import Column, plain
from survey.readers.options import OptionTable
from survey.readers.people import Kept, attributes_of, by_respondent, form_of
from survey.readers.states import (
    NOT_SHOWN,
    Collects,
    Positions,
    Read,
    States,
    read_cells,
    read_choice,
    read_marks,
    read_mentions,
    read_positions,
    read_seconds,
    shown_positions,
)


def read_wide(
    kept: Kept, mapping: Mapping, questions: Sequence[Question], collector: Collects
) -> Read:
    """Read the answers of a file with one row for each respondent.

    Args:
        kept: The rows that count.
        mapping: Where each question stands.
        questions: The questionnaire.
        collector: Takes the answers.

    Raises:
        CurateError: If the mapping names what the questionnaire or the file has not, or a cell
            holds what is not declared.
    """
    tables = option_tables(mapping, questions, kept.view.frame.file)
    stays, excluded, findings = settle(
        kept.view,
        kept.respondent,
        mapping,
        lambda at: (kept.ids[kept.respondent[at]], ""),
        lambda: _answered(kept.view, mapping),
    )
    view, respondent = kept.view.only(stays), kept.respondent[stays]
    for part in mapping.questions:
        at, table = tables[part.id]
        asked = _rows_asked(view, part)
        if part.columns is not None:
            states, partial = read_marks(view, part, table)
            findings += _partial(view, part, partial & asked)
        elif part.mentions:
            states = read_mentions(view, part, table)
        else:
            states = read_choice(view, part, table)
        states = _where_asked(view, part, states, asked)
        positions = _positions(view, part, table, mapping, f"question {part.id}, order")
        seconds = read_seconds(view, part.duration, f"question {part.id}, duration")
        collector.add(at, respondent, view.rows(), states, positions, seconds)
    left = Kept(view, respondent, kept.ids, (), ())
    attributes = by_respondent(left, attributes_of(view, mapping))
    return Read(kept.ids, attributes, len(view), excluded, findings)


def _positions(
    view: View, part: QuestionPart, table: OptionTable, mapping: Mapping, key: str
) -> Positions:
    """Where each option was shown: by columns of the file, else by the form that a row answers."""
    if part.order is None and part.shown:
        form = form_of(view, mapping)
        return shown_positions(form.codes, form.values, part, table)
    return read_positions(view, part.order, table, key)


def _rows_asked(view: View, part: QuestionPart) -> Flags:
    """Say of which rows the mapping says that they were asked a question."""
    asked = np.ones(len(view), dtype=bool)
    for name, allowed in part.asked.items():
        asked &= has_one_of(view.column(name, f"question {part.id}, asked"), allowed)
    return asked


def _where_asked(view: View, part: QuestionPart, states: States, asked: Flags) -> States:
    """The states of those who were asked; to the others the question was not shown.

    Raises:
        CurateError: If a row answers what it was not asked.
    """
    if asked.all():
        return states
    at = first_of((states == SELECTED).any(axis=1) & ~asked)
    if at >= 0:
        said = ", ".join(
            f"{name} is '{plain(view.column(name, 'asked').cell(at))}'" for name in part.asked
        )
        view.refuse(
            f"question {part.id}: the row answers it but was not asked it: {said}",
            at,
            part.places()[0],
            f"it is asked where {_listed(part)}; fix 'asked' in the mapping, or the file",
        )
    return np.where(asked[:, None], states, np.int8(NOT_SHOWN))


def _listed(part: QuestionPart) -> str:
    return " and ".join(f"{name} is {', '.join(values)}" for name, values in part.asked.items())


def option_tables(
    mapping: Mapping, questions: Sequence[Question], file: str
) -> dict[str, tuple[int, OptionTable]]:
    """For each question of the mapping its position and its options.

    Raises:
        CurateError: If the questionnaire has no such question, or one of another kind.
    """
    by_id = {question.id: at for at, question in enumerate(questions)}
    tables = {}
    for part in mapping.questions:
        if part.id not in by_id:
            raise CurateError(
                f"question {part.id} of the mapping is not in the questionnaire",
                file,
                "give the questionnaire that was asked, or fix the mapping",
            )
        question = questions[by_id[part.id]]
        if question.kind is not part.kind:
            raise CurateError(
                f"question {part.id} is of kind {question.kind} in the questionnaire and "
                f"{part.kind} in the mapping",
                file,
                "fix the mapping",
            )
        tables[part.id] = by_id[part.id], OptionTable(question, part.options)
    return tables


def _answered(view: View, mapping: Mapping) -> Records:
    """Count for each row the questions that it answers."""
    counts = np.zeros(len(view), dtype=np.int64)
    for part in mapping.questions:
        nothing = {*part.missing, *(part.not_selected if part.columns is not None else ())}
        answered = np.zeros(len(view), dtype=bool)
        for name in part.places():
            column = view.column(name, f"question {part.id}")
            answered |= filled(column) & ~has_one_of(column, nothing)
        counts += answered
    return counts


def _partial(view: View, part: QuestionPart, partial: Flags) -> list[Finding]:
    count = int(partial.sum())
    if not count:
        return []
    return [
        Finding(
            "survey-partial-answer",
            Severity.WARNING,
            view.frame.file,
            view.row(int(partial.argmax())),
            str(part.columns),
            f"question {part.id}: {counted(count, 'respondent')} chose an option while the cell of "
            "another is neither 'selected' nor 'not selected'; that one is taken as not answered",
            "add the empty cell to 'not_selected' in the mapping if it says 'not chosen'",
        )
    ]


_IGNORED = -1
_UNKNOWN = -2


@dataclass(frozen=True, slots=True)
class _Asked:
    """A question of a long file: its place in the questionnaire, and how answers are read."""

    at: int
    part: QuestionPart
    table: OptionTable


def read_long(
    kept: Kept, mapping: Mapping, questions: Sequence[Question], collector: Collects
) -> Read:
    """Read the answers of a file with one row for each respondent and question.

    Args:
        kept: The rows that count.
        mapping: Which column is what.
        questions: The questionnaire.
        collector: Takes the answers.

    Raises:
        CurateError: If the mapping names what the questionnaire or the file has not, or a cell
            holds what is not declared.
    """
    assert mapping.long is not None  # noqa: S101  # the caller asks for it only then
    long, view = mapping.long, kept.view
    asked = _asked(mapping, long, questions, view.frame.file)
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
    for at, rows in _groups(question):
        _add(collector, kept.view.only(rows), kept.respondent[rows], asked[at], mapping)
    attributes = by_respondent(kept, attributes_of(kept.view, mapping))
    return Read(kept.ids, attributes, len(kept.view), [*excluded, *doubles], findings)


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
    """A question what holds for the whole file and is not said of it alone."""
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
    """For each row the position in `asked` of its question."""
    names = [plain(item.part.column or item.part.id) for item in asked]
    known = {name: at for at, name in enumerate(names)}
    if len(known) < len(names):
        doubled = next(name for name in names if names.count(name) > 1)
        raise CurateError(f"'{doubled}' is the name of two questions", "mapping", "fix 'column'")
    known.update({plain(name): _IGNORED for name in mapping.ignored if plain(name) not in known})
    found = np.array([known.get(plain(value), _UNKNOWN) for value in column.values], dtype=np.int64)
    rows = found[column.codes]
    at = first_of(rows == _UNKNOWN)
    if at >= 0:
        name = plain(column.cell(at))
        view.refuse(
            f"'{name}' is not a question of the questionnaire"
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
        keys = keys * (len(cells.values) + 1) + np.where(
            several, cells.codes.astype(np.int64) + 1, 0
        )
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
    collector: Collects, view: View, respondent: Records, asked: _Asked, mapping: Mapping
) -> None:
    assert mapping.long is not None  # noqa: S101  # the caller asks for it only then
    part, table, long = asked.part, asked.table, mapping.long
    column = view.column(long.answer, "long: answer")
    states = read_cells(view, column, long.answer, part, table)
    positions = _positions(view, part, table, mapping, "long: order")
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
            "fix the file: each row names one chosen option",
        )
    none = np.int8(127)  # above all states, of which the lowest is 'selected'
    joined = np.full((people, states.shape[1]), none, dtype=np.int8)
    np.minimum.at(joined, of_row, np.where(states == NOT_SHOWN, none, states))
    return np.where(joined == none, np.int8(NOT_SHOWN), joined)
