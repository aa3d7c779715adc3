"""The people that a row of BBQ draws from its own list of names, or from the vocabularies."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from curation.io.tables import Row
from curation.sources.bbq_groups import GENDERS, Target, key, simple_target, stated_gender
from curation.sources.bbq_vocabulary import Vocabulary, Word
from curation.sources.cells import CellError
from curation.sources.imported import RowReport

_RACE, _GENDER, _STATUS = "Race_ethnicity", "Gender_identity", "SES"


@dataclass(frozen=True, slots=True)
class Person:
    """A filler and the group that it stands for."""

    name: str
    group: str


@dataclass(frozen=True, slots=True)
class Pool:
    """The fillers for the person that the stereotype is about, and those for the other."""

    targets: tuple[Person, ...]
    others: tuple[Person, ...]


@dataclass(frozen=True, slots=True)
class Draw:
    """What a row asks of the vocabularies.

    Attributes:
        row: The row.
        category: Its category.
        target: The groups that its stereotype is about.
        listed: The names that it lists itself; none if it draws from the vocabularies.
        second_elsewhere: Whether the second of two attributes is not said by the name, but
            by a slot of its own or by the text.
    """

    row: Row
    category: str
    target: Target
    listed: tuple[str, ...]
    second_elsewhere: bool

    @property
    def gender(self) -> str:
        """The gender that both people have, `f` or `m`, or empty."""
        return stated_gender(self.row.get("Stated_gender_info"))

    @property
    def second_is_gender(self) -> bool:
        """Whether the second attribute is gender."""
        return any(key(name) in GENDERS for name in self.target.seconds)


def draw(asked: Draw, vocabulary: Vocabulary) -> Pool:
    """Give the fillers for both people of a row.

    Raises:
        CellError: If a vocabulary is lacking, or has nobody for one of the two.
    """
    if asked.listed:
        people = [Person(name, asked.target.spelled(name)) for name in asked.listed]
        return _split("Names", people, lambda person: asked.target.has([person.name]))
    if asked.row.get("Proper_nouns_only").strip().casefold() in ("true", "yes", "1"):
        return _proper(asked, vocabulary)
    if asked.target.races:
        return _two_attributes(asked, vocabulary)
    words = vocabulary.words_of(asked.category, asked.row.get("Subcategory"))
    return _words(words, asked.target)


def draw_second(asked: Draw, vocabulary: Vocabulary) -> Pool:
    """Give the fillers for the second attribute of both people.

    Raises:
        CellError: If a vocabulary is lacking, or has nothing for one of the two.
    """
    category = _GENDER if asked.second_is_gender else _STATUS
    words = vocabulary.words_of(category, asked.row.get("Subcategory"))
    return _words(words, simple_target(asked.target.seconds))


def tell(asked: Draw, pool: Pool, report: RowReport) -> None:
    """Report what the draw could not respect."""
    target, row = asked.target, asked.row.number
    found = {key(name) for person in pool.targets for name in (person.group, person.name)}
    missing = [group for group in target.groups if key(group) not in found]
    if missing and not target.races:
        report.note(
            "source-group-without-filler",
            row,
            "Known_stereotyped_groups",
            f"no filler stands for {', '.join(missing)}",
        )
    if target.races and not (asked.second_elsewhere or asked.second_is_gender):
        report.warn(
            "source-second-attribute",
            row,
            "Known_stereotyped_var2",
            f"it is not told who is {' or '.join(target.seconds)}; "
            f"who is {' or '.join(target.races)} counts as the target",
            "name it in NAME1_info and NAME2_info",
        )


def _words(words: Sequence[Word], target: Target) -> Pool:
    """Split words; they are groups themselves where the stereotype names them as such."""
    by_name = any(target.has([word.name]) for word in words)
    people = [
        Person(word.name, target.spelled(word.name if by_name else word.info or word.name))
        for word in words
    ]
    return _split("Known_stereotyped_groups", people, lambda person: target.has([person.group]))


def _two_attributes(asked: Draw, vocabulary: Vocabulary) -> Pool:
    """People of a race and of a second attribute: `Black woman` where the name says both."""
    races = simple_target(asked.target.races)
    words = vocabulary.words_of(_RACE)
    if asked.second_elsewhere or not asked.second_is_gender:
        return _words(words, races)
    people = [
        Person(f"{race.name} {gender.name}", f"{key(gender.name).upper()}-{race.name}")
        for race in words
        for gender in vocabulary.words_of(_GENDER, asked.row.get("Subcategory"))
        if asked.gender in ("", key(gender.name))
    ]
    return _split_by_group(people, asked.target)


def _proper(asked: Draw, vocabulary: Vocabulary) -> Pool:
    target, gender = asked.target, asked.gender
    names = vocabulary.full_names(gender)
    if target.races and asked.second_is_gender and not asked.second_elsewhere:
        return _split_by_group(
            [Person(name.name, f"{name.gender}-{name.ethnicity}") for name in names], target
        )
    by_race = simple_target(target.races) if target.races else target
    if any(by_race.has([name.ethnicity]) for name in names):
        return _split_by_group([Person(name.name, name.ethnicity) for name in names], by_race)
    names = vocabulary.first_names(gender)
    return _split_by_group([Person(name.name, name.gender) for name in names], target)


def _split_by_group(people: Sequence[Person], target: Target) -> Pool:
    spelled = [Person(person.name, target.spelled(person.group)) for person in people]
    return _split("Known_stereotyped_groups", spelled, lambda person: target.has([person.group]))


def _split(column: str, people: Sequence[Person], is_target: Callable[[Person], bool]) -> Pool:
    unique = tuple({person.name: person for person in people}.values())
    told = [(person, is_target(person)) for person in unique]
    targets = tuple(person for person, is_one in told if is_one)
    others = tuple(person for person, is_one in told if not is_one)
    if not targets or not others:
        which = "of" if not targets else "outside"
        raise CellError(
            column,
            f"no filler is {which} the stereotyped groups",
            "name the groups as the fillers or the vocabulary name them",
        )
    return Pool(targets, others)
