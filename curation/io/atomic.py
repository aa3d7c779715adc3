"""Write beside and rename: a reader never meets half a file."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from curation.model.errors import CurateError


@contextmanager
def atomic_path(path: Path) -> Iterator[Path]:
    """Give a path beside `path` to write to; rename it over `path` when the block succeeds.

    Raises:
        CurateError: If the folder cannot be written to or the disk is full.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    except OSError as error:
        raise _refused(path, error) from error
    os.close(handle)
    beside = Path(name)
    try:
        yield beside
        _flush(beside)
        beside.chmod(0o644)
        beside.replace(path)
    except OSError as error:
        raise _refused(path, error) from error
    finally:
        beside.unlink(missing_ok=True)


@contextmanager
def atomic_text(path: Path) -> Iterator[IO[str]]:
    """Open a UTF-8 text file for writing with line feeds, in place of `path` on success."""
    with atomic_path(path) as beside, beside.open("w", encoding="utf-8", newline="") as stream:
        yield stream


def _flush(path: Path) -> None:
    with path.open("rb") as stream:
        os.fsync(stream.fileno())


def _refused(path: Path, error: OSError) -> CurateError:
    return CurateError(
        f"cannot write {path}: {error.strerror or error}",
        hint="check the folder's permissions and the free space",
    )


@contextmanager
def staged_folder(folder: Path) -> Iterator[Path]:
    """Give a folder beside `folder` to write to; move its files over when the block succeeds.

    An interrupted export so leaves the folder as it was.

    Raises:
        CurateError: If the folder cannot be written to or the disk is full.
    """
    made = not folder.exists()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        stage = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.resolve().parent))
    except OSError as error:
        raise _refused(folder, error) from error
    try:
        yield stage
        for path in sorted(stage.rglob("*")):
            if path.is_file():
                target = folder / path.relative_to(stage)
                target.parent.mkdir(parents=True, exist_ok=True)
                path.replace(target)
    except OSError as error:
        raise _refused(folder, error) from error
    finally:
        shutil.rmtree(stage, ignore_errors=True)
        if made and not any(folder.iterdir()):
            folder.rmdir()
