"""What is asked of an engine for each unit, which reply holds, and machine text of a bank."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from curation.annotation.translation.units import (
    LIST_FIELDS,
    Kind,
    Place,
    Unit,
    compared_features,
)
from curation.languages import LanguageOrCode
from curation.records.bank import SLOT_TEXT_FIELDS, Bank, Variant
from curation.slots import (
    Condition,
    Filler,
    SlotError,
    SlotList,
    SlotText,
    parse_conditions,
    parse_lists,
    print_lists,
)
from curation.slots.grammar import print_text
from curation.slots.protection import (
    BROKEN,
    Flag,
    Protected,
    bare,
    has_words,
    inspect,
    protect,
    restore,
)

_ASKED_AGAIN = BROKEN | {Flag.SPACING, Flag.MOVED, Flag.ORDER}


@dataclass(frozen=True, slots=True)
class Wanted:
    """One distinct text of the bank, to be translated once.

    Attributes:
        source: The text.
        plain: As it is sent.
        filled: As it is sent again when a slot has suffered; None without slots or fillers.
        contexts: Contexts of the templates that it stands in, in the bank's order.
    """

    source: SlotText
    plain: Protected
    filled: Protected | None
    contexts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Question:
    """A text to send: with a context, for so many characters."""

    wire: str
    context: str
    characters: int


@dataclass(frozen=True, slots=True)
class Settled:
    """The result for a text: its translation, with the flags that a person has to check.

    `again` says that it was asked for a second time.
    """

    text: SlotText
    flags: tuple[Flag, ...]
    again: bool = False


Lookup = Callable[[str, str], str | None]
"""The reply to a text in a context, where it is known."""


def wanted_texts(units: Iterable[Unit], bank: Iterable[Unit] = ()) -> dict[SlotText, Wanted]:
    """The distinct texts of units, slots bare, in order.

    Texts that differ in their slots' names alone are sent as the same text, so they share
    their contexts.

    Args:
        units: What is to be translated.
        bank: Texts that are not, or not any more: an equal one that was paid for in their context
            is not paid for again.
    """
    contexts: dict[str, dict[str, None]] = {}
    first: dict[SlotText, tuple[Unit, Protected]] = {}
    for unit in units:
        plain = protect(unit.parsed)
        contexts.setdefault(plain.wire, {}).setdefault(unit.context)
        first.setdefault(bare(unit.parsed), (unit, plain))
    for unit in bank:
        known = contexts.get(protect(unit.parsed).wire)
        if known is not None:
            known.setdefault(unit.context)
    return {
        text: Wanted(unit.parsed, plain, _with_fillers(unit), tuple(contexts[plain.wire]))
        for text, (unit, plain) in first.items()
    }


def _with_fillers(unit: Unit) -> Protected | None:
    fillers = {name: filler for name, filler in unit.fillers if filler}
    return protect(unit.parsed, fillers) if fillers else None


def settle(
    wanted: Wanted, known: Lookup, language: LanguageOrCode, *, again: bool = True
) -> Settled | Question:
    """Say what a text has become, or what is to be sent for it.

    A text without a letter outside slots is its own translation. A reply whose slots have
    suffered is asked for once more, with a filler in each tag; the better one of the two holds.

    Args:
        wanted: The text.
        known: The replies so far.
        language: That of the translation, or its ISO 639-1 code.
        again: Whether asking once more is of use.
    """
    if not has_words(wanted.source):
        return Settled(bare(wanted.source), ())
    context, reply = _first_known(wanted, known)
    if reply is None:
        return Question(wanted.plain.wire, context, wanted.plain.characters)
    first = _judged(wanted, wanted.plain, reply, language)
    if not again or wanted.filled is None or not _ASKED_AGAIN & {*first.flags}:
        return first
    second_reply = known(wanted.filled.wire, context)
    if second_reply is None:
        return Question(wanted.filled.wire, context, wanted.filled.characters)
    second = _judged(wanted, wanted.filled, second_reply, language)
    best = min((first, second), key=_weight)
    return Settled(best.text, best.flags, again=True)


def _first_known(wanted: Wanted, known: Lookup) -> tuple[str, str | None]:
    for context in wanted.contexts:
        reply = known(wanted.plain.wire, context)
        if reply is not None:
            return context, reply
    return wanted.contexts[0], None


def _judged(wanted: Wanted, sent: Protected, reply: str, language: LanguageOrCode) -> Settled:
    text = restore(sent, reply)
    return Settled(text, inspect(wanted.source, text, language))


def _weight(settled: Settled) -> tuple[int, bool, int]:
    """How bad a text is: broken, then with people who may be exchanged, then by its flags."""
    flags = settled.flags
    return len(BROKEN & {*flags}), Flag.ORDER in flags, len(flags)


def settle_all(
    wanted: Mapping[SlotText, Wanted],
    known: Lookup,
    language: LanguageOrCode,
    *,
    again: bool = True,
) -> tuple[dict[SlotText, Settled], list[Question]]:
    """Settle texts.

    Returns:
        What is settled, by text with bare slots, and what is to be sent, each once.
    """
    settled: dict[SlotText, Settled] = {}
    questions: dict[tuple[str, str], Question] = {}
    for text, item in wanted.items():
        outcome = settle(item, known, language, again=again)
        if isinstance(outcome, Question):
            questions[outcome.wire, outcome.context] = outcome
        else:
            settled[text] = outcome
    return settled, list(questions.values())


def keys_of(wanted: Iterable[Wanted]) -> list[tuple[str, str]]:
    """Every text and context whose reply may be known."""
    return [
        (sent.wire, context)
        for item in wanted
        for context in item.contexts
        for sent in (item.plain, item.filled)
        if sent is not None
    ]


def written(kind: Kind, text: SlotText) -> str:
    """A translation as a cell holds it: plain text needs no escapes."""
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
    """The machine cells of a variant that differ from what stands there."""
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


def assembled(
    variant: Variant,
    field: str,
    translated: Mapping[Place, Filler],
    conditions: Sequence[Condition] | None = None,
) -> str | None:
    """Put the translated fillers of a cell together; None while one of them is missing.

    Open lists and empty fillers stay as they are in the source. Features that conditions compare
    come from there, where a translated filler has none.

    Args:
        variant: The variant.
        field: The cell.
        translated: The translated fillers by place.
        conditions: What the fillings have to meet; what the source says by default.
    """
    cell = getattr(variant.source_texts, field)
    try:
        source = parse_lists(cell)
        said = parse_conditions(cell) if conditions is None else conditions
    except SlotError:
        return None
    compared = compared_features(variant.source_texts)
    lists = []
    for name, declared in source.items():
        fillers = []
        for index, filler in enumerate(declared.fillers):
            found = translated.get(Place(variant.id, field, name, index))
            if found is None and filler.text:
                return None
            fillers.append(with_features(found, filler, compared) if found else filler)
        lists.append(SlotList(name, tuple(fillers), declared.open))
    return print_lists(lists, said) if lists or said else None


def with_features(filler: Filler, other: Filler, compared: Collection[str]) -> Filler:
    """A filler with those compared features of another that it has not itself."""
    taken = tuple(
        (key, value)
        for key, value in other.features
        if key in compared and filler.feature(key) is None
    )
    return replace(filler, features=(*filler.features, *taken))


def _fillers(variant: Variant, texts: Mapping[Place, str]) -> dict[Place, Filler]:
    """The translated fillers of a variant by place."""
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
