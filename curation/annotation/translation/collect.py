"""Translators' workbooks: read back, and into the bank."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from curation.annotation.sheets import findings_of, mark_copies
from curation.annotation.translation.returned import (
    Given,
    Put,
    Returned,
    conflict_message,
    problem_of,
    put,
    read_returned,
    recorded,
    returned_file,
    save_taken,
)
from curation.annotation.translation.sheet import (
    KIND,
    TRANSLATION,
    Entry,
    Selection,
    selected,
    translation_sheet,
    untied_then,
)
from curation.annotation.translation.units import Kind, Place, Unit, UnitKey, Variants
from curation.files.annotations import AnnotationsFolder, keep_raw
from curation.files.ledger import now
from curation.files.lock import writing
from curation.files.workbooks import FilledRow, FilledSheet, OpenBook, open_workbook, read_sheet
from curation.files.workspace import Workspace
from curation.languages import LanguageOrCode
from curation.records.annotation import person_key
from curation.records.errors import CurateError
from curation.records.findings import Finding, Severity
from curation.records.wording import shortened

_SOURCE_CHANGED = "workbook-row-changed"
Known = Mapping[UnitKey, Returned]


@dataclass(frozen=True, slots=True)
class CollectedBook:
    """A workbook: its name, how many of its texts were accepted, and how many are still open."""

    file: str
    accepted: int
    open: int


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
    marked: tuple[Path, ...]
    findings: tuple[Finding, ...]
    books: tuple[CollectedBook, ...]


def collect_translations(workspace: Workspace, files: Sequence[Path]) -> CollectedTranslations:
    """Put what translators returned in workbooks into the bank.

    What is right goes to the bank, what is wrong is shown in a marked copy of its workbook. A
    text that somebody has changed in the bank since the sheet was made is left as it is.

    Args:
        workspace: The workspace.
        files: The workbooks.

    Raises:
        CurateError: If a file cannot be read or written.
    """
    with writing(workspace, "curate translate collect"):
        variants = {variant.id: variant for variant in workspace.bank.variants}
        known = read_returned(returned_file(workspace.root))
        read = [_read(workspace, file, variants) for file in dict.fromkeys(files)]
        given, rows = _given(read, known)
        result = put(workspace.bank, [item for item, _, _ in given])
        _mark_conflicts(result, rows)
        _save(workspace, read, given, known, result)
        marked = mark_copies(workspace, [(one.book, one.filled) for one in read])
    return CollectedTranslations(
        accepted=sum(len(one.taken) for one in read),
        open=sum(one.open for one in read),
        cells=result.written,
        unchanged=result.unchanged,
        conflicts=len(result.conflicts),
        open_lists=result.open_lists,
        marked=tuple(marked),
        findings=tuple(item for one in read for item in findings_of(one.filled.marks)),
        books=tuple(CollectedBook(o.book.path.name, len(o.taken), o.open) for o in read),
    )


@dataclass(frozen=True, slots=True)
class _Read:
    """One workbook as it was read: its rows that can be taken, each with what it translates."""

    book: OpenBook
    filled: FilledSheet
    taken: tuple[tuple[FilledRow, Entry], ...]
    open: int


def _read(workspace: Workspace, path: Path, variants: Variants) -> _Read:
    book = open_workbook(path, KIND)
    try:
        selection = Selection.from_text(book.about.get("selection", ""))
    except (ValueError, TypeError) as error:
        raise CurateError(
            "the workbook does not say which texts it holds", str(path), "make it anew"
        ) from error
    untied = untied_then(book.about, workspace.bank)
    entries, _ = selected(workspace, selection, untied)
    by_key = {entry.key: entry for entry in entries}
    filled = read_sheet(book, translation_sheet(entries, variants))
    # A row's key holds its source text; that the bank has filled up since says nothing here.
    filled.marks[:] = [m for m in filled.marks if m.finding.rule != _SOURCE_CHANGED]
    wrong = {mark.cell for mark in filled.marks if mark.finding.severity is Severity.ERROR}
    letter = filled.letters.get(TRANSLATION, "")
    taken, empty = [], len(filled.missing)
    for row in filled.rows:
        entry = by_key[row.key]
        if not row.cells[TRANSLATION].strip():
            empty += f"{letter}{row.row}" not in wrong
            continue
        if _is_right(filled, row, entry, variants, workspace.language):
            taken.append((row, entry))
    _say_untied(workspace, filled, [entry for _, entry in taken], untied)
    return _Read(book, filled, tuple(taken), empty)


def _say_untied(
    workspace: Workspace, filled: FilledSheet, taken: Sequence[Entry], untied: Collection[str]
) -> None:
    """Say of which templates variants have been untied, or tied again, since the sheet was made."""
    now = workspace.untied
    for since, what, became in (
        (now - {*untied}, "untied", "is taken for all variants that it was one row of"),
        ({*untied} - now, "tied again", "is taken for its own variant"),
    ):
        names = dict.fromkeys(
            str(entry.unit.template)
            for entry in taken
            if str(entry.unit.template) in since and (entry.unit.letter or _is_shared(entry.unit))
        )
        if names:
            filled.mark(
                *(None, "", "translation-untied"),
                f"{shortened([*names])}: {what} since the sheet was made; a text of this sheet "
                f"{became}",
                "go on in a fresh sheet: curate translate sheet",
                Severity.WARNING,
            )


def _is_shared(unit: Unit) -> bool:
    """Whether a text with slots is one row for several variants."""
    return unit.kind is Kind.TEXT and len({place.variant for place in unit.places}) > 1


def _is_right(
    filled: FilledSheet, row: FilledRow, entry: Entry, variants: Variants, language: LanguageOrCode
) -> bool:
    problem = problem_of(entry.unit, row.cells[TRANSLATION].strip(), variants, language)
    if problem is None:
        return True
    message = f"{entry.unit.template}: {problem.message}"
    filled.mark(row, TRANSLATION, problem.rule, message, problem.hint)
    return False


_Row = tuple[_Read, FilledRow]


def _given(
    read: Sequence[_Read], known: Known
) -> tuple[list[tuple[Given, _Read, FilledRow]], dict[Place, _Row]]:
    """The translations that can be taken; of two for one place the first, with a mark.

    A text of one variant goes before one of several, which then stands in the other places.
    """
    given: list[tuple[Given, _Read, FilledRow]] = []
    rows: dict[Place, _Row] = {}
    every = [(one, row, entry) for one in read for row, entry in one.taken]
    for one, row, entry in sorted(every, key=lambda item: not item[2].unit.letter):
        text = row.cells[TRANSLATION].strip()
        places = tuple(place for place in entry.unit.places if place not in rows)
        there = {id(rows[p][1]): rows[p] for p in entry.unit.places if p in rows}
        for other, first in there.values():
            if first.cells[TRANSLATION].strip() != text:
                one.filled.mark(
                    row,
                    TRANSLATION,
                    "translation-twice",
                    f"{entry.unit.template}: {other.book.path.name} has another translation "
                    "of this text, which was taken",
                    "agree on one",
                )
        if not places:
            continue
        rows.update(dict.fromkeys(places, (one, row)))
        unit = replace(entry.unit, places=places)
        before = {line for line in row.cells["in_bank"].split("\n") if line}
        earlier = recorded(known, unit)
        if earlier is not None and _same_person(earlier, one):
            before.add(earlier.translation)
        given.append((Given(unit, text, frozenset(before)), one, row))
    return given, rows


def _same_person(earlier: Returned, one: _Read) -> bool:
    """Say whether a text was collected from the same translator: another's is not written over."""
    return person_key(earlier.translator) == person_key(one.book.about.get("translator", ""))


def _mark_conflicts(result: Put, rows: Mapping[Place, _Row]) -> None:
    for conflict in result.conflicts:
        one, row = rows[conflict.unit.places[0]]
        one.filled.mark(
            row,
            TRANSLATION,
            "translation-bank-changed",
            *conflict_message(conflict),
        )


def _save(
    workspace: Workspace,
    read: Sequence[_Read],
    given: Sequence[tuple[Given, _Read, FilledRow]],
    known: Known,
    result: Put,
) -> None:
    """Keep the workbooks, then put their texts into the bank."""
    folder = AnnotationsFolder(workspace.root)
    at = now()
    found = []
    for item, one, row in given:
        raw = folder.raw(one.book.path.name, one.book.data)
        returned = Returned(
            *item.unit.key,
            item.text,
            row.cells["remark"].strip(),
            one.book.about.get("translator", ""),
            workspace.shown(raw),
            at,
        )
        found.append((item.unit, returned))
    for one in read:
        keep_raw(folder.raw(one.book.path.name, one.book.data), one.book.data)
    save_taken(workspace, result, known, found)
