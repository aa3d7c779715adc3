"""The settings of a questionnaire in `culture.yaml`: its size, its people, its words."""

from collections.abc import Iterator
from fractions import Fraction
from string import Formatter
from typing import Annotated

from pydantic import BeforeValidator, ConfigDict, Field, model_validator

from curation.model.settings import Settings
from curation.model.shares import Share, exact


class Seconds(Settings):
    """How long one question of each kind takes, for the plan of a survey.

    Attributes:
        choice: A question of validation.
        select_all: A question of target selection.
        comprehension: A context with its question.
        other: The attention check, and each question about the respondent.
    """

    choice: int = Field(default=10, ge=1)
    select_all: int = Field(default=20, ge=1)
    comprehension: int = Field(default=25, ge=1)
    other: int = Field(default=6, ge=1)


PLACEHOLDERS = {
    "intro": ((), ("minutes", "questions")),
    "choice": (("stereotype",), ("category",)),
    "select_all": (("stereotype",), ("category",)),
    "comprehension": (("context", "question"), ()),
    "attention": (("answer",), ()),
}
"""By text of `Wording`, the placeholders that it must have and those that it may have."""


class Wording(Settings):
    """What respondents read; what is left out is taken from the language's own texts.

    Attributes:
        title: Title of the survey.
        intro: What it is about; may hold `{minutes}` and `{questions}`.
        consent: What a respondent agrees to.
        instructions_choice: Before the questions of validation.
        instructions_select_all: Before those of target selection.
        instructions_comprehension: Before those of comprehension.
        choice: A question of validation, with `{stereotype}` and, if wanted, `{category}`.
        select_all: A question of target selection, with the same.
        comprehension: A question of comprehension, with `{context}` and `{question}`.
        none: The option that no such stereotype exists.
        attention: The attention check, with `{answer}`.
        attention_options: Its options.
        attention_answer: The one that passes.
        thanks: At the end.
        respondent: What names a respondent, where a form is filled in by hand.
        workbook: How a workbook is filled in.
        attributes: The question about each attribute of respondents.
        labels: How values of attributes are shown; themselves by default.
    """

    title: str | None = None
    intro: str | None = None
    consent: str | None = None
    instructions_choice: str | None = None
    instructions_select_all: str | None = None
    instructions_comprehension: str | None = None
    choice: str | None = None
    select_all: str | None = None
    comprehension: str | None = None
    none: str | None = None
    attention: str | None = None
    attention_options: tuple[str, ...] | None = None
    attention_answer: str | None = None
    thanks: str | None = None
    respondent: str | None = None
    workbook: str | None = None
    attributes: dict[str, str] = {}
    labels: dict[str, str] = {}

    @model_validator(mode="after")
    def _placeholders(self) -> "Wording":
        for name, value in self:
            if not isinstance(value, str):
                continue
            if not value.strip():
                raise ValueError(f"{name} is empty: write it, or leave it out for the default")
            if name in PLACEHOLDERS:
                _check_placeholders(name, value)
        return self


def _check_placeholders(name: str, text: str) -> None:
    needed, allowed = PLACEHOLDERS[name]
    used = list(_placeholders_of(name, text))
    missing = [place for place in needed if place not in used]
    if missing:
        raise ValueError(f"{name} lacks {{{missing[0]}}}")
    strange = [place for place in used if place not in (*needed, *allowed)]
    if strange:
        known = ", ".join(f"{{{place}}}" for place in (*needed, *allowed))
        raise ValueError(f"{name} has {{{strange[0]}}}, where only {known} can be filled in")


def _placeholders_of(name: str, text: str) -> Iterator[str]:
    try:
        for _, place, spec, conversion in Formatter().parse(text):
            if place is None:
                continue
            if spec or conversion:
                raise ValueError("a placeholder holds a name alone")
            yield place
    except ValueError as error:
        raise ValueError(
            f"{name} cannot be read: {error}; write a brace that opens no placeholder twice"
        ) from error


_RESERVED_ATTRIBUTES = ("respondent_id", "status", "attention", "duration_s", "form")


class QuestionnaireSettings(Settings):
    """How the survey is built: its size, its people, its words.

    The defaults give the size of KoBBQ's survey (Jin et al. 2024): 100 answers a question, half
    women, five bands of age.

    Attributes:
        respondents_per_question: Answers that each question is to have.
        per_form: Questions of one form at most.
        respondents_per_form: People who answer one form; by default as many as a question is
            to have, so that each question stands in one form.
        seed: Of the forms, the order of options and the fillings of comprehension questions.
        price: Of one answer; no cost is worked out without it.
        currency: What the price is in.
        no_stereotype: Share that is taken to say that no stereotype exists, for the power table.
        seconds: How long a question takes.
        quotas: By attribute of respondents, the share of each value.
        wording: What respondents read.
    """

    # A value of a quota may be written as a number: 20 for the band of age that begins there.
    model_config = ConfigDict(
        extra="forbid", frozen=True, arbitrary_types_allowed=True, coerce_numbers_to_str=True
    )

    respondents_per_question: int = Field(default=100, ge=1)
    per_form: int = Field(default=35, ge=1)
    respondents_per_form: int | None = Field(default=None, ge=1)
    seed: int = 42
    price: Annotated[Fraction, BeforeValidator(exact), Field(ge=0)] | None = None
    currency: str = ""
    no_stereotype: Annotated[Fraction, BeforeValidator(exact), Field(ge=0, lt=1)] = Fraction(1, 5)
    seconds: Seconds = Seconds()
    quotas: dict[str, dict[str, Share]] = {
        "gender": {"female": Fraction(1, 2), "male": Fraction(1, 2)},
        "age_band": dict.fromkeys(("19-29", "30-39", "40-49", "50-59", "60+"), Fraction(1, 5)),
    }
    wording: Wording = Wording()

    @model_validator(mode="after")
    def _whole_quotas(self) -> "QuestionnaireSettings":
        for name, shares in self.quotas.items():
            if not (name.isascii() and name.isidentifier() and name == name.lower()):
                raise ValueError(f"quotas.{name}: write it in small letters, such as age_band")
            if name in _RESERVED_ATTRIBUTES:
                raise ValueError(f"quotas.{name}: the name means something else in responses")
            total = sum(shares.values())
            if total != 1:
                raise ValueError(f"quotas.{name}: the shares add up to {total}, not to 1")
        return self
