"""The English indefinite article: it follows the first sound of the name."""

import re
from collections.abc import Mapping

from curation.languages import AgreementTexts
from curation.slots.grammar import Filler

_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
# A vowel letter that begins with a consonant sound, and the reverse.
_CONSONANT_SOUND = re.compile(
    r"uni|unani|ubi|ugand|ukr|ukul|ura|uro|urug|use|usu|uta(?:h|$)|ute|uti|uto|uvu|eu|ewe"
    r"|one(?!r|id)|once|oui"
)
_NEGATED = re.compile(r"uni[mnd]")  # un-important, un-interesting, un-identified
_VOWEL_SOUND = re.compile(r"(?:hour|honest|honou?r|heir)")


class EnglishAgreement:
    """Puts `a` or `an` before a name."""

    optional = frozenset[str]()
    values: Mapping[str, tuple[str, ...]] = {}
    alone = ""
    is_capitalised = False

    def __init__(self, texts: AgreementTexts) -> None:
        self.common = texts.common

    def form(self, filler: Filler, alternatives: str) -> str | None:
        """The filler with its article; None when its first sound cannot be read.

        Raises:
            ValueError: If the alternatives are not `a/an` or `A/An`.
        """
        before_consonant, before_vowel = self.pair(alternatives)
        vowel = starts_with_vowel_sound(filler.reading or filler.text)
        if vowel is None:
            return None
        return f"{before_vowel if vowel else before_consonant} {filler.text}"

    def hint(self, filler: Filler) -> str:
        """What to write into the list, so that the form of a filler can be known."""
        return f"give its reading in the list of fillers: {filler.text}|reading"

    def pair(self, alternatives: str) -> tuple[str, str]:
        """Read two articles as (before a consonant, before a vowel).

        Raises:
            ValueError: If the alternatives are not `a/an` or `A/An`.
        """
        article = alternatives.replace(" ", "")
        if article not in self.common:
            raise ValueError(f"'{alternatives}' is not {' or '.join(self.common)}")
        before_consonant, before_vowel = article.split("/")
        return before_consonant, before_vowel


def starts_with_vowel_sound(name: str) -> bool | None:
    """Tell whether a name begins with a vowel sound; None for digits, acronyms and other scripts.

    Words in capitals are spelled out or read as words (an FBI agent, a NASA engineer), and
    a `y` before a consonant may be either: they need a reading.
    """
    match = _WORD.match(name.strip().lstrip("'\"‘“("))
    if match is None or not match[0].isascii():
        return None
    word = match[0]
    if len(word) > 1 and word.isupper():
        return None
    lower = word.lower()
    if len(lower) == 1 and lower not in "aio":
        return None
    if lower[0] == "y" and lower[1:2] not in "aeiou":
        return None
    if _NEGATED.match(lower):
        return True
    if lower[0] in "aeiou":
        return _CONSONANT_SOUND.match(lower) is None
    return lower[0] == "h" and _VOWEL_SOUND.match(lower) is not None
