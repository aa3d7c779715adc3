"""New templates (NC): the workbook that people write them in, and the pair made of a row."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

from curation.annotation.sheets import BLANK, columns, hand_out, refuse_wrong
from curation.checks.subject import Subject
from curation.checks.workspace import run
from curation.files import workbooks
from curation.files.annotations import read_renamed
from curation.files.lock import writing
from curation.files.workbooks.opening import Glance, glance_at
from curation.files.workspace import Workspace
from curation.languages import LanguageOrCode
from curation.records.bank import (
    GROUP_FIELDS,
    SLOT_TEXT_FIELDS,
    TEXT_FIELDS,
    Bank,
    Group,
    Label,
    TemplateId,
    Texts,
    Variant,
    VariantId,
    VariantLetter,
    VariantVersion,
    category_slug,
)
from curation.records.messages import CellError, Finding, Results, finding, refusal
from curation.records.survey import QuestionKind, decided_templates, typed_groups
from curation.slots import grammar
from curation.slots.agreement import agreement_for
from curation.slots.fill import generalise

NEW = "new"
"""The kind of the workbook."""
OTHER = "_b"
"""What the names of columns end in that hold a text of variant b, where it differs."""
VERSION = "version"
"""The column of a wording of a template that has several."""
FAR = 10_000_000
"""Added to rows of the sheet, so that checks tell them from rows of the bank."""


def new_sheet(categories: Sequence[str]) -> workbooks.Sheet:
    """The sheet of new templates, empty."""
    versions = (item.value for item in VariantVersion if item)
    asked = columns("new", category=categories, version=versions)
    return workbooks.Sheet("templates", asked, blank=BLANK)


def new_book(categories: Sequence[str], groups: Iterable[Group]) -> workbooks.Book:
    """The workbook: the empty sheet, and the groups to look up."""
    shown = columns("known groups")
    listed = tuple(
        workbooks.SheetRow(
            f"{item.category}/{item.group}", {one.name: getattr(item, one.name) for one in shown}
        )
        for item in groups
    )
    known = workbooks.Sheet("groups", shown, listed)
    return workbooks.Book(NEW, (new_sheet(categories), known))


def in_bank(workspace: Workspace, cells: Mapping[str, str]) -> Variant | None:
    """Variant a of a row, of a template that the bank has already; else None.

    Raises:
        CellError: If a list of groups cannot be read.
    """
    wanted = cells["category"].strip(), VariantVersion(cells[VERSION].strip()), texts_of(cells)
    every = (item for item in workspace.bank.variants if item.letter is VariantLetter.A)
    return next((v for v in every if (v.category, v.id.version, v.texts) == wanted), None)


def make_pair(
    workspace: Workspace,
    cells: Mapping[str, str],
    made: Sequence[Variant],
    numbers: Counter[str],
    row: int,
) -> tuple[Variant, Variant]:
    """Make variants a and b of a row, as a template that the bank does not have.

    In b the groups and the lists of the two people (and of X1 and X2) are exchanged. Listed
    forms of theirs are rewritten as agreement where they follow one.

    Args:
        workspace: The workspace.
        cells: The row.
        made: The variants of the rows above.
        numbers: By category, as ids name it, the last number that is taken; it is counted on.
        row: What the variants give as their row.

    Raises:
        CellError: If a list of groups cannot be read, or the texts of b cannot be made.
    """
    texts = texts_of(cells)
    category, version = cells["category"].strip(), VariantVersion(cells[VERSION].strip())
    other = _exchanged(texts, cells, workspace.language)
    name = _worded_otherwise((*workspace.bank.variants, *made), category, texts, version)
    if name is None:
        slug = category_slug(category)
        numbers[slug] += 1
        name = TemplateId(slug, numbers[slug])
    first = Variant(
        id=VariantId(name, VariantLetter.A, version),
        category=category,
        label=Label.NEWLY_CREATED,
        texts=texts,
        reference=cells["reference"].strip(),
        note=cells["note"].strip(),
        row=row,
    )
    return first, replace(first, id=first.id.twin, texts=other)


def _worded_otherwise(
    variants: Iterable[Variant], category: str, texts: Texts, version: VariantVersion
) -> TemplateId | None:
    """The new template of which a row is another version: the last one that has not got it."""
    alike = [
        item.id
        for item in variants
        if item.id.version and item.label is Label.NEWLY_CREATED
        if (item.category, item.texts.stereotype) == (category, texts.stereotype)
    ]
    have = {item.template for item in alike if item.version is version}
    lacking = [item.template for item in alike if item.template not in have]
    return lacking[-1] if version and lacking else None


def texts_of(cells: Mapping[str, str]) -> Texts:
    """The texts of variant a of a row.

    Raises:
        CellError: If a list of groups cannot be read.
    """
    values: dict[str, str | tuple[str, ...]] = {}
    for name in TEXT_FIELDS:
        text = cells[name].strip()
        try:
            values[name] = typed_groups(text) if name in GROUP_FIELDS else text
        except ValueError as error:
            what = f"'{text}' is not a list of groups"
            raise CellError(name, what, "separate by commas") from error
    return Texts(**values)  # type: ignore[arg-type]  # group fields hold tuples, the others text


def _exchanged(texts: Texts, cells: Mapping[str, str], language: LanguageOrCode) -> Texts:
    """Exchange the two people; what cannot be read is left as it is, for the checks to say."""
    try:
        people, words = grammar.parse_lists(texts.names), grammar.parse_lists(texts.words)
        lists = {**people, **words}
        exchanged = {**grammar.exchanged_slots(people), **grammar.exchanged_slots(words)}
        written: dict[str, Any] = {
            name: _other_text(name, texts, cells, lists, language) for name in SLOT_TEXT_FIELDS
        }
        for name in ("names", "words"):
            written[name] = _exchange_lists(getattr(texts, name), exchanged)
        return replace(texts, n1_groups=texts.n2_groups, n2_groups=texts.n1_groups, **written)
    except grammar.SlotError:
        return texts


def _exchange_lists(text: str, exchanged: Mapping[str, str]) -> str:
    """Each of two people, or of X1 and X2, the other's list; conditions follow their lists."""
    lists, conditions = grammar.parse_lists(text), grammar.parse_conditions(text)
    swapped = [replace(lists[exchanged.get(name, name)], name=name) for name in lists]
    if not swapped and not conditions:
        return text
    return grammar.print_lists(swapped, [item.renamed(exchanged) for item in conditions])


def _other_text(
    name: str,
    texts: Texts,
    cells: Mapping[str, str],
    lists: Mapping[str, grammar.SlotList],
    language: LanguageOrCode,
) -> str:
    written = cells.get(f"{name}{OTHER}", "").strip()
    if written:
        return written
    text: str = getattr(texts, name)
    parsed = grammar.parse_text(text)
    parts = tuple(
        _general(name, part, lists, language) if isinstance(part, grammar.Slot) else part
        for part in parsed.parts
    )
    return text if parts == parsed.parts else grammar.print_text(grammar.SlotText(parts))


def _general(
    name: str, slot: grammar.Slot, lists: Mapping[str, grammar.SlotList], language: LanguageOrCode
) -> grammar.Slot:
    """Rewrite listed forms of one of two who are exchanged."""
    if slot.forms is None or slot.name not in grammar.exchanged_slots(lists):
        return slot
    general = generalise(slot, lists[slot.name].fillers, language)
    if general is None:
        agreement = agreement_for(language)
        such = f" or agreement such as [{slot.name}|{agreement.common[0]}]" if agreement else ""
        raise CellError(
            name,
            f"the forms listed for {slot.name} do not give the forms of variant b",
            f"write [{slot.name}]{such}, or the text of variant b in {name}{OTHER}",
        )
    return general


def make_new_sheet(workspace: Workspace) -> Path:
    """Make a workbook to write new templates in, a row a template; gives its path.

    Raises:
        CurateError: If the culture has no category, or a workbook is in the way.
    """
    path = workspace.annotations.sheets / "new-templates.xlsx"
    with writing(workspace, "curate new sheet"):
        categories = [item.id for item in workspace.culture.categories]
        if not categories:
            raise refusal(__package__, "new-nowhere", workspace.shown(workspace.culture_file))
        book = new_book(categories, workspace.groups)
        hand_out(path, book, workspace.language)
    return path


def collect_new_templates(workspace: Workspace, file: Path, *, dry_run: bool = False) -> Results:
    """Check new templates with every rule, and put them into the bank as pairs of variants.

    A row is variant a; variant b is made by exchanging the two people. Templates get the label NC
    and the next free ids. A template that is in the bank already is not added again, nor is a row
    that was collected before.

    Args:
        workspace: The workspace.
        file: The workbook.
        dry_run: Whether nothing is written.

    Returns:
        The templates that were `added`, and those that the bank has already (`known`): each with
        its `template_id`, the `row` of the sheet that it was written in, and the `stereotype`; and
        the `findings`: what the checks say of the rows.

    Raises:
        Refusal: If a row has an error: nothing is written but a marked copy.
        CurateError: If a file cannot be read or written.
    """
    with writing(workspace, "curate collect", dry_run=dry_run):
        book = workbooks.open_workbook(file, NEW)
        made, known = _read(workspace, book)
        findings = refuse_wrong(workspace, [book], mark=not dry_run)
        if not dry_run:
            rows = [replace(item, row=0) for item in made]
            if rows:
                workspace.write_bank(workspace.bank_file, Bank((*workspace.bank.variants, *rows)))
            # At the end, for a row of a workbook that is kept is not added again.
            workspace.annotations.keep(file.name, book.data)
    values = {
        "added": tuple(_named(item) for item in made if item.letter is VariantLetter.A),
        "known": tuple(map(_named, known)),
        "findings": tuple(findings),
    }
    return Results(values, {"added": ("template_id", "row", "stereotype")})


def _named(first: Variant) -> dict[str, Any]:
    named = {"template_id": str(first.template_id), "row": first.row - FAR}
    return named | {"stereotype": first.texts.stereotype}


def _read(workspace: Workspace, book: workbooks.OpenBook) -> tuple[list[Variant], list[Variant]]:
    """Mark all that is wrong in the sheet, and say what its other rows are.

    Returns:
        The variants of new templates, and variants a of those that the bank has.
    """
    culture = workspace.culture
    filled = workbooks.read_sheet(book, new_sheet([item.id for item in culture.categories]))
    asks_all = {item.id for item in culture.categories if item.question is QuestionKind.SELECT_ALL}
    for row in filled.rows:
        for name in groups_owed(row.cells, asks_all=row.cells["category"] in asks_all):
            said = finding(__package__, "new-groups", "", key=row.key, column=name)
            filled.mark(row, name, said)
    refused = {mark.finding.row for mark in filled.marks}
    numbers, taken = numbers_taken(workspace), _taken_before(workspace)
    made: list[Variant] = []
    known: list[Variant] = []
    for row in filled.rows:
        if row.row in refused:
            continue
        try:
            if (there := in_bank(workspace, row.cells)) is not None:
                known.append(replace(there, row=FAR + row.row))
            elif _row(row.cells) in taken:
                said = finding(__package__, "new-collected", "")
                filled.mark(row, "stereotype", said)
            else:
                pair = make_pair(workspace, row.cells, made, numbers, FAR + row.row)
                made += pair
                if near := _near(workspace, pair[0]):
                    filled.mark(row, "stereotype", finding(__package__, "new-near", "", known=near))
        except CellError as error:
            said = finding(__package__, "new-template", "", why=error.what, todo=error.hint)
            filled.mark(row, error.column, said)
    if not filled.rows and not book.has_errors:
        filled.mark(None, "", finding(__package__, "new-empty", ""))
    _check(workspace, filled, made)
    return made, known


def _near(workspace: Workspace, new: Variant) -> str:
    """A new template of the bank that has a context of another one, which may correct it."""
    told = new.texts.stereotype, new.id.version, new.letter, new.label
    for item in workspace.bank.variants:
        same = (getattr(item.texts, n) == getattr(new.texts, n) for n in SLOT_TEXT_FIELDS[:2])
        own = item.texts.stereotype, item.id.version, item.letter, item.label
        if own == told and any(same):
            return str(item.template_id)
    return ""


def _row(cells: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(cells.get(column.name, "").strip() for column in columns("new"))


def _taken_before(workspace: Workspace) -> set[tuple[str, ...]]:
    """The rows of workbooks that were collected: whatever became of them, it is not undone."""
    books = glance_at(workspace.annotations.folder / "raw")
    mine = (book for book in books if isinstance(book, Glance) and book.kind == NEW)
    return {_row(row) for book in mine for row in book.rows}


_PEOPLE = {"target_groups": {"N1", "N2"}, "n1_groups": {"N1"}, "n2_groups": {"N2"}}


def groups_owed(cells: Mapping[str, str], *, asks_all: bool) -> Iterator[str]:
    """Name the empty columns of groups that have to be written.

    A survey that asks about all groups of a category finds those of open lists.
    """
    lists, _ = grammar.readable_lists(cells["names"])
    found = {name for name, item in lists.items() if asks_all and item.open}
    for column, people in _PEOPLE.items():
        if not cells[column].strip() and not people <= found:
            yield column


def numbers_taken(workspace: Workspace) -> Counter[str]:
    """By category, as ids name it, the last number that is taken."""
    used = (item.id for item in workspace.bank.templates())
    once_used = map(TemplateId.parse, read_renamed(workspace.annotations.renamed))
    numbers: Counter[str] = Counter()
    # An id never comes to mean another template.
    for item in chain(used, once_used, decided_templates(workspace.decisions)):
        numbers[item.category] = max(numbers[item.category], item.number)
    return numbers


def _check(workspace: Workspace, filled: workbooks.FilledSheet, new: Sequence[Variant]) -> None:
    """Mark what rules say of the new rows."""
    rows = {row.row: row for row in filled.rows}
    said: set[tuple[int, str, str]] = set()
    for at, found in broken_rules(workspace, new):
        row = rows.get(at)
        if row is not None and (row.row, found.rule, found.column) not in said:
            said.add((row.row, found.rule, found.column))
            column = found.column if found.column in filled.letters else "stereotype"
            filled.mark(row, column, found)


def broken_rules(workspace: Workspace, new: Sequence[Variant]) -> Iterator[tuple[int, Finding]]:
    """Apply every rule to the bank as it would be; yield what is said of new rows, and of which.

    Args:
        workspace: The workspace.
        new: Variants that the bank does not have, with rows from `FAR` on.
    """
    bank = Bank((*workspace.bank.variants, *new))
    subject = Subject.of(workspace, bank, workspace.groups)
    for found in run(subject) if new else ():
        if (found.row or 0) >= FAR:
            yield (found.row or 0) - FAR, found
