"""Which of two people BBQ's stereotype is about.

The files write one group in several ways: `low SES` and `lowSES`, `F` and `woman`, `old` and
the `nonOld` beside it. Names are compared by keys that do not see these differences.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from curation.io.tables import Row
from curation.sources.cells import read_groups

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
    """Give the gender that `Stated_gender_info` states, `f` or `m`; empty if none or both."""
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
        """Say whether one of the names is one of the groups."""
        return any(key(name) in self.keys for name in names)

    def excludes(self, names: Iterable[str]) -> bool:
        """Say whether one of the names is `nonX` for a group X, or the other way round."""
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
