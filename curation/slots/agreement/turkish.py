"""Turkish suffixes: vowel harmony, buffer letters, hard consonants, the apostrophe of names."""

from collections.abc import Mapping

from curation.languages import AgreementTexts
from curation.slots.grammar import Filler

STEM = "stem"
"""The feature of a name whose last consonant softens before a vowel: `kitap {stem: kitab}`."""
POSSESSIVE = "possessive"
"""The feature of a name of several words that says whether it ends in a possessive ending."""
_YES, _NO = "yes", "no"


class TurkishAgreement:
    """Writes a suffix such as `-(y)i`, `-de` or `-(n)in` in the form that the name asks for.

    In a suffix `e` stands for a or e, and `i` for one of the four close vowels; a letter in
    brackets stands between two vowels; `d` and `c` harden after a hard consonant. Suffixes are
    those of the language's `common` alone.
    """

    optional = frozenset({STEM, POSSESSIVE})
    values: Mapping[str, tuple[str, ...]] = {}
    alone = ""
    is_capitalised = True

    def __init__(self, texts: AgreementTexts) -> None:
        self._texts = texts
        self.common = texts.common
        self._front = {word: vowel for vowel, words in texts.front.items() for word in words}

    def form(self, filler: Filler, alternatives: str) -> str | None:
        """The filler with the suffix; None when what it depends on cannot be known.

        A proper name keeps its spelling and takes an apostrophe.

        Raises:
            ValueError: If what is asked for is no suffix of the language.
        """
        buffer, body = self.pair(alternatives)
        written = alternatives.strip()
        name, read = filler.text.strip(), self._lower((filler.reading or filler.text).strip())
        vowel, last = self._last_vowel(read), read[-1:]
        if vowel is None or not last.isalpha() or self._last_word(read) in self._texts.irregular:
            return None
        ends_in_vowel, begins_with_vowel = last in self._texts.harmony, body[0] in "ei"
        if ends_in_vowel and self._may_be_possessive(name, read):
            possessive = filler.feature(POSSESSIVE)
            if possessive not in (_YES, _NO):
                return None
            if possessive == _YES:
                if written in self._texts.joined:
                    return None
                buffer = "n" if written in self._texts.pronominal else buffer
        suffix = (buffer if ends_in_vowel else "") + self._harmonised(
            body, vowel, hard=last in self._texts.hard
        )
        if name[:1].isupper():
            mark = "" if written in self._texts.joined else self._texts.apostrophe
            return name + mark + suffix
        if begins_with_vowel and last in self._texts.softening:
            stem = filler.feature(STEM)
            return None if stem is None else stem + suffix
        return name + suffix

    def pair(self, alternatives: str) -> tuple[str, str]:
        """Read a suffix as the letter between vowels, which may be empty, and what follows it.

        Raises:
            ValueError: If what is asked for is no suffix of the language.
        """
        written = alternatives.strip()
        if written not in self.common:
            raise ValueError(
                f"'{alternatives}' is not one of the suffixes {', '.join(self.common)}"
            )
        buffer, _, body = written.removeprefix("-(").rpartition(")")
        return buffer, body.removeprefix("-")

    def hint(self, filler: Filler) -> str:
        """What to write into the list, so that the form of a filler can be known."""
        name = filler.text.strip()
        read = self._lower((filler.reading or filler.text).strip())
        last = read[-1:]
        possessive = last in self._texts.harmony and self._may_be_possessive(name, read)
        if self._last_word(read) in self._texts.irregular:
            return "list the forms: its endings are irregular"
        if possessive and filler.feature(POSSESSIVE) not in (_YES, _NO):
            return (
                "say whether it ends in a possessive ending, as in 'ev sahibi': "
                f"{name} {{{POSSESSIVE}: yes}} or {{{POSSESSIVE}: no}}; or list the forms"
            )
        if last in self._texts.softening and not name[:1].isupper():
            return (
                f"write the stem before a vowel, as in kitap {{{STEM}: kitab}}: "
                f"{name} {{{STEM}: ...}}"
            )
        if possessive:
            return "list the forms: the suffix goes before the possessive ending"
        return f"give its reading in the list of fillers, {name}|reading, or list the forms"

    def _last_vowel(self, read: str) -> str | None:
        word = self._last_word(read)
        if word in self._front:
            return self._front[word]
        return next((each for each in reversed(read) if each in self._texts.harmony), None)

    @staticmethod
    def _last_word(read: str) -> str:
        return read.split()[-1] if read.split() else ""

    def _may_be_possessive(self, name: str, read: str) -> bool:
        """Whether a name of several words ends as one whose last word is possessed."""
        close = {pair[1] for pair in self._texts.harmony.values()}
        if len(name.split()) < 2 or read[-1] not in close:
            return False
        return not name[:1].isupper() or read[-2:-1] == "s"

    def _lower(self, text: str) -> str:
        for capital, small in self._texts.small.items():
            text = text.replace(capital, small)
        return text.lower()

    def _harmonised(self, body: str, vowel: str, *, hard: bool) -> str:
        out = []
        for at, character in enumerate(body):
            open_vowel, close_vowel = self._texts.harmony[vowel]
            if character == "e":
                character = open_vowel
            elif character == "i":
                character = close_vowel
            elif at == 0 and hard:
                character = self._texts.hardened.get(character, character)
            if character in self._texts.harmony:
                vowel = character
            out.append(character)
        return "".join(out)
