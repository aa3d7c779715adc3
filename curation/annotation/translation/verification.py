"""Whether a translation can be taken as it is: its slots, forms, agreement and fillers."""

from collections.abc import Sequence
from functools import partial

from curation.annotation.translation.units import Kind, Unit, Variants, read_target
from curation.languages import LanguageOrCode
from curation.records.bank import Variant
from curation.records.errors import CurateError
from curation.records.findings import Finding, finding
from curation.slots import (
    Filler,
    FillError,
    Slot,
    SlotError,
    SlotText,
    declared_lists,
    form_of,
    parse_fillers,
)
from curation.slots.agreement import agreement_for
from curation.slots.grammar import ALONE
from curation.slots.protection import Flag, inspect, slot_difference

_SHOWN = 60


def problem_of(
    unit: Unit, text: str, variants: Variants, language: LanguageOrCode
) -> Finding | None:
    """Say why a translation cannot be taken; None when it can."""
    try:
        if unit.kind is Kind.FILLER:
            return _filler_problem(text)
        target = read_target(unit, text)
    except SlotError as error:
        return _problem("translation-unreadable", why=error.what, todo=error.hint)
    if Flag.MARKUP in inspect(unit.parsed, target, language):
        return _problem("translation-markup")
    problem = _slots_problem(unit, target, variants, language)
    each = (_slot_problem(unit, slot, variants, language) for slot in target.slots)
    return problem or next((found for found in each if found is not None), None)


_problem = partial(finding, __package__, file="")


def _filler_problem(text: str) -> Finding | None:
    fillers = parse_fillers(f"[{text}]")
    if len(fillers) == 1 and fillers[0].text:
        return None
    if text.strip() == "*":
        todo = "write the name; names of surveyed groups are put into TM templates by the toolkit"
        return _problem("translation-filler", way="star", todo=todo)
    todo = "write a backslash before a comma that belongs to the filler"
    return _problem("translation-filler", way="several", text=text, count=len(fillers), todo=todo)


def _slots_problem(
    unit: Unit, target: SlotText, variants: Variants, language: LanguageOrCode
) -> Finding | None:
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
    more = ""
    if not parts:
        own = [variants[place.variant] for place in unit.places]
        added = [name for name in target.names if name not in source.names]
        unlisted = [name for name in added if not all(_declares(one, name) for one in own)]
        parts = [f"there is no list of fillers for [{name}]" for name in unlisted[:1]]
        more = ", of a slot that the template has"
    if not parts:
        return None
    agreement = agreement_for(language)
    example = f"[N1|{agreement.alone}] or " if agreement is not None and agreement.alone else ""
    return _problem("translation-slots", parts=", ".join(parts), example=example, more=more)


def form_problem(
    unit: Unit, text: str, variants: Variants, language: LanguageOrCode
) -> Finding | None:
    """Say which filler lacks a named form that a translation asks for; None for none.

    Lists that are not written yet may still get it. Forms may come with the fillers later, so that
    the translation can be taken.
    """
    for slot in dict.fromkeys(read_target(unit, text).slots):
        for place in unit.places if slot.named is not None else ():
            texts = variants[place.variant].texts
            try:
                declared = declared_lists(texts.names, texts.words).get(slot.name)
                for index, filler in enumerate(declared.fillers if declared else ()):
                    form_of(slot, filler, index, language)
            except FillError as error:
                return _problem("translation-form-missing", why=error.what, todo=error.hint)
            except CurateError:
                continue  # lists that people wrote: 'curate check' says what is wrong with them
    return None


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
) -> Finding | None:
    if slot.agreement is not None:
        return _agreement_problem(slot, language)
    if slot.forms is None:
        return None
    say = partial(_problem, "translation-forms", name=slot.name)
    lists = {_fillers_at(variants[place.variant], slot.name) for place in unit.places}
    if len(lists) > 1:
        letters = ", ".join(dict.fromkeys(place.variant.short for place in unit.places))
        templates = {place.variant.template for place in unit.places}
        places = f"{len(templates)} templates" if len(templates) > 1 else f"variants {letters}"
        todo = _way_out(slot.name, min(lists)[:1], str(unit.template), language)
        return say(way="differ", places=places, todo=todo)
    count = len(next(iter(lists)))
    if count and len(slot.forms) != count:
        todo = "list one form for each filler, in their order"
        return say(way="count", forms=len(slot.forms), fillers=count, todo=todo)
    return None if all(slot.forms) else say(way="empty", todo="write it")


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
        f"variants a and b in rows of their own: sheet 'wording', {template}, yes in 'separate'"
    )


def _agreement_problem(slot: Slot, language: LanguageOrCode) -> Finding | None:
    say = partial(_problem, "translation-agreement", name=slot.name)
    agreement = agreement_for(language)
    if agreement is None:
        why = f"no agreement is known for language '{language}'"
        return say(why=why, todo="write a form instead,")
    try:
        agreement.form(Filler("x"), slot.agreement or "")
    except ValueError as error:
        return say(why=str(error), todo="correct it, or write a form")
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
