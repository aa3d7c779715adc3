"""The groups that a row of BBQ is about, and the vocabularies that it draws people from."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from curation.files.tables import Row, Table, read_table
from curation.records.findings import Finding, Severity
from curation.sources.imported import CellError, read_groups

_SINGULAR = {"women": "woman", "men": "man", "girls": "girl", "boys": "boy"}
_CODES = {"female": "f", "woman": "f", "girl": "f", "male": "m", "man": "m", "boy": "m"}
_STATED = {
    **_CODES,
    **{"f": "f", "she": "f", "her": "f", "hers": "f"},
    **{"m": "m", "he": "m", "him": "m", "his": "m"},
}
GENDERS = frozenset(_CODES.values())
"""The keys of the two genders that the vocabularies know."""


def key(name: str) -> str:
    """Write a group's or category's name so that its spellings are equal."""
    words = re.findall(r"[^\W_]+", name.casefold())
    joined = "".join(_SINGULAR.get(word, word) for word in words)
    return _CODES.get(joined, joined)


def stated_gender(cell: str) -> str:
    """The gender that `Stated_gender_info` states, `f` or `m`; empty if none or both."""
    words = re.findall(r"[^\W\d_]+", cell.casefold())
    found = {
        _STATED[word] for word in (_SINGULAR.get(word, word) for word in words) if word in _STATED
    }
    return found.pop() if len(found) == 1 else ""


@dataclass(frozen=True, slots=True)
class Target:
    """The groups that a stereotype is about.

    Attributes:
        groups: As written; for two attributes at once, for example `F-Black`.
        keys: The keys of every way in which a person can be said to be of them.
        races: With two attributes, the groups by the first of them.
        seconds: With two attributes, the groups by the second of them.
    """

    groups: tuple[str, ...]
    keys: frozenset[str]
    races: tuple[str, ...] = ()
    seconds: tuple[str, ...] = ()

    def has(self, names: Iterable[str]) -> bool:
        """Whether one of the names is one of the groups."""
        return any(key(name) in self.keys for name in names)

    def excludes(self, names: Iterable[str]) -> bool:
        """Whether one of the names is `nonX` for a group X, or the other way round."""
        keys = [key(name) for name in names]
        plain = {found.removeprefix(prefix) for found in self.keys for prefix in ("non", "not")}
        negated = {prefix + found for found in self.keys for prefix in ("non", "not")}
        return any(found in (plain | negated) - self.keys for found in keys)

    def spelled(self, name: str) -> str:
        """Write a group as the target groups write it, if it is one of them."""
        return next((group for group in self.groups if key(group) == key(name)), name)


def target_of(row: Row) -> Target:
    """Read the stereotyped groups of a row."""
    races = read_groups(row.get("Known_stereotyped_race"))
    seconds = read_groups(row.get("Known_stereotyped_var2"))
    if not races or not seconds:
        groups = read_groups(row.get("Known_stereotyped_groups")) or races or seconds
        return simple_target(groups)
    both = tuple(f"{second}-{race}" for race in races for second in seconds)
    keys = {key(group) for group in (*races, *seconds)}
    for race in races:
        for second in seconds:
            keys |= {key(race) + key(second), key(second) + key(race)}
    return Target(both, frozenset(keys) - {""}, races, seconds)


def simple_target(groups: Sequence[str]) -> Target:
    """Make the target of one attribute."""
    return Target(tuple(groups), frozenset(key(group) for group in groups) - {""})


def target_person(target: Target, infos: Sequence[Sequence[str]]) -> int | None:
    """Tell which of two people is of the target groups, 1 or 2, by what is said of each.

    Where it is said of both or of neither, nothing is guessed.
    """
    are = [target.has(names) for names in infos]
    if are[0] != are[1]:
        return 1 if are[0] else 2
    if are[0]:
        return None
    excluded = [target.excludes(names) for names in infos]
    if excluded[0] != excluded[1]:
        return 2 if excluded[0] else 1
    return None


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
        """The words of a category; of the subcategory only, where it is one of them.

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

    def names_at(self, place: str) -> list[ProperName]:
        """The proper names for a place: `first`, `last` or `first_only`.

        Raises:
            CellError: If there are no proper names at all.
        """
        if not self.names:
            raise CellError(
                "Proper_nouns_only",
                "proper names are asked for, and no vocabulary has them",
                "pass vocabulary_proper_names.csv too, or put it beside the file",
            )
        return [name for name in self.names if name.place == place]


def is_vocabulary(table: Table) -> bool:
    """Whether a table is one of the two vocabularies, by its header."""
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
        """The vocabulary for a file in `folder`; only where it is asked for is it read.

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
