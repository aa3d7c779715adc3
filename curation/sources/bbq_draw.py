"""The two people that a row of BBQ draws from its own list of names, or from the vocabularies.

Each of them is drawn as BBQ's generators draw it, but whole instead of five at a time:

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

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from curation.files.tables import Row
from curation.slots import Filler
from curation.sources.bbq_people import (
    GENDERS,
    ProperName,
    Target,
    Vocabulary,
    Word,
    key,
    simple_target,
    stated_gender,
)
from curation.sources.imported import CellError, RowReport, read_groups, read_words

NAME, LAST = "NAME", "LAST"
"""Kinds of slots: a person's name, and the last name after it."""
_RACE, _GENDER, _STATUS = "Race_ethnicity", "Gender_identity", "SES"
_SEVERAL = 2

Fillers = dict[str, tuple[Filler, ...]]
"""The fillers of one person, by kind of slot."""


@dataclass(frozen=True, slots=True)
class Person:
    """A filler that is the full name of a person, and the person's group."""

    name: str
    group: str


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
    groups: tuple[str, ...]
    conditions: tuple[str, ...] = ()
    people: tuple[Person, ...] = ()


@dataclass(frozen=True, slots=True)
class Draw:
    """What a row asks of the vocabularies.

    Attributes:
        row: The row.
        category: Its category.
        target: The groups that its stereotype is about.
        second: The kind of slot that says the second of two attributes and has no list of its
            own, for example `GEN`; empty where there is none.
        elsewhere: Whether the second attribute is said by lists of the row or by the text.
        infos: What the row says of each person; empty where that is to be drawn.
    """

    row: Row
    category: str
    target: Target
    second: str
    elsewhere: bool
    infos: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())

    @property
    def listed(self) -> tuple[tuple[str, ...], ...]:
        """The words that the row lists itself, synonyms together."""
        cell = self.row.get("Names").strip()
        return read_words(cell, "Names") if cell else ()

    @property
    def proper(self) -> bool:
        """Whether people have proper names."""
        return self.row.get("Proper_nouns_only").strip().casefold() in ("true", "yes", "1")

    @property
    def second_is_gender(self) -> bool:
        """Whether the second attribute is gender."""
        return any(key(name) in GENDERS for name in self.target.seconds)

    @property
    def attribute(self) -> str:
        """The feature that holds the second attribute."""
        return "gender" if self.second_is_gender else "status"

    @property
    def in_name(self) -> bool:
        """Whether the name has to say the second attribute too."""
        return bool(self.target.races) and self.second_is_gender and not self.elsewhere


def draw(asked: Draw, vocabulary: Callable[[], Vocabulary]) -> Pool:
    """The people that a row draws.

    Args:
        asked: What it asks for.
        vocabulary: Gives the vocabularies, if they are needed.

    Raises:
        CellError: If a vocabulary is lacking, or has nobody for one of the two.
    """
    if asked.target.races and (asked.second or (asked.proper and asked.in_name)):
        return _controlled(asked, vocabulary)
    if asked.listed:
        names = [word for words in asked.listed for word in words]
        people = [Person(name, asked.target.spelled(name)) for name in names]
        return _split("Names", people, lambda person: asked.target.has([person.name]))
    if asked.proper:
        return _proper(asked, vocabulary())
    if asked.in_name:
        return _both_in_one_word(asked, vocabulary())
    if asked.target.races:
        return _words(vocabulary().words_of(_RACE), simple_target(asked.target.races))
    words = vocabulary().words_of(asked.category, asked.row.get("Subcategory"))
    return _words(words, asked.target)


def tell(asked: Draw, pool: Pool, report: RowReport) -> None:
    """Report what the draw could not respect, and what of BBQ's draw a reader may not expect."""
    target, row = asked.target, asked.row.number
    drawn = (filler for fillers in pool.targets.values() for filler in fillers)
    found = {key(said) for filler in drawn for said in _said(filler)}
    found |= {key(name) for person in pool.people for name in (person.group, person.name)}
    missing = [group for group in target.groups if key(group) not in found]
    if missing and not target.races and not any(asked.infos):
        report.note(
            "source-group-without-filler",
            row,
            "Known_stereotyped_groups",
            f"no filler is given for {', '.join(missing)}",
        )
    if target.races and not (asked.elsewhere or asked.second or asked.second_is_gender):
        report.warn(
            "source-second-attribute",
            row,
            "Known_stereotyped_var2",
            f"it is not stated who is {' or '.join(target.seconds)}; "
            f"the person who is {' or '.join(target.races)} counts as the target",
            "name it in NAME1_info and NAME2_info",
        )
    gender = stated_gender(asked.row.get("Stated_gender_info"))
    genders = {filler.feature("gender") for filler in pool.targets.get(NAME, ())} - {None}
    if gender and len(genders) > 1 and LAST in pool.targets:
        report.note(
            "source-stated-gender",
            row,
            "Stated_gender_info",
            f"the text says of both people '{asked.row.get('Stated_gender_info').strip()}', "
            "and BBQ draws names of both genders for it; so does this template",
            "take the names of the other gender out of the lists, if they do not fit the text",
        )


def _said(filler: Filler) -> tuple[str, ...]:
    return (filler.text, *(value for _, value in filler.features))


def _words(words: Sequence[Word], target: Target) -> Pool:
    """Split words; they are groups themselves where the stereotype names them as such."""
    by_name = any(target.has([word.name]) for word in words)
    people = [
        Person(word.name, target.spelled(word.name if by_name else word.info or word.name))
        for word in words
    ]
    return _split("Known_stereotyped_groups", people, lambda person: target.has([person.group]))


def _both_in_one_word(asked: Draw, vocabulary: Vocabulary) -> Pool:
    """People of a race and a gender that one name says: `Black woman`."""
    people = [
        Person(f"{race.name} {gender.name}", _joint(key(gender.name).upper(), race.name))
        for race in vocabulary.words_of(_RACE)
        for gender in vocabulary.words_of(_GENDER, asked.row.get("Subcategory"))
    ]
    return _split_by_group(people, asked.target)


def _split_by_group(people: Sequence[Person], target: Target) -> Pool:
    spelled = [Person(person.name, target.spelled(person.group)) for person in people]
    return _split("Known_stereotyped_groups", spelled, lambda person: target.has([person.group]))


def _split(column: str, people: Sequence[Person], is_target: Callable[[Person], bool]) -> Pool:
    unique = tuple({person.name: person for person in people}.values())
    targets = [person for person in unique if is_target(person)]
    others = [person for person in unique if not is_target(person)]
    _both(column, targets, others)
    return Pool(
        {NAME: tuple(Filler(person.name) for person in targets)},
        {NAME: tuple(Filler(person.name) for person in others)},
        tuple(dict.fromkeys(person.group for person in others)),
        people=unique,
    )


def _both(column: str, targets: Sequence[object], others: Sequence[object]) -> None:
    if not targets or not others:
        which = "of" if not targets else "outside"
        raise CellError(
            column,
            f"no filler is {which} the stereotyped groups",
            "name the groups as the fillers or the vocabulary name them",
        )


def _proper(asked: Draw, vocabulary: Vocabulary) -> Pool:
    """People with proper names, and one attribute of each."""
    target = simple_target(asked.target.races) if asked.target.races else asked.target
    names = vocabulary.names_at("first")
    if any(target.has([name.ethnicity]) for name in names):
        return _of_a_race(names, vocabulary, target)
    names = vocabulary.names_at("first_only")
    people = [Person(name.name, target.spelled(name.gender)) for name in names]
    if any(target.has([person.group]) for person in people):
        pool = _split_by_group(people, target)
        targets, others = (_first(names, drawn) for drawn in (pool.targets, pool.others))
        return Pool(targets, others, pool.groups)
    if not any(asked.infos):
        _both("Known_stereotyped_groups", (), people)
    everybody = _first(names, {NAME: tuple(Filler(name.name) for name in names)})
    by_gender = key(asked.category) == key(_GENDER)
    differ = "{NAME1}.gender != {NAME2}.gender" if by_gender else "{NAME1} != {NAME2}"
    return Pool(everybody, everybody, (), (differ,))


def _first(names: Iterable[ProperName], drawn: Fillers) -> Fillers:
    """First names with their gender."""
    gender = {name.name: name.gender for name in names}
    fillers = (Filler(item.text, features=(("gender", gender[item.text]),)) for item in drawn[NAME])
    return {NAME: tuple(fillers)}


def _of_a_race(names: Sequence[ProperName], vocabulary: Vocabulary, target: Target) -> Pool:
    """First and last names: somebody of the stereotyped race, and one of the same gender."""
    own = [name for name in names if target.has([name.ethnicity])]
    others = [name for name in names if not target.has([name.ethnicity])]
    _both("Known_stereotyped_groups", own, others)
    return Pool(
        _full(own, vocabulary),
        _full(others, vocabulary),
        tuple(dict.fromkeys(target.spelled(name.ethnicity) for name in others)),
        ("{NAME1}.gender = {NAME2}.gender", *_LAST_NAMES_FIT),
    )


_LAST_NAMES_FIT = ("{NAME1}.race = {LAST1}.race", "{NAME2}.race = {LAST2}.race")


def _full(names: Sequence[ProperName], vocabulary: Vocabulary) -> Fillers:
    """First names, and the last names of their ethnicities.

    Raises:
        CellError: If there is no last name for one of them.
    """
    races = {name.ethnicity for name in names}
    last = [name for name in vocabulary.names_at("last") if name.ethnicity in races]
    lacking = races - {name.ethnicity for name in last}
    if lacking:
        raise CellError(
            "Proper_nouns_only",
            f"no last name in the vocabulary is of the ethnicity {', '.join(sorted(lacking))}",
            "add one to vocabulary_proper_names.csv",
        )
    return {
        NAME: tuple(
            Filler(name.name, features=(("race", name.ethnicity), ("gender", name.gender)))
            for name in names
        ),
        LAST: tuple(Filler(name.name, features=(("race", name.ethnicity),)) for name in last),
    }


def _controlled(asked: Draw, vocabulary: Callable[[], Vocabulary]) -> Pool:
    """People of a race and of a second attribute, in BBQ's three controlled pairs.

    Compared with the target the other person has the same race and another second attribute,
    or another race and the same second attribute, or another race and another one. Words for
    the same thing are not mixed: it is the same word of the race, and of the attribute.
    """
    races = simple_target(asked.target.races)
    targets, others = _races(asked, vocabulary, races)
    conditions: list[str] = []
    of_targets = {filler.feature("race") for filler in targets[NAME]}
    # With names that say both, BBQ takes any other race, one of the stereotyped ones too.
    if len(of_targets) < _SEVERAL or not asked.second:
        other_race = "{NAME1}.race != {NAME2}.race"
    else:
        other_race = "{NAME1}.target != {NAME2}.target"
        conditions.append("{NAME1}.race = {NAME2}.race or " + other_race)
        targets, others = (_marked(people, races) for people in (targets, others))
    attribute = asked.attribute
    if asked.second:
        one, two = (f"{{{asked.second}{number}}}" for number in (1, 2))
        own, every = _seconds(asked, vocabulary)
        targets, others = {**targets, asked.second: own}, {**others, asked.second: every}
    else:
        one, two = "{NAME1}", "{NAME2}"
    other_second = f"{one}.{attribute} != {two}.{attribute}"
    conditions.append(f"{other_race} or {other_second}")
    if asked.second and len(targets[asked.second]) >= _SEVERAL:
        conditions.append(f"{other_second} or {one} = {two}")
    if asked.proper:
        if not asked.in_name:
            conditions += ["{NAME1} != {NAME2} or " + other_race]
            conditions += ["{NAME1}.gender = {NAME2}.gender"]
        conditions += _LAST_NAMES_FIT
    groups = _joint_groups(asked, others, races, simple_target(asked.target.seconds))
    return Pool(targets, others, groups, tuple(conditions))


def _races(
    asked: Draw, vocabulary: Callable[[], Vocabulary], races: Target
) -> tuple[Fillers, Fillers]:
    """The people by race: those of the stereotyped races, and all."""
    if not asked.proper:
        words = vocabulary().words_of(_RACE)
        every = tuple(Filler(word.name, features=(("race", word.name),)) for word in words)
        own = tuple(filler for filler in every if races.has([filler.text]))
        _both("Known_stereotyped_race", own, every[len(own) :])
        return {NAME: own}, {NAME: every}
    names = vocabulary().names_at("first")
    stated = stated_gender(asked.row.get("Stated_gender_info"))
    if stated and not asked.in_name:
        names = [name for name in names if key(name.gender) == stated]
    of_race = [name for name in names if races.has([name.ethnicity])]
    if asked.in_name:
        seconds = simple_target(asked.target.seconds)
        of_race = [name for name in of_race if seconds.has([name.gender])]
    _both("Known_stereotyped_race", of_race, names[len(of_race) :])
    return _full(of_race, vocabulary()), _full(names, vocabulary())


def _marked(people: Fillers, races: Target) -> Fillers:
    """Say with each name whether its race is among the stereotyped ones."""

    def marked(filler: Filler) -> Filler:
        is_target = "yes" if races.has([filler.feature("race") or ""]) else "no"
        return replace(filler, features=(*filler.features, ("target", is_target)))

    return {**people, NAME: tuple(map(marked, people[NAME]))}


def _seconds(
    asked: Draw, vocabulary: Callable[[], Vocabulary]
) -> tuple[tuple[Filler, ...], tuple[Filler, ...]]:
    """The words of the second attribute: those of the target, and all."""
    seconds = simple_target(asked.target.seconds)
    told: list[tuple[str, str]]
    if asked.listed:
        infos = read_groups(asked.row.get("Var2_info"))
        if infos and len(infos) != len(asked.listed):
            raise CellError(
                "Var2_info",
                f"it has {len(infos)} entries, Names has {len(asked.listed)}",
                "give a group for each entry of Names",
            )
        of_entry = infos or tuple(words[0] for words in asked.listed)
        told = [
            (word, info)
            for words, info in zip(asked.listed, of_entry, strict=True)
            for word in words
        ]
    else:
        category = _GENDER if asked.second_is_gender else _STATUS
        words = vocabulary().words_of(category, asked.row.get("Subcategory"))
        by_name = any(seconds.has([word.name]) for word in words)
        told = [(word.name, word.name if by_name else word.info or word.name) for word in words]
    every = tuple(
        Filler(word, features=((asked.attribute, _code(seconds.spelled(info))),))
        for word, info in told
    )
    own = tuple(filler for filler in every if seconds.has([_said(filler)[1]]))
    _both("Known_stereotyped_var2", own, every[len(own) :])
    return own, every


def _code(info: str) -> str:
    """A gender as the published files write it, `F` or `M`; anything else as it is."""
    return key(info).upper() if key(info) in GENDERS else info


def _joint(second: str, race: str) -> str:
    return f"{second}-{race}"


def _joint_groups(asked: Draw, others: Fillers, races: Target, seconds: Target) -> tuple[str, ...]:
    """The groups by both attributes that the other person may be of."""
    said = [
        dict.fromkeys(filler.feature(feature) or "" for filler in others[kind])
        for kind, feature in ((asked.second or NAME, asked.attribute), (NAME, "race"))
    ]
    return tuple(
        _joint(second, races.spelled(race))
        for race in said[1]
        for second in said[0]
        if not (races.has([race]) and seconds.has([second]))
    )
