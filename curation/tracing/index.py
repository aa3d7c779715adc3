"""Find, among all wordings of a bank, the few that a text may come from."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property

from curation.bank.generate import Filling
from curation.slots import CompiledText, number_fillings
from curation.slots.fill import declared_conditions
from curation.tracing.patterns import HIDDEN, Bindings, Pattern, collapse, pattern

GRAM = 4
"""Wordings are looked up by so many characters that follow one another, in any script."""
_COMMON = 50
"""What more wordings than this hold tells nothing of where a text comes from."""
_LOOKED_AT = 4000
"""So many characters of a text are compared with all wordings where none gives it."""


class Wording:
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
    """Wordings by what is literally in them.

    Each wording is kept under the rarest piece of its ambiguous context that no slot touches: a
    text that it gives holds that piece, so that no wording is ever missed.
    """

    def __init__(self, wordings: Sequence[Wording]) -> None:
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

    def candidates(self, context: str) -> list[Wording]:
        """The wordings that may give a context, in the bank's order."""
        found = list(self._always)
        for piece in self._by_piece.keys() & set(_grams(context.casefold())):
            found += self._by_piece[piece]
        return [self.wordings[at] for at in sorted(found)]

    def nearest(self, text: str, most: int) -> list[Wording]:
        """The wordings that share most with a text, the best first; none that share nothing."""
        if self._near is None:
            self._near = {}
            for at, item in enumerate(self.wordings):
                for piece in set().union(*map(_grams_of, item.filling.texts.values())):
                    self._near.setdefault(piece, []).append(at)
        shares: dict[int, float] = {}
        for piece in set(_grams(text[:_LOOKED_AT].casefold())):
            known = self._near.get(piece, ())
            if len(known) <= _COMMON:
                for at in known:
                    shares[at] = shares.get(at, 0.0) + 1 / len(known)
        best = sorted(shares, key=lambda at: (-shares[at], at))[:most]
        return [self.wordings[at] for at in best]


def _grams_of(text: CompiledText) -> set[str]:
    literals = (part for part in text.parts if isinstance(part, str))
    return {gram for literal in literals for gram in _grams(collapse(literal).casefold())}


def _grams(text: str) -> Iterator[str]:
    return (text[at : at + GRAM] for at in range(len(text) - GRAM + 1))
