"""What commands share that hand out workbooks and read them back."""

from collections.abc import Sequence
from pathlib import Path

import click

from curation.cli.common import plural
from curation.io.annotations import AnnotationsFolder
from curation.io.atomic import atomic_path
from curation.io.workbooks import Book, FilledSheet, Mark, OpenBook, write_marked
from curation.io.workbooks.writing import workbook_bytes
from curation.io.workspace import Workspace
from curation.model.errors import CurateError
from curation.model.findings import Finding, Severity, has_errors


def hand_out(path: Path, book: Book) -> None:
    """Write a workbook, but not over one that may have been filled in.

    Raises:
        CurateError: If there is another file, or it cannot be written.
    """
    data = workbook_bytes(book, str(path))
    if path.exists():
        if path.read_bytes() == data:
            return
        raise CurateError(
            f"there is another {path.name} already, which may have been filled in",
            str(path),
            "collect it and move it away, or name another place",
        )
    with atomic_path(path) as beside:
        beside.write_bytes(data)


def findings_of(marks: Sequence[Mark]) -> list[Finding]:
    """Give the findings of marks."""
    return [mark.finding for mark in marks]


def mark_copies(
    workspace: Workspace, returned: Sequence[tuple[OpenBook, FilledSheet]]
) -> list[Path]:
    """Write a marked copy of each workbook that has errors; gives the copies.

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


def say_refused(findings: Sequence[Finding], copies: Sequence[Path]) -> None:
    """Say that nothing was written, and where the marked copies are."""
    errors = sum(item.severity is Severity.ERROR for item in findings)
    click.echo(f"Nothing was collected: {errors} {plural('error', errors)}.")
    for path in copies:
        click.echo(f"marked     {path}: each is shown in this copy")
