"""`curate export package`: everything of a release, in one folder or ZIP file."""

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkdtemp

import click

from curation import DATA_FORMAT, __version__
from curation.checks.release.facts import ReleaseFacts
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
from curation.cli.final import Final, load_final, manifest_inputs, refuse_unfinished
from curation.cli.releasing import release_facts, sample_digest
from curation.io.atomic import staged_folder
from curation.io.manifest import MANIFEST, UNSEEN, read_manifest, write_manifest
from curation.io.tables import sha256
from curation.io.workspace import Workspace
from curation.model.errors import CurateError
from curation.model.findings import Finding, Severity, has_errors
from curation.model.released import Release, SampleDigest
from curation.publish.ours import EXPORT, refuse_foreign
from curation.publish.package import (
    CHANGES,
    PACKAGE,
    WORKSPACE,
    workspace_files,
    write_draft,
    write_workspace,
)
from curation.publish.releases import KEPT, RELEASES, add_release, before, read_releases
from curation.publish.zipping import opened, write_zip


@dataclass(frozen=True, slots=True)
class Built:
    """What a package holds.

    Attributes:
        counts: What was counted.
        settings: What shaped it.
        notes: What its maker should know.
    """

    counts: dict[str, int]
    settings: dict[str, object]
    notes: tuple[str, ...]


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
        write = _write_zip if as_zip else _write_folder
        doubts = findings if draft else None
        built, digest = write(workspace, final, facts, target, doubts, previous)
    recorded = False if draft else _record(workspace, built, facts, digest)
    if as_json:
        warnings = [finding_dict(item) for item in findings]
        said = {"path": str(target), "counts": built.counts, "manifest_sha256": digest}
        print_json({**said, "draft": draft, "recorded": recorded, "findings": warnings})
        return
    _say(workspace, target, built, findings, digest, draft=draft, recorded=recorded)


def build(
    workspace: Workspace,
    final: Final,
    facts: ReleaseFacts,
    folder: Path,
    findings: Sequence[Finding] | None,
    previous: Path | None,
) -> Built:
    """Write everything but the manifest into an empty folder.

    Args:
        workspace: The workspace.
        final: What is left of its bank.
        facts: What is known of the release.
        folder: The folder.
        findings: Of the check, for a draft; None for a release.
        previous: Package of the release before; by default the one that the workspace kept.

    Raises:
        CurateError: If something cannot be read, filled or written.
    """
    digest = facts.digest or sample_digest(workspace, final)
    counts, notes = _parts(workspace, final, folder)
    left_out = write_workspace(workspace, folder / WORKSPACE, facts.left, facts.sources or {})
    if left_out:
        counts["templates_left_out"] = left_out
        notes.append(
            f"{left_out} templates that are out are not in {WORKSPACE}/, as their source may not "
            "be passed on"
        )
    settings: dict[str, object] = {
        EXPORT: PACKAGE,
        "name": workspace.culture.release_name,
        "culture": workspace.culture.culture,
        "language": workspace.culture.language,
        "version": workspace.culture.version,
        "seed": digest.seed,
        "samples_sha256": digest.samples_sha256,
        "test_samples_sha256": digest.test_samples_sha256,
    }
    if findings is not None:
        settings["draft"] = True
        write_draft(folder, findings)
    note = _changes(workspace, folder, settings, facts, previous)
    return Built(
        {"samples": digest.samples, "test_samples": digest.test_samples, **counts},
        settings,
        (*notes, *note),
    )


def _parts(workspace: Workspace, final: Final, folder: Path) -> tuple[dict[str, int], list[str]]:
    """Write what the other exports write, each where a package has it."""
    from curation.cli.export_harness import wanted_by_default
    from curation.cli.export_hub import write_hub
    from curation.cli.export_inspect import write_inspect
    from curation.cli.export_lm_eval import write_lm_eval
    from curation.cli.export_survey import write_survey
    from curation.publish.harness.data import made_once

    notes = []
    write_hub(workspace, final, folder)
    counts = {"templates": len(final.templates)}
    try:
        wanted = wanted_by_default(workspace)
    except CurateError as error:
        notes.append(f"no task folders are in it: {error.what}")
    else:
        with made_once():
            write_lm_eval(workspace, final, _new(folder / "lm_eval"), wanted)
            write_inspect(workspace, final, _new(folder / "inspect"), wanted)
    if final.tallies:
        counts |= write_survey(workspace, final, _new(folder / "survey"))
    return counts, notes


def _new(folder: Path) -> Path:
    folder.mkdir(exist_ok=True)  # the hub's table of the survey lies beside its results
    return folder


def _changes(
    workspace: Workspace,
    folder: Path,
    settings: dict[str, object],
    facts: ReleaseFacts,
    previous: Path | None,
) -> list[str]:
    """Write what changed since the release before, where that is known."""
    from curation.cli.diff_states import state_of, workspace_state
    from curation.publish.changes import compare
    from curation.publish.changes_text import markdown

    last = before(facts.releases, workspace.culture.version)
    kept = workspace.root / KEPT / last.version if last else None
    if previous is None and (kept is None or not kept.is_dir()):
        return [f"{CHANGES} is not in it: version {last.version} was not kept"] if last else []
    after = workspace_state(workspace)
    notes: list[str] = []
    if previous is not None:
        with opened(previous) as given:
            notes = _other_benchmark(given, settings)
            differences = compare(state_of(given, previous), after)
    else:
        assert kept is not None  # noqa: S101  # else there is no release before
        differences = compare(workspace_state(Workspace(kept)), after)
    settings["previous"] = differences.before
    (folder / CHANGES).write_text(markdown(differences), encoding="utf-8", newline="")
    return notes


def _other_benchmark(folder: Path, settings: Mapping[str, object]) -> list[str]:
    """Say where what is compared with calls itself by another name."""
    if not (folder / MANIFEST).exists():
        return []
    name = read_manifest(folder).settings.get("name", settings["name"])
    if name == settings["name"]:
        return []
    return [f"--previous is a release of '{name}', and this is one of '{settings['name']}'"]


def write_package(
    workspace: Workspace,
    final: Final,
    facts: ReleaseFacts,
    folder: Path,
    findings: Sequence[Finding] | None,
    previous: Path | None,
) -> Built:
    """Write a package with its manifest into an empty folder.

    Args:
        workspace: The workspace.
        final: What is left of its bank.
        facts: What is known of the release.
        folder: The folder.
        findings: Of the check, for a draft; None for a release.
        previous: Package of the release before; by default the one that the workspace kept.
    """
    built = build(workspace, final, facts, folder, findings, previous)
    write_manifest(folder, _inputs(workspace), built.counts, built.settings)
    return built


def _inputs(workspace: Workspace) -> dict[str, Path]:
    return manifest_inputs(workspace, workspace_files(workspace).values())


def _write_folder(
    workspace: Workspace,
    final: Final,
    facts: ReleaseFacts,
    target: Path,
    findings: Sequence[Finding] | None,
    previous: Path | None,
) -> tuple[Built, str]:
    with staged_folder(target) as stage:
        built = build(workspace, final, facts, stage, findings, previous)
        names = [path.relative_to(stage) for path in stage.rglob("*") if path.is_file()]
    files = [target / name for name in names]
    write_manifest(target, _inputs(workspace), built.counts, built.settings, files)
    _drop_empty(target)
    return built, sha256(target / MANIFEST)


def _write_zip(
    workspace: Workspace,
    final: Final,
    facts: ReleaseFacts,
    target: Path,
    findings: Sequence[Finding] | None,
    previous: Path | None,
) -> tuple[Built, str]:
    target.parent.mkdir(parents=True, exist_ok=True)
    stage = Path(mkdtemp(prefix=f".{target.name}.", dir=target.resolve().parent))
    try:
        built = write_package(workspace, final, facts, stage, findings, previous)
        top = f"{workspace.culture.release_name}-{workspace.culture.version}"
        write_zip(target, stage, top)
        return built, sha256(stage / MANIFEST)
    finally:
        shutil.rmtree(stage, ignore_errors=True)


def _drop_empty(folder: Path) -> None:
    """Take away folders that an earlier package filled and this one does not."""
    for path in sorted(folder.rglob("*"), reverse=True):
        inside = path.relative_to(folder).parts[0]
        if path.is_dir() and inside not in UNSEEN and not any(path.iterdir()):
            path.rmdir()


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


def _record(workspace: Workspace, built: Built, facts: ReleaseFacts, digest: str) -> bool:
    """Record a release in the workspace, and keep what it was made from."""
    samples = facts.digest
    assert isinstance(samples, SampleDigest)  # noqa: S101  # a release without is refused
    version = workspace.culture.version
    release = Release(
        version=version,
        date=str(workspace.culture.release.date or ""),
        samples=samples.samples,
        test_samples=samples.test_samples,
        samples_sha256=samples.samples_sha256,
        test_samples_sha256=samples.test_samples_sha256,
        data_format=DATA_FORMAT,
        tool_version=__version__,
        seed=samples.seed,
        manifest_sha256=digest,
    )
    path = workspace.root / RELEASES
    if release in read_releases(path):
        return False
    with staged_folder(workspace.root / KEPT / version) as stage:
        write_workspace(workspace, stage, facts.left, facts.sources or {})
    return add_release(path, release)


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
