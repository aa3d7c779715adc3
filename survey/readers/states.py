"""What respondents did with the options of a question, from the cells that say it.

Not shown, not chosen and not answered are three things. A question that a respondent never saw
leaves nothing; one that was seen and not answered leaves each option `missing`, and so does a
multi-select of which nothing was chosen; one that was answered leaves each option `selected` or
`shown`. Where options were shown, and how long a question took, is read here too.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NoReturn, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from curation.records.errors import CurateError
from curation.records.findings import Finding
from curation.records.survey import Question, QuestionKind
from survey.answers import MISSING, SELECTED, SHOWN, Answers, Codes, Exclusion
from survey.mapping import CODE, LABEL, QuestionPart
from survey.readers.columns import Flags, Records, View, first_of
from survey.readers.frames import Column, plain
from survey.readers.options import OptionTable, labels_of, names_of, shown

NOT_SHOWN = -1
"""State of an option that the respondent never saw: there is no row for it."""

States = npt.NDArray[np.int8]


@dataclass(frozen=True, slots=True)
class Read:
    """What was read of the rows that count, beside the answers, which a collector has.

    Attributes:
        ids: The respondents.
        attributes: What is known of them.
        rows: How many rows the answers are from.
        excluded: The other rows.
        findings: What a person should know.
    """

    ids: tuple[str, ...]
    attributes: Mapping[str, Sequence[str]]
    rows: int
    excluded: Sequence[Exclusion]
    findings: Sequence[Finding]


class Collects(Protocol):
    """What takes the answers, a question at a time."""

    def add(
        self,
        question: int,
        respondent: Records,
        rows: Records,
        states: States,
        positions: npt.NDArray[np.int32],
        seconds: npt.NDArray[np.float64],
    ) -> None:
        """Take the answers to a question.

        Args:
            question: Its position.
            respondent: Whose each row is.
            rows: The row of the file that each comes from.
            states: A row for each respondent, a column for each option; `NOT_SHOWN` for none.
            positions: Where each option was shown.
            seconds: How long each respondent took.
        """


class Counter:
    """Counts answers, and keeps none: of a large file they take many times its size."""

    def __init__(self) -> None:
        self.rows = 0

    def add(
        self,
        question: int,
        respondent: Records,
        rows: Records,
        states: States,
        positions: npt.NDArray[np.int32],
        seconds: npt.NDArray[np.float64],
    ) -> None:
        """Count the answers to a question."""
        self.rows += int(np.count_nonzero(states != NOT_SHOWN))


class Collector:
    """Gathers the answers to each question.

    Args:
        source: The file, as messages show it.
        questions: The questionnaire.
    """

    def __init__(self, source: str, questions: Sequence[Question]) -> None:
        self._source = source
        self._questions = tuple(questions)
        self._respondent: list[Codes] = []
        self._question: list[Codes] = []
        self._option: list[Codes] = []
        self._state: list[States] = []
        self._position: list[npt.NDArray[np.int32]] = []
        self._duration: list[npt.NDArray[np.float64]] = []
        self._row: list[Codes] = []

    def add(
        self,
        question: int,
        respondent: Records,
        rows: Records,
        states: States,
        positions: npt.NDArray[np.int32],
        seconds: npt.NDArray[np.float64],
    ) -> None:
        """Keep the answers to a question."""
        at, option = np.nonzero(states != NOT_SHOWN)
        self._respondent.append(respondent[at])
        self._question.append(np.full(len(at), question, dtype=np.int64))
        self._option.append(option)
        self._state.append(states[at, option])
        self._position.append(positions[at, option])
        self._duration.append(seconds[at])
        self._row.append(rows[at])

    def answers(self, ids: tuple[str, ...], attributes: Mapping[str, Sequence[str]]) -> Answers:
        """All that was added; the collector is empty then."""
        return Answers(
            source=self._source,
            questions=self._questions,
            respondents=ids,
            respondent=_joined(self._respondent, np.dtype(np.int64)),
            question=_joined(self._question, np.dtype(np.int64)),
            option=_joined(self._option, np.dtype(np.int64)),
            state=_joined(self._state, np.dtype(np.int8)),
            position=_joined(self._position, np.dtype(np.int32)),
            duration=_joined(self._duration, np.dtype(np.float64)),
            row=_joined(self._row, np.dtype(np.int64)),
            attributes=attributes,
        )


_T = TypeVar("_T", bound=np.generic)


def _joined(parts: list[npt.NDArray[_T]], kind: np.dtype[_T]) -> npt.NDArray[_T]:
    """Join arrays and forget them, so that they are not held twice."""
    whole = np.concatenate([np.empty(0, kind), *parts], dtype=kind)
    parts.clear()
    return whole


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


def read_mentions(view: View, part: QuestionPart, table: OptionTable) -> States:
    """Read a question whose columns hold one option each: the first that was named, the second.

    Raises:
        CurateError: If a column is missing, a cell holds what is not declared, or two columns
            name one option.
    """
    states = np.full((len(view), len(table.question.options)), NOT_SHOWN, np.int8)
    for name in part.mentions:
        column = view.column(name, f"question {part.id}, mentions")
        found = read_cells(view, column, name, part, table)
        again = (states == SELECTED) & (found == SELECTED)
        at = first_of(again.any(axis=1))
        if at >= 0:
            option = table.question.options[int(again[at].argmax())]
            view.refuse(
                f"question {part.id}: '{shown(option)}' is named twice",
                at,
                name,
                "correct the row, or check that 'mentions' lists the columns of one question",
            )
        answered = (found == SELECTED).any(axis=1, keepdims=True)
        states = np.where(answered & (states != SELECTED), found, states)
        silent = (states == NOT_SHOWN).all(axis=1, keepdims=True)
        states = np.where(silent, found, states)
    return states


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
        if text and text in unanswered and text not in table.keys and table.place(text) >= 0:
            view.refuse(
                f"question {part.id}: '{text}' is the option "
                f"'{shown(table.question.options[table.place(text)])}' by its text, and says that "
                "nothing was answered",
                first_of(column.codes == code),
                name,
                f"write '{text}' among 'options' in the mapping if it is that option, or take it "
                "out of 'missing' and write what says so",
            )
        if text not in table.keys and (
            text in unanswered or (not text and view.frame.source.tells_void)
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
    """The options that a cell names."""
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
        "export one column for each option, or join them by a character that no option holds",
    )


def _refuse(
    view: View, column: Column, code: int, name: str, part: QuestionPart, table: OptionTable
) -> NoReturn:
    text = plain(column.values[code])
    hint = f"declared are {table.declared()}; fix 'options' in the mapping, or the file"
    if table.run_together(text):
        hint = (
            f"if these are {' and '.join(text)} run together, export one column for each option; "
            f"declared are {table.declared()}"
        )
    what = "lists an option that is not declared" if part.joined else "is not declared"
    view.refuse(f"question {part.id}: '{text}' {what}", first_of(column.codes == code), name, hint)


Positions = npt.NDArray[np.int32]

_NUMBER = re.compile(r"[0-9]{1,9}")
_SECONDS = re.compile(r"[0-9]{1,9}(\.[0-9]+)?")


def read_positions(view: View, order: str | None, table: OptionTable, key: str) -> Positions:
    """Read where each option was shown, from 1; 0 where it is not known.

    Args:
        view: The records.
        order: Column that lists the options as they were shown, or pattern with `{code}` for
            one column an option.
        table: The options.
        key: The key of the mapping that names the columns.

    Returns:
        A row for each record and a column for each option.

    Raises:
        CurateError: If there is no such column, or a cell is no such list or number.
    """
    found = np.zeros((len(view), len(table.question.options)), dtype=np.int32)
    if order is None:
        return found
    if "{code}" in order:
        for option in range(len(table.question.options)):
            # An option may have a number and a text as its keys: one of them names the column.
            keys = [code for code, at in table.keys.items() if at == option]
            names = [order.replace("{code}", code) for code in keys]
            name = next((name for name in names if name in view), names[0])
            _read_column(view, name, key, found[:, option])
        _refuse_shared(view, found, order)
        return found
    return _read_lists(view, order, table, key)


def shown_positions(
    form: Records, forms: Sequence[str], part: QuestionPart, table: OptionTable
) -> Positions:
    """Where each option was shown, from 1, by the form that a row answers; 0 where it is not known.

    Args:
        form: For each record the place of its form among `forms`; -1 where it is not known.
        forms: The forms.
        part: The question, with what its forms show.
        table: Its options.

    Returns:
        A row for each record and a column for each option.

    Raises:
        CurateError: If a form does not show every option once.
    """
    codes = [option.code for option in table.question.options]
    places = np.zeros((len(forms) + 1, len(codes)), dtype=np.int32)  # the last: no form
    for name, listed in part.shown.items():
        if sorted(listed) != sorted(codes):
            raise CurateError(
                f"question {part.id}, shown: {name} lists {', '.join(listed)}",
                "mapping",
                f"list each option once, by its code in the questionnaire: {', '.join(codes)}",
            )
        if name in forms:
            places[forms.index(name)] = [listed.index(code) + 1 for code in codes]
    return places[form]


def _read_column(view: View, name: str, key: str, into: Positions) -> None:
    column = view.column(name, key)
    numbers = np.zeros(len(column.values), dtype=np.int32)
    for code in column.used():
        text = plain(column.values[code])
        if not text:
            continue
        if not _NUMBER.fullmatch(text) or int(text) < 1:
            at = first_of(column.codes == code)
            view.refuse(
                f"'{text}' is not a position",
                at,
                name,
                "an option's place in the order shown, from 1",
            )
        numbers[code] = int(text)
    into[:] = numbers[column.codes]


def _refuse_shared(view: View, found: Positions, order: str) -> None:
    """Refuse two options that were shown in one place."""
    ordered = np.sort(found, axis=1)
    at = first_of(((ordered[:, 1:] == ordered[:, :-1]) & (ordered[:, 1:] > 0)).any(axis=1))
    if at >= 0:
        view.refuse(
            "two options were shown in the same position",
            at,
            order,
            "check that 'order' names the columns of this question",
        )


def _read_lists(view: View, order: str, table: OptionTable, key: str) -> Positions:
    column = view.column(order, key)
    width = len(table.question.options)
    lists = np.zeros((len(column.values), width), dtype=np.int32)
    read: dict[int, list[int]] = {}
    for code in column.used():
        text = plain(column.values[code])
        if not text:
            continue
        listed = table.listed(text)
        ways = [listed] if listed is not None else table.readings(text, _joiner(text))
        if len(ways) != 1:
            what = "can be read in two ways" if ways else "is not a list of the options"
            at = first_of(column.codes == code)
            view.refuse(
                f"'{text}' {what}", at, order, f"the options are {table.declared()}, joined by '|'"
            )
        places = read[code] = [0] * width
        for place, option in enumerate(ways[0], start=1):
            places[option] = place
    if read:
        lists[list(read)] = list(read.values())
    return lists[column.codes]


def _joiner(text: str) -> str:
    return "|" if "|" in text else ","


def read_seconds(view: View, name: str | None, key: str) -> npt.NDArray[np.float64]:
    """Read seconds; NaN where they are not known.

    Raises:
        CurateError: If there is no such column, or a cell is no number.
    """
    if name is None:
        return np.full(len(view), np.nan)
    column = view.column(name, key)
    numbers = np.full(len(column.values), np.nan)
    for code in column.used():
        text = plain(column.values[code])
        if not text:
            continue
        if not _SECONDS.fullmatch(text):
            at = first_of(column.codes == code)
            view.refuse(
                f"'{text}' is not a number of seconds",
                at,
                name,
                "write it as 12 or 12.5, or take the duration out of the mapping",
            )
        numbers[code] = float(text)
    return numbers[column.codes]
