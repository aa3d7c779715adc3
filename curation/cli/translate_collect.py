"""`curate translate collect`: what translators returned, into the bank."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from curation.cli.clock import now
from curation.cli.common import (
    count_findings,
    finding_dict,
    json_option,
    plural,
    print_findings,
    print_json,
    workspace_option,
)
from curation.cli.sheets import findings_of, mark_copies
from curation.cli.translate_pulled import Wanted, collect_pulled
from curation.cli.translate_save import conflict_message, save_taken, show_put
from curation.cli.translate_sheet import Selection, selected
from curation.io.annotations import AnnotationsFolder, keep_raw
from curation.io.translation.returned import Returned, read_returned, returned_file
from curation.io.workbooks import FilledRow, FilledSheet, OpenBook, open_workbook, read_sheet
from curation.io.workspace import Workspace
from curation.model.annotation import person_key
from curation.model.errors import CurateError
from curation.model.findings import Finding, Severity, has_errors
from curation.stages.translate.cells import Variants
from curation.stages.translate.collect import Given, Put, problem_of, put
from curation.stages.translate.sheet import KIND, TRANSLATION, Entry, translation_sheet

_SOURCE_CHANGED = "workbook-row-changed"
Known = Mapping[tuple[str, str, str], Returned]


@dataclass(frozen=True, slots=True)
class _Read:
    """One workbook as it was read: its rows that can be taken, each with what it translates."""

    book: OpenBook
    filled: FilledSheet
    taken: tuple[tuple[FilledRow, Entry], ...]
    open: int


@click.command("collect")
@workspace_option
@click.argument(
    "files",
    nargs=-1,
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="[FILE]...",
)
@click.option(
    "--labelstudio", is_flag=True, help="Take what 'curate pull translate' fetched; no FILE."
)
@click.option(
    "--by",
    metavar="NAME",
    help="With --labelstudio: take this translator's text where several differ.",
)
@click.option(
    "--template",
    "templates",
    multiple=True,
    metavar="ID",
    help="With --labelstudio: only this template; may be given several times.",
)
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    /,
    workspace: Workspace,
    files: tuple[Path, ...],
    labelstudio: bool,
    by: str | None,
    templates: tuple[str, ...],
    as_json: bool,
) -> None:
    """Put what translators returned into the bank: workbooks, or what was pulled.

    Every text must have the slots of its source. What is right goes to the bank; what is
    wrong is shown in a marked copy of the workbook, which can be mended and collected again.
    A text that somebody has changed in the bank since the sheet was made is left as it is.
    Collecting the same workbook again changes nothing.

    With --labelstudio the same is done with annotations/translate.csv. Where translators have
    different texts none is taken: that is said, and --by chooses.

    \b
    Example: curate translate collect returned/*.xlsx
             curate pull translate && curate translate collect --labelstudio
             curate translate collect --labelstudio --by Mina --template age-001
    """  # noqa: D301  # \b keeps click from wrapping the example
    _check_usage(files, labelstudio, by, templates)
    if labelstudio:
        collect_pulled(ctx, workspace, Wanted(" ".join((by or "").split()), templates), as_json)
    else:
        _collect_files(ctx, workspace, files, as_json)


def _check_usage(
    files: Sequence[Path], labelstudio: bool, by: str | None, templates: Sequence[str]
) -> None:
    if labelstudio and files:
        raise click.UsageError("--labelstudio takes no FILE: collect the workbooks by themselves")
    if not labelstudio and not files:
        raise click.UsageError("Missing argument 'FILE...', or --labelstudio")
    if not labelstudio and (by is not None or templates):
        raise click.UsageError("--by and --template belong to --labelstudio")
    if by is not None and not by.strip():
        raise click.UsageError("--by: a name is empty")


def _collect_files(
    ctx: click.Context, workspace: Workspace, files: Sequence[Path], as_json: bool
) -> None:
    variants = {variant.id: variant for variant in workspace.bank.variants}
    path = returned_file(workspace.root)
    known = read_returned(path)
    read = [_read(workspace, file, variants) for file in dict.fromkeys(files)]
    given, rows = _given(read, known)
    result = put(workspace.bank, [item for item, _, _ in given])
    _mark_conflicts(result, rows)
    findings = [item for one in read for item in findings_of(one.filled.marks)]
    _save(workspace, read, given, known, result)
    copies = mark_copies(workspace, [(one.book, one.filled) for one in read])
    if as_json:
        print_json(_as_dict(read, result, findings, copies))
    else:
        _show(read, result, findings, copies)
    if has_errors(findings):
        ctx.exit(1)


def _read(workspace: Workspace, path: Path, variants: Variants) -> _Read:
    book = open_workbook(path, KIND)
    try:
        selection = Selection.from_text(book.about.get("selection", ""))
    except (ValueError, TypeError) as error:
        raise CurateError(
            "the workbook does not say which texts it holds", str(path), "make it anew"
        ) from error
    entries, _ = selected(workspace, selection)
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
        if _is_right(filled, row, entry, variants, workspace.culture.language):
            taken.append((row, entry))
    return _Read(book, filled, tuple(taken), empty)


def _is_right(
    filled: FilledSheet, row: FilledRow, entry: Entry, variants: Variants, language: str
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
) -> tuple[list[tuple[Given, _Read, FilledRow]], dict[tuple[str, str, str], _Row]]:
    """Give the translations that can be taken; of two for one text the first, with a mark."""
    given: list[tuple[Given, _Read, FilledRow]] = []
    rows: dict[tuple[str, str, str], _Row] = {}
    for one in read:
        for row, entry in one.taken:
            text = row.cells[TRANSLATION].strip()
            key = entry.unit.key
            if key in rows:
                other, first = rows[key]
                if first.cells[TRANSLATION].strip() != text:
                    one.filled.mark(
                        row,
                        TRANSLATION,
                        "translation-twice",
                        f"{entry.unit.template}: {other.book.path.name} has another translation "
                        "of this text, which was taken",
                        "agree on one",
                    )
                continue
            rows[key] = (one, row)
            before = {line for line in row.cells["in_bank"].split("\n") if line}
            if key in known and _same_person(known[key], one):
                before.add(known[key].translation)
            given.append((Given(entry.unit, text, frozenset(before)), one, row))
    return given, rows


def _same_person(earlier: Returned, one: _Read) -> bool:
    """Say whether a text was collected from the same translator: another's is not written over."""
    return person_key(earlier.translator) == person_key(one.book.about.get("translator", ""))


def _mark_conflicts(result: Put, rows: Mapping[tuple[str, str, str], _Row]) -> None:
    for conflict in result.conflicts:
        one, row = rows[conflict.unit.key]
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


def _as_dict(
    read: Sequence[_Read], result: Put, findings: Sequence[Finding], copies: Sequence[Path]
) -> dict[str, object]:
    return {
        "accepted": sum(len(one.taken) for one in read),
        "open": sum(one.open for one in read),
        "cells": result.written,
        "unchanged": result.unchanged,
        "conflicts": len(result.conflicts),
        "open_lists": result.open_lists,
        "marked": [str(path) for path in copies],
        "findings": [finding_dict(item) for item in findings],
    }


def _show(
    read: Sequence[_Read], result: Put, findings: Sequence[Finding], copies: Sequence[Path]
) -> None:
    if findings:
        print_findings(findings)
        click.echo(count_findings(findings))
    for one in read:
        rows = len(one.taken)
        click.echo(
            f"{one.book.path.name}: {rows} {plural('text', rows)} accepted, {one.open} still open."
        )
    show_put(result)
    for path in copies:
        click.echo(f"What is wrong is shown in {path}")
