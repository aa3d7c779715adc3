"""Keep what others wrote: an export goes to a folder that holds nothing but an earlier one."""

from pathlib import Path

from curation.io.manifest import BYTECODE, MANIFEST, UNSEEN, read_manifest
from curation.model.errors import CurateError

EXPORT = "export"
"""The key of a manifest's settings that says which export it is of."""


def refuse_foreign(folder: Path, export: str) -> None:
    """Refuse to write an export over anything but an earlier export of its kind.

    Args:
        folder: Where it is to go.
        export: Which export it is, as its manifest says.

    Raises:
        CurateError: If the folder holds another export, or files that none wrote.
    """
    if folder.exists() and not folder.is_dir():
        raise CurateError(f"{folder.name} is a file", str(folder), "name a folder with --out")
    if not folder.exists() or not any(item.name not in UNSEEN for item in folder.iterdir()):
        return
    if not (folder / MANIFEST).exists():
        raise CurateError(
            f"{folder.name} holds files that no export wrote",
            str(folder),
            "name a new or empty folder with --out, or move them away",
        )
    manifest = read_manifest(folder)
    if manifest.settings.get(EXPORT) != export:
        raise CurateError(
            f"{folder.name} holds another export", str(folder), "name another folder with --out"
        )
    present = {
        path.relative_to(folder)
        for path in folder.rglob("*")
        # Through a link to a folder the export would be written to wherever that lies.
        if path.is_file() or path.is_symlink()
    }
    seen = (path for path in present if path.parts[0] not in UNSEEN and BYTECODE not in path.parts)
    names = sorted(path.as_posix() for path in seen)
    strange = [name for name in names if name != MANIFEST and name not in manifest.files]
    if strange:
        more = f" and {len(strange) - 1} more files" if len(strange) > 1 else ""
        raise CurateError(
            f"{folder.name} holds {strange[0]}{more}, which no export wrote",
            str(folder / strange[0]),
            "move them away, or name another folder with --out",
        )
