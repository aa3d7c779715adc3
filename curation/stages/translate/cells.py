"""What stands in the bank for a unit: the machine's text and the person's."""

from collections.abc import Mapping

from curation.model.bank import Texts, Variant
from curation.model.ids import VariantId
from curation.slots import SlotError, SlotText, parse_lists, parse_text, print_fillers
from curation.slots.protection import Flag, inspect
from curation.stages.translate.units import Kind, Place, Unit

Variants = Mapping[VariantId, Variant]
"""The bank's variants by id."""


def text_at(texts: Texts, place: Place) -> str:
    """Give the text at a place; of a list, the filler as written there."""
    cell: str = getattr(texts, place.field)
    if not place.slot:
        return cell
    try:
        declared = parse_lists(cell).get(place.slot)
    except SlotError:
        return ""
    if declared is None or place.index >= len(declared.fillers):
        return ""
    return print_fillers([declared.fillers[place.index]])[1:-1]


def machine_text(unit: Unit, variants: Variants) -> str:
    """Give the machine's text, of the first place that has one."""
    texts = (text_at(variants[place.variant].machine_texts, place) for place in unit.places)
    return next((text for text in texts if text), "")


def own_texts(unit: Unit, variants: Variants) -> tuple[str, ...]:
    """Give what people have written at the places of a unit, empty texts too, each once."""
    found = (text_at(variants[place.variant].texts, place) for place in unit.places)
    return tuple(dict.fromkeys(found))


def read_target(unit: Unit, text: str) -> SlotText:
    """Parse a translation as its unit wants it.

    Raises:
        SlotError: If it has brackets that are no slots.
    """
    return parse_text(text) if unit.kind is Kind.TEXT else SlotText((text,) if text else ())


def machine_flags(unit: Unit, text: str, language: str) -> tuple[Flag, ...]:
    """Say what a person has to look at in a machine's text as it stands in the bank."""
    try:
        return inspect(unit.parsed, read_target(unit, text), language)
    except SlotError:
        return (Flag.UNREADABLE,)
