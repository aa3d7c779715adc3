"""What a language needs for stories that leave open who is who, as data."""

import re
from collections.abc import Sequence
from functools import cached_property, lru_cache
from importlib import resources

import yaml
from pydantic import BaseModel, ConfigDict, TypeAdapter

from curation.model.errors import CurateError
from curation.model.stories import StorySettings

_OPENING = "\"'“‘(["
_SENTENCE_START = re.compile(rf"(?:\A|[.!?…。][\"'”’)\]]*\s+)[{re.escape(_OPENING)}]*\Z")
_LAST_WORD = re.compile(r"(\S+)\.\s+\S*\Z")


class StoryLanguage(BaseModel):
    """How one language leaves open who is who.

    Attributes:
        placeholders: What stands for the person who is mentioned first, and for the other one.
        articles: Words before a person that go with the name.
        possessives: Endings that a form keeps.
        endings: What may follow a word without making another one of it.
        abbreviations: Words after which a full stop ends no sentence.
        feminine: Words that tell a woman.
        masculine: Words that tell a man.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    placeholders: tuple[str, str]
    articles: tuple[str, ...] = ()
    possessives: tuple[str, ...] = ()
    endings: tuple[str, ...] = ()
    abbreviations: tuple[str, ...] = ()
    feminine: tuple[str, ...] = ()
    masculine: tuple[str, ...] = ()

    def starts_sentence(self, before: str) -> bool:
        """Say whether a sentence begins after some text."""
        if not _SENTENCE_START.search(before):
            return False
        last = _LAST_WORD.search(before)
        known = {item.casefold() for item in self.abbreviations}
        return last is None or last[1].lstrip(_OPENING).casefold() not in known

    def without_article(self, before: str) -> str:
        """Take off the article that a text ends with, where it ends with one."""
        found = self._article.search(before)
        return before[: found.start()] if found else before

    @cached_property
    def _article(self) -> re.Pattern[str]:
        if not self.articles:
            return re.compile(r"(?!)")
        words = "|".join(re.escape(item) for item in self.articles)
        return re.compile(rf"(?<!\w)(?:{words})\s+\Z", re.IGNORECASE)

    def whole(self, text: str, words: Sequence[str]) -> list[str]:
        """Give those of some words that stand in a text as words of their own, with endings."""
        return [word for word in words if self._as_word(word).search(text)]

    def count(self, text: str, word: str) -> int:
        """Count how often a word stands in a text, with endings or without."""
        return len(self._as_word(word).findall(text))

    def gendered(self, text: str) -> tuple[list[str], list[str]]:
        """Give the feminine and the masculine words of a text, in their order there, each once."""
        found = (
            [match for word in words for match in self._as_word(word).finditer(text)]
            for words in (self.feminine, self.masculine)
        )
        feminine, masculine = (
            list(dict.fromkeys(m[1].casefold() for m in sorted(part, key=lambda m: m.start())))
            for part in found
        )
        return feminine, masculine

    def inside(self, text: str, word: str) -> list[str]:
        """Give the words of a text that a word is a part of, but for its own endings."""
        own = self._as_word(word)
        found = [item for item in _around(word).findall(text) if not own.fullmatch(item)]
        return list(dict.fromkeys(found))

    def _as_word(self, word: str) -> re.Pattern[str]:
        return _whole_word(word, self.endings)


@lru_cache(maxsize=8192)
def _whole_word(word: str, endings: tuple[str, ...]) -> re.Pattern[str]:
    known = "|".join(re.escape(item) for item in sorted(endings, key=len, reverse=True))
    tail = f"(?:{known})?" if known else ""
    return re.compile(rf"(?<!\w)({re.escape(word)}){tail}(?!\w)", re.IGNORECASE)


@lru_cache(maxsize=8192)
def _around(word: str) -> re.Pattern[str]:
    return re.compile(rf"\w*{re.escape(word)}\w*", re.IGNORECASE)


_LANGUAGE = TypeAdapter(StoryLanguage)


def story_language(language: str, settings: StorySettings) -> StoryLanguage:
    """Give what stories in a language need.

    Args:
        language: ISO 639-1 code.
        settings: The culture's own placeholders, if it has any.

    Raises:
        CurateError: If neither the toolkit nor the culture has placeholders in the language.
    """
    folder = resources.files(__package__)
    name = language.split("-")[0].lower()
    files = {item.name: item for item in folder.iterdir() if item.name.endswith(".yaml")}
    file = files.get(f"{name}.yaml")
    known = yaml.safe_load(file.read_text(encoding="utf-8")) if file else {}
    if settings.placeholders:
        known["placeholders"] = list(settings.placeholders)
    if "placeholders" not in known:
        have = ", ".join(sorted(item.removesuffix(".yaml") for item in files))
        raise CurateError(
            f"nothing is known to stand for 'one' and 'the other' in '{language}'",
            "culture.yaml, stories",
            f"write placeholders: [one, the other] in the language; there are some in {have}",
        )
    return _LANGUAGE.validate_python(known)
