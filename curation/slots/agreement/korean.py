"""Korean particles: they follow the final sound of the name."""

from collections.abc import Mapping

from curation.languages import AgreementTexts
from curation.slots.grammar import Filler

_FIRST, _LAST = 0xAC00, 0xD7A3  # the syllables of Hangul, by initial, vowel and final
_FINALS = 28
_RIEUL = 8
_CLOSING_MARKS = "'\"’”」』》〉"


class KoreanAgreement:
    """Chooses between two particles by the final sound of a name in Hangul."""

    optional = frozenset[str]()
    values: Mapping[str, tuple[str, ...]] = {}
    alone = ""
    is_capitalised = False

    def __init__(self, texts: AgreementTexts) -> None:
        self._texts = texts
        self.common = texts.common

    def form(self, filler: Filler, alternatives: str) -> str | None:
        """The filler with its particle; None when its final sound cannot be read.

        Digits and Latin letters are read in more than one way, so they need a reading.

        Raises:
            ValueError: If the alternatives are no pair of particles.
        """
        after_consonant, after_vowel = self.pair(alternatives)
        final = final_sound(filler.reading or filler.text)
        if final is None:
            return None
        vowel_like = self._texts.rieul_as_vowel
        rieul_as_vowel = bool(vowel_like) and after_consonant.startswith(str(vowel_like))
        takes_vowel = final == 0 or (rieul_as_vowel and final == _RIEUL)
        return filler.text + (after_vowel if takes_vowel else after_consonant)

    def hint(self, filler: Filler) -> str:
        """What to write into the list, so that the form of a filler can be known."""
        return f"give its reading in the list of fillers: {filler.text}|reading"

    def pair(self, alternatives: str) -> tuple[str, str]:
        """Read two particles, in either order, as (after a consonant, after a vowel).

        Raises:
            ValueError: If the two are no pair of particles.
        """
        sides = [side.strip() for side in alternatives.split("/")]
        if len(sides) == 2:
            first, second = sides
            for one, other in ((first, second), (second, first)):
                if any(_is_pair(one, other, pair) for pair in self._texts.pairs):
                    return one, other
        such = " or ".join((self.common[0], self.common[2]))
        raise ValueError(f"'{alternatives}' is not a pair of Korean particles such as {such}")


def _is_pair(consonant: str, vowel: str, pair: tuple[str, str]) -> bool:
    head, other = pair
    if not consonant.startswith(head) or not vowel.startswith(other):
        return False
    tail = consonant[len(head) :]
    return tail == vowel[len(other) :] and (bool(other) or bool(tail))


def final_sound(name: str) -> int | None:
    """The final consonant's index (0 none, 8 rieul) of a name that ends in Hangul, else None."""
    last = name.strip().rstrip(_CLOSING_MARKS)[-1:]
    if last and _FIRST <= ord(last) <= _LAST:
        return (ord(last) - _FIRST) % _FINALS
    return None
