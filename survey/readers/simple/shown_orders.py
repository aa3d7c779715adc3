"""Columns of a simple table that list the options in the order shown."""

import re
from collections.abc import Sequence
from functools import cache

import numpy as np

from curation.languages import received_words
from curation.records.errors import CurateError
from curation.records.survey import Question
from survey.answers import Codes
from survey.attributes import compared
from survey.readers.columns import first_of
from survey.readers.frames import plain
from survey.readers.naming import options_in_order
from survey.readers.options import shown
from survey.readers.orders import Order, listed_order
from survey.readers.simple.table import NAMED, SimpleTable

_SHOWN_WORDS = ("shown", "order")
"""Columns that list the options as they were shown, beside the packs' words for it."""


@cache
def _shown_words() -> re.Pattern[str]:
    return re.compile("|".join(received_words("display_order")), re.IGNORECASE)


def _is_shown(title: str) -> bool:
    return compared(title) in _SHOWN_WORDS or bool(_shown_words().fullmatch(compared(title)))


def shown_lists(
    table: SimpleTable, question: Codes, questions: Sequence[Question], columns: dict[str, int]
) -> tuple[Codes, list[Order]]:
    """For each row which order its options were shown in, by a column that lists them; else -1."""
    found = [at for at, title in enumerate(table.titles) if _is_shown(title)]
    none = np.full(len(question), -1, dtype=np.int64)
    if not found:
        return none, []
    if len(found) > 1:
        table.refuse_two("the order of options", found)
    if "position" in columns:
        table.refuse_two("where options were shown", [columns["position"], found[0]])
    return listed_orders(table, found[0], question, questions)


def listed_orders(
    table: SimpleTable, at: int, question: Codes, questions: Sequence[Question]
) -> tuple[Codes, list[Order]]:
    """For each row its order, and all orders, by a column that lists options; -1 where empty.

    Raises:
        CurateError: If a cell lists not all options of its question, or can be read in two ways.
    """
    column = table.column(at)
    width = len(column.values)
    pairs, inverse = np.unique(question * width + column.codes, return_inverse=True)
    of_pair = np.full(len(pairs), -1, dtype=np.int64)
    orders: list[Order] = []
    for number, pair in enumerate(pairs.tolist()):
        asked, cell = questions[pair // width], column.values[pair % width]
        if not plain(cell):
            continue
        ways = {
            order
            for options in options_in_order(asked, cell)
            if (order := listed_order(asked, options)) is not None
        }
        if len(ways) != 1:
            known = ", ".join(f"'{shown(option)}'" for option in asked.options[:NAMED])
            table.refuse(
                f"'{plain(cell)}' {'can be read in two ways' if ways else 'is not a list'} of all "
                f"options of question {asked.id}, as they were shown",
                first_of(inverse == number),
                at,
                f"join all of them by | or ; in the order shown: {known}"
                + (", ..." if len(asked.options) > NAMED else ""),
            )
        of_pair[number] = len(orders)
        orders += ways
    table.tell(at, "options in the order shown")
    return of_pair[inverse], orders


def refuse_two_orders(table: SimpleTable, pairs: Codes, order: Codes) -> None:
    """Refuse rows of one respondent and question that were shown in two orders."""
    known = np.flatnonzero(order >= 0)
    by_pair = known[np.lexsort((order[known], pairs[known]))]
    same = pairs[by_pair[1:]] == pairs[by_pair[:-1]]
    at = first_of(same & (order[by_pair[1:]] != order[by_pair[:-1]]))
    if at >= 0:
        one, other = sorted((int(by_pair[at]), int(by_pair[at + 1])))
        raise CurateError(
            f"rows {table.view.row(one)} and {table.view.row(other)} list two orders of one "
            "respondent's question",
            f"{table.view.frame.file}, row {table.view.row(other)}",
            "write the order that was shown",
        )


def columns_of_lists(table: SimpleTable) -> dict[int, int]:
    """By question the column that lists its options as they were shown: `q-1 shown`."""
    words = "|".join((*_SHOWN_WORDS, *received_words("display_order")))
    headed = re.compile(rf"(.+?)[\s_:.\-(\[]+(?:{words})[)\]]?", re.IGNORECASE)
    found: dict[int, int] = {}
    for at, title in enumerate(table.titles):
        match = None if table.names.places(title) else headed.fullmatch(plain(title))
        for place in table.names.places(match[1]) if match else ():
            if place in found:
                name = table.names.questions[place].id
                table.refuse_two(f"the order of question {name}", [found[place], at])
            found[place] = at
    return found
