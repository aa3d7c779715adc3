"""Agreement of a form with its filler, one module a language.

An algorithm is added by a module with a class that has the members of `Agreement`, and a line
in `_ALGORITHMS`; a language names it in its `agreement.yaml`. A feature of the filler
that its spelling does not show is computed from the filler's reading (final sound, vowel
harmony) or stated by its attributes (gender); where it cannot be known, the answer is None and
never a guess.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Protocol

from curation.languages import AgreementTexts, LanguageOrCode, load
from curation.slots.agreement.english import EnglishAgreement
from curation.slots.agreement.features import FeatureAgreement
from curation.slots.agreement.korean import KoreanAgreement
from curation.slots.agreement.turkish import TurkishAgreement
from curation.slots.grammar import Filler
from curation.slots.joining import Joining, joining_of


class Agreement(Protocol):
    """How one language makes a form agree with a filler."""

    is_capitalised: bool
    """Whether a form that begins a sentence gets a capital, or the slot names the case."""

    @property
    def common(self) -> tuple[str, ...]:
        """The usual alternatives, which listed forms are tried against."""

    @property
    def optional(self) -> frozenset[str]:
        """Attributes that agreement looks at, and that a filler may well lack."""

    @property
    def values(self) -> Mapping[str, tuple[str, ...]]:
        """Features that lists state for agreement, with their values; none where spelling tells."""

    @property
    def alone(self) -> str:
        """What agrees without the name, as an example; empty where nothing does."""

    def form(self, filler: Filler, alternatives: str) -> str | None:
        """The filler with what agrees with it.

        Args:
            filler: The filler, with its reading in the language's own script where it is not
                read as it is written, and with what its list says of it (`gender: f`).
            alternatives: What stands after the bar in the slot, for example `a/an`.

        Returns:
            The form, or None when the filler's feature cannot be known.

        Raises:
            ValueError: If the language knows no such alternatives.
        """

    def hint(self, filler: Filler) -> str:
        """What to write into the list, so that the form of a filler can be known."""

    def pair(self, alternatives: str) -> tuple[str, str]:
        """Read two alternatives, the one of consonants first.

        Raises:
            ValueError: If the language knows no such alternatives.
        """


_ALGORITHMS: Mapping[str, Callable[[AgreementTexts, Joining], Agreement]] = {
    "english": lambda texts, _joining: EnglishAgreement(texts),
    "features": FeatureAgreement,
    "korean": lambda texts, _joining: KoreanAgreement(texts),
    "turkish": lambda texts, _joining: TurkishAgreement(texts),
}


@lru_cache(maxsize=64)
def agreement_for(language: LanguageOrCode) -> Agreement | None:
    """Find the agreement of a language by its ISO 639-1 code; None where none is written."""
    texts = load(language).agreement
    return None if texts is None else _ALGORITHMS[texts.algorithm](texts, joining_of(language))
