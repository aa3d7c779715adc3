"""The rules with the words of some languages: all that we have packs of, or those of a culture."""

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from curation.languages import Language, Replies, asked_unknown, reply_words
from evaluation.parsing.forms import Contrasts, Telling, Undecided
from evaluation.parsing.hedge import Hedging, Negation
from evaluation.parsing.leads import Leads
from evaluation.parsing.letter import Letters
from evaluation.parsing.names import Naming
from evaluation.parsing.normal import Normal, lower
from evaluation.parsing.phrases import WORD, as_words, one_of, words_of
from evaluation.parsing.text import Endings

_MANY = 3
"""Of how many words of one language one of another is a chance."""
_SHORT = 2  # characters of a word that many languages have, each with another sense


class Rules:
    """What each rule needs of the languages, made once.

    Attributes:
        normal: What only decorates a reply.
        endings: What may follow a letter or a text.
        naming: What a part of a text is known by.
        hedging: What leaves an answer open.
        negation: What says that it is not so.
        leads: What says that an answer follows.
        contrasts: What affirms one choice against another.
        telling: What tells a choice without words of answers.
        others: Names for all choices but one: 'the others'.
        undecided: What says that the text does not tell.
        separator: What stands between the items of a list.
    """

    def __init__(self, packs: Sequence[Replies], asked: Sequence[str] = ()) -> None:
        self._packs = packs
        self.normal, self.endings = Normal(packs), Endings(packs)
        self.naming = Naming(packs, self.normal)
        self.hedging, self.negation = Hedging(packs), Negation(packs)
        self.leads = Leads(packs, self.hedging, self.negation)
        self.contrasts, self.telling = Contrasts(packs), Telling(packs)
        self.others = re.compile(as_words(packs, "others"))
        self.undecided = Undecided(packs, {lower(self.normal.shown(text)) for text in asked})
        # A word that means none of the choices, where one of them stands for that: fifth rule.
        self._none = re.compile(one_of(packs, "none"), re.IGNORECASE)
        # Each way begins with a character of its own: only so are long replies searched quickly.
        joining = f"(?i:{one_of(packs, 'joining')}) +"
        self.separator = re.compile(
            rf"[,;、·・&\n][,;、·・&\n ]*(?:{joining})?| {joining}"
            rf"|(?:{one_of(packs, 'joining_endings')}) +"
        )
        self.letters = lru_cache(maxsize=256)(self._letters)

    def means_none(self, text: str) -> bool:
        """Say whether a text is nothing but a word for none of the choices."""
        return self._none.fullmatch(text) is not None

    def separates(self, text: str) -> bool:
        """Say whether what stands between the items of a list stands within a text."""
        return self.separator.search(text) is not None

    def _letters(self, labels: tuple[str, ...]) -> Letters:
        return Letters(labels, self._packs, self.normal)


@lru_cache(maxsize=16)
def known_rules(own: Language | None = None) -> Rules:
    """The rules with the words of every language that there is a pack of.

    Args:
        own: The language of a workspace, whose words are read too.
    """
    return Rules(reply_words(own), asked_unknown(own))


def rules_for(reply: str, choices: tuple[str, ...], own: Language | None = None) -> Rules:
    """The rules with the words of those languages of which a reply or its choices have any.

    A common one, English, is always among them: replies in any language hold some. Patterns of a
    dozen languages take three times as long, and find nothing where none of their words stands.

    Args:
        reply: The reply.
        choices: The texts of its choices.
        own: The language of a workspace, whose words are read too.
    """
    return _rules_of(_vocabulary(own).both(reply, choices), own)


@lru_cache(maxsize=16)
def _vocabulary(own: Language | None) -> "_Vocabulary":
    return _Vocabulary(reply_words(own))


@lru_cache(maxsize=256)
def _rules_of(languages: frozenset[int], own: Language | None) -> Rules:
    packs = reply_words(own)
    return Rules([packs[at] for at in sorted(languages)], asked_unknown(own))


class _Vocabulary:
    """By what a text shows of which languages it may be.

    Attributes:
        of: The languages of a text, by their places among those that there are, and others that
            it may be of.
        of_choices: The same of several texts.
    """

    def __init__(self, packs: Sequence[Replies]) -> None:
        words = [frozenset(words_of(pack)) for pack in packs]
        self._always = frozenset(at for at, pack in enumerate(packs) if pack.common)
        shared = frozenset().union(*(words[at] for at in self._always))
        self._by_word: dict[str, frozenset[int]] = {}
        self._scripts: list[tuple[int, re.Pattern[str]]] = []
        self._marked: list[tuple[int, frozenset[str]]] = []
        self._foreign: list[tuple[int, re.Pattern[str]]] = []
        for at, pack in enumerate(packs):
            if pack.letters != r"\w":
                self._scripts.append((at, re.compile(f"[{pack.letters}]")))
            if pack.marked:
                self._marked.append((at, frozenset(pack.marked)))
            if pack.foreign:
                self._foreign.append((at, re.compile(f"[{pack.foreign}]")))
            if pack.letters == r"\w" and at not in self._always:
                for word in words[at] - shared:
                    self._by_word[word] = self._by_word.get(word, frozenset()) | {at}
        self._words = frozenset(self._by_word)
        self._weak = frozenset(
            word for word, of in self._by_word.items() if len(word) <= _SHORT and len(of) >= _MANY
        )
        self.of = lru_cache(maxsize=1 << 14)(self._of)
        self.of_choices = lru_cache(maxsize=1 << 14)(self._of_choices)

    def both(self, reply: str, choices: tuple[str, ...]) -> frozenset[int]:
        """The languages of a reply and its choices.

        A short word that many languages have counts where nothing else tells which one it is.
        """
        (sure, perhaps), (others, possible) = self.of(reply), self.of_choices(choices)
        found = sure | others
        if found == self._always:
            found |= perhaps | possible
        for at, letter in self._foreign:
            if at in found and letter.search(reply):
                found -= {at}
        return found

    def _of(self, text: str) -> tuple[frozenset[int], frozenset[int]]:
        """The languages of a text, and those of which it has nothing but short common words.

        Where many words and letters are of one language, another one that has few of them is none
        of the text: 'als' is 'if' to the Dutch, and 'at the' in Catalan.
        """
        found = self._always
        low = text.lower()
        known = self._words.intersection(WORD.findall(low))
        counts = Counter(at for word in known for at in self._by_word[word])
        telling = {at for word in known - self._weak for at in self._by_word[word]}
        if not text.isascii():
            text = unicodedata.normalize("NFKC", low)
            found |= {at for at, script in self._scripts if script.search(text)}
            for at, letters in self._marked:
                marks = len(letters.intersection(text))
                counts[at] += marks
                telling |= {at} if marks else set()
        least = max(counts.values(), default=0) / _MANY
        likely = {at for at, count in counts.items() if count and count >= least}
        return found | (likely & telling), frozenset(likely - telling)

    def _of_choices(self, choices: tuple[str, ...]) -> tuple[frozenset[int], frozenset[int]]:
        each = [self.of(choice) for choice in choices]
        nothing: frozenset[int] = frozenset()
        return (
            nothing.union(*(sure for sure, _ in each)),
            nothing.union(*(perhaps for _, perhaps in each)),
        )
