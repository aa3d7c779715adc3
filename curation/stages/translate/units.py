"""The distinct texts of each template, and where they stand."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from curation.model.bank import SLOT_TEXT_FIELDS, Bank, Label, Template, Texts, Variant
from curation.model.errors import CurateError
from curation.model.findings import Finding, Severity
from curation.model.ids import TemplateId, VariantId
from curation.slots import (
    FillError,
    SlotError,
    SlotText,
    compile_text,
    declared_lists,
    parse_lists,
    parse_text,
)

LIST_FIELDS = ("names", "words")
"""The fields of a variant that hold slot lists."""


class Kind(StrEnum):
    """What a text is: one with slots, plain words, or a filler of a list."""

    TEXT = "text"
    PLAIN = "plain"
    FILLER = "filler"


@dataclass(frozen=True, slots=True)
class Place:
    """Where a text stands: a field of a variant, and for a filler its slot and position."""

    variant: VariantId
    field: str
    slot: str = ""
    index: int = 0


@dataclass(frozen=True, slots=True)
class Unit:
    """One distinct text of a template.

    Attributes:
        template: The template.
        category: Its category.
        kind: What the text is.
        text: The text as written.
        parsed: The text, parsed; a plain one is one literal.
        places: Where it stands.
        context: The template's text around it, without slots.
        fillers: For each slot of the text, a filler.
    """

    template: TemplateId
    category: str
    kind: Kind
    text: str
    parsed: SlotText
    places: tuple[Place, ...]
    context: str
    fillers: tuple[tuple[str, str], ...] = ()

    @property
    def key(self) -> tuple[str, str, str]:
        """What tells it from every other unit."""
        return str(self.template), self.kind.value, self.text


@dataclass(frozen=True, slots=True)
class Choice:
    """Which variants, and what of them, are to be translated.

    Attributes:
        unlabelled: Whether those that nobody has classified are too.
        missing: Whether only fields are whose own column is empty.
        context: Fields that make up the context.
        language: Language of the source texts.
    """

    unlabelled: bool = False
    missing: bool = False
    context: Sequence[str] = SLOT_TEXT_FIELDS
    language: str = "en"


def is_translated(variant: Variant, *, unlabelled: bool) -> bool:
    """Say whether a variant is to be translated: it is transferred or modified, and has source."""
    labels = (Label.SIMPLY_TRANSFERRED, Label.TARGET_MODIFIED)
    wanted = variant.label in labels or (unlabelled and variant.label is None)
    return wanted and not variant.source_texts.is_empty


def translation_units(
    bank: Bank, choice: Choice, file: str = ""
) -> tuple[list[Unit], list[Finding]]:
    """List the distinct texts of each template that are to be translated, in the bank's order.

    Args:
        bank: The templates.
        choice: Which of them.
        file: The bank's path, for findings.

    Returns:
        The units, and a finding for each source cell that cannot be read.
    """
    units: list[Unit] = []
    findings: list[Finding] = []
    for template in bank.templates():
        variants = [v for v in template.variants if is_translated(v, unlabelled=choice.unlabelled)]
        if not variants:
            continue
        context = _context(variants[0], choice)
        found: dict[tuple[str, str, str], Unit] = {}
        for variant in variants:
            for unit in _of_variant(template, variant, choice, file, findings):
                known = found.get(unit.key)
                places = (*known.places, *unit.places) if known else unit.places
                found[unit.key] = replace(known or unit, places=places, context=context)
        units += found.values()
    return units, findings


def _of_variant(
    template: Template, variant: Variant, choice: Choice, file: str, findings: list[Finding]
) -> Iterator[Unit]:
    source = variant.source_texts
    fillers = _first_fillers(variant)
    base = Unit(template.id, variant.category, Kind.PLAIN, "", SlotText(()), (), "")
    for field in ("stereotype", *SLOT_TEXT_FIELDS):
        text = getattr(source, field).strip()
        if not text or (choice.missing and getattr(variant.texts, field)):
            continue
        place = (Place(variant.id, field),)
        if field == "stereotype":
            yield replace(base, text=text, parsed=SlotText((text,)), places=place)
            continue
        try:
            parsed = parse_text(text)
        except SlotError as error:
            findings.append(_unreadable(file, variant, field, error))
            continue
        used = tuple((name, fillers.get(name, "")) for name in parsed.names)
        yield replace(base, kind=Kind.TEXT, text=text, parsed=parsed, places=place, fillers=used)
    for field in LIST_FIELDS:
        if choice.missing and getattr(variant.texts, field):
            continue
        try:
            yield from _of_list(base, variant, field)
        except SlotError as error:
            findings.append(_unreadable(file, variant, field, error))


def _of_list(base: Unit, variant: Variant, field: str) -> Iterator[Unit]:
    for name, declared in parse_lists(getattr(variant.source_texts, field)).items():
        for index, filler in enumerate(declared.fillers):
            if filler.text:
                place = Place(variant.id, field, name, index)
                parsed = SlotText((filler.text,))
                yield replace(
                    base, kind=Kind.FILLER, text=filler.text, parsed=parsed, places=(place,)
                )


def _first_fillers(variant: Variant) -> dict[str, str]:
    source = variant.source_texts
    try:
        lists = declared_lists(source.names, source.words)
    except CurateError:
        return {}
    return {name: item.fillers[0].text for name, item in lists.items() if item.fillers}


def _context(variant: Variant, choice: Choice) -> str:
    """Give a template's texts with its first fillers; slots that have none keep their names."""
    texts = variant.source_texts
    filled = [_filled(texts, getattr(texts, field), choice.language) for field in choice.context]
    return " ".join(text for text in filled if text)


def _filled(texts: Texts, text: str, language: str) -> str:
    try:
        lists = declared_lists(texts.names, texts.words)
        parsed = parse_text(text)
        compiled = compile_text(parsed, lists, tuple(lists), language)
        return compiled.render([0] * len(lists))
    except (FillError, IndexError):
        return "".join(p if isinstance(p, str) else p.name for p in parse_text(text).parts).strip()
    except CurateError:
        return text.strip()


def _unreadable(file: str, variant: Variant, field: str, error: CurateError) -> Finding:
    return Finding(
        "translate-source-unreadable",
        Severity.WARNING,
        file,
        variant.row or None,
        f"{field}_source",
        f"{error.what}; the text is not translated",
        error.hint or "mend the source text: 'curate check' lists all that is wrong with it",
    )
