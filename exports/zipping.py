"""Put a folder into a ZIP file that comes out the same to the byte wherever it is made.

Order, dates, rights and level of compression are fixed. The compressed bytes are those of the
zlib that Python was built with, so that two machines have the same archive where they have the
same zlib; the files in it are the same in any case.
"""

import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from zipfile import ZIP_DEFLATED, BadZipFile, ZipFile, ZipInfo

from curation.files.atomic import atomic_path
from curation.files.manifest import MANIFEST
from curation.records.messages import CurateError

_EARLIEST = (1980, 1, 1, 0, 0, 0)
_LEVEL = 6
_UNIX = 3
_BLOCK = 1 << 20
_LARGEST = 64 << 30
_MOST = 100_000  # files; a package has a hundred or so


def write_zip(path: Path, folder: Path, top: str) -> int:
    """Write the files of a folder to a ZIP file in place of `path`.

    Args:
        path: The archive.
        folder: The folder.
        top: Name of the one folder that the archive unpacks to.

    Returns:
        Bytes of the archive.

    Raises:
        CurateError: If it cannot be written.
    """
    names = sorted(
        item.relative_to(folder).as_posix() for item in folder.rglob("*") if item.is_file()
    )
    with atomic_path(path) as beside:
        with ZipFile(beside, "w", ZIP_DEFLATED, compresslevel=_LEVEL) as archive:
            for name in names:
                _add(archive, f"{top}/{name}", folder / name)
        return beside.stat().st_size


def _add(archive: ZipFile, name: str, source: Path) -> None:
    info = ZipInfo(name, _EARLIEST)
    info.compress_type = ZIP_DEFLATED
    info.create_system = _UNIX
    info.external_attr = (stat.S_IFREG | 0o644) << 16
    info.file_size = source.stat().st_size  # tells whether the entry needs 64-bit sizes
    with source.open("rb") as stream, archive.open(info, "w") as target:
        shutil.copyfileobj(stream, target, _BLOCK)


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
    refuse_missing(path)
    with TemporaryDirectory(prefix="curate-") as name:
        _unpack(path, Path(name))
        yield _top(Path(name))


def refuse_missing(path: Path) -> None:
    """Refuse the path of an export where nothing lies.

    Raises:
        CurateError: If there is no such file or folder.
    """
    if not path.exists():
        raise CurateError(f"there is no file or folder {path.name}", str(path), "check the path")


def _unpack(path: Path, folder: Path) -> None:
    try:
        with ZipFile(path) as archive:
            entries = archive.infolist()
            _refuse_unsafe(path, entries, folder)
            archive.extractall(folder)
    except (BadZipFile, NotImplementedError, RuntimeError, EOFError) as error:
        raise CurateError(
            f"{path.name} is not a ZIP file that can be read: {error}",
            str(path),
            "fetch it again: it may be incomplete",
        ) from error
    except OSError as error:
        raise CurateError(
            f"cannot unpack {path.name}: {error.strerror or error}",
            str(path),
            "check the free space of the folder for temporary files",
        ) from error


def _refuse_unsafe(path: Path, entries: list[ZipInfo], folder: Path) -> None:
    seen: set[str] = set()
    for entry in entries:
        parts = PurePosixPath(entry.filename)
        if parts.is_absolute() or ".." in parts.parts or "\\" in entry.filename:
            raise CurateError(
                f"{path.name} holds '{entry.filename}', a path that leads outside of it", str(path)
            )
        if parts.as_posix() in seen:  # a//b and ./a/b are a/b
            raise CurateError(f"{path.name} holds {parts.as_posix()} twice", str(path))
        seen.add(parts.as_posix())
    if len(entries) > _MOST:
        raise CurateError(f"{path.name} holds more than {_MOST:,} files", str(path))
    size = sum(entry.file_size for entry in entries)
    if size > _LARGEST:
        raise CurateError(f"{path.name} would unpack to more than 64 GiB", str(path))
    if size > shutil.disk_usage(folder).free:
        raise CurateError(
            f"{path.name} would unpack to {size / (1 << 30):.1f} GiB, more than there is room for",
            str(path),
            "name a folder for temporary files with more room in TMPDIR",
        )


def _top(folder: Path) -> Path:
    """Go into the one folder that an archive holds, unless the manifest lies outside it."""
    inside = list(folder.iterdir())
    if len(inside) == 1 and inside[0].is_dir() and not (folder / MANIFEST).exists():
        return inside[0]
    return folder
