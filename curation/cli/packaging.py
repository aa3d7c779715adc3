"""What a release package is made of, and how it is written and recorded."""

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkdtemp

from curation import DATA_FORMAT, __version__
from curation.checks.release.facts import ReleaseFacts
from curation.cli.final import Final, manifest_inputs
from curation.cli.releasing import sample_digest
from curation.io.atomic import staged_folder
from curation.io.manifest import MANIFEST, UNSEEN, read_manifest, write_manifest
from curation.io.tables import sha256
from curation.io.workspace import Workspace
from curation.model.errors import CurateError
from curation.model.findings import Finding
from curation.model.released import Release, SampleDigest
from curation.publish.ours import EXPORT
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


@dataclass(frozen=True, slots=True)
class Making:
    """What a package is made from.

    Attributes:
        workspace: The workspace.
        final: What is left of its bank.
        facts: What is known of the release.
        findings: Of the check, for a draft; None for a release.
        previous: Package of the release before; by default the one that the workspace kept.
    """

    workspace: Workspace
    final: Final
    facts: ReleaseFacts
    findings: Sequence[Finding] | None = None
    previous: Path | None = None


def _build(making: Making, folder: Path) -> Built:
    """Write everything but the manifest into an empty folder.

    Raises:
        CurateError: If something cannot be read, filled or written.
    """
    workspace, final, facts = making.workspace, making.final, making.facts
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
    if making.findings is not None:
        settings["draft"] = True
        write_draft(folder, making.findings)
    note = _changes(making, folder, settings)
    return Built(
        {"samples": digest.samples, "test_samples": digest.test_samples, **counts},
        settings,
        (*notes, *note),
    )


def _parts(workspace: Workspace, final: Final, folder: Path) -> tuple[dict[str, int], list[str]]:
    """Write what the other exports write, each where a package has it."""
    from curation.cli.export_harness import asked_of, wanted_by_default
    from curation.cli.export_hub import write_hub
    from curation.cli.export_survey import write_survey
    from curation.publish.harness import inspect, lm_eval
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
            for name, harness in (("lm_eval", lm_eval), ("inspect", inspect)):
                asked = asked_of(workspace, final, wanted)
                harness.write_folder(_new(folder / name), *asked)
    if final.tallies:
        counts |= write_survey(workspace, final, _new(folder / "survey"))
    return counts, notes


def _new(folder: Path) -> Path:
    folder.mkdir(exist_ok=True)  # the hub's table of the survey lies beside its results
    return folder


def _changes(making: Making, folder: Path, settings: dict[str, object]) -> list[str]:
    """Write what changed since the release before, where that is known."""
    from curation.cli.diff_states import state_of, workspace_state
    from curation.publish.changes import compare
    from curation.publish.changes_text import markdown

    workspace, previous = making.workspace, making.previous
    last = before(making.facts.releases, workspace.culture.version)
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


def write_package(making: Making, folder: Path) -> Built:
    """Write a package with its manifest into an empty folder.

    Raises:
        CurateError: If something cannot be read, filled or written.
    """
    built = _build(making, folder)
    write_manifest(folder, _inputs(making.workspace), built.counts, built.settings)
    return built


def _inputs(workspace: Workspace) -> dict[str, Path]:
    return manifest_inputs(workspace, workspace_files(workspace).values())


def write_folder(making: Making, target: Path) -> tuple[Built, str]:
    """Write a package as a folder; gives the hash of its manifest too."""
    with staged_folder(target) as stage:
        built = _build(making, stage)
        names = [path.relative_to(stage) for path in stage.rglob("*") if path.is_file()]
    files = [target / name for name in names]
    write_manifest(target, _inputs(making.workspace), built.counts, built.settings, files)
    _drop_empty(target)
    return built, sha256(target / MANIFEST)


def write_archive(making: Making, target: Path) -> tuple[Built, str]:
    """Write a package as a ZIP file; gives the hash of its manifest too."""
    target.parent.mkdir(parents=True, exist_ok=True)
    stage = Path(mkdtemp(prefix=f".{target.name}.", dir=target.resolve().parent))
    try:
        built = write_package(making, stage)
        culture = making.workspace.culture
        top = f"{culture.release_name}-{culture.version}"
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


def record(making: Making, digest: str) -> bool:
    """Record a release in the workspace, and keep what it was made from; False if it was."""
    workspace, facts = making.workspace, making.facts
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
