"""Files of a release package: everything of a release, and what it can be made from again."""

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

from curation import DATA_FORMAT, __version__
from curation.checks.subject import ReleaseFacts
from curation.files.atomic import scratch_folder, staged_folder, write_file
from curation.files.lock import writing
from curation.files.manifest import MANIFEST, named_inputs, read_manifest, staged_results
from curation.files.tables import sha256
from curation.files.workspace import Workspace
from curation.records.culture import Release
from curation.records.messages import (
    CurateError,
    Finding,
    Progress,
    Results,
    Severity,
    counted,
    has_errors,
    refusal,
    silent,
)
from curation.report.texts import filled
from exports import releases
from exports.browse.writing import BROWSE, write_released
from exports.card.citation import known
from exports.card.facts import gather
from exports.edition import SETS, Edition, open_edition
from exports.folders import EXPORT, opened, refuse_foreign, write_zip
from exports.harness.tasks import HARNESSES, Tasks, write_every
from exports.hub_files import write_folder
from exports.survey_files import write_survey

PACKAGE = "package"
"""What the manifest of a package says that it is an export of."""
DRAFT = "DRAFT.md"
CHANGES = "CHANGES.md"
_COMMAND = "curate export package"


def package(
    workspace: Workspace,
    *,
    as_zip: bool = False,
    draft: bool = False,
    previous: Path | None = None,
    per_template: int | None = None,
    out: Path | None = None,
    progress: Progress = silent,
) -> Results:
    """Write everything of a release, by default to `exports/package`, and record the release.

    With errors of the release check nothing is written, unless it is to be a draft.

    Args:
        workspace: The workspace.
        as_zip: Write one ZIP file instead of a folder.
        draft: Write it whatever the check finds; it says that it is a draft, and is not recorded.
        previous: Package of the release before; by default the one that the workspace kept.
        per_template: Maximum number of samples of a template; `samples.per_template` by default.
        out: The folder or file to write to.
        progress: Called with the progress of planning and writing.

    Returns:
        The `findings` of the release check, and the `path` of the package; None where nothing was
        written, as the check found errors. Of one that was written also:

        - `draft`: whether it is a draft, and `recorded`: whether the release was recorded now;
        - `manifest_sha256`: the hash of its manifest;
        - `counts`: what was counted;
        - `notes`: what its maker should know.

    Raises:
        CurateError: If a file cannot be read or written, templates cannot be filled, there are
            more samples than `samples.limit`, or the target holds what no such export wrote.
    """
    target = out or workspace.exports_folder / ("package.zip" if as_zip else "package")
    # A release is recorded in the workspace, wherever its package lies.
    with writing(workspace, _COMMAND, to=out if draft else None):
        _refuse_other_target(target, as_zip=as_zip)
        edition = open_edition(workspace, progress, keeps=True, per_template=per_template)
        facts = releases.release_facts(workspace, edition)
        findings = releases.release_check(workspace, facts=facts, progress=progress).findings
        if has_errors(findings) and not draft:
            return Results({"path": None, "findings": findings})
        if not draft:
            releases.RELEASED.appendable(workspace.root / releases.RELEASES)
        edition.refuse((None, edition.seed))
        with scratch_folder(target) if as_zip else nullcontext(target) as folder:
            given = (edition, facts, findings if draft else None, previous)
            counts, notes, digest = write_package(folder, *given)
            if as_zip:
                culture = workspace.culture
                write_zip(target, folder, f"{culture.release_name}-{culture.version}")
        recorded = not draft and _record(edition, facts, digest)
    return Results(
        {
            "path": target,
            "counts": counts,
            "manifest_sha256": digest,
            "draft": draft,
            "recorded": recorded,
            "notes": tuple(notes),
            "findings": findings,
        }
    )


def _refuse_other_target(target: Path, *, as_zip: bool) -> None:
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
        raise refusal(__package__, "package-other", target)


def write_package(
    target: Path,
    edition: Edition,
    facts: ReleaseFacts,
    findings: Sequence[Finding] | None = None,
    previous: Path | None = None,
) -> tuple[dict[str, int], list[str], str]:
    """Write a package as a folder with its manifest.

    Args:
        target: The folder.
        edition: The benchmark.
        facts: What is known of the release.
        findings: Of the check, for a draft; None for a release.
        previous: Package of the release before; by default the one that the workspace kept.

    Returns:
        What was counted, what its maker should know, and the hash of the manifest.

    Raises:
        CurateError: If something cannot be read, filled or written.
    """
    workspace, digest = edition.workspace, facts.digest or edition.digest()
    culture = workspace.culture
    written = {"samples": digest.samples, "test_samples": digest.test_samples}
    counts = written | edition.left_out()
    settings: dict[str, object] = {
        EXPORT: PACKAGE,
        "name": culture.release_name,
        "culture": culture.culture,
        "language": culture.language,
        "version": culture.version,
        "seed": digest.seed,
        **edition.settings.bounds,
        "samples_sha256": digest.samples_sha256,
        "test_samples_sha256": digest.test_samples_sha256,
    }
    inputs = named_inputs(releases.workspace_files(workspace).values(), root=workspace.root)
    with staged_results(target, inputs, counts, settings) as stage:
        counted_parts, notes = _parts(edition, stage)
        counts |= counted_parts
        left_out = releases.write_workspace(
            workspace, stage / releases.WORKSPACE, facts.retained, facts.sources
        )
        if left_out:
            counts["templates_left_out"] = left_out
            notes.append(
                f"{counted(left_out, 'template')} left out of {releases.WORKSPACE}/ too, because "
                "the source may not be published"
            )
        write_released(edition, stage / releases.WORKSPACE, stage / BROWSE)
        if findings is not None:
            settings["draft"] = True  # and what is lacking
            errors = [item for item in findings if item.severity is Severity.ERROR]
            write_file(stage / DRAFT, filled(__package__, "draft.md.j2", errors=errors))
        notes += _changes(edition, facts, previous, stage, settings)
    return counts, notes, sha256(target / MANIFEST)


def _parts(edition: Edition, folder: Path) -> tuple[dict[str, int], list[str]]:
    """Write what the other exports write, each where a package has it."""
    facts = gather(edition, SETS)
    counts = {"templates": len(edition.final.templates)}
    tasks, lacks = None, ""
    try:
        tasks = Tasks(edition)
    except CurateError as error:
        lacks = error.what
    surveyed = bool(edition.final.tallies)
    write_folder(folder, replace(facts, folders=_folders(lacks, surveyed)))
    if tasks is not None:
        write_every(folder, tasks)
    if surveyed:
        # The hub's table of the survey lies beside its results.
        counts |= write_survey(edition.workspace, folder / "survey")
    return counts, [f"no task folders are in it: {lacks}"] if lacks else []


def _folders(lacks: str, surveyed: bool) -> dict[str, tuple[str, str]]:
    """What a package has beside the tables, for its card, and why it lacks some of it."""
    none = "" if surveyed else "there is no survey in the workspace"
    why = {**dict.fromkeys(HARNESSES, lacks), "survey": none}
    found = {name.partition("/")[::2]: said for name, said in known()["files"].items()}
    return {
        folder: (said["holds"], why.get(folder, ""))
        for (folder, inside), said in found.items()
        if inside == "*"
    }


def _changes(
    edition: Edition,
    facts: ReleaseFacts,
    previous: Path | None,
    folder: Path,
    settings: dict[str, object],
) -> list[str]:
    """Write what changed since the release before, where that is known."""
    workspace = edition.workspace
    last = releases.before(facts.releases, workspace.culture.version)
    given = previous or (workspace.root / releases.KEPT / last.version if last else None)
    if given is None:
        return []
    if last and not previous and not given.is_dir():
        return [f"{CHANGES} is not in it: version {last.version} was not kept"]
    from exports.differences import compare, edition_state, markdown, state_of  # which a first
    # release does without

    with opened(given) as was:
        differences = compare(state_of(was, given), edition_state(edition))
    settings["previous"] = differences.before
    write_file(folder / CHANGES, markdown(differences))
    return []


def _record(edition: Edition, facts: ReleaseFacts, digest: str) -> bool:
    """Record a release in the workspace, and keep what it was made from; False if it was."""
    workspace = edition.workspace
    assert facts.digest is not None  # noqa: S101  # a release without is refused
    version = workspace.culture.version
    release = Release(
        version=version,
        date=str(workspace.culture.release.date or ""),
        data_format=DATA_FORMAT,
        tool_version=__version__,
        manifest_sha256=digest,
        **facts.digest._asdict(),
    )
    path = workspace.root / releases.RELEASES
    if release in releases.RELEASED.read(path):
        return False
    with staged_folder(workspace.root / releases.KEPT / version) as stage:
        releases.write_workspace(workspace, stage, facts.retained, facts.sources)
    releases.RELEASED.append(path, [release])
    return True
