"""What a language is called, how its words join, and how its forms agree with names."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, field_validator


class Part(BaseModel):
    """A part of a language: what is not listed is refused, and nothing can be changed."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Elision(Part):
    """Words that lose their end before a sound that the spelling shows.

    Attributes:
        words: What becomes of each: `de: "d'"`.
        letters: The small letters that it is so before, as the first of the next word.
        also: Words with another first letter that it is so before.
        never: Words with such a letter, or beginnings of them, that it is not so before.
    """

    words: dict[str, str]
    letters: str
    also: tuple[str, ...] = ()
    never: tuple[str, ...] = ()


class DeeplTexts(Part):
    """How DeepL takes a language.

    Attributes:
        targets: What is asked for, by code of a language or a country's variant, in small letters:
            `{pt: PT-BR, pt-pt: PT-PT}`. The language's own code is the one without a country.
        formality: The register that is asked for where the workspace asks for none; None where
            DeepL knows no register in the language.
    """

    targets: dict[str, str]
    formality: Literal["default", "prefer_more", "prefer_less"] | None = None

    @field_validator("targets")
    @classmethod
    def _as_codes_are_written(cls, value: dict[str, str]) -> dict[str, str]:
        wrong = [code for code in value if code != code.lower()]
        wrong += [code for code in value.values() if code != code.upper()]
        if wrong or not value:
            raise ValueError(
                f"'{wrong[0]}' is written in other letters: {{pt: PT-BR, pt-pt: PT-PT}}"
                if wrong
                else "no language is named: {pt: PT-BR}"
            )
        return value


class General(Part):
    """The language itself.

    Attributes:
        name: Its name in English.
        unknown: The unknown expression of a new workspace.
        contractions: Two words that are written as one: `[de, el, del]`.
        elisions: Words that lose their end before others.
        capitals: Beginnings of words whose capital is not the usual one.
        abbreviations: Words whose full stop ends no sentence.
        between_sentences: What stands between two sentences.
        direction: Which way it is written.
        none_of: How people of none of some groups are called, with `{groups}`.
        deepl: How DeepL takes it; None where that is not known.
    """

    name: str
    unknown: str | None = None
    contractions: tuple[tuple[str, str, str], ...] = ()
    elisions: tuple[Elision, ...] = ()
    capitals: dict[str, str] = {}
    abbreviations: tuple[str, ...] = ()
    between_sentences: str = " "
    direction: Literal["ltr", "rtl"] = "ltr"
    none_of: str = "non-({groups})"
    deepl: DeeplTexts | None = None


class ChangingName(Part):
    """Words after which a name does not stay as it is: `des Vaters`, and no `des Vater`.

    Attributes:
        form: What the named form is called that is written in their place.
        after: The words, in small letters.
        of: Features of the names that change, any of these sets.
        unless: Ends of names that stay as they are.
    """

    form: str
    after: tuple[str, ...]
    of: tuple[dict[str, str], ...]
    unless: tuple[str, ...] = ()


class AgreementTexts(Part):
    """How forms agree with names.

    Attributes:
        algorithm: What finds the feature of a name; a module of `curation.slots.agreement`.
        after: Whether what agrees follows the name, and is written with it.
        letters: The letters of the script, as in a pattern's class.
        common: The usual alternatives, which listed forms are tried against.
        pairs: Alternatives, what both sides end in taken off.
        rieul_as_vowel: What begins alternatives that take a final rieul for a vowel.
        compounds: Alternatives that are proposed to translators beside the common ones.
        never_proposed: Alternatives that are not, though a text may have them.
        changing: After which words a name itself changes.
        attached: Words that are a mistake apart from the name.
        alone: What agrees without the name, as an example: `=cansado/cansada`.
        features: By how many alternatives there are, the features of a filler that each of them
            goes with: `2: [{gender: m}, {gender: f}]`.
        defaults: The features of a filler that does not state them.
        harmony: For each vowel the open and the close one that may follow it.
        hard: Hard consonants.
        hardened: What becomes of the first letter of a suffix after one.
        softening: Consonants that may soften before a vowel.
        apostrophe: What stands between a proper name and its suffix.
        joined: Suffixes that a proper name takes without it.
        pronominal: Suffixes that have an n before them after a possessive ending.
        front: Words that are followed as if their last vowel were a front one, and that vowel.
        irregular: Words that a rule would give a wrong form.
        swapped: What stands in place of alternatives before some words: `la: el`.
        swapped_before: These words.
        small: Capitals whose small letter is not the usual one.
    """

    algorithm: Literal["english", "features", "korean", "turkish"]
    after: bool = False
    letters: str = r"\w"
    common: tuple[str, ...]
    pairs: tuple[tuple[str, str], ...] = ()
    rieul_as_vowel: str | None = None
    compounds: tuple[str, ...] = ()
    never_proposed: tuple[str, ...] = ()
    changing: tuple[ChangingName, ...] = ()
    attached: tuple[str, ...] = ()
    alone: str = ""
    features: dict[int, tuple[dict[str, str], ...]] = {}
    defaults: dict[str, str] = {}
    harmony: dict[str, tuple[str, str]] = {}
    hard: str = ""
    hardened: dict[str, str] = {}
    softening: str = ""
    apostrophe: str = ""
    joined: tuple[str, ...] = ()
    pronominal: tuple[str, ...] = ()
    front: dict[str, tuple[str, ...]] = {}
    irregular: tuple[str, ...] = ()
    swapped: dict[str, str] = {}
    swapped_before: tuple[str, ...] = ()
    small: dict[str, str] = {}

    @field_validator("features")
    @classmethod
    def _one_each(
        cls, value: dict[int, tuple[dict[str, str], ...]]
    ) -> dict[int, tuple[dict[str, str], ...]]:
        wrong = next((count for count, rows in value.items() if count != len(rows)), None)
        if wrong is not None:
            raise ValueError(f"{wrong} alternatives have {len(value[wrong])} rows of features")
        return value
