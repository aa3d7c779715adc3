"""A row for each respondent, a column for each question."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from curation.records.errors import CurateError
from curation.records.survey import Question
from survey.answers import Answers, Codes
from survey.readers.orders import Order, with_orders
from survey.readers.people import Kept
from survey.readers.simple.choices import chosen_options, made_answers
from survey.readers.simple.shown_orders import columns_of_lists, listed_orders
from survey.readers.simple.table import SimpleTable


def read_columns(table: SimpleTable, kept: Kept, questions: Sequence[Question]) -> Answers:
    """Read a row for each respondent and a column for each question."""
    if len(kept.ids) < len(kept.respondent):
        ordered = np.sort(kept.respondent)
        who = int(ordered[1:][ordered[1:] == ordered[:-1]][0])
        rows = np.flatnonzero(kept.respondent == who)[:2].tolist()
        numbers = " and ".join(str(table.view.row(at)) for at in rows)
        raise CurateError(
            f"respondent {kept.ids[who]} has two rows, {numbers}",
            f"{table.view.frame.file}, row {table.view.row(rows[1])}",
            "keep one row of each respondent",
        )
    asked: dict[int, int] = {}
    parts: list[tuple[Codes, ...]] = []
    lists = columns_of_lists(table)
    orders: list[Order] = []
    for at, title in enumerate(table.titles):
        places = [] if at in table.used else table.names.places(title)
        if not places:
            continue
        if len(places) > 1:
            both = " and ".join(questions[place].id for place in places[:2])
            raise CurateError(
                f"column '{title}' names two questions, {both}",
                f"{table.view.frame.file}, row 1, column {title}",
                "name the columns by the questions' ids",
            )
        place = places[0]
        if place in asked:
            table.refuse_two(f"question {questions[place].id}", [asked[place], at])
        asked[place] = at
        every = np.full(len(table.view), place, dtype=np.int64)
        chosen = chosen_options(table, at, every, questions)
        table.tell(at, f"question {questions[place].id} ({(chosen.count > 0).sum():,} answers)")
        order = np.full(len(every), -1, dtype=np.int64)
        if place in lists:
            order, more = listed_orders(table, lists[place], every, questions)
            order = np.where(order >= 0, order + len(orders), -1)
            orders += more
        of_answer = order[chosen.rows]
        parts.append((chosen.rows, np.full(len(chosen.rows), place), chosen.option, of_answer))
    rows, question, option, order = (np.concatenate([part[i] for part in parts]) for i in range(4))
    made = made_answers(table, kept, questions, kept.respondent[rows], question, option)
    return with_orders(replace(made, row=table.view.rows()[rows]), order, orders)
