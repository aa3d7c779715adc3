"""Whether a translation can be taken: its slots, forms, agreement, fillers; and its example."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from curation.annotation.translation.units import Kind, Unit, Variants, compared_features
from curation.languages import LanguageOrCode
from curation.records.bank import SLOT_TEXT_FIELDS, Texts, Variant
from curation.records.messages import CurateError, Finding, finding
from curation.slots import grammar
from curation.slots.agreement import Agreement, agreement_for
from curation.slots.fill import FillError, compile_text, form_of, number_fillings
from curation.slots.protection import Flag, bare, inspect, slot_difference

_SHOWN = 60


def problem_of(unit: Unit, text: str, variants: Variants) -> Finding | None:
    """Say why a translation cannot be taken; None when it can."""
    try:
        if unit.kind is Kind.FILLER:
            return _filler_problem(text)
        target = unit.read(text)
    except grammar.SlotError as error:
        return _problem("translation-unreadable", why=error.what, todo=error.hint)
    if Flag.MARKUP in inspect(unit.parsed, target, variants.language):
        return _problem("translation-markup")
    problem = _slots_problem(unit, target, variants)
    each = (_slot_problem(unit, slot, variants) for slot in target.slots)
    return problem or next((found for found in each if found is not None), None)


_problem = partial(finding, __package__, file="")


def _filler_problem(text: str) -> Finding | None:
    fillers = grammar.parse_fillers(f"[{text}]")
    if len(fillers) == 1 and fillers[0].text:
        return None
    return _problem("translation-filler", text=text, count=len(fillers))


def _slots_problem(unit: Unit, target: grammar.SlotText, variants: Variants) -> Finding | None:
    """Say which slots are missing or too many, and which no list of the template is for."""
    source = unit.parsed
    missing, extra = slot_difference(source, target)
    parts = [f"[{name}] is missing" for name in missing]
    parts += [f"[{name}] occurs more often than in the source" for name in extra]
    more = ""
    if not parts:
        own = [variants[place.variant] for place in unit.places]
        listed = [{n for found in _declared(v.texts, v.source_texts) for n in found} for v in own]
        added = [name for name in target.names if name not in source.names]
        unlisted = [name for name in added if not all(name in names for names in listed)]
        parts = [f"there is no list of fillers for [{name}]" for name in unlisted[:1]]
        more = ", of a slot that the template has"
    if not parts:
        return None
    agreement = agreement_for(variants.language)
    example = f"[N1|{agreement.alone}] or " if agreement is not None and agreement.alone else ""
    return _problem("translation-slots", parts=", ".join(parts), example=example, more=more)


def form_problem(unit: Unit, text: str, variants: Variants) -> Finding | None:
    """Say which filler lacks a named form that a translation asks for; None for none.

    Lists that are not written yet may still get it. Forms may come with the fillers later, so that
    the translation can be taken.
    """
    for slot in dict.fromkeys(unit.read(text).slots):
        for place in unit.places if slot.named is not None else ():
            texts = variants[place.variant].texts
            try:
                declared = grammar.declared_lists(texts).get(slot.name)
                for index, filler in enumerate(declared.fillers if declared else ()):
                    form_of(slot, filler, index, variants.language)
            except FillError as error:
                return _problem("translation-form-missing", why=error.what, todo=error.hint)
            except CurateError:
                continue  # lists that people wrote: 'curate check' says what is wrong with them
    return None


def _slot_problem(unit: Unit, slot: grammar.Slot, variants: Variants) -> Finding | None:
    if slot.agreement is not None:
        return _agreement_problem(slot, variants.language)
    if slot.forms is None:
        return None
    say = partial(_problem, "translation-forms", name=slot.name)
    lists = {_fillers_at(variants[place.variant], slot.name) for place in unit.places}
    if len(lists) > 1:
        letters = ", ".join(dict.fromkeys(place.variant.short for place in unit.places))
        templates = {place.variant.template for place in unit.places}
        places = f"{len(templates)} templates" if len(templates) > 1 else f"variants {letters}"
        return say(way="differ", places=places, todo=_WAYS_OUT.format(slot.name))
    count = len(next(iter(lists)))
    if count and len(slot.forms) != count:
        todo = "list one form for each filler, in their order"
        return say(way="count", forms=len(slot.forms), fillers=count, todo=todo)
    return None if all(slot.forms) else say(way="empty", todo="write it")


_WAYS_OUT = (
    "write agreement in the slot, or [{}.def] and the form in the row of each filler; or have "
    "variants a and b in rows of their own: sheet 'wording', yes in 'separate'"
)
"""What to write in place of listed forms where the fillers of variants differ."""


def _agreement_problem(slot: grammar.Slot, language: LanguageOrCode) -> Finding | None:
    say = partial(_problem, "translation-agreement", name=slot.name)
    agreement = agreement_for(language)
    if agreement is None:
        return say(why=f"no agreement is known for language '{language}'", todo="write a form")
    try:
        agreement.form(grammar.Filler("x"), slot.agreement or "")
    except ValueError as error:
        return say(why=str(error), todo="correct it, or write a form")
    return None


def _declared(*sides: Texts) -> Iterator[dict[str, grammar.SlotList]]:
    """The lists of each side, as far as they can be read; 'curate check' says what is wrong."""
    for texts in sides:
        try:
            yield grammar.declared_lists(texts)
        except CurateError:
            continue


def _fillers_at(variant: Variant, name: str) -> tuple[str, ...]:
    """The fillers that forms have to go with: people's own, else the source's."""
    lists = (found.get(name) for found in _declared(variant.texts, variant.source_texts))
    declared = next((one for one in lists if one is not None and not one.open), None)
    return tuple(filler.text for filler in declared.fillers) if declared is not None else ()


def short_text(text: str) -> str:
    """A text in one line, as messages show it."""
    line = " ".join(text.split())
    return line if len(line) <= _SHOWN else f"{line[: _SHOWN - 3]}..."


_EXAMPLES = 4
_VARIANTS = 2
_NAMES = 8
_COMMON = 2
_UNKNOWN = "?"
_PEOPLE = ("N", "X")


def present_lists(variant: Variant) -> dict[str, grammar.SlotList]:
    """The lists of a variant as far as they are translated.

    They are people's, else the machine's, else those of the source.
    """
    sides = (variant.source_texts, variant.machine_texts, variant.texts)
    return {name: one for found in _declared(*sides) for name, one in found.items()}


def filled_examples(unit: Unit, text: str, variants: Variants) -> str:
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
        parsed = grammar.parse_text(text) if text.strip() else bare(unit.parsed)
    except grammar.SlotError:
        return ""
    lines: dict[str, None] = {}
    for variant in _first_variants(unit, variants):
        lists = present_lists(variant)
        asked = [lists[name] for name in parsed.names if name in lists]
        if any(one.open or not one.fillers for one in asked):
            continue
        lines |= dict.fromkeys(_lines(parsed, lists, variant, variants.language))
    return "\n".join([*lines][:_EXAMPLES])


def _first_variants(unit: Unit, variants: Variants) -> list[Variant]:
    """The variants of the first template that a text is in."""
    ids = dict.fromkeys(place.variant for place in unit.places)
    first = next(iter(ids)).template
    return [variants[one] for one in ids if one.template == first][:_VARIANTS]


def _lines(
    text: grammar.SlotText,
    lists: Mapping[str, grammar.SlotList],
    variant: Variant,
    language: LanguageOrCode,
) -> Iterator[str]:
    try:
        compiled = compile_text(text, lists, tuple(lists), language)
    except FillError as error:
        yield f"({error.what}: {error.hint})" if error.hint else f"({error.what})"
        return
    for at in _fillings(text, lists, variant, agreement_for(language)):
        yield compiled.render(at)


def _fillings(
    text: grammar.SlotText,
    lists: Mapping[str, grammar.SlotList],
    variant: Variant,
    agreement: Agreement | None,
) -> Iterator[tuple[int, ...]]:
    """Fillings in which each slot of a text has a name of every gender and number that it may have.

    They meet the conditions of the variant, as far as these can be judged.
    """
    names = tuple(lists)
    told = tuple(agreement.values) if agreement is not None else ()
    kinds = {name: _kinds(lists[name].fillers, told) for name in text.names if name in lists}
    texts = variant.texts if variant.texts.names or variant.texts.words else variant.source_texts
    try:
        conditions = grammar.declared_conditions(texts)
        numbered = number_fillings(lists, names, conditions)
    except CurateError:
        numbered = number_fillings(lists, names, ())
    for at in range(max((len(one) for one in kinds.values()), default=1)):
        wanted = [kinds[n][at % len(kinds[n])] if n in kinds else None for n in names]
        found = numbered.first(wanted) or numbered.first([None] * len(names))
        if found is not None:
            yield found


def _kinds(fillers: Sequence[grammar.Filler], told: Sequence[str]) -> list[list[int]]:
    """The places of fillers that agree alike, in order."""
    kinds: dict[tuple[str | None, ...], list[int]] = {}
    for at, filler in enumerate(fillers):
        kinds.setdefault(tuple(filler.feature(name) for name in told), []).append(at)
    return list(kinds.values())


def agreeing_names(unit: Unit, variants: Variants) -> str:
    """The names of each slot of a text with what agreement looks at, and how it is written.

    For a filler it is what may stand with it; a question mark marks what nobody has said yet.

    Args:
        unit: The text.
        variants: The bank's variants.
        language: Of the translation.
    """
    agreement = agreement_for(variants.language)
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
        declared = present_lists(variant).get(name) or grammar.SlotList(name, ())
        fillers = variants.people[variant.category] if declared.open else declared.fillers
        hidden = compared_features(variant.source_texts) | compared_features(variant.texts)
        shown = [_with_features(filler, agreement, hidden) for filler in fillers if filler.text]
        more = ", ..." if len(shown) > _NAMES else ""
        by_names.setdefault(", ".join(shown[:_NAMES]) + more, []).append(variant.id.short)
    if len(by_names) < 2:
        return next(iter(by_names), "")
    return "; ".join(f"{', '.join(letters)}: {names}" for names, letters in by_names.items())


def _with_features(
    filler: grammar.Filler, agreement: Agreement | None, hidden: Collection[str]
) -> str:
    """A name as a list holds it, with a mark where a feature is not told.

    What conditions alone compare is no matter of translators.
    """
    told = agreement.values if agreement is not None else {}
    optional = agreement.optional if agreement is not None else frozenset[str]()
    lacking = [n for n in told if n not in optional and filler.feature(n) is None]
    own = (pair for pair in filler.features if pair[0] in told or pair[0] not in hidden)
    features = (*own, *((name, _UNKNOWN) for name in lacking))
    return grammar.print_fillers([replace(filler, reading=None, features=features)])[1:-1]


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
    places = unit.places[:_NAMES]
    asked = (named for one in places for named in _asked(variants[one.variant], one.slot))
    lines += [f"{{{named}: ...}}" for named in dict.fromkeys(asked)]
    return "\n".join(lines)


def _asked(variant: Variant, slot: str) -> Iterator[str]:
    """The named forms that the texts of a variant ask a filler of a slot for."""
    for texts in (variant.texts, variant.source_texts):
        for field in SLOT_TEXT_FIELDS:
            try:
                slots = grammar.parse_text(getattr(texts, field)).slots
            except grammar.SlotError:
                continue
            yield from (one.named for one in slots if one.name == slot and one.named is not None)
