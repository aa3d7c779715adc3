"""`curate classify collect`: what annotators returned, how far they agree, what is left open."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from pathlib import Path

import click

from curation.cli.classify_show import agreement_lines
from curation.cli.clock import now
from curation.cli.common import (
    finding_dict,
    json_option,
    plural,
    print_findings,
    print_json,
    workspace_option,
)
from curation.cli.sheets import findings_of, mark_copies, say_refused
from curation.io.annotations import (
    AnnotationsFolder,
    keep_raw,
    read_annotations,
    write_agenda_csv,
    write_annotations,
)
from curation.io.atomic import atomic_text
from curation.io.workbooks import (
    FilledRow,
    FilledSheet,
    OpenBook,
    Sheet,
    open_workbook,
    read_sheet,
    row_hash,
    write_workbook,
)
from curation.io.workspace import Workspace
from curation.model.annotation import CLASSIFY_LABELS, AgendaItem, Annotation, person_key
from curation.model.bank import Label, Template
from curation.model.errors import CurateError
from curation.model.findings import Finding, Severity, has_errors
from curation.model.survey import Rule, split_groups
from curation.stages.agreement import Agreement, agreement
from curation.stages.classify import Standing, agenda, classifiable, merge_annotations, stand
from curation.stages.classify_sheets import (
    AGENDA,
    CLASSIFY,
    agenda_book,
    agenda_markdown,
    agenda_sheet,
    classify_hashes,
    classify_sheet,
)
from survey.ledger import current


@dataclass(frozen=True, slots=True)
class Collected:
    """What was returned; nothing is written yet."""

    returned: tuple[tuple[OpenBook, FilledSheet], ...]
    annotations: tuple[Annotation, ...]
    findings: tuple[Finding, ...]


@click.command("collect")
@workspace_option
@click.argument(
    "files", nargs=-1, type=click.Path(dir_okay=False, path_type=Path), metavar="[FILE]..."
)
@click.option(
    "--accept-changed",
    is_flag=True,
    help="Take labels of templates that were changed after the sheet was made.",
)
@click.option("--seed", type=int, default=42, show_default=True, help="Of the bootstrap interval.")
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    /,
    workspace: Workspace,
    files: tuple[Path, ...],
    accept_changed: bool,
    seed: int,
    as_json: bool,
) -> None:
    """Read the workbooks that annotators returned, and show how far they agree.

    What is read goes to annotations/classify.csv, in the place of what the same annotators
    returned earlier; without FILE what was collected before is shown again. Templates on
    which annotators disagree, or that not all of them labelled, go to annotations/agenda.csv,
    .xlsx and .md. Nothing is written when a workbook has an error: a marked copy is.

    \b
    Example: curate classify collect returned/*.xlsx
    """  # noqa: D301  # \b keeps click from wrapping the example
    templates = classifiable(workspace.bank.templates())
    collected = _collect(workspace, files, templates, accept_changed)
    if has_errors(collected.findings):
        copies = mark_copies(workspace, collected.returned)
        if as_json:
            findings = [finding_dict(item) for item in collected.findings]
            print_json({"findings": findings, "marked": [str(path) for path in copies]})
        else:
            print_findings(collected.findings)
            say_refused(collected.findings, copies)
        ctx.exit(1)
    result = _save(workspace, collected, templates, seed)
    if as_json:
        print_json(_as_dict(result))
    else:
        _show(workspace, result)


def _collect(
    workspace: Workspace, files: Sequence[Path], templates: Sequence[Template], accept: bool
) -> Collected:
    sheet = classify_sheet(templates)
    folder = AnnotationsFolder(workspace.root)
    books, findings = _open(files)
    returned = [(book, read_sheet(book, sheet)) for book in books]
    annotations: list[Annotation] = []
    at = now()
    for book, filled in returned:
        source = workspace.shown(folder.raw(book.path.name, book.data))
        found = [_annotation(filled, row, book, source, at) for row in filled.rows if row.filled]
        if not any(item.label for item in found) and not filled.has_errors:
            filled.mark(
                *(None, "", "annotation-empty"),
                f"{book.about['annotator']} has labelled no template",
                "send the sheet back to be filled in",
            )
        annotations.extend(_accepted(item, sheet) if accept else item for item in found)
        findings.extend(findings_of(filled.marks))
    return Collected(tuple(returned), tuple(annotations), tuple(findings))


def _open(files: Sequence[Path]) -> tuple[list[OpenBook], list[Finding]]:
    """Open the workbooks, each once, one for each annotator."""
    books: dict[str, OpenBook] = {}
    digests: dict[str, Path] = {}
    findings = []
    for path in files:
        book = open_workbook(path, CLASSIFY)
        digest = sha256(book.data).hexdigest()
        if digest in digests:
            message = f"the same file as {digests[digest].name}; it is read once"
            findings.append(
                Finding("annotation-file-twice", Severity.WARNING, path.name, None, "", message)
            )
            continue
        digests[digest] = path
        name = book.about.get("annotator", "").strip()
        if not name:
            raise CurateError("the workbook names no annotator", str(path), "make it anew")
        if person_key(name) in books:
            first = books[person_key(name)].path.name
            raise CurateError(
                f"{first} and {path.name} are both by '{name}'",
                str(path),
                "name the one that counts, or make a sheet under another name for the other person",
            )
        books[person_key(name)] = book
    return list(books.values()), findings


def _annotation(
    filled: FilledSheet, row: FilledRow, book: OpenBook, source: str, at: str
) -> Annotation:
    label = row.cells["label"].strip()
    return Annotation(
        template_id=row.key,
        annotator=" ".join(book.about["annotator"].split()),
        label=Label(label) if label in {item.value for item in CLASSIFY_LABELS} else None,
        reason=row.cells["reason"].strip(),
        proposed_targets=_groups(filled, row, "proposed_targets"),
        proposed_non_targets=_groups(filled, row, "proposed_non_targets"),
        remark=row.cells["remark"].strip(),
        source_file=source,
        row_hash=row.hash,
        collected_at=at,
    )


def _groups(filled: FilledSheet, row: FilledRow, column: str) -> tuple[str, ...]:
    try:
        return split_groups(row.cells[column].strip())
    except ValueError:
        filled.mark(
            *(row, column, "annotation-groups"),
            f"{row.key}: '{row.cells[column].strip()}' is no list of groups",
            "separate groups by commas",
        )
        return ()


def _accepted(item: Annotation, sheet: Sheet) -> Annotation:
    """Take an annotation as one of the template as it is now."""
    cells = next(row.cells for row in sheet.rows if row.key == item.template_id)
    return replace(item, row_hash=row_hash(sheet, cells))


@dataclass(frozen=True, slots=True)
class _Result:
    """What a run found and wrote."""

    files: dict[str, str]
    replaced: dict[str, int]
    templates: int
    standing: Standing
    agreement: Agreement
    agenda: tuple[AgendaItem, ...]
    moved: str
    findings: tuple[Finding, ...]


def _save(
    workspace: Workspace, collected: Collected, templates: Sequence[Template], seed: int
) -> _Result:
    folder = AnnotationsFolder(workspace.root)
    merged = merge_annotations(read_annotations(folder.classify), collected.annotations)
    if not merged.rows:
        raise CurateError(
            "nothing was collected yet",
            workspace.shown(folder.classify),
            "name the workbooks that annotators returned: curate classify collect FILE...",
        )
    standing = stand(templates, merged.rows, classify_hashes(templates))
    settled = {subject for subject, rule in current(workspace.rulings) if rule is Rule.CONSENSUS}
    items = agenda(templates, standing, settled)
    for book, _ in collected.returned:
        keep_raw(folder.raw(book.path.name, book.data), book.data)
    if collected.returned:
        write_annotations(folder.classify, merged.rows)
    moved = _write_agenda(folder, templates, items)
    labels = [label.value for label in CLASSIFY_LABELS]
    return _Result(
        files={" ".join(b.about["annotator"].split()): str(b.path) for b, _ in collected.returned},
        replaced=dict(merged.replaced),
        templates=len(templates),
        standing=standing,
        agreement=agreement(standing.ratings, standing.annotators, labels, seed),
        agenda=tuple(items),
        moved=moved,
        findings=(*collected.findings, *_of_standing(workspace, standing)),
    )


def _write_agenda(
    folder: AnnotationsFolder, templates: Sequence[Template], items: Sequence[AgendaItem]
) -> str:
    """Write the agenda; a filled in one that stands there is moved aside, not lost."""
    path, moved = folder.agenda("xlsx"), ""
    if path.exists():
        book = open_workbook(path, AGENDA)
        filled = read_sheet(book, agenda_sheet(templates, items))
        unknown = [m.finding for m in filled.marks if m.finding.rule == "workbook-row-unknown"]
        if any(row.filled for row in filled.rows) or has_errors(unknown):
            digest = sha256(book.data).hexdigest()[:8]
            target = path.with_name(f"agenda-filled-{digest}.xlsx")
            path.replace(target)
            moved = str(target)
    write_agenda_csv(folder.agenda("csv"), items)
    write_workbook(path, agenda_book(templates, items))
    with atomic_text(folder.agenda("md")) as stream:
        stream.write(agenda_markdown(items))
    return moved


def _of_standing(workspace: Workspace, standing: Standing) -> list[Finding]:
    """Say what of the annotations does not hold any more."""
    file = workspace.shown(AnnotationsFolder(workspace.root).classify)
    findings = [
        Finding(
            *("annotation-stale", Severity.WARNING, file, None, "row_hash"),
            f"{name}: {len(ids)} {plural('template', len(ids))} changed after being labelled: "
            f"{', '.join(ids[:8])}{', ...' if len(ids) > 8 else ''}; the labels are not counted",
            "hand out a fresh sheet, or collect the file again with --accept-changed",
        )
        for name, ids in standing.stale.items()
    ]
    if standing.strange:
        ids = standing.strange
        findings.append(
            Finding(
                *("annotation-unknown-template", Severity.WARNING, file, None, "template_id"),
                f"{len(ids)} annotated {plural('template', len(ids))} not to be classified in the "
                f"bank: {', '.join(ids[:8])}{', ...' if len(ids) > 8 else ''}",
                "they are not counted; see annotations/renamed.csv for ids that were changed",
            )
        )
    return findings


def _as_dict(result: _Result) -> dict[str, object]:
    standing = result.standing
    return {
        "templates": result.templates,
        "annotators": [
            {
                "annotator": name,
                "file": result.files.get(name),
                "replaced": result.replaced.get(name, 0),
                "labels": result.agreement.counts[name],
                "labelled": result.templates - len(standing.missing[name]),
                "missing": list(standing.missing[name]),
                "changed": list(standing.stale.get(name, ())),
            }
            for name in standing.annotators
        ],
        "agreement": asdict(result.agreement),
        "disagreements": [i.template_id for i in result.agenda if i.kind == "disagreement"],
        "incomplete": [i.template_id for i in result.agenda if i.kind == "incomplete"],
        "moved": result.moved or None,
        "findings": [finding_dict(item) for item in result.findings],
    }


def _show(workspace: Workspace, result: _Result) -> None:
    if result.findings:
        print_findings(result.findings)
    click.echo("\n".join(agreement_lines(result.agreement)))
    click.echo()
    for name, count in result.replaced.items():
        if count:
            click.echo(f"replaced   {name}: {count} earlier {plural('annotation', count)}")
    for name in result.standing.annotators:
        missing = result.standing.missing[name]
        if missing:
            more = ", ..." if len(missing) > 8 else ""
            click.echo(f"incomplete {name}: {len(missing)} open: {', '.join(missing[:8])}{more}")
    if result.moved:
        click.echo(f"moved      the agenda that was filled in is now {result.moved}")
    disagree = sum(item.kind == "disagreement" for item in result.agenda)
    path = workspace.shown(AnnotationsFolder(workspace.root).agenda("xlsx"))
    click.echo(
        f"{disagree} {plural('disagreement', disagree)} and {len(result.agenda) - disagree} "
        f"incomplete of {result.templates} templates are on the agenda: {path}"
    )
