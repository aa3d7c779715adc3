"""What translators see beside a text: it filled in, and its names with what agreement looks at."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from curation.annotation.translation.units import Kind, Place, Unit, Variants, compared_features
from curation.languages import LanguageOrCode
from curation.records.bank import SLOT_TEXT_FIELDS, Texts, Variant
from curation.records.errors import CurateError
from curation.slots import (
    Filler,
    FillError,
    SlotError,
    SlotList,
    SlotText,
    compile_text,
    declared_conditions,
    declared_lists,
    number_fillings,
    parse_text,
    print_fillers,
)
from curation.slots.agreement import Agreement, agreement_for
from curation.slots.protection import bare

_EXAMPLES = 4
_VARIANTS = 2
_NAMES = 8
_COMMON = 2
_UNKNOWN = "?"
_PEOPLE = ("N", "X")


def present_lists(variant: Variant) -> dict[str, SlotList]:
    """The lists of a variant as far as they are translated.

    They are people's, else the machine's, else those of the source.
    """
    found: dict[str, SlotList] = {}
    for texts in (variant.source_texts, variant.machine_texts, variant.texts):
        try:
            found |= declared_lists(texts.names, texts.words)
        except CurateError:
            continue
    return found


def filled_examples(unit: Unit, text: str, variants: Variants, language: LanguageOrCode) -> str:
    """A text filled in, for the first variants that it is in; a line for each gender and number.

    Where a form cannot be known the line says so, and what to write.

    Args:
        unit: What the text translates.
        text: The translation as it is now; where there is none, the source is filled in.
        variants: The bank's variants.
        language: Of the translation.
    """
    if unit.kind is not Kind.TEXT:
        return ""
    try:
        parsed = parse_text(text) if text.strip() else bare(unit.parsed)
    except SlotError:
        return ""
    lines: dict[str, None] = {}
    for variant in _first_variants(unit, variants):
        lists = present_lists(variant)
        asked = [lists[name] for name in parsed.names if name in lists]
        if any(one.open or not one.fillers for one in asked):
            continue
        lines |= dict.fromkeys(_lines(parsed, lists, variant, language))
    return "\n".join([*lines][:_EXAMPLES])


def _first_variants(unit: Unit, variants: Variants) -> list[Variant]:
    """The variants of the first template that a text is in."""
    ids = dict.fromkeys(place.variant for place in unit.places)
    first = next(iter(ids)).template
    return [variants[one] for one in ids if one.template == first][:_VARIANTS]


def _lines(
    text: SlotText, lists: Mapping[str, SlotList], variant: Variant, language: LanguageOrCode
) -> Iterator[str]:
    try:
        compiled = compile_text(text, lists, tuple(lists), language)
    except FillError as error:
        yield f"({error.what}: {error.hint})" if error.hint else f"({error.what})"
        return
    for at in _fillings(text, lists, variant, agreement_for(language)):
        yield compiled.render(at)


def _fillings(
    text: SlotText, lists: Mapping[str, SlotList], variant: Variant, agreement: Agreement | None
) -> Iterator[tuple[int, ...]]:
    """Fillings in which each slot of a text has a name of every gender and number that it may have.

    They meet the conditions of the variant, as far as these can be judged.
    """
    names = tuple(lists)
    told = tuple(agreement.values) if agreement is not None else ()
    kinds = {name: _kinds(lists[name].fillers, told) for name in text.names if name in lists}
    texts = variant.texts if variant.texts.names or variant.texts.words else variant.source_texts
    try:
        conditions = declared_conditions(texts.names, texts.words)
        numbered = number_fillings(lists, names, conditions)
    except CurateError:
        numbered = number_fillings(lists, names, ())
    for at in range(max((len(one) for one in kinds.values()), default=1)):
        wanted = [kinds[n][at % len(kinds[n])] if n in kinds else None for n in names]
        found = numbered.first(wanted) or numbered.first([None] * len(names))
        if found is not None:
            yield found


def _kinds(fillers: Sequence[Filler], told: Sequence[str]) -> list[list[int]]:
    """The places of fillers that agree alike, in order."""
    kinds: dict[tuple[str | None, ...], list[int]] = {}
    for at, filler in enumerate(fillers):
        kinds.setdefault(tuple(filler.feature(name) for name in told), []).append(at)
    return list(kinds.values())


def agreeing_names(unit: Unit, variants: Variants, language: LanguageOrCode) -> str:
    """The names of each slot of a text with what agreement looks at, and how it is written.

    For a filler it is what may stand with it; a question mark marks what nobody has said yet.

    Args:
        unit: The text.
        variants: The bank's variants.
        language: Of the translation.
    """
    agreement = agreement_for(language)
    if unit.kind is Kind.FILLER:
        return _of_filler(unit, variants, agreement)
    if unit.kind is not Kind.TEXT or not unit.parsed.slots:
        return ""
    lines = []
    for name in unit.parsed.names:
        looked_at = agreement if name.startswith(_PEOPLE) else None
        lines.append(f"[{name}] = {_names(unit, name, variants, looked_at)}")
        lines.append(_notation(unit, name, agreement))
    return "\n".join(filter(None, lines))


def _names(unit: Unit, name: str, variants: Variants, agreement: Agreement | None) -> str:
    """The names of a slot, by variant where these differ."""
    by_names: dict[str, list[str]] = {}
    for variant in _first_variants(unit, variants):
        declared = present_lists(variant).get(name)
        fillers = declared.fillers if declared is not None and not declared.open else ()
        hidden = compared_features(variant.source_texts) | compared_features(variant.texts)
        shown = [_with_features(filler, agreement, hidden) for filler in fillers if filler.text]
        more = ", ..." if len(shown) > _NAMES else ""
        by_names.setdefault(", ".join(shown[:_NAMES]) + more, []).append(variant.id.short)
    if len(by_names) < 2:
        return next(iter(by_names), "")
    return "; ".join(f"{', '.join(letters)}: {names}" for names, letters in by_names.items())


def _with_features(filler: Filler, agreement: Agreement | None, hidden: Collection[str]) -> str:
    """A name as a list holds it, with a mark where a feature is not told.

    What conditions alone compare is no matter of translators.
    """
    told = agreement.values if agreement is not None else {}
    optional = agreement.optional if agreement is not None else frozenset[str]()
    lacking = [n for n in told if n not in optional and filler.feature(n) is None]
    own = (pair for pair in filler.features if pair[0] in told or pair[0] not in hidden)
    features = (*own, *((name, _UNKNOWN) for name in lacking))
    return print_fillers([replace(filler, reading=None, features=features)])[1:-1]


def _notation(unit: Unit, name: str, agreement: Agreement | None) -> str:
    """How agreement with a slot is written, by the language's own examples."""
    if not name.startswith(_PEOPLE):
        return ""
    ways = []
    if agreement is not None:
        usual = [words for words in agreement.common if words[:1].islower() or not words.isalpha()]
        ways = [f"[{name}|{words}]" for words in usual[:_COMMON]]
        if agreement.alone and f"[{name}|{agreement.alone}]" not in ways:
            ways.append(f"[{name}|{agreement.alone}]")
    if len({place.variant for place in unit.places}) == 1:
        ways.append(f"[{name}: ..., ...]")
    return "  ".join(ways)


def _of_filler(unit: Unit, variants: Variants, agreement: Agreement | None) -> str:
    """What may stand with a name: features of the language, and the forms that texts ask for."""
    lines = []
    if agreement is not None and any(place.slot.startswith(_PEOPLE) for place in unit.places):
        for name, values in agreement.values.items():
            lines.append(" / ".join(f"{{{name}: {value}}}" for value in values))
    asked = dict.fromkeys(
        named for place in unit.places[:_NAMES] for named in _asked(variants[place.variant], place)
    )
    lines += [f"{{{named}: ...}}" for named in asked]
    return "\n".join(lines)


def _asked(variant: Variant, place: Place) -> Iterator[str]:
    """The named forms that the texts of a variant ask a filler for."""
    for texts in (variant.texts, variant.source_texts):
        yield from _named(texts, place.slot)


def _named(texts: Texts, slot: str) -> Iterator[str]:
    for field in SLOT_TEXT_FIELDS:
        try:
            slots = parse_text(getattr(texts, field)).slots
        except SlotError:
            continue
        yield from (one.named for one in slots if one.name == slot and one.named is not None)


def differing_templates(
    units: Sequence[Unit], variants: Variants, language: LanguageOrCode
) -> tuple[str, ...]:
    """Templates with a text of several variants whose slot has names of several genders.

    What differs is a feature by which the language's agreement tells alternatives, as far as lists
    state it. Nothing is said of untied templates, nor where agreement looks at no feature.

    Args:
        units: The texts.
        variants: The bank's variants.
        language: Of the translation.
    """
    agreement = agreement_for(language)
    told = [n for n in agreement.values if n not in agreement.optional] if agreement else []
    found: dict[str, None] = {}
    for unit in units if told else ():
        by_template: dict[str, list[Variant]] = {}
        for one in dict.fromkeys(place.variant for place in unit.places):
            by_template.setdefault(str(one.template), []).append(variants[one])
        for template, members in by_template.items():
            if unit.kind is Kind.TEXT and len(members) > 1 and template not in found:
                lists = [present_lists(one) for one in members]
                for name in unit.parsed.names:
                    fillers = [f for one in lists if name in one for f in one[name].fillers]
                    if any(len(_said(fillers, key)) > 1 for key in told):
                        found[template] = None
    return tuple(found)


def _said(fillers: Sequence[Filler], key: str) -> set[str]:
    """The values of a feature; published lists write them in capitals."""
    return {value.lower() for value in (one.feature(key) for one in fillers) if value}
