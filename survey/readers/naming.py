"""What the cells and headings of a simple table name: a question, or options of one.

A table may call options by their codes or by their texts. Where all cells of a question can be
read by both and not alike, or one cell in two ways, that is refused with the two readings.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from typing import NoReturn, Protocol

from curation.records.survey import Question, QuestionKind
from survey.readers.grid import plain
from survey.readers.options import joined_readings, labels_of, shown

_JOINERS = (";", "|")
_SHOWN = 8
Places = tuple[int, ...]
"""Positions of options."""


class Refuse(Protocol):
    """Refuses a cell: what is wrong, the cell, what to do."""

    def __call__(self, what: str, cell: str, hint: str) -> NoReturn:
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


class Spelling(IntEnum):
    """How a cell writes an option: each one only where the one before fits nothing."""

    EXACT = 0
    TYPED = 1
    UNACCENTED = 2


@dataclass(frozen=True, slots=True)
class _Naming:
    """One way to call the options of a question.

    Attributes:
        exact: The options by name.
        typed: The same by names as a plain keyboard types them.
    """

    exact: Mapping[str, frozenset[int]]
    typed: Mapping[str, frozenset[int]]

    def alone(self, text: str, spelling: Spelling) -> frozenset[int]:
        """The options that a text names whole; by a looser spelling only where none fits."""
        found = self.exact.get(text, frozenset())
        if not found and spelling >= Spelling.TYPED:
            found = self.typed.get(typed(text), frozenset())
        if not found and spelling >= Spelling.UNACCENTED:
            wanted = typed(text)
            near = (at for name, at in self.typed.items() if _lacks_accents(wanted, name))
            found = frozenset().union(*near)
        return found


def _naming(names: Iterable[tuple[str, int]]) -> _Naming:
    exact: dict[str, set[int]] = {}
    loose: dict[str, set[int]] = {}
    for name, at in names:
        exact.setdefault(name, set()).add(at)
        loose.setdefault(typed(name), set()).add(at)
    return _Naming(
        {name: frozenset(places) for name, places in exact.items()},
        {name: frozenset(places) for name, places in loose.items()},
    )


def namings(question: Question) -> tuple[_Naming, _Naming]:
    """The two ways to call a question's options: by their codes, and by their texts."""
    options = list(enumerate(question.options))
    texts = [(name, at) for at, option in options for name in sorted(labels_of(option))]
    return _naming((plain(option.code), at) for at, option in options), _naming(texts)


def options_named(
    question: Question, cells: Sequence[str], refuse: Refuse
) -> tuple[dict[str, Places], dict[str, Spelling]]:
    """Read the cells of a question.

    Args:
        question: The question.
        cells: Its distinct cells, none of them empty.
        refuse: Refuses a cell.

    Returns:
        The options that each cell names, and how the cells spell them that do not write them as
        the questionnaire does.

    Raises:
        CurateError: If a cell names no option, or can be read in two ways.
    """
    many = question.kind is QuestionKind.SELECT_ALL
    ways = namings(question)
    read: list[dict[str, frozenset[frozenset[int]]]] = [{}, {}]
    spelt: dict[str, Spelling] = {}
    for cell in cells:
        # A cell may be one option's code as it stands and another one's text in other capitals.
        for spelling in (Spelling.TYPED, Spelling.UNACCENTED):
            both = [_readings(way, cell, many, spelling) for way in ways]
            if any(both):
                break
        read[0][cell], read[1][cell] = both
        if any(both) and not any(_readings(way, cell, many, Spelling.EXACT) for way in ways):
            spelt[cell] = spelling
    whole = [found for found in read if all(found.values())]
    if not whole:
        whole = [{cell: read[0][cell] | read[1][cell] for cell in cells}]
    chosen: dict[str, Places] = {}
    for cell in cells:
        found = frozenset.union(*(each[cell] for each in whole))
        if len(found) == 1:
            (places,) = found
            chosen[cell] = tuple(sorted(places))
            continue
        text = plain(cell)
        if not found:
            known = ", ".join(f"'{shown(option)}'" for option in question.options[:_SHOWN])
            more = ", ..." if len(question.options) > _SHOWN else ""
            refuse(
                f"'{text}' is not an option of question {question.id}",
                cell,
                f"its options are {known}{more}"
                + ("; several are joined by ; or | or line breaks" if many else ""),
            )
        one, other, *_ = sorted(found, key=sorted)
        refuse(
            f"question {question.id}: '{text}' can be read as {_written(question, one)} or as "
            f"{_written(question, other)}",
            cell,
            "write the options' codes where they are not other options' texts, or say with a "
            "mapping how the file is read ('curate survey inspect')",
        )
    return chosen, spelt


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
