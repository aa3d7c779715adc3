"""`curate verify`: whether an export is still what was written."""

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from curation.cli.common import finding_dict, json_option, plural, print_findings, print_json
from curation.cli.exporting import expanded_once
from curation.cli.final import load_final
from curation.io.manifest import MANIFEST, Manifest, read_manifest, verify_manifest
from curation.io.tables import sha256
from curation.io.workspace import Workspace
from curation.model.errors import CurateError
from curation.model.findings import Finding, Severity, has_errors
from curation.publish.package import (
    CHANGES,
    PACKAGE,
    compare_folders,
    compare_inputs,
    refuse_other,
)
from curation.publish.releases import RELEASES, read_releases
from curation.publish.zipping import opened

_HONEST = (
    "a manifest proves nothing of itself: who changes a file can change it too. Compare its "
    "SHA-256 with the one that was published, by --sha256, or with releases.csv, by -w"
)


@click.command("verify")
@click.argument("export", metavar="FOLDER|ZIP", type=click.Path(exists=True, path_type=Path))
@click.option(
    "-w",
    "--workspace",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Compare with this workspace too: what it was made from, and the releases it recorded.",
)
@click.option(
    "--sha256",
    "expected",
    metavar="HEX",
    help="What the manifest's SHA-256 has to be, as it was published with the release.",
)
@click.option(
    "--rebuild",
    is_flag=True,
    help="Make the package again from the workspace and compare every file (needs -w).",
)
@click.option(
    "--previous",
    type=click.Path(exists=True, path_type=Path),
    help="For --rebuild: the package that --previous named when it was made.",
)
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    /,
    export: Path,
    workspace: Path | None,
    expected: str | None,
    rebuild: bool,
    previous: Path | None,
    as_json: bool,
) -> None:
    """Prove that nothing in an exported folder or ZIP file was changed since it was written.

    Every file that is missing, added or changed is a finding, and the exit status is then 1.
    A manifest that was changed together with a file is found where its own hash is known: from
    --sha256, or from releases.csv of the workspace.

    With -w, the files that it was made from are compared with those of the workspace; with
    --rebuild, the package is made again and compared byte for byte.

    \b
    Example: curate verify marevibbq-1.0.zip --sha256 9f86d0...
             curate verify exports/package -w . --rebuild
    """  # noqa: D301  # \b keeps click from wrapping the example
    if rebuild and workspace is None:
        raise click.UsageError("--rebuild needs the workspace that it was made from: -w DIR")
    with ExitStack() as stack:
        folder = stack.enter_context(opened(export))
        # No program puts its own into a ZIP file, and bytecode there would be run unseen.
        findings = [*verify_manifest(folder, everything=not export.is_dir())]
        manifest, digest = read_manifest(folder), sha256(folder / MANIFEST)
        known = expected is not None
        if expected is not None and digest != expected.strip().lower():
            findings.append(_other_manifest(digest, "the one that was given"))
        if manifest.settings.get("draft"):
            findings.append(_draft())
        if workspace is not None:
            found, recorded = _against(Workspace(workspace), manifest, digest)
            findings += found
            known = known or recorded
            if rebuild:
                findings += _rebuilt(Workspace(workspace), folder, manifest, previous)
    if as_json:
        said = {"path": str(export), "files": len(manifest.files), "manifest_sha256": digest}
        found_dicts = [finding_dict(item) for item in findings]
        print_json({**said, "manifest_known": known, "findings": found_dicts})
    else:
        _say(export, manifest, digest, findings, [] if known else [_HONEST])
    if has_errors(findings):
        ctx.exit(1)


def _draft() -> Finding:
    return Finding(
        *("release-draft", Severity.WARNING, MANIFEST, None, "settings.draft"),
        "it says that it is a draft, and of drafts nothing is recorded",
        "if you were given it as a release, get it from its publisher again",
    )


def _other_manifest(digest: str, what: str) -> Finding:
    return Finding(
        *("manifest-other", Severity.ERROR, MANIFEST, None, ""),
        f"its SHA-256 is {digest}, which is not {what}",
        "it is another release, or somebody has changed it: fetch it again from its publisher",
    )


def _against(workspace: Workspace, manifest: Manifest, digest: str) -> tuple[list[Finding], bool]:
    """Compare with a workspace; says too whether the workspace has recorded the manifest."""
    workspace.culture  # noqa: B018  # a folder that is no workspace is refused
    found = compare_inputs(manifest, workspace)
    if manifest.settings.get("export") != PACKAGE or manifest.settings.get("draft"):
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
    from curation.cli.check import check_workspace
    from curation.cli.packaging import Making, write_package
    from curation.cli.releasing import release_facts

    refuse_other(manifest, folder)
    with TemporaryDirectory(prefix="curate-") as name, expanded_once():
        final = load_final(workspace)
        facts = release_facts(workspace, final)
        if facts.digest is None:
            raise facts.problems[0] if facts.problems else CurateError("nothing can be made again")
        findings = None
        if manifest.settings.get("draft"):
            findings = check_workspace(workspace, release=True, facts=facts)
        write_package(Making(workspace, final, facts, findings, previous), Path(name))
        return compare_folders(folder, Path(name), _left_out(folder, Path(name)))


def _left_out(given: Path, made: Path) -> list[str]:
    """Leave out the list of changes where the release before it is not there to compare with."""
    return [CHANGES] if (given / CHANGES).exists() and not (made / CHANGES).exists() else []


def _say(
    export: Path,
    manifest: Manifest,
    digest: str,
    findings: Sequence[Finding],
    notes: Sequence[str],
) -> None:
    print_findings(findings)
    count = len(manifest.files)
    if has_errors(findings):
        number = sum(item.severity is Severity.ERROR for item in findings)
        click.echo(f"{export} is not what was written: {number} {plural('finding', number)}.")
    else:
        click.echo(f"{export} is as it was written: {count:,} {plural('file', count)}.")
    click.echo(f"SHA-256 of its manifest: {digest}")
    for note in notes:
        click.echo(f"Note: {note}", err=True)
