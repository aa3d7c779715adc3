"""Seventh rule, too: an answer that is given first and explained, or told in a sentence."""

import re
from collections.abc import Iterator, Sequence

from evaluation.parsing.forms import CHOICE
from evaluation.parsing.items import Items
from evaluation.parsing.leads import SENTENCE
from evaluation.parsing.normal import lower
from evaluation.parsing.records import ReplyRule, Sets
from evaluation.parsing.rules import Rules
from evaluation.parsing.stated import sentences

_JOINT = re.compile(r" ?[:;,\u3001\u3002-]+ ?")
_EXPLAINED = {":", "-", "--"}
_LONGEST_TOLD = 300  # characters of a sentence that is looked at as one that tells a choice
_MOST_TOLD = 4  # sentences of a reply that is read by what it tells


def read_told(text: str, items: Items, rules: Rules, unread: Sequence[int]) -> Sets:
    """Read a reply that states nothing as its answer.

    Either it begins with a choice alone, on a line or as a sentence, and what follows neither
    names another one in the same way nor takes it back; or it tells one choice, and no other, in a
    sentence such as 'It was the baker who sang'; or it says that the text does not tell.

    Args:
        text: The reply, normalised.
        items: The reader of choices.
        rules: The rules with the words of their languages.
        unread: Where words stand that state something that is no choice.
    """
    told = _Told(text, items, rules)
    return told.opening(unread) or told.sentences(unread) or told.undecided(unread)


class _Told:
    """Reads one reply."""

    def __init__(self, text: str, items: Items, rules: Rules) -> None:
        self._text, self._low = text, lower(text)
        self._items, self._rules = items, rules

    def opening(self, unread: Sequence[int]) -> Sets:
        """Read the choice that a reply begins with, or states first, and explains."""
        leads = self._rules.leads
        heading = leads.bare.match(self._low)
        starts = {heading.end() if heading else 0: False}
        lead = next(leads.find(self._low), None)
        if lead and lead.free and lead.start in unread:
            starts[lead.end] = True
        for start, stated in starts.items():
            line = self._low.find("\n", start)
            line = len(self._low) if line < 0 else line
            for end, whole in self._ends(start, line):
                sets = self._items.whole(self._text[start:end])
                if not sets:
                    continue
                chosen = next(iter(sets))
                if len(sets) > 1 or len(chosen) > 1:
                    return {}
                if not (whole or stated or self._with_text(start, end, line, chosen)):
                    continue
                if end < line and not whole and self._left_open(end):
                    return {}
                others = [at for at in unread if not (stated and lead and at == lead.start)]
                kept = self._kept(chosen, end, others)
                return dict.fromkeys(sets, ReplyRule.STATED) if kept else {}
        return {}

    def _ends(self, start: int, line: int) -> Iterator[tuple[int, bool]]:
        """Where a choice at the beginning of a line may end, and whether that ends an answer."""
        limit = min(line, start + self._items.limit)
        if limit == line < len(self._low):
            yield line, True
        for stop in reversed(list(SENTENCE.finditer(self._low, start, limit))):
            if stop.end() < len(self._low) and "?" not in stop[0]:
                yield stop.start(), False
        for stop in reversed(list(_JOINT.finditer(self._low, start, limit))):
            reason = self._rules.leads.gives_reason(self._low, stop.end())
            if reason or stop[0].strip() in _EXPLAINED:
                yield stop.start(), reason

    def _left_open(self, end: int) -> bool:
        """Say whether the sentence that goes on after a choice leaves it open: 'B - maybe'."""
        first, last = next(sentences(self._low[end:]), (0, 0))
        following = self._low[end + first : end + last]
        hedges = self._rules.hedging.hedges(following)
        return hedges and not self._rules.negation.negates(following)

    def _with_text(self, start: int, end: int, line: int, chosen: frozenset[int]) -> bool:
        """Say whether a choice that a sentence goes on after is named by its text, or then is.

        'A. The baker sang' gives the letter and a sentence: it may be of another choice.
        """
        part = self._text[start:end]
        if self._items.mentions(lower(part)):
            return True
        _, last = next(sentences(self._low[end + 1 : line]), (0, 0))
        following = self._text[end + 1 : end + 1 + last]
        negates = self._rules.negation.negates(lower(following))
        return self._items.named(following) == chosen and not negates

    def _kept(self, chosen: frozenset[int], end: int, unread: Sequence[int]) -> bool:
        """Say whether what follows a choice leaves it the answer."""
        hedging, negation, telling = self._rules.hedging, self._rules.negation, self._rules.telling
        if hedging.doubted("", self._low[end:]):
            return False
        for first, last in sentences(self._low[end:]):
            part, low = self._text[end + first : end + last], self._low[end + first : end + last]
            item = self._items.item(
                part.strip(" :,-").partition(":")[0]
            )  # 'B) The baker: she sang' too
            if item.contradicts or not chosen.issuperset(item.hits):
                return False
            named = self._items.named(part)
            others = named - chosen
            if telling.denies(low) and (named & chosen or not named):
                return False
            open_to = others if others and others | chosen != self._items.every else set()
            weighs = negation.negates(low) or telling.is_aside(low)
            if open_to and hedging.hedges(low) and not weighs:
                return False
            if any(end + first <= at < end + last for at in unread) and (
                others or negation.negates(low)
            ):
                return False
        return True

    def sentences(self, unread: Sequence[int]) -> Sets:
        """Read the one choice that a few sentences tell."""
        told: set[int] = set()
        if "?" in self._low or len(self._low) > _MOST_TOLD * _LONGEST_TOLD:
            return {}
        spans = self._spans()
        if len(spans) > _MOST_TOLD:
            return {}
        for start, end in spans:
            found = self._sentence(start, end)
            if found is None or (not found and any(start <= at < end for at in unread)):
                return {}
            told |= found
        after = spans[0][1] if spans else 0
        if len(told) != 1 or self._rules.hedging.doubted(self._low, self._low[after:]):
            return {}
        if not self._items.letters_named(self._text) <= told:
            return {}
        return {frozenset(told): ReplyRule.STATED}

    def undecided(self, unread: Sequence[int]) -> Sets:
        """Read the choice that says so, where a reply says in other words that nobody can know.

        Other sentences may name all the other choices, or none, and leave nothing open.
        """
        at = self._items.undecided
        if at is None or "?" in self._low or len(self._low) > _MOST_TOLD * _LONGEST_TOLD:
            return {}
        if len(self._low) <= self._items.length(at):
            return {}  # another name for such a choice, and no sentence: it was not among them
        spans, said = self._spans(), 0
        if len(spans) > _MOST_TOLD:
            return {}
        for start, end in spans:
            named = self._items.named(self._text[start:end]) - {at}
            around = self._rules.undecided.find(self._low[start:end])
            stated = any(start <= place < end for place in unread)
            lists = self._items.letters_named(self._text[start:end]) - {at}
            if lists or named not in (set(), self._items.every - {at}) or (stated and not around):
                return {}
            if not (self._says_so(*around) if around else self._beside(start, end)):
                return {}
            said = said or (end if around else 0)
        if not said or self._rules.hedging.doubted(self._low, self._low[said:]):
            return {}
        return {frozenset((at,)): ReplyRule.STATED}

    def _says_so(self, before: str, after: str) -> bool:
        """Say whether a sentence leaves it at 'nobody can know' between two parts of it."""
        turns = self._rules.leads.turns_at
        rest = f"{before} {after}"
        denied = self._unsettled(before) or self._unsettled(after)
        denied |= self._rules.telling.denies(rest) or self._rules.hedging.supposes(rest)
        return not denied and turns(before) != 0 and turns(after) is None

    def _beside(self, start: int, end: int) -> bool:
        """Say whether a sentence beside one that says so leaves it the answer."""
        low, hedging = self._low[start:end], self._rules.hedging
        open_to = hedging.hedges(low) or hedging.supposes(low) or self._rules.leads.reports(low)
        denied = self._rules.telling.denies(low) or self._rules.leads.turns_at(low) == 0
        named = self._items.named(self._text[start:end])
        return not (open_to or denied or (not named and self._rules.telling.is_aside(low)))

    def _spans(self) -> list[tuple[int, int]]:
        """Where the sentences are, but for stops within a choice: 'Ms. Green'."""
        inside = self._items.mentions(self._low)
        spans: list[tuple[int, int]] = []
        for start, end in sentences(self._low):
            if spans and any(first < spans[-1][1] < last for first, last, _ in inside):
                spans[-1] = (spans[-1][0], end)
            else:
                spans.append((start, end))
        return spans

    def _sentence(self, start: int, end: int) -> set[int] | None:
        """The choice that a sentence tells; none where it names none, None where it may not."""
        low = self._low[start:end]
        if len(low) > _LONGEST_TOLD:
            return None
        begin, last = self._rules.telling.without_source(low)
        if begin or last < len(low):
            hits = self._items.item(self._text[start + begin : start + last]).hits
            if hits:
                return set(hits)
            low = low[begin:last]
        mentions = self._items.mentions(low)
        if not mentions:
            return self._described(start, end)
        begin, after, at = mentions[0]
        stops = (stop.start() for stop in self._rules.leads.stop.finditer(low, after))
        cut = next(stops, len(low))  # a reason may name others
        if any(other != at for first, _, other in mentions if first < cut):
            return None
        letter = re.compile(rf" ?[(\[]{self._items.label(at)}[)\]]")
        told = f"{low[:begin]}{CHOICE}{letter.sub('', low[after:cut])}"
        telling, hedging = self._rules.telling, self._rules.hedging
        around = low[:begin] + low[after:]
        open_to = hedging.hedges(around) or self._open(telling.without_clause(told))
        if telling.joins(told) or telling.denies(around) or open_to or self._items.is_none(at):
            return None
        return {at} if telling.tells(told) else None

    def _described(self, start: int, end: int) -> set[int] | None:
        """The choice of which a sentence says by its letter that it is what fits."""
        letters = self._items.letters_named(self._text[start:end])
        if len(letters) != 1:
            return None if letters or self._open(self._low[start:end]) else set()
        (at,) = letters
        label = re.compile(rf"(?<![a-z0-9])[(\[]?{self._items.label(at)}[)\]]?(?![a-z0-9])")
        low = label.sub(CHOICE, self._low[start:end])
        told = not self._unsettled(low) and self._rules.telling.tells(low, by_letter=True)
        return letters if told else None

    def _open(self, low: str) -> bool:
        """Say whether a sentence leaves open what it says, or is about something else."""
        return self._unsettled(low) or self._rules.telling.is_aside(low)

    def _unsettled(self, low: str) -> bool:
        hedging, leads = self._rules.hedging, self._rules.leads
        open_to = hedging.hedges(low) or hedging.supposes(low) or leads.reports(low)
        return open_to or self._rules.negation.negates(low)
