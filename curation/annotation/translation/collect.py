"""What translators return, in workbooks or on pages, merged into the table and the bank."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any

from curation.annotation.sheets import mark_copies, told
from curation.annotation.translation import handed
from curation.annotation.translation import units as corpus
from curation.annotation.translation.bilingual import SUFFIXES, Segment, read_bilingual
from curation.annotation.translation.merge import Merged, Offer, as_versions
from curation.annotation.translation.verification import form_problem, problem_of, short_text
from curation.bank.rewording import StatedWording, worded
from curation.files.codec import followed, now
from curation.files.lock import writing
from curation.files.tables import read_bytes
from curation.files.workbooks import FilledRow, FilledSheet, OpenBook, open_workbook, read_sheet
from curation.files.workbooks.writing import workbook_bytes
from curation.files.workspace import Workspace
from curation.languages import LanguageOrCode
from curation.records.annotation import person_key
from curation.records.bank import VariantVersion
from curation.records.messages import (
    CurateError,
    Finding,
    Severity,
    decider,
    finding,
    given_name,
    refusal,
    shortened,
)
from curation.slots.protection import Flag, flagged, has_words, reordered

_ROW_UNKNOWN = "workbook-row-unknown"
_YES = "yes"
_VERSIONS = tuple(item.value for item in VariantVersion if item)


def _collected(
    merged: Merged,
    texts: int,
    accepted: int,
    refused: int,
    findings: Sequence[Finding],
    **of_books: Any,
) -> dict[str, Any]:
    """What became of texts that were returned.

    Returns:
        What it comes to, by key.

        - `texts`: Texts that were looked at.
        - `accepted`: Those that can be taken.
        - `refused`: Those that cannot be as they are.
        - `cells`: Cells of the bank that were written.
        - `unchanged`: Cells that held the translation already.
        - `open_lists`: Cells with lists of which a filler is still missing.
        - `disagreements`: Texts that were not taken because people differ, or because the bank was
          edited since: the `template_id`, `where` the text stands, its `source`, and the `texts` by
          person, or by place where nobody is named, with what stands in the bank under an
          empty name.
        - `findings`: What was not taken, and why.
        - `open`: Texts of workbooks that are not translated yet.
        - `machine`: Accepted texts of workbooks that are as the machine wrote them.
        - `unconfirmed`: Those of them that nobody has confirmed.
        - `worded`: Templates that are worded in another way now: of each the `template_id`, whether
          its variants are `separate`, its `versions` and its `stereotype`.
        - `marked`: Copies of workbooks that show what is wrong.
        - `books`: Of each workbook its `file`, how many texts were `accepted`, how many are `open`,
          and in which templates (`open_templates`; one of two templates in both), and how many of
          those accepted are `unchanged`, and `unconfirmed`.
    """
    disagreements = [
        {
            "template_id": str(item.unit.template),
            "where": item.unit.where,
            "source": item.unit.text,
            "texts": item.texts,
        }
        for item, _ in merged.listed()
        if not item.known
    ]
    return {
        "texts": texts,
        "accepted": accepted,
        "refused": refused,
        "cells": merged.counts["written"],
        "unchanged": merged.counts["unchanged"],
        "open_lists": merged.counts["open"],
        "disagreements": disagreements,
        "findings": findings,
        **dict.fromkeys(("open", "machine", "unconfirmed"), 0),
        **dict.fromkeys(("worded", "marked", "books"), ()),
        **of_books,
    }


def collect_translations(
    workspace: Workspace,
    files: Sequence[Path],
    by: str = "",
    *,
    accept_unchanged: bool = False,
    progress: Callable[[int, int], None] = lambda _done, _all: None,
) -> dict[str, Any]:
    """Write the translations of returned workbooks to `translations.csv` and to the bank.

    Texts with errors are shown in a marked copy of the workbook. A text that somebody has changed
    in the bank after the sheet was made is not overwritten. If there are two translations of one
    text, none is written, unless `by` names the person whose text holds. A text that was neither
    changed nor confirmed in a workbook is replaced by any other.

    Args:
        workspace: The workspace.
        files: The workbooks.
        by: Whose text is taken where people differ, who has filled in workbooks that name no
            translator, and who confirms with `accept_unchanged`.
        accept_unchanged: Whether `by` confirms what is as the machine wrote it.
        progress: Called with how many steps are done, and the total: one for each workbook,
            and two more.

    Raises:
        CurateError: If a file cannot be read or written, or nobody is named who confirms.
    """
    name = decider(by) if accept_unchanged else given_name(by, "--by")
    with writing(workspace, "curate collect"):
        variants = corpus.variants_of(workspace)
        table = corpus.read_translated(workspace)
        at = now(row.at for row in table.values())
        paths = list(dict.fromkeys(files))
        units, scenes = corpus.units_either_way(workspace), handed.scenes_of(workspace)
        steps, accepts = len(paths) + 2, name if accept_unchanged else ""
        read = []
        for number, file in enumerate(paths):
            progress(number, steps)
            read.append(_Reader(workspace, file, units, scenes, variants, name, at, accepts))
        progress(steps - 2, steps)
        offers = [offer for one in read for offer in one.offers]
        merged = Merged(workspace, table, offers, at, name)
        for offer, said in _said_of(merged, offers, workspace.language):
            offer.origin.sheet.mark(offer.origin.row, "translation", said)
        wordings = [item for one in read for item in one.wordings]
        reworded = _reword(workspace, merged, wordings)
        for one in read:
            file = one.book.path
            workspace.annotations.keep(file.name, read_bytes(file))
            one.say_nobody()
            one.say_replaced(merged.replaced)
        merged.save(workspace)
        progress(steps - 1, steps)
        marked = mark_copies(workspace, [one.book for one in read])
        progress(steps, steps)
    taken = {offer.origin for offer in merged.taken}
    books = tuple(one.book_of(taken, table) for one in read)
    totals = {
        name: sum(one[name] for one in books)
        for name in ("accepted", "refused", "open", "unchanged", "unconfirmed")
    }
    return _collected(
        merged,
        texts=len({offer.origin for offer in offers}),
        machine=totals.pop("unchanged"),
        **totals,
        worded=reworded,
        marked=tuple(marked),
        findings=tuple(item for one in read for item in one.book.findings),
        books=books,
    )


def _reword(
    workspace: Workspace, merged: Merged, wordings: Sequence[tuple["_Cell", StatedWording]]
) -> tuple[dict[str, Any], ...]:
    """Word templates as workbooks say; what cannot be is marked in them."""
    untie = workspace.culture.translation.untie
    said: dict[str, set[StatedWording]] = {}
    for _, wording in wordings:
        said.setdefault(wording.template_id, set()).add(wording)
    bank = merged.bank
    for cell, wording in wordings:
        try:
            if len(said[wording.template_id]) > 1:
                what = f"workbooks differ on how {wording.template_id} is worded"
                raise CurateError(what, hint="agree, and empty the row in the others")
            bank = worded(bank, wording, untie=untie)
        except CurateError as error:
            cell.mark_wording(error)
    before, after = ({str(t.id): t for t in b.templates()} for b in (merged.bank, bank))
    changed = tuple(
        {
            "template_id": name,
            "separate": after[name].is_untied(untie),
            "versions": [*dict.fromkeys(v.id.version.value for v in after[name].variants)],
            "stereotype": after[name].stereotype,
        }
        for name in said
        if name in after and after[name] != before[name]
    )
    merged.bank, merged.table = bank, as_versions(workspace, merged.table, bank)
    return changed


@dataclass(frozen=True, eq=False, slots=True)
class _Cell:
    """A row of a workbook: where it stands, and whether its text is as the machine wrote it."""

    sheet: FilledSheet
    row: FilledRow
    machine: bool = False

    def mark_wording(self, error: CurateError) -> None:
        """Mark what cannot be done of how a template is worded."""
        words = {"why": error.what, "todo": error.hint}
        said = finding(__package__, "translation-wording", "", **words)
        self.sheet.mark(self.row, error.where or "source", said)


def _each(offer: Offer, units: Iterable[corpus.Unit]) -> Iterator[Offer]:
    """What a translator gave for a text, for each template that has it."""
    for unit in units:
        yield replace(offer, unit=unit, rank=offer.rank or (1 if unit.letter else 0))


@dataclass(eq=False)
class _Reader:
    """Reads one workbook: what can be taken of it, and what is open.

    Attributes:
        workspace: The workspace.
        path: The workbook.
        units: All texts, of templates as tied, and as untied.
        scenes: What templates are called.
        variants: The bank's variants.
        name: Who filled it in if it does not say so.
        at: When it is read.
        accepts: Who confirms what is as the machine wrote it; empty for nobody.
    """

    workspace: Workspace
    path: Path
    units: tuple[list[corpus.Unit], list[corpus.Unit]]
    scenes: handed.Scenes
    variants: corpus.Variants
    name: str
    at: str
    accepts: str

    def __post_init__(self) -> None:
        """Read it."""
        self._language = self.workspace.language
        is_bilingual = self.path.suffix.lower() in SUFFIXES
        said, segments = read_bilingual(self.path) if is_bilingual else ({}, [])
        self._homeless: list[Segment] = []
        book = None if is_bilingual else open_workbook(self.path, handed.KIND)
        about = book.about if book else said
        self._by = about.get("translator", "") or self.name
        keys = book.hashes.get("texts", {}).keys() if book else {one.key for one in segments}
        every = corpus.rows_held(self.workspace, keys, *self.units, self.variants)
        by_key = {row.key: row for row in every}
        self.refused = 0
        self.book = book or self._book(about, segments, by_key)
        held = [by_key[key] for key in self.book.hashes.get("texts", ()) if key in by_key]
        wanted = handed.translation_sheet(handed.entries(held, self.variants), self.scenes)
        self.filled = read_sheet(self.book, wanted)
        # A row's key holds its source text; that the bank has filled up since says nothing here.
        self.filled.unmark(lambda said: said.rule == "workbook-row-changed")
        read_now = {row.key for row in self.filled.rows}
        open_ = [row for row in held if row.key not in read_now]
        self.offers = [*self._texts(by_key, open_), *self._other_texts(every)]
        self.wordings = [*self._wordings()]
        self.open = handed.in_use(self.workspace, open_)
        for one in self._homeless:
            words = {"place": one.place, "source": short_text(one.source)}
            self._mark("translation-place-of-file", None, "source", **words)
        self._say_versions(every)

    def _book(
        self,
        about: Mapping[str, str],
        segments: Sequence[Segment],
        by_key: Mapping[str, corpus.Row],
    ) -> OpenBook:
        """The workbook that would hold what a file of another program holds."""
        by_text = {row.unit.bare_text: row for row in reversed([*by_key.values()])}
        said: dict[str, dict[str, str]] = {}
        for one in segments:
            row = by_key.get(one.key) or by_text.get(one.source)
            if row is None and one.target:
                self._homeless.append(one)
            elif row is not None:
                cells = {"translation": one.target, "confirmed": _YES if one.confirmed else ""}
                notes = {name: one.notes.get(name, "") for name in handed.CARRIED}
                known = said.setdefault(row.key, cells | notes)
                if not known["translation"]:  # a text that occurs twice may be open once
                    said[row.key] = cells | notes
                elif one.target not in ("", known["translation"]):
                    what = f"{one.place}: '{short_text(one.source)}' has two translations"
                    raise CurateError(what, str(self.path), "keep one of the two")
        rows = handed.entries((by_key[key] for key in said), self.variants)
        book = handed.translation_book(rows, about, self.scenes)
        texts, *more = book.sheets
        filled = tuple(replace(row, cells={**row.cells, **said[row.key]}) for row in texts.rows)
        book = replace(book, sheets=(replace(texts, rows=filled), *more))
        return open_workbook(self.path, handed.KIND, workbook_bytes(told(book, self._language)))

    def _texts(self, by_key: Mapping[str, corpus.Row], open_: list[corpus.Row]) -> Iterator[Offer]:
        filled = self.filled
        wrong = {mark.cell for mark in filled.marks if mark.finding.severity is Severity.ERROR}
        for row in filled.rows:
            equal = by_key[row.key]
            if row.cells["translation"].strip():
                if self._is_right(filled, row, equal.unit):
                    yield from self._offers(row, equal)
            elif row.cells["confirmed"].strip():
                words = {"template": str(equal.unit.template)}
                self._mark("translation-confirmed-empty", row, "confirmed", **words)
                self.refused += 1
            elif filled.cell(row, "translation") in wrong:
                self.refused += 1
            else:
                open_.append(equal)

    def _offers(self, row: FilledRow, equal: corpus.Row) -> Iterator[Offer]:
        """The text of a row, for each of its templates."""
        unit, text = equal.unit, row.cells["translation"].strip()
        seen = handed.texts_seen(row.cells["in_bank"].strip())
        forms = {
            form
            for machine in (row.cells["machine"].strip(), unit.machine(self.variants))
            for form in corpus.machine_forms(machine, unit.kind, self._language)
        }
        # What the translator found in the cell: the text in the bank, or the machine's without a
        # flag.
        found = seen or (() if row.cells["look_at"].strip() else forms)
        ticked = row.cells["confirmed"] == _YES  # any other value is an error, and confirms nothing
        touched = ticked or text not in found
        cell = _Cell(self.filled, row, text in forms and has_words(unit.parsed))
        offer = self._offer(cell, unit, seen)
        confirmed = self._by if touched else self.accepts
        yield from _each(replace(offer, touched=touched, confirmed=confirmed), equal.units)

    def _offer(self, cell: _Cell, unit: corpus.Unit, seen: Iterable[str]) -> Offer:
        """A row that its translator has written or confirmed."""
        place = f"{self.book.path.name}, sheet {cell.sheet.sheet.name}, row {cell.row.row}"
        text, remark = (cell.row.cells.get(name, "").strip() for name in ("translation", "remark"))
        said = Offer(unit, text, self._by, self.at, cell, place, remark, confirmed=self._by)
        return replace(said, before=frozenset(seen))

    def _other_texts(self, every: Sequence[corpus.Row]) -> Iterator[Offer]:
        """Texts that a translator gave to a single template."""
        other = read_sheet(self.book, handed.other_texts_sheet())
        meant: dict[tuple[str, str], list[tuple[corpus.Unit, corpus.Row]]] = {}
        for equal in every:
            for unit in equal.units:
                meant.setdefault((str(unit.template), unit.text), []).append((unit, equal))
        known = {template for template, _ in meant}
        by_scene = {scene: name for name, scene in self.scenes.items()}
        wrong = {mark.finding.row for mark in other.marks}
        for row in other.rows:
            columns = ("template_id", "source", "translation")
            template, source, text = (row.cells[name].strip() for name in columns)
            if row.row in wrong or not (template and source and text):
                continue
            template = by_scene.get(" ".join(template.split()), template)
            template = self.workspace.renamed.get(template, template)
            found = meant.get((template, source), ())
            if not found:
                way = "source" if template in known else "template"
                words = {"way": way, "template": template, "source": short_text(source)}
                said = finding(__package__, "translation-place-unknown", "", **words)
                other.mark(row, {"template": "template_id"}.get(way, way), said)
            elif all(self._is_right(other, row, unit) for unit, _ in found):
                # It may stand in the place of a text of several, but not of somebody's own.
                equals = (equal.units for _, equal in found if len(equal.units) > 1)
                texts = (text for u in chain(*equals) for text in u.own(self.variants) if text)
                before = (text for text, count in Counter(texts).items() if count > 1)
                units = [unit for unit, _ in found]
                offer = self._offer(_Cell(other, row), units[0], before)
                yield from _each(replace(offer, rank=2), units)

    def _wordings(self) -> Iterator[tuple[_Cell, StatedWording]]:
        """How the translator says that templates are worded."""
        if "wording" not in self.book.hashes:
            return
        wanted = handed.wording_sheet(self.workspace.bank.templates(), self.workspace.untied)
        renamed, rows = self.workspace.renamed, {row.key: row for row in wanted.rows}
        # A workbook of before a template moved has it by its former id.
        former = (replace(rows[new], key=old) for old, new in renamed.items() if new in rows)
        filled = read_sheet(self.book, replace(wanted, rows=(*wanted.rows, *former)))
        wrong = {mark.cell for mark in filled.marks}
        for row in filled.rows:
            cells = {
                name: row.cells[name].strip() for name in ("separate", "version", "stereotype")
            }
            if not any(cells.values()) or filled.cell(row, "separate") in wrong:
                continue
            cell, names = _Cell(filled, row), re.findall(r"\w+", cells["version"].casefold())
            if strange := [name for name in names if name not in _VERSIONS]:
                what = f"there is no version '{strange[0]}'"
                known = ", ".join(_VERSIONS)
                cell.mark_wording(CurateError(what, "version", f"choose among {known}"))
                continue
            separate = cells["separate"] == _YES if cells["separate"] else None
            versions, stereotype = tuple(map(VariantVersion, names)), cells["stereotype"].split()
            template = renamed.get(row.key, row.key)
            yield cell, StatedWording(template, separate, versions, " ".join(stereotype))

    def _is_right(self, filled: FilledSheet, row: FilledRow, unit: corpus.Unit) -> bool:
        problem = problem_of(unit, row.cells["translation"].strip(), self.variants)
        if problem is None:
            target = unit.read(row.cells["translation"].strip())
            if unit.kind is corpus.Kind.TEXT and reordered(unit.parsed, target):
                words = {"template": str(unit.template), "flag": flagged(Flag.ORDER)}
                said = finding(__package__, "translation-order", "", **words)
                filled.mark(row, "translation", said)
            return True
        message = f"{unit.template}: {problem.message}"
        filled.mark(row, "translation", replace(problem, message=message))
        self.refused += 1
        return False

    def _mark(
        self, key: str, row: FilledRow | None = None, column: str = "", /, **words: Any
    ) -> None:
        self.filled.mark(row, column, finding(__package__, key, "", **words))

    def _say_versions(self, every: Sequence[corpus.Row]) -> None:
        """Say which texts are of templates that have got versions since the sheet was made.

        What the bank has of them already was collected before, or with what gave the versions.
        """
        versions = [unit for row in every for unit in row.units if unit.version]
        known: dict[str, set[str]] = {}
        for unit in versions:
            known.setdefault(str(unit.template), set()).update(unit.own(self.variants))
        found: dict[str, None] = {}
        taken: set[int] = set()
        by_scene = {scene: name for name, scene in self.scenes.items()}
        for row in self.filled.strange:
            names = [by_scene.get(one, "") for one in row.cells["template_id"].splitlines()]
            text = row.cells["translation"].strip()
            if names and all(text in known.get(name, ()) for name in names):
                taken.add(row.row)
            else:
                found |= dict.fromkeys(name for name in names if name in known)
        self.filled.unmark(lambda said: said.rule == _ROW_UNKNOWN and said.row in taken)
        if found:
            words = {"templates": shortened([*found])}
            self._mark("translation-versions", **words)

    def say_nobody(self) -> None:
        """Say that texts are confirmed in nobody's name."""
        cells = {o.origin for o in self.offers if o.touched and not o.confirmed}
        if count := sum(cell.machine for cell in cells):
            self._mark("translation-nobody", count=count)

    def say_replaced(self, replaced: Collection[Offer]) -> None:
        """Say of which texts their translator has returned others before."""
        mine = [offer for offer in self.offers if offer in replaced]
        texts = dict.fromkeys(f"'{short_text(offer.text)}'" for offer in mine)
        if count := len({offer.origin for offer in mine}):
            # Without a name it may be somebody else's.
            severity = Severity.INFO if self._by else Severity.WARNING
            words = {"person": self._by or "a translator", "texts": shortened([*texts])}
            self._mark("translation-replaced", count=count, severity=severity, **words)

    def book_of(self, taken: Collection[object], table: corpus.Translations) -> dict[str, Any]:
        """What became of the workbook."""
        by_cell: dict[_Cell, list[Offer]] = {}
        for offer in self.offers:
            if offer.origin in taken:
                by_cell.setdefault(offer.origin, []).append(offer)
        machine = [offers for cell, offers in by_cell.items() if cell.machine]
        held = (
            all(o.confirmed or corpus.is_confirmed(o.unit, o.text, table) for o in offers)
            for offers in machine
        )
        errors = (said for said in self.book.findings if said.severity is Severity.ERROR)
        unknown = sum(said.rule == _ROW_UNKNOWN for said in errors)
        return {
            "file": self.book.path.name,
            "accepted": len(by_cell),
            "refused": self.refused + unknown,
            "open": len(self.open),
            "open_templates": dict(Counter(name for row in self.open for name in row.templates)),
            "unchanged": len(machine),
            "unconfirmed": len(machine) - sum(held),
        }


def _said_of(
    merged: Merged, offers: Iterable[Offer], language: LanguageOrCode
) -> Iterator[tuple[Offer, Finding]]:
    """Yield each conflict, and what was taken and asks for a form that a filler lacks.

    Of the latter once what came in one row.
    """
    for item, more in merged.listed():
        yield item.offers[-1], item.said(more)
    variants = corpus.Variants(merged.bank.variants, language)
    known: set[object] = set()
    for offer in offers:
        if offer in merged.taken and offer.origin not in known:
            said = form_problem(offer.unit, offer.text, variants)
            if said is not None:
                known.add(offer.origin)
                yield offer, replace(said, message=f"{offer.unit.template}: {said.message}")


def accept_unchanged(workspace: Workspace, by: str) -> dict[str, Any]:
    """Confirm all unchanged machine texts of the bank.

    Args:
        workspace: The workspace.
        by: Who has looked at them.

    Returns:
        How many `texts` were confirmed, one of two templates counting twice; in which `templates`;
        and who did, `by`.

    Raises:
        CurateError: If nobody is named, or a file cannot be read or written.
    """
    name = decider(by)
    with writing(workspace, "curate collect"):
        variants = corpus.variants_of(workspace)
        table = corpus.read_translated(workspace)
        at = now(row.at for row in table.values())
        offers = [
            Offer(unit, corpus.unchanged_text(unit, variants), "", at, unit, confirmed=name)
            for unit in corpus.units_of(workspace, unlabelled=True, every=True)[0]
            if corpus.review_of(unit, variants, table) == corpus.UNCONFIRMED
        ]
        if offers:
            Merged(workspace, table, offers, at).save(workspace)
    templates = dict.fromkeys(str(offer.unit.template) for offer in offers)
    return {"texts": len(offers), "templates": [*templates], "by": name}


def collect_pulled(
    workspace: Workspace, by: str = "", templates: Sequence[str] = ()
) -> dict[str, Any]:
    """Write pulled translations to the bank, except texts on which translators differ.

    Args:
        workspace: The workspace.
        by: The translator whose texts are chosen if translators differ; none by default.
        templates: Only these; all by default.

    Raises:
        CurateError: If nothing was pulled, or a file cannot be read or written.
    """
    file = handed.PAGES.path(workspace)
    shown = workspace.shown(file)
    with writing(workspace, "curate collect"):
        if not file.exists():
            raise refusal("curation", "nothing-pulled", shown)
        texts, merged, refused = read_pulled(
            workspace, corpus.read_translated(workspace), by, templates
        )
        merged.save(workspace)
    taken = sorted(merged.taken, key=lambda offer: offer.unit.key)
    said_of = _said_of(merged, taken, workspace.language)
    more = (replace(said, file=shown, column="target") for _, said in said_of)
    accepted = len({offer.origin for offer in merged.taken})
    return _collected(merged, texts, accepted, len(refused), (*refused, *more))


def read_pulled(
    workspace: Workspace, table: corpus.Translations, by: str = "", templates: Sequence[str] = ()
) -> tuple[int, Merged, tuple[Finding, ...]]:
    """Compare what was pulled with the bank; nothing is written.

    Args:
        workspace: The workspace.
        table: What was collected before.
        by: The translator whose texts are chosen if translators differ; none by default.
        templates: Only these; all by default.

    Returns:
        How many texts of translators were looked at, what they come to, and those that cannot be
        taken.

    Raises:
        CurateError: If it cannot be read, or what is wanted is not among it.
    """
    pages: list[handed.Translation] = handed.PAGES.read(workspace)
    rows = followed(pages, workspace.renamed, "template_id")
    shown = workspace.shown(handed.PAGES.path(workspace))
    known = corpus.units_by_key(workspace, *corpus.units_either_way(workspace))
    variants = corpus.variants_of(workspace)
    meant = [(row, _meant(row, known, variants, table)) for row in rows]
    names = {person_key(row.annotator): row.annotator for row in rows}
    if by and person_key(by) not in names:
        words = {"by": by, "names": sorted(names.values()) or "(nobody)"}
        raise refusal(__package__, "pulled-of-nobody", shown, **words)
    there = {row.template_id for row in rows}
    there |= {str(unit.template) for _, units in meant for unit in units}
    wanted = workspace.chosen(templates)
    if there.isdisjoint(wanted):
        raise refusal(__package__, "pulled-of-none", shown, templates=templates or "any template")
    findings: list[Finding] = []
    offers: list[Offer] = []
    count = 0
    for row, every in meant:
        units = [unit for unit in every if str(unit.template) in wanted]
        if templates and not units and row.template_id not in wanted:
            continue
        count += 1
        problem = handed.text_problem(row, units, variants)
        if problem is not None:
            findings.append(replace(problem, file=shown, column="target"))
            continue
        offer = Offer(
            unit=units[0],
            text=row.target.strip(),
            by=row.annotator,
            at=row.collected_at,
            origin=row,
            remark=row.remark.strip(),
            rank=2 if row.alone == "true" else 0,
            confirmed=row.annotator,  # who submits a page confirms what stood there
            before=handed.texts_seen(row.seen),
        )
        offers += _each(offer, units)
    at = now(row.at for row in table.values())
    return count, Merged(workspace, table, offers, at, by), tuple(findings)


def _meant(
    row: handed.Translation,
    known: Mapping[str, Sequence[corpus.Unit]],
    variants: corpus.Variants,
    table: corpus.Translations,
) -> list[corpus.Unit]:
    """The units that a text is for.

    A text of several templates is not for one that has quite another text: that was written for it
    alone.
    """
    found = [
        unit
        for unit in known.get(row.key, ())
        if (unit.kind.value, unit.text) == (row.kind, row.source)
    ]
    own = [unit for unit in found if str(unit.template) == row.template_id]
    if len(found) == len(own):
        return own
    usual = {row.target.strip(), *handed.texts_seen(row.seen)}
    for unit in own:
        earlier = corpus.row_of(table, unit)
        usual |= {earlier.text, *earlier.over, *unit.own(variants)}
    texts = {unit: {*filter(None, unit.own(variants))} for unit in found}
    return [unit for unit in found if not texts[unit] or texts[unit] & usual]
