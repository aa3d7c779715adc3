"""The options of a question that texts of a file name, and those that marks in columns choose."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from decimal import Context, Decimal
from enum import IntEnum
from functools import cached_property, lru_cache
from typing import NoReturn, TypeVar

import numpy as np
import numpy.typing as npt

from curation.files.tables import literal
from curation.records.survey import Option, Question, QuestionKind, Role
from survey.answers import MISSING, SELECTED, SHOWN
from survey.mapping import CODE, LABEL, QuestionPart
from survey.readers import frames
from survey.readers.frames import Flags, RowView, plain, typed

_Key = TypeVar("_Key")
LINES = "\n"
"""What joins options of which each is a line."""
_JOINERS = (";", "|", LINES)
Places = tuple[int, ...]
"""Positions of options, and behind them of own words."""
Refuse = Callable[..., NoReturn]
"""Refuses a cell: which one, the key of what is wrong, and the words that its text needs."""


def listed_texts(cell: str) -> list[str] | None:
    """The texts of a list, or of the `choices` of an object; None where a cell is neither."""
    data = literal(cell) if cell.lstrip().startswith(("[", "{")) else None
    items = data.get("choices") if isinstance(data, dict) else data
    if isinstance(items, list) and all(isinstance(item, str) for item in items):
        return items
    return None


_MANY = 64
_ENDING = (";", "|")
"""What tools also write behind the last of several options; behind another sign a cell was cut."""


def _parts(text: str, joiner: str) -> list[str]:
    """What characters join that none of the options holds, blanks around them left out."""
    parts = [part.strip() for part in text.split(joiner)]
    return parts[:-1] if parts[1:] and not parts[-1] and joiner in _ENDING else parts


def joined_readings(text: str, options: Mapping[str, int], joiner: str) -> list[tuple[int, ...]]:
    """All ways to read a text as different options that characters join.

    Args:
        text: The text.
        options: The options' positions by what they are called, which may hold these characters.
        joiner: What joins them; blanks around it do not matter.
    """
    steps = _steps(text, options, joiner)
    ways: dict[int, set[tuple[int, ...]]] = {len(text): {()}}
    for at in sorted(steps, reverse=True):
        found = {
            (option, *rest)
            for option, after in steps[at]
            for rest in ways.get(after, ())
            if option not in rest
        }
        if found:
            ways[at] = set(sorted(found)[:_MANY])
    return sorted(ways.get(0, ()), key=len) if text else []


def _steps(text: str, options: Mapping[str, int], joiner: str) -> dict[int, list[tuple[int, int]]]:
    """For each place that can be reached the options that begin there, and what follows."""
    between = re.compile(rf"\s*{re.escape(joiner.strip())}\s*" if joiner.strip() else r"\s+")
    steps: dict[int, list[tuple[int, int]]] = {}
    ahead = [0]
    while ahead:
        at = ahead.pop()
        if at in steps or at >= len(text):
            continue
        steps[at] = []
        for name, option in options.items():
            if name and text.startswith(name, at):
                after = at + len(name)
                match = between.match(text, after)
                if match is not None and match.end() == len(text) and joiner.strip() not in _ENDING:
                    continue
                if match is not None or after == len(text):
                    after = match.end() if match is not None else after
                    steps[at].append((option, after))
                    ahead.append(after)
    return steps


def labels_of(option: Option) -> set[str]:
    """The texts by which an option is shown."""
    return {plain(option.text), plain(option.label)} - {""}


def labels_in(question: Question) -> set[str]:
    """The texts by which the options of a question are shown."""
    return {label for option in question.options for label in labels_of(option)}


def are_called(option: Option, cells: Iterable[str]) -> set[str]:
    """Those of some cells that write a text of an option, as a plain keyboard types both."""
    labels = set(map(typed, labels_of(option)))
    return {cell for cell in cells if typed(cell) in labels}


def names_of(option: Option) -> set[str]:
    """All that names an option: its code and its texts."""
    return {plain(option.code)} | labels_of(option)


def names_in(questions: Iterable[Question]) -> set[str]:
    """All that names an option of any of some questions."""
    return {name for asked in questions for option in asked.options for name in names_of(option)}


def words_of(questions: Iterable[Question]) -> Iterator[str]:
    """The words of a questionnaire that a file may hold."""
    for question in questions:
        yield from (question.stereotype, *(option.text for option in question.options))


def shown(option: Option) -> str:
    """Name an option for a message: its code, and its text where it has one."""
    text = option.text or option.label
    return f"{option.code}: {text}" if text and text != option.code else option.code


NO_VALUE = ("nan", "NaN", "<NA>", "NaT")
"""What pandas writes for an empty cell."""
NOTHING = "None"
"""What Python writes for one, which may be meant for the option that is called so."""


def _lacks_accents(text: str, name: str) -> bool:
    """Say whether a text is a name except for accents that it lacks; others are other words."""
    return len(text) == len(name) and all(
        one in (other, frames.without_accent(other)) for one, other in zip(text, name, strict=True)
    )


_NUMBER = re.compile(r"[+-]?\d+(\.\d+)?([Ee][+-]?[0-9]{1,3})?")


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
    LISTED = 4


NOTES = (*(each.name.casefold() for each in Spelling if each), "alike", "mixed")
"""What a person should know of how a cell names options: its spelling; that it may name another one
too, as another way to call options has it, or in another spelling; and that it is a code, while
other cells of the question are texts."""


WORD = re.compile(r"[^\W\d_][^\w\s!-~]{0,2}[^\W\d_]")
"""Two letters beside each other, with the vowels that some scripts write above or below."""
IN_LIST = re.compile(rf"\(?(?:[A-Za-z]|\d{{1,2}})[).:]\s*(?=.*{WORD.pattern})")
"""What a list has before an option: `A) `, `2. `."""


class Naming:
    """One way to call the options of a question.

    Args:
        names: What it calls options, each with the option.

    Attributes:
        exact: The options by name.
    """

    def __init__(self, names: Iterable[tuple[str, int]]) -> None:
        self._names = list(names)
        self.exact = self._by(str)
        self._characters = "\n".join(self.exact)

    def _by(self, written: Callable[[str], _Key]) -> dict[_Key, frozenset[int]]:
        """The options by their names as these are written in some way."""
        found: dict[_Key, frozenset[int]] = {}
        for name, at in self._names:
            key = written(name)
            found[key] = found.get(key, frozenset()) | {at}
        return found

    @cached_property
    def typed(self) -> dict[str, frozenset[int]]:
        """The options by names as a plain keyboard types them."""
        return self._by(typed)

    @cached_property
    def _numbers(self) -> dict[Decimal | None, frozenset[int]]:
        return {number: at for number, at in self._by(_as_number).items() if number is not None}

    @cached_property
    def _bare(self) -> dict[str, list[str]]:
        bare: dict[str, list[str]] = {}
        for small in self.typed:
            bare.setdefault(frames.unaccented(small), []).append(small)
        return bare

    def alone(self, text: str, spelling: Spelling) -> frozenset[int]:
        """The options that a text names whole; by a looser spelling only where none fits."""
        tries = (self.by(text, each) for each in Spelling if each <= spelling)
        return next(filter(None, tries), frozenset())

    def by(self, text: str, spelling: Spelling) -> frozenset[int]:
        """The options that a text names whole in one spelling."""
        if spelling is Spelling.EXACT:
            return self.exact.get(text, frozenset())
        if spelling is Spelling.TYPED:
            return self.typed.get(typed(text), frozenset())
        if spelling is Spelling.NUMBER:
            return self._numbers.get(_as_number(text), frozenset())
        if spelling is Spelling.LISTED:
            rest = IN_LIST.sub("", text, count=1) if IN_LIST.match(text) else ""
            return self.alone(rest, Spelling.UNACCENTED) if rest else frozenset()
        wanted = typed(text)
        names = self._bare.get(frames.unaccented(wanted), ())
        near = (self.typed[name] for name in names if _lacks_accents(wanted, name))
        return frozenset().union(*near)

    def joined(self, cell: str, joiner: str, spelling: Spelling) -> set[Places]:
        """All ways to read a cell as different options that characters join, in its order.

        Args:
            cell: The cell.
            joiner: What joins them, whatever characters are in the options' names; blanks around it
                do not matter.
            spelling: How loosely they may be written.
        """
        text, between = plain(cell), joiner.strip()
        if joiner == LINES:
            parts = list(filter(None, map(plain, cell.splitlines())))
            return self._each(parts, spelling) if parts[1:] else set()
        if between and between not in self._characters:
            return self._each(_parts(text, between), spelling)
        written = {text: self.exact} | ({typed(text): self.typed} if spelling else {})
        found: set[Places] = set()
        for one, names in written.items():
            single = {name: min(at) for name, at in names.items() if len(at) == 1}
            found |= set(joined_readings(one, single, joiner))
        return found

    def _each(self, parts: Sequence[str], spelling: Spelling) -> set[Places]:
        """The reading of parts each of which names one option, no two the same; or none."""
        every = [self.alone(part, spelling) for part in parts]
        places = tuple(min(found) for found in every if len(found) == 1)
        return {places} if parts and len({*places}) == len(places) == len(parts) else set()


@lru_cache(maxsize=1 << 10)
def namings(question: Question) -> tuple[Naming, Naming]:
    """The two ways to call a question's options: by their codes, and by their texts."""
    options = list(enumerate(question.options))
    texts = [(name, at) for at, option in options for name in sorted(labels_of(option))]
    return Naming((plain(option.code), at) for at, option in options), Naming(texts)


_Sets = frozenset[frozenset[int]]
_Cell = tuple[Spelling | None, _Sets]
"""How one way to call options reads a cell: in the spelling that is nearest to how it is written,
None where none fits, and the sets of options that it names so."""


class OptionTable:
    """The options of a question by what the cells of a file write for them.

    Args:
        question: The question.
        options: Value in the file to the option's code, text or groups; the codes themselves
            by default.
        other: Answers in somebody's own words. Their positions follow those of the options.
        joined: What joins several options in one cell.
        loose: Whether cells call options as the questionnaire does, by codes or by texts, as
            people write them, where nothing else is said; else they are written as `options` or
            their texts are.

    Attributes:
        question: The question.
        keys: Value in the file to the option's position, in the mapping's order.
        other: The answers in somebody's own words.
        loose: Whether cells call options as people write them.

    Raises:
        CurateError: If a value leads to no option or to two, or no value leads to one.
    """

    def __init__(
        self,
        question: Question,
        options: Mapping[str, str] | None = None,
        other: Sequence[str] = (),
        joined: str | None = None,
        *,
        loose: bool = False,
    ) -> None:
        self.question, self.loose = question, loose
        self.other = tuple(map(plain, other))
        stated = options or {option.code: option.code for option in question.options}
        # Values that are all codes, or all texts, are so whatever else one of them may be.
        values, ways = {*map(plain, stated.values())}, namings(question)
        whole = [way for way in ways if loose or values <= way.exact.keys()] or ways
        self.keys = {
            plain(key): self._resolve(key, meant, whole[:1] if loose else whole)
            for key, meant in stated.items()
        }
        if len(self.keys) < len(stated):
            self.refuse_options("options-blanks")
        left = set(range(len(question.options))) - set(self.keys.values())
        if left:
            self.refuse_options(
                "option-lacking", options=[shown(question.options[at]) for at in sorted(left)]
            )
        own = enumerate(self.other, start=len(question.options))
        texts = ways[1].exact.items()
        labels = {name: min(places) for name, places in texts if len(places) == 1}
        self._texts = {text: at for at, text in own} | labels | self.keys
        self._ways = ways if loose else (Naming(self._texts.items()),)
        self._several = question.kind is QuestionKind.SELECT_ALL
        joiners = _JOINERS if loose else (joined or "",)
        self._joiners = tuple(filter(None, joiners)) if self._several else ()

    def _resolve(self, key: str, meant: str, ways: Sequence[Naming]) -> int:
        found = sorted({at for way in ways for at in way.exact.get(plain(meant), ())})
        if len(found) == 1:
            return found[0]
        told = {"meant": meant, "name": key, "known": [*map(shown, self.question.options)]}
        if found:
            both = [shown(self.question.options[at]) for at in found]
            self.refuse_options("option-of-two", both=both, **told)
        self.refuse_options("option-unknown", **told)

    def refuse_options(self, key: str, /, **words: object) -> NoReturn:
        """Refuse the mapping of the question's options.

        Raises:
            CurateError: Always.
        """
        raise frames.refusal(key, "mapping", id=self.question.id, **words)

    def place(self, value: str) -> int:
        """The position of the option or of the own words that a value means; -1 for none."""
        return self._texts.get(plain(value), -1)

    def own_words(self, places: Sequence[int]) -> list[str]:
        """Those of some positions that are answers in somebody's own words."""
        count = len(self.question.options)
        return [self.other[at - count] for at in places if at >= count]

    def listed(self, value: str) -> Places | None:
        """Read a list, or an object with `choices`, as the options that it lists.

        Returns:
            Their positions; None where the value is no such list or lists another option.
        """
        items = listed_texts(value)
        if items is None:
            return None
        places = tuple(map(self.place, items))
        return None if -1 in places or len(set(places)) < len(places) else places

    def readings(self, value: str, joiner: str) -> list[Places]:
        """Read options that characters join, whatever characters are in their texts.

        Args:
            value: The cell.
            joiner: What joins them; blanks around it do not matter.

        Returns:
            All ways to read the cell, each as positions in the order written; at most a few.
        """
        return sorted(self._ways[-1].joined(value, joiner, Spelling.EXACT), key=len)

    def in_order(self, cell: str) -> set[Places]:
        """All ways to read a cell as several options in an order."""
        if not self.loose:
            listed = self.listed(cell)
            joiner = "|" if "|" in plain(cell) else ","
            return {*self.readings(cell, joiner)} if listed is None else {listed}
        found = (
            way.joined(cell, joiner, Spelling.EXACT) for way in self._ways for joiner in _JOINERS
        )
        last = self.question.fixed_last
        every = (places for ways in found for places in ways if len(places) > 1)
        whole = {(*places, *(at for at in last if at not in places)) for places in every}
        return {places for places in whole if len(places) == len(self.question.options)}

    def written(self, places: Iterable[int]) -> str:
        """Name options for a message."""
        options = self.question.options
        named = [shown(options[at]) for at in sorted(places) if at < len(options)]
        return " + ".join(f"'{name}'" for name in (*named, *self.own_words([*places])))

    def named(
        self, cells: Sequence[str], refuse: Refuse
    ) -> tuple[dict[str, Places], list[tuple[str, str, str]]]:
        """Read cells.

        Args:
            cells: Distinct cells, each of which names options or own words.
            refuse: Refuses a cell.

        Returns:
            The positions that each cell names; and what a person should know: the note, the cell,
            and what is said of it.

        Raises:
            CurateError: If a cell names no option, or can be read in two ways.
        """
        read = [{cell: self._read(way, cell) for cell in cells} for way in self._ways]
        # A column says by all of its cells together how it calls options, if all stand as they are
        # called: then a way that cannot read all of them is none, whatever it makes of some.
        if any(all(spelling is Spelling.EXACT for spelling, _ in each.values()) for each in read):
            read = [each for each in read if all(readings for _, readings in each.values())]
        chosen: dict[str, Places] = {}
        for cell in cells:
            found = frozenset(places for each in read for places in each[cell][1])
            if len(found) != 1:
                self._refuse(cell, found, refuse)
            (places,) = found
            chosen[cell] = tuple(sorted(places))
            if plain(cell) == NOTHING and not any(NOTHING in way.exact for way in self._ways):
                told = {"id": self.question.id, "text": NOTHING, "one": self.written(places)}
                refuse(cell, "option-or-option", other="no answer", **told)
        return chosen, [*self._spelt(chosen, read), *self._alike(chosen)] if self.loose else []

    def _read(self, way: Naming, cell: str) -> _Cell:
        """What a cell names, in the spelling that is nearest to how it is written."""
        text = plain(cell)
        listed = self.listed(cell) if self._several and not self.loose else None
        if listed is not None and way.exact.get(text) is None:
            return Spelling.EXACT, frozenset([frozenset(listed)])
        for spelling in Spelling if self.loose else (Spelling.EXACT,):
            found: set[Places] = {(at,) for at in way.alone(text, spelling)}
            for joiner in self._joiners:
                if joiner == LINES or joiner.strip() in text:
                    found |= way.joined(cell, joiner, spelling)
            if found:
                return spelling, frozenset(map(frozenset, found))
        return None, frozenset()

    def _refuse(self, cell: str, found: _Sets, refuse: Refuse) -> NoReturn:
        """Refuse a cell that names nothing, or two things."""
        told: dict[str, object] = {"id": self.question.id, "text": plain(cell)}
        if found:
            one, other, *_ = (self.written(way) for way in sorted(found, key=sorted))
            refuse(cell, "option-or-option", one=one, other=other, **told)
        if not self.loose:
            refuse(cell, "cell-undeclared", declared=list(self.keys), **told)
        key = "no-options" if self._several else "no-option"
        refuse(cell, key, options=[shown(option) for option in self.question.options], **told)

    def _spelt(
        self, chosen: Mapping[str, Places], read: Sequence[Mapping[str, _Cell]]
    ) -> Iterator[tuple[str, str, str]]:
        """Say which cells write options otherwise than the questionnaire, or mix two ways."""
        of_way: list[list[str]] = [[] for _ in read]
        for cell, places in chosen.items():
            fits = [each[cell][0] for each in read]
            nearest = min(spelling for spelling in fits if spelling is not None)
            if nearest is not Spelling.EXACT:
                yield nearest.name.casefold(), cell, self._for(cell, places)
            if fits.count(None) == len(fits) - 1:
                of_way[next(at for at, fit in enumerate(fits) if fit is not None)].append(cell)
        if len(read) > 1 and all(of_way):
            codes, texts_alone = of_way
            for cell in codes:
                beside = f"beside '{plain(texts_alone[0])}' in question {self.question.id}"
                yield "mixed", cell, f"'{plain(cell)}' {beside}"

    def _alike(self, chosen: Mapping[str, Places]) -> Iterator[tuple[str, str, str]]:
        """Say which cells were read as one option, and may name another one."""
        named: dict[str, frozenset[int]] = {}
        for name in {name for way in self._ways for name in way.exact}:
            ways = (way.by(name, each) for way in self._ways for each in Spelling)
            found = frozenset().union(*ways)
            if len(found) > 1:
                named[name] = found
        for cell, places in chosen.items() if named else ():
            parts = {plain(cell), *map(plain, re.split(r"[;|\r\n]", cell))}
            other = {at for part in parts for at in named.get(part, ())} - {*places}
            if other:
                yield "alike", cell, f"{self._for(cell, places)}, not {self.written(other)}"

    def _for(self, cell: str, places: Iterable[int]) -> str:
        """A cell with the options that it was read as."""
        texts = " + ".join(option_text(self.question, place) for place in places)
        return f"'{plain(cell)}' for '{texts}'"


def option_text(question: Question, place: int) -> str:
    """An option as respondents read it, or its code where it has no text."""
    option = question.options[place]
    return option.text or option.label or option.code


NOT_SHOWN = -1
"""State of an option that the respondent never saw: there is no row for it."""

States = npt.NDArray[np.int8]

_CHOSEN, _LEFT, _BLANK, _UNANSWERED, _VOID = range(5)
"""A mark: chosen, not chosen in so many words, an empty cell, not answered in so many words, an
empty cell that says 'not shown'."""


def read_marks(view: RowView, part: QuestionPart, table: OptionTable) -> tuple[States, Flags]:
    """Read a question whose options have a column each.

    What says 'chosen' is one mark in all columns of a question, except for an option's own text or
    code. Where it is not, the columns hold the first, the second, ... option that was named, and
    would be counted for one option, whichever they name: they are refused. So are columns that say
    what was not chosen, by which most people chose all groups, or some beside 'no stereotype'.

    Returns:
        The state of each option for each record; and which records answer it while a cell of
        theirs is empty in a way that the mapping does not call 'not selected'.

    Raises:
        CurateError: If a column is missing or a cell holds what is not declared.
    """
    marks = np.full((len(view), len(table.question.options)), _VOID, dtype=np.int8)
    taken: dict[int, str] = {}
    first: dict[str, str] = {}
    general = {plain(value) for value in part.selected if value not in (LABEL, CODE)}
    left = {plain(value) for value in part.not_selected} - {""}
    unanswered = {plain(value) for value in part.missing} - {""}
    named = not any(map(str.isdecimal, table.keys))
    for number, (key, at) in enumerate(table.keys.items(), start=1):
        name, option = str(part.columns).replace("{code}", key), table.question.options[at]
        if at in taken:
            table.refuse_options("columns-of-one", one=taken[at], other=name)
        taken[at] = name
        mine = {key, str(number)} if named else {key}  # texts are numbered by their places
        chosen = general | (mine if CODE in part.selected else set())
        own = names_of(option) | {other for other, place in table.keys.items() if place == at}
        column = view.column(name, f"question {part.id}, columns")
        if LABEL in part.selected:
            chosen |= labels_of(option) | are_called(option, column.texts)
        found = np.zeros(len(column.values), dtype=np.int8)
        for code in column.used:
            text, cells = column.texts[code], column.codes == code
            told = {"id": part.id, "text": text, "option": shown(option)}
            if text and text in chosen and text in left | unanswered:
                view.refuse("text-not-chosen", cells, name, **told)
            if text in general and text not in own:
                first.setdefault(text, name)
                one = next(iter(first))
                if one != text:
                    view.refuse("marks-unlike", cells, name, one=one, in_column=first[one], **told)
            if code == column.void:
                found[code] = _VOID
            elif text in chosen:
                found[code] = _CHOSEN
            elif not text:
                found[code] = _BLANK
            elif text in unanswered | left:
                found[code] = _UNANSWERED if text in unanswered else _LEFT
            else:
                declared = sorted(chosen | left | unanswered)
                view.refuse("mark-unknown", cells, name, declared=declared, **told)
        marks[:, at] = found[column.codes]
    _refuse_reversed(view, part, table, marks == _CHOSEN)
    own_texts = own_words(view, part) >= 0
    return _from_marks(marks, part, own_texts, any_void=view.frame.source.tells_void)


def _refuse_reversed(view: RowView, part: QuestionPart, table: OptionTable, chosen: Flags) -> None:
    none = np.array([option.role is Role.NONE for option in table.question.options])
    count, nothing = chosen.sum(axis=1), (chosen & none).any(axis=1)
    both = nothing & (count > 1)
    every = ~nothing & (count == (~none).sum())
    if both.sum() >= _PEOPLE and 2 * (both | every).sum() > (count > 0).sum():
        told = {"id": part.id, "count": int(both.sum()), "all": int((count > 0).sum())}
        view.refuse("marks-reversed", both, part.places()[0], **told)


_PEOPLE = 3
"""So many who contradict themselves are no mistakes of their own."""


def own_words(view: RowView, part: QuestionPart) -> frames.Records:
    """For each record the position in `other` of a column that is filled; -1 for none.

    A column that only says 'not chosen' is as an empty one.
    """
    found = np.full(len(view), -1, dtype=np.int64)
    nothing = {*part.not_selected, *part.missing}
    for at, key in enumerate(part.other):
        name = str(part.columns).replace("{code}", key)
        column = view.column(name, f"question {part.id}, other")
        found[frames.filled(column) & ~frames.has_one_of(column, nothing)] = at
    return found


def refuse_other_sum(view: RowView, part: QuestionPart, table: OptionTable, states: States) -> None:
    """Refuse a row whose options are not those that the column beside them says.

    That column holds the options joined, or how many were chosen.

    Raises:
        CurateError: If there is such a row.
    """
    column = view.column(str(part.sum), f"question {part.id}, sum")
    nothing = {"", *map(plain, part.missing)}
    own = own_words(view, part) >= 0
    chosen = states == SELECTED
    rows = np.column_stack((column.codes.astype(np.int64), own, chosen))
    for row in np.unique(rows, axis=0):
        cell, more = plain(column.values[row[0]]), bool(row[1])
        places = np.flatnonzero(row[2:]).tolist()
        if _says(table, cell, places, more=more, nothing=nothing):
            continue
        told = {"id": part.id, "cell": cell, "said": table.written(places) or "nothing"}
        view.refuse("sum-unlike", (rows == row).all(axis=1), str(part.sum), **told)


_SIGNS = (",", ";", "|", "/", "+", "\u060c", "\u061b", "\u3001", "\n", " ")
"""Characters that may join the options in a column beside those of the options."""
_COUNT = re.compile(r"\d+(\.0+)?")


def _says(
    table: OptionTable, cell: str, places: Sequence[int], *, more: bool, nothing: set[str]
) -> bool:
    """Whether a cell says that some options were chosen, and own words given."""
    if cell in nothing or cell.startswith("-"):
        return not places
    if _COUNT.fullmatch(cell) and int(float(cell)) in (len(places), len(places) + more):
        return True
    if table.listed(cell) is not None:
        return set(table.listed(cell) or ()) == set(places)
    ways = [(table.place(cell),), *(way for sign in _SIGNS for way in table.readings(cell, sign))]
    if any(set(way) == set(places) for way in ways):
        return True
    named = (names_of(table.question.options[at]) for at in places)
    return more and all(any(name in cell for name in names) for names in named)


def _from_marks(
    marks: npt.NDArray[np.int8], part: QuestionPart, own: Flags, *, any_void: bool
) -> tuple[States, Flags]:
    chosen, blank, void = (marks == mark for mark in (_CHOSEN, _BLANK, _VOID))
    answered = chosen.any(axis=1)
    # Nothing chosen: seen and not answered, unless all there is are empty cells that, in a
    # file which does not tell, mean that the question was never shown.
    said = own | ((marks == _UNANSWERED) | (marks == _LEFT)).any(axis=1)
    if any_void or "" in part.missing:
        said |= blank.any(axis=1)
    states = np.full(marks.shape, NOT_SHOWN, dtype=np.int8)
    states[answered | said] = MISSING
    shown = answered[:, None] & ((marks == _LEFT) | (blank & ("" in part.not_selected)))
    states[shown] = SHOWN
    states[chosen] = SELECTED
    states[void] = NOT_SHOWN
    return states, answered & ((states == MISSING).any(axis=1))


class QuestionNames:
    """Finds questions by id, by template, by the text that was asked and by stereotype.

    Args:
        questions: The questionnaire.
        texts: By question the text that was asked, where it is known.
    """

    def __init__(self, questions: Sequence[Question], texts: Mapping[str, str]) -> None:
        self.questions = questions
        self._ways = {
            "question id": self._by(lambda item: item.id),
            "template id": self._by(lambda item: item.template_id),
            "question text": self._by(lambda item: texts.get(item.id, "")),
            "stereotype": self._by(lambda item: item.stereotype),
        }

    def _by(self, name: Callable[[Question], str]) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for at, question in enumerate(self.questions):
            called = typed(name(question))
            if called:
                found.setdefault(called, []).append(at)
        return found

    def places(self, text: str) -> list[int]:
        """The questions that a text names: none, one, or several that share it."""
        return self.found(text)[1]

    def found(self, text: str) -> tuple[str, list[int]]:
        """The same, with how they were found."""
        wanted = typed(text)
        for how, way in self._ways.items():
            if wanted in way:
                return how, way[wanted]
        return "", []
