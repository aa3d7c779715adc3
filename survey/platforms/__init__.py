"""Platforms: by what their files are recognised, and how a mapping of their answers begins.

What a platform is called, how its form is used and by what its files are recognised is in its
`NAME.yaml`, as `Platform` says; what needs more is in a module of its name. One that forms are
written for holds what `survey.platforms.kit.FormWriter` says.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from pkgutil import iter_modules
from typing import Any, cast

import numpy as np
from pydantic import BaseModel, ConfigDict

from curation.languages import received_words
from curation.records.messages import own_yaml
from survey.mapping import LABEL, NORMAL, UNPLACED, ReadPart, RespondentPart
from survey.readers.frames import ANY, FileColumn, FileSource, Frame, columns_called, plain, refusal
from survey.readers.opening import Opened
from survey.readers.people import holds_seconds, respondent_columns, tells_apart

MIXING = frozenset({"limesurvey"})
"""Those whose files ask that each respondent sees the options in an order of their own."""
CODE_COLUMNS = ("platform", "form", "column", "code", "question_id", "option", "position", "text")
"""The columns of `codes.csv`; `position` is where the option is written in the form."""


@dataclass(frozen=True, slots=True)
class Head:
    """The first rows of a file, before it is known what they are.

    Attributes:
        source: How the file is read.
        rows: The rows, without needless blanks.
        forms: By what `codes.csv` calls a platform, the columns of each form that was built for it.
    """

    source: FileSource
    rows: tuple[tuple[str, ...], ...]
    forms: Callable[[str], Mapping[str, frozenset[str]]] = lambda _platform: {}

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


JOINERS = (", ", ";", "|", "\u250b", "\u3001", "\u060c", "\u061b", "/", "+", " ")
"""What tools write between several options in one cell; a line of its own is read as a blank."""


class Marks(BaseModel):
    """What the cells of a platform's files say.

    Attributes:
        selected: What a column of one option holds when it was chosen.
        not_selected: What it holds when it was not.
        missing: What says that a question was asked and not answered.
        joined: Characters that may join several options in one cell.
        rows_hold_options: Whether a file may have a row for each chosen option.
        writes_codes: Whether options stand in the file by the questionnaire's codes for sure.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    selected: tuple[str, ...] = ("1", LABEL)
    not_selected: tuple[str, ...] = ("0", "")
    missing: tuple[str, ...] = ("-99",)
    joined: tuple[str, ...] = JOINERS
    rows_hold_options: bool = True
    writes_codes: bool = False


class Start(Marks):
    """The beginning of a mapping: a platform's own columns.

    Attributes:
        respondent: Who answered.
        keep: Values of rows that count.
        finished: Values of a completed answer.
        screened_out: Values of a respondent who was screened out.
        known: Columns that are the platform's own and not needed.
        notes: What a person has to see to.
        said: What is taken for granted, for a person to know.
    """

    respondent: RespondentPart
    keep: Mapping[str, tuple[str, ...]] = {}
    finished: Mapping[str, tuple[str, ...]] = {}
    screened_out: Mapping[str, tuple[str, ...]] = {}
    known: frozenset[str] = frozenset()
    notes: tuple[str, ...] = ()
    said: tuple[str, ...] = ()


class Platform(Marks):
    """A platform: the file `NAME.yaml` beside this module, with a module of its name for the rest.

    Such a module, and one of a plug-in, may hold `recognise(head)`, `start(frame)` and
    `prepare(frame)`, which gives a frame to read in place of a file's. One that forms are written
    for holds what `survey.platforms.kit.FormWriter` says. Names of columns are compared without
    capitals; `*` in one is anything.

    Attributes:
        name: Its name.
        module: Its module, if it has one.
        title: What people call it.
        steps: How its form is used; `{command}` stands for what reads the answers.
        limits: What its form cannot express, each with what to do about it.
        rank: Files are shown to platforms from the lowest to the highest.
        coded_as: What `codes.csv` calls the forms that are made for it.
        tells_void: Whether an empty cell that is not quoted says 'not shown'.
        not_shown: What says in words or codes that a question was not shown.
        kind: The kind of its files, if they are of one that no other platform has.
        marks: Sets of headings; all of one set are in its files.
        reason: By what its files are recognised, where that is not their headings.
        respondent: Columns that name respondents, the best first; those that people call so where
            none is listed.
        nobody: Names respondents where no column does.
        submitted: Columns with the time when a survey was sent.
        duration: Columns with the seconds that it took.
        keep: Columns with the values of rows that count, where any row has one of them.
        drop: Columns with the values of rows that do not count; all others do.
        joins_rows: Whether a person has a row a trial, of which each answers other questions.
        finished: Columns with the values of a completed answer.
        known: Columns that are the platform's own and not needed.
        said: What a person should know.
        said_of_nobody: The same, where no column names respondents.
    """

    name: str
    module: Any = None
    title: str = ""
    steps: tuple[str, ...] = ()
    limits: Mapping[str, str] = {}
    rank: int = 50
    coded_as: str = ""
    tells_void: bool = False
    not_shown: tuple[str, ...] = ()
    kind: str = ""
    marks: tuple[tuple[str, ...], ...] = ()
    reason: str = ""
    respondent: tuple[str, ...] = ()
    nobody: str = UNPLACED
    submitted: tuple[str, ...] = ()
    duration: tuple[str, ...] = ()
    keep: Mapping[str, tuple[str, ...]] = {}
    drop: Mapping[str, tuple[str, ...]] = {}
    joins_rows: bool = False
    finished: Mapping[str, tuple[str, ...]] = {}
    known: tuple[str, ...] = ()
    said: tuple[str, ...] = ()
    said_of_nobody: tuple[str, ...] = ()

    def recognise(self, head: Head) -> Recognised | None:
        """Say whether a file is from this platform, and why: by all headings of a set of marks."""
        if hasattr(self.module, "recognise"):
            return cast("Recognised | None", self.module.recognise(head))
        if self.kind and head.source.kind != self.kind:
            return None
        for wanted in self.marks:
            found = [next(iter(called(head.row(1), (one,))), "") for one in wanted]
            if all(found):
                return Recognised(self.name, (self.reason or owned(found),))
        return None

    def start(self, frame: Frame) -> Start:
        """Begin a mapping with the platform's own columns."""
        if hasattr(self.module, "start"):
            return cast(Start, self.module.start(frame))
        titles, values = frame.titles, frame.values
        who = respondent_column(frame, self.respondent)
        keep = {
            name: kept for name, kept in _columns(titles, self.keep) if {*kept} & {*values(name)}
        }
        for name, dropped in _columns(titles, self.drop):
            small = {*map(str.casefold, dropped)}  # spreadsheets write TRUE
            left = tuple(cell for cell in values(name) if cell.casefold() not in small)
            keep |= {} if left == ("",) == tuple(values(name)) else {name: left}
        durations = called(titles, self.duration or received_words("panel_durations"))
        told = (one for one in durations if self.duration or holds_seconds(frame.named(one)))
        known = (*self.known, *self.respondent, *self.submitted)
        respondent = RespondentPart(
            id=who or self.nobody,
            duration=next(told, None),
            submitted=next(iter(called(titles, self.submitted)), None),
        )
        if who and self.joins_rows:
            respondent = respondent.model_copy(update={"duplicates": "join"})
        return self.begun(
            respondent,
            keep=keep,
            finished=dict(_columns(titles, self.finished)),
            known=frozenset(called(titles, known)),
            said=self.said if who else (*self.said, *self.said_of_nobody),
        )

    def begun(self, respondent: RespondentPart, **told: Any) -> Start:
        """The beginning of a mapping with what the cells of the platform's files say.

        Args:
            respondent: Who answered.
            told: What else a file tells, as fields of `Start`.
        """
        marks = self.model_dump(include={*Marks.model_fields})
        return Start(**(marks | told), respondent=respondent)


def owned(columns: Sequence[str]) -> str:
    """By what a file was recognised that has columns of a platform's own."""
    return f"its own columns are there: {', '.join(columns)}"


def called(titles: Sequence[str], names: Iterable[str]) -> list[str]:
    """The columns that are called so, whatever their case, by the names in their order."""
    small = [title.casefold() for title in titles]
    known = {*small}
    found: dict[str, None] = {}
    for name in map(str.casefold, names):
        if name in known or not {*"*?["}.isdisjoint(name):
            pairs = zip(titles, small, strict=True)
            found |= {title: None for title, like in pairs if title and fnmatchcase(like, name)}
    return list(found)


def _columns(
    titles: Sequence[str], wanted: Mapping[str, tuple[str, ...]]
) -> Iterator[tuple[str, tuple[str, ...]]]:
    for name, values in wanted.items():
        for title in called(titles, (name,)):
            yield title, values or (ANY,)


def respondent_column(frame: Frame, names: Sequence[str] = ()) -> str | None:
    """Find the column that names respondents.

    One that has another value in each row goes first. One that is empty in some rows names nobody,
    unless the platform itself calls it so.

    Args:
        frame: The columns.
        names: What the platform calls them; as people call such columns by default.
    """
    people = [frame.titles[at] for at in respondent_columns(frame)[1]]
    if not people:  # a label, or what stands below a name, may say it
        pairs = zip(frame.titles, frame.texts, strict=True)
        people = [title for title, texts in pairs if columns_called(texts, "respondent")]
    found = called(frame.titles, names) if names else people
    columns = {title: frame.named(title) for title in found}
    full = [
        name for name in found if "" not in columns[name].distinct and tells_apart(columns[name])
    ]
    each = [title for title in full if len(columns[title].used) == len(columns[title])]
    return next(iter([*each, *full, *(found if names else ())]), None)


@cache
def platforms() -> Mapping[str, Platform]:
    """The platforms by name, what is clearer first: modules and data here, and plug-ins."""
    folder = Path(__file__).parent
    found: dict[str, dict[str, Any]] = {}
    for path in sorted(folder.glob("*.yaml")):
        found[path.stem] = own_yaml(path.read_text("utf-8"))
    for info in iter_modules([str(folder)]):
        module = import_module(f"survey.platforms.{info.name}")
        own = {info.name: module} if info.name in found or hasattr(module, "start") else {}
        for name, each in getattr(module, "HOLDS", own).items():
            found.setdefault(name, {})["module"] = each
    for point in entry_points(group="curate.survey_platforms"):
        found[point.name] = {"module": point.load()}
    made = [Platform(name=name, **data) for name, data in found.items()]
    return {each.name: each for each in sorted(made, key=lambda each: each.rank)}


def platform_of(preset: str) -> Platform:
    """The platform of a name.

    Raises:
        CurateError: If there is none.
    """
    if preset not in platforms():
        raise refusal("preset-unknown", "mapping, preset", preset=preset, known=list(platforms()))
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
    frame = opened.frame(read, tells_void=platform.tells_void)
    words = {*platform.not_shown}
    if words and not all(words.isdisjoint(column.values) for column in frame.columns):
        columns = tuple(_bare(column, words) for column in frame.columns)
        source = replace(frame.source, tells_void=platform.tells_void)
        frame = replace(frame, columns=columns, source=source)
    prepare = getattr(platform.module, "prepare", None)
    return frame if prepare is None else cast(Frame, prepare(frame))


def _bare(column: FileColumn, words: set[str]) -> FileColumn:
    """A column whose words for 'not shown' are bare cells, as files have them that tell it so."""
    said = [at for at, text in enumerate(column.values) if text in words]
    if not said:
        return column
    void = said[0] if column.void < 0 else column.void
    codes = column.codes.copy()
    codes[np.isin(codes, said)] = void
    return FileColumn(codes, ["" if text in words else text for text in column.values], void)


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


def rows_above(head: Head) -> int:
    """How many of the first rows stand above the headings of a platform; 0 where none does.

    Read as any other table, rows that the platform rejected would count. Headings of a panel
    company may be labels below names: they are below a title only where that is short.
    """
    if recognise(head)[1].preset != "generic":
        return 0
    for at in range(1, len(head.rows)):
        preset = recognise(replace(head, rows=head.rows[at:]))[1].preset
        is_short = len({*head.row(at)} - {""}) < 3
        if preset not in ("generic", NORMAL) and (preset != "panel" or is_short):
            return at
    return 0
