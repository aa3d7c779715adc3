"""Keep published files as they were imported, with licence and hash."""

import json
import shutil
from collections.abc import Iterable, Sequence
from importlib import resources
from pathlib import Path, PurePosixPath

from curation.files.atomic import atomic_path, write_file
from curation.files.tables import read_text, sha256
from curation.records.licences import Licence
from curation.records.messages import CurateError, refusal
from curation.records.settings import load_yaml

INDEX = "sources.json"
"""The list of what was imported, beside the files."""
NO_FILES = "no-files"
"""The code of the failure that a folder holds none of the files that are wanted."""


def expand_paths(
    paths: Iterable[Path], suffixes: Sequence[str], beside: str = "", within: str = ""
) -> list[Path]:
    """The files that paths name: files themselves, and those of folders by suffix.

    Args:
        paths: Files and folders.
        suffixes: Suffixes of the files to take from a folder, lower case.
        beside: Pattern of files that go with any file of their folder; none when empty.
        within: Pattern of the files to take from a folder, which may name folders in it; all
            when empty.

    Raises:
        CurateError: If there is no such file or folder, or a folder holds none.
    """
    files: list[Path] = []
    for path in paths:
        if path.is_dir():
            inside = sorted(
                item for item in path.glob(within or "*") if item.suffix.lower() in suffixes
            )
            if not inside:
                wanted = within or f"{' or '.join(suffixes)} file"
                what = f"{path.name} holds no {wanted}"
                raise CurateError(what, str(path), "name files", code=NO_FILES)
            files.extend(inside)
        elif path.exists():
            files.append(path)
        else:
            raise refusal("curation", "source-absent", path)
    near = [item for path in files for item in sorted(path.parent.glob(beside))] if beside else []
    return list(dict.fromkeys([*files, *near]))


def _read_index(path: Path) -> dict[str, dict[str, object]]:
    try:
        index = json.loads(read_text(path)) if path.exists() else []
        found = {str(entry["file"]): {"sha256": "", **entry} for entry in index}
        for name, entry in found.items():
            entry["source"] = entry.get("source") or name.partition("/")[0]
        for name in found:  # others may have written it, and files are copied by its names
            parts = PurePosixPath(name)
            if parts.is_absolute() or ".." in parts.parts or "\\" in name:
                raise ValueError(f"'{name}' is outside of the folder")
        return found
    except (ValueError, TypeError, KeyError) as error:
        raise refusal("curation", "source-list-damaged", path, error=error) from error


def keep_sources(
    folder: Path,
    source: str,
    files: Sequence[Path],
    licence: dict[str, object],
    folders: int = 0,
) -> None:
    """Copy published files untouched to `folder/source` and record hash and licence.

    Args:
        folder: Where sources are kept.
        source: The published set.
        files: Its files.
        licence: Its terms.
        folders: How many of the folders that a file is in tell it from others of its name.

    Raises:
        CurateError: If another file of the same name was kept before.
    """
    index_file = folder / INDEX
    known = _read_index(index_file)
    names = {path: "/".join((source, *path.resolve().parts[-1 - folders :])) for path in files}
    for path, name in names.items():
        digest = sha256(path)
        if name in known and known[name]["sha256"] != digest:
            raise refusal("curation", "source-other", str(folder / name), name=path.name)
        known[name] = {
            "file": name,
            "source": source,
            "sha256": digest,
            "bytes": path.stat().st_size,
            "licence": licence,
        }
    for path, name in names.items():
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.exists() or sha256(target) != known[name]["sha256"]:
            with atomic_path(target) as beside:
                shutil.copyfile(path, beside)
    entries = [known[name] for name in sorted(known)]
    write_file(index_file, f"{json.dumps(entries, ensure_ascii=False, indent=2)}\n")


def changed_sources(folder: Path) -> list[str]:
    """The kept files that are not what was imported, by their path in the folder.

    A file that is not there is passed over: who is given a workspace may be given the list alone.

    Args:
        folder: The folder of published files.

    Raises:
        CurateError: If the list was damaged, or a file cannot be read.
    """
    return [
        name
        for name, (_, digest, _) in read_hashes(folder).items()
        if digest and (folder / name).is_file() and sha256(folder / name) != digest
    ]


def read_hashes(folder: Path) -> dict[str, tuple[str, str, int]]:
    """By path of a published file in the folder: the set that it is of, its SHA-256, its bytes.

    Args:
        folder: The folder of published files.

    Raises:
        CurateError: If the list was damaged.
    """
    index = _read_index(folder / INDEX)
    return {
        name: (
            str(entry["source"]),
            str(entry["sha256"]),
            size if isinstance(size := entry.get("bytes"), int) else 0,
        )
        for name, entry in index.items()
    }


def read_terms(folder: Path) -> dict[str, Licence]:
    """The terms of each source of which files were kept.

    Args:
        folder: The folder of published files.

    Raises:
        CurateError: If the list was damaged, or names two licences for one source.
    """
    path = folder / INDEX
    found: dict[str, Licence] = {}
    for entry in _read_index(path).values():
        licence = entry.get("licence")
        stated = licence if isinstance(licence, dict) else {}
        name, holder, address = (
            str(stated.get(key) or "") for key in ("name", "holder", "address")
        )
        terms = Licence(name, holder, address, stated.get("share_alike") is True)
        source = str(entry["source"])
        if found.setdefault(source, terms) != terms:
            told = {"source": source, "one": found[source].name, "other": terms.name}
            raise refusal("curation", "source-two-licences", str(path), **told)
    return found


def published_set(source: str) -> tuple[str, tuple[str, ...]]:
    """The title of the set that a source is, and its languages; else its name, and none."""
    templates = resources.files("curation").joinpath("sources", "templates")
    file = {item.name: item for item in templates.iterdir()}.get(f"{source}.yaml")
    if file is None:
        return source, ()
    said = load_yaml(file.read_text(encoding="utf-8"))
    return said["title"], tuple(said.get("languages") or said.get("written_in", ()))
