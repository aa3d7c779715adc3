"""A simple table with what is known of its columns."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import NoReturn, TypeVar

from curation.languages import LanguageOrCode, received_words
from curation.records.culture import Culture
from curation.records.errors import CurateError
from survey.attributes import compared
from survey.readers.columns import View
from survey.readers.frames import Column
from survey.readers.naming import Note, QuestionNames, unaccented

ANSWER_ROLES = ("answer", "option", "group")

NAMED = 5


@cache
def _words(role: str) -> frozenset[str]:
    lists = {
        "respondent": ("simple_respondent", "panel_ids"),
        **{name: (f"simple_{name}",) for name in ("question", "votes", "people", *ANSWER_ROLES)},
    }
    words = {compared(word) for name in lists[role] for word in received_words(name)}
    return frozenset(words | set(map(unaccented, words)))


def columns_called(heads: Sequence[str], role: str) -> list[int]:
    """The columns whose heading is a word for a role, in any language of the packs."""
    return [at for at, head in enumerate(heads) if compared(head) in _words(role)]


@dataclass(slots=True)
class SimpleTable:
    """A table with what is known of its columns, and what was recognised.

    `noted` counts for each column the answers of which a person should know how they were read,
    by what there is to know and what is said of them.
    """

    path: Path
    view: View
    titles: Sequence[str]
    names: QuestionNames
    culture: Culture
    language: LanguageOrCode | None = None
    lines: list[str] = field(default_factory=list)
    used: set[int] = field(default_factory=set)
    noted: dict[int, dict[tuple[Note, str], int]] = field(default_factory=dict)

    def column(self, at: int) -> Column:
        """The cells of a column, without needless blanks at their ends."""
        self.used.add(at)
        self.view.used.add(at)
        return self.view.frame.columns[at].take(self.view.records)

    def tell(self, at: int, what: str) -> None:
        """Note what a column was recognised as."""
        self.lines.append(f"  column '{self.titles[at] or at + 1}': {what}")

    def refuse(self, what: str, at: int, column: int, hint: str) -> NoReturn:
        """Refuse a cell.

        Raises:
            CurateError: Always.
        """
        self.view.refuse(what, at, self.titles[column], hint)

    def refuse_two(self, what: str, columns: Sequence[int]) -> NoReturn:
        """Refuse two columns that may be the same thing.

        Raises:
            CurateError: Always.
        """
        one, other = (f"'{self.titles[at]}'" for at in columns[:2])
        raise CurateError(
            f"{what} may be in column {one} or in column {other}, and the two differ",
            f"{self.view.frame.file}, row 1",
            "rename or delete the one that is something else",
        )


_T = TypeVar("_T")


def agreeing(
    table: SimpleTable,
    columns: Iterable[int],
    what: str,
    read: Callable[[int], _T],
    same: Callable[[_T, _T], bool],
) -> tuple[int, _T]:
    """Of the columns that may hold a thing the one that can be read; several must agree.

    Raises:
        CurateError: If none can be read, or two of them differ.
    """
    fit: list[tuple[int, _T]] = []
    problem: CurateError | None = None
    for at in dict.fromkeys(columns):
        try:
            fit.append((at, read(at)))
        except CurateError as error:
            problem = problem or error
            table.used.discard(at)
            table.noted.pop(at, None)
    if not fit:
        assert problem is not None  # noqa: S101  # a table of the shape has such a column
        raise problem
    first, found = fit[0]
    for other, again in fit[1:]:
        if not same(found, again):
            table.refuse_two(what, [first, other])
        table.tell(other, f"{what}, as column '{table.titles[first]}' says")
    return first, found


def only_column(table: SimpleTable, role: str) -> int:
    """The one column of a role that nothing has read yet.

    Raises:
        CurateError: If there are two.
    """
    found = [at for at in columns_called(table.titles, role) if at not in table.used]
    if len(found) > 1:
        table.refuse_two(role, found)
    return found[0]
