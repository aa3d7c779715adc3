"""Before all that weighs words: a verdict that stands alone, whatever explains it.

A line or sentence that is wholly a choice, first in the reply, last, below a line that ends in a
colon, or after words of answers. What is said besides never depends on which choice it is: only
another verdict, a withdrawal or a denial of the verdict itself leaves it to the other rules.
"""

import re
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from evaluation.parsing.items import Items
from evaluation.parsing.normal import lower
from evaluation.parsing.records import ReplyRule, Sets
from evaluation.parsing.rules import Rules
from evaluation.parsing.stated import sentences

_LONGEST = 6_000  # characters of a reply in which a verdict is looked for
_MOST_HEADED = 3
_LETTER = re.compile(r"[(\[]?(\w{1,3})[.)\]]+ (?=\S+ \S+ \S|\S[^\n]*[.!\u3002]$)", re.M)
"""A letter before a sentence."""
_ENDS = (".", "!", "\u3002", ")", '"')


@dataclass(frozen=True, slots=True)
class _Verdict:
    """A part of a reply that is wholly a choice.

    Attributes:
        start: Where it begins.
        end: Where it ends.
        at: The choice.
        line: Whether it is a line of its own.
    """

    start: int
    end: int
    at: int
    line: bool


def read_alone(text: str, items: Items, rules: Rules) -> Sets:
    """Read the verdict of a reply; nothing where there is none, or where something takes it back.

    Args:
        text: The reply, normalised.
        items: The reader of choices.
        rules: The rules with the words of their languages.
    """
    return _Alone(text, items, rules).read() if len(text) <= _LONGEST else {}


class _Alone:
    """Reads the verdict of one reply."""

    def __init__(self, text: str, items: Items, rules: Rules) -> None:
        self._text, self._low = text, lower(text)
        self._items, self._rules = items, rules
        self._spans = list(sentences(self._low))

    def read(self) -> Sets:
        """Read it."""
        own = list(self._own())
        alone = {item.at for item in own}
        found = [item for item in self._led() if not item.line or alone <= {item.at}]
        led = {item.at for item in found}
        if len(led) > 1 or not (led or len(alone) == 1):
            return {}
        (at,) = led or alone
        if not alone <= {at} and alone != self._items.every:
            return {}  # another one stands alone, too; but models repeat the list
        ends = {own[0], own[-1], *self._headed(own)} if own else set()
        found = found or [item for item in ends if self._placed(item)]
        if not found:
            return {}
        first = min(found, key=lambda item: item.end)
        return {frozenset((at,)): ReplyRule.STATED} if self._stays(first) else {}

    def _led(self) -> Iterator[_Verdict]:
        """What stands after words of answers, up to the end of its line, sentence or reason."""
        for lead in self._rules.leads.find(self._low):
            if not lead.free:
                continue
            line = self._low.find("\n", lead.end)
            line = len(self._low) if line < 0 else line
            stop = self._rules.leads.stop.search(self._low, lead.end + 1, line)
            for end in (line, *([stop.start()] if stop else ())):
                at = self._choice(lead.end, end)
                if at is not None and self._alone_before(lead.start, at):
                    below = "\n" in self._text[lead.start : lead.end]
                    yield _Verdict(lead.start, end, at, line=below)
                    break

    def _own(self) -> Iterator[_Verdict]:
        """Lines, the sentences of other lines, and letters before a sentence: 'B. It says so.'."""
        spans, start = deque(self._spans), 0
        for line in self._text.split("\n"):
            end = start + len(line)
            parts = []
            while spans and spans[0][1] <= end:
                parts.append(spans.popleft())
            if self._choice(start, end) is not None:
                parts = [(start, end)]
            elif letter := _LETTER.match(self._text, start, end):
                parts.insert(0, letter.span(1))
            for first, last in parts:
                at = self._choice(first, last)
                if at is not None:
                    yield _Verdict(first, last, at, line=(first, last) == (start, end))
            start = end + 1

    def _choice(self, start: int, end: int) -> int | None:
        """The one choice that a part of the reply is."""
        part = self._text[start:end].strip(" :,")
        if "?" in self._text[start : end + 1] or part in self._rules.normal.letter_articles:
            return None  # it asks, or breaks off: 'The answer is a'
        hits = self._items.item(part).hits
        return next(iter(hits)) if len(hits) == 1 else None

    def _headed(self, own: Sequence[_Verdict]) -> list[_Verdict]:
        """The first few of them below a line that ends in a colon."""
        heads = (
            item
            for item in own
            if self._low[max(0, item.start - 4) : item.start].rstrip()[-1:] == ":"
        )
        return list(islice(heads, _MOST_HEADED))

    def _placed(self, verdict: _Verdict) -> bool:
        """Say whether a choice stands where an answer does."""
        before = [span for span in self._spans if span[1] <= verdict.start]
        if all(self._opens(*span) for span in before):
            return True
        if self._states_else(verdict.start):
            return False
        start, end = before[-1]
        head = self._text[: verdict.start].rstrip()
        denied = self._rules.negation.negates(self._low[start:end])
        if denied and self._items.named(self._text[start:end]) == {verdict.at}:
            return False
        if verdict.line and self._leads_below(start, end):
            return True
        letters = self._items.letters_named(self._text[: verdict.start])
        if verdict.end < len(self._text.rstrip(" .")) or not head.endswith(_ENDS):
            return False
        mine = self._items.letters_named(self._text[verdict.start : verdict.end])
        apart = verdict.line or (mine and not head.endswith("!"))
        return bool(apart) and letters <= {verdict.at}

    def _alone_before(self, start: int, at: int) -> bool:
        """Say whether no other letter stands before words of answers in their sentence."""
        first = next((first for first, last in self._spans if first <= start < last), start)
        return self._items.letters_named(self._text[first:start]) <= {at}

    def _opens(self, start: int, end: int) -> bool:
        """Say whether a sentence before a verdict asks, or leads to what follows."""
        return self._low[end : end + 1] == "?" or self._leads_below(start, end)

    def _leads_below(self, start: int, end: int) -> bool:
        """Say whether a line is 'From the text the answer is:', in whatever words."""
        low = self._low[start:end].rstrip()
        if low.endswith("?"):
            return True
        denied = self._rules.negation.negates(low)
        return low.endswith(":") and not denied and self._rules.leads.answers(low)

    def _states_else(self, start: int) -> bool:
        """Say whether words of answers before a place state what is no choice."""
        for lead in self._rules.leads.find(self._low[:start]):
            at = lead.start
            first, last = next((it for it in self._spans if it[0] <= at < it[1]), (at, at))
            low = self._low[first:last]
            silent = self._rules.negation.negates(low) or self._rules.undecided.tells_nothing(low)
            if lead.free and lead.end < last and not silent:
                return True
        return False

    def _stays(self, verdict: _Verdict) -> bool:
        """Say whether nothing after a verdict takes it back."""
        leads = [lead.end for lead in self._rules.leads.find(self._low)]
        after = [(max(start, verdict.end), end, start) for start, end in self._spans]
        # What is said of all others confirms it.
        after = [
            (first, end, start)
            for first, end, start in after
            if first < end and not self._rules.others.search(self._low, first, end)
        ]
        rest = "\n".join(self._low[first:end] for first, end, _ in after)
        if self._rules.hedging.doubted("", rest):
            return False
        return not any(
            self._turns(
                first,
                end,
                {verdict.at},
                states=any(first < at <= end for at in leads),
                same=start < verdict.end,
            )
            for first, end, start in after
        )

    def _turns(self, start: int, end: int, chosen: set[int], *, states: bool, same: bool) -> bool:
        """Say whether a sentence after a verdict takes it back.

        Args:
            start: Where it begins.
            end: Where it ends.
            chosen: The choice.
            states: Whether words of answers are in it.
            same: Whether it stands on after the letter of the choice.
        """
        low, part = self._low[start:end], self._text[start:end]
        telling, negates = self._rules.telling, self._rules.negation.negates(low)
        hedges = self._rules.hedging.hedges(low)
        named = self._items.named(part)
        others = named - chosen
        if self._items.item(part).contradicts:
            return True
        turns = self._rules.leads.turns_at(low) == 0
        if states and (others or (negates and (turns or self._items.hinted(low)))):
            return True  # 'the answer is not A', 'but the answer is not that one'
        if same and named == chosen and hedges and not negates:
            return True  # 'B. The baker, perhaps'
        if telling.denies(low) and (named & chosen or not named):
            return True
        if not others or others | chosen == self._items.every:
            return False
        if same and not named & chosen and not negates:
            return True  # 'A. The potter sang', where A is the baker
        return hedges and not (negates or telling.is_aside(low))
