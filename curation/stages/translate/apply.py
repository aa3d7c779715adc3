"""Machine text into the bank, beside the person's."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from curation.model.bank import SLOT_TEXT_FIELDS, Bank, Variant
from curation.slots import Filler, SlotError, SlotList, SlotText, parse_lists, print_lists
from curation.slots.grammar import print_text
from curation.slots.protection import bare
from curation.stages.translate.settle import Settled
from curation.stages.translate.units import LIST_FIELDS, Kind, Place, Unit


def written(kind: Kind, text: SlotText) -> str:
    """Give a translation as a cell holds it: plain text needs no escapes."""
    if kind is Kind.TEXT:
        return print_text(text)
    return "".join(part if isinstance(part, str) else f"[{part.name}]" for part in text.parts)


def apply_machine(
    bank: Bank, units: Sequence[Unit], settled: Mapping[SlotText, Settled]
) -> tuple[Bank, int]:
    """Write translations into the machine columns; the person's columns are not touched.

    A list is written when all its fillers are translated.

    Args:
        bank: The templates.
        units: What was to be translated.
        settled: Translations by text with bare slots.

    Returns:
        The bank, and how many cells changed.
    """
    texts: dict[Place, str] = {}
    for unit in units:
        found = settled.get(bare(unit.parsed))
        if found is not None:
            texts.update(dict.fromkeys(unit.places, written(unit.kind, found.text)))
    touched = {place.variant for place in texts}
    changed = 0
    variants = []
    for variant in bank.variants:
        cells = _machine_cells(variant, texts) if variant.id in touched else {}
        changed += len(cells)
        machine = replace(variant.machine_texts, **cells)  # type: ignore[arg-type]  # text alone
        variants.append(replace(variant, machine_texts=machine) if cells else variant)
    return Bank(tuple(variants)), changed


def _machine_cells(variant: Variant, texts: Mapping[Place, str]) -> dict[str, str]:
    """Give the machine cells of a variant that differ from what stands there."""
    cells: dict[str, str] = {}
    for field in ("stereotype", *SLOT_TEXT_FIELDS):
        text = texts.get(Place(variant.id, field))
        if text is not None:
            cells[field] = text
    fillers = _fillers(variant, texts)
    for field in LIST_FIELDS:
        text = assembled(variant, field, fillers)
        if text is not None:
            cells[field] = text
    return {
        field: text
        for field, text in cells.items()
        if text != getattr(variant.machine_texts, field)
    }


def assembled(variant: Variant, field: str, translated: Mapping[Place, Filler]) -> str | None:
    """Put the translated fillers of a cell together; None while one of them is missing.

    Open lists and empty fillers stay as they are in the source.
    """
    try:
        source = parse_lists(getattr(variant.source_texts, field))
    except SlotError:
        return None
    lists = []
    for name, declared in source.items():
        fillers = []
        for index, filler in enumerate(declared.fillers):
            found = translated.get(Place(variant.id, field, name, index))
            if found is None and filler.text:
                return None
            fillers.append(found or filler)
        lists.append(SlotList(name, tuple(fillers), declared.open))
    return print_lists(lists) if lists else None


def _fillers(variant: Variant, texts: Mapping[Place, str]) -> dict[Place, Filler]:
    """Give the translated fillers of a variant by place."""
    found: dict[Place, Filler] = {}
    for field in LIST_FIELDS:
        try:
            declared = parse_lists(getattr(variant.source_texts, field))
        except SlotError:
            continue
        for name, item in declared.items():
            for index in range(len(item.fillers)):
                place = Place(variant.id, field, name, index)
                if place in texts:
                    found[place] = Filler(texts[place])
    return found
