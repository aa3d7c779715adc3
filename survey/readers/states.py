"""What respondents did with the options of one question, from the cells that say it.

Not shown, not chosen and not answered are three things. A question that a respondent never saw
leaves nothing; one that he saw and did not answer leaves each option `missing`, and so does a
multi-select of which he chose nothing; one that he answered leaves each option `selected` or
`shown`.
"""

from typing import NoReturn

import numpy as np
import numpy.typing as npt

from curation.model.survey import QuestionKind
from survey.answers import MISSING, SELECTED, SHOWN
from survey.mapping import CODE, LABEL, QuestionPart
from survey.readers.collect import NOT_SHOWN, States
from survey.readers.grid import Column
from survey.readers.header import plain
from survey.readers.options import OptionTable, labels_of
from survey.readers.view import Flags, View, first_of

_CHOSEN, _LEFT, _BLANK, _UNANSWERED, _VOID = range(5)
"""A mark: chosen, not chosen in so many words, an empty cell, not answered in so many words, an
empty cell that says 'not shown'."""


def read_marks(view: View, part: QuestionPart, table: OptionTable) -> tuple[States, Flags]:
    """Read a question whose options have a column each.

    Returns:
        The state of each option for each record; and which records answer it while a cell of
        theirs is empty in a way that the mapping does not call 'not selected'.

    Raises:
        CurateError: If a column is missing or a cell holds what is not declared.
    """
    width = len(table.question.options)
    marks = np.full((len(view), width), _VOID, dtype=np.int8)
    taken: dict[int, str] = {}
    for key, option in table.keys.items():
        name = str(part.columns).replace("{code}", key)
        if option in taken:
            table.refuse(
                f"columns '{taken[option]}' and '{name}' are one option",
                "name one column for each option",
            )
        taken[option] = name
        column = view.column(name, f"question {part.id}, columns")
        marks[:, option] = _marks(view, part, table, key, option, column, name)
    return _from_marks(marks, part, any_void=view.grid.source.tells_void)


def _marks(
    view: View,
    part: QuestionPart,
    table: OptionTable,
    key: str,
    option: int,
    column: Column,
    name: str,
) -> npt.NDArray[np.int8]:
    chosen = _chosen(part, table, key, option)
    left = {plain(value) for value in part.not_selected} - {""}
    unanswered = {plain(value) for value in part.missing} - {""}
    found = np.zeros(len(column.values), dtype=np.int8)
    for code in column.used():
        text = plain(column.values[code])
        if code == column.void:
            found[code] = _VOID
        elif text in chosen:
            found[code] = _CHOSEN
        elif not text:
            found[code] = _BLANK
        elif text in unanswered:
            found[code] = _UNANSWERED
        elif text in left:
            found[code] = _LEFT
        else:
            declared = ", ".join(f"'{value}'" for value in sorted(chosen | left | unanswered))
            view.refuse(
                f"question {part.id}: '{text}' says neither that "
                f"'{table.question.options[option].code}' was chosen nor that it was not",
                first_of(column.codes == code),
                name,
                f"declared are {declared} and the empty cell; mend 'selected', 'not_selected' or "
                "'missing' in the mapping",
            )
    return found[column.codes]


def _chosen(part: QuestionPart, table: OptionTable, key: str, option: int) -> set[str]:
    """Give the values that say that an option was chosen."""
    chosen = {plain(value) for value in part.selected if value not in (LABEL, CODE)}
    if LABEL in part.selected:
        chosen |= labels_of(table.question.options[option])
    if CODE in part.selected:
        chosen.add(key)
    return chosen


def _from_marks(
    marks: npt.NDArray[np.int8], part: QuestionPart, *, any_void: bool
) -> tuple[States, Flags]:
    chosen, blank, void = (marks == mark for mark in (_CHOSEN, _BLANK, _VOID))
    answered = chosen.any(axis=1)
    # Nothing chosen: seen and not answered, unless all there is are empty cells that, in a
    # file which does not tell, mean that the question was never shown.
    said = ((marks == _UNANSWERED) | (marks == _LEFT)).any(axis=1)
    if any_void or "" in part.missing:
        said |= blank.any(axis=1)
    states = np.full(marks.shape, NOT_SHOWN, dtype=np.int8)
    states[answered | said] = MISSING
    shown = answered[:, None] & ((marks == _LEFT) | (blank & ("" in part.not_selected)))
    states[shown] = SHOWN
    states[chosen] = SELECTED
    states[void] = NOT_SHOWN
    return states, answered & ((states == MISSING).any(axis=1))


def read_choice(view: View, part: QuestionPart, table: OptionTable) -> States:
    """Read a question whose answer stands in one column.

    Raises:
        CurateError: If the column is missing, or a cell holds what is not declared or can be
            read in two ways.
    """
    name = str(part.column)
    column = view.column(name, f"question {part.id}, column")
    return read_cells(view, column, name, part, table)


def read_cells(
    view: View, column: Column, name: str, part: QuestionPart, table: OptionTable
) -> States:
    """Read the answers to one question from cells.

    Args:
        view: The records.
        column: Their cells.
        name: The column's name.
        part: How the cells are to be read.
        table: The options.

    Raises:
        CurateError: If a cell holds what is not declared or can be read in two ways.
    """
    unanswered = {plain(value) for value in part.missing}
    states = np.full((len(column.values), len(table.question.options)), NOT_SHOWN, np.int8)
    for code in column.used():
        text = plain(column.values[code])
        if code == column.void:
            continue
        if text not in table.keys and (
            text in unanswered or (not text and view.grid.source.tells_void)
        ):
            states[code] = MISSING
        elif text or "" in table.keys:
            places = _places(view, column, code, name, part, table)
            states[code] = SHOWN
            states[code, list(places)] = SELECTED
    return states[column.codes]


def _places(
    view: View, column: Column, code: int, name: str, part: QuestionPart, table: OptionTable
) -> tuple[int, ...]:
    """Give the options that a cell names."""
    value = column.values[code]
    option = table.place(value)
    several = part.kind is QuestionKind.SELECT_ALL
    if part.joined is None or not several:
        if option >= 0:
            return (option,)
        listed = table.listed(value) if several else None
        if listed is not None:
            return listed
        _refuse(view, column, code, name, part, table)
    listed = table.listed(value)
    if listed is not None and option < 0:
        return listed
    readings = table.readings(value, part.joined)
    if len({frozenset(reading) for reading in readings}) == 1:
        return readings[0]
    if not readings:
        _refuse(view, column, code, name, part, table)
    other = next(reading for reading in readings if set(reading) != set(readings[0]))
    view.refuse(
        f"question {part.id}: '{plain(value)}' can be read as {table.written(readings[0])} or as "
        f"{table.written(other)}",
        first_of(column.codes == code),
        name,
        "export one column for each option, or join them by a sign that no option holds",
    )


def _refuse(
    view: View, column: Column, code: int, name: str, part: QuestionPart, table: OptionTable
) -> NoReturn:
    text = plain(column.values[code])
    hint = f"declared are {table.declared()}; mend 'options' in the mapping, or the file"
    if table.run_together(text):
        hint = (
            f"if these are {' and '.join(text)} run together, export one column for each option; "
            f"declared are {table.declared()}"
        )
    what = "lists an option that is not declared" if part.joined else "is not declared"
    view.refuse(f"question {part.id}: '{text}' {what}", first_of(column.codes == code), name, hint)
