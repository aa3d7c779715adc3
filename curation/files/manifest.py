"""`manifest.json`: what an exported folder was made from, and whether it is still that."""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from fractions import Fraction
from pathlib import Path, PurePath

from pydantic import TypeAdapter, ValidationError

from curation import DATA_FORMAT, __version__
from curation.files.atomic import HELD, staged_folder, write_file
from curation.files.tables import read_text, sha256
from curation.records.messages import CurateError, Finding, Severity, finding, refusal

MANIFEST = "manifest.json"
"""The manifest's name in its folder."""
BYTECODE = "__pycache__"
"""Folder that Python makes where programs of an exported folder are run: no part of it."""

UNSEEN = (".git", ".gitattributes", ".cache", HELD)
"""What programs put into a folder or a copy of it, and that is no part of it."""

_AGAIN = "get the folder again, or make it again with the command that wrote it"


@dataclass(frozen=True, slots=True)
class FileRecord:
    """What identifies a file's content.

    Attributes:
        sha256: Hash, hexadecimal.
        size: Bytes.
    """

    sha256: str
    size: int


@dataclass(frozen=True, slots=True)
class Manifest:
    """What an exported folder was made from; fields are the keys of `manifest.json`.

    Attributes:
        tool: Name of the tool.
        tool_version: Its version.
        data_format: Version of the exported files.
        inputs: The files that it was made from, by name.
        files: The files in the folder, by path below it.
        counts: What was counted.
        settings: The settings that shaped it.
    """

    tool: str
    tool_version: str
    data_format: int
    inputs: Mapping[str, FileRecord]
    files: Mapping[str, FileRecord]
    counts: Mapping[str, int]
    settings: Mapping[str, object]


def named_inputs(
    paths: Iterable[Path], *, root: Path | None = None, kind: str = ""
) -> dict[str, Path]:
    """Name the files that something was made from, those that exist, for its manifest.

    The same files give the same manifest anywhere.

    Args:
        paths: The files; of two with one name the second one has a number.
        root: The workspace, whose files have their path there; another file has its name alone.
        kind: What the files hold, written before their names.
    """
    inputs: dict[str, Path] = {}
    base = root.resolve() if root else None
    for path in dict.fromkeys(item.resolve() for item in paths if item.exists()):
        inside = base is not None and path.is_relative_to(base)
        name = path.relative_to(base).as_posix() if inside and base else path.name
        stem = name = f"{kind}: {name}" if kind else name
        number = 1
        while name in inputs:
            number += 1
            name = f"{stem} ({number})"
        inputs[name] = path
    return inputs


@contextmanager
def staged_results(
    folder: Path,
    inputs: Mapping[str, Path],
    counts: Mapping[str, int],
    settings: Mapping[str, object],
    kept: Iterable[Path] = (),
) -> Iterator[Path]:
    """A folder beside `folder` to write files to; they are moved over with their manifest.

    The manifest holds neither times nor places, so the same export gives the same bytes anywhere.
    Files that an earlier manifest lists and that were not written again are taken away, unless
    somebody has changed them: a generated folder holds one state of the workspace. An interrupted
    command leaves folder and manifest as they were.

    Args:
        folder: The folder.
        inputs: The files that it was made from, by the name to give them; hashed when the block
            has ended.
        counts: What was counted, by name; the block may add some.
        settings: The settings that shaped it; fractions and paths are written as text.
        kept: Files in the folder that belong to it and are not written again.

    Raises:
        CurateError: If an input cannot be read, or the folder cannot be written to.
    """
    stale: list[str] = []
    with staged_folder(folder, stale) as stage:
        yield stage
        there = {path.relative_to(folder).as_posix(): path for path in kept if path.exists()}
        written = there | _files(stage)
        stale += _stale(folder, written)
        content = {
            "tool": "curate",
            "tool_version": __version__,
            "data_format": DATA_FORMAT,
            "inputs": {name: asdict(file_record(path)) for name, path in inputs.items()},
            "files": {name: asdict(file_record(path)) for name, path in written.items()},
            "counts": dict(counts),
            "settings": dict(settings),
        }
        text = json.dumps(content, ensure_ascii=False, indent=2, sort_keys=True, default=_plain)
        write_file(stage / MANIFEST, f"{text}\n")


def read_manifest(folder: Path) -> Manifest:
    """Read the manifest of a folder.

    Raises:
        CurateError: If there is none, or it is not as `staged_results` writes it.
    """
    path = folder / MANIFEST
    if not folder.exists():
        raise CurateError(f"there is no folder {folder}", str(folder), "check the path")
    if not path.exists():
        raise CurateError(f"there is no {MANIFEST} in {folder}", str(path), _AGAIN)
    try:
        manifest = TypeAdapter(Manifest).validate_json(read_text(path))
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(str(part) for part in first["loc"]) or "the file"
        raise CurateError(f"{key}: {first['msg']}", str(path), _AGAIN) from error
    if manifest.data_format > DATA_FORMAT:
        told = {"found": manifest.data_format, "version": manifest.tool_version}
        raise refusal("curation", "manifest-newer", path, ours=DATA_FORMAT, **told)
    return manifest


def of_part(folder: Path, shown: str) -> Iterator[Finding]:
    """Say of a folder of samples, if there is one, that they are of chosen templates alone."""
    manifest = read_manifest(folder) if (folder / MANIFEST).exists() else None
    if manifest and (chosen := manifest.settings.get("templates")):
        yield finding("curation", "samples-part", shown, templates=chosen)


def verify_manifest(folder: Path, *, everything: bool = False) -> list[Finding]:
    """Compare a folder with its manifest; no finding when it is as it was written.

    Args:
        folder: The folder.
        everything: Look at what version control and Python put beside it, too.

    Raises:
        CurateError: If the manifest or a file cannot be read.
    """
    recorded = read_manifest(folder).files
    present = _files(folder, everything=everything)
    findings = [
        _finding("added", name, "is a link, and was not written with the others")
        for name in _links(folder)
        if name not in recorded and name.partition("/")[0] not in UNSEEN
    ]
    for name in sorted({*recorded, *present}):
        if name not in present:
            findings.append(_finding("missing", name, "is missing"))
        elif name not in recorded:
            findings.append(_finding("added", name, "was not written with the others"))
        elif file_record(present[name]) != recorded[name]:
            findings.append(_finding("changed", name, "was changed after it was written"))
    return findings


def _finding(what: str, name: str, message: str) -> Finding:
    return Finding(f"manifest-{what}", Severity.ERROR, name, None, "", f"{name} {message}", _AGAIN)


def _links(folder: Path) -> list[str]:
    """List the links of a folder that lead to another folder or nowhere."""
    found = (path for path in folder.rglob("*") if path.is_symlink() and not path.is_file())
    return sorted(path.relative_to(folder).as_posix() for path in found)


def _files(folder: Path, *, everything: bool = False) -> dict[str, Path]:
    """List the files of a folder and of those below it, except for its manifest and bytecode."""
    found = {
        path.relative_to(folder).as_posix(): path
        for path in folder.rglob("*")
        if path.is_file() and (everything or BYTECODE not in path.relative_to(folder).parts)
    }
    return {
        name: path
        for name, path in found.items()
        if name != MANIFEST and (everything or name.partition("/")[0] not in UNSEEN)
    }


def _stale(folder: Path, written: Collection[str]) -> list[str]:
    """What an earlier export wrote, and this one did not, and nobody has changed."""
    if not (folder / MANIFEST).exists():
        return []
    present = _files(folder)  # a damaged manifest may name what lies outside
    return [
        name
        for name, record in read_manifest(folder).files.items()
        if name not in written and name in present and file_record(present[name]) == record
    ]


def file_record(path: Path) -> FileRecord:
    """What identifies a file's content.

    Raises:
        CurateError: If it cannot be read.
    """
    return FileRecord(sha256(path), path.stat().st_size)


def _plain(value: object) -> str:
    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, PurePath):
        return value.as_posix()
    raise TypeError(f"a manifest cannot hold {type(value).__name__}")
