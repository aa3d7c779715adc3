"""Who of two people is the target: one rule for the importers and the readers of samples.

A role is set where the source settles it. What it leaves open, or says twice and differently, is
open with the reason, and never guessed. What one row of a file leaves open the others may settle.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

from curation.languages import available, sample_words
from curation.records.letters import BY_CHARACTER, LETTER, words_of
from curation.records.settings import load_yaml
from curation.records.survey import COMMAS, SEMICOLONS
from curation.report.texts import resource

DISAGREE = "its fillings name different people"
"""Why a role is open that one filling settles otherwise than another."""
NOBODY = "no person is of a stereotyped group"
"""Why a role is open that nothing settles."""
_STATUS = frozenset({"lowses", "highses"})
_KINDS = {"f": "female", "m": "male"}
"""By code of a gender the kind of words that name it."""
GENDERS = frozenset(_KINDS)
_COMPOUND = re.compile(rf"{LETTER}+(?:[-\u2010\u2011]{LETTER}+)*")
_WITHOUT_BLANKS = re.compile(f"[{BY_CHARACTER}]")
_AGE = re.compile(r"\d ?[^\W\d_]")
"""A number and what it counts: `20 years`."""
_NEAR = 8
"""Characters behind a name in which it is denied, where there are no blanks."""
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


@cache
def words_for(kind: str, language: str | None = None) -> frozenset[str]:
    """Words of a kind (`curation.languages.general.SampleWords`), folded; of all languages."""
    return frozenset(folded(word) for word in sample_words(language, kind))


def gender(text: str, language: str | None = None) -> str:
    """`f` or `m` for a word that names a gender; else the text as it is."""
    kinds = (code for code, kind in _KINDS.items() if text in words_for(kind, language))
    return next(kinds, text)


def denied(text: str, language: str | None = None) -> str:
    """What a folded text denies: `old` of `nonold`; empty where it denies nothing."""
    negations = filter(text.startswith, words_for("negations", language))
    longest = max(negations, key=len, default="")
    return text.removeprefix(longest) if longest else ""


@lru_cache(maxsize=65536)
def folded(text: str) -> str:
    """A name without the case and the blanks in which sets differ: `low SES` is `lowSES`."""
    return "".join(words_of(text.casefold()))


HEADINGS: Mapping[str, list[str]] = load_yaml(resource(__package__, "headings.yaml"))
"""By kind the words of columns' names in many languages, and what denies them."""
_BEFORE, _BEHIND = (
    frozenset(map(folded, HEADINGS[kind])) for kind in ("negation", "negation_behind")
)


@lru_cache(maxsize=65536)
def features(label: str) -> tuple[str, str]:
    """The second feature of a group's label (gender or status) and what is left of it.

    `M-Black`, `lowSES-F-Black` and `f, latino` have both.
    """
    parts = re.split(r"\s*[-,]\s*", label.strip())
    codes = []
    while parts and folded(parts[0]) in _STATUS | GENDERS:
        codes.append(folded(parts.pop(0)))
    status = [code for code in codes if code in _STATUS]
    return next(iter((*status, *codes)), ""), folded("".join(parts))


def groups_of_cell(cell: str) -> tuple[str, ...]:
    """The groups that a cell lists, however they are separated."""
    parts = map(str.strip, re.split(f"[/,\n{SEMICOLONS}{COMMAS}]", cell))
    return tuple(dict.fromkeys(filter(None, parts)))


def agreed(roles: Iterable[Role]) -> Role:
    """What several fillings of one template say together: open where two of them differ."""
    found = list(roles)
    settled = {role.at: role for role in found if role.at is not None}
    if len(settled) > 1:
        return Role(None, DISAGREE)
    return next(iter((*settled.values(), *found)), Role(None, NOBODY))


# --- by the label that a source gives each person


@lru_cache(maxsize=65536)  # a template's rows have few pairs of people
def by_labels(people: tuple[Person, Person], groups: tuple[str, ...], kind: str) -> Role:
    """Tell the target by the people's groups.

    A person is of a stereotyped group if name or label is its name. Where neither is, spellings
    settle it that differ by an ending, and `nonX` for a group X, if the texts of the choices agree.

    Args:
        people: The two people.
        groups: The stereotyped groups.
        kind: BBQ's `subcategory`.
    """
    if not groups:
        return Role(None, "the file names no stereotyped group")
    if kind.endswith("_a"):  # their second feature tells them apart
        return Role(None, "both people are of one race")
    wanted = frozenset(gender(folded(group)) for group in groups)
    matched = [_is_of(person, wanted) for person in people]
    if all(matched):
        return Role(None, "both people are of a stereotyped group")
    if any(matched):
        at = matched.index(True)
        if _denies(people[at].choice, (*groups, people[at].label)):
            return Role(None, "a choice denies the group that the file gives its person")
        return Role(at)
    unlabelled = [not person.label for person in people]
    if kind.endswith(("_b", "_c")) and sum(unlabelled) == 1:
        # one of the two is of the group by design, and the other's label tells that it is not
        return Role(unlabelled.index(True))
    return _by_spelling(people, groups)


def _is_of(person: Person, wanted: frozenset[str]) -> bool:
    group = folded(person.label)
    names = {gender(group), gender(folded(person.name)), features(person.label)[1]}
    return bool((names - {""}) & wanted) or ("trans" in wanted and group.startswith("trans"))


def _by_spelling(people: tuple[Person, Person], groups: Sequence[str]) -> Role:
    """Tell the target by spellings of a group that differ, where the texts agree."""
    named = [_spelled(person, groups) for person in people]
    opposite = [_opposite(person, groups) for person in people]
    told = [any(_mentions(person.choice, group) for group in groups) for person in people]
    yes = [bool(named[at]) and not opposite[at] for at in (0, 1)]
    if sum(yes) == 1:
        at = yes.index(True)
        mentions = told[at] or _mentions(people[at].choice, people[at].label)
        if mentions and not told[1 - at]:
            return Role(at, rule=f"an ending: {named[at]}")
        return Role(None, f"the texts of the choices do not confirm that {named[at]}")
    if not any(yes) and sum(map(bool, opposite)) == 1:
        at = 1 - [bool(text) for text in opposite].index(True)
        if told[at] and not told[1 - at]:
            return Role(at, rule=f"the other person: {opposite[1 - at]}")
    return Role(None, NOBODY)


def _spelled(person: Person, groups: Sequence[str]) -> str:
    """By which spelling a person is of a group, in words; empty where by none."""
    pairs = ((own, group) for own in (person.label, person.name) for group in groups)
    found = next((pair for pair in pairs if alike(*pair)), None)
    return f"'{found[0]}' is '{found[1]}'" if found else ""


def _opposite(person: Person, groups: Sequence[str]) -> str:
    """Of which group a person's label or choice denies to be, in words; empty where of none."""
    other = denied(folded(person.label))
    for group in groups:
        if other and (other == folded(group) or alike(other, group)):
            return f"'{person.label}' is not '{group}'"
        if _denies(person.choice, (group,)):
            return f"'{person.choice}' is not '{group}'"
    return ""


@lru_cache(maxsize=65536)
def alike(one: str, other: str) -> bool:
    """Whether two names differ by an ending: `Christian` and `Christians`, `Lahore` and `Lahori`.

    An ending is one that a language lists, or one letter. Equal names are alike, too.
    """
    short, long = sorted((folded(one), folded(other)), key=len)
    if len(short) < _SHORTEST:
        return False
    if long.startswith(short):
        return len(long) <= len(short) + 1 or _is_inflected(long, short)
    return len(short) == len(long) > _SHORTEST + 1 and short[:-1] == long[:-1]


def _is_inflected(one: str, other: str) -> bool:
    """Whether two names are equal, or differ by `s` or an ending that a language lists.

    Another letter may make another name: `Roman` is no `Romani`. An article that a language joins
    to a name is none of it.
    """
    names = [folded(one), folded(other)]
    for article in words_for("articles"):
        names = [name.removeprefix(article) for name in names]
    short, long = sorted(names, key=len)
    ending = long.removeprefix(short)
    return long.startswith(short) and ending in {"", "s", *words_for("endings")}


def _mentions(
    text: str,
    group: str,
    is_same: Callable[[str, str], bool] = alike,
    *,
    is_sure: bool = False,
) -> bool:
    """Whether words of a text are a group's name, with no negation before them.

    What is denied ends where something else is said instead: `not old but poor`.

    Where there are no blanks it may be anywhere; elsewhere `Asian` is in `Asian-American`, but not
    in `Caucasian`, and `old` not in `20-year-old` or `20 years old`.

    Args:
        text: The text.
        group: The group.
        is_same: Whether two names are of one group.
        is_sure: Whether words that deny it in some language, before it or behind it, are none here.
    """
    name, contrasts = _named(group), words_for("contrasts")
    negations = words_for("negations") | (set() if is_sure else _BEFORE)
    behind = frozenset[str]() if is_sure else _BEHIND
    if name and _is_without_blanks(text, name):
        said = folded(text)
        places = (match.span() for match in re.finditer(re.escape(folded(name)), said))
        return any(
            not any(word in said[:at] for word in negations)
            and not any(word in said[end : end + _NEAR] for word in behind)
            for at, end in places
        )
    words = [
        folded(word)
        for compound in _COMPOUND.findall(text)
        for word in (words_of(compound) if compound.istitle() else [compound])
    ]
    runs = (
        (
            words[max(at - 2, 0) : at],
            "".join(words[at : at + width]),
            words[turn:at],
            words[at + width : at + width + 2],
        )
        for at in range(len(words) if name else 0)
        for turn in (max((i for i in range(at) if words[i] in contrasts), default=0),)
        for width in range(1, len(name.split()) + 2)
    )
    return any(
        (run == folded(name) or is_same(run, name))
        and negations.isdisjoint(before)
        and behind.isdisjoint(after)
        and not _AGE.search(" ".join(near))
        for near, run, before, after in runs
    )


def _named(group: str) -> str:
    """A group's name without a word for people at its end; empty where it is too short to tell."""
    name = " ".join(words_of(group.casefold()))
    people = filter(name.endswith, words_for("people"))
    name = name.removesuffix(max(people, key=len, default=""))
    has_case = name.upper() != name.lower()
    return name if len(name) >= (_SHORTEST if has_case else _SHORTEST - 1) else ""


def _is_without_blanks(text: str, name: str) -> bool:
    return _WITHOUT_BLANKS.search(text + name) is not None


@lru_cache(maxsize=65536)
def _denies(text: str, groups: tuple[str, ...]) -> bool:
    """Whether a text says that somebody is not of a group: `The non-disabled student`."""
    said = " ".join(words_of(text.casefold()))
    before = "|".join(sorted(map(re.escape, words_for("negations"))))
    for name in filter(None, (_named(group) for group in groups)):
        start = "" if _is_without_blanks(text, name) else r"(?<!\w)"
        if before and re.search(rf"{start}(?:{before}) ?{re.escape(name)}", said):
            return True
    return False


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
def by_answers(answers: tuple[str, str], groups: tuple[str, ...]) -> Role:
    """Tell the target by what two answers are called, where nothing else is said of the people.

    An answer is of a group if it is or holds the group's name, which may have a word for people at
    its end, or if it holds words of the gender that the group is. What stands behind a negation
    does not count. Where neither is, the one is the target whose other is denied to be: `X` where
    the group is `nonX`, or `nonX` where it is `X`.

    Args:
        answers: The two answers.
        groups: The stereotyped groups.
    """
    texts = [folded(answer) for answer in answers]
    wanted = {gender(folded(group)) for group in groups} - {""}
    if not wanted:
        return Role(None, "the file names no stereotyped group")

    def holds(text: str, names: Iterable[str], *, is_sure: bool = True) -> bool:
        return any(_mentions(text, name, _is_inflected, is_sure=is_sure) for name in names)

    held = [bool({text, gender(text)} & wanted) for text in texts]
    of = [_gender(answer) for answer in answers]
    if held[0] == held[1]:
        held = [holds(answer, groups) for answer in answers]
        if held != [holds(answer, groups, is_sure=False) for answer in answers]:
            return Role(None, "a word beside a group's name may deny it")
        if any(held):  # beside somebody of another group a woman is of that of women, too
            held = [held[at] or of[at] in wanted for at in (0, 1)]
    if not any(held) and {*of} == GENDERS and len(wanted & GENDERS) == 1:
        held = [one in wanted for one in of]
    if not any(held):
        others = [denied(_named(group)) for group in groups]
        held = [_denies(one, groups) or holds(one, others) for one in reversed(answers)]
    if held[0] != held[1]:
        return Role(held.index(True))
    return Role(None, "both people are of a stereotyped group" if all(held) else NOBODY)


def _gender(text: str) -> str:
    """The one gender whose words a text holds; empty where it holds none, or both."""
    words, said = words_of(text.casefold()), folded(text)
    found = [
        code
        for code, kind in _KINDS.items()
        if any(
            one in words or (one in said and _WITHOUT_BLANKS.search(one)) for one in words_for(kind)
        )
    ]
    return found[0] if len(found) == 1 else ""


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
_IN_ORDER = 0.9
"""Of how many rows the unknown choice stands at one place, where choices are in one order: others
have another answer by mistake."""
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


class Facts:
    """What the rows of a file say together.

    Attributes:
        control: Whether it is a control set.
        seconds: By question the second features of its targets, and of which pairs of people.
        targets: By question and two groups which group is the target, in some row.
        places: By what rows have in common the places at which the target stands. They tell
            nothing of choices in another order than most, as the unknown one shows.
    """

    def __init__(self) -> None:
        self.control = False
        self.targets: dict[tuple[object, ...], set[str]] = {}
        self.places: dict[tuple[object, ...], set[int]] = {}
        self._bare = 0
        self._groups: dict[tuple[object, ...], set[str]] = {}
        self._fillings: dict[tuple[object, ...], set[object]] = {}
        self._unknowns: Counter[int] = Counter()
        self.seconds: dict[tuple[str, str], dict[str, set[object]]] = {}

    def add(self, item: Stated) -> None:
        """Take in what a row states."""
        if not _may_have_names(item.question):
            self._add_names(item)
        self._unknowns[3 - sum(item.people)] += 1
        if item.target is None:
            return
        if item.place:
            self.places.setdefault(item.place, set()).add(item.target)
        group = item.named[item.people.index(item.target)][1]
        self.targets.setdefault(_pair(item), set()).add(group)
        if second := features(group)[0]:
            pairs = self.seconds.setdefault(item.question, {}).setdefault(second, set())
            pairs.add(_pair(item))

    def _add_names(self, item: Stated) -> None:
        """Take in whether the people's names show their groups."""
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

    def are_control(self, path: Path) -> tuple[bool, bool]:
        """Whether a file is a control set, and whether that is in doubt.

        In one, names are drawn for both people, so that a name is of one group in some rows, and of
        the opposite one in others: of `old` beside `nonOld`, and of `nonOld` beside `old`. Its
        people have bare names, and many of those that occur again are of both groups. Where too few
        occur again, the name of the file tells.

        Args:
            path: The file.
        """
        several = [key for key, found in self._fillings.items() if len(found) > 1]
        both = sum(len(self._groups[key]) > 1 for key in several)
        if self._bare <= 0:
            return False, False
        if not both and len(several) >= _ENOUGH_NAMES:
            return False, False
        named = _NAMED_CONTROL.search(path.stem.casefold()) is not None
        is_control = both * _PART_OF_BOTH >= len(several) if both else named
        return is_control, not is_control

    def settle(self, item: Stated) -> None:
        """Settle the role of a row by the file, where the row leaves it open."""
        usual, count = self._unknowns.most_common(1)[0]
        in_order = count >= _IN_ORDER * self._unknowns.total() and usual + sum(item.people) == 3
        found = self.places.get(item.place, set()) if in_order else set[int]()
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


def _pair(item: Stated) -> tuple[object, ...]:
    """A question with the groups of its two people, in any order."""
    return (*item.question, *sorted(group for _, group in item.named))


def _from_facts(item: Stated, facts: Facts) -> int | None:
    labels = [group for _, group in item.named]
    groups = facts.targets.get(_pair(item), ())
    # A second feature tells them apart, where two categories cross.
    crossing = "_x_" in item.question[0].casefold()
    races = {features(label)[1] for label in labels}
    one_race = item.kind.endswith("_a") or (crossing and len(races) == 1)
    if len(groups) == 1 and labels[0] != labels[1] and not one_race:
        return item.people[labels.index(next(iter(groups)))]
    found = facts.seconds.get(item.question, {})
    if not one_race or len(found) != 1 or max(map(len, found.values())) < 2:
        return None  # one pair of people could be chance
    (second,) = found
    seconds = [features(label)[0] for label in labels]
    if seconds.count(second) == 1:
        return item.people[seconds.index(second)]
    if second not in seconds and labels.count("") == 1:
        return item.people[labels.index("")]  # the other person has the other feature
    return None


class Languages:
    """Whether the texts of a file are in several languages, which one set never is.

    They are told by scripts, and by unknown expressions that no one language has all of. Of a large
    file one row in so many is looked at.
    """

    def __init__(self) -> None:
        self._scripts: dict[str, list[int]] = {}
        self._unknown: dict[str, int] = {}
        self._rows = 0

    def add(self, row: int, texts: Iterable[str], unknown: str) -> None:
        """Take in a row: texts of it, and its unknown choice."""
        self._rows += 1
        if self._rows > _EVERY_ROW and self._rows % _ONE_ROW_IN:
            return
        for text in texts:
            letters = text[:: max(len(text) // 8, 1)]  # a name or two may be in another script
            scripts = {script_of(one) for one in letters if one.isalpha()}
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
                f"{script} ({count:,}, first row {row:,})"
                for script, (count, row) in self._scripts.items()
            )
            return f"texts are written in several scripts: {', '.join(told)}"
        spoken = {text: _spoken(text) for text in self._unknown}
        known = {text: codes for text, codes in spoken.items() if codes}
        if known and not frozenset.intersection(*known.values()):
            told = (f"{text} (row {self._unknown[text]:,})" for text in list(known)[:6])
            return f"unknown expressions are of several languages: {', '.join(told)}"
        return ""


@lru_cache(maxsize=4096)
def script_of(letter: str) -> str:
    """The script of a letter, as Unicode calls it."""
    found = unicodedata.name(letter, "").partition(" ")[0]
    return "CJK" if found in ("HIRAGANA", "KATAKANA", "FULLWIDTH") else found


@lru_cache(maxsize=1024)
def _spoken(text: str) -> frozenset[str]:
    """The languages that have an unknown expression."""
    return frozenset(code for code in available() if folded(text) in words_for("unknown", code))
