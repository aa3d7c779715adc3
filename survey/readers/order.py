"""Where options were shown, and how long a question took."""

import re

import numpy as np
import numpy.typing as npt

from survey.readers.header import plain
from survey.readers.options import OptionTable
from survey.readers.view import View, first_of

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
                f"'{text}' is no position", at, name, "an option's place in the order shown, from 1"
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
        ways = [listed] if listed is not None else table.readings(text, _sign(text))
        if len(ways) != 1:
            what = "can be read in two ways" if ways else "is no list of the options"
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


def _sign(text: str) -> str:
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
                f"'{text}' is no number of seconds",
                at,
                name,
                "write it as 12 or 12.5, or take the duration out of the mapping",
            )
        numbers[code] = float(text)
    return numbers[column.codes]
