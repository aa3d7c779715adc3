"""Workbooks of stories: handed out to people, one each, and read when they come back."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from curation.annotation.sheets import (
    distinct_names,
    findings_of,
    hand_out,
    open_each,
    refuse_marked,
    sheet_paths,
)
from curation.files.annotations import AnnotationsFolder, keep_raw
from curation.files.lock import writing_results
from curation.files.workbooks import (
    Book,
    FilledRow,
    FilledSheet,
    OpenBook,
    Sheet,
    read_sheet,
)
from curation.files.workspace import Workspace
from curation.records.findings import Finding

R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class HandedOut:
    """Workbooks for people.

    Attributes:
        items: How many stories or passages each of them holds.
        rows: In how many rows.
        sheets: Each person's workbook, by name.
    """

    items: int
    rows: int
    sheets: dict[str, Path]


def hand_out_each(
    workspace: Workspace,
    people: Sequence[str],
    what: str,
    make: Callable[[], tuple[int, Sheet]],
    book: Callable[[Sheet, str], Book],
    out: Path | None,
) -> HandedOut:
    """Write a workbook for each person; one that may have been filled in is never written over.

    Args:
        workspace: The workspace.
        people: Their names.
        what: What the files' names begin with.
        make: Makes the sheet, and says how many items it holds.
        book: Makes a person's workbook of it.
        out: The folder; by default `annotations/sheets`.

    Raises:
        CurateError: If names cannot be told apart, or a workbook is in the way.
    """
    names = distinct_names(people)
    folder = out or AnnotationsFolder(workspace.root).sheets
    with writing_results(folder, f"curate evaluate stories {what}", workspace):
        items, sheet = make()
        paths = sheet_paths(folder, what, names)
        for name, path in zip(names, paths, strict=True):
            hand_out(path, book(sheet, name), workspace.language)
    return HandedOut(items, len(sheet.rows), dict(zip(names, paths, strict=True)))


def taken_back(
    workspace: Workspace,
    files: Sequence[Path],
    kind: str,
    role: str,
    sheet_of: Callable[[OpenBook], Sheet],
    record: Callable[[FilledSheet, FilledRow, str, str], R | None],
    *,
    empty: str = "",
) -> tuple[list[R], list[Finding]]:
    """Read the workbooks that came back, and keep them as they are.

    Args:
        workspace: The workspace.
        files: The workbooks, one for each person.
        kind: What they must be for.
        role: What a person is called in them.
        sheet_of: The sheet that a workbook was handed out with.
        record: Reads a row that is filled in, with the name of the person and of the file; it
            marks what cannot be used. None where there is nothing in it.
        empty: What somebody has not done in whose workbook there is no record; nothing where
            that may be.

    Raises:
        Refusal: If a workbook has an error; nothing is kept then, and marked copies are written.
        CurateError: If a file cannot be read or written.
    """
    folder = AnnotationsFolder(workspace.root)
    returned: list[tuple[OpenBook, FilledSheet]] = []
    records: list[R] = []
    books, findings = open_each(files, kind, role)
    for name, book in books.items():
        filled = read_sheet(book, sheet_of(book))
        source = workspace.shown(folder.raw(book.path.name, book.data))
        read = [record(filled, row, name, source) for row in filled.rows if row.filled]
        found = [item for item in read if item is not None]
        if empty and not found and not filled.has_errors:
            what = f"{name} has {empty}"
            filled.mark(None, "", f"{kind.removeprefix('stories-')}-empty", what, "send it back")
        records += found
        returned.append((book, filled))
    findings += [item for _, filled in returned for item in findings_of(filled.marks)]
    refuse_marked(workspace, returned, findings)
    for book, _ in returned:
        keep_raw(folder.raw(book.path.name, book.data), book.data)
    return records, findings
