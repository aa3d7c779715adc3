"""Parts of the text of a choice by which replies name it, where no other choice has them."""

import re
from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache

from curation.languages import Replies
from evaluation.parsing.normal import Normal
from evaluation.parsing.phrases import as_words, one_of, words_of

_STOPS = ".,;:!?()[]\"'"
_LEAST = 3  # characters of a word by which a choice is named, where words are parted by spaces
_Words = tuple[str, ...]


class Naming:
    """The words of some languages by which parts of names are known.

    Attributes:
        normal: What only decorates a text.
        pronouns: What stands in the place of a name's other part.
        naming_words: The words of a choice's text that may tell it from another.
    """

    def __init__(self, packs: Sequence[Replies], normal: Normal) -> None:
        self._packs, self.normal = packs, normal
        self.naming_words = lru_cache(maxsize=1 << 16)(self._naming_words)
        self.pronouns = [phrase for pack in packs for phrase in pack.pronouns]
        unspaced = [pack for pack in packs if pack.spaces == "none"]
        self._tied = re.compile(one_of(unspaced, "linking"))
        spaced = [pack for pack in packs if pack.spaces != "none"]
        links = rf"(?:{one_of(spaced, 'linking')})\b"
        self._linking = re.compile(rf"\b{links}")
        self._apposed = re.compile(rf", ?(?={links})")

    @cached_property
    def common(self) -> frozenset[str]:
        """Words of the languages' own phrases, which name nobody."""
        return frozenset().union(*map(words_of, self._packs))

    @cached_property
    def _standing(self) -> re.Pattern[str]:
        return re.compile(as_words(self._packs, "pronouns"))

    def without_pronoun(self, text: str) -> str:
        """Take off what stands in the place of a name's other part: 'the one from Lille'."""
        return " ".join(self._standing.sub(" ", text).split())

    def words(self, text: str) -> _Words:
        """The words of a text; where its language parts none, what stands between linking ones."""
        found = []
        for part in text.split():
            unspaced = self.normal.unspaced(part)
            for word in self._tied.split(part) if unspaced else (part.strip(_STOPS),):
                found += [word] if word else []
        return tuple(found)

    def _naming_words(self, choice: str) -> frozenset[str]:
        key = self.normal.without_article(self.normal.spaced_key(choice))
        return frozenset(
            word for word in self.words(key) if len(word) >= _LEAST or self.normal.unspaced(word)
        )

    def links(self, word: str) -> bool:
        """Say whether a word joins the parts of a name."""
        return self._linking.match(word) is not None

    def without_apposition(self, text: str) -> str:
        """A name without the comma of 'Marjorie, who is 78', which parts no two names."""
        return self._apposed.sub("", text)

    def halves(self, text: str) -> tuple[str, str] | None:
        """What stands before the first word such as 'from' in a name, and from there on."""
        link = self._linking.search(text, 1)
        return (text[: link.start()].rstrip(" ,"), text[link.start() :]) if link else None


class Parts:
    """The parts of some choices.

    Args:
        choices: Their texts.
        naming: The words of their languages.
        names: Says whether a choice is a name, not a sentence that nobody can know.
    """

    def __init__(
        self, choices: Sequence[str], naming: Naming, names: Callable[[int], bool]
    ) -> None:
        self._choices, self._naming, self._names = choices, naming, names

    def find(self, text: str) -> int | None:
        """The one choice that has a text as a part of its own; None where none or several have.

        A part is words that stand together in it, or its beginning and its end; one word of it at
        least is of this choice alone. It ends where the name does or where 'from' or the like goes
        on, so that 'young' is no part of 'the young baker', but 'the young one' is.
        """
        if not any(unit in text for units in self.own for unit in units):
            return None
        for part in dict.fromkeys((text, self._naming.without_pronoun(text))):
            words = self._naming.words(part)
            found = [
                at
                for at, whole in enumerate(self._words)
                if self._within(words, whole, anywhere=part != text)
            ]
            if len(found) == 1 and not self.own[found[0]].isdisjoint(words):
                return found[0]
        return None

    def _within(self, words: _Words, whole: _Words, *, anywhere: bool) -> bool:
        """Say whether words stand together in a name, or are its beginning and its end.

        Args:
            words: The words.
            whole: Those of the name.
            anywhere: Whether they may end before any other word of it.
        """
        count = len(words)
        if count >= len(whole) or not words:
            return words == whole  # except for what links them
        first = 0
        while first < count and words[first] == whole[first]:
            first += 1
        if 0 < first < count and words[first:] == whole[first - count :]:
            return True
        return any(
            whole[at : at + count] == words
            and (anywhere or at + count == len(whole) or self._naming.links(whole[at + count]))
            for at in range(len(whole) - count + 1)
        )

    def mentioned(self) -> list[tuple[str, int, bool]]:
        """Parts that name a choice within a sentence, its position, and whether with an article."""
        found = []
        for at, units in enumerate(self.own):
            halves = self._naming.halves(self._keys[at]) if units else None
            if halves is None:
                continue
            head, rest = halves
            if self._own(head, units):
                found.append((head, at, self._has_article(at)))
            if self._own(rest, units):
                found += [(f"{one} {rest}", at, False) for one in self._naming.pronouns]
        return found

    def _has_article(self, at: int) -> bool:
        """Say whether a choice begins with an article: 'Tyler' alone is a name, 'baker' is not."""
        normal = self._naming.normal
        return normal.has_article(normal.spaced_key(self._choices[at]))

    @cached_property
    def own(self) -> list[frozenset[str]]:
        """Of each choice the words by which it is named; none of a choice that is no name."""
        nothing: frozenset[str] = frozenset()
        return [
            units - self._naming.common if self._names(at) else nothing
            for at, units in enumerate(self.distinct)
        ]

    def hinted(self, text: str) -> set[int]:
        """The choices of which a text has a word that is theirs alone, in whatever form."""
        return {at for at, words in enumerate(self._own_words) if words and words.search(text)}

    @cached_property
    def _own_words(self) -> list[re.Pattern[str] | None]:
        found = []
        for units in self.own:
            words = [
                re.escape(word)
                if self._naming.normal.unspaced(word) or len(word) > _LEAST
                else rf"\b{re.escape(word)}"
                for word in sorted(units)
            ]
            found.append(re.compile("|".join(words)) if words else None)
        return found

    @cached_property
    def distinct(self) -> list[frozenset[str]]:
        """Of each choice the words that no other choice has."""
        return distinct([self._naming.naming_words(choice) for choice in self._choices])

    @cached_property
    def _keys(self) -> list[str]:
        normal = self._naming.normal
        return [normal.without_article(normal.spaced_key(choice)) for choice in self._choices]

    @cached_property
    def _words(self) -> list[_Words]:
        return [self._naming.words(key) for key in self._keys]

    def _own(self, text: str, units: frozenset[str]) -> bool:
        return not units.isdisjoint(self._naming.words(text))


def distinct(every: Sequence[frozenset[str]]) -> list[frozenset[str]]:
    """Of each of some sets what no other one has."""
    return [
        words.difference(*(other for place, other in enumerate(every) if place != at))
        for at, words in enumerate(every)
    ]
