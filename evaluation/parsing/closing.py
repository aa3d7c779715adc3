"""Seventh rule, after all else: a reply whose one letter stands at its end, or by its own text.

'He came by bus, which takes an hour. So C.', 'Result: B', 'As for the letter: A'. What stands
before it weighs and tells what people did; no other letter stands anywhere.
"""

import re
from functools import cached_property

from evaluation.parsing.items import Items
from evaluation.parsing.normal import lower
from evaluation.parsing.records import ReplyRule, Sets
from evaluation.parsing.rules import Rules
from evaluation.parsing.told import Told, without_courtesies

_LONGEST = 3000  # characters of a reply at whose end a letter is looked for
_LONGEST_SENTENCE = 400
_LONGEST_TAIL = 25  # characters after it: 'is the right one'
_REASONING = 3  # sentences at least of a reply whose last one concludes without saying so
_ENDS = (".", "!", "\u3002", ")", "*", '"')
_LONGEST_HEADING = 40  # characters of what stands before a letter as its heading: 'Result:'
_HEADED = re.compile(r"[^\n.!?,;]*(?:[:>\u2192=]|(?: -))[ >]*\Z")
_OPEN, _CLOSED = r"[(\[\"'\u300c\u300e<]*", r"[)\]\"'\u300d\u300f>]*"
_STOPS = " .!\u3002\n"
_JOINT = re.compile("[,;:\u3001\n]")


def read_closing(text: str, items: Items, rules: Rules) -> Sets:
    """Read the one letter that a reply of several sentences ends in.

    Args:
        text: The reply, normalised.
        items: The reader of choices.
        rules: The rules with the words of their languages.
    """
    if len(text) > _LONGEST:
        return {}
    start, end = without_courtesies(text, items, rules)
    return _Closing(text[start:end].rstrip(), items, rules).read()


class _Closing(Told):
    """Reads the end of one reply."""

    def read(self) -> Sets:
        """Read the last sentence; nothing where it does not settle on the one letter there is."""
        letters = self._items.letters_named(self._text)
        if len(letters) != 1 or not self._each:
            return {}
        (at,) = letters
        start, end = self._each[-1]
        part = self._text[start:]
        if len(part) > _LONGEST_SENTENCE or "?" in part:
            return {}
        if self._items.letters_named(part) != letters or not self._named(start, end) <= letters:
            return {}
        found = list(self._letter(at).finditer(part))
        if len(found) != 1 or any(
            self._letter(other).search(part) for other in self._items.every - letters
        ):
            return {}  # 'both A and B', where 'A' may be an article
        before, first = part[: found[0].start()], found[0].start()
        ends = self._ends_with(at, part[first:], part[found[0].end() :].strip(_STOPS))
        if not (ends and self._settles(at, start, before)):
            return {}
        before_it = self._each[:-1]
        if before_it and self._denies(*before_it[-1], at):
            return {}
        if not all(self._weighs(first, last, at) for first, last in before_it):
            return {}
        return {frozenset(letters): ReplyRule.STATED}

    def _letter(self, at: int) -> re.Pattern[str]:
        label = self._items.label(at)
        return re.compile(rf"{_OPEN}(?<![a-zA-Z0-9]){label.upper()}(?![a-zA-Z0-9]){_CLOSED}")

    def _ends_with(self, at: int, whole: str, after: str) -> bool:
        """Say whether a sentence ends after the letter, or in the text of its choice.

        Args:
            at: The choice.
            whole: The sentence from the letter on.
            after: What stands after the letter.
        """
        rest, leads = after.strip(" :,.)-"), self._rules.leads
        low = lower(rest)
        if not rest or leads.only_connects(low) or self._rules.telling.has_therefore(low):
            return len(rest) <= _LONGEST_HEADING
        whole = whole.strip(_STOPS)
        tail = leads.tail.search(lower(whole))
        told = whole[: tail.start()] if tail else whole
        if self._items.item(told).hits.keys() == {at} or self._items.ended(whole):
            return True
        opening = leads.opening.match(low)
        named = rest[opening.end() :] if opening else rest
        if self._items.item(named).hits.keys() == {at}:
            return True
        return self._reasons and len(rest) <= _LONGEST_TAIL and self._is_clean(low)

    def _settles(self, at: int, start: int, before: str) -> bool:
        """Say whether what stands before the letter in its sentence leads to it."""
        low, leads, telling = lower(before), self._rules.leads, self._rules.telling
        if leads.reports(low) or self._rules.hedging.supposes(low):
            return False
        clause = _JOINT.split(low.rstrip(" :>-=\u2192"))[-1]
        negates = self._rules.negation.negates(clause) or telling.fails(clause)
        if self._rules.hedging.hedges(clause) or negates:
            return False
        if telling.denies(low):
            return False
        found = list(leads.find(low))
        if not all(lead.free for lead in found):
            return False  # 'my neighbour says that the answer is'
        if self._own_text(at, before):
            return True
        if len(self._each) < _REASONING or not self._text[:start].rstrip().endswith(_ENDS):
            return False  # 'I would rule out\n\nB'
        heads = len(low) <= _LONGEST_HEADING and _HEADED.fullmatch(low) is not None
        concludes = leads.concludes_at(low, 0) or telling.has_therefore(low)
        concludes = concludes or bool(telling.after_verdict(low)) or leads.reasons_freely(low)
        leads_to = bool(found) and leads.only_connects(low[found[-1].end :])
        alone = set(self._items.item(self._text[start:]).hits) == {at}
        told = alone or heads or concludes or leads_to
        return told or (self._reasons and self._is_clean(clause))

    @cached_property
    def _reasons(self) -> bool:
        """Whether a reply of several sentences is there to its end: the last one then concludes.

        Where the letter stands before it too, it may be taken back.
        """
        before = self._text[: self._each[-1][0]]
        whole = len(self._each) >= _REASONING and self._text.endswith(_ENDS)
        return whole and not self._items.letters_named(before)

    def _is_clean(self, low: str) -> bool:
        """Say whether a part of a sentence neither denies nor leaves open what it says."""
        hedging, leads = self._rules.hedging, self._rules.leads
        open_to = hedging.hedges(low) or hedging.supposes(low) or leads.reports(low)
        denied = self._rules.telling.denies(low) or self._rules.negation.negates(low)
        return not (open_to or denied)

    def _own_text(self, at: int, before: str) -> bool:
        """Say whether the text of the choice stands just before its letter."""
        low = lower(before).rstrip(" ,:(\"'")
        return any(
            place == at and not low[end:].strip() for _, end, place in self._items.mentions(low)
        )

    def _denies(self, start: int, end: int, at: int) -> bool:
        """Say whether a sentence asks, or is no more than 'it was certainly not the baker'."""
        low = self._low[start:end]
        if "?" in self._low[start : end + 2]:
            return True
        short = len(low) <= _LONGEST_HEADING + self._items.length(at)
        return short and self._rules.negation.negates(low) and self._of(start, end) == {at}

    def _weighs(self, start: int, end: int, at: int) -> bool:
        """Say whether a sentence before the last one leaves it to that one."""
        low = self._low[start:end]
        if self._rules.undecided.declines(low):
            return False
        return not (self._picks(start, end) and self._of(start, end) - {at})
