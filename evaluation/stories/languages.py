"""What a language needs for stories that leave open who is who, as data."""

import re
from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache

from pydantic import ConfigDict

from curation.languages import LanguageOrCode, load, missing
from curation.languages.stories import StoryTexts
from curation.records.culture import StorySettings

_OPENING = "\"'“‘([\u00bf\u00a1\u00ab\u201e"
_SENTENCE_START = re.compile(rf"(?:\A|[.!?…。][\"'”’)\]]*\s+)[{re.escape(_OPENING)}]*\Z")
# The characters of words; marks that stand over and behind letters are no letters to a pattern.
_LETTERS = r"\w\u0300-\u036f\u0591-\u05bd\u0610-\u061a\u064b-\u065f\u0670\u0900-\u0963\u0966-\u0dff"
_LAST_WORD = re.compile(r"(\S+)\.\s+\S*\Z")


class StoryLanguage(StoryTexts):
    """How one language leaves open who is who, with placeholders for the two."""

    model_config = ConfigDict(arbitrary_types_allowed=True)

    code: LanguageOrCode
    placeholders: tuple[str, str]
    contractions: tuple[tuple[str, str, str], ...] = ()

    def starts_sentence(self, before: str) -> bool:
        """Say whether a sentence begins after some text."""
        if not _SENTENCE_START.search(before):
            return False
        last = _LAST_WORD.search(before)
        known = {item.casefold() for item in self.abbreviations}
        return last is None or last[1].lstrip(_OPENING).casefold() not in known

    def split_article(self, text: str) -> tuple[str, str]:
        """Take off the article that a text ends with; a preposition written as one with it stays.

        Returns:
            The text without it, and the article, which is empty where there is none.
        """
        found = self._article.search(text)
        if found:
            return text[: found.start()], found[0].strip().casefold()
        found = self._contracted.search(text)
        if not found:
            return text, ""
        word, (preposition, article) = found[1], self._parts[found[1].casefold()]
        kept = preposition.capitalize() if word[:1].isupper() else preposition
        return f"{text[: found.start()]}{kept} ", article

    def joined(self, before: str, placeholder: str) -> tuple[str, str]:
        """Take what is written to a name off a text, and give what then stands for the person.

        Returns:
            The text without it, and the placeholder, with a preposition that is written to it.
        """
        found = self._prefix.search(before) if placeholder in self.placeholders else None
        if found is None:
            return before, placeholder
        forms = self.prefixes[found[0]]
        return before[: found.start()], forms[self.placeholders.index(placeholder)]

    @cached_property
    def _prefix(self) -> re.Pattern[str]:
        return re.compile(rf"(?<![{_LETTERS}])(?:{_any_of(self.prefixes)})\Z")

    def is_preposition(self, word: str) -> bool:
        """Say whether a word is one that articles are written as one with."""
        return word.casefold() in {first for first, _, _ in self.contractions}

    @cached_property
    def _article(self) -> re.Pattern[str]:
        if not self.articles:
            return re.compile(r"(?!)")
        if not self.whole_words:
            return re.compile(rf"(?:{_any_of(self.articles)})\s*\Z")
        elided = [word for word in self.articles if not word[-1].isalpha()]
        return re.compile(
            rf"(?<!\w)(?:(?:{_any_of(self.articles)})\s+|(?:{_any_of(elided)}))\Z", re.IGNORECASE
        )

    @cached_property
    def _parts(self) -> dict[str, tuple[str, str]]:
        return {
            joined: (preposition, article)
            for preposition, article, joined in self.contractions
            if article in self.articles
        }

    @cached_property
    def _contracted(self) -> re.Pattern[str]:
        return re.compile(rf"(?<!\w)({_any_of(self._parts)})\s+\Z", re.IGNORECASE)

    def whole(self, text: str, words: Sequence[str]) -> list[str]:
        """Those of some words that a text has as words of their own, with endings."""
        return [word for word in words if self._as_word(word).search(text)]

    def count(self, text: str, word: str) -> int:
        """Count how often a word occurs in a text, with or without endings."""
        return len(self._as_word(word).findall(text))

    def placeholder_counts(self, text: str) -> list[int]:
        """Count how often each placeholder occurs in a text; one may be a part of the other."""
        words = dict.fromkeys(self.placeholders, 0)
        owner = {**dict(zip(words, words, strict=True)), **self._declined}
        for word in sorted(owner, key=len, reverse=True):
            text, count = self._as_word(word).subn(" ", text)
            words[owner[word]] += count
        return list(words.values())

    @property
    def _declined(self) -> dict[str, str]:
        """The placeholders of other cases, with the usual ones."""
        forms = (*(case.placeholders or () for case in self.cases), *self.prefixes.values())
        return {
            word: plain
            for pair in forms
            for word, plain in zip(pair, self.placeholders, strict=False)
        }

    @property
    def written(self) -> tuple[str, ...]:
        """All placeholders of a person."""
        return (*self.placeholders, *(self.adjectives or ()), *self._declined)

    def gendered(self, text: str) -> tuple[list[str], list[str]]:
        """The feminine and the masculine words of a text, in their order there, each once.

        A longer word is found before one that is a part of it.
        """
        found = [match[1].casefold() for match in self._gendered.finditer(text)]
        feminine, masculine = (
            [word for word in dict.fromkeys(found) if word in {item.casefold() for item in words}]
            for words in (self.feminine, self.masculine)
        )
        return feminine, masculine

    @cached_property
    def _gendered(self) -> re.Pattern[str]:
        return self._as_word(*self.feminine, *self.masculine, *self.neutral)

    def inside(self, text: str, word: str) -> list[str]:
        """The words of a text that a word is a part of, except for its own endings."""
        if not self.whole_words:
            return []
        own = self._as_word(word)
        found = [item for item in _around(word).findall(text) if not own.fullmatch(item)]
        return list(dict.fromkeys(found))

    def _as_word(self, *words: str) -> re.Pattern[str]:
        """A pattern of some words as words of their own, or, without spaces, of words anywhere."""
        if not self.whole_words:
            return re.compile(f"({_any_of(words)})")
        return _whole_word(words, self.beginnings, self.endings)


def _any_of(words: Iterable[str]) -> str:
    """The alternatives of a pattern, the longest first; without words it finds nothing."""
    return "|".join(map(re.escape, sorted(words, key=len, reverse=True))) or "(?!)"


@lru_cache(maxsize=8192)
def _whole_word(
    words: tuple[str, ...], beginnings: tuple[str, ...], endings: tuple[str, ...]
) -> re.Pattern[str]:
    head = f"(?:{_any_of(beginnings)})?" if beginnings else ""
    tail = f"(?:{_any_of(endings)})?" if endings else ""
    return re.compile(
        rf"(?<![{_LETTERS}]){head}({_any_of(words)}){tail}(?![{_LETTERS}])", re.IGNORECASE
    )


@lru_cache(maxsize=8192)
def _around(word: str) -> re.Pattern[str]:
    return re.compile(rf"[{_LETTERS}]*{re.escape(word)}[{_LETTERS}]*", re.IGNORECASE)


def story_language(language: LanguageOrCode, settings: StorySettings) -> StoryLanguage:
    """What stories in a language need.

    Args:
        language: The language, or its ISO 639-1 code.
        settings: The culture's own placeholders, if it has any.

    Raises:
        CurateError: If neither the toolkit nor the culture has placeholders in the language.
    """
    texts = load(language).stories or StoryTexts()
    placeholders = settings.placeholders or texts.placeholders
    if placeholders is None:
        raise missing(
            "stories",
            language,
            f"no words are known for 'one' and 'the other' in '{language}'",
            "culture.yaml, stories",
            "write placeholders: [one, the other] in the language",
        )
    general = load(language).general
    own: dict[str, object] = {
        "code": language,
        "placeholders": placeholders,
        "contractions": general.contractions if general is not None else (),
    }
    if placeholders != texts.placeholders:  # these go with the language's own placeholders
        own |= {"adjectives": None, "features": {}, "cases": (), "prefixes": {}}
    return StoryLanguage(**{**texts.model_dump(), **own})
