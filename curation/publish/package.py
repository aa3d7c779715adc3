"""The part of a package from which everything else in it can be made again."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from curation.io.annotations import AnnotationsFolder
from curation.io.atomic import atomic_path, atomic_text
from curation.io.bank import write_bank
from curation.io.ledger import append_decisions, read_decisions
from curation.io.manifest import MANIFEST, Manifest, read_manifest
from curation.io.sources import INDEX
from curation.io.tables import read_bytes, sha256
from curation.io.workspace import Workspace
from curation.model.bank import Bank
from curation.model.errors import CurateError
from curation.model.findings import Finding, Severity
from curation.model.licences import Licence, Terms, conflict, terms_of
from curation.model.survey import Decision

PACKAGE = "package"
"""What the manifest of a package says that it is an export of."""
WORKSPACE = "workspace"
"""The folder of a package that is a workspace."""
DRAFT = "DRAFT.md"
CHANGES = "CHANGES.md"

_OURS = re.compile(r"curate \d.*")
_TALLIES = "tallies.csv"


def workspace_files(workspace: Workspace) -> dict[str, Path]:
    """Give the files of a workspace that a package holds, by their path in it.

    There is no file among them that holds answers of respondents, work of single annotators, or
    published files of others.
    """
    files = (
        workspace.culture_file,
        workspace.bank_file,
        workspace.groups_file,
        workspace.sources_folder / INDEX,
        workspace.ledger_file,
        workspace.questionnaire_file,
        workspace.targets_file,
        workspace.responses_folder / _TALLIES,
        AnnotationsFolder(workspace.root).renamed,
    )
    return {path.relative_to(workspace.root).as_posix(): path for path in files if path.exists()}


def write_workspace(
    workspace: Workspace, folder: Path, left: Collection[str], sources: Mapping[str, Licence]
) -> int:
    """Write the part of a workspace that is passed on with the benchmark.

    Files are copied to the byte, but for two: templates that are out and whose source may not be
    passed on are taken out of the bank, and people in the ledger get numbers for names, unless
    they are authors of the release.

    Args:
        workspace: The workspace.
        folder: Where to write.
        left: Ids of the templates that are left.
        sources: The terms of sources, by name.

    Returns:
        How many templates were taken out of the bank.

    Raises:
        CurateError: If a file cannot be read or written.
    """
    for name, path in workspace_files(workspace).items():
        with atomic_path(folder / name) as beside:
            beside.write_bytes(read_bytes(path))
    terms = terms_of(workspace.culture.release.licence)
    kept = [
        variant
        for variant in workspace.bank.variants
        if str(variant.template_id) in left or _may_pass(variant.source.strip(), sources, terms)
    ]
    place = folder / workspace.bank_file.relative_to(workspace.root)
    if len(kept) < len(workspace.bank.variants):
        write_bank(place, Bank(tuple(kept)))
    authors = {author.shown for author in workspace.culture.release.authors}
    rulings = read_decisions(workspace.ledger_file)
    unnamed = list(without_names(rulings, authors))
    if unnamed != rulings:
        path = folder / workspace.ledger_file.relative_to(workspace.root)
        path.unlink()
        append_decisions(path, unnamed)
    stay = {variant.template_id for variant in kept}
    return len({variant.template_id for variant in workspace.bank.variants} - stay)


def _may_pass(source: str, sources: Mapping[str, Licence], release: Terms | None) -> bool:
    """Say whether templates of a source that are out may be passed on with the others."""
    terms = terms_of(sources[source].name) if source in sources else None
    return not source or (terms is not None and not conflict(terms, release or terms))


def without_names(rulings: Sequence[Decision], authors: Collection[str]) -> Iterator[Decision]:
    """Number the people who ruled, in the order of their first ruling; authors keep their names."""
    numbers: dict[str, str] = {}
    for ruling in rulings:
        by = ruling.by
        if not by or by in authors or _OURS.fullmatch(by):
            yield ruling
        else:
            number = numbers.setdefault(by, f"person {len(numbers) + 1}")
            yield replace(ruling, by=number)


def write_draft(folder: Path, findings: Sequence[Finding]) -> None:
    """Say in the package that it is no release, and what is lacking.

    Raises:
        CurateError: If it cannot be written.
    """
    errors = [item for item in findings if item.severity is Severity.ERROR]
    with atomic_text(folder / DRAFT) as stream:
        stream.write(
            "# This is a draft\n\nIt is no release: do not publish it, and do not report scores "
            "on it.\n"
        )
        if errors:
            stream.write("\nWhat stands in the way of a release:\n\n")
        for item in errors:
            place = f"{item.where}: " if item.where else ""
            stream.write(f"- `{item.rule}` {place}{item.message}\n")


def compare_inputs(manifest: Manifest, workspace: Workspace) -> list[Finding]:
    """Compare what an export was made from with the files of a workspace.

    Raises:
        CurateError: If a file cannot be read.
    """
    found = []
    for name, record in sorted(manifest.inputs.items()):
        path = workspace.root / name
        if not path.is_file():
            what, message = "missing", "is not in the workspace"
        elif sha256(path) != record.sha256:
            what, message = "changed", "is another one in the workspace by now"
        else:
            continue
        hint = "give the workspace as it was at the release, or export again"
        text = f"{name}, which it was made from, {message}"
        found.append(Finding(f"input-{what}", Severity.ERROR, name, None, "", text, hint))
    return found


def compare_folders(given: Path, made: Path, left_out: Collection[str] = ()) -> list[Finding]:
    """Compare an export with what was made again, file by file, but for its manifest's hash.

    Args:
        given: The export.
        made: What was made again.
        left_out: Files that are not compared.

    Raises:
        CurateError: If a file cannot be read.
    """
    first, second = read_manifest(given), read_manifest(made)
    found = []
    for name in sorted({*first.files, *second.files} - {*left_out}):
        if first.files.get(name) == second.files.get(name):
            continue
        if name not in first.files:
            what, message = "missing", "comes out when it is made again, and is not there"
        elif name not in second.files:
            what, message = "added", "does not come out when it is made again"
        else:
            what, message = "changed", "comes out otherwise when it is made again"
        found.append(_rebuilt(what, name, f"{name} {message}"))
    for key in sorted({*first.settings, *second.settings}):
        if first.settings.get(key) != second.settings.get(key):
            text = f"settings.{key} of the manifest comes out otherwise when it is made again"
            found.append(_rebuilt("changed", MANIFEST, text))
    if first.tool_version != second.tool_version:
        text = f"it was made with version {first.tool_version}, this is {second.tool_version}"
        found.append(_rebuilt("version", MANIFEST, text, Severity.WARNING))
    return found


def _rebuilt(what: str, name: str, message: str, severity: Severity = Severity.ERROR) -> Finding:
    hint = "it is not what this version of the toolkit makes of this workspace"
    return Finding(f"rebuilt-{what}", severity, name, None, "", message, hint)


def refuse_other(manifest: Manifest, where: Path) -> None:
    """Refuse an export that is no package.

    Raises:
        CurateError: If it is none.
    """
    if manifest.settings.get("export") != PACKAGE:
        raise CurateError(
            "it is no package of 'curate export package'",
            str(where),
            "leave out --rebuild, or make it again with its own command and compare",
        )
