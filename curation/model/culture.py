"""The settings of one adaptation, `culture.yaml`."""

from fractions import Fraction
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from curation.model.errors import CurateError
from curation.model.ids import category_slug
from curation.model.survey import QuestionKind


def exact(value: object) -> Fraction:
    """Read `0.5`, `"2/3"` or `2` as the fraction that is written, not as a float.

    Raises:
        ValueError: If it is no number.
    """
    if isinstance(value, Fraction):
        return value
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise ValueError("write a number such as 0.5 or a fraction such as 2/3")
    try:
        return Fraction(str(value).strip())
    except (ValueError, ZeroDivisionError) as error:
        raise ValueError(f"'{value}' is no number such as 0.5 or 2/3") from error


Share = Annotated[Fraction, BeforeValidator(exact), Field(ge=0, le=1)]
Multiple = Annotated[Fraction, BeforeValidator(exact), Field(gt=0)]


class _Settings(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, arbitrary_types_allowed=True)


class Category(_Settings):
    """A category of the culture.

    Attributes:
        id: As written in `bank.csv`; ids use it in lower case.
        name: As shown to people; the id by default.
        sources: The source categories that are merged into it; empty for a new one.
        question: How its stereotypes are asked about unless a template says otherwise.
    """

    id: str
    name: str = ""
    sources: tuple[str, ...] = ()
    question: Literal[QuestionKind.SELECT_ALL, QuestionKind.CHOICE] = QuestionKind.CHOICE

    @model_validator(mode="after")
    def _usable_id(self) -> "Category":
        try:
            category_slug(self.id)
        except CurateError as error:
            raise ValueError(error.what) from error
        return self


class SurveySettings(_Settings):
    """The thresholds of the survey, with KoBBQ's as defaults (Jin et al. 2024, section 3.4).

    Attributes:
        target_multiple: A group with at least so many equal shares is a target.
        non_target_multiple: A group with at most so many equal shares is a non-target.
        equal_share: Whether respondents or their votes are shared among the options.
        stereotype_share: More than this share of those who named a group must name the target.
        no_stereotype_limit: A question falls when more than this share say that none exists.
        comprehension_share: A template falls when fewer than this share answer correctly.
        min_respondents: A question with fewer falls.
        respondents: Respondents of a question of target selection, for files that hold
            counts only and do not say.
    """

    target_multiple: Multiple = Fraction(2)
    non_target_multiple: Multiple = Fraction(1, 2)
    equal_share: Literal["respondents", "votes"] = "respondents"
    stereotype_share: Share = Fraction(2, 3)
    no_stereotype_limit: Share = Fraction(1, 2)
    comprehension_share: Share = Fraction(1, 2)
    min_respondents: int = Field(default=1, ge=1)
    respondents: int = Field(default=100, ge=1)

    @model_validator(mode="after")
    def _apart(self) -> "SurveySettings":
        if self.non_target_multiple >= self.target_multiple:
            raise ValueError("non_target_multiple must be below target_multiple")
        return self


class SampleSettings(_Settings):
    """How samples are drawn.

    Attributes:
        seed: Seed of the test set.
    """

    seed: int = 42


class Culture(_Settings):
    """One adaptation.

    Attributes:
        culture: Name of the culture.
        language: ISO 639-1 code of its language.
        source_language: ISO 639-1 code of the templates' language.
        version: Version of the benchmark.
        unknown: The expression offered as the third choice.
        categories: Its categories, in order.
        survey: Thresholds.
        samples: How samples are drawn.
    """

    culture: str = Field(min_length=1)
    language: str = Field(pattern=r"^[a-z]{2,3}(-[A-Za-z0-9]+)*$")
    source_language: str = Field(default="en", pattern=r"^[a-z]{2,3}(-[A-Za-z0-9]+)*$")
    version: str = "0.1"
    unknown: str = Field(min_length=1)
    categories: tuple[Category, ...] = ()
    survey: SurveySettings = SurveySettings()
    samples: SampleSettings = SampleSettings()

    @model_validator(mode="after")
    def _distinct(self) -> "Culture":
        slugs = [category_slug(item.id) for item in self.categories]
        doubled = sorted({slug for slug in slugs if slugs.count(slug) > 1})
        if doubled:
            raise ValueError(f"category {', '.join(doubled)} stands twice")
        sources = [source.casefold() for item in self.categories for source in item.sources]
        shared = sorted({source for source in sources if sources.count(source) > 1})
        if shared:
            raise ValueError(f"source category {', '.join(shared)} is merged into two categories")
        return self

    def category_of_source(self, source_category: str) -> str:
        """Give the category that a source category goes into, as the culture writes it.

        That is the one that names it as a source, else the one whose ids are the same, else
        the source category itself.
        """
        wanted = source_category.casefold()
        for item in self.categories:
            if wanted in (source.casefold() for source in item.sources):
                return item.id
        same = "_".join(wanted.split())
        return next(
            (item.id for item in self.categories if category_slug(item.id) == same), source_category
        )

    def has_category(self, category: str) -> bool:
        """Say whether the culture knows a category."""
        return any(item.id == category for item in self.categories)
