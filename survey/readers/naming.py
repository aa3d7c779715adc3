"""What the cells and headings of a simple table name: a question, or options of one.

A table may call options by their codes or by their texts. Where all cells of a question can be
read by both and not alike, or one cell in two ways, that is refused with the two readings.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
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
            called = plain(name(question)).casefold()
            if called:
                found.setdefault(called, []).append(at)
        return found

    def places(self, text: str) -> list[int]:
        """The questions that a text names: none, one, or several that share it."""
        wanted = plain(text).casefold()
        for way in self._ways:
            if wanted in way:
                return way[wanted]
        return []


@dataclass(frozen=True, slots=True)
class _Naming:
    """One way to call the options of a question."""

    exact: Mapping[str, frozenset[int]]
    loose: Mapping[str, frozenset[int]]

    def alone(self, text: str) -> frozenset[int]:
        """The options that a text names whole; one of other case only where none is the same."""
        return self.exact.get(text) or self.loose.get(text.casefold(), frozenset())


def _naming(names: Iterable[tuple[str, int]]) -> _Naming:
    exact: dict[str, set[int]] = {}
    loose: dict[str, set[int]] = {}
    for name, at in names:
        exact.setdefault(name, set()).add(at)
        loose.setdefault(name.casefold(), set()).add(at)
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
    question: Question, cells: Sequence[str], refuse: Refuse, *, several: bool | None = None
) -> dict[str, Places]:
    """Read the cells of a question.

    Args:
        question: The question.
        cells: Its distinct cells, none of them empty.
        refuse: Refuses a cell.
        several: Whether a cell may list several options; as the question's kind has it by default.

    Returns:
        The options that each cell names.

    Raises:
        CurateError: If a cell names no option, or can be read in two ways.
    """
    many = question.kind is QuestionKind.SELECT_ALL if several is None else several
    ways = namings(question)
    read = [{cell: _readings(way, cell, many) for cell in cells} for way in ways]
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
                f"'{text}' is no option of question {question.id}",
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
    return chosen


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


def _written(question: Question, places: Iterable[int]) -> str:
    return " + ".join(f"'{shown(question.options[at])}'" for at in sorted(places))


def _readings(way: _Naming, cell: str, several: bool) -> frozenset[frozenset[int]]:
    """All ways to read a cell by one way to call options."""
    found = {frozenset({at}) for at in way.alone(plain(cell))}
    if not several:
        return frozenset(found)
    lines = [plain(line) for line in cell.splitlines()]
    lines = [line for line in lines if line]
    if len(lines) > 1:
        found |= _each_alone(way, lines)
    for joiner in _JOINERS:
        if joiner not in cell:
            continue
        text = plain(cell)
        parts = [part.strip() for part in text.split(joiner)]
        if any(joiner in name for name in way.exact):
            for names in (way.exact, way.loose):
                single = {name: min(at) for name, at in names.items() if len(at) == 1}
                written = text if names is way.exact else text.casefold()
                ways = joined_readings(written, single, joiner)
                found |= {frozenset(places) for places in ways}
        else:
            found |= _each_alone(way, parts if parts[-1] else parts[:-1])
    return frozenset(found)


def _each_alone(way: _Naming, parts: Sequence[str]) -> set[frozenset[int]]:
    """The reading of parts each of which names one option, no two the same; or none."""
    places = [way.alone(part) for part in parts]
    if not places or any(len(found) != 1 for found in places):
        return set()
    joined = frozenset.union(*places)
    return {joined} if len(joined) == len(places) else set()
