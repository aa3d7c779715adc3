"""Translators' texts: verified, put into the bank where nobody has written since, and recorded."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, fields, replace
from pathlib import Path

from curation.annotation.labelstudio.answers import FROM_SERVER
from curation.annotation.translation.machine import assembled, with_features
from curation.annotation.translation.units import (
    LIST_FIELDS,
    Kind,
    Place,
    Unit,
    UnitKey,
    Variants,
    compared_features,
    is_bare,
    read_target,
    text_at,
    written_filler,
)
from curation.files.bank import write_bank
from curation.files.ledger import DECISIONS
from curation.files.tables import Row, read_table, refuse_problems, write_csv
from curation.files.workspace import Workspace
from curation.languages import LanguageOrCode
from curation.records.bank import SLOT_TEXT_FIELDS, Bank, Variant
from curation.records.errors import CurateError
from curation.records.ids import VariantId
from curation.records.survey import Decision, Outcome, Rule, Stage
from curation.records.wording import plural
from curation.slots import (
    Condition,
    Filler,
    Slot,
    SlotError,
    SlotList,
    SlotText,
    declared_lists,
    parse_conditions,
    parse_fillers,
    parse_lists,
    parse_text,
)
from curation.slots.agreement import agreement_for
from curation.slots.grammar import ALONE, print_text
from curation.slots.protection import Flag, inspect, slot_difference


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
        f"variants a and b in rows of their own: curate translate untie {template}"
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


def stands(unit: Unit, text: str, variants: Variants) -> bool:
    """Say whether a translation is in the bank, at one place of its unit at least."""
    return any(
        text_at(variants[place.variant].texts, place) == _as_written(place, text, variants)
        for place in unit.places
    )


def _as_written(place: Place, text: str, variants: Variants) -> str:
    """A translation as the bank would have it; a filler without what is not the translator's."""
    if not place.slot:
        return text
    filler = parse_fillers(f"[{text}]")[0]
    return written_filler(filler, compared_features(variants[place.variant].texts))


def put(bank: Bank, given: Sequence[Given]) -> Put:
    """Put translations into the columns of people.

    A cell is written when it is empty, or holds what the translator saw or sent before. A list
    is written when it is complete.
    """
    by_variant = _by_variant(given)
    written = unchanged = open_lists = 0
    conflicts: list[Conflict] = []
    variants = []
    for variant in bank.variants:
        own = by_variant.get(variant.id, {})
        cells: dict[str, str] = {}
        for field, text, ok, first in _decided(variant, own):
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


def waiting(bank: Bank, given: Sequence[Given]) -> frozenset[UnitKey]:
    """Name the texts that must wait: every list with them lacks another filler."""
    by_variant = _by_variant(given)
    open_cells = {
        (variant.id, field)
        for variant in bank.variants
        for field, text, _, _ in _decided(variant, by_variant.get(variant.id, {}))
        if text is None
    }
    return frozenset(
        item.unit.key
        for item in given
        if all((place.variant, place.field) in open_cells for place in item.unit.places)
    )


def _by_variant(given: Sequence[Given]) -> dict[VariantId, dict[Place, Given]]:
    found: dict[VariantId, dict[Place, Given]] = {}
    for item in given:
        for place in item.unit.places:
            found.setdefault(place.variant, {})[place] = item
    return found


def _now(variant: Variant, field: str) -> str:
    text: str = getattr(variant.texts, field)
    return text


def _decided(
    variant: Variant, own: Mapping[Place, Given]
) -> Iterator[tuple[str, str | None, bool, Given]]:
    """Yield for each cell what is to stand there, whether it may, and who gave it.

    What nobody translates comes along with the texts: a bare slot, and lists without fillers.
    """
    if not own:
        return
    by = next(iter(own.values()))
    for place, item in own.items():
        if not place.slot:
            now = _now(variant, place.field)
            yield place.field, item.text, not now or now in item.before, item
    given = {place.field for place in own}
    for field in SLOT_TEXT_FIELDS:
        slot = "" if field in given else _bare_slot(getattr(variant.source_texts, field))
        if slot and _now(variant, field) in ("", slot):
            yield field, slot, True, by
    for field in LIST_FIELDS:
        places = {place: item for place, item in own.items() if place.field == field}
        if places:
            text = _list_text(variant, field, places)
            first = next(iter(places.values()))
            yield field, text, _may_replace(variant, field, places), first
        elif not _now(variant, field) and _has_no_fillers(variant, field):
            yield field, _list_text(variant, field, {}), True, by


def _bare_slot(source: str) -> str:
    """A source text that is one slot and nothing else; empty for any other."""
    if not source.lstrip().startswith("["):
        return ""
    try:
        parsed = parse_text(source.strip())
    except SlotError:
        return ""
    return print_text(parsed) if is_bare(parsed) else ""


def _has_no_fillers(variant: Variant, field: str) -> bool:
    """Say whether the source's lists leave all to the survey, so that nobody translates them."""
    cell = getattr(variant.source_texts, field)
    try:
        lists, conditions = parse_lists(cell), parse_conditions(cell)
    except SlotError:
        return False
    has_fillers = any(item.text for one in lists.values() for item in one.fillers)
    return bool(lists or conditions) and not has_fillers


def _list_text(variant: Variant, field: str, places: Mapping[Place, Given]) -> str | None:
    fillers: dict[Place, Filler] = {}
    own, conditions = _own_lists(variant, field)
    compared = compared_features(variant.texts)
    for name, declared in parse_lists(getattr(variant.source_texts, field)).items():
        mine = own[name].fillers if name in own else ()
        for index in range(len(declared.fillers)):
            place = Place(variant.id, field, name, index)
            text = places[place].text if place in places else text_at(variant.texts, place)
            found = parse_fillers(f"[{text}]") if text else ()
            if found:
                known = mine[index] if index < len(mine) else Filler("")
                fillers[place] = with_features(found[0], known, compared)
    return assembled(variant, field, fillers, conditions)


def _own_lists(
    variant: Variant, field: str
) -> tuple[Mapping[str, SlotList], Sequence[Condition] | None]:
    """The lists and conditions that people have written; None for those of the source."""
    now = _now(variant, field)
    if not now:
        return {}, None
    try:
        return parse_lists(now), parse_conditions(now)
    except SlotError:
        return {}, None


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


@dataclass(frozen=True, slots=True)
class Returned:
    """A translation that was put into the bank.

    Attributes:
        template_id: Template of the text.
        version: Version of the variants that it is in; mostly empty.
        variant: Letter of the variant that it is in, where the template is untied; else empty.
        kind: `text`, `plain` or `filler`.
        source: The source text.
        translation: Its translation.
        remark: The translator's remark.
        translator: Name of the translator.
        source_file: The workbook as it was received, or a project.
        collected_at: When it was read, UTC.
        confirmed: Whether somebody has confirmed a text that is as the machine wrote it: `yes`,
            `no`, `unknown` where nobody was asked; empty where a person has written it.
        confirmed_by: Who confirmed it.
        confirmed_in: The workbook, project or command of the confirmation.
        confirmed_at: When it was confirmed, UTC.
        over: Texts of other translators that were not chosen.
    """

    template_id: str
    version: str
    variant: str
    kind: str
    source: str
    translation: str
    remark: str = ""
    translator: str = ""
    source_file: str = ""
    collected_at: str = ""
    confirmed: str = ""
    confirmed_by: str = ""
    confirmed_in: str = ""
    confirmed_at: str = ""
    over: tuple[str, ...] = ()

    @property
    def key(self) -> UnitKey:
        """What it translates."""
        return self.template_id, self.version, self.variant, self.kind, self.source


def recorded(taken: Mapping[UnitKey, Returned], unit: Unit) -> Returned | None:
    """What was put into the bank for a unit; of an untied one perhaps with the other variants."""
    template, version, _, kind, text = unit.key
    return taken.get(unit.key) or taken.get((template, version, "", kind, text))


YES, NO, UNKNOWN = CONFIRMATIONS = ("yes", "no", "unknown")
"""What `confirmed` may say of a text that is as the machine wrote it."""
RETURNED_COLUMNS = tuple(item.name for item in fields(Returned))


def returned_file(root: Path) -> Path:
    """The path of the table in a workspace."""
    return root / "annotations" / "translated.csv"


def read_returned(path: Path) -> dict[UnitKey, Returned]:
    """Read what was collected before, by what it translates; nothing where there is no file.

    Raises:
        CurateError: If it cannot be read, or a text has two translations.
    """
    if not path.exists():
        return {}
    table = read_table(path, required=("template_id", "kind", "source", "translation"))
    refuse_problems(table)
    found: dict[UnitKey, Returned] = {}
    asked = "confirmed" in table.columns
    for row in table.rows:
        item = _returned(row, table.file)
        item = item if asked else _from_before(item)
        if item.key in found:
            raise CurateError(
                f"a text of {item.template_id} has two translations",
                f"{table.file}, row {row.number}",
                "keep one of the two",
            )
        found[item.key] = item
    return found


def _returned(row: Row, file: str) -> Returned:
    try:
        over = json.loads(row.get("over") or "[]")
        if not isinstance(over, list):
            raise ValueError(over)
    except ValueError as error:
        raise CurateError(
            f"'{row.get('over')}' is not a list of texts",
            f"{file}, row {row.number}, column over",
            'write a JSON list, ["one", "other"], or nothing',
        ) from error
    texts = {name: row.get(name) for name in RETURNED_COLUMNS[:-1]}
    found = Returned(**texts, over=tuple(map(str, over)))
    if found.confirmed not in ("", *CONFIRMATIONS):
        raise CurateError(
            f"'{found.confirmed}' is not a confirmation",
            f"{file}, row {row.number}, column confirmed",
            f"write one of {', '.join(CONFIRMATIONS)}, or nothing",
        )
    return found


def _from_before(item: Returned) -> Returned:
    """A text of a table that knows of no confirmation.

    Who has submitted a page has seen its text; of a workbook that is not known.
    """
    if not item.source_file.startswith(FROM_SERVER):
        return replace(item, confirmed=UNKNOWN)
    return confirmed(item, item.translator, item.source_file, item.collected_at)


def confirmed(item: Returned, by: str, where: str, at: str) -> Returned:
    """A text that somebody confirms."""
    return replace(item, confirmed=YES, confirmed_by=by, confirmed_in=where, confirmed_at=at)


def write_returned(path: Path, items: Iterable[Returned]) -> None:
    """Write the table in place of `path`.

    Raises:
        CurateError: If it cannot be written.
    """
    rows = (
        [*astuple(item)[:-1], json.dumps(item.over, ensure_ascii=False) if item.over else ""]
        for item in items
    )
    write_csv(path, RETURNED_COLUMNS, rows)


def save_taken(
    workspace: Workspace,
    result: Put,
    known: Mapping[UnitKey, Returned],
    found: Iterable[tuple[Unit, Returned]],
) -> None:
    """Write the bank, then which texts were put into it, then who has confirmed which.

    A text that was left out of the bank is not recorded: what stands there is somebody else's.
    A run that ends between two writes has put its texts into the bank, and the next one
    records them.

    Args:
        workspace: The workspace.
        result: The bank with the texts.
        known: What was recorded before.
        found: The texts, with what they translate.

    Raises:
        CurateError: If a file cannot be written.
    """
    variants = {variant.id: variant for variant in result.bank.variants}
    merged = dict(known)
    for unit, item in found:
        if stands(unit, item.translation, variants):
            merged[item.key] = _merged(merged.get(item.key), item)
    if result.written:
        write_bank(workspace.bank_file, result.bank)
    if merged != dict(known):
        write_returned(returned_file(workspace.root), merged.values())
    DECISIONS.append(workspace.ledger_file, _decisions(known, merged.values()))


def _merged(earlier: Returned | None, item: Returned) -> Returned:
    """What is recorded of a text: a confirmation holds while the text stays the same."""
    if earlier is None or earlier.translation != item.translation:
        return item
    over = item.over or earlier.over
    if item.confirmed == YES != earlier.confirmed:
        says = item.confirmed_by, item.confirmed_in, item.confirmed_at
        earlier = confirmed(earlier, *says)
    if (earlier.remark, earlier.over) == (item.remark, over):
        return earlier
    kept = {name: getattr(earlier, name) for name in RETURNED_COLUMNS if name in _CONFIRMATION}
    return replace(item, over=over, **kept)


_CONFIRMATION = ("confirmed", "confirmed_by", "confirmed_in", "confirmed_at")


def _decisions(known: Mapping[UnitKey, Returned], now: Iterable[Returned]) -> list[Decision]:
    """A decision for each template of which texts were confirmed, who confirmed them, and where."""
    counts: Counter[tuple[str, str, str]] = Counter()
    for item in now:
        earlier = known.get(item.key)
        same = earlier is not None and earlier.translation == item.translation
        if item.confirmed == YES and not (same and earlier and earlier.confirmed == YES):
            counts[item.template_id, item.confirmed_by, item.confirmed_at] += 1
    return [
        Decision(
            subject=template,
            stage=Stage.TRANSLATE,
            rule=Rule.UNCHANGED,
            outcome=Outcome.KEEP,
            reason=f"{count} {plural('text', count)} confirmed as the machine wrote "
            f"{'it' if count == 1 else 'them'}",
            k=count,
            by=by,
            at=at,
        )
        for (template, by, at), count in counts.items()
    ]


def conflict_message(conflict: Conflict) -> tuple[str, str]:
    """Say that a text was not written because of the bank's text, and what to do."""
    return (
        f"{conflict.place.variant}, {conflict.place.field}: somebody has written "
        f"'{conflict.now}' in the bank since; this is kept",
        "compare the two; to use the translator's text, empty the cell in the bank and collect "
        "again",
    )
