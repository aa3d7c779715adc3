"""Who of two people is the target: one rule for the importers and the readers of samples.

A role is set where the source settles it. What it leaves open, or says twice and differently, is
open with the reason, and never guessed.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from curation.languages import sample_words

DISAGREE = "its fillings name different people"
"""Why a role is open that one filling settles otherwise than another."""
NOBODY = "no person is of a stereotyped group"
"""Why a role is open that nothing settles."""
_STATUS = frozenset({"lowses", "highses"})
_GENDERS = frozenset({"m", "f"})
_GROUPS = re.compile(r"[/,;\n\u3001\uff0c\uff1b]")
_SHORTEST = 3
"""Letters that two spellings of a group have in common at least."""


@dataclass(frozen=True, slots=True)
class Role:
    """Who is the target.

    Attributes:
        at: Which of two people, 0 or 1; None where it is open.
        why: Why it is open.
        rule: By what it was settled, where the source writes the group in two ways.
    """

    at: int | None
    why: str = ""
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Person:
    """What a source says of one of two people.

    Attributes:
        name: What it calls them.
        label: Their group.
        choice: The text of their choice.
    """

    name: str
    label: str
    choice: str


@dataclass(frozen=True, slots=True)
class Known:
    """Words by which groups and unknown expressions are told; `language` None for all."""

    language: str | None

    def words(self, name: str) -> frozenset[str]:
        """Words of a kind (`curation.languages.general.SampleWords`), folded."""
        return _words(self.language, name)

    def group(self, text: str) -> str:
        """The name of a group without a word for people at its end."""
        endings = (word for word in self.words("people") if text.endswith(word))
        return text.removesuffix(max(endings, key=len, default=""))

    def gender(self, text: str) -> str:
        """`f` or `m` for a word that names a gender; else the text as it is."""
        if text in self.words("female"):
            return "f"
        return "m" if text in self.words("male") else text

    def denied(self, text: str) -> str:
        """What a folded text denies: `old` of `nonold`; empty where it denies nothing."""
        before = (word for word in self.words("negations") if text.startswith(word))
        longest = max(before, key=len, default="")
        return text.removeprefix(longest) if longest else ""


@lru_cache(maxsize=64)
def _words(language: str | None, name: str) -> frozenset[str]:
    return frozenset(folded(word) for word in sample_words(language, name))


@lru_cache(maxsize=65536)
def folded(text: str) -> str:
    """A name without the case and the blanks in which sets differ: `low SES` is `lowSES`."""
    return re.sub(r"[\W_]+", "", text.casefold())


@lru_cache(maxsize=65536)
def features(label: str) -> tuple[str, str]:
    """The second feature of a group's label (gender or status) and what is left of it.

    `M-Black`, `lowSES-F-Black` and `f, latino` have both.
    """
    parts = re.split(r"\s*[-,]\s*", label.strip())
    codes = []
    while parts and folded(parts[0]) in _STATUS | _GENDERS:
        codes.append(folded(parts.pop(0)))
    status = next((code for code in codes if code in _STATUS), "")
    rest = "-".join(part for part in parts if part)
    return status or (codes[0] if codes else ""), folded(rest)


def groups_of_cell(cell: str) -> tuple[str, ...]:
    """The groups that a cell lists, however they are separated."""
    return tuple(dict.fromkeys(part.strip() for part in _GROUPS.split(cell) if part.strip()))


def agreed(roles: Iterable[Role]) -> Role:
    """What several fillings of one template say together: open where two of them differ."""
    found = list(roles)
    settled = {role.at: role for role in found if role.at is not None}
    if len(settled) > 1:
        return Role(None, DISAGREE)
    return next(iter((*settled.values(), *found)), Role(None, NOBODY))


# --- by the label that a source gives each person


@lru_cache(maxsize=65536)  # a template's rows have few pairs of people
def by_labels(
    people: tuple[Person, Person], groups: tuple[str, ...], kind: str, known: Known
) -> Role:
    """Tell the target by the people's groups.

    A person is of a stereotyped group if name or label is its name. Where neither is, spellings
    settle it that differ by an ending, and `nonX` for a group X, if the texts of the choices agree.

    Args:
        people: The two people.
        groups: The stereotyped groups.
        kind: BBQ's `subcategory`.
        known: Words of the languages.
    """
    if not groups:
        return Role(None, "the file names no stereotyped group")
    if kind.endswith("_a"):  # their second feature tells them apart
        return Role(None, "both people are of one race")
    wanted = frozenset(known.gender(folded(group)) for group in groups)
    matched = [_is_of(person, wanted, known) for person in people]
    if all(matched):
        return Role(None, "both people are of a stereotyped group")
    if any(matched):
        at = matched.index(True)
        if _denies(people[at].choice, (*groups, people[at].label), known):
            return Role(None, "a choice denies the group that the file gives its person")
        return Role(at)
    unlabelled = [not person.label for person in people]
    if kind.endswith(("_b", "_c")) and sum(unlabelled) == 1:
        # one of the two is of the group by design, and the other's label tells that it is not
        return Role(unlabelled.index(True))
    return _by_spelling(people, groups, known)


def _is_of(person: Person, wanted: frozenset[str], known: Known) -> bool:
    group = folded(person.label)
    names = {known.gender(group), known.gender(folded(person.name)), features(person.label)[1]}
    return bool((names - {""}) & wanted) or ("trans" in wanted and group.startswith("trans"))


def _by_spelling(people: tuple[Person, Person], groups: Sequence[str], known: Known) -> Role:
    """Tell the target by spellings of a group that differ, where the texts agree."""
    named = [_spelled(person, groups, known) for person in people]
    opposite = [_opposite(person, groups, known) for person in people]
    told = [any(_mentions(person.choice, group, known) for group in groups) for person in people]
    yes = [bool(named[at]) and not opposite[at] for at in (0, 1)]
    if sum(yes) == 1:
        at = yes.index(True)
        mentions = told[at] or _mentions(people[at].choice, people[at].label, known)
        if mentions and not told[1 - at]:
            return Role(at, rule=f"an ending: {named[at]}")
        return Role(None, f"the texts of the choices do not confirm that {named[at]}")
    if not any(yes) and sum(map(bool, opposite)) == 1:
        at = 1 - [bool(text) for text in opposite].index(True)
        if told[at] and not told[1 - at]:
            return Role(at, rule=f"the other person: {opposite[1 - at]}")
    return Role(None, NOBODY)


def _spelled(person: Person, groups: Sequence[str], known: Known) -> str:
    """By which spelling a person is of a group, in words; empty where by none."""
    pairs = ((own, group) for own in (person.label, person.name) for group in groups)
    found = next((pair for pair in pairs if alike(*pair, known)), None)
    return f"'{found[0]}' is '{found[1]}'" if found else ""


def _opposite(person: Person, groups: Sequence[str], known: Known) -> str:
    """Of which group a person's label or choice denies to be, in words; empty where of none."""
    denied = known.denied(folded(person.label))
    for group in groups:
        if denied and (denied == folded(group) or alike(denied, group, known)):
            return f"'{person.label}' is not '{group}'"
        if _denies(person.choice, (group,), known):
            return f"'{person.choice}' is not '{group}'"
    return ""


@lru_cache(maxsize=65536)
def alike(one: str, other: str, known: Known) -> bool:
    """Whether two names differ by an ending: `Christian` and `Christians`, `Lahore` and `Lahori`.

    An ending is one that a language lists, or one letter. Equal names are alike, too.
    """
    short, long = sorted((folded(one), folded(other)), key=len)
    if len(short) < _SHORTEST:
        return False
    if long.startswith(short):
        ending = long.removeprefix(short)
        return len(ending) <= 1 or ending in known.words("endings")
    return len(short) == len(long) > _SHORTEST + 1 and short[:-1] == long[:-1]


def _mentions(text: str, group: str, known: Known) -> bool:
    """Whether words of a text are a group's name, up to an ending, and are not denied."""
    words = re.findall(r"[^\W_]+", text.casefold())
    width = len(re.findall(r"[^\W_]+", group.casefold()))
    negations = known.words("negations")
    return any(
        alike("".join(words[at : at + width]), group, known)
        for at in range(len(words) - width + 1)
        if not (at and words[at - 1] in negations)
    )


@lru_cache(maxsize=65536)
def _denies(text: str, groups: tuple[str, ...], known: Known) -> bool:
    """Whether a text says that somebody is not of a group: `The non-disabled student`."""
    words = " ".join(re.findall(r"[^\W_]+", text.casefold()))
    before = "|".join(sorted(map(re.escape, known.words("negations"))))
    names = (" ".join(re.findall(r"[^\W_]+", group.casefold())) for group in groups)
    return bool(before) and any(
        re.search(rf"(?<!\w)(?:{before}) ?{re.escape(name)}", words)
        for name in names
        if len(name) >= _SHORTEST
    )


def crossed(people: tuple[Person, Person]) -> tuple[bool, bool]:
    """Whether the name of each person stands in the other's choice, and not in their own."""
    first, second = (
        _stands(mine.name, other.choice) and not _stands(mine.name, mine.choice)
        for mine, other in (people, people[::-1])
    )
    return first, second


@lru_cache(maxsize=65536)
def _stands(name: str, text: str) -> bool:
    """Whether a name is in a text: as words, where its script has words."""
    plain, within = name.strip().casefold(), text.casefold()
    if not plain or plain not in within:
        return False
    if plain.upper() == plain.lower():  # a script without cases, most of them without blanks
        return True
    return re.search(rf"(?<!\w){re.escape(plain)}(?!\w)", within) is not None


# --- by the texts of the answers alone


@lru_cache(maxsize=65536)
def by_answers(answers: tuple[str, str], groups: tuple[str, ...], known: Known) -> Role:
    """Tell the target by what two answers are called, where nothing else is said of the people.

    An answer is of a group if it is or holds the group's name, which may have a word for people at
    its end, or if it holds words of the gender that the group is. What stands behind a negation
    does not count. Where neither is, the one is the target whose other is denied to be: `X` where
    the group is `nonX`, or `nonX` where it is `X`.

    Args:
        answers: The two answers.
        groups: The stereotyped groups.
        known: Words of the languages.
    """
    texts = [folded(answer) for answer in answers]
    wanted = {known.gender(folded(group)) for group in groups} - {""}
    if not wanted:
        return Role(None, "the file names no stereotyped group")
    held = [bool({text, known.gender(text)} & wanted) for text in texts]
    if held[0] == held[1]:
        held = [any(_holds(p, text, known) for p in _parts(groups, known)) for text in texts]
    if held[0] == held[1]:
        of = [_genders(text, known) for text in texts]
        if {*of} == _GENDERS and len(wanted & _GENDERS) == 1:
            held = [gender in wanted for gender in of]
    if not any(held):
        held = [_is_denied(text, groups, known) for text in reversed(texts)]
    if held[0] != held[1]:
        return Role(held.index(True))
    return Role(None, "both people are of a stereotyped group" if all(held) else NOBODY)


def _parts(groups: Sequence[str], known: Known) -> list[str]:
    """What holds the name of a group; one letter of Chinese is in too many words."""
    return [part for group in groups if len(part := known.group(folded(group))) > 1]


def _is_denied(text: str, groups: Sequence[str], known: Known) -> bool:
    """Whether a text says that somebody is of no group: `nonX` for X, or X for `nonX`."""
    parts = _parts(groups, known)
    if any(word + part in text for part in parts for word in known.words("negations")):
        return True
    opposites = (known.denied(part) for part in parts)
    return any(_holds(part, text, known) for part in opposites if len(part) > 1)


def _holds(part: str, text: str, known: Known) -> bool:
    """Whether a text holds a name with no negation before it."""
    return any(
        not any(word in text[: match.start()] for word in known.words("negations"))
        for match in re.finditer(re.escape(part), text)
    )


def _genders(text: str, known: Known) -> str:
    """The one gender whose words a text holds; empty where it holds none, or both."""
    found = [code for code, kind in (("f", "female"), ("m", "male")) if any(_in(text, kind, known))]
    return found[0] if len(found) == 1 else ""


def _in(text: str, kind: str, known: Known) -> Iterator[bool]:
    return (word in text for word in known.words(kind))
