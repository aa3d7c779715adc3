"""Which wordings of a bank a text may come from, and how texts are matched with them.

A text is read from left to right. A literal has to stand where the walk is; at a slot the forms
that stand there are looked up by their length, so that a list of a thousand names costs no more
than one of ten. Every slot keeps the set of fillers that are still possible, the same for all
texts of a sample. The walks of a sample have a bound on their steps, so that no text makes them
long.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache

from curation.bank.generate import Filling
from curation.records.bank import QuestionType
from curation.slots.fill import CompiledText, number_fillings
from curation.slots.grammar import declared_conditions

STEPS = range(20_000)
"""The steps that the walks of one sample through one variant may take."""
HIDDEN = re.compile("[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u200b\ufeff]")
"""Characters that show nothing: they are passed over, and told of."""
_SPACE = re.compile(r"\s+")
_SENTENCE_END = frozenset(".!?:\"'“”‘’«»¿¡(")

Bindings = tuple[frozenset[int] | None, ...]
"""For each slot the positions of the fillers that are possible; None where all are."""


@lru_cache(maxsize=4096)  # samples have questions, answers and contexts in common
def collapse(text: str) -> str:
    """A text with single spaces, none around it, and without characters that show nothing."""
    return " ".join(HIDDEN.sub("", text).split())


@dataclass(frozen=True, slots=True)
class Place:
    """A slot in a text.

    Attributes:
        axis: Position of the slot among the declared ones.
        fillers: By form the positions of the fillers that have it.
        lengths: How long forms are, the longest first.
    """

    axis: int
    fillers: Mapping[str, frozenset[int]]
    lengths: tuple[int, ...]


Pattern = tuple[str | Place, ...]
"""What a text is made of: literals, and slots."""


def pattern(texts: Sequence[CompiledText], between: str = " ") -> Pattern:
    """What texts are made of that stand one after the other.

    Args:
        texts: The texts.
        between: What stands between two of them.
    """
    pieces: list[str | Place] = []
    for at, text in enumerate(texts):
        own: list[str | Place] = [
            _SPACE.sub(" ", HIDDEN.sub("", part))
            if isinstance(part, str)
            else Place(part[0], *_by_form(part[1]))
            for part in text.parts
        ]
        for end, strip in ((0, str.lstrip), (-1, str.rstrip)):
            if own and isinstance(own[end], str):
                own[end] = strip(str(own[end]))
        pieces += [between, *own] if at else own
    return tuple(piece for piece in pieces if piece)


@lru_cache(maxsize=1024)  # texts of a variant, and variants, have the same lists
def _by_form(forms: tuple[str, ...]) -> tuple[Mapping[str, frozenset[int]], tuple[int, ...]]:
    fillers: dict[str, frozenset[int]] = {}
    for index, form in enumerate(map(collapse, forms)):
        fillers[form] = fillers[form] | {index} if form in fillers else _only(index)
    return fillers, tuple(sorted({len(form) for form in fillers}, reverse=True))


@cache  # most forms are of one filler, and a set takes 200 bytes
def _only(index: int) -> frozenset[int]:
    return frozenset((index,))


def walk(
    pieces: Pattern, text: str, known: Bindings, steps: Iterator[int], *, capitals: bool
) -> Iterator[Bindings]:
    """Yield the fillers that give a text.

    Args:
        pieces: The text with slots.
        text: The filled text, with single spaces.
        known: The fillers that are possible.
        steps: The steps that are left (`STEPS`); when there are none it ends.
        capitals: Whether letters at the beginning of a sentence may differ in case.
    """
    stack: list[tuple[int, int, Bindings]] = [(0, 0, known)]
    last = len(pieces)
    while stack:
        at, place, fillers = stack.pop()
        while at < last:
            if next(steps, None) is None:
                return
            piece = pieces[at]
            at += 1
            if isinstance(piece, str):
                place = _after(piece, text, place, capitals=capitals)
                if place < 0:
                    break
                continue
            found = list(ways(piece, text, place, fillers, capitals=capitals))
            if not found:
                break
            stack.extend((at, *way) for way in reversed(found[1:]))
            place, fillers = found[0]
        else:
            if place == len(text):
                yield fillers


def _after(literal: str, text: str, at: int, *, capitals: bool) -> int:
    """Where a text goes on after a literal; -1 where it does not stand there.

    Spaces that meet are one, and there are none at the ends of a text.
    """
    if literal.startswith(" ") and (at == 0 or text[at - 1] == " "):
        literal = literal[1:]
    if text.startswith(literal, at):
        return at + len(literal)
    if literal.endswith(" ") and at + len(literal) == len(text) + 1:
        literal = literal[:-1]
        if text.startswith(literal, at):
            return len(text)
    if capitals and is_initial(text, at) and literal:
        other = text[at : at + 1].swapcase()
        if literal.startswith(other) and text.startswith(literal[1:], at + 1):
            return at + len(literal)
    return -1


def ways(
    piece: Place, text: str, at: int, known: Bindings, *, capitals: bool
) -> Iterator[tuple[int, Bindings]]:
    """The forms that stand at a place, the longest first, each with the fillers it leaves."""
    axis, fillers = piece.axis, piece.fillers
    before = known[axis]
    initial = capitals and is_initial(text, at)
    for length in piece.lengths:
        if at + length > len(text):
            continue
        form = text[at : at + length]
        found = fillers.get(form)
        if initial and length:
            swapped = fillers.get(form[:1].swapcase() + form[1:])
            found = swapped if found is None else found if swapped is None else found | swapped
        if found is None:
            continue
        left = found if before is None else found & before
        if left:
            yield at + length, (*known[:axis], left, *known[axis + 1 :])


def is_initial(text: str, at: int) -> bool:
    """Whether a sentence may begin at a place of a text."""
    return at == 0 or (text[at - 1] == " " and text[at - 2] in _SENTENCE_END)


GRAM = 4
"""Wordings are looked up by so many characters that follow one another, in any script."""
_COMMON = 50
"""What more wordings than this hold tells nothing of where a text comes from."""
_LOOKED_AT = 4000
"""So many characters of a text are compared with all wordings where none gives it."""


class IndexedText:
    """One wording of a variant, which texts are matched against.

    Attributes:
        filling: Its texts with every form, and its lists.
        is_source: Whether it is that of the source, which the culture's may differ from.
    """

    def __init__(self, filling: Filling, *, is_source: bool) -> None:
        self.filling = filling
        self.is_source = is_source
        self._patterns: dict[tuple[str, ...], Pattern] = {}

    def pattern(self, *fields: str) -> Pattern:
        """What a text, or two that are joined, are made of; worked out when first asked for."""
        if fields not in self._patterns:
            texts = [self.filling.texts[name] for name in fields]
            self._patterns[fields] = pattern(texts, self.filling.between)
        return self._patterns[fields]

    def raw(self, fields: Sequence[str], indices: Sequence[int]) -> str:
        """A text, or two that are joined, in one filling as a sample has them."""
        between = self.filling.between
        return between.join(self.filling.texts[name].render(indices) for name in fields)

    def rendered(self, fields: Sequence[str], indices: Sequence[int]) -> str:
        """The same with single spaces, without characters that show nothing."""
        return collapse(self.raw(fields, indices))

    @cached_property
    def has_hidden(self) -> bool:
        """Whether it has characters that show nothing."""
        parts = (part for text in self.filling.texts.values() for part in text.parts)
        pieces = (
            piece for part in parts for piece in ([part] if isinstance(part, str) else part[1])
        )
        return any(HIDDEN.search(piece) for piece in pieces)

    @property
    def every(self) -> Bindings:
        """No slot bound: all fillers are possible."""
        return (None,) * len(self.filling.order)

    def fillers(self, indices: Sequence[int]) -> tuple[tuple[str, str], ...]:
        """Each slot with its filler in one filling, in declared order."""
        lists = self.filling.lists
        return tuple((name, self.filling.filler(name, indices).text) for name in lists)

    def unmet(self, known: Bindings) -> list[str]:
        """The conditions that no fillers of those that are possible meet, or not all at once."""
        filling = self.filling
        if filling.numbered.first(known) is not None:
            return []
        every = declared_conditions(filling.texts_of.names, filling.texts_of.words)
        alone = [
            condition
            for condition in every
            if number_fillings(filling.lists, filling.order, [condition]).first(known) is None
        ]
        return list(map(str, alone or every))

    @property
    def name(self) -> str:
        """The variant's id."""
        return str(self.filling.variant.id)


class Index:
    """Wordings by what is literally in them, and by questions (`asking`) as these are met.

    Each wording is kept under the rarest piece of its ambiguous context that no slot touches: a
    text that it gives holds that piece, so that no wording is ever missed.
    """

    def __init__(self, wordings: Sequence[IndexedText]) -> None:
        self.wordings = wordings
        pieces = [_grams_of(item.filling.texts["ambiguous_context"]) for item in wordings]
        count = Counter(piece for own in pieces for piece in own)
        self._always: list[int] = []
        self._by_piece: dict[str, list[int]] = {}
        for at, own in enumerate(pieces):
            if own:
                rarest = min(own, key=lambda piece: (count[piece], piece))
                self._by_piece.setdefault(rarest, []).append(at)
            else:
                self._always.append(at)
        self._near: dict[str, list[int]] | None = None
        self._candidates: dict[str, list[IndexedText]] = {}
        self.asking: dict[tuple[str, bool], dict[IndexedText, list[QuestionType]]] = {}

    def candidates(self, context: str) -> list[IndexedText]:
        """The wordings that may give a context, in the bank's order."""
        if context not in self._candidates:  # samples have contexts in common
            found = list(self._always)
            for piece in self._by_piece.keys() & _grams(context.casefold()):
                found += self._by_piece[piece]
            self._candidates[context] = [self.wordings[at] for at in sorted(found)]
        return self._candidates[context]

    def nearest(self, text: str, most: int) -> list[IndexedText]:
        """The wordings that share most with a text, the best first; none that share nothing."""
        if self._near is None:
            self._near = {}
            for at, item in enumerate(self.wordings):
                for piece in set().union(*map(_grams_of, item.filling.texts.values())):
                    self._near.setdefault(piece, []).append(at)
        shares: dict[int, float] = {}
        for piece in _grams(text[:_LOOKED_AT].casefold()):
            known = self._near.get(piece, ())
            if len(known) <= _COMMON:
                for at in known:
                    shares[at] = shares.get(at, 0.0) + 1 / len(known)
        best = sorted(shares, key=lambda at: (-shares[at], at))[:most]
        return [self.wordings[at] for at in best]


def _grams_of(text: CompiledText) -> set[str]:
    literals = (part for part in text.parts if isinstance(part, str))
    return {gram for literal in literals for gram in _grams(collapse(literal).casefold())}


def _grams(text: str) -> set[str]:
    return {text[at : at + GRAM] for at in range(len(text) - GRAM + 1)}
