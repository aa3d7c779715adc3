"""How a form joins the text before it: contractions, elisions and capitals.

What a language contracts is data, in its `language.yaml`. Known are the last word of a text and
the first of a form, as they are written: `de` and `el nieto` give `del nieto`, but `de` and
`El Salvador` stay as they are, for names keep their capital.
"""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from curation.languages import LanguageOrCode, load
from curation.languages.general import Elision, General

_OPENING = "\"'([{\u201c\u2018\u201e\u201a\u00ab\u2039\u300c\u300e\u300a\u3008\u00bf\u00a1"
_CLOSING = "\"')]}\u201d\u2019\u00bb\u203a\u300d\u300f\u300b\u3009"
_FINAL = tuple(".!?\u2026\u3002\uff01\uff1f")
_APOSTROPHES = "'\u2019"


@dataclass(frozen=True)
class Joining:
    """How words of one language join.

    Attributes:
        general: The language.
        contractions: The first words of forms by the word before, with what both become.
        elisions: The rule of each word that may lose its end.
        last_word: A pattern of these words at the end of a text, with the space after it.
    """

    general: General
    contractions: dict[str, dict[str, str]]
    elisions: dict[str, Elision]
    last_word: re.Pattern[str]

    def join(self, before: str, forms: Sequence[str]) -> tuple[str, tuple[str, ...]]:
        """Join forms to the text before them.

        Args:
            before: The text.
            forms: The forms, any of which may follow it.

        Returns:
            The text without its last word where one of the forms contracts with that, else as
            it is; and the forms, which then begin with the word or what became of it.
        """
        match = self.last_word.search(before)
        if match is None:
            return before, tuple(forms)
        word, space = match["word"], match["space"]
        joined = [self._contracted(word.lower(), form) for form in forms]
        if not any(joined):
            return before, tuple(forms)
        is_capital = word[:1].isupper()
        return before[: match.start()], tuple(
            (self.capital(new) if is_capital else new) if new else f"{word}{space}{form}"
            for new, form in zip(joined, forms, strict=True)
        )

    def _contracted(self, word: str, form: str) -> str | None:
        """A word and a form as they are written together; None where they stay apart."""
        for start, result in self.contractions.get(word, {}).items():
            if start[-1] in _APOSTROPHES:
                for apostrophe in _APOSTROPHES:
                    if form.startswith(start[:-1] + apostrophe):
                        return result[:-1] + form[len(start) - 1 :]
            elif form == start or form.startswith(f"{start} "):
                return result + form[len(start) :]
        rule = self.elisions.get(word)
        if rule is not None and _elides(rule, form):
            return rule.words[word] + form
        return None

    def capital(self, form: str) -> str:
        """A form with a capital; one that begins with a digit stays as it is."""
        at = next((at for at, character in enumerate(form) if character.isalnum()), len(form))
        head, rest = form[:at], form[at:]
        for start, capital in self.general.capitals.items():
            if rest.startswith(start):
                rest = rest[len(start) :]
                # Small letters made by a program keep the dot of a Turkish capital as a sign.
                dot = unicodedata.normalize("NFD", capital)[-1]
                twice = unicodedata.combining(dot) and rest.startswith(dot)
                return head + capital + (rest[1:] if twice else rest)
        return head + rest[:1].title() + rest[1:]

    def opens_sentence(self, before: str, *, first: bool) -> bool:
        """Whether what follows a text begins a sentence.

        Args:
            before: The text between it and the slot before it.
            first: Whether there is no slot before it.
        """
        text = before.rstrip().rstrip(_OPENING).rstrip()
        if not text:
            return first
        if text == before or not text.rstrip(_CLOSING).endswith(_FINAL):
            return False
        return text.split()[-1].strip(_OPENING).lower() not in self.general.abbreviations


def _elides(rule: Elision, form: str) -> bool:
    start = form.lstrip(_OPENING)
    lower = start.lower()
    word = re.split(r"[^\w]", lower, maxsplit=1)[0]
    if not word or start != form:
        return False
    if word in rule.also:
        return True
    return word[0] in rule.letters and not lower.startswith(rule.never)


@lru_cache(maxsize=64)
def joining_of(language: LanguageOrCode) -> Joining:
    """How words of a language join; nothing does where nobody has written how.

    Args:
        language: The language, or its ISO 639-1 code.
    """
    general = load(language).general or General(name=str(language))
    contractions: dict[str, dict[str, str]] = {}
    for word, start, result in general.contractions:
        contractions.setdefault(word, {})[start] = result
    elisions = {word: rule for rule in general.elisions for word in rule.words}
    words = sorted({*contractions, *elisions}, key=len, reverse=True)
    either = "|".join(map(re.escape, words))
    pattern = rf"(?<!\w)(?P<word>{either})(?P<space>\s+)\Z" if words else r"(?!)"
    return Joining(general, contractions, elisions, re.compile(pattern, re.IGNORECASE))
