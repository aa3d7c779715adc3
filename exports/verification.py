"""Whether an export is still what was written, and comes out of its workspace again."""

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from curation.files.manifest import BYTECODE, MANIFEST, Manifest, read_manifest, verify_manifest
from curation.files.tables import sha256
from curation.files.workspace import Workspace
from curation.records.errors import CurateError
from curation.records.findings import Finding, Severity, has_errors
from curation.records.frames import frame
from curation.records.wording import plural
from exports.edition import Edition
from exports.folders import EXPORT
from exports.package_files import CHANGES, PACKAGE, Making, write_package
from exports.releases import RELEASES, read_releases, release_check, release_facts
from exports.zipping import opened
from survey.bank import final_bank

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
    rebuild: bool = False,
    previous: Path | None = None,
) -> Verified:
    """Compare an export with its manifest, and on request with a workspace and a published hash.

    Args:
        path: An exported folder, or a ZIP file.
        workspace: Also compare what it was made from with this workspace, and its manifest with
            the releases that the workspace recorded.
        sha256_expected: What the hash of its manifest has to be.
        rebuild: Also make the package again from the workspace and compare every file.
        previous: For `rebuild`: the package of the release before that was named when it was made.

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
            if rebuild:
                findings += _rebuilt(workspace, folder, manifest, previous)
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


def _rebuilt(
    workspace: Workspace, folder: Path, manifest: Manifest, previous: Path | None
) -> list[Finding]:
    """Make a package again in a temporary folder and compare."""
    if manifest.settings.get(EXPORT) != PACKAGE:
        raise CurateError(
            "it is not a package of 'curate export package'",
            str(folder),
            "leave out --rebuild, or make it again with its own command and compare",
        )
    with TemporaryDirectory(prefix="curate-") as name:
        said = {name: manifest.settings.get(name) for name in ("per_template", "proper_names")}
        bounds = {name: value for name, value in said.items() if isinstance(value, int)}
        settings = workspace.culture.samples.with_bounds(**bounds)
        edition = Edition(workspace, final_bank(workspace), keeps=True, settings=settings)
        facts = release_facts(workspace, edition)
        if facts.digest is None:
            raise facts.problems[0] if facts.problems else CurateError("nothing can be made again")
        findings = None
        if manifest.settings.get("draft"):
            findings = release_check(workspace, facts=facts).findings
        write_package(Making(edition, facts, findings, previous), Path(name))
        return compare_folders(folder, Path(name), _left_out(folder, Path(name)))


def _left_out(given: Path, made: Path) -> list[str]:
    """Leave out the list of changes where the release before it is not there to compare with."""
    return [CHANGES] if (given / CHANGES).exists() and not (made / CHANGES).exists() else []


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


def compare_folders(given: Path, made: Path, left_out: Collection[str] = ()) -> list[Finding]:
    """Compare an export with what was made again, file by file, except for its manifest's hash.

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
            what, message = "missing", "is made when the folder is made again, but is missing here"
        elif name not in second.files:
            what, message = "added", "is not made when the folder is made again"
        else:
            what, message = "changed", "is different when it is made again"
        found.append(_otherwise(what, name, f"{name} {message}"))
    for key in sorted({*first.settings, *second.settings}):
        if first.settings.get(key) != second.settings.get(key):
            text = f"settings.{key} of the manifest is different when the folder is made again"
            found.append(_otherwise("changed", MANIFEST, text))
    if first.tool_version != second.tool_version:
        text = f"it was made with version {first.tool_version}, this is {second.tool_version}"
        found.append(_otherwise("version", MANIFEST, text, Severity.WARNING))
    return found


def _otherwise(what: str, name: str, message: str, severity: Severity = Severity.ERROR) -> Finding:
    hint = "this version of the toolkit makes something different from this workspace"
    return Finding(f"rebuilt-{what}", severity, name, None, "", message, hint)
