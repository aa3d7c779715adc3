"""Read the lists that published tables write in their cells."""

import re
from collections.abc import Iterable

from curation.io.lists import list_literal
from curation.model.errors import CurateError

_CURLY = str.maketrans({"“": '"', "”": '"', "„": '"'})
_QUOTES = "\"'‘’"


class CellError(CurateError):
    """A cell that cannot be read, so that its row cannot either.

    Attributes:
        column: The column of the cell.
    """

    def __init__(self, column: str, what: str, hint: str = "") -> None:
        super().__init__(what, hint=hint)
        self.column = column


def read_groups(cell: str) -> tuple[str, ...]:
    """Read a list of groups: JSON, Python-style, with curly quotes, or names with commas.

    A name in brackets that is no such list is read name by name, so that one wrong quote does
    not cost the row.
    """
    text = cell.translate(_CURLY).strip()
    if text.startswith("["):
        found = list_literal(text)
        if found is not None:
            return tuple(dict.fromkeys(item.strip() for item in found if item.strip()))
        text = text[1:].removesuffix("]")
    names = (part.strip().strip(_QUOTES).strip() for part in re.split(r"[,;\n]", text))
    return tuple(dict.fromkeys(name for name in names if name))


def read_strings(cell: str, column: str) -> tuple[str, ...]:
    """Read a Python-style or JSON list of strings; nothing in it is ever run.

    Raises:
        CellError: If the cell is no list of strings, or an empty one.
    """
    found = list_literal(cell.translate(_CURLY).strip())
    items = tuple(dict.fromkeys(item.strip() for item in found or () if item.strip()))
    if not items:
        raise CellError(column, "the cell is no list of names", "write ['name', 'name']")
    return items


def spelled_as(name: str, groups: Iterable[str]) -> str:
    """Write a group's name as one of `groups`, if only case, blanks or signs differ."""
    return next((group for group in groups if _plain(group) == _plain(name)), name)


def _plain(name: str) -> str:
    return re.sub(r"[\W_]+", "", name.casefold())
