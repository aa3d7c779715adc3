"""BBQ's vocabularies, which fill the rows that have no `Names`.

`vocabulary.csv` names groups of each category; `vocabulary_proper_names.csv` first names and
last names with gender and ethnicity. A file is one or the other by its header.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from curation.io.tables import Row, Table, read_table
from curation.model.findings import Finding, Severity
from curation.sources.bbq_groups import key
from curation.sources.cells import CellError

WORD_COLUMNS = ("Category", "Pilot_include", "SubCat", "Name", "Info", "Source")
NAME_COLUMNS = ("Name", "First_last", "gender", "ethnicity", "source", "info")


@dataclass(frozen=True, slots=True)
class Word:
    """A name of a group, or of one who belongs to the group in `info`."""

    category: str
    subcategory: str
    name: str
    info: str
    included: bool


@dataclass(frozen=True, slots=True)
class ProperName:
    """A first or last name; `place` is `first`, `last` or `first_only`."""

    name: str
    place: str
    gender: str
    ethnicity: str


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """What the vocabulary files hold.

    Attributes:
        words: The words of all files.
        names: The proper names of all files.
        findings: Rows that cannot be read, and words that are left out.
    """

    words: tuple[Word, ...] = ()
    names: tuple[ProperName, ...] = ()
    findings: tuple[Finding, ...] = ()

    def words_of(self, category: str, subcategory: str = "") -> list[Word]:
        """Give the words of a category; of the subcategory only, where it is one of them.

        Raises:
            CellError: If there are none.
        """
        found = [word for word in self.words if key(word.category) == key(category)]
        if not found:
            raise CellError(
                "Category",
                f"the fillers of category {category} are in no vocabulary",
                "pass vocabulary.csv too, or put it beside the file",
            )
        names = {key(word.subcategory) for word in found if word.subcategory}
        wanted = key(subcategory)
        return [
            word
            for word in found
            if word.included and (wanted not in names or key(word.subcategory) == wanted)
        ]

    def first_names(self, gender: str) -> list[ProperName]:
        """Give the first names that stand alone, of one gender if it is not empty.

        Raises:
            CellError: If there are no proper names at all.
        """
        self._needs_names()
        return [
            name
            for name in self.names
            if name.place == "first_only" and gender in ("", key(name.gender))
        ]

    def full_names(self, gender: str) -> list[ProperName]:
        """Join every first name with every last name of the same ethnicity.

        Raises:
            CellError: If there are no proper names at all.
        """
        self._needs_names()
        last: dict[str, list[str]] = {}
        for name in self.names:
            if name.place == "last":
                last.setdefault(name.ethnicity, []).append(name.name)
        return [
            ProperName(f"{first.name} {name}", "", first.gender, first.ethnicity)
            for first in self.names
            if first.place == "first" and gender in ("", key(first.gender))
            for name in last.get(first.ethnicity, ())
        ]

    def _needs_names(self) -> None:
        if not self.names:
            raise CellError(
                "Proper_nouns_only",
                "proper names are asked for, and no vocabulary has them",
                "pass vocabulary_proper_names.csv too, or put it beside the file",
            )


def is_vocabulary(table: Table) -> bool:
    """Say whether a table is one of the two vocabularies, by its header."""
    columns = set(table.columns)
    return "Q_id" not in columns and (
        {"Category", "Name"} <= columns or {"Name", "First_last"} <= columns
    )


def vocabulary_of(tables: Iterable[Table]) -> Vocabulary:
    """Take up vocabulary files."""
    words: list[Word] = []
    names: list[ProperName] = []
    findings: list[Finding] = []
    for table in tables:
        findings.extend(table.problems)
        if "First_last" in table.columns:
            names.extend(_name(row) for row in table.rows if row["Name"].strip())
            continue
        read = [_word(row) for row in table.rows if row["Name"].strip()]
        words.extend(read)
        findings.extend(_left_out(table, read))
    return Vocabulary(tuple(words), tuple(names), tuple(findings))


class Vocabularies:
    """The vocabulary for the files of a folder: as given, the rest from that folder."""

    def __init__(self, tables: Iterable[Table]) -> None:
        self._given = vocabulary_of(tables)
        self._near: dict[Path, Vocabulary] = {}

    def of(self, folder: Path) -> Vocabulary:
        """Give the vocabulary for a file in `folder`; only where it is asked for is it read.

        Raises:
            CurateError: If a vocabulary file there cannot be read.
        """
        given = self._given
        if given.words and given.names:
            return given
        if folder not in self._near:
            self._near[folder] = _beside(folder, words=not given.words, names=not given.names)
        near = self._near[folder]
        return Vocabulary(given.words or near.words, given.names or near.names)

    @property
    def findings(self) -> list[Finding]:
        """What is to be said of the files that were used."""
        found = [self._given, *self._near.values()]
        return [finding for vocabulary in found for finding in vocabulary.findings]


def _beside(folder: Path, *, words: bool, names: bool) -> Vocabulary:
    paths = sorted(folder.glob("vocabulary*.csv"))
    tables = [read_table(path, shown_as=path.name) for path in paths]
    wanted = [
        table
        for table in tables
        if is_vocabulary(table) and (names if "First_last" in table.columns else words)
    ]
    return vocabulary_of(wanted)


def _name(row: Row) -> ProperName:
    return ProperName(
        row["Name"].strip(),
        row["First_last"].strip().casefold(),
        row.get("gender").strip(),
        row.get("ethnicity").strip(),
    )


def _word(row: Row) -> Word:
    return Word(
        row["Category"].strip(),
        row.get("SubCat").strip(),
        row["Name"].strip(),
        row.get("Info").strip(),
        row.get("Pilot_include").strip().casefold() not in ("no", "false", "0"),
    )


def _left_out(table: Table, words: Sequence[Word]) -> list[Finding]:
    names = [f"{word.name} ({word.category})" for word in words if not word.included]
    if not names:
        return []
    return [
        Finding(
            "source-vocabulary-left-out",
            Severity.INFO,
            table.file,
            None,
            "Pilot_include",
            f"Pilot_include is No for {', '.join(names)}: no template draws them",
            "empty the cell to have them drawn",
        )
    ]
