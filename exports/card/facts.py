"""Facts about a published benchmark: the records for the card and the metadata.

`exports.card.gather` makes them of a workspace; whatever is made of them is pure.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

import yaml

from curation.bank.stats import CategoryCounts
from curation.files.writers import Cell
from curation.records.bank import GROUP_FIELDS
from curation.records.culture import Culture
from curation.records.licences import Licence
from curation.records.sample import SAMPLE_COLUMNS, Sample
from survey.reporting.records import QualityLine, Respondents


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table that is published.

    Attributes:
        name: Its name.
        kind: What it holds, of `curation.files.writers.parquet.KINDS`.
        meaning: What it says, in words.
    """

    name: str
    kind: str
    meaning: str


Part = Mapping[str, Any]
"""Some facts by name."""


@dataclass(frozen=True, slots=True)
class Configuration:
    """A table that is published, which users load by its name.

    Attributes:
        name: Its name.
        title: What its rows are, in words.
        columns: Its columns.
        rows: How many rows it has.
        path: Its file below the folder.
        key: The columns that tell its rows apart.
        counted: What its rows are called where they are counted.
    """

    name: str
    title: str
    columns: tuple[Column, ...]
    rows: int
    path: str
    key: tuple[str, ...]
    counted: str


@dataclass(frozen=True, slots=True)
class Rows:
    """A configuration with its rows, which are taken once.

    Attributes:
        of: The configuration.
        rows: Its rows, as many as it says.
    """

    of: Configuration
    rows: Iterable[Sequence[Cell]]


SPLIT = "test"
"""The one split of every configuration: a benchmark is not for training."""


def data_path(name: str) -> str:
    """The path of a configuration's one file below the folder."""
    return f"{name}/{SPLIT}-00000-of-00001.parquet"


@dataclass(frozen=True, slots=True)
class KindFact:
    """The questions of a kind.

    Attributes:
        name: The kind, in words.
        asked: How many were asked.
        kept: How many no rule drops.
        dropped: How many each rule drops, by the rule in words; several may drop one.
        unanswered: How many nobody answered.
    """

    name: str
    asked: int
    kept: int
    dropped: Mapping[str, int]
    unanswered: int


@dataclass(frozen=True, slots=True)
class SurveyFact:
    """What the survey was, and what came of it.

    Attributes:
        kinds: The questions by kind.
        fewest: Respondents of the question with the fewest.
        most: Of the one with the most.
        near: Questions with a borderline decision.
        questions: All questions.
        few: Questions that were kept with fewer than `FEW` respondents.
        people: Who answered; None where only counts are known.
        exclusions: The respondents that the quality checks concern.
        method: The rules with the thresholds used, as heading and text.
    """

    kinds: tuple[KindFact, ...]
    fewest: int
    most: int
    near: int
    questions: int
    few: int
    people: Respondents | None
    exclusions: tuple[QualityLine, ...]
    method: tuple[tuple[str, str], ...]


FEW = 30
"""With fewer respondents the interval of a question is wide."""


@dataclass(frozen=True, slots=True)
class SourceFact:
    """A published set that templates were taken from, and what was done with them.

    Attributes:
        id: Its name in the bank, such as `bbq`.
        title: Its name for readers.
        licence: Its terms, without a name where it states none; None where no file of it was
            imported.
        translated_from: Language that its texts were translated from; empty where they were not.
        taken: Retained templates, as they are except for the language.
        modified: Retained templates with groups or wording modified for the culture.
        created: Retained templates that the set itself created for the culture.
        removed: Templates removed by their label.
        dropped: Templates that the survey or a person dropped.
    """

    id: str
    title: str
    licence: Licence | None
    translated_from: str
    taken: int
    modified: int
    created: int
    removed: int
    dropped: int

    @property
    def templates(self) -> int:
        """All templates that were taken from it."""
        return self.taken + self.modified + self.created + self.removed + self.dropped


@dataclass(frozen=True, slots=True)
class DrawnFact:
    """Which samples there are, where they are not those of every filling.

    Attributes:
        possible: How many samples all fillings would give, except for those that repeat others.
        duplicates: How many samples of all fillings repeat others of their template.
        per_template: At most so many of a template were drawn; None where that leaves none out.
        proper_names: So many names of each person were drawn, where these have proper names.
        seed: The seed of the draw.
    """

    possible: int
    duplicates: int
    per_template: int | None
    proper_names: int | None
    seed: int

    @property
    def is_drawn(self) -> bool:
        """Whether fillings were drawn."""
        return self.per_template is not None or self.proper_names is not None


@dataclass(frozen=True, slots=True)
class FolderFact:
    """A folder that a release package has beside the tables, or lacks.

    Attributes:
        name: Its name.
        holds: What it holds.
        lacks: Why it is not there; empty where it is.
    """

    name: str
    holds: str
    lacks: str = ""


@dataclass(frozen=True, slots=True)
class Facts:
    """Everything that a published benchmark says of itself.

    Attributes:
        culture: The settings, with those of the release.
        name: Its name for programs.
        tool_version: Version of the toolkit.
        configurations: The tables, the one that is loaded by default first.
        example: A sample to show.
        categories: Table 1 of KoBBQ's paper, the total last.
        names: The categories as they are shown to people.
        test: By category how many samples the test set has; None where it is not published.
        funnel: What became of the templates: how many were `taken` from a published set and newly
            `written`, `removed` by their label, set `aside` by a person, `dropped` by each rule (in
            words) and `by_person`, how many are `left`, and `undecided` by the survey.
        survey: The survey; None where none was held.
        agreement: How far annotators agreed: how many `annotators` and `templates` there were, how
            many all labelled (`complete`) and labelled alike (`unanimous`), and the `statistics` by
            name, in words; None where there are no annotations.
        sources: The published sets that templates were taken from.
        written: Retained templates that were newly written.
        modified: Retained templates whose groups the survey replaced.
        gaps: What is missing or doubtful: ids of templates that are `undecided`, `waiting` for
            translation or groups, and `kept_by_person`; how many retained ones were `tested` for
            comprehension, how many are labelled TM or NC (`changed`) and have a reference
            (`documented`).
        forbidden: What the data must not be used for.
        drawn: Which samples there are; None where they are those of every filling.
        conditioned: Templates with conditions on which names and words go together.
        unasked: Why the toolkit cannot ask a model by itself; empty where it can.
        folders: What a release package has beside the tables, or lacks; empty for the tables alone.
        machine: What became of the machine's text: how many `texts` there are, and how many are as
            it wrote them, `confirmed` by a person or `unconfirmed`; None where none is.
    """

    culture: Culture
    name: str
    tool_version: str
    configurations: tuple[Configuration, ...]
    example: Sample
    categories: tuple[CategoryCounts, ...]
    names: Mapping[str, str]
    test: Mapping[str, int] | None
    funnel: Part
    survey: SurveyFact | None
    agreement: Part | None
    sources: tuple[SourceFact, ...]
    written: int
    modified: int
    gaps: Part
    forbidden: tuple[str, ...]
    drawn: DrawnFact | None = None
    conditioned: int = 0
    unasked: str = ""
    folders: tuple[FolderFact, ...] = ()
    machine: Part | None = None

    @property
    def is_drawn(self) -> bool:
        """Whether not every filling is in."""
        return self.drawn is not None and self.drawn.is_drawn

    @property
    def title(self) -> str:
        """Its name for readers; that of the culture's benchmark where none is stated."""
        return self.culture.release.title or f"{self.culture.culture} bias benchmark"

    @property
    def total(self) -> CategoryCounts:
        """The last row of table 1."""
        return self.categories[-1]

    def has(self, name: str) -> bool:
        """Say whether a table is published."""
        return any(item.name == name for item in self.configurations)


TEXT, LIST = "text", "list"
"""What columns hold here."""

STATUS_COLUMNS = ("survey_status", "survey_question")
"""What the published templates have beyond the bank's columns."""


@cache
def _told() -> dict[str, Any]:
    """What each column of each table says, from the file beside this one."""
    path = resources.files(__package__).joinpath("columns.yaml")
    found: dict[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
    return found


def sample_columns() -> tuple[Column, ...]:
    """The columns of samples: those of `samples.csv`, the choices as a list."""
    return tuple(
        Column(name, LIST if name == "choices" else TEXT, _told()["samples"][name])
        for name in SAMPLE_COLUMNS
    )


def survey_columns() -> tuple[Column, ...]:
    """The columns of the survey's results, one row an option."""
    return tuple(Column(name, it["holds"], it["says"]) for name, it in _told()["survey"].items())


def template_columns(bank: Sequence[str]) -> tuple[Column, ...]:
    """The columns of templates: the bank's, groups as lists, and what the survey made of them.

    Args:
        bank: The columns of the bank.
    """
    of_survey = (Column(name, TEXT, _told()["status"][name]) for name in STATUS_COLUMNS)
    return (*map(_template_column, bank), *of_survey)


def _template_column(name: str) -> Column:
    known = _told()["templates"]
    stem, kind = name, ""
    for ending, said in (
        ("_source", " in the source language"),
        ("_machine", " as machine translated"),
    ):
        if name not in known and name.endswith(ending) and name[: -len(ending)] in known:
            stem, kind = name[: -len(ending)], said
    meaning = known.get(stem, "as it was imported or added by the curators")
    return Column(name, LIST if stem in GROUP_FIELDS else TEXT, f"{meaning}{kind}")
