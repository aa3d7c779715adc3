"""Folders that exports write: what may be written over, the manifest, and what came of it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from curation.bank.status import OUTCOMES, Status
from curation.checks.settings import settings_changed
from curation.checks.workspace import ALL, check
from curation.files.manifest import BYTECODE, MANIFEST, UNSEEN, read_manifest, staged_results
from curation.records.messages import CurateError, Finding, Severity
from exports.edition import LEFT_OUT, Edition
from survey.bank import TALLIES, manifest_inputs
from survey.settings import decided_with

EXPORT = "export"
"""The key of a manifest's settings that says which export it is of."""
_LOOKED_FOR = [
    rule.id for rule in ALL if rule.severity is Severity.ERROR or rule is settings_changed
]
"""What is said of an export: errors, and settings that were changed after the decisions."""


@dataclass(frozen=True, slots=True)
class Exported:
    """What an export wrote, and what its maker should know.

    Attributes:
        folder: Where it is.
        counts: What was counted, and how many templates have each status.
        undecided: Templates that are included without a survey decision.
        without_samples: Those that are not translated, or wait for surveyed groups.
        findings: Errors in the workspace, then settings that were changed after the decisions, and
            what was left out for a fault.
    """

    folder: Path
    counts: Mapping[str, int]
    undecided: tuple[str, ...]
    without_samples: tuple[str, ...]
    findings: tuple[Finding, ...]

    @property
    def written(self) -> dict[str, int]:
        """The numbers of what was written."""
        others = (*OUTCOMES, *LEFT_OUT)
        return {name: count for name, count in self.counts.items() if name not in others}


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
) -> Exported:
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

    Raises:
        CurateError: If a file cannot be read or written, or a template cannot be filled.
    """
    workspace, final = edition.workspace, edition.final
    found = check(
        workspace, _LOOKED_FOR, decided_with=decided_with(workspace), progress=edition.progress
    )
    errors = [item for item in found.findings if item.severity is Severity.ERROR]
    changed = [item for item in found.findings if item.rule == settings_changed.id]
    inputs = (
        workspace.culture_file,
        workspace.bank_file,
        workspace.groups_file,
        workspace.ledger_file,
        workspace.targets_file,
        workspace.responses_folder / TALLIES,
        *used,
    )
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
    with staged_results(folder, manifest_inputs(workspace, inputs), counts, shaped) as stage:
        counts |= write(stage)
        if "all" in sets:
            counts |= edition.left_out()
            shaped |= edition.drawing.bounds
        if final.outcomes:  # of a machine-translated baseline nothing was decided
            counts |= final.counts
    return Exported(
        folder,
        counts,
        tuple(str(item.template.id) for item in final.with_status(Status.UNDECIDED)),
        tuple(str(template.id) for template in final.open),
        (*errors, *changed, *noted),
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
        raise CurateError(
            f"{name} holds files that no export wrote",
            str(folder),
            "name a new or empty folder with --out, or move them away",
        )
    manifest = read_manifest(folder)
    if manifest.settings.get(EXPORT) != export:
        raise CurateError(
            f"{name} holds another export", str(folder), "name another folder with --out"
        )
    listed = {MANIFEST, *manifest.files}
    named = sorted(path.as_posix() for path in present if BYTECODE not in path.parts)
    strange = [one for one in named if one not in listed]
    if strange:
        more = f" and {len(strange) - 1} more files" if len(strange) > 1 else ""
        raise CurateError(
            f"{name} holds {strange[0]}{more}, which no export wrote",
            str(folder / strange[0]),
            "move them away, or name another folder with --out",
        )
