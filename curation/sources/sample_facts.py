"""What the rows of a file of samples settle together: targets, and whether it is a control set."""

import re
import unicodedata
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from curation.languages import available
from curation.sources.roles import DISAGREE, Known, features, folded

CONTROL = "control"
"""Why roles are open in a control set, in which no person is of a stereotyped group."""
_NAMED_BY_GROUP = ("gender", "race")
_PART_OF_BOTH = 4
"""Of the names that occur in several fillings one in so many is of both groups in a control set: at
random half of them are, and in an ordinary set none."""
_ENOUGH_NAMES = 5
"""So many names of one group each are no control set: at random they would be in 1 of 32."""
_NAMED_CONTROL = re.compile(r"(?:^|[\W_])control(?:[\W_]|$)")
_PART_OF_SCRIPT = 50
"""Texts in a second script are no language of their own where they are a smaller part than this."""
_EVERY_ROW = 1000
_ONE_ROW_IN = 17
"""Beyond so many rows one in so many is looked at: a prime, which no pattern of rows shares."""
_WITHOUT_NAMES = 25
"""In categories of these words people of BBQ's own set are told by proper names, too: in questions
beyond this number, and where two categories cross in any."""


@dataclass(slots=True)
class Stated:
    """What a row states of its role.

    Attributes:
        choices: The three answers.
        question: The question it belongs to: category and number.
        people: The places of the two people.
        named: For each person what the file calls them, and their group.
        target: Which choice is the target, where the row states it; None where not.
        why: Why it does not.
        rule: By what it was settled, where the row writes the group in two ways.
        kind: BBQ's `subcategory`.
        place: What rows have in common of which the target stands at one place; empty where it
            does not.
    """

    choices: tuple[str, str, str]
    question: tuple[str, str]
    people: tuple[int, int]
    named: tuple[tuple[str, str], ...]
    target: int | None
    why: str
    rule: str = ""
    kind: str = ""
    place: tuple[object, ...] = ()


@dataclass(slots=True)
class Facts:
    """What the rows of a file say together.

    Attributes:
        control: Whether it is a control set.
        names: Whether the people's names show their groups.
        seconds: By question the second feature of its targets, where all have one.
        targets: By question and two groups which group is the target, where all agree.
        places: By what rows have in common the places at which the target stands. None where the
            choices of the file are not in one order, as the unknown one shows.
    """

    control: bool = False
    seconds: dict[tuple[str, str], str] = field(default_factory=dict)
    targets: dict[tuple[object, ...], str] = field(default_factory=dict)
    places: dict[tuple[object, ...], set[int]] = field(default_factory=dict)
    names: "_Names" = field(default_factory=lambda: _Names())
    _unknowns: set[int] = field(default_factory=set)
    _features: dict[tuple[str, str], dict[str, set[object]]] = field(default_factory=dict)
    _targets: dict[tuple[object, ...], set[str]] = field(default_factory=dict)

    def add(self, item: Stated, *, known: bool) -> None:
        """Take in what a row states.

        Args:
            item: The row.
            known: Whether its unknown choice is an expression of a language.
        """
        if not _may_have_names(item.question):
            self.names.add(item)
        if known:
            self._unknowns.add(3 - sum(item.people))
        if item.target is None:
            return
        if item.place:
            self.places.setdefault(item.place, set()).add(item.target)
        group = item.named[item.people.index(item.target)][1]
        self._targets.setdefault(_pair(item), set()).add(group)
        second = features(group)[0]
        if second:
            pairs = self._features.setdefault(item.question, {}).setdefault(second, set())
            if len(pairs) < 2:
                pairs.add(_pair(item))

    def close(self) -> None:
        """Settle what all rows agree on."""
        if len(self._unknowns) > 1:
            self.places.clear()
        for question, found in self._features.items():
            if len(found) == 1:
                ((second, pairs),) = found.items()
                if len(pairs) > 1:  # one pair of people could be chance
                    self.seconds[question] = second
        self.targets = {key: next(iter(one)) for key, one in self._targets.items() if len(one) == 1}

    def settle(self, item: Stated) -> None:
        """Settle the role of a row by the file, where the row leaves it open."""
        found = self.places.get(item.place, set())
        if self.control:
            item.target, item.why = None, CONTROL
        elif len(found) > 1:
            item.target, item.why = None, DISAGREE
        elif item.target is None:
            item.target = next(iter(found), None) if item.place else _from_facts(item, self)


@lru_cache(maxsize=4096)
def _may_have_names(question: tuple[str, str]) -> bool:
    """Whether BBQ's own set has proper names in a question."""
    category, number = question[0].casefold(), question[1]
    if not any(word in category for word in _NAMED_BY_GROUP):
        return False
    return "_x_" in category or not number.isdecimal() or int(number) > _WITHOUT_NAMES


@dataclass(slots=True)
class _Names:
    """Whether the people's names show their groups.

    In a control set names are drawn for both people, so that a name is of one group in some rows,
    and of the opposite one in others: of `old` beside `nonOld`, and of `nonOld` beside `old`.
    """

    _groups: dict[tuple[object, ...], set[str]] = field(default_factory=dict)
    _fillings: dict[tuple[object, ...], set[object]] = field(default_factory=dict)
    _bare: int = 0

    def add(self, item: Stated) -> None:
        """Take in the people of a row."""
        names = [name for name, _ in item.named]
        bare = all(name == item.choices[at] for at, name in zip(item.people, names, strict=True))
        self._bare += 1 if bare else -1
        groups = frozenset(group for _, group in item.named)
        if len(groups) < 2:
            return
        for at, (name, group) in enumerate(item.named):
            self._groups.setdefault((name, groups), set()).add(group)
            filling = item.question, names[1 - at]
            self._fillings.setdefault((name, groups), set()).add(filling)

    def are_control(self, path: Path, said: bool | None) -> tuple[bool, bool]:
        """Whether a file is a control set, and whether that is in doubt.

        Its people have bare names, and many of those that occur again are of both groups. Where too
        few occur again, the name of the file tells.

        Args:
            path: The file.
            said: What a person says of it.
        """
        if said is not None:
            return said, False
        several = [key for key, found in self._fillings.items() if len(found) > 1]
        both = sum(len(self._groups[key]) > 1 for key in several)
        if self._bare <= 0:
            return False, False
        if both:
            return both * _PART_OF_BOTH >= len(several), both * _PART_OF_BOTH < len(several)
        if len(several) >= _ENOUGH_NAMES:
            return False, False
        named = _NAMED_CONTROL.search(path.stem.casefold()) is not None
        return named, not named


def _pair(item: Stated) -> tuple[object, ...]:
    """A question with the groups of its two people, in any order."""
    return (*item.question, *sorted(group for _, group in item.named))


def _from_facts(item: Stated, facts: Facts) -> int | None:
    labels = [group for _, group in item.named]
    group = facts.targets.get(_pair(item))
    one_race = _are_of_one_race(item)
    if group is not None and labels[0] != labels[1] and not one_race:
        return item.people[labels.index(group)]
    second = facts.seconds.get(item.question)
    if not one_race or second is None:
        return None
    seconds = [features(label)[0] for label in labels]
    if seconds.count(second) == 1:
        return item.people[seconds.index(second)]
    if second not in seconds and labels.count("") == 1:
        return item.people[labels.index("")]  # the other person has the other feature
    return None


def _are_of_one_race(item: Stated) -> bool:
    """Whether a second feature tells two people apart, where two categories cross."""
    races = {features(group)[1] for _, group in item.named}
    return item.kind.endswith("_a") or ("_x_" in item.question[0].casefold() and len(races) == 1)


@dataclass(slots=True)
class Languages:
    """Whether the texts of a file are in several languages, which one set never is.

    They are told by scripts, and by unknown expressions that no one language has all of. Of a large
    file one row in so many is looked at.
    """

    _scripts: dict[str, list[int]] = field(default_factory=dict)
    _unknown: dict[str, int] = field(default_factory=dict)
    _rows: int = 0

    def add(self, row: int, text: str, unknown: str) -> None:
        """Take in a row: a text of it, and its unknown choice."""
        self._rows += 1
        if self._rows > _EVERY_ROW and self._rows % _ONE_ROW_IN:
            return
        letters = text[:: max(len(text) // 8, 1)]  # a name or two may be in another script
        scripts = {_script(one) for one in letters if one.isalpha()}
        if len(scripts) == 1:
            counted = self._scripts.setdefault(scripts.pop(), [0, row])
            counted[0] += 1
        if len(self._unknown) < 1000:
            self._unknown.setdefault(unknown, row)

    def several(self) -> str:
        """What shows that there are several; empty where nothing does."""
        few = sum(count for count, _ in self._scripts.values()) // _PART_OF_SCRIPT
        if sum(count > few for count, _ in self._scripts.values()) > 1:
            told = (
                f"{script} ({count:,} rows, first row {row:,})"
                for script, (count, row) in self._scripts.items()
            )
            return f"contexts are written in several scripts: {', '.join(told)}"
        spoken = {text: _spoken(text) for text in self._unknown}
        known = {text: codes for text, codes in spoken.items() if codes}
        if known and not frozenset.intersection(*known.values()):
            told = (f"{text} (row {self._unknown[text]:,})" for text in list(known)[:6])
            return f"unknown expressions are of several languages: {', '.join(told)}"
        return ""


@lru_cache(maxsize=4096)
def _script(letter: str) -> str:
    found = unicodedata.name(letter, "").partition(" ")[0]
    return "CJK" if found in ("HIRAGANA", "KATAKANA", "FULLWIDTH") else found


@lru_cache(maxsize=1024)
def _spoken(text: str) -> frozenset[str]:
    """The languages that have an unknown expression."""
    return frozenset(code for code in available() if folded(text) in Known(code).words("unknown"))
