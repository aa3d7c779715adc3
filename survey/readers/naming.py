"""What the cells and headings of a simple table name: a question, or options of one.

A table may call options by their codes or by their texts. Where all cells of a question can be
read by both and not alike, or one cell in two ways, that is refused with the two readings. Capital
letters, accents and leading zeros are what typists and spreadsheets change: a cell that is one
option as it stands and another one without these has two readings, unless every cell of the
question stands as one way to call options has it.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Context, Decimal
from enum import IntEnum
from functools import lru_cache
from typing import NoReturn, Protocol

from curation.records.survey import Question, QuestionKind
from survey.readers.frames import plain
from survey.readers.options import joined_readings, labels_of, shown

_JOINERS = (";", "|")
Places = tuple[int, ...]
"""Positions of options."""


class Refuse(Protocol):
    """Refuses a cell: the key of what is wrong, and the cell."""

    def __call__(self, key: str, cell: str, /, **words: object) -> NoReturn:
        """Refuse it.

        Raises:
            CurateError: Always.
        """


class QuestionNames:
    """Finds questions by id, by template, by the text that was asked and by stereotype.

    Args:
        questions: The questionnaire.
        texts: By question the text that was asked, where it is known.
    """

    def __init__(self, questions: Sequence[Question], texts: Mapping[str, str]) -> None:
        self.questions = questions
        self._ways: list[dict[str, list[int]]] = []
        for name in (
            lambda item: item.id,
            lambda item: item.template_id,
            lambda item: texts.get(item.id, ""),
            lambda item: item.stereotype,
        ):
            self._ways.append(self._by(name))

    def _by(self, name: Callable[[Question], str]) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for at, question in enumerate(self.questions):
            called = typed(name(question))
            if called:
                found.setdefault(called, []).append(at)
        return found

    def places(self, text: str) -> list[int]:
        """The questions that a text names: none, one, or several that share it."""
        wanted = typed(text)
        for way in self._ways:
            if wanted in way:
                return way[wanted]
        return []


_APOSTROPHES = "\u2018\u2019\u201a\u201b\u02bc\u00b4`\u2032"
_QUOTES = "\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033"
_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2212"
_AS_TYPED = str.maketrans(
    dict.fromkeys(_APOSTROPHES, "'")
    | dict.fromkeys(_QUOTES, '"')
    | dict.fromkeys(_DASHES, "-")
    | {"\u2026": "..."}
)
_WITHIN = re.compile(r'\s*"\s*')


@lru_cache(maxsize=1 << 16)
def typed(text: str) -> str:
    """A text as a plain keyboard types it: small letters, straight apostrophes and quotes.

    Word processors and forms write curved ones by themselves.
    """
    small = plain(text).translate(_AS_TYPED).casefold()
    small = small.replace("\u0131", "i").replace("i\u0307", "i")  # the two letters i of Turkish
    return _WITHIN.sub('"', small)


@lru_cache(maxsize=1 << 12)
def _without_accent(character: str) -> str:
    """A Latin letter without its accent; every other character as it is."""
    if not unicodedata.name(character, "").startswith("LATIN"):
        return character
    parts = unicodedata.normalize("NFD", character)
    return "".join(part for part in parts if not unicodedata.combining(part)) or character


def unaccented(text: str) -> str:
    """A text with Latin letters without their accents."""
    return text if text.isascii() else "".join(map(_without_accent, text))


def _lacks_accents(text: str, name: str) -> bool:
    """Say whether a text is a name except for accents that it lacks; others are other words."""
    return len(text) == len(name) and all(
        one in (other, _without_accent(other)) for one, other in zip(text, name, strict=True)
    )


_NUMBER = re.compile(r"[+-]?[0-9]+(\.[0-9]+)?([Ee][+-]?[0-9]{1,3})?")


def _as_number(text: str) -> Decimal | None:
    """A number, whatever zeros it is written with; None where a text is no number."""
    if not _NUMBER.fullmatch(text):
        return None
    return Decimal(text).normalize(Context(prec=len(text)))


class Spelling(IntEnum):
    """How a cell writes an option: each one only where the one before fits nothing."""

    EXACT = 0
    TYPED = 1
    NUMBER = 2
    UNACCENTED = 3


class Note(IntEnum):
    """What a person should know of how a cell names options.

    The first three are its spelling. `ALIKE`: it may name another option too, as another way to
    call options has it, or in another spelling. `MIXED`: it is a code, and other cells of the
    question are texts.
    """

    TYPED = Spelling.TYPED
    NUMBER = Spelling.NUMBER
    UNACCENTED = Spelling.UNACCENTED
    ALIKE = 4
    MIXED = 5


@dataclass(frozen=True, slots=True)
class _Naming:
    """One way to call the options of a question.

    Attributes:
        exact: The options by name.
        typed: The same by names as a plain keyboard types them.
        numbers: The same of names that are numbers.
        bare: The names as typed, by what is left of them without accents.
    """

    exact: Mapping[str, frozenset[int]]
    typed: Mapping[str, frozenset[int]]
    numbers: Mapping[Decimal | None, frozenset[int]]
    bare: Mapping[str, Sequence[str]]

    def alone(self, text: str, spelling: Spelling) -> frozenset[int]:
        """The options that a text names whole; by a looser spelling only where none fits."""
        found: frozenset[int] = frozenset()
        for each in Spelling:
            found = found or (self.by(text, each) if each <= spelling else found)
        return found

    def by(self, text: str, spelling: Spelling) -> frozenset[int]:
        """The options that a text names whole in one spelling."""
        if spelling is Spelling.EXACT:
            return self.exact.get(text, frozenset())
        if spelling is Spelling.TYPED:
            return self.typed.get(typed(text), frozenset())
        if spelling is Spelling.NUMBER:
            return self.numbers.get(_as_number(text), frozenset())
        wanted = typed(text)
        names = self.bare.get(unaccented(wanted), ())
        near = (self.typed[name] for name in names if _lacks_accents(wanted, name))
        return frozenset().union(*near)


def _naming(names: Iterable[tuple[str, int]]) -> _Naming:
    exact: dict[str, frozenset[int]] = {}
    loose: dict[str, frozenset[int]] = {}
    numbers: dict[Decimal | None, frozenset[int]] = {}
    bare: dict[str, list[str]] = {}
    nothing: frozenset[int] = frozenset()
    for name, at in names:
        small, number = typed(name), _as_number(name)
        exact[name] = exact.get(name, nothing) | {at}
        loose[small] = loose.get(small, nothing) | {at}
        bare.setdefault(unaccented(small), []).append(small)
        if number is not None:
            numbers[number] = numbers.get(number, nothing) | {at}
    return _Naming(exact, loose, numbers, bare)


def namings(question: Question) -> tuple[_Naming, _Naming]:
    """The two ways to call a question's options: by their codes, and by their texts."""
    options = list(enumerate(question.options))
    texts = [(name, at) for at, option in options for name in sorted(labels_of(option))]
    return _naming((plain(option.code), at) for at, option in options), _naming(texts)


_Sets = frozenset[frozenset[int]]


@dataclass(frozen=True, slots=True)
class _Cell:
    """How one way to call options reads a cell.

    Attributes:
        spelling: The spelling that is nearest to how the cell is written; None where none fits.
        readings: The sets of options that it names so.
    """

    spelling: Spelling | None
    readings: _Sets

    @classmethod
    def of(cls, way: _Naming, cell: str, several: bool) -> "_Cell":
        """Read a cell in the nearest spelling in which it names options."""
        for spelling in Spelling:
            readings = _readings(way, cell, several, spelling)
            if readings:
                return cls(spelling, readings)
        return cls(None, frozenset())


def options_named(
    question: Question, cells: Sequence[str], refuse: Refuse
) -> tuple[dict[str, Places], list[tuple[Note, str, str]]]:
    """Read the cells of a question.

    Args:
        question: The question.
        cells: Its distinct cells, none of them empty.
        refuse: Refuses a cell.

    Returns:
        The options that each cell names; and what a person should know: the note, the cell, and
        what is said of it.

    Raises:
        CurateError: If a cell names no option, or can be read in two ways.
    """
    many = question.kind is QuestionKind.SELECT_ALL
    ways = namings(question)
    read = [{cell: _Cell.of(way, cell, many) for cell in cells} for way in ways]
    # A column says by all of its cells together how it calls options, if all stand as they are
    # called: then a way that cannot read all of them is none, whatever it makes of some.
    if any(all(one.spelling is Spelling.EXACT for one in found.values()) for found in read):
        read = [found for found in read if all(one.readings for one in found.values())]
    chosen: dict[str, Places] = {}
    for cell in cells:
        found = frozenset[frozenset[int]]().union(*(each[cell].readings for each in read))
        if len(found) != 1:
            _refuse(question, cell, found, refuse)
        (places,) = found
        chosen[cell] = tuple(sorted(places))
    return chosen, [*_spelt(question, chosen, read), *_alike(question, chosen, ways)]


def _refuse(question: Question, cell: str, found: _Sets, refuse: Refuse) -> NoReturn:
    """Refuse a cell that names nothing, or two things."""
    told: dict[str, object] = {"id": question.id, "text": plain(cell)}
    if not found:
        several = question.kind is QuestionKind.SELECT_ALL
        key = "no-options" if several else "no-option"
        refuse(key, cell, options=[shown(option) for option in question.options], **told)
    one, other, *_ = (_written(question, way) for way in sorted(found, key=sorted))
    refuse("option-or-option", cell, one=one, other=other, **told)


def _spelt(
    question: Question, chosen: Mapping[str, Places], read: Sequence[Mapping[str, _Cell]]
) -> Iterator[tuple[Note, str, str]]:
    """Say which cells write options otherwise than the questionnaire, and which mix two ways."""
    of_way: list[list[str]] = [[] for _ in read]
    for cell, places in chosen.items():
        fits = [each[cell].spelling for each in read]
        nearest = min(spelling for spelling in fits if spelling is not None)
        if nearest is not Spelling.EXACT:
            yield Note(nearest), cell, _for(question, cell, places)
        if fits.count(None) == len(fits) - 1:
            of_way[next(at for at, fit in enumerate(fits) if fit is not None)].append(cell)
    if len(read) == len(namings(question)) and all(of_way):
        codes, texts_alone = of_way
        for cell in codes:
            beside = f"beside '{plain(texts_alone[0])}' in question {question.id}"
            yield Note.MIXED, cell, f"'{plain(cell)}' {beside}"


def _alike(
    question: Question, chosen: Mapping[str, Places], ways: Sequence[_Naming]
) -> Iterator[tuple[Note, str, str]]:
    """Say which cells were read as one option, and may name another one."""
    named: dict[str, frozenset[int]] = {}
    for name in {name for way in ways for name in way.exact}:
        found = frozenset[int]().union(*(way.by(name, each) for way in ways for each in Spelling))
        if len(found) > 1:
            named[name] = found
    for cell, places in chosen.items() if named else ():
        parts = {plain(cell), *map(plain, re.split(r"[;|\r\n]", cell))}
        other = frozenset[int]().union(*(named.get(part, ()) for part in parts)) - {*places}
        if other:
            said = f"{_for(question, cell, places)}, not {_written(question, other)}"
            yield Note.ALIKE, cell, said


def options_in_order(question: Question, cell: str) -> set[Places]:
    """All ways to read a cell as different options that `;`, `|` or line breaks join, in order."""
    found: set[Places] = set()
    lines = [line for line in map(plain, cell.splitlines()) if line]
    for way in namings(question):
        single = {name: min(at) for name, at in way.exact.items() if len(at) == 1}
        if len(lines) > 1 and all(line in single for line in lines):
            found.add(tuple(single[line] for line in lines))
        for joiner in _JOINERS:
            if joiner in cell:
                found |= set(joined_readings(plain(cell), single, joiner))
    return found


def option_text(question: Question, place: int) -> str:
    """An option as respondents read it, or its code where it has no text."""
    option = question.options[place]
    return option.text or option.label or option.code


def _for(question: Question, cell: str, places: Iterable[int]) -> str:
    """A cell with the options that it was read as."""
    texts = " + ".join(option_text(question, place) for place in places)
    return f"'{plain(cell)}' for '{texts}'"


def _written(question: Question, places: Iterable[int]) -> str:
    return " + ".join(f"'{shown(question.options[at])}'" for at in sorted(places))


def _readings(
    way: _Naming, cell: str, several: bool, spelling: Spelling
) -> frozenset[frozenset[int]]:
    """All ways to read a cell by one way to call options."""
    found = {frozenset({at}) for at in way.alone(plain(cell), spelling)}
    if not several:
        return frozenset(found)
    lines = [plain(line) for line in cell.splitlines()]
    lines = [line for line in lines if line]
    if len(lines) > 1:
        found |= _each_alone(way, lines, spelling)
    for joiner in _JOINERS:
        if joiner not in cell:
            continue
        text = plain(cell)
        parts = [part.strip() for part in text.split(joiner)]
        if any(joiner in name for name in way.exact):
            named = [(way.exact, text)]
            named += [(way.typed, typed(text))] if spelling > Spelling.EXACT else []
            for names, written in named:
                single = {name: min(at) for name, at in names.items() if len(at) == 1}
                ways = joined_readings(written, single, joiner)
                found |= {frozenset(places) for places in ways}
        else:
            found |= _each_alone(way, parts if parts[-1] else parts[:-1], spelling)
    return frozenset(found)


def _each_alone(way: _Naming, parts: Sequence[str], spelling: Spelling) -> set[frozenset[int]]:
    """The reading of parts each of which names one option, no two the same; or none."""
    places = [way.alone(part, spelling) for part in parts]
    if not places or any(len(found) != 1 for found in places):
        return set()
    joined = frozenset.union(*places)
    return {joined} if len(joined) == len(places) else set()
