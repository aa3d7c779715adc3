"""Questions whose options have a column each: what the marks in them say."""

import numpy as np
import numpy.typing as npt

from survey.answers import MISSING, SELECTED, SHOWN
from survey.mapping import CODE, LABEL, QuestionPart
from survey.readers.columns import Flags, View, first_of
from survey.readers.frames import Column, plain
from survey.readers.options import OptionTable, labels_of, names_of, shown

NOT_SHOWN = -1
"""State of an option that the respondent never saw: there is no row for it."""

States = npt.NDArray[np.int8]

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
    return _from_marks(marks, part, any_void=view.frame.source.tells_void)


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
        if text and text in chosen and text in left | unanswered:
            view.refuse(
                f"question {part.id}: '{text}' is the option "
                f"'{shown(table.question.options[option])}' by its text, and says that it was not "
                "chosen",
                first_of(column.codes == code),
                name,
                "write in the mapping what the column holds for a chosen option, without 'label' "
                "(selected: ['1'])",
            )
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
                f"declared are {declared} and the empty cell; fix 'selected', 'not_selected' or "
                "'missing' in the mapping",
            )
    _refuse_mentions(view, part, table, column, name)
    return found[column.codes]


def _refuse_mentions(
    view: View, part: QuestionPart, table: OptionTable, column: Column, name: str
) -> None:
    """Refuse a column of several options: it would be counted for one, whichever was named."""
    options = {text for option in table.question.options for text in names_of(option)}
    chosen = options & {plain(value) for value in part.selected if value not in (LABEL, CODE)}
    there = [code for code in column.used() if plain(column.values[code]) in chosen]
    if len(there) > 1:
        one, other = (plain(column.values[code]) for code in there[:2])
        view.refuse(
            f"question {part.id}: '{one}' and '{other}' are options, and column '{name}' is to be "
            "about one option alone",
            first_of(column.codes == there[1]),
            name,
            "where columns hold the first, the second, ... option that somebody named, write "
            "'mentions: [COLUMN, ...]' in place of 'columns', and under 'options' what stands for "
            "each",
        )


def _chosen(part: QuestionPart, table: OptionTable, key: str, option: int) -> set[str]:
    """The values that say that an option was chosen."""
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
