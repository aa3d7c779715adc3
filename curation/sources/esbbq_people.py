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

from curation.files.tables import Row
from curation.slots.grammar import Condition, Filler, SlotComparison
from curation.sources.imported import People, cell_error, entries, read_groups
from curation.sources.vocabulary import ProperName, Vocabulary, Word, flag

NEUTRAL = "not-stereotyped"
"""What the vocabulary says of a group that can stand beside the stereotyped ones."""
WOMAN, MAN = "f", "m"

_SLOT = re.compile(r"\{*\s*(?P<kind>NAME|WORD)(?P<number>[1-9])\s*(?:-(?P<form>[\w-]+))?\s*\}*")
_ARTICLE = re.compile(r"^[^\W\d_]+(?: +|['’])")
_ENTRY = re.compile(r"\s*(?P<key>[^:\[\];]+?)\s*:\s*\[(?P<items>[^;]*)\]\s*(?:;|$)")

Fillers = tuple[Filler, ...]


def slot_of(written: re.Match[str]) -> tuple[str, str]:
    """The bank's name of a slot `NAME1-def`, and of the form that it asks for, which may be empty.

    Args:
        written: The match that found it.
    """
    form = re.sub(r"\W+", "_", (written["form"] or "").strip().casefold())
    return f"{written['kind'][0]}{written['number']}", form


def as_written(name: str) -> str:
    """A slot as the file writes it."""
    return ("NAME" if name[0] == "N" else "WORD") + name[1:]


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

    people: tuple[Fillers, Fillers]
    groups: People
    target: int = 1
    conditions: tuple[Condition, ...] = ()
    members: tuple[tuple[str, Filler], ...] = ()
    exchangeable: bool = False
    both_ways: bool = False
    article: bool = False


def cast_of(row: Row, vocabulary: Vocabulary, instead: Mapping[str, str]) -> Cast:
    """Find the people of a row.

    Args:
        row: The row.
        vocabulary: Where names are drawn from.
        instead: What stands in texts in place of some names.

    Raises:
        CellError: If no lists can be made, nobody is of the stereotyped groups, or the stated
            gender is none.
    """
    cast = _Casting(row, vocabulary).cast()
    for number, fillers in enumerate(cast.people, start=1):
        if not fillers:
            raise cell_error("no-name", "stereotyped_groups", number=number)

    def said(filler: Filler) -> Filler:
        text = filler.text
        for name, phrase in instead.items():
            text = text.replace(name, phrase)
        return replace(filler, text=text)

    one, two = (tuple(map(said, fillers)) for fillers in cast.people)
    members = tuple((group, said(item)) for group, item in cast.members)
    return replace(cast, people=(one, two), members=members)


class _Casting:
    """Finds the people of a row, by what it says of them."""

    def __init__(self, row: Row, vocabulary: Vocabulary) -> None:
        self._row = row
        self._vocabulary = vocabulary
        self._targets = read_groups(row["stereotyped_groups"])
        one, two = (read_groups(row.get(f"NAME{number}_info")) for number in (1, 2))
        self._infos = one, two
        stated = row.get("stated_gender_info").strip().casefold()
        self._gender = stated.removeprefix("fake-")  # a gender of the grammar alone
        if self._gender not in ("", WOMAN, MAN):
            raise cell_error("no-gender", "stated_gender_info", stated=stated)

    def cast(self) -> Cast:
        """The people."""
        if not self._targets:
            raise cell_error("no-group", "stereotyped_groups")
        if flag(self._row.get("proper_nouns_only"), default=False):
            return self._proper()
        return self._own() if self._row.get("names").strip() else self._drawn()

    def _own(self) -> Cast:
        """The people that the row lists."""
        words = self._words() if self._vocabulary.words else ()
        feminine = {word.name: word.feminine.text for word in words if self._gender == WOMAN}
        names = self._row["names"].strip()
        if names.startswith("[") and not _SLOT.match(names[1:].lstrip()):
            every = tuple(map(Filler, read_groups(names)))
            listed = [
                tuple(item for item in every if (item.text in self._targets) is of_targets)
                for of_targets in (True, False)
            ]
        else:
            found = read_lists(names, "names")
            listed = [found.get("N1", ()), found.get("N2", ())]
        one, two = (
            tuple(replace(item, text=feminine.get(item.text, item.text)) for item in fillers)
            for fillers in listed
        )
        groups = [
            info or tuple(item.text for item in fillers)
            for info, fillers in zip(self._infos, listed, strict=True)
        ]
        return self._told((one, two), (groups[0], groups[1]))

    def _proper(self) -> Cast:
        """Proper names, by what the stereotyped groups are."""
        targets, beside = {*self._targets}, self._beside
        own = [item for item in self._names() if item.ethnicity in targets]
        if own:
            return self._of_ethnicities(_of_gender(own, self._gender), beside(self._gender))
        if targets <= {WOMAN, MAN}:
            women, men = (tuple(item.filler for item in beside(of)) for of in (WOMAN, MAN))
            return replace(self._told((women, men), ((WOMAN,), (MAN,))), article=True)
        named = tuple(item.filler for item in beside(self._gender))
        if len(named) < 2:
            raise cell_error("one-name-only", "proper_nouns_only")
        differ = Condition((SlotComparison("N1", "!=", "N2"),))
        cast = self._told((named, named), self._infos)
        return replace(cast, conditions=(differ,), exchangeable=True, article=True)

    def _names(self) -> tuple[ProperName, ...]:
        return self._vocabulary.names("proper_nouns_only")

    def _beside(self, gender: str) -> tuple[ProperName, ...]:
        """The proper names of ethnicities that are not stereotyped, of one gender or of all.

        Raises:
            CellError: If there are none.
        """
        neutral = {word.name for word in self._included() if word.info == NEUTRAL}
        names = _of_gender(self._names(), gender)
        if named := tuple(item for item in names if item.ethnicity in neutral):
            return named
        raise cell_error("no-neutral-name", "proper_nouns_only", neutral=NEUTRAL)

    def _of_ethnicities(self, own: Sequence[ProperName], beside: Sequence[ProperName]) -> Cast:
        """Names of stereotyped ethnicities against names of the others, of the same gender."""
        alike = Condition((SlotComparison("N1", "=", "N2", "gender"),))
        conditions = () if self._gender else (alike,)

        def filler(item: ProperName) -> Filler:
            gender = (("gender", item.gender),) if conditions else ()
            return replace(item.filler, features=(*item.filler.features, *gender))

        one, two = (tuple(map(filler, named)) for named in (own, beside))
        ours, theirs = (tuple(dict.fromkeys(it.ethnicity for it in of)) for of in (own, beside))
        members = tuple((item.ethnicity, filler(item)) for item in (*own, *beside))
        return Cast((one, two), (ours, theirs), 1, conditions, members, article=True)

    def _drawn(self) -> Cast:
        """Groups and words: those that are stereotyped against those that are not."""
        words, targets = self._words(), {*self._targets}
        said = {word.info for word in words} - {"", NEUTRAL}
        if targets <= said:
            own = [word for word in words if word.info in targets]
            rest = [word for word in words if word.info in said - targets]
            infos = tuple(dict.fromkeys(word.info for word in rest))
            one, two = (tuple(self._said(word) for word in of) for of in (own, rest))
            named = [word.info for word in (*own, *rest)]
            groups = self._targets, infos
        else:
            neutral = tuple(word.name for word in words if word.info == NEUTRAL)
            others = read_groups(self._row.get("non_stereotyped_groups")) or neutral
            known = {word.name: word for word in reversed(words)}
            one, two = (
                tuple(self._said(known[name]) if name in known else Filler(name) for name in names)
                for names in (self._targets, others)
            )
            named = [*self._targets, *others]
            groups = self._targets, others
        members = tuple(zip(named, (*one, *two), strict=True))
        return Cast((one, two), groups, members=members, both_ways=targets <= said)

    def _included(self) -> list[Word]:
        """The words that are used.

        Raises:
            CellError: If there is no vocabulary of them.
        """
        if not self._vocabulary.words:
            raise cell_error("no-vocabulary", "esbbq_category")
        return [word for word in self._vocabulary.words if word.included]

    def _words(self) -> tuple[Word, ...]:
        """The words of the row's category, and of its subcategory where it names one."""
        category = self._row["esbbq_category"].strip()
        subcategory = self._row.get("subcategory").strip()
        return tuple(
            word
            for word in self._included()
            if word.category == category and subcategory in ("", word.subcategory)
        )

    def _said(self, word: Word) -> Filler:
        """What stands in a text whose people are of the row's gender."""
        return word.feminine if self._gender == WOMAN else word.filler

    def _told(self, people: tuple[Fillers, Fillers], groups: People) -> Cast:
        """Tell the target by the groups of both people."""
        targets = {*self._targets}
        are = [not targets.isdisjoint(own) for own in groups]
        if sum(are) != 1:
            raise cell_error("nobody-stereotyped", "NAME1_info")
        one, two = (tuple(name for name in own if name in targets) or own for own in groups)
        return Cast(people, (one, two), 1 + are.index(True))


def _of_gender(names: Iterable[ProperName], gender: str) -> list[ProperName]:
    return [item for item in names if not gender or item.gender in (gender, "")]


def read_lists(cell: str, column: str) -> Mapping[str, Fillers]:
    """Read `NAME1: [a, b]; NAME1-def: [the a, the b]` as fillers with named forms.

    Where there are forms alone, the name is the first of them without its article.

    Raises:
        CellError: If the cell holds anything else, or lists of one slot differ in length.
    """
    found: dict[str, dict[str, tuple[str, ...]]] = {}
    for entry in entries(cell.replace('"', "").strip(), _ENTRY, column):
        slot = _SLOT.fullmatch(entry["key"])
        if slot is None:
            raise cell_error("no-list", column, near=entry.string[entry.start() :][:20])
        name, key = slot_of(slot)
        forms = found.setdefault(name, {})
        if key in forms:
            raise cell_error("two-lists", column, slot=entry["key"])
        parts = (part.strip().strip("[]'").strip() for part in entry["items"].split(","))
        forms[key] = tuple(filter(None, parts))
    return {name: _fillers(as_written(name), forms, column) for name, forms in found.items()}


def _fillers(name: str, forms: dict[str, tuple[str, ...]], column: str) -> Fillers:
    first, listed = next(iter(forms.items()))
    for key, items in forms.items():
        if len(items) != len(listed):
            one, other = (f"{name}-{item}" if item else name for item in (first, key))
            told = {"own": len(listed), "others": len(items)}
            raise cell_error("lists-differ", column, one=one, other=other, **told)
    bases = forms.get("") or tuple(_ARTICLE.sub("", item) or item for item in listed)
    named = {key: items for key, items in forms.items() if key}
    return tuple(
        Filler(base, features=tuple((key, items[at]) for key, items in named.items()))
        for at, base in enumerate(bases)
    )
