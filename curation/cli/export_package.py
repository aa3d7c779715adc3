"""`curate export package`: everything of a release, in one folder or ZIP file."""

from collections.abc import Sequence
from pathlib import Path

import click

from curation.cli.check import check_workspace
from curation.cli.common import (
    count_findings,
    finding_dict,
    json_option,
    print_findings,
    print_json,
    workspace_option,
)
from curation.cli.exporting import expanded_once
from curation.cli.final import load_final, refuse_unfinished
from curation.cli.packaging import Built, Making, record, write_archive, write_folder
from curation.cli.releasing import release_facts
from curation.io.manifest import read_manifest
from curation.io.workspace import Workspace
from curation.model.errors import CurateError
from curation.model.findings import Finding, Severity, has_errors
from curation.publish.ours import EXPORT, refuse_foreign
from curation.publish.package import (
    PACKAGE,
)
from curation.publish.releases import RELEASES
from curation.publish.zipping import opened


@click.command("package")
@workspace_option
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="Folder, or with --zip file, to write to [default: exports/package, exports/package.zip].",
)
@click.option("--zip", "as_zip", is_flag=True, help="Write one ZIP file instead of a folder.")
@click.option(
    "--draft",
    is_flag=True,
    help="Write it though the release check finds errors; it says that it is a draft.",
)
@click.option(
    "--previous",
    type=click.Path(exists=True, path_type=Path),
    help="Package of the release before, for CHANGES.md [default: the one the workspace kept].",
)
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    /,
    workspace: Workspace,
    out: Path | None,
    as_zip: bool,
    draft: bool,
    previous: Path | None,
    as_json: bool,
) -> None:
    """Write everything of a release: data, card, task folders, survey, and what it is made from.

    The package can be put on the Hugging Face hub, or into an archive, as it is. 'curate verify'
    proves later that nothing in it was changed. It holds no answers of single respondents.

    'curate check --release' is run first: with errors nothing is written, unless --draft is given.
    A release that is no draft is recorded in releases.csv of the workspace, and what it was made
    from is kept in releases/, so that the next one can say what changed (CHANGES.md).

    \b
    Example: curate check --release
             curate export package --zip
    """  # noqa: D301  # \b keeps click from wrapping the example
    target = out or workspace.exports_folder / ("package.zip" if as_zip else "package")
    refuse_other_target(target, as_zip=as_zip)
    with expanded_once():
        final = load_final(workspace)
        facts = release_facts(workspace, final)
        findings = check_workspace(workspace, release=True, facts=facts)
        if has_errors(findings) and not draft:
            _refused(findings, as_json=as_json)
            ctx.exit(1)
        refuse_unfinished(final)
        making = Making(workspace, final, facts, findings if draft else None, previous)
        built, digest = (write_archive if as_zip else write_folder)(making, target)
    recorded = False if draft else record(making, digest)
    if as_json:
        warnings = [finding_dict(item) for item in findings]
        said = {"path": str(target), "counts": built.counts, "manifest_sha256": digest}
        print_json({**said, "draft": draft, "recorded": recorded, "findings": warnings})
        return
    _say(workspace, target, built, findings, digest, draft=draft, recorded=recorded)


def refuse_other_target(target: Path, *, as_zip: bool) -> None:
    """Refuse to write over anything but an earlier package.

    Raises:
        CurateError: If the target holds something else.
    """
    if not as_zip:
        refuse_foreign(target, PACKAGE)
        return
    if target.is_dir():
        raise CurateError(f"{target.name} is a folder", str(target), "name a file with --out")
    if not target.exists():
        return
    try:
        with opened(target) as folder:
            ours = read_manifest(folder).settings.get(EXPORT) == PACKAGE
    except CurateError:
        ours = False
    if not ours:
        raise CurateError(
            f"{target.name} is no package of ours", str(target), "name another file with --out"
        )


def _refused(findings: Sequence[Finding], *, as_json: bool) -> None:
    if as_json:
        print_json({"path": None, "findings": [finding_dict(item) for item in findings]})
        return
    print_findings(findings)
    click.echo(
        f"{count_findings(findings)}. Nothing is written: mend the errors, or write a draft with "
        "--draft."
    )


def _say(
    workspace: Workspace,
    target: Path,
    built: Built,
    findings: Sequence[Finding],
    digest: str,
    *,
    draft: bool,
    recorded: bool,
) -> None:
    culture, counts = workspace.culture, built.counts
    title = culture.release.title or culture.culture
    what = "a draft of version" if draft else "version"
    click.echo(
        f"Wrote {what} {culture.version} of {title} to {target}: {counts['samples']:,} samples, "
        f"{counts['test_samples']:,} of them the test set."
    )
    click.echo(f"SHA-256 of its manifest: {digest}")
    if recorded:
        click.echo(f"Recorded in {workspace.shown(workspace.root / RELEASES)}.")
    shown = [item for item in findings if draft or item.severity is Severity.WARNING]
    print_findings(shown, err=True)
    for note in built.notes:
        click.echo(f"Note: {note}", err=True)
    if draft:
        click.secho("Draft", nl=False, err=True, fg="red")
        click.echo(": this is no release, and says so in DRAFT.md; do not publish it", err=True)
