"""Whether a translation can be taken as it is: its slots, forms, agreement and fillers."""

from collections.abc import Sequence
from dataclasses import dataclass

from curation.annotation.translation.units import Kind, Unit, Variants, read_target
from curation.languages import LanguageOrCode
from curation.records.bank import Variant
from curation.records.errors import CurateError
from curation.slots import Filler, Slot, SlotError, SlotText, declared_lists, parse_fillers
from curation.slots.agreement import agreement_for
from curation.slots.grammar import ALONE
from curation.slots.protection import Flag, inspect, slot_difference

_SHOWN = 60


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a translation cannot be taken: rule, message, what to do."""

    rule: str
    message: str
    hint: str


def problem_of(
    unit: Unit, text: str, variants: Variants, language: LanguageOrCode
) -> Problem | None:
    """Say why a translation cannot be taken; None when it can."""
    try:
        if unit.kind is Kind.FILLER:
            return _filler_problem(text)
        target = read_target(unit, text)
    except SlotError as error:
        return Problem("translation-unreadable", error.what, error.hint)
    if Flag.MARKUP in inspect(unit.parsed, target, language):
        return Problem(
            "translation-markup",
            "tags or entities of the machine translation are left in the text",
            "write the slot in its brackets, and each character itself",
        )
    problem = _slots_problem(unit, target, variants, language)
    if problem is not None:
        return problem
    for slot in target.slots:
        problem = _slot_problem(unit, slot, variants, language)
        if problem is not None:
            return problem
    return None


def _filler_problem(text: str) -> Problem | None:
    fillers = parse_fillers(f"[{text}]")
    if len(fillers) == 1 and fillers[0].text:
        return None
    if text.strip() == "*":
        return Problem(
            "translation-filler",
            "'*' leaves a whole list to the survey, but this row is for one filler",
            "write the name; the toolkit itself puts the surveyed groups' names into TM templates",
        )
    return Problem(
        "translation-filler",
        f"'{text}' is {len(fillers)} fillers, but this cell is for one",
        "write a backslash before a comma that belongs to the filler",
    )


def _slots_problem(
    unit: Unit, target: SlotText, variants: Variants, language: LanguageOrCode
) -> Problem | None:
    """Say which slots are missing or too many, and which no list of the template is for."""
    source, alone = unit.parsed, {slot.name for slot in target.slots if slot.is_word}
    named = {slot.name for slot in target.slots if not slot.is_word}
    missing, extra = slot_difference(source, target)
    parts = [
        f"[{name}|=...] is there without the name"
        if name in alone - named
        else f"[{name}] is missing"
        for name in missing
    ]
    parts += [f"[{name}] occurs more often than in the source" for name in extra]
    if parts:
        return Problem("translation-slots", ", ".join(parts), _keep_slots(language))
    for name in target.names:
        if name not in source.names and not all(
            _declares(variants[place.variant], name) for place in unit.places
        ):
            return Problem(
                "translation-slots",
                f"there is no list of fillers for [{name}]",
                f"{_keep_slots(language)}, of a slot that the template has",
            )
    return None


def _keep_slots(language: LanguageOrCode) -> str:
    """What to do about slots, with the language's own example of a word that agrees."""
    agreement = agreement_for(language)
    alone = f"[N1|{agreement.alone}] or " if agreement is not None and agreement.alone else ""
    return (
        "keep the source's slots; a form that agrees with one may be added as "
        f"{alone}[N1: form, form]"
    )


def _declares(variant: Variant, name: str) -> bool:
    for texts in (variant.texts, variant.source_texts):
        try:
            if name in declared_lists(texts.names, texts.words):
                return True
        except CurateError:
            continue
    return False


def _slot_problem(
    unit: Unit, slot: Slot, variants: Variants, language: LanguageOrCode
) -> Problem | None:
    if slot.agreement is not None:
        return _agreement_problem(slot, language)
    if slot.forms is None:
        return None
    lists = {_fillers_at(variants[place.variant], slot.name) for place in unit.places}
    if len(lists) > 1:
        letters = ", ".join(dict.fromkeys(place.variant.short for place in unit.places))
        templates = {place.variant.template for place in unit.places}
        places = f"{len(templates)} templates" if len(templates) > 1 else f"variants {letters}"
        return Problem(
            "translation-forms",
            f"[{slot.name}: ...] lists forms, but the text is in {places}, whose fillers differ",
            _way_out(slot.name, min(lists)[:1], str(unit.template), language),
        )
    count = len(next(iter(lists)))
    if count and len(slot.forms) != count:
        return Problem(
            "translation-forms",
            f"[{slot.name}: ...] lists {len(slot.forms)} forms for {count} fillers",
            "list one form for each filler, in their order",
        )
    if not all(slot.forms):
        return Problem("translation-forms", f"[{slot.name}: ...] lists an empty form", "write it")
    return None


def _way_out(name: str, fillers: Sequence[str], template: str, language: LanguageOrCode) -> str:
    """What to write in place of listed forms where the fillers of variants differ."""
    agreement, written = agreement_for(language), ""
    if agreement is not None:
        first = agreement.common[0]
        said = f"[{name}] with what agrees as " if first.startswith(ALONE) else ""
        written = f"{said}[{name}|{first}], or "
    form = f"{fillers[0]} {{def: ...}}" if fillers else "{def: ...}"
    return (
        f"write {written}[{name}.def] with the form in the row of each filler, {form}; or have "
        f"variants a and b in rows of their own: curate translate wording {template} --separate"
    )


def _agreement_problem(slot: Slot, language: LanguageOrCode) -> Problem | None:
    agreement = agreement_for(language)
    if agreement is None:
        return Problem(
            "translation-agreement",
            f"no agreement is known for language '{language}'",
            f"write a form with each filler instead, and its name here: [{slot.name}.def]",
        )
    try:
        agreement.form(Filler("x"), slot.agreement or "")
    except ValueError as error:
        hint = f"correct it, or write a form with each filler, and its name here: [{slot.name}.def]"
        return Problem("translation-agreement", str(error), hint)
    return None


def _fillers_at(variant: Variant, name: str) -> tuple[str, ...]:
    """The fillers that forms have to go with: people's own, else the source's."""
    for texts in (variant.texts, variant.source_texts):
        try:
            declared = declared_lists(texts.names, texts.words).get(name)
        except CurateError:
            continue
        if declared is not None and not declared.open:
            return tuple(filler.text for filler in declared.fillers)
    return ()


def short_text(text: str) -> str:
    """A text in one line, as messages show it."""
    line = " ".join(text.split())
    return line if len(line) <= _SHOWN else f"{line[: _SHOWN - 3]}..."
