"""Folders that exports write: what may be written over, the manifest, and what came of it."""

import shutil
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from curation.checks.settings import settings_changed
from curation.checks.workspace import ALL, check
from curation.files.atomic import atomic_path
from curation.files.manifest import (
    BYTECODE,
    MANIFEST,
    UNSEEN,
    named_inputs,
    read_manifest,
    staged_results,
)
from curation.files.tables import ZIP_FAULTS, refuse_absent
from curation.files.workspace import Workspace
from curation.records.messages import CurateError, Finding, Results, Severity, refusal
from curation.records.survey import OUTCOMES, Status
from exports.edition import LEFT_OUT, Edition
from survey.bank import decided_with

EXPORT = "export"
"""The key of a manifest's settings that says which export it is of."""
_LOOKED_FOR = [
    rule.id for rule in ALL if rule.severity is Severity.ERROR or rule is settings_changed
]
"""What is said of an export: errors, and settings that were changed after the decisions."""


def written(counts: Mapping[str, int]) -> dict[str, int]:
    """Of what an export counted the numbers of what was written."""
    others = {*OUTCOMES, *LEFT_OUT}
    return {name: count for name, count in counts.items() if name not in others}


def made_from(workspace: Workspace) -> tuple[Path, ...]:
    """The files that a benchmark is made from, there or not."""
    return (
        workspace.culture_file,
        workspace.bank_file,
        workspace.groups_file,
        workspace.ledger_file,
        workspace.targets_file,
        workspace.tallies_file,
    )


def write_export(
    edition: Edition,
    folder: Path,
    write: Callable[[Path], Mapping[str, int]],
    *,
    settings: Mapping[str, object] | None = None,
    seed: int | None = None,
    sets: Sequence[str] = (),
    used: Iterable[Path] = (),
    noted: Iterable[Finding] = (),
) -> Results:
    """Write an export with its manifest: whole, or not at all.

    Args:
        edition: What is exported.
        folder: Where to.
        write: Writes all files into an empty folder, and counts what it wrote.
        settings: Further settings of this export, for the manifest.
        seed: The seed of the test set, where it is in.
        sets: The sets of samples that are written.
        used: Further files that it is made from.
        noted: What its maker should know beside.

    Returns:
        - `folder`, where it is;
        - `counts`: what was counted, and how many templates have each status;
        - `undecided`: templates that are included without a survey decision;
        - `without_samples`: those that are not translated, or wait for surveyed groups;
        - `findings`: errors in the workspace, then settings that were changed after the decisions,
          and what was left out for a fault.

    Raises:
        CurateError: If a file cannot be read or written, or a template cannot be filled.
    """
    workspace, final = edition.workspace, edition.final
    found = check(
        workspace, _LOOKED_FOR, decided_with=decided_with(workspace), progress=edition.progress
    )
    errors = [item for item in found.findings if item.severity is Severity.ERROR]
    changed = [item for item in found.findings if item.rule == settings_changed.id]
    inputs = named_inputs((*made_from(workspace), *used), root=workspace.root)
    shaped: dict[str, object] = {
        "culture": workspace.culture.culture,
        "language": workspace.culture.language,
        "version": workspace.culture.version,
        "unknown": workspace.culture.unknown,
        **({} if seed is None else {"seed": seed}),
        **({"check_errors": len(errors)} if errors else {}),
        **(settings or {}),
    }
    counts: dict[str, int] = {}
    with staged_results(folder, inputs, counts, shaped) as stage:
        counts |= write(stage)
        if "all" in sets:
            counts |= edition.left_out()
            shaped |= edition.settings.bounds
        if final.outcomes:  # of a machine-translated baseline nothing was decided
            counts |= final.counts
    return Results(
        {
            "folder": folder,
            "counts": counts,
            "undecided": tuple(
                str(item.template.id) for item in final.with_status(Status.UNDECIDED)
            ),
            "without_samples": tuple(str(template.id) for template in final.open),
            "findings": (*errors, *changed, *noted),
        }
    )


def refuse_foreign(folder: Path, export: str) -> None:
    """Refuse to write an export over anything but an earlier export of its kind.

    Args:
        folder: Where it is to go.
        export: Which export it is, as its manifest says.

    Raises:
        CurateError: If the folder holds another export, or files that none wrote.
    """
    name = folder.name or str(folder.resolve())  # '.' has no name of its own
    if folder.exists() and not folder.is_dir():
        raise CurateError(f"{name} is a file", str(folder), "name a folder with --out")
    # Through a link to a folder the export would be written to wherever that lies. Folders without
    # a file are those of a command that was killed.
    found = (path for path in folder.rglob("*") if path.is_file() or path.is_symlink())
    present = [path.relative_to(folder) for path in found]
    present = [path for path in present if path.parts[0] not in UNSEEN]
    if not present:
        return
    if not (folder / MANIFEST).exists():
        raise refusal(__package__, "folder-unlisted", str(folder), name=name)
    manifest = read_manifest(folder)
    if manifest.settings.get(EXPORT) != export:
        raise refusal(__package__, "folder-other", str(folder), name=name)
    listed = {MANIFEST, *manifest.files}
    named = sorted(path.as_posix() for path in present if BYTECODE not in path.parts)
    strange = [one for one in named if one not in listed]
    if strange:
        more = f" and {len(strange) - 1} more files" if len(strange) > 1 else ""
        words = {"name": name, "more": more, "path": strange[0]}
        raise refusal(__package__, "folder-strange", str(folder / strange[0]), **words)


_EARLIEST = (1980, 1, 1, 0, 0, 0)


def write_zip(path: Path, folder: Path, top: str) -> None:
    """Write the files of a folder to a ZIP file in place of `path`.

    Args:
        path: The archive.
        folder: The folder.
        top: Name of the one folder that the archive unpacks to.

    Raises:
        CurateError: If it cannot be written.
    """
    files = (item for item in folder.rglob("*") if item.is_file())
    names = sorted(item.relative_to(folder).as_posix() for item in files)
    with (
        atomic_path(path) as beside,
        ZipFile(beside, "w", ZIP_DEFLATED, compresslevel=6) as archive,
    ):
        for name in names:
            info = ZipInfo(f"{top}/{name}", _EARLIEST)
            info.compress_type = ZIP_DEFLATED
            info.create_system = 3  # Unix
            info.external_attr = (stat.S_IFREG | 0o644) << 16
            # Tells whether the entry needs 64-bit sizes.
            info.file_size = (folder / name).stat().st_size
            with (folder / name).open("rb") as stream, archive.open(info, "w") as target:
                shutil.copyfileobj(stream, target, 1 << 20)


@contextmanager
def opened(path: Path) -> Iterator[Path]:
    """An exported folder, unpacked to a temporary one where it is a ZIP file.

    Raises:
        CurateError: If there is no such file, or it is no ZIP file, holds a path that leads out
            of it or one name twice, or holds more than can be unpacked.
    """
    if path.is_dir():
        yield path
        return
    refuse_absent(path)
    with TemporaryDirectory(prefix="curate-") as name:
        made = Path(name)
        _unpack(path, made)
        inside = list(made.iterdir())
        # Into the one folder that an archive holds, unless the manifest lies outside it.
        is_within = len(inside) == 1 and inside[0].is_dir() and not (made / MANIFEST).exists()
        yield inside[0] if is_within else made


def _unpack(path: Path, folder: Path) -> None:
    try:
        with ZipFile(path) as archive:
            _refuse_unsafe(path, archive.infolist())
            archive.extractall(folder)
    except OSError as error:
        said = error.strerror or error
        raise refusal(__package__, "archive-unpacked", path, error=said) from error
    except (*ZIP_FAULTS, ValueError) as error:
        raise refusal(__package__, "archive-unread", path, error=error) from error


def _refuse_unsafe(path: Path, entries: list[ZipInfo]) -> None:
    seen: set[str] = set()
    for entry in entries:
        parts = PurePosixPath(entry.filename)
        if parts.is_absolute() or ".." in parts.parts or "\\" in entry.filename:
            raise refusal(__package__, "archive-outside", path, filename=entry.filename)
        if parts.as_posix() in seen:  # a//b and ./a/b are a/b
            raise CurateError(f"{path.name} holds {parts.as_posix()} twice", str(path))
        seen.add(parts.as_posix())
