"""Which platform a file is from, by what only its exports have."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from pkgutil import iter_modules
from typing import Any, Protocol, cast

from curation.records.errors import CurateError
from survey.mapping import ReadPart, RespondentPart
from survey.readers.frames import Column, Frame, Source, plain
from survey.readers.opening import Opened


@dataclass(frozen=True, slots=True)
class Head:
    """The first rows of a file, before it is known what they are.

    Attributes:
        source: How the file is read.
        rows: The rows, without needless blanks.
    """

    source: Source
    rows: tuple[tuple[str, ...], ...]

    def row(self, number: int) -> tuple[str, ...]:
        """A row, from 1; an empty one where the file ends before."""
        return self.rows[number - 1] if number <= len(self.rows) else ()


@dataclass(frozen=True, slots=True)
class Recognised:
    """A platform, and why the file is taken to be from it.

    Attributes:
        preset: The platform.
        reasons: What it was recognised by.
        header_rows: Rows before the first record.
        header: Which of them names the columns, from 1.
    """

    preset: str
    reasons: tuple[str, ...]
    header_rows: int = 1
    header: int = 1


@dataclass(frozen=True, slots=True)
class Described:
    """The columns of a file with all that describes them.

    Attributes:
        titles: Their names.
        texts: For each column its header cells and labels, without needless blanks.
        columns: Their cells.
    """

    titles: tuple[str, ...]
    texts: tuple[tuple[str, ...], ...]
    columns: tuple[Column, ...]

    def first(self, *names: str) -> str | None:
        """The first of some names that a column has."""
        return next((name for name in names if name in self.titles), None)

    def values(self, title: str, most: int | None = None) -> list[str]:
        """The distinct values of a column, without needless blanks.

        Args:
            title: Its name.
            most: Of more values than these only one more is given.
        """
        column = self.columns[self.titles.index(title)]
        found: dict[str, None] = {}
        for code in column.used():
            found[plain(column.values[code])] = None
            if most is not None and len(found) > most:
                break
        return list(found)


@dataclass(frozen=True, slots=True)
class Start:
    """The beginning of a mapping: a platform's own columns.

    Attributes:
        respondent: Who answered.
        keep: Values of rows that count.
        finished: Values of a completed answer.
        screened_out: Values of a respondent who was screened out.
        selected: What a column of one option holds when it was chosen.
        not_selected: What it holds when it was not.
        missing: What says that a question was asked and not answered.
        joined: Characters that may join several options in one cell.
        rows_hold_options: Whether a file may have a row for each chosen option.
        writes_codes: Whether options stand in the file by the questionnaire's codes for sure.
        known: Columns that are the platform's own and not needed.
        notes: What a person has to see to.
        said: What is taken for granted, for a person to know.
    """

    respondent: RespondentPart
    keep: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    finished: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    screened_out: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    selected: tuple[str, ...] = ("1", "label")
    not_selected: tuple[str, ...] = ("0", "")
    missing: tuple[str, ...] = ("-99",)
    joined: tuple[str, ...] = (", ", ";", "|")
    rows_hold_options: bool = True
    writes_codes: bool = False
    known: frozenset[str] = frozenset()
    notes: tuple[str, ...] = ()
    said: tuple[str, ...] = ()


class Platform(Protocol):
    """What a module of a platform holds.

    It may also hold `RANK` (files are shown to platforms from the lowest to the highest, 50 by
    default), `TELLS_VOID` (an empty cell that is not quoted says 'not shown'), `CODED_AS` (what
    `codes.csv` calls its forms) and `prepare(frame)`, which gives a frame to read in its place.
    """

    def recognise(self, head: Head) -> Recognised | None:
        """Say whether the file is from this platform, and why."""

    def start(self, described: Described) -> Start:
        """Begin a mapping with the platform's own columns."""


@cache
def platforms() -> Mapping[str, Platform]:
    """The platforms by name, what is clearer first: modules and data here, and plug-ins."""
    names = [info.name for info in iter_modules([str(Path(__file__).parent)])]
    found: dict[str, Any] = {name: import_module(f"survey.platforms.{name}") for name in names}
    found |= found["declared"].declared()
    found |= {point.name: point.load() for point in entry_points(group="curate.survey_platforms")}
    able = {name: made for name, made in found.items() if hasattr(made, "start")}
    return dict(sorted(able.items(), key=lambda item: getattr(item[1], "RANK", 50)))


def platform_of(preset: str) -> Platform:
    """The platform of a name.

    Raises:
        CurateError: If there is none.
    """
    if preset not in platforms():
        raise CurateError(
            f"there is no platform '{preset}'",
            "mapping, preset",
            f"write one of {', '.join(platforms())}",
        )
    return platforms()[preset]


def framed(opened: Opened, preset: str, read: ReadPart | None = None) -> Frame:
    """Read a file of a platform; what it packs into one cell becomes columns.

    Args:
        opened: The file.
        preset: The platform.
        read: Its header rows; as it was opened by default.

    Raises:
        CurateError: If it cannot be read.
    """
    platform = platform_of(preset)
    frame = opened.frame(read, tells_void=getattr(platform, "TELLS_VOID", False))
    prepare = getattr(platform, "prepare", None)
    return frame if prepare is None else cast(Frame, prepare(frame))


def head_of(opened: Opened, count: int = 12) -> Head:
    """The first rows of a file, by which it is recognised."""
    rows = (tuple(plain(cell) for cell in cells) for _, cells in opened.head(count))
    return Head(opened.source, tuple(rows))


def recognise(head: Head) -> tuple[Platform, Recognised]:
    """Find the platform that a file is from; the last one takes every file."""
    for platform in platforms().values():
        recognised = platform.recognise(head)
        if recognised is not None:
            return platform, recognised
    raise AssertionError("the last platform takes every file")


def found_in(names: Sequence[str], wanted: Sequence[str]) -> list[str]:
    """Those of the wanted names that are there, whatever their case."""
    there = {name.casefold() for name in names}
    return [name for name in wanted if name.casefold() in there]
