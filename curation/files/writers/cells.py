"""Values of cells, and protection against spreadsheets that would run them as formulas."""

import re
from collections.abc import Iterable, Iterator, Sequence
from json.encoder import encode_basestring
from typing import TypeAlias

Cell: TypeAlias = str | int | bool | tuple[str, ...] | list[str] | None
"""What a writer takes: text, number, truth value, nothing, or a list of texts."""

# Characters that open a formula, the wide ones in East Asian locales; apostrophes before them
# are the mark itself.
_FORMULA = re.compile("'*[=+\\-@\t\r\n＝＋－＠]")


SUSPECT = frozenset("=+-@\t\r\n＝＋－＠'")
"""The first characters of texts that may be formulas: most cells are told by a look at one."""


def escape_formula(text: str) -> str:
    """Put an apostrophe before a text that a spreadsheet would take for a formula.

    A text that looks escaped already gets one more, so taking one apostrophe off where a
    character of a formula follows the apostrophes gives every text back as it was.
    """
    return f"'{text}" if _FORMULA.match(text) else text


_NUMBER = re.compile(r"[+-]?[0-9]+([.,][0-9]+)?([eE][+-]?[0-9]+)?")


def escape_cell(text: str) -> str:
    """The same of a table that holds numbers as text: a number stays what it is."""
    return text if _NUMBER.fullmatch(text) else escape_formula(text)


def unescape_formula(text: str) -> str:
    """A text as it was before `escape_formula`."""
    return text[1:] if text[:1] == "'" and _FORMULA.match(text[1:]) else text


def json_list(cell: Sequence[str]) -> str:
    """Write a list of texts as a cell holds it: JSON."""
    return f"[{', '.join(map(encode_basestring, cell))}]"


def plain_row(row: Sequence[Cell]) -> list[str]:
    """Write a record's cells as text that a spreadsheet shows and does not run."""
    return [
        cell if type(cell) is str and cell[:1] not in SUSPECT else plain_text(cell) for cell in row
    ]


def plain_text(cell: Cell) -> str:
    """Write any cell as text that a spreadsheet shows and does not run."""
    if isinstance(cell, str):
        return escape_formula(cell)
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "true" if cell else "false"
    return str(cell) if isinstance(cell, int) else json_list(cell)


def checked(columns: Sequence[str], rows: Iterable[Sequence[Cell]]) -> Iterator[Sequence[Cell]]:
    """Yield the rows, none of which may have more or fewer cells than there are columns.

    Raises:
        ValueError: If one has, or two columns have one name: a fault of the caller.
    """
    if len(set(columns)) != len(columns):
        raise ValueError(f"two columns have one name: {', '.join(columns)}")
    for number, row in enumerate(rows, start=2):
        if len(row) != len(columns):
            raise ValueError(f"row {number} has {len(row)} cells for {len(columns)} columns")
        yield row
