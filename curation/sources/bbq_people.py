"""The groups that a row of BBQ is about, and the two people that it draws.

Where a row does not name its people, they are drawn from its own list of names, or from the
vocabularies, as BBQ's generators draw it, but whole instead of five at a time:

- words of a category: a word of the stereotyped groups, and one of no stereotyped group;
- proper names where the stereotype is about a race: first and last name of one ethnicity, the
  other person of the same gender and of no stereotyped ethnicity;
- proper names where it is about gender: two first names of different genders;
- proper names where the text says who is who: any two first names, of different genders where
  the category is gender;
- a race and a second attribute (gender or status): the other person has the same race and
  another second attribute, or another race and the same one, or another race and another one.

What has to fit together is written as conditions on the slots; the features that they compare
stand with the fillers.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import product

from curation.files.tables import Row
from curation.records.letters import words_of
from curation.slots.grammar import Filler
from curation.sources.imported import Groups, People, RowReport, cell_error, read_groups, read_words
from curation.sources.roles import GENDERS, denied, gender
from curation.sources.vocabulary import ProperName, Vocabulary, Word

_english = partial(gender, language="en")
_PRONOUNS = {
    **dict.fromkeys(("she", "her", "hers"), "f"),
    **dict.fromkeys(("he", "him", "his"), "m"),
}


def key(name: str) -> str:
    """Write a group's or category's name so that its spellings are equal."""
    return "".join(map(_english, words_of(name.casefold())))


def stated_gender(cell: str) -> str:
    """The gender that `Stated_gender_info` states, `f` or `m`; empty if none or both."""
    words = words_of(cell.casefold())
    found = GENDERS & {_PRONOUNS.get(word) or _english(word) for word in words}
    return next(iter(found)) if len(found) == 1 else ""


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
        others = {denied(own, "en") for own in self.keys} - {""}
        keys = {key(name) for name in names} - self.keys
        return any(found in others or denied(found, "en") in self.keys for found in keys)

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
    pairs = [*product(races, seconds)]
    both = [(key(race), key(second)) for race, second in pairs]
    keys = {"".join(pair[::way]) for pair in both for way in (1, -1)}.union(*both)
    groups = tuple(f"{second}-{race}" for race, second in pairs)
    return Target(groups, frozenset(keys) - {""}, races, seconds)


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


# --- who is drawn

NAME, LAST = "NAME", "LAST"
"""Kinds of slots: a person's name, and the last name after it."""
_RACE, _GENDER, _STATUS = "Race_ethnicity", "Gender_identity", "SES"
_LAST_NAMES_FIT = ("{NAME1}.race = {LAST1}.race", "{NAME2}.race = {LAST2}.race")

Fillers = dict[str, tuple[Filler, ...]]
"""The fillers of one person, by kind of slot."""
Person = tuple[str, str]
"""A filler that is the full name of a person, and the person's group."""


@dataclass(frozen=True, slots=True)
class Pool:
    """The people that a row draws.

    Attributes:
        targets: The fillers of the person that the stereotype is about.
        others: The fillers of the other person.
        groups: The groups that the other person may be of.
        conditions: What fillings have to meet, slots written as `{NAME1}`.
        people: Fillers with their groups, where a filler alone tells it.
    """

    targets: Fillers
    others: Fillers
    groups: Groups
    conditions: tuple[str, ...] = ()
    people: tuple[Person, ...] = ()


class Draw:
    """What a row asks of the vocabularies.

    Args:
        row: The row.
        category: Its category.
        target: The groups that its stereotype is about.
        second: The kind of slot that says the second of two attributes and has no list of its
            own, for example `GEN`; empty where there is none.
        elsewhere: Whether the second attribute is said by lists of the row or by the text.
        infos: What the row says of each person; empty where that is to be drawn.
        vocabulary: The vocabularies.
    """

    def __init__(
        self,
        row: Row,
        category: str,
        target: Target,
        second: str,
        elsewhere: bool,
        infos: People,
        vocabulary: Vocabulary,
    ) -> None:
        self._row, self._category, self._infos = row, category, infos
        self._second, self._elsewhere = second, elsewhere
        self._vocabulary = vocabulary
        self._target = target
        self._races = simple_target(target.races)
        self._seconds = simple_target(target.seconds)
        self._is_proper = row.get("Proper_nouns_only").strip().casefold() in ("true", "yes", "1")
        self._by_gender = any(key(name) in GENDERS for name in target.seconds)
        """Whether the second attribute is gender."""
        self._in_name = bool(target.races) and self._by_gender and not elsewhere
        """Whether the name has to say the second attribute too."""

    def _listed(self) -> tuple[tuple[str, ...], ...]:
        """The words that the row lists itself, synonyms together."""
        cell = self._row.get("Names").strip()
        return read_words(cell, "Names") if cell else ()

    def _words(self, category: str, subcategory: bool = False) -> list[Word]:
        """The words of a category; of the row's subcategory only, where it is one of them.

        Raises:
            CellError: If there are none.
        """
        found = [word for word in self._vocabulary.words if key(word.category) == key(category)]
        if not found:
            raise cell_error("category-not-in-vocabulary", "Category", category=category)
        wanted = key(self._row.get("Subcategory")) if subcategory else ""
        every = not wanted or wanted not in {key(word.subcategory) for word in found}
        return [
            word for word in found if word.included and (every or key(word.subcategory) == wanted)
        ]

    def _names(self, place: str) -> list[ProperName]:
        names = self._vocabulary.names("Proper_nouns_only")
        return [name for name in names if name.place == place]

    def _full(self, names: Sequence[ProperName]) -> Fillers:
        """First names, and the last names of their ethnicities.

        Raises:
            CellError: If there is no last name for one of them.
        """
        races = {name.ethnicity for name in names}
        last = [name for name in self._names("last") if name.ethnicity in races]
        lacking = races - {name.ethnicity for name in last}
        if lacking:
            raise cell_error("no-last-name", "Proper_nouns_only", names=", ".join(sorted(lacking)))
        first = (_filler(it.name, race=it.ethnicity, gender=it.gender) for it in names)
        return {NAME: (*first,), LAST: (*(_filler(it.name, race=it.ethnicity) for it in last),)}

    def pool(self) -> Pool:
        """The people that a row draws.

        Raises:
            CellError: If a vocabulary is lacking, or has nobody for one of the two.
        """
        target = self._target
        if target.races and not (self._elsewhere or self._second or self._by_gender):
            seconds, races = (" or ".join(of) for of in (target.seconds, target.races))
            told = {"seconds": seconds, "races": races}
            raise cell_error("second-attribute-unclear", "Known_stereotyped_var2", **told)
        if target.races and (self._second or (self._is_proper and self._in_name)):
            return self._controlled()
        if listed := self._listed():
            return _split(((name, name) for words in listed for name in words), target, "Names")
        if self._is_proper:
            return self._proper()
        words = self._words(self._category, subcategory=True)
        return _split(_told(words, target), target)

    def tell(self, pool: Pool, report: RowReport) -> None:
        """Report what the draw could not respect, and what of BBQ's a reader may not expect."""
        target, row = self._target, self._row.number
        drawn = (filler for fillers in pool.targets.values() for filler in fillers)
        found = {key(said) for filler in drawn for said in _said(filler)}
        found |= {key(said) for person in pool.people for said in person}
        missing = [group for group in target.groups if key(group) not in found]
        if missing and not target.races and not any(self._infos):
            groups = ", ".join(missing)
            report.say("group-without-filler", row, "Known_stereotyped_groups", groups=groups)
        stated = self._row.get("Stated_gender_info")
        genders = {filler.feature("gender") for filler in pool.targets.get(NAME, ())} - {None}
        if stated_gender(stated) and len(genders) > 1 and LAST in pool.targets:
            report.say("stated-gender", row, "Stated_gender_info", cell=stated.strip())

    def _proper(self) -> Pool:
        """People with proper names, and one attribute of each."""
        target = self._races if self._target.races else self._target
        names = self._names("first")
        own = [name for name in names if target.has([name.ethnicity])]
        if own:
            # Somebody of the stereotyped race, and one of the same gender and another race.
            others = [name for name in names if not target.has([name.ethnicity])]
            _both("Known_stereotyped_groups", own, others)
            groups = dict.fromkeys(target.spelled(name.ethnicity) for name in others)
            conditions = ("{NAME1}.gender = {NAME2}.gender", *_LAST_NAMES_FIT)
            both = self._full(own), self._full(others)
            return Pool(*both, tuple(groups), conditions)
        names = self._names("first_only")
        gender = {name.name: name.gender for name in names}

        def with_gender(fillers: Iterable[Filler]) -> Fillers:
            return {NAME: tuple(_filler(it.text, gender=gender[it.text]) for it in fillers)}

        if any(target.has([target.spelled(name.gender)]) for name in names):
            pool = _split(((name.name, name.gender) for name in names), target)
            one, other = (with_gender(of[NAME]) for of in (pool.targets, pool.others))
            return Pool(one, other, pool.groups)
        if not any(self._infos):
            _both("Known_stereotyped_groups", (), names)
        everybody = with_gender(Filler(name.name) for name in names)
        by_gender = key(self._category) == key(_GENDER)
        differ = "{NAME1}.gender != {NAME2}.gender" if by_gender else "{NAME1} != {NAME2}"
        return Pool(everybody, everybody, (), (differ,))

    def _controlled(self) -> Pool:
        """People of a race and of a second attribute, in BBQ's three controlled pairs.

        Compared with the target the other person has the same race and another second attribute,
        or another race and the same second attribute, or another race and another one. Words for
        the same thing are not mixed: it is the same word of the race, and of the attribute.
        """
        targets, others = self._by_race()
        conditions: list[str] = []
        of_targets = {filler.feature("race") for filler in targets[NAME]}
        other_race = "{NAME1}.race != {NAME2}.race"
        # With names that say both, BBQ takes any other race, one of the stereotyped ones too.
        if len(of_targets) > 1 and self._second:
            other_race = "{NAME1}.target != {NAME2}.target"
            conditions.append("{NAME1}.race = {NAME2}.race or " + other_race)
            targets, others = (self._marked(people) for people in (targets, others))
        attribute = "gender" if self._by_gender else "status"
        one, two = "{NAME1}", "{NAME2}"
        if self._second:
            one, two = (f"{{{self._second}{number}}}" for number in (1, 2))
            own, every = self._second_words(attribute)
            targets, others = {**targets, self._second: own}, {**others, self._second: every}
        other_second = f"{one}.{attribute} != {two}.{attribute}"
        conditions.append(f"{other_race} or {other_second}")
        if self._second and len(targets[self._second]) > 1:
            conditions.append(f"{other_second} or {one} = {two}")
        if self._is_proper:
            if not self._in_name:
                conditions += ["{NAME1} != {NAME2} or " + other_race]
                conditions += ["{NAME1}.gender = {NAME2}.gender"]
            conditions += _LAST_NAMES_FIT
        races, seconds = (
            dict.fromkeys(filler.feature(feature) or "" for filler in others[kind])
            for kind, feature in ((NAME, "race"), (self._second or NAME, attribute))
        )
        groups = tuple(
            f"{second}-{self._races.spelled(race)}"
            for race, second in product(races, seconds)
            if not (self._races.has([race]) and self._seconds.has([second]))
        )
        return Pool(targets, others, groups, tuple(conditions))

    def _by_race(self) -> tuple[Fillers, Fillers]:
        """The people by race: those of the stereotyped races, and all."""
        races = self._races
        if not self._is_proper:
            words = self._words(_RACE)
            every = tuple(_filler(word.name, race=word.name) for word in words)
            own = tuple(filler for filler in every if races.has([filler.text]))
            _both("Known_stereotyped_race", own, every[len(own) :])
            return {NAME: own}, {NAME: every}
        names = self._names("first")
        stated = stated_gender(self._row.get("Stated_gender_info"))
        if stated and not self._in_name:
            names = [name for name in names if key(name.gender) == stated]
        of_race = [name for name in names if races.has([name.ethnicity])]
        if self._in_name:
            of_race = [name for name in of_race if self._seconds.has([name.gender])]
        _both("Known_stereotyped_race", of_race, names[len(of_race) :])
        return self._full(of_race), self._full(names)

    def _marked(self, people: Fillers) -> Fillers:
        """Say with each name whether its race is among the stereotyped ones."""

        def marked(filler: Filler) -> Filler:
            is_target = "yes" if self._races.has([filler.feature("race") or ""]) else "no"
            return replace(filler, features=(*filler.features, ("target", is_target)))

        return {**people, NAME: tuple(map(marked, people[NAME]))}

    def _second_words(self, attribute: str) -> tuple[tuple[Filler, ...], tuple[Filler, ...]]:
        """The words of the second attribute: those of the target, and all."""
        seconds, listed = self._seconds, self._listed()
        if listed:
            infos = read_groups(self._row.get("Var2_info"))
            if infos and len(infos) != len(listed):
                raise cell_error("entries-differ", "Var2_info", own=len(infos), listed=len(listed))
            of_entry = infos or tuple(words[0] for words in listed)
            told = [
                (word, info) for words, info in zip(listed, of_entry, strict=True) for word in words
            ]
        else:
            words = self._words(_GENDER if self._by_gender else _STATUS, subcategory=True)
            told = _told(words, seconds)

        def filler(word: str, info: str) -> Filler:
            code = key(info).upper() if key(info) in GENDERS else info  # as published: F, M
            return _filler(word, **{attribute: code})

        every = tuple(filler(word, seconds.spelled(info)) for word, info in told)
        own = tuple(item for item in every if seconds.has([_said(item)[1]]))
        _both("Known_stereotyped_var2", own, every[len(own) :])
        return own, every


def _filler(text: str, **features: str) -> Filler:
    return Filler(text, features=tuple(features.items()))


def _said(filler: Filler) -> tuple[str, ...]:
    return (filler.text, *(value for _, value in filler.features))


def _told(words: Sequence[Word], target: Target) -> list[Person]:
    """Words with their groups; they are these themselves where the stereotype names them so."""
    by_name = any(target.has([word.name]) for word in words)
    return [(word.name, word.name if by_name else word.info or word.name) for word in words]


def _split(
    people: Iterable[Person], target: Target, column: str = "Known_stereotyped_groups"
) -> Pool:
    """People of the target groups, and all others, whose groups are spelled as the target's."""
    unique = {name: target.spelled(group) for name, group in people}
    targets = [name for name, group in unique.items() if target.has([group])]
    others = [name for name in unique if name not in targets]
    _both(column, targets, others)
    groups = tuple(dict.fromkeys(unique[name] for name in others))
    one, other = ({NAME: tuple(map(Filler, names))} for names in (targets, others))
    return Pool(one, other, groups, people=tuple(unique.items()))


def _both(column: str, targets: Sequence[object], others: Sequence[object]) -> None:
    if not targets or not others:
        which = "of" if not targets else "outside"
        raise cell_error("nobody-of-a-side", column, which=which)
