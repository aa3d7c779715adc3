"""Identifiers that parse once: an invalid one cannot exist.

`age-001` names a template, `age-001b` a variant of it and `age-001b-012-dis-bsd` one sample of
that variant. Where a variant has several wordings `age-001b.f` names one of them, its version, and
`age-001b.f-012-dis-bsd` one of its samples.
"""

import re
import unicodedata
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Self

from curation.records.errors import CurateError

_CATEGORY = r"(?P<category>[^\W_]+(?:_[^\W_]+)*)"
_NUMBER = r"(?P<number>\d{3}|[1-9]\d{3,})"
_TEMPLATE = re.compile(rf"{_CATEGORY}-{_NUMBER}")
_LETTER = r"(?P<variant>[a-d])(?:\.(?P<version>p?[mf]|p))?"
_VARIANT = re.compile(rf"{_CATEGORY}-{_NUMBER}{_LETTER}")
_WITHIN = re.compile(rf"(?P<template>.*){_LETTER}", re.DOTALL)
_SAMPLE = re.compile(
    rf"{_CATEGORY}-{_NUMBER}{_LETTER}-(?P<index>\d{{3}}|[1-9]\d{{3,}})"
    r"-(?P<context_type>amb|dis)-(?P<question_type>bsd|cnt)"
)


class VariantLetter(StrEnum):
    """`a`, `c`: the non-target person in the stereotyped role; `b`, `d`: the target."""

    A = "a"
    B = "b"
    C = "c"
    D = "d"

    @property
    def is_biased(self) -> bool:
        """Whether the disambiguated context confirms the stereotype."""
        return self in (VariantLetter.B, VariantLetter.D)

    @property
    def pair(self) -> str:
        """The pair that the variant belongs to, `ab` or `cd`."""
        return "ab" if self in (VariantLetter.A, VariantLetter.B) else "cd"

    @property
    def twin(self) -> "VariantLetter":
        """The other variant of the pair."""
        twins = {"a": "b", "b": "a", "c": "d", "d": "c"}
        return VariantLetter(twins[self.value])


class VariantVersion(StrEnum):
    """A wording of a variant, in languages that have one for each gender; most have one in all.

    A wording with proper names may have one for each gender too.
    """

    ONLY = ""
    MASCULINE = "m"
    FEMININE = "f"
    PROPER_NAMES = "p"
    MASCULINE_NAMES = "pm"
    FEMININE_NAMES = "pf"


class ContextType(StrEnum):
    """Whether the context leaves the answer open."""

    AMBIGUOUS = "amb"
    DISAMBIGUATED = "dis"


class QuestionType(StrEnum):
    """Which of the two questions is asked."""

    BIASED = "bsd"
    COUNTER_BIASED = "cnt"


@lru_cache(maxsize=1024)
def category_slug(category: str) -> str:
    """Write a category's name as ids hold it: lower case, words joined by `_`.

    Raises:
        CurateError: If nothing usable is left, or the name holds other characters.
    """
    slug = re.sub(r"\s+", "_", unicodedata.normalize("NFC", category).strip()).lower()
    slug = slug.replace("i\u0307", "i")  # what is left of the dot of a Turkish capital
    if not re.fullmatch(_CATEGORY, slug):
        raise CurateError(
            f"'{category}' cannot be the name of a category",
            hint="use letters, digits and single underscores, for example Family_structure",
        )
    return slug


def _refuse(kind: str, text: str, example: str) -> CurateError:
    return CurateError(f"'{text}' is not a {kind} id", hint=f"{kind} ids look like {example}")


@dataclass(frozen=True, slots=True, order=True)
class TemplateId:
    """A template's id, `{category}-{number:03d}`."""

    category: str
    number: int

    def __post_init__(self) -> None:
        if not re.fullmatch(_CATEGORY, self.category) or self.category != self.category.lower():
            raise _refuse("template", str(self), "age-001")
        if self.number < 0:
            raise _refuse("template", str(self), "age-001")

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read an id.

        Raises:
            CurateError: If the text is no template id.
        """
        match = _TEMPLATE.fullmatch(unicodedata.normalize("NFC", text))
        if match is None:
            raise _refuse("template", text, "age-001")
        return cls(match["category"], int(match["number"]))

    def __str__(self) -> str:
        return f"{self.category}-{self.number:03d}"


@dataclass(frozen=True, slots=True, order=True)
class VariantId:
    """A variant's id, `{template}{letter}`, or `{template}{letter}.{version}`."""

    template: TemplateId
    letter: VariantLetter
    version: VariantVersion = VariantVersion.ONLY

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read an id.

        Raises:
            CurateError: If the text is no variant id.
        """
        match = _VARIANT.fullmatch(unicodedata.normalize("NFC", text))
        if match is None:
            raise _refuse("variant", text, "age-001a")
        return cls.of(match)

    @classmethod
    def of(cls, match: re.Match[str]) -> Self:
        """The id in a text that was matched."""
        template = TemplateId(match["category"], int(match["number"]))
        version = VariantVersion(match["version"] or "")
        return cls(template, VariantLetter(match["variant"]), version)

    @property
    def short(self) -> str:
        """What tells it from the template's other variants, `a` or `a.f`."""
        return f"{self.letter}.{self.version}" if self.version else self.letter.value

    @property
    def twin(self) -> "VariantId":
        """The other variant of the pair, which has the same version."""
        return VariantId(self.template, self.letter.twin, self.version)

    def __str__(self) -> str:
        return f"{self.template}{self.short}"


def split_variant(text: str) -> tuple[str, str]:
    """The template's id in a variant's id, and what tells the variant from its other variants.

    Raises:
        CurateError: If the text does not end as a variant's id does.
    """
    match = _WITHIN.fullmatch(text)
    if match is None:
        raise _refuse("variant", text, "age-001a")
    return match["template"], text[match.end("template") :]


@dataclass(frozen=True, slots=True, order=True)
class SampleId:
    """A sample's id, `{variant}-{index:03d}-{amb|dis}-{bsd|cnt}`."""

    variant: VariantId
    index: int
    context_type: ContextType
    question_type: QuestionType

    def __post_init__(self) -> None:
        if self.index < 1:
            raise CurateError(f"sample index {self.index} is below 1")

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read an id.

        Raises:
            CurateError: If the text is no sample id.
        """
        match = _SAMPLE.fullmatch(unicodedata.normalize("NFC", text))
        if match is None:
            raise _refuse("sample", text, "age-001a-002-amb-bsd")
        return cls(
            VariantId.of(match),
            int(match["index"]),
            ContextType(match["context_type"]),
            QuestionType(match["question_type"]),
        )

    def __str__(self) -> str:
        return f"{self.variant}-{self.index:03d}-{self.context_type}-{self.question_type}"
