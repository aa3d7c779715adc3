"""Fourth rule: the text of a choice, and the forms in which it may end in a reply."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from curation.languages import Replies
from evaluation.parsing.names import Naming, Parts
from evaluation.parsing.normal import Normal
from evaluation.parsing.phrases import one_of

_STOPS = " .!。"
_PAIRS = {'"': '"', "'": "'", "(": ")", "[": "]", "{": "}", "<": ">"}
_PAIRS |= {"「": "」", "『": "』", "【": "】", "《": "》", "〈": "〉", "〔": "〕"}
_QUOTES = "\"'"
_Named = tuple[str, int, bool]
_Patterns = tuple[re.Pattern[str], ...]


def bare(text: str) -> Iterator[str]:
    """Yield a text, and what it is without final stops and the quotes or brackets around it."""
    while text:
        yield text
        shorter = text.strip(" ").rstrip(_STOPS)
        if shorter == text and _PAIRS.get(text[0]) == text[-1] and len(text) > 1:
            shorter = text[1:-1]
        if shorter == text and (text[0] in _QUOTES) != (text[-1] in _QUOTES):
            shorter = text.strip(_QUOTES)  # the other one was forgotten or cut off
        if shorter == text:
            return
        text = shorter


class _Endings:
    """What one language puts after a letter or a text.

    Attributes:
        polite: Ends that go with anything; the pattern of the shortest stem and of the longest.
        attached: Particles that go with a text alone.
        nouns: Ends of verbs, and the end of the noun that they are the same as.
    """

    def __init__(self, pack: Replies) -> None:
        self.polite = _ending(one_of((pack,), "endings"))
        self.attached = _ending(one_of((pack,), "particles"))
        self.nouns = [
            (re.compile(f"({_any(item.stems)})(?:{_any(item.endings)})$"), item.noun)
            for item in pack.nouns
        ]
        self._last = re.compile(f"[{pack.letters}]")

    def may_end(self, last: str) -> bool:
        """Say whether a character is a letter of the language."""
        return self._last.match(last) is not None


def _any(texts: Iterable[str]) -> str:
    return "|".join(map(re.escape, texts))


def _ending(body: str) -> _Patterns:
    return tuple(re.compile(f"(.+{lazy}) ?(?:{body})$", re.DOTALL) for lazy in ("?", ""))


class Endings:
    """Takes off what some languages put after a letter or a text."""

    def __init__(self, packs: Sequence[Replies]) -> None:
        self._packs = [_Endings(pack) for pack in packs if pack.endings or pack.nouns]
        self._by_last: dict[str, tuple[_Endings, ...]] = {}

    def without_ending(self, text: str, *, particles: bool) -> list[str]:
        """Take a polite ending, or the words of 'is right' or 'I choose', off a text.

        What remains is one text or two, for an ending may be a part of a longer one.

        Args:
            text: The text.
            particles: Whether a particle alone may end it. After a letter it may not: that is how
                'B is not it' begins.
        """
        found: dict[str, None] = {}
        for pack in self._ending(text):
            patterns = (*pack.polite, *pack.attached) if particles else pack.polite
            found |= {match[1]: None for item in patterns if (match := item.match(text))}
        return list(found)

    def verb_stem(self, key: str) -> str:
        """What a key has in common with all that `noun_ending` makes equal to it."""
        for pack in self._ending(key):
            for pattern, _ in pack.nouns:
                match = pattern.search(key)
                if match:
                    return key[: match.start()]
        return key

    def noun_ending(self, key: str) -> str:
        """A key that ends in a verb, with the ending of a noun in its place."""
        for pack in self._ending(key):
            for pattern, noun in pack.nouns:
                match = pattern.search(key)
                if match:
                    return f"{key[: match.start()]}{match[1]}{noun}"
        return key

    def _ending(self, text: str) -> tuple[_Endings, ...]:
        """The languages in whose letters a text ends: most end in none that has endings."""
        last = text[-1:]
        found = self._by_last.get(last)
        if found is None:
            found = tuple(pack for pack in self._packs if pack.may_end(last))
            self._by_last[last] = found
        return found


_ENDING = 30  # characters by which a text in a reply may be longer than the choice


class Texts:
    """The texts of choices, looked up by what is left when decoration is taken off."""

    def __init__(
        self,
        choices: Sequence[str],
        naming: Naming,
        endings: Endings,
        names: Callable[[int], bool],
    ) -> None:
        normal = naming.normal
        self._choices = choices
        self._own_parts = Parts(choices, naming, names)
        self._sentence_texts: list[_Named] | None = None  # made when they are asked for
        self._key, self._without_article = normal.key, normal.without_article
        self._normal, self._free = normal, normal.unspaced
        self._article_before = normal.article_before
        self._endings, self._noun_ending = endings, endings.noun_ending
        self._exact: dict[str, set[int]] = {}
        self._loose: dict[str, set[int]] = {}
        for at, choice in enumerate(choices):
            key = normal.key(choice)
            if key:
                self._exact.setdefault(key, set()).add(at)
                self._loose.setdefault(self._loosened(key), set()).add(at)
        for part, at in _parts(choices, normal):
            self._loose.setdefault(self._loosened(normal.key(part)), set()).add(at)
        self.longest = _ENDING + max(map(len, choices), default=0)

    def find(self, text: str) -> set[int]:
        """The positions of the choices whose text a text is; empty where it is none.

        The exact text comes before one with another article or verb ending, and this before
        one with a polite ending or a particle; of one rank there may be several.
        """
        if len(text) > 2 * self.longest:
            return set()
        forms = list(bare(text))
        found = self._look(forms)
        if not found:
            ended = [
                short for form in forms for ended in self._ended(form) for short in bare(ended)
            ]
            found = self._look(ended)
        return found

    def part(self, text: str) -> set[int]:
        """The position of the choice of which a text is a part that no other one has."""
        if len(text) > 2 * self.longest:
            return set()
        forms = list(bare(text))
        forms += [short for form in forms for ended in self._ended(form) for short in bare(ended)]
        whole = dict.fromkeys(self._normal.spaced_key(form) for form in forms)
        keys = whole | dict.fromkeys(map(self._without_article, whole))
        found = {at for key in keys if (at := self._own_parts.find(key)) is not None}
        return found if len(found) == 1 else set()

    def hinted(self, low: str) -> set[int]:
        """The choices of which a word that is theirs alone stands in a text in small letters."""
        return self._own_parts.hinted(low)

    def within(self, text: str) -> bool:
        """Say whether the text of a choice, without its article, stands anywhere in a text."""
        key = self._key(text)
        return any(choice in key for choice in self._loose)

    def mentions(self, low: str) -> list[tuple[int, int, int]]:
        """Where the texts of choices begin and end in a text in small letters, and their positions.

        A text begins with a word, with its article or without; a longer one counts before one
        that is a part of it. What is written on after it is no part of it.
        """
        found: list[tuple[int, int, int]] = []
        covered = bytearray(len(low))
        for text, at, partly in self._plain():
            start = low.find(text)
            while start >= 0:
                end = start + len(text)
                first = self._article_before(low, start)
                begins = self._free(text) or self._normal.begins_word(low, first)
                if partly:  # a word of a name, and no other one, needs what makes a name of it
                    begins &= first < start and not low[end : end + 1].isalnum()
                if begins and covered.find(1, start, end) < 0:
                    found.append((first, end, at))
                    covered[start:end] = b"\x01" * (end - start)
                start = low.find(text, end)
        return sorted(found)

    def _plain(self) -> list[_Named]:
        """The texts as they stand in a sentence, without articles, the longest first.

        With each is said whether it is a part that an article has to stand before.
        """
        if self._sentence_texts is None:
            whole = ((choice, at) for at, choice in enumerate(self._choices))
            named = (*whole, *_parts(self._choices, self._normal))
            shown = [(self._normal.shown(text), at) for text, at in named]
            texts = {(self._without_article(text), at, False) for text, at in shown if text}
            known = {text for text, _, _ in texts}
            parts = (part for part in self._own_parts.mentioned() if part[0] not in known)
            self._sentence_texts = sorted(
                {*texts, *parts}, key=lambda item: (-len(item[0]), item[1])
            )
        return self._sentence_texts

    def _look(self, forms: Iterable[str]) -> set[int]:
        keys = [self._key(form) for form in forms]
        exact = set().union(*(self._exact.get(key, ()) for key in keys))
        return exact or set().union(*(self._loose.get(self._loosened(key), ()) for key in keys))

    def _ended(self, form: str) -> list[str]:
        return self._endings.without_ending(form, particles=True)

    def _loosened(self, key: str) -> str:
        return self._noun_ending(self._without_article(key))


def apposed(choice: str, normal: Normal) -> tuple[str, ...]:
    """The parts of 'Ms. Green, the violinist', each of which may stand for it; else nothing.

    The second one has an article: 'young, old' are two things.
    """
    first, comma, second = choice.strip().partition(", ")
    return (first, second) if comma and normal.has_article(normal.key(second)) else ()


def _parts(choices: Sequence[str], normal: Normal) -> list[tuple[str, int]]:
    """The parts by which replies may name a choice, of no other one."""
    parts = [(part, at) for at, choice in enumerate(choices) for part in apposed(choice, normal)]
    if not parts:
        return []
    keys = [(normal.without_article(normal.key(part)), at) for part, at in parts]
    keys += [(normal.without_article(normal.key(choice)), at) for at, choice in enumerate(choices)]
    known: dict[str, set[int]] = {}
    for key, at in keys:
        known.setdefault(key, set()).add(at)
    return [item for item, (key, _) in zip(parts, keys, strict=False) if len(known[key]) == 1]
