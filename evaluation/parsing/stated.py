"""Seventh rule: what a longer reply states as its answer."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from evaluation.parsing.items import Items
from evaluation.parsing.leads import SENTENCE, Lead
from evaluation.parsing.normal import STATED_CLOSE, STATED_OPEN, lower, unmarked
from evaluation.parsing.records import ReplyRule, Sets
from evaluation.parsing.rules import Rules

_LONGEST_SENTENCE = 400  # characters of a sentence that is looked at as 'B is the answer'
_MOST_ENDED = 3  # such sentences for each of which the rest is looked through
_MOST_REASONS = 4  # such words in a reply, the sentence of each of which is looked at
_LONGEST_REST = 2000  # characters after an answer in which 'nobody can know' is looked for
_MARKED = re.compile(f"{STATED_OPEN}([^{STATED_OPEN}{STATED_CLOSE}]*){STATED_CLOSE}")


@dataclass(slots=True)
class Statements:
    """What a reply states.

    Attributes:
        sets: By the positions that a statement names, its rule.
        unread: Whether something is stated that is no choice, or under a condition.
        contradicts: Whether a statement is the letter of one choice and the text of another.
        doubted: Whether the reply takes it back.
        unread_at: Where words stand that state something that is no choice.
    """

    sets: Sets = field(default_factory=dict)
    unread: bool = False
    contradicts: bool = False
    doubted: bool = False
    unread_at: list[int] = field(default_factory=list)


def read_stated(marked: str, items: Items, rules: Rules) -> Statements:
    """Read what a reply states; all its statements must be read, and be left as they are.

    Args:
        marked: The reply, normalised.
        items: The reader of choices.
        rules: The rules with the words of their languages.
    """
    return _Stated(marked, items, rules).read()


class _Stated:
    """Reads the statements of one reply."""

    def __init__(self, marked: str, items: Items, rules: Rules) -> None:
        self._marked, self._items, self._rules = marked, items, rules
        self._leads = rules.leads
        # The marks become blanks, so that places stay the same.
        self._text = marked.replace(STATED_OPEN, " ").replace(STATED_CLOSE, " ")
        self._low = lower(self._text)
        self._covered = bytearray(len(marked))
        self._found = Statements()
        self._ended_tried = 0

    def read(self) -> Statements:
        """Read everything that may state an answer, then look at what is around it."""
        text = unmarked(self._marked)
        bare = self._leads.bare.match(lower(text))
        if bare:
            sets = self._items.whole(text[bare.end() :])
            if sets:
                return Statements(dict.fromkeys(sets, ReplyRule.STATED))
        self._read_marked()
        self._read_headed()
        self._read_places()
        self._read_leads()
        self._read_sentences()
        if self._found.sets:
            self._look_around()
        at = self._found.unread_at
        self._found.unread |= len(at) > _MOST_REASONS or not all(map(self._leaves_unknown, at))
        return self._found

    def _add(self, sets: Sets, start: int, end: int) -> None:
        self._found.sets.update(dict.fromkeys(sets, ReplyRule.STATED))
        self._covered[start:end] = b"\x01" * (end - start)

    def _covers(self, start: int, end: int) -> bool:
        return self._covered.find(1, start, end) >= 0

    def _read_marked(self) -> None:
        """Read boxes and tags of answers."""
        for match in _MARKED.finditer(self._marked):
            inner = match[1].strip()
            stated = inner[self._leads.after(lower(inner)) :]
            sets = self._items.whole(stated)
            if sets:
                self._add(sets, match.start(), match.end())
            else:
                self._found.unread = True
                self._found.contradicts |= self._items.contradicts(stated)

    def _read_headed(self) -> None:
        """Read lines that are nothing but choices below a heading such as 'Answer'."""
        for heading in self._leads.heading.finditer(self._low):
            line = self._low.find("\n", heading.end())
            end = line if line >= 0 else len(self._low)
            if end - heading.end() <= self._items.limit:
                sets = self._items.whole(self._text[heading.end() : end].strip())
                if sets:
                    self._add(sets, heading.start(), end)

    def _read_places(self) -> None:
        """Read 'The first option is correct', where 'option is' leads to no answer."""
        for start, end in sentences(self._low):
            opening = self._leads.opening.match(self._low, start, end)
            body = opening.end() if opening else start
            if self._items.by_place(self._low[body : min(end, body + self._items.limit)]):
                sets = self._tailed(body, end)
                if sets:
                    self._add(sets, start, end)

    def _read_leads(self) -> None:
        """Read what follows words such as 'the answer is'."""
        for lead in self._leads.find(self._low):
            if self._covers(lead.start, lead.end + 3):
                continue  # within a statement, or before a box, which is read already
            if lead.end == len(self._low) or SENTENCE.match(self._low, lead.end):
                continue  # words that end a sentence state nothing of what follows
            sets, end = self._segment(lead.end)
            if not sets:
                sets, end = self._reasoned(lead.end)
            if sets and lead.free:
                self._add(sets, lead.start, end)
            elif not (self._lists_all(lead.end) or self._heads_list(lead)):
                self._found.unread_at.append(lead.start)

    def _leaves_unknown(self, at: int) -> bool:
        """Say whether words at a place go with the stated choice that nobody can know.

        'The answer is not in the text' gives the reason for it: a sentence that negates, or is
        about the text, names all the other choices or none, turns against nothing and makes no
        condition.
        """
        unknown = self._items.undecided
        if unknown is None or self._found.sets.keys() != {frozenset((unknown,))}:
            return False
        spans = sentences(self._low)
        start, end = next((span for span in spans if span[1] > at), (at, at))
        low, telling = self._low[start:end], self._rules.telling
        if telling.denies(low) or self._rules.leads.turns_at(low) == 0:
            return False
        part = self._text[start:end]
        named = self._items.named(part) | self._items.letters_named(part)
        if self._rules.undecided.says_nothing(low):
            return unknown not in named  # 'to choose B would be a guess'
        supposed = self._rules.hedging.supposes(low)
        if supposed or named not in (set(), self._items.every - {unknown}):
            return False
        reason = self._rules.negation.negates(low) or self._rules.undecided.find(low)
        return bool(reason) or telling.is_aside(low)

    def _heads_list(self, lead: Lead) -> bool:
        """Say whether 'Looking at each option:' ends its line, and states nothing of the next."""
        return not lead.free and "\n" in self._text[lead.start : lead.end]

    def _lists_all(self, start: int) -> bool:
        """Say whether the lines after 'The options are:' are all choices, and state none."""
        line = self._text.find("\n", start, start + self._items.longest)
        lines = self._text[line + 1 : line + 1 + self._items.longest * len(self._items.every)]
        shown = lines.split("\n")[: len(self._items.every)]
        hits = [frozenset(self._items.item(text).hits) for text in shown]
        return line >= 0 and frozenset().union(*hits) == self._items.every

    def _segment(self, start: int) -> tuple[Sets, int]:
        """Read the longest answer that begins at a place, and give where it ends."""
        limit = min(len(self._low), start + self._items.limit)
        stops = [stop.start() for stop in self._leads.stop.finditer(self._low, start, limit)]
        if limit < len(self._low) and stops and stops[-1] == limit:
            stops.pop()  # no stop of the reply, but the end of what is looked at
        cuts = self._items.cuts(self._text[start:limit].lstrip())
        for end in reversed(stops):
            part = self._text[start:end].strip()
            if part in self._rules.normal.letter_articles and self._breaks_off(start, end):
                continue
            sets = self._items.whole(part, cuts)
            if sets:
                return sets, end
            if self._items.contradicts(part):
                self._found.contradicts = True
                break
        return {}, start

    def _reasoned(self, start: int) -> tuple[Sets, int]:
        """Read 'C, the potter was late': a choice, and a reason that is about it alone.

        Of the choice that nobody can know the reason is that the text does not tell, whoever it
        names.
        """
        comma = self._low.find(",", start, start + self._items.longest)
        stop = SENTENCE.search(self._low, max(comma, start))
        end = stop.start() if stop else len(self._low)
        if comma < 0 or end - start > _LONGEST_SENTENCE:
            return {}, start
        sets, rest = self._items.whole(self._text[start:comma].strip()), self._text[comma + 1 : end]
        if len(sets) != 1 or not all(len(chosen) == 1 for chosen in sets):
            return {}, start
        low, chosen = lower(rest), next(iter(sets))
        named = self._items.named(rest) | self._items.letters_named(rest)
        hedging, unknown = self._rules.hedging, chosen == {self._items.undecided}
        silent = self._rules.negation.negates(low) or self._rules.undecided.find(low)
        about = (
            named in (set(), self._items.every - chosen) and silent if unknown else named == chosen
        )
        turned = self._rules.leads.turns_at(low) is not None or hedging.takes_either(low)
        if not about or turned or hedging.adds_at(low) is not None or hedging.supposes(low):
            return {}, start
        return sets, comma

    def _breaks_off(self, start: int, end: int) -> bool:
        """Say whether a reply ends so that 'The answer is a' may have gone on with 'baker'."""
        word = self._text[:start].rstrip()[-1:]
        return end == len(self._text) and word.isascii() and word.isalpha()

    def _read_sentences(self) -> None:
        """Read 'B is the correct answer', 'So it is B', and a first line that is explained."""
        line = self._text.find("\n")
        if line >= 0 and self._leads.explanation.match(self._low, line + 1):
            sets = self._items.whole(self._text[:line])
            if sets:
                self._add(sets, 0, line)
        for start, end in sentences(self._low):
            if self._covers(start, end):
                continue
            opening = self._leads.opening.match(self._low, start, end)
            body = opening.end() if opening else start
            sets, last = self._tailed(body, end), end
            body = body if body > start else self._after_phrase(start, end)
            if not sets and body > start:
                sets, last = self._segment(body)
            if not sets and not self._found.sets:
                sets = self._ended(body, end)
            if sets:
                self._add(sets, start, last)

    def _after_phrase(self, start: int, end: int) -> int:
        """Where what follows 'According to the text, it is' begins; `start` where nothing does."""
        comma = self._low.find(", ", start, min(end, start + _LONGEST_SENTENCE)) + 2
        if comma < 2 or not self._leads.reasons_freely(self._low[start : comma - 1]):
            return start
        opening = self._leads.opening.match(self._low, comma, end)
        return opening.end() if opening and opening.end() > comma else start

    def _tailed(self, start: int, end: int) -> Sets:
        """Read a sentence that says of a choice that it is the answer, and may say why."""
        if end - start > _LONGEST_SENTENCE:
            return {}
        stops = [stop.start() for stop in self._leads.stop.finditer(self._low, start + 1, end)]
        colon = self._low.find(":", start + 1, end)
        stops += [colon] if colon >= 0 else []
        tails = (self._leads.tail.search(self._low, start + 1, stop) for stop in (end, *stops))
        tail = next(filter(None, tails), None)
        if tail is None:
            return {}
        last = tail.start()
        sets = self._items.whole(self._text[start:last])
        comma = self._low.rfind(", ", start, last) + 1
        if sets or not comma or not self._leads.opens_freely(self._low[start:comma]):
            return sets
        return self._items.whole(self._text[comma:last].strip())

    def _ended(self, start: int, end: int) -> Sets:
        """Read a sentence in which the choice and 'is the answer' are one word.

        The rest of the reply may not name a choice: it may take this one back.
        """
        sets = self._items.ended(self._text[start:end])
        if not sets or self._ended_tried >= _MOST_ENDED:
            return {}
        self._ended_tried += 1
        return {} if self._items.within(f"{self._text[:start]}\n{self._text[end:]}") else sets

    def _look_around(self) -> None:
        """Look at what stands outside of the statements.

        Choices that stand there as a sentence of their own, or alone before a statement in its
        sentence, must be the one stated, or all there are: models like to repeat the list before
        they choose.
        """
        stated = frozenset().union(*self._found.sets)
        named: set[int] = set()
        for start, end in sentences(self._low):
            stated_at = self._covered.find(1, start, end)
            part = self._text[start : end if stated_at < 0 else stated_at].rstrip(" ,:;")
            item = self._items.item(part)
            named.update(item.hits)
            self._found.contradicts |= item.contradicts
            after = self._covered.rfind(1, start, end) + 1
            if after and self._text[after:end].startswith((":", " :", ",", " -")):
                named.update(self._items.item(self._text[after:end].strip(" :,-")).hits)
        if not (named <= stated or named == self._items.every):
            others = {frozenset((at,)): ReplyRule.STATED for at in named}
            self._found.sets.update(others)
        last = self._covered.rfind(1) + 1
        hedging, rest = self._rules.hedging, self._low[last:]
        if stated == {self._items.undecided}:  # 'we do not know' says it again
            rest = self._items.without(rest, stated)
            rest = hedging.without_doubts(rest, self._rules.undecided.find)
            rest = self._rules.undecided.without(rest[:_LONGEST_REST]) + rest[_LONGEST_REST:]
        self._found.doubted = hedging.doubted(self._low[:last], rest)


def sentences(text: str) -> Iterator[tuple[int, int]]:
    """Yield where the sentences of a text begin and end, final stops apart."""
    start = 0
    for stop in (*SENTENCE.finditer(text), None):
        end = stop.start() if stop else len(text)
        while start < end and text[start] == " ":
            start += 1
        begins = not start or text[start - 1] == "\n"
        if begins and stop and end - start == 1 and text[end : end + 2] == ". ":
            continue  # the letter of an item, and no sentence
        if start < end:
            yield start, end
        start = stop.end() if stop else end
