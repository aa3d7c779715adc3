"""What people are handed and what they give: workbooks, their texts, marked copies, one `Given`.

A row of a workbook, a page of Label Studio and a record of another tool's file become one `Given`.
What may be taken of it, how it is compared with what was collected before, and what stands in the
table afterwards is the same for all of them.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from pydantic import TypeAdapter

from curation.files import workbooks
from curation.files.atomic import write_file
from curation.files.codec import Codec, now
from curation.files.lock import writing_results
from curation.files.tables import read_bytes
from curation.files.workbooks.opening import is_untouched
from curation.files.workbooks.spec import KEY
from curation.files.workbooks.writing import workbook_bytes
from curation.files.workspace import Workspace
from curation.languages import LanguageOrCode, general, is_rtl, load
from curation.records.annotation import person_key
from curation.records.letters import file_stems
from curation.records.messages import (
    CurateError,
    Finding,
    Refusal,
    composed,
    finding,
    given_name,
    has_errors,
    own_yaml,
    refusal,
    shortened,
)
from curation.report.texts import resource

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


BLANK = 30
"""Empty rows for what a sheet lists nothing of yet."""
D = TypeVar("D", bound="DataclassInstance")


@dataclass(frozen=True, slots=True)
class Given:
    """One person's answer to one task.

    Attributes:
        uid: The key of what was asked about.
        person: The name of who answered.
        said: What stands there, by question or column.
        source: How the medium is named in `source_file`.
        at: When it was read, UTC, ISO 8601.
        refuse: Says of a question, where the answer stands, why it cannot be taken; for who has no
            other way to say it.
        hash: Of what the person was shown; empty where that is not known.
    """

    uid: str
    person: str
    said: Mapping[str, str]
    source: str
    at: str
    refuse: Callable[[str, str], None] = lambda _question, _why: None
    hash: str = ""

    def text(self, name: str) -> str:
        """What was said to a question, in letters as tables are read."""
        return composed(self.said.get(name, "")).strip()


def join(
    table: Codec[D],
    before: Sequence[D],
    new: Sequence[D],
    drops: Callable[[D], bool] = lambda _row: False,
    *,
    apart: Sequence[str] = ("collected_at",),
) -> tuple[list[D], dict[str, int]]:
    """Put answers into the table of earlier ones; what did not change stays as it was collected.

    Args:
        table: Its key tells rows apart; the field of the person is the last one of it.
        before: What is there.
        new: What was read now, no two rows of one key.
        drops: Which earlier rows go, though nothing was read in their place.
        apart: Fields in which a row may differ and still be the same.

    Returns:
        All rows, and by person who answered now how many of their earlier rows are others now.
    """
    *asked, role = table.key

    def key_of(row: D) -> tuple[str, ...]:
        return person_key(getattr(row, role)), *(str(getattr(row, name)) for name in asked)

    def plain(row: D) -> D:
        return replace(row, **dict.fromkeys(apart, ""))

    people = {person_key(getattr(row, role)): getattr(row, role) for row in new}
    read = {key_of(row): row for row in new}
    replaced: Counter[str] = Counter()
    rows: list[D] = []
    for row in before:
        now, who = read.get(key_of(row)), people.get(key_of(row)[0])
        is_same = now is not None and plain(now) == plain(row)
        if is_same:
            read[key_of(row)] = row
        elif now is None and not drops(row):
            rows.append(row)
        if who is not None:
            replaced[who] += not is_same and (now is not None or drops(row))
    return [*rows, *read.values()], dict(sorted(replaced.items()))


_ASKED = ("classify", "drafts", "stories-passages")
"""The kinds of workbooks in which somebody has to answer something."""


def columns(part: str, **choices: Iterable[str]) -> tuple[workbooks.Column, ...]:
    """The columns of a part of a workbook, as `columns.yaml` lists them.

    Args:
        part: Its name there.
        choices: By column, values that depend on the workspace.
    """
    return tuple(
        replace(item, choices=tuple(choices.get(item.name, item.choices)))
        for item in _columns()[part]
    )


@cache
def _columns() -> dict[str, tuple[workbooks.Column, ...]]:
    listed = own_yaml(resource(__package__, "columns.yaml"))
    return TypeAdapter(dict[str, tuple[workbooks.Column, ...]]).validate_python(listed)


def distinct_names(people: Sequence[str]) -> list[str]:
    """Names of people without needless spaces.

    Raises:
        CurateError: If one is empty or none that can be seen, or two are the same.
    """
    names = [*map(given_name, people)]
    keys = [person_key(name) for name in names]
    for name, key in zip(names, keys, strict=True):
        if not name:
            raise CurateError("a name is empty")
        if keys.count(key) > 1:
            raise CurateError(f"'{name}' occurs twice; tell the two apart")
    return names


def sheet_paths(folder: Path, what: str, names: Sequence[str]) -> dict[str, Path]:
    """By name the paths of workbooks named after people, as far as file names can hold that."""
    stems = file_stems(names, "person")
    return {name: folder / f"{what}-{stem}.xlsx" for name, stem in stems.items()}


def hand_out(
    path: Path, book: workbooks.Book, language: LanguageOrCode, *, renews: bool = False
) -> None:
    """Write a workbook, but not over one that may have been filled in.

    Args:
        path: Where to.
        book: The workbook, without the texts that people read.
        language: Of those who fill it in.
        renews: Whether an earlier one of its kind that nobody has edited is written over.

    Raises:
        CurateError: If there is another file, or it cannot be written.
    """
    data = workbook_bytes(told(book, language), str(path))
    hand_out_bytes(path, data, renews=renews and is_untouched(path, book.kind))


def hand_out_bytes(path: Path, data: bytes, *, renews: bool = False) -> None:
    """Write a file for somebody to fill in, but not over one that may have been filled in.

    Args:
        path: Where to.
        data: What the file is to hold.
        renews: Whether it is known that nobody has filled in what may be there.

    Raises:
        CurateError: If there is another file, or it cannot be written.
    """
    if path.exists() and not renews:
        if path.read_bytes() == data:
            return
        raise refusal(__package__, "workbook-there", path)
    write_file(path, data)


def hand_out_each(
    workspace: Workspace,
    people: Sequence[str],
    what: str,
    kind: str,
    role: str,
    make: Callable[[], tuple[int, workbooks.Sheet]],
    command: str,
    about: Mapping[str, str] = MappingProxyType({}),
) -> dict[str, Any]:
    """Write a workbook for each person; one that may have been filled in is never written over.

    Args:
        workspace: The workspace.
        people: Their names.
        what: What the files' names begin with.
        kind: What the workbooks are for.
        role: What a person is called in theirs.
        make: Makes the sheet, and says how many items it holds.
        command: What is done, for those who wait.
        about: What else is given with each.

    Returns:
        How many `items` each of them holds, in how many `rows`, and the workbooks (`sheets`) by
        person.

    Raises:
        CurateError: If names cannot be told apart, or a workbook is in the way.
    """
    names = distinct_names(people)
    folder = workspace.annotations.sheets
    with writing_results(folder, command, workspace):
        items, sheet = make()
        paths = sheet_paths(folder, what, names)
        for name, path in paths.items():
            book = workbooks.Book(kind, (sheet,), about={**about, role: name})
            hand_out(path, book, workspace.language)
    return {"items": items, "rows": len(sheet.rows), "sheets": paths}


class Collected(NamedTuple, Generic[D]):
    """What came back in workbooks.

    Attributes:
        rows: All rows of the table then.
        findings: What is to be said of the workbooks.
        new: What was read of them now.
        files: By person, their workbook.
        replaced: By person how many of their earlier rows are others now.
    """

    rows: list[D]
    findings: list[Finding]
    new: list[D]
    files: Mapping[str, Path]
    replaced: Mapping[str, int]


def collect_rows(
    workspace: Workspace,
    files: Sequence[Path],
    kind: str,
    table: Codec[D],
    path: Path,
    sheet_of: Callable[[workbooks.OpenBook], workbooks.Sheet],
    record: Callable[[Given], D | None],
    *,
    counts: Callable[[D], object] = bool,
    apart: Sequence[str] = ("collected_at",),
    beside: tuple[Sequence[Path], Sequence[D], Sequence[Finding]] = ((), (), ()),
    check: Callable[[Sequence[D]], None] = lambda _rows: None,
    dry_run: bool = False,
) -> Collected[D]:
    """Put what came back in workbooks into the table of earlier answers, and keep the workbooks.

    An answer replaces an earlier one of its person and row; where there is none now, the earlier
    one stays and is named.

    Args:
        workspace: The workspace.
        files: The workbooks, one for each person.
        kind: What they must be for.
        table: How the answers stand in their table, as `join` takes it. A person is called in a
            workbook as in the table.
        path: The table.
        sheet_of: The sheet that a workbook was handed out with.
        record: Reads a row that is filled in; it refuses what cannot be used. None where there is
            nothing in it.
        counts: Whether a record is what somebody was to give.
        apart: As `join` takes it.
        beside: Files of other tools that are collected with them, what was read of these, and what
            was found in them.
        check: Refuses rows that cannot stand in one table.
        dry_run: Whether nothing is written.

    Raises:
        Refusal: If two differing workbooks are by one person, or anything found is an error, of
            which marked copies are written then.
        CurateError: If a file cannot be read or written, or names nobody.
    """
    folder, at = workspace.annotations, now()
    asked, role = table.key
    others, given, more = beside
    books, twice = _by_person(files, kind, role)
    new: list[D] = []
    for name, book in books.items():
        filled = workbooks.read_sheet(book, sheet_of(book))
        source = workspace.shown(folder.raw(book.path.name, book.data))
        read = [record(_given(filled, row, name, source, at)) for row in filled.rows if row.filled]
        found = [item for item in read if item is not None]
        if kind in _ASKED and not book.has_errors and not any(map(counts, found)):
            filled.mark(None, "", finding(__package__, f"{kind}-empty", "", person=name))
        new += found
    findings = refuse_wrong(workspace, books.values(), twice, more, mark=not dry_run)
    for one in given:
        if (name := getattr(one, role)) in books:  # it is not known which of the two counts
            book_file = str(books[name].path)
            words = {"first": getattr(one, "source_file", ""), "second": book_file, "person": name}
            raise refusal(__package__, "annotation-person-twice", book_file, **words)
    before = table.read(path)
    check((*before, *new, *given))
    rows, replaced = join(table, before, [*new, *given], apart=apart)
    known = {(getattr(row, role), getattr(row, asked)) for row in new}
    for name, book in books.items():
        handed = {uid for sheet in book.hashes.values() for uid in sheet}
        mine = (getattr(row, asked) for row in before if getattr(row, role) == name)
        if gone := [uid for uid in mine if uid in handed and (name, uid) not in known]:
            told = {"person": name, "uids": shortened(gone), "table": workspace.shown(path)}
            said = finding(__package__, "annotation-kept", book.path.name, count=len(gone), **told)
            findings.append(said)
    if (files or others) and not dry_run:
        for file in (*files, *others):
            folder.keep(file.name, read_bytes(file))
        table.write(path, rows)
    return Collected(rows, findings, new, {name: b.path for name, b in books.items()}, replaced)


def _by_person(
    files: Sequence[Path], kind: str, role: str
) -> tuple[dict[str, workbooks.OpenBook], list[Finding]]:
    """Open the workbooks by who filled them in; those that are the same file are named."""
    by_key: dict[str, workbooks.OpenBook] = {}
    books: dict[str, workbooks.OpenBook] = {}
    twice = []
    for path in files:
        book = workbooks.open_workbook(path, kind)
        if same := [one.path.name for one in books.values() if one.data == book.data]:
            twice.append(finding(__package__, "annotation-file-twice", path.name, other=same[0]))
            continue
        name = given_name(book.about.get(role, ""), str(path))
        if not name:
            raise CurateError(f"the workbook names no {role}", str(path), "make it again")
        known = by_key.setdefault(person_key(name), book).path.name
        if book is not by_key[person_key(name)]:
            words = {"first": known, "second": path.name, "person": name}
            both, key = dict.fromkeys((known, path.name)), "annotation-person-twice"
            raise Refusal([finding(__package__, key, one, **words) for one in both])
        books[name] = book
    return books, twice


def _given(
    filled: workbooks.FilledSheet, row: workbooks.FilledRow, person: str, source: str, at: str
) -> Given:
    """The answers of a row; what is wrong in a cell is said of it once."""

    def refuse(column: str, why: str) -> None:
        if all(mark.cell != filled.cell(row, column) for mark in filled.marks):
            rule = f"annotation-refused-{column}"
            filled.mark(row, column, finding(__package__, rule, "", key=row.key, why=why))

    return Given(row.key, person, row.cells, source, at, refuse, row.hash)


def mark_copies(workspace: Workspace, books: Iterable[workbooks.OpenBook]) -> list[Path]:
    """Write a marked copy of each workbook that has errors; gives the copies.

    Raises:
        CurateError: If one cannot be written.
    """
    folder = workspace.annotations.marked
    copies = []
    for book in books:
        if book.has_errors:
            target = folder / f"{book.path.stem}.xlsx"
            if target.resolve() == book.path.resolve():
                target = folder / f"{book.path.stem}-marked.xlsx"
            workbooks.write_marked(book.data, target, book.marks)
            copies.append(target)
    return copies


def refuse_wrong(
    workspace: Workspace,
    books: Collection[workbooks.OpenBook],
    before: Sequence[Finding] = (),
    more: Sequence[Finding] = (),
    *,
    mark: bool = True,
) -> list[Finding]:
    """Refuse workbooks of which something cannot be taken, with marked copies of them.

    Args:
        workspace: The workspace.
        books: The workbooks.
        before: What is said besides, and before what is wrong in them.
        more: What was found in other files.
        mark: Whether copies are written.

    Returns:
        What is to be said of the workbooks.

    Raises:
        Refusal: If anything is an error.
    """
    found = [*before, *(item for book in books for item in book.findings)]
    if has_errors([*found, *more]):
        raise Refusal([*found, *more], mark_copies(workspace, books) if mark else ())
    return found


_OTHER = "_b"
"""What the names of columns end in that hold a text of variant b."""
FALLBACK = "en"
"""What annotators read where their own language has no texts."""


def _texts(language: LanguageOrCode) -> list[general.AnnotationTexts]:
    """The texts for annotators in the language of the culture, then those in English."""
    found = (load(code).annotation for code in (language, FALLBACK))
    return [one for one in found if one is not None]


def told(book: workbooks.Book, language: LanguageOrCode) -> workbooks.Book:
    """Put rules and notes into a workbook, and turn it the way that the language is written.

    Args:
        book: The workbook; its kind says which texts are meant.
        language: The culture's.
    """
    books: list[general.Workbooks] = []
    for each in _texts(language):
        if each.workbooks not in books:
            books.append(each.workbooks)
    lines: list[str] = []
    texts = []
    keyed = any(sheet.is_answered for sheet in book.sheets)
    for one in books:
        said = getattr(one, book.kind.replace("-", "_"))
        if said is not None:
            texts.append(said)
            key = [one.key] if keyed and one.key else []
            lines += ["", f"# {said.title}", *said.rules, *key, *one.handling]
    sheets = tuple(_noted(sheet, texts, books) for sheet in book.sheets)
    return replace(
        book, sheets=sheets, instructions=tuple(lines[1:]), right_to_left=is_rtl(language)
    )


def pages(language: LanguageOrCode) -> general.Pages:
    """The texts of labelling pages in the language of the culture, or in English."""
    return next(item.pages for item in _texts(language) if item.pages)


def helps(language: LanguageOrCode, names: Sequence[str]) -> dict[str, tuple[str, str]]:
    """What columns of the translator's workbook are called, and what is said of them, by name."""
    books = [one.workbooks for one in _texts(language)]
    notes = [one.translate.notes for one in books if one.translate is not None]
    return {
        name: (
            next(filter(None, (_heading(one.headings, "texts", name) for one in books)), name),
            next((one[name] for one in notes if name in one), ""),
        )
        for name in names
    }


def consensus_page(language: LanguageOrCode) -> general.ConsensusPage:
    """The texts of the page of consensus in the language of the culture, or in English."""
    return next(item.consensus for item in _texts(language) if item.consensus)


def english_for(language: LanguageOrCode) -> str:
    """Why annotators read English, all of it or some; empty where they read their language."""
    found = load(language)
    own = found.written("annotation")
    if found.annotation is not None and not (own and own.left):
        return ""
    where = f" (section annotation of {found.file})" if found.file is not None else ""
    return f"annotators read English where '{found}' has no texts for them{where}"


def _noted(
    sheet: workbooks.Sheet, texts: list[general.WorkbookTexts], books: Sequence[general.Workbooks]
) -> workbooks.Sheet:
    headings = [book.headings for book in books]
    columns = []
    for column in sheet.columns:
        keys = f"{sheet.name} / {column.name}", column.name
        notes = (next((t.notes[key] for key in keys if key in t.notes), "") for t in texts)
        said = next(filter(None, (_heading(one, sheet.name, column.name) for one in headings)), "")
        note = "\n".join(filter(None, notes))
        columns.append(replace(column, note=note or column.note, heading=said or column.heading))
    heading = next(filter(None, (one.get(KEY, "") for one in headings)), "")
    note = next(filter(None, (book.key for book in books)), "")
    keys_of = replace(sheet.keys, heading=heading, note=note)
    return replace(sheet, columns=tuple(columns), keys=keys_of)


def _heading(headings: Mapping[str, str], sheet: str, column: str) -> str:
    """What a column is called in words; one of variant b as that of a, with the letter."""
    found = headings.get(f"{sheet} / {column}") or headings.get(column, "")
    if found or not column.endswith(_OTHER):
        return found
    of_a = _heading(headings, sheet, column.removesuffix(_OTHER))
    return f"{of_a} {_OTHER[1:]}" if of_a else ""
