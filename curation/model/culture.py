"""The settings of one adaptation, `culture.yaml`."""

import re
from fractions import Fraction
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, model_validator

from curation.model.errors import CurateError
from curation.model.ids import category_slug
from curation.model.questionnaire import QuestionnaireSettings
from curation.model.release import ReleaseSettings
from curation.model.settings import Settings
from curation.model.shares import Multiple, Share, exact
from curation.model.stories import StorySettings
from curation.model.survey import QuestionKind

QualityRuleName = Literal["screened_out", "attention", "partial", "speeder", "straight_liner"]
"""Rules that flag respondents whose answers are doubtful."""


ContextField = Literal[
    "stereotype",
    "ambiguous_context",
    "disambiguating_context",
    "biased_question",
    "counter_biased_question",
    "biased_answer",
    "counter_biased_answer",
]
"""Fields of a template that a translation engine may see as context."""


class Category(Settings):
    """A category of the culture.

    Attributes:
        id: As written in `bank.csv`; ids use it in lower case.
        name: As shown to people; the id by default.
        sources: The source categories that are merged into it; empty for a new one.
        question: How its stereotypes are asked about unless a template says otherwise.
        renamed_groups: Former names of its groups, by the name that they have now: what was
            asked about a group by a former name holds of it.
    """

    id: str
    name: str = ""
    sources: tuple[str, ...] = ()
    question: Literal[QuestionKind.SELECT_ALL, QuestionKind.CHOICE] = QuestionKind.CHOICE
    renamed_groups: dict[str, tuple[str, ...]] = {}

    @model_validator(mode="after")
    def _usable_id(self) -> "Category":
        try:
            category_slug(self.id)
        except CurateError as error:
            raise ValueError(error.what) from error
        return self

    @model_validator(mode="after")
    def _each_renamed_once(self) -> "Category":
        former = [name for names in self.renamed_groups.values() for name in names]
        twice = sorted({name for name in former if former.count(name) > 1})
        if twice:
            raise ValueError(f"renamed_groups: '{twice[0]}' is the former name of two groups")
        both = sorted({*former} & {*self.renamed_groups})
        if both:
            raise ValueError(
                f"renamed_groups: '{both[0]}' is a former name and a name of now; list all former "
                "names of a group beside the one that it has now"
            )
        return self


class SurveySettings(Settings):
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
        exclude: Rules of quality whose respondents are left out; the others are flagged.
        speeder_share: A speeder took less than this share of the median time for as many
            questions, among those who answered the same form; who broke off or was screened
            out does not enter the median.
        straight_share: A straight-liner chose one displayed position in at least this share
            of his single choices of a group or an answer, and more often than he chose by
            content (the target or the correct answer each time, or never).
        straight_choices: With fewer such choices nobody is a straight-liner.
        margins: Shares of values by attribute, for weights; none by default. Weighted
            rulings are shown beside the plain ones, which decide.
    """

    target_multiple: Multiple = Fraction(2)
    non_target_multiple: Multiple = Fraction(1, 2)
    equal_share: Literal["respondents", "votes"] = "respondents"
    stereotype_share: Share = Fraction(2, 3)
    no_stereotype_limit: Share = Fraction(1, 2)
    comprehension_share: Share = Fraction(1, 2)
    min_respondents: int = Field(default=1, ge=1)
    respondents: int = Field(default=100, ge=1)
    exclude: tuple[QualityRuleName, ...] = ("screened_out", "attention")
    speeder_share: Share = Fraction(1, 2)
    straight_share: Share = Fraction(1)
    straight_choices: int = Field(default=8, ge=2)
    margins: dict[str, dict[str, float]] = {}

    @model_validator(mode="after")
    def _apart(self) -> "SurveySettings":
        if self.non_target_multiple >= self.target_multiple:
            raise ValueError("non_target_multiple must be below target_multiple")
        return self


class SampleSettings(Settings):
    """How samples are drawn.

    Attributes:
        seed: Seed of the test set.
    """

    seed: int = 42


class TranslationSettings(Settings):
    """How texts are translated by machine.

    Attributes:
        engine: Which one, unless the command says.
        target_language: As the engine writes it, such as EN-GB; from the culture's by default.
        formality: Register, where the engine knows it for the language.
        glossary: Path of a CSV file with columns source and target, from the workspace.
        instructions: Wishes in words, such as the register.
        context: Fields of a template that are sent with its texts, uncharged, for their sense.
        budget: Characters that may be billed in all; more is asked for.
        price: Of a million characters; no cost is worked out without it.
        currency: What the price is in.
        model: Of an engine that offers several.
        workers: Requests under way at one time.
        timeout: Seconds to wait for a reply.
    """

    engine: Literal["deepl", "openai", "pseudo"] = "deepl"
    target_language: str = Field(default="", pattern=r"^([A-Za-z]{2,3}(-[A-Za-z0-9]+)*)?$")
    formality: Literal["default", "more", "less", "prefer_more", "prefer_less"] = "default"
    glossary: str = ""
    instructions: tuple[Annotated[str, Field(min_length=1, max_length=300)], ...] = Field(
        default=(), max_length=10
    )
    context: tuple[ContextField, ...] = (
        "ambiguous_context",
        "disambiguating_context",
        "biased_question",
        "counter_biased_question",
    )
    budget: int | None = Field(default=None, ge=0)
    price: Annotated[Fraction, BeforeValidator(exact), Field(ge=0)] | None = None
    currency: str = ""
    model: str = ""
    workers: int = Field(default=2, ge=1, le=4)
    timeout: int = Field(default=120, ge=60, le=3600)


class Culture(Settings):
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
        questionnaire: How the survey is built.
        translation: How texts are translated by machine.
        stories: How stories leave open who is who.
        release: What the published benchmark says of itself.
    """

    culture: str = Field(min_length=1)
    language: str = Field(pattern=r"^[a-z]{2,3}(-[A-Za-z0-9]+)*$")
    source_language: str = Field(default="en", pattern=r"^[a-z]{2,3}(-[A-Za-z0-9]+)*$")
    version: str = "0.1"
    unknown: str = Field(min_length=1)
    categories: tuple[Category, ...] = ()
    survey: SurveySettings = SurveySettings()
    samples: SampleSettings = SampleSettings()
    questionnaire: QuestionnaireSettings = QuestionnaireSettings()
    translation: TranslationSettings = TranslationSettings()
    stories: StorySettings = StorySettings()
    release: ReleaseSettings = ReleaseSettings()

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

    @property
    def release_name(self) -> str:
        """The name of the benchmark for programs: the one given, else made of the culture's.

        Raises:
            CurateError: If there is none and the culture's has no letter of a to z.
        """
        letters = re.sub(r"[^a-z0-9]+", "_", self.culture.lower()).strip("_")
        name = self.release.name or re.sub(r"^[^a-z]+", "", letters)
        if not name:
            raise CurateError(
                f"no name for programs can be made of the culture's, '{self.culture}'",
                "culture.yaml, release.name",
                "write one of small letters, digits and _, such as kobbq",
            )
        return name if self.release.name else f"{name}_bbq"

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

    def group_now(self, category: str, group: str) -> str:
        """Give the name that a group of a category has now, which may be the one that it had."""
        slug = category_slug(category)
        for item in self.categories:
            if category_slug(item.id) == slug:
                for name, former in item.renamed_groups.items():
                    if group in former:
                        return name
        return group
