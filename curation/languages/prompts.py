"""How models are asked in a language: questions, stories, the questions of the survey."""

import re
from collections.abc import Sequence
from string import Formatter
from typing import Generic, TypeVar

from pydantic import ConfigDict, Field, ValidationInfo, field_validator, model_validator

from curation.languages.general import Part

PLACES = ("context", "question", "a", "b", "c")
"""What the layout of a question must hold; `{instruction}` may stand in it too."""
PLACE = "story"
"""What the layout of a continuation must hold, and nothing else."""
SUGGEST_PLACES = ("culture", "template", "groups")
"""What the question for the label of a template must hold, and nothing else."""
NO_CHOICE = "NONE"
"""What a second reader writes of a reply that names no choice, in every language."""
_SURVEY_NEEDED = ("question", "options")
_SURVEY_ALLOWED = (*_SURVEY_NEEDED, "culture")
_ID = re.compile(r"[A-Za-z0-9_]+")


class Asked(Part):
    """One way to ask.

    Attributes:
        id: What request ids name it by.
    """

    model_config = ConfigDict(coerce_numbers_to_str=True)

    id: str

    @field_validator("id")
    @classmethod
    def _plain(cls, value: str) -> str:
        if not _ID.fullmatch(value):
            raise ValueError("an id has only letters, digits and _")
        return value


Way = TypeVar("Way", bound=Asked)


class Prompt(Asked):
    """One way to ask.

    Attributes:
        instruction: What the model is told to do.
        layout: All that the model reads, with `{instruction}`, `{context}`, `{question}` and the
            choices `{a}`, `{b}`, `{c}`.
        letters: What the choices are called in it.
        unknown: The third choice, in place of the samples' own unknown expression.
    """

    instruction: str = ""
    layout: str
    letters: tuple[str, str, str] = ("A", "B", "C")
    unknown: str = Field(min_length=1)

    @field_validator("layout")
    @classmethod
    def _places(cls, value: str) -> str:
        _check_places(value, PLACES, ("instruction",))
        return value

    @field_validator("letters")
    @classmethod
    def _distinct(cls, value: tuple[str, str, str]) -> tuple[str, str, str]:
        if len({letter.casefold() for letter in value}) < 3 or not all(value):
            raise ValueError("there must be three different letters")
        return value

    @model_validator(mode="after")
    def _instructed(self) -> "Prompt":
        if self.instruction and "{instruction}" not in self.layout:
            raise ValueError("there is an instruction, and no {instruction} in the layout")
        return self

    def text(self, context: str, question: str, choices: Sequence[str]) -> str:
        """Give what the model reads; nothing in the texts is taken for a place of the layout."""
        a, b, c = choices
        return self.layout.format(
            instruction=self.instruction, context=context, question=question, a=a, b=b, c=c
        )


class ContinuationPrompt(Asked):
    """One way to ask for a continuation.

    Attributes:
        layout: All that the model reads, with `{story}`.
    """

    layout: str

    @field_validator("layout")
    @classmethod
    def _place(cls, value: str) -> str:
        _check_places(value, (PLACE,))
        return value

    def text(self, story: str) -> str:
        """Give what the model reads; nothing in the story is taken for a place of the layout."""
        return self.layout.format(story=story)


class SurveyPrompt(Asked):
    """One way to ask, with `{question}`, `{options}` and, if wanted, `{culture}`.

    Attributes:
        choice: For a question of validation: one option is to be named.
        select_all: For one of target selection: all that apply.
    """

    choice: str
    select_all: str

    @field_validator("choice", "select_all")
    @classmethod
    def _placeholders(cls, value: str) -> str:
        used = [place for _, place, _, _ in Formatter().parse(value) if place is not None]
        missing = [place for place in _SURVEY_NEEDED if place not in used]
        if missing:
            raise ValueError(f"it lacks {{{missing[0]}}}")
        strange = [place for place in used if place not in _SURVEY_ALLOWED]
        if strange:
            raise ValueError(f"it has {{{strange[0]}}}, which the toolkit does not fill in")
        return value


def refuse_doubled(prompts: Sequence[Asked], what: str = "prompts") -> None:
    """Refuse prompts of which two have one id.

    Raises:
        ValueError: Naming it.
    """
    ids = [prompt.id for prompt in prompts]
    doubled = next((name for name in ids if ids.count(name) > 1), None)
    if doubled is not None:
        raise ValueError(f"two {what} have the id '{doubled}'")


def places_of(text: str) -> tuple[list[str], bool]:
    """The places of a text, and whether one of them has a format."""
    parsed = list(Formatter().parse(text))
    used = [place for _, place, _, _ in parsed if place is not None]
    return used, any(spec or conversion for _, _, spec, conversion in parsed)


def _check_places(layout: str, needed: Sequence[str], allowed: Sequence[str] = ()) -> None:
    used, formatted = places_of(layout)
    missing = [place for place in needed if place not in used]
    if missing:
        raise ValueError(f"the layout lacks {{{missing[0]}}}")
    strange = [place for place in used if place not in (*needed, *allowed)]
    if strange or formatted:
        what = strange[0] if strange else "a format"
        raise ValueError(f"the layout has {{{what}}}, which the toolkit does not fill in")


class Prompts(Part, Generic[Way]):
    """Ways to ask, of which no two have one id."""

    prompts: tuple[Way, ...] = Field(min_length=1)

    @field_validator("prompts")
    @classmethod
    def _distinct(cls, value: tuple[Way, ...]) -> tuple[Way, ...]:
        refuse_doubled(value)
        return value


class QuestionPrompts(Prompts[Prompt]):
    """How models are asked the questions of samples.

    Attributes:
        answer_letter: The sentence that asks for a letter alone, with `{letters}`; it is the second
            turn of a question in two turns, too.
        answer_json: The sentence that asks for JSON, with `{letters}` and `{form}`, which is
            `{"answer": "X"}`.
    """

    answer_letter: str = ""
    answer_json: str = ""

    @field_validator("answer_letter", "answer_json")
    @classmethod
    def _letters(cls, value: str, info: ValidationInfo) -> str:
        if value:
            form = ("form",) if info.field_name == "answer_json" else ()
            _check_places(value, ("letters", *form))
        return value


SurveyPrompts = Prompts[SurveyPrompt]
"""How models are asked the questions of a survey."""


class SuggestTexts(Part):
    """What is said of labels that the toolkit suggests.

    Attributes:
        title: What annotators read above a suggestion.
        judge: What they are told beside it.
        all_stand: Why `ST`, with `{there}`: the groups that are groups of the culture.
        some_stand: Why `TM`, with `{there}` and `{missing}`: some are, and some are not.
        others_stand: Why `TM`, with `{missing}`: none is, but others of the category are.
        none_stand: Why `SR`, with `{missing}`: the culture has no group of the category.
        prompt: How a model is asked for a label, with `{culture}`, `{template}` and `{groups}`. It
            writes the label in the first line, and why in the second.
    """

    title: str
    judge: str
    all_stand: str
    some_stand: str
    others_stand: str
    none_stand: str
    prompt: str

    @field_validator("all_stand")
    @classmethod
    def _there(cls, value: str) -> str:
        _check_places(value, ("there",))
        return value

    @field_validator("some_stand")
    @classmethod
    def _both(cls, value: str) -> str:
        _check_places(value, ("there", "missing"))
        return value

    @field_validator("others_stand", "none_stand")
    @classmethod
    def _missing(cls, value: str) -> str:
        _check_places(value, ("missing",))
        return value

    @field_validator("prompt")
    @classmethod
    def _asked(cls, value: str) -> str:
        _check_places(value, SUGGEST_PLACES)
        lacking = next((label for label in ("ST", "TM", "SR") if label not in value), "")
        if lacking:
            raise ValueError(f"it does not name the label {lacking}")
        return value


class SecondReader(Part):
    """How a model is asked which choice a reply names.

    Attributes:
        prompt: All that it reads, with `{choices}` and `{reply}`. It is to write a letter, or NONE.
    """

    prompt: str

    @field_validator("prompt")
    @classmethod
    def _asked(cls, value: str) -> str:
        _check_places(value, ("choices", "reply"))
        if NO_CHOICE not in value:
            raise ValueError(f"it does not say when to write {NO_CHOICE}")
        return value

    def text(self, choices: str, reply: str) -> str:
        """Give what the model reads; nothing in the texts is taken for a place of the prompt."""
        return self.prompt.format(choices=choices, reply=reply)
