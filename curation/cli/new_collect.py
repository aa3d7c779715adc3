"""`curate new collect`: new templates are checked and put into the bank."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import click

from curation.checks.base import Subject
from curation.checks.catalogue import run
from curation.cli.common import (
    finding_dict,
    json_option,
    plural,
    print_findings,
    print_json,
    workspace_option,
)
from curation.cli.sheets import findings_of, mark_copies, say_refused
from curation.io.annotations import AnnotationsFolder, keep_raw, read_renamed
from curation.io.bank import write_bank
from curation.io.workbooks import FilledRow, FilledSheet, OpenBook, open_workbook, read_sheet
from curation.io.workspace import Workspace
from curation.model.bank import Bank, Variant
from curation.model.errors import CurateError
from curation.model.findings import Finding
from curation.model.ids import TemplateId
from curation.stages.newtemplates import NEW, NewTemplate, Numbers, RowError, make_pair, new_sheet

_FAR = 10_000_000
"""Added to rows of the sheet, so that checks tell them from rows of the bank."""


@dataclass(frozen=True, slots=True)
class _Collected:
    """What the sheet holds; nothing is written yet."""

    book: OpenBook
    filled: FilledSheet
    made: tuple[NewTemplate, ...]

    @property
    def new(self) -> list[NewTemplate]:
        """Those that the bank has not."""
        return [item for item in self.made if item.known_as is None]


@click.command("collect")
@workspace_option
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--dry-run", is_flag=True, help="Check, and write nothing.")
@json_option
@click.pass_context
def command(
    ctx: click.Context, /, workspace: Workspace, file: Path, dry_run: bool, as_json: bool
) -> None:
    """Check new templates with every rule, and put them into the bank as pairs of variants.

    A row is variant a; b is made of it by exchanging the two people. Templates get the label
    NC and the next free ids. When anything is an error nothing is written, and a marked copy
    comes back. A template that is in the bank already is not added again.

    \b
    Example: curate new collect annotations/sheets/new-templates.xlsx
    """  # noqa: D301  # \b keeps click from wrapping the example
    collected = _collect(workspace, file)
    findings = findings_of(collected.filled.marks)
    if collected.filled.has_errors:
        copies = [] if dry_run else mark_copies(workspace, [(collected.book, collected.filled)])
        if as_json:
            shown = [finding_dict(item) for item in findings]
            print_json({"findings": shown, "marked": [str(path) for path in copies]})
        else:
            print_findings(findings)
            say_refused(findings, copies)
        ctx.exit(1)
    if not dry_run:
        _save(workspace, collected)
    if as_json:
        print_json(_as_dict(collected, findings))
    else:
        _show(collected, findings, dry_run=dry_run)


def _collect(workspace: Workspace, file: Path) -> _Collected:
    book = open_workbook(file, NEW)
    filled = read_sheet(book, new_sheet([c.id for c in workspace.culture.categories], rows=1))
    refused = {mark.finding.row for mark in filled.marks}
    numbers = Numbers(_taken(workspace))
    made = []
    for row in filled.rows:
        if row.row in refused:
            continue
        try:
            language = workspace.culture.language
            at = _FAR + row.row
            made.append(make_pair(row.cells, workspace.bank, numbers, language, at))
        except RowError as error:
            filled.mark(row, error.column, "new-template", error.what, error.hint)
    if not filled.rows and not filled.has_errors:
        filled.mark(None, "", "new-empty", "no template is written", "fill in the sheet")
    _check(workspace, filled, made)
    return _Collected(book, filled, tuple(made))


def _taken(workspace: Workspace) -> Iterable[TemplateId]:
    """Give ids in use, once in use or ruled on: an id never comes to mean another template."""
    yield from (item.id for item in workspace.bank.templates())
    yield from map(TemplateId.parse, read_renamed(AnnotationsFolder(workspace.root).renamed))
    for ruling in workspace.decisions:
        try:
            yield TemplateId.parse(ruling.subject)
        except CurateError:
            continue  # a question


def _check(workspace: Workspace, filled: FilledSheet, made: Sequence[NewTemplate]) -> None:
    """Apply every rule to the bank as it would be, and mark what is said of the new rows."""
    new = [variant for item in made if item.known_as is None for variant in _variants(item)]
    subject = Subject(
        culture=workspace.culture,
        bank=Bank((*workspace.bank.variants, *new)),
        groups=tuple(workspace.groups),
        bank_file=workspace.shown(workspace.bank_file),
        groups_file=workspace.shown(workspace.groups_file),
    )
    rows = {row.row: row for row in filled.rows}
    said: set[tuple[int, str, str]] = set()
    for finding in run(subject) if new else ():
        row = rows.get((finding.row or 0) - _FAR)
        if row is not None and (row.row, finding.rule, finding.column) not in said:
            said.add((row.row, finding.rule, finding.column))
            _mark(filled, row, finding)


def _mark(filled: FilledSheet, row: FilledRow, finding: Finding) -> None:
    column = finding.column if finding.column in filled.letters else "stereotype"
    filled.mark(row, column, finding.rule, finding.message, finding.hint, finding.severity)


def _variants(item: NewTemplate) -> tuple[Variant, Variant]:
    return item.first, item.second


def _save(workspace: Workspace, collected: _Collected) -> None:
    new = [replace(row, row=0) for item in collected.new for row in _variants(item)]
    book = collected.book
    keep_raw(AnnotationsFolder(workspace.root).raw(book.path.name, book.data), book.data)
    if new:
        write_bank(workspace.bank_file, Bank((*workspace.bank.variants, *new)))


def _as_dict(collected: _Collected, findings: Sequence[Finding]) -> dict[str, object]:
    return {
        "added": [
            {
                "template_id": str(item.first.template_id),
                "row": item.first.row - _FAR,
                "stereotype": item.first.texts.stereotype,
            }
            for item in collected.new
        ],
        "known": [str(item.known_as) for item in collected.made if item.known_as],
        "findings": [finding_dict(item) for item in findings],
    }


def _show(collected: _Collected, findings: Sequence[Finding], *, dry_run: bool) -> None:
    for item in collected.new:
        click.echo(f"new        {item.first.template_id}  {item.first.texts.stereotype}")
    for item in collected.made:
        if item.known_as:
            click.echo(f"known      {item.known_as}  {item.first.texts.stereotype}")
    if findings:
        print_findings(findings)
    count, verb = len(collected.new), "would be added" if dry_run else "added"
    click.echo(f"{count} {plural('template', count)} {verb} to the bank, each as variants a and b.")
