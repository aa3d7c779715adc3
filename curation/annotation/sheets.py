"""Workbooks that people are handed, and the marked copies of those that cannot be collected."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import yaml
from pydantic import TypeAdapter

from curation.annotation.texts import told
from curation.files.annotations import AnnotationsFolder
from curation.files.atomic import atomic_path
from curation.files.workbooks import (
    Book,
    Column,
    FilledSheet,
    Mark,
    OpenBook,
    open_workbook,
    write_marked,
)
from curation.files.workbooks.writing import workbook_bytes
from curation.files.workspace import Workspace
from curation.languages import LanguageOrCode
from curation.records.annotation import person_key
from curation.records.errors import CurateError
from curation.records.findings import Finding, Refusal, finding, has_errors
from curation.report.texts import resource

Returned = Sequence[tuple[OpenBook, FilledSheet]]
"""Workbooks that came back, each with what is filled in."""


def columns(part: str, **choices: Iterable[str]) -> tuple[Column, ...]:
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
def _columns() -> dict[str, tuple[Column, ...]]:
    listed = yaml.safe_load(resource(__package__, "columns.yaml"))
    return TypeAdapter(dict[str, tuple[Column, ...]]).validate_python(listed)


def distinct_names(people: Sequence[str]) -> list[str]:
    """Names of people without needless spaces.

    Raises:
        CurateError: If one is empty, or two are the same.
    """
    names = [" ".join(name.split()) for name in people]
    keys = [person_key(name) for name in names]
    for name, key in zip(names, keys, strict=True):
        if not name:
            raise CurateError("a name is empty")
        if keys.count(key) > 1:
            raise CurateError(f"'{name}' occurs twice; tell the two apart")
    return names


def sheet_paths(folder: Path, what: str, names: Sequence[str]) -> list[Path]:
    """Paths of workbooks named after people, as far as file names can hold their names."""
    paths: list[Path] = []
    taken: set[str] = set()
    for name in names:
        stem = wanted = f"{what}-" + (re.sub(r"[^\w-]+", "_", name).strip("_") or "person")
        number = 1
        while stem.casefold() in taken:
            number += 1
            stem = f"{wanted}-{number}"
        taken.add(stem.casefold())
        paths.append(folder / f"{stem}.xlsx")
    return paths


def hand_out(path: Path, book: Book, language: LanguageOrCode) -> None:
    """Write a workbook, but not over one that may have been filled in.

    Args:
        path: Where to.
        book: The workbook, without the texts that people read.
        language: Of those who fill it in.

    Raises:
        CurateError: If there is another file, or it cannot be written.
    """
    hand_out_bytes(path, workbook_bytes(told(book, language), str(path)))


def hand_out_bytes(path: Path, data: bytes) -> None:
    """Write a file for somebody to fill in, but not over one that may have been filled in.

    Raises:
        CurateError: If there is another file, or it cannot be written.
    """
    if path.exists():
        if path.read_bytes() == data:
            return
        raise CurateError(
            f"there is another {path.name} already, which may have been filled in",
            str(path),
            "collect it and move it away, or write the new one elsewhere with --out",
        )
    with atomic_path(path) as beside:
        beside.write_bytes(data)


def open_each(
    files: Sequence[Path], kind: str, role: str
) -> tuple[dict[str, OpenBook], list[Finding]]:
    """Open returned workbooks, each once, one of each person.

    Args:
        files: The workbooks.
        kind: What they must be for.
        role: What the person is called in them, such as `annotator`.

    Returns:
        The workbooks by the name of the person, and what was left out.

    Raises:
        Refusal: If two differing workbooks are by one person.
        CurateError: If a file cannot be read, or names nobody.
    """
    books: dict[str, OpenBook] = {}
    names: dict[str, str] = {}
    twice = []
    for path in files:
        book = open_workbook(path, kind)
        same = next((one for one in books.values() if one.data == book.data), None)
        if same is not None:
            words = {"other": same.path.name}
            twice.append(finding(__package__, "annotation-file-twice", path.name, **words))
            continue
        name = " ".join(book.about.get(role, "").split())
        if not name:
            raise CurateError(f"the workbook names no {role}", str(path), "make it again")
        known = books.get(names.get(person_key(name), ""))
        if known is not None:
            words = {"first": known.path.name, "second": path.name, "person": name}
            both = dict.fromkeys((known.path.name, path.name))
            key = "annotation-person-twice"
            raise Refusal([finding(__package__, key, one, **words) for one in both])
        names[person_key(name)] = name
        books[name] = book
    return books, twice


def findings_of(marks: Sequence[Mark]) -> list[Finding]:
    """The findings of marks."""
    return [mark.finding for mark in marks]


def mark_copies(workspace: Workspace, returned: Returned) -> list[Path]:
    """Write a marked copy of each workbook that has errors.

    Returns:
        The copies.

    Raises:
        CurateError: If one cannot be written.
    """
    folder = AnnotationsFolder(workspace.root).marked
    copies = []
    for book, filled in returned:
        if has_errors(findings_of(filled.marks)):
            target = folder / f"{book.path.stem}.xlsx"
            if target.resolve() == book.path.resolve():
                target = folder / f"{book.path.stem}-marked.xlsx"
            write_marked(book.data, target, filled.marks)
            copies.append(target)
    return copies


def refuse_marked(
    workspace: Workspace, returned: Returned, findings: Sequence[Finding], *, mark: bool = True
) -> None:
    """Refuse workbooks of which something cannot be taken, with marked copies of them.

    Args:
        workspace: The workspace.
        returned: The workbooks.
        findings: All that was found in them.
        mark: Whether copies are written.

    Raises:
        Refusal: If a finding is an error.
    """
    if has_errors(findings):
        raise Refusal(findings, mark_copies(workspace, returned) if mark else ())
