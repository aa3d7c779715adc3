"""Seventh rule, too: an answer that is given first and explained, or told in a sentence."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from evaluation.parsing.forms import CHOICE, OTHER
from evaluation.parsing.items import Items
from evaluation.parsing.leads import SENTENCE
from evaluation.parsing.normal import lower
from evaluation.parsing.records import ReplyRule, Sets
from evaluation.parsing.rules import Rules
from evaluation.parsing.stated import sentences

_JOINT = re.compile(r" ?[:;,\u3001\u3002-]+ ?")
_CLAUSE = re.compile(r" ?[:;,\u3001-]+ *|\n")
_SENTENCE_END = re.compile("[.!\u3002][\"')\\]]*\\Z")
_LISTED = re.compile(" ?(?::| - )")
"""What parts a choice of a list from what is said of it: 'B) The baker: she sang'."""
_LINK = 24  # characters of what leads to a choice within a clause: 'so there is'
_MOST_CLAUSES = 12  # joints of a sentence between which one choice may be set against another
_EXPLAINED = {":", "-", "--"}
_LONGEST_TOLD = 300  # characters of a sentence that is looked at as one that tells a choice
_LONGEST_POLITE = 3000  # characters of a reply at whose ends politeness is looked for
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
    start, end = without_courtesies(text, items, rules)
    told = Told(text[start:end], items, rules)
    unread = [at - start for at in unread if start <= at < end]
    read = told.opening(unread) or told.sentences(unread) or told.undecided(unread)
    read = read or told.concluded(unread) or told.unknown_at_last(unread)
    return read or told.last_line(unread)


def without_courtesies(text: str, items: Items, rules: Rules) -> tuple[int, int]:
    """Where what a reply says begins and ends without 'Sure!' and 'Let me know' at its ends."""
    if len(text) > _LONGEST_POLITE:
        return 0, len(text)
    low = lower(text)
    spans = list(sentences(low))

    def says_nothing(span: tuple[int, int]) -> bool:
        said = low[slice(*span)]
        if not any(character.isalnum() for character in said):
            return True
        polite = len(said) < _LONGEST_TOLD and rules.telling.is_courtesy(said)
        return polite and not items.named(text[slice(*span)])

    first, last = 0, len(spans)
    while first < last and says_nothing(spans[first]):
        first += 1
    while first < last and says_nothing(spans[last - 1]):
        last -= 1
    if first == last:
        return 0, len(text)
    end = len(text) if last == len(spans) else spans[last][0]
    return (spans[first][0] if first else 0), end


class Told:
    """Reads one reply."""

    def __init__(self, text: str, items: Items, rules: Rules) -> None:
        self._text, self._low = text, lower(text)
        self._items, self._rules = items, rules

    @cached_property
    def _each(self) -> list[tuple[int, int]]:
        return self._spans()

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
        if self._items.named(following) == chosen and not negates:
            return True
        first = len(following) - len(following.lstrip(" :,-")) + end + 1
        return (self._against(first, end + 1 + last) or set()) == chosen

    def _kept(self, chosen: frozenset[int], end: int, unread: Sequence[int]) -> bool:
        """Say whether what follows a choice leaves it the answer."""
        hedging, negation, telling = self._rules.hedging, self._rules.negation, self._rules.telling
        rest = self._low[end:]
        if chosen == {self._items.undecided}:  # 'we do not know' says it again
            rest = hedging.without_doubts(self._items.without(rest, chosen), self._silent)
        if hedging.doubted("", rest):
            return False
        for place, (first, last) in enumerate(sentences(self._low[end:])):
            part, low = self._text[end + first : end + last], self._low[end + first : end + last]
            item = self._items.item(_LISTED.split(part.strip(" :,-"), maxsplit=1)[0])
            if item.contradicts or not chosen.issuperset(item.hits):
                return False
            named = self._items.named(part)
            if not place and telling.fails(low) and not named - chosen:
                return False  # 'A - does not apply'
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

    def _silent(self, part: str) -> object:
        return self._rules.undecided.tells_nothing(part)

    def sentences(self, unread: Sequence[int]) -> Sets:
        """Read the one choice that a few sentences tell."""
        told: set[int] = set()
        if "?" in self._low or len(self._low) > _MOST_TOLD * _LONGEST_TOLD:
            return {}
        spans = self._spans()
        if len(spans) > _MOST_TOLD:
            return {}
        picked = False
        for start, end in spans:
            found = self._sentence(start, end)
            picks = bool(found) and self._picks(start, end)
            if not found:
                against = self._against(start, end)
                found, picks = (against, True) if against else (found, False)
            if picked and not (found or set()) & told and self._is_other(start, end, told):
                continue
            if found is None or (not found and any(start <= at < end for at in unread)):
                return {}
            picked |= picks
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
        if self._rules.undecided.declines(self._low):
            return {}
        if len(self._low) <= self._items.length(at):
            return {}  # another name for such a choice, and no sentence: it was not among them
        spans, said = self._spans(), 0
        others: list[str] = []
        if len(spans) > _MOST_TOLD:
            return {}
        for start, end in spans:
            named = self._of(start, end)
            around = self._rules.undecided.find(self._low[start:end])
            stated = any(start <= place < end for place in unread)
            lists = self._items.letters_named(self._text[start:end]) - {at}
            if lists or (stated and not around):
                return {}
            if self._says_nothing(start, end):
                if around and not said and named in (set(), self._items.every - {at}):
                    said = end  # 'does not say that it was A' denies A alone
                continue
            others.append(self._low[start:end] if said else "")
            if set(self._items.item(self._text[start:end]).hits) == {at}:
                said = said or end
                continue
            if named not in (set(), self._items.every - {at}):
                return {}
            if around:
                said_so = self._says_so(*around, first=not start)
            else:
                said_so = self._beside(start, end)
            if not said_so:
                return {}
            said = said or (end if around else 0)
        if not said or self._rules.hedging.doubted(self._low, " . ".join(others)):
            return {}
        return {frozenset((at,)): ReplyRule.STATED}

    @cached_property
    def _others(self) -> frozenset[int]:
        """All choices but the one that nobody can know."""
        return self._items.every - {self._items.undecided}

    def _of(self, start: int, end: int) -> set[int]:
        """The people that a sentence names, by their texts or by a word that is theirs alone."""
        named = self._named(start, end) | self._items.hinted(self._low[start:end])
        return named & self._others

    def _says_nothing(self, start: int, end: int) -> bool:
        """Say whether a sentence is a reason for telling nothing: 'an age says nothing'."""
        low, leads = self._low[start:end], self._rules.leads
        return self._rules.undecided.says_nothing(low) and leads.turns_at(low) is None

    def _says_so(self, before: str, after: str, *, first: bool) -> bool:
        """Say whether a sentence leaves it at 'nobody can know' between two parts of it.

        'But' may begin the first one: it turns against nothing of the reply.
        """
        turns = self._rules.leads.turns_at
        before, after = self._without_unknown(before), self._without_unknown(after)
        rest = f"{before} {after}"
        denied = self._unsettled(before) or self._unsettled(after)
        denied |= self._rules.telling.denies(rest) or self._rules.hedging.supposes(rest)
        return not denied and (first or turns(before) != 0) and turns(after) is None

    def _without_unknown(self, part: str) -> str:
        """A part of a sentence without the text of the choice that nobody can know."""
        unknown = self._items.undecided
        return part if unknown is None else self._items.without(part, frozenset((unknown,)))

    def _beside(self, start: int, end: int) -> bool:
        """Say whether a sentence beside one that says so leaves it the answer."""
        low, hedging = self._low[start:end], self._rules.hedging
        open_to = hedging.hedges(low) or hedging.supposes(low) or self._rules.leads.reports(low)
        denied = self._rules.telling.denies(low) or self._rules.leads.turns_at(low) == 0
        named = self._items.named(self._text[start:end])
        return not (open_to or denied or (not named and self._rules.telling.is_aside(low)))

    def _spans(self) -> list[tuple[int, int]]:
        """Where the sentences are, except for stops within a choice: 'Ms. Green'."""
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
        later = self._rules.telling.reconsidered(low)
        start += self._rules.leads.after_rereading(low, later)
        low = self._low[start:end]
        begin, last = self._rules.telling.without_source(low)
        if begin or last < len(low):
            hits = self._items.item(self._text[start + begin : start + last]).hits
            if hits:
                return set(hits)
            low = low[begin:last]
        mentions = self._items.mentions(low)
        if not mentions:
            return None if self._items.hinted(low) else self._described(start, end)
        begin, after, at = mentions[0]
        after = self._whole_name(low, after, at, mentions)
        stops = (stop.start() for stop in self._rules.leads.stop.finditer(low, after))
        cut = next(stops, len(low))  # a reason may name others
        if any(other != at for first, _, other in mentions if first < cut):
            return None
        telling, hedging, leads = self._rules.telling, self._rules.hedging, self._rules.leads
        told = f"{low[:begin]}{CHOICE}{self._without_letter(low[after:cut], at)}"
        colon = told.find(":", begin)
        if colon >= 0 and not self._rules.negation.negates(told[colon:]):
            before = told[:colon].rstrip()  # 'It was B: she sang' where verbs come last
            told = before if telling.tells(before) else told
        if not self._items.hinted(f"{low[:begin]} {low[after:cut]}") <= {at}:
            return None  # a part of another one's name
        if self._rules.telling.adds(low[cut:]) and not self._items.hinted(low[cut:]) <= {at}:
            return None  # 'as did the other one'
        around = low[:begin] + low[after:]
        open_to = hedging.hedges(around) or self._open(telling.without_clause(told))
        open_to |= leads.reports(around)
        if telling.joins(told) or telling.denies(around) or open_to or self._items.is_none(at):
            return None
        return {at} if telling.tells(told) else None

    def _without_letter(self, low: str, at: int) -> str:
        """A part of a sentence without the letter of a choice in brackets."""
        return re.sub(rf" ?[(\[]{self._items.label(at)}[)\]]", "", low)

    def _whole_name(
        self, low: str, after: int, at: int, mentions: Sequence[tuple[int, int, int]]
    ) -> int:
        """Where a name ends of which two parts stand side by side: 'the teacher, Mr. Green'."""
        for first, last, other in mentions:
            if other == at and first > after and low[after:first] == ", ":
                after = last
                after += low.startswith(",", after)
        return self._rules.telling.after_name(low, after)

    def _formed(self, start: int, end: int, tokens: Mapping[int, str]) -> str:
        """A sentence with a character in the place of each choice that it names."""
        low = self._low[start:end]
        mentions = self._items.mentions(low)
        parts, last = [], 0
        for first, after, at in mentions:
            if first >= last and at in tokens:
                parts += [low[last:first], tokens[at]]
                last = self._whole_name(low, after, at, mentions)
        return "".join((*parts, low[last:]))

    def _people(self, start: int, end: int) -> list[int]:
        """The choices that a sentence names by their texts, in their order, each once."""
        mentions = self._items.mentions(self._low[start:end])
        return list(dict.fromkeys(at for _, _, at in mentions if at != self._items.undecided))

    def _picks(self, start: int, end: int) -> bool:
        """Say whether a sentence is of the form 'the one who Z is B', and names B alone."""
        people = self._people(start, end)
        if len(people) != 1:
            return False
        first, last = self._rules.telling.without_source(self._low[start:end])
        return any(
            self._rules.telling.picks(self._formed(begin, after, {people[0]: CHOICE}))
            for begin, after in {(start, end), (start + first, start + last)}
        )

    def _against(self, start: int, end: int) -> set[int] | None:
        """The choice that a sentence tells against another one: 'It was B who sang, not A'."""
        people = self._people(start, end)
        low, telling = self._low[start:end], self._rules.telling
        if (
            len(people) != 2
            or len(low) > _LONGEST_TOLD
            or self._items.undecided in self._named(start, end)
        ):
            return None
        for at, other in (people, people[::-1]):
            formed = self._formed(start, end, {at: CHOICE, other: OTHER})
            if telling.corrects(formed):
                holds = self._holds(formed) and not telling.adds(formed)
                return {at} if holds else None
        for joint, _ in zip(_CLAUSE.finditer(low), range(_MOST_CLAUSES), strict=False):
            first, last = start + joint.start(), start + joint.end()
            if not self._picks(start, first):
                continue
            told = self._sentence(start, first)
            if told and self._is_other(last, end, told, beside=True):
                return told
        return None

    def _holds(self, formed: str) -> bool:
        """Say whether a sentence says it without 'perhaps', and in nobody else's words."""
        hedging, leads = self._rules.hedging, self._rules.leads
        open_to = hedging.hedges(formed) or hedging.supposes(formed) or leads.reports(formed)
        telling = self._rules.telling
        return not (open_to or telling.is_aside(formed) or telling.denies(formed))

    def _is_other(self, start: int, end: int, told: set[int], *, beside: bool = False) -> bool:
        """Say whether a clause sets another choice against the one that was told.

        It says that it was not this one, or what this one did meanwhile; it neither tells it nor
        names it beside the other.

        Args:
            start: Where it begins.
            end: Where it ends.
            told: The choice that was told.
            beside: Whether it is in one sentence with that: then no word need set it against it.
        """
        low, telling, hedging = self._low[start:end], self._rules.telling, self._rules.hedging
        people = self._people(start, end)
        named = self._named(start, end)
        if len(people) != 1 or set(people) != named or named & told or len(low) > _LONGEST_TOLD:
            return False
        formed = self._formed(start, end, {people[0]: OTHER})
        rest = telling.without_against(formed)
        open_to = hedging.hedges(rest) or hedging.supposes(rest)
        open_to |= self._rules.leads.reports(rest) or telling.denies(rest)
        if open_to or telling.adds(formed) or self._picks(start, end):
            return False
        goes_on = beside and re.match(rf"[ ,]*{OTHER}[ ,]+\w+\W+\w", formed) is not None
        if not (goes_on or self._rules.negation.negates(formed) or telling.sets_against(formed)):
            return False
        joints = [joint.end() for joint in _CLAUSE.finditer(low)]
        return len(joints) <= _MOST_CLAUSES and not any(
            self._picks(start + at, end) or self._told_shortly(start + at, end) for at in joints
        )

    def _told_shortly(self, start: int, end: int) -> bool:
        """Say whether a clause is 'it was B' and no more, or the name alone."""
        opening = self._rules.leads.opening.match(self._low, start, end)
        return bool(self._items.item(self._text[opening.end() if opening else start : end]).hits)

    def _named(self, start: int, end: int) -> set[int]:
        return self._items.named(self._text[start:end])

    def concluded(self, unread: Sequence[int]) -> Sets:
        """Read what follows the heading of a conclusion by itself; before it all is weighed."""
        start = self._rules.telling.concludes(self._low) or self._last_so()
        if not start:
            return {}
        whole = self._items.whole(self._text[start:].strip())
        if whole:
            alone = len(whole) == 1 and len(next(iter(whole))) == 1
            return dict.fromkeys(whole, ReplyRule.STATED) if alone else {}
        rest = Told(self._text[start:], self._items, self._rules)
        later = [at - start for at in unread if at >= start]
        return rest.opening(later) or rest.sentences(later) or rest.undecided(later)

    def _last_so(self) -> int:
        """Where the last sentence of several begins, if it begins with 'so'; else 0."""
        last = self._low.rstrip(" .!\n\u3002")
        if len(last) > _LONGEST_POLITE:
            return 0
        spans = list(sentences(last))
        if len(spans) < 2 or not self._rules.leads.concludes_at(last, spans[-1][0]):
            return 0
        return spans[-1][0]

    def unknown_at_last(self, unread: Sequence[int]) -> Sets:
        """Read the choice that nobody can know, where a reply ends in its text alone.

        What stands before it may weigh the others, and tells none of them.
        """
        at = self._items.undecided
        if at is None or "?" in self._low or len(self._low) > _MOST_TOLD * _LONGEST_TOLD:
            return {}
        spans = self._spans()
        if not spans:
            return {}
        begin, last = spans.pop()
        said = self._unknown_clause(begin, last, at)
        if said is None:
            return {}
        spans += [(begin, said)] if said > begin else []
        parts = [self._low[start:end] for start, end in spans]
        negates, find = self._rules.negation.negates, self._rules.undecided.find
        if not any(negates(part) or find(part) for part in parts):
            return {}
        for start, end in spans:
            lists = self._items.letters_named(self._text[start:end])
            told = self._sentence(start, end) or self._against(start, end)
            stated = any(start <= place < end for place in unread)
            if lists or told or stated or self._items.item(self._text[start:end]).hits:
                return {}
        return {frozenset((at,)): ReplyRule.STATED}

    def last_line(self, unread: Sequence[int]) -> Sets:
        """Read a last line that is one choice and nothing else, after lines that weigh or explain.

        What stands before it may tell what people did, of this choice too; it may neither tell or
        state another one alone, nor list the choices up to this one, nor leave it open.
        """
        text = self._text.rstrip()
        cut = text.rfind("\n")
        if cut < 0 or unread or len(text) - cut > self._items.limit:
            return {}
        last = text[cut + 1 :].strip()
        if last in self._rules.normal.letter_articles:
            return {}
        sets = self._items.whole(last)
        if len(sets) != 1 or len(chosen := next(iter(sets))) != 1:
            return {}
        (at,) = chosen
        spans = [span for span in self._spans() if span[0] < cut]
        if not self._leads_up_to(spans, cut, at):
            return {}
        told: set[int] = set()
        for start, end in spans:
            item = self._items.item(self._text[start:end])
            found = self._sentence(start, end) or self._against(start, end)
            if item.contradicts or (item.hits and found and not found & set(item.hits)):
                return {}
            told |= found or set()
        if told and at not in told:
            return {}
        return dict.fromkeys(sets, ReplyRule.STATED)

    def _leads_up_to(self, spans: Sequence[tuple[int, int]], cut: int, at: int) -> bool:
        """Say whether lines before a choice are no list that ends in it, and leave it no question.

        Args:
            spans: The sentences before it.
            cut: Where the line before it ends.
            at: The choice.
        """
        lines = self._text[:cut].split("\n")
        begun = {place for line in lines for place in self._items.begun(line)}
        whole = {
            place for start, end in spans for place in self._items.item(self._text[start:end]).hits
        }
        for listed in (begun, whole):
            if listed and listed != self._items.every and not (listed == {at} or at in begun):
                return False
        before = lower(lines[-1])
        if not _SENTENCE_END.search(before) or self._rules.hedging.hedges(before):
            return False  # the line goes on, or asks: 'I would rule out'
        return not (self._rules.negation.negates(before) and self._items.named(lines[-1]) == {at})

    def _unknown_clause(self, start: int, end: int, at: int) -> int | None:
        """Where the last clause of a sentence begins that is a choice and little else; or None."""
        if set(self._items.item(self._text[start:end]).hits) == {at}:
            return start
        low = self._low[start:end]
        mentions = [item for item in self._items.mentions(low) if item[2] == at]
        if not mentions or low[mentions[-1][1] :].strip(" .!\"'\u3002"):
            return None
        joints = [joint.end() for joint in _CLAUSE.finditer(low, 0, mentions[-1][0])]
        first = joints[-1] if joints else 0
        between = low[first : mentions[-1][0]]
        if not first or len(between) > _LINK or self._unsettled(between):
            return None
        return start + first

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
