"""Agreement of a form with its filler, one module a language.

A language is added by a module with a class that has the members of `Agreement`, and a line
in `agreement_for`. A feature of the filler that its spelling does not show (final
sound, gender, vowel harmony) is computed from the filler's reading; where it cannot be
known, the answer is None and never a guess.
"""

from typing import Protocol

from curation.slots.agreement.english import EnglishAgreement
from curation.slots.agreement.korean import KoreanAgreement


class Agreement(Protocol):
    """How one language makes a form agree with a filler."""

    @property
    def common(self) -> tuple[str, ...]:
        """The usual alternatives, which listed forms are tried against."""

    def form(self, filler: str, reading: str | None, alternatives: str) -> str | None:
        """Give the filler with what agrees with it.

        Args:
            filler: The filler as written.
            reading: How it is pronounced, in the language's own script; None when it is
                read as it is written.
            alternatives: What stands after the bar in the slot, for example `을/를`.

        Returns:
            The form, or None when the filler's feature cannot be known.

        Raises:
            ValueError: If the language knows no such alternatives.
        """


def agreement_for(language: str) -> Agreement | None:
    """Find the agreement of a language by its ISO 639-1 code; None where none is written."""
    languages: dict[str, Agreement] = {"ko": KoreanAgreement(), "en": EnglishAgreement()}
    return languages.get(language.split("-")[0].lower())
