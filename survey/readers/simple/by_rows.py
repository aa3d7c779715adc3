"""Rows of respondent, question and answer, with what the normal form says beside."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import numpy as np
import numpy.typing as npt

from curation.languages import received_words
from curation.records.errors import CurateError
from curation.records.survey import Question
from survey.answers import SELECTED, STATES, Answers, Codes, refuse_doubles
from survey.attributes import compared
from survey.readers.columns import first_of
from survey.readers.frames import plain
from survey.readers.orders import with_orders
from survey.readers.people import Kept
from survey.readers.simple.choices import (
    Chosen,
    answer_columns,
    asked_questions,
    chosen_options,
    made_answers,
)
from survey.readers.simple.shown_orders import refuse_two_orders, shown_lists
from survey.readers.simple.table import SimpleTable, agreeing
from survey.readers.states import read_seconds

_NORMAL = {"kind": "kind", "state": "state", "position": "position", "duration s": "duration"}
"""Columns of the normal form, as headings are compared, beside respondent, question and option."""


def _normal(title: str) -> str:
    return _NORMAL.get(compared(title), "")


def read_rows(table: SimpleTable, kept: Kept, questions: Sequence[Question]) -> Answers:
    """Read rows of respondent, question and answer; a row an option where several are chosen."""
    question = asked_questions(table)
    columns = {name: at for at, title in enumerate(table.titles) if (name := _normal(title))}
    at, chosen = agreeing(
        table,
        answer_columns(table),
        "answers",
        lambda at: chosen_options(table, at, question, questions),
        Chosen.equals,
    )
    blank = int((chosen.count == 0).sum())
    table.tell(
        at, f"answers ({len(question) - blank:,}" + (f"; {blank:,} empty)" if blank else ")")
    )
    state = _states(table, columns.get("state"))
    _check_kinds(table, columns.get("kind"), question, questions)
    position, seconds = _numbers(table, columns)
    rows, option = chosen.rows, chosen.option
    order, orders = shown_lists(table, question, questions, columns)
    if "position" in columns and (chosen.count > 1).any():
        table.refuse(
            "the row has one position for several options",
            first_of(chosen.count > 1),
            columns["position"],
            "write a row for each option",
        )
    made = replace(
        made_answers(table, kept, questions, kept.respondent[rows], question[rows], option),
        state=state[rows],
        position=position[rows],
        duration=seconds[rows],
        row=table.view.rows()[rows],
    )
    _refuse_flags(table)
    refuse_doubles(table.path, made)
    if not orders:
        return made
    refuse_two_orders(table, kept.respondent * len(questions) + question, order)
    return with_orders(made, order[rows], orders)


def _states(table: SimpleTable, at: int | None) -> npt.NDArray[np.int8]:
    """The state of each row: chosen, unless a column says another one."""
    count = len(table.view)
    if at is None:
        return np.full(count, SELECTED, dtype=np.int8)
    column = table.column(at)
    codes = {state.value: code for code, state in enumerate(STATES)}
    found = np.zeros(len(column.values), dtype=np.int8)
    for code in column.used():
        text = plain(column.values[code]).casefold()
        if text not in codes:
            table.refuse(
                f"'{text}' is not a state", first_of(column.codes == code), at, ", ".join(codes)
            )
        found[code] = codes[text]
    table.tell(at, "whether the option was selected, shown or missing")
    return found[column.codes]


def _check_kinds(
    table: SimpleTable, at: int | None, question: Codes, questions: Sequence[Question]
) -> None:
    if at is None:
        return
    column = table.column(at)
    kinds = np.array([plain(value).casefold() for value in column.values], dtype=object)
    wanted = np.array([item.kind.value for item in questions], dtype=object)[question]
    other = first_of(kinds[column.codes] != wanted)
    if other >= 0:
        table.refuse(
            f"kind '{plain(column.cell(other))}' where question {questions[question[other]].id} is "
            f"of kind {wanted[other]}",
            other,
            at,
            "fix the file, or give the questionnaire that was asked (--questionnaire)",
        )
    table.tell(at, "kinds of the questions")


def _numbers(
    table: SimpleTable, columns: dict[str, int]
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.float64]]:
    """The position and the seconds of each row; 0 and NaN where they are not known."""
    position = np.zeros(len(table.view), dtype=np.int32)
    at = columns.get("position")
    if at is not None:
        column = table.column(at)
        values = np.zeros(len(column.values), dtype=np.int32)
        for code in column.used():
            text = plain(column.values[code])
            if text and not (text.isascii() and text.isdecimal() and len(text) < 10):
                first = first_of(column.codes == code)
                table.refuse(
                    f"'{text}' is not a position", first, at, "write a whole number from 1"
                )
            values[code] = int(text or 0)
        position = values[column.codes]
        table.tell(at, "positions of the options shown")
    at = columns.get("duration")
    if at is None:
        return position, np.full(len(table.view), np.nan)
    table.used.add(at)
    table.tell(at, "seconds that each question took")
    return position, read_seconds(table.view, table.titles[at], "duration_s")


@cache
def _flags() -> frozenset[str]:
    """What may say of an option whether it was chosen."""
    words = ("0", "1", "x", "true", "false", "t", "f", "selected", "shown", "missing", "chosen")
    more = (*received_words("limesurvey_yes"), *received_words("limesurvey_no"))
    return frozenset(map(compared, (*words, *more)))


def _refuse_flags(table: SimpleTable) -> None:
    """Refuse rows with a column that nothing reads and that may say which options were chosen."""
    for at, title in enumerate(table.titles):
        column = table.view.frame.columns[at]
        cells = {compared(column.values[code]) for code in column.used()} - {""}
        if at not in table.used and cells and cells <= _flags():
            raise CurateError(
                f"column '{title or at + 1}' may say which options were chosen: it holds "
                f"{', '.join(sorted(cells))}",
                f"{table.view.frame.file}, row 1, column {title or at + 1}",
                "call it 'state' and write selected, shown or missing; or keep only the rows of "
                "chosen options, and delete it",
            )
