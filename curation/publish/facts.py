"""What is known of a benchmark that is published: records that the card and the metadata tell.

The commands gather them; whatever is made of them is pure.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from curation.model.culture import Culture
from curation.model.licences import Licence
from curation.model.sample import Sample


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table that is published.

    Attributes:
        name: Its name.
        kind: What it holds, of `curation.io.writers.parquet.KINDS`.
        meaning: What it says, in words.
    """

    name: str
    kind: str
    meaning: str


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
class FileFact:
    """What identifies the content of a file.

    Attributes:
        sha256: Hash, hexadecimal.
        size: Bytes.
    """

    sha256: str
    size: int


@dataclass(frozen=True, slots=True)
class CategoryFact:
    """A row of KoBBQ's table 1.

    Attributes:
        category: The category, or `Total`.
        name: As shown to people.
        removed: Templates that are removed by their label.
        simply_transferred: Templates left, by label.
        target_modified: Likewise.
        newly_created: Likewise.
        unlabelled: Templates left that nobody has classified.
        before: Templates that the survey was to decide on.
        left: Templates left.
        samples: Samples of the templates left.
        test: Samples of the test set; None where it is not published.
    """

    category: str
    name: str
    removed: int
    simply_transferred: int
    target_modified: int
    newly_created: int
    unlabelled: int
    before: int
    left: int
    samples: int
    test: int | None


@dataclass(frozen=True, slots=True)
class FunnelFact:
    """How many templates there were, and what became of them.

    Attributes:
        taken: Templates that were taken from a published set.
        written: Templates that were newly written.
        removed: Templates removed by their label SR.
        dropped: Templates that each rule dropped, by the rule in words; counted at the first.
        by_person: Templates that a person dropped.
        left: Templates left.
        undecided: Those of them that the survey does not decide.
    """

    taken: int
    written: int
    removed: int
    dropped: Mapping[str, int]
    by_person: int
    left: int
    undecided: int


@dataclass(frozen=True, slots=True)
class KindFact:
    """The questions of a kind.

    Attributes:
        name: The kind, in words.
        asked: How many were asked.
        kept: How many no rule drops.
        dropped: How many each rule drops, by the rule in words; one may fall by several.
        unanswered: How many nobody answered.
    """

    name: str
    asked: int
    kept: int
    dropped: Mapping[str, int]
    unanswered: int


@dataclass(frozen=True, slots=True)
class ExclusionFact:
    """Whom one rule of quality or of reading concerns.

    Attributes:
        what: In words.
        respondents: How many; 0 where the records name nobody.
        records: Lines of the record of exclusions.
        excluded: Whether they are left out; else they are flagged and counted.
    """

    what: str
    respondents: int
    records: int
    excluded: bool


@dataclass(frozen=True, slots=True)
class PeopleFact:
    """Who answered.

    Attributes:
        total: Respondents in the answers.
        counted: Those whose answers count.
        minutes: Median time; None where it is not known.
        attributes: By attribute, how many have each value.
        unknown: Attributes that have quotas and are not known.
    """

    total: int
    counted: int
    minutes: float | None
    attributes: Mapping[str, Mapping[str, int]]
    unknown: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SurveyFact:
    """What the survey was, and what came of it.

    Attributes:
        kinds: The questions by kind.
        fewest: Respondents of the question with the fewest.
        most: Of the one with the most.
        near: Questions with a threshold inside an interval.
        questions: All questions.
        few: Questions that were kept with fewer than `FEW` respondents.
        people: Who answered; None where only counts are known.
        exclusions: Whom the rules of quality concern.
        method: The rules with the thresholds used, as heading and text.
        notes: What is to be known of the material itself.
    """

    kinds: tuple[KindFact, ...]
    fewest: int
    most: int
    near: int
    questions: int
    few: int
    people: PeopleFact | None
    exclusions: tuple[ExclusionFact, ...]
    method: tuple[tuple[str, str], ...]
    notes: tuple[str, ...]


FEW = 30
"""With fewer respondents the interval of a question is wide."""


@dataclass(frozen=True, slots=True)
class AgreementFact:
    """How far annotators agreed on the labels.

    Attributes:
        annotators: How many they were.
        templates: Templates that any of them labelled.
        complete: Templates that all labelled.
        unanimous: Those of them that all gave the same label.
        statistics: By name, each statistic in words, undefined ones with the reason.
    """

    annotators: int
    templates: int
    complete: int
    unanimous: int
    statistics: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class SourceFact:
    """A published set that templates were taken from, and what was done with them.

    Attributes:
        id: Its name in the bank, such as `bbq`.
        title: Its name for readers.
        licence: Its terms; None where no file of it was imported.
        translated_from: Language that its texts were translated from; empty where they were not.
        taken: Templates left as they are but for the language.
        modified: Templates left with groups or wording modified for the culture.
        created: Templates left that the set itself created for the culture.
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
class GapFact:
    """What is known to be missing or doubtful in the templates that are left.

    Attributes:
        undecided: Ids of those that the survey does not decide.
        waiting: Ids of those without samples: not translated, or waiting for their groups.
        kept_by_person: Ids of those that a person kept, whatever the survey said.
        tested: How many were tested for comprehension.
        changed: How many are target-modified or newly created, which asks for a reference.
        documented: How many of these name one.
    """

    undecided: tuple[str, ...]
    waiting: tuple[str, ...]
    kept_by_person: tuple[str, ...]
    tested: int
    changed: int
    documented: int


@dataclass(frozen=True, slots=True)
class Facts:
    """Everything that a published benchmark says of itself.

    Attributes:
        culture: The settings, with those of the release.
        name: Its name for programs.
        tool_version: Version of the toolkit.
        configurations: The tables, the one that is loaded by default first.
        example: A sample to show.
        categories: Table 1, the total last.
        funnel: What became of the templates.
        survey: The survey; None where none was held.
        agreement: The agreement of annotators; None where there are no annotations.
        sources: The published sets that templates were taken from.
        written: Templates left that were newly written.
        modified: Templates left whose groups the survey replaced.
        gaps: What is missing or doubtful.
        forbidden: What the data must not be used for.
    """

    culture: Culture
    name: str
    tool_version: str
    configurations: tuple[Configuration, ...]
    example: Sample
    categories: tuple[CategoryFact, ...]
    funnel: FunnelFact
    survey: SurveyFact | None
    agreement: AgreementFact | None
    sources: tuple[SourceFact, ...]
    written: int
    modified: int
    gaps: GapFact
    forbidden: tuple[str, ...]

    @property
    def title(self) -> str:
        """Its name for readers; that of the culture's benchmark where none is stated."""
        return self.culture.release.title or f"{self.culture.culture} bias benchmark"

    @property
    def total(self) -> CategoryFact:
        """The last row of table 1."""
        return self.categories[-1]

    def has(self, name: str) -> bool:
        """Say whether a table is published."""
        return any(item.name == name for item in self.configurations)
