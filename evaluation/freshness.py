"""Whether samples and requests are still those of the files that they were made from."""

from collections.abc import Iterator
from pathlib import Path

from curation.files.manifest import MANIFEST, Manifest, read_manifest
from curation.files.tables import sha256
from curation.files.workspace import Workspace
from curation.records.findings import Finding, Severity
from curation.records.wording import shortened


def stale(workspace: Workspace, path: Path) -> Iterator[Finding]:
    """Say which files of a workspace have changed since a file was made from them.

    So requests tell of the samples, and samples of the bank. `culture.yaml` is left out: it holds
    much that neither depends on.

    Args:
        workspace: The workspace.
        path: Samples or requests. Of a file without a manifest beside it nothing is known.

    Raises:
        CurateError: If a manifest cannot be read.
    """
    manifest = _beside(path)
    if manifest is None:
        return
    inputs = {workspace.root / name: record for name, record in manifest.inputs.items()}
    inputs = {
        found: record
        for found, record in inputs.items()
        if found != workspace.culture_file and found.is_file()
    }
    changed = [found for found, record in inputs.items() if sha256(found) != record.sha256]
    if changed:
        names = shortened([workspace.shown(found) for found in changed])
        yield Finding(
            "evaluate-stale",
            Severity.WARNING,
            workspace.shown(path),
            None,
            "",
            f"{path.name} is older than what it was made from: {names} changed since",
            "make it again: 'curate export samples' for samples, then 'curate evaluate prepare' "
            "for requests",
        )
    for found in inputs:
        yield from stale(workspace, found)


def made_from(path: Path, source: Path) -> bool:
    """Whether a file was made from another one as this is now.

    Raises:
        CurateError: If the manifest beside it cannot be read.
    """
    manifest = _beside(path)
    if manifest is None:
        return False
    return sha256(source) in {record.sha256 for record in manifest.inputs.values()}


def _beside(path: Path) -> Manifest | None:
    """The manifest of the folder that a file is in, where it lists the file."""
    if not path.is_file() or not (path.parent / MANIFEST).exists():
        return None
    manifest = read_manifest(path.parent)
    return manifest if path.name in manifest.files else None
