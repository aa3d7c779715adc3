"""The two people of a row of EsBBQ or CaBBQ: from its own lists, or from the vocabularies.

The vocabulary names groups and occupations, some with a feminine word and, in a language whose
articles melt into what follows, with their article; proper names come with gender and ethnicity.
Which names a row draws follows from its columns, as its publishers' instances show:

- a row with `names` has its own lists;
- a row of proper names whose stereotyped groups are ethnicities takes names of these for NAME1, and
  names of the same gender of an ethnicity that is not stereotyped for NAME2;
- where they are genders NAME1 is a woman and NAME2 a man, and where they are neither both are any
  two different names of the stated gender, in both cases of an ethnicity that is not stereotyped;
- a row whose stereotyped groups are what the vocabulary says of its words (`lowSES`) sets the
  words of these against the others;
- any other row sets its stereotyped groups against `non_stereotyped_groups`, or against the groups
  that the vocabulary calls not stereotyped.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from curation.files.tables import Row, Table, read_flag
from curation.slots import Comparison, Condition, Filler
from curation.sources.imported import CellError, read_groups

NEUTRAL = "not-stereotyped"
"""What the vocabulary says of a group that can stand beside the stereotyped ones."""
WOMAN, MAN = "f", "m"
WITH_ARTICLE = "def"
"""The named form of a filler with its definite article."""

_VOCABULARY = frozenset({"category", "information"})
_PROPER_NAMES = frozenset({"gender"})
_SLOT = re.compile(r"\{*\s*(?P<kind>NAME|WORD)(?P<number>[1-9])\s*(?:-(?P<form>[\w-]+))?\s*\}*")
_ARTICLE = re.compile(r"^[^\W\d_]+(?: +|['’])")
_ENTRY = re.compile(r"\s*(?P<key>[^:\[\];]+?)\s*:\s*\[(?P<items>[^;]*)\]\s*(?:;|$)")


@dataclass(frozen=True, slots=True)
class Cells:
    """Reads the cells of one language: those of `name_es`, or of `name` that all share."""

    language: str

    def of(self, row: Row, name: str) -> str:
        """The cell of a column, without white space around it."""
        return (row.get(f"{name}_{self.language}") or row.get(name)).strip()

    def column(self, table: Table, name: str) -> str:
        """The name of a column as the file has it."""
        own = f"{name}_{self.language}"
        return own if own in table.columns else name

    def has(self, columns: Iterable[str], name: str) -> bool:
        """Whether a file has a column, in this language or for all."""
        return bool({name, f"{name}_{self.language}"} & {*columns})


def form_key(written: str) -> str:
    """The name of a form as the slot grammar writes it."""
    return re.sub(r"\W+", "_", written.strip().casefold())


@dataclass(frozen=True, slots=True)
class Word:
    """A word of the vocabulary.

    Attributes:
        category: Its category.
        subcategory: Its subcategory.
        name: The word.
        filler: What stands in a text.
        feminine: What stands in a text of women.
        information: What the vocabulary says of it.
    """

    category: str
    subcategory: str
    name: str
    filler: Filler
    feminine: Filler
    information: str

    def of_gender(self, gender: str) -> Filler:
        """What stands in a text whose people are of a gender."""
        return self.feminine if gender == WOMAN else self.filler


@dataclass(frozen=True, slots=True)
class ProperName:
    """A first name, its gender and its ethnicity."""

    filler: Filler
    gender: str
    ethnicity: str


@dataclass(frozen=True)
class Vocabularies:
    """The words and names of all vocabularies that were given.

    Attributes:
        words: The words that are used.
        names: The proper names.
        has_words: Whether a vocabulary of words was given.
        has_names: Whether one of proper names was.
    """

    words: tuple[Word, ...] = ()
    names: tuple[ProperName, ...] = ()
    has_words: bool = False
    has_names: bool = False

    @cached_property
    def neutral(self) -> frozenset[str]:
        """The groups of all categories that are not stereotyped.

        Raises:
            CellError: If there is no vocabulary of words.
        """
        return frozenset(word.name for word in self._known_words if word.information == NEUTRAL)

    @property
    def _known_words(self) -> tuple[Word, ...]:
        if not self.has_words:
            raise CellError(
                "esbbq_category",
                "the people are drawn from the vocabulary, and none was given",
                "put vocabulary.xlsx beside the templates, or name it too",
            )
        return self.words

    def of(self, category: str, subcategory: str) -> tuple[Word, ...]:
        """The words of a category, and of a subcategory where one is named.

        Raises:
            CellError: If there is no vocabulary.
        """
        return tuple(
            word
            for word in self._known_words
            if word.category == category and subcategory in ("", word.subcategory)
        )

    def beside(self, gender: str) -> tuple[ProperName, ...]:
        """The proper names of ethnicities that are not stereotyped, of one gender or of all.

        Raises:
            CellError: If there are none.
        """
        names = [item for item in self.known_names if item.ethnicity in self.neutral]
        named = tuple(item for item in names if not gender or item.gender in (gender, ""))
        if not named:
            raise CellError(
                "proper_nouns_only",
                "no proper name is of an ethnicity that is not stereotyped",
                f"mark the ethnicity as {NEUTRAL} in the column information of the vocabulary",
            )
        return named

    @property
    def known_names(self) -> tuple[ProperName, ...]:
        """The proper names.

        Raises:
            CellError: If there is no vocabulary of them.
        """
        if not self.has_names:
            raise CellError(
                "proper_nouns_only",
                "proper names are asked for, and no vocabulary of them was given",
                "put vocabulary_proper_names.xlsx beside the templates, or name it too",
            )
        return self.names


def is_vocabulary(columns: Iterable[str], cells: Cells) -> bool:
    """Whether a header is that of a vocabulary of words."""
    return {*columns} >= _VOCABULARY and cells.has(columns, "name")


def is_names_vocabulary(columns: Iterable[str], cells: Cells) -> bool:
    """Whether a header is that of a vocabulary of proper names."""
    return {*columns} >= _PROPER_NAMES and cells.has(columns, "proper_name")


def read_vocabularies(tables: Iterable[Table], cells: Cells) -> Vocabularies:
    """Read all vocabularies, each table by its header."""
    words: dict[Word, None] = {}
    names: dict[ProperName, None] = {}
    has_words = has_names = False
    for table in tables:
        if is_names_vocabulary(table.columns, cells):
            has_names = True
            names |= dict.fromkeys(item for row in table.rows for item in _names(row, cells))
        else:
            has_words = True
            words |= dict.fromkeys(item for row in table.rows for item in _words(row, cells))
    return Vocabularies(tuple(words), tuple(names), has_words, has_names)


def _words(row: Row, cells: Cells) -> list[Word]:
    name = cells.of(row, "name")
    if name in ("", "-") or not _is_included(row.get("include_name")):
        return []
    own, woman = (
        _with_article(cells.of(row, column) or name, cells.of(row, f"{column}_def"))
        for column in ("name", "f")
    )
    return [
        Word(
            row.get("category").strip(),
            row.get("subcategory").strip(),
            name,
            own,
            woman if cells.of(row, "f") else own,
            row.get("information").strip(),
        )
    ]


def _is_included(cell: str) -> bool:
    try:
        return read_flag(cell, default=True)
    except ValueError:
        return False


def _names(row: Row, cells: Cells) -> list[ProperName]:
    name = cells.of(row, "proper_name")
    if not name:
        return []
    filler = _with_article(name, cells.of(row, "proper_name_def"))
    return [ProperName(filler, row.get("gender").strip(), cells.of(row, "ethnicity"))]


def _with_article(name: str, form: str) -> Filler:
    return Filler(name, features=((WITH_ARTICLE, form),) if form else ())


@dataclass(frozen=True, slots=True)
class Cast:
    """Who the two people of a row are.

    Attributes:
        people: The fillers of NAME1 and of NAME2.
        groups: The groups of both.
        target: Who is of the stereotyped groups, 1 or 2.
        conditions: What a pair of them has to meet.
        members: Fillers with the group that each is of.
        exchangeable: Whether both draw from one list, so that the texts alone tell who is who.
        both_ways: Whether the publishers draw each for NAME1 and each for NAME2.
        article: Whether the names always stand with their article.
    """

    people: tuple[tuple[Filler, ...], tuple[Filler, ...]]
    groups: tuple[tuple[str, ...], tuple[str, ...]]
    target: int
    conditions: tuple[Condition, ...] = ()
    members: tuple[tuple[str, Filler], ...] = ()
    exchangeable: bool = False
    both_ways: bool = False
    article: bool = False


@dataclass(frozen=True, slots=True)
class Asked:
    """What a row says of its people.

    Attributes:
        category: Its category as published.
        subcategory: Its subcategory.
        targets: The stereotyped groups.
        others: The groups that it names as not stereotyped.
        infos: What it says of NAME1 and NAME2.
        gender: The gender that its texts have, `f`, `m` or none.
        names: Its own lists.
        is_proper: Whether both are proper names.
    """

    category: str
    subcategory: str
    targets: tuple[str, ...]
    others: tuple[str, ...]
    infos: tuple[tuple[str, ...], tuple[str, ...]]
    gender: str
    names: str
    is_proper: bool


def asked_of(row: Row, cells: Cells) -> Asked:
    """Read what a row says of its people.

    Raises:
        CellError: If the stated gender is none.
    """
    stated = row.get("stated_gender_info").strip().casefold()
    gender = stated.removeprefix("fake-")  # a gender of the grammar alone
    if gender not in ("", WOMAN, MAN):
        raise CellError(
            "stated_gender_info",
            f"'{stated}' is not a gender",
            "write f, m, fake-f, fake-m or nothing",
        )
    one, two = (read_groups(row.get(f"NAME{number}_info")) for number in (1, 2))
    return Asked(
        category=row.get("esbbq_category").strip(),
        subcategory=row.get("subcategory").strip(),
        targets=read_groups(cells.of(row, "stereotyped_groups")),
        others=read_groups(cells.of(row, "non_stereotyped_groups")),
        infos=(one, two),
        gender=gender,
        names=cells.of(row, "names"),
        is_proper=_is_set(row.get("proper_nouns_only")),
    )


def _is_set(cell: str) -> bool:
    try:
        return read_flag(cell, default=False)
    except ValueError:
        return True


def cast_of(asked: Asked, vocabularies: Vocabularies, instead: Mapping[str, str]) -> Cast:
    """Find the people of a row.

    Args:
        asked: What the row says of them.
        vocabularies: Where names are drawn from.
        instead: What stands in texts in place of some names.

    Raises:
        CellError: If no lists can be made, or nobody is of the stereotyped groups.
    """
    if not asked.targets:
        raise CellError("stereotyped_groups", "no stereotyped group is named", "name one")
    if asked.is_proper:
        cast = _proper(asked, vocabularies)
    elif asked.names:
        cast = _own(asked, vocabularies)
    else:
        cast = _drawn(asked, vocabularies)
    for number, fillers in enumerate(cast.people, start=1):
        if not fillers:
            raise CellError(
                "stereotyped_groups",
                f"there is no name for NAME{number}",
                "list the names of both people in the column names, or fill the vocabulary",
            )
    one, two = (tuple(_said(item, instead) for item in fillers) for fillers in cast.people)
    members = tuple((group, _said(item, instead)) for group, item in cast.members)
    return replace(cast, people=(one, two), members=members)


def _said(filler: Filler, instead: Mapping[str, str]) -> Filler:
    text = filler.text
    for name, phrase in instead.items():
        text = text.replace(name, phrase)
    return replace(filler, text=text)


def _own(asked: Asked, vocabularies: Vocabularies) -> Cast:
    """The people that the row lists."""
    words = vocabularies.of(asked.category, asked.subcategory) if vocabularies.has_words else ()
    feminine = {word.name: word.feminine.text for word in words if asked.gender == WOMAN}
    if asked.names.startswith("[") and not _SLOT.match(asked.names[1:].lstrip()):
        every = tuple(Filler(name) for name in read_groups(asked.names))
        listed = (
            tuple(item for item in every if item.text in asked.targets),
            tuple(item for item in every if item.text not in asked.targets),
        )
    else:
        found = read_lists(asked.names, "names")
        listed = (found.get("NAME1", ()), found.get("NAME2", ()))
    one, two = (
        tuple(replace(item, text=feminine.get(item.text, item.text)) for item in fillers)
        for fillers in listed
    )
    groups = tuple(
        info or tuple(item.text for item in fillers)
        for info, fillers in zip(asked.infos, listed, strict=True)
    )
    return _cast(asked, (one, two), (groups[0], groups[1]))


def _proper(asked: Asked, vocabularies: Vocabularies) -> Cast:
    """Proper names, by what the stereotyped groups are."""
    targets = {*asked.targets}
    if targets & {item.ethnicity for item in vocabularies.known_names}:
        every = [item for item in vocabularies.names if item.ethnicity in targets]
        own = [item for item in every if not asked.gender or item.gender in (asked.gender, "")]
        return _of_ethnicities(asked, own, vocabularies.beside(asked.gender))
    if targets <= {WOMAN, MAN}:
        women, men = vocabularies.beside(WOMAN), vocabularies.beside(MAN)
        people = tuple(item.filler for item in women), tuple(item.filler for item in men)
        return replace(_cast(asked, people, ((WOMAN,), (MAN,))), article=True)
    named = tuple(item.filler for item in vocabularies.beside(asked.gender))
    if len(named) < 2:
        raise CellError("proper_nouns_only", "there are not two different names", "add a name")
    cast = _cast(asked, (named, named), asked.infos)
    differ = Condition((Comparison("N1", "!=", "N2"),))
    return replace(cast, conditions=(differ,), exchangeable=True, article=True)


def _of_ethnicities(asked: Asked, own: Sequence[ProperName], beside: Sequence[ProperName]) -> Cast:
    """Names of the stereotyped ethnicities against names of the others, of the same gender."""
    people = [[item.filler for item in named] for named in (own, beside)]
    conditions: tuple[Condition, ...] = ()
    if not asked.gender:
        people = [
            [
                replace(item.filler, features=(*item.filler.features, ("gender", item.gender)))
                for item in named
            ]
            for named in (own, beside)
        ]
        conditions = (Condition((Comparison("N1", "=", "N2", "gender"),)),)
    one, two = (tuple(dict.fromkeys(item.ethnicity for item in named)) for named in (own, beside))
    members = tuple(
        (item.ethnicity, filler)
        for named, fillers in zip((own, beside), people, strict=True)
        for item, filler in zip(named, fillers, strict=True)
    )
    return Cast(
        (tuple(people[0]), tuple(people[1])),
        (one, two),
        target=1,
        conditions=conditions,
        members=members,
        article=True,
    )


def _drawn(asked: Asked, vocabularies: Vocabularies) -> Cast:
    """Groups and words: those that are stereotyped against those that are not."""
    words = vocabularies.of(asked.category, asked.subcategory)
    said = {word.information for word in words} - {"", NEUTRAL}
    if {*asked.targets} <= said:
        own = [word for word in words if word.information in asked.targets]
        rest = [word for word in words if word.information in said - {*asked.targets}]
        infos = tuple(dict.fromkeys(word.information for word in rest))
        people = (
            tuple(word.of_gender(asked.gender) for word in own),
            tuple(word.of_gender(asked.gender) for word in rest),
        )
        members = tuple((word.information, word.of_gender(asked.gender)) for word in (*own, *rest))
        groups = (asked.targets, infos)
        return Cast(people, groups, target=1, members=members, both_ways=True)
    neutral = tuple(word.name for word in words if word.information == NEUTRAL)
    groups = (asked.targets, asked.others or neutral)
    known = {word.name: word for word in reversed(words)}
    one, two = (
        tuple(
            known[name].of_gender(asked.gender) if name in known else Filler(name) for name in names
        )
        for names in groups
    )
    members = tuple(
        pair
        for names, fillers in zip(groups, (one, two), strict=True)
        for pair in zip(names, fillers, strict=True)
    )
    return Cast((one, two), groups, target=1, members=members)


def _cast(
    asked: Asked,
    people: tuple[tuple[Filler, ...], tuple[Filler, ...]],
    groups: tuple[tuple[str, ...], tuple[str, ...]],
) -> Cast:
    """Tell the target by the groups of both people."""
    targets = {*asked.targets}
    target = next((at for at, own in enumerate(groups, start=1) if targets & {*own}), None)
    if target is None:
        raise CellError(
            "NAME1_info",
            "neither NAME1 nor NAME2 is said to be of the stereotyped groups",
            "name a stereotyped group in NAME1_info or NAME2_info",
        )
    own = tuple(
        tuple(name for name in names if name in targets) or names
        if at == target
        else tuple(name for name in names if name not in targets) or names
        for at, names in enumerate(groups, start=1)
    )
    return Cast(people, (own[0], own[1]), target)


def read_lists(cell: str, column: str) -> Mapping[str, tuple[Filler, ...]]:
    """Read `NAME1: [a, b]; NAME1-def: [the a, the b]` as fillers with named forms.

    Where there are forms alone, the name is the first of them without its article.

    Raises:
        CellError: If the cell holds anything else, or lists of one slot differ in length.
    """
    found: dict[str, dict[str, tuple[str, ...]]] = {}
    text = cell.replace('"', "").strip()
    at = 0
    while at < len(text):
        entry = _ENTRY.match(text, at)
        slot = _SLOT.fullmatch(entry["key"]) if entry else None
        if entry is None or slot is None:
            near = text[at : at + 20]
            raise CellError(column, f"no list can be read at '{near}'", "write NAME1: [a, b]")
        key = form_key(slot["form"] or "")
        forms = found.setdefault(f"{slot['kind']}{slot['number']}", {})
        if key in forms:
            raise CellError(column, f"{entry['key']} has two lists", "join them into one")
        forms[key] = _items(entry["items"])
        at = entry.end()
    return {name: _fillers(name, forms, column) for name, forms in found.items()}


def _items(text: str) -> tuple[str, ...]:
    parts = (part.strip().strip("[]'").strip() for part in text.split(","))
    return tuple(part for part in parts if part)


def _fillers(name: str, forms: dict[str, tuple[str, ...]], column: str) -> tuple[Filler, ...]:
    first, listed = next(iter(forms.items()))
    for key, items in forms.items():
        if len(items) != len(listed):
            one, other = (f"{name}-{item}" if item else name for item in (first, key))
            raise CellError(
                column,
                f"the lists of {one} and {other} have {len(listed)} and {len(items)} names",
                "write one form of each name, in the same order",
            )
    bases = forms.get("") or tuple(_ARTICLE.sub("", item) or item for item in listed)
    named = {key: items for key, items in forms.items() if key}
    return tuple(
        Filler(base, features=tuple((key, items[at]) for key, items in named.items()))
        for at, base in enumerate(bases)
    )
