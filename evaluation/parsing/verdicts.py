"""The verdict of a reply: a line or clause that is wholly a choice, and nothing takes back.

Where a reply names choices, every label and text of one becomes a single character.
"""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, StrEnum
from functools import cached_property, lru_cache, partial

from curation.languages import Language
from curation.records.letters import choice_letters
from evaluation.parsing.thoughts import CUT_OFF, without_thoughts
from evaluation.parsing.words import (
    ALIASES,
    ANY,
    BOTH,
    CLOSED,
    CONFLICT,
    FREE,
    LABELS,
    LETTERS,
    NAMED,
    OPENED,
    TEXTS,
    TEXTS_FIRST,
    Words,
    lower,
    plain,
    words_for,
)

_LATIN = "A-Za-z0-9_\u00c0-\u024f\u0300-\u036f\u1e00-\u1eff"
"""What a label of Latin letters is no part of; other scripts write particles beside it."""
_PARTS = re.compile("[,;:\u3001]")
_ELIDED = re.compile(r"'(?:[aeiouh\u00e0-\u00ff]|y(?![i\u0131u\u00fcae]))")
_SMALL_BEFORE = re.compile(r"(?:^|[(\[\n\ue800]|[:=\u21d2,.!] ?|\w )$")
_SMALL_AFTER = r"(?<=\b[a-z], .)|(?=[)\]:.,;!\n\ue801]|$| -)"
_EDGES = " .,:;!?()[]\u3002'"
_LABEL = f"[{LABELS}-\ue0ff]"
_TEXT = f"[{TEXTS}-\ue1ff]"
_LABEL_TEXT = re.compile(rf"({_LABEL})([ )\].:=({{\u21d2,\u306e-]{{0,5}})({_TEXT})(?:(?<=[(].)\))?")
_TEXT_LABEL = re.compile(rf"({_TEXT})( ?[(\[:=\u21d2-] ?)({_LABEL})(?:[)\]]|(?=\n|$))")
_WRAPPED = re.compile(rf"[(\[{{<]+ ?([{ANY}]:?) ?[)\]}}>]+(?! ?[{ANY}])")
_AFTER = (1 << 40, 0, "")
_OPENERS, _CLOSERS = tuple("([{<"), tuple(")]}>")
_NUMBER = re.compile(r"^\(?\d{1,2}[.)] ")
_LONGEST_ARTICLE = 8
_PAUSE = re.compile(r"[.!?;:,\n]")
_LETTER_WORDS = frozenset("aeiouy")
"""Letters that are words of some language."""


class _Labels:
    """The labels of choices, and the places in a text where they stand as words of their own."""

    def __init__(self, labels: tuple[str, ...]) -> None:
        self._at: dict[str, int] = {}
        names = [plain(label).strip(" .:()[]{}<>") for label in labels]
        for at, name in enumerate(names):
            if name:
                self._at.setdefault(self._key(name), at)
        self.figures = any(name.isdecimal() for name in names)
        longest = sorted(filter(None, names), key=len, reverse=True)
        one = {form for name in longest if len(name) == 1 for form in (name.lower(), name.upper())}
        *usual, following = choice_letters(len(names) + 1)
        unusual = [name.upper() for name in names] != usual
        if unusual or len(following) > 1 or following.lower() in _LETTER_WORDS:
            following = ""
        self.names = [*names, following]  # 'D' is none of A, B and C
        more = [name for name in longest if len(name) > 1]
        heads = "".join({re.escape(form) for name in more for form in name[0] + name[0].swapcase()})
        tails = (f"(?i:(?<={re.escape(name[0])}){re.escape(name[1:])})" for name in more)
        small = "".join(form for form in one if form in _LETTER_WORDS)
        signs = "".join(re.escape(form) for form in {*one, following} if len(form) == 1)
        after = rf"(?![{_LATIN}]|[.,]\d)"
        # The character first, for a pattern that begins with one is found quickly.
        ways = [rf"[{heads}](?<![{_LATIN}].)(?:{'|'.join(tails)})"] if more else []
        stands = rf"(?:(?<![{small}])|{_SMALL_AFTER})" if small else ""
        ways += [rf"[{signs}](?<![{_LATIN}].){stands}"] if signs else []
        self._found = re.compile(f"(?:{'|'.join(ways) or '(?!)'}){after}")

    def get(self, name: str) -> int | None:
        """The choice of a label; None where a text is none."""
        return self._at.get(self._key(name))

    @staticmethod
    def _key(name: str) -> str:
        return name.casefold() if len(name) != 2 else name  # 'ah' is no 'AH'

    def find(self, text: str) -> Iterator[tuple[int, int, int]]:
        """Yield where a label begins and ends, and its choice; small letters need a sign beside."""
        for match in self._found.finditer(text):
            name, start, end = match[0], match.start(), match.end()
            at = len(self.names) - 1 if name == self.names[-1] else self._at.get(self._key(name))
            if at is None or (name.isalpha() and _ELIDED.match(text, end) and name.isascii()):
                continue
            if name in _LETTER_WORDS and not _SMALL_BEFORE.search(text, max(0, start - 4), start):
                continue
            yield start, end, at


_ALONE = re.compile(
    rf"[\s*`'\"(\[{{<]{{0,8}}([^\W_]{{1,12}})[\s*`'\")\]}}>.:]{{0,8}}(?:{re.escape(CUT_OFF)})?"
)


def alone_label(reply: str, labels: tuple[str, ...]) -> int | None:
    """The choice of which a reply is the label, with nothing but signs around it.

    Quicker than reading it, and the same for all choices of whose texts none is so short.

    Args:
        reply: The reply.
        labels: What the choices are called.

    Returns:
        None where it is anything else, a label too, in an unusual form.
    """
    match = _ALONE.fullmatch(reply)
    return labels_of(labels).get(match[1]) if match else None


@lru_cache(maxsize=256)
def labels_of(labels: tuple[str, ...]) -> _Labels:
    """The labels, made once."""
    return _Labels(labels)


class Mentions:
    """Finds the choices of one list in replies."""

    def __init__(
        self, choices: Sequence[str], labels: tuple[str, ...], words: Words, none: int | None
    ) -> None:
        self._labels, self._words = labels_of(labels), words
        texts: dict[str, set[int]] = {}
        named: set[str] = set()  # those with an article, which may have another one in a reply
        for at, choice in enumerate(choices):
            text = lower(plain(choice)).replace("\n", " ").strip(_EDGES)
            if text:
                bare = self._without_article(text)
                texts.setdefault(bare, set()).add(at)
                named |= {bare} if bare != text else set()
        whole = tuple(texts)
        for text in whole:  # 'Ms. Green' is 'Ms. Green, the violinist'
            head, comma, _ = text.partition(", ")
            if comma and head not in whole:
                texts.setdefault(head, set()).update(texts[text])
        found = [(text, TEXTS, at) for text, (at, *others) in texts.items() if not others]
        known = [lower(text).strip(_EDGES) for text in words.unknown]
        unknown = [at for text, _, at in found if text in known]
        if len(unknown) == 1:
            # Where words are written together, what follows the text of the choice is an ending.
            own = tuple(text for text, _, at in found if at in unknown and FREE.match(text))
            other = (text for text in known if text not in texts and not text.startswith(own))
            found += [(text, ALIASES, unknown[0]) for text in other]
        if none is not None:
            found += [(text, ALIASES, none) for text in words.none if text not in texts]
        self._named = named
        self._texts = sorted(found, key=lambda item: -len(item[0]))

    def _without_article(self, text: str) -> str:
        for end in range(min(_LONGEST_ARTICLE, len(text) - 2), 0, -1):
            match = self._words.articles.search(text[:end])
            # Within a word is no article, but one with an apostrophe.
            inside = text[end - 1] not in " '-" and not FREE.match(text[end])
            if match and not match.start() and not inside:
                return text[end:]
        return text

    def without_beginning(self, text: str) -> str:
        """A text that was cut off within the text of a choice, up to the label before that."""
        for _, end, at in [*self._labels.find(text)][-1:]:
            rest = lower(text[end:]).lstrip(_EDGES)
            whole = (name for name, _, of in self._texts if of == at)
            if any(name.startswith(self._without_article(rest)) for name in whole):
                return text[:end]
        return text

    def put(self, text: str) -> str:
        """A text in small letters, with a character for each choice that it names."""
        if not self._labels.figures and "\n" not in text:
            text = _NUMBER.sub("", text)
        low = lower(text)
        spans = self._spans(text, low)
        parts: list[str] = []
        at = 0
        if not spans:
            return low
        spans.sort()
        for (start, end, name), (after, _, next_) in zip(spans, (*spans[1:], _AFTER), strict=True):
            if name < TEXTS and low[start] in _OPENERS:
                beside = after <= end + 2 and TEXTS <= next_ < BOTH
                name = name if beside else f"({name})"
            parts += (low[at:start], name)
            at = end
        found = "".join((*parts, low[at:]))
        if len({name < TEXTS for *_, name in spans}) > 1:
            found = self._words.bracketed.sub(r"\2\1 (\3\4)", found)
            found = _LABEL_TEXT.sub(partial(self._both, BOTH), found)
            found = _TEXT_LABEL.sub(partial(self._both, TEXTS_FIRST), found)
        if any(sign in found for sign in "([{<"):
            found = _WRAPPED.sub(r"\1", found)
        closed = any(name[-1] == ":" for *_, name in spans)
        return self._words.wrapped.sub(r"\1", found) if closed else found

    def _spans(self, text: str, low: str) -> list[tuple[int, int, str]]:
        spans: list[tuple[int, int, str]] = []
        covered = bytearray(len(low))
        for name, kind, at in self._texts:
            start = low.find(name)
            while start >= 0:
                end = start + len(name)
                first = self._begins(low, start, name in self._named)
                if first is not None and self._ends(low, end) and not any(covered[start:end]):
                    spans.append((first, end, chr(ord(kind) + at)))
                    covered[first:end] = b"\x01" * (end - first)
                start = low.find(name, end)
        labels = [*self._labels.find(text)]
        for (start, end, at), then in zip(labels, (*labels[1:], None), strict=False):
            if self._is_article(text, low, start, end, then):
                continue
            written_on = not text[start:end].isascii() and LETTERS.match(text, end)
            if written_on and not self._words.ending.match(low, end):
                continue
            if not any(covered[start:end]):
                closed = text[end : end + 1] in _CLOSERS
                opened = closed and text[start - 1 : start] in _OPENERS
                name = chr(ord(LABELS) + at) + (":" if closed and not opened else "")
                spans.append((start - opened, end + closed, name))
        return spans

    def _is_article(
        self, text: str, low: str, start: int, end: int, then: tuple[int, int, int] | None
    ) -> bool:
        """Say whether a letter is the article of a word for an answer, or of the next label."""
        words = self._words
        if not words.articles.search(low[start:end]):
            return False
        articled = words.articled.match(low, start)
        if articled and articled["cut"] is None:
            before = low[max(0, start - _BEFORE) : start]
            return not (words.articles.search(before) or words.bare.search(before))
        if articled:
            return text[start].islower() and low[start - 2 : start - 1].isalnum()
        between = low[end : then[0]] if then else ""
        after = words.after.match(low, then[1]) if then and between == " " else None
        named = words.noun.match(between.strip()) and not _PAUSE.search(between)
        return bool(named or (after and after["right"] is not None))

    def _begins(self, low: str, start: int, named: bool) -> int | None:
        """Where a name begins with its article; None where it is the end of a longer word."""
        article = named and self._words.articles.search(
            low[max(0, start - _LONGEST_ARTICLE) : start]
        )
        if article:
            return max(0, start - _LONGEST_ARTICLE) + article.start()
        if start and LETTERS.match(low[start - 1]) and not FREE.match(low[start]):
            return None
        return start

    def _ends(self, low: str, end: int) -> bool:
        if end == len(low) or not LETTERS.match(low[end]) or FREE.match(low[end - 1]):
            return True
        return self._words.ending.match(low, end) is not None

    def _both(self, kind: str, match: re.Match[str]) -> str:
        """The label of a choice beside its text; of another choice, it is a conflict or a word."""
        one, two = ord(match[1]) & 0xFF, ord(match[3]) & 0xFF
        if one == two:
            return chr(ord(kind) + one)
        joint = match[2].strip(" ")
        if not joint and self._words.articles.search(self._labels.names[one].lower()):
            return match[3]  # 'A potter' has an article
        return match[0] if joint in (",", "-") else CONFLICT


class ReplyRule(StrEnum):
    """By which rule a reply was read, or why it was not.

    Read: `letter`, a label alone or beside the text of its choice; `text`, the text of a choice;
    `stated`, any of these as the verdict of a longer reply. Out-of-choice: the others.
    """

    LETTER = "letter"
    TEXT = "text"
    STATED = "stated"
    EMPTY = "empty"
    UNFINISHED = "unfinished"
    LONG = "long"
    SEVERAL = "several"
    CONTRADICTION = "contradiction"
    AMBIGUOUS = "ambiguous"
    NEGATION = "negation"
    HEDGE = "hedge"
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True)
class Reading:
    """What a reply says.

    Attributes:
        chosen: Positions of the choices that it names, from 0; None when it is out-of-choice.
        rule: By which rule it was read, or why it was not.
    """

    chosen: frozenset[int] | None
    rule: ReplyRule


_ONE = re.compile(f"[{ANY}]")
_OTHER = re.compile(f"[{NAMED}]")
_STOPS = re.compile(r"[.!?;\u3002\n\ue800\ue801]")
_END = re.compile(r"[.!?;\u3002\n]")
_SOFT = " '\"([-:,;\u21d2\u3001"
_BEFORE, _CONNECTING = 160, 16
_RIVAL = re.compile(rf"[{LABELS}-\ue0ff](?! \w)|[{TEXTS}-\ue3ff\ue500]")
"""Another choice; a letter before a word may be one, such as an article."""
_SHARE = re.compile(rf"([{ANY}])[ :=(-]{{0,3}}(?:%\d|\d[\d.,]* ?%|[01][.,]\d)")
_WORDS = re.compile(r"[^\W_]")
_SEVERAL = re.compile(rf"[{LABELS}-\ue0ff]:|[{BOTH}-\ue2ff]")
"""What goes on with another choice, as lists do."""
_LAST = "\n.!?\u3002 )]}"


class _Place(Enum):
    """Where a verdict stands."""

    BOX = 0
    LED = 1
    ALONE = 2


@dataclass(frozen=True, slots=True)
class _Verdict:
    """A part of a reply that is wholly a choice, or several.

    Attributes:
        start: Where it begins.
        end: Where it ends.
        chosen: The choices.
        place: Where it stands.
        edge: Whether a verdict that stands alone is at the beginning or end of the reply.
        line: Whether it is a line of its own.
        whole: Whether it is the whole reply.
    """

    start: int
    end: int
    chosen: frozenset[int]
    place: _Place
    edge: bool = True
    line: bool = True
    whole: bool = False


LONGEST = 100_000
"""Characters of a reply, without thoughts, that is read: one that is longer repeats itself."""


def read_reply(
    reply: str,
    choices: Sequence[str],
    *,
    several: bool = False,
    none: int | None = None,
    labels: Sequence[str] | None = None,
    own: Language | None = None,
) -> Reading:
    """Read which choices a reply names.

    Args:
        reply: The reply.
        choices: The choices in the order in which the request showed them.
        several: Whether several choices may be named.
        none: The choice that stands for none of the others, where there is one: words such as
            'none' then mean it.
        labels: What the choices were called, one each; A, B, C and so on by default.
        own: The language of a workspace, in whose words and in English replies are read; where
            nobody says which one it is, in those of the choices' script.

    Raises:
        ValueError: If there are not as many labels as choices.
    """
    if labels is not None and len(labels) != len(choices):
        raise ValueError(f"there are {len(choices)} choices and {len(labels)} labels")
    given = without_thoughts(reply)
    if given is None:
        return Reading(None, ReplyRule.UNFINISHED)
    shown = tuple(labels) if labels is not None else tuple(choice_letters(len(choices)))
    if len(given) > LONGEST:
        return Reading(None, ReplyRule.LONG)
    mentions, words = _reader(tuple(choices), shown, none, own)
    text = plain(given, words.is_answer)
    if not text:
        return Reading(None, ReplyRule.EMPTY)
    cut = reply.endswith(CUT_OFF)
    if cut:
        text = mentions.without_beginning(text)
    return _read_once(mentions.put(text), words, len(choices), several=several, cut=cut)


@lru_cache(maxsize=256)  # of what names a choice only the place is left: many replies are alike
def _read_once(text: str, words: Words, count: int, *, several: bool, cut: bool) -> Reading:
    asked = _next_question(count).search(text) if "?" in text and "\n" in text else None
    if asked and any(asked.groups()) and not words.withdraws.search(text, 0, asked.start()):
        # A model that only goes on with a text asks itself the next question, and answers that.
        first, _, _ = text.partition("\n")
        reading = _Reply(first, words, count, several=several, cut=cut).read()
        if reading.chosen is not None:
            return reading
    return _Reply(text, words, count, several=several, cut=cut).read()


@lru_cache(maxsize=64)
def _next_question(count: int) -> re.Pattern[str]:
    """A question and its choices, one after another; a group for each text that is none of ours."""
    names = ((chr(ord(LABELS) + at), chr(ord(BOTH) + at)) for at in range(count))
    shown = (rf"\W{{0,3}}(?:{label}([:.)]* ?\w)?|{both})[^{ANY}\n]*" for label, both in names)
    return re.compile(r"\?\s+" + r"\s*".join(shown))


@lru_cache(maxsize=4096)
def _reader(
    choices: tuple[str, ...], labels: tuple[str, ...], none: int | None, own: Language | None
) -> tuple[Mentions, Words]:
    words = words_for(choices, own)
    return Mentions(choices, labels, words, none), words


class _Reply:
    """One reply, with a character for each choice that it names."""

    def __init__(self, text: str, words: Words, count: int, *, several: bool, cut: bool) -> None:
        self._text, self._words, self._several = text, words, several
        self._count, self._cut = count, cut
        self._why: set[ReplyRule] = set()
        self._last_words: frozenset[int] = frozenset()  # as in 'A. <no, sorry>, B'
        self._stops = [0, *(stop.end() for stop in _STOPS.finditer(text))]
        self._end = len(text.rstrip(_LAST))

    def read(self) -> Reading:
        """Read it."""
        text = self._text
        if not _ONE.search(text):
            return Reading(None, self._reason())
        found = sorted((*self._ticked(), *self._verdicts()), key=lambda item: item.start)
        chosen = self._decided(found)
        if chosen is None:
            return Reading(None, self._reason())
        if len(chosen) > 1 and not self._several:
            return Reading(None, ReplyRule.SEVERAL)
        if max(chosen) >= self._count:
            return Reading(None, ReplyRule.UNREADABLE)
        if len(found) == 1 and found[0].whole:
            kind = _kind(text[found[0].start])
            return Reading(chosen, ReplyRule.TEXT if kind in (TEXTS, ALIASES) else ReplyRule.LETTER)
        return Reading(chosen, ReplyRule.STATED)

    def _decided(self, found: list[_Verdict]) -> frozenset[int] | None:
        """The choice of the verdicts; None where there are none, or two, or it is withdrawn."""
        text = self._text
        if not found:
            return None
        taken_back = self._last(self._words.withdraws, text, max(0, found[0].end - 1))
        if taken_back > found[0].start:
            found = [item for item in found if item.start >= taken_back]
            if not found:
                self._why.add(ReplyRule.HEDGE)
                return None
        found = self._unlisted(found)
        if not found:
            self._why.add(ReplyRule.AMBIGUOUS)
        for place in (_Place.BOX, _Place.LED):
            said = {item.chosen for item in found if item.place is place}
            if len(said) > 1:
                self._why.add(ReplyRule.AMBIGUOUS)
                return None
            if said:
                return self._unless_alone(next(iter(said)), found)
        edges = {item.chosen for item in found if item.edge}
        lines = {item.chosen for item in found if item.line}
        if len(edges) != 1 or len(edges | lines | {self._last_words or next(iter(edges))}) > 1:
            self._why.add(ReplyRule.AMBIGUOUS if len(lines) > 1 else ReplyRule.UNREADABLE)
            return None
        if self._cut and (not found[0].whole or _kind(text[found[0].start]) in (TEXTS, ALIASES)):
            return None
        return next(iter(edges))

    def _unlisted(self, found: list[_Verdict]) -> list[_Verdict]:
        """The verdicts but lines that show all choices one after another, as the question does."""
        if len(found) < self._count:
            return found
        kept, at = [], 0
        while at < len(found):
            lines = found[at : at + self._count]
            if (
                all(item.line and item.place is lines[0].place for item in lines)
                and len({one for item in lines for one in item.chosen}) == self._count
            ):
                at += self._count
            else:
                kept.append(found[at])
                at += 1
        return kept

    def _unless_alone(self, chosen: frozenset[int], found: list[_Verdict]) -> frozenset[int] | None:
        """What is said to be the answer, unless one other choice stands alone at an end."""
        alone = {item.chosen for item in found if item.place is _Place.ALONE and item.line}
        edges = {item.chosen for item in found if item.place is _Place.ALONE and item.edge}
        if len(alone | edges) == 1 and edges and chosen not in edges:
            self._why.add(ReplyRule.AMBIGUOUS)
            return None
        return chosen

    def _withdrawn_in(self, before: str) -> int:
        """Where the withdrawal directly before a choice ends."""
        end = max(self._last(self._words.withdraws, f"\n{before}") - 1, 0)
        return end if self._words.named.fullmatch(before[end:].strip(_SOFT)) else 0

    def _ticked(self) -> Iterator[_Verdict]:
        """The one choice that is ticked, or called right, where lines say of every choice."""
        if self._text.count("\n") < self._count - 1:
            return
        marks = {ord(match[1]) & 0xFF: match for match in self._words.marked.finditer(self._text)}
        ticked = [at for at, match in marks.items() if match["right"] or match["last"]]
        if len(ticked) == 1 and marks.keys() == set(range(self._count)):
            match = marks[ticked[0]]
            yield _Verdict(match.start(1), match.end(), frozenset(ticked), _Place.LED)

    def _verdicts(self) -> Iterator[_Verdict]:
        row = self._words.list if self._several else self._words.row
        at = 0
        while match := _ONE.search(self._text, at):
            listed = row.match(self._text, match.start())
            assert listed is not None  # noqa: S101  # it begins with a choice
            at = listed.end()
            found = self._verdict(listed.start(), at)
            names = _ONE.findall(listed[0])
            alike = len({ord(name) & 0xFF for name in names}) == 1 or max(names) < TEXTS
            if found is None and len(names) > 1 and alike:  # 'As nobody knows, C', 'Not A nor C, B'
                found = self._verdict(at - 1, at)
            if found is not None:
                yield found

    def _verdict(self, start: int, end: int) -> _Verdict | None:
        text, words = self._text, self._words
        names = _ONE.findall(text, start, end)
        chosen = frozenset(ord(name) & 0xFF for name in names)
        if text[start - 1 : start] == OPENED and text[end : end + 1] == CLOSED:
            return _Verdict(start, end, chosen, _Place.BOX, whole=self._bare)
        after = words.after.match(text, end)
        if after is None and text[start + 1 : start + 2] == ",":
            after = words.denied.match(text, end)  # 'A, B not', as some languages say it
            head = text[self._stops[bisect_right(self._stops, start) - 1] : start]
            said = words.led.search(head) or words.bare.search(head)
            said = said or words.named.fullmatch(head.strip(_SOFT))
            if after and said and len(names) == 2 and not words.negates.search(head):
                return _Verdict(start, end, frozenset({ord(names[0]) & 0xFF}), _Place.ALONE)
            return None
        if after is None:
            return self._explained(start, end, chosen)
        right = after["right"] is not None
        if right and _kind(names[0]) == TEXTS and not words.noun.search(after["right"]):
            return None  # 'the baker is right' says so of what she said
        first = self._stops[bisect_right(self._stops, start) - 1]
        before = text[max(first, start - _BEFORE) : start]
        if right and self._beside(before, chosen):
            return None
        told = _kind(names[0]) in (TEXTS, ALIASES)  # before the end it may tell of somebody
        if (not told or self._ends(after)) and self._opposes(before, end, after):
            return _Verdict(start, end, chosen, _Place.ALONE if told else _Place.LED)
        led = len(before) if right else self._led(before, first, start, after, names[0])
        if led is None and not words.named.fullmatch(before.lstrip(_SOFT)):
            cut = max(before.rfind(","), before.rfind("\u3001"), before.rfind(":"))
            if cut < 0 or not words.named.fullmatch(before[cut + 1 :].strip(_SOFT)):
                return None
            if self._cut or not self._edge(first, after) or _OTHER.search(before):
                return None
            if not words.reason.search(before) and not self._withdrawn_in(before):
                self._last_words = chosen if _kind(names[0]) == LABELS else frozenset()
                return None  # 'the elder of the two, the potter' tells of a person
            led = cut
        stop = _END.search(text, end)
        close = stop.start() if stop else len(text)
        why = self._doubt(before, led, after, close, names)
        if why is not None:
            self._why.add(why)
            return None
        whole = first == 0 and not right and words.named.fullmatch(before.lstrip(_SOFT)) is not None
        whole = whole and after["strict"] is not None and after.end() >= self._end
        if led is not None:
            return _Verdict(start, end, chosen, _Place.LED, whole=whole)
        return self._alone(start, end, first, after, chosen, whole=whole)

    def _beside(self, before: str, chosen: frozenset[int]) -> bool:
        """Say whether a choice is called right together with one before it: 'as well as B'."""
        others, words = [*_OTHER.finditer(before)], self._words
        if not others or ord(others[-1][0]) & 0xFF in chosen:
            return False
        head, between = before[: others[-1].start()], before[others[-1].end() :]
        if words.negates.search(between):
            return False
        after = words.after.match(before, others[-1].end())  # 'A is correct, but B is, too'
        told = words.led.search(head) or (after and after["right"])
        told = told and not words.negates.search(head)
        told = told and not words.hedges.search(head)  # 'The answer is A, but B fits'
        return bool(told and not words.withdraws.search(before)) or not words.joint.search(between)

    def _opposes(self, before: str, end: int, after: re.Match[str]) -> bool:
        """Say whether a choice follows others that are denied: 'neither A nor B but C'."""
        denied = _ONE.findall(before)
        if not denied or after["strict"] is None:
            return False
        words, text = self._words, self._text
        return (
            words.opposed.match(before) is not None
            and not words.hedges.search(before[: before.index(denied[0])])
            and not words.hedges.search(before[before.rindex(denied[-1]) :])
            and not text[end : after.end() + 1].rstrip().endswith("?")
        )

    def _explained(self, start: int, end: int, chosen: frozenset[int]) -> _Verdict | None:
        """A label with its text that is the subject of a sentence, too: 'A. The baker slept'."""
        text, words = self._text, self._words
        kind, first = _kind(text[start]), self._stops[bisect_right(self._stops, start) - 1]
        if kind != BOTH or text[end : end + 1] != " ":
            return None
        stop = _END.search(text, end)
        close = stop.start() if stop else len(text)
        rest = text[end:close]
        listed = _SEVERAL.search(rest) or self._listed(text[start], close)
        below = start == first and self._below_heading(first) and not listed and not self._cut
        said, *reason = _PARTS.split(rest)
        given = len(reason) == 1 and words.concludes.match(reason[0])  # behind what it says
        said = said if below or (given and said.strip()) else rest
        if words.negates.search(said) or words.hedges.search(said) or _OTHER.search(said):
            return None
        if below:
            return _Verdict(start, end, chosen, _Place.LED)
        if start or self._walk:
            return None
        return _Verdict(start, end, chosen, _Place.ALONE, line=False)

    def _alone(
        self,
        start: int,
        end: int,
        first: int,
        after: re.Match[str],
        chosen: frozenset[int],
        *,
        whole: bool,
    ) -> _Verdict | None:
        """A verdict that stands alone, on its line or in its sentence."""
        text = self._text
        opens = first == 0 or text[first - 1] == "\n"
        stop = after.end() - (after["strict"] == "\n")
        line = opens and after["strict"] is not None and text[stop : stop + 1] in ("", "\n")
        if start in self._shared or (not line and self._walk):
            return None
        if not opens and text[first - 2 : first - 1].isdigit():
            return None  # the number of an item
        if text[first - 1] in ".\u3002" and end == len(text) and _kind(text[start]) == TEXTS:
            return None  # the subject of a sentence that was cut off
        # A line of a walk is its next step, which may have been cut off; not below '... is:'.
        above = text[max(0, first - _BEFORE) : first].rstrip("\n")
        told = above.endswith(":") and self._words.copula.search(above[:-1])
        step = self._walk and not told and self._begun[next(iter(chosen))] == 1
        edge = whole or self._edge(first, after, last=not step)
        return _Verdict(start, end, chosen, _Place.ALONE, edge, line, whole)

    @cached_property
    def _shared(self) -> frozenset[int]:
        """Where it is said of choices how likely each is, as 'A: 60 %, B: 40 %'."""
        found = {match.start(): ord(match[1]) & 0xFF for match in _SHARE.finditer(self._text)}
        return frozenset(found) if len({*found.values()}) > 1 else frozenset()

    @cached_property
    def _bare(self) -> bool:
        """Whether there is nothing but choices and signs."""
        return _WORDS.search(self._text) is None

    @cached_property
    def _walk(self) -> bool:
        """Whether lines go through the choices, one after another."""
        return len(self._begun) > 1

    @cached_property
    def _begun(self) -> Counter[int]:
        """How many lines begin with each choice."""
        begun = self._words.begun.finditer(self._text)
        return Counter(ord(match[1]) & 0xFF for match in begun)

    def _led(
        self, before: str, first: int, start: int, after: re.Match[str], name: str
    ) -> int | None:
        """Where in what stands before a choice the words begin that say that it is the answer."""
        words, strict = self._words, after["strict"] is not None
        match = words.led.search(before)
        while match and (later := words.led.search(before, match.start() + 1)):
            match = later
        if match and after["ending"] and words.inverted.match(match[0]):
            # Where a verb ends its clause, one before a comma is of the clause before.
            concluded = words.concludes.search(match[0])
            return match.start() + (concluded.end() if concluded else match[0].rfind(",") + 1)
        if match:
            return match.start()
        match = words.says.search(before)
        if match and self._opens(before[: match.start()], match[0]):
            return match.start()
        if words.named.fullmatch(before.lstrip(_SOFT)) and self._below_heading(first):
            label = _kind(name) == LABELS and after["loose"] == ":"
            label = label or (_kind(name) in (BOTH, TEXTS_FIRST) and after["loose"] is not None)
            if (strict or label) and not self._cut and not self._listed(name, after.end()):
                return 0
        match = words.bare.search(before) if not self._cut else None
        if match and (after["ending"] or (strict and self._names_answer(before, match.start()))):
            return match.start()
        match = words.copula.search(before)
        if match and not _RIVAL.search(before):
            kind = _kind(name)
            last = strict and self._ends(after)
            if kind == BOTH and (last or (first == 0 and not self._cut)):
                return match.start()
            if last and kind == LABELS and not _OTHER.search(before):
                return match.start()
            # 'The one who came first is the potter (A)' tells of a person, unless it concludes.
            told = kind == TEXTS_FIRST or (kind == TEXTS and first == 0)
            if last and told and words.concludes.search(before):
                return match.start()
        return None

    def _below_heading(self, first: int) -> bool:
        """Say whether a line begins here and the one above says that the answer stands below."""
        text = self._text
        if not first or text[first - 1] != "\n":
            return False
        above = text[text.rfind("\n", 0, first - 1) + 1 : first - 1]
        return self._words.heading.search(above) is not None

    def _ends(self, after: re.Match[str]) -> bool:
        """Say whether nothing follows, and nothing would have."""
        return after.end() >= self._end and not self._cut

    def _opens(self, before: str, lead: str) -> bool:
        """Say whether next to nothing, or a word for an answer, and no choice, begins a clause."""
        words = self._words
        begun = max(self._last(words.joint, before), self._last(words.withdraws, before))
        clause = before[begun:].strip(_SOFT)
        if not clause or words.noun.search(clause):
            return not _OTHER.search(clause)
        if words.copula.match(lead) and not (
            words.concludes.search(before) or words.leads.match(clause)
        ):
            return False  # who the subject of a bare 'is' is, the question alone tells
        return len(clause) <= _CONNECTING and not _OTHER.search(clause)

    def _names_answer(self, before: str, at: int) -> bool:
        """Say whether a word for an answer begins its clause, or is called the right one."""
        clause = _PARTS.split(before[:at])[-1].strip(_SOFT)
        called = not clause or self._words.right.search(clause)
        return bool(called or self._withdrawn_in(before))

    @staticmethod
    def _last(found: re.Pattern[str], text: str, since: int = 0) -> int:
        """Where the last of what is found ends; 0 where nothing is."""
        return max((match.end() for match in found.finditer(text, since)), default=0)

    def _listed(self, name: str, at: int) -> bool:
        """Say whether the next line begins with another choice."""
        line = self._text.find("\n", at - 1)
        found = self._words.begun.match(self._text, line + 1) if line >= 0 else None
        return found is not None and ord(found[1]) & 0xFF != ord(name) & 0xFF

    def _edge(self, first: int, after: re.Match[str], *, last: bool = True) -> bool:
        """Say whether a sentence is the first or last of the reply, questions left out."""
        text = self._text
        if last and after["strict"] is not None and self._ends(after):
            return True
        head = text[:first].rstrip(" \n")
        # A question may be shown again, and courtesies are none.
        return not head or (head[-1] in "?:!" and "\n" not in head and not _ONE.search(head))

    def _doubt(
        self, before: str, led: int | None, after: re.Match[str], close: int, names: list[str]
    ) -> ReplyRule | None:
        """What at a verdict denies it, leaves it open or names another choice; None if nothing."""
        words, text = self._words, self._text
        if CONFLICT in names:
            return ReplyRule.CONTRADICTION
        if text[close : close + 1] == "?":
            return ReplyRule.HEDGE
        strict, right = after["strict"] is not None, after["right"] or ""
        chosen = {ord(name) & 0xFF for name in names}
        earlier = {ord(name) & 0xFF for name in _OTHER.findall(before)}
        back = self._withdrawn_in(before)
        if earlier - chosen:  # 'At first A, but in the end I choose B'
            back = max(back, self._last(words.withdraws, before[: led or 0]))
        begun = max(self._last(words.joint, before[: led or 0]), back)
        since = max(self._last(words.reasoned, before[: led or 0]), back)
        first = self._stops[bisect_right(self._stops, after.start() - 1) - 1]
        if len(earlier) > 1 and not earlier & chosen:
            # 'As it could be A or B, the answer is C'
            concluded = words.reason.match(before) or words.reason.match(before, led or 0)
            since = max(since, begun) if concluded else since
        if words.concedes.match(text, first):
            granted = words.joint.search(before)
            since = max(since, begun, granted.end() if granted else led or 0)
            if granted is None and not strict:
                return ReplyRule.HEDGE
        if self._says(words.negates, before[begun:], right):
            return ReplyRule.NEGATION
        inverted = words.inverted.match(before) and not words.reason.match(before)
        if begun and not back and inverted and "," in before[:begun]:
            return ReplyRule.HEDGE  # 'Had he slept, the answer would be B'
        reason = after["reason"] or ""  # 'confirmed by the text as asleep', but 'to avoid bias'
        told_as = right if words.hedges.search(reason) else f"{right}{reason}"
        if words.hedges.search(told_as) or self._says(words.hedges, before[since:]):
            return ReplyRule.HEDGE
        if words.right.search(right) and words.conceded.search(before):
            return ReplyRule.HEDGE  # 'A, although B fits': nor is A one then
        if words.measured.search(before) and not words.negates.search(before):
            return ReplyRule.HEDGE  # 'as much A as it is B'
        supposed = words.supposes.match(text, after.end())
        if supposed and after["strict"] != "\n" and ord(supposed[1]) & 0xFF not in chosen:
            return ReplyRule.HEDGE
        if strict:
            granted = words.grants.match(text, after.end())
            named = {ord(one) & 0xFF for one in _OTHER.findall(granted[0])} if granted else chosen
            adds = not named & chosen or words.adds.match(text, after.end())
            return ReplyRule.HEDGE if adds else None
        rest = text[after.end() : close].lstrip(_SOFT)
        if after["reason"] is not None:
            open_ = words.compared.fullmatch(rest) or self._of_one(names[0], rest)
            return ReplyRule.HEDGE if open_ else None
        contrast = words.contrasts.match(text, after.end())
        if contrast and not chosen & {ord(one) & 0xFF for one in _OTHER.findall(contrast[0])}:
            return None
        if _OTHER.match(rest) and ord(rest[0]) & 0xFF not in chosen and words.denies.match(rest, 1):
            return None  # 'B is it, A not'
        if _SEVERAL.search(rest):
            return ReplyRule.UNREADABLE  # 'A: 40 %, B: 60 %'
        then = words.second.match(rest)
        other = _ONE.match(rest) or (then and _OTHER.search(then[0]))
        if words.hedges.match(rest) or (other and ord(other[0]) & 0xFF not in chosen):
            return ReplyRule.CONTRADICTION if other else ReplyRule.HEDGE
        if words.negates.match(rest) and (led is None or after["loose"] != ":"):
            return ReplyRule.NEGATION
        named = {ord(name) & 0xFF for name in _OTHER.findall(rest)}
        others = bool(named - chosen)
        fits = words.right.search(rest)
        told = rest and led is None and after["loose"] == ":" and _kind(names[0]) == LABELS
        told = told and (not words.is_known or rest[0].isdigit())
        if told and not (fits or words.reason.match(rest)):
            return ReplyRule.UNREADABLE  # 'B: falsch' of an unknown language; 'B: 40 %'
        if others and words.concedes.match(rest):
            # 'The answer is A, although B fits' grants B; 'although B is right' calls it one, too.
            called = fits if led is None else any(it[1] for it in words.called.finditer(rest))
            firm = not (called or words.leads.search(rest))
        else:
            firm = words.reason.search(rest[:30]) is not None
        # 'A fits, and so does B'; or it is said of B in words of another language.
        both = right or fits or (led is None and not named & chosen)
        both = others and both and not words.negates.search(rest)
        hedged = words.hedges.search(rest) is not None
        if after["loose"] in (",", "\u3001"):
            open_ = hedged or both or (others and _kind(names[0]) in (TEXTS, ALIASES))
        else:
            open_ = both and (hedged or after["loose"] == "-")
        return ReplyRule.HEDGE if open_ and not firm else None

    def _of_one(self, name: str, rest: str) -> bool:
        """Say whether ignorance is of one person only, as 'but she did' or another one shows."""
        words = self._words
        said, *others = _PARTS.split(rest)
        of = {ord(one) & 0xFF for one in _OTHER.findall(said)} - {ord(name) & 0xFF}
        if _kind(name) not in (TEXTS, ALIASES) or len(of) != 1:
            return False
        open_ = words.hedges.search(said) is not None  # 'whether the potter slept, as it says'
        for part in (other.lstrip() for other in others):
            if words.reason.match(part) or words.hedges.match(part) or _OTHER.match(part):
                return False
            if not open_ or {ord(one) & 0xFF for one in _OTHER.findall(part)} - of:
                return True
        return False

    def _says(self, found: re.Pattern[str], before: str, after: str = "") -> bool:
        """Say whether words stand beside a choice; 'without doubt', which leads to it, is none."""
        if not found.search(before + after):
            return False
        return found.search(self._words.leads.sub("", before) + after) is not None

    def _reason(self) -> ReplyRule:
        """Say why a reply is not read."""
        if self._cut:
            return ReplyRule.UNFINISHED
        if CONFLICT in self._text:
            return ReplyRule.CONTRADICTION
        for why in (ReplyRule.AMBIGUOUS, ReplyRule.NEGATION, ReplyRule.HEDGE):
            if why in self._why:
                return why
        if self._words.negates.search(self._text):
            return ReplyRule.NEGATION
        if "?" in self._text or self._words.hedges.search(self._text):
            return ReplyRule.HEDGE
        return ReplyRule.UNREADABLE


def _kind(name: str) -> str:
    return chr(ord(name) & 0xFF00)
