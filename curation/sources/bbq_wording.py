"""Texts of BBQ in the bank's grammar: as they should read, and as the published samples read.

`NAME1` becomes `N1` and `WORD1` becomes `W1`. `GEN1` and `OCC1` say what the person of
`NAME1` is besides, and a last name stands after the first one: the first of these that a row has
becomes `X1`, the next one `X3`, which go with `N1` wherever the two people change places.

BBQ's generators change a text after it is filled: `lesbian man` and `Latino woman` become
`lesbian woman` and `Latina woman`, and `a` becomes `an` before a vowel letter, but not at the
start of a text. Ours has the words as they are corrected there, and articles as English has them;
the source keeps what was published: the texts of the samples where these are wrong, the words of
the template where the generators put them right.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from curation.files.tables import list_literal
from curation.slots.fill import FillError, form_of, generalise
from curation.slots.grammar import Filler, Slot, SlotText, print_text
from curation.sources.bbq_people import LAST, NAME
from curation.sources.imported import cell_error, entries, pieces

Note = Callable[[str, str], None]
"""Takes the column and the message of a remark on a cell that is read all the same."""

_MARK = r"(?P<kind>NAME|WORD|GEN|OCC)(?P<number>[1-9]\d?)"
_IN_TEXT = re.compile(rf"(?P<open>[\[{{]*)(?<![A-Za-z])\s*{_MARK}(?!\w)\s*(?P<close>[\]}}]*)")
_EXACT = re.compile(rf"\{{\{{{_MARK}\}}\}}")
_ENTRY = re.compile(
    rf"\s*(?P<key>(?P<open>[\[{{]*)\s*{_MARK}\s*(?P<close>[\]}}]*))\s*:\s*"
    r"\[(?P<items>[^\[\]]*)\]\s*(?:[;,]\s*)*"
)
_NOTHING = re.compile("(?!)")
_LEFT_OVER = re.compile(r"[{}]|\[\s*(?:NAME|WORD|GEN|OCC)")


class Published(NamedTuple):
    """A slot as BBQ numbers it, for example `NAME1`."""

    kind: str
    number: int

    def __str__(self) -> str:
        return f"{self.kind}{self.number}"


Parts = tuple[str | Published, ...]
Written = dict[Published, tuple[str, ...]]


def read_text(text: str, column: str, note: Note) -> Parts:
    """Read a text with slots.

    One brace of a slot may be wrong, missing or doubled; that is noted.

    Raises:
        CellError: If something looks like a slot and is none.
    """
    return tuple(
        piece if isinstance(piece, str) else _slot(piece, piece[0], column, note)
        for piece in pieces(text, _IN_TEXT, column, _LEFT_OVER)
    )


def read_literally(text: str) -> Parts:
    """Read a text as BBQ's generators do: what is no slot to the letter stays as it is."""
    return tuple(
        piece if isinstance(piece, str) else Published(piece["kind"], int(piece["number"]))
        for piece in pieces(text, _EXACT, "", _NOTHING)
    )


def _slot(match: re.Match[str], written: str, column: str, note: Note) -> Published:
    slot = Published(match["kind"], int(match["number"]))
    if _edits(match["open"], "{{") + _edits(match["close"], "}}") > 1:
        raise cell_error("not-a-slot", column, near=written)
    if written != f"{{{{{slot}}}}}":
        note(column, f"'{written}' is read as {{{{{slot}}}}}")
    return _checked(slot, column)


def _checked(slot: Published, column: str) -> Published:
    if slot.kind != "WORD" and slot.number > 2:
        raise cell_error("two-people-only", column, slot=slot)
    return slot


def _edits(found: str, wanted: str) -> int:
    """Count how many braces are wrong, missing or too many; 2 stands for more than one."""
    right = found.count(wanted[0])
    is_near = 0 < len(found) < 4 and right >= max(1, len(found) - 1)
    return (found != wanted) if is_near else 2


def read_lists(cell: str, column: str, note: Note) -> Written:
    """Read lists of fillers, each with the name of its slot; `;` may stand for `,` in a list.

    Raises:
        CellError: If the cell holds anything else, a slot twice or an empty list.
    """
    lists: Written = {}
    for match in entries(cell.strip(), _ENTRY, column):
        if match["open"] or match["close"]:
            slot = _slot(match, match["key"], column, note)
        else:
            slot = _checked(Published(match["kind"], int(match["number"])), column)
        if slot in lists:
            raise cell_error("two-lists", column, slot=slot)
        lists[slot] = _items(match["items"], slot, column, note)
    return lists


def _items(text: str, slot: Published, column: str, note: Note) -> tuple[str, ...]:
    quoted = list_literal(f"[{text}]")  # a comma in quotes is of a name
    items = quoted or [part.strip().strip('"') for part in re.split("[,;]", text)]
    filled = tuple(map(str.strip, items))
    if not all(filled):
        raise cell_error("list-empty", column, slot=slot)
    if ";" in text and not quoted:
        note(column, f"';' in the list of {slot} is read as ','")
    return filled


# --- in the bank's grammar

Lists = Mapping[Published, tuple[Filler, ...]]

_BEFORE_SLOT = re.compile(r"(?<![\w'’-])(?P<article>[Aa]) +$")
_PAIRS = {"a": "a/an", "A": "A/An"}
_TWINS = {1: 2, 2: 1}
_WORDS = "WORD"
_LETTERS = {NAME: "N", _WORDS: "W"}
_BOUND = ("GEN", "OCC", LAST)
"""Kinds of slots that go with a person."""
_CORRECTED = {"lesbian man": "lesbian woman", "Latino woman": "Latina woman"}
"""What BBQ's generators put right after filling."""
_TO_CORRECT = re.compile("|".join(_CORRECTED))
_CHANGING = re.compile("|".join((r"\s[aA]\s[aAeEiIoOuU]", *_CORRECTED)))
_RACE = "race"
_NEVER = "never"
"""A feature that keeps two fillers apart: a man is never `Latina`."""


def slot_names(slots: Iterable[Published]) -> dict[Published, str]:
    """The names in the bank's grammar of all slots of a row.

    Raises:
        CellError: If there are more word slots than the grammar has names for.
    """
    found = sorted(set(slots))
    bound = [kind for kind in _BOUND if any(slot.kind == kind for slot in found)]
    first = {kind: len(_TWINS) * at for at, kind in enumerate(bound)}
    names = {
        slot: f"{_LETTERS.get(slot.kind, 'X')}{first.get(slot.kind, 0) + slot.number}"
        for slot in found
    }
    if any(len(name) > len("W99") for name in names.values()):
        raise cell_error("too-many-slots", "Lexical_diversity")
    return names


@dataclass(frozen=True, slots=True)
class Wording:
    """A text in the bank's grammar.

    Attributes:
        text: As it should read.
        published: As the published samples read: with the words put right, not all articles.
        template: As the template has it, filled without a change of words.
        wrong: What samples or templates say and what it should be, for fillers that differ.
    """

    text: str
    published: str
    template: str
    wrong: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class _Place:
    """A slot with what stands around it and depends on its filler.

    Attributes:
        slot: The slot.
        article: The article before it, `a` or `A`; empty where there is none.
        before: What the generators see before article and filler: a space, or the text's start.
        tail: The word after it, with its space, where one of the fillers changes it.
    """

    slot: Published
    article: str
    before: str
    tail: str

    @property
    def triggers(self) -> bool:
        """Whether its filler makes the generators look at articles."""
        return self.slot.kind not in (_WORDS, LAST)

    def is_plain(self, fillers: Iterable[Filler]) -> bool:
        """Whether fillers stand there as they are, whatever is said of them."""
        if self.article or self.tail:
            return False
        return not _CHANGING.search("".join(f" {filler.text} " for filler in fillers))

    def template(self, filler: Filler) -> str:
        """What the template says, its article changed as the generators change it."""
        text = f"{self.article} {filler.text}{self.tail}".strip()
        if not (self.triggers and re.match("[aeiou]", filler.text.lower())):
            return text
        text = re.sub(r"(\s[aA])(\s[aAeEiIoOuU])", r"\1n\2", self.before + text)
        return text.replace(" an European", " a European").removeprefix(self.before)

    def published(self, filler: Filler) -> str:
        """What the published samples say."""
        return _corrected(self.template(filler))

    def right(self, filler: Filler) -> str:
        """What it should say."""
        text = _corrected(f"{filler.text}{self.tail}")
        if not self.article:
            return text
        try:
            return form_of(Slot("N1", agreement=_PAIRS[self.article]), Filler(text), 0, "en")
        except FillError:
            return self.published(filler)


def worded(parts: Parts, names: Mapping[Published, str], lists: Lists) -> Wording:
    """Write a text; characters that the grammar uses are escaped.

    Args:
        parts: The text, every slot of which has a list.
        names: The slots' names in the bank's grammar.
        lists: Their fillers.
    """
    forms: dict[str, list[str | Slot]] = {"right": [], "published": [], "template": []}
    wrong: dict[tuple[str, str], None] = {}
    for place in _places(_with_last_names(parts, lists), lists):
        fillers = () if isinstance(place, str) else lists[place.slot]
        plain = place if isinstance(place, str) else Slot(names[place.slot])
        if isinstance(place, str) or place.is_plain(fillers):
            for written in forms.values():
                written.append(plain)
            continue
        twin = _twin(place.slot, lists)
        for side, written in forms.items():
            form: Callable[[Filler], str] = getattr(place, side)
            written += _written(place, names[place.slot], fillers, twin, form)
        for filler in fillers:
            right, published = place.right(filler), place.published(filler)
            said = place.template(filler) if published == right else published
            if published != right or _corrected(said) != said:
                wrong[said, right] = None
    texts = (SlotText(tuple(filter(None, written))) for written in forms.values())
    text, published, template = map(print_text, texts)
    return Wording(text, published, template, tuple(wrong))


def _corrected(text: str) -> str:
    return _TO_CORRECT.sub(lambda found: _CORRECTED[found[0]], text)


def _with_last_names(parts: Parts, lists: Lists) -> Parts:
    """Put a last name after each first name that has one."""
    full: list[str | Published] = []
    for part in parts:
        full.append(part)
        if isinstance(part, Published) and part.kind == NAME:
            last = Published(LAST, part.number)
            full += [" ", last] if last in lists else []
    return tuple(full)


def _places(parts: Parts, lists: Lists) -> Iterator[str | _Place]:
    """Tell what stands around each slot, and give out the text between."""
    rest = [*parts, ""]
    before = ""
    for at, part in enumerate(rest):
        if isinstance(part, str):
            before += part
            continue
        found = _BEFORE_SLOT.search(before)
        literal = before[: found.start()] if found else before
        tail = _tail(rest[at + 1], (*lists[part], *_twin(part, lists)))
        if tail:
            rest[at + 1] = str(rest[at + 1]).removeprefix(tail)
        if literal:
            yield literal
        article = found["article"] if found else ""
        yield _Place(part, article, " " if literal[-1:].isspace() else "", tail)
        before = ""
    if before:
        yield before


def _twin(slot: Published, lists: Lists) -> tuple[Filler, ...]:
    """The fillers of the other person's slot of the kind."""
    return lists.get(Published(slot.kind, _TWINS.get(slot.number, 0)), ())


def _tail(after: str | Published, fillers: Iterable[Filler]) -> str:
    """The word after a slot that is another one for one of the fillers; empty if there is none."""
    for found in _CORRECTED:
        first, second = found.split()
        follows = isinstance(after, str) and re.match(rf" {second}\b", after)
        if follows and any(filler.text == first for filler in fillers):
            return f" {second}"
    return ""


def _written(
    place: _Place,
    name: str,
    fillers: Sequence[Filler],
    twin: Sequence[Filler],
    form: Callable[[Filler], str],
) -> list[str | Slot]:
    """Write a slot by its forms: without listing them if that can be, in both variants alike."""
    articles = (place.article, f"{place.article}n") if place.article else ("",)
    both = (*fillers, *twin)
    for several in (both,) if place.tail else (both, fillers):
        forms = [form(filler) for filler in several]
        for article in articles:
            plain = [f"{article} {filler.text}{place.tail}".lstrip() for filler in several]
            if forms == plain:
                return [f"{article} ".lstrip(), Slot(name), place.tail]
        stems = tuple(text.removesuffix(place.tail) for text in forms)
        rule = generalise(Slot(name, forms=stems), several, "en")
        if rule is not None and all(text.endswith(place.tail) for text in forms):
            return [rule, place.tail]
    forms = [form(filler) for filler in fillers]
    for article in filter(None, articles):
        if all(text.startswith(f"{article} ") for text in forms):
            bare = tuple(text.removeprefix(f"{article} ") for text in forms)
            return [f"{article} ", Slot(name, forms=bare)]
    return [Slot(name, forms=tuple(forms))]


def with_articles(
    texts: Mapping[str, Parts], lists: Lists, names: Mapping[Published, str]
) -> tuple[dict[str, Parts], Lists, dict[Published, str]]:
    """Put a slot in the place of articles and letters that the generators may change.

    Where a name begins with a vowel, they change every `a` and `A` before a vowel, `an A in class`
    too. So the published samples have either, which a list of both says.

    Returns:
        The texts, the lists and the slots' names, all as they were where nothing may change.
    """
    triggers = (own for slot, own in lists.items() if slot.kind not in (_WORDS, LAST))
    touched = any(it.text[:1].lower() in (*"aeiou",) for own in triggers for it in own)
    changed = {field: tuple(_with_slots(parts)) for field, parts in texts.items() if touched}
    found = {part for parts in changed.values() for part in parts if part in _ARTICLES}
    last = max((int(name[1:]) for name in names.values() if name[0] == "W"), default=0)
    more = {slot: f"W{last + at}" for at, slot in enumerate(sorted(found, key=str), start=1)}
    articles = {slot: _ARTICLES[slot] for slot in more}
    return {**texts, **changed}, {**lists, **articles}, {**names, **more}


_ARTICLES = {
    Published("ARTICLE", number): (Filler(article), Filler(f"{article}n"))
    for number, article in enumerate("aA", start=1)
}
_BEFORE_VOWEL = re.compile(r"(?<=\s)([aA])(?=\s[aAeEiIoOuU])")


def _with_slots(parts: Parts) -> Iterator[str | Published]:
    for part in parts:
        if isinstance(part, Published):
            yield part
            continue
        for at, piece in enumerate(_BEFORE_VOWEL.split(part)):
            if at % 2:
                yield Published("ARTICLE", 1 + "aA".index(piece))
            elif piece:
                yield piece


def with_latinas(
    texts: Iterable[Parts], lists: Lists, conditions: Sequence[str]
) -> tuple[Lists, tuple[str, ...], tuple[tuple[str, str], ...]]:
    """Put words right that BBQ's generators correct across two slots: `Latino` and `woman`.

    A word of its own stands for the corrected one, kept from the other words by a condition. That
    is done where one slot alone stands right after the name, with at most one other word.

    Args:
        texts: The texts.
        lists: The fillers.
        conditions: The conditions on them.

    Returns:
        The lists, the conditions, and what was changed with what it is now.
    """
    changed = {**lists}
    more = [*conditions]
    told: dict[tuple[str, str], None] = {}
    texts = [*texts]
    for name in (Published(NAME, 1), Published(NAME, 2)):
        threes = (it for parts in texts for it in zip(parts, parts[1:], parts[2:], strict=False))
        after = {third for first, blank, third in threes if (first, blank) == (name, " ")}
        second = after.pop() if len(after) == 1 else ""
        if name not in lists or not isinstance(second, Published) or second not in lists:
            continue
        for found, corrected in _CORRECTED.items():
            (first, last), word = found.split(), corrected.split()[0]
            seconds = [filler.text for filler in lists[second]]
            there = any(filler.text == first for filler in lists[name])
            if word == first or not there or last not in seconds or len(seconds) > len(_TWINS):
                continue
            told[found, corrected] = None
            changed |= _kept_apart(changed, name, second, (first, last, word))
            if len(seconds) > 1:
                more.append(f"{{{name}}}.{_NEVER} != {{{second}}}.{_NEVER}")
    return changed, tuple(more), tuple(told)


def _kept_apart(
    lists: Lists, name: Published, second: Published, words: tuple[str, str, str]
) -> dict[Published, tuple[Filler, ...]]:
    """The lists of a name and of what follows it, with the corrected word in its place."""
    first, last, corrected = words
    seconds = [filler.text for filler in lists[second]]
    other = next((text for text in seconds if text != last), "")
    if not other:
        return {
            name: tuple(
                replace(filler, text=corrected) if filler.text == first else filler
                for filler in lists[name]
            )
        }
    names: list[Filler] = []
    for plain in lists[name]:
        filler = plain if plain.feature(_RACE) else replace(plain, features=((_RACE, plain.text),))
        if filler.text == first:
            names += [_never(filler, last), _never(replace(filler, text=corrected), other)]
        else:
            names.append(_never(filler, "none"))
    return {
        name: tuple(names),
        second: tuple(_never(filler, filler.text) for filler in lists[second]),
    }


def _never(filler: Filler, value: str) -> Filler:
    others = tuple(item for item in filler.features if item[0] != _NEVER)
    return replace(filler, features=(*others, (_NEVER, value)))
