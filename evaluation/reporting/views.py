"""Tables as they are shown, the same in HTML and Markdown."""

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any, NamedTuple

import yaml

from curation.files.pages import DASH, between, decimal, percent, probability, resource, whole

DIGITS = 3
"""Decimals of a score."""
FEW, MOST = 24, 400
"""Rows of a table that is not folded away, and of one that is on the page at all."""
SURE = 0.05
"""Below this a p is told."""
Value = str | int | float | None
TEXTS: dict[str, Any] = yaml.safe_load(resource(__package__, "sections.yaml"))
"""Sections, what they say, and their tables."""


class Field(NamedTuple):
    """A column and its values.

    Attributes:
        title: Its title.
        shown: How its values are shown.
        key: Of the values in the rows.
        under: What stands over it and its neighbours.
    """

    title: str
    shown: str
    key: Hashable
    under: str = ""


@dataclass(frozen=True, slots=True)
class Cell:
    """The value of a cell.

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
        """The title where nothing can stand over it."""
        if not self.under:
            return self.title
        is_short = self.title[1:2].isupper()  # SD, ST: no word
        title = self.title if is_short else f"{self.title[:1].lower()}{self.title[1:]}"
        return f"{self.under}: {title}"


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
        """What stands over columns, and over how many; nothing where nothing does."""
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
        file: The file that has the table whole, which paper names where it is folded away.
    """

    paragraphs: tuple[str, ...] = ()
    picture: str = ""
    view: View | None = None
    folded: str = ""
    file: str = ""


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


def score(row: Mapping[Any, Any], key: str) -> Cell:
    """Show a score with its interval, where it has one."""
    return _with_ends(row, row[key], row.get(f"{key}_low"), row.get(f"{key}_high"))


def difference(row: Mapping[Any, Any], key: str) -> Cell:
    """Show a difference with its interval."""
    return _with_ends(row, row[key], row["low"], row["high"])


def _with_ends(row: Mapping[Any, Any], value: Value, low: Value, high: Value) -> Cell:
    there = number(value)
    if there.key is None or low is None or high is None:
        return there
    ends = between(float(low), float(high), DIGITS)
    return Cell(there.text, f"{ends}*" if row.get("interval_note") else ends, there.key)


_SHOWN: dict[str, Callable[[Any], Cell]] = {
    "text": named,
    "number": number,
    "size": size,
    "share": share,
    "chance": chance,
}
_WITH_INTERVAL = {"score": score, "difference": difference}


def _cell(row: Mapping[Any, Any], shown: str, key: Hashable) -> Cell:
    if shown in _WITH_INTERVAL:
        return _WITH_INTERVAL[shown](row, str(key))
    value = row[key]
    return value if isinstance(value, Cell) else _SHOWN[shown](value)


def view(
    table: str, rows: Iterable[Mapping[Any, Any]], more: Iterable[Field] = (), **known: object
) -> View:
    """Set a table out as `sections.yaml` describes it.

    Args:
        table: Which table.
        rows: By key of a column its value, or the cell where it is shown in another way.
        more: Columns beside those of the file.
        known: What is filled in.
    """
    told = {"below": "", "note": "", "name": table, "first": [], **TEXTS["tables"][table]}
    fields = [
        *(Field(title.format(**known), *rest) for title, *rest in told["first"] + told["columns"]),
        *more,
    ]
    return View(
        columns=tuple(Column(it.title, it.under, text=it.shown == "text") for it in fields),
        rows=tuple(tuple(_cell(row, item.shown, item.key) for item in fields) for row in rows),
        **{name: told[name].format(**known) for name in ("name", "title", "below", "note")},
    )


def section(name: str, *blocks: Block) -> Section:
    """Put a section together, with its title."""
    return Section(name, TEXTS["sections"][name], blocks)


def said(name: str, **known: object) -> tuple[str, ...]:
    """What is said in a section, as a paragraph of a block."""
    return (TEXTS["said"][name].format(**known),)
