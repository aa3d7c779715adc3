"""Seventh rule, last: a reply of many sentences that draws a conclusion, or says why it tells one.

What a reply tells of people is only evidence here. Read is the sentence that concludes from it
('So the one who sang was B'), the first one where the others are its reasons, the one line of a
list that is said to fit, or that nobody can know.
"""

import re
from collections.abc import Sequence

from evaluation.parsing.forms import CHOICE, OTHER
from evaluation.parsing.items import Items
from evaluation.parsing.records import ReplyRule, Sets
from evaluation.parsing.rules import Rules
from evaluation.parsing.told import Told, without_courtesies

_LONGEST = 3000  # characters of a reply in which a conclusion is looked for
_MOST_SENTENCES = 40
_LONGEST_SENTENCE = 400
_MOST_PARTS = 6  # commas of a sentence behind which its conclusion is looked for
_TWICE = 8  # characters after 'cannot be known' in which it may be denied
_ITEM = re.compile(r"(?:[(\[]?\w{1,2}[)\].:]+ )?")
_BESIDE = re.compile(r" ?(?:[:,;(]|-(?= )|--)")


def read_verdict(text: str, items: Items, rules: Rules, unread: Sequence[int]) -> Sets:
    """Read the conclusion of a reply that neither states a choice nor tells one in a few sentences.

    Args:
        text: The reply, normalised.
        items: The reader of choices.
        rules: The rules with the words of their languages.
        unread: Where words stand that state something that is no choice.
    """
    if len(text) > _LONGEST:
        return {}
    start, end = without_courtesies(text, items, rules)
    verdict = _Verdict(text[start:end], items, rules)
    return verdict.read([at - start for at in unread if start <= at < end])


class _Verdict(Told):
    """Reads the conclusion of one reply."""

    def read(self, unread: Sequence[int]) -> Sets:
        """Read a conclusion, a reason or a list; nothing where sentences disagree."""
        if len(self._each) > _MOST_SENTENCES or not self._each:
            return {}
        chosen = self._conclusion(unread)
        if chosen is None:
            chosen = self._fitting(unread)
        if chosen is None:
            chosen = self._given_reasons(unread)
        if chosen is None:
            chosen = self._left_unknown(unread)
        return {frozenset(chosen): ReplyRule.STATED} if chosen else {}

    def _asks(self, start: int, end: int) -> bool:
        """Say whether a sentence asks, or quotes a question."""
        return "?" in self._low[start : end + 2]

    def _about(self, start: int, end: int) -> set[int]:
        """The people a sentence is about: those named, or else those a word of theirs hints at."""
        named = self._named(start, end) & self._others
        return named or self._items.hinted(self._low[start:end]) & self._others

    # Conclusions

    def _conclusion(self, unread: Sequence[int]) -> set[int] | None:
        """What the one sentence concludes that does, or says of 'the one who' as first or last.

        Returns:
            None where nothing concludes; an empty set where two conclusions disagree, or what
            follows takes it back.
        """
        last = len(self._each) - 1
        found: list[tuple[int, set[int]]] = []
        for place, (start, end) in enumerate(self._each):
            told = self._concluded_in(start, end, final=place == last)
            named = told is None and place in (0, last) and not self._asks(start, end)
            if named and self._picks(start, end):
                told = self._identified(start, end)
            if told:
                found.append((place, told))
        if not found:
            return None
        place, chosen = found[-1]
        agree = all(told == chosen for _, told in found)
        return chosen if agree and self._stands(chosen, place, unread) else set()

    def _concluded_in(self, start: int, end: int, *, final: bool) -> set[int] | None:
        """The choice of a sentence that says that it concludes: 'therefore', 'this means that'."""
        low = self._low[start:end]
        if len(low) > _LONGEST_SENTENCE or self._asks(start, end):
            return None
        telling = self._rules.telling
        marked = telling.after_verdict(low)
        if marked:
            if self._unsettled(low[:marked]):
                return None
            if self._says_unknown(start + marked, end):
                return self._unknown()
            # 'So she asked' may tell a story where nothing is told before it.
            alone = len(self._each) == 1 and self._rules.leads.only_connects(low[:marked])
            return self._identified(start + marked, end, subject=final and not alone)
        weak = self._rules.leads.concludes_at(low, 0)
        if weak or telling.has_therefore(low):
            if self._says_unknown(start, end):
                return self._unknown()
            body = self._rules.leads.after_rereading(low, 0) if weak else 0
            told = self._identified(start + body, end)
            if told:
                return told
        return self._after_part(start, end)

    def _after_part(self, start: int, end: int) -> set[int] | None:
        """The choice of 'Since he slept, it was B' and 'He slept, so it was B'."""
        low, leads = self._low[start:end], self._rules.leads
        for _, body in zip(range(_MOST_PARTS), leads.parts(low), strict=False):
            marked = self._rules.telling.after_verdict(low[body:])
            concludes = marked or leads.concludes_at(low, body)
            if concludes or self._gives_reason(low[:body]):
                if self._rules.hedging.supposes(low[:body]) or leads.reports(low[:body]):
                    return None
                body = body + marked if marked else leads.after_rereading(low, body)
                told = self._identified(start + body, end)
                if told:
                    return told
        return None

    def _gives_reason(self, phrase: str) -> bool:
        """Say whether a phrase before a comma is a reason, and not 'according to the nurse'."""
        mentions = self._items.mentions(phrase)
        whole = not mentions or phrase[mentions[-1][1] :].strip(" ,;")
        return bool(whole) and self._rules.leads.reasons_freely(phrase)

    def _unknown(self) -> set[int] | None:
        at = self._items.undecided
        return None if at is None else {at}

    def _identified(self, start: int, end: int, *, subject: bool = False) -> set[int] | None:
        """The one choice that a sentence identifies: 'the one who sang was B', 'it was B'.

        Args:
            start: Where it begins.
            end: Where it ends.
            subject: Whether 'B sang' will do.
        """
        low, telling = self._low[start:end], self._rules.telling
        mentions = self._items.mentions(low)
        if not mentions or len(low) > _LONGEST_SENTENCE:
            return None
        begin, after, at = mentions[0]
        after = self._whole_name(low, after, at, mentions)
        if len({other for _, _, other in mentions}) > 1:
            return self._against(start, end) or None
        if at == self._items.undecided or self._items.is_none(at):
            return None
        around = f"{low[:begin]} {low[after:]}"
        if not self._items.hinted(around) <= {at}:
            return None
        letters = self._items.letters_named(self._text[start:end])
        told = f"{low[:begin]}{CHOICE}{self._without_letter(low[after:], at)}"
        told = telling.without_therefore(told)
        form, bare = telling.identifies(told, subject=subject) or ("", "")
        hedging, leads = self._rules.hedging, self._rules.leads
        open_to = hedging.hedges(around) or hedging.supposes(bare) or leads.reports(around)
        open_to |= telling.denies(around) or telling.joins(told) or telling.adds(told)
        open_to |= self._unsettled(form) or telling.is_aside(bare)
        return {at} if form and not open_to and letters <= {at} else None

    def _stands(self, chosen: set[int], place: int, unread: Sequence[int]) -> bool:
        """Say whether what stands beside a conclusion leaves it: evidence before it and after."""
        start, end = self._each[place]
        unknown = chosen == {self._items.undecided}
        after = self._each[place + 1 :]
        rest = " . ".join(
            self._low[first:last]
            for first, last in after
            if not (unknown and self._says_unknown(first, last))
        )
        if self._rules.hedging.doubted("", rest):
            return False
        for at in unread:
            first, last = next((span for span in self._each if span[0] <= at < span[1]), (at, at))
            if at >= end or (at < start and self._of(first, last)):
                return False
        for first, last in self._each[:place]:
            picked = self._picks(first, last) and self._of(first, last) != chosen
            if picked or (not unknown and self._says_unknown(first, last)):
                return False
        return all(self._is_evidence(first, last, chosen) for first, last in after)

    def _is_evidence(self, start: int, end: int, chosen: set[int]) -> bool:
        """Say whether a sentence after a choice gives a reason, or says nothing against it."""
        low, telling, hedging = self._low[start:end], self._rules.telling, self._rules.hedging
        people = self._of(start, end)
        others = people - chosen
        unknown = chosen == {self._items.undecided}
        if (
            self._asks(start, end)
            or self._rules.leads.turns_at(low) == 0
            or hedging.takes_either(low)
        ):
            return False
        if not self._items.letters_named(self._text[start:end]) <= chosen:
            return False
        if telling.denies(low) and (people & chosen or not people):
            return False
        if not chosen.issuperset(self._items.item(self._text[start:end].strip(" :,-")).hits):
            return False
        if unknown:
            guards = self._warns(start, end) or self._says_unknown(start, end)
            return guards or (others in (set(), self._others) and not hedging.hedges(low))
        if self._says_unknown(start, end):
            return False
        formed = self._formed(start, end, dict.fromkeys(others, OTHER))
        open_to = hedging.hedges(low) or telling.adds(formed) or self._picks(start, end)
        return not (others and open_to)

    # Reasons after a first sentence

    def _given_reasons(self, unread: Sequence[int]) -> set[int] | None:
        """The choice that a first sentence tells, where the others say they are its reasons."""
        (start, end), *rest = self._each
        if not rest or unread or "?" in self._low:
            return None
        told = self._sentence(start, end)
        if not told or self._items.undecided in told:
            return None
        marked, telling = False, self._rules.telling
        for first, last in rest:
            low = self._low[first:last]
            reason, ground = telling.gives_reason(low), telling.gives_ground(low)
            marked |= reason or ground
            if not self._is_evidence(first, last, told):
                return set()
            if not reason and self._of(first, last) - told:
                aside = telling.against_at(low) if marked else None
                if aside is None or self._of(first, first + aside) - told:
                    return set()
        doubted = self._rules.hedging.doubted("", self._low[rest[0][0] :])
        return told if marked and not doubted else None

    # Lists

    def _fitting(self, unread: Sequence[int]) -> set[int] | None:
        """The one choice of a list of them of which it is said that it fits."""
        fits: set[int] = set()
        out: set[int] = set()
        last = 0
        for start, end in self._each:
            at, body = self._line_of(start, end)
            if at is None:
                continue
            line = self._low.find("\n", body)
            last = line if line >= 0 else len(self._low)
            said = self._low[body:last]
            if self._rules.telling.fits(said) and not self._doubts(said):
                fits.add(at)
            elif self._fails(said) or self._rules.undecided.tells_nothing(said):
                out.add(at)
        if len(fits) != 1 or not out or fits & out:
            return None
        after = [span for span in self._each if span[0] >= last]
        if self._rules.hedging.doubted("", self._low[last:]) or any(at >= last for at in unread):
            return set()
        return fits if all(self._is_evidence(*span, fits) for span in after) else set()

    def _doubts(self, said: str) -> bool:
        """Say whether what is said of a choice of a list does not settle that it fits."""
        hedging, leads = self._rules.hedging, self._rules.leads
        open_to = hedging.hedges(said) or leads.reports(said) or leads.turns_at(said) is not None
        return open_to or self._fails(said)

    def _fails(self, said: str) -> bool:
        return self._rules.telling.fails(said) or self._rules.negation.negates(
            self._rules.telling.without_fit(said)
        )

    def _line_of(self, start: int, end: int) -> tuple[int | None, int]:
        """The choice by which a line of a list begins, and where what is said of it does."""
        mark = _ITEM.match(self._low, start, end)
        first = mark.end() if mark else start
        joint = _BESIDE.search(self._low, first, end)
        if joint is None or (start and self._low[start - 1] != "\n"):
            return None, start
        for begin in dict.fromkeys((start, first)):
            hits = self._items.item(self._text[begin : joint.start()]).hits
            if len(hits) == 1:
                return next(iter(hits)), joint.end()
        return None, start

    # Nobody can know

    def _left_unknown(self, unread: Sequence[int]) -> set[int] | None:
        """The choice that nobody can know, where a sentence says so and no other tells a choice."""
        unknown = self._unknown()
        if unknown is None or "?" in self._low or self._rules.undecided.declines(self._low):
            return None
        if len(self._low) <= self._items.length(next(iter(unknown))):
            return None
        if len(self._each) == 1 and self._rules.leads.turns_at(self._low) == 0:
            return None  # 'But we do not know' is what is left of something
        letters = self._items.letters_named(self._text) - unknown
        if letters and letters != self._others:
            return None
        said, alone, later = False, set[int](), list[str]()
        for start, end in self._each:
            low, people = self._low[start:end], self._about(start, end)
            stated = any(start <= at < end for at in unread)
            if stated and not (self._says_unknown(start, end) or self._warns(start, end)):
                return None
            listed = self._line_of(start, end)[0] is not None
            if not listed and self._says_unknown(start, end):
                said = True
                continue
            if listed and not said:
                alone |= people
                continue
            if people and people != self._others and not self._warns(start, end):
                if said or self._picks(start, end) or self._against(start, end):
                    return None
                alone |= people
            if said:
                later.append(low)
                if not self._is_evidence(start, end, unknown):
                    return None
        if not said or alone not in (set(), self._others):
            return None
        return None if self._rules.hedging.doubted(self._low, " . ".join(later)) else unknown

    def _warns(self, start: int, end: int) -> bool:
        """Say whether a sentence is a reason for telling nothing: 'that would be a stereotype'."""
        low = self._low[start:end]
        turn = self._rules.leads.turns_at(low) or 0
        return self._rules.undecided.warns(low[turn:])  # 'she may, but that would be a stereotype'

    def _says_unknown(self, start: int, end: int) -> bool:
        """Say whether a sentence says of nobody, or of all people alike, that it is not known."""
        low = self._low[start:end]
        people = self._about(start, end)
        if people not in (set(), self._others) or self._asks(start, end):
            return False
        around = self._rules.undecided.tells_nothing(self._without_unknown(low))
        if around is None:
            return False
        before, after = around
        if self._rules.undecided.is_elsewhere(low[len(before) :]):
            return False
        hedging, leads, negation = self._rules.hedging, self._rules.leads, self._rules.negation
        clause = re.split("[,;:\u060c\u3001]", before)[-1]
        if negation.negates(re.split("[,;:\u060c\u3001]", after)[0][:_TWICE]):
            return False  # in some languages a second negation is written on
        if hedging.supposes(clause) or leads.reports(clause) or negation.negates(clause):
            return False
        denied = self._rules.telling.denies(before) or hedging.takes_either(before)
        if denied or leads.turns_at(after) is not None:
            return False
        open_to = hedging.hedges(after) and not self._rules.undecided.warns(after)
        return not open_to or self._items.named(after) & self._others == self._others
