"""Tables as they are shown, the same in HTML and Markdown."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby

from curation.io.pages.numbers import DASH, between, decimal, percent, probability, whole

DIGITS = 3
"""Decimals of a score."""
Value = str | int | float | None


@dataclass(frozen=True, slots=True)
class Cell:
    """What stands in a cell.

    Attributes:
        text: What is read.
        below: What stands below it in small letters: an interval.
        key: What the column is sorted by; None where there is nothing.
    """

    text: str
    below: str = ""
    key: Value = None


@dataclass(frozen=True, slots=True)
class Column:
    """A column.

    Attributes:
        title: Its title.
        under: What stands over it and its neighbours, such as the type of context.
        text: Whether it holds texts; else it holds numbers.
    """

    title: str
    under: str = ""
    text: bool = False

    @property
    def whole_title(self) -> str:
        """Give the title where nothing can stand over it."""
        return (
            f"{self.under}: {self.title[:1].lower()}{self.title[1:]}" if self.under else self.title
        )


@dataclass(frozen=True, slots=True)
class View:
    """A table as it is shown.

    Attributes:
        name: In small letters, different for each table of a page.
        title: What it shows.
        columns: Its columns.
        rows: Its rows, with a cell for each column; the first one names the row.
        below: What stands below the values of cells.
        note: What else must be known to read it.
    """

    name: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    below: str = ""
    note: str = ""

    @property
    def spans(self) -> list[tuple[str, int]]:
        """Give what stands over columns, and over how many; nothing where nothing does."""
        found = [(title, len(list(part))) for title, part in groupby(c.under for c in self.columns)]
        return found if any(title for title, _ in found) else []


@dataclass(frozen=True, slots=True)
class Block:
    """A part of a section.

    Attributes:
        paragraphs: What is said before table and picture.
        picture: The name of a picture; empty for none.
        view: A table.
        folded: What it is called where it is folded away; empty for what is open.
    """

    paragraphs: tuple[str, ...] = ()
    picture: str = ""
    view: View | None = None
    folded: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    """A section of the report.

    Attributes:
        name: In small letters, different for each section.
        title: Its heading.
        blocks: What it holds.
    """

    name: str
    title: str
    blocks: tuple[Block, ...]


def named(value: Value) -> Cell:
    """Show a name."""
    text = "" if value is None else str(value)
    return Cell(text or DASH, key=text)


def number(value: Value, digits: int = DIGITS) -> Cell:
    """Show a number with decimals."""
    there = None if value is None else float(value)
    return Cell(decimal(there, digits), key=there)


def size(value: Value) -> Cell:
    """Show a whole number."""
    return Cell(DASH) if value is None else Cell(whole(int(value)), key=int(value))


def share(value: Value, below: str = "") -> Cell:
    """Show a share in percent."""
    there = None if value is None else float(value)
    return Cell(percent(there), below, there)


def chance(value: Value) -> Cell:
    """Show a p-value."""
    there = None if value is None else float(value)
    return Cell(probability(there), key=there)


def score(row: Mapping[str, Value], name: str) -> Cell:
    """Show a score with its interval, where it has one."""
    return _with_ends(row[name], row.get(f"{name}_low"), row.get(f"{name}_high"))


def difference(row: Mapping[str, Value]) -> Cell:
    """Show a difference with its interval."""
    return _with_ends(row["difference"], row["low"], row["high"])


def _with_ends(value: Value, low: Value, high: Value) -> Cell:
    there = number(value)
    if there.key is None or low is None or high is None:
        return there
    return Cell(there.text, between(float(low), float(high), DIGITS), there.key)


def rows_of(cells: Iterable[Iterable[Cell]]) -> tuple[tuple[Cell, ...], ...]:
    """Give rows as a view holds them."""
    return tuple(tuple(row) for row in cells)


def texts(view: View) -> Iterator[int]:
    """Yield which columns hold texts."""
    return (at for at, column in enumerate(view.columns) if column.text)
