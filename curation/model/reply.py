"""Which choices a model's reply names: read by a few named rules, or not at all.

A reply is read as a whole, or by what it states as its answer. Whatever is left over, a
negation, a second letter where one choice is asked for or a word that merely begins with a
letter, makes it out-of-choice: a wrong reading would end in a score, an unread reply is counted.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from string import ascii_uppercase

_MOST_READINGS = 32
_SENTENCE_LENGTH = 300  # signs before a statement in which a negation is looked for


class ReplyRule(StrEnum):
    """By which rule a reply was read, or why it was not.

    Read: `letter`, letters alone or beside the exact text of their choices; `text`, the exact
    text of choices; `none`, a word such as 'none'; `stated`, any of these after words such as
    'the answer is'. Out-of-choice: the others.
    """

    LETTER = "letter"
    TEXT = "text"
    NONE = "none"
    STATED = "stated"
    EMPTY = "empty"
    NEGATION = "negation"
    SEVERAL = "several"
    CONTRADICTION = "contradiction"
    AMBIGUOUS = "ambiguous"
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model replied to a request; fields as in `replies.jsonl`.

    Attributes:
        request_id: The request.
        model: The model.
        reply: The text; None where the call failed.
    """

    request_id: str
    model: str
    reply: str | None


@dataclass(frozen=True, slots=True)
class Reading:
    """What a reply says.

    Attributes:
        chosen: Positions of the choices that it names, from 0; None when it is out-of-choice.
        rule: By which rule it was read, or why it was not.
    """

    chosen: frozenset[int] | None
    rule: ReplyRule


def choice_letters(count: int) -> list[str]:
    """Name choices as spreadsheets name columns: A to Z, then AA, AB, and so on."""
    letters = []
    for at in range(count):
        name = ""
        while at >= 0:
            name = ascii_uppercase[at % 26] + name
            at = at // 26 - 1
        letters.append(name)
    return letters


def read_reply(
    reply: str, choices: Sequence[str], *, several: bool = False, none: int | None = None
) -> Reading:
    """Read which choices a reply names.

    Letters may be of either case (of more than one sign: as shown), full-width, in brackets,
    bold or followed by the exact text of their choice. Several are joined by commas, 'and' or
    line ends. A block of thoughts before the reply (`<think>`) is passed over.

    Args:
        reply: The reply.
        choices: The choices in the order in which the request showed them.
        several: Whether several choices may be named.
        none: Position of the choice that stands for none of the others, where there is one:
            words such as 'none' then mean it, and it goes with no other choice.
    """
    return _reader(tuple(choices), several, none).read(reply)


_THOUGHTS = re.compile(r"^\s*<think>.*?</think>", re.DOTALL)
_BOXED = re.compile(r"\\boxed\{([^{}]*)\}")
_EMPHASIS = re.compile(r"\*\*|__|`")
_ITALIC = re.compile(r"(?<![\w*])\*([^*\s][^*\n]*)\*(?![\w*])")
_BULLET = re.compile(r"^[-*•·–]\s+", re.MULTILINE)


def _normalised(text: str) -> str:
    """Take off what only decorates: width, emphasis, bullets, blank lines, doubled blanks."""
    text = unicodedata.normalize("NFKC", text)
    text = _EMPHASIS.sub("", _BOXED.sub(r"\1", text))
    lines = (" ".join(line.split()) for line in _ITALIC.sub(r"\1", text).splitlines())
    return _BULLET.sub("", "\n".join(line for line in lines if line))


_NONE_WORDS = re.compile(
    r"(?:none(?: of (?:them|these|the above|the(?:se)? groups|the(?:se)? options))?"
    r"|neither(?: of (?:them|these|the two|the groups)| group)?|no group"
    r"|해당\s?(?:사항|집단)?\s?없음|(?:아무도|둘 다)?\s?없(?:음|다|습니다|어요)"
    r"|둘 다 (?:아님|아니다|아닙니다))",
    re.IGNORECASE,
)
_SEPARATOR = re.compile(
    r"\.? *(?:[,;、·・&\n] *)+(?:(?:and|그리고|및) +)?"
    r"| +(?:and|그리고|및) +"
    r"|(?:와|과|이랑|랑|하고) +",
    re.IGNORECASE,
)
_COPULA = r"(?: ?(?:입니다|이다|이에요|예요|임|요))?"
_END = re.compile(rf"{_COPULA} *[.!。]* *\Z")
_STOP = re.compile(
    rf"{_COPULA}(?: *[.!。]+(?=\s|\Z)| *(?=\n|\Z)|,? +(?=(?:because|since)\b))", re.IGNORECASE
)
_LEAD = re.compile(
    r"(?:\b(?:(?:so|thus|therefore|my|the|final|correct|best|most|likely),? +){0,5}"
    r"\b(?:answers?|choices?)\b *(?:(?:is|are|would be)\b *:?|[:=])"
    r"|\bI(?:'d|’d|'ll|’ll| would| will)? +(?:choose|pick|select|answer|go with)\b *:?"
    r"|(?:(?:따라서|그러므로|그래서),? *)?(?<![가-힣])(?:제|나의|저의|최종|올바른)? ?"
    r"(?:정답|답변|대답|답|선택) ?(?:은|는|:))\s*",
    re.IGNORECASE,
)
_NEGATION = re.compile(
    r"\b(?:not|no|never|cannot|neither|nor|except|wrong|incorrect)\b|n['’]t\b"
    r"|아니|아닌|아닙|않|못|제외|틀린|말고",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"[.!?。](?=\s)|\n")
_QUOTED = r"[\"'“”‘’「『<(\[]?{}[\"'“”‘’」』>)\]]?"

_Sets = dict[frozenset[int], ReplyRule]


@lru_cache(maxsize=1024)
def _reader(choices: tuple[str, ...], several: bool, none: int | None) -> "_Reader":
    return _Reader(choices, several, none)


class _Reader:
    """Reads replies to one list of choices."""

    def __init__(self, choices: Sequence[str], several: bool, none: int | None) -> None:
        self._several = several
        self._none = none
        self._patterns = list(_patterns(choices))
        if none is not None:
            self._patterns.append((none, ReplyRule.NONE, _NONE_WORDS))

    def read(self, reply: str) -> Reading:
        """Read a reply, as a whole or by what it states."""
        text = _normalised(_THOUGHTS.sub("", reply, count=1))
        if not text:
            return Reading(None, ReplyRule.EMPTY)
        sets = self._ending(text, 0, _END)
        if sets:
            return self._ruled(sets)
        lead = _LEAD.match(text)
        sets = self._ending(text, lead.end(), _END) if lead else {}
        return self._ruled(dict.fromkeys(sets, ReplyRule.STATED)) if sets else self._stated(text)

    def _ruled(self, sets: Mapping[frozenset[int], ReplyRule]) -> Reading:
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

    def _stated(self, text: str) -> Reading:
        """Read what a longer reply states; all its statements must be read, and agree."""
        found: _Sets = {}
        for lead in _LEAD.finditer(text):
            start = lead.start()
            before = _SENTENCE.split(text[max(0, start - _SENTENCE_LENGTH) : start])[-1]
            sets = {} if _NEGATION.search(before) else self._ending(text, lead.end(), _STOP)
            if not sets:
                return self._unread(text)
            found.update(dict.fromkeys(sets, ReplyRule.STATED))
        return self._ruled(found) if found else self._unread(text)

    @staticmethod
    def _unread(text: str) -> Reading:
        negated = _NEGATION.search(text) is not None
        return Reading(None, ReplyRule.NEGATION if negated else ReplyRule.UNREADABLE)

    def _ending(self, text: str, start: int, end: re.Pattern[str]) -> _Sets:
        """Read a list of items that begins at `start`.

        Args:
            text: The reply.
            start: Where the first item begins.
            end: What follows the last one.

        Returns:
            By the positions named the rule, for every way to read the longest list; nothing
            where it cannot be read.
        """
        begins: dict[int, _Sets] = {start: {frozenset(): ReplyRule.LETTER}}
        found: _Sets = {}
        furthest = -1
        while begins:
            at = min(begins)
            sets = begins.pop(at)
            if len(sets) > _MOST_READINGS:
                return sets
            for choice, kind, stop in self._items(text, at):
                grown = {
                    chosen | {choice}: _joined(rule, kind) if chosen else kind
                    for chosen, rule in sets.items()
                }
                ended = end.match(text, stop)
                if ended and ended.end() >= furthest:
                    found = {**(found if ended.end() == furthest else {}), **grown}
                    furthest = ended.end()
                separator = _SEPARATOR.match(text, stop)
                if separator:
                    begins.setdefault(separator.end(), {}).update(grown)
        return found

    def _items(self, text: str, at: int) -> Iterator[tuple[int, ReplyRule, int]]:
        """Yield every choice that can be read at a place, by which rule, and where it ends."""
        for choice, kind, pattern in self._patterns:
            match = pattern.match(text, at)
            if match:
                yield choice, kind, match.end()


def _joined(rule: ReplyRule, kind: ReplyRule) -> ReplyRule:
    return rule if rule is kind else ReplyRule.TEXT


def _patterns(choices: Sequence[str]) -> Iterator[tuple[int, ReplyRule, re.Pattern[str]]]:
    """Yield how each choice may be written: letter, letter and text, text, text and letter."""
    for at, (letter, choice) in enumerate(zip(choice_letters(len(choices)), choices, strict=True)):
        sign = letter if len(letter) == 1 else f"(?-i:{letter})"
        label = rf"(?:(?:option|choice|보기|선택지)s? ?)?[(\[{{<【]?{sign}[)\]}}>】]?번?"
        yield at, ReplyRule.LETTER, re.compile(label, re.IGNORECASE)
        text = _normalised(choice).replace("\n", " ").rstrip(".。! ")
        if not text:
            continue
        quoted = _QUOTED.format(re.escape(text))
        joint = r"(?: ?[.:=–—-] ?| |(?<=[)\]}>】])|(?=[(\"'“‘]))"
        both = rf"{label}{joint}{quoted}"
        yield at, ReplyRule.LETTER, re.compile(both, re.IGNORECASE)
        yield at, ReplyRule.TEXT, re.compile(quoted, re.IGNORECASE)
        yield at, ReplyRule.LETTER, re.compile(rf"{quoted} ?[(\[]{sign}[)\]]", re.IGNORECASE)
