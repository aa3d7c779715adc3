"""Platforms that are told by data: the files `NAME.yaml` beside this module.

Each says by which headings its exports are recognised, and which of its own columns say who
answered, when, and whether the row counts. Everything else is told from the columns themselves.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path

import yaml
from pydantic import BaseModel, ConfigDict

from survey.mapping import ANY, UNPLACED, RespondentPart
from survey.platforms.recognise import Described, Head, Recognised, Start

FOLDER = Path(__file__).parent


class Declared(BaseModel):
    """A platform. Names of columns are compared without capitals; `*` in one is anything.

    Attributes:
        marks: Sets of headings; all of one set are in its files.
        CODED_AS: What `codes.csv` calls the forms that are made for it.
        RANK: Files are shown to platforms from the lowest to the highest.
        respondent: Columns that name respondents, the best first.
        submitted: Columns with the time when a survey was sent.
        duration: Columns with the seconds that it took.
        keep: Columns with the values of rows that count, where any row has one of them.
        finished: Columns with the values of a completed answer.
        selected: What a column of one option holds when it was chosen.
        not_selected: What it holds when it was not.
        missing: What says that a question was asked and not answered.
        joined: Characters that may join several options in one cell.
        known: Columns that are the platform's own and not needed.
        said: What a person should know.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    marks: tuple[tuple[str, ...], ...]
    CODED_AS: str = ""
    RANK: int = 40
    respondent: tuple[str, ...]
    submitted: tuple[str, ...] = ()
    duration: tuple[str, ...] = ()
    keep: Mapping[str, tuple[str, ...]] = {}
    finished: Mapping[str, tuple[str, ...]] = {}
    selected: tuple[str, ...] = ("1", "label")
    not_selected: tuple[str, ...] = ("0", "")
    missing: tuple[str, ...] = ("-99",)
    joined: tuple[str, ...] = (", ", ";", "|")
    known: tuple[str, ...] = ()
    said: tuple[str, ...] = ()
    name: str

    def recognise(self, head: Head) -> Recognised | None:
        """Say whether a file has all headings of a set of marks."""
        names = head.row(1)
        for wanted in self.marks:
            found = [next(iter(_called(names, (one,))), None) for one in wanted]
            there = [name for name in found if name is not None]
            if len(there) == len(wanted):
                reason = f"its own columns are there: {', '.join(there)}"
                return Recognised(self.name, (reason,))
        return None

    def start(self, described: Described) -> Start:
        """Begin a mapping with the platform's own columns."""
        titles = described.titles
        full = [
            name
            for name in _called(titles, self.respondent)
            if all(described.values(name)) and len(described.values(name)) == _rows(described)
        ]
        keep = {
            name: values
            for name, values in _columns(titles, self.keep)
            if {*values} & {*described.values(name)}
        }
        return Start(
            respondent=RespondentPart(
                id=next(iter([*full, *_called(titles, self.respondent)]), UNPLACED),
                duration=next(iter(_called(titles, self.duration)), None),
                submitted=next(iter(_called(titles, self.submitted)), None),
            ),
            keep=keep,
            finished=dict(_columns(titles, self.finished)),
            selected=self.selected,
            not_selected=self.not_selected,
            missing=self.missing,
            joined=self.joined,
            known=frozenset(_called(titles, (*self.known, *self.respondent, *self.submitted))),
            said=self.said,
        )


def _rows(described: Described) -> int:
    return len(described.columns[0]) if described.columns else 0


def _called(titles: Sequence[str], names: Iterable[str]) -> list[str]:
    """The columns that are called so, by the names in their order."""
    found = {
        title: None
        for name in names
        for title in titles
        if title and fnmatchcase(title.casefold(), name.casefold())
    }
    return list(found)


def _columns(
    titles: Sequence[str], wanted: Mapping[str, tuple[str, ...]]
) -> Iterator[tuple[str, tuple[str, ...]]]:
    for name, values in wanted.items():
        for title in _called(titles, (name,)):
            yield title, values or (ANY,)


def declared() -> dict[str, Declared]:
    """The platforms that are told by data, by name."""
    return {
        path.stem: Declared.model_validate(
            {"name": path.stem, **yaml.safe_load(path.read_text("utf-8"))}
        )
        for path in sorted(FOLDER.glob("*.yaml"))
    }
