"""Files with one row for each respondent."""

from collections.abc import Sequence

import numpy as np

from curation.model.errors import CurateError
from curation.model.findings import Finding, Severity
from curation.model.survey import Question
from survey.answers import SELECTED
from survey.mapping import Mapping, QuestionPart
from survey.readers.collect import NOT_SHOWN, Collector, Read, States
from survey.readers.duplicates import settle
from survey.readers.header import plain
from survey.readers.options import OptionTable
from survey.readers.order import read_positions, read_seconds
from survey.readers.people import Kept, attributes_of, by_respondent
from survey.readers.states import read_choice, read_marks
from survey.readers.view import Flags, Records, View, filled, first_of, has_one_of


def read_wide(kept: Kept, mapping: Mapping, questions: Sequence[Question]) -> Read:
    """Read the answers of a file with one row for each respondent.

    Args:
        kept: The rows that count.
        mapping: Where each question stands.
        questions: The questionnaire.

    Raises:
        CurateError: If the mapping names what the questionnaire or the file has not, or a cell
            holds what is not declared.
    """
    tables = option_tables(mapping, questions, kept.view.grid.file)
    stays, excluded, findings = settle(
        kept.view,
        kept.respondent,
        mapping,
        lambda at: (kept.ids[kept.respondent[at]], ""),
        lambda: _answered(kept.view, mapping),
    )
    view, respondent = kept.view.only(stays), kept.respondent[stays]
    collector = Collector(view.grid.file, questions)
    for part in mapping.questions:
        at, table = tables[part.id]
        asked = _asked(view, part)
        if part.columns is not None:
            states, partial = read_marks(view, part, table)
            findings += _partial(view, part, partial & asked)
        else:
            states = read_choice(view, part, table)
        states = _where_asked(view, part, states, asked)
        positions = read_positions(view, part.order, table, f"question {part.id}, order")
        seconds = read_seconds(view, part.duration, f"question {part.id}, duration")
        collector.add(at, respondent, view.rows(), states, positions, seconds)
    left = Kept(view, respondent, kept.ids, (), ())
    attributes = by_respondent(left, attributes_of(view, mapping))
    return Read(collector.answers(kept.ids, attributes), len(view), excluded, findings)


def _asked(view: View, part: QuestionPart) -> Flags:
    """Say of which rows the mapping says that they were asked a question."""
    asked = np.ones(len(view), dtype=bool)
    for name, allowed in part.asked.items():
        asked &= has_one_of(view.column(name, f"question {part.id}, asked"), allowed)
    return asked


def _where_asked(view: View, part: QuestionPart, states: States, asked: Flags) -> States:
    """Give the states of those who were asked; to the others the question was not shown.

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
            f"question {part.id}: the row answers it, and was not asked it: {said}",
            at,
            part.places()[0],
            f"it is asked where {_listed(part)}; mend 'asked' in the mapping, or the file",
        )
    return np.where(asked[:, None], states, np.int8(NOT_SHOWN))


def _listed(part: QuestionPart) -> str:
    return " and ".join(f"{name} is {', '.join(values)}" for name, values in part.asked.items())


def option_tables(
    mapping: Mapping, questions: Sequence[Question], file: str
) -> dict[str, tuple[int, OptionTable]]:
    """Give for each question of the mapping its position and its options.

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
                "give the questionnaire that was asked, or mend the mapping",
            )
        question = questions[by_id[part.id]]
        if question.kind is not part.kind:
            raise CurateError(
                f"question {part.id} is of kind {question.kind} in the questionnaire and "
                f"{part.kind} in the mapping",
                file,
                "mend the mapping",
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
            view.grid.file,
            view.row(int(partial.argmax())),
            str(part.columns),
            f"question {part.id}: {count:,} respondents chose an option while the cell of another "
            "is neither 'selected' nor 'not selected'; that one is taken as not answered",
            "add the empty cell to 'not_selected' in the mapping if it says 'not chosen'",
        )
    ]
