"""Eighth and ninth rule: a reply that says what is not, or is not sure, names no choice."""

import re
from collections.abc import Callable, Sequence
from functools import cached_property

from curation.languages import Replies
from evaluation.parsing.phrases import as_words, one_of

_INTERJECTION = r"\b(?:oh|ah|no|uh|hm+)\b"


class Hedging:
    """Finds what leaves an answer open in some languages; all texts are in lower case."""

    def __init__(self, packs: Sequence[Replies]) -> None:
        self._hedge = re.compile(rf"{as_words(packs, 'hedges')}|\?")
        retracts = as_words(packs, "retractions")
        opening = rf"(?:(?:{one_of(packs, 'connecting')}|{_INTERJECTION})[ ,\u3001]*){{0,2}}"
        self._doubt = re.compile(
            rf"{as_words(packs, 'doubts')}"
            rf"|(?:\A|[.!;:,\n\u2026\u3001\u3002]|(?<= )-)[ .\"'(\u2026]*{opening}(?:{retracts})"
        )
        self._conceded = re.compile(as_words(packs, "conceded"))
        self._unsure = re.compile(as_words(packs, "unsure"))
        self._condition = re.compile(as_words(packs, "conditions"))
        self._packs = packs

    def without_unsure(self, text: str) -> str:
        """Take off the words of 'not sure', which hedge and do not negate."""
        return self._unsure.sub(" ", text)

    def supposes(self, text: str) -> bool:
        """Say whether a text makes a condition."""
        return self._condition.search(text) is not None

    def hedges(self, text: str) -> bool:
        """Say whether anything in a text is a hedge, a condition or an 'or'."""
        return self._hedge.search(text) is not None

    def doubted(self, before: str, after: str) -> bool:
        """Say whether the text around a statement withdraws or doubts it.

        An explanation may weigh things ('it could be either of them, for the text does not say'),
        so that here only words count that are about the answer itself.
        """
        return self._conceded.search(before) is not None or self._doubt.search(after) is not None

    def without_doubts(self, text: str, leave: Callable[[str], object]) -> str:
        """Take off the words of doubt that `leave` finds something in."""
        return self._doubt.sub(lambda found: " " if leave(found[0]) else found[0], text)

    @cached_property
    def _alternative(self) -> re.Pattern[str]:
        return re.compile(rf"(?:\A|[;(]| -)\W*(?:{as_words(self._packs, 'alternatives')})")

    @cached_property
    def _either(self) -> re.Pattern[str]:
        return re.compile(as_words(self._packs, "either"))

    def adds_at(self, sentence: str) -> int | None:
        """Where what follows an 'or' at a sentence's beginning begins; None where there is none."""
        match = self._alternative.search(sentence)
        return match.end() if match else None

    def takes_either(self, sentence: str) -> bool:
        """Say whether a sentence says that another choice would do as well: 'either of them'."""
        return self._either.search(sentence) is not None


class Negation:
    """Finds what some languages negate with."""

    def __init__(self, packs: Sequence[Replies]) -> None:
        self._negation = re.compile(as_words(packs, "negation"))

    def negates(self, text: str) -> bool:
        """Say whether a text in lower case negates anything."""
        return self._negation.search(text) is not None
