"""What respondents read: a culture's own words over the defaults of its language."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import ClassVar

from curation.languages import LanguageOrCode, load, missing
from curation.records.culture import Culture, Wording, check_attention
from curation.records.messages import CurateError
from curation.records.settings import WrongValue
from survey.readers.frames import refusal


def words_for(culture: Culture, language: LanguageOrCode | None = None) -> Wording:
    """Put a culture's wording over the defaults of its language.

    Args:
        culture: The culture.
        language: Its language with what its workspace says of it; by default as we have it.

    Raises:
        CurateError: If the language has no defaults and a text is missing, the answer of the
            attention check is none of its options, or an attribute of the quotas cannot be asked
            in the respondents' language.
    """
    language = language or culture.language
    words = merged_wording(culture, language)
    shares = culture.questionnaire.quotas.values()
    codes = dict.fromkeys(value for values in shares for value in values if _CODE.fullmatch(value))
    lacking = [name for name, value in words if value is None]
    quotas = culture.questionnaire.quotas
    lacking += [f"attributes.{name}" for name in quotas if name not in words.attributes]
    lacking += [f"labels.{value}" for value in codes if value not in words.labels]
    if lacking:
        told = {"language": culture.language, "names": ", ".join(lacking)}
        raise missing("survey", language, refusal("wording-lacking", _WHERE, **told))
    try:
        check_attention(words.attention_options or (), words.attention_answer or "")
    except WrongValue as error:  # the settings have one of the two, or each would be refused alone
        raise CurateError(error.what, _WHERE, error.hint) from None
    _refuse_alike(words, culture)
    return words


def merged_wording(culture: Culture, language: LanguageOrCode) -> Wording:
    """A culture's wording over the defaults of its language; what neither has is None."""
    own, base = dict(culture.questionnaire.wording), load(language).survey or Wording()
    maps = {name: getattr(base, name) | own.pop(name) for name in ("attributes", "labels")}
    return base.model_copy(update={k: v for k, v in own.items() if v is not None} | maps)


_WHERE = "culture.yaml, questionnaire.wording"
_CODE = re.compile(r"[^a-zA-Z]*[a-zA-Z][\x00-\x7f]*")
"""A value in letters of a to z alone: a code, which nobody reads who has not written it.

Bands of numbers and words in other letters are read as they stand.
"""


def _refuse_alike(words: Wording, culture: Culture) -> None:
    """Refuse two values of an attribute that are shown alike."""
    for name, shares in culture.questionnaire.quotas.items():
        shown: dict[str, str] = {}
        for value in shares:
            label = words.labels.get(value, value)
            other = shown.setdefault(label.strip().casefold(), value)
            if other != value:
                told = {"name": name, "other": other, "value": value}
                raise refusal("labels-alike", f"{_WHERE}.labels", label=label, **told)


Choice = tuple[int, str, str]
"""An option: its place from 1 in the questionnaire, what stands for it there, and its text."""


@dataclass(frozen=True, slots=True)
class Attribute:
    """An attribute of respondents that quotas or weights go by.

    Attributes:
        name: Its name.
        text: The question about it, as respondents read it.
        values: Its values, each with the text that it is shown by.
    """

    name: str
    text: str
    values: Mapping[str, str]
    is_multiple: ClassVar[bool] = False
    last: ClassVar[int | None] = None

    @property
    def choices(self) -> tuple[Choice, ...]:
        """Its values as they are shown."""
        shown = enumerate(self.values.items(), start=1)
        return tuple((at, value, label) for at, (value, label) in shown)


def shown_attributes(culture: Culture, language: LanguageOrCode) -> list[Attribute]:
    """The attributes of quotas and weights, as far as there are words for them."""
    words = merged_wording(culture, language)
    return [shown_attribute(words, name, values) for name, values in _values(culture).items()]


def shown_attribute(words: Wording, name: str, values: Iterable[str]) -> Attribute:
    """An attribute with its words, and its values each by its label, else by itself."""
    labels = {value: words.labels.get(value, value) for value in values}
    return Attribute(name, words.attributes.get(name, ""), labels)


def shown_attention(culture: Culture, language: LanguageOrCode) -> tuple[str, dict[str, str]]:
    """The attention check as respondents read it, and by option whether it passes.

    Returns:
        The question, and by option `passed` or `failed`; both empty where a text is missing.
    """
    words = merged_wording(culture, language)
    answer, options = words.attention_answer, words.attention_options
    if not (words.attention and answer and options):
        return "", {}
    passed = {option: "passed" if option == answer else "failed" for option in options}
    return words.attention.format_map({"answer": answer}), passed


def _values(culture: Culture) -> dict[str, dict[str, None]]:
    """The values of the attributes that quotas and weights go by."""
    every: dict[str, dict[str, None]] = {}
    for shares in (culture.questionnaire.quotas, culture.survey.margins):
        for name, values in shares.items():
            every.setdefault(name, {}).update(dict.fromkeys(values))
    return every
