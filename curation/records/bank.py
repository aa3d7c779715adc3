"""Templates, their ids and variants, and demographic groups; KoBBQ's published columns."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from functools import lru_cache
from itertools import groupby
from typing import Any, Self

from curation.records.letters import LETTER
from curation.records.messages import CurateError, refusal

_CATEGORY = rf"(?P<category>{LETTER}+(?:_{LETTER}+)*)"
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


def category_name(text: str) -> str:
    """A category's name as settings and ids have it: Unicode form NFC, whatever a table has."""
    return unicodedata.normalize("NFC", text).strip()


@lru_cache(maxsize=1024)
def category_slug(category: str) -> str:
    """Write a category's name as ids hold it: lower case, words joined by `_`.

    Raises:
        CurateError: If nothing usable is left, or the name holds other characters.
    """
    slug = re.sub(r"\s+", "_", category_name(category)).lower()
    slug = slug.replace("i\u0307", "i")  # what is left of the dot of a Turkish capital
    if not re.fullmatch(_CATEGORY, slug):
        raise refusal("curation", "category-wrong", category=category)
    return slug


def _refuse(kind: str, text: str, example: str) -> CurateError:
    return CurateError(f"'{text}' is not a {kind} id", hint=f"{kind} ids look like {example}")


def _read(pattern: re.Pattern[str], kind: str, text: str, example: str) -> re.Match[str]:
    match = pattern.fullmatch(unicodedata.normalize("NFC", text))
    if match is None:
        raise _refuse(kind, text, example)
    return match


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
        match = _read(_TEMPLATE, "template", text, "age-001")
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
        return cls.of(_read(_VARIANT, "variant", text, "age-001a"))

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
        match = _read(_SAMPLE, "sample", text, "age-001a-002-amb-bsd")
        return cls(
            VariantId.of(match),
            int(match["index"]),
            ContextType(match["context_type"]),
            QuestionType(match["question_type"]),
        )

    def __str__(self) -> str:
        return f"{self.variant}-{self.index:03d}-{self.context_type}-{self.question_type}"


class Label(StrEnum):
    """What became of a source template in the new culture (KoBBQ, section 3.1)."""

    SIMPLY_TRANSFERRED = "ST"
    TARGET_MODIFIED = "TM"
    SAMPLE_REMOVED = "SR"
    NEWLY_CREATED = "NC"


@dataclass(frozen=True, slots=True)
class Texts:
    """The wording of one variant in one language, as written in the bank.

    Contexts, questions and answers are slot texts, `names` and `words` slot lists; their
    structure is read by `curation.slots`. Groups are those that the two people belong to.
    """

    stereotype: str = ""
    target_groups: tuple[str, ...] = ()
    ambiguous_context: str = ""
    disambiguating_context: str = ""
    biased_question: str = ""
    counter_biased_question: str = ""
    biased_answer: str = ""
    counter_biased_answer: str = ""
    names: str = ""
    words: str = ""
    n1_groups: tuple[str, ...] = ()
    n2_groups: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether nothing at all is written."""
        return not any(getattr(self, item.name) for item in fields(self))

    @property
    def has_body(self) -> bool:
        """Whether any of the contexts, questions and answers is written."""
        return any(getattr(self, name) for name in SLOT_TEXT_FIELDS)


ANSWER_FIELDS = ("biased_answer", "counter_biased_answer")
"""The fields of `Texts` that hold answers."""
SLOT_TEXT_FIELDS = (
    "ambiguous_context",
    "disambiguating_context",
    "biased_question",
    "counter_biased_question",
    *ANSWER_FIELDS,
)
"""The fields of `Texts` that hold slots."""
FILLED_FIELDS = (*SLOT_TEXT_FIELDS, "names", "words")
"""Those and the lists that fill them."""
PUBLISHED = "_published"
"""What ends an extra column with the published wording, where that of the source is corrected."""

PSEUDO_MARKS = "⟦⟧"
"""What the pseudo translation puts round a text, so that it is never taken for a translation."""

ORIGIN = "imported_as"
"""An extra column: the id that a template had in its source, where the bank gives another."""

ROLE_OPEN = "role-open"
"""The rule of findings on rows of which it is open who the target is."""

GROUP_FIELDS = ("target_groups", "n1_groups", "n2_groups")
"""The fields of `Texts` that list groups."""

ONCE_COLUMN = "samples_once"
"""Column of the bank, filled where a template gives no sample twice: what another of its variants
or fillings asks about the same context is left out. A number says which rows come first; `true`
stands for 0."""

UNTIED_COLUMN = "untied"
"""Column of the bank, `true` where translators see each variant of a template by itself, `false`
where they do not although the settings say so of all (`translation.untie`)."""

OPEN_COLUMN = "role_open"
"""Column of the bank, filled where the source does not settle who the target is: it says why. The
letter of such a row says nothing, so that it gives no samples until a person has emptied the
cell."""

REFERENCE_COLUMN = "reference_names_non_target"
"""Column of the bank, `true` where the reference names the non-target groups too, so that the
survey asks to choose between two groups instead of selecting all."""

TEXT_FIELDS = tuple(item.name for item in fields(Texts))
"""Every field of `Texts`, in the bank's order."""


@dataclass(frozen=True, slots=True)
class Variant:
    """One row of the bank.

    Attributes:
        id: Template, letter and, where there are several wordings, version.
        category: Category as the culture writes it.
        label: None while nobody has classified the template.
        texts: Wording in the culture's language.
        source_texts: Wording in the source language.
        machine_texts: The machine translation as it was received.
        source: Which published set, for example `bbq`.
        source_id: Id in the published set.
        source_category: Category in the published set.
        reference: Where the stereotype is documented.
        note: Remarks of the curators.
        extra: Columns that are not the toolkit's, kept as they are.
        row: Row in the file, the header being 1; 0 when it comes from no file.
    """

    id: VariantId
    category: str
    label: Label | None = None
    texts: Texts = field(default_factory=Texts)
    source_texts: Texts = field(default_factory=Texts)
    machine_texts: Texts = field(default_factory=Texts)
    source: str = ""
    source_id: str = ""
    source_category: str = ""
    reference: str = ""
    note: str = ""
    extra: tuple[tuple[str, str], ...] = ()
    row: int = field(default=0, compare=False)

    @property
    def letter(self) -> VariantLetter:
        """The variant's letter."""
        return self.id.letter

    @property
    def template_id(self) -> TemplateId:
        """The template's id."""
        return self.id.template

    @property
    def once(self) -> int | None:
        """Its place among the rows of a template that gives no sample twice (`ONCE_COLUMN`).

        None where nothing is said; the rows with the lowest place keep what several of them give.
        """
        cell = dict(self.extra).get(ONCE_COLUMN, "").strip().casefold()
        if cell == "true":
            return 0
        return int(cell) if cell.isascii() and cell.isdecimal() and len(cell) < 10 else None

    @property
    def untied(self) -> bool | None:
        """Whether its texts are translated apart from other variants'; None where nothing is said.

        See `UNTIED_COLUMN`; what says neither yes nor no says nothing.
        """
        cell = dict(self.extra).get(UNTIED_COLUMN, "").strip().casefold()
        return {"true": True, "false": False}.get(cell)

    @property
    def role_open(self) -> str:
        """Why it is open who the target is; empty where it is not (`OPEN_COLUMN`)."""
        return dict(self.extra).get(OPEN_COLUMN, "").strip()

    @property
    def pseudo_fields(self) -> tuple[str, ...]:
        """The fields of its texts that hold pseudo translation (`PSEUDO_MARKS`), whole or a part.

        What has one of the marks in the source too has it from there.
        """
        return tuple(
            name
            for name in ("stereotype", *FILLED_FIELDS)
            if any(
                mark in getattr(self.texts, name) and mark not in getattr(self.source_texts, name)
                for mark in PSEUDO_MARKS
            )
        )

    @property
    def published_texts(self) -> Texts:
        """The source as it was published: its texts, except for those that the source corrects."""
        cells = dict(self.extra)
        texts: dict[str, Any] = {name: cells.get(f"{name}{PUBLISHED}") for name in FILLED_FIELDS}
        return replace(self.source_texts, **{name: text for name, text in texts.items() if text})


@dataclass(frozen=True, slots=True)
class Template:
    """The variants that share a template id, in order of their letters and versions."""

    id: TemplateId
    variants: tuple[Variant, ...]

    @property
    def first(self) -> Variant:
        """The variant that speaks for what all share: category, label, stereotype."""
        return self.variants[0]

    @property
    def category(self) -> str:
        """The template's category."""
        return self.first.category

    @property
    def label(self) -> Label | None:
        """The template's label."""
        return self.first.label

    @property
    def stereotype(self) -> str:
        """The stereotype in the culture's language, else in the source's."""
        return self.first.texts.stereotype or self.first.source_texts.stereotype

    @property
    def samples_once(self) -> bool:
        """Whether it gives no question about a context twice (`ONCE_COLUMN`)."""
        return any(variant.once is not None for variant in self.variants)

    def is_untied(self, default: bool) -> bool:
        """Whether translators see its variants as texts of their own.

        Args:
            default: Whether that holds of templates that do not say (`translation.untie`).
        """
        said = {variant.untied for variant in self.variants} - {None}
        return True in said if said else default

    @property
    def has_reference(self) -> bool:
        """Whether a variant names where the stereotype is documented."""
        return any(variant.reference.strip() for variant in self.variants)


@dataclass(frozen=True, slots=True)
class Bank:
    """All variants, in the order of the file."""

    variants: tuple[Variant, ...] = ()

    @property
    def template_names(self) -> frozenset[str]:
        """The ids of the templates."""
        return frozenset(str(row.template_id) for row in self.variants)

    def untied(self, default: bool) -> frozenset[str]:
        """The ids of the templates whose variants are texts of their own for translators.

        Args:
            default: Whether templates are that do not say (`translation.untie`).
        """
        return frozenset(str(item.id) for item in self.templates() if item.is_untied(default))

    def templates(self) -> Iterator[Template]:
        """Yield the templates, in order of their first row."""
        order: dict[TemplateId, int] = {}
        for variant in self.variants:
            order.setdefault(variant.template_id, len(order))
        rows = sorted(self.variants, key=lambda row: (order[row.template_id], row.id))
        for template_id, members in groupby(rows, key=lambda row: row.template_id):
            yield Template(template_id, tuple(members))


@dataclass(frozen=True, slots=True)
class Group:
    """A demographic group of one category.

    Attributes:
        category: Category as the culture writes it.
        group: What the group is called; it may change.
        parent: Name of the group that it is a part of, or empty.
        level: A free word for its level, for example `region` or `country`.
        counts: Whether its option counts for the uniform share.
        fillers: Slot list of names that stand for it, `[a, b]`.
        key: What identifies it in files for good; its name where nothing else is given.
        same_as: Key of the group that it was merged into, or empty.
        row: Row in the file.
    """

    category: str
    group: str
    parent: str = ""
    level: str = ""
    counts: bool = True
    fillers: str = ""
    key: str = ""
    same_as: str = ""
    row: int = field(default=0, compare=False)

    def __post_init__(self) -> None:
        if not self.key:
            object.__setattr__(self, "key", self.group)


def open_role(variant: Variant) -> CurateError:
    """The error of a row of which it is open who the target is."""
    where = f"bank.csv, row {variant.row}, column {OPEN_COLUMN}"
    return refusal("curation", "role-open", where, id=variant.id, why=variant.role_open)


def target_slot(texts: Texts) -> str:
    """Tell which person is of the target groups, `N1` or `N2`; empty where that is open.

    A person may be of some of the target groups only. Where both people are of them, or
    neither is, nothing is guessed.
    """
    target = frozenset(texts.target_groups)
    is_target = [
        bool(groups) and target >= {*groups} for groups in (texts.n1_groups, texts.n2_groups)
    ]
    return {(True, False): "N1", (False, True): "N2"}.get((is_target[0], is_target[1]), "")


PARTICLE_COLUMNS = tuple(
    f"N{person}_{place}_post" for place in ("amb", "dis", "ans") for person in (1, 2)
)
"""Particles that the inline forms carry too."""

PLACEHOLDER_COLUMNS = tuple(
    f"N{person}_obfdis_{what}" for what in ("adj", "post") for person in (1, 2)
)
"""What BBG's Korean templates say of the placeholder of a person: whether it stands before a noun,
and the particles that follow it, one for each mention."""

NO_SOURCE = "N/A"
"""What a template without a source has in `BBQ_id` and `BBQ_category`."""


SAMPLE_COLUMNS = (
    *("sample_id", "label_annotation", "context", "question", "choices", "biased_answer"),
    *("answer", "bbq_id", "bbq_category", "prediction"),
)
"""The columns of the samples, in published order."""
