"""The translator's workbook: a row for each distinct text of a template."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from curation.io.workbooks import Book, Column, Sheet, SheetRow
from curation.model.bank import Bank, Texts
from curation.model.errors import CurateError
from curation.slots import SlotError, declared_lists, print_fillers
from curation.slots.grammar import print_text
from curation.slots.proposals import propose
from curation.slots.protection import Flag
from curation.stages.translate.cells import (
    Variants,
    machine_flags,
    machine_text,
    own_texts,
    read_target,
)
from curation.stages.translate.entities import entities
from curation.stages.translate.units import Kind, Unit

KIND = "translate"
"""The kind of the workbook."""
TRANSLATION = "translation"
"""The column that the translator writes in."""

_COLUMNS = (
    Column("template_id", 16),
    Column("where", 26, note="The variants and fields that the text stands in."),
    Column("source", 56),
    Column("slots", 30, note="Keep each of these, as often as it stands here, in any order."),
    Column("machine", 50, note="What the machine made of it."),
    Column("look_at", 22, note="Why the machine's text was not put into 'translation'."),
    Column("proposed", 26, note="Agreement that the machine's text seems to ask for."),
    Column("names", 22, note="Names in the source: do they mean anything here?"),
    Column("note", 26, note="Remarks of the curators."),
    Column("in_bank", 30, note="What people have written so far."),
    Column(TRANSLATION, 60, editable=True, note="The text as it is to be."),
    Column("remark", 28, editable=True, note="Anything else."),
)
_LOOK_AT = {
    Flag.UNREADABLE: "brackets that are no slots",
    Flag.EMPTY: "empty",
    Flag.MARKUP: "tags or entities are left",
    Flag.SLOTS: "other slots than the source",
    Flag.SPACING: "spaces around a slot",
    Flag.MOVED: "a slot was moved to the front",
    Flag.SAME: "equals the source",
}
_INSTRUCTIONS = (
    "# Translating templates",
    "Each row of the sheet 'texts' is one text. Write its translation into the yellow column "
    "'translation'. Where the machine's text has nothing to object to it stands there already: "
    "read it, mend it, or leave it. Leave a cell empty to come back to it later.",
    "[N1], [N2], [W1], ... are slots: names and words are put in there. Keep every slot of the "
    "source as often as it stands there; move it where the language wants it.",
    "[N1|은/는] takes the particle that fits the name; where the machine's text shows one, that "
    "is proposed. [N1: form1, form2] lists a form for each filler, in the order of the column "
    "'slots', where nothing else will do.",
    "A row without slots may be a filler, one of the names that are put in: 'where' says so. If "
    "it cannot be read as it is spelled, give its reading after a bar: DJ|디제이.",
    "'names' lists shops, places and people of the source. Put in what people here know, and "
    "say so in the remark.",
    "You may sort rows, hide and move columns. Please do not rename columns, merge cells or "
    "write formulas. Save the file as .xlsx under any name and send it back.",
)


@dataclass(frozen=True, slots=True)
class Entry:
    """A unit with all that a translator has to know of it.

    Attributes:
        unit: The unit.
        key: Tells it from every other.
        machine: The machine's text.
        flags: What to look at in it.
        own: What people have written, empty texts too.
        proposed: Agreement that is proposed, in words.
        prefill: What stands in the column to write in.
        note: The curators' remarks.
    """

    unit: Unit
    key: str
    machine: str
    flags: tuple[Flag, ...]
    own: tuple[str, ...]
    proposed: tuple[str, ...]
    prefill: str
    note: str


def unit_key(unit: Unit) -> str:
    """Give a short name for a unit that changes with its source text."""
    return hashlib.sha256("\x1f".join(unit.key).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def unit_uid(unit: Unit) -> str:
    """Name a unit where those of all templates lie together, as on a server."""
    return f"{unit.template}-{unit_key(unit)}"


def entries(units: Iterable[Unit], bank: Bank, language: str) -> list[Entry]:
    """Put together what a translator has to know of each unit."""
    variants = {variant.id: variant for variant in bank.variants}
    return [_entry(unit, variants, language) for unit in units]


def _entry(unit: Unit, variants: Variants, language: str) -> Entry:
    machine = machine_text(unit, variants)
    own = own_texts(unit, variants)
    flags = machine_flags(unit, machine, language) if machine else ()
    prefill, proposed = _proposed(unit, machine, language)
    written = [text for text in own if text]
    if written:
        prefill = written[0] if len(written) == 1 else ""
    elif flags:
        prefill = ""
    notes = dict.fromkeys(variants[place.variant].note for place in unit.places)
    return Entry(
        unit, unit_key(unit), machine, flags, own, proposed, prefill, "\n".join(filter(None, notes))
    )


def _proposed(unit: Unit, machine: str, language: str) -> tuple[str, tuple[str, ...]]:
    if unit.kind is not Kind.TEXT or not machine:
        return machine, ()
    try:
        text, found = propose(read_target(unit, machine), language)
    except SlotError:
        return "", ()
    return print_text(text), tuple(f"{item.found} → {item.proposed}" for item in found)


def translation_sheet(rows: Sequence[Entry], variants: Variants) -> Sheet:
    """Make the sheet of some entries."""
    return Sheet("texts", _COLUMNS, tuple(SheetRow(e.key, _cells(e, variants)) for e in rows))


def translation_book(rows: Sequence[Entry], variants: Variants, about: Mapping[str, str]) -> Book:
    """Make a translator's workbook.

    Args:
        rows: What is to be translated.
        variants: The bank's variants.
        about: What has to come back: the translator, and which templates were chosen.
    """
    return Book(KIND, (translation_sheet(rows, variants),), _INSTRUCTIONS, about)


def _cells(entry: Entry, variants: Variants) -> dict[str, str]:
    unit = entry.unit
    return {
        "template_id": str(unit.template),
        "where": where(unit),
        "source": unit.text,
        "slots": _slots(unit, variants),
        "machine": entry.machine,
        "look_at": "; ".join(_LOOK_AT[flag] for flag in entry.flags),
        "proposed": "\n".join(entry.proposed),
        "names": ", ".join(entities(unit)),
        "note": entry.note,
        "in_bank": "\n".join(text for text in entry.own if text),
        TRANSLATION: entry.prefill,
        "remark": "",
    }


def where(unit: Unit) -> str:
    """Name fields with their variants: `ambiguous_context (a, b)`."""
    fields: dict[str, dict[str, None]] = {}
    for place in unit.places:
        name = f"filler of {place.slot}" if place.slot else place.field
        fields.setdefault(name, {})[place.variant.letter.value] = None
    return "\n".join(f"{name} ({', '.join(letters)})" for name, letters in fields.items())


def _slots(unit: Unit, variants: Variants) -> str:
    """List the slots of a text, each as often as it stands there, with its fillers once."""
    first = variants[unit.places[0].variant].source_texts
    counts: dict[str, int] = {}
    for slot in unit.parsed.slots:
        counts[slot.name] = counts.get(slot.name, 0) + 1
    return "\n".join(
        f"[{name}]{f' {count} times' if count > 1 else ''} = {_fillers_of(first, name)}"
        for name, count in counts.items()
    )


def _fillers_of(texts: Texts, name: str) -> str:
    """Give the fillers of a slot as written, or a dash where there are none."""
    try:
        lists = declared_lists(texts.names, texts.words)
    except CurateError:
        return "-"
    return print_fillers(lists[name].fillers)[1:-1] if name in lists else "-"
