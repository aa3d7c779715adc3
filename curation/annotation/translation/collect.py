"""Translators' workbooks: read back, and into the bank."""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from curation.annotation.sheets import findings_of, mark_copies
from curation.annotation.translation.returned import (
    NO,
    UNKNOWN,
    YES,
    Given,
    Put,
    Returned,
    confirmed,
    conflict_message,
    problem_of,
    put,
    read_returned,
    recorded,
    returned_file,
    save_taken,
)
from curation.annotation.translation.reviewed import machine_forms, unchanged_text
from curation.annotation.translation.rows import Row
from curation.annotation.translation.sheet import (
    CONFIRMED,
    KIND,
    OTHER_TEXTS,
    TRANSLATION,
    entries,
    how_made,
    other_texts_sheet,
    rows_made,
    translation_sheet,
)
from curation.annotation.translation.units import (
    Kind,
    Place,
    Unit,
    UnitKey,
    Variants,
    machine_text,
    own_texts,
    text_at,
)
from curation.files.annotations import AnnotationsFolder, keep_raw
from curation.files.ledger import now
from curation.files.lock import writing
from curation.files.workbooks import (
    FilledRow,
    FilledSheet,
    OpenBook,
    open_workbook,
    read_sheet,
)
from curation.files.workspace import Workspace
from curation.languages import LanguageOrCode
from curation.records.annotation import person_key
from curation.records.errors import CurateError
from curation.records.findings import Finding, Severity
from curation.records.wording import shortened
from curation.slots.protection import has_words

_SOURCE_CHANGED = "workbook-row-changed"
_SHOWN = 60
Known = Mapping[UnitKey, Returned]


@dataclass(frozen=True, slots=True)
class CollectedBook:
    """A workbook, and what became of its texts.

    Attributes:
        file: Its name.
        accepted: Texts that were accepted.
        open: Texts that are not translated yet.
        open_templates: By template, how many of them stand in it; one of two templates in both.
        unchanged: Accepted texts that are as the machine wrote them.
        unconfirmed: Those of them that nobody has confirmed, in the workbook or before.
    """

    file: str
    accepted: int
    open: int
    open_templates: dict[str, int]
    unchanged: int
    unconfirmed: int


@dataclass(frozen=True, slots=True)
class CollectedTranslations:
    """What became of the texts of workbooks.

    Attributes:
        accepted: Texts that can be taken.
        open: Texts that are not translated yet.
        cells: Cells of the bank that were written.
        unchanged: Cells that held the translation already.
        conflicts: Cells that were left as they are, for somebody has written there since.
        open_lists: Cells with lists of which a filler is still missing.
        machine: Accepted texts that are as the machine wrote them.
        unconfirmed: Those of them that nobody has confirmed.
        marked: Copies of workbooks that show what is wrong.
        findings: What was not taken, and why.
        books: By workbook.
    """

    accepted: int
    open: int
    cells: int
    unchanged: int
    conflicts: int
    open_lists: int
    machine: int
    unconfirmed: int
    marked: tuple[Path, ...]
    findings: tuple[Finding, ...]
    books: tuple[CollectedBook, ...]


def collect_translations(
    workspace: Workspace,
    files: Sequence[Path],
    by: str = "",
    *,
    accept_unchanged: bool = False,
    progress: Callable[[int, int], None] = lambda _done, _all: None,
) -> CollectedTranslations:
    """Write the translations of returned workbooks to the bank.

    Texts with errors are shown in a marked copy of the workbook. A text that somebody has changed
    in the bank after the sheet was made is not overwritten. If there are two translations of one
    text, none is written. A text that was neither changed nor confirmed in a workbook is replaced
    by any other.

    Args:
        workspace: The workspace.
        files: The workbooks.
        by: Who confirms texts in workbooks that name no translator, and with `accept_unchanged`.
        accept_unchanged: Whether `by` confirms what is as the machine wrote it.
        progress: Called with how many steps are done, and the total: one for each workbook,
            and three more.

    Raises:
        CurateError: If a file cannot be read or written, or nobody is named who confirms.
    """
    name = " ".join(by.split())
    if accept_unchanged and not name:
        raise CurateError(
            "the name of the person who confirms the texts is empty", "--by", "write who it is"
        )
    with writing(workspace, "curate translate collect"):
        variants = {variant.id: variant for variant in workspace.bank.variants}
        known = read_returned(returned_file(workspace.root))
        read = []
        paths = list(dict.fromkeys(files))
        steps = len(paths) + 3
        for at, file in enumerate(paths):
            progress(at, steps)
            read.append(_read(workspace, file, variants))
        progress(steps - 3, steps)
        chosen = _Chosen(read, known, variants, workspace.language)
        result = put(workspace.bank, [item.given for item in chosen.taken])
        _mark_conflicts(result, chosen, known)
        progress(steps - 2, steps)
        says = _Says(name, everywhere=accept_unchanged, at=now())
        found = _records(workspace, read, chosen, says)
        save_taken(workspace, result, known, found)
        progress(steps - 1, steps)
        marked = mark_copies(workspace, [(one.book, one.filled) for one in read])
        progress(steps, steps)
    books = tuple(_book(one, chosen, says, known) for one in read)
    return CollectedTranslations(
        accepted=sum(one.accepted for one in books),
        open=sum(one.open for one in books),
        cells=result.written,
        unchanged=result.unchanged,
        conflicts=len(result.conflicts),
        open_lists=result.open_lists,
        machine=sum(one.unchanged for one in books),
        unconfirmed=sum(one.unconfirmed for one in books),
        marked=tuple(marked),
        findings=tuple(item for one in read for item in findings_of(one.filled.marks)),
        books=books,
    )


@dataclass(frozen=True, eq=False, slots=True)
class _Offer:
    """A translation in a row of a workbook.

    Attributes:
        row: The row.
        sheet: Its sheet.
        units: What it translates.
        text: The translation.
        rank: What is meant for fewer texts goes first: 2 for those of one template, written apart;
            1 for those of one variant.
        machine: Whether it is as the machine wrote it.
        touched: Whether the translator has written or confirmed it.
        confirmed: Whether the translator has confirmed it.
        before: What the translator saw in the bank.
    """

    row: FilledRow
    sheet: FilledSheet
    units: tuple[Unit, ...]
    text: str
    rank: int
    machine: bool
    touched: bool
    confirmed: bool
    before: frozenset[str]


@dataclass(frozen=True, eq=False, slots=True)
class _Read:
    """One workbook as it was read: what can be taken of it, and what is open."""

    book: OpenBook
    filled: FilledSheet
    offers: tuple[_Offer, ...]
    open: tuple[Row, ...]

    @property
    def translator(self) -> str:
        """Who it is by; empty where nobody is named."""
        return self.book.about.get("translator", "")


def _read(workspace: Workspace, path: Path, variants: Variants) -> _Read:
    book = open_workbook(path, KIND)
    try:
        made = how_made(book.about, workspace.bank)
    except CurateError as error:
        raise CurateError(error.what, str(path), error.hint) from error
    every, _ = rows_made(workspace, made)
    language = workspace.language
    held = [row for row in every if made.selection.holds(row)]
    filled = _filled(book, held, every, variants, language)
    by_key = {row.key: row for row in every}
    wrong = {mark.cell for mark in filled.marks if mark.finding.severity is Severity.ERROR}
    letter = filled.letters.get(TRANSLATION, "")
    offers, empty = [], [by_key[key] for key in filled.missing]
    for row in filled.rows:
        equal = by_key[row.key]
        if not row.cells[TRANSLATION].strip():
            if row.cells[CONFIRMED].strip():
                message = f"{equal.unit.template}: an empty text is confirmed"
                hint = "write the text, or empty the cell in the column confirmed"
                filled.mark(row, CONFIRMED, "translation-confirmed-empty", message, hint)
            elif f"{letter}{row.row}" not in wrong:
                empty.append(equal)
            continue
        if _is_right(filled, row, equal.unit, variants, language):
            offers.append(_offer(filled, row, equal, variants, language))
    offers += _other_texts(book, filled, every, variants, language)
    _say_versions(filled, variants)
    _say_untied(workspace, filled, [unit for one in offers for unit in one.units], made.untied)
    return _Read(book, filled, tuple(offers), tuple(empty))


def _filled(
    book: OpenBook,
    held: Sequence[Row],
    every: Sequence[Row],
    variants: Variants,
    language: LanguageOrCode,
) -> FilledSheet:
    """The sheet of texts as it came back; rows of today's other selections are read too."""
    filled = read_sheet(book, translation_sheet(entries(held, variants, language), variants))
    there = {row.key for row in filled.strange}
    moved = [row for row in every if row.key in there]
    if moved:
        rows = entries([*held, *moved], variants, language)
        filled = read_sheet(book, translation_sheet(rows, variants))
    # A row's key holds its source text; that the bank has filled up since says nothing here.
    filled.marks[:] = [m for m in filled.marks if m.finding.rule != _SOURCE_CHANGED]
    return filled


def _offer(
    filled: FilledSheet, row: FilledRow, equal: Row, variants: Variants, language: LanguageOrCode
) -> _Offer:
    unit, text = equal.unit, row.cells[TRANSLATION].strip()
    seen = {line for line in row.cells["in_bank"].split("\n") if line}
    forms = {
        form
        for machine in (row.cells["machine"].strip(), machine_text(unit, variants))
        for form in machine_forms(machine, unit.kind, language)
    }
    is_machine = text in forms and has_words(unit.parsed)
    # What the translator found in the cell: the text in the bank, or the machine's without a flag.
    found = seen if seen else set() if row.cells["look_at"].strip() else forms
    ticked = row.cells[CONFIRMED] == YES  # any other value is an error, and confirms nothing
    rank = 1 if unit.letter else 0
    touched = ticked or text not in found
    return _Offer(
        *(row, filled, equal.units, text, rank, is_machine, touched),
        confirmed=ticked or touched,
        before=frozenset(seen),
    )


def _other_texts(
    book: OpenBook,
    filled: FilledSheet,
    every: Sequence[Row],
    variants: Variants,
    language: LanguageOrCode,
) -> list[_Offer]:
    """Texts that a translator gave to a single template."""
    if OTHER_TEXTS not in book.file.sheetnames:
        filled.mark(
            None,
            "",
            "translation-sheet-gone",
            f"the sheet '{OTHER_TEXTS}' is missing; nothing of it is collected",
            "if anything was written in it, copy it into a fresh workbook",
            Severity.WARNING,
        )
        return []
    other = read_sheet(book, other_texts_sheet())
    units: dict[tuple[str, str], list[Unit]] = {}
    equal: dict[tuple[str, str], list[Row]] = {}
    for one in every:
        for unit in one.units:
            units.setdefault((str(unit.template), unit.text), []).append(unit)
            equal.setdefault((str(unit.template), unit.text), []).append(one)
    known = {template for template, _ in units}
    wrong = {int("".join(filter(str.isdigit, item.cell)) or 0) for item in other.marks}
    offers = []
    for row in other.rows:
        template, source, text = (
            row.cells[name].strip() for name in ("template_id", "source", TRANSLATION)
        )
        if row.row in wrong or not (template and source and text):
            continue
        meant = tuple(units.get((template, source), ()))
        if not meant:
            has = f"{template} has no text '{_shortened(source)}'"
            said = has if template in known else f"no template {template} is to be translated"
            column = "source" if template in known else "template_id"
            hint = "copy source and template_id from the sheet texts"
            other.mark(row, column, "translation-place-unknown", said, hint)
        elif all(_is_right(other, row, unit, variants, language) for unit in meant):
            before = _of_all(equal[template, source], variants)
            offers.append(_Offer(row, other, meant, text, 2, False, True, True, before))
    filled.marks.extend(other.marks)
    return offers


def _of_all(rows: Sequence[Row], variants: Variants) -> frozenset[str]:
    """What the bank has for texts of several templates: one of them may have another in its place.

    What stands for a single one is somebody's own, and stays.
    """
    shared = (unit for row in rows if len(row.units) > 1 for unit in row.units)
    counts = Counter(text for unit in shared for text in own_texts(unit, variants) if text)
    return frozenset(text for text, count in counts.items() if count > 1)


def _shortened(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 3]}..."


def _say_versions(filled: FilledSheet, variants: Variants) -> None:
    """Say which texts are of templates that have got versions since the sheet was made."""
    worded = {str(name.template) for name in variants if name.version}
    held = (name.strip() for row in filled.strange for name in row.cells["template_id"].split(","))
    names = [name for name in dict.fromkeys(held) if name in worded]
    if names:
        filled.mark(
            *(None, "", "translation-versions"),
            f"{shortened(names)} got versions after the sheet was made, so it is not known "
            "which version its texts are for; they are not collected",
            "copy them into the rows of a version in a fresh sheet: curate translate sheet",
            Severity.WARNING,
        )


def _say_untied(
    workspace: Workspace,
    filled: FilledSheet,
    taken: Sequence[Unit],
    untied: Collection[str] | None,
) -> None:
    """Say of which templates variants have been untied, or tied again, since the sheet was made."""
    now = workspace.untied
    untied = now if untied is None else untied
    for since, what, became in (
        (now - {*untied}, "untied", "is taken for all variants that it was one row of"),
        ({*untied} - now, "tied again", "is taken for its own variant"),
    ):
        names = dict.fromkeys(
            str(unit.template)
            for unit in taken
            if str(unit.template) in since and (unit.letter or _is_shared(unit))
        )
        if names:
            filled.mark(
                *(None, "", "translation-untied"),
                f"{shortened([*names])}: {what} since the sheet was made; a text of this sheet "
                f"{became}",
                "continue in a fresh sheet: curate translate sheet",
                Severity.WARNING,
            )


def _is_shared(unit: Unit) -> bool:
    """Whether a text with slots is one row for several variants."""
    return unit.kind is Kind.TEXT and len({place.variant for place in unit.places}) > 1


def _is_right(
    filled: FilledSheet, row: FilledRow, unit: Unit, variants: Variants, language: LanguageOrCode
) -> bool:
    problem = problem_of(unit, row.cells[TRANSLATION].strip(), variants, language)
    if problem is None:
        return True
    message = f"{unit.template}: {problem.message}"
    filled.mark(row, TRANSLATION, problem.rule, message, problem.hint)
    return False


@dataclass(frozen=True, eq=False, slots=True)
class _Taken:
    """A text that is taken, at some places of one unit."""

    given: Given
    offer: _Offer
    book: _Read


class _Chosen:
    """Which of the translations that came back holds at each place.

    What is written for one template goes before what is written for several, and what a
    translator has touched before what nobody has. Where two still differ none is taken.
    """

    def __init__(
        self, read: Sequence[_Read], known: Known, variants: Variants, language: LanguageOrCode
    ) -> None:
        self.taken: list[_Taken] = []
        self.accepted: set[_Offer] = set()
        self.at: dict[Place, _Taken] = {}
        self._told: set[frozenset[_Offer]] = set()
        by_place: dict[Place, list[tuple[_Read, _Offer, Unit]]] = {}
        for one in read:
            for offer in one.offers:
                for unit in offer.units:
                    for place in unit.places:
                        by_place.setdefault(place, []).append((one, offer, unit))
        groups: dict[tuple[_Offer, UnitKey], tuple[_Read, Unit, list[Place]]] = {}
        for place, offers in by_place.items():
            found = self._settled(offers)
            if found is None:
                continue
            one, offer, unit = found
            now = text_at(variants[place.variant].texts, place)
            self.accepted.add(offer)
            if offer.touched or now in ("", offer.text):
                group = groups.setdefault((offer, unit.key), (one, unit, []))
                group[2].append(place)
        for (offer, _), (one, unit, places) in groups.items():
            part = replace(unit, places=tuple(places))
            before = offer.before | _may_go(unit, recorded(known, unit), one, variants, language)
            taken = _Taken(Given(part, offer.text, before), offer, one)
            self.taken.append(taken)
            self.at.update(dict.fromkeys(places, taken))

    def _settled(
        self, offers: Sequence[tuple[_Read, _Offer, Unit]]
    ) -> tuple[_Read, _Offer, Unit] | None:
        """The translation that holds at a place; None where two differ, which is marked."""
        if len(offers) == 1:
            return offers[0]
        rank = max(offer.rank for _, offer, _ in offers)
        touched = any(offer.touched for _, offer, _ in offers if offer.rank == rank)
        first = [o for o in offers if o[1].rank == rank and o[1].touched >= touched]
        best = max(first, key=lambda item: item[1].confirmed)
        other = next((item for item in first if item[1].text != best[1].text), None)
        if other is not None:
            self._differ(best, other, "none is collected")
            return None
        for item in offers:
            if item[1].rank < rank < 2 and item[1].touched and item[1].text != best[1].text:
                self._differ(item, best, "the second is collected")
        return best

    def _differ(
        self,
        first: tuple[_Read, _Offer, Unit],
        second: tuple[_Read, _Offer, Unit],
        what: str,
    ) -> None:
        """Mark the later one of two translations of a text, once."""
        (one, mine, unit), (other, theirs, _) = first, second
        pair = frozenset((mine, theirs))
        if pair in self._told:
            return
        self._told.add(pair)
        theirs.sheet.mark(
            theirs.row,
            TRANSLATION,
            "translation-twice",
            f"{unit.template}: '{_shortened(unit.text)}' has two translations, and {what}: "
            f"'{mine.text}' in {_source(one, mine)}, '{theirs.text}' in {_source(other, theirs)}",
            "agree on one and correct the other file; where a template needs a different text, "
            "write "
            f"it in the sheet '{OTHER_TEXTS}'",
        )
        if theirs.sheet is not other.filled:
            other.filled.marks.append(theirs.sheet.marks[-1])


def _source(one: _Read, offer: _Offer) -> str:
    by = f" of {one.translator}" if one.translator else ""
    return f"{one.book.path.name}{by} (sheet {offer.sheet.sheet.name}, row {offer.row.row})"


def _may_go(
    unit: Unit, earlier: Returned | None, one: _Read, variants: Variants, language: LanguageOrCode
) -> frozenset[str]:
    """What may be written over beside what the translator saw.

    That is what was collected from the same person, and the machine's text that nobody has
    confirmed.
    """
    found = set()
    if earlier is not None and _same_person(earlier, one):
        found.add(earlier.translation)
    if earlier is None or earlier.confirmed in (NO, UNKNOWN):
        found.add(unchanged_text(unit, variants, language))
    return frozenset(found - {""})


def _same_person(earlier: Returned, one: _Read) -> bool:
    """Say whether a text was collected from the same translator: another's is not written over."""
    return person_key(earlier.translator) == person_key(one.translator)


def _mark_conflicts(result: Put, chosen: _Chosen, known: Known) -> None:
    for conflict in result.conflicts:
        taken = chosen.at[conflict.unit.places[0]]
        message, hint = conflict_message(conflict)
        earlier = recorded(known, taken.given.unit)
        if earlier is not None and earlier.translation == conflict.now:
            who = earlier.translator or "a translator"
            message = (
                f"{conflict.place.variant}, {conflict.place.field}: {who} has returned "
                f"'{conflict.now}' ({earlier.source_file}), this file has '{taken.offer.text}'; "
                "the first is kept"
            )
        sheet = taken.offer.sheet
        sheet.mark(taken.offer.row, TRANSLATION, "translation-bank-changed", message, hint)
        if sheet is not taken.book.filled:
            taken.book.filled.marks.append(sheet.marks[-1])


@dataclass(frozen=True, slots=True)
class _Says:
    """Who confirms what is as the machine wrote it.

    Attributes:
        by: Who, where a workbook does not say; nobody by default.
        everywhere: Whether all is confirmed that was accepted.
        at: When.
    """

    by: str
    everywhere: bool
    at: str

    def who(self, offer: _Offer, one: _Read) -> str:
        """Who confirms a text; empty where nobody does."""
        if self.everywhere and not offer.confirmed:
            return self.by
        return (one.translator or self.by) if offer.confirmed else ""


def _records(
    workspace: Workspace, read: Sequence[_Read], chosen: _Chosen, says: _Says
) -> list[tuple[Unit, Returned]]:
    """Keep the workbooks, and give what is to be recorded of what was taken."""
    folder = AnnotationsFolder(workspace.root)
    for one in read:
        keep_raw(folder.raw(one.book.path.name, one.book.data), one.book.data)
        nobody = [o for o in one.offers if o.machine and o.confirmed and not says.who(o, one)]
        if nobody:
            one.filled.mark(
                *(None, "", "translation-nobody"),
                f"{len(nobody)} texts are confirmed, and the workbook names no translator",
                "collect it again with --by NAME, who has confirmed them",
                Severity.WARNING,
            )
    found = []
    for item in chosen.taken:
        raw = workspace.shown(folder.raw(item.book.book.path.name, item.book.book.data))
        remark = item.offer.row.cells["remark"].strip()
        returned = Returned(
            *item.given.unit.key,
            *(item.given.text, remark, item.book.translator, raw, says.at),
        )
        if item.offer.machine:
            who = says.who(item.offer, item.book)
            where = f"{raw} (--accept-unchanged)" if not item.offer.confirmed else raw
            returned = (
                confirmed(returned, who, where, says.at) if who else replace(returned, confirmed=NO)
            )
        found.append((item.given.unit, returned))
    return found


def _holds(offer: _Offer, known: Known) -> bool:
    """Whether a text has been confirmed before, here or elsewhere; that holds while it stays."""
    found = [recorded(known, unit) for unit in offer.units]
    return all(
        item is not None and item.translation == offer.text and item.confirmed in ("", YES)
        for item in found
    )


def _book(one: _Read, chosen: _Chosen, says: _Says, known: Known) -> CollectedBook:
    accepted = [offer for offer in one.offers if offer in chosen.accepted]
    machine = [offer for offer in accepted if offer.machine]
    templates = Counter(name for row in one.open for name in row.templates)
    return CollectedBook(
        one.book.path.name,
        len(accepted),
        len(one.open),
        dict(templates),
        len(machine),
        sum(not says.who(offer, one) and not _holds(offer, known) for offer in machine),
    )
