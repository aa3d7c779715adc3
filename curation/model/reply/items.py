"""Sixth rule: letters, texts or both, one or a list of them, and nothing else."""

import re
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from curation.model.reply.forms import bare, without_ending
from curation.model.reply.letter import Letters
from curation.model.reply.none_words import means_none
from curation.model.reply.occurrence import LONGEST_CHOICE
from curation.model.reply.records import ReplyRule, Sets
from curation.model.reply.text import Texts

_MOST_READINGS = 32
_MOST_KNOWN = 4096  # items that are kept as they were read
_BESIDE = 20  # signs of a letter, brackets and their joint beside a text
_LEAST = LONGEST_CHOICE + 60  # signs that an item may have, however short the choices are
# Each way begins with a sign of its own: only so are long replies searched quickly.
_SEPARATOR = re.compile(
    r"[,;、·・&\n][,;、·・&\n ]*(?:(?:[Aa][Nn][Dd]|그리고|및) +)?"
    r"| (?:[Aa][Nn][Dd]|그리고|및) +"
    r"|(?:와|과|이랑|랑|하고) +"
)


@dataclass(frozen=True, slots=True)
class Item:
    """What one item of a list is.

    Attributes:
        hits: By the position of every choice that it may name, the rule.
        contradicts: Whether it is the letter of one choice and the text of another.
    """

    hits: dict[int, ReplyRule]
    contradicts: bool = False


class Items:
    """Reads items of one list of choices.

    Args:
        letters: The letters of the choices.
        choices: Their texts.
        none: Position of the choice that stands for none of the others, where there is one.
        several: Whether several choices may be named.

    Attributes:
        every: The positions of all choices.
        longest: Signs that an item has at most.
        limit: Signs that a list of items has at most within a longer reply.
    """

    def __init__(
        self, letters: Letters, choices: Sequence[str], none: int | None, *, several: bool
    ) -> None:
        self._letters, self._texts, self._none = letters, Texts(choices), none
        self._known: dict[str, Item] = {}
        self.every = frozenset(range(len(choices)))
        self.longest = max(_LEAST, self._texts.longest + _BESIDE)
        self.limit = self.longest * (len(choices) if several else 2)

    def item(self, text: str) -> Item:
        """Read a text as one item; as it is, then without polite endings."""
        if len(text) > self.longest:
            return Item({})
        if text not in self._known:
            if len(self._known) >= _MOST_KNOWN:
                self._known.clear()
            self._known[text] = self._item(text)
        return self._known[text]

    def _item(self, text: str) -> Item:
        forms = list(bare(text))
        found = self._hits(forms)
        if found.hits or found.contradicts:
            return found
        shorter = (ended for form in forms for ended in without_ending(form, particles=False))
        return self._hits([form for ended in shorter for form in bare(ended)])

    def _hits(self, forms: Sequence[str]) -> Item:
        hits: dict[int, ReplyRule] = {}
        contradicts = False
        for form in forms:
            for at in self._letters.alone(form):
                hits[at] = ReplyRule.LETTER
            if self._none is not None and means_none(form):
                hits.setdefault(self._none, ReplyRule.NONE)
        for at in self._texts.find(forms[0]) if forms else ():
            hits.setdefault(at, ReplyRule.TEXT)
        if hits:
            return Item(hits)
        for form in forms:
            for letter, text in self._letters.beside(form):
                named = self._texts.find(text)
                hits |= dict.fromkeys(letter & named, ReplyRule.LETTER)
                contradicts |= bool(named) and not letter & named
        return Item({} if contradicts else hits, contradicts)

    def whole(self, text: str) -> Sets:
        """Read a text as a list of items.

        Returns:
            By the positions named the rule, for every way to read it; nothing where it cannot
            be read.
        """
        cuts = _Cuts(text)
        ways: dict[int, Sets] = {0: {frozenset(): ReplyRule.LETTER}}
        while ways:
            start = min(ways)
            sets = ways.pop(start)
            if start > len(text) or len(sets) > _MOST_READINGS:
                return sets
            for end, following in cuts.after(start, self.longest):
                for choice, kind in self.item(text[start:end]).hits.items():
                    grown = ways.setdefault(following, {})
                    for chosen, rule in sets.items():
                        grown[chosen | {choice}] = _joined(rule, kind) if chosen else kind
        return {}

    def contradicts(self, text: str) -> bool:
        """Say whether a text is the letter of one choice beside the text of another."""
        return len(text) <= self.longest and self.item(text).contradicts


class _Cuts:
    """Where the items of a list may end, found as far as they are asked for."""

    def __init__(self, text: str) -> None:
        self._text, self._open = text, _SEPARATOR.finditer(text)
        self._cuts: deque[tuple[int, int]] = deque()

    def after(self, start: int, longest: int) -> list[tuple[int, int]]:
        """Give where an item that begins at `start` may end, and where the next one begins.

        After the last item the next one begins behind the end. `start` never falls.
        """
        while self._cuts and self._cuts[0][0] < start:
            self._cuts.popleft()
        while not self._cuts or self._cuts[-1][0] - start <= longest:
            match = next(self._open, None)
            if match is None:
                end = len(self._text), len(self._text) + 1
                if self._cuts and self._cuts[-1] == end:
                    break
                self._cuts.append(end)
            elif match.start() >= start:
                self._cuts.append(match.span())
        return [cut for cut in self._cuts if cut[0] - start <= longest]


def _joined(rule: ReplyRule, kind: ReplyRule) -> ReplyRule:
    return rule if rule is kind else ReplyRule.TEXT
