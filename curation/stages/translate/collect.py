"""What translators returned: verified, and put into the bank where nobody has written since."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from curation.model.bank import Bank, Variant
from curation.model.errors import CurateError
from curation.slots import (
    Filler,
    Slot,
    SlotError,
    SlotList,
    SlotText,
    declared_lists,
    parse_fillers,
    parse_lists,
    print_fillers,
)
from curation.slots.agreement import agreement_for
from curation.slots.protection import Flag, inspect
from curation.stages.translate.apply import assembled
from curation.stages.translate.cells import Variants, read_target, text_at
from curation.stages.translate.units import LIST_FIELDS, Kind, Place, Unit


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a translation cannot be taken: rule, message, what to do."""

    rule: str
    message: str
    hint: str


@dataclass(frozen=True, slots=True)
class Given:
    """A translation that was returned.

    Attributes:
        unit: What it translates.
        text: The translation.
        before: What may stand in the bank and be written over: what stood there when the sheet
            was made, and what was collected for the unit before.
    """

    unit: Unit
    text: str
    before: frozenset[str]


@dataclass(frozen=True, slots=True)
class Conflict:
    """A cell that a person has written in since the sheet was made."""

    unit: Unit
    place: Place
    now: str


@dataclass(frozen=True, slots=True)
class Put:
    """The bank with what was collected.

    Attributes:
        bank: The templates.
        written: Cells that changed.
        unchanged: Cells that held the translation already.
        conflicts: Cells that were left as they are.
        open_lists: Cells with lists of which a filler is still missing.
    """

    bank: Bank
    written: int
    unchanged: int
    conflicts: tuple[Conflict, ...]
    open_lists: int


def problem_of(unit: Unit, text: str, variants: Variants, language: str) -> Problem | None:
    """Say why a translation cannot be taken; None when it can."""
    try:
        if unit.kind is Kind.FILLER:
            return _filler_problem(text)
        target = read_target(unit, text)
    except SlotError as error:
        return Problem("translation-unreadable", error.what, error.hint)
    flags = inspect(unit.parsed, target, language)
    if Flag.SLOTS in flags:
        return Problem(
            "translation-slots", _slot_difference(unit.parsed, target), "keep the source's slots"
        )
    if Flag.MARKUP in flags:
        return Problem(
            "translation-markup",
            "tags or entities of the machine are left in the text",
            "write the slot in its brackets, and signs as they are",
        )
    for slot in target.slots:
        problem = _slot_problem(unit, slot, variants, language)
        if problem is not None:
            return problem
    return None


def _filler_problem(text: str) -> Problem | None:
    fillers = parse_fillers(f"[{text}]")
    if len(fillers) == 1 and fillers[0].text:
        return None
    return Problem(
        "translation-filler",
        f"'{text}' is {len(fillers)} fillers where one is wanted",
        "write a backslash before a comma that belongs to the filler",
    )


def _slot_difference(source: SlotText, target: SlotText) -> str:
    wanted = Counter(slot.name for slot in source.slots)
    found = Counter(slot.name for slot in target.slots)
    parts = [f"[{name}] is missing" for name in wanted - found]
    parts += [f"[{name}] is not in the source so often" for name in found - wanted]
    return ", ".join(parts)


def _slot_problem(unit: Unit, slot: Slot, variants: Variants, language: str) -> Problem | None:
    if slot.agreement is not None:
        return _agreement_problem(slot, language)
    if slot.forms is None:
        return None
    lists = {_fillers_at(variants[place.variant], slot.name) for place in unit.places}
    if len(lists) > 1:
        letters = ", ".join(dict.fromkeys(place.variant.letter.value for place in unit.places))
        return Problem(
            "translation-forms",
            f"[{slot.name}: ...] lists forms, but the text stands in variants {letters}, whose "
            "fillers differ",
            f"write agreement, such as [{slot.name}|...], or [{slot.name}] alone",
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


def _agreement_problem(slot: Slot, language: str) -> Problem | None:
    agreement = agreement_for(language)
    if agreement is None:
        return Problem(
            "translation-agreement",
            f"no agreement is known for language '{language}'",
            f"list the forms instead: [{slot.name}: form1, form2]",
        )
    try:
        agreement.form("x", None, slot.agreement or "")
    except ValueError as error:
        return Problem("translation-agreement", str(error), "mend it, or list the forms")
    return None


def _fillers_at(variant: Variant, name: str) -> tuple[str, ...]:
    """Give the fillers that forms have to go with: people's own, else the source's."""
    for texts in (variant.texts, variant.source_texts):
        try:
            declared = declared_lists(texts.names, texts.words).get(name)
        except CurateError:
            continue
        if declared is not None and not declared.open:
            return tuple(filler.text for filler in declared.fillers)
    return ()


def stands(unit: Unit, text: str, variants: Variants) -> bool:
    """Say whether a translation stands in the bank, at one place of its unit at least."""
    if unit.kind is Kind.FILLER:
        text = print_fillers(parse_fillers(f"[{text}]"))[1:-1]
    return any(text_at(variants[place.variant].texts, place) == text for place in unit.places)


def put(bank: Bank, given: Sequence[Given]) -> Put:
    """Put translations into the columns of people.

    A cell is written when it is empty, or holds what the translator saw or sent before. A list
    is written when it is complete.
    """
    by_place = {place: item for item in given for place in item.unit.places}
    touched = {place.variant for place in by_place}
    written = unchanged = open_lists = 0
    conflicts: list[Conflict] = []
    variants = []
    for variant in bank.variants:
        cells: dict[str, str] = {}
        for field, text, ok, first in _decided(variant, by_place) if variant.id in touched else ():
            if text is None:
                open_lists += 1
            elif text == getattr(variant.texts, field):
                unchanged += 1
            elif ok:
                cells[field] = text
            else:
                conflicts.append(
                    Conflict(first.unit, Place(variant.id, field), _now(variant, field))
                )
        written += len(cells)
        texts = replace(variant.texts, **cells)  # type: ignore[arg-type]  # text fields alone
        variants.append(replace(variant, texts=texts) if cells else variant)
    return Put(Bank(tuple(variants)), written, unchanged, tuple(conflicts), open_lists)


def _now(variant: Variant, field: str) -> str:
    text: str = getattr(variant.texts, field)
    return text


def _decided(
    variant: Variant, by_place: Mapping[Place, Given]
) -> Iterator[tuple[str, str | None, bool, Given]]:
    """Yield for each cell what is to stand there, whether it may, and who gave it."""
    own = {place: item for place, item in by_place.items() if place.variant == variant.id}
    for place, item in own.items():
        if not place.slot:
            now = _now(variant, place.field)
            yield place.field, item.text, not now or now in item.before, item
    for field in LIST_FIELDS:
        places = {place: item for place, item in own.items() if place.field == field}
        if places:
            text = _list_text(variant, field, places)
            first = next(iter(places.values()))
            yield field, text, _may_replace(variant, field, places), first
        elif own and not _now(variant, field) and _has_no_fillers(variant, field):
            yield field, _list_text(variant, field, {}), True, next(iter(own.values()))


def _has_no_fillers(variant: Variant, field: str) -> bool:
    """Say whether the source's lists leave all to the survey, so that nobody translates them."""
    try:
        lists = parse_lists(getattr(variant.source_texts, field))
    except SlotError:
        return False
    return bool(lists) and not any(item.text for one in lists.values() for item in one.fillers)


def _list_text(variant: Variant, field: str, places: Mapping[Place, Given]) -> str | None:
    fillers: dict[Place, Filler] = {}
    for name, declared in parse_lists(getattr(variant.source_texts, field)).items():
        for index in range(len(declared.fillers)):
            place = Place(variant.id, field, name, index)
            text = places[place].text if place in places else text_at(variant.texts, place)
            found = parse_fillers(f"[{text}]") if text else ()
            if found:
                fillers[place] = found[0]
    return assembled(variant, field, fillers)


def _may_replace(variant: Variant, field: str, places: Mapping[Place, Given]) -> bool:
    """Say whether a list may be written over: nobody has changed it in length or in a filler."""
    now = _now(variant, field)
    if not now:
        return True
    try:
        lists, source = parse_lists(now), parse_lists(getattr(variant.source_texts, field))
    except SlotError:
        return False
    if _shape(lists) != _shape(source):
        return False
    return all(
        text_at(variant.texts, place) in {item.text, *item.before} for place, item in places.items()
    )


def _shape(lists: Mapping[str, SlotList]) -> dict[str, int]:
    return {name: -1 if item.open else len(item.fillers) for name, item in lists.items()}
