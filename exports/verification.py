"""Whether an export is still what was written."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from curation.files.manifest import BYTECODE, MANIFEST, Manifest, read_manifest, verify_manifest
from curation.files.tables import sha256
from curation.files.workspace import Workspace
from curation.records.findings import Finding, Severity, has_errors
from curation.records.frames import frame
from curation.records.wording import plural
from exports.folders import EXPORT
from exports.package_files import PACKAGE
from exports.releases import RELEASES, read_releases
from exports.zipping import opened

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class Verified:
    """What was found of an export.

    Attributes:
        path: The export.
        files: How many files its manifest lists.
        manifest_sha256: The hash of its manifest.
        manifest_known: Whether that was compared with one that was published or recorded: a
            manifest proves nothing of itself, for who changes a file can change it too.
        findings: Every file that is missing, added or changed, and what else is wrong.
    """

    path: Path
    files: int
    manifest_sha256: str
    manifest_known: bool
    findings: tuple[Finding, ...]

    @property
    def has_errors(self) -> bool:
        """Whether it is not what was written."""
        return has_errors(self.findings)

    def to_frame(self) -> "pd.DataFrame":
        """A row a finding: rule, severity, file, column, message, hint as text, row as Int64."""
        return frame(self.findings, Finding, row="Int64")


def verify(
    path: Path,
    workspace: Workspace | None = None,
    *,
    sha256_expected: str | None = None,
    contents: bool = False,
) -> Verified:
    """Compare an export with its manifest, and on request with a workspace and a published hash.

    Args:
        path: An exported folder, or a ZIP file.
        workspace: Also compare what it was made from with this workspace, and its manifest with
            the releases that the workspace recorded.
        sha256_expected: What the hash of its manifest has to be.
        contents: Also make samples, card, page and tasks of a package again from the bank in it,
            and its decisions from the survey in it, and compare.

    Raises:
        CurateError: If it has no manifest, a file cannot be read, or it cannot be made again.
    """
    with opened(path) as folder:
        # No program puts its own into a ZIP file, and bytecode there would be run unseen.
        findings = [*verify_manifest(folder, everything=not path.is_dir())]
        if path.is_dir():
            findings += _bytecode(folder)
        manifest, digest = read_manifest(folder), sha256(folder / MANIFEST)
        known = sha256_expected is not None
        if sha256_expected is not None and digest != sha256_expected.strip().lower():
            findings.append(_other_manifest(digest, "the one that was given"))
        if manifest.settings.get("draft"):
            findings.append(_draft())
        if workspace is not None:
            found, recorded = _against(workspace, manifest, digest)
            findings += found
            known = known or recorded
        if contents:
            from exports.contents import compare_contents

            findings += compare_contents(folder, manifest)
    return Verified(path, len(manifest.files), digest, known, tuple(findings))


def _bytecode(folder: Path) -> list[Finding]:
    """Warn of compiled programs: they are run in place of those that were checked."""
    found = sorted(path for path in folder.rglob("*.pyc") if path.is_file())
    if not found:
        return []
    count = f"{len(found):,} compiled Python {plural('file', len(found))}"
    return [
        Finding(
            rule="manifest-bytecode",
            severity=Severity.WARNING,
            file=found[0].relative_to(folder).as_posix(),
            row=None,
            column="",
            message=f"{count} cannot be checked, and Python may run them in place of the programs",
            hint=f"delete every folder {BYTECODE} before you run a program of this folder",
        )
    ]


def _draft() -> Finding:
    return Finding(
        rule="release-draft",
        severity=Severity.WARNING,
        file=MANIFEST,
        row=None,
        column="settings.draft",
        message="it says that it is a draft, and drafts are not recorded",
        hint="if you were given it as a release, get it from its publisher again",
    )


def _other_manifest(digest: str, what: str) -> Finding:
    return Finding(
        rule="manifest-other",
        severity=Severity.ERROR,
        file=MANIFEST,
        row=None,
        column="",
        message=f"its SHA-256 is {digest}, which is not {what}",
        hint="it is another release, or somebody has changed it: fetch it again from its publisher",
    )


def _against(workspace: Workspace, manifest: Manifest, digest: str) -> tuple[list[Finding], bool]:
    """Compare with a workspace; says too whether the workspace has recorded the manifest."""
    workspace.culture  # noqa: B018  # a folder that is no workspace is refused
    found = compare_inputs(manifest, workspace)
    if manifest.settings.get(EXPORT) != PACKAGE or manifest.settings.get("draft"):
        return found, False
    version = str(manifest.settings.get("version"))
    releases = read_releases(workspace.root / RELEASES)
    hashes = [item.manifest_sha256 for item in releases if item.version == version]
    if not hashes:
        message = f"{RELEASES} of the workspace holds no release of version {version}"
        hint = "it was made from another workspace, or its record was lost"
        found.append(
            Finding("release-unknown", Severity.ERROR, RELEASES, None, "version", message, hint)
        )
    elif digest not in hashes:
        found.append(_other_manifest(digest, f"that of version {version} in {RELEASES}"))
    return found, digest in hashes


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
            what, message = "changed", "has changed in the workspace since"
        else:
            continue
        hint = "give the workspace as it was at the release, or export again"
        text = f"{name}, which it was made from, {message}"
        found.append(Finding(f"input-{what}", Severity.ERROR, name, None, "", text, hint))
    return found
