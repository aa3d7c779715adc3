"""The rules of reading in their fixed order, and whether a choice can be in a reply at all."""

import re
from collections.abc import Sequence
from functools import lru_cache

from curation.languages import Language
from evaluation.parsing.alone import read_alone
from evaluation.parsing.closing import read_closing
from evaluation.parsing.items import Items
from evaluation.parsing.letter import choice_letters
from evaluation.parsing.names import distinct
from evaluation.parsing.normal import folded, lower, unmarked, without_thoughts
from evaluation.parsing.records import Reading, ReplyRule, Sets
from evaluation.parsing.rules import Rules, known_rules, rules_for
from evaluation.parsing.stated import Statements, read_stated, sentences
from evaluation.parsing.text import apposed
from evaluation.parsing.told import read_told
from evaluation.parsing.verdict import read_verdict


def read_reply(
    reply: str,
    choices: Sequence[str],
    *,
    several: bool = False,
    none: int | None = None,
    labels: Sequence[str] | None = None,
    rules: Rules | None = None,
    own: Language | None = None,
) -> Reading:
    """Read which choices a reply names.

    Letters may be of either case (of more than one character: as shown), full-width, in brackets,
    bold or followed by the exact text of their choice. Several are joined by commas, 'and' or
    line ends. Thoughts before the reply (`<think>`) are passed over.

    Args:
        reply: The reply.
        choices: The choices in the order in which the request showed them.
        several: Whether several choices may be named.
        none: Position of the choice that stands for none of the others, where there is one:
            words such as 'none' then mean it, and it goes with no other choice.
        labels: What the choices were called, one each; A, B, C and so on by default.
        rules: The rules with the words of some languages; by default of those that the reply or
            its choices have words of.
        own: The language of a workspace, whose words are read too.

    Raises:
        ValueError: If there are not as many labels as choices.
    """
    if labels is not None and len(labels) != len(choices):
        raise ValueError(f"there are {len(choices)} choices and {len(labels)} labels")
    given = None if labels is None else tuple(labels)
    shown = tuple(choices)
    return _reader(shown, given, several, none, rules or rules_for(reply, shown, own)).read(reply)


def read_whole(
    reply: str,
    choices: Sequence[str],
    labels: Sequence[str] | None = None,
    own: Language | None = None,
) -> Reading | None:
    """Read a reply that is nothing but a choice, as `read_reply` does.

    Quicker than that for all others: it only says that they are more or something else.

    Args:
        reply: The reply.
        choices: The choices in the order in which the request showed them.
        labels: What they are called; A, B, C and so on by default.
        own: The language of a workspace, whose words are read too.

    Returns:
        None where the reply is no choice alone, and not empty either.
    """
    shown, given = tuple(choices), None if labels is None else tuple(labels)
    rules = rules_for(reply, shown, own)
    return _reader(shown, given, several=False, none=None, rules=rules).read_whole(reply)


def may_be_letter(
    text: str,
    count: int,
    labels: Sequence[str] | None = None,
    own: Language | None = None,
) -> bool:
    """Say whether a text could be read as the letter of one of some choices.

    Quicker than reading it: where this is False no such reading is possible.

    Args:
        text: A reply, or the text of a choice.
        count: How many choices there are.
        labels: What they are called; A, B, C and so on by default.
        own: The language of a workspace, whose words are read too.
    """
    return known_rules(own).letters(tuple(labels or choice_letters(count))).within(text)


@lru_cache(maxsize=1024)
def _reader(
    choices: tuple[str, ...],
    labels: tuple[str, ...] | None,
    several: bool,
    none: int | None,
    rules: Rules,
) -> "_Reader":
    return _Reader(choices, labels, several, none, rules)


class _Reader:
    """Reads replies to one list of choices."""

    def __init__(
        self,
        choices: tuple[str, ...],
        labels: tuple[str, ...] | None,
        several: bool,
        none: int | None,
        rules: Rules,
    ) -> None:
        shown = labels or tuple(choice_letters(len(choices)))
        self._items = Items(rules, shown, choices, none, several=several)
        self._rules = rules
        self._several = several
        self._none = none

    def read_whole(self, reply: str) -> Reading | None:
        """Read a reply as a whole; None where it is no list of choices and not empty."""
        given = without_thoughts(reply)
        if given is None:
            return Reading(None, ReplyRule.UNFINISHED)
        text = unmarked(self._rules.normal.normalised(given))
        if not text.strip():
            return Reading(None, ReplyRule.EMPTY)
        sets = self._items.whole(text)
        return self._ruled(sets) if sets else None

    def read(self, reply: str) -> Reading:
        """Read a reply: as a whole, then by what it states, or say why it cannot be read."""
        given = without_thoughts(reply)
        if given is None:
            return Reading(None, ReplyRule.UNFINISHED)
        marked = self._rules.normal.normalised(given)
        text = unmarked(marked)
        if not text.strip():
            return Reading(None, ReplyRule.EMPTY)
        sets = self._items.whole(text)
        if sets:
            return self._ruled(sets)
        stated = read_stated(marked, self._items, self._rules)
        sets = read_alone(text, self._items, self._rules)
        agrees = not stated.contradicts and stated.sets.keys() <= sets.keys()
        if sets and agrees and not self._offers_another(next(iter(sets)), text):
            return self._ruled(sets)
        if stated.sets and not (stated.contradicts or stated.doubted):
            left = None if stated.unread else self._left(stated.sets, text)
            if left and left.chosen:
                return left
            # What ends the reply is not taken back.
            if read_closing(text, self._items, self._rules).keys() == stated.sets.keys():
                return self._ruled(stated.sets)
            if left:
                return left
        if not stated.sets and not stated.contradicts:
            sets = read_told(text, self._items, self._rules, stated.unread_at)
            sets = sets or read_verdict(text, self._items, self._rules, stated.unread_at)
            if sets.keys() == {frozenset((self._items.undecided,))} and self._knows_another(text):
                return Reading(None, ReplyRule.HEDGE)
            if sets:
                return self._left(sets, text)
            sets = read_closing(text, self._items, self._rules)
            if sets:
                return self._ruled(sets)
        return Reading(None, self._reason(text, stated))

    def _left(self, sets: Sets, text: str) -> Reading:
        """Rule on what a reply states, unless it goes on with another choice: 'B. Or A.'."""
        chosen = frozenset[int]().union(*sets)
        if self._items.undecided not in chosen and (
            self._offers_another(chosen, text) or self._turns_away(chosen, text)
        ):
            return Reading(None, ReplyRule.HEDGE)
        return self._ruled(sets)

    def _knows_another(self, text: str) -> bool:
        """Say whether a reply is 'We do not know of the baker, but it was the potter'.

        Some people are named, and not all of them, in a clause after what is not known: after a
        word that turns or concludes, or where the unknown is of the other one.
        """
        low, undecided, leads = lower(text), self._rules.undecided, self._rules.leads
        people, said = self._items.every - {self._items.undecided}, False
        for start, end in sentences(low):
            joints = {start + at for at in leads.joints(low[start:end])}
            cuts = sorted({start, *joints, *(start + at for at in leads.parts(low[start:end]))})
            for first, last in zip(cuts, (*cuts[1:], end), strict=True):
                before = low[start:first]
                known = said if first == start else undecided.tells_nothing(before) is not None
                clause, named = low[first:last], self._items.named(text[first:last]) & people
                other = self._items.named(text[start:first]) & people
                if not known or not named or named == people:
                    continue
                if self._rules.negation.negates(clause) or undecided.warns(clause):
                    continue
                if first in joints or (other and other.isdisjoint(named)):
                    return True
            said = undecided.tells_nothing(low[start:end]) is not None
        return False

    def _turns_away(self, chosen: frozenset[int], text: str) -> bool:
        """Say whether a sentence after a choice turns against it, and names nobody else instead.

        'However, the text does not say so' does; 'But the baker did not sing' goes with the potter.
        """
        low = lower(text)
        places = [end for _, end, at in self._items.mentions(low) if at in chosen]
        first = min(places, default=len(low))
        for start, end in sentences(low):
            named = self._items.named(text[start:end])
            turns = start >= first and self._rules.leads.turns_at(low[start:end]) == 0
            if turns and named <= chosen and self._rules.negation.negates(low[start:end]):
                return True
            if named & chosen:
                first = min(first, end)
        return False

    def _offers_another(self, chosen: frozenset[int], text: str) -> bool:
        """Say whether a sentence after a choice names another one beside it."""
        low, hedging, seen = lower(text), self._rules.hedging, False
        for start, end in sentences(low):
            at = hedging.adds_at(low[start:end])
            other = at is not None and not self._items.named(text[start + at : end]) <= chosen
            if seen and (other or hedging.takes_either(low[start:end])):
                return True
            seen = seen or not chosen.isdisjoint(self._items.named(text[start:end]))
            if other and at and self._items.named(text[start : start + at]) & chosen:
                return True
        return False

    def _ruled(self, sets: Sets) -> Reading:
        """Rule on the readings of one reply: there may be one alone, of choices that go together.

        Args:
            sets: By the positions that a reading names, the rule that it is by.
        """
        if len(sets) > 1:
            return Reading(None, ReplyRule.AMBIGUOUS)
        chosen, rule = next(iter(sets.items()))
        if len(chosen) > 1 and not self._several:
            return Reading(None, ReplyRule.SEVERAL)
        if len(chosen) > 1 and self._none in chosen:
            return Reading(None, ReplyRule.CONTRADICTION)
        return Reading(chosen, rule)

    def _reason(self, text: str, stated: Statements) -> ReplyRule:
        """Say why a reply is not read."""
        if stated.contradicts or self._items.contradicts(text):
            return ReplyRule.CONTRADICTION
        low = lower(text)
        if stated.doubted:
            return ReplyRule.HEDGE
        if self._rules.negation.negates(self._rules.hedging.without_unsure(low)):
            return ReplyRule.NEGATION
        if self._rules.hedging.hedges(low):
            return ReplyRule.HEDGE
        return ReplyRule.UNREADABLE


_DECORATED = re.compile(r"[*_`~<>{}$\\]")


def reply_core(reply: str, own: Language | None = None) -> str | None:
    """The letters and figures of a reply, in which the core of a choice can be looked for.

    Returns:
        None where decoration is left within, so that nobody can tell in which order they stand, and
        where the reply says that the text does not tell: it names a choice that says so otherwise.
    """
    given = without_thoughts(reply)
    if given is None:
        return ""
    rules = known_rules(own)
    text = unmarked(rules.normal.normalised(given))
    otherwise = _DECORATED.search(text) or rules.undecided.find(lower(text))
    return None if otherwise else _signs(folded(text))


def choice_cores(choices: Sequence[str], own: Language | None = None) -> tuple[str, ...]:
    """What stands in any reply that names one of some choices by its text, or by a part of it.

    One of these at least does: the words that one choice alone has, and what every form of its
    whole text holds, with no article and no ending of a verb. Where any part may stand for a
    choice, one of them is empty.
    """
    naming = known_rules(own).naming
    every = distinct([naming.naming_words(choice) for choice in choices])
    cores = {_signs(word) for words in every for word in words}
    cores.update(_choice_core(choice, own) for choice in choices)
    return tuple(sorted(cores))


@lru_cache(maxsize=1 << 16)
def _choice_core(choice: str, own: Language | None) -> str:
    rules = known_rules(own)
    if apposed(choice, rules.normal):
        return ""
    key = rules.normal.without_article(rules.normal.key(choice))
    return _signs(rules.endings.verb_stem(key))


def _signs(text: str) -> str:
    return "".join(character for character in text if character.isalnum())
