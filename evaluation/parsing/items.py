"""Sixth rule: letters, texts or both, one or a list of them, and nothing else."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from evaluation.parsing.normal import lower
from evaluation.parsing.records import LONGEST_CHOICE, ReplyRule, Sets
from evaluation.parsing.rules import Rules
from evaluation.parsing.text import Texts, bare

_MOST_READINGS = 32
_MOST_KNOWN = 4096  # items that are kept as they were read
_BESIDE = 20  # characters of a letter, brackets and their joint beside a text
_PEOPLE = 2  # a choice beside two people that alone negates says that nobody can know
_LEAST = LONGEST_CHOICE + 60  # characters that an item may have, however short the choices are


class Kinds:
    """Which of some choices is a name, and which says that nobody can know."""

    def __init__(self, rules: Rules, choices: Sequence[str], none: int | None) -> None:
        self._rules, self._choices, self._none = rules, choices, none

    def is_name(self, at: int) -> bool:
        """Say whether a choice names one person or thing: it denies nothing, and is no list."""
        text = self._rules.normal.spaced_key(self._choices[at])
        known = at not in (self.undecided, self._none) and not self.is_none(at)
        text = self._rules.naming.without_apposition(text)
        return known and not self._rules.negation.negates(text) and not self._rules.separates(text)

    def is_none(self, at: int) -> bool:
        """Say whether the text of a choice is a word for none of them, as in 'neither text'."""
        return self._rules.means_none(self._choices[at].strip(" ."))

    @cached_property
    def undecided(self) -> int | None:
        """The choice that says that the text does not tell, where there is one."""
        shown = [lower(self._rules.normal.shown(choice)) for choice in self._choices]
        found = self._rules.undecided.choice(shown)
        if found is None and self._none is None and len(shown) > _PEOPLE:
            negating = [
                at
                for at, text in enumerate(shown)
                if self._rules.negation.negates(text) and not self.is_none(at)
            ]
            found = negating[0] if len(negating) == 1 else None
        return found


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
        rules: The rules with the words of their languages.
        labels: The letters of the choices.
        choices: Their texts.
        none: Position of the choice that stands for none of the others, where there is one.
        several: Whether several choices may be named.

    Attributes:
        every: The positions of all choices.
        longest: Characters that an item has at most.
        limit: Characters that a list of items can have within a longer reply.
    """

    def __init__(
        self,
        rules: Rules,
        labels: tuple[str, ...],
        choices: Sequence[str],
        none: int | None,
        *,
        several: bool,
    ) -> None:
        self._rules, self._none = rules, none
        self._labels, self._letters = labels, rules.letters(labels)
        # Apart from the items, which so are freed as soon as nobody needs them.
        self._kinds = Kinds(rules, choices, none)
        self._texts = Texts(choices, rules.naming, rules.endings, self._kinds.is_name)
        self._known: dict[str, Item] = {}
        self._choices = choices
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
        found = self._hits(list(bare(text)))
        return found if found.hits or found.contradicts else self._without_ending(text)

    def _without_ending(self, text: str) -> Item:
        ends = self._rules.endings.without_ending
        shorter = (ended for form in bare(text) for ended in ends(form, particles=False))
        return self._hits([form for ended in shorter for form in bare(ended)])

    def ended(self, text: str) -> Sets:
        """Read a sentence that is a choice and words such as 'is the answer', in one word with it.

        Returns:
            By the positions named the rule; nothing where no such words end the sentence.
        """
        if len(text) > self.longest:
            return {}
        hits = self._without_ending(text).hits
        return {frozenset((at,)): rule for at, rule in hits.items()}

    def _hits(self, forms: Sequence[str]) -> Item:
        hits: dict[int, ReplyRule] = {}
        contradicts = False
        for form in forms:
            for at in self._letters.alone(form):
                hits[at] = ReplyRule.LETTER
            if self._none is not None and self._rules.means_none(form):
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
            ordered = self._letters.ordered(form)
            if ordered and self._texts.find(ordered[1]) == {ordered[0]}:
                hits[ordered[0]] = ReplyRule.TEXT
        if hits or contradicts or not forms:
            return Item({} if contradicts else hits, contradicts)
        return self._parts(forms[0], forms[-1])

    def _parts(self, text: str, barest: str) -> Item:
        """Read a text as a part of a choice's, with its letter or without."""
        hits: dict[int, ReplyRule] = {}
        contradicts = False
        for letter, beside in self._letters.beside(barest):
            named = self._texts.part(beside)
            hits |= dict.fromkeys(letter & named, ReplyRule.LETTER)
            contradicts |= bool(named) and not letter & named
        if hits or contradicts:
            return Item({} if contradicts else hits, contradicts)
        return Item(dict.fromkeys(self._texts.part(text), ReplyRule.TEXT))

    def length(self, at: int) -> int:
        """Of how many characters the text of a choice is."""
        return len(self._choices[at])

    def is_none(self, at: int) -> bool:
        """Say whether the text of a choice is a word for none of them, as in 'neither text'."""
        return self._kinds.is_none(at)

    @property
    def undecided(self) -> int | None:
        """The choice that says that the text does not tell, where there is one."""
        return self._kinds.undecided

    def within(self, text: str) -> bool:
        """Say whether a letter or the text of a choice stands anywhere in a text."""
        return self._letters.within(text) or self._texts.within(text)

    def named(self, text: str) -> set[int]:
        """The choices whose text or capital letter occurs in a text."""
        return self._letters.named(text) | {at for _, _, at in self._texts.mentions(lower(text))}

    def label(self, at: int) -> str:
        """A pattern of the letter of a choice in small letters."""
        return re.escape(lower(self._labels[at]))

    def mentions(self, low: str) -> list[tuple[int, int, int]]:
        """Where texts of choices stand in a text in small letters, and of which choices."""
        return self._texts.mentions(low)

    def without(self, low: str, chosen: frozenset[int]) -> str:
        """A text in small letters without the texts of some choices."""
        for start, end, at in reversed(self.mentions(low)):
            if at in chosen:
                low = f"{low[:start]} {low[end:]}"
        return low

    def hinted(self, low: str) -> set[int]:
        """The choices of which a word that is theirs alone stands in a text in small letters."""
        return self._texts.hinted(low)

    def by_place(self, low: str) -> bool:
        """Say whether a text in small letters begins with 'the first option' or the like."""
        return self._letters.by_place(low)

    def letters_named(self, text: str) -> set[int]:
        """The choices whose capital letter occurs in a text as a whole word."""
        return self._letters.named(text)

    def begun(self, line: str) -> set[int]:
        """The choices by whose letter a line of a list begins: 'B: she was at home'."""
        return {at for found, _ in self._letters.beside(line[: self.longest]) for at in found}

    def whole(self, text: str, shared: "Cuts | None" = None) -> Sets:
        """Read a text as a list of items, or as one against another: 'B, not A'.

        Args:
            text: The text.
            shared: Where items end in a text that it is the beginning of, by `cuts`, where several
                beginnings of one text are read.

        Returns:
            By the positions named the rule, for every way to read it; nothing where it cannot
            be read.
        """
        cuts = shared or self.cuts(text)
        found = self._list(cuts, len(text))
        return found if found or not cuts.may_contrast else self._contrasted(text)

    def cuts(self, text: str) -> "Cuts":
        """Where the items of a text, and of its beginnings, may end."""
        return Cuts(text, self, self._rules)

    def _contrasted(self, text: str) -> Sets:
        if len(text) > self.limit or self._quotes_all(text):
            return {}
        if self._rules.telling.adds(lower(text)):
            return {}  # 'not only B but A'
        for (first, last), denied in self._rules.contrasts.find(lower(text)):
            sets = self._affirmed(text[first:last])
            no = text[slice(*denied)]
            against = self.named(no).union(*self._list(self.cuts(no), len(no)))
            if self._opens(lower(no)):
                continue
            if sets and against and not any(against & chosen for chosen in sets):
                return dict.fromkeys(sets, ReplyRule.STATED)
        return {}

    def _quotes_all(self, text: str) -> bool:
        """Say whether a text is of every choice, by letter and by text: a list of them."""
        shown = {at for _, _, at in self._texts.mentions(lower(text))}
        return self._letters.named(text) == shown == self.every

    def _opens(self, denied: str) -> bool:
        """Say whether what is denied leaves something open besides: 'not B, or perhaps C'."""
        last = 0
        kept = []
        for start, end, _ in self._texts.mentions(denied):
            kept.append(denied[last:start])
            last = end
        words = "".join((*kept, denied[last:])).replace("(", " ").replace(")", " ").split()
        words = [word for word in words if not self._letters.alone(word.strip(" .,;"))]
        hedges = self._rules.hedging.hedges(" ".join(words))
        return hedges and (len(words) > 1 or "," in denied)

    def _affirmed(self, text: str) -> Sets:
        low = lower(text)
        opening = self._rules.leads.opening.match(low)
        for start in (0, self._rules.leads.after(low), opening.end() if opening else 0):
            part = text[start:].strip(" ,;")
            sets = self._list(self.cuts(part), len(part))
            if sets:
                return sets
        return {}

    def _list(self, cuts: "Cuts", length: int) -> Sets:
        """Read the first characters of a text as a list of items."""
        ways: dict[int, Sets] = {0: {frozenset(): ReplyRule.LETTER}}
        while ways:
            start = min(ways)
            sets = ways.pop(start)
            if start > length or len(sets) > _MOST_READINGS:
                return sets
            for following, hits in cuts.after(start, length):
                for choice, kind in hits.items():
                    grown = ways.setdefault(following, {})
                    for chosen, rule in sets.items():
                        grown[chosen | {choice}] = _joined(rule, kind) if chosen else kind
        return {}

    def contradicts(self, text: str) -> bool:
        """Whether a text is the letter of one choice beside the text of another."""
        return len(text) <= self.longest and self.item(text).contradicts


class Cuts:
    """Where the items of a text and of its beginnings may end, found as far as they are asked for.

    Args:
        text: The text.
        items: The reader of its items.
        rules: The rules with the words of their languages.
    """

    def __init__(self, text: str, items: Items, rules: Rules) -> None:
        self._text, self._items, self._rules = text, items, rules
        self._open = rules.separator.finditer(text)
        self._spans: list[tuple[int, int]] = []
        self._named: dict[int, list[tuple[int, dict[int, ReplyRule]]]] = {}

    @cached_property
    def may_contrast(self) -> bool:
        """Whether words such as 'B, not A' has may stand in it, or in a beginning of it."""
        short = self._text[: self._items.limit]
        return self._rules.contrasts.may_stand_in(lower(short))

    def after(self, start: int, length: int) -> Iterator[tuple[int, dict[int, ReplyRule]]]:
        """What items that begin at a place may name, and where the next item begins.

        Args:
            start: The place.
            length: Characters of the beginning that is read. After its last item the next one
                begins behind its end.
        """
        for following, hits in self._all_after(start):
            if following <= length:
                yield following, hits
        longest = self._items.longest
        for end, following in (*self._broken_off(length), (length, length + 1)):
            if start <= end <= start + longest:
                yield following, self._items.item(self._text[start:end]).hits

    def _all_after(self, start: int) -> list[tuple[int, dict[int, ReplyRule]]]:
        """The same in the whole text, except for its last item; what names nothing is left out."""
        if start not in self._named:
            last = start + self._items.longest
            self._find(last)
            first = bisect_left(self._spans, (start, start))
            found = []
            for end, following in self._spans[first:]:
                if end > last:
                    break
                hits = self._items.item(self._text[start:end]).hits
                if hits:
                    found.append((following, hits))
            self._named[start] = found
        return self._named[start]

    def _broken_off(self, length: int) -> list[tuple[int, int]]:
        """What separates items in a beginning, and goes on behind its end in the whole text."""
        if length == len(self._text):
            return []
        self._find(length)
        at = bisect_right(self._spans, length, key=_end)
        if at == len(self._spans) or self._spans[at][0] >= length:
            return []
        first = self._spans[at - 1][1] if at else 0
        return [it.span() for it in self._rules.separator.finditer(self._text, first, length)]

    def _find(self, last: int) -> None:
        """Find what separates items up to a place."""
        while not self._spans or self._spans[-1][0] <= last:
            match = next(self._open, None)
            if match is None:
                return
            self._spans.append(match.span())


def _end(span: tuple[int, int]) -> int:
    return span[1]


def _joined(rule: ReplyRule, kind: ReplyRule) -> ReplyRule:
    return rule if rule is kind else ReplyRule.TEXT
