"""Translations that came back, put together: in workbooks, on pages, from a machine, in the bank.

All go through `Merged`. What is written for fewer templates holds before what is written for more,
and what a person has looked at before what nobody has. A person's later text holds before the
earlier one. Where people differ, or the bank has been edited since, nothing is overwritten: that is
a conflict, which is listed once, until somebody chooses.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

from curation.annotation.translation import units as corpus
from curation.files.codec import DECISIONS
from curation.files.workspace import Workspace
from curation.records import bank as records
from curation.records.annotation import person_key
from curation.records.messages import Finding, Severity, counted, finding
from curation.records.survey import Decision, Outcome, Rule, Stage
from curation.slots import grammar
from curation.slots.protection import has_words


@dataclass(frozen=True, eq=False, slots=True)
class Offer:
    """A translation of one text that somebody has returned.

    Attributes:
        unit: The text.
        text: The translation.
        by: Who returned it; empty where nobody is named.
        at: When it was read first, UTC, ISO 8601.
        origin: What it came in: a row of a workbook, or the answer on a page.
        place: Its name, for messages.
        remark: What was said beside it.
        rank: What is meant for fewer texts goes first: 2 for those of one template, written apart;
            1 for those of one variant.
        touched: Whether the person has written or confirmed it.
        confirmed: Who says that it holds; empty where nobody has.
        before: What the person was shown: a text in the place of which another may stand.
    """

    unit: corpus.Unit
    text: str
    by: str
    at: str
    origin: Any
    place: str = ""
    remark: str = ""
    rank: int = 0
    touched: bool = True
    confirmed: str = ""
    before: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Conflict:
    """A text that was returned and not taken.

    Attributes:
        unit: What it translates.
        offers: The translations, the last of which is not taken in any case.
        now: What stands in its place; empty where the offers differ among themselves.
        by: Who returned what stands there; empty where it was written in the bank.
        known: Whether it was taken before, so that what stands there was meant to replace it.
    """

    unit: corpus.Unit
    offers: tuple[Offer, ...]
    now: str = ""
    by: str = ""
    known: bool = False

    @property
    def people(self) -> str:
        """Who differ; empty where the bank was edited."""
        names = [self.by] if self.now else []
        names += (item.by or "a workbook" for item in self.offers)
        return ", ".join(dict.fromkeys(names)) if self.by or not self.now else ""

    @property
    def texts(self) -> dict[str, str]:
        """The texts by person, or by place where they are nobody's or a second one of somebody."""
        found = {self.by: self.now} if self.now else {}
        for one in self.offers:
            found[one.by if one.by and one.by not in found else one.place] = one.text
        return found

    def said(self, more: int) -> Finding:
        """Say what differs, and in how many more templates."""
        at = f"{self.unit.template}, {'; '.join(self.unit.where)}"
        first = self.offers[0]
        each = (
            f"{one.by or 'a workbook'} '{one.text}'{one.place and f' ({one.place})'}"
            for one in self.offers
        )
        return finding(
            __package__,
            "translation-disagreement" if self.people else "translation-bank-changed",
            "",
            way="" if not self.people else "kept" if self.now else "differ",
            severity=Severity.INFO if self.known else Severity.ERROR,
            at=at + (f", and {more} more" if more else ""),
            texts=", ".join(each),
            person=self.by,
            now=self.now,
            other=f"{first.by or 'this workbook'} has '{first.text}'",
        )


class Merged:
    """What people returned, put together with what was collected before, and with the bank.

    Nothing is written yet.

    Args:
        workspace: The workspace.
        table: What was collected before.
        offers: What came back.
        at: The time of this.
        prefer: The person whose text is taken where people differ; empty for nobody.

    Attributes:
        bank: The bank with what was taken.
        table: The rows of `translations.csv` with it.
        taken: What was taken; of equal offers all.
        conflicts: What was not, once for all places of a text.
        counts: Cells of the bank that are `written`; `unchanged`, for they hold the translation
            already; or `open`, lists of which a filler is still missing.
        fresh: Texts whose translation is new.
        replaced: What was taken in the place of what the same person had written or confirmed.
        confirmed: How many texts of the machine somebody confirms, by template and person.
    """

    def __init__(
        self,
        workspace: Workspace,
        table: corpus.Translations,
        offers: Sequence[Offer],
        at: str,
        prefer: str = "",
    ) -> None:
        self._workspace = workspace
        self._prefer, self._at = prefer, at
        self._variants = corpus.variants_of(workspace)
        self._texts: dict[corpus.Place, str] = {}
        self._chosen: dict[Offer, tuple[str, ...]] = {}
        self.bank, self.table = workspace.bank, dict(table)
        self.taken: set[Offer] = set()
        self.conflicts: dict[tuple[object, ...], Conflict] = {}
        self.counts: Counter[str] = Counter()
        self.fresh: dict[corpus.Unit, None] = {}
        self.replaced: set[Offer] = set()
        self.confirmed: Counter[tuple[str, str]] = Counter()
        by_place: dict[corpus.Place, list[Offer]] = {}
        for offer in offers:
            for place in offer.unit.places:
                by_place.setdefault(place, []).append(offer)
        for place, several in by_place.items():
            self._settle(place, several)
        texts = self._waiting() | self._texts
        self.bank, self.counts, refused = put_translations(self._workspace.bank, texts)
        for offer, over in self._chosen.items():
            unit = offer.unit
            # A list that is refused may have the text already: then nothing is in the way.
            stood = [
                ""
                if corpus.text_at(self._variants[place.variant].texts, place) == offer.text
                else refused.get((place.variant, place.field), "")
                for place in unit.places
            ]
            if all(stood):
                self._conflict(Conflict(unit, (offer,), stood[0]))
                continue
            earlier = corpus.row_of(self.table, unit)
            machine = unit.machine(self._variants)
            forms = corpus.machine_forms(machine, unit.kind, workspace.language)
            now = _recorded(earlier, offer, at, over, machine)
            self.table[unit.key] = now
            if now.text != earlier.text:
                self.fresh.setdefault(unit)
                is_own = earlier.confirmed or earlier.text not in {"", *forms}
                if is_own and _is_theirs(offer, earlier):
                    self.replaced.add(offer)
            is_new = (now.text, now.confirmed) != (earlier.text, earlier.confirmed)
            if now.confirmed and is_new and now.text in forms and has_words(unit.parsed):
                self.confirmed[now.template_id, now.confirmed] += 1

    def _standing(self, place: corpus.Place, unit: corpus.Unit) -> tuple[str, corpus.Translated]:
        """What stands at a place, and its row: of a text of all variants, or of this one alone."""
        now = corpus.text_at(self._variants[place.variant].texts, place)
        letters = (unit.letter, "", place.variant.letter.value)
        rows = [corpus.row_of(self.table, replace(unit, letter=one)) for one in letters]
        row = next((row for row in rows if row.text and row.text == now), None)
        row = row or next((row for row in rows if row.text), rows[0])
        return now or row.text, row

    def _settle(self, place: corpus.Place, several: Sequence[Offer]) -> None:
        """Choose the translation of a place, or take note of a conflict."""
        rank = max(offer.rank for offer in several)
        first = [offer for offer in several if offer.rank == rank]
        first = [offer for offer in first if offer.touched] or first
        now, row = self._standing(place, first[0].unit)
        later = [item for item in first if not _is_earlier(item, row, now)]
        if not later:
            self._texts[place] = now
            self.taken.update(first)
            return
        wanted = [item for item in later if self._is_preferred(item)]
        others = dict.fromkeys((*(item.text for item in later), now)) if wanted else {}
        later = wanted or later
        texts = dict.fromkeys(offer.text for offer in later)
        if len(texts) > 1:
            if not (row.text in texts and {*texts} <= {row.text, *row.over}):
                one_each = {offer.text: offer for offer in reversed(later)}
                self._conflict(Conflict(later[0].unit, tuple(one_each[text] for text in texts)))
                return
            later = [offer for offer in later if offer.text == row.text]
        offer = max(later, key=lambda item: bool(item.confirmed))
        over = tuple(text for text in others if text not in ("", offer.text))
        self.taken.update(item for item in several if item.text == offer.text)
        if self._may_write(offer, now, row):
            self._texts[place] = offer.text
            self._chosen[offer] = over or self._chosen.get(offer, ())
        elif offer.touched and offer.text not in row.over:
            by = (row.by or "a translator") if now == row.text else ""
            known = corpus.row_of(self.table, offer.unit).text == offer.text
            self._conflict(Conflict(offer.unit, (offer,), now, by, known))

    def _is_preferred(self, offer: Offer) -> bool:
        return bool(self._prefer) and person_key(offer.by) == person_key(self._prefer)

    def _may_write(self, offer: Offer, now: str, row: corpus.Translated) -> bool:
        """Say whether a text may be put in the place of what stands there."""
        if now in ("", offer.text):
            return True
        if not offer.touched:
            return False
        if now in offer.before:
            return True
        if now == row.text and (_is_theirs(offer, row) or self._is_preferred(offer)):
            return True
        is_open = now != row.text or not row.confirmed
        return is_open and now == corpus.unchanged_text(offer.unit, self._variants)

    def _conflict(self, item: Conflict) -> None:
        """Take note of a conflict, once for all places of a text."""
        self.conflicts.setdefault((*map(id, item.offers), item.now), item)

    def _waiting(self) -> dict[corpus.Place, str]:
        """Texts that were collected and are not in the bank, such as those of lists."""
        if not any(row.text for row in self.table.values()):
            return {}
        found: dict[corpus.Place, str] = {}
        for unit in corpus.units_of(self._workspace, unlabelled=True, every=True)[0]:
            text = corpus.row_of(self.table, unit).text
            for place in unit.places if text and unit.is_to_write else ():
                if not getattr(self._variants[place.variant].texts, place.field):
                    found[place] = text
        return found

    def save(self, workspace: Workspace) -> None:
        """Write the bank, then the table, then the ledger.

        A run that ends between two of them has put its texts into the bank, where the next one
        finds and records them.

        Raises:
            CurateError: If a file cannot be written.
        """
        if self.bank != workspace.bank:
            workspace.write_bank(workspace.bank_file, self.bank)
        corpus.write_translated(workspace, self.table.values())
        decisions = [
            Decision(
                subject=template,
                stage=Stage.TRANSLATE,
                rule=Rule.UNCHANGED,
                outcome=Outcome.KEEP,
                reason=f"{counted(count, 'text')} confirmed as the machine wrote "
                f"{'it' if count == 1 else 'them'}",
                k=count,
                by=by,
                at=self._at,
            )
            for (template, by), count in self.confirmed.items()
        ]
        DECISIONS.append(workspace.ledger_file, decisions)

    def listed(self) -> Iterator[tuple[Conflict, int]]:
        """Yield each conflict, once where equal texts have it, and in how many more templates."""
        groups: dict[object, list[Conflict]] = {}
        for item in self.conflicts.values():
            said = tuple((one.by, one.text, one.place) for one in item.offers)
            groups.setdefault((item.unit.text, said, item.now, item.by), []).append(item)
        for same in groups.values():
            yield same[0], len({one.unit.template for one in same}) - 1


def as_versions(
    workspace: Workspace, table: corpus.Translations, bank: records.Bank
) -> dict[corpus.UnitKey, corpus.Translated]:
    """The table when rows of the bank have become versions: what is known of their texts stays.

    Args:
        workspace: The workspace, with the rows as they were.
        table: What was collected.
        bank: The rows as they are worded now.
    """
    before = {variant.id for variant in workspace.bank.variants}
    became: dict[records.TemplateId, records.VariantVersion] = {}
    for new in bank.variants:
        if new.id not in before and replace(new.id, version=records.VariantVersion.ONLY) in before:
            became.setdefault(new.template_id, new.id.version)  # the first one takes the texts over
    found = dict(table)
    for unit in chain(*corpus.units_either_way(workspace)) if became else ():
        version = became.get(unit.template)
        if (
            version
            and unit.key in found
            and unit.kind is not corpus.Kind.PLAIN
            and not unit.version
        ):
            now = replace(unit, version=version)
            found[now.key] = replace(found.pop(unit.key), unit=now.key[1])
    return found


def _recorded(
    earlier: corpus.Translated, offer: Offer, at: str, over: tuple[str, ...], machine: str
) -> corpus.Translated:
    """A row with what was returned; a confirmation holds while the text stays the same."""
    row = replace(
        earlier,
        machine=earlier.machine or machine,
        over=over or earlier.over,
        remark=offer.remark or earlier.remark,
    )
    if row.text == offer.text:
        return replace(row, confirmed=row.confirmed or offer.confirmed)
    return replace(row, text=offer.text, by=offer.by, at=at, confirmed=offer.confirmed)


def _is_earlier(offer: Offer, row: corpus.Translated, now: str) -> bool:
    """Say whether the same person has returned another text since, and it stands."""
    is_other = offer.text != row.text and row.text == now
    return is_other and offer.at < row.at and _is_theirs(offer, row)


def _is_theirs(offer: Offer, row: corpus.Translated) -> bool:
    """Whether a text that was collected before is by who offers one now."""
    return person_key(offer.by) == person_key(row.by)


Cells = Iterator[tuple[str, str | None]]
"""By column what is to stand there; None for a list that lacks a filler."""


def put(
    bank: records.Bank,
    texts: Mapping[corpus.Place, str],
    side: str,
    cells_of: Callable[[records.Variant, Mapping[corpus.Place, str]], Cells],
) -> tuple[records.Bank, Counter[str]]:
    """Put texts into the columns of people or of the machine; the others are not touched.

    Args:
        bank: The templates.
        texts: The texts.
        side: The columns: `texts` or `machine_texts`.
        cells_of: Gives what becomes of the texts of a variant that has some.

    Returns:
        The bank, and how many cells were `written`, were `unchanged` or stay `open`.
    """
    by_variant: dict[records.VariantId, dict[corpus.Place, str]] = {}
    for place, text in texts.items():
        by_variant.setdefault(place.variant, {})[place] = text
    counts: Counter[str] = Counter()
    variants = []
    for variant in bank.variants:
        before, cells = getattr(variant, side), {}
        mine = by_variant.get(variant.id)
        for name, new in cells_of(variant, mine) if mine else ():
            is_same = new == getattr(before, name)
            counts["open" if new is None else "unchanged" if is_same else "written"] += 1
            if new is not None and not is_same:
                cells[name] = new
        made = {side: replace(before, **cells)} if cells else {}
        variants.append(replace(variant, **made))
    return records.Bank(tuple(variants)), counts


def machine_cells(variant: records.Variant, texts: Mapping[corpus.Place, str]) -> Cells:
    """Yield the cells of a machine; a list when all its fillers are translated."""
    fillers = {place: grammar.Filler(text) for place, text in texts.items() if place.slot}
    yield from ((place.field, text) for place, text in texts.items() if not place.slot)
    yield from ((field, assembled(variant, field, fillers)) for field in corpus.LIST_FIELDS)


def assembled(
    variant: records.Variant,
    field: str,
    translated: Mapping[corpus.Place, grammar.Filler],
    conditions: Sequence[grammar.Condition] | None = None,
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
    source, own = grammar.readable_lists(getattr(variant.source_texts, field))
    said = own if conditions is None else conditions
    compared = corpus.compared_features(variant.source_texts)
    lists = []
    for name, declared in source.items():
        fillers = []
        for index, filler in enumerate(declared.fillers):
            found = translated.get(corpus.Place(variant.id, field, name, index))
            if found is None and filler.text:
                return None
            fillers.append(with_features(found, filler, compared) if found else filler)
        lists.append(grammar.SlotList(name, tuple(fillers), declared.open))
    return grammar.print_lists(lists, said) if lists or said else None


def with_features(
    filler: grammar.Filler, other: grammar.Filler, compared: Collection[str]
) -> grammar.Filler:
    """A filler with those compared features of another that it has not itself."""
    taken = tuple(
        (key, value)
        for key, value in other.features
        if key in compared and filler.feature(key) is None
    )
    return replace(filler, features=(*filler.features, *taken))


Refused = dict[tuple[records.VariantId, str], str]
"""By variant and column, lists of the bank that are not as the source's are."""


def put_translations(
    bank: records.Bank, texts: Mapping[corpus.Place, str]
) -> tuple[records.Bank, Counter[str], Refused]:
    """Put texts into the columns of people, as `put` does; gives too what was refused."""
    refused: Refused = {}

    def taken(variant: records.Variant, own: Mapping[corpus.Place, str]) -> Cells:
        for name, new in _cells(variant, own):
            now = getattr(variant.texts, name)
            is_list = name in corpus.LIST_FIELDS and now and new not in (None, now)
            if is_list and not _has_shape(variant, name):
                refused[variant.id, name] = now
            else:
                yield name, new

    return *put(bank, texts, "texts", taken), refused


def _cells(variant: records.Variant, own: Mapping[corpus.Place, str]) -> Cells:
    """Yield for each cell what is to stand there; None for a list that lacks a filler.

    What nobody translates comes along with the texts: a bare slot, and lists without fillers.
    """
    given = {place.field for place in own}
    yield from ((place.field, text) for place, text in own.items() if not place.slot)
    for name in records.SLOT_TEXT_FIELDS:
        slot = "" if name in given else _bare_slot(getattr(variant.source_texts, name))
        if slot and getattr(variant.texts, name) in ("", slot):
            yield name, slot
    for name in corpus.LIST_FIELDS:
        empty = not getattr(variant.texts, name) and _has_no_fillers(variant, name)
        if name in given or empty:
            yield name, _list_text(variant, name, own)


def _bare_slot(source: str) -> str:
    """A source text that is one slot and nothing else; empty for any other."""
    try:
        parsed = grammar.parse_text(source.strip())
    except grammar.SlotError:
        return ""
    return grammar.print_text(parsed) if corpus.is_bare(parsed) else ""


def _has_no_fillers(variant: records.Variant, name: str) -> bool:
    """Say whether the source's lists leave all to the survey, so that nobody translates them."""
    lists, conditions = grammar.readable_lists(getattr(variant.source_texts, name))
    has_fillers = any(item.text for one in lists.values() for item in one.fillers)
    return bool(lists or conditions) and not has_fillers


def _list_text(
    variant: records.Variant, name: str, places: Mapping[corpus.Place, str]
) -> str | None:
    """A list with its fillers; features and conditions that people have written stay."""
    now = getattr(variant.texts, name)
    own, conditions = grammar.readable_lists(now)
    compared = corpus.compared_features(variant.texts)
    fillers: dict[corpus.Place, grammar.Filler] = {}
    for slot, declared in grammar.parse_lists(getattr(variant.source_texts, name)).items():
        mine = own[slot].fillers if slot in own else ()
        for index in range(len(declared.fillers)):
            place = corpus.Place(variant.id, name, slot, index)
            text = places.get(place) or corpus.text_at(variant.texts, place)
            found = grammar.parse_fillers(f"[{text}]") if text else ()
            if found:
                known = mine[index] if index < len(mine) else grammar.Filler("")
                fillers[place] = with_features(found[0], known, compared)
    return assembled(variant, name, fillers, conditions if now else None)


def _has_shape(variant: records.Variant, name: str) -> bool:
    """Say whether a list in the bank has as many fillers as the source's."""
    own, source = (
        {at: -1 if one.open else len(one.fillers) for at, one in lists.items()}
        for side in (variant.texts, variant.source_texts)
        for lists, _ in (grammar.readable_lists(getattr(side, name)),)
    )
    return own == source
