"""The settings of one adaptation, `culture.yaml`."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import prod
from string import Formatter
from typing import Annotated, Literal, NamedTuple
from urllib.parse import urlsplit

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationInfo,
    field_validator,
    model_validator,
)

from curation.records.bank import category_name, category_slug
from curation.records.messages import CurateError, refusal
from curation.records.settings import (
    Day,
    LanguageCode,
    Name,
    WrongValue,
    in_one_line,
    shaped,
    shown,
    wrong,
)
from curation.records.survey import QuestionKind

_PLAIN = str.maketrans("\u0111\u0142\u00f8\u0131", "dloi") | str.maketrans(
    {"\u00e6": "ae", "\u0153": "oe", "\u00df": "ss"}
    | {chr(mark): "" for mark in range(0x300, 0x370)}
)
"""What the letters of a name are without their marks, for programs."""


class Settings(BaseModel):
    """Settings that cannot be changed once they are read; a key that is not known is refused."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, arbitrary_types_allowed=True, coerce_numbers_to_str=True
    )


def exact(value: object) -> Fraction:
    """Read `0.5`, `"2/3"` or `2` as the fraction that is written, not as a float.

    Raises:
        WrongValue: If it is no number.
    """
    if isinstance(value, Fraction):
        return value
    hint = "write a number such as 0.5 or a fraction such as 2/3"
    try:
        if isinstance(value, int | float | str) and not isinstance(value, bool):
            return Fraction(str(value).strip())
    except (ValueError, ZeroDivisionError):
        pass
    raise WrongValue(f"{shown(value)} is not a number", hint)


Share = Annotated[Fraction, BeforeValidator(exact), Field(ge=0, le=1)]
_Margin = Annotated[float, BeforeValidator(lambda value: float(exact(value))), Field(gt=0)]
Multiple = Annotated[Fraction, BeforeValidator(exact), Field(gt=0)]


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


UNWRITTEN = "unknown"
"""Stands for the third choice where a language has none yet, until a person writes it."""

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
        labels: How values of attributes are shown; a code in letters of a to z needs one.
    """

    title: Annotated[str, AfterValidator(in_one_line)] | None = None
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

    @field_validator("*")
    @classmethod
    def _placeholders(cls, value: object, info: ValidationInfo) -> object:
        name = info.field_name or ""
        texts = value.items() if isinstance(value, dict) else [("", value)]
        for key, text in texts:
            if isinstance(text, str) and not text.strip():
                raise WrongValue(f"{name}{key and '.'}{key} is empty", "write it, or leave it out")
        if isinstance(value, str) and name in PLACEHOLDERS:
            _check_placeholders(name, value)
        return value

    @model_validator(mode="after")
    def _attention(self) -> "Wording":
        if self.attention_options is not None and self.attention_answer is not None:
            check_attention(self.attention_options, self.attention_answer)
        return self

    def fill(self, name: str, **values: object) -> str:
        """A text that is there, with its placeholders filled; other values are ignored."""
        text = str(getattr(self, name))
        return text.format_map(values) if name in PLACEHOLDERS else text


def check_attention(options: Sequence[str], answer: str) -> None:
    """Refuse an attention check that nobody can pass, or that has one option twice.

    Raises:
        WrongValue: Naming options and answer.
    """
    if len(options) < 2 or len(set(options)) < len(options) or answer not in options:
        key = "attention_answer" if answer not in options else "attention_options"
        listed = ", ".join(options) or "none"
        raise wrong("setting-attention", key, options=listed, answer=answer)


def _check_placeholders(name: str, text: str) -> None:
    needed, allowed = PLACEHOLDERS[name]
    try:
        used = [
            f"{place}:{spec}" if spec or conversion else place
            for _, place, spec, conversion in Formatter().parse(text)
            if place is not None
        ]
    except ValueError as error:
        hint = "write a brace that opens no placeholder twice"
        raise WrongValue(f"{name} cannot be read: {error}", hint) from error
    missing = [place for place in needed if place not in used]
    if missing:
        raise wrong("setting-placeholder-lacking", setting=name, missing=missing[0])
    strange = [place for place in used if place not in (*needed, *allowed)]
    if strange:
        known = ", ".join(f"{{{place}}}" for place in (*needed, *allowed))
        raise ValueError(f"{name} has {{{strange[0]}}}, where only {known} can be filled in")


_RESERVED_ATTRIBUTES = ("respondent_id", "status", "attention", "duration_s", "form")


def _in_pairs(orders: int) -> int:
    if orders > 1 and orders % 2:
        raise wrong("setting-orders-odd", orders=orders)
    return orders


class QuestionnaireSettings(Settings):
    """How the survey is built: its size, its people, its words.

    The defaults give the size of KoBBQ's survey (Jin et al. 2024): 100 answers a question, half
    women, five bands of age.

    Attributes:
        respondents_per_question: Answers that each question is to have.
        per_form: Questions of one form at most.
        respondents_per_form: People who answer one form at most; by default as many as a question
            is to have, divided by the orders.
        orders: Orders of its options that each question is shown in, each in forms of its own
            and to equally many people: 1, or an even number.
        seed: The seed of forms, orders of options and fillings of comprehension questions.
        price: Of one answer; no cost is worked out without it.
        currency: What the price is in.
        no_stereotype: Share that is taken to say that no stereotype exists, for the power table.
        seconds: How long a question takes.
        quotas: By attribute of respondents, the share of each value.
        wording: What respondents read.
    """

    respondents_per_question: int = Field(default=100, ge=1)
    per_form: int = Field(default=35, ge=1)
    respondents_per_form: int | None = Field(default=None, ge=1)
    orders: Annotated[int, AfterValidator(_in_pairs)] = Field(default=2, ge=1)
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
                raise wrong("setting-attribute-name", "quotas", name, attribute=name)
            if name in _RESERVED_ATTRIBUTES:
                raise wrong(
                    "setting-attribute-reserved", "quotas", name, taken=_RESERVED_ATTRIBUTES
                )
            total = sum(shares.values())
            if total != 1:
                raise wrong("setting-shares", "quotas", name, total=str(total))
        return self


def quota_cells(
    quotas: Mapping[str, Mapping[str, Fraction]],
) -> dict[tuple[str, ...], Fraction]:
    """The combinations of the quotas' values, each with its share.

    The last attribute changes fastest. Without quotas there is one empty combination.
    """
    shares = [dict(values) for values in quotas.values()]
    return {
        cell: prod(map(dict.__getitem__, shares, cell), start=Fraction(1))
        for cell in product(*shares)
    }


def _web_address(text: str) -> str:
    parts = urlsplit(text)
    if text and (parts.scheme not in ("http", "https") or not parts.netloc):
        raise WrongValue(f"'{text}' is not an address", "write one that begins with https://")
    return text


_Url = Annotated[str, AfterValidator(_web_address)]
_Doi = Annotated[str, shaped("doi")]
_Text = Annotated[str, Field(min_length=1)]
_Title = Annotated[str, AfterValidator(in_one_line)]


class Author(Settings):
    """A person or an organisation that publishes the benchmark.

    Attributes:
        family: Family name of a person.
        given: Given names of a person.
        name: Name of an organisation, or of a person whose name is not to be parted.
        orcid: As 0000-0002-1825-0097.
        affiliation: Where a person works.
    """

    family: _Title = ""
    given: _Title = ""
    name: _Title = ""
    orcid: Annotated[str, shaped("orcid")] = ""
    affiliation: str = ""

    @model_validator(mode="before")
    @classmethod
    def _as_written(cls, value: object) -> object:
        """Take a text for `family, given`, or for a name that is not to be parted."""
        if not isinstance(value, str):
            return value
        family, _, given = map(str.strip, value.partition(","))
        return {"family": family, "given": given} if given else {"name": value}

    @model_validator(mode="after")
    def _one_name(self) -> "Author":
        if bool(self.name) == bool(self.family):
            raise wrong("setting-author", way="both" if self.name else "neither")
        if self.given and not self.family:
            raise WrongValue("it has given without family", "write family beside it", ("given",))
        return self

    @property
    def shown(self) -> str:
        """The name as it is read: given names first."""
        return self.name or f"{self.given} {self.family}".strip()


class Paper(Settings):
    """The paper that presents the benchmark, and that its users are to cite.

    Attributes:
        title: Its title.
        venue: Journal, proceedings or archive.
        year: Of publication.
        doi: Without address: 10.1162/...
        url: Where it is read.
        authors: Its authors; the release's by default.
    """

    title: Annotated[_Title, Field(min_length=1)]
    venue: str = ""
    year: int = Field(ge=1900, le=2200)
    doi: _Doi = ""
    url: _Url = ""
    authors: tuple[Author, ...] = ()


class SurveyNotes(Settings):
    """What the survey's files do not say of it.

    Attributes:
        began: First day.
        ended: Last day.
        company: Who recruited the respondents.
        population: Which people they stand for, in words.
        payment: What they were paid.
        ethics: Which board approved it, or why none had to.
        comprehension: Why the comprehension questions were not asked, where they were not.
    """

    began: Day = None
    ended: Day = None
    company: str = ""
    population: str = ""
    payment: str = ""
    ethics: str = ""
    comprehension: str = ""

    @model_validator(mode="after")
    def _in_order(self) -> "SurveyNotes":
        if self.began and self.ended and self.ended < self.began:
            raise WrongValue("it is before began", "fix one of the two days", ("ended",))
        return self


class ReleaseSettings(Settings):
    """What a published benchmark says of itself.

    Attributes:
        name: Short name for programs, such as kobbq: small letters, digits and _.
        title: Name for readers.
        description: What it is, in a sentence or two.
        licence: SPDX identifier of the terms of the data, such as CC-BY-4.0.
        authors: Who publishes it.
        contact: Address for questions.
        url: Its home page or repository.
        doi: Of the data set, without address.
        date: Day of the release.
        canary: A text that stands nowhere else, by which the data can be found in, and kept
            out of, training data. `curate init` makes one.
        paper: What is to be cited.
        survey: What the survey's files do not say of it.
        annotators: Who annotated and translated, one sentence each: role, number, background, pay.
        limits: Known limits, one sentence each, beside those that the toolkit knows.
        uses: Intended uses, one sentence each, beside those that the toolkit knows.
    """

    name: Name = ""
    title: _Title = ""
    description: str = ""
    licence: str = ""
    authors: tuple[Author, ...] = ()
    contact: str = ""
    url: _Url = ""
    doi: _Doi = ""
    date: Day = None
    canary: Annotated[str, shaped("canary")] = ""
    paper: Paper | None = None
    survey: SurveyNotes = SurveyNotes()
    annotators: tuple[_Text, ...] = ()
    limits: tuple[_Text, ...] = ()
    uses: tuple[_Text, ...] = ()


class SampleDigest(NamedTuple):
    """What identifies the samples of a benchmark, whatever the format of their files.

    Attributes:
        samples: How many samples there are.
        test_samples: How many are in the test set.
        samples_sha256: Hash of all samples.
        test_samples_sha256: Hash of the test set.
        seed: Seed of the test set.
    """

    samples: int
    test_samples: int
    samples_sha256: str
    test_samples_sha256: str
    seed: int


@dataclass(frozen=True, slots=True)
class Release:
    """A row of `releases.csv`; fields are its columns.

    Attributes:
        version: Version of the benchmark.
        date: Date of the release, from `release.date`.
        samples: How many samples it has.
        test_samples: How many of them are its test set.
        samples_sha256: Hash of all samples (see `exports.data_files`).
        test_samples_sha256: Hash of the test set.
        data_format: Version of the exported files.
        tool_version: Version of the tool that wrote it.
        seed: Seed of the test set.
        manifest_sha256: Hash of the package's manifest, which has the hashes of all its files.
    """

    version: str
    date: str
    samples: int
    test_samples: int
    samples_sha256: str
    test_samples_sha256: str
    data_format: int
    tool_version: str
    seed: int
    manifest_sha256: str


_Word = Annotated[str, Field(min_length=1)]


class StorySettings(Settings):
    """How stories leave open who is who, and how many of their continuations people read.

    Attributes:
        placeholders: What stands for the person who is mentioned first, and for the other one;
            those of the language by default.
        repeat_limit: A story in which one of them stands more often is a finding.
        passages: How many passages each reader gets.
    """

    placeholders: tuple[_Word, _Word] | None = None
    repeat_limit: int = Field(default=2, ge=1)
    passages: int = Field(default=100, ge=1, le=5000)

    @model_validator(mode="after")
    def _apart(self) -> "StorySettings":
        if self.placeholders and len({item.strip().casefold() for item in self.placeholders}) < 2:
            raise WrongValue("both are the same", "write two different ones", ("placeholders",))
        return self


QualityRuleName = Literal[
    "screened_out",
    "attention",
    "failed_comprehension",
    "partial",
    "speeder",
    "straight_liner",
    "acquiescent",
]
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
        split_from: The category that it was split off: what was asked there of its templates
            holds of them. `templates_src/categories.csv` says it of those that a command split.
    """

    id: str
    name: str = ""
    sources: tuple[str, ...] = ()
    question: Literal[QuestionKind.SELECT_ALL, QuestionKind.CHOICE] = QuestionKind.CHOICE
    split_from: str = ""

    @model_validator(mode="after")
    def _usable_id(self) -> "Category":
        try:
            category_slug(self.id)
        except CurateError as error:
            raise WrongValue(error.what, error.hint) from error
        return self


QUALITY_VALUES: Mapping[str, tuple[str, ...]] = {
    "attention": ("passed", "failed"),
    "status": ("complete", "partial", "screened_out"),
}
"""Attributes of respondents that quality checks go by, with their values."""


_Words = Annotated[
    tuple[str, ...], BeforeValidator(lambda given: [given] if isinstance(given, str) else given)
]
"""Words, or a single one."""


class QualitySettings(Settings):
    """How the attributes are read that quality checks go by.

    Attributes:
        values: By attribute (`attention`, `status`) and value what respondents.csv and other files
            write for it, beside the words that every language pack knows. A word stands for one
            value; what is said here goes before what a pack says.
    """

    values: dict[Literal["attention", "status"], dict[str, _Words]] = {}

    @model_validator(mode="after")
    def _known_values(self) -> "QualitySettings":
        for name, known in self.values.items():
            for value in known:
                if value not in QUALITY_VALUES[name]:
                    told = {"attribute": name, "value": value, "known": QUALITY_VALUES[name]}
                    raise wrong("setting-quality-value", "values", name, value, **told)
            written = [word for words in known.values() for word in words]
            twice = next((word for word in written if written.count(word) > 1), None)
            if twice is not None:
                raise wrong("setting-quality-twice", "values", name, word=twice, attribute=name)
        return self


class FileLimits(Settings):
    """How large a workbook of answers may be: a larger one is refused before it is read.

    Attributes:
        cells: Rows times columns of a sheet, to the last cell that holds anything.
        megabytes: What a sheet and its texts unpack to.
        ratio: How many times its packed size that may be.
    """

    cells: int = Field(default=5_000_000, ge=1)
    megabytes: int = Field(default=300, ge=1)
    ratio: int = Field(default=100, ge=1)


class SurveySettings(Settings):
    """The thresholds of the survey, with KoBBQ's as defaults (Jin et al. 2024, section 3.2.5).

    Attributes:
        target_multiple: A group with at least so many uniform shares is a target.
        non_target_multiple: A group with at most so many uniform shares is a non-target.
        equal_share: Whether respondents or their votes are shared among the options.
        stereotype_share: More than this share of those who named a group must name the target.
        no_stereotype_limit: A question is dropped when more than this share say that none exists.
        comprehension_share: A template is dropped when fewer than this share answer correctly.
        min_respondents: A question with fewer is dropped.
        target_share: At least this share of those who named any group must name a target, too;
            0 asks for no share. It is this toolkit's own rule, not KoBBQ's.
        respondents: Respondents of a question of target selection, for files that hold
            counts only and do not say.
        exclude: Quality checks whose respondents are left out; the others are flagged.
        quality: How the attributes are read that these checks go by.
        files: How large a workbook of answers may be.
        speeder_share: A speeder took less than this share of the median time for as many
            questions, among those who answered the same form; who broke off or was screened
            out does not enter the median.
        straight_share: A straight-liner chose one displayed position in at least this share
            of their single choices of a group or an answer, and more often than they chose by
            content (the target or the correct answer each time, or never).
        straight_choices: With fewer such choices nobody is a straight-liner.
        respondent_comprehension: A respondent failed comprehension who answered fewer than this
            share of their questions of comprehension correctly.
        margins: Shares of values by attribute, for weights; none by default. Weighted
            decisions are shown beside the plain ones, which decide.
    """

    target_multiple: Multiple = Fraction(2)
    non_target_multiple: Multiple = Fraction(1, 2)
    equal_share: Literal["respondents", "votes"] = "respondents"
    stereotype_share: Share = Fraction(2, 3)
    no_stereotype_limit: Share = Fraction(1, 2)
    comprehension_share: Share = Fraction(1, 2)
    min_respondents: int = Field(default=30, ge=1)
    target_share: Share = Fraction(0)
    respondents: int = Field(default=100, ge=1)
    exclude: tuple[QualityRuleName, ...] = ("screened_out", "attention")
    quality: QualitySettings = QualitySettings()
    files: FileLimits = FileLimits()
    speeder_share: Share = Fraction(1, 2)
    straight_share: Share = Fraction(1)
    straight_choices: int = Field(default=8, ge=2)
    respondent_comprehension: Share = Fraction(1, 2)
    margins: dict[str, dict[str, _Margin]] = {}

    @model_validator(mode="after")
    def _apart(self) -> "SurveySettings":
        if self.non_target_multiple >= self.target_multiple:
            told = {"less": str(self.non_target_multiple), "more": str(self.target_multiple)}
            raise wrong("setting-multiples", "non_target_multiple", **told)
        return self


class SampleSettings(Settings):
    """Which samples are written.

    Attributes:
        seed: Seed of the test set, and of the fillings that are drawn of large templates.
        per_template: At most so many samples of a template, drawn evenly; all by default.
        proper_names: Of a template whose people have proper names, so many names of the one
            person, each with so many of the other; BBQ draws five. All by default.
        once: Whether every template asks each question about each of its contexts once, as those
            do that the bank marks so.
        limit: With more samples nothing is written.
    """

    seed: int = 42
    per_template: int | None = Field(default=None, ge=1)
    proper_names: int | None = Field(default=None, ge=1)
    once: bool = False
    limit: int = Field(default=1_000_000, ge=1)

    @property
    def bounds(self) -> dict[str, int]:
        """The bounds that are set, by name."""
        every = {"per_template": self.per_template, "proper_names": self.proper_names}
        return {name: value for name, value in every.items() if value is not None}


class TranslationSettings(Settings):
    """How texts are translated by machine.

    Attributes:
        engine: Which one, unless the command says.
        target_language: As the engine writes it, such as EN-GB; from the culture's by default.
        formality: Register, where the engine knows it for the language.
        glossary: Path of a CSV file with columns source and target, from the workspace; or `groups`
            for the names that people gave to groups.
        instructions: Wishes in words, such as the register.
        context: Fields of a template that are sent with its texts, uncharged, for their sense.
        budget: Characters that may be billed in all; more is asked for.
        price: Of a million characters; no cost is worked out without it.
        currency: What the price is in.
        model: Of an engine that offers several.
        workers: Requests under way at one time.
        timeout: Seconds to wait for a reply.
        untie: Whether translators see the variants of every template as texts of their own.
        unlabelled: Whether templates are translated that nobody has classified.
    """

    engine: Literal["deepl", "openai", "libretranslate", "pseudo"] = "deepl"
    target_language: Annotated[str, shaped("code of an engine")] = ""
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
    untie: bool = False
    unlabelled: bool = False


class Culture(Settings):
    """One adaptation.

    Attributes:
        culture: Name of the culture.
        language: ISO 639-1 code of its language.
        source_language: ISO 639-1 code of the templates' language.
        version: Version of the benchmark.
        unknown: The expression offered as the third choice.
        categories: Its categories, in order.
        groups_reviewed: Whether labels are suggested by groups that nobody has changed since the
            import.
        survey: Thresholds.
        samples: How samples are drawn.
        questionnaire: How the survey is built.
        translation: How texts are translated by machine.
        stories: How stories leave open who is who.
        release: What the published benchmark says of itself.
    """

    culture: _Title = Field(min_length=1)
    language: LanguageCode
    source_language: LanguageCode = "en"
    version: str = "0.1"
    unknown: str = Field(min_length=1)
    categories: tuple[Category, ...] = ()
    groups_reviewed: bool = False
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
            raise ValueError(f"category {', '.join(doubled)} occurs twice")
        sources = [source.casefold() for item in self.categories for source in item.sources]
        shared = sorted({source for source in sources if sources.count(source) > 1})
        if shared:
            raise ValueError(f"source category {', '.join(shared)} is merged into two categories")
        known = {item.id for item in self.categories}
        for item in self.categories:
            if item.split_from and (item.split_from not in known or item.split_from == item.id):
                raise ValueError(
                    f"category {item.id}: split_from names no other category: {item.split_from}"
                )
        return self

    @property
    def is_unknown_unwritten(self) -> bool:
        """Whether the third choice is the word that stands for one, in a language that has another.

        English texts may well call it so.
        """
        is_english = self.language.partition("-")[0] == "en"
        return self.unknown.strip().casefold() == UNWRITTEN and not is_english

    @property
    def release_name(self) -> str:
        """The name of the benchmark for programs: the one given, else made of the culture's.

        Raises:
            CurateError: If there is none and the culture's has no letter of a to z.
        """
        plain = unicodedata.normalize("NFKD", self.culture.lower()).translate(_PLAIN)
        letters = re.sub(r"[^a-z0-9]+", "_", plain).strip("_")
        name = self.release.name or re.sub(r"^[^a-z]+", "", letters)
        if not name:
            raise refusal(
                "curation", "release-nameless", "culture.yaml, release.name", culture=self.culture
            )
        return name if self.release.name else f"{name}_bbq"

    def category_of_source(self, source_category: str) -> str:
        """The category that a source category goes into, as the culture writes it.

        That is the one that names it as a source, else the one whose ids are the same, else
        the source category itself.
        """
        wanted = category_name(source_category).casefold()
        for item in self.categories:
            if wanted in (source.casefold() for source in item.sources):
                return item.id
        same = "_".join(wanted.split())
        return next(
            (item.id for item in self.categories if category_slug(item.id) == same), source_category
        )

    def split_from(self, category: str) -> tuple[str, ...]:
        """The categories that a category was split off, the nearest one first."""
        by_slug = {category_slug(item.id): item for item in self.categories}
        found: list[str] = []
        while (item := by_slug.get(category_slug(category))) and item.split_from:
            category = item.split_from
            if category in found:
                break
            found.append(category)
        return tuple(found)

    def has_category(self, category: str) -> bool:
        """Whether the culture knows a category."""
        return any(item.id == category for item in self.categories)
