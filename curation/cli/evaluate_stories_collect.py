"""`curate evaluate stories collect`: what editors changed in stories, kept and checked."""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
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
from curation.cli.evaluate_stories_make import Made, make_stories, overrides_file
from curation.cli.sheets import findings_of, mark_copies, say_refused
from curation.io.annotations import AnnotationsFolder, keep_raw
from curation.io.workbooks import FilledSheet, OpenBook, open_workbook, read_sheet
from curation.io.workspace import Workspace
from curation.model.annotation import person_key
from curation.model.errors import CurateError
from curation.model.findings import Finding, has_errors
from evaluation.stories.overrides import (
    EDIT,
    Override,
    edit_sheet,
    merge_overrides,
    override_of,
    read_overrides,
    write_overrides,
)


@dataclass(frozen=True, slots=True)
class _Collected:
    """What was returned; nothing is written yet."""

    returned: tuple[tuple[OpenBook, FilledSheet], ...]
    overrides: tuple[Override, ...]
    findings: tuple[Finding, ...]


@click.command("collect")
@workspace_option
@click.argument(
    "files",
    nargs=-1,
    required=True,
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE...",
)
@json_option
@click.pass_context
def command(
    ctx: click.Context, /, workspace: Workspace, files: tuple[Path, ...], as_json: bool
) -> None:
    """Read the workbooks that editors returned, and check the stories as they are then.

    What they changed goes to annotations/stories_overrides.csv, in the place of what the same
    editors returned earlier, and 'stories build' uses it. A change of a story that the bank
    makes otherwise by now is not used. Where two editors give one story two texts, neither is
    used until they agree. Nothing is written when a workbook has an error: a marked copy is.

    \b
    Example: curate evaluate stories collect returned/*.xlsx
    """  # noqa: D301  # \b keeps click from wrapping the example
    collected = _collect(workspace, files)
    if has_errors(collected.findings):
        copies = mark_copies(workspace, collected.returned)
        if as_json:
            findings = [finding_dict(item) for item in collected.findings]
            print_json({"findings": findings, "marked": [str(path) for path in copies]})
        else:
            print_findings(collected.findings)
            say_refused(collected.findings, copies)
        ctx.exit(1)
    folder, path = AnnotationsFolder(workspace.root), overrides_file(workspace)
    for book, _ in collected.returned:
        keep_raw(folder.raw(book.path.name, book.data), book.data)
    write_overrides(path, merge_overrides(read_overrides(path), collected.overrides))
    made = make_stories(workspace)
    _tell(collected, made, path, as_json=as_json)
    if has_errors(made.findings):
        ctx.exit(1)


def _collect(workspace: Workspace, files: Sequence[Path]) -> _Collected:
    made = make_stories(workspace, edited=False)
    sheet = edit_sheet(made.pairs, made.findings)
    versions = {str(v.variant.id): v for pair in made.pairs for v in pair.versions}
    folder = AnnotationsFolder(workspace.root)
    returned: list[tuple[OpenBook, FilledSheet]] = []
    overrides: list[Override] = []
    at = now()
    for book, editor in _open(files):
        filled = read_sheet(book, sheet)
        source = workspace.shown(folder.raw(book.path.name, book.data))
        overrides += [
            override_of(filled, row, versions[row.key], editor, source, at)
            for row in filled.rows
            if row.filled
        ]
        returned.append((book, filled))
    findings = tuple(item for _, filled in returned for item in findings_of(filled.marks))
    return _Collected(tuple(returned), tuple(overrides), findings)


def _open(files: Sequence[Path]) -> list[tuple[OpenBook, str]]:
    """Open the workbooks, each once, one for each editor."""
    books: dict[str, tuple[OpenBook, str]] = {}
    for path in files:
        book = open_workbook(path, EDIT)
        editor = " ".join(book.about.get("editor", "").split())
        if not editor:
            raise CurateError("the workbook names no editor", str(path), "make it anew")
        known = books.get(person_key(editor))
        if known is not None:
            if sha256(known[0].data).digest() == sha256(book.data).digest():
                continue
            raise CurateError(
                f"{known[0].path.name} and {path.name} are both by '{editor}'",
                str(path),
                "name the one that counts",
            )
        books[person_key(editor)] = book, editor
    return list(books.values())


def _tell(collected: _Collected, made: Made, path: Path, *, as_json: bool) -> None:
    edited = sum(version.edited for pair in made.pairs for version in pair.versions)
    findings = (*collected.findings, *made.findings)
    if as_json:
        print_json(
            {
                "file": str(path),
                "changes": sum(bool(item.text) for item in collected.overrides),
                "remarks": sum(bool(item.remark) for item in collected.overrides),
                "edited": edited,
                "findings": [finding_dict(item) for item in findings],
            }
        )
        return
    if findings:
        print_findings(findings)
        click.echo(count_findings(findings))
    changes = sum(bool(item.text) for item in collected.overrides)
    click.echo(
        f"{changes} {plural('change', changes)} collected in {path}; {edited} "
        f"{plural('text', edited)} of the stories now {'is' if edited == 1 else 'are'} an editor's."
    )
