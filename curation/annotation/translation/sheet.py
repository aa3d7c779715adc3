"""The translator's workbook: a row for each distinct text of a template."""

import hashlib
import json
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from curation.annotation.sheets import columns, distinct_names, hand_out, sheet_paths
from curation.annotation.translation.units import (
    Kind,
    Unit,
    Variants,
    choice_of,
    entities,
    machine_flags,
    machine_text,
    own_texts,
    read_target,
    units_of,
)
from curation.files.annotations import AnnotationsFolder
from curation.files.lock import writing
from curation.files.workbooks import Book, Sheet, SheetRow
from curation.files.workspace import Workspace
from curation.languages import LanguageOrCode
from curation.records.bank import Bank, Texts
from curation.records.errors import CurateError
from curation.records.findings import Finding
from curation.slots import Filler, Slot, SlotError, declared_lists, print_fillers
from curation.slots.grammar import print_text
from curation.slots.proposals import propose
from curation.slots.protection import Flag, bare

KIND = "translate"
"""The kind of the workbook."""
TRANSLATION = "translation"
"""The column that the translator writes in."""

_LOOK_AT = {
    Flag.UNREADABLE: "brackets that are no slots",
    Flag.EMPTY: "empty",
    Flag.MARKUP: "tags or entities are left",
    Flag.SLOTS: "other slots than the source",
    Flag.SPACING: "spaces around a slot",
    Flag.MOVED: "a slot was moved to the front",
    Flag.SAME: "equals the source",
}


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
    """A short name for a unit that changes with its source text."""
    text = "\x1f".join(filter(None, unit.key))  # a version is named only where there is one
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def unit_uid(unit: Unit) -> str:
    """Name a unit where those of all templates lie together, as on a server."""
    return f"{unit.template}-{unit_key(unit)}"


def entries(units: Iterable[Unit], bank: Bank, language: LanguageOrCode) -> list[Entry]:
    """Put together what a translator has to know of each unit."""
    variants = {variant.id: variant for variant in bank.variants}
    return [_entry(unit, variants, language) for unit in units]


def _entry(unit: Unit, variants: Variants, language: LanguageOrCode) -> Entry:
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


def _proposed(unit: Unit, machine: str, language: LanguageOrCode) -> tuple[str, tuple[str, ...]]:
    if unit.kind is not Kind.TEXT or not machine:
        return machine, ()
    try:
        text, found = propose(read_target(unit, machine), language)
    except SlotError:
        return "", ()
    return print_text(text), tuple(f"{item.found} → {item.proposed}" for item in found)


def translation_sheet(rows: Sequence[Entry], variants: Variants) -> Sheet:
    """Make the sheet of some entries."""
    return Sheet(
        "texts", columns("texts"), tuple(SheetRow(e.key, _cells(e, variants)) for e in rows)
    )


def translation_book(rows: Sequence[Entry], variants: Variants, about: Mapping[str, str]) -> Book:
    """Make a translator's workbook.

    Args:
        rows: What is to be translated.
        variants: The bank's variants.
        about: What has to come back: the translator, and which templates were chosen.
    """
    return Book(KIND, (translation_sheet(rows, variants),), about=about)


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
        fields.setdefault(name, {})[place.variant.short] = None
    return "\n".join(f"{name} ({', '.join(letters)})" for name, letters in fields.items())


def _slots(unit: Unit, variants: Variants) -> str:
    """List the slots of a text, each as often as it stands there, with its fillers once."""
    first = variants[unit.places[0].variant].source_texts
    counts = Counter(bare(unit.parsed).slots)
    return "\n".join(
        f"[{slot.key}]{f' {count} times' if count > 1 else ''} = {_fillers_of(first, slot)}"
        for slot, count in counts.items()
    )


def _fillers_of(texts: Texts, slot: Slot) -> str:
    """The fillers of a slot in the form that it asks for, or a dash where there are none."""
    try:
        lists = declared_lists(texts.names, texts.words)
    except CurateError:
        return "-"
    if slot.name not in lists:
        return "-"
    fillers = lists[slot.name].fillers
    named = [(item.feature(slot.named) if slot.named else None) or item.text for item in fillers]
    plain = (Filler(text, item.reading) for text, item in zip(named, fillers, strict=True))
    return print_fillers(plain)[1:-1]


@dataclass(frozen=True, slots=True)
class Selection:
    """Which templates a workbook holds; it travels in the workbook.

    Attributes:
        unlabelled: Whether those that nobody has classified are in it.
        categories: Only these; all where there are none.
        part: Which share of the templates, from 0, of how many.
    """

    unlabelled: bool = False
    categories: tuple[str, ...] = ()
    part: tuple[int, int] = (0, 1)

    def to_text(self) -> str:
        """Write it as the workbook holds it."""
        return json.dumps([self.unlabelled, list(self.categories), list(self.part)])

    @classmethod
    def from_text(cls, text: str) -> "Selection":
        """Read it back.

        Raises:
            ValueError: If it is none.
        """
        unlabelled, categories, (part, parts) = json.loads(text)
        return cls(bool(unlabelled), tuple(map(str, categories)), (int(part), int(parts)))

    def holds(self, template: str, category: str) -> bool:
        """Say whether a template is in it; templates that come or go do not move others."""
        digest = int.from_bytes(hashlib.sha256(template.encode()).digest()[:4])
        wanted = not self.categories or category in self.categories
        return wanted and digest % self.part[1] == self.part[0]


def selected(
    workspace: Workspace, selection: Selection, untied: Collection[str] | None = None
) -> tuple[list[Entry], list[Finding]]:
    """What a workbook of a selection holds today, and what of the bank cannot be parsed.

    Args:
        workspace: The workspace.
        selection: Which templates.
        untied: Those whose variants are texts of their own; None for what the bank says.
    """
    choice = replace(choice_of(workspace, unlabelled=selection.unlabelled), untied=untied)
    units, findings = units_of(workspace, choice)
    chosen = [unit for unit in units if selection.holds(str(unit.template), unit.category)]
    return entries(chosen, workspace.bank, workspace.language), findings


_UNTIED = "untied"
_EVERY = "*"


def _about_untied(untied: Collection[str], rows: Iterable[Entry]) -> dict[str, str]:
    """What a workbook says of untied templates; nothing where none of its templates is."""
    held = {str(entry.unit.template) for entry in rows}
    if held.isdisjoint(untied):
        return {}
    return {_UNTIED: _EVERY if held <= {*untied} else json.dumps(sorted(held & {*untied}))}


def untied_then(about: Mapping[str, str], bank: Bank) -> frozenset[str]:
    """The templates that were untied when a workbook was made.

    Raises:
        CurateError: If it does not say so in a way that is understood.
    """
    said = about.get(_UNTIED, "[]")
    try:
        names = bank.template_names if said == _EVERY else frozenset(map(str, json.loads(said)))
    except (ValueError, TypeError) as error:
        raise CurateError(
            "the workbook does not say which templates are untied in it", hint="make it anew"
        ) from error
    return frozenset(names)


@dataclass(frozen=True, slots=True)
class TranslatorSheet:
    """The workbook of one translator.

    Attributes:
        translator: Who; empty where nobody was named.
        file: The workbook.
        texts: How many texts it holds.
        prefilled: Those with a text to start from.
        flagged: Those whose machine text has something to look at.
        proposed: Forms of agreement that are proposed.
    """

    translator: str
    file: Path
    texts: int
    prefilled: int
    flagged: int
    proposed: int


@dataclass(frozen=True, slots=True)
class TranslationSheets:
    """Workbooks for translators that were made, and source texts that cannot be parsed."""

    sheets: tuple[TranslatorSheet, ...]
    findings: tuple[Finding, ...]


def make_translation_sheets(
    workspace: Workspace,
    translators: Sequence[str] = (),
    categories: Sequence[str] = (),
    out: Path | None = None,
    *,
    unlabelled: bool = False,
) -> TranslationSheets:
    """Make workbooks for translators: a row a text, with the machine's text to start from.

    The templates are shared out; who gets none gets no workbook.

    Args:
        workspace: The workspace.
        translators: Who translates; one workbook in nobody's name by default.
        categories: Only these; all by default.
        out: The folder; `annotations/sheets` by default.
        unlabelled: Whether templates that nobody has classified are in them.

    Raises:
        CurateError: If names cannot be told apart, there is nothing to translate, or a workbook
            is in the way.
    """
    names = distinct_names(translators)
    folder = out or AnnotationsFolder(workspace.root).sheets
    paths = sheet_paths(folder, "translate", names) or [folder / "translate.xlsx"]
    made = []
    with writing(workspace, "curate translate sheet", to=out):
        variants = {variant.id: variant for variant in workspace.bank.variants}
        for at, (name, path) in enumerate(zip(names or [""], paths, strict=True)):
            selection = Selection(unlabelled, tuple(categories), (at, len(paths)))
            rows, findings = selected(workspace, selection)
            if rows:
                about = {"translator": name, "selection": selection.to_text()}
                about |= _about_untied(workspace.untied, rows)
                book = translation_book(rows, variants, about)
                hand_out(path, book, workspace.language)
                made.append(_sheet_made(name, path, rows))
    if not made:
        raise CurateError(
            "nothing is to be translated",
            workspace.shown(workspace.bank_file),
            "templates have to be labelled ST or TM; --unlabelled takes the others too",
        )
    return TranslationSheets(tuple(made), tuple(findings))


def _sheet_made(name: str, path: Path, rows: Sequence[Entry]) -> TranslatorSheet:
    return TranslatorSheet(
        translator=name,
        file=path,
        texts=len(rows),
        prefilled=sum(bool(entry.prefill) for entry in rows),
        flagged=sum(bool(entry.flags) for entry in rows),
        proposed=sum(len(entry.proposed) for entry in rows),
    )
