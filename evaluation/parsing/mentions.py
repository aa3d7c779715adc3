"""Where a reply names choices: every label and text of one becomes a single character."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache, partial

from evaluation.parsing.marks import lower, plain
from evaluation.parsing.words import (
    ALIASES,
    ANY,
    BOTH,
    CONFLICT,
    LABELS,
    LETTER,
    TEXTS,
    TEXTS_FIRST,
    UNSPACED,
    Words,
)

_LATIN = "A-Za-z0-9_\u00c0-\u024f\u0300-\u036f\u1e00-\u1eff"
"""What a label of Latin letters is no part of; other scripts write particles beside it."""
_ELIDED = re.compile(r"'[aeiouhy\u00e0-\u00ff]")
_SMALL_BEFORE = re.compile(r"(?:^|[(\[\n\ue800]|[:=\u21d2,.!] ?|\w )$")
_SMALL_AFTER = re.compile(r"[)\]:.,;!\n\ue801]|$| -")
_EDGES = " .,:;!?()[]\u3002'"
_LABEL = f"[{LABELS}-\ue0ff]"
_TEXT = f"[{TEXTS}-\ue1ff]"
_LABEL_TEXT = re.compile(rf"({_LABEL})([ )\].:=({{\u21d2,\u306e-]{{0,5}})({_TEXT})(?:(?<=[(].)\))?")
_TEXT_LABEL = re.compile(rf"({_TEXT})( ?[(\[:=-] ?)({_LABEL})(?:[)\]]|(?=\n|$))")
_WRAPPED = re.compile(rf"[(\[{{<]+ ?([{ANY}]:?) ?[)\]}}>]+(?! ?[{ANY}])")
_END = (1 << 40, 0, "")
_OPENING, _CLOSING = tuple("([{<"), tuple(")]}>")
_NUMBER = re.compile(r"^\(?\d{1,2}[.)] ")
_FREE = re.compile(f"[{UNSPACED}]")
_LETTERS = re.compile(f"[{LETTER}]")
_LONGEST_ARTICLE = 8
_LISTED = re.compile(r"\w, ")
_WORDS = "aeiouy"
"""Letters that are words of some language."""


class _Labels:
    """The labels of choices, and the places in a text where they stand as words of their own."""

    def __init__(self, labels: tuple[str, ...]) -> None:
        self._at: dict[str, int] = {}
        self.names = names = [plain(label).strip(" .:()[]{}<>") for label in labels]
        for at, name in enumerate(names):
            if name:
                self._at.setdefault(self._key(name), at)
        self.figures = any(name.isdecimal() for name in names)
        longest = sorted(filter(None, names), key=len, reverse=True)
        one = "".join(re.escape(name) for name in longest if len(name) == 1)
        more = [re.escape(name) for name in longest if len(name) > 1]
        ways = [*(f"(?i:{name})" for name in more), *([f"(?i:[{one}])"] if one else [])]
        body = "|".join(ways) or "(?!)"
        latin = all(name.isascii() for name in names)
        after = rf"(?![{_LATIN}]|[.,]\d)" if latin else rf"(?![{LETTER}])"
        self._found = re.compile(rf"(?<![{_LATIN}])(?:{body}){after}")

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
            at = self._at.get(self._key(name))
            if at is None or (name.isalpha() and _ELIDED.match(text, end) and name.isascii()):
                continue
            if len(name) == 1 and name.islower() and not self._stands(name, text, start, end):
                continue
            yield start, end, at

    @staticmethod
    def _stands(name: str, text: str, start: int, end: int) -> bool:
        """Say whether a small letter is a label: one that may be a word needs signs beside it."""
        before = text[max(0, start - 3) : start]
        if name not in _WORDS or _LISTED.fullmatch(before):
            return True
        return bool(_SMALL_AFTER.match(text, end) and _SMALL_BEFORE.search(before))


_ALONE = re.compile(r"[\s*`'\"(\[{<]{0,8}([^\W_]{1,12})[\s*`'\")\]}>.:]{0,8}")


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
        unknown = [at for text, _, at in found if self._says_unknown(text)]
        if len(unknown) == 1:
            more = (lower(text).strip(_EDGES) for text in words.unknown)
            found += [(text, ALIASES, unknown[0]) for text in more if text not in texts]
        if none is not None:
            found += [(text, ALIASES, none) for text in words.none if text not in texts]
        self._named = named
        self._texts = sorted(found, key=lambda item: -len(item[0]))

    def _says_unknown(self, text: str) -> bool:
        return text in {lower(other).strip(_EDGES) for other in self._words.unknown}

    def _without_article(self, text: str) -> str:
        for end in range(min(_LONGEST_ARTICLE, len(text) - 2), 0, -1):
            match = self._words.articles.search(text[:end])
            if match and not match.start() and not self._inside(text, end):
                return text[end:]
        return text

    @staticmethod
    def _inside(text: str, at: int) -> bool:
        """Say whether a place is within a word, which an article with an apostrophe is not."""
        return text[at - 1] not in " '-" and not _FREE.match(text[at])

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
        for (start, end, name), (after, _, next_) in zip(spans, (*spans[1:], _END), strict=True):
            if name < TEXTS and end - start > 1 and low[start] in _OPENING:
                beside = after <= end + 2 and TEXTS <= next_ < BOTH
                name = name if beside else f"({name})"
            parts += (low[at:start], name)
            at = end
        found = "".join((*parts, low[at:]))
        found = _LABEL_TEXT.sub(partial(self._both, BOTH), found)
        found = _TEXT_LABEL.sub(partial(self._both, TEXTS_FIRST), found)
        return _WRAPPED.sub(r"\1", found)

    def _spans(self, text: str, low: str) -> list[tuple[int, int, str]]:
        spans: list[tuple[int, int, str]] = []
        covered = bytearray(len(low))
        for name, kind, at in self._texts:
            start = low.find(name)
            while start >= 0:
                end = start + len(name)
                first = self._begins(low, start, name in self._named)
                if first is not None and self._ends(low, end) and not any(covered[start:end]):
                    if any(covered[first:start]):
                        first = start
                    spans.append((first, end, chr(ord(kind) + at)))
                    covered[first:end] = b"\x01" * (end - first)
                start = low.find(name, end)
        for start, end, at in self._labels.find(text):
            if not any(covered[start:end]):
                closed = text[end : end + 1] in _CLOSING
                opened = closed and text[start - 1 : start] in _OPENING
                name = chr(ord(LABELS) + at) + (":" if closed and not opened else "")
                spans.append((start - opened, end + closed, name))
        return spans

    def _begins(self, low: str, start: int, named: bool) -> int | None:
        """Where a name begins with its article; None where it is the end of a longer word."""
        article = named and self._words.articles.search(
            low[max(0, start - _LONGEST_ARTICLE) : start]
        )
        if article:
            return max(0, start - _LONGEST_ARTICLE) + article.start()
        if start and _LETTERS.match(low[start - 1]) and not _FREE.match(low[start]):
            return None
        return start

    def _ends(self, low: str, end: int) -> bool:
        if end == len(low) or not _LETTERS.match(low[end]) or _FREE.match(low[end - 1]):
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
