"""Parse and print slot texts, slot lists and the conditions on them."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Literal, get_args

from curation.records.bank import Group, Texts
from curation.records.messages import CurateError, finding, refusal

_NAME = re.compile(r"[NWX][1-9][0-9]?")
_KEY = re.compile(r"[a-z][a-z0-9_]*")
_OR = re.compile(r"or\b\s*")
_ESCAPABLE = frozenset("[]{},;:|*\\")
_IN_TEXT = "[]\\"
_IN_FORM = "[],\\"
_IN_FILLER = "[]{},|\\"
_IN_VALUE = "[]{},;:|\\"
BASE = "base"
"""The attribute and the named form that is the filler itself."""
_READING = "reading"
_FULL_WIDTH = re.compile("[\uff01-\uff5e]")
_FULL_WIDTH_SLOT = re.compile("\uff3b\\s*[NWX\uff2e\uff37\uff38][1-9\uff11-\uff19]")
"""A full-width bracket that opens a slot; as part of a sentence it stays as it is."""

Operator = Literal["=", "!=", "~"]
"""How a condition compares two slots."""


class SlotError(CurateError):
    """A slot text or list that cannot be read.

    Args:
        key: The key of what is said, in `findings.yaml`.
        text: The cell.
        offset: The place in it, from 0.
        words: What is put into the message.

    Attributes:
        line: Line within the cell, from 1.
        column: Column within the line, from 1.
    """

    def __init__(self, key: str, text: str, offset: int, /, **words: object) -> None:
        told = finding(__package__, key, "", **words)  # type: ignore[arg-type]
        hint = told.hint
        self.line = text.count("\n", 0, offset) + 1
        self.column = offset - (text.rfind("\n", 0, offset) + 1) + 1
        if _FULL_WIDTH.match(text, offset):
            half = unicodedata.normalize("NFKC", text[offset])
            hint = f"write {half} in place of {text[offset]}: what belongs to a slot is half-width"
        super().__init__(f"{told.message} (line {self.line}, column {self.column})", hint=hint)


ALONE = "="
"""What stands before alternatives that are written without the name: `[N1|=cansado/cansada]`."""


@dataclass(frozen=True, slots=True)
class Slot:
    """A place that a filler is put into: as it is, by listed forms, by agreement or a named form.

    At most one of `forms`, `agreement` and `named` is set.
    """

    name: str
    forms: tuple[str, ...] | None = None
    agreement: str | None = None
    named: str | None = None

    @property
    def key(self) -> str:
        """What it asks for in any language: `N1`, or `N1.def` for a named form."""
        return self.name if self.named is None else f"{self.name}.{self.named}"

    @property
    def is_bare(self) -> bool:
        """Whether it takes the filler as it is."""
        return self.forms is None and self.agreement is None and self.named is None

    @property
    def is_word(self) -> bool:
        """Whether it is a word that agrees with the filler, without the filler itself."""
        return self.agreement is not None and self.agreement.startswith(ALONE)


@dataclass(frozen=True)
class SlotText:
    """A text as a sequence of literal strings and slots."""

    parts: tuple[str | Slot, ...]

    @cached_property
    def slots(self) -> tuple[Slot, ...]:
        """The slots, in order."""
        return tuple(part for part in self.parts if isinstance(part, Slot))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the slots in order of first use."""
        return tuple(dict.fromkeys(slot.name for slot in self.slots))


@dataclass(frozen=True, slots=True)
class Filler:
    """A name that can fill a slot.

    Attributes:
        text: The name, its base form.
        reading: How it is read, where the spelling does not show it.
        features: Its attributes by name, in written order: named forms (`def: la nieta`), and
            features that conditions and agreement look at (`gender: f`).
    """

    text: str
    reading: str | None = None
    features: tuple[tuple[str, str], ...] = ()

    def feature(self, name: str) -> str | None:
        """The value of an attribute, `base` being the name; None where the filler lacks it."""
        if name == BASE:
            return self.text
        for key, value in self.features:
            if key == name:
                return value
        return None


@dataclass(frozen=True, slots=True)
class SlotList:
    """The fillers of one slot; `open` when the survey will supply them (`[*]`)."""

    name: str
    fillers: tuple[Filler, ...]
    open: bool = False


@dataclass(frozen=True, slots=True)
class SlotComparison:
    """Two slots compared: their fillers, a feature of these, or the positions in the lists.

    Attributes:
        left: A slot's name.
        operator: `=` same, `!=` other, `~` at the same position of the two lists.
        right: Another slot's name.
        feature: The feature that is compared; None for the fillers themselves.
    """

    left: str
    operator: Operator
    right: str
    feature: str | None = None

    def __str__(self) -> str:
        """As it is written, `N1.race != N2.race`."""
        dot = f".{self.feature}" if self.feature else ""
        return f"{self.left}{dot} {self.operator} {self.right}{dot}"


@dataclass(frozen=True, slots=True)
class Condition:
    """What fillings have to meet: at least one of some comparisons."""

    alternatives: tuple[SlotComparison, ...]

    def __str__(self) -> str:
        """As it is written, with `or` between alternatives."""
        return " or ".join(map(str, self.alternatives))

    @property
    def slots(self) -> tuple[str, ...]:
        """The names of the slots that it compares, in order of first mention."""
        every = (name for item in self.alternatives for name in (item.left, item.right))
        return tuple(dict.fromkeys(every))

    def renamed(self, names: Mapping[str, str]) -> "Condition":
        """The same condition on slots of other names; those without another keep theirs."""
        sides = ((it, it.left, it.right) for it in self.alternatives)
        renamed = (
            replace(it, left=names.get(left, left), right=names.get(right, right))
            for it, left, right in sides
        )
        return Condition(tuple(renamed))


_ESCAPED = re.compile(rf"\\([{re.escape(''.join(sorted(_ESCAPABLE)))}])")


@lru_cache
def _run(stops: str) -> re.Pattern[str]:
    """Characters that do not stop, and those that are escaped."""
    alone = "" if "\\" in stops else r"|\\"
    return re.compile(rf"(?:[^{re.escape(stops)}\\]+|{_ESCAPED.pattern}{alone})*")


class _Scanner:
    """A position in a text; reads literals up to a stop character, undoing escapes."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def peek(self) -> str:
        return self.text[self.at : self.at + 1]

    def skip_space(self) -> None:
        while self.peek().isspace():
            self.at += 1

    def take(self, character: str) -> bool:
        if self.peek() == character:
            self.at += 1
            return True
        return False

    def until(self, stops: str) -> str:
        """Read up to one of `stops` or the end; trailing and leading space is the caller's."""
        found = _run(stops).match(self.text, self.at)
        written = found[0] if found else ""
        self.at += len(written)
        return _ESCAPED.sub(r"\1", written) if "\\" in written else written

    def wrong(self, key: str, at: int | None = None, /, **words: object) -> SlotError:
        """What is wrong at a place, by default where it reads."""
        return SlotError(key, self.text, self.at if at is None else at, **words)

    def name(self) -> str:
        match = _NAME.match(self.text, self.at)
        if match is None:
            raise self.wrong("slot-name")
        self.at = match.end()
        return match[0]

    def key(self, wanted: str) -> str:
        """Read the name of a form, feature or attribute, or say that it was expected."""
        match = _KEY.match(self.text, self.at)
        if match is None:
            raise self.wrong(wanted)
        self.at = match.end()
        return match[0]


@lru_cache(maxsize=65536)
def parse_text(text: str) -> SlotText:
    """Read a slot text.

    Raises:
        SlotError: With line and column, if a bracket does not open or close a slot.
    """
    return SlotText(tuple(part for part, _ in _parts(text)))


@lru_cache(maxsize=65536)
def cut_text(text: str) -> tuple[tuple[str, str], ...]:
    """Cut a slot text where slots begin and end, every character as it is written.

    Returns:
        Each piece with the name of the slot that it is, or an empty name.

    Raises:
        SlotError: As `parse_text` does.
    """
    found, start = [], 0
    for part, end in _parts(text):
        found.append((text[start:end], part.name if isinstance(part, Slot) else ""))
        start = end
    return tuple(found)


def _parts(text: str) -> Iterator[tuple[str | Slot, int]]:
    """Yield literal strings and slots, each with where it ends."""
    scanner = _Scanner(text)
    while scanner.at < len(text):
        start = scanner.at
        literal = scanner.until("[]")
        if literal:
            wide = _FULL_WIDTH_SLOT.search(text, start, scanner.at)
            if wide:
                raise scanner.wrong("bracket-wide", wide.start())
            yield literal, scanner.at
        start = scanner.at
        if scanner.take("]"):
            raise scanner.wrong("bracket-alone", start)
        if scanner.take("["):
            yield _slot(scanner, start), scanner.at


def _slot(scanner: _Scanner, start: int) -> Slot:
    scanner.skip_space()
    name = scanner.name()
    scanner.skip_space()
    if scanner.take(":"):
        forms = tuple(filler.text for filler in _items(scanner, attributes=False))
        return Slot(name, forms=forms)
    if scanner.take("|"):
        # No language agrees by a sign that is full-width: who types so means the other one.
        agreement = _FULL_WIDTH.sub(
            lambda sign: unicodedata.normalize("NFKC", sign[0]), scanner.until("[]")
        ).strip()
        if not scanner.take("]"):
            raise scanner.wrong("slot-unclosed", slot=name)
        if not agreement:
            raise scanner.wrong("agreement-lacking", start, slot=name)
        return Slot(name, agreement=agreement)
    slot = Slot(name, named=scanner.key("form-name") if scanner.take(".") else None)
    scanner.skip_space()
    if not scanner.take("]"):
        raise scanner.wrong("slot-unclosed", slot=slot.key)
    return slot


def _items(scanner: _Scanner, *, attributes: bool) -> list[Filler]:
    """Read comma-separated items up to and with the closing bracket.

    Args:
        scanner: Where they begin.
        attributes: Whether items may have a reading and attributes, as fillers have.
    """
    items: list[Filler] = []
    while True:
        scanner.skip_space()
        items.append(_filler(scanner) if attributes else Filler(scanner.until(",[]").strip()))
        if scanner.take(","):
            continue
        if not scanner.take("]"):
            raise scanner.wrong("list-unclosed")
        return items


def _filler(scanner: _Scanner) -> Filler:
    """Read `name`, `name|reading`, either with attributes after it, or attributes alone."""
    text = scanner.until(",[]|{}").strip()
    reading = None
    has_bar = scanner.take("|")
    if has_bar:
        reading = scanner.until(",[]|{}").strip() or None
    start = scanner.at
    if not scanner.take("{"):
        return Filler(text, reading)
    found = _attributes(scanner)
    scanner.skip_space()
    for key, is_written in ((BASE, bool(text) or has_bar), (_READING, has_bar)):
        if key in found and is_written:
            raise scanner.wrong("named-twice", start, key=key)
    if not text and not has_bar and BASE not in found:
        raise scanner.wrong("filler-nameless", start)
    return Filler(
        found.pop(BASE, text), found.pop(_READING, "") or reading, features=tuple(found.items())
    )


def _attributes(scanner: _Scanner) -> dict[str, str]:
    """Read `name: value` pairs up to and with the closing brace."""
    found: dict[str, str] = {}
    while True:
        scanner.skip_space()
        at = scanner.at
        key = scanner.key("attribute-name")
        if key in found:
            raise scanner.wrong("attribute-twice", at, key=key)
        scanner.skip_space()
        if not scanner.take(":"):
            raise scanner.wrong("colon-of-attribute", key=key)
        found[key] = scanner.until(_IN_VALUE).strip()
        if scanner.take(","):
            continue
        if not scanner.take("}"):
            raise scanner.wrong("attribute-unclosed", key=key)
        return found


@lru_cache(maxsize=65536)
def _parse_cell(text: str) -> tuple[tuple[SlotList, ...], tuple[Condition, ...]]:
    """Read the lists and the conditions of a cell."""
    scanner = _Scanner(text)
    lists: list[SlotList] = []
    conditions: list[Condition] = []
    scanner.skip_space()
    while scanner.at < len(text):
        start = scanner.at
        name = scanner.name()
        scanner.skip_space()
        if scanner.peek() in tuple(".=!~"):
            scanner.at = start
            alternatives = [_comparison(scanner)]
            while match := _OR.match(text, scanner.at):
                scanner.at = match.end()
                alternatives.append(_comparison(scanner))
            conditions.append(Condition(tuple(alternatives)))
        else:
            if any(item.name == name for item in lists):
                raise scanner.wrong("two-lists", start, slot=name)
            if not scanner.take(":"):
                raise scanner.wrong("colon-expected", name=name)
            scanner.skip_space()
            lists.append(_list(scanner, name))
        scanner.skip_space()
        if scanner.at < len(text) and not scanner.take(";"):
            raise scanner.wrong("semicolon-expected")
        scanner.skip_space()
    return tuple(lists), tuple(conditions)


def _comparison(scanner: _Scanner) -> SlotComparison:
    start = scanner.at
    left, feature = _compared(scanner)
    written = scanner.text[scanner.at : scanner.at + 2]
    operator = next((item for item in get_args(Operator) if written.startswith(item)), None)
    if operator is None:
        name = f"{left}.{feature}" if feature else left
        raise scanner.wrong("comparison-expected", name=name)
    scanner.at += len(operator)
    scanner.skip_space()
    right, other = _compared(scanner)
    if left == right or feature != other or (operator == "~" and feature):
        raise scanner.wrong("compared-strangely", start, one=left, other=right)
    return SlotComparison(left, operator, right, feature)


def _compared(scanner: _Scanner) -> tuple[str, str | None]:
    """Read a slot's name, and the feature where there is one, up to what follows the space."""
    name = scanner.name()
    feature = scanner.key("feature-name") if scanner.take(".") else None
    scanner.skip_space()
    return name, feature


def _list(scanner: _Scanner, name: str) -> SlotList:
    start = scanner.at
    if not scanner.take("["):
        raise scanner.wrong("bracket-expected", start)
    scanner.skip_space()
    if scanner.take("*"):
        scanner.skip_space()
        if not scanner.take("]"):
            raise scanner.wrong("open-and-more", start)
        return SlotList(name, (), open=True)
    fillers = tuple(_items(scanner, attributes=True))
    if fillers == (Filler(""),):
        fillers = ()
    return SlotList(name, fillers)


def parse_lists(text: str) -> dict[str, SlotList]:
    """Read the lists of `N1: [a, b]; N2: [c, d]; N1 != N2`, in declared order.

    Raises:
        SlotError: With line and column, if the text is no such list, or names a slot twice.
    """
    return {item.name: item for item in _parse_cell(text)[0]}


def parse_conditions(text: str) -> tuple[Condition, ...]:
    """Read the conditions of `N1: [a, b]; N2: [c, d]; N1 != N2`, in written order.

    Raises:
        SlotError: With line and column, if lists or conditions cannot be read.
    """
    return _parse_cell(text)[1]


def readable_lists(text: str) -> tuple[dict[str, SlotList], tuple[Condition, ...]]:
    """The lists and conditions of a cell; none where they cannot be parsed: `check` says so."""
    try:
        return parse_lists(text), parse_conditions(text)
    except SlotError:
        return {}, ()


@lru_cache(maxsize=4096)  # the groups of a workspace, which every template asks for again
def parse_fillers(text: str) -> tuple[Filler, ...]:
    """Read the list of fillers of a group, `[a, b]`; an empty text is an empty list.

    Raises:
        SlotError: With line and column, if the text is no such list.
    """
    if not text.strip():
        return ()
    scanner = _Scanner(text)
    scanner.skip_space()
    result = _list(scanner, "fillers")
    scanner.skip_space()
    if scanner.at < len(text):
        raise scanner.wrong("more-than-list")
    return result.fillers


def fillers_of(groups: Iterable[Group]) -> Iterator[tuple[Group, tuple[Filler, ...]]]:
    """Yield the groups whose fillers can be parsed, with them."""
    for group in groups:
        with suppress(SlotError):
            yield group, parse_fillers(group.fillers)


def _escape(text: str, characters: str) -> str:
    return "".join(f"\\{character}" if character in characters else character for character in text)


def _print_slot(slot: Slot) -> str:
    if slot.forms is not None:
        return f"[{slot.name}: {', '.join(_escape(form, _IN_FORM) for form in slot.forms)}]"
    if slot.agreement is not None:
        return f"[{slot.name}|{_escape(slot.agreement, _IN_TEXT)}]"
    if slot.named is not None:
        return f"[{slot.key}]"
    return f"[{slot.name}]"


def print_text(text: SlotText) -> str:
    """Write a slot text; `parse_text` reads it back to the same."""
    return "".join(
        _escape(part, _IN_TEXT) if isinstance(part, str) else _print_slot(part)
        for part in text.parts
    )


def print_fillers(fillers: Iterable[Filler]) -> str:
    """Write a list of fillers as `[a, b {gender: f}]`."""
    items = []
    for index, filler in enumerate(fillers):
        text = _escape(filler.text, _IN_FILLER)
        if index == 0 and text.startswith("*"):
            text = f"\\{text}"
        if filler.reading:
            text = f"{text}|{_escape(filler.reading, _IN_FILLER)}"
        if filler.features:
            pairs = [f"{key}: {_escape(value, _IN_VALUE)}" for key, value in filler.features]
            text = f"{text} {{{', '.join(pairs)}}}" if text else f"{{{BASE}: , {', '.join(pairs)}}}"
        items.append(text)
    return f"[{', '.join(items)}]"


def print_lists(lists: Iterable[SlotList], conditions: Iterable[Condition] = ()) -> str:
    """Write slot lists, then conditions.

    `parse_lists` and `parse_conditions` read them back to the same.
    """
    written = (
        f"{item.name}: {'[*]' if item.open else print_fillers(item.fillers)}" for item in lists
    )
    return "; ".join((*written, *map(str, conditions)))


MOST_NAMED = 20
"""Names of a list that people are shown; of a longer one so many, and how many there are."""


def few_names(item: SlotList) -> tuple[SlotList, str]:
    """A list as people are shown it: names alone, of a long list a few from all over it.

    Returns:
        The list, and what says how many more there are; nothing where all are shown.
    """
    # Names of one group often stand together, so those at even distances.
    count = min(MOST_NAMED, len(item.fillers))
    chosen = (item.fillers[at * len(item.fillers) // count] for at in range(count))
    few = replace(item, fillers=tuple(Filler(filler.text) for filler in chosen))
    more = len(item.fillers) - count
    return few, f" (and {more:,} more)" if more else ""


def exchanged_slots(declared: Iterable[str]) -> dict[str, str]:
    """The slots that take each other's place in `b` and `d`, by name, where both are declared.

    They are N1 and N2, and of the X slots each odd one and the next: X1 and X2, X3 and X4.
    """
    names = set(declared)
    found = {}
    for name in names:
        letter, number = name[0], int(name[1:])
        other = f"{letter}{number + 1 if number % 2 else number - 1}"
        if other in names and (letter == "X" or (letter == "N" and number in (1, 2))):
            found[name] = other
    return found


def exchange_lists(names: Iterable[str], declared: Mapping[str, object]) -> tuple[str, ...]:
    """Exchange the positions of N1 and N2, of X1 and X2, and so on, where both are declared."""
    exchanged = exchanged_slots(declared)
    return tuple(exchanged.get(name, name) for name in names)


def declared_lists(texts: Texts) -> dict[str, SlotList]:
    """All lists of a wording, names before words, in declared order.

    Raises:
        SlotError: If a list cannot be read.
        CurateError: If a slot has a list in names and one in words.
    """
    lists = parse_lists(texts.names)
    for name, item in parse_lists(texts.words).items():
        if name in lists:
            raise refusal(__package__, "list-in-both", slot=name)
        lists[name] = item
    return lists


def declared_conditions(texts: Texts) -> tuple[Condition, ...]:
    """All conditions of a wording, those beside names before those beside words.

    Raises:
        SlotError: If lists or conditions cannot be read.
    """
    return (*parse_conditions(texts.names), *parse_conditions(texts.words))


def is_open(texts: Texts) -> bool:
    """Whether the survey has yet to fill one of the lists (`[*]`).

    Raises:
        CurateError: If the lists cannot be read.
    """
    return any(item.open for item in declared_lists(texts).values())
